//! What is told of meshes of Source 2 that can be edited.

use super::super::view::Source2Nav;
use super::between::Source2Version;
use super::editor::Source2Editor;
use navmap_core::edit::{EditFormat, Opened, Opening};
use navmap_core::error::Result;

impl<'a> EditFormat<'a> for Source2Nav<'a> {
    const CALLED: &'static str = "Source 2 meshes";
    const VERSION: Option<fn(&Self) -> Result<Source2Version>> = Some(Source2Version::read);

    type Editor = Source2Editor;
    type Version = Source2Version;

    fn edit(&self, _: &[u8], opening: &Opening<'_>) -> Result<Opened<Source2Editor>> {
        let mut editor = Source2Editor::of_nav(self)?;
        editor.force_odd(opening.force_odd);
        Ok(Opened::new(editor))
    }
}
