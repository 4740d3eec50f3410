//! The map of a mesh that is edited.

use crate::mapped::Asked;
use navmap::error::{Error, Result};
use navmap::format::source::HeadBuf;
use navmap::format::source::edit::Ground;
use navmap::open::OpenOptions;
use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Opens the map for a mesh with this head, if it is the one that the mesh is of; with `any` it may have another size.
pub(crate) fn open(
    map: &Path,
    head: &dyn Any,
    models: &[PathBuf],
    any: bool,
    options: &OpenOptions,
) -> Result<Box<dyn Any>> {
    let Some(head) = head.downcast_ref::<HeadBuf>() else {
        return Err(Error::invalid("map", "is none of such a mesh"));
    };
    let Asked { map, spawns } = Asked::open(map, models, head, options, any)?;
    Ok(Box::new(Ground { map: Arc::new(map), spawns }))
}
