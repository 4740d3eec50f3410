//! The server: on this computer only, with bounded connections.

use super::guard::Guard;
use super::http::{Answer, Unread, read, read_body};
use super::routes::answer;
use super::shelf::Shelf;
use navmap::threads::locked;
use std::collections::VecDeque;
use std::io;
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

/// Connections that have not yet said the token. One more drops the oldest, so nobody keeps the user out by being there first.
const MOST_STRANGERS: usize = 16;
/// How long a stranger has for the whole head of its first request.
const STRANGER: Duration = Duration::from_secs(2);
/// Connections that have said the token.
const MOST_KNOWN: usize = 48;
/// How long a connection that has said the token may be silent.
const KNOWN: Duration = Duration::from_secs(10);

/// A server that listens.
#[derive(Debug)]
pub(super) struct Server {
    listener: TcpListener,
    guard: Guard,
    strangers: Mutex<VecDeque<(usize, TcpStream)>>,
    known: AtomicUsize,
}

/// The place of a connection. It is free again once this is dropped, whether the connection has ended or an answer has panicked.
struct Seat<'s> {
    server: &'s Server,
    number: usize,
    is_known: bool,
}

impl Seat<'_> {
    /// Lets a stranger that has said the token stay. Whether there is room.
    fn keep(&mut self) -> bool {
        self.is_known = self.is_known || self.server.promote(self.number);
        self.is_known
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        if self.is_known {
            self.server.known.fetch_sub(1, SeqCst);
        }
        self.server.forget(self.number);
    }
}

impl Server {
    /// Listens on a port of this computer; on any free one if it is 0.
    ///
    /// # Errors
    /// If the port is taken, or the system has no random numbers for the token.
    pub(super) fn bind(port: u16, edits: bool) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let guard = Guard::new(listener.local_addr()?.port(), token()?, edits);
        Ok(Self { listener, guard, strangers: Mutex::default(), known: AtomicUsize::new(0) })
    }

    /// What a browser opens.
    pub(super) fn address(&self) -> String {
        self.guard.address()
    }

    /// Lists the meshes at these paths and answers requests, until a signal ends the process.
    ///
    /// # Errors
    /// If no thread can be started.
    pub(super) fn run(&self, shelf: &Shelf, paths: Vec<PathBuf>, space: Option<String>) -> io::Result<()> {
        thread::scope(|scope| {
            let fill = move || shelf.fill(&paths, space.as_deref());
            thread::Builder::new().name("list".to_owned()).spawn_scoped(scope, fill)?;
            for number in 0.. {
                let Ok((stream, _)) = self.listener.accept() else {
                    // Out of files: some connections end within seconds.
                    thread::sleep(Duration::from_millis(50));
                    continue;
                };
                if self.take_in(number, &stream).is_err() {
                    continue;
                }
                let answer = move || self.talk(number, stream, shelf);
                if thread::Builder::new().name("page".to_owned()).spawn_scoped(scope, answer).is_err() {
                    self.forget(number);
                }
            }
            Ok(())
        })
    }

    /// Makes room for a stranger.
    fn take_in(&self, number: usize, stream: &TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(KNOWN))?;
        let kept = stream.try_clone()?;
        let mut strangers = locked(&self.strangers);
        if strangers.len() >= MOST_STRANGERS
            && let Some((_, oldest)) = strangers.pop_front()
        {
            let _ = oldest.shutdown(Shutdown::Both);
        }
        strangers.push_back((number, kept));
        Ok(())
    }

    /// Takes a connection from the strangers. Whether it was still one of them.
    fn forget(&self, number: usize) -> bool {
        let mut strangers = locked(&self.strangers);
        let before = strangers.len();
        strangers.retain(|(other, _)| *other != number);
        strangers.len() < before
    }

    /// Answers the requests of one connection.
    fn talk(&self, number: usize, mut stream: TcpStream, shelf: &Shelf) {
        let mut buffer = Vec::new();
        let mut seat = Seat { server: self, number, is_known: false };
        let mut until = Instant::now() + STRANGER;
        loop {
            let read = read(&mut stream, &mut buffer, until);
            let (answer, last) = match &read {
                Err(Unread::Gone) => break,
                Err(Unread::Long) => (Answer::refusal(431), true),
                Err(Unread::Malformed) => (Answer::refusal(400), true),
                Ok(request) => match self.guard.admit(request) {
                    Err(405) => (Answer::not_allowed(self.guard.methods(&request.target)), true),
                    Err(status) => (Answer::refusal(status), true),
                    Ok(_) if !seat.keep() => (Answer::refusal(503), true),
                    Ok(below) => {
                        let until = Instant::now() + KNOWN;
                        match read_body(&mut stream, &mut buffer, request.length.unwrap_or(0), until) {
                            Err(Unread::Gone) => break,
                            Err(_) => (Answer::refusal(413), true),
                            Ok(body) => (answer(request, below, &body, shelf), request.last),
                        }
                    }
                },
            };
            if answer.write(&mut stream, last).is_err() || last {
                break;
            }
            until = Instant::now() + KNOWN;
        }
        // Whoever waits for the end of the connection finds its place free.
        drop(seat);
        let _ = stream.shutdown(Shutdown::Both);
    }

    /// Lets a stranger stay. Whether there is room.
    fn promote(&self, number: usize) -> bool {
        self.forget(number);
        let room = |known: usize| (known < MOST_KNOWN).then_some(known + 1);
        self.known.fetch_update(SeqCst, SeqCst, room).is_ok()
    }
}

/// 128 random bits in hex, which only the address tells.
fn token() -> io::Result<String> {
    let mut bits = [0; 16];
    random(&mut bits)?;
    Ok(bits.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(unix)]
fn random(bits: &mut [u8; 16]) -> io::Result<()> {
    io::Read::read_exact(&mut std::fs::File::open("/dev/urandom")?, bits)
}

/// The standard library seeds each of these from the system, and keeps the seed to itself.
#[cfg(not(unix))]
fn random(bits: &mut [u8; 16]) -> io::Result<()> {
    use std::hash::{BuildHasher, RandomState};
    for half in bits.chunks_mut(8) {
        let hash = RandomState::new().hash_one(std::process::id());
        half.copy_from_slice(&hash.to_ne_bytes()[..half.len()]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn connections_whose_answers_panic_shut_nobody_out() {
        let server = Server::bind(0, true).unwrap();
        let stream = TcpStream::connect(server.listener.local_addr().unwrap()).unwrap();
        for number in 0..=MOST_KNOWN {
            server.take_in(number, &stream).unwrap();
            let ended = catch_unwind(AssertUnwindSafe(|| {
                let mut seat = Seat { server: &server, number, is_known: false };
                assert!(seat.keep() && seat.keep(), "{number}");
                assert_eq!(server.known.load(SeqCst), 1, "{number}");
                panic!("as any answer may");
            }));
            let why = ended.unwrap_err();
            assert_eq!(why.downcast_ref::<&str>(), Some(&"as any answer may"));
        }
        assert_eq!(server.known.load(SeqCst), 0);
        // A stranger that never says the token goes as well.
        server.take_in(99, &stream).unwrap();
        drop(Seat { server: &server, number: 99, is_known: false });
        assert!(locked(&server.strangers).is_empty());
    }
}
