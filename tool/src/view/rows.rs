//! The rows of the list.

use super::load::Wanted;
use super::of::{Of, name};
use navmap::Space;
use navmap::error::Result;
use navmap::text::{counted, path_text};
use serde::Serialize;
use std::path::Path;

/// A mesh in the list.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Row {
    pub(super) title: String,
    /// Game and version.
    pub(super) subtitle: String,
    /// What it has, as `navmap scan` counts, if it is a whole file.
    pub(super) counts: Vec<(&'static str, u64)>,
    /// What `navmap scan` finds in passing.
    pub(super) findings: u64,
    /// Path, member and space.
    #[serde(rename = "where")]
    pub(super) place: String,
    /// Why it cannot be read.
    pub(super) error: Option<String>,
    #[serde(skip)]
    pub(super) wanted: Wanted,
}

/// The rows of what is listed besides the meshes at the paths. With a space, only the one with that name.
///
/// # Errors
/// If there is no such space.
pub(super) fn of(of: &Of, path: &Path, space: Option<&str>) -> Result<Vec<Row>> {
    let row = |title: String, subtitle: String, place: String, space: Option<String>| Row {
        title,
        subtitle,
        place: format!("{} {place}", path_text(path)),
        counts: Vec::new(),
        findings: 0,
        error: None,
        wanted: Wanted { path: path.to_owned(), of: of.clone(), space, hull: None },
    };
    match of {
        Of::Mesh => Ok(Vec::new()),
        Of::Order(order) => {
            let spaces = order.spaces();
            let choose = |space| Space::choose(spaces.iter().map(|(space, _)| *space), space);
            let chosen = space.map(choose).transpose()?;
            let spaces = spaces.into_iter().enumerate();
            let wanted = spaces.filter(|(at, _)| chosen.is_none_or(|chosen| chosen == *at));
            let row = |(space, meshes): (&Space, usize)| {
                let meshes = counted(meshes as u64, "navmesh", "navmeshes");
                let subtitle = format!("{}, {meshes}", order.subtitle());
                row(space.to_string(), subtitle, space.to_string(), Some(typed(space)))
            };
            Ok(wanted.map(|(_, space)| row(space)).collect())
        }
        Of::Merge([ours, theirs]) => {
            let place = format!("{} {}", path_text(ours), path_text(theirs));
            Ok(vec![row(name(ours), "three versions".to_owned(), place, None)])
        }
        Of::Saved(saved) => {
            let (title, subtitle) = saved.words();
            let place = format!("{} {title}", path_text(path));
            let wanted = Wanted { path: path.to_owned(), of: of.clone(), space: None, hull: None };
            Ok(vec![Row { title, subtitle, counts: Vec::new(), findings: 0, place, error: None, wanted }])
        }
        Of::Script(script) => {
            let subtitle = format!("what it changes in {}", name(path));
            let space = space.map(str::to_owned);
            Ok(vec![row(name(script), subtitle, path_text(script).into_owned(), space)])
        }
    }
}

/// What chooses a space in its file.
pub(super) fn typed(space: &Space) -> String {
    match space {
        Space::World { form, .. } | Space::Cell { form, .. } | Space::Object { form, .. } => {
            format!("{form:08X}")
        }
        other => other.to_string(),
    }
}
