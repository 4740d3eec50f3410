//! The plugins of a load order, loose in folders or packed in archives.

use super::archive::ArchiveFile;
use super::files::{Candidate, Files};
use super::{Beside, walk};
use crate::open::bytes::Bytes;
use crate::open::order::{Loads, in_turn};
use crate::open::{Mesh, OpenOptions, Space};
use navmap_core::error::{Error, Result};
use navmap_core::text::{escaped, path_text};
use navmap_formats::Kind;
use navmap_skyrim::{LoadOrder, OrderGraph, Plugin, name_key};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Bethesda plugins as a game loads them, together with their bytes.
///
/// The game identifies a plugin by its file name, so each name is loaded once.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::bytes::Scratch;
/// use navmap::open::{OpenOptions, Plugins};
///
/// let paths = ["Base.esm", "Patch.esp"].map(|name| format!("corpus/skyrim/order/{name}"));
/// let plugins = Plugins::open(paths, &OpenOptions::new(), &|| {});
/// assert!(plugins.beside().unread.is_empty());
///
/// let mut findings = 0;
/// plugins.order().check(&mut Scratch::new(), &mut |_, _| findings += 1);
/// assert_eq!((plugins.len(), findings), (2, 0));
/// ```
#[derive(Debug, Default)]
pub struct Plugins {
    loaded: Vec<Mesh>,
    /// The index of the loaded plugin of each name.
    names: HashMap<String, usize>,
    beside: Beside,
}

impl Plugins {
    /// Opens the plugins at these paths, in this order. A path is a plugin, an archive that contains plugins, `archive!member`,
    /// or a folder. Plugins of a folder or an archive are ordered as games do it where no list does: masters (by flag, or as `.esm`
    /// or `.esl`) before others, then by name, but each behind the plugins that it needs. `done` is called after each file.
    ///
    /// A plugin that is given twice, or again within its folder, is loaded once, at its first place. What cannot be loaded is
    /// returned as [data](Self::beside): paths without a file, files that are not plugins, and a different file with the name of
    /// a loaded one.
    pub fn open<P, I>(paths: I, options: &OpenOptions, done: &dyn Fn()) -> Self
    where
        P: Into<PathBuf>,
        I: IntoIterator<Item = P, IntoIter: Send>,
    {
        let mut plugins = Self::default();
        let mut folder = Vec::new();
        for found in Files::new(paths.into_iter().map(Into::into)) {
            match found {
                Ok(found) if !found.named => {
                    if is_plugin(&found.path) {
                        folder.extend(plugins.opened(&found.path, options));
                        done();
                    }
                    continue;
                }
                Ok(found) => {
                    plugins.load_folder(&mut folder);
                    plugins.open_named(&found, options);
                }
                Err(error) => plugins.beside.unread.push(error),
            }
            done();
        }
        plugins.load_folder(&mut folder);
        plugins
    }

