//! Reads a list that another program is still writing, such that a signal can end the wait.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

/// Bytes per read.
const BLOCK: usize = 1 << 16;

/// The longest delay of a signal.
const LOOK_UP: Duration = Duration::from_millis(50);

/// A pipe that ends once the run should stop. A separate thread reads the pipe, because a blocking read cannot be cancelled. It
/// holds at most two blocks.
pub(super) struct Piped {
    blocks: Receiver<io::Result<Vec<u8>>>,
    block: io::Cursor<Vec<u8>>,
    stop: Arc<AtomicBool>,
}

impl Piped {
    pub(super) fn new(source: impl Read + Send + 'static, stop: &Arc<AtomicBool>) -> Self {
        let (sender, blocks) = sync_channel(1);
        let unread = sender.clone();
        if let Err(error) = std::thread::Builder::new().spawn(move || read(source, &sender)) {
            let _ = unread.try_send(Err(error));
        }
        Self { blocks, block: io::Cursor::default(), stop: Arc::clone(stop) }
    }
}

/// Reads blocks until the pipe ends or the receiver is gone.
fn read(mut source: impl Read, sender: &SyncSender<io::Result<Vec<u8>>>) {
    loop {
        let mut block = vec![0; BLOCK];
        let read = match source.read(&mut block) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read,
        };
        let last = matches!(read, Ok(0) | Err(_));
        let sent = sender.send(read.map(|len| {
            block.truncate(len);
            block
        }));
        if last || sent.is_err() {
            return;
        }
    }
}

impl Read for Piped {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.stop.load(SeqCst) {
                return Ok(0);
            }
            let read = self.block.read(into)?;
            if read > 0 || into.is_empty() {
                return Ok(read);
            }
            match self.blocks.recv_timeout(LOOK_UP) {
                Ok(block) => self.block = io::Cursor::new(block?),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_is_read_to_its_end() {
        let bytes: Vec<u8> = (0..200_000_u32).flat_map(u32::to_le_bytes).collect();
        let mut read = Vec::new();
        let mut pipe = Piped::new(io::Cursor::new(bytes.clone()), &Arc::default());
        pipe.read_to_end(&mut read).unwrap();
        assert!(read == bytes);
        assert_eq!(pipe.read(&mut [0; 8]).unwrap(), 0);
    }

    #[test]
    fn a_pipe_that_fails_says_so_and_ends() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::ConnectionReset.into())
            }
        }
        let mut pipe = Piped::new(Broken, &Arc::default());
        assert_eq!(pipe.read(&mut [0; 8]).unwrap_err().kind(), io::ErrorKind::ConnectionReset);
        assert_eq!(pipe.read(&mut [0; 8]).unwrap(), 0);
    }

    #[test]
    fn a_pipe_without_end_ends_when_the_run_is_stopped() {
        let stop = Arc::new(AtomicBool::new(false));
        let mut pipe = Piped::new(io::repeat(b'\n'), &stop);
        assert_eq!(pipe.read(&mut [0; 8]).unwrap(), 8);
        stop.store(true, SeqCst);
        assert_eq!(pipe.read(&mut [0; 8]).unwrap(), 0);
    }
}
