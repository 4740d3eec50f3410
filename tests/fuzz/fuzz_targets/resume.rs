//! The rows of an earlier scan are read, whatever they are: no panic, and never more rows than lines.
#![no_main]

use navmap::scan::Done;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let lines = bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
    if let Ok(done) = Done::from_jsonl(bytes) {
        assert!(done.len() <= lines && done.whole_bytes() <= bytes.len() as u64);
    }
});
