//! Which links stay where a waypoint has more of them than places.

use navmap_core::graph::LinkKind;
use std::ops::Range;

/// How many links a waypoint has places for.
const PLACES: usize = 8;
/// How many links the way around a link may have at best.
const HOPS: u32 = 6;
/// How many links one search for a way around looks at, and all of them together.
const SEARCH: usize = 4_096;
const ALL: usize = 1 << 24;

/// A link: from, how far, to, and how.
pub(super) type Way = (u32, i32, u32, LinkKind);

/// The links that are to stay, and the search for ways around others.
struct Fit<'w> {
    ways: &'w [Way],
    /// Where the links of each waypoint begin.
    firsts: Vec<usize>,
    stays: Vec<bool>,
    /// The number of the search that has seen a waypoint.
    seen: Vec<u32>,
    search: u32,
    /// Waypoints in the order in which they were seen, with how many links away they are.
    queue: Vec<(u32, u32)>,
    /// How many links may still be looked at.
    left: usize,
}

/// Takes links of waypoints that have more than eight. The longest with a way of a few links around it go first, then the longest
/// with any way around them: what was joined stays joined. Where there are not enough of these, the longest go. `ways` are sorted. Returns how
/// many links went, and how many of them had no way around.
pub(super) fn fit(ways: &mut Vec<Way>, nodes: usize) -> [u64; 2] {
    let firsts = (0..=nodes).map(|node| ways.partition_point(|(from, ..)| (*from as usize) < node));
    let mut fit = Fit {
        ways: ways.as_slice(),
        firsts: firsts.collect(),
        stays: vec![true; ways.len()],
        seen: vec![0; nodes],
        search: 0,
        queue: Vec::new(),
        left: ALL,
    };
    let (mut gone, mut alone) = (0_u64, 0_u64);
    for node in 0..nodes {
        let links = fit.links_of(node);
        let mut over = links.len().saturating_sub(PLACES);
        for hops in [Some(HOPS), Some(u32::MAX), None] {
            for link in links.clone().rev() {
                if over == 0 {
                    break;
                }
                let stays = fit.stays.get(link) == Some(&true);
                if stays && hops.is_none_or(|hops| fit.is_bypassed(link, hops)) {
                    fit.stays.get_mut(link).into_iter().for_each(|stays| *stays = false);
                    over = over.saturating_sub(1);
                    gone = gone.saturating_add(1);
                    alone = alone.saturating_add(hops.is_none().into());
                }
            }
        }
    }
    let mut stays = fit.stays.into_iter();
    ways.retain(|_| stays.next() == Some(true));
    [gone, alone]
}

impl Fit<'_> {
    fn links_of(&self, node: usize) -> Range<usize> {
        let ends = self.firsts.get(node).zip(self.firsts.get(node.saturating_add(1)));
        ends.map_or(0..0, |(first, end)| *first..*end)
    }

    /// Whether a way of at most so many other links leads where a link leads.
    fn is_bypassed(&mut self, link: usize, hops: u32) -> bool {
        let Some((from, _, aim, _)) = self.ways.get(link).copied() else { return false };
        let mut looks = SEARCH.min(self.left);
        self.search = self.search.saturating_add(1);
        self.queue.clear();
        self.queue.push((from, 0));
        self.seen.get_mut(from as usize).into_iter().for_each(|seen| *seen = self.search);
        let mut at = 0_usize;
        while let Some((node, far)) = self.queue.get(at).copied().filter(|(_, far)| *far < hops) {
            at = at.saturating_add(1);
            for next in self.links_of(node as usize) {
                let Some(rest) = looks.checked_sub(1) else { return false };
                looks = rest;
                self.left = self.left.saturating_sub(1);
                let Some((.., to, _)) = self.ways.get(next) else { continue };
                if next == link || self.stays.get(next) != Some(&true) {
                    continue;
                }
                if *to == aim {
                    return true;
                }
                if let Some(seen) = self.seen.get_mut(*to as usize).filter(|seen| **seen != self.search) {
                    *seen = self.search;
                    self.queue.push((*to, far.saturating_add(1)));
                }
            }
        }
        false
    }
}
