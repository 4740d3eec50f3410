//! Members of archives that are named among the paths of a scan.

use super::{Row, Temp, mesh, names, row, run};
use navmap::scan::{Outcome, Scan, Status, Task, Totals};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::archive as make;
use std::ops::ControlFlow;

fn named(scan: &Scan, temp: &Temp, paths: &[&str]) -> (Vec<Row>, Totals) {
    let mut rows = Vec::new();
    let totals = scan.run(paths.iter().map(|path| temp.join(path)), &mut |outcome: Outcome| {
        rows.push(row(temp.path(), &outcome));
        ControlFlow::Continue(())
    });
    (rows, totals)
}

/// Archives of every sort, with a map of another size beside a mesh and around one.
fn tree(name: &str) -> Temp {
    let temp = Temp::new(name);
    let mesh = mesh(1);
    let inner = make::stored_zip(&[(b"deep/1.nav", &mesh), (b"deep/2.nav", b"no mesh"), (b"x.txt", b"text")]);
    let members: [(&[u8], &[u8]); 6] = [
        (b"maps/a.nav", &mesh),
        (b"maps/a.bsp", b"no map"),
        (b"maps/cut.nav", &mesh[..200]),
        (b"in.zip", &inner),
        (b"b.nav.gz", &make::gzip(&mesh)),
        (b"maps/a\xff.nav", &mesh),
    ];
    temp.file("d.zip", &make::deflated_zip(&members));
    temp.file("p.pak", &make::pak(&members));
    temp.file("t.tar.gz", &make::gzip(&make::tar(&members)));
    temp.file("m.bsp", &make::bsp(&make::stored_zip(&[(b"maps/m.nav", &mesh)]), 900, false));
    temp
}

#[test]
fn a_member_that_is_named_has_the_row_that_it_has_in_its_archive() {
    let temp = tree("named-rows");
    let whole = run(&Scan::new(), temp.path());
    assert_eq!(whole.len(), 3 * 6 + 1, "{:?}", names(&whole));
    for task in [Task::Head, Task::Survey, Task::Check] {
        for threads in [1, 4] {
            let scan = Scan { task, threads, ..Scan::new() };
            for row in run(&scan, temp.path()) {
                let (alone, totals) = named(&scan, &temp, &[&row.name()]);
                assert_eq!((alone, totals.missing), (vec![row], 0));
            }
        }
    }
    let all: Vec<String> = names(&whole);
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    assert_eq!(named(&Scan { threads: 4, ..Scan::new() }, &temp, &all).0, whole, "in the order of the paths");
}

#[test]
fn an_archive_in_an_archive_is_walked_and_a_member_that_is_named_twice_comes_once() {
    let temp = tree("named-archives");
    for archive in ["d.zip", "p.pak", "t.tar.gz"] {
        let inner = format!("{archive}!in.zip");
        let (rows, totals) = named(&Scan::new(), &temp, &[&inner, &format!("./{inner}")]);
        assert_eq!(names(&rows), [format!("{inner}!deep/1.nav"), format!("{inner}!deep/2.nav")]);
        assert_eq!((rows[0].status, rows[1].status, totals.errors), (Status::Ok, Status::Error, 1));
        let (rows, _) = named(&Scan::new(), &temp, &[&format!("{archive}!b.nav.gz")]);
        assert_eq!((names(&rows), rows[0].status), (vec![format!("{archive}!b.nav.gz!b.nav")], Status::Ok));
    }
}

#[test]
fn what_is_named_and_is_no_mesh_or_not_there_is_an_error() {
    let temp = tree("named-errors");
    for archive in ["d.zip", "p.pak", "t.tar.gz"] {
        let paths = ["in.zip!x.txt", "maps/b.nav", "in.zip!deep/3.nav", "maps/a.nav"];
        let paths = paths.map(|member| format!("{archive}!{member}"));
        let (rows, totals) = named(&Scan::new(), &temp, &paths.each_ref().map(String::as_str));
        assert_eq!(names(&rows), paths);
        let said: Vec<_> = rows.iter().map(|row| row.message.clone().unwrap_or_default()).collect();
        assert!(said[0].starts_with("not a navigation mesh"), "{said:?}");
        let absent = "the archive holds no member of this name; did you mean ";
        assert!(said[1].starts_with(absent) && said[1].contains("maps/a.nav"), "{said:?}");
        assert!(said[2].starts_with(absent) && said[2].contains("deep/1.nav"), "{said:?}");
        // A map of another size is beside it, which counts in archives that games of Source load, and have a directory.
        let status = if archive == "d.zip" { Status::Warning } else { Status::Ok };
        assert_eq!((rows[3].status, totals.errors, totals.missing), (status, 3, 2));
    }
    let (rows, totals) = named(&Scan::new(), &temp, &["m.bsp!maps/x.nav", "nowhere.zip!a.nav"]);
    assert_eq!((names(&rows).len(), totals.errors, totals.missing), (2, 2, 1));
}

