//! The crowd of a real Detour walks the same scenes on the same mesh, exported for it. `NAVMAP_RECAST` names the folder with its
//! `node_modules`.

use crate::scenes::{self, Scene, TICK};
use navmap::export::navmesh::{NavmeshOptions, to_detour};
use navmap::graph::NavGraph;
use navmap_testkit::temp::Temp;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The seconds after which each agent of Detour came near to its goal.
fn theirs(folder: &Path, scene: &Scene) -> Vec<Option<f32>> {
    let temp = Temp::new("crowd");
    let (bytes, _) = to_detour(&scene.graph, &NavmeshOptions::default()).unwrap();
    let (mesh, asked) = (temp.join("scene.navmesh"), temp.join("scene.json"));
    std::fs::write(&mesh, bytes).unwrap();
    let axes = scene.graph.axes();
    let walks: Vec<_> =
        scene.walks.iter().map(|ends| ends.map(|p| axes.to_metres_y_up(p).to_array())).collect();
    let text = json!({ "walks": walks, "tick": TICK, "seconds": scene.seconds, "near": scene.near });
    std::fs::write(&asked, text.to_string()).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/crowd/detour.mjs");
    let done = Command::new("node").arg(script).arg(folder).arg(&mesh).arg(&asked).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let answer: Vec<Option<f32>> = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(answer.len(), scene.walks.len());
    answer
}

/// Mean and last of those who got through.
fn summary(times: &[Option<f32>]) -> (usize, f32, f32) {
    let through: Vec<f32> = times.iter().copied().flatten().collect();
    let mean = through.iter().sum::<f32>() / through.len().max(1) as f32;
    (through.len(), mean, through.iter().copied().fold(0.0, f32::max))
}

#[test]
fn nobody_is_stuck_where_a_real_detour_gets_through() {
    let Some(folder) = std::env::var_os("NAVMAP_RECAST").map(PathBuf::from) else {
        navmap_testkit::skipped(
            "npm install @recast-navigation/core in a folder, and set NAVMAP_RECAST to it",
        );
        return;
    };
    println!(
        "| scene | agents | ours: through, mean s, last s | Detour: through, mean s, last s |\n|---|---|---|---|"
    );
    for scene in scenes::all() {
        let (ours, theirs) = (scenes::walk(&scene), theirs(&folder, &scene));
        let [(a, mean, last), (b, their_mean, their_last)] = [&ours, &theirs].map(|times| summary(times));
        println!(
            "| {} | {} | {a}, {mean:.1}, {last:.1} | {b}, {their_mean:.1}, {their_last:.1} |",
            scene.name,
            ours.len()
        );
        for (at, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            assert!(
                ours.is_some() || theirs.is_none(),
                "{}: agent {at} is stuck, but not in Detour",
                scene.name
            );
        }
    }
}
