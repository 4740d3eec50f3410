//! Detour, in a process of its own.

use super::ours::graph;
use super::{Answers, Hall, Peer, Questions};
use navmap::export::navmesh::{NavmeshOptions, to_detour};
use navmap::graph::{Axes, Point};
use navmap_testkit::corpus::project;
use navmap_testkit::temp::Temp;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};

/// Metres, more than a side of the halls: no polygon is cut.
const ONE_TILE: f32 = 1000.0;

pub(crate) struct Detour {
    /// A line begins a round. The process ends with it.
    begin: ChildStdin,
    said: BufReader<ChildStdout>,
    /// What the process reads.
    _files: Temp,
}

impl Detour {
    /// Detour, if there is one. A path in `NAVMAP_RECAST` begins where the bench does, or at the root of the project.
    pub(crate) fn new(hall: &Hall, questions: &Questions) -> Option<Self> {
        let named = std::env::var_os("NAVMAP_RECAST").map(PathBuf::from)?;
        let folder = if named.exists() { named } else { project().join(named) };
        let options = NavmeshOptions { tile: Some(ONE_TILE), ..NavmeshOptions::default() };
        let (mesh, bill) = to_detour(&graph(hall), &options).expect("a mesh");
        assert_eq!((bill.polygons, bill.connections), (hall.cells.len() as u64, 0), "the same mesh");
        let files = Temp::new("detour");
        let mesh = files.file("hall.navmesh", &mesh);
        let questions = files.file("questions.txt", asked(questions).as_bytes());

        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("detour.mjs");
        let mut node = Command::new("node");
        node.arg(script).args([folder, mesh, questions]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = node.spawn().expect("node");
        let (begin, said) = (process.stdin.take().expect("a pipe"), process.stdout.take().expect("a pipe"));
        Some(Self { begin, said: BufReader::new(said), _files: files })
    }
}

/// The questions as lines of text, in metres with y up.
fn asked(questions: &Questions) -> String {
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
    asked
}

impl Peer for Detour {
    fn name(&self) -> &'static str {
        "Detour (WebAssembly)"
    }

    /// The script says a line for each question, and at last the times.
    fn round(&mut self, _: &Questions) -> Answers {
        self.begin.write_all(b"round\n").expect("node listens");
        let mut answers = Answers::default();
        let mut line = String::new();
        loop {
            line.clear();
            assert!(self.said.read_line(&mut line).expect("text") > 0, "node has ended");
            let words: Vec<&str> = line.trim_end().split(' ').collect();
            let number = |at: usize| words.get(at).and_then(|word| word.parse::<f32>().ok());
            match words[0] {
                // y up has north at -z.
                "point" => answers.points.push([number(1).expect("x"), -number(3).expect("z")]),
                "way" => answers.ways.push(number(1)),
                "none" => answers.cut_off.push(number(1)),
                "times" => {
                    answers.times = [1, 2, 3].map(|at| number(at).expect("a time").into());
                    return answers;
                }
                other => panic!("{other}"),
            }
        }
    }
}
