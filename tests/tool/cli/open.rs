//! Standard input and output, and what is named twice, as the tool sees them.

use navmap_testkit::archive as make;
use navmap_testkit::corpus::{bundled, project};
use navmap_testkit::temp::Temp;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn navmap(args: &[&str], stdin: Option<&Path>) -> Output {
    let stdin = stdin.map_or(Stdio::null(), |path| File::open(path).unwrap().into());
    Command::new(env!("CARGO_BIN_EXE_navmap")).args(args).stdin(stdin).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The rows of a scan: path and member.
fn rows(args: &[&str], stdin: Option<&Path>) -> Vec<(String, Option<String>)> {
    let done = navmap(&[&["scan", "--format", "jsonl"], args].concat(), stdin);
    let rows = done.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    rows.map(|line| {
        let row: serde_json::Value = serde_json::from_slice(line).unwrap();
        (row["path"].as_str().unwrap().to_owned(), row["member"].as_str().map(str::to_owned))
    })
    .collect()
}

#[test]
fn a_mesh_may_come_from_standard_input() {
    let town = bundled().join("source/town.nav");
    let (named, read) =
        (navmap(&["info", town.to_str().unwrap()], None), navmap(&["info", "-"], Some(&town)));
    assert_eq!(read.status.code(), Some(0), "{}", text(&read.stderr));
    let below = |out: &Output| text(&out.stdout).split_once('\n').unwrap().1.to_owned();
    assert_eq!(below(&named), below(&read), "but for the line of the path");
    assert_eq!(rows(&["-"], Some(&town)), [("-".to_owned(), None)]);
    assert_eq!(rows(&["-", "-", "--headers"], Some(&town)), [("-".to_owned(), None)]);
    let done = navmap(&["scan", "-"], Some(&project().join("Cargo.toml")));
    assert_eq!(done.status.code(), Some(1));
    assert!(text(&done.stdout).contains("not a navigation mesh"), "{}", text(&done.stdout));
    let done = navmap(&["scan", "-", "--files-from", "-"], Some(&town));
    assert_eq!(done.status.code(), Some(2));
    assert!(text(&done.stderr).contains("at once"), "{}", text(&done.stderr));
}

#[test]
fn an_archive_may_come_from_standard_input() {
    let temp = Temp::new("open-stdin");
    let town = std::fs::read(bundled().join("source/town.nav")).unwrap();
    let zip = temp.file("a.zip", &make::deflated_zip(&[(b"maps/town.nav", &town), (b"b.nav", &town)]));
    let member = |name: &str| ("-".to_owned(), Some(name.to_owned()));
    assert_eq!(rows(&["-"], Some(&zip)), [member("maps/town.nav"), member("b.nav")]);
    let gz = temp.file("a.nav.gz", &make::gzip(&town));
    let done = navmap(&["info", "-"], Some(&gz));
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
}

#[test]
fn a_pipe_that_is_named_is_read_once() {
    let temp = Temp::new("open-pipe");
    let pipe = temp.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let town = bundled().join("source/town.nav");
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::write(pipe, std::fs::read(town).unwrap())
    });
    assert_eq!(rows(&[pipe.to_str().unwrap()], None), [(pipe.to_str().unwrap().to_owned(), None)]);
    writer.join().unwrap().unwrap();
}

#[test]
fn pictures_and_exports_may_go_to_standard_output() {
    let town = bundled().join("source/town.nav");
    let town = town.to_str().unwrap();
    let temp = Temp::new("open-stdout");
    let file = temp.join("town.svg");
    assert_eq!(navmap(&["draw", town, "-o", file.to_str().unwrap()], None).status.code(), Some(0));
    let piped = navmap(&["draw", town, "-o", "-"], None);
    assert_eq!((piped.status.code(), piped.stdout), (Some(0), std::fs::read(&file).unwrap()));
    let png = navmap(&["draw", "-", "-o", "-", "--format", "png"], Some(Path::new(town)));
    assert!(png.stdout.starts_with(b"\x89PNG"), "{}", text(&png.stderr));
    let obj = navmap(&["export", town, "-o", "-", "--format", "obj"], None);
    assert!(text(&obj.stdout).contains("\nv "), "{}", text(&obj.stderr));
    let unsaid = navmap(&["export", town, "-o", "-"], None);
    assert_eq!(unsaid.status.code(), Some(2));
    assert!(text(&unsaid.stderr).contains("--format"), "{}", text(&unsaid.stderr));
    assert!(!Path::new("-").exists());
}

#[test]
fn a_compressed_file_is_one_mesh_to_every_verb() {
    let temp = Temp::new("open-gz");
    let town = std::fs::read(bundled().join("source/town.nav")).unwrap();
    let gz = temp.file("town.nav.gz", &make::gzip(&town));
    let (gz, svg) = (gz.to_str().unwrap(), temp.join("town.svg"));
    for args in [&["info", gz][..], &["dump", gz], &["draw", gz, "-o", svg.to_str().unwrap()]] {
        let done = navmap(args, None);
        assert_eq!(done.status.code(), Some(0), "{args:?}: {}", text(&done.stderr));
    }
    assert!(std::fs::read_to_string(svg).unwrap().contains(">town<"), "a picture, not a sheet");
}

#[test]
fn a_file_that_is_named_twice_has_one_row() {
    let temp = Temp::new("open-twice");
    let town = std::fs::read(bundled().join("source/town.nav")).unwrap();
    let (a, b) = (temp.file("maps/a.nav", &town), temp.file("maps/b.nav", &town));
    let none = temp.file("maps/none.txt", b"text");
    let (maps, a, b) = (temp.join("maps"), a.to_str().unwrap(), b.to_str().unwrap());
    let maps = maps.to_str().unwrap();
    let paths = |args: &[&str]| rows(args, None).into_iter().map(|row| row.0).collect::<Vec<_>>();
    assert_eq!(paths(&[a, a]), [a]);
    assert_eq!(paths(&[b, maps]), [b, a]);
    assert_eq!(paths(&[maps, b, maps]), [a, b]);
    // What was named is no mesh, and the folder said nothing of it.
    let none = none.to_str().unwrap();
    assert_eq!(paths(&[maps, none]), [a, b, none]);
}
