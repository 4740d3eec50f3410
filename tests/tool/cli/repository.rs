//! The hook and the action of `examples/repository`, by running their commands in a repository.

use navmap_testkit::corpus::project;
use navmap_testkit::source::{Area, Mesh, write};
use navmap_testkit::temp::Temp;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A mesh of one area, with a connection that leads nowhere if it is not sound.
fn mesh(sound: bool) -> Vec<u8> {
    let area = |id: u32, to: u32| Area {
        id,
        nw: [id as f32 * 100.0, 0.0, 0.0],
        se: [id as f32 * 100.0 + 100.0, 100.0, 0.0],
        light: [1.0; 4],
        connections: [
            vec![],
            if id == 1 { vec![to] } else { vec![] },
            vec![],
            if id == 2 { vec![1] } else { vec![] },
        ],
        ..Area::default()
    };
    let areas = vec![area(1, if sound { 2 } else { 77 }), area(2, 1)];
    write(&Mesh { version: 16, subversion: Some(0), bsp_size: 4096, analyzed: 1, areas, ..Mesh::default() })
}

/// Runs a program in a folder, with our own program on the path.
fn run(folder: &Path, program: &str, arguments: &[&str]) -> Output {
    let own = PathBuf::from(env!("CARGO_BIN_EXE_navmap"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", own.parent().unwrap().display());
    let mut command = Command::new(program);
    for name in ["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"] {
        command.env(name, "nobody@example.org");
    }
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").env("PATH", path);
    command.current_dir(folder).args(arguments).output().unwrap()
}

fn git(folder: &Path, arguments: &[&str]) -> Output {
    run(folder, "git", arguments)
}

fn said(output: &Output) -> String {
    format!("{}{}", super::text(&output.stdout), super::text(&output.stderr))
}

/// A repository with a sound mesh; `None` where there is no git.
fn repository(name: &str) -> Option<Temp> {
    if Command::new("git").arg("--version").output().is_err() {
        navmap_testkit::skipped("no git");
        return None;
    }
    let temp = Temp::new(name);
    assert!(git(temp.path(), &["init", "-q"]).status.success());
    fs::create_dir(temp.join("maps")).unwrap();
    temp.file("maps/a.nav", &mesh(true));
    assert!(git(temp.path(), &["add", "."]).status.success());
    let done = git(temp.path(), &["commit", "-q", "-m", "first"]);
    assert!(done.status.success(), "{}", said(&done));
    Some(temp)
}

#[test]
fn the_hook_refuses_what_is_staged_and_broken_and_nothing_else() {
    let Some(temp) = repository("hook") else { return };
    fs::copy(project().join("examples/repository/pre-commit"), temp.join(".git/hooks/pre-commit")).unwrap();
    temp.file("maps/b.nav", &mesh(false));
    git(temp.path(), &["add", "."]);
    // What lies in the folder is mended, what is staged is not.
    temp.file("maps/b.nav", &mesh(true));
    let done = git(temp.path(), &["commit", "-m", "second"]);
    assert!(!done.status.success(), "{}", said(&done));
    assert!(
        said(&done).contains("maps/b.nav") && said(&done).contains("[dangling-connection]"),
        "{}",
        said(&done)
    );
    git(temp.path(), &["add", "."]);
    let done = git(temp.path(), &["commit", "-m", "second"]);
    assert!(done.status.success(), "{}", said(&done));
    // A commit without a mesh is none of its business.
    temp.file("README", b"maps");
    git(temp.path(), &["add", "."]);
    assert!(git(temp.path(), &["commit", "-m", "third"]).status.success());
}

/// The commands of an action by the names of their steps. A reader of as much YAML as the action has.
fn steps(text: &str) -> Vec<(String, String)> {
    let mut steps: Vec<(String, String)> = Vec::new();
    let mut block = false;
    for line in text.lines() {
        let inner = line.strip_prefix("          ").filter(|_| block);
        match (inner, line.trim_start().trim_start_matches("- ").split_once(": ")) {
            (Some(command), _) => steps.last_mut().unwrap().1 += &format!("{command}\n"),
            (None, Some(("name", name))) => steps.push((name.to_owned(), String::new())),
            (None, Some(("run", "|"))) => block = true,
            (None, Some(("run", command))) => steps.last_mut().unwrap().1 = command.to_owned(),
            _ => block = false,
        }
        block &= !line.trim_start().starts_with("- ");
    }
    steps.retain(|(_, command)| !command.is_empty());
    steps
}

#[test]
fn the_action_checks_tells_and_draws() {
    let Some(temp) = repository("action") else { return };
    let steps = steps(&fs::read_to_string(project().join("examples/repository/meshes.yml")).unwrap());
    let names: Vec<&str> = steps.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["Install navmap", "Check", "What changed", "Pictures"]);
    let shell = |step: usize| run(temp.path(), "bash", &["-e", "-c", &steps[step].1]);
    for (step, (name, _)) in steps.iter().enumerate().skip(1) {
        let done = shell(step);
        assert!(done.status.success(), "{name}: {}", said(&done));
    }
    assert!(temp.join("pictures/maps/a.svg").exists());
    temp.file("maps/a.nav", &mesh(false));
    git(temp.path(), &["add", "maps"]);
    assert!(git(temp.path(), &["commit", "-q", "-m", "second"]).status.success());
    let checked = shell(1);
    assert_eq!(checked.status.code(), Some(1), "{}", said(&checked));
    let changed = shell(2);
    assert!(changed.status.success() && said(&changed).contains("maps/a.nav"), "{}", said(&changed));
}

#[test]
fn the_action_goes_on_after_a_file_that_is_no_mesh() {
    let Some(temp) = repository("action-odd") else { return };
    let steps = steps(&fs::read_to_string(project().join("examples/repository/meshes.yml")).unwrap());
    temp.file("maps/0.nav", b"");
    temp.file("maps/\u{e4} b.nav", &mesh(true));
    temp.file("maps/z.nav", &mesh(true));
    git(temp.path(), &["add", "maps"]);
    assert!(git(temp.path(), &["commit", "-q", "-m", "second"]).status.success());
    let shell = |step: usize| run(temp.path(), "bash", &["-e", "-c", &steps[step].1]);
    let changed = shell(2);
    assert!(changed.status.success() && said(&changed).contains("maps/z.nav"), "{}", said(&changed));
    let drawn = shell(3);
    assert_eq!(drawn.status.code(), Some(1), "{}", said(&drawn));
    for picture in ["a", "\u{e4} b", "z"] {
        assert!(temp.join(format!("pictures/maps/{picture}.svg")).exists(), "{picture}: {}", said(&drawn));
    }
    // Files of which one side is no mesh end nothing either.
    temp.file("maps/0.nav", &mesh(true));
    temp.file("maps/a.nav", b"version https://git-lfs.github.com/spec/v1\n");
    let told = git(temp.path(), &["diff", "--ext-diff"]);
    assert!(told.status.success(), "{}", said(&told));
    for mesh in ["maps/0.nav: cannot be compared: ", "maps/a.nav: cannot be compared: "] {
        assert!(said(&told).contains(mesh), "{}", said(&told));
    }
}

#[test]
fn git_is_told_of_renames_and_of_files_in_conflict() {
    let Some(temp) = repository("diff-git-names") else { return };
    assert!(git(temp.path(), &["config", "diff.navmap.command", "navmap diff --git"]).status.success());
    temp.file(".git/info/attributes", b"*.nav diff=navmap\n");
    assert!(git(temp.path(), &["mv", "maps/a.nav", "maps/b.nav"]).status.success());
    let mut bytes = mesh(true);
    // Made from a map of another size.
    bytes[12] ^= 1;
    temp.file("maps/b.nav", &bytes);
    let told = git(temp.path(), &["diff", "-M10%", "HEAD"]);
    assert!(told.status.success() && said(&told).contains("maps/a.nav → maps/b.nav"), "{}", said(&told));
    // Of a file in conflict git gives the name alone.
    let told = super::navmap(&["diff", "--git", "maps/a.nav"]);
    assert_eq!(
        (told.status.code(), super::text(&told.stdout).as_str()),
        (Some(0), "maps/a.nav: not merged yet\n")
    );
}
