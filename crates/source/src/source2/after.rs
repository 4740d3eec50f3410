//! What follows the areas: ladders, boxes, generation parameters, blocks of game data, trailing bytes.

use super::kv3::Kv3Block;
use super::layout::Layout;
use super::params::GenerationParameters;
use super::record::{UnknownBox, WideLadder};
use crate::record::Ladder;
use navmap_core::bytes::Cursor;
use navmap_core::error::Result;

/// What follows the areas.
#[derive(Clone, Copy, Debug)]
pub struct AfterPolygonAreas<'a> {
    offset: u32,
    ladders: &'a [Ladder],
    wide_ladders: &'a [WideLadder],
    boxes: &'a [UnknownBox],
    parameters: GenerationParameters<'a>,
    third_block: Option<Kv3Block<'a>>,
    game_data: Option<Kv3Block<'a>>,
    trailing: &'a [u8],
    trailing_offset: u32,
}

impl<'a> AfterPolygonAreas<'a> {
    pub(super) fn read(layout: &Layout<'a>, at: u64) -> Result<Self> {
        let mut cursor = Cursor::new(layout.bytes.get(at as usize..).unwrap_or_default(), at);
        let cursor = &mut cursor;
        let (mut ladders, mut wide_ladders): (&[Ladder], &[WideLadder]) = (&[], &[]);
        match layout.version {
            ..35 => ladders = cursor.list32("ladders")?,
            35.. => wide_ladders = cursor.list32("ladders")?,
        }
        let boxes = cursor.list32("boxes")?;
        let parameters = GenerationParameters::read(cursor)?;
        let third_block = (layout.version >= 36).then(|| Kv3Block::read(cursor)).transpose()?;
        let game_data = (layout.subversion > 0).then(|| Kv3Block::rest(cursor)).transpose()?;
        Ok(Self {
            offset: at as u32,
            ladders,
            wide_ladders,
            boxes,
            parameters,
            third_block,
            game_data,
            trailing: cursor.rest(),
            trailing_offset: cursor.offset() as u32,
        })
    }

    /// First byte after the last area.
    pub fn offset(&self) -> u32 {
        self.offset
    }

    /// The ladders, before version 35.
    pub fn ladders(&self) -> &'a [Ladder] {
        self.ladders
    }

    /// The ladders, from version 35.
    pub fn wide_ladders(&self) -> &'a [WideLadder] {
        self.wide_ladders
    }

    /// Every ladder, cut down to the fields that all versions have.
    pub fn all_ladders(&self) -> impl Iterator<Item = &'a Ladder> + use<'a> {
        self.ladders.iter().chain(self.wide_ladders.iter().map(WideLadder::ladder))
    }

    /// First byte after the ladders.
    pub(super) fn ladders_end(&self) -> u32 {
        let stored = size_of_val(self.ladders).saturating_add(size_of_val(self.wide_ladders));
        self.offset.saturating_add(4).saturating_add(stored as u32)
    }

    /// Boxes of unknown purpose.
    pub fn unknown_boxes(&self) -> &'a [UnknownBox] {
        self.boxes
    }

    /// What the mesh was generated with.
    pub fn parameters(&self) -> &GenerationParameters<'a> {
        &self.parameters
    }

    /// The KV3 block after the parameters. Version 36.
    pub fn third_block(&self) -> Option<Kv3Block<'a>> {
        self.third_block
    }

    /// The game's data, up to the end of the file. Stored if the sub-version is above 0.
    pub fn game_data(&self) -> Option<Kv3Block<'a>> {
        self.game_data
    }

    /// Bytes after the end. No real file has any.
    pub fn trailing(&self) -> &'a [u8] {
        self.trailing
    }

    /// Where the mesh ends, and [`trailing`](Self::trailing) begins.
    pub fn trailing_offset(&self) -> u32 {
        self.trailing_offset
    }
}
