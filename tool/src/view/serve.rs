//! The server: on this computer only, with bounded connections.

use super::desks::lock;
use super::guard::Guard;
use super::http::{Answer, Body, Request, Unread, read, read_body};
use super::load::Shown;
use super::posts;
use super::shelf::Shelf;
use super::tints::tint;
use super::told::told;
use super::ways;
use navmap::draw::Theme;
use navmap_view::page;
use std::collections::VecDeque;
use std::io;
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
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
        let mut strangers = self.strangers.lock().unwrap_or_else(PoisonError::into_inner);
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
        let mut strangers = self.strangers.lock().unwrap_or_else(PoisonError::into_inner);
        let before = strangers.len();
        strangers.retain(|(other, _)| *other != number);
        strangers.len() < before
    }

    /// Answers the requests of one connection.
    fn talk(&self, number: usize, mut stream: TcpStream, shelf: &Shelf) {
        let mut buffer = Vec::new();
        let mut is_known = false;
        let mut until = Instant::now() + STRANGER;
        loop {
            let read = read(&mut stream, &mut buffer, until);
            let (answer, last) = match &read {
                Err(Unread::Gone) => break,
                Err(Unread::Long) => (Answer::refusal(431), true),
                Err(Unread::Malformed) => (Answer::refusal(400), true),
                Ok(request) => match self.guard.admit(request) {
                    Err(status) => (Answer::refusal(status), true),
                    Ok(_) if !is_known && !self.promote(number) => (Answer::refusal(503), true),
                    Ok(below) => {
                        is_known = true;
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
        if is_known {
            self.known.fetch_sub(1, SeqCst);
        }
        self.forget(number);
        let _ = stream.shutdown(Shutdown::Both);
    }

    /// Lets a stranger stay. Whether there is room.
    fn promote(&self, number: usize) -> bool {
        self.forget(number);
        let room = |known: usize| (known < MOST_KNOWN).then_some(known + 1);
        self.known.fetch_update(SeqCst, SeqCst, room).is_ok()
    }
}

/// What lies below the token: the files of the page, the list, and the parts of a mesh by its number in the list. No path of a
/// request reaches the disk.
fn answer(request: &Request, below: &str, body: &[u8], shelf: &Shelf) -> Answer {
    const JSON: &str = "application/json";
    const BYTES: &str = "application/octet-stream";
    let steps: Vec<&str> = below.split('/').collect();
    if let ["m", mesh, what] = steps[..]
        && (request.method == "POST" || what == "edit")
    {
        return match number(mesh).and_then(|mesh| shelf.desk(mesh)) {
            None => Answer::refusal(404),
            // That a mesh cannot be changed is an answer as well.
            Some(Err(error)) if request.method == "GET" => {
                Answer::json(200, &serde_json::json!({"why": error.without_file().to_string()}))
            }
            Some(Err(error)) => unreadable(&error),
            Some(Ok(desk)) if request.method == "POST" => posts::answer(&mut lock(&desk), what, body),
            Some(Ok(desk)) => posts::about(&lock(&desk)),
        };
    }
    if request.method == "POST" {
        return Answer::refusal(405);
    }
    // What follows a question mark is for the page itself.
    let is_page = below.is_empty() || below.starts_with('?');
    if let Some((kind, text)) = page::file(if is_page { "index.html" } else { below }) {
        return Answer { status: 200, kind, body: Body::Page(text), revision: None };
    }
    match steps[..] {
        ["list", from] => match number(from) {
            None => Answer::refusal(404),
            Some(from) => {
                let rows = serde_json::to_string(&shelf.rows(from)).unwrap_or_default();
                Answer { status: 200, kind: JSON, body: Body::Text(rows), revision: None }
            }
        },
        ["m", mesh, "tint", what, node] => match one(mesh, node, shelf) {
            None => Answer::refusal(404),
            Some(Err(error)) => unreadable(&error),
            Some(Ok((shown, node))) => match tint(&shown, what, node) {
                None => Answer::refusal(404),
                // That a mesh does not know it is an answer as well.
                Some(Err(error)) => {
                    Answer::json(200, &serde_json::json!({"why": error.without_file().to_string()}))
                }
                Some(Ok(bytes)) => Answer {
                    status: 200,
                    kind: BYTES,
                    body: Body::Bytes(bytes),
                    revision: Some(shown.edition()),
                },
            },
        },
        ["m", mesh, "thumbnail", theme] => {
            let themes = [("light", Theme::Light), ("dark", Theme::Dark)];
            let theme = themes.into_iter().find(|(name, _)| *name == theme).map(|(_, theme)| theme);
            match theme.and_then(|theme| shelf.thumbnail(number(mesh)?, theme)) {
                None => Answer::refusal(404),
                Some(png) => {
                    Answer { status: 200, kind: "image/png", body: Body::Bytes(png), revision: None }
                }
            }
        }
        ["m", mesh, "plan"] => match number(mesh).and_then(|mesh| shelf.plan(mesh)) {
            None => Answer::refusal(404),
            Some(Err(error)) => unreadable(&error),
            Some(Ok(plan)) => Answer { status: 200, kind: BYTES, body: Body::Bytes(plan), revision: None },
        },
        ["m", mesh, "path", from, to] => {
            let ends = ways::point(from).zip(ways::point(to));
            match ends.and_then(|ends| Some((ends, shelf.shown(number(mesh)?)?))) {
                None => Answer::refusal(404),
                Some((_, Err(error))) => unreadable(&error),
                Some(((from, to), Ok(shown))) => Answer::json(200, &ways::way(&shown, [from, to])),
            }
        }
        ["m", mesh, "c", chunk] => match shown(mesh, shelf) {
            None => Answer::refusal(404),
            Some(Err(error)) => unreadable(&error),
            Some(Ok(shown)) => match number(chunk).and_then(|chunk| shown.scene.chunk(chunk)) {
                None => Answer::refusal(404),
                Some(bytes) => Answer {
                    status: 200,
                    kind: BYTES,
                    body: Body::Bytes(bytes),
                    revision: Some(shown.edition()),
                },
            },
        },
        ["m", mesh, "centers"] => match shown(mesh, shelf) {
            None => Answer::refusal(404),
            Some(Err(error)) => unreadable(&error),
            Some(Ok(shown)) => {
                let body = Body::Bytes(shown.scene.centers(&shown.graph));
                Answer { status: 200, kind: BYTES, body, revision: Some(shown.edition()) }
            }
        },
        // A part if it is no larger than so many bytes, else nothing: the page then asks for its chunks.
        ["m", mesh, part, "up-to", bytes] => {
            match number(bytes).and_then(|bytes| Some((bytes, shown(mesh, shelf)?))) {
                None => Answer::refusal(404),
                Some((_, Err(error))) => unreadable(&error),
                Some((bytes, Ok(shown))) => {
                    let revision = Some(shown.edition());
                    let parts = shown.scene.parts();
                    match parts.iter().position(|(name, _)| *name == part) {
                        None => Answer::refusal(404),
                        Some(at) => {
                            let fits = parts[at].1.bytes().len() <= bytes;
                            let body = if fits { Body::Part(shown, at) } else { Body::Bytes(Vec::new()) };
                            Answer { status: 200, kind: BYTES, body, revision }
                        }
                    }
                }
            }
        }
        ["m", mesh, "told", node] => match one(mesh, node, shelf) {
            None => Answer::refusal(404),
            Some(Err(error)) => unreadable(&error),
            Some(Ok((shown, node))) => match told(&shown, node) {
                Err(error) => unreadable(&error),
                Ok(None) => Answer::refusal(404),
                Ok(Some(told)) => {
                    // As text at once: a number of 32 bits then has as many digits as it needs.
                    let body = Body::Text(serde_json::to_string(&told).unwrap_or_default());
                    Answer { status: 200, kind: JSON, body, revision: Some(shown.edition()) }
                }
            },
        },
        ["m", mesh, part] => match shown(mesh, shelf) {
            None => Answer::refusal(404),
            Some(Err(error)) => unreadable(&error),
            Some(Ok(shown)) => {
                let revision = Some(shown.edition());
                let found = shown.scene.parts().iter().position(|(name, _)| *name == part);
                let (kind, body) = match (part, found) {
                    ("head", _) => (JSON, Body::Text(shown.scene.head().to_string())),
                    ("picture.svg", _) => ("image/svg+xml", Body::Picture(shown)),
                    (_, Some(at)) => (BYTES, Body::Part(shown, at)),
                    _ => return Answer::refusal(404),
                };
                Answer { status: 200, kind, body, revision }
            }
        },
        _ => Answer::refusal(404),
    }
}

/// A mesh by its number, or what changed from one to another: `3-7`.
fn shown(key: &str, shelf: &Shelf) -> Option<navmap::Result<Arc<Shown>>> {
    match key.split_once('-') {
        None => shelf.shown(number(key)?),
        Some((before, after)) => shelf.change(number(before)?, number(after)?),
    }
}

/// A mesh by its number, and the number of one of its nodes.
fn one(mesh: &str, node: &str, shelf: &Shelf) -> Option<navmap::Result<(Arc<Shown>, u32)>> {
    let node = u32::try_from(number(node)?).ok()?;
    Some(shelf.shown(number(mesh)?)?.map(|shown| (shown, node)))
}

fn unreadable(error: &navmap::Error) -> Answer {
    let body = Body::Text(error.without_file().to_string());
    Answer { status: 422, kind: "text/plain; charset=utf-8", body, revision: None }
}

/// A number as this program writes it.
fn number(text: &str) -> Option<usize> {
    text.parse().ok().filter(|number: &usize| number.to_string() == text)
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
