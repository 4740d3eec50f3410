//! Areas, links and places of a mesh as objects, made on demand.

use crate::give::{Triple, triple};
use crate::take::Id;
use navmap::Error;
use navmap::graph::{FlatGraph, Link as GraphLink, NavGraph, Shape};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PySlice};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

/// The graph of a mesh, in flat arrays, and where its nodes are by id.
#[derive(Debug)]
pub(crate) struct IndexedGraph {
    pub(crate) flat: FlatGraph,
    /// Where the file could not be read on.
    pub(crate) error: Option<Error>,
    nodes: OnceLock<HashMap<u64, u32>>,
}

impl IndexedGraph {
    pub(crate) fn new(flat: FlatGraph, error: Option<Error>) -> Self {
        Self { flat, error, nodes: OnceLock::new() }
    }

    fn node(&self, id: u64) -> Option<u32> {
        let nodes = self.nodes.get_or_init(|| {
            // If several have this id, the first in the file counts.
            (0..self.flat.nodes().len() as u32)
                .zip(self.flat.nodes())
                .rev()
                .map(|(index, node)| (node.id, index))
                .collect()
        });
        nodes.get(&id).copied()
    }

    fn id(&self, node: u32) -> Option<u64> {
        self.flat.nodes().get(node as usize).map(|node| node.id)
    }

    /// The links that leave a node. They stand in the order of the nodes that they leave.
    fn links_of(&self, node: u32) -> std::ops::Range<usize> {
        self.flat.links().leaving(node)
    }
}

/// The hash of a part, which is equal to itself and to no part of another mesh.
fn hash(graph: &Arc<IndexedGraph>, part: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    (Arc::as_ptr(graph).addr(), part).hash(&mut hasher);
    hasher.finish()
}

/// Resolves an index that may count from the end.
fn resolve(index: isize, len: usize) -> PyResult<usize> {
    let at = if index < 0 { index.checked_add_unsigned(len) } else { Some(index) };
    let at = at.and_then(|at| usize::try_from(at).ok()).filter(|at| *at < len);
    at.ok_or_else(|| PyIndexError::new_err("index out of range"))
}

/// What `sequence[key]` gives: one item, or a list for a slice.
fn take<'py, T>(key: &Bound<'py, PyAny>, len: usize, make: impl Fn(usize) -> T) -> PyResult<Bound<'py, PyAny>>
where
    T: pyo3::PyClass + Into<pyo3::PyClassInitializer<T>>,
{
    let py = key.py();
    if let Ok(slice) = key.cast::<PySlice>() {
        let range = slice.indices(isize::try_from(len)?)?;
        let places = (0..range.slicelength).map(|nth| range.start + nth as isize * range.step);
        let items: Vec<Py<T>> =
            places.map(|at| Py::new(py, make(at.unsigned_abs()))).collect::<PyResult<_>>()?;
        return Ok(PyList::new(py, items)?.into_any());
    }
    let index = key.extract::<isize>().map_err(|_| {
        let kind = key.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!("an index is an int or a slice, not {kind}"))
    })?;
    Ok(Bound::new(py, make(resolve(index, len)?))?.into_any())
}

/// An area of a mesh: what its format calls an area, a node, a face, a triangle, a polygon.
#[pyclass(frozen, module = "navmap")]
pub(crate) struct Area {
    graph: Arc<IndexedGraph>,
    node: u32,
}

impl Area {
    fn flat(&self) -> Option<&navmap::graph::FlatNode> {
        self.graph.flat.nodes().get(self.node as usize)
    }

    fn shape(&self) -> Shape<'_> {
        self.flat().map_or(Shape::NONE, |node| self.graph.flat.shape(node))
    }
}

#[pymethods]
impl Area {
    /// The id that the file gives it.
    #[getter]
    fn id(&self) -> u64 {
        self.graph.id(self.node).unwrap_or_default()
    }

    /// Its position in the file, from 0.
    #[getter]
    fn index(&self) -> u32 {
        self.node
    }

    /// The corners in order around it, or the one point of a waypoint, in the file's axes and units.
    #[getter]
    fn corners(&self) -> Vec<Triple> {
        self.shape().corners().iter().map(|p| triple(*p)).collect()
    }

    /// The mean of the corners. None if it has none.
    #[getter]
    fn center(&self) -> Option<Triple> {
        self.shape().center().map(triple)
    }

    /// The area of the polygon in space, in square units. None for a waypoint.
    #[getter]
    fn surface(&self) -> Option<f64> {
        self.shape().area()
    }

