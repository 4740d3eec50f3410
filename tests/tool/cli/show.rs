//! `navmap show`, `show` of an editor, and `navmap draw --around`.

use navmap_testkit::temp::Temp;

const TOWN: &str = "corpus/source/town.nav";

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let done = super::navmap(arguments);
    (done.status.code(), super::text(&done.stdout), super::text(&done.stderr))
}

#[test]
fn an_area_is_shown_with_all_there_is_to_it() {
    super::golden("show-source.txt", 0, &["show", TOWN, "#11,#13"]);
    super::golden("show-source2.txt", 0, &["show", "corpus/source/v35-1.nav", "all"]);
    super::golden("show-quake.txt", 0, &["show", "corpus/quake/nav3-v6.nav", "#0,#3"]);
    super::golden("show-fox.txt", 0, &["show", "corpus/fox/standalone.nav2", "F#4.0"]);
    super::golden("show-skyrim.txt", 0, &["show", "corpus/skyrim/se/village.esp", "010008F0#0,010008F0#1"]);
    super::golden("show.jsonl", 0, &["show", TOWN, "#11", "--format", "jsonl"]);
}

#[test]
fn rows_for_scripts_have_the_keys_of_the_contract() {
    let (code, out, _) = run(&["show", TOWN, "place(Middle)&(#1,#3)", "--format", "jsonl"]);
    assert_eq!(code, Some(0));
    for line in out.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        for key in [
            "path", "member", "word", "id", "index", "byte", "bytes", "place", "group", "flags", "corners",
            "center", "area_m2", "links", "arrivals", "marks", "findings", "record",
        ] {
            assert!(row.get(key).is_some(), "{key}");
        }
        assert_eq!((row["path"].as_str(), row["word"].as_str()), (Some(TOWN), Some("area")));
        for key in ["id", "kind", "side", "toward", "rise", "back", "gated"] {
            assert!(row["links"][0].get(key).is_some(), "{key}");
        }
        assert_eq!(row["record"]["id"], row["id"]);
    }
    assert_eq!(out.lines().count(), 1, "{out}");
}

#[test]
fn findings_are_told_and_select() {
    let mesh = "corpus/odd/yapb/values.graph";
    let (_, checked, _) = run(&["check", "-q", mesh]);
    assert!(checked.contains("[self-link]"), "{checked}");
    let (code, out, _) = run(&["show", mesh, "finding(self-link)"]);
    assert_eq!(code, Some(0));
    assert!(out.lines().any(|line| line.starts_with("  finding ") && line.ends_with("[self-link]")), "{out}");
    for (mesh, code, name) in [
        ("corpus/hostile/detour/no-boundary.navtile", "no-boundary", "polygon #0 "),
        ("corpus/hostile/detour/detail-corner.navtile", "detail-corner", "polygon #0 "),
        ("corpus/odd/pathgrid/tes3.esp", "isolated-point", "point #6 "),
        ("corpus/odd/pathgrid/tes4.esp", "foreign-link", "point 01000811#0 "),
    ] {
        let (_, out, said) = run(&["show", mesh, &format!("finding({code})")]);
        assert!(out.starts_with(name), "{mesh}: {out}{said}");
    }
    let (code, _, said) = run(&["show", mesh, "finding(no-such-code)"]);
    assert_eq!((code, said.contains("no such finding: no-such-code")), (Some(2), true), "{said}");
    let (code, _, said) = run(&["show", TOWN, "finding(one-way)"]);
    assert_eq!((code, said.contains("did you mean one-way-connection")), (Some(2), true), "{said}");
    // An editor checks nothing, and says where such selectors work.
    let (code, _, said) = run(&["edit", TOWN, "--dry-run", "-c", "nav_delete finding(dead-end)"]);
    assert_eq!((code, said.contains("is for `navmap show`")), (Some(1), true), "{said}");
}

