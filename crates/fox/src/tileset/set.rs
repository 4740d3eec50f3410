//! What a set of tiles is to those that know no format.

use super::names::FileName;
use super::{Layer, TileSet, open};
use crate::graph::FoxGraph;
use navmap_core::Counts;
use navmap_core::error::{Error, Result};
use navmap_core::format::{NavFile, NavSet, OpenFile, SetFile, SetFinding, SetFormat, SetMap, Summary};
use navmap_core::graph::NavGraph;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};

impl NavSet for TileSet<'_> {
    fn len(&self) -> usize {
        self.tiles.len()
    }

    fn files(&self) -> Box<dyn Iterator<Item = &Path> + '_> {
        Box::new(self.parts.iter().map(|part| part.path.as_path()))
    }

    fn failures(&self) -> &[Error] {
        &self.failures
    }

    fn failures_mut(&mut self) -> &mut Vec<Error> {
        &mut self.failures
    }

    fn findings(&self) -> &[SetFinding] {
        &self.findings
    }

    fn info(&self, out: &mut dyn Write) -> Result<()> {
        Self::info(self, out)
    }

    fn intact(&self) -> Result<()> {
        Self::intact(self)
    }

    /// A lone tile is a file, unless it is all there is.
    fn is_map(&self) -> bool {
        let alone = self.layers().len() == 1 && self.failures.is_empty();
        alone || self.layers().any(|layer| layer.tiles().len() > 1)
    }
}

impl SetFormat for TileSet<'static> {
    type Map<'s> = Layer<'s>;

    fn of_files(files: Vec<SetFile>) -> Self {
        open::build_from(files)
    }

    fn open_files(paths: Vec<PathBuf>, open: OpenFile<'_>) -> Self {
        open::build(paths, open)
    }

    /// The tiles of a map have its name, and lie in one folder or many. If two files have one name, several versions of the map lie
    /// there, and it is not known which tiles go together. A tile by itself is no map.
    fn checked(mut tiles: Vec<PathBuf>) -> Vec<Vec<PathBuf>> {
        let map = |path: &Path| {
            let name = FileName::parse(path);
            name.coordinates.map(|_| name.map.to_owned())
        };
        tiles.sort_by_cached_key(|path| (map(path), path.file_name().map(OsStr::to_owned)));
        let maps = tiles.chunk_by(|a, b| map(a) == map(b));
        let is_one = |tiles: &&[PathBuf]| {
            let named = tiles.len() > 1 && tiles.first().is_some_and(|tile| map(tile).is_some());
            named && tiles.windows(2).all(|pair| matches!(pair, [a, b] if a.file_name() != b.file_name()))
        };
        maps.filter(is_one).map(<[PathBuf]>::to_vec).collect()
    }

    fn maps(&self) -> impl Iterator<Item = Layer<'_>> {
        self.layers()
    }
}

impl SetMap for Layer<'_> {
    fn name(&self) -> String {
        Layer::name(self).to_owned()
    }

    fn summary(&self) -> Summary {
        let unread =
            Summary { game: Some("Fox Engine"), version: None, subversion: None, counts: Counts::default() };
        let mut files = Layer::tiles(self).flat_map(|tile| tile.files());
        files.find_map(|file| file.nav().ok()).map_or(unread, |nav| nav.summary())
    }

    fn tiles(&self) -> usize {
        Layer::tiles(self).len()
    }

    fn graph(&self) -> impl NavGraph {
        FoxGraph::of_layer(self)
    }
}
