//! Archives in a scan: shared out between threads, in order, whatever they are wrapped in.

use super::{Row, Temp, mesh, names, row, run};
use navmap::Severity;
use navmap::scan::{Outcome, Scan, Status, Task};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::archive as make;
use navmap_testkit::archive::Keep;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// A tree with loose meshes, archives large and small, archives in archives, and things that are none.
fn tree(name: &str) -> Temp {
    let temp = Temp::new(name);
    let mesh = mesh(1);
    for i in 0..40 {
        temp.file(format!("loose/{i:02}.nav"), &mesh);
    }
    let many: Vec<_> = (0..700).map(|i| format!("maps/{i:04}.nav").into_bytes()).collect();
    let members: Vec<_> = many.iter().map(|name| (&name[..], &mesh[..])).collect();
    temp.file("b-large.zip", &make::deflated_zip(&members));
    temp.file("a-large.pak", &make::pak(&members));
    let bsp = make::bsp(&make::stored_zip(&[(b"maps/embed.nav", &mesh), (b"x.txt", b"text")]), 5000, false);
    temp.file("c.bsp", &bsp);
    temp.file("d.zip", &make::deflated_zip(&[(b"m/1.bsp", &bsp), (b"2.nav", &mesh), (b"3.nav", b"no mesh")]));
    let (directory, parts) =
        make::vpk(2, &[("x/a.nav", &mesh, Keep::Part(0)), ("x/b.nav", &mesh, Keep::Part(7))]);
    temp.file("e_dir.vpk", &directory);
    temp.file("e_000.vpk", &parts[0]);
    temp.file("f.txt", b"text");
    temp.file("g.zip", &make::deflated_zip(&members[..3])[..3000]);
    temp.file("h.nav", &mesh[..200]);
    temp
}

#[test]
fn rows_are_the_same_for_any_number_of_threads() {
    let temp = tree("threads");
    let one = run(&Scan { threads: 1, ..Scan::new() }, temp.path());
    assert_eq!(one.len(), 40 + 700 + 700 + 1 + 3 + 2 + 1 + 1);
    let listed = names(&one);
    assert_eq!(listed[0], "a-large.pak!maps/0000.nav");
    assert_eq!(listed[700 + 699], "b-large.zip!maps/0699.nav");
    assert_eq!(
        listed[1400..1408],
        [
            "c.bsp!maps/embed.nav",
            "d.zip!m/1.bsp!maps/embed.nav",
            "d.zip!2.nav",
            "d.zip!3.nav",
            "e_dir.vpk!x/a.nav",
            "e_dir.vpk!x/b.nav",
            "g.zip",
            "h.nav",
        ]
    );
    let bad: Vec<_> = one.iter().filter(|row| row.status == Status::Error).map(Row::name).collect();
    assert_eq!(bad, ["d.zip!3.nav", "e_dir.vpk!x/b.nav", "g.zip", "h.nav"]);
    for threads in [2, 3, 8] {
        let many = run(&Scan { threads, ..Scan::new() }, temp.path());
        assert!(one == many, "{threads} threads");
        let mut unordered = run(&Scan { threads, ordered: false, ..Scan::new() }, temp.path());
        let mut sorted = one.clone();
        sorted.sort();
        unordered.sort();
        assert!(sorted == unordered, "{threads} threads, unordered");
    }
}

/// Where the games keep them: loose, in packs of game files and addons, and in the map itself.
#[test]
fn node_graphs_are_found_in_vpk_gma_and_the_zip_of_a_map() {
    let temp = Temp::new("node-graphs");
    let read = |name: &str| std::fs::read(navmap_testkit::corpus::bundled_path("nodegraph", name)).unwrap();
    let (ain, nod, text) = (read("v37.ain"), read("v16.nod"), read("v27.ain"));
    temp.file("maps/graphs/a.ain", &ain);
    temp.file("maps/graphs/b.nod", &nod);
    let (directory, _) =
        make::vpk(2, &[("maps/graphs/a.ain", &ain, Keep::Here), ("maps/graphs/b.nod", &nod, Keep::Here)]);
    temp.file("pak_dir.vpk", &directory);
    temp.file("addon.gma", &make::gma(&[(b"maps/graphs/a.ain", &ain), (b"maps/graphs/old.ain", &text)]));
    let zip = make::stored_zip(&[(b"maps/graphs/a.ain", &ain), (b"materials/x.vmt", b"text")]);
    temp.file("map.bsp", &make::bsp(&zip, 900, false));
    let rows = run(&Scan::new(), temp.path());
    assert_eq!(
        names(&rows),
        [
            "addon.gma!maps/graphs/a.ain",
            "addon.gma!maps/graphs/old.ain",
            "map.bsp!maps/graphs/a.ain",
            "maps/graphs/a.ain",
            "maps/graphs/b.nod",
            "pak_dir.vpk!maps/graphs/a.ain",
            "pak_dir.vpk!maps/graphs/b.nod",
        ]
    );
    assert!(rows.iter().all(|row| row.status == Status::Ok), "{rows:?}");
}

