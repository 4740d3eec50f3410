//! Pictures: a mesh from above, as SVG or PNG.
//!
//! A [`Picture`] is made from a [`FlatGraph`], so it can show any family. It is laid out once, as a list of shapes and words
//! (`scene`). The two back ends render only that list, so both show the same. Floors are drawn from low to high. A covered floor
//! is dimmed, and the one above it throws a shadow. PNG needs no font file, since it has a stroke font of its own.
//!
//! Cost: linear in nodes and links. A mesh of 20,000 areas takes well under a second.
//!
//! ```
//! use navmap::draw::{Caption, DrawOptions, Picture};
//! use navmap::graph::{Axes, FlatGraph, Point, Shape};
//!
//! let mut graph = FlatGraph::new("area", Axes::z_up(0.019_05));
//! let square = [(0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)].map(|(x, y)| Point::new(x, y, 0.0));
//! graph.add_node(17, Shape::Polygon(&square));
//! let caption = Caption { title: "de_example".into(), ..Caption::default() };
//! let mut svg = Vec::new();
//! Picture::new(&graph, &caption, &DrawOptions::default()).write_svg(&mut svg)?;
//! assert!(String::from_utf8_lossy(&svg).contains("area #17"));
//! # Ok::<(), std::io::Error>(())
//! ```

mod ceiling;
mod column;
mod effort;
#[cfg(test)]
mod eye;
mod font;
mod frame;
mod heat;
mod heatmap;
mod key;
mod labels;
mod lines;
mod links;
mod mesh;
mod options;
mod paint;
mod panels;
mod plan;
mod png;
mod scale;
mod scene;
mod sheet;
mod squares;
mod svg;
mod tables;
mod theme;
mod thumbnail;
mod ticks;
mod trail;
mod view;
mod words;

pub use heat::{Groups, Heat, HeatBy, Scale};
#[doc(hidden)]
pub use options::DrawOptions as Options;
pub use options::{Caption, Classes, ColourBy, DrawOptions, Layers};
pub use plan::{Plan, PlanFloor, PlanWall};
pub use sheet::{Grid, Sheet};
pub use squares::Squares;
pub use tables::{Colouring, Dots, Entry, Inks, Lifted, Ramp};
pub use theme::Theme;
pub use thumbnail::Thumbnail;
pub use trail::Trail;

use ceiling::Ceilings;
use column::Column;
use frame::Page;
use navmap_core::graph::{FlatGraph, NavGraph, Stats};
use navmap_core::text::Grouped;
use paint::Key;
use scene::{Item, Path, Scene, Style};
use std::io::{self, Write};
use view::View;

/// A mesh on a page.
#[derive(Debug, Clone)]
pub struct Picture<'g> {
    graph: &'g FlatGraph,
    scene: Scene,
    description: String,
}

impl<'g> Picture<'g> {
    /// Lays out a page.
    pub fn new(graph: &'g FlatGraph, caption: &Caption, options: &DrawOptions) -> Self {
        Self::with_trails(graph, caption, options, &[])
    }

    /// A picture with answers drawn over the mesh.
    pub fn with_trails(
        graph: &'g FlatGraph,
        caption: &Caption,
        options: &DrawOptions,
        trails: &[Trail],
    ) -> Self {
        let palette = options.theme.palette();
        let page = Page::new(options.width.clamp(64, MOST_PIXELS), caption.error.is_some());
        let extent = match options.area {
            Some(area) => view::boxed(&graph.axes(), area),
            None => view::extent(graph, options.plan.as_deref()),
        };
        let height = page_height(&page, extent, options);
        let frame = page.frame(height);
        let view = View::new(graph.axes(), frame, extent);
        let usual = if options.heat.is_some() { ColourBy::Plain } else { ColourBy::default() };
        let colour = &options.colour.clone().unwrap_or(usual);
        let layers = options.layers.unwrap_or_else(|| Layers::usual(graph, colour));
        let mut heights = heights(graph, options.floor);
        let axes = graph.axes();
        let heat = options.heat.as_deref().map(|heat| heat.on_floor(&axes, options.floor, &heights));
        let ceilings = Ceilings::lift(graph, &mut heights, layers);

        let mut scene = Scene::new(page.width, height, palette.page);
        scene.tips = true;
        frame::title(&mut scene, &page, caption, &palette);
        let mut backdrop = Path::default();
        backdrop.rect(frame);
        scene.shape(backdrop.clone(), Style::fill(palette.map));
        let is_empty = graph.nodes().is_empty() && options.plan.is_none();
        if layers.has(Layers::GRID) && !is_empty {
            frame::grid(&mut scene, &page, &view, &graph.axes(), &palette, true);
        }
        if graph.nodes().is_empty() {
            say_empty(&mut scene, frame, graph, &palette, page.unit);
        }
        scene.items.push(Item::Clip(frame));
        let mut walls = Vec::new();
        if let Some(plan) = &options.plan {
            walls = plan.draw(
                &mut scene,
                &view,
                &graph.axes(),
                shown(graph, &heights, options.floor),
                &palette,
                page.unit,
            );
        }
        let by_heat = heat.as_ref().and_then(|heat| heat.paint(graph.nodes().len(), &palette));
        let painting = by_heat.unwrap_or_else(|| paint::paint(graph, &heights, colour, &palette));
        let is_ghost = |node: u32| heights[node as usize].is_none() && !ceilings.has(node);
        mesh::ghosts(&mut scene, graph, &view, is_ghost, &palette, page.unit);
        let shades = mesh::draw(&mut scene, graph, &view, &heights, &painting, &palette, page.unit);
        let over =
            links::Over { graph, view: &view, heights: &heights, palette: &palette, layers, unit: page.unit };
        let mut samples = over.links(&mut scene);
        over.dots(&mut scene, &painting);
        samples.extend(over.marks(&mut scene));
        samples.extend(ceilings.draw(&mut scene, graph, &view, &palette, page.unit));
        let (key, of_points) = match &heat {
            Some(heat) => heat.draw(&mut scene, &view, (&axes, options.floor), &palette, page.unit),
            None => (Key::None, None),
        };
        samples.extend(of_points);
        if layers.has(Layers::IDS) {
            labels::ids(&over, &mut scene);
        }
        if layers.has(Layers::NAMES) {
            labels::names(&over, &mut scene);
        }
        for trail in trails {
            samples.extend(trail.draw(&mut scene, &view, &palette, page.unit));
        }
        samples.extend(walls);
        samples.extend(shades);
        scene.items.push(Item::Unclip);
        scene.shape(backdrop, Style::stroke(palette.frame, page.unit));
        let facts = facts(graph, options.counted.as_ref());
        let column = Column { page: &page, palette: &palette, view: &view, axes, facts };
        let keys = [&key, &painting.key];
        if options.height.is_none() {
            // As the mesh needs, but always enough for the key.
            scene.height = scene.height.max(column.height(&keys, &samples).min(MOST_PIXELS as f32));
        }
        column.draw(&mut scene, &keys, &samples);
        let description = [caption.title.as_str(), caption.subtitle.as_str()].join(", ");
        Self { graph, scene, description }
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.scene.width as u32, self.scene.height as u32]
    }

    /// Writes the picture as SVG.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_svg(&self, out: &mut dyn Write) -> io::Result<()> {
        let size = [self.scene.width, self.scene.height];
        svg::write(
            out,
            size,
            self.scene.page,
            &[([0.0, 0.0], &self.scene)],
            &self.description,
            Some(self.graph),
        )
    }

    /// Writes the picture as PNG.
    ///
    /// # Errors
    /// Those of `out`, and [`io::ErrorKind::InvalidInput`] if the page is too large for memory, or if so many polygons lie over
    /// each other that painting them all would take very long.
    pub fn write_png(&self, out: &mut dyn Write) -> io::Result<()> {
        png::write(&self.scene, out)
    }
}