    /// The radius of a waypoint, where the format has one.
    #[getter]
    fn radius(&self) -> Option<f32> {
        match self.shape() {
            Shape::Point { radius, .. } => radius,
            Shape::Polygon(_) => None,
        }
    }

    /// The flags as stored. A second word of flags (the game's own) is the high half.
    #[getter]
    fn flags(&self) -> u64 {
        self.flat().map_or(0, |node| node.flags)
    }

    /// The names of the flags that have one.
    #[getter]
    fn flag_names(&self) -> Vec<&'static str> {
        let flags = self.flags();
        let set = (0..64).filter(|bit| flags & (1 << bit) != 0);
        set.filter_map(|bit| self.graph.flat.flag(bit)).collect()
    }

    /// The name of the place that it lies in.
    #[getter]
    fn place(&self) -> Option<&str> {
        let place = self.flat()?.place?;
        self.graph.flat.places().get(&place).map(String::as_str)
    }

    /// The number of its group: a segment, a mesh, a hull.
    #[getter]
    fn group(&self) -> Option<u32> {
        self.flat()?.group
    }

    /// The links that leave it, in file order.
    #[getter]
    fn links(&self) -> Vec<Link> {
        let links = self.graph.links_of(self.node);
        links.map(|index| Link { graph: Arc::clone(&self.graph), index }).collect()
    }

    /// The ids of the areas that its links reach, each once, in file order.
    #[getter]
    fn neighbors(&self) -> Vec<u64> {
        let mut seen = Vec::new();
        for link in self.graph.flat.links().range(self.graph.links_of(self.node)) {
            if let Some(id) = link.to.and_then(|to| self.graph.id(to))
                && !seen.contains(&id)
            {
                seen.push(id);
            }
        }
        seen
    }

    fn __repr__(&self) -> String {
        let place = self.place().map_or_else(String::new, |place| format!(", place={place:?}"));
        let center = self.center().map_or_else(|| "None".to_owned(), |(x, y, z)| format!("({x}, {y}, {z})"));
        format!("Area(id={}, center={center}{place})", self.id())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            Arc::ptr_eq(&self.graph, &other.graph) && self.node == other.node
        })
    }

    fn __hash__(&self) -> u64 {
        hash(&self.graph, self.node)
    }
}

/// A directed link between two areas.
#[pyclass(frozen, module = "navmap")]
pub(crate) struct Link {
    graph: Arc<IndexedGraph>,
    index: usize,
}

impl Link {
    fn flat(&self) -> Option<GraphLink> {
        self.graph.flat.links().get(self.index)
    }
}

#[pymethods]
impl Link {
    /// The id of the area that it leaves.
    #[getter]
    fn source(&self) -> u64 {
        self.flat().and_then(|link| self.graph.id(link.from)).unwrap_or_default()
    }

    /// The id of the area that it reaches. None if that is not loaded or does not exist.
    #[getter]
    fn target(&self) -> Option<u64> {
        self.graph.id(self.flat()?.to?)
    }

    /// How it is passed: 'walk', 'jump', 'drop', 'ladder' ...
    #[getter]
    fn kind(&self) -> &'static str {
        self.flat().map_or("other", |link| link.kind.name())
    }

    /// Whether the game can open and close it.
    #[getter]
    fn gated(&self) -> bool {
        self.flat().is_some_and(|link| link.gated)
    }

    /// The edge that is crossed, as two points, where the format tells it.
    #[getter]
    fn portal(&self) -> Option<(Triple, Triple)> {
        let [a, b] = self.flat()?.portal?;
        Some((triple(a), triple(b)))
    }

    /// Take-off and landing of a jump, or the ends of a ladder, where the format tells them.
    #[getter]
    fn path(&self) -> Option<(Triple, Triple)> {
        let [a, b] = self.flat()?.path?;
        Some((triple(a), triple(b)))
    }

    /// How long it is in units, where that is not the line between the centers: a ladder, a teleporter.
    #[getter]
    fn length(&self) -> Option<f32> {
        self.flat()?.passage.length
    }

    /// The side of the polygon that is crossed, which runs from this corner to the next.
    #[getter]
    fn side(&self) -> Option<u8> {
        self.flat()?.passage.side
    }

    /// The file's own number for it, by which its format can look up more.
    #[getter]
    fn number(&self) -> Option<u32> {
        self.flat()?.passage.number
    }

    fn __repr__(&self) -> String {
        let target = self.target().map_or_else(|| "None".to_owned(), |id| id.to_string());
        format!("Link(source={}, target={target}, kind={:?})", self.source(), self.kind())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            Arc::ptr_eq(&self.graph, &other.graph) && self.index == other.index
        })
    }

    fn __hash__(&self) -> u64 {
        hash(&self.graph, self.index)
    }
}

