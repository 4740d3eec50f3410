//! The fuzz targets as plain tests over their seeds: what runs where no nightly toolchain is.
// Targets share bodies, and here they are one program.
#![allow(clippy::duplicate_mod)]

// The targets call `libfuzzer_sys::fuzz_target!`; here that is a function to call.
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

targets! {
    source in "fuzz/fuzz_targets/source.rs"
    source_agree in "fuzz/fuzz_targets/source_agree.rs"
    source_analyze in "fuzz/fuzz_targets/source_analyze.rs"
    source_generate in "fuzz/fuzz_targets/source_generate.rs"
    bsp in "fuzz/fuzz_targets/bsp.rs"
    bsp_analyze in "fuzz/fuzz_targets/bsp_analyze.rs"
    source_encode in "fuzz/fuzz_targets/source_encode.rs"
    edit_script in "fuzz/fuzz_targets/edit_script.rs"
    edit_text in "fuzz/fuzz_targets/edit_text.rs"
    quake in "fuzz/fuzz_targets/quake.rs"
    quake_agree in "fuzz/fuzz_targets/quake_agree.rs"
    navjson in "fuzz/fuzz_targets/navjson.rs"
    detour in "fuzz/fuzz_targets/detour.rs"
    fox in "fuzz/fuzz_targets/fox.rs"
    fox_agree in "fuzz/fuzz_targets/fox_agree.rs"
    aas in "fuzz/fuzz_targets/aas.rs"
    fox_encode in "fuzz/fuzz_targets/fox_encode.rs"
    fox_script in "fuzz/fuzz_targets/fox_script.rs"
    import_obj in "fuzz/fuzz_targets/import_obj.rs"
    import_glb in "fuzz/fuzz_targets/import_glb.rs"
    yapb in "fuzz/fuzz_targets/yapb.rs"
    nodegraph in "fuzz/fuzz_targets/nodegraph.rs"
    xray in "fuzz/fuzz_targets/xray.rs"
    rcbot in "fuzz/fuzz_targets/rcbot.rs"
    skyrim_encode in "fuzz/fuzz_targets/skyrim_encode.rs"
    skyrim_fix in "fuzz/fuzz_targets/skyrim_fix.rs"
    skyrim_pathgrid in "fuzz/fuzz_targets/skyrim_pathgrid.rs"
    skyrim_payload in "fuzz/fuzz_targets/skyrim_payload.rs"
    skyrim_plugin in "fuzz/fuzz_targets/skyrim_plugin.rs"
    graph in "fuzz/fuzz_targets/graph.rs"
    tables in "fuzz/fuzz_targets/tables.rs"
    edit_any in "fuzz/fuzz_targets/edit_any.rs"
    draw in "fuzz/fuzz_targets/draw.rs"
    model in "fuzz/fuzz_targets/model.rs"
    lump in "fuzz/fuzz_targets/lump.rs"
    slot in "fuzz/fuzz_targets/slot.rs"
    archive_vpk in "fuzz/fuzz_targets/archive_vpk.rs"
    archive_bsp in "fuzz/fuzz_targets/archive_bsp.rs"
    archive_gma in "fuzz/fuzz_targets/archive_gma.rs"
    archive_pak in "fuzz/fuzz_targets/archive_pak.rs"
    archive_fpk in "fuzz/fuzz_targets/archive_fpk.rs"
    archive_zip in "fuzz/fuzz_targets/archive_zip.rs"
    archive_tar in "fuzz/fuzz_targets/archive_tar.rs"
    archive_gzip in "fuzz/fuzz_targets/archive_gzip.rs"
    archive_bzip2 in "fuzz/fuzz_targets/archive_bzip2.rs"
    archive_xz in "fuzz/fuzz_targets/archive_xz.rs"
    archive_zstd in "fuzz/fuzz_targets/archive_zstd.rs"
    archive_lzma in "fuzz/fuzz_targets/archive_lzma.rs"
    archive_sevenz in "fuzz/fuzz_targets/archive_sevenz.rs"
    resume in "fuzz/fuzz_targets/resume.rs"
}

use navmap_testkit::seeds::TARGETS;
use std::fs;
use std::path::Path;

/// Those that a package above this one runs over their seeds: `bindings/c/tests/seeds.rs`.
const ELSEWHERE: [&str; 2] = ["c_door", "c_made"];

fn text(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

#[test]
fn every_target_is_built_is_run_here_and_has_its_command_in_the_guide() {
    let (manifest, guide) = (text("tests/fuzz/Cargo.toml"), text("CONTRIBUTING.md"));
    for file in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/fuzz_targets")).unwrap() {
        let path = file.unwrap().path();
        let Some(target) = path.file_stem().and_then(|stem| stem.to_str()).filter(|_| path.is_file()) else {
            continue;
        };
        assert!(HERE.contains(&target) || ELSEWHERE.contains(&target), "{target} is not run over its seeds");
        assert!(TARGETS.iter().any(|(name, _)| *name == target), "{target} has no seeds");
        assert!(manifest.contains(&format!("name = \"{target}\"")), "{target} is not built");
        let command = format!("`cargo +nightly fuzz run --fuzz-dir tests/fuzz {target}`");
        assert!(guide.contains(&command), "{target} has no command in CONTRIBUTING.md");
    }
    assert_eq!(HERE.len() + ELSEWHERE.len(), TARGETS.len());
}
