//! Many meshes, one outcome per mesh.

use crate::area::NAVMAP_NONE;
use crate::check::{FindingView, view};
use crate::door::{Sized32, Text, paths};
use crate::error::{Failure, status_of};
use crate::options::OpenOptions;
use crate::status::Status;
use crate::text::{c_string, lasting};
use navmap::scan::{Outcome, Scan, Status as Verdict, Task, path_text};
use std::ffi::{CString, c_char, c_void};
use std::ops::ControlFlow;

/// `navmap_scan`: every record is visited and counted.
pub const NAVMAP_TASK_SURVEY: u32 = 0;
/// `navmap_scan`: one page of each file is read.
pub const NAVMAP_TASK_HEAD: u32 = 1;
/// `navmap_scan`: as a survey, with islands among the counts.
pub const NAVMAP_TASK_GRAPH: u32 = 2;
/// `navmap_scan`: every finding is collected.
pub const NAVMAP_TASK_CHECK: u32 = 3;

/// A named number.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Count {
    /// `areas`, `links` and so on. Never freed.
    pub name: *const c_char,
    /// The number.
    pub value: u64,
}

/// One mesh, or one file that could not be read. Everything in it lasts as long as the callback.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct OutcomeView {
    /// `sizeof(navmap_outcome)` of the library, which may be newer.
    pub size: u32,
    /// 0 all is well, 1 read to the end with findings, 2 not read, not to the end, or with a finding that is an error.
    pub verdict: u32,
    /// With a verdict of 2: what a call for this file alone would answer, `NAVMAP_FINDINGS` if it could be read. Else `NAVMAP_OK`.
    pub status: Status,
    /// How many `counts`.
    pub count_len: u32,
    /// How many `findings`.
    pub finding_len: u32,
    /// Version of the format, or `NAVMAP_NONE`.
    pub version: u32,
    /// Sub-version, or `NAVMAP_NONE`.
    pub subversion: u32,
    /// 1 if `offset` is set.
    pub has_offset: u32,
    /// The file.
    pub path: *const c_char,
    /// The path inside an archive, or NULL.
    pub member: *const c_char,
    /// Family of the format, or NULL.
    pub family: *const c_char,
    /// Kind of file, or NULL.
    pub kind: *const c_char,
    /// The best guess at the game, or NULL.
    pub game: *const c_char,
    /// What is wrong, without the path, or NULL.
    pub message: *const c_char,
    /// The kind of record that could not be read, or NULL.
    pub record: *const c_char,
    /// Index of that record.
    pub index: u64,
    /// Byte at which it could not be read, if `has_offset`.
    pub offset: u64,
    /// Bytes of the mesh.
    pub bytes: u64,
    /// How many findings count against it.
    pub counted: u64,
    /// What was counted; after an error, up to there.
    pub counts: *const Count,
    /// Findings: all of them with `NAVMAP_TASK_CHECK`, else the first that counts. Each takes as many bytes as its `size` says.
    pub findings: *const FindingView,
}

/// Is called with each outcome, by one thread at a time, which need not be the caller's. The run ends if it answers with
/// anything but 0. It must not throw.
pub type OnOutcome = Option<extern "C" fn(outcome: *const OutcomeView, user: *mut c_void) -> i32>;

/// How a scan runs. Zeros are the defaults; `size` must be set, as `NAVMAP_INIT` does.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct ScanOptions {
    /// `sizeof(navmap_scan_options)`.
    pub size: u32,
    /// `NAVMAP_TASK_SURVEY` and so on.
    pub task: u32,
    /// Worker threads. 0: one for each core.
    pub threads: u32,
    /// 1: outcomes as they come, not in path order.
    pub unordered: u32,
    /// 1: every member of an archive is looked at, not only those with a name of a mesh.
    pub deep: u32,
    /// 0.
    pub zero: u32,
}
sized32!(ScanOptions: size_of::<ScanOptions>());

/// The result of a scan. Set `size` before the call.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Totals {
    /// `sizeof(navmap_totals)`.
    pub size: u32,
    /// 1 if the callback has stopped it.
    pub stopped: u32,
    /// Files looked at, meshes or not.
    pub files: u64,
    /// Meshes among them, readable or not.
    pub meshes: u64,
    /// Bytes of these meshes.
    pub bytes: u64,
    /// Findings that count.
    pub findings: u64,
    /// Meshes, files and folders that could not be read.
    pub errors: u64,
}
sized32!(Totals: size_of::<Totals>());

