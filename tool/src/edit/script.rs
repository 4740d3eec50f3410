//! Runs scripts and commands, then writes. If a command is refused, nothing is written.

use super::news::Before;
use crate::beside;
use crate::common;
use crate::out::{Out, say, warn};
use crate::save::save;
use crate::target::{Part, Written, written};
use crate::{Exit, Failure, args, plan, show, unreadable};
use navmap::edit::{AnySession, Asked, Outcome, Refusal, Request};
use navmap::error::{Error, ErrorKind};
use std::fmt;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

/// Runs everything that was asked for, then writes.
pub(super) fn run(
    mut session: Box<dyn AnySession>,
    typed: &args::Edit,
    parts: &[Part],
    before: Before,
) -> Result<Exit, Failure> {
    let aside = typed.goal.is_stdout();
    let mut run =
        Run { typed, refused: 0, failed: None, keep_going: typed.keep_going, aside, asked: Vec::new() };
    if let Some(journal) = &typed.replay {
        let text = read(journal)?;
        session.replay(&text, &mut |fared| run.told(&journal.display(), fared));
    }
    for script in &typed.script {
        if run.goes_on() {
            let text = read(script)?;
            session.script(&text, &mut |fared| run.told(&script.display(), fared));
        }
    }
    for command in &typed.command {
        if run.goes_on() {
            session.script(command, &mut |fared| run.told(&"-c", fared));
        }
    }
    if run.goes_on() && !typed.recompute.is_empty() {
        if !session.verbs().iter().any(|verb| verb.name == "nav_analyze") {
            let why = "is for Source meshes of version 1 to 16";
            return Err(Error::invalid("--recompute", why).in_file(&typed.path).into());
        }
        let command = format!("nav_analyze --only {}", typed.recompute.join(","));
        session.script(&command, &mut |fared| run.told(&"--recompute", fared));
    }
    if let Some(error) = run.failed.take() {
        return Err(error);
    }
    if run.refused > 0 && !typed.keep_going {
        say(format_args!("navmap: nothing is written"));
        return Ok(Exit::Findings);
    }
    for line in session.report().lines() {
        say(format_args!("{line}"));
    }
    let written = match written(&*session) {
        Ok(written) => written,
        Err(error) if matches!(error.kind(), ErrorKind::Io(_)) => return Err(error.into()),
        Err(error) => return Ok(unreadable(error, &typed.path)),
    };
    before.tell(&written.0);
    write(&*session, &written, &run.asked, typed, parts)?;
    Ok(if run.refused > 0 { Exit::Findings } else { Exit::Clean })
}

/// The state of a run.
struct Run<'t> {
    typed: &'t args::Edit,
    refused: usize,
    failed: Option<Failure>,
    keep_going: bool,
    /// Whether standard output is for the mesh, so that answers go to stderr.
    aside: bool,
    /// Requests to write. They wait for the end, since a refused command prevents all writing.
    asked: Vec<Request>,
}

impl Run<'_> {
    /// Shows items of the mesh as it is now.
    fn show(&mut self, asked: &Asked) {
        if self.aside {
            say(format_args!("navmap: show prints to standard output, where the mesh goes"));
            return;
        }
        let options = plan::options(&self.typed.open);
        if let Err(error) = show::answer(&self.typed.path, asked, &options) {
            self.failed = Some(error.into());
        }
    }

    fn goes_on(&self) -> bool {
        self.failed.is_none() && (self.refused == 0 || self.keep_going)
    }

    /// Prints a command's answer, or the reason why it was refused.
    fn told(&mut self, whence: &dyn fmt::Display, fared: Result<Outcome, Refusal>) -> ControlFlow<()> {
        match fared {
            Ok(outcome) => {
                // What went well. What was asked about is answered all the same.
                let untold = common::quiet() && outcome.changed;
                let lines = if untold { &[] } else { outcome.said.as_slice() };
                if self.aside {
                    lines.iter().for_each(|line| say(format_args!("{line}")));
                } else if let Err(error) = print(lines) {
                    self.failed = Some(error.into());
                }
                if let Some(Request::Show(asked)) = &outcome.request {
                    self.show(asked);
                }
                // The mesh is written to its target at the end anyway.
                let elsewhere =
                    |request: &Request| !matches!(request, Request::Save { to: None, .. } | Request::Show(_));
                self.asked.extend(outcome.request.filter(elsewhere));
            }
            Err(refusal) => {
                self.refused = self.refused.saturating_add(1);
                warn(format_args!("navmap: {whence}:{refusal}"));
            }
        }
        if self.goes_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// Prints answers. Characters in them that control a terminal are escaped.
pub(super) fn print(said: &[String]) -> io::Result<()> {
    if said.is_empty() {
        return Ok(());
    }
    let mut out = Out::new();
    said.iter().try_for_each(|line| writeln!(out, "{}", navmap::text::printable(line.as_bytes())))?;
    out.flush()
}

pub(super) fn read(path: &Path) -> Result<String, Failure> {
    Ok(beside::text(path)?)
}

fn write(
    session: &dyn AnySession,
    written: &Written,
    asked: &[Request],
    typed: &args::Edit,
    parts: &[Part],
) -> Result<(), Error> {
    let mut target = super::target(typed).parts(parts);
    for request in asked {
        target.grant(request)?;
    }
    if !typed.dry_run
        && let Some(journal) = &typed.journal
    {
        save(journal, typed.goal.force, |out| write!(out, "{}", session.journal()))?;
    }
    target.whole(written).map(|_| ())
}
