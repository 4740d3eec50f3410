//! Everything in a Source mesh is read: no panic, no loop without end, no memory beyond proportion.
#![no_main]

#[path = "../../source/exhaust.rs"]
mod exhaust;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| exhaust::exhaust(bytes));
