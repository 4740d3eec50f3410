//! Fixed-size records of the container: file, record, group and field headers (`docs/formats/skyrim.md`, section 1).

use crate::flags::{GroupKind, RecordFlags};
use crate::form::{FormId, Tag};
use navmap_core::record;
use zerocopy::byteorder::little_endian::{F32, I16, I32, U16, U32};

record! {
    /// Header of a record, 24 bytes (section 1.2). Confirmed on every record of 20 real plugins.
    pub RecordHeader[24] {
        tag: Tag,
        size: U32,
        flags: U32,
        form_id: FormId,
        timestamp: U16,
        version_control: U16,
        form_version: U16,
        unknown_0x16: U16,
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

impl RecordHeader {
    /// Kind of the record.
    pub fn tag(&self) -> Tag {
        self.tag
    }
    /// Bytes of data after the header, as stored. If the data is compressed, this is the compressed size.
    pub fn size(&self) -> u32 {
        self.size.get()
    }
    /// Flags.
    pub fn flags(&self) -> RecordFlags {
        RecordFlags(self.flags.get())
    }
    /// The record's own FormID, local to the plugin.
    pub fn form_id(&self) -> FormId {
        self.form_id
    }
    /// Date stamp of the editor, packed.
    pub fn timestamp(&self) -> u16 {
        self.timestamp.get()
    }
    /// Version control information.
    pub fn version_control(&self) -> u16 {
        self.version_control.get()
    }
    /// Version of the record's layout: 40 and 43 Skyrim LE, 44 SE, 131 Fallout 4, 555 and up Starfield.
    pub fn form_version(&self) -> u16 {
        self.form_version.get()
    }
    /// The last two bytes, of unknown meaning.
    pub fn unknown_0x16(&self) -> u16 {
        self.unknown_0x16.get()
    }
}

record! {
    /// Header of a group, 24 bytes (section 1.3).
    pub GroupHeader[24] { tag: Tag, size: U32, label: [u8; 4], kind: I32, unknown_0x10: [u8; 8] }
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
    /// `GRUP`.
    pub fn tag(&self) -> Tag {
        self.tag
    }
    /// Bytes of the group, this header included.
    pub fn size(&self) -> u32 {
        self.size.get()
    }
    /// What the group holds, and what its label means.
    pub fn kind(&self) -> GroupKind {
        GroupKind::from_stored(self.kind.get())
    }
    /// The label as stored.
    pub fn label(&self) -> [u8; 4] {
        self.label
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
    /// Time stamp, version control and bytes of unknown meaning.
    pub fn unknown_0x10(&self) -> [u8; 8] {
        self.unknown_0x10
    }
}

record! {
    /// Header of a field (sub-record), 6 bytes (section 1.5).
    pub FieldHeader[6] { tag: Tag, size: U16 }
}

impl FieldHeader {
    /// Kind of the field.
    pub fn tag(&self) -> Tag {
        self.tag
    }
    /// Bytes of payload; ignored after an `XXXX` field.
    pub fn size(&self) -> u16 {
        self.size.get()
    }
}

record! {
    /// The `HEDR` field of the file header, 12 bytes (section 1.4).
    pub Hedr[12] { version: F32, records: I32, next_object_id: U32 }
}

impl Hedr {
    /// Version of the plugin format: 0.94, 1.70, 1.71 … Several games share numbers, so it does not name the game.
    pub fn version(&self) -> f32 {
        self.version.get()
    }
    /// Records and groups in the file, as the editor counted them.
    pub fn records(&self) -> i32 {
        self.records.get()
    }
    /// The object id the editor will hand out next.
    pub fn next_object_id(&self) -> u32 {
        self.next_object_id.get()
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
    pub Xndp[8] { navmesh: FormId, triangle: I16, unknown_0x06: U16 }
}

impl Xndp {
    /// The navmesh the door stands on.
    pub fn navmesh(&self) -> FormId {
        self.navmesh
    }
    /// Its triangle.
    pub fn triangle(&self) -> i16 {
        self.triangle.get()
    }
    /// Last two bytes, unused.
    pub fn unknown_0x06(&self) -> u16 {
        self.unknown_0x06.get()
    }
}
