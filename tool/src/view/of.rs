//! What is listed in place of the meshes at the paths, or beside them: a load order, a merge, saved differences.

use super::orders::Order;
use super::saved::Saved;
use crate::args;
use navmap::error::{Error, Result};
use navmap::open::OpenOptions;
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
    /// What a saved row says has changed.
    Saved(Arc<Saved>),
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
        if let [file, beside @ ..] = &typed.paths[..]
            && is_saved(file)
        {
            if typed.edit {
                return Err(Error::invalid("--edit", "changes a mesh, and saved differences are shown"));
            }
            let saved = Saved::open(file, beside, options)?;
            return Ok(saved.into_iter().map(|saved| Self::Saved(Arc::new(saved))).collect());
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
        matches!(self, Self::Order(_) | Self::Merge(_) | Self::Saved(_))
    }
}

/// Whether a path is a file of saved differences.
fn is_saved(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jsonl"))
}

/// A file by the name that people call it.
pub(super) fn name(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
