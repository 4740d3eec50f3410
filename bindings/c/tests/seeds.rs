//! The fuzz targets of the C interface as plain tests over their seeds.
// Targets share what they ask with, and here they are one program.
#![allow(clippy::duplicate_mod)]

// The targets call `libfuzzer_sys::fuzz_target!`; here that is a function to call.
extern crate self as libfuzzer_sys;

#[path = "../../../tests/fuzz/here.rs"]
mod here;

#[allow(unused_attributes, dead_code)]
#[allow(unsafe_code, reason = "the door is called as C calls it")]
#[path = "../../../tests/fuzz/fuzz_targets/c_door.rs"]
mod c_door;

#[allow(unused_attributes, dead_code)]
#[allow(unsafe_code, reason = "the door is called as C calls it")]
#[path = "../../../tests/fuzz/fuzz_targets/c_made.rs"]
mod c_made;

#[test]
fn c_door() {
    navmap_testkit::seeds::over("c_door", c_door::run);
}

#[test]
fn c_made() {
    navmap_testkit::seeds::over("c_made", c_made::run);
}
