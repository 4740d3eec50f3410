//! Any map is read, traced through and drawn, or refused: no panic, no loop without end.
#![no_main]

use navmap::bsp::{BspMap, Contents, FloorPlan};
use navmap::Limits;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| run_on(bytes));

fn run_on(bytes: &[u8]) {
    let Ok(mut map) = BspMap::parse(bytes) else { return };
    map.add_models(|path| path.ends_with(".phy").then(|| bytes.to_vec()));
    let [low, high] = map.bounds();
    let at = |share: f32| [0, 1, 2].map(|axis| low[axis] + (high[axis] - low[axis]) * share);
    for (from, to) in [(at(0.1), at(0.9)), (at(0.9), at(0.2)), ([0.0, 0.0, 64.0], [0.0, 0.0, -64.0])] {
        let line = map.line(from, to, Contents::WALK);
        assert!(line.fraction <= 1.0, "{line:?}");
        map.hull(from, to, [-16.0, -16.0, 0.0], [16.0, 16.0, 72.0], Contents::PLAYER);
        map.contents(from);
        let clusters = map.clusters(from, to);
        map.cluster(from).map(|own| clusters.iter().filter(|other| map.pvs().sees(own, **other)).count());
    }
    let _ = FloorPlan::read(&map, bytes, &Limits::default());
    map.ladders();
}
