//! What goes where: one file for each output, nothing of what is refused, and no option that does nothing.

use crate::{navmap, text};
use navmap_testkit::corpus::project;
use navmap_testkit::temp::Temp;
use std::fs;
use std::path::Path;

fn status(args: &[&str]) -> (Option<i32>, String) {
    let output = navmap(args);
    (output.status.code(), text(&output.stderr))
}

fn corpus(name: &str) -> String {
    project().join("corpus").join(name).to_str().unwrap().to_owned()
}

#[test]
fn a_hull_that_is_asked_for_is_exported_alone() {
    let temp = Temp::new("outputs-hull");
    let source2 = corpus("source/v36-1.nav");
    let written = |mesh: &str, name: &str, hull: &[&str]| {
        let to = temp.join(name);
        let (status, said) = status(&[&["export", mesh, "-o", to.to_str().unwrap()], hull].concat());
        (status, said, fs::read(&to).ok())
    };
    let (all, one) = (written(&source2, "all.obj", &[]), written(&source2, "one.obj", &["--hull", "1"]));
    assert_eq!((all.0, one.0), (Some(0), Some(0)), "{} {}", all.1, one.1);
    assert!(one.2.unwrap().len() < all.2.unwrap().len());
    let quake = corpus("quake/nav3-v6.nav");
    for (mesh, hull) in [(&source2, "77"), (&quake, "large")] {
        let (status, said, file) = written(mesh, "none.obj", &["--hull", hull]);
        assert!(status == Some(2) && said.contains("hull") && file.is_none(), "{mesh} {hull}: {said}");
    }
}

#[test]
fn a_sheet_is_compared_with_nothing_and_a_mesh_with_one() {
    let temp = Temp::new("outputs-before");
    let to = temp.join("x.svg");
    for (mesh, before) in [("source", "source/v16.nav"), ("skyrim/nvnm/v12.nvnm", "skyrim/se/village.esp")] {
        let (status, said) =
            status(&["draw", &corpus(mesh), "-o", to.to_str().unwrap(), "--before", &corpus(before)]);
        assert!(status == Some(2) && said.contains("several") && !to.exists(), "{mesh}: {said}");
    }
}

#[test]
fn no_script_goes_over_that_of_another_mesh() {
    let temp = Temp::new("outputs-scripts");
    // A connection to an area that is not there.
    let broken = crate::mending::mesh(&[2, 77]);
    for folder in ["one", "two"] {
        fs::create_dir(temp.join(folder)).unwrap();
        fs::write(temp.join(folder).join("a.nav"), &broken).unwrap();
    }
    let [one, two, scripts] = ["one", "two", "scripts"].map(|name| temp.join(name));
    let [one, two, to] = [&one, &two, &scripts].map(|path| path.to_str().unwrap());
    let (status, said) = status(&["check", "--fix", one, two, "-o", to, "--force"]);
    assert!(status == Some(1) && said.contains("another mesh of this run"), "{status:?}: {said}");
    assert!(scripts.join("a.nav.txt").exists());
}

#[test]
fn a_report_is_an_output_like_others() {
    let temp = Temp::new("outputs-report");
    let plugins = temp.join("plugins");
    fs::create_dir(&plugins).unwrap();
    for entry in fs::read_dir(corpus("skyrim/se")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, plugins.join(path.file_name().unwrap())).unwrap();
    }
    let run = |output: &Path, report: &Path| {
        let [from, to, report] = [&plugins, output, report].map(|path| path.to_str().unwrap());
        status(&["fix", from, "-o", to, "--report", report, "--force"])
    };
    let [patch, report, both] = ["f.esp", "r.md", "both.md"].map(|name| temp.join(name));
    let first = run(&patch, &report);
    assert_ne!(first.0, Some(2), "{}", first.1);
    // Again, over what is there now.
    assert_eq!(run(&patch, &report).0, first.0);
    let (status, said) = run(&both, &both);
    assert_eq!(status, Some(2), "{said}");
}

