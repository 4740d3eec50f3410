//! Walks everything at a path, item by item.

use super::archive::ArchiveFile;
use super::files::Files;
use crate::open::OpenOptions;
use crate::open::bytes::location;
use crate::open::item::{self, Item};
use navmap_archive::{self as archive, Buffers, Meter, Promise, Walker};
use navmap_core::error::{Error, Result};
use navmap_core::text::escaped;
use navmap_core::threads::spread;
use navmap_formats::{AnyNav, Kind};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Receives one item, and may end the walk.
pub type Visit<'v> = dyn FnMut(Item<'_>) -> ControlFlow<()> + 'v;

/// The files at a path, and errors of unreadable parts.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Listing {
    /// The files, in path order.
    pub files: Vec<PathBuf>,
    /// Errors of folders that could not be listed, and of paths that do not exist. Each names its path.
    pub unread: Vec<Error>,
}

impl Listing {
    /// Lists the files with wanted names in a folder and the folders below. A file lists itself.
    pub(super) fn walk(path: &Path, wanted: impl Fn(&Path) -> bool) -> Self {
        let mut listing = Self::default();
        for found in Files::new([path]) {
            match found {
                Ok(found) if found.named || wanted(&found.path) => listing.files.push(found.path),
                Ok(_) => {}
                Err(error) => listing.unread.push(error),
            }
        }
        listing
    }

    /// Makes a value of every item in these files, in path order, on all cores. `done` is called after each file.
    pub fn map<T: Send>(
        &self,
        options: &OpenOptions,
        done: &(dyn Fn() + Sync),
        make: &(impl Fn(Item<'_>) -> T + Sync),
    ) -> Vec<T> {
        on_all_cores(&self.files, &|path| {
            let mut made = Vec::new();
            let _ = file(path, options, &mut |item| {
                made.push(make(item));
                ControlFlow::Continue(())
            });
            done();
            made
        })
    }

    pub(super) fn visit(&self, options: &OpenOptions, visit: &mut Visit<'_>) -> ControlFlow<()> {
        self.files.iter().try_for_each(|path| file(path, options, visit))
    }
}

pub(super) fn on_all_cores<T: Send>(
    files: &[PathBuf],
    of_file: &(impl Fn(&Path) -> Vec<T> + Sync),
) -> Vec<T> {
    use rayon::prelude::*;
    spread(|| files.par_iter().flat_map_iter(|path| of_file(path)).collect())
}

/// Whether the name is that of an archive, or of a compressed file that may be a mesh.
#[doc(hidden)]
pub fn may_be_archive(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    Promise::by_name(name) == Promise::Archive
}

/// The kind of archive, unless the bytes are a mesh.
pub(super) fn archive_kind(bytes: &[u8], path: &Path, options: &OpenOptions) -> Option<archive::Kind> {
    let mesh = || Kind::sniff(bytes, Some(path)).is_some();
    archive::Kind::sniff(bytes).filter(|_| options.kind.is_none() && !mesh())
}

/// Visits the contents of one file of a folder.
fn file(path: &Path, options: &OpenOptions, visit: &mut Visit<'_>) -> ControlFlow<()> {
    let bytes = match options.backing(path) {
        Ok(bytes) => bytes,
        Err(error) => return visit(Item::failed(path, None, error)),
    };
    if let Some(kind) = archive_kind(&bytes, path, options) {
        let archive = ArchiveFile::from_backing(path.to_owned(), bytes, kind, options);
        let (flow, read) = in_archive(&archive, options, visit);
        return match read {
            Err(error) if flow.is_continue() => visit(Item::failed(path, None, error)),
            _ => flow,
        };
    }
    let flow = each(&bytes, path, None, options, visit);
    // If the file was changed meanwhile, its items have already been visited, so the error follows them.
    match bytes.intact() {
        Err(error) if flow.is_continue() => visit(Item::failed(path, None, error)),
        _ => flow,
    }
}

/// Visits the meshes in an archive. Fails only if the archive itself does.
pub(super) fn in_archive(
    archive: &ArchiveFile,
    options: &OpenOptions,
    visit: &mut Visit<'_>,
) -> (ControlFlow<()>, Result<()>) {
    let (path, mut flow) = (archive.path(), ControlFlow::Continue(()));
    let read = members(archive, archive.meter(), &mut |found| {
        let member = escaped(found.path);
        let charged = |bytes| Ok(archive.meter().work(0)?.then_some(bytes));
        flow = match found.bytes.and_then(charged) {
            Ok(None) => return ControlFlow::Break(()),
            Ok(Some(bytes)) => each(bytes, path, Some(&member), options, visit),
            Err(error) => visit(Item::failed(path, Some(&member), error)),
        };
        flow
    });
    (flow, read.and_then(|()| archive.intact()))
}

/// Visits the items in the bytes of a mesh. Bytes that are not a mesh and do not look like one are skipped.
fn each(
    bytes: &[u8],
    path: &Path,
    member: Option<&str>,
    options: &OpenOptions,
    visit: &mut Visit<'_>,
) -> ControlFlow<()> {
    let name = member.map_or(path, Path::new);
    match AnyNav::parse(bytes, Some(name), &options.format()) {
        Ok(nav) => item::of_file(&nav, path, member).into_iter().try_for_each(visit),
        Err(error) if error.is_not_mesh() && !Kind::names(name) => ControlFlow::Continue(()),
        Err(error) => visit(Item::failed(path, member, error.in_file(location(path, member)))),
    }
}

/// A walker for archives and archives inside them. It chooses members by name or, if `deep`, by the first bytes of every member.
pub fn walker(deep: bool) -> Walker<'static> {
    let recognise: &'static archive::Recognise = &|head| Kind::sniff(head, None).is_some();
    Walker { deep: deep.then_some(recognise), heads: false }
}

/// Visits the members of an archive that may be meshes.
pub(super) fn members(archive: &ArchiveFile, meter: &Meter, visit: &mut archive::Visit<'_>) -> Result<()> {
    let opened = archive.archive()?;
    let _ = walker(false).archive(&opened, &mut Vec::new(), meter, &mut Buffers::new(), visit);
    Ok(())
}

/// The error for a path without a mesh.
pub(super) fn nothing(path: &Path) -> Error {
    Error::invalid("path", "holds no navigation mesh").in_file(path)
}
