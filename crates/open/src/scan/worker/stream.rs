//! Reads streams: standard input and pipes.

use super::{Looked, Worker};
use crate::open::Candidate;
use crate::scan::mesh::{self, HEAD};
use crate::scan::{STACK, Task};
use navmap_archive as archive;
use navmap_core::bytes::{Backing, room};
use navmap_core::error::{Error, Result};
use navmap_formats::Kind;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread::Builder;
use std::time::Duration;

/// The longest delay of a stop.
const LOOK_UP: Duration = Duration::from_millis(50);

impl Worker<'_, '_> {
    /// Reads a stream, which can be read only once. With `chosen`, a mesh in it has a row for certain, and parts of that may go ahead.
    pub(super) fn stream(&mut self, number: u64, found: &Candidate, chosen: bool) -> Result<Looked> {
        let (path, options) = (&found.path, &self.scan.options);
        let Some(backing) = self.arrived(found)? else { return Ok(Looked::Nothing) };
        let seen = Kind::sniff(&backing, Some(path));
        let outcome = match (options.kind.or(seen), archive::Kind::sniff(&backing)) {
            (None, Some(kind)) => return Ok(Looked::Archive(kind, Some(backing))),
            (Some(kind), _) if self.scan.task == Task::Head => {
                let page = backing.get(..HEAD).unwrap_or(&backing);
                mesh::head(kind, page, backing.len() as u64, path, None)
            }
            _ => {
                let gate = self.gate;
                let sent = chosen && !found.again;
                let mut ahead = |part| if sent { gate.ahead(number, part) } else { Some(part) };
                self.reader.read(&backing, path, None, seen, || None, &mut ahead)?
            }
        };
        Ok(Looked::Mesh(Box::new(outcome)))
    }

    /// The bytes of a stream; `None` if the run is stopped before they are there. They are read on a thread of their own, which is
    /// left behind then: a read that waits for another program cannot be cancelled.
    fn arrived(&self, found: &Candidate) -> Result<Option<Backing<'static>>> {
        let (sender, receiver) = sync_channel(1);
        let (candidate, options) = (found.clone(), self.scan.options);
        let read = move || drop(sender.send(candidate.read(&options)));
        let spawned =
            room("thread", STACK).and_then(|()| Ok(Builder::new().stack_size(STACK).spawn(read)?));
        if spawned.is_err() {
            return found.read(&self.scan.options).map(Some);
        }
        loop {
            match receiver.recv_timeout(LOOK_UP) {
                Ok(read) => return read.map(Some),
                Err(RecvTimeoutError::Timeout) if self.work.stopped(self.gate) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Error::invalid("internal error", "the reader of the stream panicked"));
                }
            }
        }
    }
}
