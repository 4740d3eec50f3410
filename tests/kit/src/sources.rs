//! The sources of the project, for tests of what they say.

use crate::corpus::project;
use std::fs;
use std::path::{Path, PathBuf};

/// A Rust file: its path below the project, with `/` between folders, and its text.
#[derive(Debug, Clone)]
pub struct Source {
    /// `crates/quake/src/view.rs`.
    pub path: String,
    /// The text.
    pub text: String,
}

/// Every Rust file of the distributed code: `src`, `crates/*/src`, `tool/src`; sorted by path.
pub fn library() -> Vec<Source> {
    let mut found = below("src");
    for entry in fs::read_dir(project().join("crates")).unwrap() {
        found.extend(below(&format!("crates/{}/src", entry.unwrap().file_name().to_str().unwrap())));
    }
    found.extend(below("tool/src"));
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// Every Rust file below a folder of the project.
pub fn below(folder: &str) -> Vec<Source> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|end| end == "rs") {
                found.push(path);
            }
        }
    }
    let mut files = Vec::new();
    walk(&project().join(folder), &mut files);
    let source = |path: PathBuf| Source {
        path: path.strip_prefix(project()).unwrap().to_str().unwrap().replace('\\', "/"),
        text: fs::read_to_string(&path).unwrap(),
    };
    files.into_iter().map(source).collect()
}
