//! The views say what an eager decoder says, of every file that it can read.
#![no_main]

#[allow(dead_code)]
#[path = "../../quake/exhaust.rs"]
mod exhaust;

use navmap::format::quake::QuakeNav;
use navmap_testkit::quake::{VERSIONS, decode};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(nav) = QuakeNav::parse(bytes) else { return };
    let version = (if nav.version().magic.name() == "NAV2" { 2 } else { 3 }, nav.version().number);
    if nav.is_experimental() || !VERSIONS.contains(&version) {
        return;
    }
    // The eager decoder copies the links of each node: not for nodes that all claim the same ones.
    let claimed: u64 = nav.nodes().iter().map(|node| u64::from(node.link_count())).sum();
    let in_range = (0..nav.nodes().len()).all(|node| nav.links_of(node).is_some());
    if in_range && claimed <= nav.links().len() as u64 {
        // NaN is not equal to itself; its text is.
        let whole = &bytes[..bytes.len() - nav.trailing().len()];
        let naive = decode(whole).expect("what the views read, the decoder reads");
        assert_eq!(format!("{:?}", exhaust::eager(&nav)), format!("{naive:?}"));
    }
});
