//! The fuzz target of the C interface as a plain test over its seeds.

// The target calls `libfuzzer_sys::fuzz_target!`; here that macro makes a plain function.
extern crate self as libfuzzer_sys;

/// A target as a function.
#[macro_export]
macro_rules! fuzz_target {
    (|$bytes:ident: &[u8]| $body:expr) => {
        pub(crate) fn run($bytes: &[u8]) {
            $body
        }
    };
}

#[allow(unused_attributes)]
#[allow(unsafe_code, reason = "the door is called as C calls it")]
#[path = "../../../tests/fuzz/fuzz_targets/c_door.rs"]
mod c_door;

#[test]
fn c_door() {
    navmap_testkit::seeds::over("c_door", c_door::run);
}
