//! Links, packed for searches.

use navmap_core::graph::{LinkKind, Point};

/// The most areas of an index: links store them in 26 bits.
pub(super) const MOST_AREAS: usize = 1 << 26;
/// The number of tolls that the other 6 bits can number.
const TOLLS: usize = 64;
const TARGET: u32 = (1 << 26) - 1;

/// A link in the form that searches read: 8 bytes, with target and length together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Packed {
    /// The target area, with the number of its toll in the upper bits.
    to: u32,
    pub(super) length: f32,
}

impl Packed {
    #[inline(always)]
    pub(super) fn to(self) -> usize {
        (self.to & TARGET) as usize
    }

    /// Where it leads, unless an end of it is nowhere: no path takes a link without a length.
    #[inline(always)]
    pub(super) fn leads(&self) -> Option<usize> {
        self.length.is_finite().then(|| self.to())
    }

    #[inline(always)]
    pub(super) fn toll(self) -> usize {
        (self.to >> 26) as usize
    }
}

/// The first position in a row that does not fit into a byte.
const FAR: u8 = u8::MAX;

/// Kind, side and whether it can be closed, of a link, in one byte.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct How(u8);

/// A kind is its position among all of them, and fits into four bits.
const _: () = {
    let mut at = 0;
    while at < LinkKind::ALL.len() {
        assert!(LinkKind::ALL[at] as usize == at && at < 16);
        at += 1;
    }
};

impl How {
    const NO_SIDE: u8 = 7;

    #[inline(always)]
    pub(super) fn new(kind: LinkKind, side: Option<u8>, gated: bool) -> Self {
        let side = side.filter(|side| *side < Self::NO_SIDE).unwrap_or(Self::NO_SIDE);
        Self(kind as u8 | side << 4 | u8::from(gated) << 7)
    }

    #[inline(always)]
    pub(super) fn kind(self) -> LinkKind {
        LinkKind::ALL.get(usize::from(self.0 & 15)).copied().unwrap_or(LinkKind::Other)
    }

    #[inline(always)]
    pub(super) fn kind_bit(self) -> u16 {
        1 << (self.0 & 15)
    }

    pub(super) fn side(self) -> Option<u8> {
        Some(self.0 >> 4 & 7).filter(|side| *side != Self::NO_SIDE)
    }

    #[inline(always)]
    pub(super) fn gated(self) -> bool {
        self.0 >> 7 == 1
    }
}

/// Rare fields of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Extra {
    pub(super) link: u32,
    pub(super) number: Option<u32>,
    pub(super) path: Option<[Point; 2]>,
}

/// Links out of every area, and the areas that link to it.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    /// Row `a` is `links[starts[a]..starts[a + 1]]`.
    starts: Vec<u32>,
    links: Vec<Packed>,
    how: Vec<How>,
    /// Distinct tolls by number. Those past the 64th are in `spilled`, one for each link.
    tolls: Vec<f32>,
    spilled: Vec<f32>,
    /// By link, ascending.
    extras: Vec<Extra>,
    /// The areas that link to `a` are `from[in_starts[a]..in_starts[a + 1]]`, each with the position of the link in its row.
    /// [`FAR`] stands for all positions from there on.
    in_starts: Vec<u32>,
    from: Vec<u32>,
    in_place: Vec<u8>,
    /// The links far into their row, which only hubs have: position in `from`, ascending, and link.
    far: Vec<(u32, u32)>,
}

/// A link into an area.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inbound {
    pub(super) to: u32,
    pub(super) from: u32,
    pub(super) link: u32,
}

/// Rows under construction, link by link.
pub(super) struct Packing {
    rows: Rows,
    /// The number of links to each area.
    reached: Vec<u32>,
}

impl Packing {
    /// Reserves the given number of links out of each area.
    pub(super) fn new(mut counts: Vec<u32>) -> Self {
        let areas = counts.len();
        counts.push(0);
        let links = starts_of(&mut counts) as usize;
        let rows = Rows {
            starts: counts,
            links: vec![Packed { to: 0, length: 0.0 }; links],
            how: vec![How(0); links],
            tolls: vec![1.0],
            spilled: Vec::new(),
            extras: Vec::new(),
            in_starts: Vec::new(),
            from: Vec::new(),
            in_place: Vec::new(),
            far: Vec::new(),
        };
        Self { rows, reached: vec![0; areas + 1] }
    }

