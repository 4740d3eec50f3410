//! Where many points are: their areas and what is above, below and between.

use crate::asking::{misused, room};
use crate::give::array;
use crate::index::Index;
use crate::route::Weight;
use crate::take::Spots;
use crate::threads::{share, work};
use navmap::graph::{Point, Sight};
use navmap::query::{Area, Misuse, NavIndex, Outcome};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use std::collections::HashMap;

/// From so many points on a batch is shared out between threads.
const SHARED: usize = 8192;

/// Where a point is.
#[derive(Debug, Clone, Copy)]
struct Place {
    area: Option<Area>,
    /// Above the ground of the area, along the axis that is up.
    height: f32,
    /// To the closest point of the area, or of the nearest if it is in none.
    distance: f32,
    levels: i32,
}

impl Place {
    const NOWHERE: Self = Self { area: None, height: f32::NAN, distance: f32::INFINITY, levels: 0 };

    fn of(index: &NavIndex, p: Point, reach: Option<f32>, snap: Option<f32>) -> Self {
        let (ground, levels) = index.column_at(p, reach);
        let levels = i32::try_from(levels).unwrap_or(i32::MAX);
        let near = match ground {
            Some(_) => None,
            None => index.nearest(p, f32::INFINITY),
        };
        let up = index.axes().height(p);
        match (ground, near) {
            (Some((area, z)), _) => {
                let distance = index.closest_point(area, p).map_or(f32::NAN, |point| point.distance(p));
                Self { area: Some(area), height: up - z, distance, levels }
            }
            (None, Some(near)) => {
                let snapped = snap.is_some_and(|snap| near.distance <= snap);
                let height = if snapped { up - index.axes().height(near.point) } else { f32::NAN };
                Self { area: Some(near.area).filter(|_| snapped), height, distance: near.distance, levels }
            }
            (None, None) => Self { levels, ..Self::NOWHERE },
        }
    }
}

/// Where each point is: arrays by name, and the names of places once, by number.
pub(crate) fn locate<'py>(
    py: Python<'py>,
    asked: &Index,
    points: &Spots,
    reach: Option<f32>,
    snap: Option<f32>,
) -> PyResult<Bound<'py, PyDict>> {
    let index = asked.nav();
    let mut found = Vec::new();
    room(&mut found, points.0.len(), Place::NOWHERE)?;
    let find = |(points, found): (&[Point], &mut [Place])| {
        for (p, place) in points.iter().zip(found) {
            *place = Place::of(index, *p, reach, snap);
        }
    };
    py.detach(|| match points.0.len() {
        ..SHARED => find((&points.0, &mut found)),
        _ => share(|| points.0.par_chunks(SHARED / 4).zip(found.par_chunks_mut(SHARED / 4)).for_each(find)),
    });
    let number: HashMap<&str, i32> =
        (0..).zip(index.places()).map(|(at, name)| (name.as_str(), at)).collect();
    let place = |area: Area| index.place(area).and_then(|name| number.get(name).copied());
    let ids: Vec<i64> = found.iter().map(|at| at.area.map_or(-1, |area| asked.id(area))).collect();
    let places: Vec<i32> = found.iter().map(|at| at.area.and_then(place).unwrap_or(-1)).collect();
    let columns = PyDict::new(py);
    columns.set_item("area", array(py, "q", &ids)?)?;
    columns.set_item("place", array(py, "i", &places)?)?;
    columns.set_item("height", array(py, "f", &found.iter().map(|at| at.height).collect::<Vec<_>>())?)?;
    columns.set_item("distance", array(py, "f", &found.iter().map(|at| at.distance).collect::<Vec<_>>())?)?;
    columns.set_item("levels", array(py, "i", &found.iter().map(|at| at.levels).collect::<Vec<_>>())?)?;
    Ok(columns)
}

/// Rows of two columns of points, of which one alone stands for all rows.
fn paired(starts: &[Point], ends: &[Point]) -> PyResult<usize> {
    match (starts.len(), ends.len()) {
        (a, b) if a == b => Ok(a),
        (1, rows) | (rows, 1) => Ok(rows),
        (a, b) => {
            let why = format!("there are {a} points to start from and {b} to end at");
            Err(PyValueError::new_err(why))
        }
    }
}

/// The point of a row.
fn at(points: &[Point], row: usize) -> Option<Point> {
    points.get(row).or_else(|| points.first()).copied()
}

/// What the file says of who sees whom, for each row of points. See `Index.visible`.
pub(crate) fn visible(
    py: Python<'_>,
    asked: &Index,
    start: &Spots,
    end: &Spots,
    snap: Option<f32>,
) -> PyResult<Vec<i8>> {
    let (starts, ends) = (start.0.as_slice(), end.0.as_slice());
    let rows = paired(starts, ends)?;
    let Some(tactics) = asked.nav().tactics() else {
        return Err(PyValueError::new_err("this index was built without sight: nav.index(tactics=True)"));
    };
    if !tactics.knows_sight() {
        let why = "this mesh does not say who sees whom: analysed meshes of Source of version 16 do";
        return Err(PyValueError::new_err(why));
    }
    let seen = |row: usize| {
        let area = |points| at(points, row).and_then(|point| asked.area_of(point, snap));
        match (area(starts), area(ends)) {
            (Some(from), Some(to)) => match tactics.sight(from, to) {
                Sight::Hidden => 0,
                Sight::Partly => 1,
                Sight::Wholly => 2,
            },
            _ => -1,
        }
    };
    Ok(work(py, || (0..rows).into_par_iter().map(seen).collect()))
}

/// How far it is from each point to the point of the same row. See `Index.distances`.
pub(crate) fn distances(
    py: Python<'_>,
    asked: &Index,
    start: &Spots,
    end: &Spots,
    weight: Weight,
    snap: Option<f32>,
) -> PyResult<Vec<f32>> {
    let (starts, ends) = (start.0.as_slice(), end.0.as_slice());
    let rows = paired(starts, ends)?;
    let length = |row: usize| -> Result<f32, Misuse> {
        let (Some(a), Some(b)) = (at(starts, row), at(ends, row)) else { return Ok(f32::NAN) };
        let (Some(from), Some(to)) = (asked.area_of(a, snap), asked.area_of(b, snap)) else {
            return Ok(f32::NAN);
        };
        if from == to && matches!(weight, Weight::Distance) {
            return Ok(a.distance(b));
        }
        let index = asked.nav();
        let outcome = asked.with_scratch(|scratch| {
            weight.query(index, None, |query| scratch.path(index, from, to, &query))
        })?;
        let Outcome::Found { cost } = outcome else { return Ok(f32::INFINITY) };
        let leg = |area, p: Point| index.center(area).map_or(0.0, |center| center.distance(p));
        Ok(match weight {
            Weight::Distance => leg(from, a) + cost + leg(to, b),
            _ => cost,
        })
    };
    let lengths = work(py, || (0..rows).into_par_iter().map(length).collect::<Result<Vec<f32>, Misuse>>());
    lengths.map_err(misused)
}