#[test]
fn there_is_no_picture_of_a_merge_that_was_not_written() {
    let temp = Temp::new("outputs-merge");
    let mesh = corpus("source/v16.nav");
    temp.file("taken", b"");
    let [nowhere, picture] = ["taken/m.nav", "m.svg"].map(|name| temp.join(name));
    let [to, drawn] = [&nowhere, &picture].map(|path| path.to_str().unwrap());
    let (status, said) = status(&["merge", &mesh, &mesh, &mesh, "-o", to, "--draw", drawn]);
    assert!(status == Some(2) && !picture.exists(), "{said}");
}

/// The folders of an output are made, and a file in their place is told before the work begins.
#[test]
fn an_output_makes_its_folders() {
    let temp = Temp::new("outputs-folders");
    temp.file("taken", b"");
    let (town, plugin) = (corpus("source/town.nav"), corpus("skyrim/order"));
    let verbs: [(&[&str], &str); 8] = [
        (&["draw", &town], "-o .svg"),
        (&["view", &town], "--html .html"),
        (&["export", &town], "-o .obj"),
        (&["convert", &town, "--to", "source-9"], "-o .nav"),
        (&["edit", &town, "-c", "nav_delete #1"], "-o .nav"),
        (&["slim", &town], "-o .nav"),
        (&["path", &town, "#1", "#3"], "--draw .svg"),
        (&["fix", &plugin], "--report .md"),
    ];
    for (verb, output) in verbs {
        let (option, ending) = output.split_once(' ').unwrap();
        let run = |folder: &str, more: &[&str]| {
            let to = temp.join(format!("{folder}{ending}"));
            let (status, said) = status(&[verb, &[option, to.to_str().unwrap()], more].concat());
            (status, said, to.exists())
        };
        let name = format!("new-{}/deep/x", verb[0]);
        let (status, said, made) = run(&name, &["--dry-run"]);
        assert!(
            status < Some(2) && !made && !temp.join(format!("new-{}", verb[0])).exists(),
            "{verb:?}: {said}"
        );
        let (status, said, made) = run(&name, &[]);
        assert!(status < Some(2) && made, "{verb:?}: {said}");
        let (status, said, made) = run("taken/x", &[]);
        assert!(status == Some(2) && !made && said.contains("taken: "), "{verb:?}: {said}");
    }
}

/// A dry run is refused where the run itself would be.
#[test]
fn a_dry_run_refuses_what_would_be_refused() {
    let temp = Temp::new("outputs-dry");
    let there = ["x.svg", "x.obj", "x.nav", "x.esp", "j.txt"].map(|name| temp.file(name, b"precious"));
    let [svg, obj, nav, esp, journal] = there.each_ref().map(|path| path.to_str().unwrap());
    let read_only = temp.file("ro.nav", &crate::mending::mesh(&[2, 77]));
    let mut rights = fs::metadata(&read_only).unwrap().permissions();
    let usual = rights.clone();
    rights.set_readonly(true);
    fs::set_permissions(&read_only, rights).unwrap();
    let read_only_name = read_only.to_str().unwrap();
    let (town, order, free) = (corpus("source/v16.nav"), corpus("skyrim/order"), temp.join("free.nav"));
    let (delete, save) = ("nav_delete #1", format!("nav_delete #1; nav_save {nav}"));
    let runs: [&[&str]; 9] = [
        &["draw", &town, "-o", svg],
        &["export", &town, "-o", obj],
        &["edit", &town, "-c", delete, "-o", nav],
        &["edit", &town, "-c", delete, "--journal", journal, "-o", free.to_str().unwrap()],
        &["edit", &town, "-c", &save],
        &["edit", read_only_name, "-c", delete, "--in-place"],
        &["check", "--fix", read_only_name, "--in-place"],
        &["fix", &order, "-o", esp],
        &["conflicts", &order, "-o", esp],
    ];
    for run in runs {
        let [real, dry] = [&[][..], &["--dry-run"]].map(|more| status(&[run, more].concat()));
        assert!(real.0 >= Some(1) && dry.0 == real.0, "{run:?}: {dry:?} {real:?}");
        let forced = status(&[run, &["--dry-run", "--force"]].concat());
        assert!(forced.0 < Some(2) && !forced.1.contains("there already"), "{run:?}: {}", forced.1);
    }
    assert!(there.iter().all(|path| fs::read(path).unwrap() == b"precious") && !free.exists());
    fs::set_permissions(&read_only, usual).unwrap();
}

