//! A real Detour, compiled to WebAssembly in the npm package `@recast-navigation/core`, loads what is written and finds the
//! ways that the graph has. `NAVMAP_RECAST` names the folder with its `node_modules`.

use crate::{files, load, side};
use navmap::export::navmesh::{NavmeshOptions, to_detour};
use navmap::graph::{FlatGraph, NavGraph, Point};
use navmap::query::{Area, NavIndex, Outcome, PathScratch, Query};
use navmap_testkit::bytes::Rng;
use navmap_testkit::recast::{answers, folder};
use navmap_testkit::temp::Temp;
use std::collections::{HashMap, HashSet};

/// Both find ways from polygon to polygon and then pull them tight, over other polygons, so neither way is the shortest.
/// Nineteen of twenty ways of Detour are at most this much longer than ours.
const LONGER: f32 = 1.5;
/// And nineteen of twenty are no shorter than this share of ours, which leads over the centers of areas.
const SHORTER: f32 = 0.3;

struct Asked {
    line: String,
    nodes: [u32; 2],
    /// The length of our way in metres, if there is one.
    ours: Option<f32>,
}

/// Random pairs of nodes, and the way between them.
fn ask(graph: &FlatGraph, written: &HashSet<u32>, count: usize) -> Vec<Asked> {
    let index = NavIndex::build(graph).whole().unwrap();
    let (axes, mut scratch, mut rng) = (graph.axes(), PathScratch::new(&index), Rng(7));
    let metres = |p: Point| axes.to_metres_y_up(p).to_array();
    let usable: Vec<u32> = (0..graph.nodes().len() as u32).filter(|node| written.contains(node)).collect();
    let mut asked = Vec::new();
    for _ in 0..count {
        let [a, b] = [0, 1].map(|_| usable[rng.below(usable.len() as u64) as usize]);
        let area = |node: u32| -> Area { index.of_node(node).unwrap() };
        let center = |node: u32| index.center(area(node)).unwrap();
        let (from, to) = (center(a), center(b));
        let outcome = scratch.path(&index, area(a), area(b), &Query::shortest()).unwrap();
        let ours = matches!(outcome, Outcome::Found { .. }).then(|| {
            let mut corners = vec![Point::default(); 4096];
            let count = scratch.straighten(&index, from, to, &mut corners).unwrap();
            let corners: Vec<Point> = corners[..count].iter().map(|p| axes.to_metres_y_up(*p)).collect();
            corners.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
        });
        let [x, y, z] = metres(from);
        let [u, v, w] = metres(to);
        asked.push(Asked { line: format!("{x} {y} {z} {u} {v} {w}"), nodes: [a, b], ours });
    }
    asked
}

#[test]
fn a_real_detour_finds_the_ways_that_the_graph_has() {
    let Some(folder) = folder() else { return };
    let mut failed = Vec::new();
    for path in files() {
        let (graph, name) = (load(&path), path.display());
        for tile in [None, Some(side(&graph, 60.0))] {
            let temp = Temp::new("recast");
            let options = NavmeshOptions { tile, ..NavmeshOptions::default() };
            let (bytes, bill) = to_detour(&graph, &options).unwrap();
            let written = bill.references.iter().map(|(_, node)| *node).collect();
            let asked = ask(&graph, &written, 1_000);
            // Where floors lie over one another, a place does not say which of them is meant: polygons do.
            let mut pieces: HashMap<u32, Vec<String>> = HashMap::new();
            for (reference, node) in &bill.references {
                pieces.entry(*node).or_default().push(reference.to_string());
            }
            let of = |node: u32| pieces.get(&node).map_or(String::new(), |list| list.join(","));
            let line =
                |asked: &Asked| format!("{} {} {}", asked.line, of(asked.nodes[0]), of(asked.nodes[1]));
            let lines: Vec<String> = asked.iter().map(line).collect();
            let (mesh, queries) = (temp.join("out.navmesh"), temp.join("queries.txt"));
            std::fs::write(&mesh, bytes).unwrap();
            std::fs::write(&queries, lines.join("\n")).unwrap();
            let answers = answers(&folder, &mesh, &queries);
            assert_eq!(answers.len(), asked.len());
            let (mut agree, mut nowhere, mut factors) = (0, 0, Vec::new());
            for (asked, answer) in asked.iter().zip(&answers) {
                let theirs: Option<f32> = answer.parse().ok();
                nowhere += usize::from(answer == "nowhere");
                agree += usize::from(theirs.is_some() == asked.ours.is_some());
                if let (Some(theirs), Some(ours)) = (theirs, asked.ours.filter(|ours| *ours > 1.0)) {
                    factors.push(theirs / ours);
                }
            }
            factors.sort_by(f32::total_cmp);
            let at =
                |share: f32| factors.get((factors.len() as f32 * share) as usize).copied().unwrap_or(1.0);
            println!(
                "{name}, tiles {}: {agree} of {} agree, {nowhere} nowhere, factor {:.2} {:.2} {:.2}\n{bill}",
                bill.tiles,
                asked.len(),
                at(0.05),
                at(0.5),
                at(0.95)
            );
            let sound = agree == asked.len() && at(0.95) <= LONGER && at(0.05) >= SHORTER;
            if !sound {
                failed.push(format!(
                    "{name}, tiles {}: {agree} agree, {} {}",
                    bill.tiles,
                    at(0.05),
                    at(0.95)
                ));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

/// A polygon whose neighbours were deleted is reached over a connection that was made, and over nothing else.
#[test]
fn a_real_detour_loads_what_was_edited() {
    let Some(folder) = folder() else { return };
    let path = navmap_testkit::corpus::bundled_path("detour", "set.navmesh");
    let temp = Temp::new("recast-edit");
    for (script, reached) in [
        ("delete C#0+#1+#4", false),
        ("delete C#0+#1+#4; connect #0 #2 --both", true),
        ("delete C#0+#1+#4; connect #2 #0", false),
    ] {
        let mesh = navmap::open::Mesh::open(&path).unwrap();
        let mut session = navmap::open::edit(&mesh, navmap::edit::SessionOptions::default()).unwrap();
        let (_, refused) = session.run(script);
        assert!(refused.is_none(), "{script}: {refused:?}");
        let [out, queries] = ["out.navmesh", "queries.txt"].map(|name| temp.join(name));
        std::fs::write(&out, session.encode().unwrap()).unwrap();
        // The first tile is 1 << 14; what was #2 is the second polygon now.
        let lines = "-3 1.17 3 1 1.2 3 16384 16385\n-3 1.17 3 -3 1.17 3 16384 16384";
        std::fs::write(&queries, lines).unwrap();
        let answers = answers(&folder, &out, &queries);
        assert_eq!(answers.len(), 2, "{script}: {answers:?}");
        assert_eq!(answers[0].parse::<f32>().is_ok(), reached, "{script}: {answers:?}");
        assert!(answers[1].parse::<f32>().is_ok_and(|way| way < 0.01), "{script}: {answers:?}");
    }
}
