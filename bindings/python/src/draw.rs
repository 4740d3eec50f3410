//! Pictures of a mesh from above.

use crate::nav::Nav;
use crate::parts::IndexedGraph;
use crate::route::Route;
use crate::take::{Id, Named, Spots};
use crate::threads::work;
use navmap::bytes::{save, save_new};
use navmap::draw::{
    Caption, Classes, ColourBy, DrawOptions, Groups, Heat, HeatBy, Layers, Picture as Page, Scale, Sheet,
    Theme, Trail,
};
use navmap::format::AnyGraph;
use navmap::graph::{FlatGraph, NavGraph, Point};
use navmap::query::{BuildOptions, NavIndex};
use navmap::text::nearest;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMapping, PyString};
use std::collections::HashMap;
use std::io;
use std::sync::Arc;

/// A picture of a mesh. A notebook shows it as SVG.
#[pyclass(frozen, module = "navmap")]
pub(crate) struct Picture {
    graph: Arc<IndexedGraph>,
    caption: Caption,
    options: DrawOptions,
    trails: Vec<Trail>,
    /// The panels of a page, if there are several: the name and the points of each.
    panels: Option<Vec<(String, Heat)>>,
    columns: Option<u16>,
}

/// What a picture shows, as Python says it.
pub(crate) struct Wanted<'py> {
    pub(crate) color: Option<String>,
    pub(crate) classes: Option<Bound<'py, PyMapping>>,
    pub(crate) routes: Option<Bound<'py, PyAny>>,
    pub(crate) layers: Option<Vec<String>>,
    pub(crate) dark: bool,
    pub(crate) width: u32,
    pub(crate) floor: Option<(f32, f32)>,
    pub(crate) area: Option<(f32, f32, f32, f32)>,
    pub(crate) heat: Option<HeatWanted<'py>>,
}

/// Points over the mesh, as Python says it.
pub(crate) struct HeatWanted<'py> {
    points: Spots,
    frame: Bound<'py, PyAny>,
    how: HeatHow<'py>,
}

/// How points are shown, as Python says it.
#[derive(Default)]
pub(crate) struct HeatHow<'py> {
    pub(crate) values: Option<Bound<'py, PyAny>>,
    pub(crate) by: Option<String>,
    pub(crate) cell: Option<f32>,
    pub(crate) log: bool,
    pub(crate) clip: Option<(f64, f64)>,
    pub(crate) title: Option<String>,
    pub(crate) track: Option<Bound<'py, PyAny>>,
    pub(crate) panels: Option<Bound<'py, PyAny>>,
    pub(crate) columns: Option<u16>,
}

/// A column of the frame by its name, or what is given for each point; and the name.
fn column<'py>(
    frame: &Bound<'py, PyAny>,
    of: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyAny>, Option<String>)> {
    match of.cast::<PyString>() {
        Ok(name) => Ok((frame.get_item(name)?, Some(name.to_string_lossy().into_owned()))),
        Err(_) => Ok((of.clone(), None)),
    }
}

/// The names in a column, and which of them each point has.
fn groups(frame: &Bound<'_, PyAny>, of: &Bound<'_, PyAny>, points: usize, what: &str) -> PyResult<Groups> {
    let mut groups = Groups::default();
    for name in column(frame, of)?.0.try_iter()? {
        groups.push(&name?.str()?.to_string_lossy());
    }
    if groups.of.len() != points {
        let why = format!("there are {points} points and {} {what}", groups.of.len());
        return Err(PyValueError::new_err(why));
    }
    Ok(groups)
}

impl<'py> HeatWanted<'py> {
    /// What `points` and the words beside it say; `None` if there are no points.
    pub(crate) fn read(points: Option<Bound<'py, PyAny>>, how: HeatHow<'py>) -> PyResult<Option<Self>> {
        let given = how.values.is_some() || how.by.is_some() || how.track.is_some() || how.panels.is_some();
        match points {
            Some(frame) => Ok(Some(Self { points: frame.extract()?, frame, how })),
            None if given => {
                let why = "values, by, track and panels are for points, of which there are none";
                Err(PyValueError::new_err(why))
            }
            None => Ok(None),
        }
    }

