//! Scripts of very many lines: each costs as much as the first.

use super::{navmap, run};
use navmap_testkit::temp::Temp;

/// Whether a script was ended by the name of one of its two limits.
fn is_limited(said: &str) -> bool {
    let names = ["items that a script looks at: ", "values kept to take back: "];
    names.iter().any(|name| said.contains(name)) && said.contains(" is over the limit of ")
}

#[test]
fn the_nearest_commands_are_looked_for_a_hundred_times() {
    let temp = Temp::new("strangers");
    let script = temp.file("a.txt", "nav_makr_attribute\n".repeat(5_000).as_bytes());
    let mut command = navmap();
    command.args(["edit", "--keep-going", "corpus/source/town.nav", "-f"]).arg(script);
    let done = run("strangers", &mut command);
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(1));
    assert_eq!(said.matches("no such command: nav_makr_attribute").count(), 5_000);
    assert_eq!(said.matches("did you mean nav_mark_attribute").count(), 100);
}

#[test]
fn twenty_thousand_areas_are_begun_and_ended_near_and_far() {
    let temp = Temp::new("begun");
    for apart in [60, 900] {
        let pair = |i: i32| {
            let (x, y) = (i % 140 * apart, i / 140 * apart);
            format!("nav_begin_area {x},{y},0\nnav_end_area {},{},0\n", x + 50, y + 50)
        };
        let script = temp.file("a.txt", (0..20_000).map(pair).collect::<String>().as_bytes());
        let mut command = navmap();
        command.args(["edit", "--force-odd", "corpus/source/town.nav", "-f"]).arg(&script);
        let done = run("areas", &mut command);
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(0), "{said}");
        assert!(said.contains("areas: 20000 made"), "{said}");
    }
}

/// Text of selected areas that lie over each other, that nest without end, that is cut or of another kind: an end, with the place.
#[test]
fn a_hostile_text_of_selected_areas_comes_to_an_end() {
    let temp = Temp::new("selected");
    let made = navmap_testkit::heavy::named(|name| name.ends_with("_selected.txt"));
    assert_eq!(made.len(), 2);
    let sound = &made.iter().find(|file| file.name.starts_with("areas")).unwrap().bytes;
    let cut = sound[..sound.len() - 7].to_vec();
    let zeros = vec![0; 900_000];
    let quote = [b"\"Selected Nav Areas\" { \"", &vec![b'a'; 900_000][..]].concat();
    let wide = [&[0xFF, 0xFE][..], &sound[..400_001]].concat();
    let of_mesh = std::fs::read("/proc/self/exe").unwrap_or_default();
    let mut texts: Vec<(&str, &[u8])> = made.iter().map(|file| (&*file.name, &*file.bytes)).collect();
    texts.extend([
        ("cut_selected.txt", &*cut),
        ("zeros_selected.txt", &zeros),
        ("quote_selected.txt", &quote),
    ]);
    texts.extend([
        ("wide_selected.txt", &*wide),
        ("program_selected.txt", &of_mesh[..of_mesh.len().min(1 << 20)]),
    ]);
    std::fs::copy(navmap_testkit::corpus::project().join("corpus/source/town.nav"), temp.join("town.nav"))
        .unwrap();
    for (name, bytes) in texts {
        temp.file(name, bytes);
        for more in ["", " --force --allow-jump --drops"] {
            let mut command = navmap();
            let line = format!("nav_merge_mesh {}{more}", name.trim_end_matches("_selected.txt"));
            command
                .current_dir(temp.path())
                .args(["edit", "town.nav", "-o", "out.nav", "--force", "-c", &line]);
            let done = run(name, &mut command);
            let said = String::from_utf8_lossy(&done.stderr).into_owned();
            assert!(matches!(done.status.code(), Some(0..=2)), "{name}{more}: {said}");
            assert!(done.status.code() == Some(0) || !said.is_empty(), "{name}{more}");
            assert!(
                name.starts_with("areas") || !more.is_empty() || done.status.code() != Some(0),
                "{name}: {said}"
            );
        }
    }
}

/// Scripts of which each command is small beside the mesh, and all of them together are not.
#[test]
fn what_a_script_looks_at_ends_at_a_limit() {
    let temp = Temp::new("looked-at");
    for line in [
        "nav_begin_area 0,0,0; nav_end_area 50,50,0",
        "nav_analyze",
        "status",
        "nav_mark_attribute CROUCH all",
        "nav_mark ~@5,5,9000",
        "help",
        "clean_links",
        "clean_visibility",
        "nav_compress_id",
        "nav_load",
        "nav_dump_selected_set_positions all",
    ] {
        let lines = 600_000 / line.len();
        let script = temp.file("a.txt", format!("{line}\n").repeat(lines).as_bytes());
        let mut command = navmap();
        command
            .args(["edit", "corpus/source/town.nav", "-o"])
            .arg(temp.join("out.nav"))
            .args(["--force", "-f"]);
        let done = run(line, command.arg(&script));
        let said = String::from_utf8(done.stderr).unwrap();
        // All of one that looks at little may be allowed; then it has come to its end.
        let limited = is_limited(&said);
        assert!(limited || done.status.code() == Some(0), "{line}: {said}");
        let is_large = line.starts_with("clean_") || ["nav_analyze", "help", "nav_load"].contains(&line);
        assert!(limited || !is_large, "{line}: {said}");
    }
}

