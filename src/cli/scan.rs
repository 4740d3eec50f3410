//! `navmap scan`: one row for every mesh.

#![forbid(unsafe_code)]

use super::out::Out;
use super::progress::Watch;
use super::row::{Printer, Row};
use super::{Exit, Failure, args, plan};
use crate::scan::{Outcome, Task};
use std::ops::ControlFlow;

pub(super) fn run(typed: &args::Scan) -> Result<Exit, Failure> {
    let scan = plan::scan(if typed.headers { Task::Head } else { Task::Survey }, &typed.run);
    let watch = Watch::new(&scan, typed.run.quiet);
    let out = Out::new();
    let terminal = out.is_terminal();
    let mut printer = Printer::new(out, typed.format);
    let mut printed = Ok(());
    let totals = scan.run(&typed.paths, &mut |outcome: Outcome| {
        printed = watch.while_hidden(terminal, || printer.print(&Row::of(&outcome, typed.strict)));
        if printed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    printed?;
    printer.finish()?;
    watch.sum_up(&totals);
    Ok(super::exit(&totals))
}