    /// The plugins in load order.
    pub fn order(&self) -> LoadOrder<'_> {
        let mut order = LoadOrder::new();
        for mesh in &self.loaded {
            if let Some(plugin) = plugin(mesh) {
                order.push(name(mesh), *plugin);
            }
        }
        order
    }

    /// How many plugins are loaded.
    pub fn len(&self) -> usize {
        self.loaded.len()
    }

    /// Whether none is loaded.
    pub fn is_empty(&self) -> bool {
        self.loaded.is_empty()
    }

    /// The plugin at a position in the order, with its bytes and its path.
    pub fn get(&self, index: usize) -> Option<&Mesh> {
        self.loaded.get(index)
    }

    /// The other results, besides the loaded plugins.
    pub fn beside(&self) -> &Beside {
        &self.beside
    }

    pub(super) fn beside_mut(&mut self) -> &mut Beside {
        &mut self.beside
    }

    /// The load order if nothing is missing from it.
    ///
    /// # Errors
    /// The first error of a plugin that could not be loaded.
    pub fn whole(mut self) -> Result<Self> {
        if self.beside.unread.is_empty() { Ok(self) } else { Err(self.beside.unread.swap_remove(0)) }
    }

    /// Checks that every byte handed out so far came from its file: see [`Bytes::intact`]. Call this after the work.
    ///
    /// # Errors
    /// Those of [`Bytes::intact`], for the first file with one.
    pub fn intact(&self) -> Result<()> {
        self.loaded.iter().try_for_each(Mesh::intact)
    }

    fn open_named(&mut self, found: &Candidate, options: &OpenOptions) {
        if found.again && is_plugin(&found.path) {
            return;
        }
        let bytes = match Bytes::open(&found.path, options) {
            Ok(bytes) => bytes,
            Err(error) => return self.beside.unread.push(error),
        };
        match walk::archive_kind(&bytes, &found.path, options).filter(|_| bytes.member().is_none()) {
            Some(kind) => {
                let archive =
                    ArchiveFile::from_backing(found.path.clone(), bytes.into_backing(), kind, options);
                let mut packed = self.packed(&archive, options);
                self.load_folder(&mut packed);
            }
            None => {
                let mesh = self.parsed(Mesh::parse(bytes, options));
                mesh.into_iter().for_each(|mesh| self.load(mesh));
            }
        }
    }

    /// The plugins in an archive.
    fn packed(&mut self, archive: &ArchiveFile, options: &OpenOptions) -> Vec<Mesh> {
        let mut packed = Vec::new();
        let read = walk::members(archive, archive.meter(), &mut |found| {
            let member = escaped(found.path);
            if is_plugin(Path::new(&member)) {
                let bytes =
                    found.bytes.map(|bytes| Bytes::of_member(archive.path(), &member, bytes.to_vec()));
                packed.extend(self.parsed(bytes.and_then(|bytes| Mesh::parse(bytes, options))));
            }
            ControlFlow::Continue(())
        });
        self.beside.unread.extend(read.and_then(|()| archive.intact()).err());
        packed
    }

    /// Loads plugins without a given order: masters before others, then by name, each behind what it needs.
    fn load_folder(&mut self, folder: &mut Vec<Mesh>) {
        let loads: Vec<Loads> = folder.iter().map(|mesh| Loads::new(&name(mesh), plugin(mesh))).collect();
        let order = in_turn(&loads, true);
        let mut waiting: Vec<Option<Mesh>> = folder.drain(..).map(Some).collect();
        for place in order {
            waiting.get_mut(place).and_then(Option::take).into_iter().for_each(|mesh| self.load(mesh));
        }
    }

    /// Loads the next plugin, unless one of its name is already loaded.
    fn load(&mut self, mesh: Mesh) {
        let key = name_key(&name(&mesh));
        let first = self.names.get(&key).and_then(|first| self.loaded.get(*first));
        let Some(first) = first else {
            self.names.insert(key, self.loaded.len());
            return self.loaded.push(mesh);
        };
        if first.bytes()[..] != mesh.bytes()[..] {
            let why = format!("is loaded from {} already", path_text(&first.bytes().location()));
            let error = Error::invalid("plugin of this name", why).in_file(mesh.bytes().location());
            self.beside.unread.push(error);
        }
    }

    fn opened(&mut self, path: &Path, options: &OpenOptions) -> Option<Mesh> {
        self.parsed(Mesh::open_with(path, options))
    }

    /// The mesh, if it is a plugin.
    fn parsed(&mut self, mesh: Result<Mesh>) -> Option<Mesh> {
        let error = match mesh {
            Ok(mesh) if plugin(&mesh).is_some() => return Some(mesh),
            Ok(mesh) => Error::invalid("load order", "takes plugins with navmeshes only")
                .in_file(mesh.bytes().location()),
            Err(error) => error,
        };
        self.beside.unread.push(error);
        None
    }
}

/// Whether the name is that of a plugin.
fn is_plugin(path: &Path) -> bool {
    Kind::Plugin.ends(path)
}

/// The spaces of a load order with their groups, the one with the most meshes first.
pub fn spaces(graph: &OrderGraph<'_, '_>) -> Vec<(Space, Vec<u32>)> {
    let spaces = graph.spaces().into_iter();
    spaces.map(|space| (space.space.named(space.editor_id), space.groups)).collect()
}

fn plugin(mesh: &Mesh) -> Option<&Plugin<'_>> {
    mesh.nav().as_view()
}

/// The name by which the game and other plugins refer to it.
fn name(mesh: &Mesh) -> String {
    let name = mesh.bytes().name();
    name.file_name().unwrap_or(name.as_os_str()).to_string_lossy().into_owned()
}
