//! Pieces that share a node.

use super::Bill;
use super::pieces::{Pieces, Size};

/// Which pieces share a node.
#[derive(Debug)]
pub(super) struct Clusters {
    /// The piece in whose middle the node is.
    pub(super) seeds: Vec<u32>,
    /// The node of each piece; none for the smallest parts of a mesh that has more parts than a graph has nodes.
    pub(super) of: Vec<Option<u32>>,
}

/// How much higher or lower than the node its pieces lie at most.
const SLOPE: f32 = 48.0;

impl Clusters {
    /// Gathers pieces around the largest that is left, over ways on foot. `None` if that makes too many nodes, unless all pieces
    /// that could share a node do.
    pub(super) fn of(pieces: &Pieces, size: Size, most: usize, bill: &mut Bill) -> Option<Self> {
        let rows = Rows::of(pieces);
        let count = pieces.all.len();
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_by(|a, b| {
            let size = |piece: &u32| pieces.all.get(*piece as usize).map_or(0.0, |piece| piece.size);
            size(b).total_cmp(&size(a)).then(a.cmp(b))
        });
        let mut clusters = Self { seeds: Vec::new(), of: vec![None; count] };
        let mut open = Vec::new();
        for seed in order {
            if clusters.of.get(seed as usize) != Some(&None) {
                continue;
            }
            let number = clusters.seeds.len() as u32;
            clusters.seeds.push(seed);
            let Some(center) = pieces.all.get(seed as usize).map(|piece| piece.at) else { continue };
            open.push(seed);
            if let Some(of) = clusters.of.get_mut(seed as usize) {
                *of = Some(number);
            }
            while let Some(piece) = open.pop() {
                for next in rows.on_foot(pieces, piece) {
                    let Some((other, of)) =
                        pieces.all.get(next as usize).zip(clusters.of.get_mut(next as usize))
                    else {
                        continue;
                    };
                    let (x, y) = (other.at.x - center.x, other.at.y - center.y);
                    let is_near = x.hypot(y) <= size.near
                        && (other.at.z - center.z).abs() <= SLOPE.max(size.near / 2.0);
                    if of.is_none() && is_near {
                        *of = Some(number);
                        open.push(next);
                    }
                }
            }
        }
        // Ladders take two nodes each, and nodes on the way a few.
        let room = most.saturating_sub(pieces.ladders.len().saturating_mul(2)).max(most / 2);
        let spare = room.saturating_sub(room / 8);
        match clusters.seeds.len() <= spare {
            true => Some(clusters),
            false if size.is_last => Some(clusters.keep(spare, pieces, bill)),
            false => None,
        }
    }

    /// Keeps the first, which are the largest.
    fn keep(mut self, most: usize, pieces: &Pieces, bill: &mut Bill) -> Self {
        self.seeds.truncate(most);
        let mut lost = std::collections::HashSet::new();
        for (of, piece) in self.of.iter_mut().zip(&pieces.all) {
            if of.is_some_and(|of| of as usize >= most) {
                *of = None;
                lost.insert(piece.area);
            }
        }
        bill.left_out = lost.len();
        self
    }
}

/// The ways at each piece.
struct Rows {
    firsts: Vec<u32>,
    ways: Vec<u32>,
}

impl Rows {
    fn of(pieces: &Pieces) -> Self {
        let mut firsts = vec![0_u32; pieces.all.len().saturating_add(1)];
        let ends = || {
            pieces
                .ways
                .iter()
                .zip(0_u32..)
                .flat_map(|(way, number)| way.ends.map(|end| (end as usize, number)))
        };
        for (end, _) in ends() {
            firsts
                .get_mut(end.saturating_add(1))
                .into_iter()
                .for_each(|count| *count = count.saturating_add(1));
        }
        let mut sum = 0_u32;
        for first in &mut firsts {
            sum = sum.saturating_add(*first);
            *first = sum;
        }
        let (mut next, mut ways) = (firsts.clone(), vec![0; sum as usize]);
        for (end, number) in ends() {
            let Some(place) = next.get_mut(end) else { continue };
            ways.get_mut(*place as usize).into_iter().for_each(|way| *way = number);
            *place = place.saturating_add(1);
        }
        Self { firsts, ways }
    }

    /// The pieces that one walks to from a piece, upright.
    fn on_foot<'r>(&'r self, pieces: &'r Pieces, piece: u32) -> impl Iterator<Item = u32> + 'r {
        let at = piece as usize;
        let range = self.firsts.get(at).zip(self.firsts.get(at.saturating_add(1)));
        let ways =
            range.and_then(|(from, to)| self.ways.get(*from as usize..*to as usize)).unwrap_or_default();
        let ways = ways.iter().filter_map(|way| pieces.ways.get(*way as usize));
        ways.filter(|way| !way.jump && !way.low)
            .map(move |way| if way.ends[0] == piece { way.ends[1] } else { way.ends[0] })
    }
}