/// Scripts of which each command looks at links, or is done in vain, as those of other families are.
#[test]
fn what_scripts_of_other_families_look_at_ends_at_a_limit() {
    let temp = Temp::new("looked-at-elsewhere");
    for (mesh, line, more) in [
        ("q-one-point.nav", "clean_links", &[][..]),
        ("q-one-point.nav", "status", &[]),
        ("q-one-point.nav", "move 1 1 1", &["--keep-going"]),
        ("q-one-point.nav", "move 0 0 1; undo; redo; undo", &[]),
        ("linked.rcw", "status", &[]),
        ("linked.rcw", "clean_links", &[]),
        ("linked.rcw", "show #1", &[]),
        ("one-point.pwf", "number", &[]),
        ("one-point.pwf", "measure", &[]),
        ("one-point.pwf", "clean_links", &[]),
        ("linked.ain", "number_zones", &[]),
        ("linked.ain", "clean_links", &[]),
        ("linked.ain", "status", &[]),
        ("twins.navmesh", "select ~@5,5,5", &[]),
        ("twins.navmesh", "select ids(1-99999999)", &[]),
        ("one-mesh.esp", "settle", &[]),
        ("one-mesh.esp", "move 1 0 0", &[]),
    ] {
        let made = navmap_testkit::heavy::named(|name| name == mesh);
        let path = temp.file(mesh, &made.first().expect("one of the heavy files").bytes);
        let script = temp.file("a.txt", format!("{line}\n").repeat(600_000 / line.len()).as_bytes());
        let mut command = navmap();
        command.args(["edit", "-q", "--force"]).args(more).arg(&path).arg("-o").arg(temp.join("out"));
        let done = run(line, command.arg("-f").arg(&script));
        let said = String::from_utf8(done.stderr).unwrap();
        assert!(is_limited(&said) && done.status.code() == Some(1), "{mesh}: {line}: {said}");
    }
}

/// Commands about what is selected, which name nothing, and those that find areas by themselves.
#[test]
fn what_is_selected_counts_for_every_command_about_it() {
    let temp = Temp::new("selected-once");
    let mesh = temp.file("many.nav", &navmap_testkit::heavy::source::shape("many areas")(3_000));
    for line in [
        "nav_subdivide",
        "nav_place_floodfill #1",
        "nav_save copy.nav",
        "nav_save_selected #1",
        "disconnect_drops 10",
        "snap_corners 5",
        "square_up 4",
        "delete_thinner 1",
        "delete_smaller 1",
        "place_clear",
        "nav_disconnect_outgoing_oneways",
        "nav_dump_selected_set_positions",
        "nav_check_stairs",
    ] {
        let lines = format!("{line}\n").repeat(600_000 / line.len());
        let script = temp.file("a.txt", format!("select all\n{lines}").as_bytes());
        let mut command = navmap();
        command.current_dir(temp.path()).args(["edit", "-q", "--force", "many.nav", "-o", "out.nav", "-f"]);
        let done = run(line, command.arg(&script));
        let said = String::from_utf8(done.stderr).unwrap();
        assert!(is_limited(&said) && done.status.code() == Some(1), "{line}: {said}");
    }
    let left: Vec<_> =
        mesh.parent().unwrap().read_dir().unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "nothing of a script that is refused is written: {left:?}");
}

/// Texts are kept until all are written, and each new place is compared with all others.
#[test]
fn texts_and_places_end_at_a_limit() {
    let temp = Temp::new("texts-places");
    let text = format!("nav_save_selected n all --to {}\n", temp.join("F").display()).repeat(1_000);
    let places: String =
        (0..20_000).map(|place| format!("nav_use_place p{place} --new; nav_place_set #11\n")).collect();
    for (what, script) in [("texts", text), ("places", places)] {
        let script = temp.file("a.txt", script.as_bytes());
        let mut command = navmap();
        command
            .args(["edit", "corpus/source/town.nav", "-o"])
            .arg(temp.join("out.nav"))
            .args(["--force", "-f"]);
        let done = run(what, command.arg(&script));
        let said = String::from_utf8(done.stderr).unwrap();
        assert!(is_limited(&said) && !temp.join("F").exists(), "{what}: {said}");
    }
}

/// Triangles that each span their mesh are in every cell of its grid.
#[test]
fn grids_that_list_every_triangle_in_every_cell_are_refused_by_name() {
    use navmap_testkit::heavy::plugins;
    let temp = Temp::new("grids");
    for (name, bytes) in [("one.esp", plugins::one_place()), ("compressed.esp", plugins::compressed(9))] {
        let (path, output) = (temp.file(name, &bytes), temp.join("out.esp"));
        let mut command = super::navmap();
        let done = super::run(name, command.args(["edit", "-c", "settle", "-o"]).args([&output, &path]));
        let said = String::from_utf8(done.stderr).unwrap();
        assert!(
            said.contains("triangles in cells of grids: ") && said.contains("is over the limit of"),
            "{said}"
        );
        assert!(done.status.code() == Some(1) && !output.exists(), "{name}: {:?}", done.status);
    }
}
