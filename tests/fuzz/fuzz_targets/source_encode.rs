#![no_main]
//! A mesh that can be read is written again to the byte, one of an unknown version is refused.

use navmap::format::source::{SourceBuf, SourceNav};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(nav) = SourceNav::parse(bytes) else { return };
    let Ok(mesh) = SourceBuf::read(&nav) else { return };
    match mesh.encode() {
        Ok(again) => assert!(again == bytes),
        Err(error) => assert!(nav.version() > 16, "what was read fits: {error}"),
    }
});
