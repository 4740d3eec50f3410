//! A plain reader that owns everything: the reference for navmap's lazy views and the baseline of its benches. Typical of such
//! readers, except that it distrusts counts.

use super::model::{Approach, Area, Ladder, Mesh, Path, Spot};

/// Reads a mesh of version 1 to 16; `None` if the bytes end early or are not such a mesh.
pub fn read(bytes: &[u8]) -> Option<Mesh> {
    let mut r = Reader { bytes, at: 0 };
    let mut mesh = Mesh::default();
    if r.u32()? != 0xFEED_FACE {
        return None;
    }
    mesh.version = r.u32()?;
    if !(1..=16).contains(&mesh.version) {
        return None;
    }
    mesh.subversion = if mesh.version >= 10 { Some(r.u32()?) } else { None };
    mesh.bsp_size = if mesh.version >= 4 { r.u32()? } else { 0 };
    mesh.analyzed = if mesh.version >= 14 { r.u8()? } else { 0 };
    if mesh.version >= 5 {
        for _ in 0..r.u16()? {
            let len = r.u16()?;
            mesh.places.push(r.take(len.into())?.to_vec());
        }
    }
    mesh.unnamed = if mesh.version >= 12 { r.u8()? } else { 0 };
    let l4d = matches!((mesh.version, mesh.subversion), (15, Some(13)) | (16, Some(14)));
    if l4d {
        let end = r.bytes[r.at..].iter().take(1 << 16).position(|b| *b == 0)?;
        mesh.population = r.take(end)?.to_vec();
        r.u8()?;
        mesh.population_number = r.u16()?;
    }
    let gates = Gates { version: mesh.version, subversion: mesh.subversion.unwrap_or(0), l4d };
    for _ in 0..r.u32()? {
        mesh.areas.push(r.area(&gates)?);
    }
    if mesh.version >= 6 {
        for _ in 0..r.u32()? {
            mesh.ladders.push(r.ladder(mesh.version)?);
        }
    }
    mesh.visibility_range = if l4d { r.f32()? } else { 0.0 };
    mesh.tail = r.bytes[r.at..].to_vec();
    Some(mesh)
}

struct Gates {
    version: u32,
    subversion: u32,
    l4d: bool,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(len)?)?;
        self.at += len;
        Some(taken)
    }
    fn u8(&mut self) -> Option<u8> {
        Some(self.take(1)?[0])
    }
    fn u16(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes(self.take(2)?.try_into().ok()?))
    }
    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }
    fn f32(&mut self) -> Option<f32> {
        Some(f32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }
    fn f32s<const N: usize>(&mut self) -> Option<[f32; N]> {
        let mut values = [0.0; N];
        for value in &mut values {
            *value = self.f32()?;
        }
        Some(values)
    }

    /// A list; a count too large for the remaining bytes is an error, before any allocation.
    fn list<T>(&mut self, count: u32, least: usize, read: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        if (count as usize).checked_mul(least)? > self.bytes.len() - self.at {
            return None;
        }
        let mut list = Vec::with_capacity(count as usize);
        for _ in 0..count {
            list.push(read(self)?);
        }
        Some(list)
    }
    fn ids(&mut self) -> Option<Vec<u32>> {
        let count = self.u32()?;
        self.list(count, 4, Self::u32)
    }

    fn area(&mut self, gates: &Gates) -> Option<Area> {
        let v = gates.version;
        let mut a = Area { id: self.u32()?, ..Area::default() };
        a.attributes = match v {
            ..=8 => self.u8()?.into(),
            9..=12 => self.u16()?.into(),
            13.. => self.u32()?,
        };
        (a.nw, a.se, a.ne_z, a.sw_z) = (self.f32s()?, self.f32s()?, self.f32()?, self.f32()?);
        for side in &mut a.connections {
            *side = self.ids()?;
        }
        let count = self.u8()?.into();
        a.spots = self.list(count, 12, |r| r.spot(v))?;
        if v < 15 {
            a.approaches = self.approaches()?;
        }
        let count = self.u32()?;
        a.paths = self.list(count, 11, |r| r.path(v))?;
        if v >= 5 {
            a.place = self.u16()?;
        }
        if v >= 7 {
            (a.ladders_up, a.ladders_down) = (self.ids()?, self.ids()?);
        }
        if v >= 8 {
            a.occupy = self.f32s()?;
        }
        if v >= 11 {
            a.light = self.f32s()?;
        }
        if gates.l4d {
            (a.spawn, a.spawn_number) = (self.u32()?, self.u16()?);
        }
        if v == 16 || gates.l4d {
            let count = self.u32()?;
            a.visible = self.list(count, 5, |r| Some((r.u32()?, r.u8()?)))?;
            a.inherit = self.u32()?;
        }
        match (v, gates.subversion) {
            (16, 1) => a.approaches = self.approaches()?,
            (16, 2 | 4) => a.game = self.u32()?,
            _ => {}
        }
        Some(a)
    }

    fn spot(&mut self, version: u32) -> Option<Spot> {
        if version == 1 {
            return Some(Spot { position: self.f32s()?, ..Spot::default() });
        }
        Some(Spot { id: self.u32()?, position: self.f32s()?, flags: self.u8()? })
    }

    fn approaches(&mut self) -> Option<Vec<Approach>> {
        let count = self.u8()?.into();
        self.list(count, 14, |r| {
            let (here, previous, previous_how) = (r.u32()?, r.u32()?, r.u8()?);
            Some(Approach { here, previous, previous_how, next: r.u32()?, next_how: r.u8()? })
        })
    }

    fn path(&mut self, version: u32) -> Option<Path> {
        let mut path = Path::default();
        if version < 3 {
            (path.from, path.to) = (self.u32()?, self.u32()?);
            path.ends = [self.f32s()?, self.f32s()?];
            let count = self.u8()?.into();
            path.old_spots = self.list(count, 16, |r| Some((r.f32s()?, r.f32()?)))?;
        } else {
            (path.from, path.from_side) = (self.u32()?, self.u8()?);
            (path.to, path.to_side) = (self.u32()?, self.u8()?);
            let count = self.u8()?.into();
            path.spots = self.list(count, 5, |r| Some((r.u32()?, r.u8()?)))?;
        }
        Some(path)
    }

    fn ladder(&mut self, version: u32) -> Option<Ladder> {
        let (id, width) = (self.u32()?, self.f32()?);
        let (top, bottom, length) = (self.f32s()?, self.f32s()?, self.f32()?);
        let direction = self.u32()?;
        let dangling = if version == 6 { self.u8()? } else { 0 };
        let mut areas = [0; 5];
        for area in &mut areas {
            *area = self.u32()?;
        }
        Some(Ladder { id, width, top, bottom, length, direction, dangling, areas })
    }
}
