//! Tiles side by side: where they lie, and what their portals and off-mesh connections join.

use super::ground::{Plan, plan};
use super::iter::TileEntry;
use super::record::{Across, OffMesh, Parameters};
use super::tile::Tile;

/// How far apart the edges of a portal may lie, across and along. The engine's number.
const TOUCH: f32 = 0.01;
/// The most polygons of one tile that an edge is joined with. The engine drops the others.
const MOST_PARTNERS: usize = 4;
/// The most tiles at one place. The engine ignores others.
const MOST_LAYERS: usize = 32;
/// Comparisons allowed per portal edge. Real meshes need about two.
const COMPARISONS: u64 = 256;
/// Polygons that may be visited to place the ends of all off-mesh connections.
const LANDINGS: u64 = 1 << 24;

/// A tile by its place: mesh, column, row, layer, and its index in the grid.
type TilePlace = (u32, i32, i32, i32, u32);

/// The tiles of a mesh, by their places.
#[derive(Debug, Clone, Default)]
pub(super) struct Grid<'a> {
    entries: Vec<TileEntry<'a>>,
    places: Vec<TilePlace>,
    /// The first tile of each place and layer: the engine ignores others.
    firsts: Vec<TilePlace>,
    /// Tile numbers as references have them, with the tile's index in the grid.
    numbers: Vec<(u64, u32)>,
    bits: Bits,
}

/// The bit fields of a reference.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Bits {
    pub(super) tile: u32,
    pub(super) polygon: u32,
}

impl Bits {
    /// The bit fields. Those of 32-bit references depend on the mesh's capacity.
    pub(super) fn for_mesh(parameters: Option<&Parameters>, wide: bool) -> Self {
        if wide {
            return Self { tile: 28, polygon: 20 };
        }
        let bits = |most: u32| most.max(1).checked_next_power_of_two().map_or(32, u32::trailing_zeros);
        parameters.map_or_else(Self::default, |p| Self {
            tile: bits(p.max_tiles()),
            polygon: bits(p.max_polygons()),
        })
    }

    /// The tile and the polygon of a reference.
    pub(super) fn split(self, reference: u64) -> (u64, u64) {
        let low = |value: u64, bits: u32| {
            value & 1u64.checked_shl(bits).map_or(u64::MAX, |bit| bit.wrapping_sub(1))
        };
        let above = reference.checked_shr(self.polygon).unwrap_or(0);
        (low(above, self.tile), low(reference, self.polygon))
    }
}

/// Two polygons of different tiles joined by a portal, in one direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Joint {
    pub(super) tile: u32,
    pub(super) polygon: u32,
    pub(super) edge: u8,
    pub(super) to: (u32, u32),
    /// The open part of the edge, from 0 to 1 along it.
    pub(super) span: [f32; 2],
}

/// The joints that the portals of a grid make.
#[derive(Debug, Clone, Default)]
pub(super) struct Joints {
    /// Ordered by tile, polygon and edge.
    pub(super) list: Vec<Joint>,
    /// Portal edges.
    pub(super) edges: u64,
    /// Portal edges without a partner although a tile lies there: tile, polygon, edge, in this order.
    pub(super) apart: Vec<(u32, u32, u8)>,
    /// Portal edges that no tile adjoins.
    pub(super) rim: Vec<(u32, u32, u8)>,
    /// Portal edges with more than four partners in one tile.
    pub(super) crowded: Vec<(u32, u32, u8)>,
    /// Whether edges overlap so often that the comparison limit was reached.
    pub(super) exhausted: bool,
}

/// An off-mesh connection and the polygons it joins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Jump<'a> {
    pub(super) tile: u32,
    pub(super) index: u32,
    pub(super) connection: &'a OffMesh,
    pub(super) from: Option<(u32, u32)>,
    pub(super) to: Option<(u32, u32)>,
}

