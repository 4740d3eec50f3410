//! Walks paths and lists their files, in path order.

use super::member;
use crate::open::bytes::location;
use crate::open::{OpenOptions, named};
use navmap_core::bytes::{Backing, FileId};
use navmap_core::error::Error;
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

/// One file to open.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Candidate {
    /// The path as typed, or as reached from a typed one.
    pub path: PathBuf,
    /// Whether this very path was typed. If so, it has to be a mesh; other files that are not meshes are skipped.
    pub named: bool,
    /// Whether there is a map of the same name beside it: `a.bsp` beside `a.nav`.
    pub beside_map: bool,
    /// Whether the walk already met it in a folder. A mesh was handled then, so only a file that is not a mesh needs a message
    /// now.
    pub again: bool,
    /// Whether it can be read only once, from front to back, because it is a pipe or standard input.
    pub stream: bool,
    /// Whether it is no file but a member of an archive: `archive!member`.
    pub member: bool,
    /// How many members were named before it. Threads do not come into it, so what is told of it is the same on any number.
    pub(crate) nth: u64,
}

impl Candidate {
    /// Reads all of its bytes once, as a [stream](Self::stream) needs.
    pub(crate) fn read(&self, options: &OpenOptions) -> Result<Backing<'static>, Error> {
        named::backing(&self.path, options)
    }
}

/// Walks files and folders, depth first. A folder's entries are sorted by name, so the whole walk is in path order and the same
/// on every run. It keeps the names in the folders on the current path, never the whole tree.
///
/// Links are followed. A folder is not entered again from inside itself, so a loop of links ends. Pipes, devices and sockets in
/// folders are skipped, and so are copies that an edit in place has kept (`a.nav.bak`, `a.nav.bak2`). Hidden files and ignore files
/// are not special. `-` is standard input.
///
/// A file that is named twice, or named and then met in a folder, is yielded once, and so is a folder. They are compared by their
/// paths with links resolved, so `maps/../a.nav` is `a.nav`, but a link to a file counts as a file of its own, and so does
/// `archive!member`. This takes 19 to 39 bytes for each named file, and the paths of the named folders.
pub struct Files<'p> {
    paths: Box<dyn Iterator<Item = PathBuf> + Send + 'p>,
    /// The folders that the walk is inside of, the innermost one last.
    inside: Vec<Folder>,
    seen: Seen,
    /// How many members were named.
    members: u64,
}

/// A folder, and the remaining part of its listing.
struct Folder {
    path: PathBuf,
    /// The path with links resolved, except for links that the walk itself has followed.
    real: PathBuf,
    identity: FileId,
    listing: listing::Entries,
    failed: Vec<io::Error>,
    /// Names of the maps in the folder, without their extension.
    maps: HashSet<OsString>,
}

/// The kind of an entry in the listing of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    File,
    Folder,
    /// A link, or an entry of unknown kind.
    Unknown,
}

impl std::fmt::Debug for Files<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let inside = self.inside.iter().map(|folder| &folder.path);
        f.debug_struct("Files").field("inside", &inside.collect::<Vec<_>>()).finish_non_exhaustive()
    }
}

impl<'p> Files<'p> {
    /// Walks these paths, in the given order. They are taken from the iterator one by one.
    pub fn new<P, I>(paths: I) -> Self
    where
        P: Into<PathBuf> + 'p,
        I: IntoIterator<Item = P, IntoIter: Send + 'p>,
    {
        let paths = Box::new(paths.into_iter().map(Into::into));
        Self { paths, inside: Vec::new(), seen: Seen::default(), members: 0 }
    }

    /// The number of upcoming files that are already known, a lower bound. Workers use it to divide a folder fairly.
    pub fn known(&self) -> usize {
        let named = self.paths.size_hint().0;
        self.inside.iter().map(|folder| folder.listing.len()).fold(named, usize::saturating_add)
    }

    fn enter(&mut self, path: PathBuf, real: PathBuf) -> Step {
        match Folder::open(&path, &self.inside) {
            Ok(folder) => {
                self.inside.extend(folder.map(|folder| Folder { path, real, ..folder }));
                Step::Passed
            }
            Err(error) => Step::Found(Err(Error::from(error).in_file(&path))),
        }
    }

