//! `navmap edit`: runs commands on a mesh, and writes nothing unless asked to.

mod prompt;
mod script;

use super::mapped::Asked;
use super::out::{complain, say};
use super::save::vacant;
use super::target::{Part, Target};
use super::{Exit, Failure, args, plan};
use navmap::Finding;
use navmap::edit::{Editor, Options, Session};
use navmap::error::Error;
use navmap::format::AnyNav;
use navmap::format::fox::edit::FoxEditor;
use navmap::format::fox::{FoxBuf, part_beside, part_of, parts_beside};
use navmap::format::quake::edit::QuakeEditor;
use navmap::format::skyrim::edit::SkyrimEditor;
use navmap::format::source::edit::SourceEditor;
use navmap::format::source::{SourceBuf, SourceNav};
use navmap::open::{Mesh, Options as OpenOptions};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
    let path = &typed.path;
    let map = match (&typed.bsp, mesh.nav()) {
        (None, _) => None,
        (Some(map), AnyNav::Source(nav)) => {
            let head = SourceBuf::read_lenient(nav).0.head;
            match Asked::open(map, &typed.models, &head, &options, typed.goal.force) {
                Ok(asked) => Some(asked),
                // The mesh is sound: what cannot be read is what it was to be edited with.
                Err(error) => {
                    complain(format_args!("navmap: {error}"));
                    return Ok(Exit::Failed);
                }
            }
        }
        (Some(_), nav) => {
            let why = format!("is for meshes of Source and GoldSrc, not of {}", nav.family());
            return Err(Error::invalid("--bsp", why).into());
        }
    };
    let mut parts = Vec::new();
    let opened = match mesh.nav() {
        AnyNav::Source(nav) => source(nav, typed, map).map(|editor| {
            told(path, &editor.carried());
            Opened::Source(Box::new(editor))
        }),
        AnyNav::Fox(nav) => {
            FoxBuf::read(nav).and_then(|tile| fox(tile, typed, &options)).map(|(editor, all)| {
                parts = all;
                Opened::Fox(Box::new(editor))
            })
        }
        AnyNav::Plugin(_) | AnyNav::Payload(_) => skyrim(mesh.nav()).map(|editor| {
            told(path, editor.carried());
            Opened::Skyrim(Box::new(editor))
        }),
        nav => open(nav, mesh.bytes(), typed.open.lenient).map(|(editor, lost)| {
            told(path, editor.carried());
            if lost > 0 {
                say(format_args!("{}: lost: {lost} links to nodes that are not there", path.display()));
            }
            Opened::Quake(Box::new(editor))
        }),
    };
    let opened = match opened.and_then(|opened| mesh.intact().map(|()| opened)) {
        Ok(opened) => opened,
        Err(error) => return Ok(super::unreadable(error, path)),
    };
    drop(mesh);
    match opened {
        Opened::Source(editor) => go(*editor, typed, asked, &parts),
        Opened::Fox(editor) => go(*editor, typed, asked, &parts),
        Opened::Quake(editor) => go(*editor, typed, asked, &parts),
        Opened::Skyrim(editor) => go(*editor, typed, asked, &parts),
    }
}

enum Opened {
    Source(Box<SourceEditor>),
    Fox(Box<FoxEditor>),
    Quake(Box<QuakeEditor>),
    Skyrim(Box<SkyrimEditor>),
}

fn told(path: &Path, carried: &[Finding]) {
    for found in carried {
        say(format_args!("{}: carried on as it is: {found}", path.display()));
    }
}

fn go<E: Editor>(editor: E, typed: &args::Edit, asked: bool, parts: &[Part]) -> Result<Exit, Failure> {
    let options = Options { game_exact: typed.game_exact, journal: typed.journal.is_some() };
    let mut session = Session::new(editor, options);
    session.read_through(Box::new(super::beside::Beside::mesh(&typed.path)));
    if asked { prompt::run(session, typed, parts) } else { script::run(session, typed, parts) }
}

/// A tile, together with the other parts of it that lie beside it, and the files of all.
fn fox(tile: FoxBuf, typed: &args::Edit, options: &OpenOptions) -> Result<(FoxEditor, Vec<Part>), Error> {
    let path = &typed.path;
    let (paths, named) = parts_beside(path);
    let open = |path: &PathBuf| {
        let mesh = Mesh::open_with(path, options)?;
        let AnyNav::Fox(nav) = mesh.nav() else {
            return Err(Error::invalid("part", "is no mesh of the Fox Engine"));
        };
        let part = FoxBuf::read(nav)?;
        mesh.intact().map(|()| part)
    };
    let mut own = Some(tile.clone());
    let parts: Result<Vec<FoxBuf>, Error> = paths
        .iter()
        .enumerate()
        .map(|(file, path)| match own.take_if(|_| file == named) {
            Some(tile) => Ok(tile),
            None => open(path).map_err(|error| error.in_file(path)),
        })
        .collect();
    match parts.and_then(|parts| FoxEditor::of_parts(parts, named)) {
        Ok(editor) => {
            let output = typed.goal.output.as_ref();
            let beside = |path: &PathBuf| output.map(|output| part_beside(output, part_of(path)));
            Ok((editor, paths.into_iter().map(|path| Part { output: beside(&path), path }).collect()))
        }
        Err(error) if paths.len() > 1 => {
            say(format_args!("{}: is edited without the other parts beside it: {error}", path.display()));
            Ok((FoxEditor::new(tile)?, Vec::new()))
        }
        Err(error) => Err(error),
    }
}

/// A graph of Quake, and how many of its links were dropped.
fn open(nav: &AnyNav<'_>, bytes: &[u8], lenient: bool) -> Result<(QuakeEditor, usize), Error> {
    match nav {
        AnyNav::Quake(nav) if lenient => QuakeEditor::of_nav_lenient(nav, bytes),
        AnyNav::Quake(nav) => QuakeEditor::of_nav(nav, bytes).map(|editor| (editor, 0)),
        AnyNav::NavJson(nav) => QuakeEditor::of_json(nav, bytes).map(|editor| (editor, 0)),
        other => Err(navmap::open::not_edited(other)),
    }
}

/// The meshes of a plugin, or one field.
pub(super) fn skyrim(nav: &AnyNav<'_>) -> Result<SkyrimEditor, Error> {
    match nav {
        AnyNav::Plugin(plugin) => SkyrimEditor::of_plugin(plugin),
        AnyNav::Payload(mesh) => SkyrimEditor::of_mesh(mesh),
        other => {
            Err(Error::invalid("family", format!("{} meshes are no navmeshes of a plugin", other.family())))
        }
    }
}

fn source(nav: &SourceNav<'_>, typed: &args::Edit, map: Option<Asked>) -> Result<SourceEditor, Error> {
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
    if let Some(Asked { map, spawns }) = map {
        editor.set_map(Arc::new(map), spawns);
    }
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
