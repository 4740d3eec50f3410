//! What any mesh says as a graph: it holds together, and pictures and exports of it come to an end.
#![no_main]

#[path = "../../graph/exhaust.rs"]
mod exhaust;

use exhaust::{Made, exhaust};
use std::path::Path;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // Raw payloads of Bethesda meshes go by their name alone; everything else tells what it is.
    let made = match bytes.len() % 32 {
        0 => Made::Pixels,
        1..16 => Made::Texts,
        _ => Made::Graph,
    };
    for name in ["mesh", "mesh.nvnm"] {
        exhaust(bytes, Path::new(name), made);
    }
});
