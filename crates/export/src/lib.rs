//! Meshes and graphs for other programs: OBJ, GLB, DOT, GraphML, GeoJSON, Detour, Godot.
//!
//! | format | nodes | links | coordinates |
//! |---|---|---|---|
//! | [`Format::Obj`] | faces, one object a place or group | lines, in a graph of points | as stored, or y up in metres |
//! | [`Format::Glb`] | triangles (discs for points), one mesh a place or group; ids and flags in `extras` | lines, by kind; all of them in `extras` | y up, metres |
//! | [`Format::Dot`] | nodes with their place on the page | edges with kind | plan, file units |
//! | [`Format::GraphMl`] | nodes with id, place, group, flags, center | edges with kind | as stored |
//! | [`Format::GeoJson`] | polygons or points with properties | none | plan, file units |
//! | [`Format::Detour`] | polygons of at most six corners in tiles | shared edges, off-mesh connections | y up, metres |
//! | [`Format::Tres`] | polygons that share their corners, for Godot | shared edges | y up, metres |
//!
//! Faces are wound anticlockwise seen from above, even if the file does otherwise. Nodes with a coordinate that is NaN or
//! infinite are left out of geometry and kept as nodes of a graph; [`Export::left_out`] counts them. All writers stream, except
//! that GLB gathers its buffers first.
//!
//! ```
//! use navmap::export::{Export, Format};
//! use navmap::graph::{Axes, FlatGraph, Point, Shape};
//!
//! let mut graph = FlatGraph::new("area", Axes::z_up(0.019_05));
//! let square = [(0.0, 0.0), (0.0, 100.0), (100.0, 100.0), (100.0, 0.0)].map(|(x, y)| Point::new(x, y, 0.0));
//! graph.add_node(17, Shape::Polygon(&square));
//! let mut text = Vec::new();
//! Export::new(&graph, "de_example").write(Format::Obj, &mut text)?;
//! assert!(String::from_utf8_lossy(&text).contains("f 4 3 2 1"), "turned over: its front is up");
//! # Ok::<(), std::io::Error>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

mod dot;
mod geojson;
mod glb;
mod graphml;
pub mod navmesh;
mod obj;
mod text;
mod tres;

use navmap_core::graph::{Axes, FlatGraph, FlatNode, Ids, NavGraph, Point, Shape};
use navmap_core::text::{Grouped, plural};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// A format to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Wavefront OBJ.
    Obj,
    /// glTF 2.0, binary.
    Glb,
    /// Graphviz.
    Dot,
    /// GraphML.
    GraphMl,
    /// GeoJSON.
    GeoJson,
    /// A set of Detour, version 7: [`navmesh::to_detour`] with the default options. Call that directly to get the bill too.
    Detour,
    /// A `NavigationMesh` of Godot 4.
    Tres,
}

impl Format {
    /// The format for a file extension, in any case: `obj`, `glb`, `dot` or `gv`, `graphml`, `geojson`, `navmesh`, `tres`.
    pub fn of_extension(extension: &str) -> Option<Self> {
        Some(match extension.to_ascii_lowercase().as_str() {
            "obj" => Self::Obj,
            "glb" => Self::Glb,
            "dot" | "gv" => Self::Dot,
            "graphml" => Self::GraphMl,
            "geojson" => Self::GeoJson,
            "navmesh" => Self::Detour,
            "tres" => Self::Tres,
            _ => return None,
        })
    }
}

/// A graph to export.
#[derive(Debug, Clone, Copy)]
pub struct Export<'g> {
    graph: &'g FlatGraph,
    name: &'g str,
    y_up: bool,
    godot: bool,
}

impl<'g> Export<'g> {
    /// An export of a graph, for a map of this name.
    pub fn new(graph: &'g FlatGraph, name: &'g str) -> Self {
        Self { graph, name, y_up: false, godot: false }
    }

    /// Sets whether OBJ has y up and metres instead of the axes and units of the file. GLB always does.
    #[must_use]
    pub fn y_up(self, y_up: bool) -> Self {
        Self { y_up, ..self }
    }

    /// Sets whether the nodes of a GLB with polygons end in `-navmesh`. Godot imports such nodes as navigation meshes.
    #[must_use]
    pub fn godot(self, godot: bool) -> Self {
        Self { godot, ..self }
    }

