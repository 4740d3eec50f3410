//! What is read is written again to the byte, and what cannot be written is said.

use super::{corpus, real};
use navmap::format::detour::{DetourBuf, DetourNav, Dialect};
use navmap::{Counts, NavFile};

fn rewrite(bytes: &[u8]) -> navmap::Result<Vec<u8>> {
    DetourBuf::try_from(&DetourNav::parse(bytes)?)?.encode()
}

#[test]
fn every_file_that_is_read_is_written_again_to_the_byte() {
    let mut written = 0;
    for row in corpus::rows().into_iter().chain(real::rows()) {
        let bytes = row.read();
        match rewrite(&bytes) {
            Ok(again) => {
                assert!(again == bytes, "{}: {} and {} bytes", row.name(), again.len(), bytes.len());
                written += 1;
            }
            Err(error) => assert_eq!(row.text("status"), "error", "{}: {error}", row.name()),
        }
    }
    assert!(written > 30, "{written}");
}

#[test]
fn bytes_after_the_end_are_not_written() {
    for name in [
        "set.navmesh",
        "tile.navtile",
        "respawn.nm",
        "cache.bin",
        "unity-17.asset",
        "unity-22.asset",
        "ac.mmtile",
    ] {
        let row = corpus::rows().into_iter().find(|row| row.name() == name).unwrap();
        let longer = [&row.read()[..], &[0x5A; 9]].concat();
        assert!(rewrite(&longer).unwrap() == row.read(), "{name}");
    }
}

#[test]
fn a_changed_mesh_is_written_with_its_new_counts() {
    let bytes = navmap_testkit::detour::set(&navmap_testkit::detour::land(7, 2, 1), 1, false);
    let mut buf = DetourBuf::try_from(&DetourNav::parse(&bytes).unwrap()).unwrap();
    buf.tiles.truncate(1);
    let written = buf.encode().unwrap();
    let nav = DetourNav::parse(&written).unwrap();
    let mut counts = Counts::default();
    nav.survey(&mut Default::default(), &mut counts, &mut |finding| panic!("{finding}")).unwrap();
    assert_eq!((nav.claimed(), counts.get("tiles")), (1, Some(1)));
    assert_eq!(nav.dialect(), Dialect::Set);
}

#[test]
fn a_tile_that_does_not_fit_its_place_in_a_file_of_unity_is_refused() {
    let row = corpus::rows().into_iter().find(|row| row.name() == "unity-17.asset").unwrap();
    let bytes = row.read();
    let mut buf = DetourBuf::try_from(&DetourNav::parse(&bytes).unwrap()).unwrap();
    buf.tiles[1].vertices.pop();
    let error = buf.encode().unwrap_err().to_string();
    assert!(error.starts_with("tile 1: tile: has "), "{error}");
}
