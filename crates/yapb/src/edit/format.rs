//! What is told of waypoints that can be edited.

use super::between::YapbVersion;
use super::editor::YapbEditor;
use crate::buf::YapbBuf;
use crate::pwf::PwfNav;
use crate::view::YapbNav;
use navmap_core::edit::waypoints::credit;
use navmap_core::edit::{EditFormat, Opened, Opening};
use navmap_core::error::Result;

const CALLED: &str = "waypoints of YaPB and POD-Bot";

impl<'a> EditFormat<'a> for YapbNav<'a> {
    const CALLED: &'static str = CALLED;
    const VERSION: Option<fn(&Self) -> Result<YapbVersion>> = Some(|nav| Ok(YapbVersion(YapbBuf::from(nav))));

    type Editor = YapbEditor;
    type Version = YapbVersion;

    fn edit(&self, _: &[u8], _: &Opening<'_>) -> Result<Opened<YapbEditor>> {
        Ok(Opened::new(YapbEditor::new(YapbBuf::from(self))))
    }

    fn credits(&self) -> Vec<(&'static str, String)> {
        let extension = self.extension();
        let size = extension.map_size().map_or_else(|| "unknown".to_owned(), |size| size.to_string());
        vec![
            ("author", credit(extension.author())),
            ("editor", credit(extension.editor())),
            ("map size", size),
        ]
    }
}

impl<'a> EditFormat<'a> for PwfNav<'a> {
    const CALLED: &'static str = CALLED;
    const VERSION: Option<fn(&Self) -> Result<YapbVersion>> = Some(|nav| Ok(YapbVersion(YapbBuf::from(nav))));

    type Editor = YapbEditor;
    type Version = YapbVersion;

    fn edit(&self, _: &[u8], _: &Opening<'_>) -> Result<Opened<YapbEditor>> {
        Ok(Opened::new(YapbEditor::new(YapbBuf::from(self))))
    }

    fn credits(&self) -> Vec<(&'static str, String)> {
        vec![("map name", credit(Some(self.map()))), ("author", credit(Some(self.author())))]
    }
}
