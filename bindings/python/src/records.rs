//! Records of fixed size as buffers: parts of the file, which is held as one `bytes` object and never mapped.

use crate::fault::Fault;
use crate::nav::Nav;
use navmap::Result;
use navmap::format::AnyNav;
use navmap::format::fox::FoxNav;
use navmap::format::quake::{Edicts, QuakeNav, Traversals};
use navmap::open::Mesh;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyMemoryView, PySlice, PyTuple};
use zerocopy::{Immutable, IntoBytes};

/// The name, type and number of values of a field, in the words of NumPy.
type Field = (&'static str, &'static str, usize);

/// Records of one sort that lie one after the other in the file.
pub(crate) struct Records<'a> {
    pub(crate) name: &'static str,
    /// The group, in a format whose files have several.
    group: Option<u32>,
    bytes: &'a [u8],
    fields: &'static [Field],
}

fn of<'a, T: IntoBytes + Immutable>(
    name: &'static str,
    records: &'a [T],
    fields: &'static [Field],
) -> Records<'a> {
    Records { name, group: None, bytes: records.as_bytes(), fields }
}

const XYZ: &[Field] = &[("x", "<f4", 1), ("y", "<f4", 1), ("z", "<f4", 1)];

fn quake<'a>(nav: &QuakeNav<'a>) -> Vec<Records<'a>> {
    const NODE: &[Field] =
        &[("flags", "<u2", 1), ("link_count", "<u2", 1), ("first_link", "<u2", 1), ("radius", "<u2", 1)];
    const LINK: &[Field] =
        &[("target", "<u2", 1), ("kind", "u1", 1), ("flags", "u1", 1), ("traversal", "<u2", 1)];
    const PLAIN: &[Field] = &[("funnel", "<f4", 3), ("start", "<f4", 3), ("end", "<f4", 3)];
    const LADDER: &[Field] =
        &[("funnel", "<f4", 3), ("start", "<f4", 3), ("end", "<f4", 3), ("plane", "<f4", 3)];
    const BARE: &[Field] = &[("link", "<u2", 1), ("mins", "<f4", 3), ("maxs", "<f4", 3)];
    const HANDLES: &[Field] = &[
        ("link", "<u2", 1),
        ("mins", "<f4", 3),
        ("maxs", "<f4", 3),
        ("targetname", "<i4", 1),
        ("classname", "<i4", 1),
    ];
    const ENTITY: &[Field] =
        &[("link", "<u2", 1), ("mins", "<f4", 3), ("maxs", "<f4", 3), ("entity", "<i4", 1)];
    const MODEL: &[Field] =
        &[("link", "<u2", 1), ("model", "<i4", 1), ("mins", "<f4", 3), ("maxs", "<f4", 3)];
    vec![
        of("nodes", nav.nodes(), NODE),
        of("origins", nav.origins(), XYZ),
        of("links", nav.links(), LINK),
        match nav.traversals() {
            Traversals::Plain(list) => of("traversals", list, PLAIN),
            Traversals::Ladder(list) => of("traversals", list, LADDER),
        },
        match nav.edicts() {
            Edicts::Bare(list) => of("edicts", list, BARE),
            Edicts::Handles(list) => of("edicts", list, HANDLES),
            Edicts::Entity(list) => of("edicts", list, ENTITY),
            Edicts::Model(list) => of("edicts", list, MODEL),
        },
    ]
}

fn fox<'a>(nav: &FoxNav<'a>) -> Result<Vec<Records<'a>>> {
    const POSITION: &[Field] = &[("x", "<u2", 1), ("y", "<u2", 1), ("z", "<u2", 1)];
    const SEGMENT: &[Field] = &[
        ("vertex_base", "<u2", 1),
        ("face_base", "<u2", 1),
        ("edge_base", "<u2", 1),
        ("node_base", "<u2", 1),
        ("vertices", "u1", 1),
        ("faces", "u1", 1),
        ("edges", "u1", 1),
        ("nodes", "u1", 1),
    ];
    const NODE: &[Field] =
        &[("links", "<u2", 1), ("segment", "<u2", 1), ("inside", "u1", 1), ("crossing", "u1", 1)];
    const EDGE: &[Field] = &[("weight", "<u2", 1), ("segment", "<u2", 1), ("a", "u1", 1), ("b", "u1", 1)];
    let mut all = Vec::new();
    for (number, group) in (0..).zip(nav.groups()) {
        let group = group?;
        let own = [
            of("vertices", group.mesh().vertices(), POSITION),
            of("segments", group.segment_chunk().segments(), SEGMENT),
            of("nav_positions", group.world().positions(), POSITION),
            of("nav_nodes", group.world().nodes(), NODE),
            of("nav_edges", group.world().edges(), EDGE),
        ];
        all.extend(own.map(|records| Records { group: Some(number), ..records }));
    }
    Ok(all)
}

/// Everything of fixed size in a file.
///
/// # Errors
/// If the file is damaged.
pub(crate) fn all(mesh: &Mesh) -> Result<Vec<Records<'_>>> {
    match mesh.nav() {
        AnyNav::Quake(nav) => Ok(quake(nav)),
        AnyNav::Fox(nav) => fox(nav).map_err(|error| error.in_file(mesh.bytes().location())),
        _ => Ok(Vec::new()),
    }
}

impl Records<'_> {
    /// The fields as NumPy reads a dtype: `[("target", "<u2"), ("start", "<f4", (3,))]`.
    pub(crate) fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let fields = self.fields.iter().map(|(name, kind, count)| match count {
            1 => (*name, *kind).into_pyobject(py),
            count => Ok((*name, *kind, (*count,)).into_pyobject(py)?.into_any().cast_into::<PyTuple>()?),
        });
        PyList::new(py, fields.collect::<PyResult<Vec<_>>>()?)
    }

    /// The bytes as a part of the file that holds them.
    pub(crate) fn view<'py>(&self, py: Python<'py>, nav: &Nav) -> PyResult<Bound<'py, PyAny>> {
        let held = nav.held.bind(py);
        let len = self.bytes.len();
        let first = self.bytes.as_ptr().addr().saturating_sub(held.as_bytes().as_ptr().addr());
        let range = if len == 0 { 0..0 } else { first..first.saturating_add(len) };
        let (start, end) = (isize::try_from(range.start)?, isize::try_from(range.end)?);
        PyMemoryView::from(held.as_any())?.get_item(PySlice::new(py, start, end, 1))
    }
}

/// The records of this name.
///
/// # Errors
/// If there are none. Lists the names.
pub(crate) fn find<'a>(mesh: &'a Mesh, name: &str, group: u32) -> PyResult<Records<'a>> {
    let mut all = all(mesh).map_err(Fault::from)?;
    let fits = |records: &Records<'_>| records.name == name && records.group.is_none_or(|own| own == group);
    let Some(at) = all.iter().position(fits) else {
        let mut names: Vec<&str> = all.iter().map(|records| records.name).collect();
        names.dedup();
        names.sort_unstable();
        names.dedup();
        let family = mesh.family();
        return Err(PyValueError::new_err(match (names.contains(&name), names.is_empty()) {
            (true, _) => format!("there is no group {group}"),
            (false, true) => format!("{family} meshes have no records of fixed size that could be lent"),
            (false, false) => format!("there are no records '{name}'; there are {}", names.join(", ")),
        }));
    };
    Ok(all.swap_remove(at))
}
