//! Archives that claim to hold more than any machine does.

use super::{navmap, run};
use navmap::Limits;
use navmap::archive::{Archive, Buffers, Kind, Meter, Source, Walker};
use navmap_testkit::alloc::{Counting, cost_of};
use navmap_testkit::bombs::{Bomb, bomb, bombs};
use navmap_testkit::temp::Temp;
use std::ops::ControlFlow;

#[global_allocator]
static ALLOC: Counting = Counting;

/// Rows and errors of a walk, and the most memory it held at one time.
fn walk(bytes: &[u8], name: &str, walker: &Walker<'_>, limits: &Limits) -> (u64, Vec<String>, u64) {
    let kind = Kind::sniff(bytes).expect("a container");
    let archive = Archive::open(Source::single(bytes), kind, name.as_bytes()).expect("a directory");
    let meter = Meter::new(limits, bytes.len() as u64);
    let (mut rows, mut errors) = (0, Vec::new());
    let (_, cost) = cost_of(|| {
        walker.archive(&archive, &mut Vec::new(), &meter, &mut Buffers::new(), &mut |found| {
            rows += 1;
            if let Err(error) = found.bytes
                && errors.len() < 100_000
            {
                errors.push(error.to_string());
            }
            ControlFlow::Continue(())
        })
    });
    let most = limits.cost_of(bytes.len() as u64) + limits.held_of(bytes.len() as u64) + (2 << 20);
    assert!(meter.spent() <= most, "{name}: {} spent", meter.spent());
    let kept: u64 = errors.iter().map(|error| error.len() as u64 * 2 + 48).sum();
    (rows, errors, cost.peak_bytes.saturating_sub(kept))
}

#[test]
fn a_walk_over_any_of_them_ends_at_a_limit_in_little_memory() {
    let limits = Limits::default();
    let mesh = |head: &[u8]| head.starts_with(&0xFEED_FACE_u32.to_le_bytes());
    for Bomb { name, bytes } in bombs() {
        for walker in [Walker::default(), Walker { deep: Some(&mesh), heads: true }] {
            let (rows, errors, peak) = walk(bytes, name, &walker, &limits);
            assert!(peak < 64 << 20, "{name}: {peak} bytes held");
            // A row costs a kilobyte of what the archive may cost.
            assert!(rows <= limits.cost_of(bytes.len() as u64) >> 10, "{name}: {rows} rows");
            let limit = |error: &&String| error.contains("of the archive");
            assert!(errors.iter().filter(limit).count() <= 1, "{name}: the limit is told once");
        }
    }
}

#[test]
fn an_archive_does_not_hold_itself() {
    for (name, members) in [("self.fpk", 3), ("self.pak", 3), ("self-once.pak", 1)] {
        let (rows, errors, _) = walk(bomb(name), name, &Walker::default(), &Limits::default());
        assert_eq!(rows, members, "{name}");
        assert!(
            errors.iter().all(|e| e.ends_with("lies over the directory of its own archive")),
            "{errors:?}"
        );
    }
    // The file that brought a process down.
    assert!(bomb("self.fpk").len() < 228);
}

#[test]
fn members_over_each_other_are_refused_and_the_same_place_is_read_under_every_name() {
    let (_, errors, _) = walk(bomb("suffixes.vpk"), "x.vpk", &Walker::default(), &Limits::default());
    assert!(errors.iter().any(|error| error.ends_with("member data: lies over member 0")), "{}", errors[0]);
    let limits = Limits::default();
    let bytes = bomb("same-place.pak");
    let (rows, errors, _) = walk(bytes, "x.pak", &Walker::default(), &limits);
    let by_ratio = limits.cost_of(bytes.len() as u64);
    assert_eq!((rows - 1, errors.len()), (by_ratio / 501_030, 1));
    assert!(errors[0].contains("output of the archive by its ratio: "), "{}", errors[0]);
}

#[test]
fn members_are_counted_over_all_levels() {
    let mut limits = Limits::default();
    limits.members = 500;
    for name in ["levels.zip", "same-archive.pak", "texts.tar.gz"] {
        let (_, errors, _) = walk(bomb(name), name, &Walker::default(), &limits);
        let last = errors.last().unwrap();
        assert!(last.ends_with("members of the archive: 501 is over the limit of 500"), "{name}: {last}");
    }
}

#[test]
fn streams_that_yield_nothing_are_charged_for() {
    let name = "empty-streams.nav.bz2";
    let (rows, errors, _) = walk(bomb(name), name, &Walker::default(), &Limits::default());
    assert_eq!(rows, 1);
    assert!(errors[0].contains("output of the archive by its ratio: "), "{}", errors[0]);
}

#[test]
fn every_verb_comes_to_an_end_on_every_one_of_them() {
    let temp = Temp::new("bombs");
    for Bomb { name, bytes } in bombs() {
        let path = temp.file(name, bytes);
        for verb in [
            &["scan", "-q", "--format", "jsonl"][..],
            &["scan", "-q", "--deep", "--headers", "--format", "csv"],
            &["check", "-q"],
            &["list"],
            &["list", "--meshes"],
            &["extract", "-o", "extracted"],
            &["info"],
        ] {
            let mut command = navmap();
            let what = format!("{verb:?} {name}");
            let done = run(&what, command.args(verb).arg(&path).current_dir(temp.path()));
            let code = done.status.code();
            assert!(
                matches!(code, Some(0..=2)),
                "{what}: {:?} {}",
                done.status,
                String::from_utf8_lossy(&done.stderr)
            );
        }
    }
}

