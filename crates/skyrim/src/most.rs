//! How far the records of a plugin inflate.

use super::fields::Fields;
use super::flags::RecordFlags;
use super::form::Tag;
use navmap_core::Limits;
use navmap_core::bytes::{Cursor, Scratch};
use navmap_core::error::Result;

/// How far a record may inflate: so many bytes, and so many for each stored byte beyond the first few.
#[derive(Debug, Clone, Copy)]
pub(super) struct Most {
    bytes: u64,
    ratio: u64,
    /// What is left of what all meshes of the walk may inflate to together: this record's stored bytes and those before it count.
    left: u64,
}

/// What a record may inflate to whatever its ratio. Small, since a plugin may have very many records. The land of a flat cell
/// takes this much and next to nothing stored. A large one is inflated as a whole, and so only to this and a part of the ratio.
const FREE: u64 = 8 << 10;
const FREE_OF_LARGE: u64 = 1 << 20;
const SHARE_OF_LARGE: u64 = 8;

/// The same for a record with a mesh, and the part of the ratio that it may reach. Meshes of games reach two and a half, and what is
/// made of one takes many times its bytes.
const FREE_OF_MESH: u64 = 1 << 10;
const SHARE_OF_MESH: u64 = 8;

/// What all meshes of a plugin may inflate to together, and the part of the ratio that they may reach: four times what is stored, a
/// half more than any game. A walk that is cut into pieces has as much for each, and a piece has a mebibyte.
const FREE_OF_ALL: u64 = 64 << 10;
const SHARE_OF_ALL: u64 = 25;

/// Stored bytes of a compressed record for each triangle of its mesh, at a ratio of 100. Of 862 records of games each stores 14
/// or more, and a flat sheet of equal squares 12, since no two triangles have the same neighbours: what stores less repeats itself,
/// and what is made of a triangle takes fifty times as much.
const STORED_FOR_TRIANGLE: u64 = 9;
const OF_TRIANGLES: u64 = 100;

/// How much of a record is inflated to find its first fields: its name, and the square of a cell.
const FIRST: usize = 4 << 10;

impl Most {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { bytes: limits.inflated_bytes, ratio: limits.inflate_ratio, left: FREE_OF_ALL }
    }

    /// For a record by itself, where it is not known what others use.
    pub(super) fn alone(limits: &Limits) -> Self {
        Self { left: u64::MAX, ..Self::new(limits) }
    }

    /// Whether records of this kind hold meshes or path grids, which are kept.
    fn is_of_mesh(tag: Tag) -> bool {
        matches!(tag, Tag::NAVM | Tag::PGRD | Tag::ACTI | Tag::DOOR | Tag::FURN | Tag::GBFM | Tag::STAT)
    }

    /// What a compressed record with a mesh may use, which is then missing to those after it.
    #[inline]
    pub(super) fn pass(&mut self, tag: Tag, flags: RecordFlags, data: &[u8]) -> Self {
        if !flags.contains(RecordFlags::COMPRESSED) || !Self::is_of_mesh(tag) {
            return *self;
        }
        let share = (self.ratio / SHARE_OF_ALL).max(1);
        self.left = self.left.saturating_add(share.saturating_mul(data.len() as u64));
        let here = *self;
        let claimed = data.first_chunk().map_or(0, |size| u64::from(u32::from_le_bytes(*size)));
        // What is refused, and a claim that is a lie, is not inflated: the records after it do not pay for it.
        let stored = data.len().saturating_sub(size_of::<u32>());
        if claimed <= self.left && here.charge(tag, claimed, stored).is_ok() {
            self.left = self.left.saturating_sub(claimed);
        }
        here
    }

    /// Refuses a claim for so many stored bytes.
    fn charge(self, tag: Tag, claimed: u64, stored: usize) -> Result<()> {
        /// What deflate can make of a byte at best. A claim beyond that is a lie, and nothing is inflated.
        const REACH: u64 = 1_032;
        let stored = stored as u64;
        let most =
            |free: u64, share: u64| free.saturating_add((self.ratio / share).max(1).saturating_mul(stored));
        let by_ratio = match Self::is_of_mesh(tag) {
            true => most(FREE_OF_MESH, SHARE_OF_MESH),
            false => most(FREE, 1).min(most(FREE_OF_LARGE, SHARE_OF_LARGE)),
        };
        Limits::charge("inflated size", claimed, self.bytes)?;
        if claimed > stored.saturating_mul(REACH) {
            return Ok(());
        }
        Limits::charge("inflated size by its ratio", claimed, by_ratio)?;
        match Self::is_of_mesh(tag) {
            true => Limits::charge("inflated size of all meshes by its ratio", claimed, self.left),
            false => Ok(()),
        }
    }

    /// Inflates the data of a record of kind `tag`, which begins at byte `at`, and gives its fields.
    pub(super) fn inflate<'s>(
        self,
        tag: Tag,
        data: &[u8],
        at: u64,
        scratch: &'s mut Scratch,
    ) -> Result<Fields<'s>> {
        let mut cursor = Cursor::new(data, at);
        let size = cursor.u32("inflated size")?;
        let mut limits = Limits::default();
        limits.inflated_bytes = self.bytes;
        let stored = cursor.rest();
        self.charge(tag, size.into(), stored.len()).map_err(|error| error.at(cursor.offset()))?;
        let data =
            scratch.inflater.zlib(stored, size.into(), &limits).map_err(|error| error.at(cursor.offset()))?;
        Ok(Fields::of_inflated(data).with_most_triangles(self.triangles(stored.len())))
    }

    /// How many triangles the mesh of a compressed record of so many stored bytes may have.
    fn triangles(self, stored: usize) -> u64 {
        (stored as u64).saturating_mul(self.ratio) / (STORED_FOR_TRIANGLE * OF_TRIANGLES)
    }

    /// Inflates the beginning of a record's data, and gives the fields in it. The last may be cut.
    pub(super) fn inflate_first<'s>(
        self,
        data: &[u8],
        at: u64,
        scratch: &'s mut Scratch,
    ) -> Result<Fields<'s>> {
        let mut cursor = Cursor::new(data, at);
        let size = cursor.u32("inflated size")?.min(u32::try_from(self.bytes).unwrap_or(u32::MAX));
        let most = FIRST.min(size as usize);
        let data = scratch.inflater.zlib_start(cursor.rest(), most);
        data.map(Fields::of_inflated).map_err(|error| error.at(cursor.offset()))
    }
}
