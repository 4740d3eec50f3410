//! Finds faces that share a side, within a group and between groups.

use super::facet::Facet;
use super::report::Crowded;

/// What a side of a face adjoins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Across {
    /// Nothing.
    Border,
    /// A side of a face of the same group.
    Face(FaceSide),
    /// A side of a face of another group of the tile, by its position among the groups.
    Group(u16, FaceSide),
    /// A strip of another tile.
    Tile {
        /// The tile.
        tile: u16,
        /// Its group.
        group: u16,
    },
}

/// A side of a face of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FaceSide {
    pub(super) face: u32,
    pub(super) side: u8,
}

/// A side, identified by its end points in a fixed order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Side {
    pub(super) ends: u128,
    /// Whether its face traverses it from the greater end to the lesser.
    back: bool,
    pub(super) group: u16,
    pub(super) face: u32,
    pub(super) side: u8,
}

impl Side {
    pub(super) fn new((a, b): ([u16; 3], [u16; 3]), group: u16, face: u32, side: u8) -> Self {
        Self { ends: ends(a, b), back: a > b, group, face, side }
    }
}

/// The neighbouring faces at one side: each pair traverses it in opposite directions, the first with the first and so on. In the
/// games' tiles no neighbours traverse a side in the same direction.
pub(super) fn neighbours(run: &[Side]) -> impl Iterator<Item = (&Side, &Side)> {
    let (forth, back) = run.split_at(run.partition_point(|side| !side.back));
    // A face with a repeated corner would be its own neighbour.
    forth.iter().zip(back).filter(|(a, b)| (a.group, a.face) != (b.group, b.face))
}

/// Both ends of a side as one number, independent of direction.
fn ends(a: [u16; 3], b: [u16; 3]) -> u128 {
    let number = |[x, y, z]: [u16; 3]| u128::from(x) << 32 | u128::from(y) << 16 | u128::from(z);
    let (a, b) = (number(a), number(b));
    a.min(b) << 48 | a.max(b)
}

/// The sides of a facet, each from a corner to the next.
pub(super) fn sides(facet: &Facet) -> [([u16; 3], [u16; 3]); 3] {
    let [a, b, c] = facet.corners;
    [(a, b), (b, c), (c, a)]
}

/// Irregular sides found while pairing.
pub(super) enum Odd {
    /// More than two facets share a side.
    Crowded(u64, [u16; 3], [u16; 3]),
    /// As many facets traverse a side one way as the other, but they overlap: they are not neighbours.
    Folded(u64),
}

/// What each side of each facet adjoins.
pub(super) fn pair(facets: &[Facet], odd: &mut dyn FnMut(Odd)) -> Vec<[Across; 3]> {
    let mut all = Vec::with_capacity(facets.len().saturating_mul(3));
    for (face, facet) in (0_u32..).zip(facets) {
        for (side, ends) in (0_u8..).zip(sides(facet)) {
            all.push(Side::new(ends, 0, face, side));
        }
    }
    all.sort_unstable();
    let mut across = vec![[Across::Border; 3]; facets.len()];
    for run in all.chunk_by(|a, b| a.ends == b.ends) {
        let mut joined = 0_u64;
        for (a, b) in neighbours(run) {
            joined = joined.saturating_add(2);
            for (from, to) in [(a, b), (b, a)] {
                let slot = across.get_mut(from.face as usize).and_then(|f| f.get_mut(usize::from(from.side)));
                slot.into_iter()
                    .for_each(|slot| *slot = Across::Face(FaceSide { face: to.face, side: to.side }));
            }
        }
        if let [first, _, rest @ ..] = run {
            let ends = facets.get(first.face as usize).map(sides);
            if let (false, Some((a, b))) =
                (rest.is_empty(), ends.and_then(|s| s.get(usize::from(first.side)).copied()))
            {
                odd(Odd::Crowded(run.len() as u64, a, b));
            }
            let left = (run.len() as u64).saturating_sub(joined);
            if left > 0 {
                odd(Odd::Folded(left));
            }
        }
    }
    across
}

impl Crowded {
    pub(super) fn new(faces: u64, frame: &crate::view::Frame, a: [u16; 3], b: [u16; 3]) -> Self {
        let world = |at| frame.world(&crate::record::Position::new(at));
        let ([ax, ay, az], [bx, by, bz]) = (world(a), world(b));
        Self { faces, at: [f32::midpoint(ax, bx), f32::midpoint(ay, by), f32::midpoint(az, bz)] }
    }
}