/// A portal edge, seen from above.
#[derive(Debug, Clone, Copy)]
struct Edge {
    tile: u32,
    side: u8,
    edge: u8,
    polygon: u32,
    across: f32,
    /// The end with the smaller coordinate along: that coordinate, and the height.
    low: [f32; 2],
    high: [f32; 2],
    /// Whether `low` and `high` swap the corner and the next one.
    turned: bool,
    /// The largest coordinate along of this edge and those before it in its list.
    reach: f32,
}

impl<'a> Grid<'a> {
    pub(super) fn new(entries: Vec<TileEntry<'a>>, bits: Bits) -> Self {
        let number = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
        let place = |(index, entry): (usize, &TileEntry<'_>)| {
            let head = entry.tile.head();
            let [x, y] = head.at;
            (entry.mesh, x, y, head.layer, number(index))
        };
        let mut places: Vec<TilePlace> = entries.iter().enumerate().map(place).collect();
        places.sort_unstable();
        let mut firsts = places.clone();
        firsts.dedup_by_key(|(mesh, x, y, layer, _)| (*mesh, *x, *y, *layer));
        let of_reference =
            |(index, entry): (usize, &TileEntry<'_>)| (bits.split(entry.reference).0, number(index));
        let mut numbers: Vec<_> = entries.iter().enumerate().map(of_reference).collect();
        numbers.sort_unstable();
        Self { entries, places, firsts, numbers, bits }
    }

    pub(super) fn entries(&self) -> &[TileEntry<'a>] {
        &self.entries
    }

    pub(super) fn tile(&self, index: u32) -> Option<&Tile<'a>> {
        self.entries.get(usize::try_from(index).ok()?).map(|entry| &entry.tile)
    }

    /// The tile and polygon of a reference in the file.
    pub(super) fn named(&self, reference: u64) -> Option<(u32, u32)> {
        let (tile, polygon) = self.bits.split(reference);
        let at = self.numbers.binary_search_by_key(&tile, |(number, _)| *number).ok()?;
        Some((self.numbers.get(at)?.1, u32::try_from(polygon).ok()?))
    }

