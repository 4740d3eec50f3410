//! What verbs write: whole or not at all, where they were told to, over nothing that is there.

use super::{navmap, run};
use navmap_testkit::archive as make;
use navmap_testkit::source as kit;
use navmap_testkit::temp::Temp;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

fn mesh() -> Vec<u8> {
    kit::tf2_shaped()
}

fn extract(archive: &Path, into: &Path, more: &[&str]) -> (i32, String) {
    let done = navmap().arg("extract").arg(archive).arg("-o").arg(into).args(more).output().unwrap();
    (done.status.code().unwrap(), String::from_utf8(done.stderr).unwrap())
}

#[test]
fn two_members_of_one_name_are_written_once_and_the_second_is_an_error() {
    let temp = Temp::new("one-name");
    let (one, two) = (mesh(), [mesh(), vec![0]].concat());
    for (case, names) in [
        ("the same", [&b"m.nav"[..], b"m.nav"]),
        ("a dot", [b"m.nav", b"./m.nav"]),
        ("one text", [b"\xff.nav", b"\xfe.nav"]),
        ("a backslash", [b"a/m.nav", b"a\\m.nav"]),
    ] {
        let zip = temp.file("x.zip", &make::stored_zip(&[(names[0], &one), (names[1], &two)]));
        for force in [&[][..], &["--force"]] {
            let into = temp.join(format!("{case}{}", force.len()));
            let (code, said) = extract(&zip, &into, force);
            assert_eq!(code, 1, "{case}: {said}");
            assert!(said.contains("is taken: another member of that name was written"), "{case}: {said}");
            assert!(said.contains("1 mesh written"), "{case}: {said}");
            let (code, said) = extract(&zip, &into, &["--force"]);
            assert!(code == 1 && said.contains("1 mesh written"), "{case}: {said}");
        }
    }
}

/// Control characters beyond those of ASCII, what Windows takes for the folder above, and for a device.
#[test]
fn names_that_drive_a_terminal_or_leave_the_folder_elsewhere_are_refused() {
    let temp = Temp::new("odd-names");
    for name in [&b"a\xC2\x9B31m.nav"[..], b".. /m.nav", b"CONOUT$.nav"] {
        let zip = temp.file("x.zip", &make::stored_zip(&[(name, &mesh())]));
        let (code, said) = extract(&zip, &temp.join("out"), &["--force"]);
        assert!(code == 1 && said.contains("name of the member: ") && said.contains("0 meshes"), "{said}");
    }
}

/// The archive is sound: that is no finding about it.
#[test]
fn an_output_folder_that_cannot_be_written_to_fails_the_run() {
    let temp = Temp::new("no-folder");
    let zip = temp.file("x.zip", &make::stored_zip(&[(b"maps/a.nav", &mesh())]));
    let file = temp.file("file", b"mine");
    let there = temp.file("there/maps/a.nav", b"mine");
    let nowhere = Path::new("/proc/nowhere");
    for (into, names) in [(&*file, "file"), (&temp.join("there"), "there/maps/a.nav"), (nowhere, "nowhere")] {
        for more in [&[][..], &["--dry-run"]] {
            // That nobody may make a folder there is not known before.
            let dry = !more.is_empty();
            if into == nowhere && (dry || cfg!(not(target_os = "linux"))) {
                continue;
            }
            let (code, said) = extract(&zip, into, more);
            assert!(
                code == 2 && said.contains(names) && said.contains("x.zip!maps/a.nav: "),
                "{code}: {said}"
            );
        }
    }
    assert!([file, there].iter().all(|path| fs::read(path).unwrap() == b"mine"));
    assert_eq!(extract(&zip, &temp.join("new"), &["--dry-run"]).0, 0);
    assert!(!temp.join("new").exists());
}

