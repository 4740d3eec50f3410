//! What is told of files that can be edited.

use super::between::AasVersion;
use super::editor::AasEditor;
use crate::view::AasNav;
use navmap_core::edit::{EditFormat, Opened, Opening};
use navmap_core::error::Result;

impl<'a> EditFormat<'a> for AasNav<'a> {
    const CALLED: &'static str = "areas of Quake III";
    const VERSION: Option<fn(&Self) -> Result<AasVersion>> = Some(AasVersion::read);

    type Editor = AasEditor;
    type Version = AasVersion;

    fn edit(&self, _: &[u8], _: &Opening<'_>) -> Result<Opened<AasEditor>> {
        AasEditor::of_nav(self).map(Opened::new)
    }

    fn credits(&self) -> Vec<(&'static str, String)> {
        vec![("checksum of the map", format!("{:08x}", self.checksum()))]
    }
}
