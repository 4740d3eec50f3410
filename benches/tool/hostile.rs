//! What small files that were made to hurt cost each verb: processor time and memory. `cargo bench --bench hostile [VERB]` prints the
//! dearest runs of each verb, and needs GNU `time`. `docs/limits.md` says what is promised.

use navmap_testkit::bombs::bombs;
use navmap_testkit::heavy::heavy;
use navmap_testkit::temp::Temp;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a verb is given.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    Archives,
    Meshes,
    /// A mesh, and the same with a byte changed.
    Pairs,
    /// Meshes of Source.
    Source,
    Plugins,
    Models,
    Maps,
    /// Scripts, on a mesh of many areas.
    Scripts,
}

impl Of {
    fn takes(self, name: &str, archive: bool) -> bool {
        let end = Path::new(name).extension().and_then(|end| end.to_str()).unwrap_or_default();
        let mesh = !archive && !matches!(end, "bsp" | "obj" | "glb" | "navscript" | "txt" | "csv");
        match self {
            Self::Archives => archive,
            Self::Meshes | Self::Pairs => mesh,
            Self::Source => mesh && end == "nav" && !name.starts_with("q-"),
            Self::Plugins => mesh && end == "esp",
            Self::Models => matches!(end, "obj" | "glb"),
            Self::Maps => end == "bsp",
            Self::Scripts => end == "navscript",
        }
    }
}

const VERBS: &[(Of, &[&str])] = &[
    (Of::Archives, &["scan", "-q", "-j1"]),
    (Of::Archives, &["scan", "-q", "--deep", "-j1"]),
    (Of::Archives, &["check", "-q", "-j1"]),
    (Of::Archives, &["list"]),
    (Of::Archives, &["list", "--meshes"]),
    (Of::Archives, &["extract", "--force", "-o", "out"]),
    (Of::Archives, &["info"]),
    (Of::Archives, &["draw", "--force", "-o", "out.png"]),
    (Of::Archives, &["tables", "-q", "-j1", "--force", "-o", "tables"]),
    (Of::Meshes, &["scan", "-q", "-j1"]),
    (Of::Meshes, &["scan", "-q", "--graph", "-j1"]),
    (Of::Meshes, &["check", "-q", "-j1"]),
    (Of::Meshes, &["info"]),
    (Of::Meshes, &["dump"]),
    (Of::Meshes, &["tables", "-q", "-j1", "--force", "-o", "tables"]),
    (Of::Meshes, &["tables", "-q", "-j1", "--strict", "--force", "-o", "tables"]),
    (Of::Meshes, &["draw", "--force", "-o", "out.svg"]),
    (Of::Meshes, &["draw", "--force", "--layer", "all", "-o", "out.png"]),
    (Of::Meshes, &["export", "--force", "-o", "out.glb"]),
    (Of::Meshes, &["export", "--force", "-o", "out.obj"]),
    (Of::Meshes, &["export", "--force", "-o", "out.geojson"]),
    (Of::Meshes, &["export", "--force", "-o", "out.graphml"]),
    (Of::Meshes, &["export", "--force", "-o", "out.navmesh"]),
    (Of::Meshes, &["view", "--force", "--html", "out.html"]),
    (Of::Meshes, &["path", "--table"]),
    (Of::Meshes, &["reach", "--each", "--format", "csv"]),
    (Of::Meshes, &["convert", "--force", "--to", "source-16", "-o", "out.nav"]),
    (Of::Meshes, &["convert", "--force", "--to", "nav3-6", "-o", "out.nav"]),
    (Of::Pairs, &["diff", "--all"]),
    (Of::Pairs, &["diff", "--draw", "diff.svg", "--force"]),
    (Of::Source, &["edit", "-c", "nav_crouch all; undo", "--force", "-o", "out.nav"]),
    (Of::Source, &["edit", "-c", "nav_delete all", "--force", "-o", "out.nav"]),
    (Of::Source, &["edit", "-c", "delete_overlapping", "--force", "-o", "out.nav"]),
    (Of::Source, &["edit", "-c", "nav_subdivide all", "--force", "-o", "out.nav"]),
    (Of::Source, &["edit", "-c", "nav_chop_selected all", "--force", "-o", "out.nav"]),
    (Of::Source, &["check", "--fix", "-q"]),
    (Of::Source, &["analyze", "--quick", "--force", "-o", "out.nav"]),
    (Of::Source, &["analyze", "--full", "--force", "-o", "out.nav"]),
    (Of::Source, &["slim", "--force", "-o", "out.nav"]),
    (Of::Plugins, &["fix", "--itm", "--force", "-o", "out.esp"]),
    (Of::Plugins, &["conflicts"]),
    (Of::Plugins, &["check", "--load-order", "-q"]),
    (Of::Models, &["convert", "--force", "--to", "source-16", "-o", "out.nav"]),
    (Of::Models, &["convert", "--force", "--to", "fox", "-o", "out.nav2"]),
    (Of::Maps, &["generate", "--game", "css", "--force", "-o", "out.nav"]),
    (Of::Maps, &["generate", "--game", "cz", "--force", "-o", "out.nav"]),
    (Of::Maps, &["build", "--force", "-o", "out.navmesh"]),
    (Of::Scripts, &["patch", "--force", "-o", "out.nav"]),
];

