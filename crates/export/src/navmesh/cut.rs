//! Cuts polygons along the grid of tiles, and down to six corners.

use super::Bill;
use super::budget::Budget;
use super::loops::{Loop, Loops, Piece};
use super::soup::{Soup, area, turn};
use navmap_core::error::{Error, ErrorKind, Result};
use std::collections::HashMap;

/// Vertices this close to a grid line are snapped to it, in metres.
const SNAP: f32 = 2e-3;
/// The most tiles along a side.
const MOST_TILES: f32 = 64.0;
/// Polygons per tile when the tile size is chosen automatically.
const ROOMY: usize = 4096;
/// The most pieces that cutting along tiles of a typed size may make.
const MOST_PIECES: usize = 1 << 22;
/// The most along tiles whose size was chosen here, of which a real mesh cuts a twentieth of its polygons: so many, and half as
/// many as it has polygons.
const MOST_OF_ANY: usize = 1 << 15;

/// A grid of square tiles, in plan.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grid {
    /// Smallest x and z.
    pub(super) origin: [f32; 2],
    pub(super) side: [f32; 2],
    pub(super) count: [u32; 2],
    /// Whether nobody typed the size of a tile.
    is_chosen: bool,
}

impl Grid {
    /// The grid over all vertices.
    pub(super) fn over(soup: &Soup, tile: Option<f32>) -> Result<Self> {
        let used = soup.loops.iter().flat_map(|polygon| soup.corners(polygon));
        let (mut low, mut high) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        for [x, _, z] in used {
            low = [low[0].min(x), low[1].min(z)];
            high = [high[0].max(x), high[1].max(z)];
        }
        if low[0] > high[0] {
            return Err(Error::invalid("mesh", "has no polygon to write"));
        }
        let extent = [0, 1].map(|axis| (high[axis] - low[axis]).max(0.1));
        let longest = extent[0].max(extent[1]);
        let side = match tile {
            Some(side) if side.is_finite() && side > 0.0 && longest > side * MOST_TILES => {
                let why = format!(
                    "{side} m is too small: of {longest:.0} m a side has {MOST_TILES} tiles at most, which are {:.2} m",
                    (longest / MOST_TILES * 100.0).ceil() / 100.0
                );
                return Err(Error::invalid("tile", why));
            }
            Some(side) if side.is_finite() && side > 0.0 => side,
            Some(side) => return Err(Error::invalid("tile", format!("{side} is no length"))),
            None => {
                let tiles = (soup.loops.len() as f32 / ROOMY as f32).sqrt().ceil().clamp(1.0, MOST_TILES);
                longest / tiles
            }
        };
        let count = extent.map(|length| ((length - SNAP) / side).ceil().max(1.0) as u32);
        // One tile is as large as the mesh.
        let side = if count == [1, 1] { extent } else { [side; 2] };
        Ok(Self { origin: low, side, count, is_chosen: tile.is_none() })
    }

    /// The grid line before a column or a row.
    pub(super) fn line(&self, axis: usize, index: u32) -> f32 {
        self.origin[axis] + index as f32 * self.side[axis]
    }

    /// The column and the row of a point.
    pub(super) fn tile(&self, [x, _, z]: [f32; 3]) -> [u32; 2] {
        let along = |axis: usize, value: f32| {
            let cell = ((value - self.origin[axis]) / self.side[axis]).max(0.0) as u32;
            cell.min(self.count[axis] - 1)
        };
        [along(0, x), along(1, z)]
    }
}

/// The two coordinates in plan.
const PLAN: [usize; 2] = [0, 2];

/// Cuts all polygons along the lines of the grid.
pub(super) fn along(soup: &mut Soup, grid: &Grid, bill: &mut Bill) -> Result<()> {
    let most = if grid.is_chosen {
        let polygons = soup.loops.len();
        polygons.saturating_add(polygons / 2).saturating_add(MOST_OF_ANY)
    } else {
        MOST_PIECES
    };
    for (axis, coordinate) in PLAN.into_iter().enumerate() {
        if grid.count[axis] < 2 {
            continue;
        }
        for vertex in &mut soup.vertices {
            let nearest = ((vertex[coordinate] - grid.origin[axis]) / grid.side[axis]).round().max(0.0);
            let line = grid.line(axis, nearest as u32);
            if (vertex[coordinate] - line).abs() < SNAP {
                vertex[coordinate] = line;
            }
        }
        // Both polygons of an edge share the vertex where a line cuts it.
        let mut cuts: HashMap<(u32, u32, u32), u32> = HashMap::new();
        let mut done = Loops::default();
        let mut pieces = 0u64;
        let mut todo: Vec<Piece> = Vec::new();
        let old = std::mem::take(&mut soup.loops);
        for (left, whole) in old.iter().enumerate().rev() {
            let mut piece = Piece::of(whole.node);
            piece.copy(whole);
            todo.push(piece);
            while let Some(polygon) = todo.pop() {
                let values = || polygon.as_loop().corners().map(|v| soup.vertices[v as usize][coordinate]);
                let (low, high) =
                    values().fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
                let first = ((low - grid.origin[axis]) / grid.side[axis]).floor().max(0.0) as u32 + 1;
                let line = (first..grid.count[axis])
                    .map(|index| (index, grid.line(axis, index)))
                    .find(|(_, l)| *l > low);
                match line.filter(|(_, line)| *line < high) {
                    Some((index, line)) => {
                        let halves = split(soup, polygon.as_loop(), coordinate, (index, line), &mut cuts);
                        pieces += 1;
                        todo.extend(halves);
                    }
                    None => done.push(polygon.as_loop()),
                }
                let (asked, allowed) = ((done.len() + todo.len() + left) as u64, most as u64);
                if asked > allowed && grid.is_chosen {
                    let what = "pieces of polygons along tiles";
                    return Err(Error::new(ErrorKind::Limit { what, asked, allowed }));
                }
                if asked > allowed {
                    return Err(Error::invalid("tile", "so small that there would be millions of pieces"));
                }
            }
        }
        drop(old);
        Bill::add(&mut bill.cut, "times a polygon along a side of a tile", pieces);
        soup.loops = done.sorted();
    }
    Ok(())
}