/// The greatest width and height of a page.
const MOST_PIXELS: u32 = 16_384;

/// The height of the page: as requested, or as the mesh needs.
fn page_height(page: &Page, [left, bottom, right, top]: view::Extent, options: &DrawOptions) -> f32 {
    let shape = ((top - bottom) / (right - left).max(1e-6)).clamp(0.05, 20.0);
    let wanted = page.map_width() * shape.min(2.0);
    let fitting = page.height(wanted.max(470.0 * page.unit));
    match options.height {
        None => fitting.min(MOST_PIXELS as f32),
        Some(height) if options.fit => fitting.min(height.clamp(64, MOST_PIXELS) as f32),
        Some(height) => height.clamp(64, MOST_PIXELS) as f32,
    }
}

/// Height of every node on a shown floor; `None` for other nodes.
fn heights(graph: &FlatGraph, floor: Option<[f32; 2]>) -> Vec<Option<f32>> {
    let axes = graph.axes();
    let height = |node| graph.shape(node).center().filter(|at| at.is_finite()).map(|at| axes.height(at));
    let on_floor = |height: &f32| floor.is_none_or(|[low, high]| (low..=high).contains(height));
    graph.nodes().iter().map(|node| height(node).filter(on_floor)).collect()
}

/// The lowest and highest corner of the shown nodes, which limit the drawn part of a floor plan.
fn shown(graph: &FlatGraph, heights: &[Option<f32>], floor: Option<[f32; 2]>) -> Option<[f32; 2]> {
    let axes = graph.axes();
    let nodes = graph.nodes().iter().zip(heights).filter(|(_, height)| height.is_some());
    let corners = nodes.flat_map(|(node, _)| graph.corners(node)).filter(|corner| corner.is_finite());
    let ends = corners.map(|corner| axes.height(*corner)).fold(None, |ends: Option<[f32; 2]>, height| {
        let [low, high] = ends.unwrap_or([height; 2]);
        Some([low.min(height), high.max(height)])
    });
    ends.or(floor)
}

/// Writes that the mesh has no nodes. This is legal, and without words the picture would look broken.
fn say_empty(
    scene: &mut Scene,
    [x, y, w, h]: [f32; 4],
    graph: &FlatGraph,
    palette: &theme::Palette,
    unit: f32,
) {
    let words = format!("no {}", navmap_core::graph::plural(graph.node_word(), 0));
    let middle = [x + w / 2.0, y + h / 2.0];
    scene.text(middle, 16.0 * unit, palette.faint, scene::Anchor::Middle, words);
}

fn facts(graph: &FlatGraph, counted: Option<&Stats>) -> Vec<(String, String)> {
    let stats = counted.cloned().unwrap_or_else(|| Stats::of(graph).value);
    let count = |n: u64| Grouped(n).to_string();
    let mut facts = vec![
        (navmap_core::graph::plural(graph.node_word(), 2), count(stats.nodes)),
        ("links".to_owned(), count(stats.links)),
        ("islands".to_owned(), count(stats.components)),
        ("one-way links".to_owned(), count(stats.one_way_links)),
    ];
    if let Some(area) = stats.area_m2 {
        let size = if area < 10.0 { words::quantity(area, area) } else { count(area.round() as u64) };
        facts.push(("walkable".to_owned(), format!("{size} m\u{b2}")));
    }
    facts
}
