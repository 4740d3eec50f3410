//! Turns the bytes of one mesh, from any source, into its outcome.

use super::maps::Map;
use super::sink::Outcome;
use super::{Scan, Task};
use crate::open::hull::{hull_group, none_of};
use navmap_core::Counts;
use navmap_core::bytes::Scratch;
use navmap_core::error::{Error, Result};
use navmap_core::format::{HullName, NavFile, Summary};
use navmap_core::graph::Stats;
use navmap_core::{Finding, Severity};
use navmap_formats::{AnyNav, Kind, ParseOptions};
use std::any::Any;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// The number of first bytes that show a format.
pub(super) const HEAD: usize = 4096;

/// What is made of a mesh, or a part of it.
pub type Made = Box<dyn Any + Send + Sync>;

/// Passes on a part of what is made of a mesh before all of it is, as an outcome that [continues](Outcome::continues). Gives it
/// back if the mesh is not next in line: then it has to be kept.
pub type Ahead<'a> = dyn FnMut(Made) -> Option<Made> + 'a;

/// Makes something from each mesh, on the thread that reads it.
pub trait Each: Send + Sync + fmt::Debug {
    /// Makes something from a mesh: it becomes [`Outcome::made`]. The name is that of the file, or `archive!member`. An error
    /// becomes that of the outcome, if it has none yet. Parts that are too much to keep may go `ahead`.
    fn each(
        &self,
        nav: &AnyNav<'_>,
        name: &Path,
        scratch: &mut Scratch,
        ahead: &mut Ahead<'_>,
    ) -> (Made, Result<()>);

    /// Whether many findings may come before what is made of their mesh, in outcomes that [continue](Outcome::continues): else both
    /// are in memory at once.
    fn takes_findings_ahead(&self) -> bool {
        false
    }
}

/// The findings that are passed on ahead at a time, and the most that stay with their mesh.
#[doc(hidden)]
pub const FINDINGS_AT_ONCE: usize = 8192;

/// Reads meshes, and reuses its buffers between them.
#[derive(Debug)]
pub(super) struct Reader {
    task: Task,
    options: ParseOptions,
    each: Option<Arc<dyn Each>>,
    scratch: Scratch,
}

impl Reader {
    /// With several threads, one large file may be read by several of them.
    pub(super) fn new(scan: &Scan) -> Self {
        let mut scratch = Scratch::new();
        scratch.spread = scan.threads > 1;
        Self { task: scan.task, options: scan.options.format(), each: scan.each.clone(), scratch }
    }

