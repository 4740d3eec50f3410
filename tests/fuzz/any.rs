//! One program of all fuzz targets, since each of its own would be linked and instrumented again: `NAVMAP_FUZZ_TARGET` says which
//! one it is.
#![no_main]
// Targets share bodies, and here they are one program.
#![allow(clippy::duplicate_mod)]

// The targets call `libfuzzer_sys::fuzz_target!`; here that is a function to call.
extern crate self as libfuzzer_sys;

#[path = "here.rs"]
mod here;

// The fuzzer's macro asks for this one by that name.
pub use fuzzer::Corpus;
use std::sync::LazyLock;

macro_rules! targets {
    ($($name:ident in $path:literal)*) => {
        $(
            #[allow(unused_attributes, dead_code)]
            #[path = $path]
            mod $name;
        )*

        /// Those that need the library alone.
        const TARGETS: &[(&str, Target)] = &[$((stringify!($name), $name::run)),*];
    };
}

include!("targets.rs");

#[allow(unused_attributes, dead_code)]
#[path = "fuzz_targets/c_door.rs"]
mod c_door;

#[allow(unused_attributes, dead_code)]
#[path = "fuzz_targets/c_made.rs"]
mod c_made;

type Target = fn(&[u8]);

/// Those that go through the door of C.
const OF_C: [(&str, Target); 2] = [("c_door", c_door::run), ("c_made", c_made::run)];

static CHOSEN: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("NAVMAP_FUZZ_TARGET").unwrap_or_default();
    let all = TARGETS.iter().chain(&OF_C);
    let Some((_, target)) = all.clone().find(|(target, _)| *target == name) else {
        eprintln!("NAVMAP_FUZZ_TARGET is `{name}`; it names one of these:");
        all.for_each(|(target, _)| eprintln!("{target}"));
        std::process::exit(2);
    };
    *target
});

fuzzer::fuzz_target!(init: { LazyLock::force(&CHOSEN); }, |bytes: &[u8]| CHOSEN(bytes));
