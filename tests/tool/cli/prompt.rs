//! The prompt of `navmap edit` in a pseudo-terminal, as a person sees it: golden screens.

use super::pty::Terminal;
use navmap_testkit::source::{Area, Mesh, read, write};
use navmap_testkit::temp::Temp;
use std::process::Command;

/// Three areas in a row, two of them with places.
fn mesh() -> Vec<u8> {
    let area = |id: u32| Area {
        id,
        nw: [id as f32 * 100.0, 0.0, 0.0],
        se: [id as f32 * 100.0 + 100.0, 100.0, 0.0],
        light: [1.0; 4],
        place: (id % 3) as u16,
        ..Area::default()
    };
    let places = vec![b"BombsiteA\0".to_vec(), b"Top of Mid\0".to_vec()];
    write(&Mesh {
        version: 16,
        subversion: Some(0),
        analyzed: 1,
        places,
        areas: (1..=3).map(area).collect(),
        ..Mesh::default()
    })
}

/// Starts `navmap edit` in a folder, and waits for its prompt.
fn start(temp: &Temp, arguments: &str) -> Terminal {
    Terminal::start(temp, &format!("edit {arguments}"), "a>")
}

fn folder(name: &str) -> Temp {
    let temp = Temp::new(name);
    temp.file("a.nav", &mesh());
    temp
}

#[test]
fn a_session_at_the_prompt_looks_like_this() {
    let temp = folder("prompt");
    let mut terminal = start(&temp, "a.nav -o b.nav");
    terminal.enter("help nav_split", "a>");
    terminal.keys("nav_spli\t", "a> nav_spli");
    terminal.keys("t\t", "a> nav_split");
    terminal.enter("#3 x=350", "a*>");
    terminal.enter("nav_splt #3 x=5", "a*>");
    terminal.keys("nav_mark_attribute cro\t", "a*> nav_mark_attribute CROUCH");
    terminal.enter("place(", "a*>");
    terminal
        .keys("nav_mark_attribute CROUCH place(t\t", "a*> nav_mark_attribute CROUCH place(\"Top of Mid\"");
    terminal.keys(")\r", "a*>");
    terminal.enter("undo", "a*>");
    terminal.enter("redo", "a*>");
    // Up: the line before the last.
    terminal.keys("\x1b[A\x1b[A", "a*> undo");
    terminal.go_on("\r", "a*>");
    terminal.enter("status", "a*>");
    terminal.enter("nav_save", "a>");
    terminal.enter("nav_delete #1", "a*>");
    let question = "save the changes to b.nav? [y = save, n = throw away, c = stay]";
    terminal.enter("quit", question);
    terminal.enter("c", "a*>");
    terminal.enter("exit", question);
    let seen = terminal.end("n\r");
    super::golden_text("prompt.txt", &seen);
    let written = read(&std::fs::read(temp.join("b.nav")).unwrap()).unwrap();
    assert_eq!(written.areas.iter().map(|area| area.id).collect::<Vec<_>>(), [1, 2, 4, 5]);
    assert!(std::fs::read_to_string(temp.join("history")).unwrap().contains("nav_delete #1"));
}

#[test]
fn control_c_ends_nothing_that_is_not_saved_without_asking() {
    let temp = folder("prompt-interrupted");
    let mut terminal = start(&temp, "a.nav");
    terminal.keys("nav_delete", "a> nav_delete");
    terminal.keys("\x03", "a>");
    terminal.enter("nav_delete #1", "a*>");
    let (row, _) = terminal.line();
    terminal.press("\x03");
    terminal.until(row, "the changes are not saved (save FILE): throw them away? [y/N]");
    terminal.enter("", "a*>");
    // Everything taken back: there is nothing to ask about.
    terminal.enter("undo", "a*>");
    terminal.end("\x03");
    assert_eq!(temp.names(), ["a.nav", "history"]);

    let mut terminal = start(&temp, "a.nav --in-place --journal j.txt");
    terminal.enter("nav_delete #1", "a*>");
    terminal.press("\x04");
    terminal.until(0, "save the changes to a.nav? [y = save, n = throw away, c = stay]");
    terminal.end("y\r");
    assert_eq!(temp.names(), ["a.nav", "a.nav.bak", "history", "j.txt"]);
    assert_eq!(read(&std::fs::read(temp.join("a.nav")).unwrap()).unwrap().areas.len(), 2);
    assert!(std::fs::read(temp.join("a.nav.bak")).unwrap() == mesh());
}