/// An archive of many names without meshes, and as many bytes besides as keep it apart from others when they are shared out.
fn names_alone(members: usize, bytes: usize) -> Vec<u8> {
    let names: Vec<_> = (0..members).map(|i| format!("{i:05}.nav").into_bytes()).collect();
    let padding = vec![7; bytes];
    let mut list: Vec<_> = names.iter().map(|name| (&name[..], &b""[..])).collect();
    list.push((b"readme.txt", &padding));
    make::pak(&list)
}

#[test]
fn rows_of_an_archive_in_an_archive_are_handed_over_as_they_come() {
    let temp = Temp::new("as-they-come");
    let inner = names_alone(20_000, 0);
    let zip = make::stored_zip(&[(b"inner.pak", &inner)]);
    let path = temp.file("x.zip", &zip);
    let scan = Scan { threads: 1, ..Scan::new() };
    let mut rows = 0;
    let (_, cost) = cost_of(|| {
        scan.run_with([&path], &|outcome| outcome, &mut |_| {
            rows += 1;
            ControlFlow::Continue(())
        })
    });
    assert_eq!(rows, 20_000);
    // Before a decoder begins, 1 MiB is asked for and given back.
    let most = zip.len() as u64 + (2 << 20);
    assert!(cost.peak_bytes < most, "{} bytes held, for a file of {}", cost.peak_bytes, zip.len());
}

#[test]
fn archives_of_many_rows_in_one_archive_are_put_in_order_on_any_number_of_threads() {
    let temp = Temp::new("many-rows");
    let inner = names_alone(4_000, 1 << 20);
    let names: Vec<_> = (0..7).map(|i| format!("{i}.pak").into_bytes()).collect();
    let members: Vec<_> = names.iter().map(|name| (&name[..], &inner[..])).collect();
    temp.file("a.zip", &make::stored_zip(&members));
    temp.file("b.zip", &make::stored_zip(&members));
    let listed = |threads| names_of(&Scan { threads, ..Scan::new() }, &temp);
    let one = listed(1);
    assert_eq!(one.len(), 2 * 7 * 4_000);
    assert_eq!((&one[4_000][..], &one[55_999][..]), ("a.zip!1.pak!00000.nav", "b.zip!6.pak!03999.nav"));
    for threads in [2, 3, 8] {
        assert!(listed(threads) == one, "{threads} threads");
    }
}

fn names_of(scan: &Scan, temp: &Temp) -> Vec<String> {
    names(&run(scan, temp.path()))
}

