//! The plugins of a load order, with their bytes.

#![forbid(unsafe_code)]

use super::bytes::Bytes;
use super::{Options, Space};
use crate::error::{Error, Result};
use crate::format::skyrim::{self, LoadOrder, OrderGraph, Plugin};
use std::path::{Path, PathBuf};

/// Plugins in load order, masters first, with their bytes. It lends a [`LoadOrder`] of them.
///
/// ```
/// use navmap::format::skyrim::OrderGraph;
/// use navmap::graph::Stats;
/// use navmap::open::{Options, Plugins};
///
/// let plugins = Plugins::folder("corpus/skyrim/order", &Options::new())?;
/// let order = plugins.order(&Options::new())?;
/// assert!(Stats::of(&OrderGraph::new(&order)).value.nodes > 100);
/// # Ok::<(), navmap::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Plugins {
    files: Vec<Bytes>,
}

impl Plugins {
    /// Opens plugins, named in load order: files, or members of archives. One that is named again is the same plugin.
    ///
    /// # Errors
    /// If one cannot be read, or two of one name are not the same file. Names the path.
    pub fn open<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>, options: &Options) -> Result<Self> {
        let mut files: Vec<Bytes> = Vec::new();
        for path in paths {
            let path = path.as_ref();
            let file = Bytes::open(path, options)?;
            let same = |known: &&Bytes| {
                file_name(known).is_some_and(|name| {
                    Some(name.to_lowercase()) == file_name(&file).map(|n| n.to_lowercase())
                })
            };
            match files.iter().find(same) {
                Some(known) if known[..] == file[..] => {}
                Some(known) => {
                    let why = format!(
                        "is not {}, and a load order has one plugin of a name",
                        known.location().display()
                    );
                    return Err(Error::invalid("plugin", why).in_file(path));
                }
                None => files.push(file),
            }
        }
        Ok(Self { files })
    }

    /// Opens the plugins in a folder, each after its masters, and else in the order of their names. A game keeps its
    /// load order in a file of its own, so plugins that do not name each other may load in another order.
    ///
    /// # Errors
    /// If the folder cannot be listed, holds no plugin, or one cannot be read.
    pub fn folder(path: impl AsRef<Path>, options: &Options) -> Result<Self> {
        let path = path.as_ref();
        let mut paths = Vec::new();
        for entry in path.read_dir().map_err(|error| Error::from(error).in_file(path))? {
            let found = entry.map_err(|error| Error::from(error).in_file(path))?.path();
            if is_plugin(&found) {
                paths.push(found);
            }
        }
        if paths.is_empty() {
            return Err(Error::invalid("folder", "holds no plugin").in_file(path));
        }
        paths.sort();
        Self::open(paths, options)?.masters_first(options)
    }

    /// Sorts them so that each comes after its masters. Plugins that do not name each other stay in order.
    ///
    /// # Errors
    /// If one is no plugin. Names the path.
    pub fn masters_first(self, options: &Options) -> Result<Self> {
        let mut masters: Vec<Vec<String>> = Vec::with_capacity(self.files.len());
        for file in &self.files {
            let plugin = parse(file, options)?;
            masters.push(plugin.masters().map(|name| skyrim::decode_text(name).to_lowercase()).collect());
        }
        let names: Vec<String> =
            self.files.iter().map(|file| file_name(file).unwrap_or_default().to_lowercase()).collect();
        let mut waiting: Vec<Option<Bytes>> = self.files.into_iter().map(Some).collect();
        let mut files = Vec::with_capacity(waiting.len());
        let is_waiting = |waiting: &[Option<Bytes>], name: &String| {
            names.iter().zip(waiting).any(|(other, file)| other == name && file.is_some())
        };
        loop {
            let free = |at: &usize| {
                waiting[*at].is_some() && !masters[*at].iter().any(|name| is_waiting(&waiting, name))
            };
            // If some are masters of each other, the first of them goes first.
            let next = (0..waiting.len()).find(free).or_else(|| waiting.iter().position(Option::is_some));
            let Some(file) = next.and_then(|at| waiting[at].take()) else { break };
            files.push(file);
        }
        Ok(Self { files })
    }

    /// The load order that they form.
    ///
    /// # Errors
    /// If one is no plugin. Names the path.
    pub fn order(&self, options: &Options) -> Result<LoadOrder<'_>> {
        let mut order = LoadOrder::new();
        for file in &self.files {
            order.push(file_name(file).unwrap_or_default(), parse(file, options)?);
        }
        Ok(order)
    }

    /// Where they lie, in order.
    pub fn paths(&self) -> impl ExactSizeIterator<Item = PathBuf> + '_ {
        self.files.iter().map(Bytes::location)
    }

    /// Checks that every byte handed out so far came from the files: see [`Bytes::intact`].
    ///
    /// # Errors
    /// If one was cut short while it was mapped.
    pub fn intact(&self) -> Result<()> {
        self.files.iter().try_for_each(Bytes::intact)
    }
}

/// The spaces of a load order with their groups, the one with the most meshes first.
pub fn spaces(graph: &OrderGraph<'_, '_>) -> Vec<(Space, Vec<u32>)> {
    let named = |space: skyrim::OrderSpace| {
        let editor_id = space.editor_id;
        let named = match space.space {
            skyrim::Space::World(form) => Space::World { form: form.get(), editor_id },
            skyrim::Space::Cell(form) => Space::Cell { form: form.get(), editor_id },
        };
        (named, space.groups)
    };
    graph.spaces().into_iter().map(named).collect()
}

/// Whether the name is that of a plugin.
pub fn is_plugin(path: &Path) -> bool {
    crate::format::has_extension(path, &["esm", "esp", "esl"])
}

fn file_name(file: &Bytes) -> Option<String> {
    let name = file.name().file_name()?.to_string_lossy();
    // The member of an archive inside an archive.
    Some(name.rsplit_once('!').map_or(&*name, |(_, name)| name).to_owned())
}

fn parse<'f>(file: &'f Bytes, options: &Options) -> Result<Plugin<'f>> {
    Plugin::parse(file, &options.limits).map_err(|error| error.in_file(file.location()))
}
