//! The header equals cbindgen's output for the crate. `NAVMAP_BLESS=1 cargo test -p navmap-c --test c header` writes it.

use crate::built::{HERE, folder, run, tools};
use crate::declared::{entries, header};
use std::collections::HashSet;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

#[test]
fn the_header_is_what_cbindgen_makes_of_the_crate() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/navmap.h");
    let made = header();
    if env::var_os("NAVMAP_BLESS").is_some() {
        fs::write(&path, made).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    let line = committed.lines().zip(made.lines()).position(|(a, b)| a != b);
    let why = "include/navmap.h is out of date: NAVMAP_BLESS=1 cargo test -p navmap-c --test c header";
    assert!(committed == made, "{why}; the first line that differs: {line:?}");
}

#[test]
fn the_wrapper_calls_everything_of_the_header() {
    let wrapper = fs::read_to_string(Path::new(HERE).join("include/navmap.hpp")).unwrap();
    let words: HashSet<&str> =
        wrapper.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
    // An error tells its status where it came from.
    let missing: Vec<String> = entries()
        .into_iter()
        .map(|entry| entry.name)
        .filter(|name| !words.contains(name.as_str()) && name != "navmap_error_status")
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn no_width_of_the_machine_is_in_the_header() {
    let made = header();
    for word in ["size_t", "uintptr_t", "intptr_t", " long ", "unsigned int", " int "] {
        let found = made.lines().find(|line| !line.trim_start().starts_with("/*") && line.contains(word));
        assert_eq!(found, None, "{word}");
    }
    assert!(made.matches("navmap_status navmap_").count() > 40);
}

#[test]
fn the_header_is_clean_in_every_standard_of_c() {
    if !tools() {
        return;
    }
    let temp = folder("c-standards");
    let source = temp.file("includes.c", b"#include <navmap.h>\nint main(void) { return NAVMAP_OK; }\n");
    for standard in ["-std=c89", "-std=c99", "-std=c11"] {
        let mut compile = Command::new("cc");
        compile.args([standard, "-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]);
        run(compile.arg("-I").arg(Path::new(HERE).join("include")).arg(&source));
    }
}
