//! A small zlib encoder of our own: the same bytes on every machine, independent of compression libraries.
//!
//! One block with the fixed codes; matches come from a table of the last position of each three bytes.

const LENGTHS: [(u16, u32); 29] = [
    (3, 0),
    (4, 0),
    (5, 0),
    (6, 0),
    (7, 0),
    (8, 0),
    (9, 0),
    (10, 0),
    (11, 1),
    (13, 1),
    (15, 1),
    (17, 1),
    (19, 2),
    (23, 2),
    (27, 2),
    (31, 2),
    (35, 3),
    (43, 3),
    (51, 3),
    (59, 3),
    (67, 4),
    (83, 4),
    (99, 4),
    (115, 4),
    (131, 5),
    (163, 5),
    (195, 5),
    (227, 5),
    (258, 0),
];

const DISTANCES: [(u16, u32); 30] = [
    (1, 0),
    (2, 0),
    (3, 0),
    (4, 0),
    (5, 1),
    (7, 1),
    (9, 2),
    (13, 2),
    (17, 3),
    (25, 3),
    (33, 4),
    (49, 4),
    (65, 5),
    (97, 5),
    (129, 6),
    (193, 6),
    (257, 7),
    (385, 7),
    (513, 8),
    (769, 8),
    (1025, 9),
    (1537, 9),
    (2049, 10),
    (3073, 10),
    (4097, 11),
    (6145, 11),
    (8193, 12),
    (12289, 12),
    (16385, 13),
    (24577, 13),
];

#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    held: u64,
    count: u32,
}

impl Bits {
    /// Lowest bit first.
    fn put(&mut self, value: u32, count: u32) {
        self.held |= u64::from(value) << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.held as u8);
            self.held >>= 8;
            self.count -= 8;
        }
    }

    /// A Huffman code: highest bit first.
    fn code(&mut self, code: u32, count: u32) {
        self.put(code.reverse_bits() >> (32 - count), count);
    }

    fn symbol(&mut self, symbol: u16) {
        let s = u32::from(symbol);
        match symbol {
            0..=143 => self.code(0x30 + s, 8),
            144..=255 => self.code(0x190 + s - 144, 9),
            256..=279 => self.code(s - 256, 7),
            _ => self.code(0xC0 + s - 280, 8),
        }
    }

    fn matched(&mut self, length: usize, distance: usize) {
        let place = |table: &[(u16, u32)], value: usize| {
            table.iter().rposition(|(base, _)| usize::from(*base) <= value).expect("in the table")
        };
        let l = place(&LENGTHS, length);
        self.symbol(257 + l as u16);
        self.put((length - usize::from(LENGTHS[l].0)) as u32, LENGTHS[l].1);
        let d = place(&DISTANCES, distance);
        self.code(d as u32, 5);
        self.put((distance - usize::from(DISTANCES[d].0)) as u32, DISTANCES[d].1);
    }
}

/// A zlib stream of `bytes`.
pub fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut out = Bits { bytes: vec![0x78, 0x9C], ..Bits::default() };
    out.put(0b011, 3);
    let mut last = vec![usize::MAX; 1 << 16];
    let mut at = 0;
    while at < bytes.len() {
        let mut step = 1;
        if let Some(three) = bytes.get(at..at + 3) {
            let hash =
                (usize::from(three[0]) << 8 ^ usize::from(three[1]) << 4 ^ usize::from(three[2])) & 0xFFFF;
            let before = std::mem::replace(&mut last[hash], at);
            if before != usize::MAX && at - before <= 32_768 {
                let most = (bytes.len() - at).min(258);
                let same = (0..most).take_while(|i| bytes[before + i] == bytes[at + i]).count();
                if same >= 3 {
                    out.matched(same, at - before);
                    step = same;
                }
            }
        }
        if step == 1 {
            out.symbol(bytes[at].into());
        }
        at += step;
    }
    out.symbol(256);
    out.put(0, (8 - out.count % 8) % 8);
    let (mut a, mut b) = (1u32, 0u32);
    for byte in bytes {
        a = (a + u32::from(*byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    out.bytes.extend((b << 16 | a).to_be_bytes());
    out.bytes
}

/// A zlib stream as the games' editors write it (dynamic codes, default effort), by a library: for benches, whose files are not
/// kept.
pub fn as_real(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("a vector takes all");
    encoder.finish().expect("a vector takes all")
}

/// Inflates a stream by a library, as a plain program would.
pub fn reader(stream: &[u8]) -> impl std::io::Read {
    flate2::read::ZlibDecoder::new(stream)
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_it_writes_is_read_back_by_another() {
        use std::io::Read;
        let mut rng = crate::bytes::Rng(7);
        for len in [0, 1, 2, 3, 100, 70_000] {
            let bytes: Vec<u8> =
                (0..len).map(|i| if i % 7 < 4 { (i / 300) as u8 } else { rng.below(9) as u8 }).collect();
            let stream = super::zlib(&bytes);
            let mut back = Vec::new();
            flate2::read::ZlibDecoder::new(&stream[..]).read_to_end(&mut back).unwrap();
            assert_eq!(back, bytes);
        }
    }
}
