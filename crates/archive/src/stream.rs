//! Archives that can only be read from front to back: a compressed file, a compressed tar.

use super::tar::{self, Ahead, What};
use super::unpack::{self, stream};
use super::{Chosen, Entry, Member, Meter, Method, Name, Unpacker, choose, member};
use navmap_core::error::{Error, ErrorKind, Result};
use std::io::{self, Read};
use std::ops::ControlFlow;

/// A compressed file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stream<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) method: Method,
    /// The name of the compressed file.
    pub(super) name: &'a [u8],
}

impl Stream<'_> {
    /// Decodes from front to back: the members of a tar one by one, or the single compressed file.
    pub(super) fn each(
        &self,
        meter: &Meter,
        unpacker: &mut Unpacker,
        wanted: &mut dyn FnMut(&Member<'_>) -> bool,
        visit: &mut dyn FnMut(Chosen<'_>) -> ControlFlow<()>,
    ) -> Result<()> {
        let packed = self.bytes.len() as u64;
        meter.spend(packed)?;
        let mut source = Counted { source: stream(self.method, self.bytes, meter)?, meter };
        let mut head = [0; tar::BLOCK];
        let read = source.block(&mut head)?;
        let head = head.get(..read).unwrap_or_default();
        if tar::Header::parse(head).is_some() {
            return Tar { source: &mut source, meter, unpacker }.each(head, wanted, visit);
        }
        let entry = Entry {
            index: 0,
            size: 0,
            packed,
            method: self.method,
            place: member::Location::Here(0),
            crc: None,
        };
        let member = Member { name: Name::Whole(choose::unwrapped(self.name)), entry };
        meter.entry()?;
        if wanted(&member) {
            meter.look(member.name.len())?;
            let bytes = unpacker.drain(&mut head.chain(&mut source), meter.bound());
            let size = bytes.as_ref().map_or(0, |bytes| bytes.len() as u64);
            let _ = visit(Chosen { member: Member { entry: Entry { size, ..entry }, ..member }, bytes });
        }
        Ok(())
    }
}

/// A decoder that charges its output as it comes: skipping costs time too.
pub(super) struct Counted<'p> {
    pub(super) source: Box<dyn Read + 'p>,
    pub(super) meter: &'p Meter,
}

impl Read for Counted<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(into)?;
        self.meter.spend(read as u64).map_err(io::Error::other)?;
        Ok(read)
    }
}

impl Counted<'_> {
    /// Reads one block, or the remainder.
    fn block(&mut self, into: &mut [u8]) -> Result<usize> {
        let mut filled = 0usize;
        while let Some(free) = into.get_mut(filled..).filter(|free| !free.is_empty()) {
            match unpack::read_some(self, free)? {
                0 => break,
                read => filled = filled.saturating_add(read),
            }
        }
        Ok(filled)
    }

    pub(super) fn skip(&mut self, len: u64) -> Result<()> {
        let mut left = len;
        let mut hole = [0; 8192];
        while left > 0 {
            let step = hole.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            match unpack::read_some(self, hole.get_mut(..step).unwrap_or_default())? {
                // Padding may be missing at the end. A member that is read reports it itself.
                0 => break,
                read => left = left.saturating_sub(read as u64),
            }
        }
        Ok(())
    }
}

/// A tar read from a decoder.
struct Tar<'t, 'p> {
    source: &'t mut Counted<'p>,
    meter: &'t Meter,
    unpacker: &'t mut Unpacker,
}

impl Tar<'_, '_> {
    fn each(
        &mut self,
        first: &[u8],
        wanted: &mut dyn FnMut(&Member<'_>) -> bool,
        visit: &mut dyn FnMut(Chosen<'_>) -> ControlFlow<()>,
    ) -> Result<()> {
        let mut block = [0; tar::BLOCK];
        block.get_mut(..first.len()).unwrap_or_default().copy_from_slice(first);
        let mut filled = first.len();
        let mut offset = 0u64;
        let mut index = 0u64;
        // Data of long names and PAX records, which describe only the next member.
        let mut texts: Vec<(What, Vec<u8>)> = Vec::new();
        while filled > 0 {
            let at = |e: Error| e.at(offset).in_record("member", index);
            if filled < tar::BLOCK {
                let (needed, left) = (tar::BLOCK as u64, filled as u64);
                return Err(at(Error::new(ErrorKind::Truncated { what: "tar header", needed, left })));
            }
            let (what, header) = tar::classify(&block).map_err(at)?;
            if what == What::End {
                return Ok(());
            }
            let declared = header.size().map_err(at)?;
            self.meter.entry().map_err(at)?;
            // Such texts describe the next member. However many there are, each is taken in once.
            let mut ahead = Ahead::default();
            if !matches!(what, What::LongName | What::Pax) {
                texts.iter().for_each(|(what, data)| ahead.take(*what, data));
            }
            let size = if what == What::File { ahead.size.unwrap_or(declared) } else { declared };
            let padding = tar::padded(size).saturating_sub(size);
            match what {
                What::LongName | What::Pax => {
                    tar::check_text(size).map_err(at)?;
                    let data = self.unpacker.take_exactly(self.source, size).map_err(at)?;
                    texts.push((what, data.to_vec()));
                    // No real archive has this much text about one member.
                    tar::check_text(texts.iter().map(|(_, data)| (data.len() as u64).max(1)).sum())
                        .map_err(at)?;
                    self.source.skip(padding).map_err(at)?;
                }
                What::File => {
                    let entry = Entry { index, ..Entry::stored(index, offset.saturating_add(512), size) };
                    let member = Member { name: ahead.name_of(header), entry };
                    member::check_name(member.name.len() as u64).map_err(at)?;
                    if wanted(&member) {
                        self.meter.look(member.name.len()).map_err(at)?;
                        let bound = self.meter.bound().charge(size);
                        let bytes = bound.and_then(|()| self.unpacker.take_exactly(self.source, size));
                        let cut = bytes.is_err();
                        if visit(Chosen { member, bytes: bytes.map_err(at) }).is_break() || cut {
                            return Ok(());
                        }
                        self.source.skip(padding).map_err(at)?;
                    } else {
                        self.source.skip(size.saturating_add(padding)).map_err(at)?;
                    }
                    texts.clear();
                    index = index.saturating_add(1);
                }
                What::Sparse | What::Other | What::End => {
                    let entry = Entry::stored(index, offset.saturating_add(512), size);
                    let member = Member { name: ahead.name_of(header), entry };
                    if what == What::Sparse
                        && wanted(&member)
                        && visit(Chosen { member, bytes: Err(at(tar::sparse())) }).is_break()
                    {
                        return Ok(());
                    }
                    texts.clear();
                    self.source.skip(size.saturating_add(padding)).map_err(at)?;
                }
            }
            offset = offset.saturating_add(512).saturating_add(tar::padded(size));
            filled = self.source.block(&mut block)?;
        }
        Ok(())
    }
}