#[test]
fn the_prompt_writes_at_once_and_never_over_a_file_that_exists() {
    let temp = folder("prompt-writes");
    temp.file("taken.nav", b"mine");
    let mut terminal = start(&temp, "a.nav");
    terminal.enter("nav_save_selected #1", "a>");
    assert!(temp.join("a_selected_0000.txt").exists());
    terminal.enter("nav_crouch #1", "a*>");
    terminal.enter("nav_save taken.nav", "a*>");
    terminal.enter("nav_save", "a*>");
    terminal.enter("nav_save c.nav", "a>");
    terminal.enter("nav_crouch #1; nav_save c.nav", "a>");
    assert_eq!(std::fs::read(temp.join("taken.nav")).unwrap(), b"mine");
    let seen = terminal.end("quit\r");
    assert!(seen.contains("is there already") && seen.contains("-o FILE or --in-place says where"), "{seen}");
}

#[test]
fn a_second_kind_of_end_is_no_terminal() {
    let temp = folder("prompt-none");
    let done = Command::new(env!("CARGO_BIN_EXE_navmap"))
        .current_dir(temp.path())
        .args(["edit", "a.nav"])
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert!(super::text(&done.stderr).contains("a prompt needs a terminal"));
}

#[test]
fn a_mesh_of_any_family_is_saved_at_the_prompt() {
    let temp = Temp::new("prompt-saves");
    let graph = std::fs::read(navmap_testkit::corpus::bundled_path("yapb", "v2.graph")).unwrap();
    temp.file("a.graph", &graph);
    temp.file("taken.graph", b"mine");
    let mut terminal = start(&temp, "a.graph");
    terminal.enter("delete #1", "a*>");
    terminal.enter("save", "a*>");
    terminal.enter("save taken.graph", "a*>");
    terminal.enter("save \"b c.graph\"", "a>");
    let seen = terminal.end("quit\r");
    assert!(seen.contains("-o FILE or --in-place says where") && seen.contains("is there already"), "{seen}");
    assert_eq!(temp.names(), ["a.graph", "b c.graph", "history", "taken.graph"]);

    let mut terminal = start(&temp, "a.graph --in-place");
    terminal.enter("delete #1", "a*>");
    terminal.enter("save", "a>");
    terminal.enter("undo", "a*>");
    terminal.enter("Save", "a>");
    terminal.end("quit\r");
    assert!(std::fs::read(temp.join("a.graph")).unwrap() == graph);
    assert_eq!(temp.names(), ["a.graph", "a.graph.bak", "b c.graph", "history", "taken.graph"]);
}

/// Commands of the prompt stand among others, and what follows one that failed is not done.
#[test]
fn the_prompts_own_commands_stand_among_others() {
    let temp = Temp::new("prompt-among");
    let graph = std::fs::read(navmap_testkit::corpus::bundled_path("yapb", "v2.graph")).unwrap();
    temp.file("a.graph", &graph);
    let mut terminal = start(&temp, "a.graph");
    terminal.enter("help save", "a>");
    terminal.enter("HELP quit", "a>");
    terminal.enter("delete #1; save \"b;c.graph\"; delete #2", "a*>");
    terminal.enter("delete #99999; save never.graph", "a*>");
    // What cannot be read is no part of a name.
    terminal.enter("save e.graph; delete \"x", "a*>");
    let seen = terminal.end("undo; save d.graph; quit\r");
    assert!(seen.contains("a name with ; stands in quotes"), "{seen}");
    assert!(seen.contains("save [FILE]: write the mesh") && seen.contains("quit: end; asks first"), "{seen}");
    assert!(!seen.contains("no such command"), "{seen}");
    assert_eq!(temp.names(), ["a.graph", "b;c.graph", "d.graph", "history"]);
    let [one, two] = ["b;c.graph", "d.graph"].map(|name| std::fs::read(temp.join(name)).unwrap());
    assert!(one == two && one != graph);
}

#[test]
fn parts_of_a_tile_are_saved_together_at_the_end() {
    let temp = Temp::new("prompt-parts");
    let map = navmap_testkit::fox::Map { split: true, ..navmap_testkit::fox::Map::square(2) };
    let files = map.tile(0, 0).files;
    for (name, bytes) in &files {
        temp.file(name, bytes);
    }
    let stem = files[0].0.split('.').next().unwrap();
    let [clean, changed] = [">", "*>"].map(|end| format!("{stem}{end}"));
    let mut terminal = Terminal::start(&temp, &format!("edit {} --in-place", files[0].0), &clean);
    terminal.enter("attribute 0x0060 island(0)", &changed);
    terminal.enter("save one.nav2", &changed);
    terminal.press("\x04");
    let name = &files[0].0;
    terminal.until(0, &format!("save the changes to {name}? [y = save, n = throw away, c = stay]"));
    let seen = terminal.end("y\r");
    assert!(seen.contains("the mesh has several files, which quit writes together"), "{seen}");
    let now = |n: usize| std::fs::read(temp.join(&files[n].0)).unwrap();
    assert!(now(0) != files[0].1 && now(1) != files[1].1 && !temp.join("one.nav2").exists(), "{seen}");
}
