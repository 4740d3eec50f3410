//! Which triangle of a model takes the place of which one that is gone.

use super::corners::Corners;
use super::faces::Face;
use crate::buf::NavMeshBuf;
use crate::record::Edge;
use std::collections::HashMap;

/// The most triangles around one corner that are compared.
const MOST_AROUND: usize = 32;

/// The most pairs of triangles of one mesh that are compared where no corner is shared.
const MOST_PAIRS: usize = 1 << 26;

/// The triangles of a mesh that are gone, and those that came.
pub(super) struct Heirs<'m> {
    pub(super) old: &'m NavMeshBuf,
    pub(super) corners: &'m Corners,
    /// The corners of each old triangle; `None` if it names a vertex that is not there.
    pub(super) places: &'m [Option<[u32; 3]>],
    /// Old triangles that are gone, ascending.
    pub(super) dead: &'m [u16],
    around: HashMap<u32, Vec<u16>>,
    pairs: std::cell::Cell<usize>,
}

/// The directed sides of a triangle.
pub(super) fn sides([a, b, c]: [u32; 3]) -> [(u32, u32); 3] {
    [(a, b), (b, c), (c, a)]
}

/// The same triangle with another first corner, so that its side `from` becomes side `to`.
pub(super) fn rotated(corners: [u32; 3], from: usize, to: usize) -> [u32; 3] {
    let [a, b, c] = corners;
    match (3 + to - from.min(2)) % 3 {
        0 => [a, b, c],
        1 => [c, a, b],
        _ => [b, c, a],
    }
}

impl<'m> Heirs<'m> {
    pub(super) fn new(
        old: &'m NavMeshBuf,
        corners: &'m Corners,
        places: &'m [Option<[u32; 3]>],
        dead: &'m [u16],
    ) -> Self {
        let mut around: HashMap<u32, Vec<u16>> = HashMap::new();
        for index in dead {
            for corner in places.get(usize::from(*index)).copied().flatten().into_iter().flatten() {
                let list = around.entry(corner).or_default();
                if list.len() < MOST_AROUND {
                    list.push(*index);
                }
            }
        }
        Self { old, corners, places, dead, around, pairs: std::cell::Cell::new(MOST_PAIRS) }
    }

    /// Whether an old triangle is gone.
    pub(super) fn is_gone(&self, index: u16) -> bool {
        self.dead.binary_search(&index).is_ok()
    }

    fn ground(&self, corners: [u32; 3]) -> [[f32; 3]; 3] {
        corners.map(|corner| self.corners.place(corner))
    }