    /// The points, and the panels that they are in.
    fn heat(self, nav: &Nav, graph: &IndexedGraph) -> PyResult<(Heat, Option<Groups>)> {
        let Self { points, frame, how } = self;
        let points = points.0;
        let (values, name) = match &how.values {
            None => (None, None),
            Some(values) => {
                let (values, name) = column(&frame, values)?;
                (Some(values), name)
            }
        };
        let number = |value: PyResult<Bound<'_, PyAny>>| -> PyResult<f64> {
            let value = value?;
            Ok(if value.is_none() { f64::NAN } else { value.extract()? })
        };
        let values = match values {
            None => None,
            Some(values) => Some(values.try_iter()?.map(number).collect::<PyResult<Vec<f64>>>()?),
        };
        if let Some(values) = values.as_ref().filter(|values| values.len() != points.len()) {
            let why = format!("there are {} points and {} values", points.len(), values.len());
            return Err(PyValueError::new_err(why));
        }
        let length = how.cell.unwrap_or_else(|| HeatBy::usual_length(&graph.flat.axes()));
        let by = how.by.as_deref().unwrap_or("point");
        if how.track.is_some() && by != "track" {
            return Err(PyValueError::new_err("track is for by='track'"));
        }
        if !(length.is_finite() && length > 0.0) {
            return Err(PyValueError::new_err(format!("cell is a length above 0, not {length}")));
        }
        let by = match by {
            "point" => HeatBy::Point,
            "area" => {
                // Of the part of the mesh that is drawn, whose numbers are meant.
                let options = BuildOptions::default().with_group(nav.mesh.nav().ground_group());
                HeatBy::Area(work(frame.py(), || {
                    let index = NavIndex::build_with(&graph.flat, &options).value;
                    let node = |p: &Point| index.area_at(*p, None).and_then(|area| index.node(area));
                    points.iter().map(node).collect()
                }))
            }
            "cell" => HeatBy::Cell(length),
            "density" => HeatBy::Density(length),
            "track" => HeatBy::Track(match &how.track {
                None => vec![0; points.len()],
                Some(track) => groups(&frame, track, points.len(), "names in track")?.of,
            }),
            other => {
                let why = "points are shown by 'point', 'area', 'cell', 'density' or 'track'";
                return Err(PyValueError::new_err(format!("there is no by='{other}': {why}")));
            }
        };
        if how.clip.is_some_and(|(low, high)| !(low < high && (low > 0.0 || !how.log))) {
            let why = "clip is (low, high) with low below high, and above 0 with log";
            return Err(PyValueError::new_err(why));
        }
        let scale = Scale { log: how.log, clip: how.clip.map(|(low, high)| [low, high]) };
        let title = how.title.or(name).unwrap_or_else(|| "points".to_owned());
        let panels = how.panels.as_ref();
        let panels = panels.map(|of| groups(&frame, of, points.len(), "names in panels")).transpose()?;
        if let Some(names) = panels.as_ref().map(|of| of.names.len()).filter(|n| *n > Sheet::MOST_PANELS) {
            let why = format!("a page has at most {} panels, not {names}", Sheet::MOST_PANELS);
            return Err(PyValueError::new_err(why));
        }
        let heat = Heat { points, values, by, scale, title };
        unseen(frame.py(), &heat, &graph.flat)?;
        Ok((heat, panels))
    }
}

/// Warns of points that a picture lacks.
fn unseen(py: Python<'_>, heat: &Heat, graph: &FlatGraph) -> PyResult<()> {
    let [all, lost] = heat.unseen(graph);
    if lost == 0 {
        return Ok(());
    }
    let place = if matches!(heat.by, HeatBy::Area(_)) { "in no area" } else { "beyond the mesh" };
    let words = match lost == all {
        true => format!("all {all} points lie {place}: other axes or units, or another map?"),
        false => format!("{lost} of {all} points lie {place}"),
    };
    py.import("warnings")?.call_method1("warn", (words,)).map(drop)
}

