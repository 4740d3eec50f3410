//! What the crates that are built into a program allow, and which Rust they ask for: read from the lock file's packages.

use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::process::Command;

/// Licences that ask for nothing but to be named.
const FREE: [&str; 12] = [
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    "bzip2-1.0.6",
];

/// The packages that are handed out.
const OURS: [&str; 5] = ["navmap", "navmap-c", "navmap-cli", "navmap-duckdb", "navmap-python"];

fn metadata() -> Value {
    let done = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--all-features", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    serde_json::from_slice(&done.stdout).unwrap()
}

/// Packages that are built into the library or the tool on any system, with every feature: no tests, no benches.
fn built_in(metadata: &Value) -> Vec<&Value> {
    let nodes: HashMap<&str, &Value> = metadata["resolve"]["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| (node["id"].as_str().unwrap(), node))
        .collect();
    let packages = metadata["packages"].as_array().unwrap();
    let ours = packages.iter().filter(|package| OURS.contains(&package["name"].as_str().unwrap()));
    let mut todo: Vec<&str> = ours.map(|package| package["id"].as_str().unwrap()).collect();
    let mut seen: HashSet<&str> = HashSet::new();
    while let Some(id) = todo.pop() {
        if seen.insert(id) {
            let needed =
                nodes[id]["deps"].as_array().unwrap().iter().filter(|dep| {
                    dep["dep_kinds"].as_array().unwrap().iter().any(|kind| kind["kind"] != "dev")
                });
            todo.extend(needed.map(|dep| dep["pkg"].as_str().unwrap()));
        }
    }
    packages.iter().filter(|package| seen.contains(package["id"].as_str().unwrap())).collect()
}

/// Whether an SPDX expression leaves a choice that is free: `MIT OR Apache-2.0`, `(MIT OR Zlib) AND ISC`, `MIT/Apache-2.0`.
fn is_free(expression: &str) -> bool {
    let text = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = text.split_whitespace().peekable();
    let free = any(&mut words);
    assert!(words.next().is_none(), "{expression}");
    free
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn any(words: &mut Words<'_>) -> bool {
    let mut free = all(words);
    while words.next_if_eq(&"OR").is_some() {
        free |= all(words);
    }
    free
}

fn all(words: &mut Words<'_>) -> bool {
    let mut free = one(words);
    while words.next_if_eq(&"AND").is_some() {
        free &= one(words);
    }
    free
}

fn one(words: &mut Words<'_>) -> bool {
    let word = words.next().expect("a licence");
    if word == "(" {
        let free = any(words);
        assert_eq!(words.next(), Some(")"));
        return free;
    }
    if words.next_if_eq(&"WITH").is_some() {
        words.next(); // an exception only adds to what is allowed
    }
    FREE.contains(&word)
}

#[test]
fn a_choice_of_licences_is_free_if_one_of_them_is() {
    for free in ["MIT", "MIT/Apache-2.0", "GPL-2.0-only OR Apache-2.0", "(MIT OR Apache-2.0) AND Unicode-3.0"]
    {
        assert!(is_free(free), "{free}");
    }
    assert!(is_free("Apache-2.0 WITH LLVM-exception OR GPL-3.0-only"));
    for bound in [
        "AGPL-3.0",
        "LGPL-3.0-or-later OR MPL-2.0",
        "MIT AND GPL-3.0-only",
        "(GPL-2.0-only OR MPL-2.0) AND MIT",
    ] {
        assert!(!is_free(bound), "{bound}");
    }
}

#[test]
fn every_crate_that_is_built_in_has_a_free_licence_and_comes_from_the_registry() {
    let metadata = metadata();
    let packages = built_in(&metadata);
    assert!(packages.len() > 60, "{}", packages.len());
    let members = metadata["workspace_members"].as_array().unwrap();
    for package in packages {
        let (name, licence) = (package["name"].as_str().unwrap(), package["license"].as_str());
        assert!(licence.is_some_and(is_free), "{name}: {licence:?}");
        let source = package["source"].as_str();
        let ours = members.contains(&package["id"]);
        assert!(
            if ours { source.is_none() } else { source.unwrap().starts_with("registry+") },
            "{name}: {source:?}"
        );
    }
}

#[test]
fn no_crate_that_is_built_in_asks_for_a_newer_rust_than_is_declared() {
    let metadata = metadata();
    let number = |text: &str| {
        let mut parts = text.split('.').map(|part| part.parse::<u32>().unwrap());
        (parts.next().unwrap(), parts.next().unwrap_or(0))
    };
    let packages = built_in(&metadata);
    let declared =
        packages.iter().find(|package| package["name"] == "navmap").unwrap()["rust_version"].as_str();
    let declared = number(declared.unwrap());
    for package in packages {
        if let Some(asked) = package["rust_version"].as_str() {
            assert!(number(asked) <= declared, "{} asks for Rust {asked}", package["name"]);
        }
    }
}
