//! The navmesh records of a plugin.

use super::fallout3;
use super::fields::{Fields, exactly};
use super::form::{FormId, Tag};
use super::record::{RecordHeader, Xclc};
use super::view::NavMesh;
use super::walk::{Record, RecordPlace, Records};
use navmap_core::Limits;
use navmap_core::bytes::Scratch;
use navmap_core::error::{Error, Result};
use std::iter::FusedIterator;

/// One `NAVM` record: its header, its place, and access to its mesh.
#[derive(Debug, Clone, Copy)]
pub struct NavmRecord<'a> {
    record: Record<'a>,
    place: RecordPlace<'a>,
    index: u32,
}

impl<'a> NavmRecord<'a> {
    /// Its FormID, local to the plugin.
    pub fn form_id(&self) -> FormId {
        self.record.form_id()
    }

    /// Its number among the navmesh records of the file, from 0.
    pub fn index(&self) -> u32 {
        self.index
    }

    /// The same with another number.
    pub(super) fn numbered(self, index: u32) -> Self {
        Self { index, ..self }
    }

    /// The record itself.
    pub fn record(&self) -> &Record<'a> {
        &self.record
    }

    /// The record's header.
    pub fn header(&self) -> &'a RecordHeader {
        self.record.header()
    }

    /// Its place among the groups.
    pub fn place(&self) -> &RecordPlace<'a> {
        &self.place
    }

    /// Its cell, by the label of the nearest group of a cell's children.
    pub fn cell(&self) -> Option<FormId> {
        self.place.cell
    }

    /// Its worldspace, by the label of the nearest group of a worldspace's children.
    pub fn world(&self) -> Option<FormId> {
        self.place.world
    }

    /// The grid coordinates `(x, y)` of its cell, from the cell's own `XCLC`. Known for an exterior cell whose record precedes
    /// the mesh and can be read. The beginning of a compressed cell record is inflated.
    pub fn grid(&self, scratch: &mut Scratch) -> Option<(i32, i32)> {
        let cell = self.place.cell_record?;
        let field = cell.first_fields(scratch).ok()?.find_tag(Tag(*b"XCLC")).ok()??;
        let head = super::fields::Field { data: field.data.get(..size_of::<Xclc>())?, ..field };
        exactly::<Xclc>(&head, "XCLC").ok().map(Xclc::grid)
    }

    /// Whether it is deleted. A deleted record has no mesh.
    pub fn is_deleted(&self) -> bool {
        self.record.is_deleted()
    }

    /// Whether its data is compressed. If so, its mesh has to be inflated; otherwise the mesh is viewed in place.
    pub fn is_compressed(&self) -> bool {
        self.record.is_compressed()
    }

    /// The mesh: viewed in place if the record is uncompressed, else inflated into `scratch`, which it then borrows. `None` if
    /// the record is deleted, also if it still has data, or empty.
    ///
    /// # Errors
    /// If the data cannot be inflated, or its fields or the mesh cannot be read. The error names the record by number and FormID.
    /// Its offset is in the file, or in the inflated data.
    pub fn mesh<'s>(&self, scratch: &'s mut Scratch) -> Result<Option<NavMesh<'s>>>
    where
        'a: 's,
    {
        if self.is_deleted() {
            return Ok(None);
        }
        let fields = self.record.fields(scratch).map_err(|error| self.name(error, false))?;
        let inflated = fields.is_inflated();
        mesh_of(fields).map_err(|error| self.name(error, inflated))
    }

    /// The mesh in place: zero-copy, borrowed from the file itself. `None` if the data is compressed, or if there is no
    /// mesh, as in a deleted record.
    ///
    /// # Errors
    /// Those of [`mesh`](Self::mesh).
    pub fn mesh_in_place(&self) -> Result<Option<NavMesh<'a>>> {
        let Some(fields) = self.record.fields_in_place().filter(|_| !self.is_deleted()) else {
            return Ok(None);
        };
        mesh_of(fields).map_err(|error| self.name(error, false))
    }

    #[cold]
    fn name(&self, error: Error, inflated: bool) -> Error {
        let form = self.form_id();
        let error = error.in_record("NAVM", self.index.into());
        if inflated { error.named(format_args!("{form}, compressed")) } else { error.named(form) }
    }
}

/// Refuses a mesh of more triangles than the record that these fields are of may have.
pub(super) fn within<'m>(fields: &Fields<'_>, mesh: NavMesh<'m>) -> Result<NavMesh<'m>> {
    let (triangles, most) = (mesh.triangles().len() as u64, fields.most_triangles());
    Limits::charge("triangles by the stored bytes", triangles, most)
        .map_err(|error| error.at(mesh.offset))?;
    Ok(mesh)
}

/// The mesh among the fields of a record: one NVNM, or the separate fields of Fallout 3.
pub(super) fn mesh_of(fields: Fields<'_>) -> Result<Option<NavMesh<'_>>> {
    let (all, offset) = (fields.rest(), fields.offset());
    let mut separate = fallout3::Parts::default();
    for field in fields.clone() {
        let field = field?;
        if field.tag == Tag(*b"NVNM") {
            return within(&fields, NavMesh::parse_at(field.data, field.offset)?).map(Some);
        }
        separate.offer(field);
    }
    separate.assemble(all, offset)?.map(|mesh| within(&fields, mesh)).transpose()
}

/// The navmesh records of a plugin, in file order: see [`Plugin::navmeshes`](super::Plugin::navmeshes).
///
/// A damaged group yields an error, and the walk continues if it can.
#[derive(Debug, Clone)]
pub struct NavmRecords<'a> {
    records: Records<'a>,
    next: u32,
}

impl<'a> NavmRecords<'a> {
    pub(super) fn new(records: Records<'a>) -> Self {
        Self { records, next: 0 }
    }
}

impl NavmRecords<'_> {
    /// The same records in pieces, each numbered from 0.
    pub(super) fn pieces(&self) -> Vec<Self> {
        self.records.pieces().into_iter().map(Self::new).collect()
    }
}

impl<'a> Iterator for NavmRecords<'a> {
    type Item = Result<NavmRecord<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let record = match self.records.next()? {
            Ok(record) => record,
            Err(error) => return Some(Err(error)),
        };
        let index = self.next;
        self.next = index.saturating_add(1);
        Some(Ok(NavmRecord { record, place: self.records.place(), index }))
    }
}

impl FusedIterator for NavmRecords<'_> {}
