//! One NVNM field: everything in it is read, and a plain reader reads the same or refuses as well.
#![no_main]

#[path = "../../skyrim/agree.rs"]
mod agree;
#[path = "../../skyrim/exhaust.rs"]
mod exhaust;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    exhaust::everything_of_a_mesh(bytes, &mut navmap::bytes::Scratch::new()).ok();
    agree::assert_agree(bytes, "fuzz input");
});
