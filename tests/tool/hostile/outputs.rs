//! Outputs that meet inputs, and two runs that change one mesh: nothing is lost that nobody gave up.

use super::{navmap, run};
use navmap_testkit::source::{Area, Mesh, write};
use navmap_testkit::temp::Temp;
use std::fs;
use std::path::Path;

fn mesh() -> Vec<u8> {
    let area = |i: u32| {
        let x = i as f32 * 50.0;
        let connections = [vec![], vec![(i + 1) % 9 + 1], vec![], vec![]];
        Area { id: i + 1, nw: [x, 0.0, 0.0], se: [x + 50.0, 50.0, 0.0], connections, ..Area::default() }
    };
    let areas = (0..9).map(area).collect();
    write(&Mesh { version: 16, subversion: Some(0), analyzed: 1, areas, ..Mesh::default() })
}

fn told(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let done = run(&args.join(" "), navmap().current_dir(folder).args(args));
    (done.status.code(), String::from_utf8(done.stderr).unwrap())
}

const JUMP: [&str; 3] = ["edit", "-c", "nav_mark_attribute JUMP all"];

#[test]
fn no_output_goes_over_what_the_run_reads_under_whatever_name() {
    let temp = Temp::new("over-inputs");
    let before = mesh();
    let mesh = temp.file("a.nav", &before);
    fs::hard_link(&mesh, temp.join("hard.nav")).unwrap();
    fs::hard_link(&mesh, temp.join("hard.svg")).unwrap();
    let mut links_to_mesh = vec!["hard.nav"];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("a.nav", temp.join("soft.nav")).unwrap();
        links_to_mesh.push("soft.nav");
    }
    let names: Vec<&str> = ["a.nav", "./a.nav"].into_iter().chain(links_to_mesh.iter().copied()).collect();
    temp.file("script.txt", b"nav_mark_attribute JUMP all");
    let corpus = |name: &str| fs::read(navmap_testkit::corpus::bundled().join(name)).unwrap();
    for plugin in ["Base.esm", "Patch.esp", "Rival.esp"] {
        temp.file(format!("order/{plugin}"), &corpus(&format!("skyrim/order/{plugin}")));
    }
    temp.file("yard.bsp", &corpus("bsp/yard-source.bsp"));
    temp.file("points.csv", b"5,5,5\n");
    fs::create_dir(temp.join("tables")).unwrap();
    let links = [("a.nav", "hard.html"), ("a.nav", "tables/source_areas.csv"), ("points.csv", "points.svg")];
    for (file, link) in links.into_iter().chain([("yard.bsp", "yard.nav"), ("order/Patch.esp", "patch.esp")])
    {
        fs::hard_link(temp.join(file), temp.join(link)).unwrap();
    }
    let others = ["order/Patch.esp", "yard.bsp", "points.csv"];
    let of_others = others.map(|name| fs::read(temp.join(name)).unwrap());
    let mut cases: Vec<Vec<&str>> = Vec::new();
    for name in names {
        cases.push(vec!["export", "--format", "obj", "a.nav", "-o", name]);
        cases.push(vec!["draw", "--format", "svg", "a.nav", "-o", name]);
        cases.push(vec!["convert", "--to", "source-9", "a.nav", "-o", name]);
    }
    cases.push([&JUMP[..], &["a.nav", "-o", "script.txt", "-f", "script.txt"]].concat());
    cases.push(
        [&JUMP[..], &["a.nav", "-o", "new.nav", "--journal", "script.txt", "-f", "script.txt"]].concat(),
    );
    cases.push(vec!["diff", "a.nav", "hard.nav", "--draw", "hard.svg"]);
    cases.push(vec!["reach", "a.nav", "--draw", "hard.svg"]);
    cases.push(vec!["path", "a.nav", "#1", "#2", "--draw", "hard.svg"]);
    cases.push(vec!["merge", "a.nav", "a.nav", "a.nav", "-o", "new.nav", "--draw", "hard.svg"]);
    cases.push(vec!["draw", "a.nav", "--points", "points.csv", "-o", "points.svg"]);
    cases.push(vec!["view", "a.nav", "--html", "hard.html"]);
    cases.push(vec!["tables", "a.nav", "-o", "tables"]);
    cases.push(vec!["generate", "yard.bsp", "--game", "css", "-o", "yard.nav"]);
    // A plugin of the folder that is read, though only the folder was typed.
    for output in ["order/Patch.esp", "patch.esp"] {
        cases.push(vec!["fix", "order", "-o", output]);
        cases.push(vec!["conflicts", "order", "-o", output]);
    }
    cases.push(vec!["patch", "a.nav", "script.txt", "-o", "script.txt"]);
    cases.push(vec!["merge", "a.nav", "hard.nav", "script.txt", "-o", "script.txt"]);
    for mut case in cases {
        case.push("--force");
        let (code, said) = told(temp.path(), &case);
        assert_eq!(code, Some(2), "{case:?}: {said}");
        assert!(said.contains("is read by this run"), "{case:?}: {said}");
        assert!(fs::read(&mesh).unwrap() == before, "{case:?}");
        for (name, bytes) in others.iter().zip(&of_others) {
            assert!(fs::read(temp.join(name)).unwrap() == *bytes, "{case:?}: {name}");
        }
        assert_eq!(fs::read(temp.join("script.txt")).unwrap(), b"nav_mark_attribute JUMP all", "{case:?}");
    }
    // Verbs that change the mesh write over it under its own name, and not through another.
    fs::copy(&mesh, temp.join("b.nav")).unwrap();
    for name in links_to_mesh {
        let verbs: [&[&str]; 5] = [
            &["edit", "-c", "nav_mark_attribute JUMP all", "a.nav"],
            &["patch", "a.nav", "script.txt"],
            &["slim", "--drop", "approaches", "a.nav"],
            &["analyze", "--quick", "a.nav"],
            &["merge", "b.nav", "a.nav", "b.nav"],
        ];
        for verb in verbs {
            let (code, said) = told(temp.path(), &[verb, &["-o", name, "--force"]].concat());
            assert!(code == Some(2) && said.contains("is read by this run"), "{verb:?} {name}: {said}");
            assert!(fs::read(&mesh).unwrap() == before, "{verb:?} {name}");
        }
        // What is typed twice is meant.
        let (code, said) =
            told(temp.path(), &[&JUMP[..], &[name, "-o", name, "--force", "--dry-run"]].concat());
        assert_eq!(code, Some(0), "{name}: {said}");
    }
    // The journal is no mesh, though the mesh may be written over.
    for journal in ["a.nav", "hard.nav"] {
        let (code, said) =
            told(temp.path(), &[&JUMP[..], &["a.nav", "--force", "--journal", journal]].concat());
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("is read by this run"), "{said}");
    }
    assert!(fs::read(&mesh).unwrap() == before);
}

