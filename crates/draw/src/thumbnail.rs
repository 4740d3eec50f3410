//! One map of a sheet: the mesh, and the lines below it.

use super::ceiling::Ceilings;
use super::links::Sample;
use super::options::{Caption, ColourBy, DrawOptions};
use super::paint::Key;
use super::scale::Span;
use super::scene::{Anchor, Item, Path, Scene, Style};
use super::theme::Palette;
use super::view::{self, View};
use super::words::{height_number, quantity, shortened, shortened_within};
use super::{Layers, font, heights, links, mesh, paint, png};
use navmap_core::colour::Colour;
use navmap_core::graph::{FlatGraph, NavGraph};
use std::io::{self, Write};

/// One mesh of a [`Sheet`](super::Sheet). Making thumbnails is most of the work of a sheet, so make them in parallel.
#[derive(Debug, Clone)]
pub struct Thumbnail {
    pub(super) scene: Scene,
    pub(super) caption: Caption,
    pub(super) key: Key,
    /// Chosen flags by their index among the chosen: colour, name, number of nodes. They mean the same on all maps.
    pub(super) flags: Vec<(usize, (Colour, String, usize))>,
    metres_per_unit: f32,
    /// Parts drawn as outlines, because they would hide the rest.
    outlined: Vec<Sample>,
    /// Whether the mesh has nothing at the chosen heights.
    off_floor: bool,
}

/// Height of the three lines below a thumbnail of 280 pixels.
pub(super) const LINES: f32 = 60.0;

impl Thumbnail {
    /// Draws a mesh `size` pixels wide and high, with three lines below it. The only options in effect are the theme, the colour,
    /// the floor, the area, the floor plan, the points and the layer of ceilings.
    pub fn new(graph: &FlatGraph, caption: &Caption, size: u32, options: &DrawOptions) -> Self {
        let palette = options.theme.palette();
        let mut thumbnail = Self::failed(caption, size, options);
        let unit = size_unit(thumbnail.scene.width);
        let scene = &mut thumbnail.scene;
        let frame = [0.0, 0.0, scene.width, scene.width];
        let extent = match options.area {
            Some(area) => view::boxed(&graph.axes(), area),
            None => view::extent(graph, options.plan.as_deref()),
        };
        let view = View::new(graph.axes(), frame, extent);
        let mut heights = heights(graph, options.floor);
        let axes = graph.axes();
        let heat = options.heat.as_deref().map(|heat| heat.on_floor(&axes, options.floor, &heights));
        let ceilings = Ceilings::lift(graph, &mut heights, options.layers.unwrap_or_default());
        let usual = if heat.is_some() { ColourBy::Plain } else { ColourBy::default() };
        let colour = &options.colour.clone().unwrap_or(usual);
        let by_heat = heat.as_ref().and_then(|heat| heat.paint(graph.nodes().len(), &palette));
        let mut painting = by_heat.unwrap_or_else(|| paint::paint(graph, &heights, colour, &palette));
        // At this size links would hide a mesh, but a graph of points consists of its links.
        let points = Layers::usual(graph, colour).has(Layers::LINKS);
        let layers = if points { Layers::LINKS.with(Layers::TRAVERSALS) } else { Layers::NONE };
        let over = links::Over {
            graph,
            view: &view,
            heights: &heights,
            palette: &palette,
            layers,
            unit: unit * 0.5,
        };
        if graph.nodes().is_empty() {
            super::say_empty(scene, frame, graph, &palette, unit);
        }
        scene.items.push(Item::Clip(frame));
        if let Some(plan) = &options.plan {
            let shown = super::shown(graph, &heights, options.floor);
            plan.draw(scene, &view, &graph.axes(), shown, &palette, unit * 0.5);
        }
        let is_ghost = |node: u32| heights[node as usize].is_none() && !ceilings.has(node);
        mesh::ghosts(scene, graph, &view, is_ghost, &palette, unit * 0.5);
        mesh::draw(scene, graph, &view, &heights, &painting, &palette, unit * 0.5);
        over.links(scene);
        over.dots(scene, &painting);
        thumbnail.outlined = ceilings.draw(scene, graph, &view, &palette, unit * 0.5);
        if let Some(heat) = heat {
            match heat.draw(scene, &view, (&axes, options.floor), &palette, unit * 0.5) {
                (Key::None, _) => {}
                (key, _) => painting.key = key,
            }
        }
        scene.items.push(Item::Unclip);
        let hidden = heights.iter().all(Option::is_none) && thumbnail.outlined.is_empty();
        thumbnail.off_floor = options.floor.is_some() && hidden && !graph.nodes().is_empty();
        thumbnail.metres_per_unit = graph.axes().metres_per_unit;
        if let (ColourBy::Chosen(bits), Key::Swatches { entries, .. }) = (colour, &painting.key) {
            let known = bits.iter().enumerate().filter(|(_, bit)| bit.is_some()).map(|(nth, _)| nth);
            // The last entry is for nodes without any of them.
            thumbnail.flags = known.chain([bits.len()]).zip(entries.iter().cloned()).collect();
        }
        thumbnail.key = painting.key;
        thumbnail
    }

