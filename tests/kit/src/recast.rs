//! A real Detour, compiled to WebAssembly in the npm package `@recast-navigation/core`.

use crate::corpus::project;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder with its `node_modules`, which `NAVMAP_RECAST` names; says that a test is skipped without it.
pub fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("NAVMAP_RECAST").map(PathBuf::from);
    if folder.is_none() {
        crate::skipped("npm install @recast-navigation/core in a folder, and set NAVMAP_RECAST to it");
    }
    folder
}

/// What it answers to each line of a file: the length of the way, `none`, or `nowhere`. `tests/export/recast.mjs` says what a line
/// is.
pub fn answers(folder: &Path, mesh: &Path, queries: &Path) -> Vec<String> {
    let script = project().join("tests/export/recast.mjs");
    let done = Command::new("node").arg(script).arg(folder).arg(mesh).arg(queries).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap().lines().map(str::to_owned).collect()
}
