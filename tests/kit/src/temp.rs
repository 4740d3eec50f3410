//! Folders for tests that write.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// An empty folder of this process, removed after the test.
#[derive(Debug)]
pub struct Temp(PathBuf);

impl Temp {
    /// Creates the folder. Another of the name is another folder: tests run beside each other.
    pub fn new(name: &str) -> Self {
        static SERIAL: AtomicU32 = AtomicU32::new(0);
        let (process, serial) = (std::process::id(), SERIAL.fetch_add(1, Relaxed));
        let folder = std::env::temp_dir().join(format!("navmap-{name}-{process}-{serial}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        Self(folder)
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// A path in the folder; creates nothing.
    pub fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file, creating its folders.
    pub fn file(&self, name: impl AsRef<Path>, bytes: &[u8]) -> PathBuf {
        let path = self.join(name);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, bytes));
        made.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        path
    }

    /// The sorted names of its entries.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap_or_else(|e| panic!("{}: {e}", self.0.display()));
        let name = |entry: std::io::Result<fs::DirEntry>| {
            entry.expect("a folder of our own").file_name().to_string_lossy().into_owned()
        };
        let mut names: Vec<_> = entries.map(name).collect();
        names.sort();
        names
    }
}

impl Drop for Temp {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_folders_of_one_name_are_two() {
        let (one, other) = (Temp::new("kit-twice"), Temp::new("kit-twice"));
        one.file("a", b"its own");
        drop(other);
        assert_eq!(one.names(), ["a"]);
    }
}
