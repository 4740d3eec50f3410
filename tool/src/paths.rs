//! Reads the typed paths, and those of a list.

use super::piped::Piped;
use super::{Exit, args};
use navmap::error::{Error, Result};
use navmap::open::on_disk;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Paths, taken one by one, since another program may still be writing the list.
pub(super) struct Paths {
    typed: std::vec::IntoIter<PathBuf>,
    list: Option<List>,
    failed: Option<Error>,
    /// Whether a path does not exist.
    missing: bool,
}

struct List {
    name: PathBuf,
    source: Box<dyn BufRead + Send>,
    /// The byte that ends a path: NUL or a line break, whichever comes first in the list. No path contains a NUL, so the first
    /// path of a list with NULs shows it, unless that path contains a line break.
    end: Option<u8>,
}

impl Paths {
    /// The typed paths, then those of the list. A list from a pipe ends when `stop` is set.
    pub(super) fn read(typed: &args::Paths, stop: &Arc<AtomicBool>) -> Result<Self> {
        let stdin = |path: &Path| path == Path::new("-");
        if typed.files_from.as_deref().is_some_and(stdin) && typed.paths.iter().any(|path| stdin(path)) {
            let why = "standard input cannot be a mesh and the list of paths at once";
            return Err(Error::invalid("-", why));
        }
        let list = typed.files_from.as_deref().map(|list| List::open(list, stop)).transpose()?;
        Ok(Self { typed: typed.paths.clone().into_iter(), list, failed: None, missing: false })
    }

    /// The status of the run as far as paths go: failed if one of them does not exist.
    ///
    /// # Errors
    /// If the list could not be read to its end.
    pub(super) fn finish(self) -> Result<Exit> {
        let exit = if self.missing { Exit::Failed } else { Exit::Clean };
        self.failed.map_or(Ok(exit), Err)
    }
}

impl Iterator for Paths {
    type Item = PathBuf;

    fn next(&mut self) -> Option<PathBuf> {
        let path = self.draw()?;
        self.missing |= is_missing(&path);
        Some(path)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.typed.len(), self.list.is_none().then(|| self.typed.len()))
    }
}

/// Whether there is no such file, and no archive that may contain it.
pub(super) fn is_missing(path: &Path) -> bool {
    path != Path::new("-") && !path.exists() && on_disk(path) == path
}

impl Paths {
    fn draw(&mut self) -> Option<PathBuf> {
        if let Some(typed) = self.typed.next() {
            return Some(typed);
        }
        let list = self.list.as_mut()?;
        match list.next() {
            Ok(Some(path)) => Some(path),
            Ok(None) => {
                self.list = None;
                None
            }
            Err(error) => {
                self.failed = Some(Error::from(error).in_file(&list.name));
                self.list = None;
                None
            }
        }
    }
}

impl List {
    fn open(name: &Path, stop: &Arc<AtomicBool>) -> Result<Self> {
        let open = || File::open(name).and_then(|file| Ok((file.metadata()?.is_file(), file)));
        let source: Box<dyn BufRead + Send> = if name == Path::new("-") {
            Box::new(BufReader::new(Piped::new(io::stdin(), stop)))
        } else {
            match open().map_err(|error| Error::from(error).in_file(name))? {
                (true, file) => Box::new(BufReader::new(file)),
                (false, pipe) => Box::new(BufReader::new(Piped::new(pipe, stop))),
            }
        };
        Ok(Self { name: name.to_path_buf(), source, end: None })
    }

    fn next(&mut self) -> io::Result<Option<PathBuf>> {
        let mut path = Vec::new();
        loop {
            path.clear();
            if self.end.is_none() {
                self.end = self.first(&mut path)?;
            } else {
                self.source.read_until(self.end.unwrap_or(b'\n'), &mut path)?;
            }
            if path.is_empty() {
                return Ok(None);
            }
            if path.last() == self.end.as_ref() {
                path.pop();
            }
            if self.end == Some(b'\n') && path.last() == Some(&b'\r') {
                path.pop();
            }
            if !path.is_empty() {
                return Ok(Some(to_path(path)));
            }
        }
    }

    /// Reads up to the first end of either kind, and returns that byte.
    fn first(&mut self, path: &mut Vec<u8>) -> io::Result<Option<u8>> {
        loop {
            let buffer = match self.source.fill_buf() {
                // A signal that does not end the process. `read_until` also continues after it.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read?,
            };
            if buffer.is_empty() {
                return Ok(None);
            }
            let end = buffer.iter().position(|byte| matches!(byte, b'\n' | 0));
            let taken = end.map_or(buffer.len(), |end| end + 1);
            path.extend_from_slice(&buffer[..taken]);
            self.source.consume(taken);
            if end.is_some() {
                return Ok(path.last().copied());
            }
        }
    }
}

#[cfg(unix)]
fn to_path(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    std::ffi::OsString::from_vec(bytes).into()
}

#[cfg(not(unix))]
fn to_path(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(list: &'static [u8], buffer: usize) -> Vec<String> {
        let source = Box::new(BufReader::with_capacity(buffer, list));
        let list = List { name: PathBuf::new(), source, end: None };
        let paths = Paths {
            typed: vec![PathBuf::from("typed")].into_iter(),
            list: Some(list),
            failed: None,
            missing: false,
        };
        paths.map(|path| path.to_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn a_list_has_lines_or_nuls() {
        for buffer in [1, 3, 100] {
            assert_eq!(read(b"a\nb c\r\n\nd", buffer), ["typed", "a", "b c", "d"]);
            assert_eq!(read(b"a\0b\nc\0d", buffer), ["typed", "a", "b\nc", "d"]);
            assert_eq!(read(b"", buffer), ["typed"]);
            assert_eq!(read(b"a", buffer), ["typed", "a"]);
            assert_eq!(read(b"\n\na\n", buffer), ["typed", "a"]);
        }
    }

    /// Every other read is interrupted by a signal.
    struct Interrupted<R>(R, bool);

    impl<R: io::Read> io::Read for Interrupted<R> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 { Err(io::ErrorKind::Interrupted.into()) } else { self.0.read(into) }
        }
    }

    #[test]
    fn an_interrupted_read_of_a_list_is_taken_up_again() {
        for list in [&b"a\nb c\nd"[..], b"a\0b c\0d\0"] {
            for buffer in [1, 3, 100] {
                let source = Box::new(BufReader::with_capacity(buffer, Interrupted(list, false)));
                let list = List { name: PathBuf::new(), source, end: None };
                let mut paths =
                    Paths { typed: Vec::new().into_iter(), list: Some(list), failed: None, missing: false };
                let read: Vec<PathBuf> = paths.by_ref().collect();
                assert!(paths.finish().is_ok());
                assert_eq!(read, ["a", "b c", "d"].map(PathBuf::from));
            }
        }
    }
}