/// Chooses what has a text in its path or in its member.
#[derive(Debug)]
struct With(&'static str);

impl navmap::scan::Keep for With {
    fn keeps(&self, path: &Path, member: Option<&str>) -> bool {
        path.to_string_lossy().contains(self.0) || member.is_some_and(|member| member.contains(self.0))
    }
}

#[test]
fn what_is_left_out_has_no_row_and_the_rest_has_the_rows_that_it_had() {
    let temp = tree("left-out");
    let all = names_of(&Scan::new(), &temp);
    for text in ["maps/00", "loose", "e_dir", "g.zip", "h.nav", "3.nav", "neither"] {
        let wanted: Vec<_> = all.iter().filter(|name| name.contains(text)).cloned().collect();
        assert_eq!(wanted.is_empty(), text == "neither");
        for threads in [1, 3] {
            let scan = Scan { threads, keep: Some(Arc::new(With(text))), ..Scan::new() };
            assert_eq!(names_of(&scan, &temp), wanted, "{text}");
        }
    }
}

#[test]
fn the_members_of_a_single_archive_are_shared_out() {
    let temp = Temp::new("single");
    let mesh = mesh(1);
    let many: Vec<_> = (0..2000).map(|i| format!("{i:04}.nav").into_bytes()).collect();
    let members: Vec<_> = many.iter().map(|name| (&name[..], &mesh[..])).collect();
    let path = temp.file("x.zip", &make::stored_zip(&members));
    // Who reads a member prepares its row, outside of any lock: so the first waits there until another has woken.
    let (threads, woken, began) = (Mutex::new(HashSet::new()), Condvar::new(), Instant::now());
    let prepare = |outcome: Outcome| {
        let mut threads = threads.lock().unwrap();
        threads.insert(std::thread::current().id());
        woken.notify_all();
        let left = Duration::from_secs(60).saturating_sub(began.elapsed());
        drop(woken.wait_timeout_while(threads, left, |threads| threads.len() == 1).unwrap());
        outcome.member.unwrap()
    };
    let mut last = String::new();
    let totals = Scan { threads: 4, ..Scan::new() }.run_with([path], &prepare, &mut |member| {
        assert!(last < member, "{member} after {last}");
        last = member;
        ControlFlow::Continue(())
    });
    assert_eq!((totals.meshes, totals.files), (2000, 1));
    assert!(threads.into_inner().unwrap().len() > 1);
}

#[test]
fn memory_does_not_grow_with_the_number_of_files() {
    let temp = Temp::new("memory");
    let mesh = mesh(1);
    for i in 0..3000 {
        temp.file(format!("{}/{i:05}.nav", if i < 100 { "few" } else { "many" }), &mesh);
    }
    // One thread is this one, which is what the allocator counts.
    let scan = Scan { threads: 1, ..Scan::new() };
    let mut count = 0;
    let mut cost = |folder: &str| {
        cost_of(|| {
            scan.run([temp.join(folder)], &mut |_: Outcome| {
                count += 1;
                ControlFlow::Continue(())
            })
        })
        .1
    };
    let (few, many) = (cost("few"), cost("many"));
    let names = 2800 * 48;
    assert!(many.peak_bytes < few.peak_bytes + names, "{} against {}", many.peak_bytes, few.peak_bytes);
    assert_eq!(count, 3000);
}

#[test]
fn a_mesh_is_held_against_the_map_beside_it_and_the_one_around_it() {
    let temp = Temp::new("maps");
    temp.file("right.bsp", &[7; 1000]);
    temp.file("right.nav", &mesh(1000));
    temp.file("wrong.bsp", &[7; 1000]);
    temp.file("wrong.nav", &mesh(999));
    temp.file("alone.nav", &mesh(999));
    let maps = [7; 500];
    temp.file(
        "x.zip",
        &make::deflated_zip(&[
            (b"maps/A.bsp", &maps),
            (b"maps/a.nav", &mesh(500)),
            (b"maps/b.nav", &mesh(4)),
            (b"maps/B.bsp", &maps),
        ]),
    );
    temp.file("y.bsp", &make::bsp(&make::stored_zip(&[(b"maps/y.nav", &mesh(12))]), 0, false));
    let mut found = Vec::new();
    let scan = Scan { task: Task::Check, ..Scan::new() };
    scan.run([temp.path()], &mut |outcome: Outcome| {
        let row = row(temp.path(), &outcome);
        let finding = outcome.findings.iter().find(|finding| finding.code == "other-map");
        if row.status == Status::Error {
            // The maps of this test are none.
            assert!(row.path.ends_with(".bsp"), "{row:?}");
        } else {
            found.push((row.name(), finding.map(|finding| (finding.severity, finding.message.clone()))));
        }
        ControlFlow::Continue(())
    });
    let beside = |size: u32, map: u32| {
        let message = format!("made for a map of {size} bytes, the map beside it has {map}");
        Some((Severity::Warning, message))
    };
    let len = std::fs::metadata(temp.join("y.bsp")).unwrap().len();
    let around = format!("made for a map of 12 bytes, the map that holds it has {len}");
    assert_eq!(
        found,
        [
            ("alone.nav".to_owned(), None),
            ("right.nav".to_owned(), None),
            ("wrong.nav".to_owned(), beside(999, 1000)),
            ("x.zip!maps/a.nav".to_owned(), None),
            ("x.zip!maps/b.nav".to_owned(), beside(4, 500)),
            ("y.bsp!maps/y.nav".to_owned(), Some((Severity::Info, around))),
        ]
    );
}

#[test]
fn deep_finds_meshes_by_their_first_bytes() {
    let temp = Temp::new("deep");
    let mesh = mesh(1);
    let inner = make::stored_zip(&[(b"no-name", &mesh)]);
    temp.file("x.zip", &make::deflated_zip(&[(b"a.bin", &mesh), (b"b.bin", b"text"), (b"c.dat", &inner)]));
    assert!(run(&Scan::new(), temp.path()).is_empty());
    let rows = run(&Scan { deep: true, ..Scan::new() }, temp.path());
    assert_eq!(names(&rows), ["x.zip!a.bin", "x.zip!c.dat!no-name"]);
    assert!(rows.iter().all(|row| row.status == Status::Ok && row.areas > Some(0)));
}

#[test]
fn headers_are_read_without_the_mesh_behind_them() {
    let temp = Temp::new("heads");
    // Nothing behind the first page is a mesh.
    let mut long = mesh(1);
    long.resize(100_000, 0xEE);
    temp.file("x.zip", &make::stored_zip(&[(b"in/b.nav", &long)]));
    temp.file("y.zip", &make::deflated_zip(&[(b"a.nav", &long)]));
    let mut seen = Vec::new();
    Scan { task: Task::Head, ..Scan::new() }.run([temp.path()], &mut |outcome: Outcome| {
        seen.push((outcome.member.clone().unwrap(), outcome.bytes, outcome.summary.unwrap().version));
        ControlFlow::Continue(())
    });
    assert_eq!(seen, [("in/b.nav".to_owned(), 100_000, Some(16)), ("a.nav".to_owned(), 100_000, Some(16))]);
}

#[test]
fn a_limit_of_an_archive_is_one_row() {
    let temp = Temp::new("limit");
    temp.file("x.zip", &make::deflated_zip(&[(b"a.nav", &vec![0; 1 << 20]), (b"b.nav", &mesh(1))]));
    let mut scan = Scan::new();
    scan.options.limits.inflated_bytes = 100_000;
    let rows = run(&scan, temp.path());
    assert_eq!(names(&rows), ["x.zip!a.nav", "x.zip!b.nav"]);
    let message = rows[0].message.as_deref().unwrap();
    assert!(message.ends_with("inflated size: 1048576 is over the limit of 100000"), "{message}");
    assert_eq!(rows[1].status, Status::Ok);
}

#[test]
fn a_sink_that_has_enough_ends_the_run() {
    let temp = tree("enough");
    for (threads, ordered) in [(1, true), (4, true), (4, false)] {
        let mut seen = 0;
        let scan = Scan { threads, ordered, ..Scan::new() };
        let totals = scan.run([temp.path()], &mut |_: Outcome| {
            seen += 1;
            if seen == 100 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(seen, 100, "{threads} threads");
        // Out of order, some of the hundred may be what could not be read.
        assert!(totals.meshes == 100 || !ordered && totals.meshes < 100, "{totals:?}");
    }
}

#[test]
fn a_sink_that_panics_ends_the_run_instead_of_hanging_it() {
    let temp = Temp::new("panic");
    for i in 0..300 {
        temp.file(format!("{i:03}.nav"), &mesh(1));
    }
    let run = std::panic::catch_unwind(|| {
        let mut seen = 0;
        Scan { threads: 3, ..Scan::new() }.run([temp.path()], &mut |_: Outcome| {
            seen += 1;
            assert!(seen < 50, "the sink has a bug");
            ControlFlow::Continue(())
        })
    });
    assert!(run.is_err());
}

#[test]
fn a_run_that_is_stopped_hands_on_what_is_done_and_nothing_twice() {
    let temp = tree("stop");
    let whole: HashSet<_> = names(&run(&Scan::new(), temp.path())).into_iter().collect();
    for threads in [1, 4] {
        let scan = Scan { threads, ..Scan::new() };
        let stop = Arc::clone(&scan.stop);
        let mut seen = Vec::new();
        let totals = scan.run([temp.path()], &mut |outcome: Outcome| {
            seen.push(row(temp.path(), &outcome).name());
            if seen.len() == 300 {
                stop.store(true, std::sync::atomic::Ordering::Relaxed);
            }
            ControlFlow::Continue(())
        });
        assert!(totals.stopped && seen.len() >= 300 && seen.len() < whole.len(), "{}", seen.len());
        let unique: HashSet<_> = seen.iter().cloned().collect();
        assert_eq!(unique.len(), seen.len());
        assert!(unique.is_subset(&whole));
    }
}