/// More threads than any machine has use for.
const MOST_THREADS: u32 = 1024;

/// Hands an outcome over. Whether to go on.
fn tell(
    on: extern "C" fn(*const OutcomeView, *mut c_void) -> i32,
    user: *mut c_void,
    outcome: &Outcome,
) -> bool {
    let null = std::ptr::null();
    let path = c_string(&path_text(&outcome.path));
    let member = outcome.member.as_deref().map(c_string);
    let message = outcome.message().as_deref().map(c_string);
    let at = outcome.error.as_ref().map(|error| error.position()).unwrap_or_default();
    let messages: Vec<CString> = outcome.findings.iter().map(|finding| c_string(&finding.message)).collect();
    let findings: Vec<FindingView> =
        outcome.findings.iter().zip(&messages).map(|(finding, message)| view(finding, message)).collect();
    let counts = outcome.summary.iter().flat_map(|summary| summary.counts.iter().collect::<Vec<_>>());
    let counts: Vec<Count> = counts.map(|(name, value)| Count { name: lasting(name), value }).collect();
    let version = |number: Option<u32>| number.unwrap_or(NAVMAP_NONE);
    let view = OutcomeView {
        size: size_of::<OutcomeView>() as u32,
        verdict: outcome.status() as u32,
        status: match &outcome.error {
            Some(error) => status_of(error),
            None if outcome.status() == Verdict::Error => Status::Findings,
            None => Status::Ok,
        },
        count_len: crate::world::count(counts.len()),
        finding_len: crate::world::count(findings.len()),
        version: version(outcome.summary.and_then(|summary| summary.version)),
        subversion: version(outcome.summary.and_then(|summary| summary.subversion)),
        has_offset: u32::from(at.offset.is_some()),
        path: path.as_ptr(),
        member: member.as_ref().map_or(null, |text| text.as_ptr()),
        family: outcome.kind.map_or(null, |kind| lasting(kind.family().name())),
        kind: outcome.kind.map_or(null, |kind| lasting(kind.name())),
        game: outcome.summary.and_then(|summary| summary.game).map_or(null, lasting),
        message: message.as_ref().map_or(null, |text| text.as_ptr()),
        record: at.record.map_or(null, |(kind, _)| lasting(kind)),
        index: at.record.map_or(0, |(_, index)| index),
        offset: at.offset.unwrap_or_default(),
        bytes: outcome.bytes,
        counted: outcome.counted,
        counts: counts.as_ptr(),
        findings: findings.as_ptr(),
    };
    on(&raw const view, user) == 0
}

entries! {
    /// Walks files, folders and archives and calls `each` with one outcome for every mesh, in path order. Nothing stops it
    /// but the callback: what cannot be read is an outcome too. `open`, `options` and `totals` may be NULL.
    /// `NAVMAP_STOPPED` if the callback has stopped it; `totals` is written then too.
    fn navmap_scan(
        paths[count]: *const Text, open: *const OpenOptions, options: *const ScanOptions,
        each: OnOutcome, user: *mut c_void, totals: *mut Totals; error
    ) {
        let (paths, open, options) = (self::paths(paths?)?, open.options()?.open()?, options.options()?);
        let each = each.ok_or(Failure::Bare(Status::Null, "each"))?;
        let user = user.user();
        let task = match options.task {
            NAVMAP_TASK_SURVEY => Task::Survey,
            NAVMAP_TASK_HEAD => Task::Head,
            NAVMAP_TASK_GRAPH => Task::Graph,
            NAVMAP_TASK_CHECK => Task::Check,
            _ => return Err(Failure::Bare(Status::Invalid, "options.task")),
        };
        let mut scan = Scan { task, options: open, ordered: options.unordered == 0, deep: options.deep != 0, ..Scan::new() };
        if options.threads > 0 {
            scan.threads = options.threads.min(MOST_THREADS) as usize;
        }
        // A place that cannot be written is told before the work.
        totals.maybe_put_sized(Totals::empty())?;
        let mut stopped = false;
        let sum = scan.run(paths, &mut |outcome: Outcome| {
            stopped = stopped || !tell(each, user.pointer(), &outcome);
            if stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        totals.maybe_put_sized(Totals {
            size: size_of::<Totals>() as u32,
            stopped: u32::from(stopped),
            files: sum.files,
            meshes: sum.meshes,
            bytes: sum.bytes,
            findings: sum.findings,
            errors: sum.errors,
        })?;
        Ok(if stopped { Status::Stopped } else { Status::Ok })
    }
}