/// The parts of a polygon before and behind a line; either may be empty.
fn split(
    soup: &mut Soup,
    polygon: Loop<'_>,
    coordinate: usize,
    (index, line): (u32, f32),
    cuts: &mut HashMap<(u32, u32, u32), u32>,
) -> Vec<Piece> {
    let mut halves = [(); 2].map(|()| Piece::of(polygon.node));
    for i in 0..polygon.len() {
        let [a, b] = polygon.ends(i);
        let open = polygon.is_open(i);
        let (from, to) =
            (soup.vertices[a as usize][coordinate] - line, soup.vertices[b as usize][coordinate] - line);
        // The sides that a vertex belongs to: both if it lies on the line.
        for (half, sign) in halves.iter_mut().zip([-1.0f32, 1.0]) {
            if from * sign >= 0.0 {
                // An edge that leaves this side here is the cut, which can be walked over.
                half.push(a, open || from == 0.0 && to * sign < 0.0);
            }
        }
        if from * to < 0.0 {
            let key = (a.min(b), a.max(b), index);
            let (low, high) = (soup.vertices[key.0 as usize], soup.vertices[key.1 as usize]);
            let vertex = *cuts.entry(key).or_insert_with(|| {
                let t = (line - low[coordinate]) / (high[coordinate] - low[coordinate]);
                let mut new = [0.0; 3];
                (0..3).for_each(|axis| new[axis] = low[axis] + t * (high[axis] - low[axis]));
                new[coordinate] = line;
                soup.vertices.push(new);
                soup.vertices.len() as u32 - 1
            });
            for (half, sign) in halves.iter_mut().zip([-1.0f32, 1.0]) {
                half.push(vertex, open || to * sign < 0.0);
            }
        }
    }
    let is_part = |part: &Loop<'_>| part.len() > 2 && area(soup.corners(*part)) < -1e-7;
    halves.into_iter().filter(|half| is_part(&half.as_loop())).collect()
}

/// Cuts polygons until each has at most six corners.
pub(super) fn to_six(soup: &mut Soup, budget: &Budget, bill: &mut Bill) -> Result<()> {
    let old = std::mem::take(&mut soup.loops);
    let (mut done, mut cut, mut lost) = (Loops::default(), 0, 0);
    let mut todo: Vec<Piece> = Vec::new();
    for whole in old.iter() {
        if whole.len() <= 6 {
            done.push(whole);
            continue;
        }
        let mut piece = Piece::of(whole.node);
        piece.copy(whole);
        todo.push(piece);
        while let Some(piece) = todo.pop() {
            let polygon = piece.as_loop();
            if polygon.len() <= 6 {
                done.push(polygon);
                continue;
            }
            match chord(soup, polygon, budget) {
                Some((i, j)) => {
                    cut += 1;
                    let part = |from: usize, to: usize| {
                        let n = polygon.len();
                        let count = (to + n - from) % n;
                        let mut part = Piece::of(polygon.node);
                        for k in 0..=count {
                            let at = (from + k) % n;
                            let [corner, _] = polygon.ends(at);
                            part.push(corner, k == count || polygon.is_open(at));
                        }
                        part
                    };
                    todo.extend([part(j, i), part(i, j)]);
                }
                None => lost += 1,
            }
        }
    }
    budget.held()?;
    Bill::add(&mut bill.cut, "times a polygon of more than six corners", cut);
    Bill::add(&mut bill.dropped, "pieces of polygons that have no way to be cut", lost);
    soup.loops = done;
    Ok(())
}

/// The chord that halves a polygon best. Both parts have an area, and the chord lies inside.
fn chord(soup: &Soup, polygon: Loop<'_>, budget: &Budget) -> Option<(usize, usize)> {
    let n = polygon.len();
    let at = |i: usize| soup.vertices[polygon.ends(i % n)[0] as usize];
    let part = |from: usize, to: usize| area((0..=(to + n - from) % n).map(|k| at(from + k)));
    let mut best: Option<(f64, usize, usize)> = None;
    // A polygon with many corners is cut near its middle, because trying all chords would take too long.
    for i in 0..n.min(64) {
        for length in (2..=n / 2).rev() {
            if !budget.takes(n) {
                return None;
            }
            let j = (i + length) % n;
            let (one, other) = (part(i, j), part(j, i));
            let flat = turn(at(i), at(i + 1), at(j)).abs().max(1e-9);
            let least = (-one).min(-other);
            if one < -1e-5 && other < -1e-5 && flat > 0.0 {
                let score = least * length as f64;
                if best.is_none_or(|(most, ..)| score > most) {
                    best = Some((score, i, j));
                }
                break;
            }
        }
    }
    best.map(|(_, i, j)| (i, j))
}