    /// The tiles at a place. Like the engine, skips a second tile of the same layer.
    pub(super) fn at(&self, mesh: u32, x: i32, y: i32) -> impl Iterator<Item = u32> + '_ {
        let first = self.firsts.partition_point(|(m, a, b, ..)| (*m, *a, *b) < (mesh, x, y));
        let rest = self.firsts.get(first..).unwrap_or_default();
        rest.iter()
            .take_while(move |(m, a, b, ..)| (*m, *a, *b) == (mesh, x, y))
            .take(MOST_LAYERS)
            .map(|(.., index)| *index)
    }

    /// Pairs of tiles at the same place and layer. The engine keeps the first and drops the second.
    pub(super) fn twins(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.places.windows(2).filter_map(|pair| match pair {
            [(ma, xa, ya, la, a), (mb, xb, yb, lb, b)] => {
                ((ma, xa, ya, la) == (mb, xb, yb, lb)).then_some((*a, *b))
            }
            _ => None,
        })
    }

    /// The tiles adjoining a side of a tile.
    fn over(&self, index: u32, side: u8) -> impl Iterator<Item = u32> + '_ {
        let entry = self.entries.get(usize::try_from(index).unwrap_or(usize::MAX));
        let place = entry.and_then(|entry| {
            let [x, y] = over_side(entry.tile.head().at, side)?;
            Some((entry.mesh, x, y))
        });
        place.into_iter().flat_map(|(mesh, x, y)| self.at(mesh, x, y))
    }

    /// The other layers at a tile's place.
    fn layers(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        let entry = self.entries.get(usize::try_from(index).unwrap_or(usize::MAX));
        let place = entry.map(|entry| (entry.mesh, entry.tile.head().at));
        place.into_iter().flat_map(|(mesh, [x, y])| self.at(mesh, x, y)).filter(move |other| *other != index)
    }

    /// Every portal edge, ordered by tile, side and place.
    fn edges(&self) -> Vec<Edge> {
        let mut edges = Vec::new();
        for (number, entry) in (0u32..).zip(&self.entries) {
            let tile = &entry.tile;
            let z_up = tile.layout().z_up();
            for (index, polygon) in (0u32..).zip(tile.polygons().iter()) {
                for (side, edge) in polygon.neighbours().iter().zip(0u8..) {
                    let Across::Portal(side) = Across::decode(side.get()) else { continue };
                    let Some(ends) = tile.edge(&polygon, edge.into()) else { continue };
                    let [a, b] = ends.map(|end| plan(end, z_up));
                    let Some(seen) = Edge::new(number, index, edge, side, a, b) else { continue };
                    edges.push(seen);
                }
            }
        }
        edges.sort_by(|a, b| {
            let key = |e: &Edge| (e.tile, e.side);
            let [low_a, _] = a.low;
            let [low_b, _] = b.low;
            key(a)
                .cmp(&key(b))
                .then(low_a.total_cmp(&low_b))
                .then((a.polygon, a.edge).cmp(&(b.polygon, b.edge)))
        });
        let mut reach = (None, f32::NEG_INFINITY);
        for edge in &mut edges {
            let key = Some((edge.tile, edge.side));
            let [high, _] = edge.high;
            reach = if reach.0 == key { (key, reach.1.max(high)) } else { (key, high) };
            edge.reach = reach.1;
        }
        edges
    }

    /// Joins portals by the engine's rule. Linear in the number of edges, as long as few overlap.
    pub(super) fn joints(&self) -> Joints {
        let edges = self.edges();
        let mut joints = Joints { edges: edges.len() as u64, ..Joints::default() };
        let mut left = joints.edges.saturating_mul(COMPARISONS).saturating_add(1 << 16);
        let mut partners: Vec<Edge> = Vec::new();
        for edge in &edges {
            let (mut joined, mut neighbours) = (false, false);
            let (over, layers) = (self.over(edge.tile, edge.side), self.layers(edge.tile));
            for (target, beside) in over.map(|tile| (tile, false)).chain(layers.map(|tile| (tile, true))) {
                neighbours |= !beside;
                let climb = self.tile(target).map_or(0.0, |tile| tile.head().climb());
                partners.clear();
                edge.partners(&edges, target, climb, &mut left, &mut partners);
                partners.sort_unstable_by_key(|other| (other.polygon, other.edge));
                partners.dedup_by_key(|other| other.polygon);
                if partners.len() > MOST_PARTNERS {
                    joints.crowded.push((edge.tile, edge.polygon, edge.edge));
                }
                for other in partners.iter().take(MOST_PARTNERS) {
                    joined = true;
                    joints.list.push(Joint {
                        tile: edge.tile,
                        polygon: edge.polygon,
                        edge: edge.edge,
                        to: (target, other.polygon),
                        span: edge.span(other),
                    });
                }
            }
            if !joined {
                let alone = if neighbours { &mut joints.apart } else { &mut joints.rim };
                alone.push((edge.tile, edge.polygon, edge.edge));
            }
        }
        joints.exhausted = left == 0;
        joints.list.sort_by_key(|joint| (joint.tile, joint.polygon, joint.edge, joint.to));
        joints.apart.sort_unstable();
        joints.rim.sort_unstable();
        joints
    }

    /// The off-mesh connections, and the polygons their ends land on. An end beyond its tile lands in the tile of that direction.
    pub(super) fn jumps(&self) -> Vec<Jump<'a>> {
        let mut left = LANDINGS;
        let mut jumps = Vec::new();
        for (tile, entry) in (0u32..).zip(&self.entries) {
            for (index, connection) in (0u32..).zip(entry.tile.off_mesh().iter()) {
                let radius = connection.radius();
                let from = entry.tile.land(connection.start(), radius, &mut left).map(|at| (tile, at));
                let to = match connection.side() {
                    None => entry.tile.land(connection.end(), radius, &mut left).map(|at| (tile, at)),
                    Some(side) => self.over(tile, side).find_map(|other| {
                        let found = self.tile(other)?.land(connection.end(), radius, &mut left)?;
                        Some((other, found))
                    }),
                };
                jumps.push(Jump { tile, index, connection, from, to });
            }
        }
        jumps
    }
}

