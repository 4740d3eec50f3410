//! Makes a mesh from rectangles. It is not analysed: it has only areas, places, attributes and links.

use super::buf::{AreaBuf, SourceBuf};
use super::flags::{Attributes, Direction};
use super::rasterise::Grid;
use super::record::{AreaId, Shape};
use navmap_core::error::{Error, Result};
use navmap_core::graph::Scene;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// How far corners may be from a rectangle, and borders from each other, in units.
const NEAR: f32 = 0.01;

/// Options for making a mesh from rectangles. `with_…` changes the default.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BuildOptions {
    /// The highest step that can be walked up, in units: 18 in the games.
    pub step: f32,
    /// The deepest drop of a link, in units.
    pub fall: f32,
    /// The side of a grid cell in units, if faces that are not rectangles should be approximated by a grid. The games use 25.
    pub rasterise: Option<f64>,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self { step: 18.0, fall: 200.0, rasterise: None }
    }
}

impl BuildOptions {
    navmap_core::with! {
        with_step = step: f32;
        with_fall = fall: f32;
        with_rasterise = rasterise: Option<f64>;
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
    /// Makes an area of each polygon of a scene, in units with z up. A polygon has to be a rectangle in plan, with sides along x
    /// and y; two triangles that form one become one area. Other faces are approximated if [`rasterise`](BuildOptions::rasterise)
    /// is set: each cell of a grid has the height of its middle, and cells of one slope become an area. Ids count from 1. A
    /// material named `attr_CROUCH+JUMP` sets attributes, any other the place.
    ///
    /// Two areas that share a piece of border are linked both ways if their heights in its middle differ by no more than the
    /// step, and downwards if by no more than the fall. There are no hiding spots and no visibility.
    ///
    /// # Errors
    /// If there is no polygon, if a coordinate is too large for `f32`, or if polygons are not rectangles: the error gives their
    /// number, and the line of the first.
    pub fn build(scene: &Scene, version: u32, subversion: u32, options: &BuildOptions) -> Result<Self> {
        scene.bounded()?;
        let mut mesh = Self::new(version, subversion);
        let mut known = Names::default();
        let (mut odd, mut first) = (0_usize, None);
        let mut rectangles = Vec::with_capacity(scene.polygons.len());
        mesh.areas.reserve_exact(scene.polygons.len());
        let mut grid = options.rasterise.map(|side| Grid::new(side, options.step.into())).transpose()?;
        let halves = halves(scene);
        for (number, (polygon, corners)) in scene.polygons().enumerate() {
            let at = |corner: &u32| scene.position(*corner).map(|v| v as f32);
            let found = match halves.get(&number) {
                Some(Half::First(fourth)) => {
                    rectangle(&corners.iter().chain([fourth]).map(at).collect::<Vec<_>>())
                }
                Some(Half::Second) => continue,
                None => rectangle(&corners.iter().map(at).collect::<Vec<_>>()),
            };
            match (found, &mut grid) {
                (Some(rectangle), _) => {
                    known.area(&mut mesh, scene, polygon.material, polygon.line, rectangle.shape)?;
                    rectangles.push(rectangle);
                }
                (None, Some(grid)) => {
                    for triangle in scene.triangles(corners).of(corners) {
                        let corners = triangle.map(|corner| scene.position(corner));
                        grid.add(corners, polygon.line, polygon.material)?;
                    }
                }
                (None, None) => {
                    odd = odd.saturating_add(1);
                    first.get_or_insert(polygon.line);
                }
            }
        }
        let made = grid.map(Grid::rectangles).transpose()?;
        for made in made.into_iter().flatten() {
            known.area(&mut mesh, scene, made.material, made.line, made.shape)?;
            rectangles.push(Rectangle { low: made.low, high: made.high, shape: made.shape });
        }
        if odd > 0 {
            let line = first.unwrap_or(0);
            let why = format!(
                "{odd} of {} faces are no rectangles along x and y, which areas are (the first at {}): --rasterise 25 approximates them on a grid",
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

/// The meaning of a scene's materials in a mesh.
#[derive(Default)]
struct Names<'s> {
    places: HashMap<&'s str, u16>,
}

impl<'s> Names<'s> {
    /// Adds an area under the next id.
    fn area(
        &mut self,
        mesh: &mut SourceBuf,
        scene: &'s Scene,
        material: u32,
        line: u32,
        shape: Shape,
    ) -> Result<()> {
        let id = u32::try_from(mesh.areas.len().saturating_add(1)).unwrap_or(u32::MAX);
        let mut area = AreaBuf::new(AreaId::new(id), shape);
        let name = scene.material(material);
        match name.strip_prefix("attr_") {
            Some(names) => {
                area.attributes = attributes(names).map_err(|name| {
                    let why = format!("{}: no attribute is named {name}", scene.place(line));
                    Error::invalid("mesh", why)
                })?;
            }
            None if name.is_empty() || name == "floor" => {}
            None => {
                area.place = match self.places.get(name) {
                    Some(number) => *number,
                    None => {
                        let next = u16::try_from(self.places.len().saturating_add(1)).map_err(|_| {
                            Error::invalid("places", format!("{}: more than 65535", scene.place(line)))
                        })?;
                        mesh.head.places.push([name.as_bytes(), &[0]].concat().into());
                        self.places.insert(name, next);
                        next
                    }
                };
            }
        }
        mesh.areas.push(area);
        Ok(())
    }
}

/// The ends of a triangle's long side, and the material.
type Side = ([u32; 3], [u32; 3], u32);

/// A triangle that is half of a rectangle.
enum Half {
    /// The first half, and the corner that it lacks.
    First(u32),
    Second,
}

/// The pairs of triangles that form a rectangle: they share their long side, and each has the right angle at its third corner.
/// Formats with only triangles cut rectangles this way, GLB among them.
fn halves(scene: &Scene) -> HashMap<usize, Half> {
    // 0 and -0 are the same place.
    let key = |corner: u32| scene.position(corner).map(|v| (v as f32 + 0.0).to_bits());
    let mut open: HashMap<Side, (usize, u32)> = HashMap::new();
    let mut found = HashMap::new();
    for (number, (polygon, corners)) in scene.polygons().enumerate() {
        let [a, b, c] = *corners else { continue };
        // The corner with the right angle, and the two ends of the side across from it.
        let right = |[at, p, q]: [u32; 3]| {
            let [at, p, q] = [at, p, q].map(|corner| scene.position(corner).map(|v| v as f32));
            let along = |a: [f32; 3], b: [f32; 3], axis: usize| {
                let apart = |axis: usize| {
                    (a.get(axis).copied().unwrap_or(0.0) - b.get(axis).copied().unwrap_or(0.0)).abs()
                };
                apart(axis) > NEAR && apart(1_usize.saturating_sub(axis)) <= NEAR
            };
            (along(at, p, 0) && along(at, q, 1)) || (along(at, p, 1) && along(at, q, 0))
        };
        let Some([at, p, q]) = [[a, b, c], [b, c, a], [c, a, b]].into_iter().find(|turned| right(*turned))
        else {
            continue;
        };
        let (p, q) = (key(p), key(q));
        let side = (p.min(q), p.max(q), polygon.material);
        match open.remove(&side) {
            Some((first, corner)) if opposite(scene, corner, at) => {
                found.insert(first, Half::First(at));
                found.insert(number, Half::Second);
            }
            Some(other) => _ = open.insert(side, other),
            None => _ = open.insert(side, (number, at)),
        }
    }
    found
}

/// Whether two corners with a right angle lie across from each other.
fn opposite(scene: &Scene, a: u32, b: u32) -> bool {
    let ([ax, ay, _], [bx, by, _]) = (scene.position(a), scene.position(b));
    (ax - bx).abs() > f64::from(NEAR) && (ay - by).abs() > f64::from(NEAR)
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

/// Four corners as a rectangle. Other points on its border are ignored.
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

/// The most pairs of areas that share a border: many more than any map has. Where many areas lie over one another, each shares it
/// with all of its neighbours.
const MOST_PAIRS: usize = 1 << 24;

/// Links areas over the borders that they share.
fn link(areas: &mut [AreaBuf], rectangles: &[Rectangle], options: &BuildOptions) -> Result<()> {
    let mut left = MOST_PAIRS;
    for axis in [0, 1] {
        let along = 1_usize.saturating_sub(axis);
        let (to, back) =
            if axis == 0 { (Direction::East, Direction::West) } else { (Direction::South, Direction::North) };
        let order = meet(rectangles, axis, &mut |a, b| {
            left = left.checked_sub(1).ok_or_else(|| {
                Error::invalid("mesh", format!("more than {MOST_PAIRS} pairs of areas that share a border"))
            })?;
            let Some((one, other)) = rectangles.get(a).zip(rectangles.get(b)) else { return Ok(()) };
            let line = get(&one.high, axis);
            let start = get(&one.low, along).max(get(&other.low, along));
            let end = get(&one.high, along).min(get(&other.high, along));
            if end - start <= NEAR {
                return Ok(());
            }
            let middle = 0.5 * (start + end);
            let [x, y] = if axis == 0 { [line, middle] } else { [middle, line] };
            let (za, zb) = (one.shape.height_at(x, y), other.shape.height_at(x, y));
            let mut connect = |from: usize, to: usize, direction: Direction| {
                let id = areas.get(to).map(|area| area.id);
                let list = areas.get_mut(from).and_then(|area| area.connections.get_mut(direction as usize));
                if let (Some(id), Some(list)) = (id, list) {
                    list.push(id);
                }
            };
            let up = zb - za;
            if up <= options.step && -up <= options.fall.max(options.step) {
                connect(a, b, to);
            }
            if -up <= options.step && up <= options.fall.max(options.step) {
                connect(b, a, back);
            }
            Ok(())
        })?;
        // Ids count from 1.
        let place = |id: &AreaId| order.get((id.get() as usize).saturating_sub(1)).copied();
        for lists in areas.iter_mut().map(|area| &mut area.connections) {
            if let Some(list) = lists.get_mut(to as usize) {
                list.sort_by_key(place);
            }
            if let Some(list) = lists.get_mut(back as usize) {
                list.sort_by_key(|id| id.get());
            }
        }
    }
    Ok(())
}

fn get(values: &[f32; 2], axis: usize) -> f32 {
    values.get(axis).copied().unwrap_or(0.0)
}

/// Calls `each` with every two rectangles of which the upper border of the first, across an axis, lies at the lower border of the
/// second. Returns the place of each rectangle in the order of lower borders.
///
/// Sweeps along the borders, and knows which rectangles there are at every place, so that those that are side by side in a row of
/// a grid never meet.
fn meet(
    rectangles: &[Rectangle],
    axis: usize,
    each: &mut dyn FnMut(usize, usize) -> Result<()>,
) -> Result<Vec<usize>> {
    let along = 1_usize.saturating_sub(axis);
    let sorted = |border: fn(&Rectangle) -> &[f32; 2], axis: usize| {
        let mut sorted: Vec<(f32, usize)> =
            rectangles.iter().enumerate().map(|(n, r)| (get(border(r), axis), n)).collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
        sorted
    };
    let places = |sorted: &[(f32, usize)]| {
        let mut places = vec![0; sorted.len()];
        for (place, (_, n)) in sorted.iter().enumerate() {
            if let Some(of) = places.get_mut(*n) {
                *of = place;
            }
        }
        places
    };
    let (lows, highs) = (sorted(|r| &r.low, axis), sorted(|r| &r.high, axis));
    let (low_of, high_of) = (places(&lows), places(&highs));
    // The lower borders that each upper one meets. Neither end of these ranges ever goes back, so that the upper borders that a lower
    // one meets are a range too.
    let near = |(line, _): &(f32, usize)| {
        let from = lows.partition_point(|(low, _)| *low < line - NEAR);
        from..lows.partition_point(|(low, _)| *low <= line + NEAR)
    };
    let met: Vec<Range<usize>> = highs.iter().map(near).collect();
    let mut ends = sorted(|r| &r.high, along).into_iter().peekable();
    let (mut open_lows, mut open_highs) = (BTreeMap::new(), BTreeMap::new());
    for (start, n) in sorted(|r| &r.low, along) {
        let of = |n: usize| low_of.get(n).copied().zip(high_of.get(n).copied()).unwrap_or_default();
        while let Some((_, ended)) = ends.next_if(|(end, _)| *end <= start) {
            let (low, high) = of(ended);
            (_, _) = (open_lows.remove(&low), open_highs.remove(&high));
        }
        let (low, high) = of(n);
        let above = met.get(high).cloned().unwrap_or_default();
        open_lows.range(above).try_for_each(|(_, other)| each(n, *other))?;
        let below = met.partition_point(|of| of.end <= low)..met.partition_point(|of| of.start <= low);
        open_highs.range(below).try_for_each(|(_, other)| each(*other, n))?;
        (_, _) = (open_lows.insert(low, n), open_highs.insert(high, n));
    }
    Ok(low_of)
}