/// The classes that a dictionary of ids gives, by name.
fn classes(graph: &IndexedGraph, of: &Bound<'_, PyMapping>) -> PyResult<Classes> {
    let (mut names, mut given): (Vec<String>, HashMap<u64, u32>) = (Vec::new(), HashMap::new());
    for class in of.items()? {
        let (id, name): (Id, Bound<'_, PyAny>) = class.extract()?;
        let name = name.str()?.to_string_lossy().into_owned();
        let number = names.iter().position(|known| *known == name).unwrap_or_else(|| {
            names.push(name);
            names.len().saturating_sub(1)
        });
        given.insert(id.0, number as u32);
    }
    let of = graph.flat.nodes().iter().map(|node| given.get(&node.id).copied()).collect();
    Ok(Classes { title: "class".to_owned(), names, of, without: "none".to_owned() })
}

fn trails(routes: &Bound<'_, PyAny>) -> PyResult<Vec<Trail>> {
    let wrong = || PyTypeError::new_err("routes are what find_route gives: a Route or several");
    let one = |route: &Bound<'_, PyAny>| {
        let route = route.cast::<Route>().map_err(|_| wrong())?.get();
        Ok(route.trail())
    };
    if routes.is_instance_of::<Route>() {
        return Ok(vec![one(routes)?]);
    }
    routes.try_iter().map_err(|_| wrong())?.map(|route| one(&route?)).collect()
}

/// What a picture or a page shows over a mesh, beside layers and frame.
pub(crate) struct Looked {
    /// What colours mean, and what that was called.
    pub(crate) colour: Option<(String, ColourBy)>,
    pub(crate) heat: Option<Heat>,
    /// The points of each panel, and its name.
    pub(crate) panels: Option<Vec<(String, Heat)>>,
    pub(crate) trails: Vec<Trail>,
    pub(crate) caption: Caption,
}

impl Looked {
    pub(crate) fn new(
        py: Python<'_>,
        nav: &Nav,
        graph: &IndexedGraph,
        color: Option<String>,
        of: Option<&Bound<'_, PyMapping>>,
        routes: Option<&Bound<'_, PyAny>>,
        heat: Option<HeatWanted<'_>>,
    ) -> PyResult<Self> {
        let flat = &graph.flat;
        let colour = match (of, color) {
            (Some(_), Some(_)) => return Err(PyValueError::new_err("color and classes exclude each other")),
            (Some(of), None) => Some(("class".to_owned(), ColourBy::Classes(classes(graph, of)?))),
            (None, Some(name)) => {
                let by = ColourBy::named(&name, flat).ok_or_else(|| {
                    PyValueError::new_err(format!(
                        "there is no color '{name}': height, place, island, flag, group, plain, the name of a value (cover, light), or names of flags with commas"
                    ))
                })?;
                Some((name, by))
            }
            (None, None) if routes.is_some() => Some(("plain".to_owned(), ColourBy::Plain)),
            (None, None) => None,
        };
        let (heat, panels) = heat.map(|heat| heat.heat(nav, graph)).transpose()?.unzip();
        let panels = panels.flatten().zip(heat.as_ref()).map(|(of, heat): (Groups, &Heat)| {
            let split = heat.split(&of.of, of.names.len());
            of.names.into_iter().zip(split).collect::<Vec<_>>()
        });
        if panels.is_some() && routes.is_some() {
            return Err(PyValueError::new_err("routes are drawn over one picture, not over panels"));
        }
        let (title, subtitle) = work(py, || {
            let item = nav.mesh.items().into_iter().next();
            item.map_or_else(Default::default, |item| (item.title.clone(), item.game()))
        });
        let error = graph.error.as_ref().map(|error| error.without_file().to_string());
        let caption = Caption { title, subtitle, error, ..Caption::default() };
        let trails = routes.map_or_else(|| Ok(Vec::new()), trails)?;
        Ok(Self { colour, heat, panels, trails, caption })
    }
}

