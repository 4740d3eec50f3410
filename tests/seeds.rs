//! The fuzz targets as plain tests over their seeds: what runs where no nightly toolchain is.
// Targets share bodies, and here they are one program.
#![allow(clippy::duplicate_mod)]

// The targets call `libfuzzer_sys::fuzz_target!`; here that is a function to call.
extern crate self as libfuzzer_sys;

#[path = "fuzz/here.rs"]
mod here;

macro_rules! targets {
    ($($name:ident in $path:literal)*) => {
        $(
            #[allow(unused_attributes, dead_code)]
            #[path = $path]
            mod $name;
        )*

        /// The targets that are compiled in.
        const HERE: &[&str] = &[$(stringify!($name)),*];

        mod over_seeds {
            $(
                #[test]
                fn $name() {
                    navmap_testkit::seeds::over(stringify!($name), super::$name::run);
                }
            )*
        }
    };
}

include!("fuzz/targets.rs");

use navmap_testkit::seeds::TARGETS;
use std::fs;
use std::path::Path;

/// Those that a package above this one runs over their seeds: `bindings/c/tests/seeds.rs`.
const ELSEWHERE: [&str; 2] = ["c_door", "c_made"];

fn text(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

#[test]
fn every_target_is_run_here_has_seeds_and_stands_in_the_guide() {
    let guide = text("CONTRIBUTING.md");
    for file in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/fuzz_targets")).unwrap() {
        let path = file.unwrap().path();
        let Some(target) = path.file_stem().and_then(|stem| stem.to_str()).filter(|_| path.is_file()) else {
            continue;
        };
        assert!(HERE.contains(&target) || ELSEWHERE.contains(&target), "{target} is not run over its seeds");
        assert!(TARGETS.iter().any(|(name, _)| *name == target), "{target} has no seeds");
        assert!(guide.contains(&format!("| `{target}` |")), "{target} does not stand in CONTRIBUTING.md");
    }
    // Each file of inputs is one of a target, and can be read.
    for file in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/found")).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let Some(target) = name.strip_suffix(".tar.gz") else { continue };
        assert!(TARGETS.iter().any(|(known, _)| *known == target), "{name} is of no target");
        assert!(!navmap_testkit::found::found(target).is_empty(), "{name} is empty");
    }
    assert_eq!(HERE.len() + ELSEWHERE.len(), TARGETS.len());
}
