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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use crate::bytes::Saver;
    use crate::bytes::save::tests::{folder, names};
    use std::fs;
    use std::io::Write;

    #[test]
    fn a_folder_that_is_turned_to_another_meanwhile_gets_nothing() {
        let folder = folder("turned");
        let [ours, theirs, link] = ["ours", "theirs", "link"].map(|name| folder.join(name));
        for (at, text) in [(&ours, b"ours"), (&theirs, b"else")] {
            fs::create_dir(at).unwrap();
            fs::write(at.join("a.nav"), text).unwrap();
        }
        let turn = |to: &str| {
            let _ = fs::remove_file(&link);
            std::os::unix::fs::symlink(to, &link).unwrap();
        };
        turn("ours");
        for place in [&link, &ours] {
            let savers = [Saver::create(&place.join("a.nav")), Saver::create(&place.join("b.nav"))];
            let dropped = Saver::create(&place.join("c.nav")).unwrap();
            turn("theirs");
            fs::rename(&ours, folder.join("moved")).unwrap();
            std::os::unix::fs::symlink("theirs", &ours).unwrap();
            for saver in savers {
                let mut saver = saver.unwrap();
                saver.write_all(b"mesh").unwrap();
                saver.commit().unwrap();
            }
            drop(dropped);
            assert_eq!(names(&theirs), ["a.nav"], "{}", place.display());
            assert_eq!(fs::read(theirs.join("a.nav")).unwrap(), b"else");
            assert_eq!(names(&folder.join("moved")), ["a.nav", "b.nav"]);
            assert_eq!(fs::read(folder.join("moved/a.nav")).unwrap(), b"mesh");
            fs::remove_file(&ours).unwrap();
            fs::rename(folder.join("moved"), &ours).unwrap();
            turn("ours");
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
