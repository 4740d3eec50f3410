//! Everything in a navjson file is read, checked, written and read again, and made binary: no panic.
#![no_main]

#[allow(dead_code)]
#[path = "../../quake/exhaust.rs"]
mod exhaust;

use navmap::format::quake::NavJson;
use navmap::format::quake::navjson::{head, recognise};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = (recognise(bytes), head(bytes));
    if let Ok(nav) = NavJson::parse(bytes) {
        exhaust::exhaust_json(&nav);
    }
});
