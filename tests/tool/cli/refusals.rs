//! Options that would do nothing for what is asked: each is refused by its name, and nothing is written.

use crate::{navmap, text};
use navmap_testkit::archive;
use navmap_testkit::temp::Temp;
use std::fs;

const TOWN: &str = "corpus/source/town.nav";
const QUAKE: &str = "corpus/quake/nav3-v6.nav";
const VILLAGE: &str = "corpus/skyrim/se/village.esp";
const ORDER: &str = "corpus/skyrim/order";

/// Options, the words before them, and what is said. `OUT` stands for a path in a folder of the test's own.
type Row = (&'static [&'static str], &'static str, &'static str);

const CLASH: &str = "cannot be used with";

const ROWS: &[Row] = &[
    (&["draw", "corpus/quake", "-o", "OUT.svg"], "--space Nowhere", "--space: has no meaning for a sheet"),
    (&["draw", "OUT.pak", "-o", "OUT.svg"], "--space Nowhere", "--space: has no meaning for a sheet"),
    (&["draw", "corpus/quake", "-o", "OUT.svg"], "--fit", "--fit: has no meaning for a sheet"),
    (&["draw", VILLAGE, "-o", "OUT.svg"], "--size 800x600", "--size: has no meaning for a sheet"),
    (&["draw", TOWN, "-o", "OUT.svg"], "--columns 3", "--columns: has no meaning for a picture of one"),
    (&["draw", TOWN, "-o", "OUT.svg"], "--rows 2", "--rows: has no meaning for a picture of one"),
    (&["draw", TOWN, "-o", "OUT.svg"], "--thumbnail 99", "--thumbnail: has no meaning for a picture of one"),
    (
        &["draw", TOWN, "-o", "OUT.svg", "--size", "800"],
        "--fit",
        "--fit: has no meaning for a picture of one",
    ),
    (&["draw", TOWN, "-o", "OUT.svg", "--points", "OUT.csv"], "--cell 3", "--cell: is for --by cell and"),
    (&["draw", TOWN, "-o", "OUT.svg", "--points", "OUT.csv", "--by", "area"], "--cell 3", "--cell: is for"),
    (
        &["draw", TOWN, "-o", "OUT.svg", "--points", "OUT.csv", "--panels", "x"],
        "--rows 2",
        "--rows: has no meaning for a page of panels",
    ),
    (&["diff", TOWN, TOWN, "--script"], "--neutral", CLASH),
    (&["diff", TOWN, TOWN, "--script"], "--exact", CLASH),
    (&["diff", VILLAGE, VILLAGE, "--script"], "--space X", CLASH),
    (&["diff", TOWN, TOWN, "--format", "jsonl"], "--stat", "--stat: is a line for a person"),
    (&["diff", TOWN, TOWN], "--force", "--draw"),
    (&["locate", TOWN, "-"], "--points-from OUT.csv", "--points-from: names a file"),
    (&["path", TOWN, "--table", "-"], "--spots-from OUT.csv", "--spots-from: names a file"),
    (&["path", TOWN, "--table"], "--partial", CLASH),
    (&["locate", TOWN, "1,2,3"], "--data nowhere", "--data: is where the plugins of a list"),
    (
        &["edit", QUAKE, "-c", "undo"],
        "--game-exact",
        "--game-exact: has no meaning for meshes of the kind quake",
    ),
    (&["edit", QUAKE, "-c", "undo"], "--keep", "--keep: has no meaning"),
    (&["edit", QUAKE, "-c", "undo"], "--keep-tail", "--keep-tail: has no meaning"),
    (&["edit", QUAKE, "-c", "undo"], "--places nowhere", "--places: has no meaning"),
    (&["analyze", TOWN, "--only", "hiding"], "--quick", CLASH),
    (&["analyze", TOWN, "--only", "hiding"], "--full", CLASH),
    (&["convert", "OUT.obj", "-o", "OUT.nav2"], "--grid 32", "--grid: is of the map of a tile"),
    (&["convert", "OUT.obj", "-o", "OUT.nav2"], "--as quake", "--as: has no meaning for a .nav2"),
    (&["convert", "OUT.obj", "-o", "OUT.nav2"], "--lenient", "--lenient: has no meaning for a .nav2"),
    (&["generate", "OUT.bsp", "-o", "OUT.nav"], "--game l4d2", "Left 4 Dead 2 mark areas"),
    (&["generate", "OUT.bsp", "-o", "OUT.nav"], "--game l4d", "no mesh is made for them"),
    (&["check", TOWN, "--fix"], "--format jsonl", CLASH),
    (&["check", TOWN, "--fix"], "--least error", CLASH),
    (&["check", TOWN, "--fix"], "--strict", CLASH),
    (&["check", TOWN, "--fix"], "--all", CLASH),
    (&["check", TOWN, "--fix"], "--deep", CLASH),
    (&["check", TOWN, "--fix"], "--threads 2", CLASH),
    (&["check", TOWN, "--fix"], "--unordered", CLASH),
    (&["check", "--load-order", ORDER], "--fix", "--fix: mends one mesh after the other: `navmap fix`"),
    (&["check", "--load-order", ORDER], "--mesh OUT.csv", CLASH),
    (&["check", "--load-order", ORDER], "--deep", CLASH),
    (&["check", "--load-order", ORDER], "--threads 2", CLASH),
    (&["check", "--load-order", ORDER], "--unordered", CLASH),
    (&["conflicts", ORDER], "--light", "--output"),
    (&["info", VILLAGE, "--flags"], "--records", CLASH),
    #[cfg(feature = "build")]
    (&["build", "OUT.glb", "-o", "OUT.navmesh"], "--up z", "--up: has no meaning for a .glb"),
    #[cfg(feature = "build")]
    (&["build", "OUT.glb", "-o", "OUT.navmesh"], "--unit 0.01", "--unit: has no meaning for a .glb"),
    #[cfg(feature = "build")]
    (&["build", "OUT.glb", "-o", "OUT.navmesh"], "--models game", "--models: has no meaning for a .glb"),
    #[cfg(feature = "build")]
    (&["build", "OUT.obj", "-o", "OUT.navmesh"], "--models game", "--models: has no meaning for an .obj"),
    #[cfg(feature = "build")]
    (&["build", "OUT.bsp", "-o", "OUT.navmesh"], "--up y", "--up: has no meaning for a map"),
    #[cfg(feature = "build")]
    (&["build", "OUT.bsp", "-o", "OUT.navmesh"], "--unit 1", "--unit: has no meaning for a map"),
];