impl Picture {
    pub(crate) fn draw(
        py: Python<'_>,
        nav: &Nav,
        graph: Arc<IndexedGraph>,
        wanted: Wanted<'_>,
    ) -> PyResult<Self> {
        let (of, routes) = (wanted.classes.as_ref(), wanted.routes.as_ref());
        let columns = wanted.heat.as_ref().and_then(|heat| heat.how.columns);
        let Looked { colour, heat, panels, trails, caption } =
            Looked::new(py, nav, &graph, wanted.color, of, routes, wanted.heat)?;
        let layer = |name: &String| {
            Layers::named(name).ok_or_else(|| {
                let names = || Layers::NAMED.iter().map(|(name, _)| *name);
                let near = nearest(name, names()).join(", ");
                let near = if near.is_empty() { names().collect::<Vec<_>>().join(", ") } else { near };
                PyValueError::new_err(format!("there is no layer '{name}'; there are {near}"))
            })
        };
        let layers = wanted.layers.map(|names| {
            names.iter().try_fold(Layers::NONE, |all, name| layer(name).map(|layer| all.with(layer)))
        });
        let options = DrawOptions {
            width: wanted.width,
            theme: if wanted.dark { Theme::Dark } else { Theme::Light },
            colour: colour.map(|(_, by)| by),
            layers: layers.transpose()?,
            floor: wanted.floor.map(|(low, high)| [low, high]),
            area: wanted.area.map(|(a, b, c, d)| [a, b, c, d]),
            heat: heat.map(Arc::new),
            ..DrawOptions::default()
        };
        Ok(Self { graph, caption, options, trails, panels, columns })
    }

    fn encoded(&self, png: bool) -> io::Result<Vec<u8>> {
        let (graph, mut out) = (&self.graph.flat, Vec::new());
        if let Some(panels) = &self.panels {
            let page = Sheet::panels(graph, &self.caption, &self.options, self.columns, panels.clone());
            if png {
                page.write_png(&mut out)?
            } else {
                page.write_svg(&mut out)?
            }
            return Ok(out);
        }
        let page = Page::with_trails(graph, &self.caption, &self.options, &self.trails);
        if png {
            page.write_png(&mut out)?
        } else {
            page.write_svg(&mut out)?
        }
        Ok(out)
    }
}

#[pymethods]
impl Picture {
    /// The picture as SVG.
    #[getter]
    fn svg(&self, py: Python<'_>) -> PyResult<String> {
        let svg = work(py, || self.encoded(false))?;
        String::from_utf8(svg).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// What a notebook shows.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.svg(py)
    }

    /// The picture as PNG.
    fn png<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &work(py, || self.encoded(true))?))
    }

    /// Writes it to a file that ends in .svg or .png. One that exists is an error without `force`.
    #[pyo3(signature = (path, *, force = false))]
    fn save(&self, py: Python<'_>, path: Named, force: bool) -> PyResult<()> {
        let extension = path.0.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        let png = match extension.as_deref() {
            Some("png") => true,
            Some("svg") => false,
            _ => return Err(PyValueError::new_err("the name of a picture ends in .svg or .png")),
        };
        let bytes = work(py, || self.encoded(png))?;
        write(py, &path, &bytes, force)
    }

    fn __repr__(&self) -> String {
        format!("<Picture of {}>", self.caption.title)
    }
}

/// Writes a whole file, beside its place and then there.
pub(crate) fn write(py: Python<'_>, path: &Named, bytes: &[u8], force: bool) -> PyResult<()> {
    let written = py.detach(|| if force { save(&path.0, bytes) } else { save_new(&path.0, bytes) });
    written.map_err(|error| crate::fault::Fault::from(error.in_file(&path.0)).into())
}