    /// Reads one mesh. `path` names it in errors; `member` is its path inside an archive. `seen` is the kind that its bytes and
    /// its name show, if any. `map` finds the map that it lies beside or in: a finding says if it was made for another. `pass` takes
    /// parts of what is made of it: see [`Ahead`].
    pub(super) fn read(
        &mut self,
        bytes: &[u8],
        path: &Path,
        member: Option<String>,
        seen: Option<Kind>,
        map: impl FnOnce() -> Option<Map>,
        pass: &mut dyn FnMut(Outcome) -> Option<Outcome>,
    ) -> Result<Outcome> {
        let Self { task, options, each, scratch } = self;
        let kind = options.choose(seen, bytes)?;
        let len = bytes.len() as u64;
        let mut outcome =
            Outcome { member, bytes: len, kind: Some(kind), ..Outcome::new(path.to_path_buf()) };
        let nav = match AnyNav::of_kind(kind, bytes, options) {
            Ok(nav) => nav,
            Err(error) => {
                // The head may still show game and version, but its counts are not verified.
                let head = bytes.get(..HEAD).unwrap_or(bytes);
                let summary = kind.head(head, len).ok();
                outcome.summary = summary.map(|summary| Summary { counts: Counts::default(), ..summary });
                outcome.error = Some(error.in_file(path));
                return Ok(outcome);
            }
        };
        let mut summary = nav.summary();
        let mut found = |finding: Finding| outcome.take(options.weigh(finding), *task);
        let result = match task {
            Task::Check => nav.check(scratch, &mut found),
            Task::Open => Ok(()),
            Task::Survey | Task::Graph | Task::Head => {
                let mut counts = Counts::default();
                let mut result = nav.survey(scratch, &mut counts, &mut found);
                if *task == Task::Graph {
                    match stats_of(&nav, options.hull) {
                        Ok(stats) => {
                            stats.count_into(&mut counts);
                            outcome.graph = Some(Box::new(stats));
                        }
                        Err(error) => result = result.and(Err(error)),
                    }
                }
                summary.counts = counts;
                result
            }
        };
        outcome.summary = Some(summary);
        if each.as_ref().is_some_and(|each| each.takes_findings_ahead()) {
            outcome.pass_findings(pass);
        }
        let mut ahead = |made: Made| {
            let member = outcome.member.clone();
            let part =
                Outcome { member, made: Some(made), continues: true, ..Outcome::new(path.to_path_buf()) };
            pass(part).and_then(|part| part.made)
        };
        let made = each.as_ref().map(|each| each.each(&nav, path, scratch, &mut ahead));
        let (made, visited) = made.map_or((None, Ok(())), |(made, visited)| (Some(made), visited));
        outcome.made = made;
        let result = result.and(visited);
        outcome.error = result.err().map(|error| error.in_file(path));
        let other_map = nav.map_size().and_then(|made_for| map()?.finding(made_for));
        if let Some(finding) = other_map {
            outcome.take(finding, *task);
        }
        Ok(outcome)
    }
}

/// Counts and sizes of the graph of a mesh; of one that has every floor once for each hull, of the hull that is asked about, if one
/// is.
///
/// # Errors
/// If the mesh does not have that hull.
fn stats_of(nav: &AnyNav<'_>, hull: Option<HullName>) -> Result<Stats> {
    let Some(group) = hull_group(nav, hull)?.filter(|_| hull.is_some()) else {
        return Ok(nav.graph_stats().value);
    };
    let mut graph = nav.flat_graph().value;
    graph.retain(|node| node.group == Some(group));
    if graph.nodes().is_empty() {
        return Err(Error::invalid("hull", none_of(group)));
    }
    Ok(Stats::of(&graph).value)
}

impl Outcome {
    /// Counts a finding, and keeps it if the task requires it.
    fn take(&mut self, finding: Finding, task: Task) {
        let counts = finding.severity.counts();
        self.counted = self.counted.saturating_add(u64::from(counts));
        self.fault |= finding.severity == Severity::Error;
        if task == Task::Check || (counts && self.findings.is_empty()) {
            self.keep(finding);
        }
    }
}

impl Outcome {
    /// Passes on its findings, if there are many and the mesh is next in line.
    fn pass_findings(&mut self, pass: &mut dyn FnMut(Self) -> Option<Self>) {
        if self.findings.len() <= FINDINGS_AT_ONCE {
            return;
        }
        let mut findings = std::mem::take(&mut self.findings).into_iter();
        while findings.len() > 0 {
            let findings_now = findings.by_ref().take(FINDINGS_AT_ONCE).collect();
            let part = Self {
                member: self.member.clone(),
                findings: findings_now,
                continues: true,
                ..Self::new(self.path.clone())
            };
            if let Some(back) = pass(part) {
                self.findings = back.findings;
                self.findings.extend(findings);
                return;
            }
        }
    }
}

/// The facts in the first page of a mesh.
pub(super) fn head(kind: Kind, page: &[u8], len: u64, path: &Path, member: Option<String>) -> Outcome {
    let mut outcome = Outcome { member, bytes: len, kind: Some(kind), ..Outcome::new(path.to_path_buf()) };
    match kind.head(page, len) {
        Ok(summary) => outcome.summary = Some(summary),
        Err(error) => outcome.error = Some(error.in_file(path)),
    }
    outcome
}