/// A few bytes under thousands of names: a limit, and not thousands of files.
#[test]
fn what_is_extracted_is_bounded_by_the_number_of_files_too() {
    let temp = Temp::new("many-files");
    let mesh = navmap_testkit::source::write(&navmap_testkit::source::Mesh {
        version: 16,
        subversion: Some(0),
        ..navmap_testkit::source::Mesh::default()
    });
    // Each level holds the one below under eight names, and the mesh at the bottom.
    let names: Vec<Vec<u8>> = (0..8).map(|i| format!("{i}.zip").into_bytes()).collect();
    let bottom = navmap_testkit::archive::stored_zip(&[(b"a.nav", &mesh)]);
    let bomb = (0..5).fold(bottom, |inner, _| {
        let members: Vec<_> =
            names.iter().map(|name| navmap_testkit::archive::Zipped::deflated(name, &inner)).collect();
        navmap_testkit::archive::zip(&members)
    });
    assert!(bomb.len() < 20_000, "{}", bomb.len());
    let path = temp.file("bomb.zip", &bomb);
    let into = temp.join("out");
    let done = run("extract", navmap().arg("extract").arg(&path).arg("-o").arg(&into));
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(1), "{said}");
    assert!(said.contains("output of the archive by its ratio: "), "{said}");
    let written: usize = said
        .lines()
        .last()
        .and_then(|line| line.split(' ').next())
        .and_then(|count| count.replace(',', "").parse().ok())
        .unwrap_or_else(|| panic!("{said}"));
    let most = Limits::default().cost_of(bomb.len() as u64) >> 14;
    assert!((100..=most as usize).contains(&written), "{said}");
}

/// Thousands of meshes in an archive that inflates a thousandfold: it is not inflated for each of them.
#[test]
fn meshes_in_archives_in_archives_are_compared_up_to_a_limit() {
    use navmap_testkit::archive::{Zipped, stored_zip, zip};
    let temp = Temp::new("compared-bombs");
    let mesh = |id: u32| {
        let area = navmap_testkit::source::Area { id, ..navmap_testkit::source::Area::default() };
        navmap_testkit::source::write(&navmap_testkit::source::Mesh {
            version: 16,
            subversion: Some(0),
            areas: vec![area],
            ..navmap_testkit::source::Mesh::default()
        })
    };
    let zeros = vec![0; 10_000_000];
    let bomb = |id: u32| {
        let mesh = mesh(id);
        let names: Vec<Vec<u8>> = (0..1_000).map(|i| format!("{i:04}.nav").into_bytes()).collect();
        let mut members: Vec<(&[u8], &[u8])> = names.iter().map(|name| (&name[..], &mesh[..])).collect();
        members.push((b"zeros.txt", &zeros));
        zip(&[Zipped::deflated(b"inner.zip", &stored_zip(&members))])
    };
    let (before, after) = (temp.file("before.zip", &bomb(1)), temp.file("after.zip", &bomb(2)));
    let done = run("diff", navmap().arg("diff").arg(before).arg(after));
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(2), "{said}");
    assert!(said.contains("output of the archive by its ratio: "), "{said}");
}

/// What a check, or rows of all areas, take is more than what a row of the file takes.
#[test]
fn what_is_made_of_a_member_is_charged_as_well() {
    let temp = Temp::new("work");
    let graph = std::fs::read(navmap_testkit::corpus::project().join("corpus/nodegraph/v16.nod")).unwrap();
    let names: Vec<Vec<u8>> = (0..64).map(|number| format!("{number}.nod").into_bytes()).collect();
    let members: Vec<(&[u8], &[u8])> = names.iter().map(|name| (&name[..], &graph[..])).collect();
    let path = temp.file("graphs.zip", &navmap_testkit::archive::stored_zip(&members));
    let rows = |verb: &[&str]| {
        let mut command = navmap();
        let most = (64 * (graph.len() + 1100)).to_string();
        let done =
            run(verb[0], command.args(verb).arg("--max-bytes").arg(most).arg(&path).current_dir(temp.path()));
        let text = String::from_utf8(done.stdout).unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        assert!(
            text.matches("output of the archive").count() + said.matches("output of the archive").count() < 2
        );
        (said.contains("64 meshes"), text + &said)
    };
    assert!(rows(&["scan"]).0);
    for verb in [&["check"][..], &["tables", "-o", "tables"], &["draw", "-o", "maps.svg"]] {
        let (all, said) = rows(verb);
        assert!(!all && said.contains("output of the archive: "), "{verb:?}: {said}");
        if verb[0] == "check" {
            // Comparing its routes costs eight times its bytes.
            assert!((5..=7).any(|count| said.contains(&format!("{count} meshes in 1 file"))), "{said}");
        }
    }
}
