//! Everything that a file says about a node, as `navmap show` tells it.

use super::load::Shown;
use navmap::error::Result;
use navmap::open::{Show, Told};
use std::borrow::Cow;

/// Everything about the node with this number in the scene; `None` if there is none. Of a map of tiles, what its graph says. Linear in
/// the mesh, which is checked for it.
///
/// # Errors
/// If the file was truncated while it was mapped, or there is more to tell than anybody reads.
pub(super) fn told(shown: &Shown, number: u32) -> Result<Option<Told>> {
    let Some(node) = shown.scene.node(number) else { return Ok(None) };
    let Some(mesh) = &shown.mesh else {
        return Ok(Show::over(Cow::Borrowed(&shown.graph)).told(&[node])?.pop());
    };
    let show = match &shown.names {
        None => Show::of_node(mesh.nav(), &shown.graph, node).value,
        Some(names) => Show::of(mesh.nav()).value.renamed(names),
    };
    let Some(node) = show.same(&shown.graph, node) else { return Ok(None) };
    let mut told = None;
    let read = show.each(&[node], &mut |one| told = Some(one));
    mesh.intact()?;
    // Of a damaged file there is what comes before the damage.
    if told.is_none() {
        read?;
    }
    Ok(told)
}
