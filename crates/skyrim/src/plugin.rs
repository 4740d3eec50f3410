//! A plugin: its file header, its masters, and access to its records.

use super::fields::{Fields, exactly};
use super::flags::RecordFlags;
use super::form::{FormId, Tag};
use super::navm::NavmRecords;
use super::owners::{Origin, Owners};
use super::record::{Hedr, RecordHeader};
use super::text::{decode_text, name_key};
use super::walk::{Record, Records, Wanted};
use navmap_core::Limits;
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, Result};
use navmap_core::format::not_mesh;
use std::fmt;
use std::ops::RangeInclusive;

/// The game of a plugin, judging by its [form version](Plugin::form_version). A converted plugin may have records of an earlier
/// game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Game {
    /// Fallout 3 or Fallout: New Vegas (form versions to 15).
    Fallout3,
    /// Skyrim, the edition of 2011 (to 43).
    SkyrimLe,
    /// Skyrim Special Edition, Anniversary Edition or VR (44).
    SkyrimSe,
    /// Fallout 4 (to 131).
    Fallout4,
    /// Fallout 76 (to 499; no real file seen).
    Fallout76,
    /// Starfield (555 to 582 seen).
    Starfield,
}

impl Game {
    /// The best guess from the form version of the file header.
    pub fn from_form_version(version: u16) -> Self {
        match version {
            0..=15 => Self::Fallout3,
            16..=43 => Self::SkyrimLe,
            44 => Self::SkyrimSe,
            45..=131 => Self::Fallout4,
            132..=499 => Self::Fallout76,
            500.. => Self::Starfield,
        }
    }

    /// The name, as `scan` prints it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fallout3 => "Fallout 3 or New Vegas",
            Self::SkyrimLe => "Skyrim",
            Self::SkyrimSe => "Skyrim Special Edition",
            Self::Fallout4 => "Fallout 4",
            Self::Fallout76 => "Fallout 76",
            Self::Starfield => "Starfield",
        }
    }

    /// Whether base objects may have their own navmeshes.
    pub fn has_object_meshes(self) -> bool {
        matches!(self, Self::Fallout4 | Self::Fallout76 | Self::Starfield)
    }

    /// The flag of the file header that makes a plugin light; `None` if the game has no light plugins.
    pub fn light_flag(self) -> Option<RecordFlags> {
        match self {
            Self::Fallout3 | Self::SkyrimLe => None,
            Self::SkyrimSe | Self::Fallout4 | Self::Fallout76 => Some(RecordFlags(0x200)),
            Self::Starfield => Some(RecordFlags(0x100)),
        }
    }

    /// The one map of navmeshes that all plugins of the game share: the game's own file, and the number of the record there. `None` if
    /// they share none.
    pub(super) fn shared_map(self) -> Option<(&'static str, u32)> {
        match self {
            Self::Fallout3 => None,
            Self::SkyrimLe | Self::SkyrimSe => Some(("Skyrim.esm", 0x0001_2FB4)),
            Self::Fallout4 => Some(("Fallout4.esm", 0x0FF1)),
            Self::Fallout76 => Some(("SeventySix.esm", 0x0FF1)),
            Self::Starfield => Some(("Starfield.esm", 0x0FF1)),
        }
    }

    /// The NVNM version that the game's editor writes; `None` if its meshes are not in NVNM fields.
    pub fn nvnm_version(self) -> Option<u32> {
        match self {
            Self::Fallout3 => None,
            Self::SkyrimLe | Self::SkyrimSe => Some(12),
            Self::Fallout4 | Self::Fallout76 => Some(15),
            Self::Starfield => Some(17),
        }
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The size of a plugin, which decides how the game numbers its records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scale {
    /// A full plugin: 24 bits of object id.
    Full,
    /// A medium plugin (Starfield): 16 bits.
    Medium,
    /// A light plugin (`.esl` and flagged ones): 12 bits.
    Light,
}

/// A Bethesda plugin (`.esp`, `.esm`, `.esl`), in place over its bytes: Skyrim LE, SE and VR, Fallout 4, Starfield, and
/// experimentally Fallout 3 and New Vegas.
///
/// Opening reads only the file header, and that of the first record where the file header does not tell the game.
/// [`navmeshes`](Self::navmeshes) then walks group and record headers, without copying and
/// without touching data, and skips whole groups that cannot contain navmeshes. **The meshes themselves are zero-copy only if the
/// record is uncompressed.** The Creation Kit compresses every live navmesh, so in practice each is inflated once, into a buffer
/// of the caller's [`Scratch`](navmap_core::bytes::Scratch).
#[derive(Debug, Clone, Copy)]
pub struct Plugin<'a> {
    bytes: &'a [u8],
    header: &'a RecordHeader,
    hedr: &'a Hedr,
    tes4: &'a [u8],
    form_version: u16,
    owners: Owners,
    limits: Limits,
}

