//! The upper limit that speed is compared with: a plain loop that reads every byte.

/// A loop that reads every byte.
pub type Way = fn(&[u8]) -> u64;

/// The plain loops, by name. All give the same sum; which is fastest depends on the machine and on where the bytes are, so a
/// measurement tries them all.
pub const WAYS: [(&str, Way); 4] =
    [("1 lane", lanes::<1>), ("4 lanes", lanes::<4>), ("8 lanes", lanes::<8>), ("16 lanes", lanes::<16>)];

/// Sums the bytes as words of eight, the last one padded with zeros. A loop over single bytes is at most half as fast, and would
/// measure arithmetic, not memory.
pub fn byte_sum(bytes: &[u8]) -> u64 {
    lanes::<8>(bytes)
}

fn lanes<const N: usize>(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let (groups, few) = words.as_chunks::<N>();
    let mut sums = [0u64; N];
    for group in groups {
        for (sum, word) in sums.iter_mut().zip(group) {
            *sum = sum.wrapping_add(u64::from_le_bytes(*word));
        }
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let few = few.iter().chain([&last]).map(|word| u64::from_le_bytes(*word));
    sums.into_iter().chain(few).fold(0, u64::wrapping_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ways_give_one_sum() {
        let bytes: Vec<u8> = (0..1000u32).map(|i| (i * 7) as u8).collect();
        for len in (0..40).chain(990..1000) {
            let sums = WAYS.map(|(_, way)| way(&bytes[..len]));
            assert!(sums.iter().all(|sum| *sum == byte_sum(&bytes[..len])), "{len}");
        }
        assert_eq!(byte_sum(&[1, 0, 0, 0, 0, 0, 0, 0, 2]), 3);
    }
}
