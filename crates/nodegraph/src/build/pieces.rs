//! Areas cut into pieces, and the ways between pieces.

use super::Bill;
use navmap_core::graph::surface::bilinear;
use navmap_core::graph::{FlatGraph, FlatNode, Link, LinkKind, NavGraph, Point, inside};
use std::collections::HashSet;

/// How finely areas are cut, and how near pieces lie that share a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    pub(super) cell: f32,
    pub(super) near: f32,
    /// Whether there is no coarser one.
    pub(super) is_last: bool,
}

/// How many sizes are tried.
const SIZES: usize = 40;

impl Size {
    /// From the finest to one node for all that hangs together.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let mut near = 0.0_f32;
        (1..=SIZES).map(move |number| {
            let is_last = number == SIZES;
            let size = Self { cell: (near * 2.0).max(160.0), near, is_last };
            near = (near * 1.3).max(24.0);
            size
        })
    }
}

/// How many pieces an area is cut into along a side at most.
const MOST_CELLS: usize = 64;

/// A polygon with more corners is not cut: whether each piece lies inside would take long.
const MOST_CORNERS: usize = 16;

/// How many pieces there may be besides one for each area.
const MOST_PIECES: usize = 16_384;

/// How high people jump.
const JUMP: f32 = 64.0;

/// How high a step is.
const STEP: f32 = 18.0;

/// A part of an area.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    /// On its floor.
    pub(super) at: Point,
    /// Square units.
    pub(super) size: f32,
    pub(super) area: u32,
}

/// A way between two pieces, both ways.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    pub(super) ends: [u32; 2],
    /// Where it crosses from one to the other.
    pub(super) over: Point,
    /// How wide it is there: how far the middle of a player may move aside.
    pub(super) width: f32,
    pub(super) jump: bool,
    /// Whether players have to crouch.
    pub(super) low: bool,
}

/// A ladder, with the pieces at its two ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ladder {
    /// Lower end first.
    pub(super) ends: [Point; 2],
    pub(super) pieces: [u32; 2],
}

/// What a mesh is cut into.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    pub(super) all: Vec<Piece>,
    pub(super) ways: Vec<Way>,
    pub(super) ladders: Vec<Ladder>,
    /// Of each area: its first piece, and how many there are in a row and in a column.
    areas: Vec<Grid>,
}

/// The pieces of an area.
#[derive(Debug, Clone, Copy, Default)]
struct Grid {
    first: u32,
    cells: [u32; 2],
    low: [f32; 2],
    size: [f32; 2],
    crouch: bool,
}

impl Grid {
    fn len(&self) -> u32 {
        let [x, y] = self.cells;
        x.saturating_mul(y)
    }

    /// The piece in a row and a column.
    fn piece(&self, x: u32, y: u32) -> u32 {
        let [row, _] = self.cells;
        self.first.saturating_add(y.saturating_mul(row)).saturating_add(x)
    }

    /// The piece nearest to a point.
    fn nearest(&self, at: Point) -> Option<u32> {
        let [columns, rows] = self.cells;
        let cell = |value: f32, low: f32, size: f32, count: u32| {
            (((value - low) / size * count as f32).max(0.0) as u32).min(count.saturating_sub(1))
        };
        let ([left, top], [width, depth]) = (self.low, self.size);
        (self.len() > 0).then(|| self.piece(cell(at.x, left, width, columns), cell(at.y, top, depth, rows)))
    }
}

impl Pieces {
    /// The pieces of a mesh. `None` if they are too many, or there are none.
    pub(super) fn of(mesh: &FlatGraph, size: Size, bill: &mut Bill) -> Option<Self> {
        let crouch =
            (0..64).find(|bit| mesh.flag(*bit).is_some_and(|name| name.eq_ignore_ascii_case("crouch")));
        let crouch = crouch.map_or(0, |bit| 1_u64.checked_shl(bit).unwrap_or(0));
        let mut pieces = Self::default();
        for (node, area) in mesh.nodes().iter().zip(0..) {
            pieces.area(mesh, node, area, size, node.flags & crouch != 0, bill);
            if pieces.all.len() > MOST_PIECES.saturating_add(mesh.nodes().len()) {
                return None;
            }
        }
        pieces.links(mesh, size, bill);
        (!pieces.all.is_empty()).then_some(pieces)
    }

