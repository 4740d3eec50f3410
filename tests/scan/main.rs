//! Scans: what comes out, in which order, at which cost, and what no file may do to a run.
#![cfg(feature = "scan")]

mod archives;
mod odd;
#[cfg(all(feature = "cli", unix))]
mod process;
mod resume;

use navmap::scan::{Outcome, Scan, Status};
use navmap_testkit::alloc::Counting;
use navmap_testkit::source::{Mesh, Shape, level, write};
use navmap_testkit::temp::Temp;
use std::ops::ControlFlow;
use std::path::Path;

#[global_allocator]
static ALLOC: Counting = Counting;

/// A small mesh of Team Fortress 2, made for a map of so many bytes.
fn mesh(bsp_size: u32) -> Vec<u8> {
    write(&Mesh { bsp_size, ..level(16, Some(2), &Shape::small(3)) })
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
