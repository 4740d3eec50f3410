//! The editing contract of node graphs.

use super::editor::NodeGraphEditor;
use super::nod::NodEditor;
use crate::nod::NodNav;
use crate::view::AinNav;
use navmap_core::edit::{EditFormat, Opened, Opening};
use navmap_core::error::Result;
use std::convert::Infallible;

/// The name of these graphs in lists of what can be edited.
const CALLED: &str = "node graphs";

impl<'a> EditFormat<'a> for AinNav<'a> {
    const CALLED: &'static str = CALLED;

    type Editor = NodeGraphEditor;
    type Version = Infallible;

    fn edit(&self, _: &[u8], _: &Opening<'_>) -> Result<Opened<NodeGraphEditor>> {
        Ok(Opened::new(NodeGraphEditor::of_nav(self)))
    }
}

impl<'a> EditFormat<'a> for NodNav<'a> {
    const CALLED: &'static str = CALLED;

    type Editor = NodEditor;
    type Version = Infallible;

    fn edit(&self, _: &[u8], _: &Opening<'_>) -> Result<Opened<NodEditor>> {
        Ok(Opened::new(NodEditor::of_nav(self)))
    }
}
