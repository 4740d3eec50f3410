//! What is told of graphs that can be edited.

use super::between::{difference, merge};
use super::editor::QuakeEditor;
use crate::navjson::{Head, NavJson, Text};
use crate::view::QuakeNav;
use crate::write::QuakeBuf;
use navmap_core::edit::{Changes, EditFormat, Matching, Merger, Opened, Opening, Version};
use navmap_core::error::Result;
use navmap_core::graph::FlatGraph;

/// A graph, with what navjson says of the map.
#[derive(Debug)]
pub struct QuakeVersion {
    graph: QuakeBuf,
    head: Option<Head<'static>>,
}

/// What graphs are called among those that can be edited.
const CALLED: &str = "Quake graphs";

fn opened(editor: QuakeEditor, opening: &Opening<'_>) -> Opened<QuakeEditor> {
    let carried = if opening.carried { editor.carried().to_vec() } else { Vec::new() };
    let mut opened = Opened::new(editor);
    opened.carry(&carried);
    opened
}

impl<'a> EditFormat<'a> for QuakeNav<'a> {
    const CALLED: &'static str = CALLED;
    const VERSION: Option<fn(&Self) -> Result<QuakeVersion>> =
        Some(|nav| Ok(QuakeVersion { graph: QuakeBuf::from(nav), head: None }));

    type Editor = QuakeEditor;
    type Version = QuakeVersion;

    fn edit(&self, bytes: &[u8], opening: &Opening<'_>) -> Result<Opened<QuakeEditor>> {
        if !opening.lenient {
            return QuakeEditor::of_nav(self, bytes).map(|editor| opened(editor, opening));
        }
        let (editor, lost) = QuakeEditor::of_nav_lenient(self, bytes)?;
        let mut opened = opened(editor, opening);
        if lost > 0 {
            opened.lose(format!("{lost} links and traversals that are not there"));
        }
        Ok(opened)
    }
}

impl<'a> EditFormat<'a> for NavJson<'a> {
    const CALLED: &'static str = CALLED;
    const VERSION: Option<fn(&Self) -> Result<QuakeVersion>> = Some(|nav| {
        let head = nav.head().clone().into_owned();
        nav.to_graph(&mut |_| {}).map(|graph| QuakeVersion { graph, head: Some(head) })
    });

    type Editor = QuakeEditor;
    type Version = QuakeVersion;

    fn edit(&self, bytes: &[u8], opening: &Opening<'_>) -> Result<Opened<QuakeEditor>> {
        QuakeEditor::of_json(self, bytes).map(|editor| opened(editor, opening))
    }

    fn credits(&self) -> Vec<(&'static str, String)> {
        credits(self.head())
    }
}

/// What a navjson file says of its map.
fn credits(head: &Head<'_>) -> Vec<(&'static str, String)> {
    let map = head.map.as_ref();
    let text = |text: Option<&Text<'_>>| {
        text.map_or_else(|| "none".to_owned(), |text| format!("\"{}\"", text.raw()))
    };
    let list = |list: Option<&Vec<Text<'_>>>| match list {
        Some(list) => list.iter().map(|text| format!("\"{}\"", text.raw())).collect::<Vec<_>>().join(", "),
        None => "none".to_owned(),
    };
    vec![
        ("map name", text(map.and_then(|map| map.name.as_ref()))),
        ("map author", text(map.and_then(|map| map.author.as_ref()))),
        ("map file", text(map.and_then(|map| map.filename.as_ref()))),
        ("map addresses", list(map.and_then(|map| map.urls.as_ref()))),
        ("contributors", list(head.contributors.as_ref())),
        ("comments", text(head.comments.as_ref())),
    ]
}

impl Version for QuakeVersion {
    const MERGE: Option<Merger<Self>> =
        Some(|base, [ours, theirs], matched| merge(&base.graph, [&ours.graph, &theirs.graph], matched));

    fn difference(&self, after: &Self, graphs: [&FlatGraph; 2], matching: &dyn Matching) -> Result<Changes> {
        let [before, now] = graphs;
        let mut changes = difference(&self.graph, &after.graph, &matching.pairs(before, now))?;
        if let (Some(head), Some(new)) = (&self.head, &after.head)
            && head != new
        {
            changes.unreached.push("map, contributors and comments".to_owned());
        }
        Ok(changes)
    }
}
