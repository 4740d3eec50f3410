//! `navmap export`: writes a mesh for other programs.

use super::args::Heights;
use super::graphs::{self, Named};
use super::out::{say, warn};
use super::save::{save, vacant};
use super::{Exit, Failure, args, out, plan};
use navmap::error::{Error, Result};
use navmap::export::{Export, Format, navmesh};
use navmap::format::Family;
use navmap::graph::FlatGraph;
use navmap::open::{self, Place};
use navmap::text::path_text;

pub(super) fn run(typed: &args::Export) -> Result<Exit, Failure> {
    let extension = typed.output.extension().and_then(|extension| extension.to_str());
    let format = typed.format.or_else(|| extension.and_then(Format::of_extension)).ok_or_else(|| {
        if out::is_stdout(&typed.output) {
            return Error::invalid("output", "has no name that tells what is written: say it with --format");
        }
        let why = "has to end in .obj, .glb, .dot, .graphml, .geojson, .navmesh or .tres";
        Error::invalid("output", why).in_file(&typed.output)
    })?;
    heeded(typed, format)?;
    vacant(&typed.output, typed.force)?;
    let wanted = typed.space.as_deref();
    let mut exit = Exit::Clean;
    let (named, family) = match Place::at(&typed.path, &plan::of_hull(&typed.open, typed.hull))? {
        Place::Mesh(mesh) => {
            let mut items = mesh.items();
            wanted.map_or(Ok(()), |wanted| open::choose(&mut items, wanted))?;
            graphs::only(&items, &typed.path)?;
            let item = items.pop().ok_or_else(|| Place::nothing(&typed.path))?;
            let named = graphs::load(item).map_err(|(_, error)| error)?;
            mesh.intact()?;
            (named, mesh.family())
        }
        Place::Tiles(tiles) => {
            let map = graphs::of_tiles(&tiles, wanted)?;
            exit = super::left_out(tiles.failures());
            (map, tiles.family())
        }
        Place::Folder(listing) if listing.files.is_empty() => {
            return Err(Place::nothing(&typed.path).into());
        }
        Place::Folder(_) => return Err(several(typed, "is a folder of meshes; name one of its files")),
        _ => return Err(several(typed, "is an archive of meshes; name one: archive!member")),
    };
    let Named { title, mut graph, error, has_hulls, .. } = named;
    // Without a hull that was asked for, all of them are written.
    if typed.hull.is_some() && !has_hulls {
        graphs::keep_hull(&mut graph, typed.hull, &typed.path)?;
    }
    let world = matches!(format, Format::Detour | Format::Tres | Format::Glb);
    let heights = typed.heights.unwrap_or(if world { Heights::Floor } else { Heights::Stored });
    if heights == Heights::Floor
        && let Some([least, most]) = graph.put_on_floor()
    {
        let by = if least == most { format!("{most}") } else { format!("{least} to {most}") };
        say(format_args!(
            "navmap: heights are {by} units lower than stored, on the floor; --heights stored keeps them"
        ));
    }
    if format == Format::Detour {
        navmesh(typed, &graph, family)?;
    } else {
        let export = Export::new(&graph, &title).y_up(typed.y_up).godot(typed.godot);
        save(&typed.output, typed.force, |out| export.write(format, out))?;
        export.left_out(format).iter().for_each(|line| say(format_args!("navmap: {line}")));
    }
    match error {
        None => Ok(exit),
        Some(error) => Ok(super::unreadable(error, &typed.path)),
    }
}

/// Refuses options that do nothing for what is written.
fn heeded(typed: &args::Export, format: Format) -> Result<()> {
    let (what, heeded): (_, &[&str]) = match format {
        Format::Obj => ("a .obj", &["--y-up"]),
        Format::Glb => ("a .glb", &["--y-up", "--godot"]),
        Format::Detour => ("a .navmesh", &["--tile", "--mapping"]),
        _ => ("this format", &[]),
    };
    if typed.y_up && format == Format::Glb {
        warn(format_args!("navmap: --y-up: GLB has y up and metres always, nothing changes"));
    }
    let special = [
        ("--y-up", typed.y_up),
        ("--godot", typed.godot),
        ("--tile", typed.tile.is_some()),
        ("--mapping", typed.mapping.is_some()),
    ];
    super::heeded::refuse(&special, heeded, what, &typed.output)
}

/// Writes a set of Detour, and reports what the export changed.
fn navmesh(typed: &args::Export, graph: &FlatGraph, family: Family) -> Result<(), Failure> {
    let mut options = navmesh::NavmeshOptions { tile: typed.tile, ..navmesh::NavmeshOptions::default() };
    if let Some(path) = &typed.mapping {
        let text = super::beside::text(path)?;
        options.mapping = text.parse().map_err(|error: Error| error.in_file(path))?;
        for rule in options.mapping.idle(graph) {
            warn(format_args!("navmap: {}: {rule}: fits no polygon", path_text(path)));
        }
    } else if family == Family::Detour {
        match navmesh::Mapping::stored(graph) {
            Some(mapping) => options.mapping = mapping,
            None => warn(format_args!(
                "navmap: areas and flags are too large to be kept: the usual rules give others"
            )),
        }
    }
    let (bytes, bill) = navmesh::to_detour(graph, &options).map_err(|error| error.in_file(&typed.path))?;
    save(&typed.output, typed.force, |out| out.write_all(&bytes))?;
    bill.to_string().lines().for_each(|line| say(format_args!("navmap: {line}")));
    if family == Family::Detour && bill.connections > 0 && typed.mapping.is_none() {
        say(format_args!(
            "navmap: areas and flags of polygons are kept; connections have those of the usual rules, --mapping gives others"
        ));
    }
    Ok(())
}

fn several(typed: &args::Export, why: &str) -> Failure {
    Error::invalid("path", why).in_file(&typed.path).into()
}
