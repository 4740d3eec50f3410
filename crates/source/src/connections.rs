//! The four connection lists of an area, walked as one.

use super::flags::Direction;
use super::record::AreaId;
use std::iter::FusedIterator;

/// The connections of an area, side by side: north, east, south, west.
///
/// One loop over all of them, whose sides are computed: most lists hold one or two ids, and a loop over each ends where no processor
/// foresees it.
#[derive(Clone, Debug)]
pub struct Connections<'a> {
    /// The four lists as stored. Each begins with its count.
    words: &'a [AreaId],
    /// Connections before the lists of east, south and west.
    before: [u32; 3],
    next: u32,
}

impl<'a> Connections<'a> {
    /// `lists` are the offsets of the four lists, from the first of which on `words` were read.
    #[inline(always)]
    pub(super) fn new(words: &'a [AreaId], [north, lists @ ..]: [u32; 4]) -> Self {
        // Before each list stand those before it, four bytes a word, with as many counts.
        let mut counts = 0_u32;
        let before = lists.map(|at| {
            counts = counts.wrapping_add(1);
            at.wrapping_sub(north).wrapping_div(4).wrapping_sub(counts)
        });
        Self { words, before, next: 0 }
    }

    #[inline(always)]
    fn left(&self) -> usize {
        self.words.len().saturating_sub(4).saturating_sub(self.next as usize)
    }
}

impl Iterator for Connections<'_> {
    type Item = (Direction, AreaId);

    #[inline(always)]
    fn next(&mut self) -> Option<(Direction, AreaId)> {
        let [east, south, west] = self.before.map(|before| u32::from(self.next >= before));
        let side = east.wrapping_add(south).wrapping_add(west);
        let id = self.words.get(self.next.wrapping_add(side).wrapping_add(1) as usize)?;
        self.next = self.next.wrapping_add(1);
        Some((Direction::from_stored(side)?, *id))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left(), Some(self.left()))
    }
}

impl ExactSizeIterator for Connections<'_> {}
impl FusedIterator for Connections<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists of so many connections, one after the other, whose ids count up from 1.
    fn lists(counts: [u32; 4]) -> (Vec<AreaId>, [u32; 4]) {
        let (mut words, mut offsets, mut id) = (Vec::new(), [0; 4], 0);
        for (count, offset) in counts.into_iter().zip(&mut offsets) {
            *offset = 1000 + 4 * words.len() as u32;
            words.push(AreaId::new(count));
            words.extend((0..count).map(|i| AreaId::new(id + i + 1)));
            id += count;
        }
        (words, offsets)
    }

    #[test]
    fn all_lists_come_in_order_however_many_of_them_are_empty() {
        for mask in 0..4_u32.pow(4) {
            let counts = [mask & 3, mask >> 2 & 3, mask >> 4 & 3, mask >> 6];
            let (words, offsets) = lists(counts);
            let sides = Direction::ALL.into_iter().zip(counts);
            let sides = sides.flat_map(|(side, count)| (0..count).map(move |_| side));
            let expected: Vec<_> = sides.zip((1..).map(AreaId::new)).collect();
            let mut walk = Connections::new(&words, offsets);
            assert_eq!(walk.len(), expected.len(), "{counts:?}");
            assert_eq!(walk.by_ref().collect::<Vec<_>>(), expected, "{counts:?}");
            assert_eq!((walk.len(), walk.next()), (0, None));
        }
    }

    #[test]
    fn bytes_that_were_cut_since_end_the_walk() {
        let (words, offsets) = lists([2, 0, 3, 1]);
        for kept in 0..words.len() {
            let walk = Connections::new(words.get(..kept).unwrap_or_default(), offsets);
            assert!(walk.count() < 6);
        }
    }
}
