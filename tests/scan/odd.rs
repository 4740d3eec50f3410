//! Files that are not as files should be: a row or a count, never a stop.

use super::{Temp, mesh, names, row, run};
use navmap::scan::{Outcome, Scan, Status};
use std::fs;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

#[test]
fn what_is_no_mesh_is_passed_over_in_a_folder_and_an_error_when_it_was_named() {
    let temp = Temp::new("named");
    let text = temp.file("a.txt", b"just text");
    let empty = temp.file("b.zip", b"");
    let gz = temp.file("c.txt.gz", b"\x1f\x8b\x08\0 no gzip at all");
    assert!(run(&Scan::new(), temp.path()).is_empty());
    let mut errors = Vec::new();
    Scan::new().run([text, empty, gz], &mut |outcome: Outcome| {
        assert_eq!(outcome.status(), Status::Error);
        errors.push(outcome.message().unwrap());
        ControlFlow::Continue(())
    });
    assert_eq!(errors.len(), 3, "{errors:?}");
    assert!(errors[0].starts_with("not a navigation mesh"), "{errors:?}");
}

#[test]
fn a_path_that_is_not_there_is_a_row_and_the_run_goes_on() {
    let temp = Temp::new("gone");
    let there = temp.file("b.nav", &mesh(1));
    let paths = [temp.join("a.nav"), there, temp.join("c")];
    let mut rows = Vec::new();
    let totals = Scan::new().run(paths, &mut |outcome: Outcome| {
        rows.push(row(temp.path(), &outcome));
        ControlFlow::Continue(())
    });
    assert_eq!(names(&rows), ["a.nav", "b.nav", "c"]);
    assert_eq!(
        rows.iter().map(|row| row.status).collect::<Vec<_>>(),
        [Status::Error, Status::Ok, Status::Error]
    );
    assert_eq!((totals.errors, totals.meshes), (2, 1));
}

#[test]
fn a_list_of_paths_is_drawn_as_it_comes() {
    let temp = Temp::new("list");
    // More paths than are ever held at once; an endless list would do, if the sink had enough at some point. Nothing lies
    // there, which is a row too; a path that is named again is none.
    let paths = (0u64..).map(|n| temp.join(format!("{n}.nav")));
    let mut seen = 0u32;
    Scan { threads: 2, ..Scan::new() }.run(paths, &mut |_: Outcome| {
        seen += 1;
        if seen == 20_000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(seen, 20_000);
}

#[test]
fn a_list_that_names_one_file_for_ever_ends_when_the_run_is_stopped() {
    let temp = Temp::new("for-ever");
    let (file, folder) = (temp.file("a.nav", &mesh(1)), temp.join("folder"));
    std::fs::create_dir(&folder).unwrap();
    for path in [file, folder] {
        for threads in [1, 4] {
            let scan = Scan { threads, ..Scan::new() };
            let stop = Arc::clone(&scan.stop);
            let mut drawn = 0u32;
            let paths = std::iter::repeat_with(|| {
                drawn += 1;
                stop.fetch_or(drawn == 100_000, Relaxed);
                path.clone()
            });
            let mut rows = 0;
            let totals = scan.run(paths, &mut |_: Outcome| {
                rows += 1;
                ControlFlow::Continue(())
            });
            assert_eq!((rows, totals.stopped), (u32::from(path.is_file()), true));
        }
    }
}

#[cfg(unix)]
#[test]
fn links_pipes_sockets_and_odd_names_stop_nothing() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;
    let temp = Temp::new("odd");
    temp.file("a/1.nav", &mesh(1));
    symlink(temp.path(), temp.join("a/up")).unwrap();
    symlink(temp.join("nowhere"), temp.join("b.nav")).unwrap();
    symlink("c-loop.nav", temp.join("c-loop.nav")).unwrap();
    fs::create_dir(temp.join("d-folder.nav")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(temp.join("e-pipe.nav")).status().unwrap().success());
    let _socket = std::os::unix::net::UnixListener::bind(temp.join("f.nav")).unwrap();
    symlink("/dev/zero", temp.join("g-endless.nav")).unwrap();
    fs::write(temp.join(OsStr::from_bytes(b"h-\xff.nav")), mesh(1)).unwrap();
    fs::write(temp.join(OsStr::from_bytes(b"h-\xfe\n.nav")), mesh(1)).unwrap();
    temp.file("i-empty.nav", b"");
    for threads in [1, 3] {
        let rows = run(&Scan { threads, ..Scan::new() }, temp.path());
        assert_eq!(
            names(&rows),
            ["a/1.nav", "b.nav", "c-loop.nav", "h-\\xfe\n.nav", "h-\\xff.nav", "i-empty.nav"],
            "{threads} threads"
        );
        let bad: Vec<_> =
            rows.iter().filter(|row| row.status == Status::Error).map(|row| &*row.path).collect();
        assert_eq!(bad, ["b.nav", "c-loop.nav", "i-empty.nav"]);
    }
}

#[test]
fn files_that_vanish_while_they_wait_for_their_turn_are_rows() {
    let temp = Temp::new("vanish");
    for i in 0..600 {
        temp.file(format!("{i:03}.nav"), &mesh(1));
    }
    let mut rows = Vec::new();
    Scan { threads: 2, ..Scan::new() }.run([temp.path()], &mut |outcome: Outcome| {
        if rows.is_empty() {
            (500..600).for_each(|i| fs::remove_file(temp.join(format!("{i:03}.nav"))).unwrap());
        }
        rows.push(row(temp.path(), &outcome));
        ControlFlow::Continue(())
    });
    // The listing is older than the removal: every name has one row, read before or missed after.
    let wanted: Vec<_> = (0..600).map(|i| format!("{i:03}.nav")).collect();
    assert_eq!(names(&rows), wanted);
    assert!(rows[..500].iter().all(|row| row.status == Status::Ok));
}