    /// Takes the next path that was named.
    fn named(&mut self) -> Step {
        let Some(path) = self.paths.next() else { return Step::End };
        let candidate = |path, again, stream| {
            let (named, beside_map, member) = (true, true, false);
            Step::Found(Ok(Candidate { path, named, beside_map, again, stream, member, nth: 0 }))
        };
        if crate::open::is_stdin(&path) {
            return match self.seen.is_new(Path::new(""), path.as_os_str()) {
                true => candidate(path, false, true),
                false => Step::Passed,
            };
        }
        let metadata = match fs::metadata(&path) {
            Ok(metadata) => metadata,
            Err(error) => return self.named_member(path, error),
        };
        if metadata.is_dir() {
            let real = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
            if self.seen.walked(&real) {
                return Step::Passed;
            }
            self.seen.folders.insert(real.clone());
            return self.enter(path, real);
        }
        // A pipe that was typed is read to its end each time it was typed.
        let stream = !metadata.is_file();
        let name = path.file_name().unwrap_or_default().to_owned();
        let folder = self.seen.real_folder(&path);
        if stream || self.seen.is_new(&folder, &name) {
            let again = self.seen.walked(&folder);
            return candidate(path, again, stream);
        }
        Step::Passed
    }

    /// Takes a path at which no file lies: a member of an archive, or an error.
    fn named_member(&mut self, path: PathBuf, error: io::Error) -> Step {
        let Some((archive, member)) = member::inside(&path) else {
            return Step::Found(Err(Error::from(error).in_file(path)));
        };
        let name = location(Path::new(archive.file_name().unwrap_or_default()), Some(member));
        let folder = self.seen.real_folder(archive);
        if !self.seen.is_new(&folder, name.as_os_str()) {
            return Step::Passed;
        }
        let (named, member) = (true, true);
        let (beside_map, again, stream) = (false, false, false);
        let nth = self.members;
        self.members = nth.saturating_add(1);
        Step::Found(Ok(Candidate { path, named, beside_map, again, stream, member, nth }))
    }

    /// Advances by one path, or by one entry of a folder. An endless list that repeats one file has no next file, so callers that
    /// have to check for something regularly call this instead of [`next`](Iterator::next).
    pub(crate) fn step(&mut self) -> Step {
        let Some(folder) = self.inside.last_mut() else { return self.named() };
        let Some((name, sort)) = folder.listing.next() else {
            if let Some(error) = folder.failed.pop() {
                return Step::Found(Err(Error::from(error).in_file(&folder.path)));
            }
            self.inside.pop();
            return Step::Passed;
        };
        let path = folder.path.join(&name);
        let sort = match sort {
            Sort::Unknown => match fs::metadata(&path) {
                Ok(metadata) if metadata.is_dir() => Sort::Folder,
                Ok(metadata) if metadata.is_file() => Sort::File,
                // A pipe in a folder could block forever.
                Ok(_) => return Step::Passed,
                Err(error) => return Step::Found(Err(Error::from(error).in_file(path))),
            },
            known => known,
        };
        if sort == Sort::File {
            if self.seen.holds(&folder.real, &name) || is_backup(&name) {
                return Step::Passed;
            }
            let beside_map = folder.has_map(Path::new(&name));
            return Step::Found(Ok(Candidate {
                path,
                named: false,
                beside_map,
                again: false,
                stream: false,
                member: false,
                nth: 0,
            }));
        }
        let real = folder.real.join(&name);
        if self.seen.folders.contains(&real) {
            return Step::Passed;
        }
        self.enter(path, real)
    }
}

/// Whether a name is that of a copy which an edit in place has kept: `a.nav.bak`, `a.nav.bak2`.
fn is_backup(name: &OsStr) -> bool {
    let extension = Path::new(name).extension().map(OsStr::as_encoded_bytes);
    let number = extension.and_then(|extension| extension.strip_prefix(b"bak"));
    number.is_some_and(|number| number.iter().all(u8::is_ascii_digit))
}

/// One step of a walk.
pub(crate) enum Step {
    /// A file, or something that could not be listed.
    Found(Result<Candidate, Error>),
    /// A folder was entered or left, or an entry was already handled.
    Passed,
    /// There are no more files.
    End,
}

