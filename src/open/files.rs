//! Paths → files, in path order.

#![forbid(unsafe_code)]

use crate::error::Error;
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// One file to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// As it was typed, or as it was reached from what was typed.
    pub path: PathBuf,
    /// Whether this very path was typed: then it has to be a mesh, while other files of a folder are passed over.
    pub named: bool,
    /// Whether the folder has a map of the same name: `a.bsp` beside `a.nav`.
    pub beside_map: bool,
}

/// Walks files and folders, depth first. A folder's entries come in the order of their names, so that the whole walk is
/// in path order and the same on every run. Holds the names of the folders on the way down, never the tree.
///
/// Links are followed, and a folder is not entered from inside itself, so a loop of links ends. Pipes, devices and
/// sockets that lie in folders are passed over. Hidden files and ignore files are not special.
pub struct Files<'p> {
    paths: Box<dyn Iterator<Item = PathBuf> + Send + 'p>,
    /// The folders that the walk is inside of, the innermost one last.
    inside: Vec<Folder>,
}

/// A folder, and what of it is still to do.
struct Folder {
    path: PathBuf,
    identity: Identity,
    listing: listing::Entries,
    failed: Vec<io::Error>,
    /// Names of the maps in it, without their extension.
    maps: HashSet<OsString>,
}

/// What the listing of a folder says of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    File,
    Folder,
    /// A link, or an entry whose kind the file system does not tell.
    Unknown,
}

#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = PathBuf;

#[cfg(unix)]
fn identity(_: &Path, metadata: &Metadata) -> io::Result<Identity> {
    use std::os::unix::fs::MetadataExt;
    Ok((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path, _: &Metadata) -> io::Result<Identity> {
    fs::canonicalize(path)
}

impl std::fmt::Debug for Files<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let inside = self.inside.iter().map(|folder| &folder.path);
        f.debug_struct("Files").field("inside", &inside.collect::<Vec<_>>()).finish_non_exhaustive()
    }
}

impl<'p> Files<'p> {
    /// Walks these paths, in the order given. They are drawn one by one.
    pub fn new<P, I>(paths: I) -> Self
    where
        P: Into<PathBuf> + 'p,
        I: IntoIterator<Item = P, IntoIter: Send + 'p>,
    {
        Self { paths: Box::new(paths.into_iter().map(Into::into)), inside: Vec::new() }
    }

    /// A lower bound on the files to come that are known already: what lets workers share out a folder fairly.
    pub fn known(&self) -> usize {
        self.inside.iter().map(|folder| folder.listing.len()).sum::<usize>() + self.paths.size_hint().0
    }

    fn enter(&mut self, path: PathBuf) -> Result<(), Error> {
        let folder = Folder::open(&path, &self.inside).map_err(|error| Error::from(error).in_file(&path))?;
        self.inside.extend(folder.map(|folder| Folder { path, ..folder }));
        Ok(())
    }
}

impl Folder {
    /// Lists a folder; `None` for one that the walk is inside of already.
    fn open(path: &Path, inside: &[Self]) -> io::Result<Option<Self>> {
        let identity = identity(path, &fs::metadata(path)?)?;
        if inside.iter().any(|folder| folder.identity == identity) {
            return Ok(None);
        }
        let mut listing = listing::Listing::default();
        let mut maps = HashSet::new();
        let mut failed = Vec::new();
        for entry in fs::read_dir(path)? {
            let (name, kind) = match entry {
                Ok(entry) => (entry.file_name(), entry.file_type()),
                Err(error) => {
                    failed.push(error);
                    continue;
                }
            };
            let sort = match kind {
                Ok(kind) if kind.is_file() => Sort::File,
                Ok(kind) if kind.is_dir() => Sort::Folder,
                Ok(kind) if !kind.is_symlink() => continue,
                _ => Sort::Unknown,
            };
            if Path::new(&name).extension().is_some_and(|found| found == "bsp") {
                maps.extend(Path::new(&name).file_stem().map(OsString::from));
            }
            listing.push(&name, sort);
        }
        let listing = listing.sorted();
        Ok(Some(Self { path: PathBuf::new(), identity, listing, failed, maps }))
    }

    /// Whether there is a map for the mesh of this name.
    fn has_map(&self, mesh: &Path) -> bool {
        !self.maps.is_empty() && mesh.file_stem().is_some_and(|stem| self.maps.contains(stem))
    }
}

