//! `navmap edit`: runs commands on a mesh, and writes nothing unless asked to.

#![forbid(unsafe_code)]

mod prompt;
mod script;

use super::out::say;
use super::save::vacant;
use super::target::Target;
use super::{Exit, Failure, args, plan};
use crate::edit::{Options, Session};
use crate::error::Error;
use crate::format::AnyNav;
use crate::format::source::edit::SourceEditor;
use crate::format::source::{SourceBuf, SourceNav};
use crate::open::Mesh;
use std::io::{self, IsTerminal};

pub(super) fn run(typed: &args::Edit) -> Result<Exit, Failure> {
    let asked = typed.script.is_empty() && typed.command.is_empty() && typed.replay.is_none();
    let asked = asked && typed.recompute.is_empty();
    if asked && !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
        let why = "is missing: -c COMMAND, -f SCRIPT or --replay JOURNAL says what to do; a prompt needs a terminal";
        return Err(Error::invalid("a command", why).into());
    }
    if asked && typed.goal.is_stdout() {
        let why = "is where the prompt answers, so the mesh cannot go there";
        return Err(Error::invalid("standard output", why).into());
    }
    for path in typed.goal.output.iter().chain(&typed.journal).filter(|_| !typed.dry_run) {
        vacant(path, typed.goal.force)?;
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
    let mut session = Session::new(editor, options);
    session.read_through(Box::new(super::beside::Beside::mesh(&typed.path)));
    if asked { prompt::run(session, typed) } else { script::run(session, typed) }
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
    editor.keep_visibility(typed.keep);
    if let Some(path) = &typed.places {
        let text = std::fs::read(path).map_err(|error| Error::from(error).in_file(path))?;
        editor.known_places(String::from_utf8_lossy(&text).lines());
    }
    Ok(editor)
}

/// Where the mesh goes.
fn target(typed: &args::Edit) -> Target<'_> {
    Target::of(&typed.path, &typed.goal).dry_run(typed.dry_run)
}
