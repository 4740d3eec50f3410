#![no_main]

mod container;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| container::read(navmap::archive::Kind::SevenZ, bytes));
