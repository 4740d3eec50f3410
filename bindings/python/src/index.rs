//! Questions to a mesh: where am I, what is near, how do I get there.

use crate::asking::{misused, room};
use crate::control::{Control, grounds};
use crate::give::{Triple, array, rows, triple};
use crate::located::{distances, locate, visible};
use crate::reading::refused;
use crate::remote::opened;
use crate::route::{Nearest, NearestMany, Route, Weight};
use crate::take::{Id, Ids, Named, Spot, Spots};
use navmap::query::{Area, Misuse, Outcome, PathScratch, Policy, Query, World};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyType};
use std::collections::HashSet;
use std::sync::{Mutex, OnceLock};

/// What answers questions about a mesh. See `Nav.index`.
///
/// It owns its data and never changes, so any number of threads may ask it. Areas are named by their ids.
#[pyclass(frozen, module = "navmap")]
pub(crate) struct Index {
    pub(crate) world: World,
    /// The areas in file order.
    pub(crate) order: OnceLock<Vec<Area>>,
    /// Memory of searches, one for each thread that is at one.
    pub(crate) pool: Mutex<Vec<PathScratch>>,
}

#[pymethods]
impl Index {
    /// Opens a path and builds its index: a mesh, a folder or an archive with the tiles of a map, or a folder of plugins,
    /// which is a load order. Borders and doors lead from tile to tile and from plugin to plugin. The path may be an address, as in
    /// `navmap.scan`.
    ///
    /// >>> navmap.Index.open("corpus/fox/set")
    /// <Index of 462 faces>
    #[classmethod]
    #[pyo3(signature = (path, *, landmarks = true))]
    fn open(_class: &Bound<'_, PyType>, py: Python<'_>, path: Named, landmarks: bool) -> PyResult<Self> {
        let policy = Policy::default().with_refuse(None).with_landmarks(landmarks);
        let (world, _) = opened(py, &path.0, |path| World::open(path, &policy).map_err(refused))?;
        Ok(Self::new(world))
    }

    fn __len__(&self) -> usize {
        self.nav().len()
    }

    fn __contains__(&self, id: &Bound<'_, PyAny>) -> PyResult<bool> {
        match id.extract::<Id>() {
            Ok(id) => Ok(self.nav().by_id(id.0).is_some()),
            Err(error) if error.is_instance_of::<PyKeyError>(id.py()) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn __repr__(&self) -> String {
        format!("<Index of {} {}s>", self.nav().len(), self.nav().node_word())
    }

    /// The ids of all areas, in file order: an `array.array` of signed 64 bits.
    #[getter]
    pub(crate) fn ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let ids: Vec<i64> = self.order().iter().map(|area| self.id(*area)).collect();
        array(py, "q", &ids)
    }

    /// The names of all places.
    #[getter]
    fn places(&self) -> Vec<String> {
        self.nav().places().to_vec()
    }

    /// The id of the area under a point by the game's rule, or None: the highest whose ground is a little above the point
    /// or at most `reach` below it. `reach` is the game's own if it is not given (120 units in Source). With `snap`, a point
    /// that is in none has the nearest area that is no farther, such as the floor that a position lies a few units under.
    ///
    /// >>> index = navmap.open("corpus/source/town.nav").index()
    /// >>> index.find_area((1e6, 0, 0)) is None
    /// True
    #[pyo3(signature = (point, reach = None, *, snap = None))]
    #[inline]
    fn find_area(&self, point: Spot, reach: Option<f32>, snap: Option<f32>) -> Option<u64> {
        let found = self.nav().area_at(point.0, reach).or_else(|| self.snapped(point.0, snap));
        found.and_then(|area| self.nav().id(area))
    }

    /// The id of the area that somebody at a point stands on, or None: that of `find_area`, if its ground is under the point. In a
    /// map of Quake III that may be an area whose ground is elsewhere. A way begins and ends there. With `snap`, a point that is over no
    /// ground has the nearest area that is no farther.
    ///
    /// >>> index = navmap.open("corpus/aas/v5-full.aas").index()
    /// >>> index.find_area((4, 4, 120)) == index.stands_on((4, 4, 25)), index.stands_on((4, 4, 120))
    /// (True, None)
    #[pyo3(signature = (point, *, snap = None))]
    fn stands_on(&self, point: Spot, snap: Option<f32>) -> Option<u64> {
        let found = self.nav().stands_on(point.0).or_else(|| self.snapped(point.0, snap));
        found.and_then(|area| self.nav().id(area))
    }

    /// `find_area` for many points: an array of shape (n, 3) of floats or integers, a data frame of three columns or with x, y
    /// and z among them, or an iterable of points. Gives an `array.array` of ids, signed 64 bits, -1 where there is no area. NumPy takes it
    /// without copying. Batches of thousands use all cores.
    ///
    /// >>> index = navmap.open("corpus/source/town.nav").index()
    /// >>> list(index.find_areas([(1e6, 0, 0), (0, 1e6, 0)]))
    /// [-1, -1]
    #[pyo3(signature = (points, reach = None, *, snap = None))]
    fn find_areas<'py>(
        &self,
        py: Python<'py>,
        points: Spots,
        reach: Option<f32>,
        snap: Option<f32>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let index = self.nav();
        let found = self.many(py, &points.0, |points, found| {
            index.area_at_many(points, reach, found);
            if snap.is_some() {
                for (p, found) in points.iter().zip(found) {
                    *found = found.or_else(|| self.snapped(*p, snap));
                }
            }
        })?;
        let ids =
            py.detach(|| found.iter().map(|area| area.map_or(-1, |area| self.id(area))).collect::<Vec<_>>());
        array(py, "q", &ids)
    }

