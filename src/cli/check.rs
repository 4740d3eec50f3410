//! `navmap check`: every finding, with its place.

#![forbid(unsafe_code)]

use super::args::Lines;
use super::out::Out;
use super::paths::Paths;
use super::progress::Watch;
use super::{Exit, Failure, args, plan};
use crate::error::{At, Error};
use crate::finding::{Finding, Severity};
use crate::scan::{Outcome, Task, path_text};
use crate::text::printable;
use serde::Serialize;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

/// The code of a mesh that could not be read, or not to its end.
const UNREADABLE: &str = "unreadable";

/// A finding as scripts see it. The names are a contract.
#[derive(Debug, Serialize)]
struct Line<'a> {
    path: &'a str,
    member: Option<&'a str>,
    severity: &'static str,
    code: &'static str,
    record: Option<&'static str>,
    index: Option<u64>,
    byte: Option<u64>,
    message: &'a str,
}

pub(super) fn run(typed: &args::Check) -> Result<Exit, Failure> {
    let scan = plan::scan(Task::Check, &typed.run);
    let watch = Watch::new(&scan, &typed.run);
    let least = plan::severity(typed.least);
    let mut out = Out::new();
    let terminal = out.is_terminal();
    let (mut printed, mut strict) = (Ok(()), Exit::Clean);
    let mut paths = Paths::of(&typed.run.paths)?;
    let totals = scan.run(&mut paths, &mut |outcome: Outcome| {
        let mut findings = outcome.findings.iter().filter(|finding| finding.severity >= least).peekable();
        if typed.strict && findings.peek().is_some() {
            strict = Exit::Findings;
        }
        let mesh = (outcome.path.as_path(), outcome.member.as_deref());
        printed = watch.while_hidden(terminal, || {
            findings.try_for_each(|finding| print(&mut out, typed.format, mesh, &Shown::from(finding)))?;
            let error = outcome.error.as_ref().map(Shown::from);
            error.map_or(Ok(()), |error| print(&mut out, typed.format, mesh, &error))?;
            out.end_row()
        });
        if printed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    printed?;
    out.flush()?;
    paths.finish()?;
    watch.sum_up(&totals);
    let exit = super::exit(&totals);
    Ok(if exit == Exit::Clean { strict } else { exit })
}

/// What findings and errors have in common.
pub(super) struct Shown {
    severity: Severity,
    code: &'static str,
    at: At,
    message: String,
}

impl From<&Finding> for Shown {
    fn from(finding: &Finding) -> Self {
        Self {
            severity: finding.severity,
            code: finding.code,
            at: finding.at,
            message: finding.message.clone(),
        }
    }
}

impl From<&Error> for Shown {
    fn from(error: &Error) -> Self {
        let message = error.kind().to_string();
        Self { severity: Severity::Error, code: UNREADABLE, at: error.position(), message }
    }
}

/// Prints one line: the mesh is a file, or a member of one.
pub(super) fn print(
    out: &mut Out,
    format: Lines,
    (path, member): (&Path, Option<&str>),
    shown: &Shown,
) -> io::Result<()> {
    let path = path_text(path);
    match format {
        Lines::Jsonl => {
            let line = Line {
                path: &path,
                member,
                severity: shown.severity.name(),
                code: shown.code,
                record: shown.at.record.map(|(record, _)| record),
                index: shown.at.record.map(|(_, index)| index),
                byte: shown.at.offset,
                message: &shown.message,
            };
            serde_json::to_writer(&mut *out, &line)?;
        }
        Lines::Text => {
            write!(out, "{}", printable(path.as_bytes()))?;
            if let Some(member) = member {
                write!(out, "!{}", printable(member.as_bytes()))?;
            }
            let finding = Finding {
                severity: shown.severity,
                code: shown.code,
                at: shown.at,
                message: printable(shown.message.as_bytes()),
            };
            write!(out, ": {finding}")?;
        }
    }
    writeln!(out)
}
