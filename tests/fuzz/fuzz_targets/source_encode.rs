#![no_main]
//! A mesh that can be read is written again to the byte.

use navmap::format::source::{SourceBuf, SourceNav};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(nav) = SourceNav::parse(bytes) else { return };
    let Ok(mesh) = SourceBuf::read(&nav) else { return };
    assert!(mesh.encode().expect("what was read fits") == bytes);
});
