//! `navmap export`: a mesh for other programs.

#![forbid(unsafe_code)]

use super::graphs::{self, Item, Place};
use super::{Exit, Failure, args};
use crate::bytes::Saver;
use crate::error::{Error, Result};
use crate::export::{Export, Format};

pub(super) fn run(typed: &args::Export) -> Result<Exit, Failure> {
    let extension = typed.output.extension().and_then(|extension| extension.to_str());
    let format = extension.and_then(Format::of_extension).ok_or_else(|| {
        let why = "has to end in .obj, .glb, .dot, .graphml or .geojson";
        Error::invalid("output", why).in_file(&typed.output)
    })?;
    let wanted = typed.space.as_deref();
    let mut exit = Exit::Clean;
    let Item { title, graph, error, .. } = match graphs::place(&typed.path, &typed.open)? {
        Place::One(items) => {
            let mut items = graphs::pick(items, wanted)?;
            if items.len() > 1 {
                let why =
                    format!("holds several spaces; name one with --space: {}", graphs::spaces_of(&items));
                return Err(Error::invalid("plugin", why).in_file(&typed.path).into());
            }
            items.pop().ok_or_else(|| graphs::nothing(&typed.path))?
        }
        Place::Tiles(set) => {
            let map = graphs::map_of(&set, wanted, &typed.path)?;
            exit = super::left_out(set.failures());
            map
        }
        Place::Files(listing) if listing.files.is_empty() => return Err(graphs::nothing(&typed.path).into()),
        Place::Files(_) => return Err(several(typed, "is a folder of meshes; name one of its files")),
        Place::Members(_) => return Err(several(typed, "is an archive of meshes; name one: archive!member")),
    };
    let export = Export::new(&graph, &title).y_up(typed.y_up);
    let mut saver = Saver::create(&typed.output)?;
    export.write(format, &mut saver).map_err(|error| Error::from(error).in_file(&typed.output))?;
    saver.commit()?;
    match error {
        None => Ok(exit),
        Some(error) => Ok(super::unreadable(error, &typed.path)),
    }
}

fn several(typed: &args::Export, why: &str) -> Failure {
    Error::invalid("path", why).in_file(&typed.path).into()
}