    /// What is filled, link by link.
    pub(super) fn open(&mut self) -> Filling<'_> {
        let Rows { starts, links, how, tolls, spilled, .. } = &mut self.rows;
        Filling { starts, links, how, tolls, spilled, reached: &mut self.reached }
    }

    /// `extras` are sorted by link.
    pub(super) fn finish(self, extras: Vec<Extra>) -> Rows {
        let Self { mut rows, reached } = self;
        rows.turn_with(reached, |_| false);
        rows.extras = extras;
        rows
    }
}

/// The lists of rows under construction, borrowed, so that a loop over links need not look after each one where they are.
pub(super) struct Filling<'r> {
    starts: &'r [u32],
    links: &'r mut [Packed],
    how: &'r mut [How],
    tolls: &'r mut Vec<f32>,
    spilled: &'r mut Vec<f32>,
    reached: &'r mut [u32],
}

impl Filling<'_> {
    /// The position of the first link out of an area.
    #[inline(always)]
    pub(super) fn first(&self, area: usize) -> usize {
        self.starts[area] as usize
    }

    /// Stores a link. The game charges `toll` lengths for it.
    #[inline(always)]
    pub(super) fn set(&mut self, at: usize, to: u32, length: f32, toll: f32, how: How) {
        self.reached[to as usize] += 1;
        self.how[at] = how;
        // 1 is the first of all tolls.
        let number = if toll == 1.0 && self.spilled.is_empty() { 0 } else { self.number(at, toll) };
        self.links[at] = Packed { to: to | number << 26, length };
    }

    /// The number of a toll. Past the 64th it is kept for itself, and has none.
    fn number(&mut self, at: usize, toll: f32) -> u32 {
        let Self { links, tolls, spilled, .. } = self;
        let known = tolls.iter().position(|known| known.to_bits() == toll.to_bits());
        let number = known.or_else(|| {
            (tolls.len() < TOLLS).then(|| {
                tolls.push(toll);
                tolls.len() - 1
            })
        });
        if number.is_none() && spilled.is_empty() {
            spilled.extend(links.iter().map(|link| tolls[link.toll()]));
        }
        if let Some(spilled) = spilled.get_mut(at) {
            *spilled = toll;
        }
        number.unwrap_or(0) as u32
    }
}

/// Converts counts to starts, and returns their sum.
fn starts_of(counts: &mut [u32]) -> u32 {
    let mut sum = 0;
    for count in counts {
        sum += std::mem::replace(count, sum);
    }
    sum
}

