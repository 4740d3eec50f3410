#![no_main]
//! A tile that can be read is written again to the byte, and laid out anew it holds the same values.

use navmap::format::fox::{FoxBuf, FoxNav};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(nav) = FoxNav::parse(bytes) else { return };
    let Ok(tile) = FoxBuf::read(&nav) else { return };
    assert!(tile.encode().expect("it is kept as it was") == bytes);
    // What overlaps in the file does not fit once each part has its own bytes.
    let Ok(canonical) = tile.encode_canonical() else { return };
    let again = FoxBuf::from_bytes(&canonical).expect("what is written can be read");
    assert!(again.same_values(&tile));
});