#[test]
fn many_members_of_one_archive_list_it_once() {
    let temp = Temp::new("named-many");
    let (mesh, count) = (mesh(1), 300);
    let maps: Vec<_> = (0..count).map(|i| format!("maps/{i}.bsp").into_bytes()).collect();
    let meshes: Vec<_> = (0..count).map(|i| format!("maps/{i}.nav")).collect();
    let maps = maps.iter().map(|name| (&name[..], &b""[..]));
    let members: Vec<_> = maps.chain(meshes.iter().map(|name| (name.as_bytes(), &mesh[..]))).collect();
    temp.file("x.zip", &make::stored_zip(&members));
    let scan = Scan { threads: 1, ..Scan::new() };
    let paths: Vec<String> = meshes.iter().map(|name| format!("x.zip!{name}")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let ((rows, totals), cost) = cost_of(|| named(&scan, &temp, &paths));
    assert_eq!((rows.len(), totals.errors), (300, 0));
    // Every listing takes two allocations for each map.
    assert!(cost.calls < count * count, "{}", cost.calls);
}

#[test]
fn many_names_that_an_archive_lacks_are_not_all_compared_with_all_of_its_own() {
    let temp = Temp::new("named-absent");
    let (count, named_count) = (1_000, 8_000);
    let others: Vec<_> = (0..count).map(|i| format!("maps/{i}.txt").into_bytes()).collect();
    let others = others.iter().map(|name| (&name[..], &b""[..]));
    let members: Vec<_> = others.chain([(&b"maps/town.nav"[..], &b""[..])]).collect();
    temp.file("x.zip", &make::stored_zip(&members));
    let paths: Vec<String> = (0..named_count).map(|i| format!("x.zip!maps/town{i}.nav")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let scan = Scan { threads: 1, ..Scan::new() };
    let ((rows, totals), cost) = cost_of(|| named(&scan, &temp, &paths));
    assert_eq!((rows.len(), totals.missing), (named_count, named_count as u64));
    // Every name that is compared takes some allocations.
    assert!(cost.calls < (count * named_count) as u64, "{}", cost.calls);
    let told =
        |row: &Row| row.message.as_ref().is_some_and(|said| said.ends_with("did you mean maps/town.nav?"));
    assert!(rows[..200].iter().all(told) && !told(&rows[named_count - 1]));
    assert_eq!(named(&Scan { threads: 4, ..scan }, &temp, &paths).0, rows);
}

/// A VPK of so many members in one folder, whose long name its directory has once.
fn long_folder(extension: &str, count: usize) -> Vec<u8> {
    let mut tree = [extension.as_bytes(), b"\0", &b"p".repeat(4000), b"\0"].concat();
    for i in 0..count {
        tree.extend_from_slice(format!("{i}\0").as_bytes());
        // No bytes, in the file of the directory.
        tree.extend_from_slice(&[0, 0, 0, 0, 0, 0, 0xFF, 0x7F, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]);
    }
    tree.extend_from_slice(b"\0\0\0");
    let head = [0x55AA_1234, 1, tree.len() as u32].map(u32::to_le_bytes).concat();
    [head, tree].concat()
}

#[test]
fn long_names_that_an_archive_shares_are_not_kept_for_each_member() {
    let temp = Temp::new("named-long");
    let count = 20_000;
    temp.file("x_dir.vpk", &long_folder("nav", count));
    let scan = Scan { threads: 1, ..Scan::new() };
    let folder = "p".repeat(4000);
    let members = [0, count - 1].map(|i| format!("x_dir.vpk!{folder}/{i}.nav"));
    let ((rows, totals), cost) = cost_of(|| named(&scan, &temp, &members.each_ref().map(String::as_str)));
    assert_eq!((rows.len(), totals.errors, totals.missing), (2, 2, 0), "both are there, and are no meshes");
    assert!(cost.peak_bytes < 16 << 20, "{}", cost.peak_bytes);
}

#[test]
fn long_names_that_an_archive_shares_are_not_kept_for_each_map() {
    let temp = Temp::new("maps-long");
    temp.file("x_dir.vpk", &long_folder("bsp", 20_000));
    let scan = Scan { threads: 1, ..Scan::new() };
    let (_, cost) = cost_of(|| scan.run([temp.path()], &mut |_: Outcome| ControlFlow::Continue(())));
    assert!(cost.peak_bytes < 16 << 20, "{}", cost.peak_bytes);
}

#[test]
fn a_name_may_have_many_marks() {
    let temp = Temp::new("named-marks");
    let (mesh, marks) = (mesh(1), "!".repeat(100));
    let odd = format!("{marks}.nav");
    temp.file("x.zip", &make::stored_zip(&[(b"a.nav", &mesh), (odd.as_bytes(), &mesh)]));
    let paths = ["a.nav".to_owned(), odd, format!("a.nav{marks}"), "!".repeat(200_000)];
    let paths = paths.map(|member| format!("x.zip!{member}"));
    let scan = Scan { threads: 1, ..Scan::new() };
    let (rows, totals) = named(&scan, &temp, &paths.each_ref().map(String::as_str));
    let status: Vec<Status> = rows.iter().map(|row| row.status).collect();
    assert_eq!(status, [Status::Ok, Status::Ok, Status::Error, Status::Error]);
    assert_eq!(totals.errors, 2);
}
