//! Who sees whom: the lists as stored, sorted, and with the anchor of each area beside them.

use crate::area::Area;
use navmap_core::graph::Sight;

/// No anchor.
const NONE: u32 = u32::MAX;

/// The lists of all areas. They stay as compact as in the file, since a small file can inherit large lists many times: an
/// answer looks in the area's own list first, then in that of its anchor.
#[derive(Debug, Clone, Default)]
pub(super) struct Lists {
    /// Row `a` is `entries[starts[a]..starts[a + 1]]`. Empty if the file knows nothing of sight.
    starts: Vec<u32>,
    /// The area seen and how, as [`entry`] packs them. Ascending, each area once.
    entries: Vec<u32>,
    anchors: Vec<u32>,
}

/// An area has 26 bits at most.
fn entry(area: u32, sight: Sight) -> u32 {
    area << 2 | sight as u32
}

fn sight(entry: u32) -> Sight {
    match entry & 3 {
        0 => Sight::Hidden,
        1 => Sight::Partly,
        _ => Sight::Wholly,
    }
}

impl Lists {
    /// Sorts what was told, in the order in which it was told: from, to, how. Anchors are pairs of an area and its anchor.
    pub(super) fn new(areas: usize, mut told: Vec<(u32, u32, Sight)>, anchors: &[(u32, u32)]) -> Self {
        if told.is_empty() && anchors.is_empty() {
            return Self::default();
        }
        // Stable, so that of two entries for the same areas the first stays.
        told.sort_by_key(|(from, to, _)| u64::from(*from) << 32 | u64::from(*to));
        told.dedup_by_key(|(from, to, _)| (*from, *to));
        let mut lists = Self { starts: vec![0], entries: Vec::new(), anchors: vec![NONE; areas] };
        lists.entries.reserve_exact(told.len());
        let mut rest = told.as_slice();
        for area in 0..areas as u32 {
            let row = rest.partition_point(|(from, ..)| *from <= area);
            let (mine, others) = rest.split_at(row);
            lists.entries.extend(mine.iter().map(|(_, to, how)| entry(*to, *how)));
            lists.starts.push(lists.entries.len() as u32);
            rest = others;
        }
        for &(area, anchor) in anchors {
            lists.anchors[area as usize] = anchor;
        }
        lists
    }

    /// Whether the file knows who sees whom.
    pub(super) fn is_known(&self) -> bool {
        !self.starts.is_empty()
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.starts[..]) + size_of_val(&self.entries[..]) + size_of_val(&self.anchors[..])
    }

    /// The entries of an area, without those that it inherits.
    fn own(&self, area: usize) -> &[u32] {
        match self.starts.get(area..area + 2) {
            Some(&[start, end]) => &self.entries[start as usize..end as usize],
            _ => &[],
        }
    }

    fn anchor(&self, area: usize) -> Option<usize> {
        self.anchors.get(area).filter(|anchor| **anchor != NONE).map(|anchor| *anchor as usize)
    }

    /// How much of `to` is seen from `from`.
    pub(super) fn sight(&self, from: usize, to: usize) -> Sight {
        if from == to {
            return Sight::Wholly;
        }
        let of = |area: usize| {
            let own = self.own(area);
            own.binary_search_by_key(&to, |entry| (entry >> 2) as usize).ok().map(|at| sight(own[at]))
        };
        of(from).or_else(|| of(self.anchor(from)?)).unwrap_or(Sight::Hidden)
    }

    /// Everything that is seen from an area.
    pub(super) fn seen(&self, area: usize) -> Seen<'_> {
        let base = self.anchor(area).map_or(&[][..], |anchor| self.own(anchor));
        Seen { me: Some(entry(area as u32, Sight::Wholly)), own: self.own(area), base }
    }
}

/// What is seen from an area, by position: its own entries over those of its anchor, and itself.
#[derive(Debug, Clone)]
pub(super) struct Seen<'l> {
    me: Option<u32>,
    own: &'l [u32],
    base: &'l [u32],
}

impl Iterator for Seen<'_> {
    type Item = (Area, Sight);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let heads = [self.me, self.own.first().copied(), self.base.first().copied()];
            let area = heads.iter().flatten().map(|entry| entry >> 2).min()?;
            let here = heads.map(|entry| entry.filter(|entry| entry >> 2 == area));
            // An area sees itself, whatever a list says; and its own list goes before the anchor's.
            let told = here.iter().flatten().next().map_or(Sight::Hidden, |entry| sight(*entry));
            if here[0].is_some() {
                self.me = None;
            }
            self.own = &self.own[usize::from(here[1].is_some())..];
            self.base = &self.base[usize::from(here[2].is_some())..];
            if told != Sight::Hidden {
                return Some((Area::new(area), told));
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.own.len() + self.base.len() + 1))
    }
}