#[test]
fn two_outputs_are_two_files() {
    let temp = Temp::new("one-output");
    temp.file("a.nav", &mesh());
    for [one, other] in [["x", "x"], ["x", "./x"], ["-", "-"], ["y", "hard"]] {
        if one == "y" {
            fs::hard_link(temp.file("y", b"old"), temp.join("hard")).unwrap();
        }
        let args = [&JUMP[..], &["a.nav", "--force", "-o", one, "--journal", other]].concat();
        let (code, said) = told(temp.path(), &args);
        assert!(code == Some(2) && said.contains("is to be two outputs"), "{one}: {code:?} {said}");
    }
    assert!(!temp.join("x").exists());
    assert_eq!(fs::read(temp.join("y")).unwrap(), b"old");
}

/// `--force` replaces what was there before the run, and nothing that the run reads or writes itself.
#[test]
fn the_text_of_a_selection_goes_over_no_mesh_and_no_journal_of_the_run() {
    let temp = Temp::new("text-over");
    let before = mesh();
    temp.file("a.nav", &before);
    let told = |args: &[&str]| told(temp.path(), &[&["edit", "a.nav", "--force"], args].concat());
    let text = |to: &str| format!("nav_mark_attribute JUMP all; nav_save_selected all --to {to}");
    for goal in [&["-o", "new.nav"][..], &["-o", "a.nav"], &["--in-place"], &["--dry-run"]] {
        let (code, said) = told(&[goal, &["-c", &text("./a.nav")]].concat());
        assert!(code == Some(2) && said.contains("is read by this run"), "{goal:?}: {code:?} {said}");
        assert!(fs::read(temp.join("a.nav")).unwrap() == before, "{goal:?}");
    }
    let both = format!("{}; nav_save x", text("x"));
    let turned = "nav_save x; nav_save_selected all --to ./x";
    for args in [
        &["-c", &text("x"), "-o", "./x"][..],
        &["-c", &text("x"), "-o", "y", "--journal", "./x"],
        &["-c", "nav_save x", "-o", "y", "--journal", "./x"],
        &["-c", &both, "-o", "y"],
        &["-c", turned, "-o", "y"],
    ] {
        let (code, said) = told(args);
        assert!(code == Some(2) && said.contains("is to be two outputs"), "{args:?}: {code:?} {said}");
        let _ = fs::remove_file(temp.join("x"));
    }
    // What the run has made itself may be made anew.
    let twice = format!("{}; nav_save_selected all --to x", text("x"));
    assert_eq!(told(&["-c", &twice, "-o", "y"]).0, Some(0));
}