/// The paths named so far.
#[derive(Default)]
struct Seen {
    /// Two 64-bit hashes per file, so that no two of a billion files are confused.
    files: HashSet<(u64, u64)>,
    hashers: (RandomState, RandomState),
    /// The folders that were walked or are being walked.
    folders: HashSet<PathBuf>,
    /// The folder of the last named file, as typed and with links resolved. Most lists go folder by folder, so this avoids
    /// resolving it again.
    last: Option<(PathBuf, PathBuf)>,
}

impl Seen {
    fn key(&self, folder: &Path, name: &OsStr) -> (u64, u64) {
        (self.hashers.0.hash_one((folder, name)), self.hashers.1.hash_one((folder, name)))
    }

    /// Whether this file was not named before. Records it as named.
    fn is_new(&mut self, folder: &Path, name: &OsStr) -> bool {
        let key = self.key(folder, name);
        self.files.insert(key)
    }

    /// Whether this file of a folder was named before.
    fn holds(&self, folder: &Path, name: &OsStr) -> bool {
        !self.files.is_empty() && self.files.contains(&self.key(folder, name))
    }

    /// Whether a folder, or one that contains it, was walked.
    fn walked(&self, real: &Path) -> bool {
        !self.folders.is_empty() && real.ancestors().any(|folder| self.folders.contains(folder))
    }

    /// The folder that a file lies in, with links resolved.
    fn real_folder(&mut self, file: &Path) -> PathBuf {
        let typed = match file.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        if let Some((_, real)) = self.last.as_ref().filter(|(last, _)| last == typed) {
            return real.clone();
        }
        let real = fs::canonicalize(typed).unwrap_or_else(|_| typed.to_owned());
        self.last = Some((typed.to_owned(), real.clone()));
        real
    }
}

impl Folder {
    /// Lists a folder. `None` if the walk is already inside it.
    fn open(path: &Path, inside: &[Self]) -> io::Result<Option<Self>> {
        let identity = FileId::at(path)?;
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
        Ok(Some(Self { path: PathBuf::new(), real: PathBuf::new(), identity, listing, failed, maps }))
    }

    /// Whether there is a map for the mesh with this name.
    fn has_map(&self, mesh: &Path) -> bool {
        !self.maps.is_empty() && mesh.file_stem().is_some_and(|stem| self.maps.contains(stem))
    }
}

impl Iterator for Files<'_> {
    /// If a folder cannot be listed, or a path does not exist, the item is an error that names it. The walk continues.
    type Item = Result<Candidate, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.step() {
                Step::Found(found) => return Some(found),
                Step::Passed => {}
                Step::End => return None,
            }
        }
    }
}

/// The sorted names in a folder. Compact, since a folder may have a million.
#[cfg(unix)]
mod listing {
    use super::Sort;
    use std::ffi::{OsStr, OsString};
    use std::os::unix::ffi::{OsStrExt, OsStringExt};

    /// All names in one string. An entry says where its name begins and ends.
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
            // No system allows names longer than about 255 bytes.
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

    #[test]
    fn what_is_named_twice_or_lies_in_a_named_folder_comes_once() {
        let root = tree("twice");
        let named = |paths: &[&str]| -> Vec<(String, bool)> {
            let found = Files::new(paths.iter().map(|path| root.join(path)));
            let name =
                |found: &Candidate| found.path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
            found.map(Result::unwrap).map(|found| (name(&found), found.again)).collect()
        };
        let once = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), false)).collect::<Vec<_>>();
        assert_eq!(named(&["a", "a", "b/../a", "B"]), once(&["a", "B"]));
        assert_eq!(named(&["b/2", "b", "b", "b/../b"]), once(&["b/2", "b/10"]));
        assert_eq!(named(&["c/x", "c", "c/x"]), once(&["c/x/y"]));
        assert_eq!(named(&["b", "c"]), once(&["b/10", "b/2", "c/x/y"]));
        // The walk of the folder may have skipped it. If it is named too, a message is due.
        let again = named(&["b", "b/2", "b/2"]);
        assert_eq!(again[..2], once(&["b/10", "b/2"]));
        assert_eq!(again[2..], [("b/2".to_owned(), true)]);
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