#[test]
fn what_cannot_be_shown_says_why() {
    for (arguments, code, why) in [
        (&["show", TOWN, "#99999"][..], 2, "there is no #99999"),
        (&["show", TOWN, "L#99"], 2, "there is no L#99"),
        (&["show", TOWN, "12"], 2, "did you mean #12?"),
        (&["show", TOWN, "plce(x)"], 2, "did you mean place?"),
        (&["show", TOWN, "isolated"], 1, "isolated selects nothing"),
        (&["show", TOWN, "@1e9,1e9"], 1, "is nearest"),
        // A name that reads as the answer of another selector.
        (&["show", TOWN, "place(\"(~\")"], 2, "no such place: (~"),
        (&["show", TOWN, "finding(\"it selects nothing\")"], 2, "no such finding: it selects nothing"),
        (&["show", "corpus/quake/MANIFEST.tsv", "#1"], 1, "not a navigation mesh"),
        (&["show", "none.nav", "#1"], 2, "none.nav"),
    ] {
        let (status, _, said) = run(arguments);
        assert_eq!((status, said.contains(why)), (Some(code), true), "{arguments:?}: {said}");
    }
    // Without a selector, those that there are.
    for mesh in [TOWN, "corpus/aas", "corpus/detour"] {
        let path = super::project().join(mesh);
        let path = match path.is_dir() {
            true => std::fs::read_dir(&path)
                .unwrap()
                .map(|e| e.unwrap().path())
                .find(|p| !p.ends_with("MANIFEST.tsv") && p.is_file())
                .unwrap(),
            false => path,
        };
        let (code, out, _) = run(&["show", path.to_str().unwrap()]);
        assert!(code == Some(0) && out.contains("#12: ") && out.contains("finding(code)"), "{mesh}: {out}");
    }
    // A damaged mesh is shown as far as it goes.
    let (code, out, said) = run(&["show", "corpus/hostile/source/cut-in-area.nav", "all"]);
    assert_eq!((code, out.matches("area #").count() > 0), (Some(1), true), "{said}");
    let (code, out, said) = run(&["show", "corpus/hostile/source/cut-in-area.nav"]);
    assert!(code == Some(1) && out.contains("SELECTOR") && said.contains("cut-in-area.nav: area "), "{said}");
}

/// `@` is what lies at the point, and `~@` the nearest, also beside what only the graph knows.
#[test]
fn a_point_on_nothing_shows_nothing() {
    let (code, out, said) = run(&["show", TOWN, "@900,25,30"]);
    assert!(code == Some(0) && out.starts_with("area #"), "{out}{said}");
    let why = "no area at 5000,60,0: #320 is nearest";
    for selector in ["@5000,60,0", "#1+@5000,60,0", "isolated+@5000,60,0", "finding()+@5000,60,0"] {
        let (code, out, said) = run(&["show", TOWN, selector]);
        assert!(code == Some(1) && out.is_empty() && said.contains(why), "{selector}: {out}{said}");
        let (code, _, said) = run(&["draw", TOWN, "--around", selector, "-o", "none.svg"]);
        assert!(code == Some(2) && said.contains(why), "{selector}: {said}");
    }
    let (code, out, said) = run(&["show", TOWN, "~@5000,60,0"]);
    assert!(code == Some(0) && out.starts_with("area #320 "), "{out}{said}");
    for mesh in ["corpus/quake/nav3-v6.nav", "corpus/skyrim/se/village.esp", "corpus/source/v35-1.nav"] {
        let (code, out, said) = run(&["show", mesh, "@900000,60,0"]);
        assert!(code == Some(1) && out.is_empty() && said.contains("~@"), "{mesh}: {out}{said}");
    }
}

