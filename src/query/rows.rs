//! Links, packed for searches.

use crate::graph::{LinkKind, Point};

/// Most areas of one index: links keep them in 26 bits.
pub(super) const MOST_AREAS: usize = 1 << 26;
/// The number of tolls that the other 6 bits can name.
const TOLLS: usize = 64;
const TARGET: u32 = (1 << 26) - 1;

/// A link as searches read it: 8 bytes, target and length beside each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Packed {
    /// The area that it reaches, with the number of its toll in the bits above.
    to: u32,
    pub(super) length: f32,
}

impl Packed {
    #[inline(always)]
    pub(super) fn to(self) -> usize {
        (self.to & TARGET) as usize
    }

    #[inline(always)]
    pub(super) fn toll(self) -> usize {
        (self.to >> 26) as usize
    }
}

/// How one passes a link, over which side, and whether it can be closed, in one byte.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct How(u8);

impl How {
    const NO_SIDE: u8 = 7;

    #[inline(always)]
    pub(super) fn new(kind: LinkKind, side: Option<u8>, gated: bool) -> Self {
        let kind = LinkKind::ALL.iter().position(|known| *known == kind).unwrap_or(LinkKind::ALL.len() - 1);
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

/// Fields that few links have.
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
    /// Distinct tolls by number. Those past the 64th stand in `spilled`, one for each link.
    tolls: Vec<f32>,
    spilled: Vec<f32>,
    /// By link, ascending.
    extras: Vec<Extra>,
    /// The areas that link to `a` are `from[in_starts[a]..in_starts[a + 1]]`, each with the place of the link in its
    /// own row (the last number also stands for all places behind it).
    in_starts: Vec<u32>,
    from: Vec<u32>,
    in_place: Vec<u8>,
}

/// Rows that are being packed, link by link.
pub(super) struct Packing {
    rows: Rows,
    /// How many links reach each area.
    reached: Vec<u32>,
}

impl Packing {
    /// Makes room for so many links out of each area.
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
        };
        Self { rows, reached: vec![0; areas + 1] }
    }

    /// The place of the first link out of an area.
    pub(super) fn first(&self, area: usize) -> usize {
        self.rows.starts[area] as usize
    }

    /// Puts a link in its place. The game charges `toll` lengths for it.
    #[inline(always)]
    pub(super) fn set(&mut self, at: usize, to: u32, length: f32, toll: f32, how: How) {
        let Rows { links, tolls, spilled, .. } = &mut self.rows;
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
        links[at] = Packed { to: to | (number.unwrap_or(0) as u32) << 26, length };
        self.rows.how[at] = how;
        self.reached[to as usize] += 1;
    }

    /// `extras` are sorted by link.
    pub(super) fn finish(self, extras: Vec<Extra>) -> Rows {
        let Self { mut rows, reached: mut next } = self;
        starts_of(&mut next);
        rows.in_starts.clone_from(&next);
        rows.from = vec![0; rows.links.len()];
        rows.in_place = vec![0; rows.links.len()];
        for area in 0..rows.starts.len() - 1 {
            for (link, place) in rows.row(area).zip(0u32..) {
                let next = &mut next[rows.links[link].to()];
                rows.from[*next as usize] = area as u32;
                rows.in_place[*next as usize] = place.min(255) as u8;
                *next += 1;
            }
        }
        rows.extras = extras;
        rows
    }
}

/// Makes starts of counts, and returns their sum.
fn starts_of(counts: &mut [u32]) -> u32 {
    let mut sum = 0;
    for count in counts {
        sum += std::mem::replace(count, sum);
    }
    sum
}

impl Rows {
    #[inline(always)]
    pub(super) fn row(&self, area: usize) -> std::ops::Range<usize> {
        self.starts[area] as usize..self.starts[area + 1] as usize
    }

    #[inline(always)]
    pub(super) fn links(&self) -> &[Packed] {
        &self.links
    }

    #[inline(always)]
    pub(super) fn how(&self, link: usize) -> How {
        self.how[link]
    }

    /// What the game charges for a link.
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
        let mut last = (usize::MAX, 0);
        range.map(move |at| {
            let from = self.from[at] as usize;
            let place = usize::from(self.in_place[at]);
            let row = self.row(from);
            if place < 255 {
                return (from, row.start + place);
            }
            // A row of more than 255 links: the next one that fits.
            let after = if last.0 == from { last.1 + 1 } else { row.start + 255 };
            let link =
                (after..row.end).find(|&link| self.links[link].to() == area).unwrap_or(row.start + 255);
            last = (from, link);
            (from, link)
        })
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
    }
}