/// Of two files whose names are no text, each is compared with the one of its own name.
#[cfg(unix)]
#[test]
fn files_whose_names_are_no_text_are_two_files() {
    use std::os::unix::ffi::OsStrExt;
    let temp = Temp::new("outputs-latin");
    let name = |byte: u8| std::ffi::OsStr::from_bytes(&[b'c', byte, b'.', b'n', b'a', b'v']).to_owned();
    for (folder, second) in [("before", "source/v10.nav"), ("after", "source/town.nav")] {
        fs::create_dir(temp.join(folder)).unwrap();
        for (byte, from) in [(0xe8, second), (0xe9, "source/v9.nav")] {
            fs::copy(corpus(from), temp.join(folder).join(name(byte))).unwrap();
        }
    }
    let [before, after] = ["before", "after"].map(|folder| temp.join(folder));
    let (status, said) = status(&["diff", before.to_str().unwrap(), after.to_str().unwrap()]);
    assert_eq!(status, Some(1), "{said}");
}

/// Files are told by themselves and not by their names: one in a folder that is a link is read as well.
#[cfg(unix)]
#[test]
fn no_patch_goes_over_a_plugin_that_is_read_through_a_link() {
    let temp = Temp::new("outputs-linked");
    for name in ["Base.esm", "Patch.esp", "Rival.esp"] {
        temp.file(format!("real/{name}"), &fs::read(Path::new(&corpus("skyrim/order")).join(name)).unwrap());
    }
    temp.file("data/Meshes/rock.dds", b"one of tens of thousands");
    std::os::unix::fs::symlink(temp.join("real"), temp.join("data/linked")).unwrap();
    let (data, rival) = (temp.join("data"), temp.join("real/Rival.esp"));
    let before = fs::read(&rival).unwrap();
    let run = ["conflicts", data.to_str().unwrap(), "--force", "-o", rival.to_str().unwrap()];
    let (status, said) = status(&run);
    assert!(status == Some(2) && said.contains("is read by this run"), "{status:?}: {said}");
    assert_eq!(fs::read(&rival).unwrap(), before);
}

/// What is saved while the command of a watch reads another mesh is news at the next look.
#[cfg(unix)]
#[test]
fn what_is_saved_while_a_watch_is_at_work_is_not_lost() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let temp = Temp::new("outputs-watch");
    fs::create_dir(temp.join("maps")).unwrap();
    let [a, b, fifo] = ["maps/a.nav", "maps/b.nav", "fifo"].map(|name| temp.join(name));
    for mesh in [&a, &b] {
        fs::write(mesh, crate::mending::mesh(&[2])).unwrap();
    }
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let mut watch = Command::new(env!("CARGO_BIN_EXE_navmap"))
        .current_dir(temp.path())
        .args(["watch", "maps", "--every", "20", "--then", "check -q fifo {}"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(watch.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!(said.next().unwrap(), "navmap: 2 meshes watched; Ctrl-C ends");
    fs::write(&a, crate::mending::mesh(&[2, 2])).unwrap();
    // To open it is to wait until the check of a reads it.
    let feed = |mesh: &[u8]| {
        let mut pipe = fs::OpenOptions::new().write(true).open(&fifo).unwrap();
        fs::write(&b, crate::mending::mesh(&[2, 1, 77])).unwrap();
        std::io::Write::write_all(&mut pipe, mesh).unwrap();
    };
    feed(&crate::mending::mesh(&[2]));
    assert!(said.next().unwrap().contains("a.nav"));
    feed(&crate::mending::mesh(&[2]));
    assert!(said.next().unwrap().contains("b.nav"));
    watch.kill().unwrap();
    watch.wait().unwrap();
}
