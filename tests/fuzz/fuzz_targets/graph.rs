//! What any mesh says as a graph: it holds together, and pictures and exports of it come to an end.
#![no_main]

#[path = "../../graph/exhaust.rs"]
mod exhaust;

use std::path::Path;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // Raw payloads of Bethesda meshes go by their name alone; everything else tells what it is.
    for name in ["mesh", "mesh.nvnm"] {
        exhaust::exhaust(bytes, Path::new(name), true);
    }
});
