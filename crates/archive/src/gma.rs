//! GMA: an addon of Garry's Mod. A directory that has to be walked, then the members back to back.

use super::{Entry, Member, Name};
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, Result};

/// The longest text in the head and the longest member name. Descriptions are JSON of a few KiB.
const MOST_TEXT: usize = 1 << 20;

/// The rows, and the offset of the first member.
#[derive(Debug, Clone, Copy)]
pub(super) struct Directory<'a> {
    rows: Cursor<'a>,
    data: u64,
}

impl<'a> Directory<'a> {
    /// Walks the rows once to find the first member.
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self> {
        let mut head = Cursor::new(bytes, 0);
        head.skip(4, "GMA magic")?;
        let version = head.u8("GMA version")?;
        head.skip(16, "GMA Steam id and time")?;
        if version > 1 {
            while !head.text(MOST_TEXT, "GMA required content")?.is_empty() {}
        }
        for what in ["GMA name", "GMA description", "GMA author"] {
            head.text(MOST_TEXT, what)?;
        }
        head.u32("GMA addon version")?;
        let rows = head;
        let mut index = 0u64;
        while row(&mut head).map_err(|e| e.in_record("member", index))?.is_some() {
            index = index.saturating_add(1);
        }
        Ok(Self { rows, data: head.offset() })
    }

    pub(super) fn members(self) -> Members<'a> {
        Members { rows: self.rows, index: 0, offset: self.data, done: false }
    }
}

/// Name, size and checksum of the next member; `None` at row number 0, which ends the list.
fn row<'a>(rows: &mut Cursor<'a>) -> Result<Option<(&'a [u8], u64, u32)>> {
    if rows.u32("GMA row")? == 0 {
        return Ok(None);
    }
    let name = rows.text(MOST_TEXT, "GMA member name")?;
    let at = rows.offset();
    let size = rows.u64("GMA member size")?;
    if i64::try_from(size).is_err() {
        return Err(Error::invalid("GMA member size", "is negative").at(at));
    }
    Ok(Some((name, size, rows.u32("GMA member checksum")?)))
}

/// A lazy walk over the rows.
#[derive(Debug, Clone)]
pub(super) struct Members<'a> {
    rows: Cursor<'a>,
    index: u64,
    offset: u64,
    done: bool,
}

impl<'a> Iterator for Members<'a> {
    type Item = Result<Member<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let row = row(&mut self.rows).map_err(|e| e.in_record("member", self.index)).transpose();
        self.done = !matches!(row, Some(Ok(_)));
        Some(row?.map(|(name, size, crc)| {
            let entry = Entry { crc: Some(crc), ..Entry::stored(self.index, self.offset, size) };
            self.index = self.index.saturating_add(1);
            self.offset = self.offset.saturating_add(size);
            Member { name: Name::Whole(name), entry }
        }))
    }
}
