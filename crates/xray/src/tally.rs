//! How many links there are, at the speed of memory: two of a node at a time, with no branch.

use super::iter::Nodes;

/// How many nodes are added up before the sums are taken out of their words: the smallest has nine bits.
const BLOCK: usize = 256;

/// What is known of all links after one pass.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// How many there are.
    pub(super) links: u64,
    /// Whether one leads to a node that does not exist.
    pub(super) astray: bool,
}

/// Counts the links of all nodes. `None` for a grid of more nodes than links have numbers.
pub(super) fn tally(nodes: Nodes<'_>) -> Option<Tally> {
    let (layout, len, bytes) = (nodes.layout(), nodes.len() as u64, nodes.bytes());
    match (layout.len(), layout.bits) {
        (21, 23) => in_range::<21, 23>(bytes, len),
        (23, 23) => in_range::<23, 23>(bytes, len),
        (24, 25) => in_range::<24, 25>(bytes, len),
        (25, 25) => in_range::<25, 25>(bytes, len),
        (25, 26) => in_range::<25, 26>(bytes, len),
        _ => None,
    }
}

/// Tells whether the numbers of nodes need the topmost bit of a link.
fn in_range<const LEN: usize, const BITS: u32>(bytes: &[u8], len: u64) -> Option<Tally> {
    let half = 1 << BITS.wrapping_sub(1);
    match len.checked_sub(half) {
        None => Some(tally_of::<LEN, BITS, false>(bytes, len)),
        Some(rest) if rest < half => Some(tally_of::<LEN, BITS, true>(bytes, rest)),
        Some(_) => None,
    }
}

/// Nodes of `LEN` bytes, which begin with four links of `BITS` bits. `lower` is how many nodes there are, or the rest over those that
/// the topmost bit stands for.
fn tally_of<const LEN: usize, const BITS: u32, const LARGE: bool>(bytes: &[u8], lower: u64) -> Tally {
    let pairs = Pairs::<BITS, LARGE>::new(lower);
    let (records, _) = bytes.as_chunks::<LEN>();
    let (records, odd) = records.split_at(records.len() & !1);
    // Memory gives two readers a third more than one.
    let (front, back) = records.split_at(records.len() >> 1);
    let mut tally = Tally::default();
    for (front, back) in front.chunks(BLOCK).zip(back.chunks(BLOCK)) {
        let (mut one, mut other) = (Seen::default(), Seen::default());
        for (first, second) in front.iter().zip(back) {
            pairs.look(first, &mut one);
            pairs.look(second, &mut other);
        }
        pairs.take(&one, front.len(), &mut tally);
        pairs.take(&other, back.len(), &mut tally);
    }
    let mut last = Seen::default();
    odd.iter().for_each(|record| pairs.look(record, &mut last));
    pairs.take(&last, odd.len(), &mut tally);
    tally
}

/// What was seen of the nodes of a block, by pairs of links.
#[derive(Default)]
struct Seen {
    /// How many links there are not, in the places of their topmost bits.
    none: [u64; 2],
    /// Words whose topmost bits are those of links that lead nowhere.
    astray: [u64; 2],
}

/// The four links of a node: two lie in its first eight bytes, two in the eight that begin with the byte of the third.
struct Pairs<const BITS: u32, const LARGE: bool>([Pair; 2]);

impl<const BITS: u32, const LARGE: bool> Pairs<BITS, LARGE> {
    const THIRD: u32 = BITS.wrapping_mul(2);

    fn new(lower: u64) -> Self {
        Self([0, Self::THIRD & 7].map(|at| Pair::new::<BITS>(at, lower)))
    }
    #[inline]
    fn look<const LEN: usize>(&self, record: &[u8; LEN], seen: &mut Seen) {
        let words = [word(record, 0), word(record, Self::THIRD >> 3)];
        let (none, astray) = (seen.none.iter_mut(), seen.astray.iter_mut());
        for (((pair, word), none), astray) in self.0.iter().zip(words).zip(none).zip(astray) {
            let (no_links, wrong) = pair.look::<LARGE>(word);
            *none = none.wrapping_add(no_links);
            *astray |= wrong;
        }
    }
    fn take(&self, seen: &Seen, nodes: usize, tally: &mut Tally) {
        tally.links = tally.links.wrapping_add((nodes as u64).wrapping_mul(4));
        for ((pair, none), astray) in self.0.iter().zip(seen.none).zip(seen.astray) {
            tally.links = tally.links.wrapping_sub(pair.sum::<BITS>(none));
            tally.astray |= astray & pair.top != 0;
        }
    }
}

/// Two links in one word, each of a topmost bit and lower ones. What is added to the lower ones carries into the place of the topmost
/// and no further, so that one addition compares both.
#[derive(Clone, Copy)]
struct Pair {
    /// Where the lower of the two begins.
    at: u32,
    top: u64,
    one: u64,
    /// What carries when it is added to a number that is too large.
    beyond: u64,
}

impl Pair {
    fn new<const BITS: u32>(at: u32, lower: u64) -> Self {
        let both = |number: u64| (number << at) | number.wrapping_shl(at.wrapping_add(BITS));
        let top = 1 << BITS.wrapping_sub(1);
        Self { at, top: both(top), one: both(1), beyond: both(u64::wrapping_sub(top, lower)) }
    }
    /// The topmost bits of those that are no links, which have all bits set; and a word whose topmost bits are those of the ones that
    /// lead nowhere.
    #[inline]
    fn look<const LARGE: bool>(self, word: u64) -> (u64, u64) {
        let lower = word & !self.top;
        let none = word & lower.wrapping_add(self.one);
        let carried = lower.wrapping_add(self.beyond);
        let too_large = if LARGE { word & carried } else { word | carried };
        (none & self.top, none ^ too_large)
    }
    /// What was added up in both places.
    fn sum<const BITS: u32>(self, sums: u64) -> u64 {
        let sums = sums >> self.at.wrapping_add(BITS.wrapping_sub(1));
        let lower = sums & (1_u64 << BITS).wrapping_sub(1);
        lower.wrapping_add(sums >> BITS)
    }
}

/// The eight bytes of a record from this one on.
#[inline]
fn word<const LEN: usize>(record: &[u8; LEN], at: u32) -> u64 {
    record
        .get(at as usize..)
        .and_then(|bytes| bytes.first_chunk())
        .map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::{Tally, in_range};

    /// A grid of more than four million nodes is too large for a test, and its first few nodes are not.
    #[test]
    fn the_topmost_bit_of_a_link_is_a_part_of_its_number() {
        const HALF: u64 = 1 << 22;
        let node = |links: [u64; 4]| {
            let packed = links.iter().rev().fold(0_u128, |packed, link| packed << 23 | u128::from(*link));
            let mut bytes = [0xA5; 23];
            bytes[..12].copy_from_slice(&packed.to_le_bytes()[..12]);
            bytes
        };
        let none = (1 << 23) - 1;
        let tally = |links| in_range::<23, 23>(&node(links), HALF + 5);
        let there = |links| Some(Tally { links, astray: false });
        assert_eq!(tally([0, HALF - 1, HALF, HALF + 4]), there(4));
        assert_eq!(tally([none, HALF + 4, none, none]), there(1));
        for at in 0..4 {
            let links = std::array::from_fn(|link| if link == at { HALF + 5 } else { none });
            assert_eq!(tally(links), Some(Tally { links: 1, astray: true }), "link {at}");
        }
        assert_eq!(in_range::<23, 23>(&node([0; 4]), 1 << 23), None);
    }
}
