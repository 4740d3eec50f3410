//! Hiding spots: their positions and order. `docs/formats/source-analyze.md`, section 2.1.

use super::rules::Rules;
use super::topology::Topology;
use crate::buf::{AreaBuf, SourceBuf};
use crate::flags::{Attributes, Direction};
use crate::geometry::{Axis, edges, minus};

/// How far a corner must extend beyond all neighbours over a side.
const CORNER: f32 = 20.0;
/// How far inside its area a spot lies.
const INSET: f32 = 12.5;
/// Spots of one area are no nearer to each other than this.
const APART: f32 = 30.0;
/// The initial least and greatest edge of neighbours, swapped, for a side without any.
const NOWHERE: f32 = 999_999.9;

/// The hiding spots of a mesh as the game computes them, bit for bit: at most four per area. The id of a spot is its index here.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spots {
    /// The first spot of each area, and the end of the last.
    starts: Vec<u32>,
    positions: Vec<[f32; 3]>,
}

impl Spots {
    /// Computes all spots. Time is linear in areas and connections, memory in areas.
    ///
    /// ```
    /// use navmap::format::source::{AreaBuf, AreaId, Shape, SourceBuf, analyze::Spots};
    ///
    /// let mut mesh = SourceBuf::new(16, 0);
    /// mesh.areas.push(AreaBuf::new(AreaId::new(1), Shape::from_extent([0.0; 2], [100.0; 2], [0.0; 4])));
    /// let spots = Spots::compute(&mesh);
    /// assert_eq!(spots.of_area(0)[2], [87.5, 87.5, 0.0]);
    /// ```
    pub fn compute(mesh: &SourceBuf) -> Self {
        let rules = Rules::for_mesh(&mesh.head);
        Self::within(&Topology::new(mesh, &rules), &rules)
    }

    pub(super) fn within(topology: &Topology<'_>, rules: &Rules) -> Self {
        let mut spots = Self { starts: vec![0], positions: Vec::new() };
        for (position, area) in (0..).zip(topology.areas) {
            if !rules.hides_nobody(area.attributes) {
                let free = free_corners(topology, position, area, rules);
                spots.add(area, free, rules);
            }
            spots.starts.push(u32::try_from(spots.positions.len()).unwrap_or(u32::MAX));
        }
        spots
    }

    /// The spots of the area at this position in the mesh.
    pub fn of_area(&self, area: usize) -> &[[f32; 3]] {
        let end = self.starts.get(area.saturating_add(1)).copied().unwrap_or_default();
        self.positions.get(self.first_of(area) as usize..end as usize).unwrap_or_default()
    }

    /// The id of the first spot of an area. The others follow.
    pub fn first_of(&self, area: usize) -> u32 {
        self.starts.get(area).copied().unwrap_or_default()
    }

    /// All spots, in the order of their ids.
    pub fn positions(&self) -> &[[f32; 3]] {
        &self.positions
    }

    fn add(&mut self, area: &AreaBuf, free: u8, rules: &Rules) {
        let first = self.positions.len();
        for corner in rules.corner_order() {
            if free & bit(corner) == 0 {
                continue;
            }
            // A corner with NaN or infinity has no spot.
            let finite = |spot: &[f32; 3]| spot.iter().all(|part| part.is_finite());
            let Some(spot) = place(area, corner, rules).filter(finite) else { continue };
            let near = |other: &[f32; 3]| {
                let [x, y, z] = minus(spot, *other);
                x * x + y * y + z * z < APART * APART
            };
            let before = self.positions.get(first..).unwrap_or_default();
            if corner == 0 || !before.iter().any(near) {
                self.positions.push(spot);
            }
        }
    }
}

fn bit(corner: usize) -> u8 {
    1_u8.checked_shl(corner as u32).unwrap_or(0)
}

/// The corners that stick out beyond the neighbours over both of their sides, as bits. Only the extremes of all neighbours count:
/// two neighbours with a gap between them still cover both ends.
fn free_corners(topology: &Topology<'_>, position: u32, area: &AreaBuf, rules: &Rules) -> u8 {
    let (mut once, mut twice) = (0, 0);
    for direction in Direction::ALL {
        let axis = Axis::along(direction);
        let (mut low, mut high) = (NOWHERE, -NOWHERE);
        for neighbour in topology.row(position, direction) {
            let Some(other) = topology.area(*neighbour) else { continue };
            let jumps = other.attributes.contains(Attributes::JUMP) && !rules.jumps_cover;
            if jumps || !topology.links(*neighbour, direction.opposite(), position) {
                continue;
            }
            let [from, to] = edges(&other.shape, axis);
            low = if from < low { from } else { low };
            high = if to > high { to } else { high };
        }
        let [at_low, at_high] = match direction {
            Direction::North => [0, 1],
            Direction::East => [1, 2],
            Direction::South => [3, 2],
            Direction::West => [0, 3],
        };
        let [own_low, own_high] = edges(&area.shape, axis);
        for (corner, beyond) in [(at_low, low - own_low), (at_high, own_high - high)] {
            if beyond >= CORNER {
                twice |= once & bit(corner);
                once |= bit(corner);
            }
        }
    }
    twice
}

/// The spot of a corner: 12.5 inwards, at the height of the corner. If the area is too small for that, Source tries other
/// positions.
fn place(area: &AreaBuf, corner: usize, rules: &Rules) -> Option<[f32; 3]> {
    let [x, y, z] = *area.shape.corners().get(corner)?;
    let toward_x = if matches!(corner, 0 | 3) { 1.0 } else { -1.0 };
    let toward_y = if corner <= 1 { 1.0 } else { -1.0 };
    let at = |[dx, dy]: [f32; 2]| [x + dx * toward_x, y + dy * toward_y, z];
    let spot = at([INSET, INSET]);
    let inside = |[x, y, _]: [f32; 3]| area.shape.contains_xy(x, y);
    if rules.gold || inside(spot) {
        return Some(spot);
    }
    let [width, depth] = area.shape.extent();
    let (half_width, half_depth) = (0.5 * width, 0.5 * depth);
    let others = [[INSET, half_depth], [half_width, INSET], [half_width, half_depth], [1.0, 1.0]];
    Some(others.map(at).into_iter().find(|spot| inside(*spot)).unwrap_or([x, y, z]))
}
