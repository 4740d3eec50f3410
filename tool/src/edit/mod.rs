//! `navmap edit`: runs commands on a mesh, and writes nothing unless asked to.

pub(super) mod ground;
mod news;
mod prompt;
mod script;

use super::heeded::refuse;
use super::out::{complain, say};
use super::save::vacant;
use super::target::{Part, Target};
use super::{Exit, Failure, args, plan};
use navmap::edit::{OpenMap, Opening, SessionOptions};
use navmap::error::Error;
use navmap::format::{Ability, not_edited};
use navmap::open::{Edited, Mesh, edit_with};
use navmap::text::path_text;
use std::any::Any;
use std::cell::Cell;
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
    for path in typed.goal.output.iter().chain(&typed.journal) {
        vacant(path, typed.goal.force)?;
    }
    let options = plan::options(&typed.open);
    let mesh = match Mesh::open_with(&typed.path, &options) {
        Ok(mesh) => mesh,
        Err(error) => return Ok(super::unreadable(error, &typed.path)),
    };
    let path = &typed.path;
    if typed.bsp.is_some() && !mesh.kind().can(Ability::Map) {
        return Err(not_edited(mesh.family(), Ability::Map).into());
    }
    if !mesh.kind().can(Ability::Map) {
        // What a game does in its own editor, knows of its places and leaves in its files: only meshes that are edited with their map
        // are edited by a game too.
        let of_game = [
            ("--game-exact", typed.game_exact),
            ("--keep", typed.keep),
            ("--keep-tail", typed.keep_tail),
            ("--places", typed.places.is_some()),
        ];
        refuse(&of_game, &[], &format!("meshes of the kind {}", mesh.kind()), path)?;
    }
    let unmapped = Cell::new(false);
    let map = typed.bsp.as_deref().map(|map| {
        let unmapped = &unmapped;
        move |head: &dyn Any| {
            ground::open(map, head, &typed.models, typed.any_map, &options)
                .inspect_err(|_| unmapped.set(true))
        }
    });
    let edited = places(typed).and_then(|places| {
        let opening = Opening {
            lenient: typed.open.lenient,
            carried: true,
            keep_tail: typed.keep_tail,
            force_odd: typed.force_odd,
            keep_visibility: typed.keep,
            places: places.as_deref(),
            map: map.as_ref().map(|map| map as &OpenMap<'_>),
            ..Opening::default()
        };
        let how = SessionOptions {
            game_exact: typed.game_exact,
            journal: typed.journal.is_some(),
            ..SessionOptions::default()
        };
        edit_with(&mesh, how, &opening, &options)
    });
    let edited = match edited.and_then(|edited| mesh.intact().map(|()| edited)) {
        Ok(edited) => edited,
        // The mesh is sound: what cannot be read is what it was to be edited with.
        Err(error) if unmapped.get() => {
            complain(format_args!("navmap: {error}"));
            return Ok(Exit::Failed);
        }
        Err(error) => return Ok(super::unreadable(error, path)),
    };
    let before = (!asked).then(|| news::Before::new(mesh, options.format()));
    for said in &edited.said {
        say(format_args!("{}: {said}", path_text(path)));
    }
    if edited.lost && !typed.force_odd && !typed.dry_run {
        let why = "could be read only in part, and what is left may crash the game: --force-odd edits and writes it";
        return Ok(super::unreadable(Error::invalid("the mesh", why), path));
    }
    let parts = parts(&edited, typed);
    let mut session = edited.session;
    session.read_through(Box::new(super::beside::Beside::mesh(path)));
    match before {
        None => prompt::run(session, typed, &parts),
        Some(before) => script::run(session, typed, &parts, before),
    }
}

/// The names of places that the game knows.
fn places(typed: &args::Edit) -> Result<Option<String>, Error> {
    typed.places.as_deref().map(super::beside::names).transpose()
}

/// The files that the mesh consists of, and where they go.
fn parts(edited: &Edited, typed: &args::Edit) -> Vec<Part> {
    let outputs = typed.goal.output.as_ref().map(|output| edited.beside(output));
    let mut outputs = outputs.into_iter().flatten();
    edited.parts.iter().map(|path| Part { path: path.clone(), output: outputs.next() }).collect()
}

/// Where the mesh goes.
fn target(typed: &args::Edit) -> Target<'_> {
    Target::typed(&typed.path, &typed.goal).journal(typed.journal.as_deref()).dry_run(typed.dry_run)
}
