//! Names of records: four letters for the kind, a FormID for the record.

use navmap_core::format::{Shape, Shaped};
use navmap_core::id;
use navmap_core::text::form_digits;
use std::fmt;
use zerocopy::byteorder::little_endian::U32;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// The kind of a record, group label or field: four ASCII characters, such as `NAVM`.
#[derive(
    FromBytes,
    IntoBytes,
    KnownLayout,
    Immutable,
    Unaligned,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
)]
#[repr(transparent)]
pub struct Tag(pub [u8; 4]);

impl Tag {
    /// File header.
    pub const TES4: Self = Self(*b"TES4");
    /// A group of records.
    pub const GRUP: Self = Self(*b"GRUP");
    /// A navmesh.
    pub const NAVM: Self = Self(*b"NAVM");
    /// A path grid.
    pub const PGRD: Self = Self(*b"PGRD");
    /// The navmesh info map.
    pub const NAVI: Self = Self(*b"NAVI");
    /// A cell.
    pub const CELL: Self = Self(*b"CELL");
    /// A worldspace.
    pub const WRLD: Self = Self(*b"WRLD");
    /// A placed reference, doors among them.
    pub const REFR: Self = Self(*b"REFR");
    /// An activator.
    pub const ACTI: Self = Self(*b"ACTI");
    /// A door, as a base object.
    pub const DOOR: Self = Self(*b"DOOR");
    /// A piece of furniture.
    pub const FURN: Self = Self(*b"FURN");
    /// A generic base form, of Starfield.
    pub const GBFM: Self = Self(*b"GBFM");
    /// A static.
    pub const STAT: Self = Self(*b"STAT");

    /// Whether it can be a record type: capitals, digits and underscores.
    #[inline]
    pub fn is_record_type(self) -> bool {
        self.0.iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_')
    }
}

impl Shaped for Tag {
    const SHAPE: Shape = <[u8; 4]>::SHAPE;
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|b| match b {
            b' '..=b'~' => write!(f, "{}", char::from(*b)),
            other => write!(f, "\\x{other:02x}"),
        })
    }
}

impl fmt::Debug for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tag({self})")
    }
}

id! {
    /// The FormID of a record **as stored in one plugin**. The highest byte is the owner (an index into the plugin's masters, or
    /// the plugin itself), the lower three are the object id. It prints as in other tools: `0005C069`.
    ///
    /// [`Plugin::origin`](super::Plugin::origin) resolves the owner of a FormID.
    FormId: U32 => u32 as "{:08X}";
}

impl FormId {
    /// No record.
    pub const NULL: Self = Self(U32::ZERO);

    /// A FormID as people type it and as messages print it: `01000902`, `0x01000902`, `[NAVM:01000902]`.
    pub fn read(text: &str) -> Option<Self> {
        u32::from_str_radix(form_digits(text)?, 16).ok().map(Self::new)
    }

    /// Highest byte: an index into the masters of the plugin. At or above the number of masters it means the plugin
    /// itself.
    #[inline]
    pub fn file_index(self) -> u8 {
        (self.get() >> 24) as u8
    }

    /// Lower 24 bits: the record's number in the file it comes from.
    #[inline]
    pub fn object_id(self) -> u32 {
        self.get() & 0x00FF_FFFF
    }

    /// Whether it names nothing.
    #[inline]
    pub fn is_null(self) -> bool {
        self.get() == 0
    }
}
