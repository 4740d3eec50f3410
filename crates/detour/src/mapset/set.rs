//! What a set of maps is to those that know no format.

use super::{Map, MapSet};
use navmap_core::error::{Error, Result};
use navmap_core::format::{NavSet, SetFile, SetFinding, SetFormat, SetMap, Summary};
use navmap_core::graph::NavGraph;
use std::io::Write;
use std::path::{Path, PathBuf};

impl NavSet for MapSet<'_> {
    fn len(&self) -> usize {
        Self::len(self)
    }

    fn files(&self) -> Box<dyn Iterator<Item = &Path> + '_> {
        Box::new(Self::maps(self).flat_map(|map| Map::tiles(&map)).map(|(path, _)| path))
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

    /// The head of a map is no mesh, so a tile or two beside it are a map.
    fn is_map(&self) -> bool {
        Self::maps(self).any(|map| !map.is_empty())
    }
}

impl SetFormat for MapSet<'static> {
    type Map<'s> = Map<'s>;

    fn of_files(files: Vec<SetFile>) -> Self {
        Self::from_opened(files)
    }

    /// As servers of World of Warcraft keep them: all maps in one folder.
    fn checked(mut tiles: Vec<PathBuf>) -> Vec<Vec<PathBuf>> {
        tiles.sort_by(|a, b| (a.parent(), a).cmp(&(b.parent(), b)));
        tiles.chunk_by(|a, b| a.parent() == b.parent()).map(<[PathBuf]>::to_vec).collect()
    }

    fn maps(&self) -> impl Iterator<Item = Map<'_>> {
        Self::maps(self)
    }
}

impl SetMap for Map<'_> {
    fn name(&self) -> String {
        Map::name(self)
    }

    fn title(&self) -> String {
        format!("map {}", Map::name(self))
    }

    fn summary(&self) -> Summary {
        Map::summary(self)
    }

    fn tiles(&self) -> usize {
        self.len()
    }

    fn graph(&self) -> impl NavGraph {
        Map::graph(self)
    }
}
