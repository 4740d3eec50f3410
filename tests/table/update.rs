//! Tables that are brought up to date: what an update refuses, what changes while it reads, and what one counts that is stopped.

use navmap::scan::Scan;
use navmap::table::{Format, Mesh, Snapshot, Table, Updated, update};
use navmap_testkit::archive::pak;
use navmap_testkit::corpus::bundled_path;
use navmap_testkit::temp::Temp;
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, SystemTime};

const TABLES: [&str; 2] = ["files", "source_areas"];

fn mesh(name: &str) -> Vec<u8> {
    fs::read(bundled_path("source", name)).unwrap()
}

/// Writes what was seen into a folder; `each` is told of every mesh that is read.
fn bring_up(
    scan: Scan,
    seen: Snapshot,
    into: &Path,
    each: &mut (dyn FnMut(&Mesh<'_>) + Send),
) -> navmap::Result<Updated> {
    let tables = TABLES.map(|name| Table::named(name).unwrap());
    update(scan, seen, into, Format::Csv, &tables, each)
}

/// The same of the folder `maps`, into one beside it.
fn into(temp: &Temp, folder: &str, scan: Scan, each: &mut (dyn FnMut(&Mesh<'_>) + Send)) -> Updated {
    bring_up(scan, Snapshot::take([temp.join("maps")]), &temp.join(folder), each).unwrap()
}

fn once(temp: &Temp, each: &mut (dyn FnMut(&Mesh<'_>) + Send)) -> Updated {
    into(temp, "out", Scan::new(), each)
}

/// The rows of a part.
fn rows(folder: &Path, table: &str, part: &str) -> Vec<String> {
    let text = fs::read_to_string(folder.join(table).join(part)).unwrap();
    text.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn a_snapshot_of_which_a_path_is_missing_is_refused() {
    let temp = Temp::new("table-update-unread");
    temp.file("maps/a.nav", &mesh("v9.nav"));
    let (maps, gone, out) = (temp.join("maps"), temp.join("gone"), temp.join("out"));
    let seen = Snapshot::take([gone.clone(), maps, temp.join("gone too")]);
    assert_eq!(seen.unread.len(), 2);
    let error = bring_up(Scan::new(), seen, &out, &mut |_| {}).unwrap_err();
    assert_eq!(error.file(), Some(gone.as_path()));
    assert!(!out.exists());
}

#[test]
fn a_file_that_is_overwritten_while_it_is_read_is_read_again() {
    let temp = Temp::new("table-update-overwritten");
    let early = mesh("town.nav");
    // A corner of the first area lies elsewhere.
    let mut late = early.clone();
    late[98] ^= 0x0a;
    let town = temp.file("maps/town.nav", &early);
    // However coarse times are, that of the second write is another.
    let file = File::options().write(true).open(&town).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
    let areas = || rows(&temp.join("out"), "source_areas", "part-0000.csv");
    assert_eq!(once(&temp, &mut |_| fs::write(&town, &late).unwrap()).changed, 1);
    let before = areas();
    let done = once(&temp, &mut |_| {});
    assert_eq!((done.changed, done.parts), (1, 1));
    assert!(before.len() > 100 && areas().len() == before.len() && areas() != before);
    assert_eq!(once(&temp, &mut |_| {}), Updated::default());
}

/// Path, member and number of each mesh.
fn numbers(temp: &Temp) -> Vec<String> {
    let rows = rows(&temp.join("out"), "files", "part-0000.csv");
    rows.iter().map(|row| row.split(',').take(3).collect::<Vec<_>>().join(",")).collect()
}

#[test]
fn what_cannot_be_read_is_tried_again_and_keeps_its_numbers() {
    let temp = Temp::new("table-update-away");
    let (old, new) = (mesh("v9.nav"), mesh("v16.nav"));
    temp.file("maps/a.nav", &mesh("v5.nav"));
    temp.file("maps/b.nav", &old);
    temp.file("maps/pak0.pak", &pak(&[(b"maps/m.nav", &old), (b"maps/n.nav", &new)]));
    let (maps, away) = (temp.join("maps"), temp.join("away"));
    fs::create_dir(&away).unwrap();
    let carry = |from: &Path, to: &Path| {
        for name in ["b.nav", "pak0.pak"] {
            fs::rename(from.join(name), to.join(name)).unwrap();
        }
    };
    once(&temp, &mut |_| {});
    let first = numbers(&temp);
    assert_eq!(first.len(), 4);
    // The first file changes, and the others are gone when its part is read, or go while it is.
    for (change, at_once) in [(&new, true), (&old, false)] {
        temp.file("maps/a.nav", change);
        let seen = Snapshot::take([maps.clone()]);
        if at_once {
            carry(&maps, &away);
        }
        let scan = Scan { threads: 1, ..Scan::new() };
        let mut each = |mesh: &Mesh<'_>| {
            if !at_once && mesh.path.ends_with("a.nav") {
                carry(&maps, &away);
            }
        };
        let done = bring_up(scan, seen, &temp.join("out"), &mut each).unwrap();
        assert_eq!((done.changed, done.errors), (1, 2), "{at_once}");
        assert_eq!(numbers(&temp)[..2], first[..2], "{at_once}");
        carry(&away, &maps);
        let done = once(&temp, &mut |_| {});
        assert_eq!((done.changed, done.errors), (2, 0), "{at_once}");
        assert_eq!(numbers(&temp), first, "{at_once}");
        assert_eq!(once(&temp, &mut |_| {}), Updated::default(), "{at_once}");
    }
}

#[test]
fn an_update_that_is_stopped_counts_what_it_has_written() {
    let temp = Temp::new("table-update-stopped");
    let whole = mesh("v9.nav");
    for number in 0..64 {
        let end = if number % 8 < 2 { whole.len() / 2 } else { whole.len() };
        temp.file(format!("maps/{number}.nav"), &whole[..end]);
    }
    let all = into(&temp, "whole", Scan::new(), &mut |_| {});
    assert_eq!((all.parts, all.errors), (2, 16));
    let [files, areas] = TABLES.map(|table| rows(&temp.join("whole"), table, "part-0000.csv"));
    let in_first = (files.len() + areas.len()) as u64;
    let errors = files.iter().filter(|row| row.contains(",error,")).count() as u64;
    assert!(in_first < all.rows && errors > 0 && errors < 16, "{in_first} rows, {errors} errors");
    // At the first mesh of each part.
    for (parts, in_parts, errors, before) in [(0, 0, 0, 0), (1, in_first, errors, files.len())] {
        let folder = format!("stopped in {parts}");
        let (scan, mut read) = (Scan::new(), 0);
        let stop = Arc::clone(&scan.stop);
        let done = into(&temp, &folder, scan, &mut |_| {
            read += 1;
            stop.store(read > before, SeqCst);
        });
        assert!(done.stopped);
        assert_eq!((done.parts, done.rows, done.errors), (parts, in_parts, errors));
        let rest = into(&temp, &folder, Scan::new(), &mut |_| {});
        assert_eq!((rest.parts, rest.rows), (all.parts - parts, all.rows - in_parts));
        assert_eq!((rest.errors, rest.known_errors, rest.stopped), (all.errors, errors, false));
    }
}
