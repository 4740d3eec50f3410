//! Properties of a whole analysis.

use crate::edit::{mesh, square};
use navmap::format::AnyNav;
use navmap::format::source::analyze::{AnalyzeOptions, Phase, Progress, VisibleSets, analyze};
use navmap::format::source::{SourceBuf, SourceNav, odd};
use navmap::{Finding, NavFile, Severity};
use navmap_testkit::corpus::{bundled, bundled_rows, manifest, real};
use std::sync::atomic::Ordering::Relaxed;

/// Every mesh of version 1 to 16, bundled and real.
fn meshes() -> Vec<(String, SourceBuf)> {
    let real = real().map_or_else(Vec::new, |corpus| manifest(&corpus.join("source")));
    let rows = bundled_rows("source").into_iter().chain(real);
    let own = |row: navmap_testkit::corpus::Row| {
        let bytes = row.read();
        let mesh = SourceBuf::read(&SourceNav::parse(&bytes).ok()?).ok()?;
        Some((row.name().to_owned(), mesh))
    };
    let meshes: Vec<_> = rows.filter_map(own).collect();
    assert!(meshes.len() > 10, "{}", bundled().display());
    meshes
}

fn full() -> AnalyzeOptions<'static> {
    AnalyzeOptions { full: Some(true), ..AnalyzeOptions::default() }
}

fn errors(mesh: &SourceBuf) -> Vec<Finding> {
    odd(mesh).into_iter().filter(|found| found.severity == Severity::Error).collect()
}

fn findings(bytes: &[u8]) -> Vec<(&'static str, String)> {
    let nav = AnyNav::parse(bytes, None, &navmap::format::ParseOptions::new()).unwrap();
    let mut found = Vec::new();
    nav.check(&mut navmap::bytes::Scratch::new(), &mut |finding| found.push(finding)).unwrap();
    let errors = found.into_iter().filter(|finding| finding.severity == Severity::Error);
    errors.map(|finding| (finding.code, finding.message)).collect()
}

#[test]
fn analysing_twice_gives_the_same_bytes_and_nothing_that_check_calls_an_error() {
    for (name, mut mesh) in meshes() {
        let before = mesh.encode().unwrap();
        let odd_before = errors(&mesh);
        let report = analyze(&mut mesh, &full(), None).unwrap();
        let once = mesh.encode().unwrap();
        let again = analyze(&mut mesh, &full(), None).unwrap();
        assert!(mesh.encode().unwrap() == once, "{name}");
        assert!(again.done.iter().all(|done| done.changed == 0), "{name}: {again}");
        if once == before {
            assert!(report.is_empty(), "{name}: {report}");
        } else {
            assert!(!report.is_empty(), "{name}: {report}");
        }
        let new: Vec<_> = errors(&mesh).into_iter().filter(|found| !odd_before.contains(found)).collect();
        assert!(new.is_empty(), "{name}: {new:?}");
        let known = findings(&before);
        let new: Vec<_> = findings(&once).into_iter().filter(|found| !known.contains(found)).collect();
        assert!(new.is_empty(), "{name}: {new:?}");
    }
}

#[test]
fn visibility_that_is_folded_anew_says_the_same() {
    for (name, mut mesh) in meshes() {
        let sets = VisibleSets::decode(&mesh).unwrap();
        let before = mesh.encode().unwrap().len();
        sets.encode(&mut mesh);
        let again = VisibleSets::decode(&mesh).unwrap();
        assert!(sets.iter().eq(again.iter()), "{name}");
        assert_eq!(again.dangling(), 0, "{name}");
        let bytes = mesh.encode().unwrap();
        // What is made up for tests may be folded in a way that no game would choose.
        let made_up = !name.contains('/') || name.starts_with("hostile/") || name.starts_with("odd/");
        assert!(made_up || bytes.len() <= before, "{name}: {} bytes, before {before}", bytes.len());
        assert_eq!(again.encode(&mut mesh), 0, "{name}");
        assert!(mesh.encode().unwrap() == bytes, "{name}");
    }
}

#[test]
fn one_thread_and_eight_give_the_same_bytes() {
    for (name, mesh) in meshes() {
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut mesh = mesh.clone();
            let spawns = mesh.areas.iter().take(9).map(|area| area.shape.center()).collect();
            let mut options = full();
            options.spawns.terrorists = spawns;
            pool.install(|| analyze(&mut mesh, &options, None)).unwrap();
            mesh.encode().unwrap()
        };
        assert!(with(1) == with(8), "{name}");
    }
}

#[test]
fn an_analysis_that_is_stopped_leaves_the_mesh_as_it_was() {
    let mut own = super::owned(&mesh([square(1)]));
    let before = own.clone();
    let progress = Progress::default();
    progress.stop.store(true, Relaxed);
    let options = AnalyzeOptions { progress: Some(&progress), ..AnalyzeOptions::default() };
    assert!(analyze(&mut own, &options, None).is_err());
    assert!(own == before);
}

#[test]
fn a_phase_that_is_not_named_does_not_run() {
    let mut own = super::owned(&mesh([square(1)]));
    let options = AnalyzeOptions { only: vec![Phase::Visibility], ..AnalyzeOptions::default() };
    let report = analyze(&mut own, &options, None).unwrap();
    assert!(own.areas[0].hiding_spots.is_empty());
    assert_eq!(report.done.len(), 1);
    for phase in Phase::ALL {
        assert_eq!(Phase::named(phase.name()), Some(phase));
    }
}
