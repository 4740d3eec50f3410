//! Sums of the words of records, field beside field, so that a visit costs what its getters cost and not what adding does.

/// A sum for each word of a record.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Words<const N: usize>([u32; N]);

impl<const N: usize> Words<N> {
    pub(crate) const NONE: Self = Self([0; N]);

    /// Adds the words of a record.
    #[inline(always)]
    pub(crate) fn add(&mut self, words: [u32; N]) {
        for (sum, word) in self.0.iter_mut().zip(words) {
            *sum = sum.wrapping_add(word);
        }
    }

    /// All sums together.
    pub(crate) fn total(self) -> u64 {
        self.0.iter().fold(0, |sum, word| sum.wrapping_add(u64::from(*word)))
    }
}

/// The words of all records of a list.
#[inline(always)]
pub(crate) fn all<T, const N: usize>(list: &[T], words: impl Fn(&T) -> [u32; N]) -> u64 {
    let mut sums = [Words::NONE; 2];
    let pairs = list.chunks_exact(2);
    for record in pairs.remainder() {
        sums[0].add(words(record));
    }
    for pair in pairs {
        sums[0].add(words(&pair[0]));
        sums[1].add(words(&pair[1]));
    }
    sums[0].total().wrapping_add(sums[1].total())
}
