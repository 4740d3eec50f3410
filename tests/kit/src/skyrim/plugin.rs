//! Plugins under construction.

use super::zlib::zlib;
use crate::bytes::Out;

/// Record flag: deleted.
pub const DELETED: u32 = 0x20;
/// Record flag: compressed.
pub const COMPRESSED: u32 = 0x0004_0000;

/// One field, preceded by an XXXX field if it is too long for its own size.
pub fn field(tag: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut out = Out::new();
    match u16::try_from(data.len()) {
        Ok(size) => out.raw(tag).u16(size),
        Err(_) => out.raw(b"XXXX").u16(4).u32(data.len() as u32).raw(tag).u16(0),
    };
    out.raw(data);
    out.0
}

/// The parts of a record's header besides kind and size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// FormID.
    pub form: u32,
    /// Flags.
    pub flags: u32,
    /// Form version.
    pub version: u16,
}

/// One record; its data is compressed where the flags say so.
pub fn record(tag: &[u8; 4], head: Head, data: &[u8]) -> Vec<u8> {
    let stored = if head.flags & COMPRESSED != 0 {
        let mut out = Out::new();
        out.u32(data.len() as u32).raw(&zlib(data));
        out.0
    } else {
        data.to_vec()
    };
    raw_record(tag, head, &stored)
}

/// One record with its data already encoded.
pub fn raw_record(tag: &[u8; 4], head: Head, stored: &[u8]) -> Vec<u8> {
    let mut out = Out::new();
    out.raw(tag).u32(stored.len() as u32).u32(head.flags).u32(head.form);
    out.u32(0x0003_1A2B).u16(head.version).u16(0).raw(stored);
    out.0
}

/// One group.
pub fn group(label: [u8; 4], kind: i32, children: &[Vec<u8>]) -> Vec<u8> {
    let mut out = Out::new();
    let size = 24 + children.iter().map(Vec::len).sum::<usize>();
    out.raw(b"GRUP").u32(size as u32).raw(&label).i32(kind).u64(0x0000_0003_1A2B);
    children.iter().for_each(|child| {
        out.raw(child);
    });
    out.0
}

/// A group whose label is a FormID.
pub fn group_of(form: u32, kind: i32, children: &[Vec<u8>]) -> Vec<u8> {
    group(form.to_le_bytes(), kind, children)
}

/// A plugin under construction.
#[derive(Debug, Clone)]
pub struct Plugin {
    /// Form version of its records.
    pub version: u16,
    /// Flags of the file header.
    pub flags: u32,
    /// Version in HEDR.
    pub hedr: f32,
    /// File names.
    pub masters: Vec<String>,
    /// Top-level groups, in order.
    pub groups: Vec<Vec<u8>>,
}

impl Plugin {
    /// An empty one.
    pub fn new(version: u16, hedr: f32, masters: &[&str]) -> Self {
        let masters = masters.iter().map(ToString::to_string).collect();
        Self { version, flags: 0, hedr, masters, groups: Vec::new() }
    }

    /// The first FormID of its own records.
    pub fn own(&self) -> u32 {
        (self.masters.len() as u32) << 24 | 0x0800
    }

    /// A header for one of its records.
    pub fn head(&self, form: u32, flags: u32) -> Head {
        Head { form, flags, version: self.version }
    }

    /// An interior cell: its record and its children, as one block of one sub-block.
    pub fn interior(&self, cell: u32, temporary: &[Vec<u8>]) -> Vec<u8> {
        let record = record(
            b"CELL",
            self.head(cell, 0),
            &[field(b"EDID", b"TestCell\0"), field(b"DATA", &[1, 0])].concat(),
        );
        let digit = |n: u32| (n % 10).to_le_bytes();
        let object = cell & 0x00FF_FFFF;
        let children = group_of(cell, 6, &[group_of(cell, 9, temporary)]);
        let sub = group(digit(object / 10), 3, &[record, children]);
        group(*b"CELL", 0, &[group(digit(object), 2, &[sub])])
    }

