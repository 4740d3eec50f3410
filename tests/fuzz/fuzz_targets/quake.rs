//! Everything in a Quake graph is read, checked, written and converted to every version: no panic, and what is written
//! is read back as it was.
#![no_main]

#[allow(dead_code)]
#[path = "../../quake/exhaust.rs"]
mod exhaust;

use navmap::format::quake::{QuakeNav, head, recognise};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = (recognise(bytes), head(bytes, bytes.len() as u64));
    if let Ok(nav) = QuakeNav::parse(bytes) {
        exhaust::exhaust(&nav);
    }
});
