//! The collision and the box of a model that may be anything, in a map with props of both: no panic, no loop without end, and
//! no more shapes than the bytes have.
#![no_main]

use navmap::bsp::{BspMap, Contents};
use navmap_testkit::props::prop_map;
use std::sync::LazyLock;

static MAP: LazyLock<Vec<u8>> = LazyLock::new(prop_map);

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| run_on(bytes));

fn run_on(bytes: &[u8]) {
    let mut map = BspMap::parse(&MAP).expect("a sound map");
    let wrong = map.add_models(|_| Some(bytes.to_vec()));
    assert!(wrong.len() <= 2, "each model once");
    for x in [-100.0, 0.0, 100.0] {
        let line = map.line([x, 0.0, 200.0], [x, 3.0, -8.0], Contents::WALK);
        assert!((0.0..=1.0).contains(&line.fraction), "{line:?}");
        map.hull([x, 9.0, 200.0], [x, 0.0, 1.0], [-16.0, -16.0, 0.0], [16.0, 16.0, 72.0], Contents::PLAYER);
        map.contents([x, 0.0, 20.0]);
    }
}
