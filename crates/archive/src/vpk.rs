//! VPK, versions 1 and 2: a tree of extension, folder and name, followed by the members or with them in numbered parts.

use super::member::Location;
use super::{Entry, Member, Method, Name};
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, ErrorKind, Result};
use std::ops::Range;
use zerocopy::byteorder::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

pub(super) const MAGIC: [u8; 4] = 0x55AA_1234u32.to_le_bytes();

/// The part number that means 'in the directory file, after the tree'.
const HERE: u16 = 0x7FFF;
/// What ends each record.
const END: u16 = 0xFFFF;
/// The longest name in the tree. Windows paths end at 260.
const MOST_TEXT: usize = 4096;

/// The 18 bytes after each name of the tree.
#[derive(FromBytes, KnownLayout, Immutable, Unaligned, Debug)]
#[repr(C)]
struct Record {
    crc: U32,
    preload_len: U16,
    part: U16,
    offset: U32,
    len: U32,
    end: U16,
}

const _: () = assert!(size_of::<Record>() == 18 && align_of::<Record>() == 1);

/// The tree, in place, and the offset of members in this file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tree<'a> {
    tree: Cursor<'a>,
    data: u64,
}

impl<'a> Tree<'a> {
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self> {
        let mut head = Cursor::new(bytes, 0);
        head.skip(4, "VPK magic")?;
        let version = head.u32("VPK version")?;
        let size = head.u32("VPK tree size")?;
        match version {
            1 => {}
            2 => head.skip(16, "VPK section sizes")?,
            found => {
                let why = "only versions 1 and 2 are read";
                return Err(
                    Error::new(ErrorKind::Version { format: "VPK", found, subversion: None, why }).at(4)
                );
            }
        }
        let start = head.offset();
        let tree = head.bytes(usize::try_from(size).unwrap_or(usize::MAX), "VPK tree")?;
        Ok(Self { tree: Cursor::new(tree, start), data: start.saturating_add(size.into()) })
    }

    /// The range of the head and the tree.
    pub(super) fn place(&self) -> Range<u64> {
        0..self.data
    }

    pub(super) fn members(self) -> Members<'a> {
        Members { tree: self.tree, data: self.data, extension: None, folder: None, index: 0, done: false }
    }
}

/// A lazy walk over the tree.
#[derive(Debug, Clone)]
pub(super) struct Members<'a> {
    tree: Cursor<'a>,
    data: u64,
    extension: Option<&'a [u8]>,
    folder: Option<&'a [u8]>,
    index: u64,
    done: bool,
}

impl<'a> Members<'a> {
    /// A name of the tree; `None` at the end of its level. A single space means empty.
    fn name(&mut self) -> Result<Option<&'a [u8]>> {
        Ok(match self.tree.text(MOST_TEXT, "VPK name")? {
            [] => None,
            b" " => Some(&[]),
            name => Some(name),
        })
    }

    /// Each round takes at least one string, so the walk is as long as the tree.
    fn step(&mut self) -> Result<Option<Member<'a>>> {
        loop {
            let Some(extension) = self.extension else {
                self.extension = self.name()?;
                if self.extension.is_none() {
                    return Ok(None);
                }
                continue;
            };
            let Some(folder) = self.folder else {
                self.folder = self.name()?;
                if self.folder.is_none() {
                    self.extension = None;
                }
                continue;
            };
            let Some(stem) = self.name()? else {
                self.folder = None;
                continue;
            };
            let entry = self.entry()?;
            return Ok(Some(Member { name: Name::Split { folder, stem, extension }, entry }));
        }
    }

    fn entry(&mut self) -> Result<Entry> {
        let at = self.tree.offset();
        let record = self.tree.record::<Record>("VPK record")?;
        if record.end.get() != END {
            let why = format!("ends with {:#06x} instead of {END:#06x}", record.end.get());
            return Err(Error::invalid("VPK record", why).at(at));
        }
        let preload_len = record.preload_len.get();
        let preload = self.tree.offset();
        self.tree.skip(preload_len.into(), "VPK preload bytes")?;
        let len = u64::from(record.len.get());
        let size = len.saturating_add(preload_len.into());
        let offset = u64::from(record.offset.get());
        let (part, offset) = match record.part.get() {
            HERE => (None, offset.saturating_add(self.data)),
            part => (Some(part), offset),
        };
        let place = Location::Split { preload, preload_len, part, offset };
        Ok(Entry {
            index: self.index,
            size,
            packed: size,
            method: Method::Stored,
            place,
            crc: Some(record.crc.get()),
        })
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = Result<Member<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let member = self.step().map_err(|e| e.in_record("member", self.index)).transpose();
        self.done = !matches!(member, Some(Ok(_)));
        self.index = self.index.saturating_add(1);
        member
    }
}
