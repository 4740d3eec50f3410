//! Ways to damage bytes, for tests that promise "an error or a sound result, never a panic".

/// Every proper prefix.
pub fn cuts(whole: &[u8]) -> impl Iterator<Item = &[u8]> {
    (0..whole.len()).map(move |end| &whole[..end])
}

/// Calls `each` once for each change of each byte: all bits flipped, 0, 0xFF, plus one.
pub fn flips(whole: &[u8], mut each: impl FnMut(usize, &[u8])) {
    let mut bytes = whole.to_vec();
    for at in 0..bytes.len() {
        let original = bytes[at];
        for value in [!original, 0, 0xFF, original.wrapping_add(1)] {
            bytes[at] = value;
            each(at, &bytes);
        }
        bytes[at] = original;
    }
}

/// Calls `each` once for each offset and number: four bytes replaced by a number that no count or offset should hold.
pub fn inflated_counts(whole: &[u8], mut each: impl FnMut(usize, &[u8])) {
    let mut bytes = whole.to_vec();
    for at in 0..bytes.len().saturating_sub(3) {
        let original: [u8; 4] = bytes[at..at + 4].try_into().expect("four bytes");
        for value in [u32::MAX, 0x7FFF_FFFF, 0x8000_0000, 0x0100_0000, 0xFFFF] {
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            each(at, &bytes);
        }
        bytes[at..at + 4].copy_from_slice(&original);
    }
}
