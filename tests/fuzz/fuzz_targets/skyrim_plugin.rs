//! Everything in a plugin, or in one NVNM field, is read: no panic, no loop without end, no memory beyond proportion.
#![no_main]

#[path = "../../skyrim/exhaust.rs"]
mod exhaust;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| exhaust::exhaust(bytes));
