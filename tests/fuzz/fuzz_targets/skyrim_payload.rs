//! One NVNM field: a plain reader reads the same, number for number, or refuses as well.
#![no_main]

#[path = "../../skyrim/agree.rs"]
mod agree;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| agree::assert_agree(bytes, "fuzz input"));