#[cfg(unix)]
#[test]
fn a_mesh_that_changed_since_it_was_read_is_not_written_over() {
    use std::io::Write;
    use std::process::Stdio;
    let temp = Temp::new("two-at-once");
    let before = mesh();
    let edits: [&[&str]; 2] = [
        &["edit", "a.nav", "-f", "-", "--in-place"],
        &["edit", "a.nav", "-f", "-", "-o", "./a.nav", "--force"],
    ];
    for edit in edits {
        let mesh = temp.file("a.nav", &before);
        // It has read the mesh, and waits for its script.
        let mut first = navmap();
        first
            .current_dir(temp.path())
            .args(edit)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut first = first.spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(700));
        let (code, said) = told(temp.path(), &["edit", "a.nav", "-c", "nav_delete #3", "--in-place"]);
        assert_eq!(code, Some(0), "{said}");
        let second = fs::read(&mesh).unwrap();
        assert!(second != before);
        first.stdin.take().unwrap().write_all(b"nav_mark_attribute JUMP all\n").unwrap();
        let done = first.wait_with_output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(2), "{said}");
        assert!(said.contains("a.nav: another program has changed it since it was read"), "{said}");
        assert!(fs::read(&mesh).unwrap() == second, "the change of the other survives");
    }
    assert!(!temp.join("a.nav.bak3").exists(), "a refused save leaves no copy: {:?}", temp.names());
}

/// Whoever runs them, and however they meet: as many changes survive as runs say that they have written.
#[cfg(unix)]
#[test]
fn of_many_edits_at_once_each_is_in_the_mesh_or_says_that_it_is_not() {
    let temp = Temp::new("many-at-once");
    let mesh = temp.file("a.nav", &mesh());
    let runs: Vec<_> = (1..=6)
        .map(|area| {
            let command = format!("nav_mark_attribute JUMP #{area}");
            let mut run = navmap();
            run.current_dir(temp.path()).args(["edit", "a.nav", "--in-place", "-c", &command]);
            run.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap()
        })
        .collect();
    let written =
        runs.into_iter().map(|mut run| run.wait().unwrap().code()).filter(|code| *code == Some(0)).count();
    let json = navmap().arg("dump").arg(&mesh).output().unwrap().stdout;
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let areas = json["areas"].as_array().unwrap_or_else(|| panic!("{json}"));
    let jumps = areas.iter().filter(|area| area["attributes"].to_string().contains("JUMP")).count();
    assert!(written > 0 && jumps == written, "{written} written, {jumps} there");
}

#[cfg(unix)]
#[test]
fn a_mesh_that_is_written_over_keeps_its_mode_and_so_does_its_copy() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    let temp = Temp::new("modes");
    let path = temp.file("a.nav", &mesh());
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    let given = chown(&path, Some(60_001), Some(60_001)).is_ok();
    let (code, said) = told(temp.path(), &[&JUMP[..], &["--in-place", "a.nav"]].concat());
    assert_eq!(code, Some(0), "{said}");
    for path in [path.clone(), temp.join("a.nav.bak")] {
        assert_eq!(mode(&path), 0o600, "{}", path.display());
        if given {
            let data = fs::metadata(&path).unwrap();
            assert_eq!((data.uid(), data.gid()), (60_001, 60_001), "{}", path.display());
        }
    }
    // Read-only is meant.
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let before = fs::read(&path).unwrap();
    let verbs: [&[&str]; 4] = [
        &["edit", "-c", "nav_delete #3"],
        &["slim", "--drop", "visibility,approaches,encounters"],
        &["analyze"],
        &["check", "--fix"],
    ];
    for verb in verbs {
        let (code, said) = told(temp.path(), &[verb, &["--in-place", "a.nav"]].concat());
        let wrote_nothing = fs::read(&path).unwrap() == before;
        assert!(wrote_nothing && (code != Some(0) || !said.contains(".bak")), "{verb:?}: {code:?} {said}");
        if verb[0] == "edit" {
            assert!(
                code == Some(2) && said.contains("is read-only (--force writes over it)"),
                "{code:?} {said}"
            );
        }
    }
    let (code, said) = told(temp.path(), &["edit", "-c", "nav_delete #3", "--in-place", "--force", "a.nav"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(mode(&path), 0o444);
    assert!(fs::read(&path).unwrap() != before);
}

/// Numbers that a file claims are no sizes.
#[test]
fn a_picture_of_a_cluster_of_any_number_is_drawn() {
    let temp = Temp::new("clusters");
    let mut lumps = navmap_testkit::aas::sample().lumps(5, false);
    temp.file("before.aas", &lumps.encode());
    lumps.set(8, 2, 3, i32::MAX).set(8, 3, 3, i32::MAX - 7);
    temp.file("after.aas", &lumps.encode());
    let pictures: [&[&str]; 3] = [
        &["diff", "before.aas", "after.aas", "--draw", "diff.svg"],
        &["draw", "after.aas", "--before", "before.aas", "-o", "draw.svg"],
        &["draw", "after.aas", "--color", "group", "-o", "group.svg"],
    ];
    for picture in pictures {
        let (code, said) = told(temp.path(), picture);
        assert!(matches!(code, Some(0 | 1)), "{picture:?}: {code:?} {said}");
        let picture =
            fs::read_to_string(temp.join(picture.iter().find(|arg| arg.ends_with(".svg")).unwrap()));
        assert!(picture.unwrap().len() < 100_000);
    }
}
