//! What archives that were made to hurt cost each verb: processor time and memory. `cargo bench --bench hostile` prints the
//! dearest run of each verb, and needs GNU `time`. `docs/limits.md` promises two seconds and 64 MB.

use navmap_testkit::bombs::bombs;
use navmap_testkit::temp::Temp;
use std::process::{Command, Stdio};

const VERBS: &[&[&str]] = &[
    &["scan", "-q", "-j1"],
    &["scan", "-q", "--deep", "-j1"],
    &["check", "-q", "-j1"],
    &["list"],
    &["list", "--meshes"],
    &["extract", "--force", "-o", "out"],
    &["info"],
];

fn main() {
    let temp = Temp::new("hostile");
    let bombs = bombs();
    println!("{} archives\n{:<44}{:>8}  {:<22}{:>8}  archive", bombs.len(), "verb", "s", "archive", "MiB");
    for verb in VERBS {
        let (mut slowest, mut largest) = ((0.0, ""), (0.0, ""));
        for bomb in bombs {
            let path = temp.file(bomb.name, &bomb.bytes);
            let mut timed = Command::new("time");
            timed.args(["-q", "-f", "%U %S %M", env!("CARGO_BIN_EXE_navmap")]).args(*verb).arg(path);
            timed.current_dir(temp.path()).stdin(Stdio::null()).stdout(Stdio::null());
            let said = timed.output().expect("GNU time").stderr;
            let said = String::from_utf8_lossy(&said);
            assert!(!said.contains("Usage:"), "{said}");
            let last = said.lines().next_back().expect("a line of figures");
            let figures: Vec<f64> = last.split(' ').filter_map(|figure| figure.parse().ok()).collect();
            let [user, system, kib] = figures[..] else { panic!("{verb:?} {}: {said}", bomb.name) };
            if user + system >= slowest.0 {
                slowest = (user + system, bomb.name);
            }
            if kib >= largest.0 {
                largest = (kib, bomb.name);
            }
        }
        let (verb, mib) = (verb.join(" "), largest.0 / 1024.0);
        println!("{verb:<44}{:>8.2}  {:<22}{mib:>8.1}  {}", slowest.0, slowest.1, largest.1);
    }
}
