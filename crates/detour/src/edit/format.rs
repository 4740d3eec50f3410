//! What is told of tiles that can be edited.

use super::between::DetourVersion;
use super::editor::DetourEditor;
use crate::view::DetourNav;
use navmap_core::edit::{EditFormat, Opened, Opening};
use navmap_core::error::Result;

impl<'a> EditFormat<'a> for DetourNav<'a> {
    const CALLED: &'static str = "tiles of Detour";
    const VERSION: Option<fn(&Self) -> Result<DetourVersion>> = Some(|nav| DetourVersion::read(nav));

    type Editor = DetourEditor;
    type Version = DetourVersion;

    fn edit(&self, bytes: &[u8], _: &Opening<'_>) -> Result<Opened<DetourEditor>> {
        Ok(Opened::new(DetourEditor::of_nav(self, bytes)?))
    }
}
