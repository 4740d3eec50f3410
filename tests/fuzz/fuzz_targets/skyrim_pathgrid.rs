//! Everything in a plugin of Morrowind or Oblivion is read and checked.
#![no_main]

#[allow(dead_code)]
#[path = "../../skyrim/pathgridexhaust.rs"]
mod exhaust;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    exhaust::exhaust(bytes);
});
