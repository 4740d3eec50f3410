//! The meshes that a graph holds: in the file, or inflated.

use super::form::FormId;
use super::navm::NavmRecord;
use super::object::BaseObject;
use super::record::Parent;
use super::space::SpaceId;
use super::view::NavMesh;
use navmap_core::bytes::Scratch;
use navmap_core::error::Result;
use navmap_core::threads::spread;

#[derive(Debug)]
pub(super) struct Mesh<'a> {
    pub(super) form: FormId,
    /// Its record among those of navmeshes; `None` if it has none.
    pub(super) record: Option<u32>,
    /// Its number in the plugin: that of the record, or after all of those that of a base object with a mesh.
    pub(super) number: u32,
    pub(super) space: SpaceId,
    /// Grid of an exterior cell.
    pub(super) grid: Option<(i16, i16)>,
    pub(super) body: Body<'a>,
    pub(super) first_node: u32,
}

#[derive(Debug)]
pub(super) enum Body<'a> {
    Here(Box<NavMesh<'a>>),
    /// The inflated fields of the record.
    Inflated(Box<[u8]>),
}

/// The meshes of some records, on all cores.
pub(super) fn read_all<'a>(records: &[NavmRecord<'a>]) -> Vec<Result<Option<Mesh<'a>>>> {
    use rayon::prelude::*;
    let read = |scratch: &mut Scratch, record| Mesh::read(record, scratch);
    spread(|| records.par_iter().map_init(Scratch::new, read).collect())
}

impl<'a> Mesh<'a> {
    pub(super) fn new(form: FormId, parent: Parent, world: Option<FormId>, body: Body<'a>) -> Self {
        let grid = match parent {
            Parent::Exterior { x, y, .. } => Some((x, y)),
            Parent::Interior { .. } | Parent::Cell { .. } => None,
        };
        let space = SpaceId::new(parent, world);
        Self { form, record: None, number: 0, space, grid, body, first_node: 0 }
    }

    /// The mesh of a record; `None` if it has none.
    fn read(record: &NavmRecord<'a>, scratch: &mut Scratch) -> Result<Option<Self>> {
        let of = |parent: Parent, body: Body<'a>| Self {
            record: Some(record.index()),
            number: record.index(),
            ..Self::new(record.form_id(), parent, record.world(), body)
        };
        if let Some(mesh) = record.mesh_in_place()? {
            return Ok(Some(of(mesh.parent(), Body::Here(Box::new(mesh)))));
        }
        if !record.is_compressed() {
            return Ok(None);
        }
        let Some(mesh) = record.mesh(scratch)? else { return Ok(None) };
        let parent = mesh.parent();
        let data = record.record().fields(scratch)?.rest().into();
        Ok(Some(of(parent, Body::Inflated(data))))
    }

    /// The mesh of a base object, in its own space; `None` if it has none.
    pub(super) fn of_object(object: &BaseObject<'a>, scratch: &mut Scratch) -> Result<Option<Self>> {
        if object.mesh(scratch)?.is_none() {
            return Ok(None);
        }
        let (form, record) = (object.form_id(), object.record());
        let body = match record.fields_in_place().map(super::navm::mesh_of) {
            Some(Ok(Some(mesh))) => Body::Here(Box::new(mesh)),
            _ => Body::Inflated(record.fields(scratch)?.rest().into()),
        };
        let space = SpaceId::Object(form);
        Ok(Some(Self { form, record: None, number: 0, space, grid: None, body, first_node: 0 }))
    }
}

impl Body<'_> {
    /// The view. It is `Some`, since it was parsed before.
    pub(super) fn view(&self) -> Option<NavMesh<'_>> {
        match self {
            Self::Here(mesh) => Some(**mesh),
            Self::Inflated(data) => super::navm::mesh_of(super::fields::Fields::new(data, 0)).ok().flatten(),
        }
    }
}