impl Iterator for Files<'_> {
    /// A folder that cannot be listed, or a path that is not there, is an error that names it; the walk goes on.
    type Item = Result<Candidate, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (path, sort, named, beside_map) = match self.inside.last_mut() {
                None => (self.paths.next()?, Sort::Unknown, true, true),
                Some(folder) => match folder.listing.next() {
                    Some((name, sort)) => {
                        let path = folder.path.join(&name);
                        (path, sort, false, folder.has_map(Path::new(&name)))
                    }
                    None => {
                        if let Some(error) = folder.failed.pop() {
                            return Some(Err(Error::from(error).in_file(&folder.path)));
                        }
                        self.inside.pop();
                        continue;
                    }
                },
            };
            let sort = match sort {
                Sort::Unknown => match fs::metadata(&path) {
                    Ok(metadata) if metadata.is_dir() => Sort::Folder,
                    // A pipe that was typed is read to its end; one that lies about in a folder could block for ever.
                    Ok(metadata) if metadata.is_file() || named => Sort::File,
                    Ok(_) => continue,
                    Err(error) => return Some(Err(Error::from(error).in_file(path))),
                },
                known => known,
            };
            if sort == Sort::File {
                return Some(Ok(Candidate { path, named, beside_map }));
            }
            if let Err(error) = self.enter(path) {
                return Some(Err(error));
            }
        }
    }
}

/// The names of a folder, sorted, in as little memory as can be: a folder may have a million.
#[cfg(unix)]
mod listing {
    use super::Sort;
    use std::ffi::{OsStr, OsString};
    use std::os::unix::ffi::{OsStrExt, OsStringExt};

    /// All names in one piece; an entry is where its name begins and ends in it.
    #[derive(Default)]
    pub(super) struct Listing {
        names: Vec<u8>,
        entries: Vec<(usize, u16, Sort)>,
    }

    pub(super) struct Entries {
        names: Vec<u8>,
        entries: std::vec::IntoIter<(usize, u16, Sort)>,
    }

    fn name(names: &[u8], start: usize, len: u16) -> &[u8] {
        names.get(start..start.saturating_add(len.into())).unwrap_or_default()
    }

    impl Listing {
        pub(super) fn push(&mut self, name: &OsStr, sort: Sort) {
            // No system lets a name be longer than 255 bytes or so.
            let len = u16::try_from(name.len()).unwrap_or(u16::MAX);
            self.entries.push((self.names.len(), len, sort));
            self.names.extend_from_slice(name.as_bytes());
        }

        pub(super) fn sorted(self) -> Entries {
            let Self { names, mut entries } = self;
            entries.sort_unstable_by_key(|&(start, len, _)| name(&names, start, len));
            Entries { names, entries: entries.into_iter() }
        }
    }

    impl Iterator for Entries {
        type Item = (OsString, Sort);

        fn next(&mut self) -> Option<Self::Item> {
            let (start, len, sort) = self.entries.next()?;
            Some((OsString::from_vec(name(&self.names, start, len).to_vec()), sort))
        }

        fn size_hint(&self) -> (usize, Option<usize>) {
            self.entries.size_hint()
        }
    }

    impl ExactSizeIterator for Entries {}
}

#[cfg(not(unix))]
mod listing {
    use super::Sort;
    use std::ffi::{OsStr, OsString};

    #[derive(Default)]
    pub(super) struct Listing(Vec<(OsString, Sort)>);

    pub(super) type Entries = std::vec::IntoIter<(OsString, Sort)>;

    impl Listing {
        pub(super) fn push(&mut self, name: &OsStr, sort: Sort) {
            self.0.push((name.to_owned(), sort));
        }

        pub(super) fn sorted(mut self) -> Entries {
            self.0.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
            self.0.into_iter()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(name: &str) -> PathBuf {
        let root = std::env::temp_dir().join(format!("navmap-walk-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        for file in ["b/2", "b/10", "a", "c/x/y", "B"] {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        root
    }

    fn names(root: &Path) -> Vec<String> {
        Files::new([root])
            .map(|found| found.unwrap().path.strip_prefix(root).unwrap().to_str().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn files_come_in_path_order() {
        let root = tree("order");
        assert_eq!(names(&root), ["B", "a", "b/10", "b/2", "c/x/y"]);
        fs::remove_dir_all(root).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_loop_of_links_ends_and_a_dangling_link_is_an_error() {
        let root = tree("loop");
        std::os::unix::fs::symlink(&root, root.join("c/up")).unwrap();
        std::os::unix::fs::symlink(root.join("b"), root.join("c/z")).unwrap();
        assert_eq!(names(&root), ["B", "a", "b/10", "b/2", "c/x/y", "c/z/10", "c/z/2"]);
        std::os::unix::fs::symlink(root.join("nowhere"), root.join("d")).unwrap();
        let errors: Vec<_> = Files::new([&root]).filter_map(Result::err).collect();
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].file(), Some(root.join("d").as_path()));
        fs::remove_dir_all(root).unwrap();
    }
}
