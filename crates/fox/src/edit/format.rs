//! What is told of tiles that can be edited.

use super::between::difference;
use super::editor::FoxEditor;
use crate::buf::FoxBuf;
use crate::file::recognise;
use crate::tileset::{part_beside, part_of, parts_beside};
use crate::view::FoxNav;
use navmap_core::edit::{Changes, EditFormat, Matching, Opened, Opening, Version};
use navmap_core::error::{Error, Result};
use navmap_core::graph::FlatGraph;
use std::path::{Path, PathBuf};

impl<'a> EditFormat<'a> for FoxNav<'a> {
    const CALLED: &'static str = "Fox tiles";
    const VERSION: Option<fn(&Self) -> Result<FoxBuf>> = Some(FoxBuf::read);

    type Editor = FoxEditor;
    type Version = FoxBuf;

    /// All parts of a split tile are edited as one.
    fn edit(&self, _: &[u8], opening: &Opening<'_>) -> Result<Opened<FoxEditor>> {
        let tile = FoxBuf::read(self)?;
        if opening.parts.is_empty() {
            return FoxEditor::new(tile).map(Opened::new);
        }
        let mut own = Some(tile);
        let read = |bytes: &[u8]| match recognise(bytes) {
            true => FoxBuf::from_bytes(bytes),
            false => Err(Error::invalid("part", "is no mesh of the Fox Engine")),
        };
        let parts = opening.parts.iter().enumerate().map(|(file, (path, bytes))| {
            match own.take_if(|_| file == opening.named) {
                Some(tile) => Ok(tile),
                None => read(bytes).map_err(|error| error.in_file(path)),
            }
        });
        let parts = parts.collect::<Result<_>>()?;
        let editor = FoxEditor::of_parts(parts, opening.named)?;
        Ok(Opened { joined: true, ..Opened::new(editor) })
    }

    fn files(path: &Path) -> (Vec<PathBuf>, usize) {
        parts_beside(path)
    }

    fn beside(output: &Path, file: &Path) -> PathBuf {
        part_beside(output, part_of(file))
    }
}

impl Version for FoxBuf {
    fn difference(&self, after: &Self, _: [&FlatGraph; 2], matching: &dyn Matching) -> Result<Changes> {
        difference(self, after, |a, b| matching.pairs(a, b))
    }
}
