//! A mapped file that another program truncates in mid-scan kills a process that does not guard itself.

use navmap_testkit::bytes::Out;
use navmap_testkit::temp::Temp;
use serde_json::Value;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A NAV3 graph of one node and so many traversals, all zero, which a sparse file holds for nothing.
fn graph(path: &Path, traversals: u32) {
    let mut out = Out::new();
    out.raw(b"NAV3").u32(6).u32(1).u32(0).u32(traversals).f32(0.8);
    let traversal_bytes = 48 * u64::from(traversals);
    let len = out.len() as u64 + 8 + 12 + traversal_bytes + 4;
    fs::write(path, &out.0).unwrap();
    File::options().write(true).open(path).unwrap().set_len(len).unwrap();
}

/// Waits until the child has mapped the file. `false` if it ended before that was seen.
fn is_mapped(child: &mut Child, path: &Path) -> bool {
    let maps = format!("/proc/{}/maps", child.id());
    let name = path.to_str().unwrap();
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(20) {
        if fs::read_to_string(&maps).is_ok_and(|maps| maps.contains(name)) {
            return true;
        }
        if child.try_wait().unwrap().is_some() {
            return false;
        }
    }
    false
}

#[test]
fn a_file_truncated_in_mid_scan_is_one_error_row_and_all_others_are_right() {
    let folder = std::env::temp_dir().join(format!("navmap-truncated-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let huge = folder.join("huge.nav");
    graph(&folder.join("before.nav"), 3);
    graph(&folder.join("later.nav"), 5);
    // The child may be done before the file is cut: then the row is right and the race is run again.
    let mut rows = Vec::new();
    for _ in 0..20 {
        graph(&huge, 8_000_000);
        let mut child = Command::new(env!("CARGO_BIN_EXE_navmap"))
            .args(["scan", "--quiet", "--format", "jsonl", "--mmap", "always"])
            .arg(&folder)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        if is_mapped(&mut child, &huge) {
            File::options().write(true).open(&huge).unwrap().set_len(10_000).unwrap();
        }
        let done = child.wait_with_output().unwrap();
        rows = String::from_utf8(done.stdout)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap())
            .collect();
        assert_eq!(rows.len(), 3);
        let expected = if rows[1]["status"] == "ok" { 0 } else { 1 };
        assert_eq!(done.status.code(), Some(expected), "the process lives and says how it went");
        if expected == 1 {
            break;
        }
    }
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(rows[1]["status"], "error");
    assert_eq!(rows[1]["message"], "truncated while mapped");
    assert!(rows[1]["path"].as_str().unwrap().ends_with("huge.nav"));
    for (row, name, traversals) in [(&rows[0], "before.nav", 3), (&rows[2], "later.nav", 5)] {
        assert!(row["path"].as_str().unwrap().ends_with(name));
        assert_eq!(
            (&row["status"], &row["counts"]["traversals"]),
            (&"ok".into(), &traversals.into()),
            "{row}"
        );
    }
}

/// The program maps the file, and waits for us to read what it prints: so the cut always falls into the middle.
#[test]
fn a_mapped_file_that_loses_its_last_byte_is_not_reported_as_sound() {
    let temp = Temp::new("cut-by-one");
    let path = temp.join("huge.nav");
    graph(&path, 200_000);
    let len = fs::metadata(&path).unwrap().len();
    let mut child = Command::new(env!("CARGO_BIN_EXE_navmap"))
        .args(["dump", "--mmap", "always"])
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut printed = child.stdout.take().unwrap();
    printed.read_exact(&mut [0; 1000]).unwrap();
    File::options().write(true).open(&path).unwrap().set_len(len - 1).unwrap();
    std::io::copy(&mut printed, &mut std::io::sink()).unwrap();
    let done = child.wait_with_output().unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(2), "{said}");
    assert!(said.ends_with("huge.nav: truncated while mapped\n"), "{said}");
}

#[test]
fn a_bus_error_that_somebody_sends_ends_the_program() {
    let temp = Temp::new("bus-sent");
    let path = temp.join("huge.nav");
    graph(&path, 200_000);
    let mut child = Command::new(env!("CARGO_BIN_EXE_navmap"))
        .args(["dump", "--mmap", "always"])
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // It waits for us to read the rest.
    child.stdout.as_mut().unwrap().read_exact(&mut [0; 1000]).unwrap();
    let sent = Command::new("kill").args(["-BUS", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let done = child.wait_with_output().unwrap();
    let signal = done.status.signal();
    assert!(signal == Some(7) || signal == Some(10), "{:?}", done.status);
}
