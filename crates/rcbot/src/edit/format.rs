//! What is told of waypoints that can be edited.

use super::between::{RcbotVersion, difference, merge};
use super::editor::RcbotEditor;
use crate::buf::RcbotBuf;
use crate::view::RcbotNav;
use navmap_core::edit::{Changes, EditFormat, Matching, Merger, Opened, Opening, Version};
use navmap_core::error::Result;
use navmap_core::graph::FlatGraph;

impl<'a> EditFormat<'a> for RcbotNav<'a> {
    const CALLED: &'static str = "waypoints of RCBot2";
    const VERSION: Option<fn(&Self) -> Result<RcbotVersion>> =
        Some(|nav| Ok(RcbotVersion(RcbotBuf::from(nav))));

    type Editor = RcbotEditor;
    type Version = RcbotVersion;

    fn edit(&self, _: &[u8], _: &Opening<'_>) -> Result<Opened<RcbotEditor>> {
        Ok(Opened::new(RcbotEditor::of_nav(self)))
    }

    fn credits(&self) -> Vec<(&'static str, String)> {
        let text = |name: Option<&[u8]>| {
            name.map_or_else(|| "none".to_owned(), |name| format!("\"{}\"", name.escape_ascii()))
        };
        vec![
            ("map name", text(Some(self.map()))),
            ("author", text(self.author())),
            ("editor", text(self.editor())),
        ]
    }
}

impl Version for RcbotVersion {
    const MERGE: Option<Merger<Self>> = Some(merge);

    fn difference(&self, after: &Self, graphs: [&FlatGraph; 2], matching: &dyn Matching) -> Result<Changes> {
        let [before, now] = graphs;
        Ok(difference(&self.0, &after.0, &matching.pairs(before, now)))
    }
}
