//! A contact sheet: many meshes on one page.

#![forbid(unsafe_code)]

use super::ceiling::Ceilings;
use super::options::{Caption, Options};
use super::scene::{Anchor, Item, Path, Scene, Style};
use super::theme::Palette;
use super::view::{self, View};
use super::{Layers, frame, heights, links, mesh, paint, png, svg, too_large};
use crate::graph::{FlatGraph, NavGraph};
use std::io::{self, Write};

/// One mesh of a [`Sheet`]. Making thumbnails is most of the work of a sheet, so make them on all threads.
#[derive(Debug, Clone)]
pub struct Thumbnail {
    scene: Scene,
}

/// Thumbnails in rows.
#[derive(Debug, Clone)]
pub struct Sheet {
    title: String,
    columns: usize,
    palette: Palette,
    unit: f32,
    thumbnails: Vec<Thumbnail>,
}

const LINES: f32 = 44.0;
const GAP: f32 = 18.0;

impl Thumbnail {
    /// Draws a mesh `size` pixels wide and high, with two lines below it. Of the options only the theme and the colour
    /// count.
    pub fn new(graph: &FlatGraph, caption: &Caption, size: u32, options: &Options) -> Self {
        let palette = options.theme.palette();
        let (mut scene, frame, unit) = Self::empty(caption, size, &palette);
        let view = View::new(graph.axes(), frame, view::extent(graph));
        let mut heights = heights(graph, options.floor);
        let ceilings = Ceilings::lift(graph, &mut heights, options.layers.unwrap_or_default());
        let colour = &options.colour.clone().unwrap_or_default();
        let painting = paint::paint(graph, &heights, colour, &palette);
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
            super::say_empty(&mut scene, frame, graph, &palette, unit);
        }
        scene.items.push(Item::Clip(frame));
        let is_ghost = |node: u32| heights[node as usize].is_none() && !ceilings.has(node);
        mesh::ghosts(&mut scene, graph, &view, is_ghost, &palette, unit * 0.5);
        mesh::draw(&mut scene, graph, &view, &heights, &painting, &palette, unit * 0.5);
        over.links(&mut scene);
        over.dots(&mut scene, &painting);
        ceilings.draw(&mut scene, graph, &view, &palette, unit * 0.5);
        scene.items.push(Item::Unclip);
        Self { scene }
    }

    /// A thumbnail for a file that could not be drawn. The caption says why.
    pub fn failed(caption: &Caption, size: u32, options: &Options) -> Self {
        Self { scene: Self::empty(caption, size, &options.theme.palette()).0 }
    }

    fn empty(caption: &Caption, size: u32, palette: &Palette) -> (Scene, [f32; 4], f32) {
        let size = size.clamp(32, 4096) as f32;
        let unit = size / 280.0;
        let lines = (LINES * unit).ceil();
        let mut scene = Scene::new(size, size + lines, palette.page);
        let frame = [0.0, 0.0, size, size];
        let mut backdrop = Path::default();
        backdrop.rect([0.5, 0.5, size - 1.0, size - 1.0]);
        scene.shape(backdrop, Style { fill: Some(palette.map), ..Style::stroke(palette.frame, unit) });
        let (large, small) = (14.0 * unit, 11.0 * unit);
        let title = frame::shortened(&caption.title, large, size - 4.0 * unit);
        scene.bold([2.0 * unit, size + 18.0 * unit], large, palette.ink, Anchor::Start, title);
        let (colour, words) = match &caption.error {
            Some(error) => (palette.alarm, error),
            None => (palette.faint, &caption.subtitle),
        };
        let words = frame::shortened(words, small, size - 4.0 * unit);
        scene.text([2.0 * unit, size + 35.0 * unit], small, colour, Anchor::Start, words);
        (scene, frame, unit)
    }
}

impl Sheet {
    /// Makes a page of thumbnails of one size, in this order, `columns` in a row.
    pub fn new(
        title: impl Into<String>,
        columns: usize,
        options: &Options,
        thumbnails: Vec<Thumbnail>,
    ) -> Self {
        let size = thumbnails.first().map_or(280.0, |thumbnail| thumbnail.scene.width);
        let columns = columns.clamp(1, thumbnails.len().max(1));
        Self {
            title: title.into(),
            columns,
            palette: options.theme.palette(),
            unit: size / 280.0,
            thumbnails,
        }
    }

    /// The page without its thumbnails, and the place of each.
    fn layout(&self) -> (Scene, Vec<[f32; 2]>) {
        let (gap, head) = ((GAP * self.unit).ceil(), (64.0 * self.unit).ceil());
        let cell = self.thumbnails.first().map_or([0.0; 2], |t| [t.scene.width, t.scene.height]);
        let place = |i: usize| {
            let (column, row) = ((i % self.columns) as f32, (i / self.columns) as f32);
            [gap + column * (cell[0] + gap), head + row * (cell[1] + gap)]
        };
        let rows = self.thumbnails.len().div_ceil(self.columns) as f32;
        let width = gap + self.columns as f32 * (cell[0] + gap);
        let height = head + rows * (cell[1] + gap);
        let mut scene = Scene::new(width.max(64.0), height.max(64.0), self.palette.page);
        let size = 24.0 * self.unit;
        let title = frame::shortened(&self.title, size, width - 2.0 * gap);
        scene.bold([gap, 42.0 * self.unit], size, self.palette.ink, Anchor::Start, title);
        (scene, (0..self.thumbnails.len()).map(place).collect())
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        let page = self.layout().0;
        [page.width as u32, page.height as u32]
    }

    /// Writes it as SVG.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_svg(&self, out: &mut dyn Write) -> io::Result<()> {
        let (page, places) = self.layout();
        let thumbnails = places.into_iter().zip(self.thumbnails.iter().map(|thumbnail| &thumbnail.scene));
        let scenes: Vec<_> = std::iter::once(([0.0, 0.0], &page)).chain(thumbnails).collect();
        svg::write(out, [page.width, page.height], page.page, &scenes, &self.title, None)
    }

    /// Writes it as PNG.
    ///
    /// # Errors
    /// Those of `out`; [`io::ErrorKind::InvalidInput`] for a page that is too large to hold in memory.
    pub fn write_png(&self, out: &mut dyn Write) -> io::Result<()> {
        let (page, places) = self.layout();
        let mut whole = png::pixels(&page).ok_or_else(too_large)?;
        for (thumbnail, place) in self.each_pixels().into_iter().zip(places) {
            png::paste(&mut whole, &thumbnail.ok_or_else(too_large)?, place);
        }
        png::encode(&whole, out)
    }

    #[cfg(feature = "rayon")]
    fn each_pixels(&self) -> Vec<Option<tiny_skia::Pixmap>> {
        use rayon::prelude::*;
        self.thumbnails.par_iter().map(|thumbnail| png::pixels(&thumbnail.scene)).collect()
    }

    #[cfg(not(feature = "rayon"))]
    fn each_pixels(&self) -> Vec<Option<tiny_skia::Pixmap>> {
        self.thumbnails.iter().map(|thumbnail| png::pixels(&thumbnail.scene)).collect()
    }
}
