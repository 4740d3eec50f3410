//! Finds the files named by commands.

use navmap::edit::{Files, Refusal};
use navmap::text::path_text;
use navmap::{Limits, error::Error};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The largest file that is read: a text of the largest known mesh has 14 MB.
const MOST: u64 = 256 << 20;

/// Files beside a mesh, or in the current folder.
#[derive(Debug)]
pub(super) struct Beside {
    folder: PathBuf,
}

impl Beside {
    pub(super) fn mesh(path: &Path) -> Self {
        Self { folder: folder(path) }
    }
}

/// The folder of a mesh. For `maps.vpk!maps/a.nav` it is that of the archive.
pub(super) fn folder(path: &Path) -> PathBuf {
    let text = path.to_string_lossy();
    let outer = match text.split_once('!') {
        Some((archive, _)) if !path.exists() => Path::new(archive),
        _ => path,
    };
    outer.parent().unwrap_or(Path::new("")).to_owned()
}

/// The name of a mesh: `a` for `maps/a.nav` and for `maps.vpk!maps/a.nav`.
pub(super) fn map_name(path: &Path) -> String {
    let text = path.to_string_lossy();
    let last = text.rsplit(['/', '\\', '!']).next().unwrap_or_default();
    let stem = last.split('.').next().unwrap_or_default();
    if stem.is_empty() { "mesh".to_owned() } else { stem.to_owned() }
}

impl Files for Beside {
    /// A bare name is searched beside the mesh, then in the current folder, with its ending and without. A name with folders is
    /// used as it is.
    fn read(&self, name: &str, ending: &str) -> Result<(String, Vec<u8>), Refusal> {
        let full = format!("{name}.{ending}");
        let bare = !name.contains(['/', '\\']);
        let beside = |name: &str| self.folder.join(name);
        let all = [beside(name), beside(&full), PathBuf::from(name), PathBuf::from(&full)];
        let all = &all[if bare { 0 } else { 2 }..];
        let found = all.iter().find(|path| path.is_file()).ok_or_else(|| {
            let folder = if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder };
            let place = if bare { format!(" in {} or here", path_text(folder)) } else { String::new() };
            Refusal::new(format!("there is no {name} and no {full}{place}"))
        })?;
        let shown = path_text(found).into_owned();
        let bytes = slurp(found).map_err(|error| Refusal::new(format!("{shown}: {error}")))?;
        Ok((shown, bytes))
    }
}

fn slurp(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST {
        return Err(io::Error::other(format!("more than {MOST} bytes")));
    }
    Ok(bytes)
}

/// A text that is typed, `-` for standard input. A device has no end, so this is as long as any text of a mesh at most.
///
/// # Errors
/// If it cannot be read, is longer, or is no UTF-8, with the line.
pub(super) fn text(path: &Path) -> Result<String, Error> {
    if path != Path::new("-") {
        return text_of(path, MOST);
    }
    utf8(taken(io::stdin().lock(), path, MOST)?, path)
}

/// A text that is typed, of so many bytes at most if it is a file.
///
/// # Errors
/// Those of [`text`].
pub(super) fn text_of(path: &Path, most: u64) -> Result<String, Error> {
    utf8(bytes(path, if path.is_file() { most } else { most.min(MOST) })?, path)
}

fn utf8(bytes: Vec<u8>, path: &Path) -> Result<String, Error> {
    String::from_utf8(bytes).map_err(|error| {
        let sound = error.as_bytes().iter().take(error.utf8_error().valid_up_to());
        let line = sound.filter(|byte| **byte == b'\n').count().saturating_add(1);
        Error::invalid("line", format!("{line} is no UTF-8")).in_file(path)
    })
}

/// What is in a file that is typed.
///
/// # Errors
/// If it cannot be read, or has more bytes.
fn bytes(path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    let file = File::open(path).map_err(|error| Error::from(error).in_file(path))?;
    taken(file, path, most)
}

fn taken(from: impl Read, path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let read = from.take(most.saturating_add(1)).read_to_end(&mut bytes);
    let fared = read.map_err(Error::from).and_then(|_| Limits::charge("file size", bytes.len() as u64, most));
    fared.map(|()| bytes).map_err(|error| error.in_file(path))
}

/// A list of names that a game has, in whatever code page.
///
/// # Errors
/// If it cannot be read, or is longer than any text of a mesh.
pub(super) fn names(path: &Path) -> Result<String, Error> {
    bytes(path, MOST).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mesh_is_called_by_its_last_name_without_endings() {
        for path in ["maps/town.nav", "town.nav", "x.vpk!maps/town.nav", "town.nav.gz"] {
            assert_eq!(map_name(Path::new(path)), "town", "{path}");
        }
        assert_eq!(folder(Path::new("none/x.vpk!maps/town.nav")), Path::new("none"));
    }
}
