//! Whether every verb takes time in proportion to the mesh, on shapes that were made to hurt: processor time for 2n against
//! that for n. Linear is 2; above 2.3 the row is marked. `cargo bench --bench linear [SHAPE]`.
//!
//! On a machine with other things to do, `-- --instructions` counts instructions instead of time, on a tenth of the size: it
//! needs valgrind, and sees neither caches nor the kernel.

use navmap_testkit::archive::deflated_zip;
use navmap_testkit::heavy::source::SHAPES;
use navmap_testkit::temp::Temp;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a verb is given: the mesh, an archive that holds it, or the mesh and another that lacks its last items.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    Mesh,
    Archive,
    Pair,
}

const VERBS: &[(&str, Of, &[&str], &str)] = &[
    ("scan", Of::Mesh, &["scan", "-q", "-j1"], ""),
    ("scan --graph", Of::Mesh, &["scan", "-q", "-j1", "--graph"], ""),
    ("check", Of::Mesh, &["check", "-q", "-j1"], ""),
    ("info", Of::Mesh, &["info"], ""),
    ("dump", Of::Mesh, &["dump"], ""),
    ("draw svg", Of::Mesh, &["draw", "--force", "--layer", "all", "-o"], "out.svg"),
    ("draw png", Of::Mesh, &["draw", "--force", "--layer", "all", "-o"], "out.png"),
    ("export glb", Of::Mesh, &["export", "--force", "-o"], "out.glb"),
    ("export obj", Of::Mesh, &["export", "--force", "-o"], "out.obj"),
    ("export graphml", Of::Mesh, &["export", "--force", "-o"], "out.graphml"),
    ("convert", Of::Mesh, &["convert", "--force", "--to", "source-9", "-o"], "out.nav"),
    ("slim", Of::Mesh, &["slim", "--drop", "encounters", "--force", "-o"], "out.nav"),
    ("edit", Of::Mesh, &["edit", "-c", "status", "--force", "-o"], "out.nav"),
    ("edit all", Of::Mesh, &["edit", "-c", "nav_crouch all", "--force", "-o"], "out.nav"),
    ("edit move", Of::Mesh, &["edit", "-c", "move 1 2 3", "--force", "-o"], "out.nav"),
    (
        "edit undo",
        Of::Mesh,
        &["edit", "-c", "nav_crouch all; nav_jump all; undo; undo", "--force", "-o"],
        "out.nav",
    ),
    ("check --fix", Of::Mesh, &["check", "--fix", "-q"], ""),
    ("analyze --quick", Of::Mesh, &["analyze", "--quick", "--force", "-o"], "out.nav"),
    ("export navmesh", Of::Mesh, &["export", "--force", "-o"], "out.navmesh"),
    ("locate", Of::Mesh, &["locate", "--format", "csv", "--points-from", "-"], ""),
    ("reach", Of::Mesh, &["reach", "--format", "csv", "--each"], ""),
    ("diff", Of::Pair, &["diff", "--all"], ""),
    ("diff --script", Of::Pair, &["diff", "--script"], ""),
    ("list", Of::Archive, &["list"], ""),
    ("extract", Of::Archive, &["extract", "--force", "-o"], "out"),
];

/// Processor time of the children so far, in ticks of 10 ms.
fn ticks() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    fields.get(13..15).map_or(0, |times| times.iter().filter_map(|time| time.parse::<u64>().ok()).sum())
}

/// Runs a verb, and gives its exit status unless it refused.
fn run(mut command: Command, verb: &[&str], output: &str, paths: &[&Path], temp: &Temp) -> Option<String> {
    command.args(verb);
    if !output.is_empty() {
        command.arg(temp.join(output));
    }
    let points = std::fs::File::open(temp.join("points")).expect("a list of points");
    let ran = command.args(paths).stdin(points).stdout(Stdio::null()).output().expect("it starts");
    let code = ran.status.code().unwrap_or_else(|| panic!("{verb:?}: {}", ran.status));
    assert!(code <= 2, "{verb:?}: {code}");
    (code < 2).then(|| String::from_utf8_lossy(&ran.stderr).into_owned())
}

type Measure = fn(&[&str], &str, &[&Path], &Temp) -> Option<u64>;

const NAVMAP: &str = env!("CARGO_BIN_EXE_navmap");

/// The least processor time of a few runs, in milliseconds; a run of a second and more is done once. `None` if the verb
/// refuses the mesh.
fn time(verb: &[&str], output: &str, paths: &[&Path], temp: &Temp) -> Option<u64> {
    let once = || {
        let before = ticks();
        run(Command::new(NAVMAP), verb, output, paths, temp)?;
        Some((ticks() - before) * 10)
    };
    let first = once()?;
    if first > 1000 { Some(first) } else { Some(first.min(once()?).min(once()?)) }
}

/// Thousands of instructions.
fn instructions(verb: &[&str], output: &str, paths: &[&Path], temp: &Temp) -> Option<u64> {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null", NAVMAP]);
    let said = run(valgrind, verb, output, paths, temp)?;
    let counted = said.lines().rev().find_map(|line| line.split_once("Collected : ")).expect("a count");
    counted.1.trim().parse::<u64>().ok().map(|count| count / 1000)
}

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let counted = std::env::args().any(|argument| argument == "--instructions");
    let (measure, unit): (Measure, _) = if counted { (instructions, "1000 Ir") } else { (time, "ms") };
    let temp = Temp::new("linear");
    temp.file("points", b"1 2 3\n");
    println!("n and 2n in {unit}\n{:<28}{:<18}{:>10}{:>10}{:>8}", "shape", "verb", "n", "2n", "ratio");
    for (shape, n, make) in SHAPES.iter().filter(|(shape, ..)| shape.contains(&wanted)) {
        let n = if counted { *n / 10 } else { *n };
        let files = [("one", make(n)), ("two", make(2 * n))].map(|(name, bytes)| {
            let archive = temp.file(format!("{name}.zip"), &deflated_zip(&[(b"mesh.nav", &bytes)]));
            (temp.file(format!("{name}.nav"), &bytes), archive)
        });
        let fewer = [("one", n), ("two", 2 * n)]
            .map(|(name, n)| temp.file(format!("{name}-fewer.nav"), &make(n - n / 50)));
        for (name, of, verb, output) in VERBS {
            let [one, two] = [0, 1].map(|i: usize| {
                let (mesh, archive) = &files[i];
                let paths: &[&Path] = match of {
                    Of::Mesh => &[mesh],
                    Of::Archive => &[archive],
                    Of::Pair => &[mesh, &fewer[i]],
                };
                measure(verb, output, paths, &temp)
            });
            let (Some(one), Some(two)) = (one, two) else {
                println!("{shape:<28}{name:<18}{:>10}", "refused");
                continue;
            };
            // A run of 20 ms, or of as many million instructions, is mostly the start of the program.
            let ratio = if one >= if counted { 20_000 } else { 50 } { two as f64 / one as f64 } else { 0.0 };
            let mark = if ratio > 2.3 { "  !" } else { "" };
            println!("{shape:<28}{name:<18}{one:>10}{two:>10}{ratio:>8.2}{mark}");
        }
    }
}