    /// Writes the graph.
    ///
    /// # Errors
    /// Those of `out`, and [`io::ErrorKind::InvalidInput`] for a GLB of more than 4 GiB, and for a mesh that Detour cannot hold or whose
    /// polygons are too many on each other.
    pub fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        match format {
            Format::Obj => obj::write(self, out),
            Format::Glb => glb::write(self, out),
            Format::Dot => dot::write(self, out),
            Format::GraphMl => graphml::write(self, out),
            Format::GeoJson => geojson::write(self, out),
            Format::Detour => detour(self.graph, out),
            Format::Tres => tres::write(self, out),
        }
    }

    /// What a file of this format leaves out, in words, for whoever wants to read it back. Empty for [`Format::Detour`], whose
    /// [`Bill`](navmesh::Bill) says more.
    pub fn left_out(&self, format: Format) -> Vec<String> {
        let graph = self.graph;
        let is_points = is_points(graph);
        let mut said = Vec::new();
        let mut say = |count: usize, what: &str| {
            if count > 0 {
                said.push(format!("left out: {what} ({})", Grouped(count as u64)));
            }
        };
        if matches!(format, Format::Obj | Format::Glb | Format::GeoJson) {
            let hidden = graph.nodes().iter().filter(|node| !drawable(graph, node)).count();
            let words = plural(graph.node_word(), 2);
            let what =
                format!("{words} that cannot be drawn, so that what is made of the file has other numbers");
            say(hidden, &what);
        }
        let links = || graph.links().iter().filter(|link| link.to.is_some());
        if format == Format::GeoJson && is_points {
            say(links().count(), "links, which .graphml, .obj and .glb have");
        }
        if format == Format::Obj && !is_points {
            let over = links().filter(|link| !link.kind.on_foot()).count();
            say(over, "links that are not walked, which .glb has as lines");
        }
        said
    }

    /// Groups nodes as their family does: by place if there are places, else by segment, mesh or hull. Groups are in order of
    /// their numbers, with ungrouped nodes last. Nodes that cannot be drawn are left out.
    fn groups(&self) -> Vec<(String, Vec<u32>)> {
        let graph = self.graph;
        let by_place = graph.nodes().iter().any(|node| node.place.is_some());
        let mut groups: BTreeMap<(bool, u32), Vec<u32>> = BTreeMap::new();
        for (index, node) in graph.nodes().iter().enumerate().filter(|(_, node)| drawable(graph, node)) {
            let of = if by_place { node.place } else { node.group };
            groups.entry((of.is_none(), of.unwrap_or(0))).or_default().push(index as u32);
        }
        let word = graph.group_word().unwrap_or("group");
        let name = |number: u32| {
            let known = if by_place { graph.place(number) } else { graph.group(number) };
            let known = known.filter(|name| !name.is_empty());
            known.map_or_else(
                || format!("{word} {number}"),
                |name| if by_place { name.into() } else { format!("{word} {name}") },
            )
        };
        let named = groups.into_iter().map(|((none, number), nodes)| match none {
            true if by_place => ("no place".to_owned(), nodes),
            true => (self.name.to_owned(), nodes),
            false => (name(number), nodes),
        });
        named.collect()
    }

    fn node(&self, index: u32) -> FlatNode {
        self.graph.nodes()[index as usize]
    }

    /// The id of a node in JSON: a number, or what people type for one inside a record.
    fn id(&self, id: u64) -> impl std::fmt::Display + '_ {
        std::fmt::from_fn(move |f| match self.graph.ids() {
            Ids::Numbers => write!(f, "{id}"),
            ids => write!(f, "\"{}\"", ids.name(id)),
        })
    }

    /// Names of the flags of a node; bits without one as `bit 9`.
    fn flags(&self, flags: u64) -> impl Iterator<Item = String> + '_ {
        (0..64)
            .filter(move |bit| flags >> bit & 1 == 1)
            .map(|bit| self.graph.flag(bit).map_or_else(|| format!("bit {bit}"), str::to_owned))
    }
}

#[cfg(feature = "detour")]
fn detour(graph: &FlatGraph, out: &mut dyn Write) -> io::Result<()> {
    let (bytes, _) = navmesh::to_detour(graph, &navmesh::NavmeshOptions::default()).map_err(refused)?;
    out.write_all(&bytes)
}

fn refused(error: navmap_core::Error) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, error.to_string())
}

#[cfg(not(feature = "detour"))]
fn detour(_: &FlatGraph, _: &mut dyn Write) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "the features `detour` and `write` are off"))
}

/// Whether the nodes are points, whose links are drawn.
fn is_points(graph: &FlatGraph) -> bool {
    graph.nodes().first().is_some_and(|node| matches!(graph.shape(node), Shape::Point { .. }))
}

/// Whether a node has a shape that can be drawn: a finite point, or a finite polygon of at least three corners.
fn drawable(graph: &FlatGraph, node: &FlatNode) -> bool {
    let corners = graph.corners(node);
    let enough = match graph.shape(node) {
        Shape::Point { .. } => 1,
        Shape::Polygon(_) => 3,
    };
    corners.len() >= enough && corners.iter().all(|corner| corner.is_finite())
}

/// Twice the area of a polygon seen from above, positive if it is wound anticlockwise.
fn turn(axes: &Axes, corners: &[Point]) -> f64 {
    let Some(&first) = corners.first() else { return 0.0 };
    let [u0, v0, _] = axes.plan(first);
    let flat = |p: &Point| {
        let [u, v, _] = axes.plan(*p);
        [f64::from(u - u0), f64::from(v - v0)]
    };
    corners
        .windows(2)
        .map(|pair| {
            let (a, b) = (flat(&pair[0]), flat(&pair[1]));
            a[0] * b[1] - a[1] * b[0]
        })
        .sum()
}