#[cfg(unix)]
#[test]
fn nothing_is_extracted_through_a_link() {
    use std::os::unix::fs::symlink;
    let temp = Temp::new("through-links");
    let mesh = mesh();
    let zip = temp
        .file("x.zip", &make::stored_zip(&[(b"maps/a.nav", &mesh), (b"b.nav", &mesh), (b"c.nav", &mesh)]));
    let victim = temp.file("elsewhere/victim", b"mine");
    fs::create_dir_all(temp.join("out")).unwrap();
    symlink(temp.join("elsewhere"), temp.join("out/maps")).unwrap();
    symlink(&victim, temp.join("out/b.nav")).unwrap();
    let (code, said) = extract(&zip, &temp.join("out"), &["--force"]);
    assert_eq!((code, said.matches("is a symbolic link, which is not followed").count()), (2, 2), "{said}");
    assert_eq!(fs::read(&victim).unwrap(), b"mine");
    assert_eq!(fs::read_dir(temp.join("elsewhere")).unwrap().count(), 1);
    assert_eq!(fs::read(temp.join("out/c.nav")).unwrap(), mesh);
    // The folder that was typed may be a link.
    symlink(temp.join("real"), temp.join("typed")).unwrap();
    fs::create_dir(temp.join("real")).unwrap();
    assert_eq!(extract(&zip, &temp.join("typed"), &[]).0, 0);
    assert_eq!(fs::read(temp.join("real/maps/a.nav")).unwrap(), mesh);
}

#[cfg(unix)]
#[test]
fn a_run_that_is_killed_leaves_no_half_mesh_and_the_next_one_finishes() {
    let temp = Temp::new("killed");
    let mesh: Vec<u8> = mesh();
    let names: Vec<Vec<u8>> = (0..40).map(|i| format!("{i}.nav").into_bytes()).collect();
    let members: Vec<make::Member<'_>> = names.iter().map(|name| (&name[..], &mesh[..])).collect();
    let zip = temp.file("x.zip", &make::stored_zip(&members));
    let mut interrupted = 0;
    for round in 0..12 {
        let into = temp.join(format!("out{round}"));
        let mut child =
            navmap().arg("extract").arg(&zip).arg("-o").arg(&into).stderr(Stdio::null()).spawn().unwrap();
        while !into.exists() && child.try_wait().unwrap().is_none() {}
        std::thread::sleep(std::time::Duration::from_millis(round));
        child.kill().unwrap();
        interrupted += u32::from(!child.wait().unwrap().success());
        let mut left = 0;
        for entry in fs::read_dir(&into).into_iter().flatten() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            match name.starts_with(".navmap-") && name.ends_with(".tmp") {
                true => left += 1,
                false => assert!(fs::read(&path).unwrap() == mesh, "half of {name}"),
            }
        }
        let (code, said) = extract(&zip, &into, &["--force"]);
        assert_eq!((code, said.matches("left by a run that was killed").count()), (0, left), "{said}");
        assert!(said.contains("40 meshes written"), "{said}");
    }
    assert!(interrupted > 0, "no run was caught in the middle");
}

