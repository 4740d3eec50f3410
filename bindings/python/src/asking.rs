//! What questions to an index have in common: ends of ways, memory of searches, batches.

use crate::index::Index;
use crate::route::Weight;
use crate::take::{Id, Ids, point};
use crate::threads::{share, work};
use navmap::graph::Point;
use navmap::query::{Area, Misuse, NavIndex, Overlay, PathScratch, Spot as Sought, World};
use navmap::threads::locked;
use pyo3::exceptions::{PyKeyError, PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyMapping, PyString};
use rayon::prelude::*;
use std::sync::{Mutex, OnceLock};

/// From so many points on a batch is shared out between threads.
const SHARED: usize = 8192;

/// Rows of a distance matrix between two looks at the keyboard.
const ROWS: usize = 256;

pub(crate) fn misused(misuse: Misuse) -> PyErr {
    PyValueError::new_err(misuse.to_string())
}

impl Index {
    pub(crate) fn new(world: World) -> Self {
        Self { world, order: OnceLock::new(), pool: Mutex::default() }
    }

    #[inline]
    pub(crate) fn nav(&self) -> &NavIndex {
        self.world.index()
    }

    /// The areas in file order.
    pub(crate) fn order(&self) -> &[Area] {
        self.order.get_or_init(|| {
            let mut order: Vec<Area> = self.nav().areas().collect();
            order.sort_by_key(|area| self.nav().node(*area));
            order
        })
    }

    /// The id of an area, as arrays of 64 bits have it.
    #[inline]
    pub(crate) fn id(&self, area: Area) -> i64 {
        self.nav().id(area).unwrap_or(u64::MAX).cast_signed()
    }

    pub(crate) fn area(&self, id: u64) -> PyResult<Area> {
        self.nav().by_id(id).ok_or_else(|| self.no_area(id))
    }

    #[cold]
    fn no_area(&self, id: u64) -> PyErr {
        let lost = Sought::Id(id).find(self.nav(), 0.0, |_| true).err();
        PyKeyError::new_err(lost.map_or_else(|| format!("no area #{id}"), |lost| lost.to_string()))
    }

    /// What was found for each point, by a question that asks many at once.
    pub(crate) fn many<T: Copy + Send + Sync>(
        &self,
        py: Python<'_>,
        points: &[Point],
        ask: impl Fn(&[Point], &mut [Option<T>]) + Sync,
    ) -> PyResult<Vec<Option<T>>> {
        let mut found = Vec::new();
        room(&mut found, points.len(), None)?;
        py.detach(|| match points.len() {
            ..SHARED => ask(points, &mut found),
            _ => share(|| {
                let parts = points.par_chunks(SHARED / 4).zip(found.par_chunks_mut(SHARED / 4));
                parts.for_each(|(points, found)| ask(points, found));
            }),
        });
        Ok(found)
    }

    pub(crate) fn with_scratch<T>(&self, work: impl FnOnce(&mut PathScratch) -> T) -> T {
        let pooled = locked(&self.pool).pop();
        let mut scratch = pooled.unwrap_or_else(|| PathScratch::new(self.nav()));
        let done = work(&mut scratch);
        locked(&self.pool).push(scratch);
        done
    }

    /// An end of a way: an id, the name of a place, or a point. `None` if no area is under the point.
    pub(crate) fn end(&self, object: &Bound<'_, PyAny>) -> PyResult<Option<(Area, Option<Point>)>> {
        if object.is_instance_of::<PyBool>() {
            return Err(PyTypeError::new_err(
                "an end of a way is an id, a point or the name of a place, not bool",
            ));
        }
        if object.is_instance_of::<PyInt>() || (object.hasattr("__index__")? && !object.hasattr("__len__")?) {
            return Ok(Some((self.area(object.extract::<Id>()?.0)?, None)));
        }
        if let Ok(name) = object.cast::<PyString>() {
            let sought = Sought::Place(name.to_string_lossy().into_owned());
            let found = sought.find(self.nav(), 0.0, |_| true);
            return found
                .map(|found| Some((found.area, None)))
                .map_err(|lost| PyKeyError::new_err(lost.to_string()));
        }
        let at = point(object)?;
        Ok(self.nav().area_at(at, None).map(|area| (area, Some(at))))
    }

