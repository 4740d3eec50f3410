//! What is listed in place of the meshes at the paths, or beside them: a load order, a merge, saved differences.

use super::load::{Shown, Wanted};
use super::merging;
use super::orders::Order;
use super::shelf::{Row, typed};
use crate::args;
use navmap::edit::{Opening, SessionOptions};
use navmap::error::{Error, Result};
use navmap::open::{OpenOptions, edit_with};
use navmap::text::counted;
use navmap::{Finding, Severity, Space};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is shown of a path.
#[derive(Debug, Clone, Default)]
pub(super) enum Of {
    /// The mesh there.
    #[default]
    Mesh,
    /// A space of a load order, of which the path is the first.
    Order(Arc<Order>),
    /// What ours and theirs changed in the mesh.
    Merge([PathBuf; 2]),
    /// What a script changes in the mesh.
    Script(PathBuf),
}

impl Of {
    /// What is asked for besides the meshes at the paths.
    ///
    /// # Errors
    /// If the paths do not fit it, or a load order cannot be opened.
    pub(super) fn typed(typed: &args::View, options: &OpenOptions) -> Result<Vec<Self>> {
        if typed.order {
            let order = Order::open(&typed.paths, &typed.data, options)?;
            return Ok(vec![Self::Order(Arc::new(order))]);
        }
        match &typed.paths[..] {
            [_, ours, theirs] if typed.merge => Ok(vec![Self::Merge([ours.clone(), theirs.clone()])]),
            _ if typed.merge => Err(Error::invalid("--merge", "takes three meshes: BASE OURS THEIRS")),
            [_] => Ok(typed.script.iter().cloned().map(Self::Script).collect()),
            _ if typed.script.is_empty() => Ok(Vec::new()),
            _ => Err(Error::invalid("--script", "takes one mesh, which the script is for")),
        }
    }

    /// Whether it is shown in place of the meshes at the paths.
    pub(super) fn replaces(&self) -> bool {
        matches!(self, Self::Order(_) | Self::Merge(_))
    }

    /// Its rows of the list. With a space, only the one with that name.
    ///
    /// # Errors
    /// If there is no such space.
    pub(super) fn rows(&self, path: &Path, space: Option<&str>) -> Result<Vec<Row>> {
        let row = |title: String, subtitle: String, place: String, space: Option<String>| Row {
            title,
            subtitle,
            place: format!("{} {place}", path.display()),
            error: None,
            wanted: Wanted { path: path.to_owned(), of: self.clone(), space, hull: None },
        };
        match self {
            Self::Mesh => Ok(Vec::new()),
            Self::Order(order) => {
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
            Self::Merge([ours, theirs]) => {
                let place = format!("{} {}", ours.display(), theirs.display());
                Ok(vec![row(name(ours), "three versions".to_owned(), place, None)])
            }
            Self::Script(script) => {
                let subtitle = format!("what it changes in {}", name(path));
                let space = space.map(str::to_owned);
                Ok(vec![row(name(script), subtitle, script.display().to_string(), space)])
            }
        }
    }
}

/// A file by the name that people call it.
pub(super) fn name(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Both sides of a merge.
///
/// # Errors
/// Those of [`merging::sides`].
pub(super) fn merged(base: &Path, [ours, theirs]: &[PathBuf; 2], options: &OpenOptions) -> Result<Shown> {
    let sides = merging::sides([base, ours, theirs], options)?;
    Ok(Shown::of_merge(sides, name(ours)))
}

/// What a script changes in a mesh. Lines of it that do not fit are findings.
///
/// # Errors
/// If the mesh or the script cannot be read, or the mesh cannot be edited.
pub(super) fn changed(wanted: &Wanted, script: &Path, options: &OpenOptions) -> Result<Shown> {
    let plain = Wanted { of: Of::Mesh, ..wanted.clone() };
    let before = Shown::load(&plain, options)?;
    let Some(mesh) = &before.mesh else {
        return Err(
            Error::invalid("--script", "is for one mesh, not for a map of tiles").in_file(&wanted.path)
        );
    };
    let text = options.backing(script)?;
    let text =
        std::str::from_utf8(&text).map_err(|_| Error::invalid("script", "is no text").in_file(script))?;
    let mut edited = edit_with(mesh, SessionOptions::default(), &Opening::default(), options)?;
    let mut findings = Vec::new();
    edited.session.script(text, &mut |fared| {
        if let Err(refusal) = fared {
            findings.push(Finding::new(Severity::Warning, "refused", refusal.to_string()));
        }
        ControlFlow::Continue(())
    });
    let after = Shown::edited(edited.session.encode()?, 0, &plain, options)?;
    Ok(Shown::change(&before, &after, format!("what {} changes", name(script)), findings))
}
