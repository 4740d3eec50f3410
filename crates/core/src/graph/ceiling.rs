//! Finds islands that hide the map below them.

use super::raster::{Raster, limits};
use super::{FlatGraph, Islands, NavGraph};

/// A surface higher than this is another floor, in metres: 94 units of Source, where a standing player is 72 to 83 units tall.
#[doc(hidden)]
pub const STOREY: f32 = 2.4;

/// An island that lies over most of the rest of the map and hides it from above. Usually it is the floor of a sky box, which the
/// game made walkable and nobody walks on.
///
/// An island is a ceiling if it lies more than a storey (2.4 m) over more than half of the nodes of all other islands,
/// and if those are at least a twentieth of all nodes. Of the hundred and more real meshes that the tests read, two
/// have one: `dz_county`, whose sky box lies over 86 % of the rest, and `fy_findndestroy`, where teleporters lead down
/// from an upper floor over all of the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ceiling {
    /// The island, by its number in [`Islands::of`].
    pub island: u32,
    /// The number of its nodes.
    pub nodes: u32,
    /// The number of nodes of other islands below it.
    pub covered: u32,
    /// The number of nodes of other islands.
    pub others: u32,
}

impl Ceiling {
    /// The ceilings of a graph, uppermost first. Only nodes for which `shown` is true count: if a picture shows one floor, a
    /// ceiling above it hides nothing. `islands` are the weak islands of this graph.
    ///
    /// Linear in nodes for each ceiling found. Waypoints hide nothing.
    pub fn all(graph: &FlatGraph, islands: &Islands, shown: impl Fn(u32) -> bool) -> Vec<Self> {
        if islands.len() < 2 {
            return Vec::new();
        }
        let mut floors = Floors::new(graph, islands, shown);
        let mut found = Vec::new();
        // Without a bound, a pile of islands would make this quadratic.
        while found.len() < MOST
            && let Some(ceiling) = floors.uppermost(islands.len())
        {
            floors.floors.retain(|floor| floor.island != ceiling.island);
            found.push(ceiling);
        }
        found
    }
}

const MOST: usize = 4;
/// Cells along the longer side of the map.
const CELLS: f32 = 512.0;
/// The rest of a map must be at least this fraction of all nodes, so that one stray area in a cellar does not make the map a
/// ceiling.
const LEAST_OTHERS: usize = 20;

/// A polygon in the plan.
struct Floor {
    island: u32,
    height: f32,
    middle: [f32; 2],
    outline: Vec<[f32; 2]>,
}

struct Floors {
    floors: Vec<Floor>,
    raster: Raster,
    storey: f32,
}

impl Floors {
    fn new(graph: &FlatGraph, islands: &Islands, shown: impl Fn(u32) -> bool) -> Self {
        let axes = graph.axes();
        let nodes = (0u32..).zip(graph.nodes()).filter(|(index, _)| shown(*index));
        let floors: Vec<Floor> = nodes
            .filter_map(|(index, node)| {
                let (island, center) = (islands.of(index)?, graph.shape(node).center()?);
                let corners = graph.corners(node);
                if !corners.iter().all(|corner| corner.is_finite()) {
                    return None;
                }
                let [u, v, height] = axes.plan(center);
                let outline = corners.iter().map(|corner| axes.plan(*corner)).map(|[u, v, _]| [u, v]);
                Some(Floor { island, height, middle: [u, v], outline: outline.collect() })
            })
            .collect();
        let points: Vec<[f32; 2]> = floors.iter().flat_map(|floor| floor.outline.iter().copied()).collect();
        let [left, top, right, bottom] = limits(&points);
        let frame = [left, top, (right - left).max(1e-6), (bottom - top).max(1e-6)];
        let least = frame[2].max(frame[3]) / CELLS;
        let raster = Raster::new(frame, least, floors.iter().map(|floor| floor.outline.as_slice()));
        Self { floors, raster, storey: STOREY / axes.metres_per_unit.max(1e-9) }
    }

    /// The uppermost remaining ceiling, if there is one.
    fn uppermost(&self, islands: usize) -> Option<Ceiling> {
        const NOTHING: (f32, u32) = (f32::NEG_INFINITY, u32::MAX);
        let mut seen = vec![NOTHING; self.raster.len()];
        let mut nodes = vec![0u32; islands];
        for floor in &self.floors {
            nodes[floor.island as usize] += 1;
            // A point has no surface.
            if floor.outline.len() > 2 {
                self.raster.each_cell(&floor.outline, |cell| {
                    if floor.height > seen[cell].0 {
                        seen[cell] = (floor.height, floor.island);
                    }
                });
            }
        }
        let mut covered = vec![0u32; islands];
        for floor in &self.floors {
            let Some((height, island)) = self.raster.at(floor.middle).map(|cell| seen[cell]) else {
                continue;
            };
            if island != floor.island && height - floor.height > self.storey {
                covered[island as usize] += 1;
            }
        }
        let of = |island: u32| {
            let (nodes, covered) = (nodes[island as usize], covered[island as usize]);
            Ceiling { island, nodes, covered, others: (self.floors.len() as u32).saturating_sub(nodes) }
        };
        let is_ceiling = |ceiling: &Ceiling| {
            ceiling.covered > ceiling.others / 2
                && ceiling.others as usize * LEAST_OTHERS >= self.floors.len()
        };
        (0..islands as u32).map(of).filter(is_ceiling).max_by_key(|ceiling| ceiling.covered)
    }
}