    /// The area nearest to a point, no farther than `snap`.
    #[cold]
    pub(crate) fn snapped(&self, p: Point, snap: Option<f32>) -> Option<Area> {
        self.nav().nearest(p, snap?).map(|near| near.area)
    }

    /// The area of a point by the game's rule, or else the nearest no farther than `snap`.
    pub(crate) fn area_of(&self, p: Point, snap: Option<f32>) -> Option<Area> {
        self.nav().area_at(p, None).or_else(|| self.snapped(p, snap))
    }

    pub(crate) fn overlay(
        &self,
        avoid: Option<Ids>,
        factors: Option<&Bound<'_, PyMapping>>,
    ) -> PyResult<Option<Overlay>> {
        if avoid.is_none() && factors.is_none() {
            return Ok(None);
        }
        let mut overlay = Overlay::new(self.nav());
        for factor in factors.map(|of| of.items()).transpose()?.into_iter().flatten() {
            let (id, factor): (Bound<'_, PyAny>, f32) = factor.extract()?;
            if factor.is_nan() || factor < 1.0 {
                return Err(PyValueError::new_err(format!("a factor is at least 1, not {factor}")));
            }
            overlay.scale(self.area(id.extract::<Id>()?.0)?, factor);
        }
        for id in avoid.map(|ids| ids.0).unwrap_or_default() {
            overlay.block(self.area(id)?);
        }
        Ok(Some(overlay))
    }

    pub(crate) fn all_or(&self, ids: Option<Ids>) -> PyResult<Vec<Area>> {
        match ids {
            None => Ok(self.order().to_vec()),
            Some(ids) => ids.0.into_iter().map(|id| self.area(id)).collect(),
        }
    }

    /// What the way from each source to each target costs, row by row.
    ///
    /// # Errors
    /// If there is none of either or no memory for so many, for a weight that the mesh does not have, and an interrupt.
    pub(crate) fn matrix(
        &self,
        py: Python<'_>,
        sources: &[Area],
        targets: &[Area],
        weight: Weight,
    ) -> PyResult<Vec<f32>> {
        if sources.is_empty() || targets.is_empty() {
            return Err(PyValueError::new_err("a matrix needs at least one source and one target"));
        }
        let mut costs = Vec::new();
        room(&mut costs, sources.len().saturating_mul(targets.len()), f32::INFINITY)?;
        let index = self.nav();
        let row = |(from, row): (&Area, &mut [f32])| {
            self.with_scratch(|scratch| {
                let mut all = vec![0.0; index.len()];
                weight.query(index, None, |query| scratch.distance_map(index, *from, &query, &mut all))?;
                for (cost, area) in row.iter_mut().zip(targets) {
                    *cost = all.get(area.position() as usize).copied().unwrap_or(f32::INFINITY);
                }
                Ok(())
            })
        };
        for (sources, costs) in sources.chunks(ROWS).zip(costs.chunks_mut(ROWS.saturating_mul(targets.len())))
        {
            let rows = || sources.par_iter().zip(costs.par_chunks_mut(targets.len())).try_for_each(row);
            work(py, rows).map_err(misused)?;
            py.check_signals()?;
        }
        Ok(costs)
    }
}

/// Makes room for so many values, or says that there is none.
pub(crate) fn room<T: Clone>(values: &mut Vec<T>, count: usize, value: T) -> PyResult<()> {
    let reserved = values.try_reserve_exact(count);
    reserved.map_err(|_| PyMemoryError::new_err(format!("no memory for {count} values")))?;
    values.resize(count, value);
    Ok(())
}