const HEADER: u64 = size_of::<RecordHeader>() as u64;

impl<'a> Plugin<'a> {
    /// Reads the file header.
    ///
    /// # Errors
    /// [`NotMesh`](navmap_core::ErrorKind::NotMesh) if the bytes do not begin with `TES4`.
    /// [`Invalid`](navmap_core::ErrorKind::Invalid) for plugins of Morrowind and Oblivion, which have path grids instead of
    /// navmeshes, and for a header without `HEDR`. [`Truncated`](navmap_core::ErrorKind::Truncated) if the header is incomplete.
    pub fn parse(bytes: &'a [u8], limits: &Limits) -> Result<Self> {
        refuse_others(bytes)?;
        let mut cursor = Cursor::new(bytes, 0);
        let header: &RecordHeader = cursor.record("file header")?;
        let tes4 = cursor.bytes(usize::try_from(header.size()).unwrap_or(usize::MAX), "file header")?;
        let hedr = match Fields::new(tes4, HEADER).next() {
            Some(Ok(field)) if field.tag == Tag(*b"HEDR") => exactly(&field, "HEDR")?,
            Some(Err(error)) => return Err(error),
            _ => return Err(Error::invalid("file header", "does not begin with HEDR").at(HEADER)),
        };
        let form_version = header.form_version();
        let owners = Owners::UNKNOWN;
        let mut plugin = Self { bytes, header, hedr, tes4, form_version, owners, limits: *limits };
        plugin.owners = Owners::new(plugin.masters(), false, |one, other| same_file(one, other));
        if plugin.game() == Game::Fallout3
            && let Some(Ok(first)) = plugin.records().next()
        {
            plugin.form_version = form_version.max(first.header().form_version());
        }
        plugin.owners = plugin.owners.scaled(plugin.game() == Game::Starfield);
        Ok(plugin)
    }

