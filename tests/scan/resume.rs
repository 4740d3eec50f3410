//! Rows of an earlier run are not made again, and no others are left out.

use super::{Row, Temp, mesh, names, row};
use navmap::scan::{Done, Outcome, Scan, path_text};
use navmap_testkit::archive as make;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

fn tree() -> Temp {
    let temp = Temp::new("resume");
    let mesh = mesh(1);
    let names: Vec<_> = (0..150).map(|i| format!("m/{i:03}.nav").into_bytes()).collect();
    let mut members: Vec<_> = names.iter().map(|name| (&name[..], &mesh[..])).collect();
    members.push((b"m/twice.nav", &mesh));
    members.push((b"m/twice.nav", &mesh));
    let inner = make::deflated_zip(&members[100..]);
    members.push((b"in.zip", &inner));
    temp.file("a.zip", &make::deflated_zip(&members));
    for i in 0..30 {
        temp.file(format!("b/{i:02}.nav"), &mesh);
    }
    temp.file("c.zip", b"PK\x03\x04 is no zip");
    temp.file("d.nav", b"is no mesh");
    temp
}

/// Scans, and writes the rows as the command line does.
fn run(root: &Path, done: Option<Done>, most: usize) -> (Vec<Row>, Vec<u8>) {
    let (mut rows, mut jsonl) = (Vec::new(), Vec::new());
    let scan = Scan { threads: 2, done: done.map(Arc::new), ..Scan::new() };
    scan.run([root], &mut |outcome: Outcome| {
        rows.push(row(root, &outcome));
        let json =
            serde_json::json!({"path": path_text(&outcome.path), "member": outcome.member, "status": "ok"});
        writeln!(jsonl, "{json}").unwrap();
        if rows.len() == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    (rows, jsonl)
}

#[test]
fn a_run_that_was_broken_off_and_its_resumption_make_the_whole() {
    let temp = tree();
    let (whole, jsonl) = run(temp.path(), None, usize::MAX);
    assert_eq!(whole.len(), 152 + 52 + 30 + 2);
    for most in [1, 100, 151, 152, 153, 180, 204, 205, 230, whole.len() - 1, whole.len()] {
        let (first, rows) = run(temp.path(), None, most);
        let done = Done::from_jsonl(&rows[..]).unwrap();
        let (second, _) = run(temp.path(), Some(done), usize::MAX);
        let mut both = names(&[first, second].concat());
        both.sort();
        let mut wanted = names(&whole);
        wanted.sort();
        assert!(both == wanted, "broken off after {most}: {} rows instead of {}", both.len(), wanted.len());
    }
    let (nothing, _) = run(temp.path(), Some(Done::from_jsonl(&jsonl[..]).unwrap()), usize::MAX);
    assert!(nothing.is_empty(), "{:?}", names(&nothing));
}
