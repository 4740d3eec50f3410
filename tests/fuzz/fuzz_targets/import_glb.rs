//! Bytes that can be read as GLB: what is built of them is sound or refused, as one tile and as a map.
#![no_main]

#[path = "../../fox/polygons.rs"]
mod polygons;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| polygons::build(bytes, navmap::import::Format::Glb));
