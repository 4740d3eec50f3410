//! Sums of the fields of records, field beside field.

/// The sums of the fields of all records of a list: words beside words and halves beside halves, so that the compiler can make
/// vectors of them.
#[inline(always)]
pub(crate) fn all<T, const N: usize, const H: usize>(
    list: &[T],
    fields: impl Fn(&T) -> ([u32; N], [u16; H]),
) -> u64 {
    let (mut words, mut halves) = ([0u32; N], [0u16; H]);
    for record in list {
        let (w, h) = fields(record);
        words.iter_mut().zip(w).for_each(|(sum, word)| *sum = sum.wrapping_add(word));
        halves.iter_mut().zip(h).for_each(|(sum, half)| *sum = sum.wrapping_add(half));
    }
    let words = words.iter().fold(0u64, |sum, word| sum.wrapping_add(u64::from(*word)));
    halves.iter().fold(words, |sum, half| sum.wrapping_add(u64::from(*half)))
}

/// The sums of the fields of records that are words alone.
#[allow(dead_code)] // not every bench has such records
#[inline(always)]
pub(crate) fn words<T, const N: usize>(list: &[T], fields: impl Fn(&T) -> [u32; N]) -> u64 {
    all(list, |record| (fields(record), []))
}
