//! Finds the files named by commands.

use navmap::edit::{Files, Refusal};
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
            let place = if bare { format!(" in {} or here", folder.display()) } else { String::new() };
            Refusal::new(format!("there is no {name} and no {full}{place}"))
        })?;
        let shown = found.display().to_string();
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