    /// The triangle that is gone and lay where a face lies.
    pub(super) fn beneath(&self, face: &Face) -> Option<u16> {
        let middle = middle(self.ground(face.corners));
        let mut best: Option<(bool, usize, u16)> = None;
        for near in face.corners.iter().filter_map(|corner| self.around.get(corner)).flatten() {
            let Some(places) = self.places.get(usize::from(*near)).copied().flatten() else { continue };
            let shared = places.iter().filter(|place| face.corners.contains(place)).count();
            let rank = (covers(self.ground(places), middle), shared, *near);
            if best.is_none_or(|(covers, shared, _)| (rank.0, rank.1) > (covers, shared)) {
                best = Some(rank);
            }
        }
        if let Some((.., near)) = best {
            return Some(near);
        }
        let found = self.dead.iter().filter(|_| self.may_compare()).filter_map(|index| {
            let at = self.ground(self.places.get(usize::from(*index)).copied().flatten()?);
            covers(at, middle).then(|| (height_apart(at, middle), *index))
        });
        found.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, index)| index)
    }

    /// The one of some triangles that covers a place, the nearest in height.
    pub(super) fn covering(&self, at: [f32; 3], among: &[[u32; 3]]) -> Option<usize> {
        let found = among.iter().enumerate().filter(|_| self.may_compare()).filter_map(|(number, places)| {
            let ground = self.ground(*places);
            covers(ground, at).then(|| (height_apart(ground, at), number))
        });
        found.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, number)| number)
    }

    fn may_compare(&self) -> bool {
        let left = self.pairs.get();
        self.pairs.set(left.saturating_sub(1));
        left > 0
    }

    /// Gives triangles of the model the numbers of those that are gone: the slot of each, and the face turned so that a side
    /// it shares with the old triangle has the same number. Those that share a linked or covered side come first, then those that
    /// lie under a door, then any that shares a side, then the others in their order.
    pub(super) fn slots(&self, fresh: &mut [Face], seats: &[(u16, usize)]) -> Vec<Option<u16>> {
        let mut by_side: HashMap<(u32, u32), usize> = HashMap::new();
        for (number, face) in fresh.iter().enumerate() {
            for side in sides(face.corners) {
                by_side.entry(side).or_insert(number);
            }
        }
        let mut slots = vec![None; fresh.len()];
        let mut given = vec![false; self.dead.len()];
        let mut give = |at: usize, number: usize, side: Option<(u32, u32, usize)>| {
            let (Some(slot), Some(given), Some(face), Some(index)) =
                (slots.get_mut(number), given.get_mut(at), fresh.get_mut(number), self.dead.get(at))
            else {
                return;
            };
            if slot.is_some() || *given {
                return;
            }
            (*slot, *given) = (Some(*index), true);
            if let Some((from, to, edge)) = side
                && let Some(now) = sides(face.corners).iter().position(|side| *side == (from, to))
            {
                face.corners = rotated(face.corners, now, edge);
            }
        };
        for weighty in [true, false] {
            for (at, index) in self.dead.iter().enumerate() {
                let Some(places) = self.places.get(usize::from(*index)).copied().flatten() else { continue };
                for (edge, (from, to)) in sides(places).into_iter().enumerate() {
                    if (!weighty || self.is_weighty(*index, edge))
                        && let Some(number) = by_side.get(&(from, to))
                    {
                        give(at, *number, Some((from, to, edge)));
                    }
                }
            }
            if weighty {
                for (index, number) in seats {
                    if let Ok(at) = self.dead.binary_search(index) {
                        give(at, *number, None);
                    }
                }
            }
        }
        let mut free: Vec<usize> =
            given.iter().enumerate().filter(|(_, given)| !**given).map(|(at, _)| at).rev().collect();
        for slot in slots.iter_mut().filter(|slot| slot.is_none()) {
            *slot = free.pop().and_then(|at| self.dead.get(at).copied());
        }
        slots
    }

    /// Whether something belongs to an edge of an old triangle.
    pub(super) fn is_weighty(&self, index: u16, edge: usize) -> bool {
        let Some(triangle) = self.old.triangles.get(usize::from(index)) else { return false };
        let linked = matches!(triangle.edges().get(edge), Some(Edge::Link(_)));
        linked || self.old.edge_cover(index, edge) != 0
    }
}

/// The middle of a triangle.
pub(super) fn middle([a, b, c]: [[f32; 3]; 3]) -> [f32; 3] {
    let mut middle = [0.0; 3];
    for (to, ((a, b), c)) in middle.iter_mut().zip(a.into_iter().zip(b).zip(c)) {
        *to = ((f64::from(a) + f64::from(b) + f64::from(c)) / 3.0) as f32;
    }
    middle
}

/// Whether a triangle covers a place seen from above.
fn covers([a, b, c]: [[f32; 3]; 3], [x, y, _]: [f32; 3]) -> bool {
    let side = |[ax, ay, _]: [f32; 3], [bx, by, _]: [f32; 3]| {
        let [ax, ay, bx, by, x, y] = [ax, ay, bx, by, x, y].map(f64::from);
        (bx - ax) * (y - ay) - (by - ay) * (x - ax)
    };
    let turns = [side(a, b), side(b, c), side(c, a)];
    turns.iter().all(|turn| *turn >= 0.0) || turns.iter().all(|turn| *turn <= 0.0)
}

fn height_apart(triangle: [[f32; 3]; 3], [.., z]: [f32; 3]) -> f32 {
    let [.., own] = middle(triangle);
    (own - z).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turned_triangle_has_its_side_where_it_is_wanted() {
        for from in 0..3 {
            for to in 0..3 {
                let side = sides([7, 8, 9])[from];
                assert_eq!(sides(rotated([7, 8, 9], from, to))[to], side);
            }
        }
    }

    #[test]
    fn a_place_is_covered_from_both_sides_of_a_triangle() {
        let up = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
        let [a, b, c] = up;
        assert!(covers(up, [1.0, 1.0, 50.0]) && covers([a, c, b], [1.0, 1.0, 0.0]));
        assert!(!covers(up, [3.0, 3.0, 0.0]));
        assert_eq!(middle(up), [4.0 / 3.0, 4.0 / 3.0, 0.0]);
    }
}
