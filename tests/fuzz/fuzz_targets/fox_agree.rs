//! Lazy views against a plain decoder that owns everything: what the views read to the end, both read alike.
#![no_main]

#[path = "../../fox/agree.rs"]
mod agree;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| agree::assert_agree(bytes, "fuzz input"));