/// Column and row over a side of a tile.
pub(super) fn over_side([x, y]: [i32; 2], side: u8) -> Option<[i32; 2]> {
    let (dx, dy) = match side {
        0 => (1, 0),
        1 => (1, 1),
        2 => (0, 1),
        3 => (-1, 1),
        4 => (-1, 0),
        5 => (-1, -1),
        6 => (0, -1),
        7 => (1, -1),
        _ => return None,
    };
    Some([x.checked_add(dx)?, y.checked_add(dy)?])
}

impl Edge {
    /// `None` for an edge with a coordinate that is not finite, or on a corner instead of a side.
    fn new(tile: u32, polygon: u32, edge: u8, side: u8, a: Plan, b: Plan) -> Option<Self> {
        let finite = a.iter().chain(&b).all(|value| value.is_finite());
        let ends = match side {
            0 | 4 => [a, b].map(|[x, y, height]| (x, [y, height])),
            2 | 6 => [a, b].map(|[x, y, height]| (y, [x, height])),
            _ => return None,
        };
        let [(across, first), (_, second)] = ends;
        let turned = first.first() >= second.first();
        let (low, high) = if turned { (second, first) } else { (first, second) };
        finite.then_some(Self { tile, side, edge, polygon, across, low, high, turned, reach: 0.0 })
    }

    /// The edges of a tile that this one is joined with.
    fn partners(&self, edges: &[Self], target: u32, climb: f32, left: &mut u64, found: &mut Vec<Self>) {
        let opposite = self.side.wrapping_add(4) & 7;
        let key = (target, opposite);
        let first = edges.partition_point(|edge| (edge.tile, edge.side) < key);
        let len =
            edges.get(first..).unwrap_or_default().partition_point(|edge| (edge.tile, edge.side) == key);
        let list = edges.get(first..first.saturating_add(len)).unwrap_or_default();
        let ([low, _], [high, _]) = (self.low, self.high);
        // Earlier edges cannot touch this one, since `reach` grows along the list.
        let begin = list.partition_point(|edge| edge.reach < low);
        for other in list.get(begin..).unwrap_or_default() {
            let [start, _] = other.low;
            if start > high {
                break;
            }
            match left.checked_sub(1) {
                Some(rest) => *left = rest,
                None => return,
            }
            // The comparison is the engine's way round, so NaN joins nothing here either.
            if (self.across - other.across).abs() <= TOUCH && self.overlaps(other, climb) {
                found.push(*other);
            }
        }
    }

    /// Whether two edges overlap along the side and in height.
    fn overlaps(&self, other: &Self, climb: f32) -> bool {
        let ([a0, ah0], [a1, ah1]) = (self.low, self.high);
        let ([b0, bh0], [b1, bh1]) = (other.low, other.high);
        let (from, to) = ((a0 + TOUCH).max(b0 + TOUCH), (a1 - TOUCH).min(b1 - TOUCH));
        if from > to {
            return false;
        }
        let (slope_a, slope_b) = ((ah1 - ah0) / (a1 - a0), (bh1 - bh0) / (b1 - b0));
        let (base_a, base_b) = (ah0 - slope_a * a0, bh0 - slope_b * b0);
        let at = |x: f32| (slope_b * x + base_b) - (slope_a * x + base_a);
        let (start, end) = (at(from), at(to));
        let most = (climb * 2.0) * (climb * 2.0);
        start * end < 0.0 || start * start <= most || end * end <= most
    }

    /// The part of this edge that the other one covers, from 0 to 1 from its corner to the next.
    fn span(&self, other: &Self) -> [f32; 2] {
        let ([a0, _], [a1, _]) = (self.low, self.high);
        let ([b0, _], [b1, _]) = (other.low, other.high);
        let part = |x: f32| if a1 > a0 { ((x - a0) / (a1 - a0)).clamp(0.0, 1.0) } else { 0.0 };
        let (from, to) = (part(a0.max(b0)), part(a1.min(b1)));
        if self.turned { [1.0 - to, 1.0 - from] } else { [from, to] }
    }
}
