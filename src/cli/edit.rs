//! `navmap edit`: runs commands on a mesh, and writes nothing unless asked to.

#![forbid(unsafe_code)]

use super::out::{is_stdout, say};
use super::save::{save, vacant};
use super::{Exit, Failure, args, plan};
use crate::bytes::save_new;
use crate::edit::{Editor, Options, Outcome, Refusal, Session};
use crate::error::{Error, ErrorKind};
use crate::format::AnyNav;
use crate::format::source::edit::SourceEditor;
use crate::format::source::{SourceBuf, SourceNav};
use crate::open::Mesh;
use std::fmt;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

pub(super) fn run(typed: &args::Edit) -> Result<Exit, Failure> {
    if typed.script.is_empty() && typed.command.is_empty() && typed.replay.is_none() {
        let why = "is missing: -c COMMAND, -f SCRIPT or --replay JOURNAL says what to do";
        return Err(Error::invalid("a command", why).into());
    }
    for path in typed.output.iter().chain(&typed.journal).filter(|_| !typed.dry_run) {
        vacant(path, typed.force)?;
    }
    let options = plan::options(&typed.open);
    let mesh = match Mesh::open_with(&typed.path, &options) {
        Ok(mesh) => mesh,
        Err(error) => return Ok(super::unreadable(error, &typed.path)),
    };
    let editor = match mesh.nav() {
        AnyNav::Source(nav) => source(nav, typed),
        other => {
            let why = format!(
                "{} meshes cannot be edited yet, Source meshes of version 1 to 16 can",
                other.family()
            );
            Err(Error::invalid("family", why))
        }
    };
    let editor = editor.and_then(|editor| mesh.intact().map(|()| editor));
    let editor = match editor {
        Ok(editor) => editor,
        Err(error) => return Ok(super::unreadable(error, &typed.path)),
    };
    drop(mesh);
    for found in editor.carried() {
        say(format_args!("{}: carried on as it is: {found}", typed.path.display()));
    }
    let options = Options { game_exact: typed.game_exact, journal: typed.journal.is_some() };
    edit(Session::new(editor, options), typed)
}

fn source(nav: &SourceNav<'_>, typed: &args::Edit) -> Result<SourceEditor, Error> {
    let mesh = match SourceBuf::read(nav) {
        Ok(mesh) => mesh,
        Err(error) if typed.open.lenient => {
            let (mesh, lost) = SourceBuf::read_lenient(nav);
            say(format_args!("{}: {}", typed.path.display(), error.without_file()));
            say(format_args!("{}: lost: {lost} areas and all ladders behind them", typed.path.display()));
            mesh
        }
        Err(error) => return Err(error),
    };
    let mut editor = SourceEditor::new(mesh)?;
    editor.keep_tail(typed.keep_tail);
    editor.force_odd(typed.force_odd);
    Ok(editor)
}

/// Runs everything that was asked for, then writes.
fn edit<E: Editor>(mut session: Session<E>, typed: &args::Edit) -> Result<Exit, Failure> {
    let aside = typed.output.as_deref().is_some_and(is_stdout);
    let mut run = Run { refused: 0, failed: None, keep_going: typed.keep_going, aside };
    if let Some(journal) = &typed.replay {
        let text = read(journal)?;
        session.replay(&text, |fared| run.told(&journal.display(), fared));
    }
    for script in &typed.script {
        if run.goes_on() {
            let text = read(script)?;
            session.script(&text, |fared| run.told(&script.display(), fared));
        }
    }
    for command in &typed.command {
        if run.goes_on() {
            session.script(command, |fared| run.told(&"-c", fared));
        }
    }
    if let Some(error) = run.failed.take() {
        return Err(error.into());
    }
    if run.refused > 0 && !typed.keep_going {
        say(format_args!("navmap: nothing is written"));
        return Ok(Exit::Findings);
    }
    for line in session.editor().report().to_string().lines() {
        say(format_args!("{line}"));
    }
    if let Err(error) = write(&session, typed) {
        return match error.kind() {
            ErrorKind::Io(_) => Err(error.into()),
            _ => Ok(super::unreadable(error, &typed.path)),
        };
    }
    Ok(if run.refused > 0 { Exit::Findings } else { Exit::Clean })
}

/// The state of a run.
struct Run {
    refused: usize,
    failed: Option<io::Error>,
    keep_going: bool,
    /// Whether standard output is for the mesh, so that answers go to stderr.
    aside: bool,
}

impl Run {
    fn goes_on(&self) -> bool {
        self.failed.is_none() && (self.refused == 0 || self.keep_going)
    }

    /// Prints what a command answered, or why it was refused.
    fn told(&mut self, whence: &dyn fmt::Display, fared: Result<Outcome, Refusal>) -> ControlFlow<()> {
        match fared {
            Ok(outcome) if self.aside => outcome.said.iter().for_each(|line| say(format_args!("{line}"))),
            Ok(outcome) => {
                let mut out = io::stdout().lock();
                let printed = outcome
                    .said
                    .iter()
                    .try_for_each(|line| writeln!(out, "{}", crate::text::printable(line.as_bytes())));
                if let Err(error) = printed {
                    self.failed = Some(error);
                }
            }
            Err(refusal) => {
                self.refused = self.refused.saturating_add(1);
                say(format_args!("navmap: {whence}:{refusal}"));
            }
        }
        if self.goes_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

fn read(path: &Path) -> Result<String, Failure> {
    let read = if path == Path::new("-") {
        let mut text = String::new();
        io::stdin().lock().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(path)
    };
    read.map_err(|error| Error::from(error).in_file(path).into())
}

fn write<E: Editor>(session: &Session<E>, typed: &args::Edit) -> Result<(), Error> {
    let bytes = session.editor().encode()?;
    if typed.dry_run {
        say(format_args!("navmap: nothing is written: --dry-run"));
        return Ok(());
    }
    if let Some(journal) = &typed.journal {
        save(journal, typed.force, |out| write!(out, "{}", session.journal()))?;
    }
    match &typed.output {
        Some(output) => save(output, typed.force, |out| out.write_all(&bytes)),
        None if typed.in_place => {
            let before =
                std::fs::read(&typed.path).map_err(|error| Error::from(error).in_file(&typed.path))?;
            if before == bytes {
                return Ok(());
            }
            let backup = back_up(&typed.path, &before)?;
            say(format_args!("navmap: the file as it was is {}", backup.display()));
            save(&typed.path, true, |out| out.write_all(&bytes))
        }
        None => {
            say(format_args!("navmap: nothing is written: -o FILE or --in-place says where"));
            Ok(())
        }
    }
}

/// Writes the old bytes beside the file, under the first name that is free: `a.nav.bak`, `a.nav.bak2`.
fn back_up(path: &Path, bytes: &[u8]) -> Result<PathBuf, Error> {
    let mut number = 1_u32;
    loop {
        let mut name = path.as_os_str().to_owned();
        name.push(if number == 1 { ".bak".to_owned() } else { format!(".bak{number}") });
        let name = PathBuf::from(name);
        match save_new(&name, bytes) {
            Ok(()) => return Ok(name),
            Err(error) => match error.kind() {
                ErrorKind::Io(io) if io.kind() == io::ErrorKind::AlreadyExists && number < 1000 => {
                    number = number.saturating_add(1);
                }
                _ => return Err(error),
            },
        }
    }
}
