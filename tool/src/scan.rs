//! `navmap scan`: prints one row for every mesh.

use super::args::Rows;
use super::out::{Out, say};
use super::paths::Paths;
use super::progress::Watch;
use super::row::{Printer, Row};
use super::{Exit, Failure, args, plan};
use navmap::error::Error;
use navmap::graph::Units;
use navmap::scan::{Done, Outcome, Scan, Task};
use navmap::text::counted;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, BufReader};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

pub(super) fn run(typed: &args::Scan) -> Result<Exit, Failure> {
    if typed.units.is_some() && typed.format != Rows::Table {
        let why = "is for the table: rows for programs have area_m2, metres_per_unit, and bounds in units of the game";
        return Err(Error::invalid("--units", why).into());
    }
    let task = match (typed.headers, typed.graph) {
        (true, _) => Task::Head,
        (false, true) => Task::Graph,
        (false, false) => Task::Survey,
    };
    let done = typed.resume.as_deref().map(resume).transpose()?.map(Arc::new);
    let earlier = done.as_ref().map_or(0, |done| done.len());
    let mut scan = Scan { done, ..plan::scan(task, &typed.run) };
    scan.options.hull = typed.hull;
    let mut paths = Paths::read(&typed.run.paths, &scan.stop)?;
    let watch = Watch::new(&scan, &typed.run);
    let out = Out::new();
    let terminal = out.is_terminal();
    let graph = typed.graph.then(|| typed.units.map_or(Units::Metres, Into::into));
    let mut printer = Printer::new(out, typed.format, graph);
    let mut printed = Ok(());
    let form = printer.form();
    let prepare = |outcome: Outcome| form.format(&Row::new(&outcome, typed.strict));
    let totals = scan.run_with(&mut paths, &prepare, &mut |row: io::Result<Vec<u8>>| {
        printed = watch.while_hidden(terminal, || printer.print(&row?));
        if printed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    printed?;
    printer.finish()?;
    let named = paths.finish()?;
    watch.sum_up(&totals, None);
    if !typed.run.quiet {
        if let Some(done) = &scan.done {
            let skipped = earlier.saturating_sub(done.len());
            say(format_args!("skipped {} of an earlier run", counted(skipped, "row", "rows")));
        }
        if totals.stopped && typed.format == Rows::Jsonl {
            say(format_args!("to go on: the same command with --resume FILE, where FILE holds these rows"));
        }
    }
    Ok(super::exit(&totals).max(named))
}

/// Reads the rows of an earlier run. If standard output is that same file and the earlier run was killed in the middle of a row,
/// that row is cut off, so that the next one does not continue it.
fn resume(path: &Path) -> Result<Done, Error> {
    let read = || {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        let done = Done::from_jsonl(BufReader::with_capacity(1 << 16, file))?;
        if done.whole_bytes() < metadata.len() && is_stdout(&metadata) {
            OpenOptions::new().write(true).open(path)?.set_len(done.whole_bytes())?;
        }
        Ok(done)
    };
    read().map_err(|error: Error| error.in_file(path))
}

#[cfg(unix)]
fn is_stdout(file: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    let stdout = std::fs::metadata("/dev/stdout");
    stdout.is_ok_and(|stdout| (stdout.dev(), stdout.ino()) == (file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn is_stdout(_: &Metadata) -> bool {
    false
}
