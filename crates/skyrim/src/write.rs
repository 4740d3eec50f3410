//! Writes a mesh as an NVNM field, and fields in the form of records (`docs/formats/skyrim.md`, sections 1.5, 3 and 4).

use super::buf::{CoverBuf, NavMeshBuf};
use super::form::Tag;
use navmap_core::error::{Error, ErrorKind, Result};
use zerocopy::IntoBytes;

impl NavMeshBuf {
    /// The bytes of the NVNM field. Counts of empty lists are written too.
    ///
    /// # Errors
    /// If a list is longer than its count can express, or the grid does not have `divisor` × `divisor` lists.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let mut out =
            Vec::with_capacity(self.vertices.len().saturating_add(self.triangles.len()).saturating_mul(24));
        out.extend(self.version.to_le_bytes());
        out.extend(self.pathing_cell.as_bytes());
        count(&mut out, "vertices", self.vertices.len())?;
        let mut marks = self.marks.iter();
        for vertex in &self.vertices {
            floats(&mut out, vertex);
            if self.shape.marked {
                out.extend(marks.next().copied().unwrap_or_default().to_le_bytes());
            }
        }
        count(&mut out, "triangles", self.triangles.len())?;
        for triangle in &self.triangles {
            for value in triangle.vertices.iter().chain(&triangle.edge_values) {
                out.extend(value.to_le_bytes());
            }
            if self.shape.tall {
                out.extend(triangle.height.to_le_bytes());
                out.push(triangle.unknown_0x10);
            }
            out.extend(triangle.flags.0.to_le_bytes());
            out.extend(triangle.cover.to_le_bytes());
        }
        count(&mut out, "edge links", self.links.len())?;
        for link in &self.links {
            out.extend(link.kind.to_le_bytes());
            out.extend(link.navmesh.as_bytes());
            out.extend(link.triangle.to_le_bytes());
            if self.shape.named_edges {
                out.push(link.edge);
            }
        }
        count(&mut out, "door triangles", self.doors.len())?;
        for door in &self.doors {
            out.extend(door.triangle.to_le_bytes());
            out.extend(door.type_hash.to_le_bytes());
            out.extend(door.reference.as_bytes());
        }
        match &self.cover {
            CoverBuf::Triangles(list) => {
                count(&mut out, "cover triangles", list.len())?;
                list.iter().for_each(|index| out.extend(index.to_le_bytes()));
            }
            CoverBuf::V15(pieces) => {
                count(&mut out, "cover segments", pieces.len())?;
                out.extend(pieces.as_bytes());
            }
            CoverBuf::V17(pieces) => {
                count(&mut out, "cover segments", pieces.len())?;
                out.extend(pieces.as_bytes());
            }
        }
        if !matches!(self.cover, CoverBuf::Triangles(_)) {
            count(&mut out, "cover edges", self.cover_edges.len())?;
            out.extend(self.cover_edges.as_bytes());
            count(&mut out, "waypoints", self.waypoints.len())?;
            out.extend(self.waypoints.as_bytes());
        }
        self.write_grid(&mut out)?;
        out.extend(self.tail.iter().flat_map(|tail| tail.as_bytes()));
        out.extend(&self.trailing);
        Ok(out)
    }

    fn write_grid(&self, out: &mut Vec<u8>) -> Result<()> {
        let grid = &self.grid;
        let cells = u64::from(grid.divisor).saturating_mul(grid.divisor.into());
        if cells != grid.lists.len() as u64 {
            let why = format!("has {} lists where {cells} belong", grid.lists.len());
            return Err(Error::invalid("grid", why));
        }
        out.extend(grid.divisor.to_le_bytes());
        floats(out, &grid.cell);
        floats(out, &grid.min);
        floats(out, &grid.max);
        for list in &grid.lists {
            count(out, "grid list", list.len())?;
            list.iter().for_each(|index| out.extend(index.to_le_bytes()));
        }
        Ok(())
    }
}

fn floats(out: &mut Vec<u8>, values: &[f32]) {
    values.iter().for_each(|value| out.extend(value.to_le_bytes()));
}

/// The count before a list.
pub(super) fn count(out: &mut Vec<u8>, what: &'static str, len: usize) -> Result<()> {
    let Ok(number) = u32::try_from(len) else {
        return Err(Error::new(ErrorKind::Limit { what, asked: len as u64, allowed: u32::MAX.into() }));
    };
    out.extend(number.to_le_bytes());
    Ok(())
}

/// A field in the form of records. If it is longer than its header can express, an `XXXX` field precedes it and its header says
/// 0.
///
/// # Errors
/// If it is longer than 4 GiB.
pub(super) fn field(out: &mut Vec<u8>, tag: Tag, data: &[u8]) -> Result<()> {
    match u16::try_from(data.len()) {
        Ok(size) => {
            out.extend(tag.0);
            out.extend(size.to_le_bytes());
        }
        Err(_) => {
            out.extend(*b"XXXX\x04\0");
            count(out, "field", data.len())?;
            out.extend(tag.0);
            out.extend([0, 0]);
        }
    }
    out.extend(data);
    Ok(())
}
