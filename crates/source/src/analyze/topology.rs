//! A mesh prepared for analysis: its links as positions of areas.

use super::rules::Rules;
use crate::buf::{AreaBuf, SourceBuf};
use crate::flags::Direction;
use crate::record::{AreaId, LadderId};
use navmap_core::format::ids::Positions;
use std::ops::Range;

/// The areas and ladders of a mesh by id, and its connections. Links that lead nowhere are left out, as by the engine when it
/// loads the mesh; so are connections of an area to itself, except in GoldSrc.
#[derive(Debug)]
pub(super) struct Topology<'m> {
    pub(super) areas: &'m [AreaBuf],
    ids: Positions,
    ladders: Positions,
    /// The row of area `a` over side `d` is `targets[starts[4 a + d]..starts[4 a + d + 1]]`.
    starts: Vec<usize>,
    targets: Vec<u32>,
    /// The same rows, each sorted for binary search.
    sorted: Vec<u32>,
}

impl<'m> Topology<'m> {
    /// One pass, and a sort of each row.
    pub(super) fn new(mesh: &'m SourceBuf, rules: &Rules) -> Self {
        let ids = Positions::new(mesh.areas.iter().map(|area| area.id.get()));
        let ladders = Positions::new(mesh.ladders.iter().map(|each| each.ladder.id().get()));
        let (mut starts, mut targets) = (vec![0], Vec::new());
        for (position, area) in (0_u32..).zip(&mesh.areas) {
            for list in &area.connections {
                let reached = list.iter().filter_map(|id| ids.get(id.get()));
                targets.extend(reached.filter(|target| rules.gold || *target != position));
                starts.push(targets.len());
            }
        }
        let mut sorted = targets.clone();
        for row in starts.windows(2) {
            if let [start, end] = row {
                sorted.get_mut(*start..*end).unwrap_or_default().sort_unstable();
            }
        }
        Self { areas: &mesh.areas, ids, ladders, starts, targets, sorted }
    }

    /// The position of the first area with this id.
    pub(super) fn position(&self, id: AreaId) -> Option<u32> {
        self.ids.get(id.get())
    }

    /// The position of the first ladder with this id.
    pub(super) fn ladder(&self, id: LadderId) -> Option<u32> {
        self.ladders.get(id.get())
    }

    pub(super) fn area(&self, position: u32) -> Option<&'m AreaBuf> {
        self.areas.get(position as usize)
    }

    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.areas.len()).unwrap_or(u32::MAX)
    }

    fn span(&self, area: u32, direction: Direction) -> Range<usize> {
        let at = (area as usize).saturating_mul(4).saturating_add(direction.stored() as usize);
        let bound = |at: usize| self.starts.get(at).copied().unwrap_or(self.targets.len());
        bound(at)..bound(at.saturating_add(1))
    }

    /// The areas connected over a side, in list order.
    pub(super) fn row(&self, area: u32, direction: Direction) -> &[u32] {
        self.targets.get(self.span(area, direction)).unwrap_or_default()
    }

    /// All connections of an area: the north list, then east, south, west.
    pub(super) fn entries(&self, area: u32) -> impl Iterator<Item = (Direction, u32)> + Clone + '_ {
        Direction::ALL
            .into_iter()
            .flat_map(move |side| self.row(area, side).iter().map(move |to| (side, *to)))
    }

    /// How many connections an area has.
    pub(super) fn degree(&self, area: u32) -> usize {
        Direction::ALL.into_iter().fold(0, |sum: usize, side| sum.saturating_add(self.row(area, side).len()))
    }

    /// Whether an area is in another's list for exactly this side.
    pub(super) fn links(&self, from: u32, direction: Direction, to: u32) -> bool {
        let row = self.sorted.get(self.span(from, direction)).unwrap_or_default();
        row.binary_search(&to).is_ok()
    }
}
