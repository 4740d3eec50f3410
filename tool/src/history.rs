//! Where prompts remember lines.

use std::path::PathBuf;

/// Where lines are remembered from run to run: `NAVMAP_HISTORY`, which may be empty for nowhere, else a file of this name
/// in the folder that the system has for such things.
pub(super) fn history(name: &str) -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(asked) = std::env::var_os("NAVMAP_HISTORY") {
        return Some(PathBuf::from(asked)).filter(|path| !path.as_os_str().is_empty());
    }
    let state = variable("XDG_STATE_HOME").or_else(|| Some(variable("HOME")?.join(".local/state")));
    state.or_else(|| variable("LOCALAPPDATA")).map(|folder| folder.join("navmap").join(name))
}
