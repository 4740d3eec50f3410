//! An open mesh.

use crate::draw::{HeatHow, HeatWanted, Looked, Picture, Wanted, write};
use crate::edit::{Editor, InMemory};
use crate::fault::{Fault, raised};
use crate::finding::Finding;
use crate::give::Triple;
use crate::index::Index;
use crate::parts::{Areas, IndexedGraph, Links, Place, places};
use crate::reading::Surveyed;
use crate::records;
use crate::take::Named;
use crate::threads::work;
use crate::view::{Frame, View};
use navmap::NavFile;
use navmap::bytes::Scratch;
use navmap::format::Kind;
use navmap::format::fox::FoxNav;
use navmap::open::{Mesh, OpenOptions};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyMapping, PyTuple};
use std::sync::{Arc, OnceLock};

/// An open mesh. See `navmap.open`.
#[pyclass(frozen, module = "navmap")]
pub(crate) struct Nav {
    pub(crate) mesh: Mesh,
    /// The file, which the mesh lies in. Buffers of records are parts of it.
    pub(crate) held: Py<PyBytes>,
    pub(crate) options: OpenOptions,
    pub(crate) partial: bool,
    pub(crate) graph: OnceLock<Arc<IndexedGraph>>,
}

/// A function, and what makes the mesh again when it is handed to it.
type Remade<'py> = (Bound<'py, PyAny>, (Py<PyBytes>, Bound<'py, PyDict>));

#[pymethods]
impl Nav {
    /// The path of the file, or of the archive.
    #[getter]
    fn path(&self) -> String {
        self.mesh.bytes().path().to_string_lossy().into_owned()
    }

    /// The path inside the archive, or None.
    #[getter]
    fn member(&self) -> Option<&str> {
        self.mesh.bytes().member()
    }

    /// The family of formats: 'source', 'quake', 'fox', 'skyrim', 'detour', 'aas', 'yapb', 'nodegraph', 'rcbot', 'xray'.
    #[getter]
    fn family(&self) -> &'static str {
        self.mesh.family().name()
    }

    /// The kind of file, which is the word for `kind` in `open`.
    #[getter]
    fn kind(&self) -> &'static str {
        self.mesh.kind().name()
    }

    /// The form: 'nav', 'navjson', 'plugin', 'payload' ...
    #[getter]
    fn form(&self) -> &'static str {
        self.mesh.kind().form()
    }

    /// The game as the best guess, or None.
    #[getter]
    fn game(&self) -> Option<&'static str> {
        self.mesh.summary().game
    }

    /// Version of the format.
    #[getter]
    fn version(&self) -> Option<u32> {
        self.mesh.summary().version
    }

    /// Sub-version, where the format has one.
    #[getter]
    fn subversion(&self) -> Option<u32> {
        self.mesh.summary().subversion
    }

    /// The length of the file in bytes.
    #[getter]
    fn size(&self) -> usize {
        self.mesh.bytes().len()
    }

    /// What the format calls an area: 'area', 'node', 'face', 'triangle', 'polygon'.
    #[getter]
    fn node_word(&self, py: Python<'_>) -> PyResult<&'static str> {
        use navmap::graph::NavGraph;
        Ok(self.graph(py)?.flat.node_word())
    }

    /// Which way is up ('y' or 'z'), and the length of a unit in metres.
    #[getter]
    fn axes(&self, py: Python<'_>) -> PyResult<(&'static str, f32)> {
        use navmap::graph::{NavGraph, Up};
        let axes = self.graph(py)?.flat.axes();
        Ok((if axes.up == Up::Y { "y" } else { "z" }, axes.metres_per_unit))
    }

    /// The smallest and the largest coordinates, or None if there is no area.
    #[getter]
    fn bounds(&self, py: Python<'_>) -> PyResult<Option<(Triple, Triple)>> {
        let bounds = self.graph(py)?.flat.bounds();
        let (min, max) = (crate::give::triple(bounds.min), crate::give::triple(bounds.max));
        Ok((min.0 <= max.0).then_some((min, max)))
    }

    /// How many records of each sort the file has. Every record is visited.
    ///
    /// >>> navmap.open("corpus/quake/nav3-v6.nav").counts["nodes"] > 0
    /// True
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Surveyed(counts, error) = work(py, || self.survey());
        let counts = self.whole(counts, error).map_err(Fault::from)?;
        let dict = PyDict::new(py);
        counts.iter().try_for_each(|(name, count)| dict.set_item(name, count))?;
        Ok(dict)
    }

    /// What the head of the file says and what it holds, as one row of a scan.
    ///
    /// >>> navmap.open("corpus/quake/nav3-v6.nav").summary()["family"]
    /// 'quake'
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("path", self.path())?;
        dict.set_item("member", self.member())?;
        dict.set_item("family", self.family())?;
        dict.set_item("form", self.form())?;
        dict.set_item("game", self.game())?;
        dict.set_item("version", self.version())?;
        dict.set_item("subversion", self.subversion())?;
        dict.set_item("bytes", self.size())?;
        dict.set_item("counts", self.counts(py)?)?;
        Ok(dict)
    }

    /// The file described to a person, as `navmap info` prints it.
    fn info(&self, py: Python<'_>) -> PyResult<String> {
        let (text, error) = work(py, || {
            let mut text = Vec::new();
            let error = self.mesh.nav().info(&mut Scratch::new(), &mut text).err();
            (text, error)
        });
        let text = self.whole(text, error).map_err(Fault::from)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// What is odd but readable: errors, warnings and remarks, mostly in file order. With `hidden` also those that real
    /// meshes are full of.
    ///
    /// >>> nav = navmap.open("corpus/source/town.nav")
    /// >>> all(finding.severity in ("info", "deviation", "warning", "error") for finding in nav.check())
    /// True
    #[pyo3(signature = (*, hidden = false))]
    fn check(&self, py: Python<'_>, hidden: bool) -> PyResult<Vec<Finding>> {
        let found = work(py, || self.checked(hidden)).map_err(Fault::from)?;
        Ok(found.into_iter().map(Finding).collect())
    }

    /// The findings that count against the file: warnings and errors.
    #[getter]
    fn findings(&self, py: Python<'_>) -> PyResult<Vec<Finding>> {
        let mut found = self.check(py, false)?;
        found.retain(|finding| finding.0.severity.counts());
        Ok(found)
    }

    /// The areas, in file order.
    #[getter]
    fn areas(&self, py: Python<'_>) -> PyResult<Areas> {
        self.graph(py).map(Areas)
    }

    /// The links, in the order of the areas that they leave.
    #[getter]
    fn links(&self, py: Python<'_>) -> PyResult<Links> {
        self.graph(py).map(Links)
    }

    /// The named places that areas lie in.
    #[getter]
    fn places(&self, py: Python<'_>) -> PyResult<Vec<Place>> {
        Ok(places(&self.graph(py)?))
    }

    /// Why the mesh cannot be read to its end: the NavError, or None if it is whole.
    #[getter]
    fn damage(&self, py: Python<'_>) -> Option<PyErr> {
        let Surveyed(_, error) = work(py, || self.survey());
        error.map(|error| raised(py, &error.in_file(self.mesh.bytes().location())))
    }

    /// The spaces of a plugin: worldspaces and interior cells, the largest first. Empty for any other file.
    #[getter]
    fn spaces(&self, py: Python<'_>) -> Vec<String> {
        if self.mesh.kind() != Kind::Plugin {
            return Vec::new();
        }
        work(py, || {
            self.mesh.items().iter().filter_map(|item| item.space.as_ref().map(ToString::to_string)).collect()
        })
    }

    /// Builds the index that answers questions: where am I, what is near, how do I get there.
    ///
    /// It owns its data; the mesh may be forgotten. Takes about a quarter of a millisecond for 1,000 areas. With `landmarks`
    /// searches for shortest ways are two to three times as fast; the first of them makes them, which takes 1 ms for 1,000
    /// areas. `space` chooses one space of a plugin, `group` one group of areas (a hull of Source 2, of which the player's, 0,
    /// is the default). `tactics` gathers who sees whom for `Index.visible`, which in a mesh of Source may be more than the rest.
    ///
    /// >>> index = navmap.open("corpus/source/town.nav").index()
    /// >>> area = navmap.open("corpus/source/town.nav").areas[0]
    /// >>> index.find_area(area.center) == area.id
    /// True
    #[pyo3(signature = (*, space = None, group = None, landmarks = true, tactics = false))]
    fn index(
        &self,
        py: Python<'_>,
        space: Option<&str>,
        group: Option<u32>,
        landmarks: bool,
        tactics: bool,
    ) -> PyResult<Index> {
        let world = work(py, || self.indexed(space, group, landmarks, tactics));
        Ok(Index::new(world.map_err(Fault::from)?))
    }

    /// Draws the mesh from above. A notebook shows the result.
    ///
    /// `color` is 'height', 'place', 'island', 'flag', 'group', 'plain', the name of a value that the file tells of nodes
    /// ('cover', 'light') or names of flags with commas between them; `classes` colors areas by a dictionary of ids and
    /// names instead. `routes` are what `find_route` gives. `layers` are names such as 'links', 'ladders', 'spots', 'names',
    /// 'ids', 'grid', 'no-jump'. `floor` is a range of heights, `area` two corners of the part to show, `space` a space of a plugin.
    ///
    /// `points` are what `find_areas` takes: what happened where. `by` is 'point' (dots), 'area' (the areas that they are in),
    /// 'cell' (squares of the ground), 'density' or 'track' (lines through time); `cell` is the side of a square and the spread of the density, in units.
    /// `values` are numbers to add up in place of counting, a list or the name of a column of the frame. `log` shows equal
    /// ratios as equally far apart, `clip` are the ends of the scale, and `title` is what it is called. Of tracks `values` are the
    /// times, and `track` says whose point it is, a list or the name of a column. `panels`, one more, draws the same mesh for each
    /// of its names, in the order in which they come, up to 64 on one page with one scale, `columns` in a row.
    ///
    /// >>> nav.draw(color="place", layers=["names"]).svg.startswith("<svg")
    /// True
    #[pyo3(signature = (*, color = None, classes = None, routes = None, layers = None, dark = false, width = 1200, floor = None, area = None, space = None, points = None, values = None, by = None, cell = None, log = false, clip = None, title = None, track = None, panels = None, columns = None))]
    #[allow(clippy::too_many_arguments)] // each of them is one word in Python
    fn draw<'py>(
        &self,
        py: Python<'py>,
        color: Option<String>,
        classes: Option<Bound<'py, PyMapping>>,
        routes: Option<Bound<'py, PyAny>>,
        layers: Option<Vec<String>>,
        dark: bool,
        width: u32,
        floor: Option<(f32, f32)>,
        area: Option<(f32, f32, f32, f32)>,
        space: Option<&str>,
        points: Option<Bound<'py, PyAny>>,
        values: Option<Bound<'py, PyAny>>,
        by: Option<String>,
        cell: Option<f32>,
        log: bool,
        clip: Option<(f64, f64)>,
        title: Option<String>,
        track: Option<Bound<'py, PyAny>>,
        panels: Option<Bound<'py, PyAny>>,
        columns: Option<u16>,
    ) -> PyResult<Picture> {
        let heat =
            HeatWanted::read(points, HeatHow { values, by, cell, log, clip, title, track, panels, columns })?;
        let graph = self.graph_for(py, space)?;
        let wanted = Wanted { color, classes, routes, layers, dark, width, floor, area, heat };
        Picture::draw(py, self, graph, wanted)
    }

    /// The page of `navmap view` with the mesh in it, in which one moves, turns, picks and searches. A notebook shows it in a frame of
    /// this `height` in pixels, if it has at most `limit` bytes; `save` writes it to a file for a browser.
    ///
    /// `color`, `classes`, `routes`, `space`, `points`, `values`, `cell`, `log`, `clip` and `title` are those of `draw`. Points are shown
    /// `by` 'point', 'area', 'cell' or 'density'. A mesh of 20,000 areas takes about 1 MB.
    ///
    /// >>> nav.view(color="place").html.startswith("<!doctype html>")
    /// True
    #[pyo3(signature = (*, color = None, classes = None, routes = None, space = None, points = None, values = None, by = None, cell = None, log = false, clip = None, title = None, height = 600, limit = 4_194_304))]
    #[allow(clippy::too_many_arguments)] // each of them is one word in Python
    fn view<'py>(
        &self,
        py: Python<'py>,
        color: Option<String>,
        classes: Option<Bound<'py, PyMapping>>,
        routes: Option<Bound<'py, PyAny>>,
        space: Option<&str>,
        points: Option<Bound<'py, PyAny>>,
        values: Option<Bound<'py, PyAny>>,
        by: Option<String>,
        cell: Option<f32>,
        log: bool,
        clip: Option<(f64, f64)>,
        title: Option<String>,
        height: u32,
        limit: usize,
    ) -> PyResult<View> {
        let heat =
            HeatWanted::read(points, HeatHow { values, by, cell, log, clip, title, ..HeatHow::default() })?;
        let graph = self.graph_for(py, space)?;
        let looked = Looked::new(py, self, &graph, color, classes.as_ref(), routes.as_ref(), heat)?;
        View::make(py, self, &graph, space, looked, Frame { height, limit })
    }

    /// Begins an edit in memory. Meshes of Source (not Source 2), Quake and Fox, and plugins can be edited. `game_exact`
    /// does what the game does, bugs included. `files` are what commands may read: bytes by name. A part of a split Fox tile is
    /// edited together with the other parts that lie beside it.
    ///
    /// >>> editor = navmap.open("corpus/source/town.nav").editor()
    /// >>> editor.run("move 16 0 0")
    /// []
    /// >>> editor.undo()
    /// 1
    #[pyo3(signature = (*, game_exact = false, files = None))]
    fn editor(this: &Bound<'_, Self>, game_exact: bool, files: Option<InMemory>) -> PyResult<Editor> {
        Editor::begin(this, game_exact, files)
    }

    /// The mesh after a script. This one stays as it is. All of it or nothing: a command that is refused raises Refused.
    ///
    /// >>> moved = navmap.open("corpus/source/town.nav").edit("move 16 0 0")
    /// >>> moved.areas[0].center[0] - navmap.open("corpus/source/town.nav").areas[0].center[0]
    /// 16.0
    #[pyo3(signature = (script, *, game_exact = false, files = None))]
    fn edit(
        this: &Bound<'_, Self>,
        script: &str,
        game_exact: bool,
        files: Option<InMemory>,
    ) -> PyResult<Self> {
        let editor = Editor::begin(this, game_exact, files)?;
        editor.run(this.py(), script)?;
        editor.edited(this.py())
    }

    /// Writes the mesh: a temporary file, then a rename. A file that exists is an error without `force`.
    #[pyo3(signature = (path, *, force = false))]
    fn save(&self, py: Python<'_>, path: Named, force: bool) -> PyResult<()> {
        write(py, &path, self.mesh.bytes(), force)
    }

    /// The names of the records of fixed size that `buffer` lends.
    ///
    /// >>> navmap.open("corpus/quake/nav3-v6.nav").records
    /// ['nodes', 'origins', 'links', 'traversals', 'edicts']
    #[getter]
    fn records(&self) -> PyResult<Vec<&'static str>> {
        let mut names = Vec::new();
        for records in records::all(&self.mesh).map_err(Fault::from)? {
            if !names.contains(&records.name) {
                names.push(records.name);
            }
        }
        Ok(names)
    }

    /// Records of one sort as a read-only `memoryview` into the file, for `numpy.frombuffer`. Nothing is copied, and the
    /// file stays in memory as long as the buffer. `group` chooses a group of a Fox file.
    ///
    /// >>> nav = navmap.open("corpus/quake/nav3-v6.nav")
    /// >>> links = numpy.frombuffer(nav.buffer("links"), dtype=nav.dtype("links"))
    /// >>> len(links) == nav.counts["links"]
    /// True
    #[pyo3(signature = (name, *, group = 0))]
    fn buffer<'py>(&self, py: Python<'py>, name: &str, group: u32) -> PyResult<Bound<'py, PyAny>> {
        records::find(&self.mesh, name, group)?.view(py, self)
    }

    /// The fields of records as NumPy reads a dtype.
    ///
    /// >>> navmap.open("corpus/quake/nav3-v6.nav").dtype("links")
    /// [('target', '<u2'), ('kind', 'u1'), ('flags', 'u1'), ('traversal', '<u2')]
    #[pyo3(signature = (name, *, group = 0))]
    fn dtype<'py>(&self, py: Python<'py>, name: &str, group: u32) -> PyResult<Bound<'py, PyList>> {
        records::find(&self.mesh, name, group)?.dtype(py)
    }

    /// How the vertices of a Fox file become metres: (origin, divisors), for `vertex / divisors + origin`. None for any
    /// other file.
    #[getter]
    fn frame(&self) -> Option<(Triple, (u16, u16, u16))> {
        let nav = self.mesh.nav().as_view::<FoxNav<'_>>()?;
        let frame = nav.frame();
        Some((frame.origin.into(), frame.divisors.into()))
    }

    /// `with navmap.open(path) as nav:` works. Nothing is kept open, so nothing is closed.
    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    #[pyo3(signature = (*_raised))]
    fn __exit__(&self, _raised: &Bound<'_, PyTuple>) -> bool {
        false
    }

    /// What a notebook shows: what the file is, and the picture.
    fn _repr_html_(this: &Bound<'_, Self>) -> PyResult<String> {
        this.py().import("navmap._frames")?.getattr("nav_html")?.call1((this,))?.extract()
    }

    /// The mesh as a `networkx.MultiDiGraph`: nodes are ids of areas, with `x`, `y`, `z`, `place`, `flags` and `surface`; an edge
    /// for each link, with `kind`, `gated` and its `length`, which is also the `weight`. Needs networkx.
    fn to_networkx<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("navmap._frames")?.getattr("to_networkx")?.call1((this,))
    }

    /// The mesh as a directed `igraph.Graph`: vertices in file order with `name`, the id, and the attributes of `to_networkx`.
    /// Needs igraph.
    fn to_igraph<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("navmap._frames")?.getattr("to_igraph")?.call1((this,))
    }

    /// The bytes of the file.
    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.held.bind(py).clone()
    }

    fn __repr__(&self) -> String {
        let game = self.game().unwrap_or("unknown game");
        let location = self.mesh.bytes().location();
        format!("<Nav {:?}: {}, {game}>", location.to_string_lossy(), self.family())
    }

    /// Pickles as the bytes of the file, so that another process needs no file.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Remade<'py>> {
        let open = py.import("navmap")?.getattr("_restore")?;
        let named = PyDict::new(py);
        named.set_item("name", self.path())?;
        named.set_item("member", self.member())?;
        named.set_item("kind", self.kind())?;
        named.set_item("hull", self.options.hull.map(|hull| hull.to_string()))?;
        named.set_item("lenient", self.options.lenient)?;
        named.set_item("partial", self.partial)?;
        Ok((open, (self.held.clone_ref(py), named)))
    }
}
