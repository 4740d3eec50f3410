//! A real Detour loads what was built, and finds a way exactly where the geometry has one.

use crate::maps::{bridge, metres};
use crate::{Level, Made};
use navmap::build::BuildOptions;
use navmap::format::detour::DetourNav;
use navmap::graph::INCH;
use navmap_testkit::recast::{answers, folder};
use navmap_testkit::temp::Temp;
use std::path::Path;

/// The reference of the polygon whose corners are nearest to a place, on average.
fn reference(made: &Made, at: [f32; 3]) -> u64 {
    let nav = DetourNav::parse(&made.bytes).unwrap();
    let mut best = (f32::INFINITY, 0);
    for entry in nav.tiles().map(Result::unwrap) {
        for (index, polygon) in entry.tile.polygons().iter().enumerate() {
            let corners: Vec<[f32; 3]> = (0..polygon.corners().len())
                .filter_map(|corner| entry.tile.corner(&polygon, corner))
                .collect();
            let inside = (0..corners.len()).all(|i| {
                let (a, b) = (corners[i], corners[(i + 1) % corners.len()]);
                (b[0] - a[0]) * (at[2] - a[2]) - (at[0] - a[0]) * (b[2] - a[2]) <= 1e-3
            });
            let height = corners.iter().map(|corner| corner[1]).sum::<f32>() / corners.len() as f32;
            let far = (height - at[1]).abs();
            if inside && far < best.0 {
                best = (far, entry.reference + index as u64);
            }
        }
    }
    assert!(best.0 < 1.0, "no polygon at {at:?}: {}", made.bill);
    best.1
}

#[test]
fn a_real_detour_finds_ways_where_the_geometry_has_them_and_none_where_not() {
    let Some(folder) = folder() else { return };
    // Two rooms joined by a door, stairs up to a deck, and a pillar that nobody gets on.
    let mut level = Level::new()
        .floor([0.0, 0.0], [20.0, 12.0], 0.0)
        .solid([9.8, 0.0, 0.0], [10.2, 3.0, 5.0])
        .solid([9.8, 0.0, 7.0], [10.2, 3.0, 12.0])
        .solid([3.0, 0.0, 8.0], [6.0, 2.5, 11.0])
        .solid([25.0, -1.0, 0.0], [32.0, 1.5, 12.0]);
    for step in 0..5 {
        let x = 20.0 + f64::from(step);
        level = level.solid([x, -1.0, 0.0], [x + 1.0, 0.3 * f64::from(step + 1), 12.0]);
    }
    let (near, far, deck, pillar) = ([2.0, 0.1, 3.0], [17.0, 0.1, 3.0], [29.0, 1.6, 6.0], [4.5, 2.6, 9.5]);
    for tile in [16, 32, 256] {
        let made = Made::new(&level, &BuildOptions { tile: Some(tile), ..BuildOptions::default() });
        let pairs = [
            (near, far, true),
            (near, deck, true),
            (far, deck, true),
            (near, pillar, false),
            (pillar, deck, false),
        ];
        agrees(&folder, &made, &pairs, &format!("tiles of {tile}"));
    }
}

#[test]
fn a_real_detour_walks_over_curves_of_quake_3_and_not_through_its_clips() {
    let Some(folder) = folder() else { return };
    let made = Made::of_scene(&metres(&bridge([0.0, 0.0, 1.0])), &BuildOptions::default());
    let at = |[x, y, z]: [f32; 3]| [x, z, -y].map(|part| part * INCH as f32);
    let [west, east, beyond] = [[-300.0, 0.0, 64.0], [300.0, 0.0, 64.0], [540.0, 0.0, 64.0]].map(at);
    agrees(&folder, &made, &[(west, east, true), (east, beyond, false)], "a map of Quake III");
}

/// Asks Detour and our own index for ways: from, to, and whether there is one.
fn agrees(folder: &Path, made: &Made, pairs: &[([f32; 3], [f32; 3], bool)], what: &str) {
    let lines: Vec<String> = pairs
        .iter()
        .map(|(from, to, _)| {
            let words = [from, to].map(|[x, y, z]| format!("{x} {y} {z}"));
            let names = [from, to].map(|at| reference(made, *at).to_string());
            format!("{} {}", words.join(" "), names.join(" "))
        })
        .collect();
    let temp = Temp::new(&format!("build-recast-{}", what.replace(' ', "-")));
    let [mesh, queries] = ["out.navmesh", "queries.txt"].map(|name| temp.join(name));
    std::fs::write(&mesh, &made.bytes).unwrap();
    std::fs::write(&queries, lines.join("\n")).unwrap();
    let answers = answers(folder, &mesh, &queries);
    assert_eq!(answers.len(), pairs.len());
    for ((from, to, joined), answer) in pairs.iter().zip(&answers) {
        assert_eq!(made.joins(*from, *to), *joined, "{from:?} {to:?}, {what}");
        let straight = (from[0] - to[0]).hypot(from[2] - to[2]);
        match answer.parse::<f32>() {
            Ok(way) => {
                assert!(*joined && way > straight - 0.5 && way < 2.0 * straight, "{answer}, {what}");
            }
            Err(_) => assert!(!joined && answer == "none", "{from:?} {to:?}: {answer}, {what}"),
        }
    }
}