#[test]
fn what_would_do_nothing_is_refused_by_its_name() {
    let temp = Temp::new("refusals");
    let town = fs::read(navmap_testkit::corpus::bundled().join("source/town.nav")).unwrap();
    temp.file("OUT.pak", &archive::pak(&[(b"maps/a.nav", &town), (b"maps/b.nav", &town)]));
    temp.file("OUT.csv", b"x,y,z\n1,2,3\n");
    temp.file("OUT.obj", b"v 0 0 0\nv 4 0 0\nv 4 0 4\nv 0 0 4\nf 1 4 3 2\n");
    let count = || fs::read_dir(temp.path()).unwrap().count();
    let before = count();
    for (base, option, why) in ROWS {
        let place = |word: &&str| match word.strip_prefix("OUT") {
            Some(end) => temp.join(format!("OUT{end}")).to_str().unwrap().to_owned(),
            None => (*word).to_owned(),
        };
        let plain: Vec<String> = base.iter().map(place).collect();
        let more: Vec<String> = option.split(' ').map(|word| place(&word)).collect();
        let words: Vec<&str> = plain.iter().chain(&more).map(String::as_str).collect();
        let done = navmap(&words);
        let said = text(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{base:?} {option}: {said}");
        assert!(said.contains(why) && done.stdout.is_empty(), "{base:?} {option}: {said}");
        let name = option.split(' ').next().unwrap();
        assert!(said.contains(name), "{base:?} {option} names it: {said}");
        assert_eq!(count(), before, "{base:?} {option} writes nothing");
    }
}
