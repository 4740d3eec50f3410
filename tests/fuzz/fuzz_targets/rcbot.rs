//! Everything in an `.rcw` file is read and checked, and what is written is the file as it was.
#![no_main]

#[allow(dead_code)]
#[path = "../../rcbot/exhaust.rs"]
mod exhaust;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    exhaust::exhaust(bytes);
});