    /// The whole file.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The limits it was opened with.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The file header as a record header: flags, form version.
    pub fn header(&self) -> &'a RecordHeader {
        self.header
    }

    /// Version, record count, next object id.
    pub fn hedr(&self) -> &'a Hedr {
        self.hedr
    }

    /// The fields of the file header: `HEDR`, author, description, masters …
    pub fn header_fields(&self) -> Fields<'a> {
        Fields::new(self.tes4, HEADER)
    }

    /// The form version of the file header. Tools have written 0 there, which is older than any game with navmeshes in NVNM
    /// fields: where it is that old, the form version of the first record if that is later.
    pub fn form_version(&self) -> u16 {
        self.form_version
    }

    /// The game, as the [form version](Self::form_version) tells.
    pub fn game(&self) -> Game {
        Game::from_form_version(self.form_version)
    }

    /// Whether the master flag is set. The extension of the file may say otherwise.
    pub fn is_master(&self) -> bool {
        self.header.flags().contains(RecordFlags::MASTER)
    }

    /// Whether strings are in external tables, which has no effect on navmeshes.
    pub fn is_localized(&self) -> bool {
        self.header.flags().contains(RecordFlags::LOCALIZED)
    }

    /// Whether it is a blueprint master of Starfield, which loads after all plugins that are none.
    pub fn is_blueprint(&self) -> bool {
        let flags = RecordFlags(0x800 | RecordFlags::MASTER.0);
        self.game() == Game::Starfield && self.header.flags().contains(flags)
    }

    /// Full, medium or light, by flags and game. The extension of the file and the game that loads it may say otherwise: see
    /// [`LoadOrder::scale`](super::LoadOrder::scale).
    pub fn scale(&self) -> Scale {
        self.scale_in(self.game())
    }

    /// The scale by the flags, as this game reads them.
    pub(super) fn scale_in(&self, game: Game) -> Scale {
        let flags = self.header.flags();
        match game {
            _ if game.light_flag().is_some_and(|light| flags.contains(light)) => Scale::Light,
            Game::Starfield if flags.contains(RecordFlags(0x400)) => Scale::Medium,
            _ => Scale::Full,
        }
    }

    /// The object ids that records of its own can have. Light plugins may use all that have 12 bits since 1.71 (Skyrim) and 1.0
    /// (Fallout 4, but for 0), and ever in Starfield, whose header says 0.96.
    pub(super) fn object_ids(&self) -> RangeInclusive<u32> {
        let version = self.hedr.version();
        match (self.scale(), self.game()) {
            (Scale::Full, _) => 0..=0x00FF_FFFF,
            (Scale::Medium, _) => 0..=0xFFFF,
            (Scale::Light, Game::Starfield) => 0..=0xFFF,
            (Scale::Light, Game::SkyrimSe) if version >= 1.71 => 0..=0xFFF,
            (Scale::Light, Game::Fallout4 | Game::Fallout76) if version >= 1.0 => 1..=0xFFF,
            (Scale::Light, _) => 0x800..=0xFFF,
        }
    }

    /// The author's name as stored, without its NUL. Decode it with [`decode_text`](super::decode_text).
    pub fn author(&self) -> Option<&'a [u8]> {
        self.header_text(b"CNAM")
    }

    /// The description as stored, without its NUL. Decode it with [`decode_text`](super::decode_text).
    pub fn description(&self) -> Option<&'a [u8]> {
        self.header_text(b"SNAM")
    }

    /// File names of the masters as stored, without their NUL, in the order in which FormIDs number them. Decode them with
    /// [`decode_text`](super::decode_text).
    pub fn masters(&self) -> impl Iterator<Item = &'a [u8]> + Clone + use<'a> {
        self.header_fields().map_while(Result::ok).filter(|f| f.tag == Tag(*b"MAST")).map(|f| text(f.data))
    }

    /// How many masters there are. O(1).
    pub fn master_count(&self) -> usize {
        self.owners.masters()
    }

    /// The owner of this plugin's FormID. An index at or above the number of masters means the plugin itself: tools have written
    /// larger indices than that number, and games read them so.
    pub fn origin(&self, form: FormId) -> Origin {
        self.owners.origin(form)
    }

    /// The FormID as plugin editors write it: every index that means the plugin itself is the number of masters, and one of a master
    /// that is named twice is the first. Two FormIDs of the plugin name one record if this is equal for both.
    pub fn canonical(&self, form: FormId) -> FormId {
        self.owners.canonical(form)
    }

    /// How it numbers files, where nothing is known of the scales of its masters.
    pub(super) fn owners(&self) -> Owners {
        self.owners
    }

    /// Every record of the file, in file order. Allocates nothing, reads only headers.
    pub fn records(&self) -> Records<'a> {
        self.walk(Wanted::ALL)
    }

    /// Every navmesh record, in file order, at any place. Top-level groups that cannot contain one, by their label, are skipped.
    /// Allocates nothing, reads only headers.
    pub fn navmeshes(&self) -> NavmRecords<'a> {
        NavmRecords::new(self.walk(Wanted::NAVMESHES))
    }

    /// The `NAVI` record, which holds the navmesh info map; `None` if the plugin has none. Decode it with
    /// [`NavMap::parse`](super::NavMap::parse).
    ///
    /// # Errors
    /// If the groups before it are damaged and it is not found after the damage.
    pub fn navi(&self) -> Result<Option<Record<'a>>> {
        let mut damage = None;
        for record in self.walk(Wanted::NAVI) {
            match record {
                Ok(record) => return Ok(Some(record)),
                Err(error) => damage = damage.or(Some(error)),
            }
        }
        damage.map_or(Ok(None), Err)
    }

    /// The FormID that the plugin has for the [map](Game::shared_map) that all plugins of its game share, by the place of the game's own
    /// file among its masters. One without masters is taken for that file. `None` if the file is none of its masters, or there is
    /// no such map.
    pub(super) fn shared_map(&self) -> Option<FormId> {
        let (file, object) = self.game().shared_map()?;
        let is_file = |master: &[u8]| master.eq_ignore_ascii_case(file.as_bytes());
        let place = if self.master_count() == 0 { 0 } else { self.masters().position(is_file)? };
        Some(FormId::new(u32::from(u8::try_from(place).ok()?) << 24 | object))
    }

    pub(super) fn walk(&self, wanted: Wanted) -> Records<'a> {
        Records::new(self.bytes, self.body_offset(), wanted, self.owners(), &self.limits)
    }

    /// Where the groups begin.
    pub(super) fn body_offset(&self) -> usize {
        self.tes4.len().saturating_add(size_of::<RecordHeader>())
    }

    /// The fields of the file header as stored.
    pub(super) fn header_data(&self) -> &'a [u8] {
        self.tes4
    }

    /// The records of worldspaces, in one pass over group headers that enters only the worldspaces' group. Stops at damage.
    pub(super) fn worldspaces(&self) -> Vec<Record<'a>> {
        use super::flags::GroupKind;
        use super::record::GroupHeader;
        use zerocopy::FromBytes;

        let mut found = Vec::new();
        let mut at = self.body_offset();
        while let Ok((group, _)) = GroupHeader::ref_from_prefix(self.bytes.get(at..).unwrap_or_default()) {
            let head = size_of::<GroupHeader>();
            let size = group.size() as usize;
            let step = match self.record_at(at as u64) {
                _ if group.tag() == Tag::GRUP => {
                    let enters = group.kind() == GroupKind::TopLevel && group.label_tag() == Tag::WRLD;
                    if enters { head } else { size.max(head) }
                }
                Ok(record) => {
                    found.extend((record.tag() == Tag::WRLD).then_some(record));
                    size.saturating_add(head)
                }
                Err(_) => break,
            };
            at = at.saturating_add(step);
        }
        found
    }

    /// The record that begins at this byte.
    ///
    /// # Errors
    /// If no record fits there.
    pub(super) fn record_at(&self, offset: u64) -> Result<Record<'a>> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let mut cursor = Cursor::new(self.bytes.get(start..).unwrap_or_default(), offset);
        Record::take(&mut cursor, &self.limits)
    }

    fn header_text(&self, tag: &[u8; 4]) -> Option<&'a [u8]> {
        let field = self.header_fields().find_tag(Tag(*tag)).ok()??;
        Some(text(field.data))
    }
}

