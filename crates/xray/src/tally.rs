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
        (21, 23) => halves::<21, 23>(bytes, len),
        (23, 23) => halves::<23, 23>(bytes, len),
        (24, 25) => halves::<24, 25>(bytes, len),
        (25, 25) => halves::<25, 25>(bytes, len),
        (25, 26) => halves::<25, 26>(bytes, len),
        _ => None,
    }
}

/// Tells whether the numbers of nodes need the topmost bit of a link.
fn halves<const LEN: usize, const BITS: u32>(bytes: &[u8], len: u64) -> Option<Tally> {
    let half = 1 << BITS.wrapping_sub(1);
    match len.checked_sub(half) {
        None => Some(tally_of::<LEN, BITS, false>(bytes, len)),
        Some(rest) if rest < half => Some(tally_of::<LEN, BITS, true>(bytes, rest)),
        Some(_) => None,
    }
}

/// Nodes of `LEN` bytes, which begin with four links of `BITS` bits: two lie in the first eight bytes, two in the eight that begin
/// with the byte of the third. `lower` is how many nodes there are, or the rest over those that the topmost bit stands for.
fn tally_of<const LEN: usize, const BITS: u32, const LARGE: bool>(bytes: &[u8], lower: u64) -> Tally {
    let third = BITS.wrapping_mul(2);
    let (first, second) = (Pair::new::<BITS>(0, lower), Pair::new::<BITS>(third & 7, lower));
    let (mut links, mut astray) = (0_u64, 0);
    let (records, _) = bytes.as_chunks::<LEN>();
    for block in records.chunks(BLOCK) {
        let (mut without_first, mut without_second) = (0, 0);
        for record in block {
            let (none, wrong) = first.look::<LARGE>(word(record, 0));
            let (none_of_second, wrong_of_second) = second.look::<LARGE>(word(record, third >> 3));
            without_first = none.wrapping_add(without_first);
            without_second = none_of_second.wrapping_add(without_second);
            astray |= wrong | wrong_of_second;
        }
        let without = first.sum::<BITS>(without_first).wrapping_add(second.sum::<BITS>(without_second));
        links = links.wrapping_add((block.len() as u64).wrapping_mul(4)).wrapping_sub(without);
    }
    Tally { links, astray: astray != 0 }
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
    /// The topmost bits of those that are no links, which have all bits set, and of those that lead nowhere.
    #[inline]
    fn look<const LARGE: bool>(self, word: u64) -> (u64, u64) {
        let lower = word & !self.top;
        let none = word & lower.wrapping_add(self.one);
        let carried = lower.wrapping_add(self.beyond);
        let too_large = if LARGE { word & carried } else { word | carried };
        (none & self.top, (none ^ too_large) & self.top)
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
    use super::{Tally, halves};

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
        let tally = |links| halves::<23, 23>(&node(links), HALF + 5);
        let there = |links| Some(Tally { links, astray: false });
        assert_eq!(tally([0, HALF - 1, HALF, HALF + 4]), there(4));
        assert_eq!(tally([none, HALF + 4, none, none]), there(1));
        for at in 0..4 {
            let links = std::array::from_fn(|link| if link == at { HALF + 5 } else { none });
            assert_eq!(tally(links), Some(Tally { links: 1, astray: true }), "link {at}");
        }
        assert_eq!(halves::<23, 23>(&node([0; 4]), 1 << 23), None);
    }
}
