//! Paths → files, in path order.

#![forbid(unsafe_code)]

use crate::error::Error;
use std::collections::HashSet;
use std::fs::{self, FileType, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// One file to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// As it was typed, or as it was reached from what was typed.
    pub path: PathBuf,
    /// Whether this very path was typed: then it has to be a mesh, while other files of a folder are passed over.
    pub named: bool,
    /// Whether the folder has a map of the same name: `a.bsp` beside `a.nav`.
    pub beside_map: bool,
}

/// Walks files and folders, depth first. A folder's entries come in the order of their names, so that the whole walk is
/// in path order and the same on every run. Holds the entries of the folders on the way down, never the tree.
///
/// Links are followed, and a folder is not entered from inside itself, so a loop of links ends. Pipes, devices and
/// sockets that lie in folders are passed over. Hidden files and ignore files are not special.
pub struct Walk<'p> {
    paths: Box<dyn Iterator<Item = PathBuf> + Send + 'p>,
    /// What is still to do of the present path, the next one last.
    todo: Vec<Step>,
    /// The folders that the walk is inside of.
    inside: Vec<Identity>,
}

#[derive(Debug)]
enum Step {
    Named(PathBuf),
    File {
        path: PathBuf,
        beside_map: bool,
    },
    Folder(PathBuf),
    /// A link, or an entry whose kind the file system does not tell.
    Unknown(PathBuf),
    Failed(Error),
    Leave,
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

impl std::fmt::Debug for Walk<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Walk").field("todo", &self.todo).finish_non_exhaustive()
    }
}

impl<'p> Walk<'p> {
    /// Walks these paths, in the order given. They are drawn one by one.
    pub fn new<P, I>(paths: I) -> Self
    where
        P: Into<PathBuf> + 'p,
        I: IntoIterator<Item = P, IntoIter: Send + 'p>,
    {
        Self { paths: Box::new(paths.into_iter().map(Into::into)), todo: Vec::new(), inside: Vec::new() }
    }

    /// A lower bound on the files to come that are known already: what lets workers share out a folder fairly.
    pub fn known(&self) -> usize {
        self.todo.len().saturating_add(self.paths.size_hint().0)
    }

    fn enter(&mut self, folder: &Path) -> io::Result<()> {
        let identity = identity(folder, &fs::metadata(folder)?)?;
        if self.inside.contains(&identity) {
            return Ok(());
        }
        let mut entries = fs::read_dir(folder)?
            .map(|entry| entry.map(|entry| (entry.file_name(), entry)))
            .collect::<Vec<_>>();
        self.inside.push(identity);
        self.todo.push(Step::Leave);
        // Errors first, so that they come last off the stack's end; then names, descending.
        entries.sort_unstable_by(|a, b| match (a, b) {
            (Ok((a, _)), Ok((b, _))) => b.cmp(a),
            (a, b) => a.is_ok().cmp(&b.is_ok()),
        });
        let maps: HashSet<PathBuf> = entries
            .iter()
            .flatten()
            .map(|(name, _)| Path::new(name))
            .filter(|name| name.extension().is_some_and(|found| found == "bsp"))
            .map(|name| name.with_extension(""))
            .collect();
        self.todo.extend(entries.into_iter().filter_map(|entry| {
            let (name, entry) = match entry {
                Ok(entry) => entry,
                Err(error) => return Some(Step::Failed(Error::from(error).in_file(folder))),
            };
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_file() => {
                    let beside_map = !maps.is_empty() && maps.contains(&Path::new(&name).with_extension(""));
                    Some(Step::File { path, beside_map })
                }
                Ok(kind) => Step::of(kind, path),
                Err(_) => Some(Step::Unknown(path)),
            }
        }));
        Ok(())
    }
}

impl Step {
    fn of(kind: FileType, path: PathBuf) -> Option<Self> {
        if kind.is_dir() {
            Some(Self::Folder(path))
        } else if kind.is_symlink() {
            Some(Self::Unknown(path))
        } else {
            None
        }
    }
}

impl Iterator for Walk<'_> {
    /// A folder that cannot be listed, or a path that is not there, is an error that names it; the walk goes on.
    type Item = Result<Found, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let step = match self.todo.pop() {
                Some(step) => step,
                None => Step::Named(self.paths.next()?),
            };
            let (path, named) = match step {
                Step::File { path, beside_map } => return Some(Ok(Found { path, named: false, beside_map })),
                Step::Failed(error) => return Some(Err(error)),
                Step::Leave => {
                    self.inside.pop();
                    continue;
                }
                Step::Folder(path) => match self.enter(&path) {
                    Ok(()) => continue,
                    Err(error) => return Some(Err(Error::from(error).in_file(path))),
                },
                Step::Named(path) => (path, true),
                Step::Unknown(path) => (path, false),
            };
            match fs::metadata(&path) {
                Ok(metadata) if metadata.is_dir() => self.todo.push(Step::Folder(path)),
                // A pipe that was typed is read to its end; one that lies about in a folder could block for ever.
                Ok(metadata) if metadata.is_file() || named => {
                    return Some(Ok(Found { path, named, beside_map: true }));
                }
                Ok(_) => {}
                Err(error) => return Some(Err(Error::from(error).in_file(path))),
            }
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
        Walk::new([root])
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
        let errors: Vec<_> = Walk::new([&root]).filter_map(Result::err).collect();
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].file(), Some(root.join("d").as_path()));
        fs::remove_dir_all(root).unwrap();
    }
}
