//! Everything in a Fox tile is read, checked and joined: no panic, no loop without end, no memory beyond proportion.
#![no_main]

#[path = "../../fox/exhaust.rs"]
mod exhaust;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| exhaust::exhaust(bytes));