    /// A worldspace with exterior cells: FormID and grid square of each, and its temporary children. A cell without any has no
    /// group for them.
    pub fn worldspace(&self, world: u32, cells: &[(u32, i16, i16, Vec<Vec<u8>>)]) -> Vec<u8> {
        let grid = |y: i16, x: i16| {
            let mut out = Out::new();
            out.u16(y as u16).u16(x as u16);
            <[u8; 4]>::try_from(out.0).expect("four bytes")
        };
        let mut children = Vec::new();
        for (cell, x, y, temporary) in cells {
            let mut xclc = Out::new();
            xclc.i32((*x).into()).i32((*y).into()).u32(0);
            let data = [field(b"DATA", &[2, 0]), field(b"XCLC", &xclc.0)].concat();
            // Every other cell record is compressed, as in real files.
            let flags = if x % 2 == 0 { COMPRESSED } else { 0 };
            let record = record(b"CELL", self.head(*cell, flags), &data);
            let door = record_of_reference(self, cell + 0x70);
            let persistent = group_of(*cell, 8, &[door]);
            let temporary = (!temporary.is_empty()).then(|| group_of(*cell, 9, temporary));
            let own = group_of(*cell, 6, &std::iter::once(persistent).chain(temporary).collect::<Vec<_>>());
            let sub = group(grid(y >> 3, x >> 3), 5, &[record, own]);
            children.push(group(grid(y >> 5, x >> 5), 4, &[sub]));
        }
        let record = record(b"WRLD", self.head(world, 0), &field(b"EDID", b"TestWorld\0"));
        group(*b"WRLD", 0, &[record, group_of(world, 1, &children)])
    }

    /// The `NAVI` group: version of the map, its entries, then a table of preferred paths.
    pub fn navi(&self, form: u32, version: u32, entries: &[Vec<u8>], path: &[u32]) -> Vec<u8> {
        let mut paths = Out::new();
        paths.u32(1).u32(path.len() as u32);
        path.iter().for_each(|form| {
            paths.u32(*form);
        });
        paths.u32(1).u32(path.first().copied().unwrap_or(0)).u32(0);
        let mut data = vec![field(b"NVER", &version.to_le_bytes())];
        data.extend(entries.iter().map(|entry| field(b"NVMI", entry)));
        data.push(field(b"NVPP", &paths.0));
        data.push(field(
            b"NVSI",
            &path.iter().flat_map(|form| form.to_le_bytes()).take(4).collect::<Vec<_>>(),
        ));
        group(*b"NAVI", 0, &[record(b"NAVI", self.head(form, 0), &data.concat())])
    }

    /// The file.
    pub fn encode(&self) -> Vec<u8> {
        let mut hedr = Out::new();
        hedr.f32(self.hedr).i32(self.groups.len() as i32).u32(0x0900);
        let mut data = vec![field(b"HEDR", &hedr.0), field(b"CNAM", b"navmap\0")];
        for master in &self.masters {
            data.push(field(b"MAST", format!("{master}\0").as_bytes()));
            data.push(field(b"DATA", &[0; 8]));
        }
        let head = Head { form: 0, flags: self.flags, version: self.version };
        let mut file = record(b"TES4", head, &data.concat());
        self.groups.iter().for_each(|group| file.extend_from_slice(group));
        file
    }
}

/// A placed reference unrelated to navmeshes.
pub fn record_of_reference(plugin: &Plugin, form: u32) -> Vec<u8> {
    let data = [field(b"NAME", &[1, 2, 3, 0]), field(b"DATA", &[0; 24])].concat();
    record(b"REFR", plugin.head(form, 0x400), &data)
}

/// A placed door that points back at a triangle of a navmesh.
pub fn door_reference(plugin: &Plugin, form: u32, navmesh: u32, triangle: u16) -> Vec<u8> {
    let mut xndp = Out::new();
    xndp.u32(navmesh).u16(triangle).u16(0);
    let data = [field(b"NAME", &[1, 2, 3, 0]), field(b"XNDP", &xndp.0), field(b"DATA", &[0; 24])].concat();
    record(b"REFR", plugin.head(form, 0), &data)
}
