//! `navmap check`: every finding, with its place.

#![forbid(unsafe_code)]

use super::findings::{self, Filter, Mesh, Shown, Summary, print};
use super::out::Out;
use super::paths::Paths;
use super::progress::Watch;
use super::{Exit, Failure, args, plan};
use crate::format::Kind;
use crate::scan::{Outcome, Task, path_text};
use std::io::Write;
use std::ops::ControlFlow;

pub(super) fn run(typed: &args::Check) -> Result<Exit, Failure> {
    if let Some(code) = &typed.explain {
        let mut out = Out::new();
        findings::explain(code, &mut out)?;
        out.flush()?;
        return Ok(Exit::Clean);
    }
    if typed.fix {
        return super::fix::run(typed);
    }
    let scan = plan::scan(Task::Check, &typed.run);
    let watch = Watch::new(&scan, &typed.run);
    let mut summary = Summary::new(Filter::of(typed));
    let mut out = Out::new();
    let terminal = out.is_terminal();
    let mut printed = Ok(());
    let mut paths = Paths::of(&typed.run.paths, &scan.stop)?;
    let totals = scan.run(&mut paths, &mut |outcome: Outcome| {
        let family = outcome.kind.map(Kind::family);
        let shown = summary.shown(family, &outcome.findings);
        let path = path_text(&outcome.path);
        let mesh = Mesh { path: &path, member: outcome.member.as_deref(), family };
        printed = watch.while_hidden(terminal, || {
            shown
                .iter()
                .try_for_each(|finding| print(&mut out, typed.format, mesh, &Shown::from(*finding)))?;
            let error = outcome.error.as_ref().map(Shown::from);
            error.map_or(Ok(()), |error| print(&mut out, typed.format, mesh, &error))?;
            out.end_row()
        });
        if printed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    printed?;
    out.flush()?;
    let named = paths.finish()?;
    watch.sum_up(&totals);
    if !typed.run.quiet {
        summary.say();
    }
    Ok(match totals.stopped {
        true => Exit::Stopped,
        false => exit(&summary, typed.strict, totals.errors > 0).max(named),
    })
}

/// The exit status. Findings that were asked for decide it, and meshes that could not be read.
pub(super) fn exit(summary: &Summary<'_>, strict: bool, errors: bool) -> Exit {
    if errors || summary.counts || (strict && summary.any) { Exit::Findings } else { Exit::Clean }
}
