//! Which encoder makes the bytes that the games' editors made.

use crate::plugin;
use navmap::bytes::{ENCODER, Scratch, deflate};
use navmap_testkit::corpus;
use std::collections::BTreeMap;

/// Real navmesh records by the level that their stream tells: how many there are, and how many come out to the byte if they
/// are inflated and compressed again.
fn reproduced() -> BTreeMap<u32, [usize; 2]> {
    let Some(folder) = corpus::real() else { return BTreeMap::new() };
    let mut counts: BTreeMap<u32, [usize; 2]> = BTreeMap::new();
    let mut scratch = Scratch::new();
    for row in corpus::manifest(&folder.join("skyrim")).iter().filter(|row| !row.name().ends_with(".nvnm")) {
        let bytes = row.read();
        if !bytes.starts_with(b"TES4") {
            continue;
        }
        for navm in plugin(&bytes).navmeshes().flatten().filter(|navm| navm.is_compressed()) {
            let stream = &navm.record().stored()[4..];
            let level = match stream[..2] {
                [0x78, 0xDA] => 9,
                [0x78, 0x9C] => 6,
                _ => panic!("{} {}: {:x?}", row.name(), navm.form_id(), &stream[..2]),
            };
            let data = navm.record().fields(&mut scratch).unwrap().rest().to_vec();
            let mut again = Vec::new();
            deflate(&data, level, &mut again).unwrap();
            let [all, same] = counts.entry(level).or_default();
            *all += 1;
            *same += usize::from(again == stream);
        }
    }
    counts
}

/// zlib-rs makes other choices than the C library. Of the games' editors, all but one that compressed these files use the C
/// library, at level 9 or 6; one record of level 6 is of another encoder.
#[test]
fn real_records_are_compressed_to_their_own_bytes_as_far_as_the_encoder_can() {
    let counts = reproduced();
    println!("{ENCODER}: {counts:?}");
    if corpus::real().is_none() {
        return;
    }
    let [[high, high_same], [low, low_same]] = [9, 6].map(|level| counts[&level]);
    assert_eq!((high, low), (800, 62));
    if cfg!(feature = "zlib-exact") {
        assert!(high_same >= 799 && low_same >= 61, "{counts:?}");
    } else {
        assert!(high_same >= 600 && high_same < high, "{counts:?}");
    }
}
