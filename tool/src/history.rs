//! Where prompts remember lines, and what else outlives a run.

use std::path::{Path, PathBuf};

/// The file that remembers lines between runs: `NAVMAP_HISTORY`, which may be empty for none, else a file of this name in the
/// system's folder for such data.
pub(super) fn history(name: &str) -> Option<PathBuf> {
    if let Some(asked) = std::env::var_os("NAVMAP_HISTORY") {
        return Some(PathBuf::from(asked)).filter(|path| !path.as_os_str().is_empty());
    }
    state(Path::new(name))
}

/// A file in the system's folder for data that outlives a run; `None` where the system names none.
pub(super) fn state(name: &Path) -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = variable("XDG_STATE_HOME").or_else(|| Some(variable("HOME")?.join(".local/state")));
    state.or_else(|| variable("LOCALAPPDATA")).map(|folder| folder.join("navmap").join(name))
}
