//! Lazy views against a plain reader that owns everything: both refuse, or both read the same mesh to the last byte.
#![no_main]

#[path = "../../source/agree.rs"]
mod agree;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    agree::assert_agree(bytes, "fuzz input");
});
