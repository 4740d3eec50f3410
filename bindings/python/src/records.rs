//! Records of fixed size as buffers: parts of the file, which is held as one `bytes` object and never mapped.

use crate::fault::Fault;
use crate::nav::Nav;
use navmap::Result;
use navmap::format::fox::FoxNav;
use navmap::format::quake::{Edicts, QuakeNav, Traversals};
use navmap::format::{Field, Number, Record};
use navmap::open::Mesh;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyMemoryView, PySlice, PyTuple};
use zerocopy::{Immutable, IntoBytes};

/// Records of one sort that lie one after the other in the file.
pub(crate) struct Records<'a> {
    pub(crate) name: &'static str,
    /// The group, in a format whose files have several.
    group: Option<u32>,
    bytes: &'a [u8],
    fields: &'static [Field],
}

fn named<'a, T: Record + IntoBytes + Immutable>(name: &'static str, records: &'a [T]) -> Records<'a> {
    Records { name, group: None, bytes: records.as_bytes(), fields: T::FIELDS }
}

fn quake<'a>(nav: &QuakeNav<'a>) -> Vec<Records<'a>> {
    vec![
        named("nodes", nav.nodes()),
        named("origins", nav.origins()),
        named("links", nav.links()),
        match nav.traversals() {
            Traversals::Plain(list) => named("traversals", list),
            Traversals::Ladder(list) => named("traversals", list),
        },
        match nav.edicts() {
            Edicts::Bare(list) => named("edicts", list),
            Edicts::Handles(list) => named("edicts", list),
            Edicts::Entity(list) => named("edicts", list),
            Edicts::Model(list) => named("edicts", list),
        },
    ]
}

fn fox<'a>(nav: &FoxNav<'a>) -> Result<Vec<Records<'a>>> {
    let mut all = Vec::new();
    for (number, group) in (0..).zip(nav.groups()) {
        let group = group?;
        let own = [
            named("vertices", group.mesh().vertices()),
            named("segments", group.segment_chunk().segments()),
            named("nav_positions", group.world().positions()),
            named("nav_nodes", group.world().nodes()),
            named("nav_edges", group.world().edges()),
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
    let nav = mesh.nav();
    match (nav.as_view(), nav.as_view()) {
        (Some(nav), _) => Ok(quake(nav)),
        (_, Some(nav)) => fox(nav).map_err(|error| error.in_file(mesh.bytes().location())),
        _ => Ok(Vec::new()),
    }
}

/// A number in the words of NumPy.
fn word(number: Number) -> &'static str {
    match number {
        Number::U8 => "u1",
        Number::U16 => "<u2",
        Number::U32 => "<u4",
        Number::I16 => "<i2",
        Number::I32 => "<i4",
        Number::F32 => "<f4",
        _ => "V",
    }
}

impl Records<'_> {
    /// The fields as NumPy reads a dtype: `[("target", "<u2"), ("start", "<f4", (3,))]`.
    pub(crate) fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let fields = Field::columns(self.fields);
        let fields = fields.into_iter().map(|(name, number, count)| match (word(number), count) {
            (word, 1) => (name, word).into_pyobject(py),
            (word, count) => {
                Ok((name, word, (count,)).into_pyobject(py)?.into_any().cast_into::<PyTuple>()?)
            }
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
