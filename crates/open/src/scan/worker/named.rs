//! Reads members that were named: `archive!member`.

use super::shelf::Shelf;
use super::{Pieces, Worker};
use crate::open::{ArchiveFile, Candidate, Lent, Wanted, inside, lend};
use crate::scan::Task;
use crate::scan::mesh::HEAD;
use crate::scan::sink::Outcome;
use crate::scan::work::Listed;
use navmap_archive::{self as archive, Archive, Found, Meter, Source};
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::format::not_mesh;
use navmap_core::text::escaped;
use navmap_formats::Kind;
use std::io;
use std::path::Path;

impl Worker<'_, '_> {
    /// Reads a member, or everything in it if it is an archive.
    pub(super) fn named(&mut self, number: u64, found: &Candidate) {
        let path = &*found.path;
        self.work.give_back(&mut self.share);
        let mut pieces = Pieces::new(number);
        let (archive, member) = match inside(path) {
            Some((archive, member)) => (archive, Some(member)),
            None => (path, None),
        };
        let read = self.guarded(path, |worker| {
            let gone = || Error::from(io::Error::from(io::ErrorKind::NotFound));
            worker.lent(archive, member.ok_or_else(gone)?, found.nth, &mut pieces)
        });
        if let Err(error) = read
            && !self.is_done(archive, member)
        {
            let missing = matches!(error.kind(), ErrorKind::Io(io) if io.kind() == io::ErrorKind::NotFound);
            let member = member.map(str::to_owned);
            let outcome = Outcome { member, missing, ..Outcome::failed(error.in_file(path)) };
            pieces.outcomes.push(Outcome { path: archive.to_owned(), ..outcome });
        }
        pieces.send(self);
        self.gate.end(number, pieces.next);
        self.work.wake();
    }

    fn lent(&mut self, archive: &Path, member: &str, nth: u64, pieces: &mut Pieces) -> Result<()> {
        let options = &self.scan.options;
        let shelf = match self.shelf.take().filter(|shelf| shelf.open.path() == archive) {
            Some(shelf) => shelf.listed(&options.limits)?,
            None => Shelf::new(ArchiveFile::open(archive, options)?),
        };
        // Each member has the limits of an archive by itself.
        let meter = Meter::new(&options.limits, shelf.open.source().bytes.len() as u64);
        let mut buffers = std::mem::take(&mut self.buffers);
        let wanted = Wanted { member, directory: shelf.directory.as_ref(), nth };
        let read =
            lend(&shelf.open, wanted, &meter, &mut buffers, &mut |lent| self.read(&shelf, lent, pieces));
        self.buffers = buffers;
        let intact = shelf.open.intact();
        self.shelf = intact.is_ok().then(|| Box::new(shelf));
        read.and(intact)
    }

    fn read(&mut self, shelf: &Shelf, lent: Lent<'_>, pieces: &mut Pieces) -> Result<()> {
        let open = &shelf.open;
        let Lent { name, own, bytes, held, entry, around, meter, buffers } = lent;
        let (text, len) = (escaped(name), bytes.len() as u64);
        let seen = Kind::sniff(bytes, Some(Path::new(&text)));
        if let (None, Some(kind)) = (seen, archive::Kind::sniff(bytes)) {
            let inner = Archive::open(Source::single(bytes), kind, own)?;
            let walker = self.walker();
            let meter = meter.nested(held)?;
            let _ = walker.archive(&inner, &mut name.to_vec(), &meter, buffers, &mut |found| {
                self.member(open, &meter, found, None, pieces.this(), &mut pieces.outcomes);
                pieces.send(self);
                self.work.pause(self.gate, pieces.number);
                self.flow()
            });
            return Ok(());
        }
        if seen.or(self.scan.options.kind).is_none() {
            return Err(not_mesh(bytes));
        }
        if self.is_done(open.path(), Some(&text)) {
            return Ok(());
        }
        let map_size = shelf.maps(&self.scan.options.limits)?.size_for(name);
        let listed = Listed { name: own.into(), entry, map_size };
        let page = bytes.get(..HEAD).filter(|_| self.scan.task == Task::Head);
        let found = Found { path: name, bytes: Ok(page.unwrap_or(bytes)), len, around };
        self.member(open, meter, found, Some(&listed), pieces.this(), &mut pieces.outcomes);
        Ok(())
    }
}
