//! Makes a mesh of rectangles. The result is not analysed: it has areas, places, attributes and links, nothing else.

#![forbid(unsafe_code)]

use super::buf::{AreaBuf, SourceBuf};
use super::flags::{Attributes, Direction};
use super::record::{AreaId, Shape};
use crate::error::{Error, Result};
use crate::graph::Scene;
use std::collections::HashMap;

/// How far corners may be from a rectangle, and borders from each other, in units.
const NEAR: f32 = 0.01;

/// How a mesh is made of rectangles.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BuildOptions {
    /// The highest step that can be walked up, in units: 18 in the games.
    pub step: f32,
    /// The deepest fall that a link may lead down, in units.
    pub fall: f32,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self { step: 18.0, fall: 200.0 }
    }
}

/// A rectangle while it is linked.
#[derive(Clone, Copy)]
struct Rectangle {
    low: [f32; 2],
    high: [f32; 2],
    shape: Shape,
}

impl SourceBuf {
    /// Makes an area of each polygon of a scene, which is in units with z up. A polygon has to be a rectangle in plan, its
    /// sides along x and y. Ids count from 1. A material named `attr_CROUCH+JUMP` is attributes, any other the place.
    ///
    /// Two areas that share a piece of border are linked both ways if their heights in its middle differ by no more than
    /// the step, and downwards if by no more than the fall. Nothing is analysed: no hiding spots, no visibility.
    ///
    /// # Errors
    /// If there is no polygon, or one is no rectangle: names how many are not, and the line of the first.
    pub fn build(scene: &Scene, version: u32, subversion: u32, options: &BuildOptions) -> Result<Self> {
        let mut mesh = Self::new(version, subversion);
        let mut places: HashMap<&str, u16> = HashMap::new();
        let (mut odd, mut first) = (0_usize, None);
        let mut rectangles = Vec::with_capacity(scene.polygons.len());
        for (polygon, corners) in scene.polygons() {
            let corners: Vec<[f32; 3]> =
                corners.iter().map(|at| scene.position(*at).map(|v| v as f32)).collect();
            let Some(rectangle) = rectangle(&corners) else {
                odd = odd.saturating_add(1);
                first.get_or_insert(polygon.line);
                continue;
            };
            let id = u32::try_from(mesh.areas.len().saturating_add(1)).unwrap_or(u32::MAX);
            let mut area = AreaBuf::new(AreaId::new(id), rectangle.shape);
            let name = scene.material(polygon.material);
            match name.strip_prefix("attr_") {
                Some(names) => {
                    area.attributes = attributes(names).map_err(|name| {
                        Error::invalid(
                            "mesh",
                            format!("{}: no attribute is named {name}", scene.place(polygon.line)),
                        )
                    })?;
                }
                None if name.is_empty() || name == "floor" => {}
                None => {
                    let next = u16::try_from(places.len().saturating_add(1)).unwrap_or(u16::MAX);
                    let number = *places.entry(name).or_insert(next);
                    if number == next && mesh.head.places.len() < usize::from(next) {
                        mesh.head.places.push([name.as_bytes(), &[0]].concat().into());
                    }
                    area.place = number;
                }
            }
            mesh.areas.push(area);
            rectangles.push(rectangle);
        }
        if odd > 0 {
            let line = first.unwrap_or(0);
            let why = format!(
                "{odd} of {} faces are no rectangles along x and y, which areas are (the first at {})",
                scene.polygons.len(),
                scene.place(line)
            );
            return Err(Error::invalid("mesh", why));
        }
        if mesh.areas.is_empty() {
            return Err(Error::invalid("mesh", "no faces"));
        }
        mesh.head.has_unnamed_areas = mesh.areas.iter().any(|area| area.place == 0).into();
        link(&mut mesh.areas, &rectangles, options)?;
        Ok(mesh)
    }
}

/// The names of attributes, with + between them.
fn attributes(names: &str) -> std::result::Result<Attributes, String> {
    let mut bits = 0;
    for name in names.split('+') {
        let known = Attributes::NAMED.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        bits |= known.map(|(_, bit)| bit.0).ok_or_else(|| name.to_owned())?;
    }
    Ok(Attributes(bits))
}

/// Four corners as a rectangle. Other points on its border are no corners.
fn rectangle(corners: &[[f32; 3]]) -> Option<Rectangle> {
    let (mut low, mut high) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
    for [x, y, _] in corners {
        for ((low, high), v) in low.iter_mut().zip(&mut high).zip([x, y]) {
            (*low, *high) = (low.min(*v), high.max(*v));
        }
    }
    let ([x0, y0], [x1, y1]) = (low, high);
    if corners.len() != 4 || x1 - x0 <= NEAR || y1 - y0 <= NEAR {
        return None;
    }
    let at = |x: f32, y: f32| {
        let found = corners.iter().find(|[a, b, _]| (a - x).abs() <= NEAR && (b - y).abs() <= NEAR);
        found.map(|[_, _, z]| *z)
    };
    let heights = [at(x0, y0)?, at(x1, y0)?, at(x1, y1)?, at(x0, y1)?];
    Some(Rectangle { low, high, shape: Shape::from_extent(low, high, heights) })
}

/// Most pairs of rectangles at one border line that are looked at: many more than any map has.
const MOST_PAIRS: usize = 1 << 24;

/// Links areas over the borders that they share.
fn link(areas: &mut [AreaBuf], rectangles: &[Rectangle], options: &BuildOptions) -> Result<()> {
    let mut pairs = 0_usize;
    for axis in [0, 1] {
        let along = 1_usize.saturating_sub(axis);
        let get = |values: &[f32; 2], axis: usize| values.get(axis).copied().unwrap_or(0.0);
        // Upper borders meet lower borders.
        let mut lows: Vec<(f32, usize)> =
            rectangles.iter().enumerate().map(|(n, r)| (get(&r.low, axis), n)).collect();
        lows.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (a, one) in rectangles.iter().enumerate() {
            let line = get(&one.high, axis);
            let from = lows.partition_point(|(low, _)| *low < line - NEAR);
            for (_, b) in lows.iter().skip(from).take_while(|(low, _)| *low <= line + NEAR) {
                pairs = pairs.saturating_add(1);
                if pairs > MOST_PAIRS {
                    return Err(Error::invalid(
                        "mesh",
                        format!("more than {MOST_PAIRS} pairs of areas at one line"),
                    ));
                }
                let Some(other) = rectangles.get(*b) else { continue };
                let (start, end) = (
                    get(&one.low, along).max(get(&other.low, along)),
                    get(&one.high, along).min(get(&other.high, along)),
                );
                if end - start <= NEAR {
                    continue;
                }
                let middle = 0.5 * (start + end);
                let [x, y] = if axis == 0 { [line, middle] } else { [middle, line] };
                let (za, zb) = (one.shape.height_at(x, y), other.shape.height_at(x, y));
                let (to, back) = if axis == 0 {
                    (Direction::East, Direction::West)
                } else {
                    (Direction::South, Direction::North)
                };
                let mut connect = |from: usize, to: usize, direction: Direction| {
                    let id = areas.get(to).map(|area| area.id);
                    let list =
                        areas.get_mut(from).and_then(|area| area.connections.get_mut(direction as usize));
                    if let (Some(id), Some(list)) = (id, list) {
                        list.push(id);
                    }
                };
                let up = zb - za;
                if up <= options.step && -up <= options.fall.max(options.step) {
                    connect(a, *b, to);
                }
                if -up <= options.step && up <= options.fall.max(options.step) {
                    connect(*b, a, back);
                }
            }
        }
    }
    Ok(())
}