    fn area(
        &mut self,
        mesh: &FlatGraph,
        node: &FlatNode,
        area: u32,
        size: Size,
        crouch: bool,
        bill: &mut Bill,
    ) {
        let corners = mesh.corners(node);
        let first = self.all.len() as u32;
        let center = mesh.shape(node).center();
        let Some(center) = center.filter(|_| corners.iter().all(|at| at.is_finite())) else {
            bill.broken_areas = bill.broken_areas.saturating_add(1);
            self.areas.push(Grid::default());
            return;
        };
        let (mut low, mut high) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        for at in corners {
            low = [low[0].min(at.x), low[1].min(at.y)];
            high = [high[0].max(at.x), high[1].max(at.y)];
        }
        let extent = [high[0] - low[0], high[1] - low[1]];
        let count = |length: f32| ((length / size.cell).ceil() as usize).clamp(1, MOST_CELLS) as u32;
        let [columns, rows] = if corners.len() <= MOST_CORNERS { extent.map(count) } else { [1, 1] };
        let plan: Vec<[f32; 2]> = corners.iter().map(|at| [at.x, at.y]).collect();
        let cells: Vec<[f32; 2]> = (0..rows)
            .flat_map(|y| (0..columns).map(move |x| [x, y]))
            .map(|[x, y]| {
                let at = |low: f32, extent: f32, place: u32, count: u32| {
                    low + extent * (place as f32 + 0.5) / count as f32
                };
                [at(low[0], extent[0], x, columns), at(low[1], extent[1], y, rows)]
            })
            .collect();
        // Areas of Source are rectangles, so that every cell has its middle inside. Of others that may not be so.
        let whole = cells.len() > 1 && cells.iter().all(|cell| inside(&plan, *cell));
        let cut = if whole { [columns, rows] } else { [1, 1] };
        let share = mesh.shape(node).area().unwrap_or(0.0) as f32 / cut.iter().product::<u32>() as f32;
        let mut put = |at| self.all.push(Piece { at, size: share, area });
        let mut stand = |at: Point| put(Point { z: height(corners, at).unwrap_or(at.z), ..at });
        match whole {
            true => cells.iter().for_each(|[x, y]| stand(Point::new(*x, *y, center.z))),
            false => stand(center),
        }
        let grid = Grid { first, cells: cut, low, size: extent.map(|length| length.max(1.0)), crouch };
        self.areas.push(grid);
        self.within(grid, extent);
    }

    /// Joins the pieces of an area.
    fn within(&mut self, grid: Grid, [width, depth]: [f32; 2]) {
        let [columns, rows] = grid.cells;
        let mut join = |a: u32, b: u32, width: f32| {
            let at = |piece: u32| self.all.get(piece as usize).map(|piece| piece.at);
            let Some((from, to)) = at(a).zip(at(b)) else { return };
            let over = from.midway(to);
            self.ways.push(Way { ends: [a, b], over, width, jump: false, low: grid.crouch });
        };
        for y in 0..rows {
            for x in 0..columns {
                let here = grid.piece(x, y);
                let (right, below) = (x.saturating_add(1), y.saturating_add(1));
                if right < columns {
                    join(here, grid.piece(right, y), depth / rows as f32);
                }
                if below < rows {
                    join(here, grid.piece(x, below), width / columns as f32);
                }
            }
        }
    }

    /// Makes ways of the links that lead there and back.
    fn links(&mut self, mesh: &FlatGraph, size: Size, bill: &mut Bill) {
        let links = mesh.links();
        let mut count = |count: fn(&mut Bill) -> &mut usize| {
            let count = count(bill);
            *count = count.saturating_add(1);
        };
        let walks = |link: &Link| link.kind.on_foot() || matches!(link.kind, LinkKind::Jump | LinkKind::Drop);
        let is_ladder = |link: &Link| link.kind == LinkKind::Ladder;
        let pair = |link: Link| Some((link.from, link.to?));
        let on_foot: HashSet<_> = links.iter().filter(|link| walks(link)).filter_map(pair).collect();
        let by_ladder: HashSet<_> = links.iter().filter(|link| is_ladder(link)).filter_map(pair).collect();
        let mut ladders = HashSet::new();
        for link in links {
            let Some(to) = link.to.filter(|to| *to != link.from) else { continue };
            if !is_ladder(&link) && !walks(&link) {
                count(|bill| &mut bill.other_ways);
                continue;
            }
            let back = (to, link.from);
            // Whoever drops beside a ladder climbs it as well.
            if !(on_foot.contains(&back) || is_ladder(&link) && by_ladder.contains(&back)) {
                count(|bill| &mut bill.one_way);
                continue;
            }
            if is_ladder(&link) {
                self.ladder(&link, to, &mut ladders);
            } else if link.from < to && !self.way(mesh, &link, to, size) {
                count(|bill| &mut bill.too_high);
            }
        }
    }

