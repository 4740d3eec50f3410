//! `navmap locate`, `path` and `reach`: what they print for meshes of every kind, and how they end.

use super::{Temp, archive, fs, navmap, project, text};
use serde_json::Value;
use std::io::Write;
use std::process::{Command, Output, Stdio};

const TOWN: &str = "corpus/source/town.nav";

/// The rows of a run in JSON, its messages and its exit status.
fn asked(args: &[&str]) -> (Vec<Value>, String, i32) {
    answered(&navmap(&[args, &["--format", "jsonl"]].concat()))
}

fn answered(done: &Output) -> (Vec<Value>, String, i32) {
    let rows = text(&done.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (rows, text(&done.stderr), done.status.code().unwrap())
}

fn fed(args: &[&str], input: &str) -> Output {
    let mut run = Command::new(env!("CARGO_BIN_EXE_navmap"))
        .args(args)
        .current_dir(project())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    run.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    run.wait_with_output().unwrap()
}

#[test]
fn an_id_is_taken_as_it_is_printed() {
    for (mesh, first, last, gone) in [
        ("corpus/skyrim/le/village.esp", "01000902#1", "01000902#30", "01000902#99999"),
        ("corpus/fox/standalone.nav2", "F#4.1", "F#4.60", "F#4.99999"),
        ("corpus/source/town.nav", "#1", "#9", "#99999"),
    ] {
        let (rows, said, status) = asked(&["path", mesh, first, last]);
        assert_eq!(status, 0, "{mesh}: {said}");
        let ids: Vec<String> = rows.iter().map(|row| row["id"].to_string().replace('"', "")).collect();
        let typed = |id: &str| if id.contains('#') { id.to_owned() } else { format!("#{id}") };
        assert_eq!(
            (typed(&ids[0]), typed(ids.last().unwrap())),
            (first.to_owned(), last.to_owned()),
            "{mesh}"
        );
        let between = typed(&ids[ids.len() / 2]);
        let (_, said, status) = asked(&["path", mesh, first, last, "--avoid", &between, "--partial"]);
        assert!(status < 2, "{mesh}: {between}: {said}");
        // What there is not is named in the same way.
        let (_, said, status) = asked(&["path", mesh, first, gone]);
        assert!(status == 2 && said.contains("there is no "), "{mesh}: {gone}: {said}");
    }
}

#[test]
fn a_file_that_is_sorted_by_place_answers_as_an_index_does() {
    const LEVEL: &str = "corpus/xray/v10.ai";
    // On the grid, on the upper of two floors, in a wall, beside everything.
    let points = ["0.7,0.1,1.3", "0,4,3.5", "2.1,0,0", "-5,0,0"];
    let (rows, said, status) = asked(&[&["locate", LEVEL][..], &points[..]].concat());
    assert_eq!(status, 1, "{said}");
    let ids: Vec<Option<u64>> = rows.iter().map(|row| row["id"].as_u64()).collect();
    assert_eq!(ids, [Some(9), Some(6), None, None], "{rows:?}");
    assert!(rows[0]["index"] == 9 && number(&rows[0], "height").abs() < 0.2, "{rows:?}");
    assert!(rows[0]["group"].is_null() && rows[0]["nearest"].is_null());
    // The nearest is looked for in an index, unless none can be near enough.
    assert!(rows[2]["nearest"].is_u64() && number(&rows[3], "distance") > 4.0, "{rows:?}");
    let (rows, _, status) = asked(&[&["locate", LEVEL, "--max", "0"][..], &points[..]].concat());
    assert!(status == 1 && rows.iter().all(|row| row["nearest"].is_null()), "{rows:?}");
    assert_eq!(rows[0]["id"], 9);
    // The width of the table is that of the other families.
    let table = text(&navmap(&["locate", LEVEL, "0.7,0.1,1.3"]).stdout);
    assert!(table.starts_with("         X           Y           Z        ID"), "{table}");
    let (_, said, status) = asked(&["locate", LEVEL, "0,0,0", "--hull", "large"]);
    assert!(status == 2 && said.contains("have hulls"), "{said}");
}

fn number(row: &Value, key: &str) -> f64 {
    row[key].as_f64().unwrap_or_else(|| panic!("{key} in {row}"))
}

#[test]
fn a_point_is_in_an_area_or_near_one() {
    let (rows, said, status) = asked(&["locate", TOWN, "100", "-250", "64", "-1,-2,3"]);
    assert_eq!((rows.len(), status), (2, 1), "the second is on no area: {said}");
    let keys: Vec<&String> = rows[0].as_object().unwrap().keys().collect();
    let known = ["x", "y", "z", "id", "index", "place", "height", "nearest", "distance", "group", "space"];
    assert_eq!(keys.len(), known.len());
    assert!(known.iter().all(|key| rows[0].get(key).is_some()), "{keys:?}");
    assert_eq!((&rows[0]["id"], &rows[0]["nearest"]), (&Value::from(144), &Value::Null));
    assert!((number(&rows[0], "height") - 44.68).abs() < 0.01);
    assert_eq!((&rows[1]["id"], &rows[1]["nearest"]), (&Value::Null, &Value::from(259)));
    assert!(number(&rows[1], "distance") > 30.0);
    assert!(said.contains("1 of 2 points are on the mesh"), "{said}");
    let (_, said, status) = asked(&["locate", TOWN, "100,-250,64", "-q"]);
    assert_eq!((said.as_str(), status), ("", 0));
    // Out of reach below, and nothing near enough.
    let (rows, _, status) = asked(&["locate", TOWN, "100,-250,64", "--reach", "10", "--max", "5"]);
    assert_eq!((&rows[0]["id"], &rows[0]["nearest"], status), (&Value::Null, &Value::Null, 1));
    let (rows, _, _) = asked(&["locate", TOWN, "nan,0,0"]);
    assert_eq!((&rows[0]["x"], &rows[0]["nearest"]), (&Value::from("NaN"), &Value::Null));
}

#[test]
fn many_points_are_read_from_lines_of_every_kind() {
    let same = "100,-250,64";
    for lines in [
        format!("x,y,z\n{same}\n"),
        "name,z,y,x\n\"a\",64,-250,100".to_owned(),
        "[100,-250,64]\n".to_owned(),
        "{\"z\":64,\"y\":-250,\"x\":100}\r\n".to_owned(),
        "\u{feff}setpos 100 -250 64;setang 1 2 3\n\n# a comment\n".to_owned(),
    ] {
        let done = fed(&["locate", TOWN, "-", "--format", "jsonl", "-q"], &lines);
        let (rows, said, status) = answered(&done);
        assert_eq!((rows.len(), status), (1, 0), "{lines}: {said}");
        assert_eq!(rows[0]["id"], 144, "{lines}");
    }
    // A line that is no point is named, the others are answered.
    let done = fed(&["locate", TOWN, "-", "--format", "csv"], "100,-250,64\nx\n1,2\n100 -250 64\n");
    let (out, said) = (text(&done.stdout), text(&done.stderr));
    assert_eq!((out.lines().count(), done.status.code()), (3, Some(2)), "{out}{said}");
    assert!(
        out.starts_with("x,y,z,id,index,place,height,nearest,distance,group,space\n100,-250,64,144,"),
        "{out}"
    );
    assert!(said.contains("standard input: line: 2 is no point") && said.contains("line: 3"), "{said}");
    let folder = Temp::new("locate-file");
    let file = folder.path().join("points.csv");
    fs::write(&file, format!("{same}\n").repeat(1000)).unwrap();
    let (rows, said, status) = asked(&["locate", TOWN, "--points-from", file.to_str().unwrap()]);
    assert_eq!((rows.len(), status), (1000, 0));
    assert!(said.contains("1,000 of 1,000 points"), "{said}");
    let done = fed(&["locate", "-", "-"], "");
    assert_eq!(done.status.code(), Some(2), "one standard input cannot be two things");
}

#[test]
fn a_way_has_a_row_for_each_step() {
    let (rows, said, status) = asked(&["path", TOWN, "BombsiteB", "TSpawn"]);
    assert_eq!((rows.len(), status), (6, 0), "{said}");
    assert_eq!((&rows[0]["how"], &rows[0]["cost"]), (&Value::from("start"), &Value::from(0)));
    assert!(rows.windows(2).all(|pair| number(&pair[0], "cost") < number(&pair[1], "cost")));
    assert_eq!(rows[5]["place"], "TSpawn");
    assert!(said.contains("5 steps, cost 402"), "{said}");
    // Names in letters of either case, ids, points; the ends are those that were asked for.
    let (again, ..) = asked(&["path", TOWN, "bombsiteb", &format!("#{}", rows[5]["id"])]);
    assert_eq!(again, rows);
    let (to_point, ..) = asked(&["path", TOWN, "bombsiteb", "-50 -12.5 47", "-q"]);
    let last = to_point.last().unwrap();
    assert_eq!((number(last, "x"), number(last, "y")), (-50.0, -12.5));
    let (corners, ..) = asked(&["path", TOWN, "BombsiteB", "TSpawn", "--corners"]);
    assert!(corners.len() >= 2 && corners.len() < rows.len());
    assert_eq!(corners[0]["x"], rows[0]["x"]);
    let table = text(&navmap(&["path", TOWN, "BombsiteB", "TSpawn"]).stdout);
    assert!(table.starts_with("      ID    INDEX  HOW") && !table.contains("SPACE"), "{table}");
}

#[test]
fn what_is_avoided_is_not_passed() {
    let (plain, ..) = asked(&["path", TOWN, "Middle", "BackAlley", "--cost", "length"]);
    let (around, ..) =
        asked(&["path", TOWN, "Middle", "BackAlley", "--cost", "length", "--avoid", "bombsiteB"]);
    let cost = |rows: &[Value]| number(rows.last().unwrap(), "cost");
    let inner: Vec<String> = plain[1..plain.len() - 1].iter().map(|row| format!("#{}", row["id"])).collect();
    assert!(!around.iter().any(|row| row["place"] == "BombsiteB"));
    assert!(cost(&around) >= cost(&plain));
    let mut args = vec!["path", TOWN, "Middle", "BackAlley", "--cost", "length"];
    inner.iter().for_each(|id| args.extend(["--avoid", id]));
    let (other, ..) = asked(&args);
    assert!(cost(&other) >= cost(&plain), "no other way is shorter");
    assert!(other.iter().all(|row| !inner.contains(&format!("#{}", row["id"]))));
    let (_, said, status) = asked(&["path", TOWN, "Middle", "BackAlley", "--avoid", "croch"]);
    assert_eq!(status, 2);
    assert!(
        said.contains("town.nav: --avoid: croch is neither") && said.contains("did you mean crouch?"),
        "{said}"
    );
    let (_, said, status) = asked(&["path", TOWN, "Middle", "BackAlley", "--avoid", "Middle"]);
    assert_eq!(status, 1);
    assert!(said.contains("no way from Middle to BackAlley; Middle itself is avoided"), "{said}");
}

#[test]
fn what_is_misspelt_is_answered_with_what_comes_close() {
    let said = |args: &[&str]| {
        let (_, said, status) = asked(args);
        assert_eq!(status, 2, "{said}");
        said
    };
    assert!(said(&["path", TOWN, "Midle", "#1"]).contains("no place is called Midle; did you mean Middle?"));
    assert!(said(&["path", TOWN, "#30", "#1"]).contains("there is no area #30; the next are #29 and #31"));
    let hulls = "corpus/source/v35-1.nav";
    assert!(
        said(&["path", hulls, "#5", "#6"])
            .contains("area #5 is of hull 1, which is not asked about; --hull 1 asks about it")
    );
    assert!(said(&["path", TOWN, "1,2", "#1"]).contains("neither a point"));
    assert!(said(&["path", TOWN, "1", "#3"]).contains("no place is called 1; did you mean #1?"));
    assert!(said(&["path", "corpus/quake/nav3-v6.nav", "1", "#3"]).contains("called 1; did you mean #1?"));
    let given = said(&["path", TOWN, "#1"]);
    assert!(given.contains("FROM and TO are needed, 1 given") && given.contains("takes # for a comment"));
    assert!(said(&["path", "corpus/quake/nav3-v6.nav", "Middle", "#1"]).contains("the mesh names none"));
    assert!(said(&["locate", TOWN]).contains("a point: is missing"));
    assert!(said(&["locate", TOWN, "1", "2"]).contains("is no point"));
    assert!(said(&["locate", "corpus/source", "1,2,3"]).contains("holds several meshes"));
    assert!(said(&["locate", TOWN, "1,2,3", "--space", "x"]).contains("not divided into spaces"));
    assert!(
        said(&["locate", TOWN, "1,2,3", "--hull", "1"])
            .contains("only node graphs and meshes of Source 2 have hulls")
    );
    assert!(said(&["locate", "nowhere.nav", "1,2,3"]).contains("nowhere.nav"));
    assert!(said(&["path", TOWN, "#1", "#2", "--draw", "a.gif"]).contains("has to end in .svg or .png"));
    // What is no mesh is a bad file to every verb.
    for verb in ["locate", "path", "reach"] {
        let spots: &[&str] = if verb == "path" { &["#1", "#2"] } else { &["1,2,3"] };
        let (_, said, status) = asked(&[&[verb, "README.md"], spots].concat());
        assert_eq!(status, 1, "{said}");
    }
}

#[test]
fn a_matrix_has_a_row_and_a_column_for_each_spot() {
    let done = navmap(&["path", TOWN, "--table", "--cost", "length"]);
    let out = text(&done.stdout);
    let rows: Vec<Vec<&str>> = out.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(done.status.code(), Some(0));
    assert_eq!(rows[0][..3], ["from", "Middle", "BackAlley"]);
    assert!(rows.len() == rows[0].len() && rows.iter().all(|row| row.len() == rows.len()), "{out}");
    for (at, row) in rows.iter().enumerate().skip(1) {
        assert_eq!((row[0], row[at]), (rows[0][at], "0"));
    }
    // The cost of each pair is that of its way.
    let (way, ..) = asked(&["path", TOWN, "Middle", "BackAlley", "--cost", "length"]);
    let cost: f64 = rows[1][2].parse().unwrap();
    assert!((number(way.last().unwrap(), "cost") - cost).abs() < 0.01);
    let done = fed(&["path", TOWN, "--table", "-", "--format", "jsonl"], "#1\nCTSpawn\n100,-250,64\n");
    let (pairs, _, status) = answered(&done);
    assert_eq!((pairs.len(), status), (9, 0));
    assert_eq!((&pairs[1]["from"], &pairs[1]["to"]), (&Value::from("#1"), &Value::from("CTSpawn")));
    let done = navmap(&["path", "corpus/quake/nav3-v6.nav", "--table"]);
    assert!(text(&done.stderr).contains("names no places"), "{}", text(&done.stderr));
}

/// A matrix of all places of a mesh is a search for each, and the mesh says how many places there are.
#[test]
fn a_matrix_of_very_many_places_is_refused_unless_more_are_allowed() {
    let temp = Temp::new("many-places");
    let make = navmap_testkit::heavy::source::shape("a table of places");
    let path = temp.file("places.nav", &make(1_200));
    let mesh = path.to_str().unwrap();
    let done = navmap(&["path", mesh, "--table"]);
    let said = text(&done.stderr);
    assert_eq!(done.status.code(), Some(2), "{said}");
    assert!(
        said.contains("spots of a table: 1200 is over the limit of 1000: --max-spots allows more"),
        "{said}"
    );
    let done = navmap(&["path", mesh, "--table", "Place1", "Place7"]);
    assert_eq!(text(&done.stdout).lines().count(), 3, "{}", text(&done.stderr));
}

/// Two areas that lead to each other, a ledge above them from which one drops, and one that nothing leads to.
fn parted(version: u32) -> Vec<u8> {
    use navmap_testkit::source::{Area, Mesh, write};
    let area = |id: u32, x: f32, east: Vec<u32>, west: Vec<u32>| Area {
        id,
        nw: [x, 0.0, 0.0],
        se: [x + 100.0, 100.0, 0.0],
        connections: [vec![], east, vec![], west],
        ..Area::default()
    };
    let areas = vec![
        area(1, 0.0, vec![2], vec![]),
        area(2, 100.0, vec![5], vec![1]),
        area(3, 300.0, vec![], vec![2]),
        area(4, 500.0, vec![], vec![]),
        area(5, 200.0, vec![], vec![]),
    ];
    write(&Mesh { version, subversion: (version >= 10).then_some(0), areas, ..Mesh::default() })
}

#[test]
fn a_way_that_is_missing_may_be_a_ladder_that_old_meshes_do_not_store() {
    let folder = Temp::new("ladderless");
    for (version, told) in [(5, 1), (16, 0)] {
        let path = folder.path().join(format!("{version}.nav"));
        fs::write(&path, parted(version)).unwrap();
        let path = path.to_str().unwrap();
        let remark = "ladders are in the map, not in meshes of this version";
        for typed in
            [&["path", path, "#1", "#4"][..], &["path", path, "--table", "#1", "#4"], &["reach", path, "#1"]]
        {
            let done = navmap(typed);
            let said = text(&done.stderr);
            assert_eq!(
                (done.status.code(), said.matches(remark).count()),
                (Some(1), told),
                "{typed:?}: {said}"
            );
        }
        for typed in [&["path", path, "#1", "#2"][..], &["path", path, "#1", "#4", "-q"]] {
            let said = text(&navmap(typed).stderr);
            assert!(!said.contains(remark), "{typed:?}: {said}");
        }
    }
}

#[test]
fn what_cannot_be_reached_is_told_part_by_part() {
    let folder = Temp::new("reach");
    let path = folder.path().join("parted.nav");
    fs::write(&path, parted(16)).unwrap();
    let path = path.to_str().unwrap();
    let picture = folder.path().join("parted.svg");
    let (rows, said, status) = asked(&["reach", path, "#1", "--draw", picture.to_str().unwrap()]);
    assert_eq!(status, 1);
    let kinds: Vec<(&str, u64, u64)> = rows
        .iter()
        .map(|row| {
            (row["kind"].as_str().unwrap(), row["areas"].as_u64().unwrap(), row["id"].as_u64().unwrap())
        })
        .collect();
    let both = kinds[0];
    assert_eq!((both.0, both.1), ("reached", 2));
    assert_eq!(kinds[1..], [("no-way-back", 1, 5), ("no-way-in", 1, 3), ("cut-off", 1, 4)]);
    assert!(
        said.contains(
            "from #1: 3 of 5 areas are reached, 1 of them without a way back; 2 are not, in 2 parts"
        ),
        "{said}"
    );
    let svg = fs::read_to_string(&picture).unwrap();
    for words in ["no way back, #5", "no way in, #3", "cut off, #4", "what is reached from #1"] {
        assert!(svg.contains(words), "{words}");
    }
    let (each, ..) = asked(&["reach", path, "#1", "--each", "-q"]);
    assert_eq!(each.iter().map(|row| row["id"].as_u64().unwrap()).collect::<Vec<_>>(), [5, 3, 4]);
    // From everywhere all is reached.
    let (_, said, status) = asked(&["reach", path, "#1", "#3", "#4"]);
    assert_eq!(status, 0, "{said}");
    let (_, said, _) = asked(&["reach", path]);
    assert!(said.contains("from the largest part, for the mesh tells no spawn"), "{said}");
    let (_, said, status) = asked(&["reach", TOWN]);
    assert!(said.contains("from the spawns: 356 of 356 areas are reached"), "{said}");
    assert_eq!(status, 0);
    let (rows, _, status) = asked(&["path", path, "#1", "#4"]);
    assert_eq!((rows.len(), status), (0, 1));
    let (rows, said, status) = asked(&["path", path, "#1", "#4", "--partial"]);
    assert_eq!((rows.last().unwrap()["id"].as_u64(), status), (Some(5), 1), "{said}");
    assert!(said.contains("the closest is area #5"), "{said}");
    let (_, said, _) = asked(&["path", path, "#1", "#3"]);
    assert!(said.contains("there is one back"), "{said}");
}

#[test]
fn tiles_members_hulls_and_load_orders_are_asked_like_files() {
    // A map of tiles: from the first tile to the last, over borders.
    let set = "corpus/fox/set";
    let (rows, said, status) = asked(&["reach", set]);
    assert!(rows[0]["group"].as_str().is_some_and(|group| group.contains("segment")), "{said}");
    assert!(status <= 1);
    let id = rows[0]["id"].as_str().unwrap();
    let (steps, said, status) = asked(&["path", set, id, "#0x0"]);
    assert!(steps.is_empty() || status == 0, "{said}");
    // A member of an archive.
    let folder = Temp::new("ask-member");
    let pak = folder.path().join("maps.pak");
    let town = fs::read(project().join(TOWN)).unwrap();
    fs::write(&pak, archive::pak(&[(b"maps/town.nav", &town)])).unwrap();
    let pak = pak.to_str().unwrap();
    let direct = asked(&["locate", TOWN, "100,-250,64"]);
    assert_eq!(asked(&["locate", &format!("{pak}!maps/town.nav"), "100,-250,64"]), direct);
    assert_eq!(asked(&["locate", pak, "100,-250,64"]), direct, "the only one in it");
    // Every hull has its own floors.
    let hull = "corpus/source/v35-1.nav";
    let (all, _, _) = asked(&["reach", hull, "-q"]);
    assert!(!all.is_empty());
    let (_, said, status) = asked(&["reach", hull, "--hull", "200"]);
    assert_eq!(status, 2, "{said}");
    // A load order: a folder, or plugins that are named.
    let order = "corpus/skyrim/order";
    let (_, said, status) = asked(&["locate", order, "1,2,3"]);
    assert_eq!(status, 2);
    assert!(said.contains("--space says in which: cell TestCell (00000900)"), "{said}");
    let (rows, said, _) = asked(&["locate", order, "1,2,3", "--space", "00000900"]);
    assert_eq!(rows[0]["space"], "cell TestCell (00000900)", "{said}");
    // Something of another space is nearer.
    for nearest in ["exact", "engine"] {
        let far = ["locate", order, "-3000,3000,0", "--space", "00000900", "--nearest", nearest];
        let (rows, said, _) = asked(&far);
        assert_eq!(rows[0]["space"], "cell TestCell (00000900)", "{nearest}: {said}");
    }
    let named = ["corpus/skyrim/order/Patch.esp", "1,2,3", "--space", "00000900"];
    let masters = ["--load-order", "corpus/skyrim/order/Base.esm"];
    let (with, said, _) = asked(&[&["locate"], &named[..], &masters].concat());
    assert_eq!(with[0]["space"], rows[0]["space"], "{said}");
    // Or those that a list names, which lie elsewhere.
    let folder = Temp::new("ask-order");
    let list = folder.join("plugins.txt");
    std::fs::write(&list, "*Base.esm\n*Patch.esp\n").unwrap();
    let list = list.to_str().unwrap();
    let (listed, said, _) =
        asked(&["locate", list, "1,2,3", "--space", "00000900", "--data", "corpus/skyrim/order"]);
    assert_eq!(listed, with, "{said}");
    let (_, said, status) = asked(&["locate", list, "1,2,3"]);
    assert!(status == 2 && said.contains("Base.esm") && said.contains("Patch.esp"), "{said}");
    let patch = &["locate", "corpus/skyrim/order/Patch.esp", "1,2,3", "--space", "00000900"];
    std::fs::write(folder.join("plugins.txt"), "*Base.esm\n").unwrap();
    let data = ["--load-order", list, "--data", "corpus/skyrim/order"];
    let (before, said, _) = asked(&[&patch[..], &data].concat());
    assert_eq!(before, with, "{said}");
    // A plugin without its masters still shows its own meshes.
    let (alone, said, _) = asked(&["reach", "corpus/skyrim/order/Patch.esp"]);
    assert!(!alone.is_empty(), "{said}");
    // The winning mesh of another plugin, over edge links.
    let (rows, said, status) = asked(&[
        "path",
        order,
        &format!("#{}", 0x0100_0805_u64 << 32 | 17),
        &format!("#{}", 0xA01_u64 << 32 | 1),
    ]);
    assert_eq!(status, 0, "{said}");
    assert!(rows.iter().any(|row| row["how"] == "border"), "{rows:?}");
    let (rows, said, status) =
        asked(&["path", order, "1,2,3@00000900", &format!("#{}", 0xA01_u64 << 32 | 1)]);
    assert_eq!((rows.is_empty(), status), (false, 0), "{said}");
}

#[test]
fn a_plugin_alone_has_its_own_numbers_in_every_verb() {
    let village = "corpus/skyrim/se/village.esp";
    let info = navmap(&["info", village]);
    let info = String::from_utf8_lossy(&info.stdout).into_owned();
    let named = "worldspace TestWorld (01000801)";
    assert!(info.contains(named), "{info}");
    // What one prints, all take: as a number, and as it is printed. So they do with a number of a load order.
    for space in ["01000801", "0x01000801", "801", named, "05000801", "worldspace TestWorld (05000801)"] {
        let (rows, said, status) = asked(&["locate", village, "1,2,3", "--space", space]);
        assert!(status <= 1 && rows[0]["space"] == named, "{space}: {said} {rows:?}");
        let drawn = navmap(&["draw", village, "--space", space, "-o", "-"]);
        assert!(drawn.status.success(), "{space}: {}", String::from_utf8_lossy(&drawn.stderr));
        let (ways, said, status) = asked(&["path", village, "1,2,3", "1,2,3", "--space", space]);
        assert!(status <= 1 && !ways.is_empty(), "{space}: {said}");
    }
    let dumped: Value = serde_json::from_slice(&navmap(&["dump", village]).stdout).unwrap();
    let worlds: Vec<_> = dumped["navmeshes"].as_array().unwrap().iter().map(|mesh| &mesh["world"]).collect();
    assert!(worlds.iter().any(|world| *world == "01000801"), "{worlds:?}");
    let (rows, said, _) = asked(&["reach", village]);
    assert!(!rows.is_empty(), "{said}");
    for row in &rows {
        let (form, _) = row["id"].as_str().unwrap().split_once('#').unwrap();
        let shown = navmap(&["info", village, "--full"]);
        let shown = String::from_utf8_lossy(&shown.stdout).into_owned() + &info;
        assert!(row["group"].as_str().unwrap().contains(form), "{row:?} {shown}");
    }
}

#[test]
fn ways_are_drawn_on_the_map() {
    let folder = Temp::new("ask-draw");
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (svg, png) = (at("way.svg"), at("way.png"));
    let (_, said, status) =
        asked(&["path", TOWN, "BombsiteB", "TSpawn", "--draw", &svg, "--avoid", "crouch"]);
    assert_eq!(status, 0, "{said}");
    let drawn = fs::read_to_string(&svg).unwrap();
    for words in
        [">BombsiteB</text>", ">TSpawn</text>", ">way</text>", ">avoided</text>", "from BombsiteB to TSpawn"]
    {
        assert!(drawn.contains(words), "{words}");
    }
    let (_, said, status) = asked(&["path", TOWN, "Middle", "CTSpawn", "--draw", &svg]);
    assert_eq!(status, 2, "it is there already");
    assert!(said.contains("--force"), "{said}");
    let (_, _, status) = asked(&["path", TOWN, "Middle", "CTSpawn", "--draw", &png, "--dark"]);
    assert_eq!(status, 0);
    assert_eq!(fs::read(&png).unwrap()[1..4], *b"PNG");
}

#[test]
fn a_damaged_mesh_is_asked_as_far_as_it_can_be_read() {
    let folder = Temp::new("ask-damaged");
    let path = folder.path().join("cut.nav");
    let whole = parted(16);
    fs::write(&path, &whole[..whole.len() - 40]).unwrap();
    let (rows, said, status) = asked(&["locate", path.to_str().unwrap(), "50,50,10"]);
    assert_eq!((rows[0]["id"].as_u64(), status), (Some(1), 1), "{said}");
    assert!(said.contains("cut.nav: area"), "{said}");
}
