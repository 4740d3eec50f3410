//! `navmap export`: writes a mesh for other programs.

#![forbid(unsafe_code)]

use super::graphs::{self, Named};
use super::out::warn;
use super::save::{save, vacant};
use super::{Exit, Failure, args, out, plan};
use crate::error::{Error, Result};
use crate::export::{Export, Format};
use crate::open::{self, Place};

pub(super) fn run(typed: &args::Export) -> Result<Exit, Failure> {
    let extension = typed.output.extension().and_then(|extension| extension.to_str());
    let format = typed.format.or_else(|| extension.and_then(Format::of_extension)).ok_or_else(|| {
        if out::is_stdout(&typed.output) {
            return Error::invalid("output", "has no name that tells what is written: say it with --format");
        }
        let why = "has to end in .obj, .glb, .dot, .graphml or .geojson";
        Error::invalid("output", why).in_file(&typed.output)
    })?;
    match format {
        Format::Glb if typed.y_up => {
            warn(format_args!("navmap: --y-up: GLB has y up and metres always, nothing changes"));
        }
        Format::Obj => {}
        _ if typed.y_up => {
            let why = "is for .obj: the others keep the axes and units of the file";
            return Err(Error::invalid("--y-up", why).in_file(&typed.output).into());
        }
        _ => {}
    }
    vacant(&typed.output, typed.force)?;
    let wanted = typed.space.as_deref();
    let mut exit = Exit::Clean;
    let Named { title, graph, error, .. } = match Place::at(&typed.path, &plan::options(&typed.open))? {
        Place::Mesh(mesh) => {
            let mut items = mesh.items();
            wanted.map_or(Ok(()), |wanted| open::choose(&mut items, wanted))?;
            if items.len() > 1 {
                let spaces = open::names(items.iter().filter_map(|item| item.space.as_ref()));
                let why = format!("holds several spaces; name one with --space: {spaces}");
                return Err(Error::invalid("plugin", why).in_file(&typed.path).into());
            }
            let item = items.pop().ok_or_else(|| Place::nothing(&typed.path))?;
            let named = graphs::of(item).map_err(|(_, error)| error)?;
            mesh.intact()?;
            named
        }
        Place::Tiles(tiles) => {
            let map = graphs::of_tiles(&tiles, wanted)?;
            exit = super::left_out(tiles.set().failures());
            map
        }
        Place::Folder(listing) if listing.files.is_empty() => return Err(Place::nothing(&typed.path).into()),
        Place::Folder(_) => return Err(several(typed, "is a folder of meshes; name one of its files")),
        Place::Archive(_) => return Err(several(typed, "is an archive of meshes; name one: archive!member")),
    };
    let export = Export::new(&graph, &title).y_up(typed.y_up);
    save(&typed.output, typed.force, |out| export.write(format, out))?;
    match error {
        None => Ok(exit),
        Some(error) => Ok(super::unreadable(error, &typed.path)),
    }
}

fn several(typed: &args::Export, why: &str) -> Failure {
    Error::invalid("path", why).in_file(&typed.path).into()
}
