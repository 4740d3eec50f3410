//! What is told of plugins and fields that can be edited.

use super::between::difference;
use super::editor::SkyrimEditor;
use crate::plugin::Plugin;
use crate::view::NavMesh;
use navmap_core::edit::{Changes, EditFormat, Matching, Opened, Opening, Version};
use navmap_core::error::Result;
use navmap_core::graph::FlatGraph;

/// What both are called among those that can be edited.
const CALLED: &str = "plugins";

impl<'a> EditFormat<'a> for Plugin<'a> {
    const CALLED: &'static str = CALLED;
    const VERSION: Option<fn(&Self) -> Result<SkyrimEditor>> = Some(SkyrimEditor::of_plugin);

    type Editor = SkyrimEditor;
    type Version = SkyrimEditor;

    fn edit(&self, _: &[u8], opening: &Opening<'_>) -> Result<Opened<SkyrimEditor>> {
        let editor = SkyrimEditor::of_plugin(self)?;
        let carried = if opening.carried { editor.carried().to_vec() } else { Vec::new() };
        let mut opened = Opened::new(editor);
        opened.carry(&carried);
        Ok(opened)
    }
}

impl<'a> EditFormat<'a> for NavMesh<'a> {
    const CALLED: &'static str = CALLED;
    const VERSION: Option<fn(&Self) -> Result<SkyrimEditor>> = Some(SkyrimEditor::of_mesh);

    type Editor = SkyrimEditor;
    type Version = SkyrimEditor;

    fn edit(&self, _: &[u8], _: &Opening<'_>) -> Result<Opened<SkyrimEditor>> {
        SkyrimEditor::of_mesh(self).map(Opened::new)
    }
}

impl Version for SkyrimEditor {
    fn difference(&self, after: &Self, _: [&FlatGraph; 2], matching: &dyn Matching) -> Result<Changes> {
        difference(self, after, |a, b| matching.pairs(a, b))
    }
}