    /// The areas above, on and below a point: (id, height of the ground there), the highest first. The floors of a house.
    ///
    /// >>> index = navmap.open("corpus/source/town.nav").index()
    /// >>> id, height = index.levels(nav.areas[0].center)[0]
    /// >>> id in index
    /// True
    fn levels(&self, point: Spot) -> Vec<(u64, f32)> {
        let mut levels = Vec::new();
        self.nav().levels_at(point.0, |area, z| levels.extend(self.nav().id(area).map(|id| (id, z))));
        levels.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        levels
    }

    /// Adds to a frame of points where they are: `area` (its id, null where there is none), `place`, `height` above its ground
    /// (null without an area), `distance` to the closest point of the area, or of the nearest where there is none, and `levels`, how many areas lie
    /// above, on and below the point.
    ///
    /// Takes a frame of polars, pandas or pyarrow, a NumPy array of shape (n, 3) or a list of points, and gives the same kind
    /// with these columns: a structured array for an array, dictionaries for a list. `columns` are the three that hold the
    /// point, `x`, `y` and `z` if not given. `reach` and `snap` are those of `find_area`. `prefix` stands before the names of what is
    /// added. A frame that has a column of such a name is a ValueError, unless `locate` has added them all before.
    ///
    /// >>> index = navmap.open("corpus/source/town.nav").index()
    /// >>> index.locate([(1e6, 0.0, 0.0)])[0]["area"] is None
    /// True
    #[pyo3(signature = (frame, columns = None, *, reach = None, snap = None, prefix = ""))]
    fn locate<'py>(
        this: &Bound<'py, Self>,
        frame: &Bound<'py, PyAny>,
        columns: Option<Vec<String>>,
        reach: Option<f32>,
        snap: Option<f32>,
        prefix: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let locate = this.py().import("navmap._frames")?.getattr("locate")?;
        locate.call1((this, frame, columns, reach, snap, prefix))
    }

    /// What `locate` adds, as arrays.
    #[pyo3(signature = (points, reach = None, snap = None))]
    fn _locate<'py>(
        &self,
        py: Python<'py>,
        points: Spots,
        reach: Option<f32>,
        snap: Option<f32>,
    ) -> PyResult<Bound<'py, PyDict>> {
        locate(py, self, &points, reach, snap)
    }

    /// How far it is from each point to the point of the same row: an `array.array` of floats, infinite where there is no
    /// way, NaN where a point is in no area. Points are what `find_areas` takes; one point on a side stands for all rows. A
    /// way goes from the point to the center of its area, from center to center, and on to the other point; within one area
    /// it is straight. Batches use all cores.
    ///
    /// >>> index = navmap.open("corpus/source/town.nav").index()
    /// >>> center = index.center(index.ids[0])
    /// >>> list(index.distances([center], [center]))
    /// [0.0]
    #[pyo3(signature = (start, end, *, weight = Weight::Distance, snap = None))]
    #[pyo3(text_signature = "($self, start, end, *, weight='distance', snap=None)")]
    fn distances<'py>(
        &self,
        py: Python<'py>,
        start: Spots,
        end: Spots,
        weight: Weight,
        snap: Option<f32>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let lengths = distances(py, self, &start, &end, weight, snap)?;
        array(py, "f", &lengths)
    }

    /// Who sees whom, as the file says it of areas: for each point and the point of the same row 2 if all of the other area is
    /// seen from everywhere in the first, 1 if something, 0 if nothing, and -1 where a point is in no area; an `array.array`
    /// of signed bytes. Points are what `distances` takes. ValueError if the file knows of no sight, or the index was
    /// built without `tactics`: analysed meshes of Source of version 16 know it, those of Team Fortress 2 for example.
    ///
    /// >>> index = navmap.open("corpus/source/town.nav").index(tactics=True)
    /// >>> at = index.center(index.ids[0])
    /// >>> index.visible([at], [at])[0] > 0
    /// True
    #[pyo3(signature = (start, end, *, snap = None))]
    fn visible<'py>(
        &self,
        py: Python<'py>,
        start: Spots,
        end: Spots,
        snap: Option<f32>,
    ) -> PyResult<Bound<'py, PyAny>> {
        array(py, "b", &visible(py, self, &start, &end, snap)?)
    }

    /// Who holds which area, from the positions of two teams, as awpy computes it.
    ///
    /// A team is what `find_areas` takes: a frame, an array or a list of points. A frame may have the columns `yaw` (degrees over
    /// the ground, from the first of its axes to the second), `crouched` and `blind` too. `method` is 'reachability' (who is there
    /// first, within `contest_margin` units of way both), 'raycast' (who sees it) or 'vision' (who looks there and sees it). The last
    /// two ask `visibility`, which has `is_visible(a, b)`, as `awpy.VisibilityChecker`. Lengths are those of Counter-Strike, in
    /// units. `smokes` and `fires` are spheres `(x, y, z, radius)`: nobody sees through the ones or walks through the others.
    ///
    /// Returns the shares of the map by size, `ct_fraction`, `t_fraction`, `contested_fraction`, `neutral_fraction` and
    /// `net_control`, and with `detail` the lists `area_ids`, `control`, `ct` and `t`.
    ///
    /// >>> index = navmap.open("corpus/source/town.nav").index()
    /// >>> held = index.map_control([index.center(index.ids[0])], [])
    /// >>> held["ct_fraction"] > 0 and held["t_fraction"] == 0
    /// True
    #[pyo3(signature = (ct, t, *, method = None, visibility = None, smokes = None, fires = None, detail = true, eye_height = 64.0, crouch_eye_height = 46.0, target_height = 46.0, max_distance = None, contest_margin = 200.0, fov = 90.0))]
    #[allow(clippy::too_many_arguments)] // each of them is one word in Python
    fn map_control<'py>(
        this: &Bound<'py, Self>,
        ct: &Bound<'py, PyAny>,
        t: &Bound<'py, PyAny>,
        method: Option<&str>,
        visibility: Option<Bound<'py, PyAny>>,
        smokes: Option<Bound<'py, PyAny>>,
        fires: Option<Bound<'py, PyAny>>,
        detail: bool,
        eye_height: f64,
        crouch_eye_height: f64,
        target_height: f64,
        max_distance: Option<f64>,
        contest_margin: f64,
        fov: f64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let heights = [eye_height, crouch_eye_height, target_height];
        let asked =
            Control { method, visibility, smokes, fires, detail, heights, max_distance, contest_margin, fov };
        asked.compute(this, ct, t)
    }

    /// Centers and sizes of all areas in the order of `ids`, and the number of the axis that is up.
    fn _grounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        grounds(py, self)
    }

    /// The area nearest to a point, no farther than `max_distance`, or None. Knows nothing of walls.
    #[pyo3(signature = (point, max_distance = f32::INFINITY))]
    fn nearest(&self, point: Spot, max_distance: f32) -> Option<Nearest> {
        let found = self.nav().nearest(point.0, max_distance)?;
        Some(Nearest { id: self.nav().id(found.area)?, distance: found.distance, point: triple(found.point) })
    }

    /// `nearest` for many points: ids (-1 where there is none), distances and closest points as arrays.
    #[pyo3(signature = (points, max_distance = f32::INFINITY))]
    fn nearest_many(&self, py: Python<'_>, points: Spots, max_distance: f32) -> PyResult<NearestMany> {
        let index = self.nav();
        let found =
            self.many(py, &points.0, |points, found| index.nearest_many(points, max_distance, found))?;
        Ok(py.detach(|| NearestMany::new(&found, |area| self.id(area))))
    }

    /// The ids of the areas no farther from a point than `radius`, in 3D and to the closest point, the nearest first.
    fn within(&self, point: Spot, radius: f32) -> Vec<u64> {
        let mut near = Vec::new();
        self.nav().within(point.0, radius, |found| near.push((found.distance, found.area)));
        near.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        near.into_iter().filter_map(|(_, area)| self.nav().id(area)).collect()
    }

    /// The ids of the areas that can be reached directly from one, each once, in file order.
    fn neighbors(&self, area_id: Id) -> PyResult<Vec<u64>> {
        let area = self.area(area_id.0)?;
        let mut seen = HashSet::new();
        let ways = self.nav().links(area).filter(|way| seen.insert(way.to));
        Ok(ways.filter_map(|way| self.nav().id(way.to)).collect())
    }

    /// The center of an area, from which lengths are measured.
    fn center(&self, area_id: Id) -> PyResult<Option<Triple>> {
        Ok(self.nav().center(self.area(area_id.0)?).map(triple))
    }

    /// The place of an area, or None.
    fn place(&self, area_id: Id) -> PyResult<Option<&str>> {
        Ok(self.nav().place(self.area(area_id.0)?))
    }

    /// Whether there is any way from one area to another. A look at a table.
    fn reachable(&self, start: Id, end: Id) -> PyResult<bool> {
        Ok(self.nav().reachable(self.area(start.0)?, self.area(end.0)?))
    }

    /// The ids of the areas of the best way, from start to end inclusive; empty if there is none.
    ///
    /// Start and end are each an id, a point (which means the area under it) or the name of a place (which means its area
    /// closest to the middle). `weight` is 'distance' (the shortest way, from center to center, and the length of
    /// ladders), 'hops' (fewest areas), 'size' (sum of the sizes of adjacent areas), 'cheapest' (by the game's own costs)
    /// or 'engine' (what the game itself would find). Areas in `avoid` are closed; links into an area of `factors` cost so
    /// many times as much.
    ///
    /// >>> index = navmap.open("corpus/source/town.nav").index()
    /// >>> ids = index.ids
    /// >>> index.find_path(ids[0], ids[0]) == [ids[0]]
    /// True
    #[pyo3(signature = (start, end, *, weight = Weight::Distance, avoid = None, factors = None))]
    #[pyo3(text_signature = "($self, start, end, *, weight='distance', avoid=None, factors=None)")]
    fn find_path(
        &self,
        py: Python<'_>,
        start: &Bound<'_, PyAny>,
        end: &Bound<'_, PyAny>,
        weight: Weight,
        avoid: Option<Ids>,
        factors: Option<&Bound<'_, PyMapping>>,
    ) -> PyResult<Vec<u64>> {
        let (Some((from, _)), Some((to, _))) = (self.end(start)?, self.end(end)?) else { return Ok(vec![]) };
        let overlay = self.overlay(avoid, factors)?;
        let found = py.detach(|| {
            self.with_scratch(|scratch| {
                let query = |query: Query<'_>| scratch.path(self.nav(), from, to, &query);
                Ok(match weight.query(self.nav(), overlay.as_ref(), query)? {
                    Outcome::Found { .. } => scratch.areas().filter_map(|area| self.nav().id(area)).collect(),
                    _ => Vec::new(),
                })
            })
        });
        found.map_err(misused)
    }

    /// The best way with its cost and its corners, or None. Takes what `find_path` takes.
    ///
    /// >>> index = navmap.open("corpus/source/town.nav").index()
    /// >>> ids = index.ids
    /// >>> route = index.find_route(ids[0], ids[1])
    /// >>> route is None or route.areas[0] == ids[0]
    /// True
    #[pyo3(signature = (start, end, *, weight = Weight::Distance, avoid = None, factors = None))]
    #[pyo3(text_signature = "($self, start, end, *, weight='distance', avoid=None, factors=None)")]
    fn find_route(
        &self,
        py: Python<'_>,
        start: &Bound<'_, PyAny>,
        end: &Bound<'_, PyAny>,
        weight: Weight,
        avoid: Option<Ids>,
        factors: Option<&Bound<'_, PyMapping>>,
    ) -> PyResult<Option<Route>> {
        let (Some((from, begin)), Some((to, goal))) = (self.end(start)?, self.end(end)?) else {
            return Ok(None);
        };
        let overlay = self.overlay(avoid, factors)?;
        let found = py.detach(|| {
            self.with_scratch(|scratch| {
                let query = |query: Query<'_>| scratch.path(self.nav(), from, to, &query);
                match weight.query(self.nav(), overlay.as_ref(), query)? {
                    Outcome::Found { cost } => {
                        Route::latest(self.nav(), scratch, cost, [begin, goal]).map(Some)
                    }
                    _ => Ok(None),
                }
            })
        });
        found.map_err(|misuse| match misuse {
            Misuse::NotFinite => PyValueError::new_err(format!(
                "no line leads from {start} to {end}, since {misuse}; find_path gives the areas"
            )),
            other => misused(other),
        })
    }

    /// What the way from one area to each other one costs: an `array.array` of floats in the order of `ids`, infinite
    /// where there is no way. With `reverse`, from each other one to this.
    ///
    /// >>> index = navmap.open("corpus/source/town.nav").index()
    /// >>> index.distance_map(index.ids[0])[0]
    /// 0.0
    #[pyo3(signature = (start, *, weight = Weight::Distance, reverse = false, avoid = None, factors = None))]
    #[pyo3(text_signature = "($self, start, *, weight='distance', reverse=False, avoid=None, factors=None)")]
    #[allow(clippy::too_many_arguments)] // each of them is one word in Python
    fn distance_map<'py>(
        &self,
        py: Python<'py>,
        start: &Bound<'py, PyAny>,
        weight: Weight,
        reverse: bool,
        avoid: Option<Ids>,
        factors: Option<&Bound<'py, PyMapping>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (from, _) =
            self.end(start)?.ok_or_else(|| PyValueError::new_err("no area is under the point"))?;
        let overlay = self.overlay(avoid, factors)?;
        let mut costs = Vec::new();
        room(&mut costs, self.nav().len(), 0.0)?;
        let costs = py.detach(|| {
            self.with_scratch(|scratch| {
                let index = self.nav();
                weight.query(index, overlay.as_ref(), |query| match reverse {
                    false => scratch.distance_map(index, from, &query, &mut costs),
                    true => scratch.distance_map_to(index, from, &query, &mut costs),
                })?;
                let at = |area: &Area| costs.get(area.position() as usize).copied().unwrap_or(f32::INFINITY);
                Ok(self.order().iter().map(at).collect::<Vec<f32>>())
            })
        });
        array(py, "f", &costs.map_err(misused)?)
    }

    /// What the ways between areas cost: a `memoryview` of floats, one row for each source and one column for each
    /// target, infinite where there is no way. Both are all areas in the order of `ids` if they are not given. Uses all
    /// cores, and can be interrupted.
    ///
    /// >>> index = navmap.open("corpus/source/town.nav").index()
    /// >>> index.distance_matrix(index.ids[:2], index.ids[:3]).shape
    /// (2, 3)
    #[pyo3(signature = (sources = None, targets = None, *, weight = Weight::Distance))]
    #[pyo3(text_signature = "($self, sources=None, targets=None, *, weight='distance')")]
    fn distance_matrix<'py>(
        &self,
        py: Python<'py>,
        sources: Option<Ids>,
        targets: Option<Ids>,
        weight: Weight,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (sources, targets) = (self.all_or(sources)?, self.all_or(targets)?);
        let costs = self.matrix(py, &sources, &targets, weight)?;
        rows(py, &costs, [sources.len(), targets.len()])
    }
}
