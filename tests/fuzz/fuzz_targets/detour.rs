//! Everything in a file of Detour is read, checked and joined: no panic.
#![no_main]

#[path = "../../detour/exhaust.rs"]
mod exhaust;

use navmap::format::detour::{DetourNav, head, recognise};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = (recognise(bytes), head(bytes, bytes.len() as u64));
    if let Ok(nav) = DetourNav::parse(bytes) {
        exhaust::exhaust(&nav);
    }
});
