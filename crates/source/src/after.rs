//! The part after the areas: ladders, game data, trailing bytes.

use super::flags::Extension;
use super::layout::Layout;
use super::record::{Ladder, OldLadder};
use navmap_core::bytes::Cursor;
use navmap_core::error::Result;
use zerocopy::byteorder::little_endian::F32;

/// What follows the areas.
#[derive(Clone, Copy, Debug)]
pub struct AfterAreas<'a> {
    offset: u32,
    ladders: &'a [Ladder],
    old_ladders: &'a [OldLadder],
    visibility_range: Option<F32>,
    trailing: &'a [u8],
    trailing_offset: u32,
}

impl<'a> AfterAreas<'a> {
    pub(super) fn read(bytes: &'a [u8], layout: Layout, at: u64) -> Result<Self> {
        let mut cursor = Cursor::new(bytes.get(at as usize..).unwrap_or_default(), at);
        let (mut ladders, mut old_ladders): (&[Ladder], &[OldLadder]) = (&[], &[]);
        match layout.version {
            ..6 => {}
            6 => old_ladders = cursor.list32("ladders")?,
            7.. => ladders = cursor.list32("ladders")?,
        }
        let visibility_range = match layout.extension {
            Extension::LeftForDead => Some(*cursor.record::<F32>("visibility range")?),
            _ => None,
        };
        let (trailing, trailing_offset) = (cursor.rest(), cursor.offset() as u32);
        Ok(Self { offset: at as u32, ladders, old_ladders, visibility_range, trailing, trailing_offset })
    }

    /// First byte after the last area.
    pub fn offset(&self) -> u32 {
        self.offset
    }

    /// The ladders, of version 7 and later. Before version 6 a mesh stores none: the game finds them in the map.
    pub fn ladders(&self) -> &'a [Ladder] {
        self.ladders
    }

    /// The ladders of version 6, which are one byte longer.
    pub fn old_ladders(&self) -> &'a [OldLadder] {
        self.old_ladders
    }

    /// Number of ladders, in any version.
    pub fn ladder_count(&self) -> usize {
        self.ladders.len().saturating_add(self.old_ladders.len())
    }

    /// The last number of a mesh of Left 4 Dead (2): 0, 1000, 1500 or 1800. Its meaning, a visibility range, is
    /// inferred.
    pub fn visibility_range(&self) -> Option<f32> {
        self.visibility_range.map(F32::get)
    }

    /// The same, bit for bit; 0 if the file has none.
    pub(super) fn visibility_range_stored(&self) -> F32 {
        self.visibility_range.unwrap_or_default()
    }

    /// Bytes after the end of the mesh. GoldSrc leaves the end of a longer, older file there (48 of 213 files). From version 6 on
    /// no real file has any.
    pub fn trailing(&self) -> &'a [u8] {
        self.trailing
    }

    /// The end of the mesh, where [`trailing`](Self::trailing) begins.
    pub fn trailing_offset(&self) -> u32 {
        self.trailing_offset
    }
}