#[test]
fn an_output_that_is_there_stays_unless_force_replaces_it() {
    let temp = Temp::new("refuse");
    let source = temp.file("a.nav", &mesh());
    let quake = "corpus/quake/nav2-v15.nav";
    let verbs: [(&[&str], &Path, &str); 4] = [
        (&["draw"], &source, "a.svg"),
        (&["draw"], &source, "a.png"),
        (&["export"], &source, "a.obj"),
        (&["convert"], Path::new(quake), "a.navjson"),
    ];
    for (verb, input, output) in verbs {
        let output = temp.file(output, b"precious");
        let write = |more: &[&str]| -> Output {
            navmap().args(verb).arg(input).arg("-o").arg(&output).args(more).output().unwrap()
        };
        let refused = write(&[]);
        let said = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(2), "{verb:?}: {said}");
        assert!(said.ends_with("is there already (--force replaces it)\n"), "{verb:?}: {said}");
        assert_eq!(fs::read(&output).unwrap(), b"precious", "{verb:?}");
        let replaced = write(&["--force"]);
        assert_eq!(replaced.status.code(), Some(0), "{verb:?}");
        assert_ne!(fs::read(&output).unwrap(), b"precious", "{verb:?}");
    }
    assert!(temp.names().iter().all(|name| !name.starts_with('.')), "{:?}", temp.names());
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn a_signal_ends_any_verb_with_its_own_status() {
    let temp = Temp::new("signals");
    let pipe = temp.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for verb in [&["info"][..], &["dump"], &["scan"], &["check"], &["draw", "-o", "out.svg"]] {
        for (name, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
            let mut child = navmap()
                .args(verb)
                .arg(&pipe)
                .current_dir(temp.path())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            // It reads from the pipe by the time that the other end can be opened, and waits for more.
            let writer = fs::OpenOptions::new().write(true).open(&pipe).unwrap();
            signal(&child, name);
            assert_eq!(child.wait().unwrap().code(), Some(code), "{verb:?} {name}");
            drop(writer);
        }
    }
    assert_eq!(temp.names(), ["pipe"]);
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_list_without_end() {
    use std::io::Write;
    let temp = Temp::new("endless-list");
    let pipe = temp.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let file = format!("{}\n", temp.file("a.nav", &mesh()).display());
    // More than the pipe and the buffers behind it hold, so the run has drawn most of it.
    let enough = (1 << 20) / file.len();
    for (list, times) in [(file.as_str(), enough), ("\n", 1 << 20), (&file, 1), ("", 1)] {
        for verb in ["scan", "check"] {
            let mut child = navmap()
                .args([verb, "-q", "-j", "2", "--files-from"])
                .arg(&pipe)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let mut writer = fs::OpenOptions::new().write(true).open(&pipe).unwrap();
            writer.write_all(list.repeat(times).as_bytes()).unwrap();
            signal(&child, "-INT");
            // The list goes on while the run ends.
            let status = loop {
                if let Some(status) = child.try_wait().unwrap() {
                    break status;
                }
                if times > 1 {
                    let _ = writer.write_all(list.repeat(1000).as_bytes());
                } else {
                    thread::sleep(Duration::from_millis(5));
                }
            };
            assert_eq!(status.code(), Some(130), "{verb} {list:?}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_was_ignored_at_the_start_stays_ignored() {
    let temp = Temp::new("nohup");
    let pipe = temp.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut command = Command::new("env");
    command.arg("--ignore-signal=HUP").arg(env!("CARGO_BIN_EXE_navmap")).arg("info").arg(&pipe);
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    let writer = fs::OpenOptions::new().write(true).open(&pipe).unwrap();
    signal(&child, "-HUP");
    drop(writer);
    assert_eq!(child.wait().unwrap().code(), Some(1), "read to the end of the pipe, which is empty");
}

#[cfg(unix)]
#[test]
fn a_signal_removes_the_file_that_is_being_written() {
    let temp = Temp::new("caught");
    let mesh = kit::write(&kit::level(16, Some(2), &kit::Shape::play(60_000, 3)));
    let input = temp.file("a.nav", &mesh);
    let folder = temp.join("out");
    fs::create_dir(&folder).unwrap();
    let mut caught = 0;
    for name in ["-INT", "-TERM", "-HUP", "-INT", "-TERM", "-HUP"] {
        let mut child = navmap()
            .args(["draw", "--force", "-o"])
            .arg(folder.join("a.svg"))
            .arg(&input)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let temporary = || {
            fs::read_dir(&folder).unwrap().any(|e| e.unwrap().file_name().to_string_lossy().ends_with(".tmp"))
        };
        while !temporary() && child.try_wait().unwrap().is_none() {}
        let _ = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
        caught += u32::from(child.wait().unwrap().code() != Some(0));
        assert!(!temporary(), "{name}");
    }
    assert!(caught > 0, "no run was caught in the middle");
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_printed_is_a_failure() {
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    for asked in [&["--help"][..], &["--version"], &["scan", "--help"], &["man"]] {
        assert_eq!(
            navmap().args(asked).stdout(full()).stderr(Stdio::null()).status().unwrap().code(),
            Some(2)
        );
    }
    assert_eq!(navmap().arg("--help").stdout(Stdio::null()).status().unwrap().code(), Some(0));
    assert_eq!(navmap().arg("--nonsense").stderr(full()).status().unwrap().code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_in_csv_does_not_drive_the_terminal() {
    let temp = Temp::new("csv-terminal");
    let folder = temp.join("in");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("a\x1b[31m.nav"), mesh()).unwrap();
    let scan = format!("{} scan -q --format csv {}", env!("CARGO_BIN_EXE_navmap"), folder.display());
    // `script` gives the program a terminal; without it there is nothing to see.
    let Ok(done) = Command::new("script").args(["-qec", &scan, "/dev/null"]).stdin(Stdio::null()).output()
    else {
        return;
    };
    let shown = String::from_utf8(done.stdout).unwrap();
    assert!(shown.contains("a\\u{1b}[31m.nav") && !shown.contains('\x1b'), "{shown:?}");
    let stored = run("csv", navmap().args(["scan", "-q", "--format", "csv"]).arg(&folder));
    assert!(
        String::from_utf8(stored.stdout).unwrap().contains("a\x1b[31m.nav"),
        "a file gets the name as it is"
    );
}