fn text(bytes: &[u8]) -> &[u8] {
    bytes.split(|b| *b == 0).next().unwrap_or_default()
}

/// Whether two names of masters mean one file: see [`name_key`]. What is no name of a file is compared by its bytes.
fn same_file(one: &[u8], other: &[u8]) -> bool {
    const LONGEST: usize = 1024;
    let by_text = !(one.is_ascii() && other.is_ascii()) && one.len().max(other.len()) <= LONGEST;
    one.eq_ignore_ascii_case(other)
        || (by_text && name_key(&decode_text(one)) == name_key(&decode_text(other)))
}

/// Refuses bytes that are not a plugin. For a plugin of a game without navmeshes, the error names the game.
pub(super) fn refuse_others(bytes: &[u8]) -> Result<()> {
    match bytes.first_chunk() {
        Some(b"TES4") if bytes.get(20..24) == Some(b"HEDR") => Err(path_grids("Oblivion")),
        Some(b"TES4") => Ok(()),
        Some(b"TES3") => Err(path_grids("Morrowind")),
        _ => Err(not_mesh(bytes).at(0)),
    }
}

#[cold]
fn path_grids(game: &'static str) -> Error {
    Error::invalid("plugin", format!("made for {game}, which has path grids (PGRD) and no navmeshes")).at(0)
}
