//! Plans a run from its arguments.

use super::args;
use super::limited::Limited;
use navmap::Severity;
use navmap::bytes::{Mapping, Mode, Opener};
use navmap::format::HullName;
use navmap::open::OpenOptions;
use navmap::scan::{Scan, Task};

/// How meshes are opened: mapped under the guard if that is faster or requested.
pub(super) fn options(open: &args::Open) -> OpenOptions {
    let mode = match open.mmap {
        args::Mmap::Auto => Mode::Auto,
        args::Mmap::Always => Mode::Always,
        args::Mmap::Never => Mode::Never,
    };
    let mapping = if mode == Mode::Never { Mapping::forbidden() } else { Mapping::guarded() };
    let mut options = OpenOptions::new();
    options.opener = Opener { mode, mapping };
    options.lenient = open.lenient;
    options.kind = open.kind;
    options.limits = open.limits.limits();
    options
}

/// The same, with the ways of one hull.
pub(super) fn of_hull(open: &args::Open, hull: Option<HullName>) -> OpenOptions {
    OpenOptions { hull, ..options(open) }
}

/// How archives are opened for listing and extracting: large ones are mapped under the guard.
pub(super) fn guarded(typed: &Limited) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.limits = typed.limits();
    options.opener = Opener { mode: Mode::Auto, mapping: Mapping::guarded() };
    options
}

pub(super) fn scan(task: Task, run: &args::Run) -> Scan {
    let scan =
        Scan { task, ordered: !run.unordered, options: options(&run.open), deep: run.deep, ..Scan::new() };
    match if is_cramped() { Some(1) } else { run.threads } {
        Some(threads) => Scan { threads: usize::from(threads), ..scan },
        None => scan,
    }
}

/// Whether the process may use less than 1 GiB of address space (`ulimit -v`). When memory runs out, a single thread can report
/// it and continue; several would take the remainder from each other.
fn is_cramped() -> bool {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let space = limits.lines().find_map(|line| line.strip_prefix("Max address space"));
    let soft = space.and_then(|space| space.split_ascii_whitespace().next());
    soft.and_then(|bytes| bytes.parse::<u64>().ok()).is_some_and(|bytes| bytes < 1 << 30)
}

pub(super) fn severity(least: args::Least) -> Severity {
    match least {
        args::Least::Info => Severity::Info,
        args::Least::Deviation => Severity::Deviation,
        args::Least::Warning => Severity::Warning,
        args::Least::Error => Severity::Error,
    }
}
