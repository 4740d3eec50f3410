//! SHA-256, for files that a test knows only by their digest.

/// The first 16 hexadecimal digits of the digest.
pub fn short(bytes: &[u8]) -> String {
    sha256(bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The constants: fractions of roots of the first primes, as the standard defines them.
fn fractions(count: usize, root: fn(f64) -> f64) -> Vec<u32> {
    // For numbers this small, a double holds 32 bits of a fraction.
    let primes = (2u32..).filter(|n| (2..*n).all(|d| n % d != 0)).take(count);
    primes.map(|prime| (root(f64::from(prime)).fract() * 4_294_967_296.0) as u32).collect()
}

/// The digest.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    let rounds = fractions(64, f64::cbrt);
    let mut hash = fractions(8, f64::sqrt);
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend((bytes.len() as u64 * 8).to_be_bytes());
    for block in padded.chunks_exact(64) {
        let mut words: Vec<u32> =
            block.chunks_exact(4).map(|word| u32::from_be_bytes(word.try_into().expect("four"))).collect();
        for i in 16..64 {
            let (early, late) = (words[i - 15], words[i - 2]);
            let a = early.rotate_right(7) ^ early.rotate_right(18) ^ (early >> 3);
            let b = late.rotate_right(17) ^ late.rotate_right(19) ^ (late >> 10);
            words.push(words[i - 16].wrapping_add(a).wrapping_add(words[i - 7]).wrapping_add(b));
        }
        let mut state: [u32; 8] = hash.clone().try_into().expect("eight");
        for (word, round) in words.iter().zip(&rounds) {
            let [a, b, c, d, e, f, g, h] = state;
            let mixed = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let chosen = (e & f) ^ (!e & g);
            let first = h.wrapping_add(mixed).wrapping_add(chosen).wrapping_add(*round).wrapping_add(*word);
            let spread = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let second = spread.wrapping_add((a & b) ^ (a & c) ^ (b & c));
            state = [first.wrapping_add(second), a, b, c, d.wrapping_add(first), e, f, g];
        }
        hash.iter_mut().zip(state).for_each(|(sum, part)| *sum = sum.wrapping_add(part));
    }
    let bytes: Vec<u8> = hash.iter().flat_map(|word| word.to_be_bytes()).collect();
    bytes.try_into().expect("32 bytes")
}

#[cfg(test)]
mod tests {
    #[test]
    fn digests_are_those_of_the_standard() {
        assert_eq!(super::short(b""), "e3b0c44298fc1c14");
        assert_eq!(super::short(b"abc"), "ba7816bf8f01cfea");
        assert_eq!(super::short(&[b'a'; 1000]), "41edece42d63e8d9");
    }
}
