//! What is told of waypoints that can be edited.

use super::between::RcbotVersion;
use super::editor::RcbotEditor;
use crate::buf::RcbotBuf;
use crate::view::RcbotNav;
use navmap_core::edit::waypoints::credit;
use navmap_core::edit::{EditFormat, Opened, Opening};
use navmap_core::error::Result;

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
        vec![
            ("map name", credit(Some(self.map()))),
            ("author", credit(self.author())),
            ("editor", credit(self.editor())),
        ]
    }
}
