//! The exit statuses of `docs/rules.md`, the same for every verb.

use crate::{navmap, text};
use navmap_testkit::archive;
use navmap_testkit::corpus::project;
use navmap_testkit::temp::Temp;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn missing_empty_and_foreign_files_mean_the_same_to_every_verb() {
    let temp = Temp::new("statuses");
    for (name, bytes) in [("empty.nav", &b""[..]), ("foreign.nav", b"hello"), ("readme.txt", b"hello")] {
        fs::write(temp.join(name), bytes).unwrap();
    }
    let (svg, obj, made) = (temp.join("a.svg"), temp.join("a.obj"), temp.join("made"));
    let [svg, obj, made] = [&svg, &obj, &made].map(|path| path.to_str().unwrap());
    let verbs: [(&str, &[&str]); 18] = [
        ("scan", &[]),
        ("scan", &["--headers"]),
        ("scan", &["--graph"]),
        ("check", &[]),
        ("info", &[]),
        ("dump", &[]),
        ("draw", &["-o", svg]),
        ("view", &[]),
        ("view", &["--html", made]),
        ("export", &["-o", obj]),
        ("convert", &["--to", "nav3-6", "-o", made]),
        ("edit", &["-c", "undo", "-o", made]),
        ("slim", &["-o", made]),
        ("analyze", &["-o", made]),
        ("trace", &["0,0,0", "1,0,0"]),
        ("generate", &["--game", "cz", "-o", made]),
        ("list", &[]),
        ("extract", &["-o", made]),
    ];
    for (verb, options) in verbs {
        for (file, status) in [("missing.nav", 2), ("empty.nav", 1), ("foreign.nav", 1), ("readme.txt", 1)] {
            let path = temp.join(file);
            let done = navmap(&[&[verb, path.to_str().unwrap()], options].concat());
            let said = text(&done.stderr);
            assert_eq!(done.status.code(), Some(status), "{verb} {options:?} {file}: {said}");
            let told = text(&done.stdout).contains(file) || said.contains(file);
            assert!(told, "{verb} {options:?} {file}: {said}");
            assert!(!Path::new(svg).exists() && !Path::new(obj).exists() && !Path::new(made).exists());
        }
    }
}

/// A damaged file means the same alone and in a folder. What cannot be done with sound files is a run that failed.
#[test]
fn a_difference_to_what_cannot_be_read_is_one() {
    let temp = Temp::new("diff-statuses");
    let town = fs::read(project().join("corpus/source/town.nav")).unwrap();
    for (name, bytes) in [("old/a.nav", &town[..]), ("new/a.nav", &town[..10]), ("new/b.nav", b"hello")] {
        temp.file(name, bytes);
    }
    let [old, new] = ["old", "new"].map(|name| temp.join(name).display().to_string());
    for (paths, status) in [
        ([old.clone(), new.clone()], 1),
        ([format!("{old}/a.nav"), format!("{new}/a.nav")], 1),
        ([format!("{old}/a.nav"), format!("{new}/b.nav")], 1),
        ([format!("{old}/a.nav"), format!("{new}/none.nav")], 2),
        ([format!("{old}/a.nav"), "corpus/quake/nav3-v6.nav".to_owned()], 2),
    ] {
        let done = navmap(&["diff", &paths[0], &paths[1]]);
        assert_eq!(done.status.code(), Some(status), "{paths:?}: {}", text(&done.stderr));
    }
}

