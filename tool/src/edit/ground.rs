//! The map of a mesh that is edited.

use crate::args;
use crate::mapped::Asked;
use navmap::error::{Error, Result};
use navmap::format::source::HeadBuf;
use navmap::format::source::edit::Ground;
use navmap::open::OpenOptions;
use std::any::Any;
use std::path::Path;
use std::sync::Arc;

/// Opens the map for a mesh with this head, if it is the one that the mesh is of.
pub(super) fn open(
    map: &Path,
    head: &dyn Any,
    typed: &args::Edit,
    options: &OpenOptions,
) -> Result<Box<dyn Any>> {
    let Some(head) = head.downcast_ref::<HeadBuf>() else {
        return Err(Error::invalid("map", "is none of such a mesh"));
    };
    let Asked { map, spawns } = Asked::open(map, &typed.models, head, options, typed.goal.force)?;
    Ok(Box::new(Ground { map: Arc::new(map), spawns }))
}
