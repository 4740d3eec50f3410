//! Devices and pipes: what has no end, and what comes in pieces.
#![cfg(unix)]

use super::{navmap, run, run_on};
use navmap_testkit::source as kit;
use navmap_testkit::temp::Temp;
use std::fs::File;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn a_device_without_end_is_refused_by_its_first_page() {
    for verb in [&["info"][..], &["dump"], &["draw", "-o", "never.svg"], &["scan", "-q"], &["list"]] {
        let done = run("/dev/zero", navmap().args(verb).arg("/dev/zero"));
        assert!(matches!(done.status.code(), Some(1 | 2)), "{verb:?}: {:?}", done.status);
    }
}

#[test]
fn standard_input_without_end_is_refused_by_its_first_page() {
    for verb in [&["info"][..], &["dump"], &["draw", "-o", "never.svg"], &["scan", "-q"], &["check", "-q"]] {
        let done = run_on("stdin", navmap().args(verb).arg("-"), File::open("/dev/zero").unwrap());
        assert!(matches!(done.status.code(), Some(1 | 2)), "{verb:?}: {:?}", done.status);
        let said = String::from_utf8([done.stdout, done.stderr].concat()).unwrap();
        assert!(said.contains("not a navigation mesh"), "{verb:?}: {said}");
    }
}

#[test]
fn a_typed_text_without_end_is_refused_by_its_length() {
    let temp = Temp::new("endless-text");
    let town = "corpus/source/town.nav";
    let output = temp.join("out.navmesh");
    let output = output.to_str().unwrap();
    for args in [
        &["edit", town, "--places", "/dev/zero", "-c", "status"][..],
        &["edit", town, "-f", "/dev/zero"],
        &["export", town, "--mapping", "/dev/zero", "-o", output],
    ] {
        let done = run("/dev/zero", navmap().args(args));
        let said = String::from_utf8(done.stderr).unwrap();
        let refused = said.contains("/dev/zero: file size: ") && matches!(done.status.code(), Some(1 | 2));
        assert!(refused, "{args:?}: {:?} {said}", done.status);
    }
    for args in [&["edit", town, "-f", "-"][..], &["patch", town, "-"]] {
        let done = run_on("stdin", navmap().args(args), File::open("/dev/zero").unwrap());
        let said = String::from_utf8(done.stderr).unwrap();
        assert!(said.contains("-: file size: ") && !done.status.success(), "{args:?}: {said}");
    }
}

#[test]
fn a_mesh_that_comes_through_a_pipe_in_pieces_is_read_whole() {
    let mesh = kit::tf2_shaped();
    let mut child =
        navmap().args(["info", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    for piece in mesh.chunks(1000) {
        pipe.write_all(piece).unwrap();
    }
    drop(pipe);
    let done = child.wait_with_output().unwrap();
    assert_eq!(done.status.code(), Some(0));
    let bytes = mesh.len().to_string();
    assert!(String::from_utf8(done.stdout).unwrap().replace(',', "").contains(&bytes));
}

/// Which mesh is compared with which is known without reading what can be read once.
#[test]
fn a_mesh_that_comes_through_a_pipe_is_compared_with_a_file() {
    let temp = Temp::new("piped-diff");
    let mesh = kit::tf2_shaped();
    let file = temp.file("a.nav", &mesh);
    let file = file.to_str().unwrap();
    let compare = |paths: [&str; 2]| {
        let mut child = navmap()
            .arg("diff")
            .args(paths)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A run that is refused does not read.
        let _ = child.stdin.take().unwrap().write_all(&mesh);
        let done = child.wait_with_output().unwrap();
        (done.status.code(), String::from_utf8([done.stdout, done.stderr].concat()).unwrap())
    };
    for paths in [["-", file], [file, "-"], ["/dev/stdin", file], [file, "/dev/stdin"]] {
        let (status, said) = compare(paths);
        assert!(status == Some(0) && said.contains("the same file"), "{paths:?}: {said}");
    }
    let (status, said) = compare(["-", "-"]);
    assert!(status == Some(2) && said.contains("standard input cannot be both meshes"), "{said}");
}

#[test]
fn a_signal_ends_a_run_that_waits_for_standard_input() {
    // More than a pipe holds, so that the program has begun to read when all of it is written.
    let mut mesh = kit::tf2_shaped();
    mesh.resize(200_000, 0);
    for verb in ["scan", "check"] {
        for (name, code) in [("-INT", 130), ("-TERM", 143)] {
            let mut child = navmap()
                .args([verb, "-q", "-"])
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let mut pipe = child.stdin.take().unwrap();
            pipe.write_all(&mesh).unwrap();
            let kill = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
            assert!(kill.success());
            let begun = Instant::now();
            while child.try_wait().unwrap().is_none() && begun.elapsed() < Duration::from_secs(20) {
                thread::sleep(Duration::from_millis(5));
            }
            child.kill().unwrap();
            assert_eq!(child.wait().unwrap().code(), Some(code), "{verb} {name}");
            drop(pipe);
        }
    }
}