/// `-q` and `--dry-run`, wherever there is something to say or to write.
#[test]
fn every_verb_that_writes_can_be_quiet_and_can_write_nothing() {
    let temp = Temp::new("dry-and-quiet");
    let town = fs::read(project().join("corpus/source/town.nav")).unwrap();
    temp.file("a.nav", &town);
    temp.file("a.pak", &archive::pak(&[(b"maps/town.nav", &town)]));
    temp.file("yard.bsp", &fs::read(project().join("corpus/bsp/yard-source.bsp")).unwrap());
    for plugin in ["Base.esm", "Patch.esp", "Rival.esp"] {
        temp.file(
            format!("order/{plugin}"),
            &fs::read(project().join("corpus/skyrim/order").join(plugin)).unwrap(),
        );
    }
    let before = temp.names();
    let verbs: [&[&str]; 20] = [
        &["draw", "a.nav", "-o", "out.svg"],
        &["view", "a.nav", "--html", "out.html"],
        &["export", "a.nav", "-o", "out.obj"],
        &["convert", "a.nav", "--to", "source-9", "-o", "out.nav"],
        &["extract", "a.pak", "-o", "out"],
        &["slim", "a.nav", "-o", "out.nav"],
        &["slim", "a.nav", "--drop", "visibility,encounters,approaches", "--in-place"],
        &["analyze", "a.nav", "-o", "out.nav"],
        &["analyze", "a.nav", "--in-place"],
        &["merge", "a.nav", "a.nav", "a.nav", "-o", "out.nav"],
        &["diff", "a.nav", "a.nav", "--draw", "out.svg"],
        &["reach", "a.nav", "--draw", "out.svg"],
        &["edit", "a.nav", "-c", "nav_mark_attribute JUMP all", "-o", "out.nav"],
        &["patch", "a.nav", "-", "-o", "out.nav"],
        &["tables", "a.nav", "-o", "out"],
        &["path", "a.nav", "BombsiteB", "TSpawn", "--draw", "out.svg"],
        &["fix", "order", "-o", "out.esp"],
        &["conflicts", "order", "-o", "out.esp"],
        &["generate", "yard.bsp", "--game", "css", "-o", "out.nav"],
        &["build", "yard.bsp", "-o", "out.navmesh"],
    ];
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_navmap"));
        command.args(args).current_dir(temp.path()).stdin(Stdio::null()).output().unwrap()
    };
    for verb in verbs {
        let done = run(&[verb, &["--dry-run"]].concat());
        let said = text(&done.stderr);
        assert!(matches!(done.status.code(), Some(0 | 1)), "{verb:?}: {said}");
        assert!(said.contains("--dry-run"), "{verb:?}: {said}");
        assert_eq!(temp.names(), before, "{verb:?}: {said}");
        assert_eq!(fs::read(temp.join("a.nav")).unwrap(), town, "{verb:?}");
        let done = run(&[verb, &["--dry-run", "-q"]].concat());
        // What is lost is said all the same.
        let lost = |line: &str| line.contains(": warning: ") || line.contains(": info: ");
        assert!(text(&done.stderr).lines().all(lost), "{verb:?}: {}", text(&done.stderr));
    }
    // Neither does it say what each command has done. What is asked is answered.
    temp.file("script", b"nav_mark_attribute JUMP #1");
    for verb in [&["edit", "a.nav", "-c", "nav_mark_attribute JUMP #1"][..], &["patch", "a.nav", "script"]] {
        let [loud, quiet] = [&[][..], &["-q"]].map(|more| run(&[verb, more].concat()));
        assert!(text(&loud.stdout).contains("1 area"), "{verb:?}: {}", text(&loud.stdout));
        assert_eq!(text(&quiet.stdout), "", "{verb:?}");
    }
    let done = run(&["edit", "-q", "a.nav", "-c", "nav_mark_attribute JUMP #1; status"]);
    assert!(text(&done.stdout).ends_with("0 selected, 1 to undo, 0 to redo\n"), "{}", text(&done.stdout));
    // What goes wrong is said all the same.
    let done = run(&["edit", "-q", "a.nav", "-c", "nav_delete #4000000"]);
    assert!(text(&done.stderr).contains("4000000"), "{}", text(&done.stderr));
}

/// What can be read in part is edited when that is forced, and what cannot is not edited at all.
#[test]
fn a_mesh_that_is_cut_is_edited_in_no_family_unless_that_is_forced() {
    let temp = Temp::new("cut-edits");
    for (path, command) in [
        ("source/town.nav", "nav_delete #3"),
        ("quake/nav2-v15.nav", "delete #1"),
        ("quake/nav3-v6.nav", "delete #1"),
        ("quake/navjson-v3.navjson", "delete #1"),
        ("yapb/v7.pwf", "delete #1"),
        ("rcbot/v4.rcw", "delete #1"),
        ("nodegraph/v37.ain", "delete #1"),
        ("fox/standalone.nav2", "delete F#4.9 --alone"),
        ("skyrim/nvnm/v12.nvnm", "move 0 0 5 all"),
        ("skyrim/se/stored.esp", "move 0 0 5 all"),
    ] {
        let whole = fs::read(project().join("corpus").join(path)).unwrap();
        let name = Path::new(path).file_name().unwrap();
        let mesh = temp.file(name, &whole[..whole.len() - 9]);
        let output = temp.join("out");
        let edited = |more: &[&str]| {
            _ = fs::remove_file(&output);
            let args =
                [&["edit", mesh.to_str().unwrap(), "-c", command, "-o", output.to_str().unwrap()], more];
            let done = navmap(&args.concat());
            (done.status.code(), text(&done.stderr), output.exists())
        };
        for more in [&[][..], &["--lenient"]] {
            let (status, said, written) = edited(more);
            assert!(status != Some(0) && !written && !said.is_empty(), "{path} {more:?}: {said}");
        }
        let (status, said, written) = edited(&["--lenient", "--force-odd"]);
        assert_eq!(
            (status == Some(0), written),
            (path.starts_with("source/"), path.starts_with("source/")),
            "{path}: {said}"
        );
        assert_eq!(fs::read(&mesh).unwrap(), whole[..whole.len() - 9], "{path}");
    }
}

/// A reader that has seen enough, and the system's own name of standard output.
#[cfg(unix)]
#[test]
fn standard_output_has_two_names_and_may_be_closed() {
    let town = project().join("corpus/source/town.nav");
    let piped = |line: &str| {
        let line = line.replace("NAVMAP", env!("CARGO_BIN_EXE_navmap"));
        Command::new("sh").args(["-c", &line, "sh"]).arg(&town).output().unwrap()
    };
    for format in ["svg", "png"] {
        let done =
            piped(&format!("NAVMAP draw \"$1\" --format {format} --size 4000 -o - | head -c 10 >/dev/null"));
        assert_eq!(text(&done.stderr), "", "{format}");
    }
    for verb in ["draw --format svg", "export --format obj"] {
        let done = |output: &str| piped(&format!("NAVMAP {verb} \"$1\" -o {output}"));
        let (one, other) = (done("-"), done("/dev/stdout"));
        assert_eq!(other.status.code(), Some(0), "{}", text(&other.stderr));
        assert!(one.stdout == other.stdout && one.stdout.len() > 1000, "{verb}");
    }
}
