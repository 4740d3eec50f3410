//! What it takes to paint a scene as pixels, told before it is painted: floors that lie over each other by the thousand are painted
//! over each other by the thousand.

use super::font;
use super::scene::{Figure, Item, Scene, Shape};
use navmap_core::Limits;
use std::io;

/// Points of a path stroked at a time. The rasteriser keeps the edges that cross a row of pixels sorted, so its time is quadratic
/// in crossing edges. 20,000 lines to one point took minutes.
pub(super) const BATCH: usize = 512;

/// A polygon with more corners than this is outlined but not filled. No real mesh has one, and if its edges cross each other
/// there is no faster way.
pub(super) const MOST_FILLED: usize = 2048;

/// How many times over a page may be painted, and the pixels that a page of any size may take. Maps of games take less than twenty.
const TIMES: u64 = 24;
const FEW: u64 = 64 << 20;

/// An edge in each row that it crosses, what a piece of a line takes however short it is, and what a line of a pixel and less takes
/// more than a wide one, which is a shape, in pixels.
const EDGE: f32 = 8.0;
const PIECE: f32 = 160.0;
const THIN: f32 = 2.0;

/// Fails if a scene would take longer to paint than any map does.
pub(super) fn hold(scene: &Scene) -> io::Result<()> {
    let page = (scene.width * scene.height) as u64;
    let allowed = FEW.saturating_add(page.saturating_mul(TIMES));
    let refused = |error: navmap_core::Error| io::Error::new(io::ErrorKind::InvalidInput, error.to_string());
    Limits::charge("pixels painted over each other", pixels(scene), allowed).map_err(refused)
}

/// About how many pixels it takes to paint a scene.
pub(super) fn pixels(scene: &Scene) -> u64 {
    let page = [0.0, 0.0, scene.width, scene.height];
    let (mut clip, mut sum) = (page, 0_u64);
    for item in &scene.items {
        let more = match item {
            Item::Shape(shape) => of_shape(shape, clip),
            Item::Text(text) => f64::from(font::width(&text.words, text.size) * text.size * 4.0 + PIECE),
            Item::Clip(inside) => {
                clip = *inside;
                2.0 * area(clip)
            }
            Item::Unclip => {
                clip = page;
                0.0
            }
        };
        sum = sum.saturating_add(more as u64);
    }
    sum
}

fn area([_, _, width, height]: [f32; 4]) -> f64 {
    f64::from(width) * f64::from(height)
}

/// A path is painted once, wherever its figures lie over each other, but every edge takes part in each row that it crosses, and
/// changes its place there with each that it crosses.
fn of_shape(shape: &Shape, clip: [f32; 4]) -> f64 {
    let (mut filled, mut lined, mut edges, mut points) = (0.0, 0.0, 0.0, 0_usize);
    let width = shape.style.stroke.map_or(0.0, |(_, width)| width + 2.0);
    let thin = if shape.style.stroke.is_some_and(|(_, width)| width <= 1.0) { THIN } else { 1.0 };
    for (figure, corners) in shape.path.iter() {
        points = points.saturating_add(corners.len());
        let [wide, high] = extent(figure, corners, clip);
        filled += f64::from(wide) * f64::from(high);
        if shape.style.fill.is_some() && corners.len() <= MOST_FILLED {
            edges += f64::from(rows(corners, clip).max(2.0 * high) * EDGE);
            edges += (corners.len() as f64).powi(2) / 2.0;
        }
        let length = corners.windows(2).map(|pair| within(pair, clip)).sum::<f32>() + wide + high;
        lined += f64::from(length * width * thin) + corners.len() as f64 * f64::from(PIECE);
    }
    let whole = area(clip);
    let fill = if shape.style.fill.is_some() { filled.min(whole) + edges } else { 0.0 };
    // Lines of many points that shine through are painted on a layer of their own.
    let layers = if points > BATCH && is_faint(shape) { 2.0 * whole } else { 0.0 };
    let stroke = if shape.style.stroke.is_some() { lined + layers } else { 0.0 };
    fill + stroke
}

/// The rows that each edge of a polygon crosses where it may be visible, together.
fn rows(corners: &[[f32; 2]], clip: [f32; 4]) -> f32 {
    let closing = corners.last().zip(corners.first()).map(|(last, first)| [*last, *first]);
    let edges = corners.windows(2).chain(closing.as_ref().map(|pair| &pair[..]));
    edges.map(|pair| extent(Figure::Line, pair, clip)[1]).sum()
}

fn is_faint(shape: &Shape) -> bool {
    shape.style.stroke.is_some_and(|(colour, _)| colour.a < u8::MAX)
}

/// Width and height of the part of a figure that may be visible.
fn extent(figure: Figure, corners: &[[f32; 2]], [left, top, wide, high]: [f32; 4]) -> [f32; 2] {
    let (mut low, mut most) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
    for corner in corners {
        for axis in 0..2 {
            low[axis] = low[axis].min(corner[axis]);
            most[axis] = most[axis].max(corner[axis]);
        }
    }
    if let (Figure::Circle, [center, rim]) = (figure, corners) {
        let radius = (rim[0] - center[0]).abs();
        (low, most) = (center.map(|at| at - radius), center.map(|at| at + radius));
    }
    let along = |axis: usize, from: f32, length: f32| {
        // What is no number counts for nothing.
        (most[axis].min(from + length) - low[axis].max(from)).max(0.0).min(length)
    };
    [along(0, left, wide), along(1, top, high)]
}

/// The length of a line, as far as it may be visible.
fn within(pair: &[[f32; 2]], clip: [f32; 4]) -> f32 {
    let [wide, high] = extent(Figure::Line, pair, clip);
    wide + high
}
