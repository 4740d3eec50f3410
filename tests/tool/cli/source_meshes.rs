//! `navmap edit`, `navmap slim`, `navmap analyze` and `navmap convert` on Source meshes, as they are typed.

use navmap_testkit::bsp::{room, source};
use navmap_testkit::source::{Area, Mesh, read, write};
use navmap_testkit::temp::Temp;
use std::path::Path;
use std::process::{Command, Output};

fn navmap(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_navmap")).current_dir(folder).args(arguments).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Three areas in a row, the first two linked both ways.
fn row() -> Vec<u8> {
    let area = |id: u32| Area {
        id,
        nw: [id as f32 * 100.0, 0.0, 0.0],
        se: [id as f32 * 100.0 + 100.0, 100.0, 0.0],
        light: [1.0; 4],
        ..Area::default()
    };
    let mut areas: Vec<Area> = (1..=3).map(area).collect();
    areas[0].connections[1].push(2);
    areas[1].connections[3].push(1);
    write(&Mesh { version: 16, subversion: Some(0), analyzed: 1, areas, ..Mesh::default() })
}

fn read_areas(path: &Path) -> usize {
    read(&std::fs::read(path).unwrap()).unwrap().areas.len()
}

#[test]
fn without_a_place_to_write_to_nothing_is_written_and_that_is_said() {
    let temp = Temp::new("edit-nothing");
    let mesh = temp.file("a.nav", &row());
    let done = navmap(temp.path(), &["edit", "a.nav", "-c", "nav_split #3 x=350"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert_eq!(stdout(&done), "made #4 and #5\n");
    assert!(stderr(&done).contains("areas: 2 made, 1 removed (3 before, 4 now)"), "{}", stderr(&done));
    assert!(stderr(&done).contains("nothing is written: -o FILE or --in-place"), "{}", stderr(&done));
    let done = navmap(temp.path(), &["edit", "a.nav", "-c", "nav_delete #3", "-o", "b.nav", "--dry-run"]);
    assert!(stderr(&done).contains("nothing is written: --dry-run"), "{}", stderr(&done));
    assert_eq!((temp.names(), std::fs::read(mesh).unwrap() == row()), (vec!["a.nav".into()], true));
    assert_eq!(navmap(temp.path(), &["edit", "a.nav"]).status.code(), Some(2));
}

#[test]
fn a_script_is_run_from_a_file_and_a_refusal_names_its_line() {
    let temp = Temp::new("edit-script");
    temp.file("a.nav", &row());
    temp.file("good.txt", b"// a comment\nnav_mark 1; nav_connect #2\nnav_merge #2 #1 // east\n");
    let done = navmap(temp.path(), &["edit", "a.nav", "-f", "good.txt", "-o", "b.nav"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert_eq!(read_areas(&temp.join("b.nav")), 2);

    temp.file("bad.txt", b"nav_delete #3\n  nav_splt #1 x=5\nnav_delete #1");
    let done = navmap(temp.path(), &["edit", "a.nav", "-f", "bad.txt", "-o", "c.nav"]);
    assert_eq!(done.status.code(), Some(1));
    let why = "navmap: bad.txt:2:3: no such command: nav_splt; did you mean nav_split?";
    assert!(stderr(&done).contains(why), "{}", stderr(&done));
    assert!(!temp.join("c.nav").exists());
    let done = navmap(temp.path(), &["edit", "a.nav", "-f", "bad.txt", "-o", "c.nav", "--keep-going"]);
    assert_eq!((done.status.code(), read_areas(&temp.join("c.nav"))), (Some(1), 1), "{}", stderr(&done));

    let done = navmap(temp.path(), &["edit", "a.nav", "-c", "undo", "-o", "d.nav"]);
    assert_eq!(done.status.code(), Some(1));
    let done = navmap(temp.path(), &["edit", "a.nav", "-c", "nav_delete #3; undo", "-o", "d.nav"]);
    assert_eq!(done.status.code(), Some(0));
    assert!(std::fs::read(temp.join("d.nav")).unwrap() == row());
    assert_eq!(navmap(temp.path(), &["edit", "a.nav", "-f", "missing.txt"]).status.code(), Some(2));
}

#[test]
fn in_place_keeps_the_file_as_it_was_beside_it() {
    let temp = Temp::new("edit-in-place");
    temp.file("a.nav", &row());
    for names in [&["a.nav", "a.nav.bak"][..], &["a.nav", "a.nav.bak", "a.nav.bak2"]] {
        let done = navmap(temp.path(), &["edit", "a.nav", "-c", "nav_crouch #1", "--in-place"]);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
        assert_eq!(temp.names(), names);
    }
    assert!(std::fs::read(temp.join("a.nav.bak")).unwrap() == row());
    let done = navmap(temp.path(), &["edit", "a.nav", "-c", "nav_save", "--in-place"]);
    assert_eq!((done.status.code(), temp.names().len()), (Some(0), 3), "nothing changed, so nothing is kept");
}

#[test]
fn areas_go_from_one_mesh_to_another_as_text() {
    let temp = Temp::new("edit-text");
    temp.file("a.nav", &row());
    let done = navmap(temp.path(), &["edit", "a.nav", "-c", "nav_save_selected #1+#2; nav_save_selected #3"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(stderr(&done).contains("navmap: written: a_selected_0000.txt"), "{}", stderr(&done));
    assert_eq!(temp.names(), ["a.nav", "a_selected_0000.txt", "a_selected_0001.txt"]);
    let script = "nav_delete #1+#2; nav_merge_mesh a_selected_0000";
    let done = navmap(temp.path(), &["edit", "a.nav", "-c", script, "-o", "b.nav"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(stdout(&done).contains("#5 east to #3\n#3 west to #5\n2 links made"), "{}", stdout(&done));
    assert_eq!(read_areas(&temp.join("b.nav")), 3);

    // The game names the file after the command; a name goes before it otherwise.
    let done = navmap(temp.path(), &["edit", "a.nav", "--game-exact", "-c", "nav_save_selected x #3"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(temp.join("nav_save_selected_selected_0000.txt").exists(), "{:?}", temp.names());
    let done = navmap(
        temp.path(),
        &["edit", "a.nav", "-c", "nav_save_selected x #3; nav_save_selected #3 --to t.txt"],
    );
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(temp.join("x_selected_0000.txt").exists() && temp.join("t.txt").exists(), "{:?}", temp.names());
    let done = navmap(temp.path(), &["edit", "a.nav", "-c", "nav_save_selected #3 --to t.txt"]);
    assert_eq!(done.status.code(), Some(2), "never over a file that exists: {}", stderr(&done));

    let before = temp.names();
    let refused =
        navmap(temp.path(), &["edit", "a.nav", "-c", "nav_save_selected #1; nav_save c.nav; nav_splt"]);
    assert_eq!((refused.status.code(), temp.names()), (Some(1), before.clone()), "{}", stderr(&refused));
    let dry =
        navmap(temp.path(), &["edit", "a.nav", "-c", "nav_save_selected #1; nav_save c.nav", "--dry-run"]);
    assert_eq!((dry.status.code(), temp.names()), (Some(0), before), "{}", stderr(&dry));
    let missing = navmap(temp.path(), &["edit", "a.nav", "-c", "nav_merge_mesh none"]);
    let why = "navmap: -c:1:16: nav_merge_mesh: there is no none and no none.txt in . or here";
    assert!(stderr(&missing).contains(why), "{}", stderr(&missing));
}

#[test]
fn a_save_in_a_script_writes_the_mesh_as_it_is_then() {
    let temp = Temp::new("edit-save");
    temp.file("a.nav", &row());
    let script = "nav_delete #3; nav_save half.nav; nav_delete #2";
    let done = navmap(temp.path(), &["edit", "a.nav", "-c", script, "-o", "b.nav"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert_eq!((read_areas(&temp.join("half.nav")), read_areas(&temp.join("b.nav"))), (2, 1));
    // What cannot be written refuses where the script says so, not at the end.
    let done = navmap(temp.path(), &["edit", "a.nav", "-c", "nav_delete all; nav_save; undo", "-o", "c.nav"]);
    assert_eq!((done.status.code(), temp.join("c.nav").exists()), (Some(1), false));
    assert!(stderr(&done).contains("-c:1:17: nav_save: "), "{}", stderr(&done));
    let known = temp.file("NavPlace.db", b"Nowhere\n");
    let typed = ["edit", "a.nav", "-c", "nav_place_set --place P --new all; nav_save", "--places"];
    let done = navmap(temp.path(), &[&typed[..], &[known.to_str().unwrap()]].concat());
    assert!(stdout(&done).contains("the game does not know the place P"), "{}", stdout(&done));
}

#[test]
fn a_check_says_how_it_would_mend_a_mesh_and_then_does() {
    let temp = Temp::new("check-fix");
    let mut mesh = read(&row()).unwrap();
    mesh.areas[0].connections[1] = vec![2, 2, 1, 77];
    temp.file("a.nav", &write(&mesh));
    let script = "// a.nav: what was found and can be mended\nclean_links --self // self-connection 1\n\
                  clean_links --duplicate // duplicate-connection 1\nclean_links --dangling // dangling-connection 1\n";
    let said = navmap(temp.path(), &["check", "a.nav", "--fix"]);
    assert_eq!((said.status.code(), stdout(&said).as_str()), (Some(1), script), "{}", stderr(&said));
    assert!(stderr(&said).contains("nothing is written: -o FILE or --in-place"), "{}", stderr(&said));
    assert_eq!(temp.names(), ["a.nav"]);
    let done = navmap(temp.path(), &["check", "a.nav", "--fix", "-o", "b.nav"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let mended = read(&std::fs::read(temp.join("b.nav")).unwrap()).unwrap();
    assert_eq!(mended.areas[0].connections[1], [2]);
    // What it prints is a script, and gives the same mesh.
    temp.file("fix.txt", script.as_bytes());
    let done = navmap(temp.path(), &["edit", "a.nav", "-f", "fix.txt", "-o", "c.nav"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(std::fs::read(temp.join("b.nav")).unwrap() == std::fs::read(temp.join("c.nav")).unwrap());
    let only = navmap(temp.path(), &["check", "a.nav", "--fix", "--code", "self-connection", "--in-place"]);
    assert_eq!(only.status.code(), Some(0), "{}", stderr(&only));
    assert_eq!(temp.names(), ["a.nav", "a.nav.bak", "b.nav", "c.nav", "fix.txt"]);
    let now = read(&std::fs::read(temp.join("a.nav")).unwrap()).unwrap();
    assert_eq!(now.areas[0].connections[1], [2, 2, 77]);
    let nothing = navmap(temp.path(), &["check", "b.nav", "--fix"]);
    assert_eq!(nothing.status.code(), Some(0), "{}", stderr(&nothing));
    assert!(stdout(&nothing).contains("nothing that a command would mend"), "{}", stdout(&nothing));
    let several = navmap(temp.path(), &["check", "a.nav", "b.nav", "--fix"]);
    assert_eq!(several.status.code(), Some(1), "{}", stderr(&several));
    assert!(stderr(&several).contains("2 meshes: 1 with something to mend"), "{}", stderr(&several));
    let explained = stdout(&navmap(temp.path(), &["check", "--explain", "self-connection"]));
    assert!(
        explained.contains("`navmap check --fix` mends it: clean (source2), clean_links --self (source)"),
        "{explained}"
    );
}

#[test]
fn a_picture_shows_what_an_edit_changed() {
    let temp = Temp::new("draw-before");
    temp.file("a.nav", &row());
    let script = "nav_split #1 x=150; nav_delete #2; nav_crouch #3";
    let done = navmap(temp.path(), &["edit", "a.nav", "-c", script, "-o", "b.nav"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let done = navmap(temp.path(), &["draw", "b.nav", "--before", "a.nav", "-o", "c.svg"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let svg = std::fs::read_to_string(temp.join("c.svg")).unwrap();
    for word in [
        "changed since a.nav",
        "area #4, added",
        "area #2, removed",
        "area #3, other flags or place",
        "area #1, removed",
    ] {
        assert!(svg.contains(word), "{word}");
    }
    let same = navmap(temp.path(), &["draw", "a.nav", "--before", "a.nav", "-o", "d.svg"]);
    assert_eq!(same.status.code(), Some(0), "{}", stderr(&same));
    let same = std::fs::read_to_string(temp.join("d.svg")).unwrap();
    assert!(!CHANGED.iter().any(|word| same.contains(&format!(", {word},"))));
    assert_eq!(
        navmap(temp.path(), &["draw", "a.nav", "--before", "none.nav", "-o", "e.svg"]).status.code(),
        Some(2)
    );
}

/// What a node of such a picture can be.
const CHANGED: [&str; 6] =
    ["added", "removed", "moved or reshaped", "where it was", "other links", "other flags or place"];

#[test]
fn slim_in_place_keeps_the_file_as_it_was_beside_it() {
    let temp = Temp::new("slim-in-place");
    let mut mesh = read(&row()).unwrap();
    mesh.areas[0].visible = vec![(2, 3)];
    temp.file("a.nav", &write(&mesh));
    let done = navmap(temp.path(), &["slim", "a.nav", "--drop", "visibility", "--in-place"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert_eq!(temp.names(), ["a.nav", "a.nav.bak"]);
    assert!(std::fs::read(temp.join("a.nav.bak")).unwrap() == write(&mesh));
    assert!(read(&std::fs::read(temp.join("a.nav")).unwrap()).unwrap().areas[0].visible.is_empty());
    let again = navmap(temp.path(), &["slim", "a.nav", "--drop", "visibility", "--in-place"]);
    assert_eq!(
        (again.status.code(), temp.names().len()),
        (Some(0), 2),
        "nothing changed, so nothing is kept"
    );
}

#[test]
fn a_journal_replays_on_another_version_of_the_mesh() {
    let temp = Temp::new("edit-journal");
    temp.file("a.nav", &row());
    let script = "nav_split #3 x=350; nav_crouch #5";
    let typed = ["edit", "a.nav", "-c", script, "-o", "b.nav", "--journal", "j.txt"];
    assert_eq!(navmap(temp.path(), &typed).status.code(), Some(0));
    let mut other = read(&row()).unwrap();
    other.areas[2].id = 77;
    temp.file("other.nav", &write(&other));
    let done = navmap(temp.path(), &["edit", "other.nav", "--replay", "j.txt", "-o", "c.nav"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let made = read(&std::fs::read(temp.join("c.nav")).unwrap()).unwrap();
    assert_eq!(
        made.areas.iter().map(|area| (area.id, area.attributes)).collect::<Vec<_>>(),
        [(1, 0), (2, 0), (78, 0), (79, 1)]
    );
}

#[test]
fn what_the_game_would_not_bear_is_not_written_unless_forced() {
    let temp = Temp::new("edit-odd");
    temp.file("a.nav", &row());
    let done = navmap(temp.path(), &["edit", "a.nav", "-c", "nav_delete all", "-o", "b.nav"]);
    assert_eq!((done.status.code(), temp.join("b.nav").exists()), (Some(1), false));
    assert!(stderr(&done).contains("no areas: the game refuses the file"), "{}", stderr(&done));
    let done = navmap(temp.path(), &["edit", "a.nav", "-c", "nav_delete all", "-o", "b.nav", "--force-odd"]);
    assert_eq!((done.status.code(), read_areas(&temp.join("b.nav"))), (Some(0), 0));
    let done = navmap(temp.path(), &["edit", "a.nav", "-c", "nav_crouch #1", "-o", "b.nav"]);
    assert!(stderr(&done).contains("is there already (--force replaces it)"), "{}", stderr(&done));
}

#[test]
fn what_could_be_read_only_in_part_is_edited_when_that_is_forced() {
    let temp = Temp::new("edit-part");
    let whole = row();
    temp.file("a.nav", &whole[..whole.len() - 40]);
    let edit = ["edit", "a.nav", "--lenient", "-c", "nav_mark_attribute CROUCH all", "-o", "b.nav"];
    let done = navmap(temp.path(), &edit);
    assert_ne!(done.status.code(), Some(0));
    assert!(stderr(&done).contains("--force-odd") && !temp.join("b.nav").exists(), "{}", stderr(&done));
    let done = navmap(temp.path(), &[&edit[..], &["--force-odd"]].concat());
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(temp.join("b.nav").exists());
    // What it carries on is told by kind, with how many there are.
    let carried = stderr(&done).lines().filter(|line| line.contains("carried on as it is")).count();
    assert!(carried <= 2, "{}", stderr(&done));
}

#[test]
fn a_source_mesh_becomes_no_mesh_of_quake_and_is_told_what_it_can_become() {
    let temp = Temp::new("convert-form");
    temp.file("a.nav", &row());
    let done = navmap(temp.path(), &["convert", "a.nav", "-o", "a.aas"]);
    assert_eq!(done.status.code(), Some(2));
    let why = stderr(&done);
    assert!(why.contains("a.aas is no form of a Source mesh") && why.contains("navmap export"), "{why}");
}

#[test]
fn slim_says_what_each_kind_takes_and_drops_what_the_game_does_not_use() {
    let temp = Temp::new("slim");
    let tf2 = navmap_testkit::source::write(&navmap_testkit::source::level(
        16,
        Some(2),
        &navmap_testkit::source::Shape::small(4),
    ));
    temp.file("a.nav", &tf2);
    let done = navmap(temp.path(), &["slim", "a.nav", "-o", "b.nav"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(
        stdout(&done).lines().any(|line| line.starts_with("encounters") && line.ends_with("dropped")),
        "{}",
        stdout(&done)
    );
    let saved = tf2.len() - std::fs::read(temp.join("b.nav")).unwrap().len();
    assert!(
        saved > 0 && stdout(&done).contains(&format!("{saved} of {} bytes saved", tf2.len())),
        "{}",
        stdout(&done)
    );
    let done = navmap(temp.path(), &["slim", "a.nav", "--drop", "visibility", "-o", "c.nav"]);
    assert!(stderr(&done).contains("no longer counts as analysed"), "{}", stderr(&done));
}

#[test]
fn convert_names_the_losses_of_source_meshes() {
    let temp = Temp::new("source-convert");
    temp.file("a.nav", &row());
    let done = navmap(temp.path(), &["convert", "a.nav", "--to", "source-9", "-o", "b.nav"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(
        stderr(&done).contains("lost: the word that the mesh is analysed (1) [analyzed-lost]"),
        "{}",
        stderr(&done)
    );
    assert_eq!(read(&std::fs::read(temp.join("b.nav")).unwrap()).unwrap().version, 9);
    let done = navmap(temp.path(), &["convert", "a.nav", "--to", "source-16/2", "-o", "c.nav", "--lossless"]);
    assert_eq!((done.status.code(), temp.join("c.nav").exists()), (Some(0), true), "{}", stderr(&done));
    assert_eq!(
        navmap(temp.path(), &["convert", "a.nav", "--to", "source-12", "-o", "d.nav"]).status.code(),
        Some(2)
    );
    let done = navmap(temp.path(), &["convert", "a.nav", "--to", "16/2", "-o", "e.nav"]);
    assert_eq!(
        (done.status.code(), read(&std::fs::read(temp.join("e.nav")).unwrap()).unwrap().subversion),
        (Some(0), Some(2)),
        "a number alone"
    );
    let done = navmap(temp.path(), &["convert", "a.nav", "--to", "nav9", "-o", "d.nav"]);
    for form in ["nav3-1 to nav3-6", "navjson-1", "source-3", "graph-1", "pwf-7"] {
        assert!(stderr(&done).contains(form), "{}", stderr(&done));
    }
    let done = navmap(temp.path(), &["convert", "a.nav", "--to", "nav2-15", "-o", "d.nav"]);
    assert_eq!(done.status.code(), Some(2), "{}", stderr(&done));
}

#[test]
fn analyze_asks_the_map_and_refuses_one_that_is_another() {
    let temp = Temp::new("analyze-map");
    let text =
        "{ \"classname\" \"worldspawn\" }\n{ \"classname\" \"info_player_start\" \"origin\" \"0 0 10\" }\n";
    let map = source(20, &[room()], text);
    temp.file("a.bsp", &map);
    temp.file("empty.bsp", &source(20, &[room()], "{ \"classname\" \"worldspawn\" }\n"));
    temp.file("cut.bsp", &map[..map.len() / 2]);
    let mut mesh = read(&row()).unwrap();
    mesh.bsp_size = map.len() as u32;
    temp.file("a.nav", &write(&mesh));
    let done = navmap(temp.path(), &["analyze", "a.nav", "--bsp", "a.bsp", "--full", "-o", "b.nav"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(!stdout(&done).contains("needs the map"), "{}", stdout(&done));
    let made = read(&std::fs::read(temp.join("b.nav")).unwrap()).unwrap();
    assert!(made.areas.iter().all(|area| area.visible.iter().any(|(id, _)| *id == area.id)), "sees itself");
    assert_eq!(made.analyzed, 1);
    for (bsp, why) in [("empty.bsp", "no place where players appear"), ("cut.bsp", "cut.bsp: lump ")] {
        let done = navmap(temp.path(), &["analyze", "a.nav", "--bsp", bsp, "--any-map", "-o", "c.nav"]);
        assert_eq!(done.status.code(), Some(2), "{bsp}");
        assert!(stderr(&done).contains(why) && !temp.join("c.nav").exists(), "{}", stderr(&done));
    }
    mesh.bsp_size += 1;
    temp.file("a.nav", &write(&mesh));
    let done = navmap(temp.path(), &["analyze", "a.nav", "--bsp", "a.bsp", "-o", "c.nav"]);
    assert_eq!(done.status.code(), Some(2));
    assert!(stderr(&done).contains("but the mesh was made for one of"), "{}", stderr(&done));
    // To replace a file says nothing about the map.
    temp.file("c.nav", b"");
    let forced = navmap(temp.path(), &["analyze", "a.nav", "--bsp", "a.bsp", "--force", "-o", "c.nav"]);
    assert_eq!(forced.status.code(), Some(2));
    assert!(stderr(&forced).contains("--any-map") && std::fs::read(temp.join("c.nav")).unwrap().is_empty());
    let any = ["analyze", "a.nav", "--bsp", "a.bsp", "--force", "--any-map", "-o", "c.nav"];
    let done = navmap(temp.path(), &any);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    // Without a mesh, that of the map is asked for.
    let done = navmap(temp.path(), &["analyze", "--bsp", "a.bsp", "-o", "d.nav"]);
    let why = "a.bsp: map: holds no mesh: name the mesh to analyse";
    assert!(done.status.code() == Some(2) && stderr(&done).contains(why), "{}", stderr(&done));
    let done = navmap(temp.path(), &["analyze", "--bsp", "none.bsp", "-o", "d.nav"]);
    assert!(done.status.code() == Some(2) && !stderr(&done).contains("holds no mesh"), "{}", stderr(&done));
}

#[test]
fn analyze_computes_spots_and_says_what_needs_the_map() {
    let temp = Temp::new("analyze");
    temp.file("a.nav", &row());
    let done = navmap(temp.path(), &["analyze", "a.nav", "--full", "-o", "b.nav"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let said = stdout(&done);
    assert!(said.contains("hiding: 8 hiding spots (before: 0), changed in 3 areas"), "{said}");
    assert!(said.contains("whether they are in cover needs the map"), "{said}");
    assert!(said.contains("the mesh no longer counts as analysed"), "{said}");
    let made = read(&std::fs::read(temp.join("b.nav")).unwrap()).unwrap();
    assert_eq!(made.areas.iter().map(|area| area.spots.len()).collect::<Vec<_>>(), [2, 2, 4]);
    assert_eq!(made.analyzed, 0);
    // Again: nothing changes.
    let done = navmap(temp.path(), &["analyze", "b.nav", "--full", "--in-place"]);
    assert!(stderr(&done).contains("nothing has changed"), "{}", stderr(&done));
    assert!(!temp.join("b.nav.bak").exists());
    let done = navmap(temp.path(), &["analyze", "a.nav", "-o", "b.nav"]);
    assert_eq!(done.status.code(), Some(2), "an output that exists is not replaced");
    let done = navmap(temp.path(), &["analyze", "a.nav"]);
    assert!(stderr(&done).contains("nothing is written"), "{}", stderr(&done));
    // The mesh goes to standard output, the report to stderr.
    let done = navmap(temp.path(), &["analyze", "a.nav", "-o", "-"]);
    assert!(done.stdout.starts_with(&[0xCE, 0xFA, 0xED, 0xFE]) && stderr(&done).contains("hiding:"));
    let before = std::fs::read(temp.join("a.nav")).unwrap();
    let done = navmap(temp.path(), &["analyze", "a.nav", "--only", "hiding", "--in-place"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(std::fs::read(temp.join("a.nav.bak")).unwrap() == before);
    assert!(std::fs::read(temp.join("a.nav")).unwrap() != before);
}

#[test]
fn analyze_takes_spawns_and_places_and_refuses_what_is_none() {
    let temp = Temp::new("analyze-spawns");
    let old = read(&row()).unwrap();
    let named = Mesh { places: vec![b"Pit\0".to_vec()], ..old.clone() };
    let mut named = named;
    named.areas[0].place = 1;
    temp.file("old.nav", &write(&named));
    temp.file("new.nav", &write(&Mesh { version: 9, subversion: None, ..old }));
    let spawn = ["--spawn", "t:150,50,0", "--spawn", "ct:50,1e9,0"];
    let places = ["--places-from", "old.nav", "--flood-places"];
    let done = navmap(temp.path(), &[&["analyze", "new.nav", "-o", "b.nav"][..], &spawn, &places].concat());
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let made = read(&std::fs::read(temp.join("b.nav")).unwrap()).unwrap();
    assert_eq!(made.areas[1].occupy[0], 100.0 / 240.0);
    assert_eq!(made.areas[2].occupy[0], 120.0, "no way leads there");
    assert_eq!(made.areas.iter().map(|area| area.place).collect::<Vec<_>>(), [1, 1, 1]);
    for wrong in ["x:1,2,3", "t:1,2", "t:1,2,nan", "t"] {
        let done = navmap(temp.path(), &["analyze", "new.nav", "--spawn", wrong]);
        assert_eq!(done.status.code(), Some(2), "{wrong}");
    }
    let done = navmap(temp.path(), &["analyze", "new.nav", "--only", "hidng"]);
    assert_eq!(done.status.code(), Some(2));
    assert!(stderr(&done).contains("hiding"), "{}", stderr(&done));
    let done = navmap(temp.path(), &["edit", "new.nav", "--recompute", "spots,encounters", "-o", "c.nav"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let made = read(&std::fs::read(temp.join("c.nav")).unwrap()).unwrap();
    assert_eq!(made.areas.iter().map(|area| area.spots.len()).collect::<Vec<_>>(), [2, 2, 4]);
    assert!(stdout(&done).contains("hiding: 8 hiding spots"), "{}", stdout(&done));
}
