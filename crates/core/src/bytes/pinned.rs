//! A folder that stays the same one, whatever its name leads to meanwhile.

use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The folder of a file. Where a path can begin at what is open, files are made, moved and removed there: if the folder is moved and
/// something else is put in its place, nothing happens in that.
#[derive(Debug)]
pub(super) struct Pinned {
    open: Option<File>,
    at: PathBuf,
}

impl Pinned {
    /// The folder that a file is in or will be.
    pub(super) fn of(target: &Path) -> Self {
        let folder = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let open = File::open(folder).ok();
        #[cfg(target_os = "linux")]
        if let Some(fd) = open.as_ref().map(std::os::fd::AsRawFd::as_raw_fd) {
            let at = PathBuf::from(format!("/proc/self/fd/{fd}"));
            // Not everywhere is there such a path.
            if at.is_dir() {
                return Self { open, at };
            }
        }
        Self { open, at: folder.to_owned() }
    }

    /// The path of a file of this name there, while this value lives.
    pub(super) fn file(&self, name: &OsStr) -> PathBuf {
        self.at.join(name)
    }

    /// Waits until what was done there is on disk. Best effort: not every system can sync a folder.
    pub(super) fn sync(&self) {
        if let Some(open) = self.open.as_ref().filter(|_| cfg!(unix)) {
            let _ = open.sync_all();
        }
    }
}
