//! Where prompts remember lines.

use std::path::PathBuf;

/// The file that remembers lines between runs: `NAVMAP_HISTORY`, which may be empty for none, else a file of this name in the
/// system's folder for such data.
pub(super) fn history(name: &str) -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(asked) = std::env::var_os("NAVMAP_HISTORY") {
        return Some(PathBuf::from(asked)).filter(|path| !path.as_os_str().is_empty());
    }
    let state = variable("XDG_STATE_HOME").or_else(|| Some(variable("HOME")?.join(".local/state")));
    state.or_else(|| variable("LOCALAPPDATA")).map(|folder| folder.join("navmap").join(name))
}
