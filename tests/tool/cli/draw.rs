//! `navmap draw` as it is typed.

use navmap_testkit::archive;
use navmap_testkit::corpus::bundled;
use navmap_testkit::temp::Temp;
use std::process::{Command, Output};

fn draw(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_navmap")).args(["draw", "--force"]).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_file_becomes_a_picture_and_a_folder_a_sheet() {
    let folder = Temp::new("draw-sheet");
    let out = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let town = bundled().join("source/town.nav");
    let done =
        draw(&[town.to_str().unwrap(), "-o", &out("town.svg"), "--color", "place", "--layer", "links,spots"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(std::fs::read_to_string(out("town.svg")).unwrap().contains(">town<"));

    let done = draw(&[bundled().join("hostile/source").to_str().unwrap(), "-o", &out("sheet.png")]);
    assert_eq!(done.status.code(), Some(1), "some cannot be read to their end");
    assert!(text(&done.stderr).contains("source/cut-in-area.nav: area "), "{}", text(&done.stderr));
    assert!(std::fs::read(out("sheet.png")).unwrap().starts_with(b"\x89PNG"));

    let done = draw(&[bundled().join("fox/set").to_str().unwrap(), "-o", &out("set.svg")]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(
        std::fs::read_to_string(out("set.svg")).unwrap().contains("9 tiles"),
        "one picture of the whole map"
    );

    let village = bundled().join("skyrim/se/village.esp");
    let done = draw(&[village.to_str().unwrap(), "-o", &out("spaces.svg")]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let spaces = std::fs::read_to_string(out("spaces.svg")).unwrap();
    assert!(
        spaces.contains(">worldspace TestWorld (01000801)<") && spaces.contains(">cell "),
        "a thumbnail for each space"
    );
}

#[test]
fn points_are_shown_over_a_mesh() {
    let folder = Temp::new("draw-points");
    let out = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let town = bundled().join("source/town.nav");
    let town = town.to_str().unwrap();
    let points = out("kills.csv");
    std::fs::write(&points, "tick,x,y,z\n1,100,-250,64\n2,100,-250,64\n3,-300,40,64\n").unwrap();
    let svg = |by: &[&str]| {
        let name = out(&format!("points{}.svg", by.join("")));
        let done = draw(&[&[town, "-o", &name, "--points", &points][..], by].concat());
        assert!(done.status.success(), "{by:?}: {}", text(&done.stderr));
        std::fs::read_to_string(name).unwrap()
    };
    let plain = {
        assert!(draw(&[town, "-o", &out("plain.svg"), "--color", "plain"]).status.success());
        std::fs::read_to_string(out("plain.svg")).unwrap()
    };
    let area = svg(&["--by", "area"]);
    assert!(area.contains(">points<") && area.contains(">2<") && area.contains(">0<"), "a scale from 0 to 2");
    assert!(svg(&["--by", "density", "--cell", "80"]).contains(">points a square unit<"));
    let cells = svg(&["--by", "cell", "--cell", "64", "--clip", "0..1"]);
    assert!(cells.contains(">\u{2265} 1<"), "one cell is beyond the scale");
    assert!(svg(&["--by", "cell", "--log"]).contains(">1<"));
    assert_ne!(svg(&[]), plain);
    // What lies beyond the mesh is told, and refused if it is all that there is.
    std::fs::write(&points, "x,y,z\n100,-250,64\n900000,0,64\n").unwrap();
    for by in ["point", "area", "cell", "density"] {
        let done = draw(&[town, "-o", &out(&format!("far-{by}.svg")), "--points", &points, "--by", by]);
        assert_eq!(done.status.code(), Some(0), "{by}: {}", text(&done.stderr));
        let place = if by == "area" { "in no area" } else { "beyond the mesh" };
        assert!(text(&done.stderr).contains(&format!("1 of 2 points lie {place}")), "{}", text(&done.stderr));
    }
    std::fs::write(&points, "x,y,z\n0,900000,64\n900000,0,64\n").unwrap();
    let done = draw(&[town, "-o", &out("far.svg"), "--points", &points]);
    assert_eq!(done.status.code(), Some(2));
    assert!(text(&done.stderr).contains("all 2 lie beyond the mesh: other axes"), "{}", text(&done.stderr));
    // A row without a position costs no other.
    std::fs::write(&points, "tick,x,y,z\n1,100,-250,64\n2,,,\n3,NaN,1,2\n").unwrap();
    let done = draw(&[town, "-o", &out("gap.svg"), "--points", &points, "--values", "tick"]);
    let said = text(&done.stderr);
    assert!(
        done.status.code() == Some(0) && said.contains("2 rows have no position, and are not shown"),
        "{said}"
    );
    std::fs::write(&points, "x,y\n1,2\n").unwrap();
    let refused = |args: &[&str], words: &str| {
        let done = draw(&[&[town, "-o", &out("no.svg")][..], args].concat());
        assert_eq!(done.status.code(), Some(2), "{args:?}");
        assert!(text(&done.stderr).contains(words), "{args:?}: {}", text(&done.stderr));
    };
    refused(&["--points", &points], "names no columns x, y and z");
    std::fs::write(&points, "1,2,3\n").unwrap();
    refused(&["--points", &points, "--by", "cell", "--cell", "0"], "is a length above 0");
    refused(&["--points", &points, "--log", "--clip", "0..9"], "above 0 with --log");
    refused(&["--points", &out("none.csv")], "none.csv");
    refused(&["--by", "cell"], "--points");
    let many = bundled().join("hostile/source");
    let done = draw(&[many.to_str().unwrap(), "-o", &out("no.svg"), "--points", &points]);
    assert!(
        done.status.code() == Some(2) && text(&done.stderr).contains("over one mesh"),
        "{}",
        text(&done.stderr)
    );
}

#[test]
fn events_have_values_tracks_and_panels() {
    let folder = Temp::new("draw-events");
    let out = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let town = bundled().join("source/town.nav");
    let town = town.to_str().unwrap();
    let events = out("events.csv");
    let rows = "tick,x,y,z,who,round,hits\n\
        30,100,-250,64,\"Bob, the first\",one,1\n10,100,-100,64,\"Bob, the first\",one,2\n\
        20,-300,40,64,Ann,two,8\n40,-200,40,64,Ann,two,\n";
    std::fs::write(&events, rows).unwrap();
    let done = |args: &[&str]| draw(&[&[town, "-o", &out("e.svg"), "--points", &events][..], args].concat());
    let svg = |args: &[&str]| {
        let done = done(args);
        assert!(done.status.success(), "{args:?}: {}", text(&done.stderr));
        std::fs::read_to_string(out("e.svg")).unwrap()
    };
    let summed = svg(&["--by", "cell", "--value", "hits", "--cell", "64"]);
    assert!(
        summed.contains(">hits<") && summed.contains(">8<"),
        "values are added up, and an empty one is none"
    );
    let ways = svg(&["--by", "track", "--value", "tick", "--track", "who"]);
    assert!(ways.contains(">tick<") && ways.contains(">40<") && ways.contains(">10<"));
    assert_ne!(ways, svg(&["--by", "track", "--value", "tick"]), "those of two are not joined");
    let panels =
        svg(&["--by", "cell", "--cell", "64", "--value", "hits", "--panels", "round", "--columns", "2"]);
    for words in [">one<", ">two<", ">hits 0 to 8<"] {
        assert!(panels.contains(words), "{words}");
    }
    let refused = |args: &[&str], words: &str| {
        let done = done(args);
        assert_eq!(done.status.code(), Some(2), "{args:?}");
        assert!(text(&done.stderr).contains(words), "{args:?}: {}", text(&done.stderr));
    };
    refused(&["--value", "damage"], "names no column damage");
    refused(&["--value", "who"], "line: 2 has a value that is no number: Bob, the first");
    refused(&["--track", "who"], "is for --by track");
    refused(&["--panels", "round", "--around", "#1"], "--panels");
    let many: String = (0..65).map(|n| format!("1,2,3,{n}\n")).collect();
    std::fs::write(&events, format!("x,y,z,round\n{many}")).unwrap();
    refused(&["--panels", "round"], "65 names");
    for (line, words) in [
        (r#"{"x":1,"y":2,"z":3,"round":1,"x":9}"#, "line: 2 has the field x twice"),
        (r#"{"x":1,"y":1e39,"z":3,"round":1}"#, "line: 2 has a coordinate y beyond the largest number"),
        (r#"{"x":1,"y":2,"z":1e400,"round":1}"#, "line: 2 is no JSON: z: number out of range"),
        (r#"{"x":1,"y":2,"round":1}"#, "line: 2 holds no numbers x, y and z: its z is none"),
        (
            r#"{"x":1,"y":2,"z":3,"round":"1e999"}"#,
            "line: 2 has a value beyond the largest number: 1e999, in column round",
        ),
    ] {
        std::fs::write(&events, format!("{{\"x\":1,\"y\":2,\"z\":3,\"round\":1}}\n{line}\n")).unwrap();
        refused(&["--by", "cell", "--value", "round"], words);
        refused(&["--by", "cell", "--value", "round"], "events.csv: ");
    }
    let parquet = out("events.parquet");
    std::fs::write(&parquet, "no Parquet").unwrap();
    let words = if cfg!(feature = "parquet") { "events.parquet" } else { "--features full" };
    let done = draw(&[town, "-o", &out("p.svg"), "--points", &parquet]);
    assert!(done.status.code() == Some(2) && text(&done.stderr).contains(words), "{}", text(&done.stderr));
}

/// Seconds since 1970, of which a float of 32 bits knows every 128th.
#[test]
fn times_of_events_keep_their_seconds() {
    let folder = Temp::new("draw-times");
    let town = bundled().join("source/town.nav");
    let rows = "time,x,y,z\n1700000000,100,-250,64\n1700000004,100,-100,64\n1700000010,-300,40,64\n";
    let events = folder.file("times.csv", rows.as_bytes());
    let out = folder.join("times.svg");
    let svg = |more: &[&str]| {
        let (town, events, out) = (town.to_str().unwrap(), events.to_str().unwrap(), out.to_str().unwrap());
        let points = [town, "-o", out, "--points", events, "--by", "track", "--value", "time"];
        let done = draw(&[&points[..], more].concat());
        assert!(done.status.success(), "{more:?}: {}", text(&done.stderr));
        std::fs::read_to_string(out).unwrap()
    };
    let whole = svg(&[]);
    assert!(whole.contains(">1,700,000,000<") && whole.contains(">1,700,000,010<"));
    let begun = svg(&["--clip", "1700000000..1700000005"]);
    assert!(begun.contains(">\u{2265} 1,700,000,005<"), "the ends of the scale are as exact");
}

#[cfg(all(feature = "parquet", feature = "sql"))]
#[test]
fn events_are_read_from_parquet() {
    let folder = Temp::new("draw-parquet");
    let out = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let town = bundled().join("source/town.nav");
    let town = town.to_str().unwrap();
    let query =
        "SELECT 100.0 AS x, -250.0 AS y, 64.0 AS z, 7 AS hits UNION ALL SELECT 100.0, -250.0, 64.0, 5";
    let made = super::navmap(&["sql", query, town, "--format", "parquet", "-o", &out("e.parquet")]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let args = ["--by", "cell", "--cell", "64", "--value", "hits"];
    let done = draw(&[&[town, "-o", &out("e.svg"), "--points", &out("e.parquet")][..], &args].concat());
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(std::fs::read_to_string(out("e.svg")).unwrap().contains(">12<"), "7 and 5 in one cell");
}

#[test]
fn values_that_a_file_tells_of_nodes_are_colours() {
    let folder = Temp::new("draw-values");
    let out = folder.join("cover.svg");
    let coloured = |file: &str, name: &str| {
        let file = bundled().join(file);
        draw(&[file.to_str().unwrap(), "-o", out.to_str().unwrap(), "--color", name])
    };
    for (file, name) in
        [("xray/v10.ai", "cover"), ("xray/v8.ai", "cover_standing"), ("source/town.nav", "light")]
    {
        let done = coloured(file, name);
        assert!(done.status.success(), "{}", text(&done.stderr));
        let picture = std::fs::read_to_string(&out).unwrap();
        assert!(picture.contains(&format!(">{name}<")), "{file}: the key names the value");
    }
    for (name, words) in [
        ("mood", "mood is neither height, place, island, flag, group, plain, cover, cover_standing,"),
        ("cover_crouching", "cover_crouching is neither"),
    ] {
        let done = coloured("xray/v8.ai", name);
        assert_eq!(done.status.code(), Some(2), "{name}");
        assert!(text(&done.stderr).contains(words), "{name}: {}", text(&done.stderr));
    }
}

#[test]
fn a_kind_of_link_is_left_out() {
    let folder = Temp::new("draw-kinds");
    let out = folder.join("areas.svg");
    let areas = bundled().join("aas/v5.aas");
    let picture = |layer: &str| {
        let size = ["--color", "plain", "--size", "900x1400", "--layer", layer];
        let done = draw(&[&[areas.to_str().unwrap(), "-o", out.to_str().unwrap()][..], &size].concat());
        assert!(done.status.success(), "{}", text(&done.stderr));
        std::fs::read_to_string(&out).unwrap()
    };
    let all = picture("traversals");
    assert!(all.contains(">barrier jump<") && all.contains(">walk off ledge<") && all.contains(">jump pad<"));
    let fewer = picture("no-jump,no-drop");
    assert!(!fewer.contains(">barrier jump<") && !fewer.contains(">walk off ledge<"));
    assert!(fewer.contains(">jump pad<"), "others stay");
}

#[test]
fn what_cannot_be_drawn_is_said_and_nothing_is_written() {
    let folder = Temp::new("draw-refusals");
    let out = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let town = bundled().join("source/town.nav");
    let town = town.to_str().unwrap();
    let refused = |args: &[&str], words: &str| {
        let done = draw(args);
        assert_eq!(done.status.code(), Some(2), "{args:?}");
        assert!(text(&done.stderr).contains(words), "{args:?}: {}", text(&done.stderr));
    };
    refused(&[town, "-o", &out("town.jpg")], "has to end in .svg or .png");
    refused(&[town, "-o", &out("town.svg"), "--color", "mood"], "mood is neither");
    refused(&[town, "-o", &out("town.svg"), "--floor", "100..-100"], "100 is above -100");
    refused(
        &[town, "-o", &out("town.svg"), "--floor", "9000..9001"],
        "nothing lies from 9000 to 9001; the mesh",
    );
    refused(
        &[town, "-o", &out("town.svg"), "--hull", "3"],
        "only node graphs and meshes of Source 2 have hulls",
    );
    refused(&[town, "-o", &out("town.svg"), "--color", "crouch,mood"], "crouch,mood is neither");
    let plain = bundled().join("source/v1.nav");
    refused(
        &[plain.to_str().unwrap(), "-o", &out("v1.svg"), "--color", "place"],
        "nothing to tell apart by place",
    );
    let set = bundled().join("fox/set");
    refused(&[set.to_str().unwrap(), "-o", &out("set.svg"), "--space", "moon"], "moon; there are: plain_nav");
    refused(
        &[town, "-o", &out("town.svg"), "--layer", "ghosts"],
        "'ghosts' for '--layer <LAYER>'\n  [possible values: links, one-way",
    );
    refused(&[town, "-o", &out("town.svg"), "--size", "9"], "64 to 16384");
    refused(&[town, "-o", &out("town.svg"), "--box", "1,2,3"], "four numbers");
    let village = bundled().join("skyrim/se/village.esp");
    let village = village.to_str().unwrap();
    refused(
        &[village, "-o", &out("cell.svg"), "--space", "moon"],
        "moon; there are: worldspace TestWorld (01000801), cell TestCell (01000820), cell TestCell (0001A26F)",
    );
    refused(
        &[village, "-o", &out("cell.svg"), "--space", "testcell"],
        "may be any of: cell TestCell (01000820)",
    );
    refused(&[village, "-o", &out("cell.svg"), "--space", "20"], "none is called 20;");
    // Its version ends in 2, which is no name of a space.
    let v16_2 = bundled().join("source/v16-2-tf2.nav");
    refused(&[v16_2.to_str().unwrap(), "-o", &out("tf2.svg"), "--space", "2"], "none is called 2");
    let hulls = bundled().join("source/v35-1.nav");
    refused(&[hulls.to_str().unwrap(), "-o", &out("hull.svg"), "--hull", "7"], "number 7, the mesh has 2");
    refused(&[folder.path().to_str().unwrap(), "-o", &out("none.svg")], "holds no navigation mesh");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was written");
}

#[cfg(unix)]
#[test]
fn what_a_folder_names_and_does_not_hold_is_told_beside_the_sheet() {
    let folder = Temp::new("draw-dangling");
    folder.file("town.nav", &std::fs::read(bundled().join("source/town.nav")).unwrap());
    std::os::unix::fs::symlink("nowhere", folder.join("gone.nav")).unwrap();
    let sheet = folder.join("sheet.svg");
    let done = draw(&[folder.path().to_str().unwrap(), "-o", sheet.to_str().unwrap()]);
    assert_eq!(done.status.code(), Some(1));
    assert!(text(&done.stderr).contains("gone.nav: No such file"), "{}", text(&done.stderr));
    assert!(std::fs::read_to_string(&sheet).unwrap().contains(">town<"));
}

#[test]
fn a_sheet_of_an_archive_names_the_member_that_is_broken() {
    let folder = Temp::new("draw-archive");
    let read = |path: &str| std::fs::read(bundled().join(path)).unwrap();
    let (good, cut) = (read("source/town.nav"), read("hostile/source/cut-in-area.nav"));
    let pak = archive::pak(&[(b"maps/good.nav", &good), (b"maps/cut.nav", &cut)]);
    let archive = folder.file("pak0.pak", &pak);
    let sheet = folder.join("sheet.SVG");
    let done = draw(&[archive.to_str().unwrap(), "-o", sheet.to_str().unwrap()]);
    assert_eq!(done.status.code(), Some(1));
    assert!(text(&done.stderr).contains("pak0.pak!maps/cut.nav: area "), "{}", text(&done.stderr));
    let svg = std::fs::read_to_string(&sheet).unwrap();
    assert!(svg.contains(">good<") && svg.contains(">cut<") && svg.contains("2 maps"));
}

#[test]
fn what_no_map_of_a_sheet_knows_is_refused() {
    let folder = Temp::new("draw-sheet-options");
    let sheet = folder.join("sheet.svg");
    let of = |path: &str, option: &[&str]| {
        let path = bundled().join(path);
        draw(&[&[path.to_str().unwrap(), "-o", sheet.to_str().unwrap()], option].concat())
    };
    // Of the hostile ones some cannot be read at all.
    for maps in ["source", "hostile"] {
        let done = of(maps, &["--color", "mood"]);
        assert_eq!(done.status.code(), Some(2), "{maps}");
        assert!(text(&done.stderr).contains("mood is neither"), "{}", text(&done.stderr));
        assert!(!sheet.exists());
    }
    // A flag of Bethesda meshes, which the other meshes of the sheet do not know.
    let drawn = |option: &[&str]| {
        let done = of("", option);
        assert_eq!(done.status.code(), Some(1), "hostile files are on it: {}", text(&done.stderr));
        std::fs::read_to_string(&sheet).unwrap()
    };
    assert_ne!(drawn(&["--color", "water"]), drawn(&[]));
}

#[test]
fn a_floor_or_a_hull_that_no_map_of_a_sheet_has_is_refused() {
    let folder = Temp::new("draw-sheet-fits");
    for name in ["town.nav", "v35-1.nav"] {
        folder.file(name, &std::fs::read(bundled().join("source").join(name)).unwrap());
    }
    let plain = Temp::new("draw-sheet-plain");
    plain.file("town.nav", &std::fs::read(bundled().join("source/town.nav")).unwrap());
    let out = Temp::new("draw-sheet-out");
    let sheet = out.join("sheet.svg");
    let refused = |maps: &Temp, option: [&str; 2], words: &str| {
        let maps = maps.path().to_str().unwrap();
        let done = draw(&[maps, "-o", sheet.to_str().unwrap(), option[0], option[1]]);
        assert_eq!(done.status.code(), Some(2), "{option:?}");
        assert!(text(&done.stderr).contains(words) && !sheet.exists(), "{option:?}: {}", text(&done.stderr));
    };
    refused(&folder, ["--floor", "90000..90001"], "nothing lies from 90000 to 90001; the maps reach from ");
    refused(&folder, ["--hull", "7"], "there is none of number 7, the maps have at most 2");
    refused(
        &plain,
        ["--hull", "1"],
        "only node graphs and meshes of Source 2 have hulls, none of these maps has one",
    );
    refused(&folder, ["--color", "crouch,mood"], "no map here knows the flag mood");
    let done = draw(&[
        folder.path().to_str().unwrap(),
        "-o",
        sheet.to_str().unwrap(),
        "--hull",
        "1",
        "--color",
        "crouch",
    ]);
    assert!(done.status.success(), "one map has it: {}", text(&done.stderr));
}

#[test]
fn a_sheet_of_many_maps_has_pages() {
    let out = Temp::new("draw-pages");
    let sheet = out.join("all.svg");
    let maps = bundled().join("quake");
    let done = draw(&[
        maps.to_str().unwrap(),
        "-o",
        sheet.to_str().unwrap(),
        "--columns",
        "2",
        "--rows",
        "1",
        "--thumbnail",
        "200",
    ]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let pages = std::fs::read_dir(out.path()).unwrap().count();
    assert!(pages > 2 && text(&done.stderr).starts_with(&format!("{pages} pages written, ")), "{pages}");
    let second = std::fs::read_to_string(out.join("all-2.svg")).unwrap();
    assert!(second.contains(&format!("page 2 of {pages}")));
}

#[test]
fn a_damaged_file_is_drawn_and_counts_as_a_finding() {
    let folder = Temp::new("draw-damaged");
    let out = folder.join("cut.png");
    let cut = bundled().join("hostile/source/cut-in-area.nav");
    let done =
        draw(&[cut.to_str().unwrap(), "-o", out.to_str().unwrap(), "--size", "400x300", "--fit", "--dark"]);
    assert_eq!(done.status.code(), Some(1));
    assert!(text(&done.stderr).contains("area "), "{}", text(&done.stderr));
    assert!(out.is_file());
}

#[test]
fn a_box_without_a_part_of_the_mesh_is_refused() {
    let folder = Temp::new("draw-box");
    let out = folder.join("out.svg");
    let out = out.to_str().unwrap();
    let [town, fox] = ["source/town.nav", "fox/standalone.nav2"].map(|mesh| bundled().join(mesh));
    for mesh in [town.to_str().unwrap(), fox.to_str().unwrap(), bundled().join("source").to_str().unwrap()] {
        let done = draw(&[mesh, "--box", "90000,90000,99000,99000", "-o", out]);
        assert_eq!(done.status.code(), Some(2), "{mesh}");
        assert!(text(&done.stderr).contains("--box: nothing lies in it; the m"), "{}", text(&done.stderr));
    }
    // Corners may come in any order.
    let done = draw(&[town.to_str().unwrap(), "--box", "400,300,-1000,-500", "-o", out]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
}

#[test]
fn a_picture_of_a_hundred_million_pixels_is_announced() {
    let folder = Temp::new("draw-large");
    let out = folder.join("large.svg");
    let town = bundled().join("source/town.nav");
    let drawn = |size: &str| {
        let done = draw(&[town.to_str().unwrap(), "-o", out.to_str().unwrap(), "--size", size]);
        assert!(done.status.success(), "{}", text(&done.stderr));
        text(&done.stderr)
    };
    assert!(drawn("16000x9000").contains("the picture is 16,000 x 9,000, 144 million pixels: many programs"));
    assert_eq!(drawn("1600x900"), "");
}

#[test]
fn a_picture_that_one_far_island_leaves_nearly_empty_says_which_box_is_not() {
    let folder = Temp::new("draw-far");
    let (far, out) = (folder.join("far.nav"), folder.join("out.svg"));
    let (far, out) = (far.to_str().unwrap(), out.to_str().unwrap());
    let town = bundled().join("source/town.nav");
    let moved = ["edit", town.to_str().unwrap(), "-c", "move 60000 60000 0 #1", "-o", far];
    let made = Command::new(env!("CARGO_BIN_EXE_navmap")).args(moved).output().unwrap();
    assert!(made.status.success(), "{}", text(&made.stderr));
    let said = |args: &[&str]| {
        let done = draw(&[args, &["-o", out]].concat());
        assert!(done.status.success(), "{}", text(&done.stderr));
        text(&done.stderr)
    };
    let hint = said(&[far]);
    assert!(hint.contains("most of the picture is empty: 95 % of its areas lie in --box -"), "{hint}");
    let of_box = hint.trim().rsplit(' ').next().unwrap();
    for args in [&[town.to_str().unwrap()][..], &[far, "--box", of_box], &[far, "--around", "#1"]] {
        assert!(!said(args).contains("empty"), "{args:?}");
    }
}
