//! The outcomes of a scan, one per mesh, and their receiver.

use navmap_core::error::Error;
use navmap_core::format::Summary;
use navmap_core::graph::Stats;
use navmap_core::{Finding, Severity};
use navmap_formats::Kind;
use std::any::Any;
use std::fmt;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// One mesh, or one file, folder or member that could not be read.
#[derive(Debug)]
pub struct Outcome {
    /// The file.
    pub path: PathBuf,
    /// The path inside an archive: `inner.bsp!maps/a.nav`. What is no text in it is [escaped](navmap_core::text::escaped).
    pub member: Option<String>,
    /// Size of the mesh; 0 if the file could not even be opened.
    pub bytes: u64,
    /// The kind of file, if the bytes were recognised.
    pub kind: Option<Kind>,
    /// The mesh's facts about itself. Its counts are those of the visited records; after an error, up to there.
    pub summary: Option<Summary>,
    /// Findings in the order of the file. A [survey](super::Task::Survey) keeps the first of those that
    /// [count](navmap_core::Severity::counts), a [check](super::Task::Check) the first [`MOST`](Self::MOST) of each code, as far as
    /// they take [few bytes](Self::most_bytes).
    pub findings: Vec<Finding>,
    /// How many more there are of codes that have more than that.
    pub more: Vec<More>,
    /// What is kept of each code.
    pub(super) kept: Vec<Kept>,
    /// How many findings count.
    pub counted: u64,
    /// Whether one of them is an error.
    pub(super) fault: bool,
    /// Whether it is a member that was named, and that its archive does not hold.
    pub(super) missing: bool,
    /// The statistics of the graph, if the task was [`Task::Graph`](super::Task::Graph); after an error, those of the part
    /// before.
    pub graph: Option<Box<Stats>>,
    /// What [`Scan::each`](super::Scan::each) has made from the mesh.
    pub made: Option<Box<dyn Any + Send + Sync>>,
    /// Whether this is only a part of what was made [ahead](super::Ahead), and the outcome of the mesh follows. It has a path, a
    /// member and [`made`](Self::made), and counts as nothing.
    pub continues: bool,
    /// The reason why the mesh could not be read, or not to its end.
    pub error: Option<Error>,
}

/// Findings of one code that are kept.
#[derive(Debug)]
pub(super) struct Kept {
    code: &'static str,
    count: usize,
    bytes: u64,
}

/// Findings that were counted and not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct More {
    /// How bad they are.
    pub severity: Severity,
    /// Their code.
    pub code: &'static str,
    /// How many they are.
    pub count: u64,
}

/// The status of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// Read to the end, nothing odd.
    Ok,
    /// Read to the end, with findings, of which none is an error.
    Warning,
    /// Not read, or not to the end; or a finding is an error.
    Error,
}

impl Status {
    /// `ok`, `warning`, `error`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Outcome {
    pub(super) fn new(path: PathBuf) -> Self {
        Self {
            path,
            member: None,
            bytes: 0,
            kind: None,
            summary: None,
            findings: Vec::new(),
            more: Vec::new(),
            kept: Vec::new(),
            counted: 0,
            fault: false,
            missing: false,
            graph: None,
            made: None,
            continues: false,
            error: None,
        }
    }

    /// The outcome of a file or folder that could not be read at all. The path comes from the error.
    pub(super) fn failed(error: Error) -> Self {
        let path = error.file().map_or_else(PathBuf::new, PathBuf::from);
        Self { error: Some(error), ..Self::new(path) }
    }

    /// Findings of one code that are kept of a mesh. A file that has more of one kind tells nothing new by them, and could
    /// take any amount of memory.
    pub const MOST: usize = 100_000;

    /// Findings of one code that are kept whatever others take.
    pub const LEAST: usize = 100;

    /// The bytes of findings that are kept of a mesh of so many bytes, beside the first [few](Self::LEAST) of each code: a small file may give cause
    /// to hundreds of times its own bytes. A code takes no more than half of what the others leave of it.
    pub fn most_bytes(mesh: u64) -> u64 {
        const ANY: u64 = 16 << 20;
        ANY.saturating_add(mesh.saturating_mul(4))
    }

    /// Keeps a finding, or counts it if there are many of its code, or of all.
    pub(super) fn keep(&mut self, finding: Finding) {
        let (severity, code) = (finding.severity, finding.code);
        let at = self.kept.iter().position(|kept| kept.code == code).unwrap_or_else(|| {
            self.kept.push(Kept { code, count: 0, bytes: 0 });
            self.kept.len().saturating_sub(1)
        });
        let bytes = finding.message.len().saturating_add(size_of::<Finding>()) as u64;
        let all = self.kept.iter().fold(bytes, |all, kept| all.saturating_add(kept.bytes));
        let Some(kept) = self.kept.get_mut(at) else { return };
        let own = kept.bytes.saturating_add(bytes);
        // As much again as it takes itself stays free for other codes.
        let has_room = all.saturating_add(own) <= Self::most_bytes(self.bytes);
        if kept.count < Self::LEAST || kept.count < Self::MOST && has_room {
            (kept.count, kept.bytes) = (kept.count.saturating_add(1), own);
            return self.findings.push(finding);
        }
        match self.more.iter_mut().find(|more| (more.severity, more.code) == (severity, code)) {
            Some(more) => more.count = more.count.saturating_add(1),
            None => self.more.push(More { severity, code, count: 1 }),
        }
    }

    /// `error` where reading ended early or a finding is one, else `warning` where a finding counts.
    pub fn status(&self) -> Status {
        match (self.error.is_some() || self.fault, self.counted) {
            (true, _) => Status::Error,
            (false, 0) => Status::Ok,
            (false, _) => Status::Warning,
        }
    }

    /// What is wrong and where, without the path: the error, else the first finding that counts.
    pub fn message(&self) -> Option<String> {
        let finding =
            || self.findings.iter().find(|finding| finding.severity.counts()).map(ToString::to_string);
        self.error.as_ref().map(|error| error.without_file().to_string()).or_else(finding)
    }
}

/// Receives the outcomes of a scan, one after the other, from whichever worker has them ready.
pub trait Sink: Send {
    /// Receives one outcome. `Break` ends the scan: files in progress are finished and dropped.
    fn outcome(&mut self, outcome: Outcome) -> ControlFlow<()>;
}

impl<F: FnMut(Outcome) -> ControlFlow<()> + Send> Sink for F {
    fn outcome(&mut self, outcome: Outcome) -> ControlFlow<()> {
        self(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plentiful_code_leaves_room_for_the_text_of_others() {
        let mut outcome = Outcome::new(PathBuf::new());
        let message = "x".repeat(1000);
        for (code, count) in [("first", 20_000), ("second", 2_000), ("third", 500)] {
            (0..count).for_each(|_| outcome.keep(Finding::new(Severity::Deviation, code, &*message)));
        }
        let kept = |code| outcome.findings.iter().filter(|finding| finding.code == code).count();
        assert_eq!(["second", "third"].map(kept), [2_000, 500]);
        assert!(kept("first") > 5_000, "{}", kept("first"));
        let [more] = &outcome.more[..] else { panic!("{:?}", outcome.more) };
        assert_eq!((more.code, more.count), ("first", 20_000 - kept("first") as u64));
        assert!(outcome.kept.iter().map(|kept| kept.bytes).sum::<u64>() <= Outcome::most_bytes(0));
    }
}
