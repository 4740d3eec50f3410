//! Detour, in a process of its own.

use super::ours::graph;
use super::{Answers, Hall, Questions, ROUNDS};
use navmap::export::navmesh::{NavmeshOptions, to_detour};
use navmap::graph::{Axes, Point};
use navmap_testkit::temp::Temp;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What Detour says, if there is one.
pub(crate) fn answers(hall: &Hall, questions: &Questions) -> Option<Answers> {
    let folder = std::env::var_os("NAVMAP_RECAST").map(PathBuf::from)?;
    let (mesh, bill) = to_detour(&graph(hall), &NavmeshOptions::default()).expect("a mesh");
    assert_eq!((bill.polygons, bill.tiles), (hall.cells.len() as u64, 1), "the same mesh");
    let temp = Temp::new("detour");
    let mut asked = String::new();
    let mut line = |kind: &str, points: &[[f32; 3]]| {
        asked.push_str(kind);
        for &[x, y, z] in points {
            let [x, y, z] = Axes::z_up(1.0).to_metres_y_up(Point::new(x, y, z)).to_array();
            write!(asked, " {x} {y} {z}").expect("memory");
        }
        asked.push('\n');
    };
    questions.points.iter().for_each(|at| line("point", std::slice::from_ref(at)));
    questions.ways.iter().for_each(|pair| line("way", pair));
    questions.cut_off.iter().for_each(|pair| line("none", pair));
    temp.file("hall.navmesh", &mesh);
    temp.file("questions.txt", asked.as_bytes());

    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("meshes/detour.mjs");
    let mut node = Command::new("node");
    node.arg(script).arg(folder).args(["hall.navmesh", "questions.txt"].map(|name| temp.join(name)));
    let done = node.arg(ROUNDS.to_string()).output().expect("node");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    Some(read(&String::from_utf8(done.stdout).expect("text")))
}

/// The lines of the script: a kind, and the answer or the time.
fn read(said: &str) -> Answers {
    let mut answers = Answers {
        name: "Detour (WebAssembly)",
        points: Vec::new(),
        ways: Vec::new(),
        cut_off: Vec::new(),
        times: [0.0; 3],
    };
    for line in said.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |at: usize| words.get(at).and_then(|word| word.parse::<f32>().ok());
        match words[0] {
            // y up has north at -z.
            "point" => answers.points.push([number(1).expect("x"), -number(3).expect("z")]),
            "way" => answers.ways.push(number(1)),
            "none" => answers.cut_off.push(number(1)),
            "times" => answers.times = [1, 2, 3].map(|at| number(at).expect("a time").into()),
            other => panic!("{other}"),
        }
    }
    answers
}