#[test]
fn a_ladder_is_shown_with_the_areas_at_its_ends() {
    let (code, out, said) = run(&["show", TOWN, "L#1"]);
    assert_eq!(code, Some(0), "{said}");
    for part in [
        "ladder L#1 (record 0), byte ",
        "  bottom       -500 625 ",
        "  width        32",
        "  bottom_area  612",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let (code, out, said) = run(&["show", TOWN, "ladders", "--format", "jsonl"]);
    assert_eq!((code, out.lines().count()), (Some(0), 2), "{said}");
    let row: serde_json::Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    assert_eq!((row["word"].as_str(), row["id"].as_str()), (Some("ladder"), Some("L#1")));
    let (code, out, said) = run(&["edit", TOWN, "--dry-run", "-c", "ladder move L#1 5 0 0; show L#1+#612"]);
    assert!(
        code == Some(0) && out.contains("  bottom       -495 625 ") && out.contains("area #612"),
        "{said}{out}"
    );
    let temp = Temp::new("draw-ladder");
    let picture = temp.join("a.svg");
    let (code, _, said) = run(&["draw", TOWN, "--around", "L#1", "-o", picture.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{said}");
    let drawn = std::fs::read_to_string(picture).unwrap();
    assert!(drawn.contains(">#507<") && drawn.contains(">#612<"), "the areas at its ends are named");
    // Source 2 before and from the version with two more areas at the foot.
    for mesh in ["corpus/source/v34.nav", "corpus/source/v35-1.nav"] {
        let (code, out, said) = run(&["show", mesh, "ladders"]);
        assert!(code == Some(0) && out.contains("ladder L#"), "{mesh}: {said}{out}");
    }
}

#[test]
fn an_editor_shows_the_mesh_as_it_is_now() {
    let temp = Temp::new("show-edit");
    let mesh = super::project().join(TOWN);
    std::fs::copy(mesh, temp.join("a.nav")).unwrap();
    let path = temp.join("a.nav");
    let path = path.to_str().unwrap();
    let commands = "nav_mark_attribute STAND #11; show #11; info #13; select #17; ?";
    let (code, out, said) = run(&["edit", path, "-c", commands]);
    assert_eq!(code, Some(0), "{said}");
    for area in ["area #11 (record", "area #13 (record", "area #17 (record"] {
        assert!(out.contains(area), "{area}: {out}");
    }
    let of_11 = out.split("area #13").next().unwrap();
    assert!(of_11.lines().any(|line| line.starts_with("  flags ") && line.contains("STAND")), "{of_11}");
    let (code, _, said) = run(&["edit", path, "-c", "show"]);
    assert_eq!((code, said.contains("nothing is selected")), (Some(1), true), "{said}");
    let (_, out, _) = run(&["edit", path, "-c", "help selectors"]);
    assert!(out.contains("a+b a,b: items of both") && out.contains("flood(#12): "), "{out}");
    // A save says what it wrote.
    let place = temp.join("b.nav");
    let (_, _, said) =
        run(&["edit", path, "-c", &format!("nav_delete #11,#13; nav_save {}", place.display())]);
    assert!(said.contains("b.nav, ") && said.contains(" bytes, 354 areas, 2 ladders"), "{said}");
    assert!(said.contains("navmap: the mesh itself is not written: -o FILE"), "{said}");
}

#[test]
fn the_surroundings_of_an_area_are_drawn() {
    let temp = Temp::new("draw-around");
    let picture = temp.join("a.svg");
    let picture = picture.to_str().unwrap();
    let (code, _, said) = run(&["draw", TOWN, "--around", "#11", "-o", picture]);
    assert_eq!(code, Some(0), "{said}");
    let near = std::fs::read_to_string(picture).unwrap();
    assert!(near.contains(">#11<"), "the area is named");
    let (_, _, said) = run(&["draw", TOWN, "-o", picture, "--force"]);
    assert!(!std::fs::read_to_string(picture).unwrap().contains(">#11<"), "{said}");
    for (arguments, why) in [
        (&["draw", TOWN, "--around", "#99999", "-o", "x.svg"][..], "there is no #99999"),
        (&["draw", "corpus/source", "--around", "#1", "-o", "x.svg"], "is for one mesh"),
        (&["draw", TOWN, "--around", "#1", "--box", "0,0,9,9", "-o", "x.svg"], "cannot be used with"),
    ] {
        let (code, _, said) = run(arguments);
        assert_eq!((code, said.contains(why)), (Some(2), true), "{arguments:?}: {said}");
    }
}

#[test]
fn a_face_of_a_tile_has_a_name_with_the_number_of_the_tile_and_one_without() {
    let tile = "corpus/fox/set/plain_102_102_nav.nav2";
    let (code, shown, said) = run(&["show", tile, "F#5.4.0"]);
    assert!(code == Some(0) && shown.starts_with("face F#5.4.0 "), "{shown}{said}");
    assert_eq!(run(&["show", tile, "F#4.0"]), (Some(0), shown.clone(), said));
    for name in ["F#4.0", "F#5.4.0"] {
        let (code, out, said) = run(&["edit", tile, "--dry-run", "-c", &format!("show {name}")]);
        assert_eq!((code, &out), (Some(0), &shown), "{name}: {said}");
        let (code, out, said) = run(&["path", tile, name, "F#4.3"]);
        assert!(code == Some(0) && out.contains("F#5.4.0") && out.contains("F#5.4.3"), "{name}: {out}{said}");
        let (code, out, said) = run(&["edit", tile, "--dry-run", "-c", &format!("select {name}")]);
        assert_eq!((code, &*out), (Some(0), "1 selected\n"), "{name}: {said}");
    }
    let temp = Temp::new("show-tile");
    let pictures = ["F#4.0", "F#5.4.0"].map(|name| {
        let picture = temp.join("around.svg");
        let picture = picture.to_str().unwrap();
        let (code, _, said) = run(&["draw", tile, "--around", name, "-o", picture, "--force"]);
        assert_eq!(code, Some(0), "{name}: {said}");
        std::fs::read(picture).unwrap()
    });
    assert!(pictures[0] == pictures[1], "the same face");
    for (name, why) in [
        ("F#4.9999", "there is no F#4.9999"),
        ("F#5.4.9999", "there is no F#5.4.9999"),
        ("F#66.4.0", "F#66.4.0 is of tile 66, and this is tile 5"),
    ] {
        let (code, _, said) = run(&["show", tile, name]);
        assert!(code == Some(2) && said.contains(why), "{name}: {said}");
        let (code, _, said) = run(&["edit", tile, "--dry-run", "-c", &format!("show {name}")]);
        assert!(code == Some(1) && said.contains(why), "{name}: {said}");
    }
}