    /// A thumbnail for a file that could not be drawn. The caption gives the reason.
    pub fn failed(caption: &Caption, size: u32, options: &DrawOptions) -> Self {
        let palette = options.theme.palette();
        let size = size.clamp(32, 4096) as f32;
        let mut scene = Scene::new(size, size, palette.page);
        let mut backdrop = Path::default();
        backdrop.rect([0.5, 0.5, size - 1.0, size - 1.0]);
        let stroke = Style::stroke(palette.frame, size_unit(size));
        scene.shape(backdrop, Style { fill: Some(palette.map), ..stroke });
        Self {
            scene,
            caption: caption.clone(),
            key: Key::None,
            flags: Vec::new(),
            metres_per_unit: 1.0,
            outlined: Vec::new(),
            off_floor: false,
        }
    }

    /// Writes it as PNG by itself, without the lines below it.
    ///
    /// # Errors
    /// Those of [`Picture::write_png`](super::Picture::write_png).
    pub fn write_png(&self, out: &mut dyn Write) -> io::Result<()> {
        png::write(&self.scene, out)
    }

    /// Writes the lines below it onto a page where its lower left corner is at `at`: title, game or error, heights and outlined
    /// parts.
    pub(super) fn lines(&self, page: &mut Scene, [left, foot]: [f32; 2], title: &str, palette: &Palette) {
        let unit = size_unit(self.scene.width);
        let (large, small) = (14.0 * unit, 11.0 * unit);
        let (x, room) = (left + 2.0 * unit, self.scene.width - 4.0 * unit);
        let line = |nth: f32| [x, foot + (18.0 + 17.0 * nth) * unit];
        // Smaller letters first, then a cut: the end of a title is what it is found by.
        let large = large * (room / font::width(title, large).max(1.0)).clamp(0.72, 1.0);
        page.bold(line(0.0), large, palette.ink, Anchor::Start, shortened_within(title, large, room));
        let (colour, words) = match &self.caption.error {
            Some(error) => (palette.alarm, error),
            None => (palette.faint, &self.caption.subtitle),
        };
        page.text(line(1.0), small, colour, Anchor::Start, shortened(words, small, room));
        let [_, y] = line(2.0);
        let mut room = room;
        if let Some(outlined) = self.outlined.first() {
            let words = match self.outlined.len() {
                1 => outlined.name.clone(),
                several => format!("{several} ceilings"),
            };
            let end = x + room;
            let long = font::width(&words, small);
            page.text([end, y], small, palette.faint, Anchor::End, words);
            let mut path = Path::default();
            let (from, middle) = (end - long - 24.0 * unit, y - 3.5 * unit);
            path.line([[from, middle], [from + 19.0 * unit, middle]]);
            page.shape(path, outlined.style);
            room = from - x - 6.0 * unit;
        }
        if let Some(words) = self.heights() {
            page.text([x, y], small, palette.faint, Anchor::Start, shortened(&words, small, room));
        }
    }

    /// The range of heights of its colours, in units of the file and in metres; or that of values.
    fn heights(&self) -> Option<String> {
        if self.off_floor {
            return Some("nothing at these heights".to_owned());
        }
        if let Key::Scale { title, span: Span { low, high, .. } } = &self.key {
            let [from, to] = [low, high].map(|end| quantity(*end, high - low));
            return Some(format!("{title} {from} to {to}"));
        }
        let Key::Ramp { low, high, beyond } = self.key else { return None };
        let range = high - low;
        let sign = |beyond: bool, sign: &'static str| if beyond { sign } else { "" };
        let [from, to] = [low, high].map(|height| height_number(height, range));
        let (below, above) = (sign(beyond[0], "\u{2264} "), sign(beyond[1], "\u{2265} "));
        let metres = match (self.metres_per_unit - 1.0).abs() > 1e-6 {
            true => {
                format!(", {} m", height_number(range * self.metres_per_unit, range * self.metres_per_unit))
            }
            false => " m".to_owned(),
        };
        Some(if range > 0.0 {
            format!("{below}{from} to {above}{to}{metres}")
        } else {
            format!("all at {from}")
        })
    }
}

/// The scale of texts: 1 for a thumbnail of 280 pixels.
pub(super) fn size_unit(size: f32) -> f32 {
    size / 280.0
}
