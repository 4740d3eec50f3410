//! The file: header, manifest, and the chain of entries.

use super::entry::Entries;
use super::frame::Frame;
use super::group::Group;
use super::islands::ConnectTiles;
use super::search::SearchSpace;
use super::stretch::Stretch;
use crate::flags::EntryKind;
use crate::record::{Descriptor, GroupId, Header, TileId};
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::format::not_mesh;
use zerocopy::byteorder::little_endian::U32;

/// The version that every file seen carries.
pub const VERSION: u32 = 201_403_242;
/// An older version that is known to exist. It is read with the same layout.
pub const OLDER_VERSION: u32 = 201_403_241;
/// The most entries of a file: 1,024 groups of four. The largest file seen has 20.
pub const MOST_ENTRIES: u32 = 4_096;

/// Opaque id of every file made by Obj2Nav2. `docs/formats/fox.md`, section 15.2.
pub(crate) const OBJ2NAV2: [u8; 16] =
    [0x45, 0x08, 0x2D, 0x1A, 0xA9, 0xC1, 0xD9, 0x46, 0x38, 0x38, 0x0A, 0xA5, 0xCD, 0x1C, 0xA7, 0xB7];

/// A Fox Engine `.nav2` file: one tile of a map, one part of a split tile, or a whole small map.
///
/// This is a view: it borrows the bytes, is `Copy` and owns nothing.
#[derive(Clone, Copy, Debug)]
pub struct FoxNav<'a> {
    bytes: &'a [u8],
    header: &'a Header,
    frame: Frame,
    manifest: &'a [Descriptor],
    groups: u32,
    chain_end: u64,
}

