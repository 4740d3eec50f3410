//! Base objects that carry a navmesh of their own.

use super::form::{FormId, Tag};
use super::navm::within;
use super::plugin::Plugin;
use super::view::NavMesh;
use super::walk::{Record, Records, Wanted};
use navmap_core::bytes::Scratch;
use navmap_core::error::{Error, Result};
use std::iter::FusedIterator;

/// A base object: something that a plugin may place many times, such as a static or a door. In Fallout 4 and later its record may
/// have an NVNM field, a ready-made piece of navmesh in the object's coordinates, which the editor copies where the object is
/// placed.
///
/// No real file with such a field has been seen. The kinds of records are from public definitions.
#[derive(Debug, Clone, Copy)]
pub struct BaseObject<'a> {
    record: Record<'a>,
    kind: &'static str,
    index: u32,
}

impl<'a> BaseObject<'a> {
    /// Its FormID, local to the plugin.
    pub fn form_id(&self) -> FormId {
        self.record.form_id()
    }

    /// The kind of its record: `ACTI`, `DOOR`, `FURN`, `GBFM` or `STAT`.
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// Its number among the base objects in the file, from 0.
    pub fn index(&self) -> u32 {
        self.index
    }

    /// The record itself.
    pub fn record(&self) -> &Record<'a> {
        &self.record
    }

    /// The mesh, in place if the record is uncompressed, else inflated into `scratch`. `None` if the object is deleted, or has no
    /// mesh or an empty field: most have none.
    ///
    /// # Errors
    /// If the data cannot be inflated, or its fields or the mesh cannot be read. The error names the record by number and FormID.
    /// Its offset is in the file, or in the inflated data.
    pub fn mesh<'s>(&self, scratch: &'s mut Scratch) -> Result<Option<NavMesh<'s>>>
    where
        'a: 's,
    {
        if self.record.is_deleted() {
            return Ok(None);
        }
        let mut fields = self.record.fields(scratch).map_err(|error| self.name(error, false))?;
        let inflated = fields.is_inflated();
        let field = fields.find_tag(Tag(*b"NVNM")).map_err(|error| self.name(error, inflated))?;
        match field.filter(|field| !field.data.is_empty()) {
            Some(field) => NavMesh::parse_at(field.data, field.offset)
                .and_then(|mesh| within(&fields, mesh))
                .map(Some)
                .map_err(|error| self.name(error, inflated)),
            None => Ok(None),
        }
    }

    #[cold]
    fn name(&self, error: Error, inflated: bool) -> Error {
        let form = self.form_id();
        let error = error.in_record(self.kind, self.index.into());
        if inflated { error.named(format_args!("{form}, compressed")) } else { error.named(form) }
    }
}

/// The kinds of base objects that may have a navmesh.
const KINDS: [(Tag, &str); 5] =
    [(Tag::ACTI, "ACTI"), (Tag::DOOR, "DOOR"), (Tag::FURN, "FURN"), (Tag::GBFM, "GBFM"), (Tag::STAT, "STAT")];

impl<'a> Plugin<'a> {
    /// Every base object that may have a navmesh, in file order: `ACTI`, `DOOR`, `FURN`, `GBFM` and `STAT` records of Fallout 4
    /// and later games, none in others. [`BaseObject::mesh`] shows whether one has a mesh. Groups of other records are skipped,
    /// and damage in them is left to [`navmeshes`](Self::navmeshes). Allocates nothing, reads only headers.
    pub fn base_objects(&self) -> BaseObjects<'a> {
        let has_them = self.game().has_object_meshes();
        BaseObjects { records: has_them.then(|| self.walk(Wanted::OBJECTS)), next: 0 }
    }
}

/// The base objects of a plugin, in file order: see [`Plugin::base_objects`].
///
/// A damaged group yields an error, and the walk continues if it can.
#[derive(Debug, Clone)]
pub struct BaseObjects<'a> {
    records: Option<Records<'a>>,
    next: u32,
}

impl<'a> Iterator for BaseObjects<'a> {
    type Item = Result<BaseObject<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let records = self.records.as_mut()?;
        loop {
            let record = match records.next()? {
                Ok(record) => record,
                Err(error) if records.is_inside_wanted(&error) => return Some(Err(error)),
                Err(_) => continue,
            };
            let Some((_, kind)) = KINDS.iter().find(|(tag, _)| *tag == record.tag()) else { continue };
            let index = self.next;
            self.next = index.saturating_add(1);
            return Some(Ok(BaseObject { record, kind, index }));
        }
    }
}

impl FusedIterator for BaseObjects<'_> {}
