//! Answers of an index, and the costs of paths.

use crate::give::{Triple, array, triple};
use navmap::draw::Trail;
use navmap::graph::Point;
use navmap::query::{Area, Cost, Misuse, NavIndex, Overlay, PathScratch, Query, Way};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// What a way costs, by the names that awpy gives, and by the game's own costs.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Weight {
    Distance,
    Hops,
    Size,
    Cheapest,
    Engine,
}

impl<'py> FromPyObject<'_, 'py> for Weight {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(match object.extract::<String>()?.as_str() {
            "distance" => Self::Distance,
            "hops" => Self::Hops,
            "size" => Self::Size,
            "cheapest" => Self::Cheapest,
            "engine" => Self::Engine,
            other => {
                let why = "the weights are 'distance', 'hops', 'size', 'cheapest' and 'engine'";
                return Err(PyValueError::new_err(format!("there is no weight '{other}'; {why}")));
            }
        })
    }
}

impl Weight {
    /// Hands a query with this weight to `ask`.
    pub(crate) fn query<T>(
        self,
        index: &NavIndex,
        overlay: Option<&Overlay>,
        ask: impl FnOnce(Query<'_>) -> T,
    ) -> T {
        let size = |area: Area| index.area_size(area).unwrap_or_default();
        let sizes = |way: &Way| Some((size(way.from) + size(way.to)) as f32);
        let custom = |cost| Query::shortest().with_cost(Cost::Custom(cost));
        let query = match self {
            Self::Distance => Query::shortest(),
            Self::Hops => custom(&|_| Some(1.0)),
            Self::Size => custom(&sizes),
            Self::Cheapest => Query::cheapest(),
            Self::Engine => Query::default(),
        };
        ask(query.with_overlay(overlay))
    }
}

/// An area near a point.
#[pyclass(frozen, module = "navmap", get_all)]
pub(crate) struct Nearest {
    /// The id of the area.
    pub(crate) id: u64,
    /// How far its closest point is, in units.
    pub(crate) distance: f32,
    /// Its closest point.
    pub(crate) point: Triple,
}

#[pymethods]
impl Nearest {
    fn __repr__(&self) -> String {
        let (x, y, z) = self.point;
        format!("Nearest(id={}, distance={}, point=({x}, {y}, {z}))", self.id, self.distance)
    }
}

/// The areas near many points, as arrays with one value for each point.
#[pyclass(frozen, module = "navmap")]
pub(crate) struct NearestMany {
    ids: Vec<i64>,
    distances: Vec<f32>,
    x: Vec<f32>,
    y: Vec<f32>,
    z: Vec<f32>,
}

impl NearestMany {
    pub(crate) fn new(found: &[Option<navmap::query::Nearest>], id: impl Fn(Area) -> i64) -> Self {
        let axis = |pick: fn(Point) -> f32| {
            found.iter().map(|found| found.map_or(f32::NAN, |found| pick(found.point))).collect()
        };
        Self {
            ids: found.iter().map(|found| found.map_or(-1, |found| id(found.area))).collect(),
            distances: found
                .iter()
                .map(|found| found.map_or(f32::INFINITY, |found| found.distance))
                .collect(),
            x: axis(|p| p.x),
            y: axis(|p| p.y),
            z: axis(|p| p.z),
        }
    }
}

#[pymethods]
impl NearestMany {
    /// The ids, -1 where there is no area.
    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, "q", &self.ids)
    }

    /// The distances, infinite where there is no area.
    #[getter]
    fn distances<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, "f", &self.distances)
    }

    /// First coordinate of the closest points, NaN where there is no area.
    #[getter]
    fn x<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, "f", &self.x)
    }

    /// Second coordinate of the closest points.
    #[getter]
    fn y<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, "f", &self.y)
    }

    /// Third coordinate of the closest points.
    #[getter]
    fn z<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, "f", &self.z)
    }

    fn __len__(&self) -> usize {
        self.ids.len()
    }

    fn __repr__(&self) -> String {
        let found = self.ids.iter().filter(|id| **id != -1).count();
        format!("<NearestMany: {found} of {} points>", self.ids.len())
    }
}

/// A way: its areas, what it costs, and the corners of the walk.
#[pyclass(frozen, module = "navmap")]
pub(crate) struct Route {
    pub(crate) areas: Vec<u64>,
    kinds: Vec<&'static str>,
    pub(crate) cost: f32,
    pub(crate) points: Vec<Point>,
    /// The corners of each area.
    pub(crate) outlines: Vec<Vec<Point>>,
}

impl Route {
    /// The latest way of a scratch.
    ///
    /// # Errors
    /// If an end is not finite.
    pub(crate) fn latest(
        index: &NavIndex,
        scratch: &PathScratch,
        cost: f32,
        ends: [Option<Point>; 2],
    ) -> Result<Self, Misuse> {
        let steps: Vec<Area> = scratch.areas().collect();
        let center = |area: Option<&Area>| area.and_then(|area| index.center(*area)).unwrap_or_default();
        let [start, end] =
            [ends[0].unwrap_or(center(steps.first())), ends[1].unwrap_or(center(steps.last()))];
        let mut points = vec![Point::default(); scratch.straighten(index, start, end, &mut [])?];
        scratch.straighten(index, start, end, &mut points)?;
        let outline = |area: &Area| {
            let mut corners = vec![Point::default(); index.corners(*area, &mut [])];
            index.corners(*area, &mut corners);
            corners
        };
        Ok(Self {
            areas: steps.iter().filter_map(|area| index.id(*area)).collect(),
            kinds: scratch.steps(index).filter_map(|step| step.way).map(|way| way.kind.name()).collect(),
            cost,
            points,
            outlines: steps.iter().map(outline).collect(),
        })
    }

    /// How it is drawn.
    pub(crate) fn trail(&self) -> Trail {
        let ends = [self.points.first(), self.points.last()].into_iter().flatten();
        let ids = [self.areas.first(), self.areas.last()].into_iter().flatten();
        Trail {
            lines: vec![self.points.clone()],
            passed: self.outlines.clone(),
            ends: ends.copied().zip(ids.map(|id| format!("#{id}"))).collect(),
            begins: 1,
            ends_are: ["start", "end"].map(str::to_owned),
            name: "way".to_owned(),
            steps: self.kinds.len(),
            ..Trail::default()
        }
    }
}

#[pymethods]
impl Route {
    /// The ids of its areas, from start to end inclusive.
    #[getter]
    fn areas(&self) -> Vec<u64> {
        self.areas.clone()
    }

    /// How each link is passed: 'walk', 'jump', 'ladder' ... One fewer than areas.
    #[getter]
    fn kinds(&self) -> Vec<&'static str> {
        self.kinds.clone()
    }

    /// What it costs, by the weight that was asked for.
    #[getter]
    fn cost(&self) -> f32 {
        self.cost
    }

    /// The corners of the shortest walk through its areas, both ends included.
    #[getter]
    fn points(&self) -> Vec<Triple> {
        self.points.iter().map(|p| triple(*p)).collect()
    }

    fn __len__(&self) -> usize {
        self.areas.len()
    }

    fn __repr__(&self) -> String {
        format!("<Route of {} areas, cost {}>", self.areas.len(), self.cost)
    }
}
