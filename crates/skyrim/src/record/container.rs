//! Fixed-size records of the container: file, record, group and field headers (`docs/formats/skyrim.md`, section 1).

use crate::flags::{GroupKind, RecordFlags};
use crate::form::{FormId, Tag};
use navmap_core::record;
use zerocopy::byteorder::little_endian::{F32, I16, I32, U16, U32};

record! {
    /// Header of a record, 24 bytes (section 1.2). Confirmed on every record of 20 real plugins.
    pub RecordHeader[24] {
        /// Kind of the record.
        tag: Tag => Tag,
        /// Bytes of data after the header, as stored. If the data is compressed, this is the compressed size.
        size: U32 => u32,
        /// Flags.
        flags: U32 as RecordFlags,
        /// The record's own FormID, local to the plugin.
        form_id: FormId => FormId,
        /// Date stamp of the editor, packed.
        timestamp: U16 => u16,
        /// Version control information.
        version_control: U16 => u16,
        /// Version of the record's layout: 40 and 43 Skyrim LE, 44 SE, 131 Fallout 4, 555 and up Starfield.
        form_version: U16 => u16,
        /// The last two bytes, of unknown meaning.
        unknown_0x16: U16 => u16,
    }
}

impl RecordHeader {
    /// The header of a new record, without time stamp and version control, and of size 0.
    pub(crate) fn new(tag: Tag, flags: RecordFlags, form_id: FormId, form_version: u16) -> Self {
        Self { tag, flags: flags.0.into(), form_id, form_version: form_version.into(), ..Self::default() }
    }

    pub(crate) fn with_flags(self, flags: RecordFlags) -> Self {
        Self { flags: flags.0.into(), ..self }
    }

    pub(crate) fn with_size(self, size: u32) -> Self {
        Self { size: size.into(), ..self }
    }
}

record! {
    /// Header of a group, 24 bytes (section 1.3).
    pub GroupHeader[24] {
        /// `GRUP`.
        tag: Tag => Tag,
        /// Bytes of the group, this header included.
        size: U32 => u32,
        /// The label as stored.
        label: [u8; 4] => [u8; 4],
        kind: I32,
        /// Time stamp, version control and bytes of unknown meaning.
        unknown_0x10: [u8; 8] => [u8; 8],
    }
}

impl GroupHeader {
    /// The header of a new group, without time stamp and version control.
    pub(crate) fn new(label: [u8; 4], kind: i32, size: u32) -> Self {
        Self { tag: Tag::GRUP, size: size.into(), label, kind: kind.into(), unknown_0x10: [0; 8] }
    }

    pub(crate) fn set_size(&mut self, size: u32) {
        self.size = size.into();
    }
}

impl GroupHeader {
    /// What the group holds, and what its label means.
    pub fn kind(&self) -> GroupKind {
        GroupKind::from_stored(self.kind.get())
    }
    /// The label as a record type, for a [top-level](GroupKind::TopLevel) group.
    pub fn label_tag(&self) -> Tag {
        Tag(self.label)
    }
    /// The label as a FormID, for children of a worldspace or cell.
    pub fn label_form(&self) -> FormId {
        FormId::new(u32::from_le_bytes(self.label))
    }
    /// The label as block coordinates `(x, y)`, for exterior blocks and sub-blocks. Y is stored first.
    pub fn label_grid(&self) -> (i16, i16) {
        let [y0, y1, x0, x1] = self.label;
        (i16::from_le_bytes([x0, x1]), i16::from_le_bytes([y0, y1]))
    }
}

record! {
    /// Header of a field (sub-record), 6 bytes (section 1.5).
    pub FieldHeader[6] {
        /// Kind of the field.
        tag: Tag => Tag,
        /// Bytes of payload; ignored after an `XXXX` field.
        size: U16 => u16,
    }
}

record! {
    /// Header of a field of Morrowind, 8 bytes.
    pub WideFieldHeader[8] {
        /// Kind of the field.
        tag: Tag => Tag,
        /// Bytes of payload.
        size: U32 => u32,
    }
}

record! {
    /// The `HEDR` field of the file header, 12 bytes (section 1.4).
    pub Hedr[12] {
        /// Version of the plugin format: 0.94, 1.70, 1.71 … Several games share numbers, so it does not name the game.
        version: F32 => f32,
        /// Records and groups in the file, as the editor counted them.
        records: I32 => i32,
        /// The object id the editor will hand out next.
        next_object_id: U32 => u32,
    }
}

record! {
    /// The first eight bytes of a cell's `XCLC` field: its place in the worldspace. X first, unlike everywhere else.
    pub Xclc[8] { x: I32, y: I32 }
}

impl Xclc {
    /// Grid coordinates `(x, y)` of the cell; one step is 4,096 units.
    pub fn grid(&self) -> (i32, i32) {
        (self.x.get(), self.y.get())
    }
}

record! {
    /// A door reference's `XNDP` field, 8 bytes: the door triangle it belongs to (section 3.4).
    pub Xndp[8] {
        /// The navmesh the door stands on.
        navmesh: FormId => FormId,
        /// Its triangle.
        triangle: I16 => i16,
        /// Last two bytes, unused.
        unknown_0x06: U16 => u16,
    }
}

impl Xndp {
    /// The same on another triangle.
    pub(crate) fn on(self, navmesh: FormId, triangle: u16) -> Self {
        Self { navmesh, triangle: I16::from_bytes(triangle.to_le_bytes()), ..self }
    }
}
