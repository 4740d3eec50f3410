//! Who holds which area: what `navmap._control` is asked, and what it asks.

use crate::give::array;
use crate::index::Index;
use navmap::graph::{Point, Up};
use navmap::query::Area;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// The options of `Index.map_control`.
pub(crate) struct Control<'a, 'py> {
    pub(crate) method: Option<&'a str>,
    pub(crate) visibility: Option<Bound<'py, PyAny>>,
    pub(crate) smokes: Option<Bound<'py, PyAny>>,
    pub(crate) fires: Option<Bound<'py, PyAny>>,
    pub(crate) detail: bool,
    /// Of eyes, of the eyes of a player who crouches, and of what is looked at.
    pub(crate) heights: [f64; 3],
    pub(crate) max_distance: Option<f64>,
    pub(crate) contest_margin: f64,
    pub(crate) fov: f64,
}

impl<'py> Control<'_, 'py> {
    pub(crate) fn compute(
        self,
        index: &Bound<'py, Index>,
        ct: &Bound<'py, PyAny>,
        t: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = PyDict::new(index.py());
        options.set_item("method", self.method)?;
        options.set_item("visibility", self.visibility)?;
        for (name, spheres) in [("smokes", self.smokes), ("fires", self.fires)] {
            options.set_item(name, spheres.unwrap_or_else(|| PyTuple::empty(index.py()).into_any()))?;
        }
        options.set_item("detail", self.detail)?;
        for (name, height) in
            ["eye_height", "crouch_eye_height", "target_height"].into_iter().zip(self.heights)
        {
            options.set_item(name, height)?;
        }
        options.set_item("max_distance", self.max_distance)?;
        options.set_item("contest_margin", self.contest_margin)?;
        options.set_item("fov", self.fov)?;
        let control = index.py().import("navmap._control")?.getattr("of_teams")?;
        control.call((index, ct, t), Some(&options))
    }
}

/// Centers and sizes of all areas in the order of `ids`, and the number of the axis that is up.
pub(crate) fn grounds<'py>(py: Python<'py>, asked: &Index) -> PyResult<Bound<'py, PyDict>> {
    let index = asked.nav();
    let center = |area: &Area| index.center(*area).unwrap_or(Point::new(0.0, 0.0, 0.0));
    let centers: Vec<Point> = asked.order().iter().map(center).collect();
    let axis = |of: fn(&Point) -> f32| array(py, "f", &centers.iter().map(of).collect::<Vec<f32>>());
    let columns = PyDict::new(py);
    columns.set_item("up", if index.axes().up == Up::Y { 1 } else { 2 })?;
    columns.set_item("area_id", asked.ids(py)?)?;
    columns.set_item("centroid_x", axis(|at| at.x)?)?;
    columns.set_item("centroid_y", axis(|at| at.y)?)?;
    columns.set_item("centroid_z", axis(|at| at.z)?)?;
    let size = |area: &Area| index.area_size(*area).unwrap_or_default();
    columns.set_item("size", array(py, "d", &asked.order().iter().map(size).collect::<Vec<f64>>())?)?;
    Ok(columns)
}
