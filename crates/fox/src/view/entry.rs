//! The entries of a file. The head of each gives its kind, its group and the offset of the next.

use super::stretch::Stretch;
use crate::flags::EntryKind;
use crate::record::{EntryHeader, PackedId};
use navmap_core::error::{Error, Result};
use std::iter::FusedIterator;

/// An entry: its head, its offset, its contents.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    header: &'a EntryHeader,
    offset: u64,
    payload: Stretch<'a>,
}

impl<'a> Entry<'a> {
    pub(crate) fn read(file: Stretch<'a>, offset: u64) -> Result<Self> {
        const HEAD: u32 = size_of::<EntryHeader>() as u32;
        let header: &EntryHeader = file.record(offset, "entry")?;
        let (kind, len, payload) = (header.kind(), header.next(), header.payload());
        if kind > 0xFF {
            return Err(Error::invalid("entry type", format!("{kind:#x} is none")).at(offset));
        }
        if len < HEAD {
            let why = format!("{len} bytes on, inside this one");
            return Err(Error::invalid("next entry", why).at(offset.saturating_add(4)));
        }
        let entry = file.part(offset, u64::from(len), "entry")?;
        if payload < HEAD {
            let why = format!("{payload} is inside the entry's head");
            return Err(Error::invalid("payload offset", why).at(offset.saturating_add(8)));
        }
        Ok(Self { header, offset, payload: entry.after(u64::from(payload), "payload")? })
    }

    /// What it holds.
    pub fn kind(&self) -> EntryKind {
        EntryKind::from(self.header.kind())
    }
    /// Its head.
    pub fn header(&self) -> &'a EntryHeader {
        self.header
    }
    /// Group and tile.
    pub fn id(&self) -> PackedId {
        self.header.id()
    }
    /// Offset of its head in the file.
    pub fn offset(&self) -> u64 {
        self.offset
    }
    /// Offset of its payload in the file.
    pub fn payload_offset(&self) -> u64 {
        self.payload.base()
    }
    pub(crate) fn payload_stretch(&self) -> Stretch<'a> {
        self.payload
    }
    /// Its payload, up to the next entry.
    pub fn payload(&self) -> &'a [u8] {
        self.payload.bytes()
    }
}

/// The entries of a file, in its order.
#[derive(Clone, Debug)]
pub struct Entries<'a> {
    file: Stretch<'a>,
    offset: u64,
    next: u32,
    count: u32,
}

impl<'a> Entries<'a> {
    pub(crate) fn new(file: Stretch<'a>, offset: u64, count: u32) -> Self {
        Self { file, offset, next: 0, count }
    }

    /// Offset of the next entry; after the last one, the end of the entries.
    pub fn offset(&self) -> u64 {
        self.offset
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = Result<Entry<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.count {
            return None;
        }
        let entry = Entry::read(self.file, self.offset);
        let entry = entry.map_err(|error| error.in_record("entry", u64::from(self.next)));
        match &entry {
            Ok(entry) => {
                self.next = self.next.saturating_add(1);
                self.offset = self.offset.saturating_add(u64::from(entry.header.next()));
            }
            Err(_) => self.next = self.count,
        }
        Some(entry)
    }
}

impl FusedIterator for Entries<'_> {}
