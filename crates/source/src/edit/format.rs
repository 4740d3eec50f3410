//! What is told of meshes of Source that can be edited.

use super::editor::SourceEditor;
use super::merge::merge;
use super::recut::script;
use super::site::Ground;
use crate::buf::SourceBuf;
use crate::lists::changed_lists;
use crate::view::SourceNav;
use navmap_core::edit::{Changes, EditFormat, ListChange, Matching, Merger, Name, Opened, Opening, Version};
use navmap_core::error::{Error, Result};
use navmap_core::graph::{FlatGraph, Point};
use std::collections::BTreeMap;

impl<'a> EditFormat<'a> for SourceNav<'a> {
    const CALLED: &'static str = "Source meshes of version 1 to 16";
    const MAPPED: Option<&'static str> = Some("meshes of Source and GoldSrc");
    const VERSION: Option<fn(&Self) -> Result<SourceBuf>> = Some(SourceBuf::read);

    type Editor = SourceEditor;
    type Version = SourceBuf;

    /// The map is opened for the [`HeadBuf`](crate::HeadBuf) of the mesh, and is a [`Ground`].
    fn edit(&self, _: &[u8], opening: &Opening<'_>) -> Result<Opened<SourceEditor>> {
        let ground = match opening.map {
            Some(open) => {
                let ground = open(&SourceBuf::read_lenient(self).0.head)?.downcast::<Ground>();
                Some(ground.map_err(|_| Error::invalid("map", "is none of a Source mesh"))?)
            }
            None => None,
        };
        let mut lost = None;
        let mesh = match SourceBuf::read(self) {
            Ok(mesh) => mesh,
            Err(error) if opening.lenient => {
                let (mesh, areas) = SourceBuf::read_lenient(self);
                lost = Some((error, areas));
                mesh
            }
            Err(error) => return Err(error),
        };
        let mut editor = SourceEditor::new(mesh)?;
        editor.keep_tail(opening.keep_tail);
        editor.force_odd(opening.force_odd);
        editor.keep_visibility(opening.keep_visibility);
        if let Some(ground) = ground {
            editor.set_map(ground.map, ground.spawns);
        }
        if let Some(places) = opening.places {
            editor.known_places(places.lines());
        }
        let unknown = editor.unknown_places();
        let carried = if opening.carried { editor.carried() } else { BTreeMap::new() };
        let mut opened = Opened::new(editor);
        if let Some((error, areas)) = lost {
            opened.said.push(error.without_file().to_string());
            opened.lose(format!("{areas} areas and all ladders behind them"));
        }
        opened.said.extend(unknown);
        carried.values().for_each(|(count, first)| opened.carry_alike(first, *count));
        Ok(opened)
    }

    fn credits(&self) -> Vec<(&'static str, String)> {
        let word = |analyzed: u8| if analyzed == 0 { "no" } else { "yes" };
        self.analyzed().map(|analyzed| ("analyzed", word(analyzed).to_owned())).into_iter().collect()
    }

    fn changed_lists(&self, after: &[u8], pairs: &[(u32, u32)]) -> Result<Vec<ListChange>> {
        let changes = changed_lists(self, &SourceNav::parse(after)?, pairs)?;
        let told =
            |list: crate::ListChange| ListChange::new(list.area.get(), list.what, list.removed, list.added);
        Ok(changes.into_iter().map(told).collect())
    }
}

impl Version for SourceBuf {
    const MERGE: Option<Merger<Self>> = Some(merge);

    fn difference(&self, after: &Self, graphs: [&FlatGraph; 2], matching: &dyn Matching) -> Result<Changes> {
        let [before, now] = graphs;
        let [split, merged] = matching.cuts(before, now);
        script(self, after, &matching.pairs(before, now), [&split, &merged])
    }

    fn place(&self, item: Name) -> Option<Point> {
        let ladder = self.ladders.iter().find(|each| u64::from(each.ladder.id().get()) == item.id);
        ladder.filter(|_| item.space == "L").map(|each| Point::from(each.ladder.bottom()))
    }
}
