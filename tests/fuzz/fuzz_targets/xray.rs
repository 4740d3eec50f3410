//! Everything in a `level.ai` is read and checked, and what is written is the file as it was.
#![no_main]

#[allow(dead_code)]
#[path = "../../xray/exhaust.rs"]
mod exhaust;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    exhaust::exhaust(bytes);
});