/// Seconds of the processor, and KiB at most.
fn cost(temp: &Temp, verb: &[&str], paths: &[&Path]) -> [f64; 2] {
    let mut timed = Command::new("time");
    timed.args(["-q", "-f", "%U %S %M", env!("CARGO_BIN_EXE_navmap")]).args(verb).args(paths);
    timed.current_dir(temp.path()).stdin(Stdio::null()).stdout(Stdio::null());
    let said = timed.output().expect("GNU time").stderr;
    let said = String::from_utf8_lossy(&said);
    assert!(!said.contains("Usage:"), "{said}");
    let last = said.lines().next_back().expect("a line of figures");
    let figures: Vec<f64> = last.split(' ').filter_map(|figure| figure.parse().ok()).collect();
    let [user, system, kib] = figures[..] else { panic!("{verb:?} {paths:?}: {said}") };
    [user + system, kib]
}

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let temp = Temp::new("hostile");
    let mut files: Vec<(String, Vec<u8>, bool)> =
        bombs().iter().map(|bomb| (bomb.name.to_owned(), bomb.bytes.clone(), true)).collect();
    files.extend(heavy().into_iter().map(|file| (file.name, file.bytes, false)));
    println!("{} files\n{:<44}{:>8}  {:<28}{:>8}  file", files.len(), "verb", "s", "file", "MiB");
    for (of, verb) in VERBS.iter().filter(|(_, verb)| verb.join(" ").contains(&wanted)) {
        let (mut slowest, mut largest) = ((0.0, ""), (0.0, ""));
        for (name, bytes, _) in files.iter().filter(|(name, _, archive)| of.takes(name, *archive)) {
            let path = temp.file(name, bytes);
            let other = match of {
                Of::Pairs => {
                    let mut changed = bytes.clone();
                    changed.iter_mut().skip(bytes.len() / 2).take(1).for_each(|byte| *byte ^= 1);
                    Some(temp.file(format!("changed-{name}"), &changed))
                }
                Of::Scripts => {
                    let mesh = files.iter().find(|(name, ..)| name == "many-areas.nav").expect("a mesh");
                    Some(temp.file("many-areas.nav", &mesh.1))
                }
                _ => None,
            };
            let mut paths = vec![path.as_path()];
            paths.extend(other.as_deref());
            if *of == Of::Scripts {
                paths.reverse();
            }
            let [seconds, kib] = cost(&temp, verb, &paths);
            if seconds >= slowest.0 {
                slowest = (seconds, name);
            }
            if kib >= largest.0 {
                largest = (kib, name);
            }
        }
        let (verb, mib) = (verb.join(" "), largest.0 / 1024.0);
        println!("{verb:<44}{:>8.2}  {:<28}{mib:>8.1}  {}", slowest.0, slowest.1, largest.1);
    }
}
