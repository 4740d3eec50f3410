//! Navigation meshes for a browser.
//!
//! A [`Scene`] is made from a [`FlatGraph`](navmap_core::graph::FlatGraph), so it can show any family. It is what a page needs to
//! draw the mesh without computing anything about it: a head in JSON, and five [parts](Part) of columns that JavaScript views as
//! typed arrays without copying. [`page`] has the files of the page, and [`page::html`] makes one file of page and scene.
//!
//! Nodes are put into chunks of at most [`CHUNK`] neighbours, and are numbered in that order. The head names every column with its
//! type, byte offset and length; offsets are multiples of 4. Coordinates are the file's own, as exact 32-bit floats. Links and marks
//! name a node by a code, its chunk times [`CHUNK`] and its place there, so a chunk stays as it is when others change: the scene of a
//! changed mesh [follows](Scene::following) the one before, and a page asks for the [chunks](Scene::chunk) whose mark is another one.
//!
//! | part | columns |
//! |---|---|
//! | index | `chunks` (rows of 48 bytes); for each meaning of colours the colour of each class in the light and the dark theme |
//! | nodes | `id`, `corners_of`, `links_of`, `radius`, `place`, `group`, `flags`, `island`, `above`, `ceiling`; for each meaning of colours the class of each node |
//! | geometry | `corners` |
//! | links | `to`, `kind` (of links with ends of their own, bit 5), `path` (their ends) |
//! | marks | `mark_kind`, `mark_shape`, `mark_node`, `mark_points`; what the caller lays over it: `way_of`, `way`, `dot`, `dot_ink` |
//!
//! A page that does not fetch all of a large mesh takes index, nodes and marks, the [middles](Scene::centers) of the nodes, and of
//! geometry and links the chunks that it needs.
//!
//! Colours, keys, ceilings and layers are those of pictures: [`navmap_draw`] has the one table.
//!
//! Nothing here reads files, starts threads or asks for the time.
//!
//! Cost: linear in nodes and links, and a sort of the nodes. 97 bytes for an area of four corners and four links.
//!
//! ```
//! use navmap_core::graph::{Axes, FlatGraph, Point, Shape};
//! use navmap_view::{Scene, Words};
//!
//! let mut graph = FlatGraph::new("area", Axes::z_up(0.019_05));
//! let square = [(0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)].map(|(x, y)| Point::new(x, y, 0.0));
//! graph.add_node(17, Shape::Polygon(&square));
//! let scene = Scene::new(&graph, &Words { title: "de_example".into(), ..Words::default() });
//! assert_eq!(scene.head()["nodes"], 1);
//! ```

mod above;
mod chunks;
mod classes;
mod columns;
mod head;
#[cfg(test)]
mod modules;
mod packed;
pub mod page;
mod plan;
mod scene;
mod tiles;
mod tint;

pub use chunks::CHUNK;
pub use classes::Unlisted;
pub use columns::Part;
pub use head::{Disputed, Merging, Words};
pub use plan::plan;
pub use scene::Scene;
