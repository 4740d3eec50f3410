//! Scans: what comes out, in which order, at which cost, and what no file may do to a run.
#![cfg(feature = "archive")]

mod archives;
mod named;
mod odd;
mod resume;

use navmap::format::{AnyNav, ParseOptions};
use navmap::scan::{Outcome, Scan, Status, Task};
use navmap_testkit::alloc::Counting;
use navmap_testkit::source::small_for as mesh;
use navmap_testkit::temp::Temp;
use std::ops::ControlFlow;
use std::path::Path;

#[global_allocator]
static ALLOC: Counting = Counting;

#[cfg(debug_assertions)]
#[test]
fn the_kind_of_a_scanned_file_is_sniffed_once() {
    const ALONE: &str = "NAVMAP_TEST_ALONE";
    if std::env::var_os(ALONE).is_none() {
        // Other tests of this process would count as well.
        let mut this = std::process::Command::new(std::env::current_exe().unwrap());
        let name = "the_kind_of_a_scanned_file_is_sniffed_once";
        assert!(this.args(["--exact", name]).env(ALONE, "1").output().unwrap().status.success());
        return;
    }
    use std::sync::atomic::Ordering::Relaxed;
    let temp = Temp::new("sniffed");
    for name in ["a.nav", "without", "other.data"] {
        std::fs::write(temp.join(name), mesh(16)).unwrap();
    }
    for task in [Task::Open, Task::Survey, Task::Check, Task::Graph, Task::Head] {
        let (mut scanned, before) = (0, navmap::format::SNIFFED.load(Relaxed));
        Scan { task, ..Scan::new() }.run([temp.path()], &mut |outcome: Outcome| {
            assert!(outcome.summary.is_some(), "{}", outcome.path.display());
            scanned += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(scanned, 3);
        assert_eq!(navmap::format::SNIFFED.load(Relaxed) - before, scanned, "{task:?}");
    }
}

#[test]
fn an_outcome_holds_the_graph_where_it_was_asked_for() {
    let (bundled, real) = (navmap_testkit::corpus::bundled(), navmap_testkit::corpus::real());
    let mut compared = 0;
    for root in [Some(bundled), real].into_iter().flatten() {
        Scan { task: Task::Graph, ..Scan::new() }.run([&root], &mut |outcome: Outcome| {
            let Some(stats) = outcome.graph.as_deref().filter(|_| outcome.member.is_none()) else {
                assert!(outcome.summary.is_none() || outcome.error.is_some() || outcome.member.is_some());
                return ControlFlow::Continue(());
            };
            let bytes = std::fs::read(&outcome.path).unwrap();
            let nav = AnyNav::parse(&bytes, Some(&outcome.path), &ParseOptions::default()).unwrap();
            assert_eq!(*stats, nav.graph_stats().value, "{}", outcome.path.display());
            let counted = |name| outcome.summary.unwrap().counts.get(name);
            assert_eq!(counted("components"), Some(stats.components), "{}", outcome.path.display());
            assert_eq!(counted("largest_component"), Some(stats.largest_component));
            compared += 1;
            ControlFlow::Continue(())
        });
        Scan::new().run([&root], &mut |outcome: Outcome| {
            assert!(outcome.graph.is_none(), "nobody asked");
            ControlFlow::Continue(())
        });
    }
    assert!(compared > 80, "{compared}");
}

/// What a test wants to know of an outcome.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    path: String,
    member: Option<String>,
    status: Status,
    areas: Option<u64>,
    message: Option<String>,
}

impl Row {
    /// `folder/file!member`, below the folder of the test.
    fn name(&self) -> String {
        let member = self.member.as_ref().map(|member| format!("!{member}")).unwrap_or_default();
        format!("{}{member}", self.path)
    }
}

fn row(root: &Path, outcome: &Outcome) -> Row {
    let path = outcome.path.strip_prefix(root).unwrap_or(&outcome.path);
    Row {
        path: navmap::scan::path_text(path).into_owned(),
        member: outcome.member.clone(),
        status: outcome.status(),
        areas: outcome.summary.and_then(|summary| summary.counts.get("areas")),
        message: outcome.message(),
    }
}

/// Scans a folder.
fn run(scan: &Scan, root: &Path) -> Vec<Row> {
    let mut rows = Vec::new();
    scan.run([root], &mut |outcome: Outcome| {
        rows.push(row(root, &outcome));
        ControlFlow::Continue(())
    });
    rows
}

fn names(rows: &[Row]) -> Vec<String> {
    rows.iter().map(Row::name).collect()
}
