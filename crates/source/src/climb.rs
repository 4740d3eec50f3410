//! The links over ladders.

use super::after::AfterAreas;
use super::record::{AreaId, Ladder, LadderId, OldLadder};
use navmap_core::graph::{Link, LinkKind, Passage, Point};

/// A ladder that an area lists: the node of the area, the ladder, and whether it leads up.
pub(super) type Listed = (u32, LadderId, bool);

/// What a link over a ladder needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Climb {
    id: LadderId,
    bottom: [f32; 3],
    top: [f32; 3],
    length: f32,
    /// Ahead, left, right.
    above: [AreaId; 3],
    below: AreaId,
}

/// The ladders of a mesh, by id.
#[derive(Debug, Clone, Default)]
pub(super) struct Climbs(Vec<Climb>);

impl Climbs {
    pub(super) fn of(after: &AfterAreas<'_>) -> Self {
        Self::new(after.ladders().iter().map(Climb::new).chain(after.old_ladders().iter().map(Climb::old)))
    }

    /// Of several with one id, the first counts.
    pub(super) fn new(climbs: impl Iterator<Item = Climb>) -> Self {
        let mut climbs: Vec<Climb> = climbs.collect();
        climbs.sort_by_key(|climb| climb.id.get());
        Self(climbs)
    }

    /// From where to where the ladders lead that areas list: pairs of nodes, sorted.
    pub(super) fn between(
        &self,
        listed: &[Listed],
        node_of: impl Fn(AreaId) -> Option<u32>,
    ) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for (from, id, up) in listed {
            let Some(climb) = self.find(*id) else { continue };
            let mut emit = |link: &Link| pairs.extend(link.to.map(|to| (*from, to)));
            climb.links(*from, *up, &node_of, false, &mut emit);
        }
        pairs.sort_unstable();
        pairs
    }

    /// The links from a node over ladders that lead up, and over those that lead down.
    pub(super) fn each(
        &self,
        from: u32,
        [up, down]: [&[LadderId]; 2],
        node_of: impl Fn(AreaId) -> Option<u32>,
        paths: bool,
        emit: &mut impl FnMut(&Link),
    ) {
        for (list, up) in [(up, true), (down, false)] {
            for climb in list.iter().filter_map(|id| self.find(*id)) {
                climb.links(from, up, &node_of, paths, emit);
            }
        }
    }

    fn find(&self, id: LadderId) -> Option<&Climb> {
        let at = self.0.partition_point(|climb| climb.id.get() < id.get());
        self.0.get(at).filter(|climb| climb.id == id)
    }
}

impl Climb {
    pub(super) fn new(ladder: &Ladder) -> Self {
        Self {
            id: ladder.id(),
            bottom: ladder.bottom(),
            top: ladder.top(),
            length: ladder.length(),
            above: [ladder.top_forward(), ladder.top_left(), ladder.top_right()],
            below: ladder.bottom_area(),
        }
    }

    fn old(ladder: &OldLadder) -> Self {
        Self {
            id: ladder.id(),
            bottom: ladder.bottom(),
            top: ladder.top(),
            length: ladder.length(),
            above: [ladder.top_forward(), ladder.top_left(), ladder.top_right()],
            below: ladder.bottom_area(),
        }
    }

    /// The links from a node: up to the areas ahead, left and right at the top, or down to the one at the bottom.
    fn links(
        &self,
        from: u32,
        up: bool,
        node_of: &impl Fn(AreaId) -> Option<u32>,
        paths: bool,
        emit: &mut impl FnMut(&Link),
    ) {
        let (ends, areas) = match up {
            true => ([self.bottom, self.top], self.above.as_slice()),
            false => ([self.top, self.bottom], std::slice::from_ref(&self.below)),
        };
        let path = paths.then(|| ends.map(Point::from));
        let passage = Passage { length: Some(self.length), number: Some(self.id.get()), ..Passage::NONE };
        for id in areas.iter().filter(|id| id.get() != 0) {
            emit(&Link { to: node_of(*id), path, passage, ..Link::outside(from, LinkKind::Ladder) });
        }
    }
}