    /// Makes a ladder of a link, once for each pair of areas and each ladder.
    fn ladder(&mut self, link: &Link, to: u32, known: &mut HashSet<[u32; 4]>) {
        let grids = [link.from, to].map(|area| self.areas.get(area as usize).copied().unwrap_or_default());
        let at = |grid: Grid| Some(self.all.get(grid.nearest(Point::default())? as usize)?.at);
        let [Some(here), Some(there)] = grids.map(at) else { return };
        let [start, end] =
            link.path.filter(|path| path.iter().all(|at| at.is_finite())).unwrap_or([here, there]);
        let upward = start.z <= end.z;
        let (ends, grids) = if upward { ([start, end], grids) } else { ([end, start], [grids[1], grids[0]]) };
        let [Some(low), Some(high)] = [grids[0].nearest(ends[0]), grids[1].nearest(ends[1])] else { return };
        let [bottom, top] =
            ends.map(|at| at.x.to_bits() ^ at.y.to_bits().rotate_left(11) ^ at.z.to_bits().rotate_left(22));
        if known.insert([low, high, bottom, top]) {
            self.ladders.push(Ladder { ends, pieces: [low, high] });
        }
    }

    /// Makes ways over a link's portal: one for each pair of pieces that face each other there. Returns false if it leads too
    /// high.
    fn way(&mut self, mesh: &FlatGraph, link: &Link, to: u32, size: Size) -> bool {
        let areas = [link.from, to];
        let grids = areas.map(|area| self.areas.get(area as usize).copied().unwrap_or_default());
        let [Some(a), Some(b)] = grids.map(|grid| Some(self.all.get(grid.first as usize)?.at)) else {
            return true;
        };
        let portal = link.portal.filter(|portal| portal.iter().all(|at| at.is_finite()));
        let [left, right] = portal.unwrap_or([a.midway(b); 2]);
        let length = left.distance(right);
        let parts = ((length / size.cell * 2.0).ceil() as usize).clamp(1, MOST_CELLS);
        let along = |part: f32| {
            let part = part / parts as f32;
            let mix = |from: f32, to: f32| from + (to - from) * part;
            Point::new(mix(left.x, right.x), mix(left.y, right.y), mix(left.z, right.z))
        };
        let facing = |part: usize| {
            let over = along(part as f32 + 0.5);
            Some([grids[0].nearest(over)?, grids[1].nearest(over)?])
        };
        let (mut part, mut fits) = (0, true);
        while let Some(ends) = (part < parts).then(|| facing(part)).flatten() {
            let same = (part..parts).take_while(|part| facing(*part) == Some(ends)).count().max(1);
            let over = along(part as f32 + same as f32 / 2.0);
            part = part.saturating_add(same);
            let height = |area: u32| {
                let node = mesh.nodes().get(area as usize)?;
                Some(height(mesh.corners(node), over).unwrap_or(over.z))
            };
            let [Some(here), Some(there)] = areas.map(height) else { continue };
            let rise = if link.kind.on_foot() { 0.0 } else { (here - there).abs() };
            if rise > JUMP {
                fits = false;
                continue;
            }
            let width = if portal.is_some() { length * same as f32 / parts as f32 } else { f32::INFINITY };
            let low = grids.iter().any(|grid| grid.crouch);
            self.ways.push(Way { ends, over, width, jump: rise > STEP, low });
        }
        fits
    }
}

/// The height of an area's floor at a point, if the area is a rectangle, as those of Source are: corners from the north-west on.
fn height(corners: &[Point], at: Point) -> Option<f32> {
    let &[a, b, c, d] = corners else { return None };
    let upright = a.x == d.x && b.x == c.x && a.y == b.y && c.y == d.y;
    upright.then(|| bilinear(a.to_array(), c.to_array(), [b.z, d.z], [at.x, at.y]))
}
