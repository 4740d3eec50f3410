//! One file → its outcomes.

#![forbid(unsafe_code)]

use super::Task;
use super::order::Batch;
use super::sink::Outcome;
use super::walk::Found;
use crate::bytes::{BackingPool, Opener, Scratch};
use crate::error::{Error, Result};
use crate::finding::Finding;
use crate::format::{AnyNav, Kind, Options, not_mesh};
use crate::mesh::{Counts, NavFile, Summary};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// What tells a format: the first page.
const HEAD: usize = 4096;

/// A reader of files with buffers of its own, reused from file to file.
pub(super) struct Worker {
    task: Task,
    pool: BackingPool,
    scratch: Scratch,
    options: Options,
}

impl Worker {
    pub(super) fn new(task: Task, opener: Opener, options: Options) -> Self {
        Self { task, pool: BackingPool::new(opener), scratch: Scratch::new(), options }
    }

    /// Looks at one file. A panic, which would be a bug of ours, costs this file and not the run.
    pub(super) fn look(&mut self, found: Result<Found>) -> Batch {
        let found = match found {
            Ok(found) => found,
            Err(error) => return vec![Outcome::failed(error)],
        };
        let looked = catch_unwind(AssertUnwindSafe(|| self.outcome(&found)));
        let outcome = looked.unwrap_or_else(|_| {
            *self = Self::new(self.task, *self.pool.opener(), self.options);
            let error = Error::invalid("internal error", "the reader panicked; please report this file");
            Err(error.in_file(&found.path))
        });
        match outcome {
            Ok(outcome) => vec![outcome],
            Err(error) if error.is_not_mesh() && !found.named && !Kind::names(&found.path) => Vec::new(),
            Err(error) => vec![Outcome::failed(error.in_file(&found.path))],
        }
    }

    fn outcome(&mut self, found: &Found) -> Result<Outcome> {
        let path = &found.path;
        if self.task == Task::Head || !(found.named || Kind::names(path)) {
            let (page, len) = self.pool.open_head(path, HEAD)?;
            let kind = Kind::sniff(page, Some(path)).ok_or_else(|| not_mesh(page))?;
            if self.task == Task::Head {
                let mut outcome =
                    Outcome { bytes: len, family: Some(kind.family()), ..Outcome::new(path.clone()) };
                match kind.head(page, len) {
                    Ok(summary) => outcome.summary = Some(summary),
                    Err(error) => outcome.error = Some(error.in_file(path)),
                }
                return Ok(outcome);
            }
        }
        let backing = self.pool.open(path)?;
        let mut outcome = read(self.task, &backing, path, &mut self.scratch, self.options)?;
        if let Err(error) = backing.intact() {
            outcome.error = Some(error.in_file(path));
        }
        Ok(outcome)
    }
}

/// Reads the bytes of one mesh, wherever they come from.
fn read(task: Task, bytes: &[u8], path: &Path, scratch: &mut Scratch, options: Options) -> Result<Outcome> {
    let kind = options.kind.or_else(|| Kind::sniff(bytes, Some(path))).ok_or_else(|| not_mesh(bytes))?;
    let family = Some(kind.family());
    let mut outcome = Outcome { bytes: bytes.len() as u64, family, ..Outcome::new(path.to_path_buf()) };
    let nav = match AnyNav::parse(bytes, Some(path), &Options { kind: Some(kind), ..options }) {
        Ok(nav) => nav,
        Err(error) => {
            // The head may still tell game and version; what it says of counts is not proven.
            let head = bytes.get(..HEAD).unwrap_or(bytes);
            let summary = kind.head(head, bytes.len() as u64).ok();
            outcome.summary = summary.map(|summary| Summary { counts: Counts::default(), ..summary });
            outcome.error = Some(error.in_file(path));
            return Ok(outcome);
        }
    };
    let mut summary = nav.summary();
    let (mut kept, mut counted) = (Vec::new(), 0u64);
    let mut found = |finding: Finding| {
        counted = counted.saturating_add(u64::from(finding.severity.counts()));
        if task == Task::Check || (finding.severity.counts() && kept.is_empty()) {
            kept.push(finding);
        }
    };
    let result = match task {
        Task::Check => nav.check(scratch, &mut found),
        Task::Survey | Task::Head => {
            let mut counts = Counts::default();
            let result = nav.survey(scratch, &mut counts, &mut found);
            summary.counts = counts;
            result
        }
    };
    outcome.summary = Some(summary);
    outcome.error = result.err().map(|error| error.in_file(path));
    outcome.findings = kept;
    outcome.counted = counted;
    Ok(outcome)
}
