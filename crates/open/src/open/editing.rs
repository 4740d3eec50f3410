//! The editor of a mesh whose family is known once the file is open.

use super::Mesh;
use navmap_core::edit::{AnySession, Editor, Options, Session};
use navmap_core::error::{Error, Result};
use navmap_formats::AnyNav;

/// Work on an editor of any family.
pub trait Editing {
    /// What comes of it.
    type Done;

    /// Does the work.
    fn edit<E: Editor>(self, editor: E) -> Self::Done
    where
        Session<E>: Send + 'static;
}

/// Hands the editor of a mesh over to `work`. `bytes` are those of the whole file, which a Quake graph keeps.
///
/// # Errors
/// If the mesh cannot be read to its end, or if meshes of its kind cannot be edited.
pub fn with_editor<W: Editing>(nav: &AnyNav<'_>, bytes: &[u8], work: W) -> Result<W::Done> {
    let _ = (&work, bytes);
    match nav {
        #[cfg(feature = "source")]
        AnyNav::Source(nav) => {
            use navmap_source::SourceBuf;
            use navmap_source::edit::SourceEditor;
            Ok(work.edit(SourceBuf::read(nav).and_then(SourceEditor::new)?))
        }
        #[cfg(feature = "fox")]
        AnyNav::Fox(nav) => {
            use navmap_fox::FoxBuf;
            use navmap_fox::edit::FoxEditor;
            Ok(work.edit(FoxBuf::read(nav).and_then(FoxEditor::new)?))
        }
        #[cfg(feature = "quake")]
        AnyNav::Quake(nav) => Ok(work.edit(navmap_quake::edit::QuakeEditor::of_nav(nav, bytes)?)),
        #[cfg(feature = "quake")]
        AnyNav::NavJson(nav) => Ok(work.edit(navmap_quake::edit::QuakeEditor::of_json(nav, bytes)?)),
        #[cfg(feature = "skyrim")]
        AnyNav::Plugin(plugin) => Ok(work.edit(navmap_skyrim::edit::SkyrimEditor::of_plugin(plugin)?)),
        #[cfg(feature = "skyrim")]
        AnyNav::Payload(mesh) => Ok(work.edit(navmap_skyrim::edit::SkyrimEditor::of_mesh(mesh)?)),
        #[allow(unreachable_patterns)] // where the kinds that are built can all be edited
        other => Err(not_edited(other)),
    }
}

/// The error of a mesh that has no editor.
#[doc(hidden)]
pub fn not_edited(nav: &AnyNav<'_>) -> Error {
    let family = nav.family();
    let why = format!(
        "{family} meshes cannot be edited yet; Source meshes of version 1 to 16, Quake graphs, Fox tiles and plugins can"
    );
    Error::invalid("family", why)
}

/// Starts editing a mesh in memory, whatever its family. The mesh itself stays as it is.
///
/// # Errors
/// As [`with_editor`].
pub fn edit(mesh: &Mesh, options: Options) -> Result<Box<dyn AnySession>> {
    struct Held(Options);
    impl Editing for Held {
        type Done = Box<dyn AnySession>;

        fn edit<E: Editor>(self, editor: E) -> Box<dyn AnySession>
        where
            Session<E>: Send + 'static,
        {
            Box::new(Session::new(editor, self.0))
        }
    }
    with_editor(mesh.nav(), mesh.bytes(), Held(options))
        .map_err(|error| error.in_file(mesh.bytes().location()))
}
