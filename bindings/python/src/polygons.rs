//! The areas of a Source 2 mesh as the file has them, which is what scripts for awpy ask for.

use crate::fault::Fault;
use crate::give::{Triple, array};
use crate::nav::Nav;
use crate::take::Id;
use navmap::format::source::{PolygonArea, Source2Nav};
use navmap::{Error, Result};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::collections::HashMap;

/// The areas of a Source 2 mesh, read up to the last of them; what follows in the file is not looked at.
#[pyclass(frozen, module = "navmap", name = "_Polygons")]
pub(crate) struct Polygons {
    areas: Vec<Polygon>,
    corners: Vec<Triple>,
    /// Ids of areas that links over edges lead to, each once for an area.
    links: Vec<u32>,
    ladders: Vec<u32>,
    by_id: HashMap<u32, u32>,
    analyzed: bool,
}

/// An area, and where its parts end in the lists of all; they begin where those of the area before end.
struct Polygon {
    id: u32,
    hull: u8,
    flags: u64,
    center: Triple,
    size: f32,
    corners: u32,
    links: u32,
    above: u32,
    below: u32,
}

/// The size of an area to the digit that awpy gives, which adds up products of 32 bits.
fn size(area: &PolygonArea<'_>) -> f32 {
    let next = area.corners().skip(1).chain(area.corners().take(1));
    let twice = area.corners().zip(next).fold(0.0, |sum, (a, b)| sum + (a[0] * b[1] - b[0] * a[1]));
    0.5 * f32::abs(twice)
}

impl Polygons {
    fn read(nav: &Source2Nav<'_>) -> Result<Self> {
        let mut all = Self {
            areas: Vec::new(),
            corners: Vec::new(),
            links: Vec::new(),
            ladders: Vec::new(),
            by_id: HashMap::new(),
            analyzed: nav.flags() & 1 != 0,
        };
        for area in nav.areas() {
            all.push(&area?);
        }
        Ok(all)
    }

    fn push(&mut self, area: &PolygonArea<'_>) {
        self.corners.extend(area.corners().map(|[x, y, z]| (x, y, z)));
        let first = self.links.len();
        for link in area.edges().flatten() {
            let to = link.area().get();
            if !self.links.get(first..).unwrap_or_default().contains(&to) {
                self.links.push(to);
            }
        }
        self.ladders.extend(area.ladders_above().iter().map(|id| id.get()));
        let above = self.ladders.len() as u32;
        self.ladders.extend(area.ladders_below().iter().map(|id| id.get()));
        let [x, y, z] = area.center();
        let id = area.id().get();
        self.by_id.entry(id).or_insert(self.areas.len() as u32);
        self.areas.push(Polygon {
            id,
            hull: area.hull(),
            flags: area.attributes().bits(),
            center: (x, y, z),
            size: size(area),
            corners: self.corners.len() as u32,
            links: self.links.len() as u32,
            above,
            below: self.ladders.len() as u32,
        });
    }

    /// Where the parts of an area begin: corners, links, ladders.
    fn begins(&self, at: u32) -> [usize; 3] {
        let before = at.checked_sub(1).and_then(|before| self.areas.get(before as usize));
        before.map_or([0; 3], |area| [area.corners, area.links, area.below].map(|end| end as usize))
    }

    fn column<'py, T>(
        &self,
        py: Python<'py>,
        code: &str,
        of: impl Fn(&Polygon) -> T,
    ) -> PyResult<Bound<'py, PyAny>>
    where
        T: zerocopy::IntoBytes + zerocopy::Immutable,
    {
        array(py, code, &self.areas.iter().map(of).collect::<Vec<T>>())
    }
}

#[pymethods]
impl Polygons {
    /// Reads the areas of an open mesh.
    #[new]
    fn new(py: Python<'_>, nav: &Bound<'_, Nav>) -> PyResult<Self> {
        let mesh = &nav.get().mesh;
        let read = py.detach(|| match mesh.nav().as_view::<Source2Nav<'_>>() {
            Some(view) => Self::read(view).map_err(|error| error.in_file(mesh.bytes().location())),
            None => {
                let why = "is not one of Source 2, which is what awpy reads";
                Err(Error::invalid("mesh", why).in_file(mesh.bytes().location()))
            }
        });
        Ok(read.map_err(Fault::from)?)
    }

    fn __len__(&self) -> usize {
        self.areas.len()
    }

    #[getter]
    fn analyzed(&self) -> bool {
        self.analyzed
    }

    /// A column for each value that an area has one of, in file order.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        let counts = |end: fn(&Polygon) -> u32| {
            let mut last = 0;
            let count = |area: &Polygon| end(area).wrapping_sub(std::mem::replace(&mut last, end(area)));
            self.areas.iter().map(count).collect::<Vec<u32>>()
        };
        columns.set_item("area_id", self.column(py, "I", |area| area.id)?)?;
        columns.set_item("hull_index", self.column(py, "I", |area| u32::from(area.hull))?)?;
        columns
            .set_item("dynamic_attribute_flags", self.column(py, "q", |area| area.flags.cast_signed())?)?;
        columns.set_item("n_corners", array(py, "I", &counts(|area| area.corners))?)?;
        columns.set_item("centroid_x", self.column(py, "f", |area| area.center.0)?)?;
        columns.set_item("centroid_y", self.column(py, "f", |area| area.center.1)?)?;
        columns.set_item("centroid_z", self.column(py, "f", |area| area.center.2)?)?;
        columns.set_item("size", self.column(py, "f", |area| area.size)?)?;
        columns.set_item("n_connections", array(py, "I", &counts(|area| area.links))?)?;
        Ok(columns)
    }

    /// Everything about one area, or None.
    fn area<'py>(&self, py: Python<'py>, id: Id) -> PyResult<Option<Bound<'py, PyDict>>> {
        let at = u32::try_from(id.0).ok().and_then(|id| self.by_id.get(&id).copied());
        let Some((at, area)) = at.and_then(|at| Some((at, self.areas.get(at as usize)?))) else {
            return Ok(None);
        };
        let [corners, links, ladders] = self.begins(at);
        let above = area.above as usize;
        let dict = PyDict::new(py);
        dict.set_item("area_id", area.id)?;
        dict.set_item("hull_index", area.hull)?;
        dict.set_item("dynamic_attribute_flags", area.flags.cast_signed())?;
        dict.set_item("corners", self.corners.get(corners..area.corners as usize))?;
        dict.set_item("connections", self.links.get(links..area.links as usize))?;
        let list = |ids: Option<&[u32]>| PyList::new(py, ids.unwrap_or_default());
        dict.set_item("ladders_above", list(self.ladders.get(ladders..above))?)?;
        dict.set_item("ladders_below", list(self.ladders.get(above..area.below as usize))?)?;
        dict.set_item("centroid", area.center)?;
        dict.set_item("size", area.size)?;
        Ok(Some(dict))
    }
}
