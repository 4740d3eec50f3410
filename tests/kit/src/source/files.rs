//! The bundled corpus of this family.

use super::level::{Shape, level};
use super::model::Mesh;
use super::two::{Mesh2, level2, write2};
use super::write::write;
use super::{hostile, read};
use crate::Made;

/// Every file of `corpus/source/`.
pub fn files() -> Vec<Made> {
    let mut files = Vec::new();
    let stock = "everything that the version stores";
    for version in 1..=16 {
        let subversion = (version >= 10).then_some(0);
        let mesh = level(version, subversion, &Shape::small(version.into()));
        files.push(made(&format!("v{version}.nav"), &mesh, stock));
    }
    for (name, version, subversion, note) in [
        ("v15-13-l4d", 15, 13, "Left 4 Dead by inference: accepted because it ends where the file ends"),
        ("v16-1-csgo", 16, 1, "approach areas at the end of an area"),
        ("v16-2-tf2", 16, 2, "TF attributes"),
        ("v16-4-insurgency", 16, 4, "Insurgency by inference: accepted because it ends where the file ends"),
        (
            "v16-14-l4d2",
            16,
            14,
            "populations, spawn attributes, visible areas by position, ids that do not ascend",
        ),
        ("v16-7-unknown", 16, 7, "a sub-version that no game writes, with the stock layout"),
    ] {
        let mesh = level(version, Some(subversion), &Shape::small(u64::from(version * 100 + subversion)));
        files.push(made(&format!("{name}.nav"), &mesh, note));
    }
    files.push(tail());
    let none = Mesh { version: 16, subversion: Some(2), bsp_size: 123_456, ..Mesh::default() };
    files.push(made("odd/zero-areas.nav", &none, "no areas, as quick tools write it"));
    let town = level(16, Some(0), &Shape { cells: 400, visible: 12, paths: false, ..Shape::small(77) });
    files.push(made("town.nav", &town, "a walkable level: 356 areas, for pictures and paths"));
    for (version, subversion) in [(30, 0), (31, 0), (32, 0), (33, 0), (34, 0), (35, 1), (36, 1)] {
        let note = match version {
            30 => "polygons stored by the areas",
            35 => "shared polygons, wide ladders, a KV3 block to the end",
            36 => "four KV3 blocks; by inference",
            _ => "shared polygons; by inference",
        };
        files.push(made2(&level2(version, subversion, 4), note));
    }
    files.extend(hostile::files());
    files
}

/// A small mesh written over a larger one.
fn tail() -> Made {
    let mut mesh = level(5, None, &Shape::small(55));
    let longer = write(&level(5, None, &Shape { cells: 16, ..Shape::small(56) }));
    mesh.tail = longer[write(&mesh).len()..].to_vec();
    made("odd/v5-stale-tail.nav", &mesh, "the end of a longer file that was overwritten")
}

fn made(path: &str, mesh: &Mesh, note: &str) -> Made {
    let bytes = write(mesh);
    let exact = matches!((mesh.version, mesh.subversion), (_, None | Some(0 | 1 | 2 | 4 | 13 | 14)));
    assert!(!exact || read(&bytes).as_ref() == Some(mesh), "{path}: read back as something else");
    let sum = |of: fn(&super::Area) -> usize| mesh.areas.iter().map(of).sum::<usize>().to_string();
    let row = vec![
        ("version", mesh.version.to_string()),
        ("subversion", mesh.subversion.map_or_else(|| "none".to_owned(), |sub| sub.to_string())),
        ("areas", mesh.areas.len().to_string()),
        ("ladders", mesh.ladders.len().to_string()),
        ("places", mesh.places.len().to_string()),
        ("total_connections", sum(|area| area.connections.iter().map(Vec::len).sum())),
        ("hiding_spots", sum(|area| area.spots.len())),
        ("approach_areas", sum(|area| area.approaches.len())),
        ("encounter_paths", sum(|area| area.paths.len())),
        ("encounter_spots", sum(|area| area.paths.iter().map(|p| p.spots.len() + p.old_spots.len()).sum())),
        ("ladder_connections", sum(|area| area.ladders_up.len() + area.ladders_down.len())),
        ("visible_areas", sum(|area| area.visible.len())),
        ("stale_tail_bytes", mesh.tail.len().to_string()),
        ("expect", expectation(mesh).to_owned()),
        ("note", note.to_owned()),
    ];
    Made { path: path.to_owned(), bytes, row }
}

fn expectation(mesh: &Mesh) -> &'static str {
    // The rest of a longer file is what GoldSrc leaves; behind a later mesh it is odd.
    if mesh.areas.is_empty() || (mesh.version > 5 && !mesh.tail.is_empty()) { "warning" } else { "ok" }
}

fn made2(mesh: &Mesh2, note: &str) -> Made {
    let links = mesh.areas.iter().flat_map(|area| &area.edges).map(Vec::len).sum::<usize>();
    let ladders = mesh.areas.iter().map(|area| area.above.len() + area.below.len()).sum::<usize>();
    let mut row = vec![
        ("version", mesh.version.to_string()),
        ("subversion", mesh.subversion.to_string()),
        ("areas", mesh.areas.len().to_string()),
        ("ladders", mesh.ladders.len().to_string()),
        ("total_connections", links.to_string()),
        ("ladder_connections", ladders.to_string()),
    ];
    let none =
        ["places", "hiding_spots", "approach_areas", "encounter_paths", "encounter_spots", "visible_areas"];
    row.extend(none.map(|column| (column, "0".to_owned())));
    row.push(("stale_tail_bytes", "0".to_owned()));
    row.extend([("expect", "ok".to_owned()), ("note", note.to_owned())]);
    let name = if mesh.subversion == 0 { String::new() } else { format!("-{}", mesh.subversion) };
    Made { path: format!("v{}{name}.nav", mesh.version), bytes: write2(mesh), row }
}
