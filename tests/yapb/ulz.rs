//! The packing of `.graph` files.

use navmap::format::yapb::unpack;
use navmap_testkit::bytes::Rng;
use navmap_testkit::yapb::{grid, pack};

/// Unpacks as the format's page tells it, a byte at a time, and panics where that is not possible.
pub(crate) fn plain_unpack(stream: &[u8]) -> Vec<u8> {
    let (mut out, mut at) = (Vec::new(), 0);
    let number = |at: &mut usize| {
        let mut number = 0;
        for shift in [0, 7, 14, 21] {
            let byte = stream[*at] as usize;
            *at += 1;
            number += byte << shift;
            if byte < 128 {
                break;
            }
        }
        number
    };
    while at < stream.len() {
        let token = stream[at] as usize;
        at += 1;
        let mut literals = token >> 5;
        if literals == 7 {
            literals += number(&mut at);
        }
        out.extend(&stream[at..at + literals]);
        at += literals;
        if literals > 0 && at == stream.len() {
            break;
        }
        let mut length = (token & 15) + 4;
        if length == 19 {
            length += number(&mut at);
        }
        let back = ((token & 16) << 12) + stream[at] as usize + 256 * stream[at + 1] as usize;
        at += 2;
        for _ in 0..length {
            out.push(out[out.len() - back]);
        }
    }
    out
}

fn samples() -> Vec<Vec<u8>> {
    let mut rng = Rng(7);
    let mut all: Vec<Vec<u8>> = (0..20).map(|len| vec![5; len]).collect();
    all.extend((0..40).map(|n| (0..n * 13).map(|_| rng.below(1 + n % 5) as u8).collect()));
    all.extend(
        [120, 127, 128, 134, 135, 136, 300].map(|len| (0..len).map(|n| (n * 7 % 251) as u8).collect()),
    );
    all.push((0..3_000).map(|_| rng.below(256) as u8).collect());
    all.push(grid(6).unpacked());
    all
}

#[test]
fn what_a_simple_packer_made_is_unpacked() {
    for bytes in samples() {
        let packed = pack(&bytes);
        assert_eq!(unpack(&packed, 0, bytes.len()).unwrap(), bytes);
        assert_eq!(plain_unpack(&packed), bytes);
        for wrong in [bytes.len() + 1, bytes.len().wrapping_sub(1)] {
            assert!(unpack(&packed, 0, wrong).is_err() || bytes.is_empty());
        }
    }
}

#[test]
fn what_the_packer_makes_unpacks_to_the_same() {
    use navmap::format::yapb::pack;
    for bytes in samples() {
        let packed = pack(&bytes);
        assert_eq!(plain_unpack(&packed), bytes);
        assert_eq!(unpack(&packed, 0, bytes.len()).unwrap(), bytes);
    }
    // A match across more than 65,535 bytes, and none across more than the window.
    let mut rng = Rng(3);
    let block: Vec<u8> = (0..500).map(|_| rng.below(256) as u8).collect();
    for (between, most) in [(70_000, 70_700), (140_000, 141_100)] {
        let noise = (0..between).map(|_| rng.below(256) as u8);
        let bytes: Vec<u8> = block.iter().copied().chain(noise).chain(block.iter().copied()).collect();
        let packed = pack(&bytes);
        assert!((most - 400..most).contains(&packed.len()), "{}", packed.len());
        assert_eq!(unpack(&packed, 0, bytes.len()).unwrap(), bytes);
    }
}

#[test]
fn lengths_are_counted_whole_bytes_at_a_time() {
    // 7 + 128 literals: the number is 80 00.
    let literals: Vec<u8> = (0..135).collect();
    let stream = [&[0xE0, 0x80, 0][..], &literals].concat();
    assert_eq!(unpack(&stream, 0, 135).unwrap(), literals);
    // A literal, then 19 + 300 of it again: AC 01.
    let stream = [0x2F, 9, 0xAC, 1, 1, 0];
    assert_eq!(unpack(&stream, 0, 320).unwrap(), vec![9; 320]);
}

#[test]
fn a_damaged_stream_says_at_which_byte() {
    let said = |stream: &[u8], size: usize| unpack(stream, 100, size).unwrap_err().to_string();
    assert_eq!(said(&[0x40, 1], 9), "byte 0x65: literals: 2 bytes needed, 1 left");
    assert_eq!(said(&[0x20, 1, 0], 9), "byte 0x66: distance: 2 bytes needed, 1 left");
    assert_eq!(said(&[0x20, 1, 0, 0], 9), "byte 0x64: packed nodes: distance 0 with 1 bytes unpacked so far");
    assert_eq!(said(&[0x20, 1, 2, 0], 9), "byte 0x64: packed nodes: distance 2 with 1 bytes unpacked so far");
    assert_eq!(
        said(&[0x20, 1, 1, 0], 4),
        "byte 0x64: packed nodes: they unpack to more than the 4 bytes claimed"
    );
    assert_eq!(said(&[0x20, 1, 1, 0], 6), "byte 0x64: packed nodes: they unpack to 5 bytes, 6 claimed");
    assert_eq!(said(&[], 1), "byte 0x64: packed nodes: they unpack to 0 bytes, 1 claimed");
}