impl<'a> FoxNav<'a> {
    /// Reads the header, the manifest's bounds and the heads of the entries. Reads no array.
    ///
    /// # Errors
    /// [`NotMesh`](ErrorKind::NotMesh) if the version word is neither of the two known ones. Another error if the header, the
    /// manifest or the chain of entries cannot be followed to the next section, if a divisor is 0, or if the file is shorter than
    /// it says.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let whole = Stretch::new(bytes, 0);
        let header = read_header(bytes)?;
        let frame = Frame::from_header(header)?;
        let (groups, manifest) = read_manifest(whole, header)?;
        let mut nav = Self { bytes, header, frame, manifest, groups, chain_end: 0 };
        nav.chain_end = nav.follow_chain()?;
        let left = bytes.len() as u64;
        let needed = u64::from(header.file_size());
        if needed > left {
            return Err(Error::new(ErrorKind::Truncated { what: "file", needed, left }).at(4));
        }
        Ok(nav)
    }

    /// Walks the heads of all entries. Each must lie in the file, and the last must end where the next section begins.
    fn follow_chain(&self) -> Result<u64> {
        let count = self.header.entry_count();
        if count > MOST_ENTRIES {
            let (asked, allowed) = (u64::from(count), u64::from(MOST_ENTRIES));
            return Err(Error::new(ErrorKind::Limit { what: "entries", asked, allowed }).at(0x0C));
        }
        let mut entries = self.entries();
        for entry in entries.by_ref() {
            entry?;
        }
        let end = entries.offset();
        let sections =
            [self.header.islands_offset(), self.header.connect_offset(), self.header.search_offset()];
        match sections.into_iter().filter(|offset| *offset != 0).min() {
            Some(next) if u64::from(next) != end => Err(Error::invalid(
                "entries",
                format!("{count} of them end at {end:#x}, the next section begins at {next:#x}"),
            )
            .at(end)),
            None if end != u64::from(self.header.file_size()) && end != self.bytes.len() as u64 => {
                let why = format!("{count} of them end at {end:#x}, nothing accounts for what follows");
                Err(Error::invalid("entries", why).at(end))
            }
            _ => Ok(end),
        }
    }

    /// The bytes of the view.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The header.
    pub fn header(&self) -> &'a Header {
        self.header
    }

    /// The conversion of stored numbers to metres.
    pub fn frame(&self) -> Frame {
        self.frame
    }

    /// The tile.
    pub fn tile(&self) -> TileId {
        self.header.tile()
    }

    /// Whether the file has the opaque id that Obj2Nav2 gives to all of its files.
    pub fn is_obj2nav2(&self) -> bool {
        self.header.opaque() == &OBJ2NAV2
    }

    /// Number of groups that the manifest claims.
    pub fn group_count(&self) -> u32 {
        self.groups
    }

    /// The manifest: three descriptors per group, in file order. Each states its kind.
    pub fn manifest(&self) -> &'a [Descriptor] {
        self.manifest
    }

    /// The entries in file order.
    pub fn entries(&self) -> Entries<'a> {
        Entries::new(
            Stretch::new(self.bytes, 0),
            u64::from(self.header.first_entry()),
            self.header.entry_count(),
        )
    }

    /// The end of the last entry.
    pub fn entries_end(&self) -> u64 {
        self.chain_end
    }

    /// The group of this id. `None` if the file lacks it; another part of the tile may have it.
    ///
    /// # Errors
    /// If the group lacks one of its four entries, or one of them cannot be read.
    pub fn group(&self, id: GroupId) -> Result<Option<Group<'a>>> {
        for entry in self.entries() {
            let entry = entry?;
            if entry.id().group() == id && entry.kind() == EntryKind::NavWorld {
                return Group::gather(self.frame, self.entries(), entry).map(Some);
            }
        }
        Ok(None)
    }

    /// The search space (NavSystem), which finds segments by position.
    ///
    /// # Errors
    /// If its head or its buckets exceed the file.
    pub fn search(&self) -> Result<Option<SearchSpace<'a>>> {
        match self.header.search_offset() {
            0 => Ok(None),
            at => {
                SearchSpace::parse(Stretch::new(self.bytes, 0).after(u64::from(at), "NavSystem")?).map(Some)
            }
        }
    }

    /// The connect-tile info (Section3), up to the next section or the end of the file. No file seen has one.
    ///
    /// # Errors
    /// If it begins outside the file.
    pub fn connect_tiles(&self) -> Result<Option<ConnectTiles<'a>>> {
        let at = u64::from(self.header.connect_offset());
        if at == 0 {
            return Ok(None);
        }
        let ends = [self.header.islands_offset(), self.header.search_offset()].map(u64::from);
        let end = ends.into_iter().filter(|end| *end > at).min().unwrap_or(self.bytes.len() as u64);
        Stretch::new(self.bytes, 0)
            .part(at, end.saturating_sub(at), "connect-tile info")
            .map(|stretch| Some(ConnectTiles::new(stretch)))
    }

    /// Columns of the map that this tile belongs to, derived from the first link of a northern or southern strip to the opposite
    /// strip. `None` if there is no such link, as in a map of its own or a tile without those strips. At worst this visits the
    /// nodes of groups 0 and 2 once.
    ///
    /// # Errors
    /// If one of these groups cannot be read.
    pub fn columns(&self) -> Result<Option<u16>> {
        for strip in [GroupId(0), GroupId(2)] {
            let facing = GroupId(strip.0 ^ 2);
            let Some(group) = self.group(strip)? else { continue };
            for (_, tile, target) in group.world().tile_crossings() {
                if target == facing && tile != self.tile() {
                    return Ok(Some(tile.0.abs_diff(self.tile().0)));
                }
            }
        }
        Ok(None)
    }
}

pub(crate) fn read_header(bytes: &[u8]) -> Result<&Header> {
    let version = bytes.first_chunk::<4>().map(|word| u32::from_le_bytes(*word));
    if !matches!(version, Some(VERSION | OLDER_VERSION)) {
        return Err(not_mesh(bytes).at(0));
    }
    Stretch::new(bytes, 0).record(0, "header")
}

fn read_manifest<'a>(whole: Stretch<'a>, header: &Header) -> Result<(u32, &'a [Descriptor])> {
    let at = u64::from(header.manifest_offset());
    let groups = whole.record::<U32>(at, "manifest")?.get();
    let count = usize::try_from(groups).unwrap_or(usize::MAX).saturating_mul(3);
    Ok((groups, whole.slice(at.saturating_add(4), count, "manifest")?))
}
