//! Reads the separate fields in which Fallout 3 and New Vegas store a mesh (`docs/formats/skyrim.md`, section 7).
//!
//! **Experimental**: no real file was available to confirm them.

use super::fields::{Field, exactly};
use super::iter::{Cover, DoorTriangles, EdgeLinks, Grid, Triangles, Vertices};
use super::record::{Data11, Parent};
use super::view::{NavMesh, Starts};
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, Result};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// The fields of one record that belong to a mesh.
#[derive(Debug, Default)]
pub(super) struct Parts<'a> {
    version: Option<Field<'a>>,
    data: Option<Field<'a>>,
    vertices: Option<Field<'a>>,
    triangles: Option<Field<'a>>,
    cover: Option<Field<'a>>,
    doors: Option<Field<'a>>,
    grid: Option<Field<'a>>,
    links: Option<Field<'a>>,
}

impl<'a> Parts<'a> {
    /// Keeps the field if it is part of a mesh. The first field of each kind counts.
    pub(super) fn offer(&mut self, field: Field<'a>) {
        let place = match &field.tag.0 {
            b"NVER" => &mut self.version,
            b"DATA" => &mut self.data,
            b"NVVX" => &mut self.vertices,
            b"NVTR" => &mut self.triangles,
            b"NVCA" => &mut self.cover,
            b"NVDP" => &mut self.doors,
            b"NVGD" => &mut self.grid,
            b"NVEX" => &mut self.links,
            _ => return,
        };
        place.get_or_insert(field);
    }

    /// The mesh in these fields of the record `bytes`, which begins at `offset`; `None` if there are none.
    pub(super) fn assemble(&self, bytes: &'a [u8], offset: u64) -> Result<Option<NavMesh<'a>>> {
        if self.vertices.is_none() && self.triangles.is_none() {
            return Ok(None);
        }
        let (Some(version), Some(data)) = (&self.version, &self.data) else {
            let missing = if self.version.is_none() { "NVER" } else { "DATA" };
            return Err(Error::invalid("navmesh", format!("has no {missing} field")).at(offset));
        };
        let version = exactly::<zerocopy::little_endian::U32>(version, "NVER")?.get();
        let data: &Data11 = exactly(data, "DATA")?;
        let [vertices, triangles, links, cover, doors] = data.counts();
        let start = |field: Option<Field<'_>>| field.map_or(offset, |field| field.offset);
        let starts = Starts {
            vertices: start(self.vertices),
            triangles: start(self.triangles),
            edge_links: start(self.links),
            door_triangles: start(self.doors),
            cover: start(self.cover),
            grid: start(self.grid),
            ..Starts::default()
        };
        Ok(Some(NavMesh {
            trailing: &[],
            starts,
            bytes,
            offset,
            version,
            pathing_cell: None,
            parent: Parent::Cell { cell: data.cell() },
            vertices: Vertices::Plain(array(self.vertices, vertices, "NVVX")?),
            triangles: Triangles::V12(array(self.triangles, triangles, "NVTR")?),
            edge_links: EdgeLinks::V12(array(self.links, links, "NVEX")?),
            door_triangles: DoorTriangles::V11(array(self.doors, doors, "NVDP")?),
            cover: Cover::Triangles(array(self.cover, cover, "NVCA")?),
            cover_edges: &[],
            waypoints: &[],
            grid: self.grid.map(grid).transpose()?,
            tail: None,
        }))
    }
}

/// Reads a field that is one array, whose size must be what DATA counts. A missing field is an empty array.
fn array<'a, T>(field: Option<Field<'a>>, count: u32, what: &'static str) -> Result<&'a [T]>
where
    T: FromBytes + Immutable + KnownLayout + Unaligned,
{
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let Some(field) = field else {
        return if count == 0 {
            Ok(&[])
        } else {
            Err(Error::invalid(what, format!("is missing, DATA counts {count} records")))
        };
    };
    let mut cursor = Cursor::new(field.data, field.offset);
    let list = cursor.slice(count, what)?;
    cursor.finish()?;
    Ok(list)
}

fn grid(field: Field<'_>) -> Result<Grid<'_>> {
    let mut cursor = Cursor::new(field.data, field.offset);
    let grid = Grid::take(&mut cursor, true, false)?;
    cursor.finish()?;
    Ok(grid)
}
