//! The layout of a page: its title, and the frame of the map with its coordinates.

use super::options::Caption;
use super::scene::{Anchor, Path, Scene, Style};
use super::theme::Palette;
use super::ticks::{multiples, round_up};
use super::view::View;
use super::words::{number, shortened, shortened_within};
use navmap_core::graph::{Axes, Up};

/// The layout of a page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Page {
    pub(super) width: f32,
    /// The scale of texts and symbols: 1 on a page of 1,400 pixels.
    pub(super) unit: f32,
    pub(super) margin: f32,
    /// Width left of the map, for the margin and the numbers of the vertical axis.
    pub(super) left: f32,
    pub(super) head: f32,
    pub(super) column: f32,
    pub(super) foot: f32,
}

impl Page {
    pub(super) fn new(width: u32, has_error: bool) -> Self {
        let width = width as f32;
        // Texts and symbols shrink less than the page, to stay readable.
        let scale = width / 1400.0;
        let unit = scale.max(scale.sqrt().min(1.0)).clamp(0.62, 4.0);
        let head = if has_error { 112.0 } else { 88.0 };
        Self {
            width,
            unit,
            margin: 30.0 * unit,
            left: 56.0 * unit,
            head: head * unit,
            column: 214.0 * unit,
            foot: 40.0 * unit,
        }
    }

    /// Width of the map.
    pub(super) fn map_width(&self) -> f32 {
        (self.width - self.left - self.margin - self.column).floor().max(16.0)
    }

    /// Height of a page with a map of this height.
    pub(super) fn height(&self, map: f32) -> f32 {
        (self.head + map + self.foot).ceil()
    }

    /// The frame of the map on a page of this height.
    pub(super) fn frame(&self, height: f32) -> [f32; 4] {
        let map = (height - self.head - self.foot).floor().max(16.0);
        [self.left.floor(), self.head.floor(), self.map_width(), map]
    }
}

/// Writes the title, the subtitle, and the error if there is one.
pub(super) fn title(scene: &mut Scene, page: &Page, caption: &Caption, palette: &Palette) {
    let (x, unit) = (page.margin, page.unit);
    let room = page.width - 2.0 * page.margin;
    let words = shortened_within(&caption.title, 30.0 * unit, room);
    scene.bold([x, 46.0 * unit], 30.0 * unit, palette.ink, Anchor::Start, words);
    let words = shortened(&caption.subtitle, 15.0 * unit, room);
    scene.text([x, 71.0 * unit], 15.0 * unit, palette.faint, Anchor::Start, words);
    if let Some(error) = &caption.error {
        let words = shortened(&format!("Damaged, drawn as far as it goes: {error}"), 14.0 * unit, room);
        scene.bold([x, 96.0 * unit], 14.0 * unit, palette.alarm, Anchor::Start, words);
    }
}

/// Draws a grid of the file's own coordinates with their numbers, behind the mesh.
pub(super) fn grid(
    scene: &mut Scene,
    page: &Page,
    view: &View,
    axes: &Axes,
    palette: &Palette,
    numbers: bool,
) {
    let [left, bottom, right, top] = view.shown();
    let step = round_up(f64::from(90.0 * page.unit / view.scale));
    let [x, y, wide, high] = view.frame;
    let size = 11.0 * page.unit;
    let mut lines = Path::default();
    let along = |low: f32, high: f32| multiples(low.into(), high.into(), step).map(|at| at as f32);
    for u in along(left, right) {
        let at = view.plan_to_page([u, 0.0])[0];
        lines.line([[at, y], [at, y + high]]);
        if numbers {
            scene.text([at, y + high + 15.0 * page.unit], size, palette.faint, Anchor::Middle, number(u));
        }
    }
    for v in along(bottom, top) {
        let at = view.plan_to_page([0.0, v])[1];
        lines.line([[x, at], [x + wide, at]]);
    }
    scene.shape(lines, Style::stroke(palette.grid, 0.8 * page.unit));
    if numbers {
        for v in along(bottom, top) {
            let at = view.plan_to_page([0.0, v])[1];
            let value = if axes.up == Up::Y { -v } else { v };
            let place = [x - 5.0 * page.unit, at + 4.0 * page.unit];
            scene.text(place, size, palette.faint, Anchor::End, number(value));
        }
    }
}
