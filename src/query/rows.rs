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

    fn new(kind: LinkKind, side: Option<u8>, gated: bool) -> Self {
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

/// A link before it is packed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Raw {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) kind: LinkKind,
    pub(super) side: Option<u8>,
    pub(super) gated: bool,
    pub(super) length: f32,
    /// What the game charges for it, as a factor of the length, or as a sum if the link has no length.
    pub(super) toll: f32,
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

impl Rows {
    /// Makes rows of links in any order. Links of one area keep their order. `extras` name links by their place in
    /// `raw`.
    pub(super) fn new(areas: usize, raw: &[Raw], extras: Vec<Extra>) -> Self {
        let (starts, order) = sorted(areas, raw.iter().map(|link| link.from));
        let mut tolls: Vec<f32> = vec![1.0];
        let mut number = |toll: f32| {
            let known = tolls.iter().position(|known| known.to_bits() == toll.to_bits());
            known.or_else(|| {
                (tolls.len() < TOLLS).then(|| {
                    tolls.push(toll);
                    tolls.len() - 1
                })
            })
        };
        let mut links = Vec::with_capacity(raw.len());
        let mut how = Vec::with_capacity(raw.len());
        let mut spills = false;
        for &at in &order {
            let link = &raw[at as usize];
            let toll = number(link.toll);
            spills |= toll.is_none();
            links.push(Packed { to: link.to | (toll.unwrap_or(0) as u32) << 26, length: link.length });
            how.push(How::new(link.kind, link.side, link.gated));
        }
        let spilled =
            if spills { order.iter().map(|&at| raw[at as usize].toll).collect() } else { Vec::new() };
        let mut extras = extras;
        if !extras.is_empty() {
            let mut place = vec![0u32; raw.len()];
            order.iter().zip(0..).for_each(|(&at, link)| place[at as usize] = link);
            extras.iter_mut().for_each(|extra| extra.link = place[extra.link as usize]);
            extras.sort_unstable_by_key(|extra| extra.link);
        }
        let (in_starts, in_order) = sorted(areas, links.iter().map(|link| link.to() as u32));
        let from_of: Vec<u32> = order.iter().map(|&at| raw[at as usize].from).collect();
        let from: Vec<u32> = in_order.iter().map(|&link| from_of[link as usize]).collect();
        let place = |(&link, &from): (&u32, &u32)| (link - starts[from as usize]).min(255) as u8;
        let in_place = in_order.iter().zip(&from).map(place).collect();
        Self { starts, links, how, tolls, spilled, extras, in_starts, from, in_place }
    }

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

/// Where the row of each key begins, and the positions of the keys by row, from a stable counting sort.
fn sorted(rows: usize, keys: impl ExactSizeIterator<Item = u32> + Clone) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; rows + 1];
    keys.clone().for_each(|key| starts[key as usize + 1] += 1);
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    let mut next = starts.clone();
    let mut order = vec![0; keys.len()];
    for (key, at) in keys.zip(0..) {
        order[next[key as usize] as usize] = at;
        next[key as usize] += 1;
    }
    (starts, order)
}