impl Rows {
    /// The rows of several parts one behind the other, none of which has a toll. The links into areas are to be
    /// [added](Self::add_incoming).
    pub(super) fn side_by_side<'r>(
        parts: impl Iterator<Item = &'r Self> + Clone,
        extras: Vec<Extra>,
    ) -> Self {
        let sum = |count: fn(&Self) -> usize| parts.clone().map(count).sum::<usize>();
        let (areas, count) = (sum(Self::areas), sum(|part| part.links.len()));
        let (mut starts, mut links) = (Vec::with_capacity(areas + 1), Vec::with_capacity(count));
        let mut how = Vec::with_capacity(count);
        for part in parts {
            let (first_area, first_link) = (starts.len() as u32, links.len() as u32);
            starts.extend(part.starts[..part.areas()].iter().map(|start| start + first_link));
            links.extend(part.links.iter().map(|link| Packed { to: link.to + first_area, ..*link }));
            how.extend_from_slice(&part.how);
        }
        starts.push(links.len() as u32);
        let mut in_starts = Vec::with_capacity(areas + 1);
        in_starts.push(0);
        Self {
            starts,
            links,
            how,
            tolls: vec![1.0],
            spilled: Vec::new(),
            extras,
            in_starts,
            from: Vec::with_capacity(count),
            in_place: Vec::with_capacity(count),
            far: Vec::new(),
        }
    }

    /// Makes a link without a toll lead to another area.
    pub(super) fn lead(&mut self, link: u32, to: u32) {
        self.links[link as usize].to = to;
    }

    /// Finds the links into each area, but for these, which are ascending.
    pub(super) fn turn_without(&mut self, left_out: &[u32]) {
        let out = || {
            let mut out = left_out.iter().peekable();
            move |link: u32| out.next_if(|out| **out == link).is_some()
        };
        let (mut reached, mut is_out) = (vec![0; self.starts.len()], out());
        for (link, packed) in (0u32..).zip(&self.links) {
            if !is_out(link) {
                reached[packed.to()] += 1;
            }
        }
        self.turn_with(reached, out());
    }

    /// The same, with the number of links into each area and one more 0. `is_out` is asked of each link in order.
    fn turn_with(&mut self, mut next: Vec<u32>, mut is_out: impl FnMut(u32) -> bool) {
        let count = starts_of(&mut next) as usize;
        self.in_starts.clone_from(&next);
        self.from = vec![0; count];
        self.in_place = vec![0; count];
        self.far.clear();
        let Self { starts, links, from, in_place, far, .. } = self;
        let (from, in_place) = (&mut from[..count], &mut in_place[..count]);
        for (area, row) in (0u32..).zip(starts.windows(2)) {
            let first = row[0];
            for (packed, place) in links[first as usize..row[1] as usize].iter().zip(0u32..) {
                if is_out(first + place) {
                    continue;
                }
                let next = &mut next[packed.to()];
                from[*next as usize] = area;
                in_place[*next as usize] = place.min(FAR.into()) as u8;
                if place >= FAR.into() {
                    far.push((*next, first + place));
                }
                *next += 1;
            }
        }
        self.far.sort_unstable();
    }

    /// Adds the links into the next areas, which are those of a part: from inside it, and from others. Those are sorted by the area
    /// that they reach, and those of one area by the area and the link that they come from.
    pub(super) fn add_incoming(&mut self, part: &Self, inbound: &[Inbound]) {
        let first_area = self.in_starts.len() as u32 - 1;
        let end = first_area + part.areas() as u32;
        let first_link = self.starts[first_area as usize];
        let mut inbound = inbound.iter().peekable();
        for area in 0..part.areas() {
            let to = first_area + area as u32;
            while let Some(coming) = inbound.next_if(|coming| coming.to == to && coming.from < first_area) {
                self.add_one(*coming);
            }
            let inside = part.in_starts[area] as usize..part.in_starts[area + 1] as usize;
            if part.far.is_empty() {
                self.from.extend(part.from[inside.clone()].iter().map(|from| from + first_area));
                self.in_place.extend_from_slice(&part.in_place[inside]);
            } else {
                for (from, link) in part.incoming(area) {
                    let (from, link) = (from as u32 + first_area, link as u32 + first_link);
                    self.add_one(Inbound { to, from, link });
                }
            }
            while let Some(coming) = inbound.next_if(|coming| coming.to == to && coming.from >= end) {
                self.add_one(*coming);
            }
            self.in_starts.push(self.from.len() as u32);
        }
    }

    fn add_one(&mut self, coming: Inbound) {
        let place = coming.link - self.starts[coming.from as usize];
        if place >= FAR.into() {
            self.far.push((self.from.len() as u32, coming.link));
        }
        self.from.push(coming.from);
        self.in_place.push(place.min(FAR.into()) as u8);
    }

    /// Adds the links into the next areas as `other` has them for its areas from `first` to `end`. `moved` tells which number an area
    /// has here. No link may be far into its row.
    pub(super) fn add_incoming_of(
        &mut self,
        other: &Self,
        areas: std::ops::Range<u32>,
        moved: impl Fn(u32) -> u32,
    ) {
        let (first, end) = (areas.start as usize, areas.end as usize);
        let [start, stop] = [other.in_starts[first], other.in_starts[end]];
        let by = (self.from.len() as u32).wrapping_sub(start);
        self.in_starts.extend(other.in_starts[first + 1..=end].iter().map(|at| at.wrapping_add(by)));
        let entries = start as usize..stop as usize;
        self.from.extend(other.from[entries.clone()].iter().map(|from| moved(*from)));
        self.in_place.extend_from_slice(&other.in_place[entries]);
    }

    /// Whether some link is far into its row.
    pub(super) fn has_hubs(&self) -> bool {
        !self.far.is_empty()
    }

    pub(super) fn extras(&self) -> &[Extra] {
        &self.extras
    }

    #[inline(always)]
    pub(super) fn row(&self, area: usize) -> std::ops::Range<usize> {
        self.starts[area] as usize..self.starts[area + 1] as usize
    }

    #[inline(always)]
    pub(super) fn links(&self) -> &[Packed] {
        &self.links
    }

    /// Where the links of an area [lead](Packed::leads).
    #[inline(always)]
    pub(super) fn leads(&self, area: usize) -> impl Iterator<Item = usize> + '_ {
        self.links[self.row(area)].iter().filter_map(Packed::leads)
    }

    #[inline(always)]
    pub(super) fn how(&self, link: usize) -> How {
        self.how[link]
    }

    /// The game's charge for a link.
    #[inline(always)]
    pub(super) fn charge(&self, link: usize) -> f32 {
        let packed = self.links[link];
        let toll = if self.spilled.is_empty() { self.tolls[packed.toll()] } else { self.spilled[link] };
        packed.length * toll
    }

    /// Whether every link costs its length.
    pub(super) fn free_of_tolls(&self) -> bool {
        self.tolls.len() == 1
    }

    pub(super) fn extra(&self, link: usize) -> Option<&Extra> {
        let at = self.extras.partition_point(|extra| (extra.link as usize) < link);
        self.extras.get(at).filter(|extra| extra.link as usize == link)
    }

    /// Links that reach an area.
    #[inline(always)]
    pub(super) fn incoming(&self, area: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let range = self.in_starts[area] as usize..self.in_starts[area + 1] as usize;
        range.map(move |at| {
            let from = self.from[at] as usize;
            let place = self.in_place[at];
            (from, if place < FAR { self.row(from).start + usize::from(place) } else { self.far_link(at) })
        })
    }

    #[cold]
    fn far_link(&self, at: usize) -> usize {
        self.far[self.far.partition_point(|(known, _)| (*known as usize) < at)].1 as usize
    }

    pub(super) fn areas(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.starts[..])
            + size_of_val(&self.links[..])
            + size_of_val(&self.how[..])
            + size_of_val(&self.tolls[..])
            + size_of_val(&self.spilled[..])
            + size_of_val(&self.extras[..])
            + size_of_val(&self.in_starts[..])
            + size_of_val(&self.from[..])
            + size_of_val(&self.in_place[..])
            + size_of_val(&self.far[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_link_comes_in_where_it_leads_also_from_a_hub() {
        // A hub with 1,200 links, two to each area and two to itself, and a link back from every third.
        let areas = 600;
        let mut counts = vec![0; areas as usize];
        counts[0] = 2 * areas;
        (1..areas).step_by(3).for_each(|area| counts[area as usize] = 1);
        let mut packing = Packing::new(counts);
        let how = How::new(LinkKind::Walk, None, false);
        let mut into = packing.open();
        (0..2 * areas).for_each(|at| into.set(at as usize, at % areas, 1.0, 1.0, how));
        for area in (1..areas).step_by(3) {
            into.set(into.first(area as usize), 0, 1.0, 1.0, how);
        }
        let rows = packing.finish(Vec::new());
        for area in 0..areas as usize {
            let mut came: Vec<(usize, usize)> = rows.incoming(area).collect();
            came.sort_unstable();
            let leads = |from: usize| {
                rows.row(from).filter(|&link| rows.links()[link].to() == area).map(move |link| (from, link))
            };
            assert_eq!(came, (0..areas as usize).flat_map(leads).collect::<Vec<_>>(), "{area}");
        }
    }
}