/// A named place, and the areas that lie in it.
#[pyclass(frozen, module = "navmap")]
pub(crate) struct Place {
    graph: Arc<IndexedGraph>,
    /// Its name.
    #[pyo3(get)]
    name: String,
    /// The number that the file gives it.
    #[pyo3(get)]
    number: u32,
    areas: Vec<u64>,
}

#[pymethods]
impl Place {
    /// The ids of its areas, in file order.
    #[getter]
    fn areas(&self) -> Vec<u64> {
        self.areas.clone()
    }

    fn __len__(&self) -> usize {
        self.areas.len()
    }

    fn __repr__(&self) -> String {
        format!("Place(name={:?}, areas={})", self.name, self.areas.len())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            Arc::ptr_eq(&self.graph, &other.graph) && self.number == other.number
        })
    }

    fn __hash__(&self) -> u64 {
        hash(&self.graph, self.number)
    }
}

/// The places that areas lie in, by number.
pub(crate) fn places(graph: &Arc<IndexedGraph>) -> Vec<Place> {
    let mut areas: HashMap<u32, Vec<u64>> = HashMap::new();
    for node in graph.flat.nodes() {
        if let Some(place) = node.place {
            areas.entry(place).or_default().push(node.id);
        }
    }
    let named = graph.flat.places().iter();
    named
        .map(|(number, name)| Place {
            graph: Arc::clone(graph),
            name: name.clone(),
            number: *number,
            areas: areas.remove(number).unwrap_or_default(),
        })
        .collect()
}

/// All areas of a mesh, in file order: a sequence that makes each of them when it is asked for.
#[pyclass(frozen, sequence, module = "navmap")]
pub(crate) struct Areas(pub(crate) Arc<IndexedGraph>);

impl Areas {
    fn make(&self, node: usize) -> Area {
        Area { graph: Arc::clone(&self.0), node: node as u32 }
    }
}

#[pymethods]
impl Areas {
    fn __len__(&self) -> usize {
        self.0.flat.nodes().len()
    }

    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        take(key, self.__len__(), |node| self.make(node))
    }

    fn __iter__(&self) -> AreaWalk {
        AreaWalk(Self(Arc::clone(&self.0)), AtomicUsize::new(0))
    }

    /// The area with this id. Raises KeyError if there is none.
    fn by_id(&self, id: Id) -> PyResult<Area> {
        let node = self.0.node(id.0);
        node.map(|node| self.make(node as usize))
            .ok_or_else(|| PyKeyError::new_err(format!("there is no {} #{}", self.0.flat.node_word(), id.0)))
    }

    fn __repr__(&self) -> String {
        format!("<{} areas>", self.__len__())
    }
}

/// All links of a mesh, in the order of the areas that they leave.
#[pyclass(frozen, sequence, module = "navmap")]
pub(crate) struct Links(pub(crate) Arc<IndexedGraph>);

impl Links {
    fn make(&self, index: usize) -> Link {
        Link { graph: Arc::clone(&self.0), index }
    }
}

#[pymethods]
impl Links {
    fn __len__(&self) -> usize {
        self.0.flat.links().len()
    }

    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        take(key, self.__len__(), |index| self.make(index))
    }

    fn __iter__(&self) -> LinkWalk {
        LinkWalk(Self(Arc::clone(&self.0)), AtomicUsize::new(0))
    }

    fn __repr__(&self) -> String {
        format!("<{} links>", self.__len__())
    }
}

/// A walk over areas.
#[pyclass(frozen, module = "navmap")]
struct AreaWalk(Areas, AtomicUsize);

#[pymethods]
impl AreaWalk {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self) -> Option<Area> {
        let at = self.1.fetch_add(1, Relaxed);
        (at < self.0.__len__()).then(|| self.0.make(at))
    }
}

/// A walk over links.
#[pyclass(frozen, module = "navmap")]
struct LinkWalk(Links, AtomicUsize);

#[pymethods]
impl LinkWalk {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self) -> Option<Link> {
        let at = self.1.fetch_add(1, Relaxed);
        (at < self.0.__len__()).then(|| self.0.make(at))
    }
}
