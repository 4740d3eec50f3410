//! Editors: a mesh that is changed in memory, by the commands of `navmap edit`.

use crate::error::Failure;
use crate::options::OpenOptions;
use crate::status::Status;
use crate::text::{put, utf8};
use crate::turned::Turned;
use crate::world::World;
use navmap::bytes::Originals;
use navmap::diff::Version;
use navmap::edit::{Opening, Outcome, Refusal, Request, SessionOptions};
use navmap::open::{self, Edited, Mesh, edit_with};
use std::ffi::c_char;
use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::sync::Arc;

/// `flags` of an editor: commands do what the game does, bugs included.
pub const NAVMAP_GAME_EXACT: u32 = 1;

/// A mesh that is being edited in memory. One thread may use it at a time; it is never read by two.
pub type Editor = Turned<Editing>;

/// A mesh that is being edited, and what its latest run has said.
#[derive(Debug)]
pub struct Editing {
    edited: Edited,
    said: String,
    /// The files that it was opened from, as they were.
    read: Originals,
}

impl Editing {
    /// An editor of a mesh that was computed, with what was said of that.
    pub(crate) fn made(
        name: PathBuf,
        bytes: Vec<u8>,
        said: String,
        files: &open::OpenOptions,
    ) -> Result<Self, Failure> {
        Ok(Self { said, ..edit(&Mesh::from_vec(name, bytes)?, 0, files)? })
    }
}

impl Deref for Editing {
    type Target = Edited;

    fn deref(&self) -> &Self::Target {
        &self.edited
    }
}

impl DerefMut for Editing {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.edited
    }
}

fn edit(mesh: &Mesh, flags: u32, files: &open::OpenOptions) -> Result<Editing, Failure> {
    let edited = edit_with(mesh, options(flags)?, &Opening::default(), files)?;
    Ok(Editing { edited, said: String::new(), read: Originals::default() })
}

fn options(flags: u32) -> Result<SessionOptions, Failure> {
    let known = flags & !NAVMAP_GAME_EXACT == 0;
    let options = SessionOptions { game_exact: flags & NAVMAP_GAME_EXACT != 0, ..SessionOptions::default() };
    known.then_some(options).ok_or(Failure::Bare(Status::Invalid, "flags"))
}

fn refused(refusal: &Refusal) -> Failure {
    Failure::text(Status::Refused, &refusal.to_string())
}

/// What commands have answered, line by line. A part of the mesh that a command writes as text is among it.
fn said(edited: &Edited, outcomes: Vec<Outcome>) -> String {
    let mut text = String::new();
    for outcome in outcomes {
        outcome.said.iter().for_each(|line| text.extend([line.as_str(), "\n"]));
        match outcome.request {
            Some(Request::Export { text: export, .. }) => text.push_str(&String::from_utf8_lossy(&export)),
            Some(Request::Show(asked)) => text.push_str(&edited.shown(&asked)),
            Some(Request::Save { .. }) | None => {}
        }
    }
    text
}

entries! {
    /// Opens a mesh for editing: a file, or `archive!member`. The file stays as it is; the editor changes a copy in memory. A
    /// part of a split Fox tile is edited together with the other parts that lie beside it. `flags` is 0 or
    /// `NAVMAP_GAME_EXACT`, `options` may be NULL.
    fn navmap_editor_open(
        path: *const c_char, options: *const OpenOptions, flags: u32, editor: *mut *mut Editor; error
    ) {
        let (path, policy, place) = (path.path()?, options.policy()?, editor.handle_place()?);
        let mut read = Originals::default();
        read.note(&path);
        let mesh = Mesh::open_with(path, &policy.options)?;
        let mut editing = edit(&mesh, flags, &policy.options)?;
        editing.edited.parts.iter().for_each(|part| read.note(part));
        editing.read = read;
        place.give(Turned::new(editing));
        Ok(Status::Ok)
    }

    /// The same for the mesh of a world, which stays as it is. `NAVMAP_NOTHING` if the world was made of many files.
    fn navmap_editor_of_world(world: *const World, flags: u32, editor: *mut *mut Editor; error) {
        let (world, place) = (world.handle()?, editor.handle_place()?);
        options(flags)?;
        let Some(mesh) = world.mesh() else {
            place.nothing();
            return Ok(Status::Nothing);
        };
        place.give(Turned::new(edit(mesh, flags, &open::OpenOptions::new())?));
        Ok(Status::Ok)
    }

    /// Merges two lines of change, as `navmap merge` does: an editor of `ours` in which the changes from `base` to `theirs` are
    /// done as well. `navmap_editor_save`, `navmap_editor_bytes` and `navmap_editor_world` give the merged mesh,
    /// `navmap_editor_undo` takes changes of theirs back. `conflicts`, which may be NULL, gets how many changes of theirs are
    /// not done, because ours has changed the same in another way or because they do not fit; there the mesh is as in ours,
    /// and `navmap_editor_said` has a line for each. `options` may be NULL. `NAVMAP_DAMAGED` if such meshes cannot be merged.
    fn navmap_merge(
        base: *const c_char, ours: *const c_char, theirs: *const c_char, options: *const OpenOptions,
        conflicts: *mut u32, editor: *mut *mut Editor; error
    ) {
        let paths = [base.path()?, ours.path()?, theirs.path()?];
        let (policy, place) = (options.policy()?, editor.handle_place()?);
        let mut read = Originals::default();
        read.note(&paths[1]);
        let [base, ours, theirs] = paths.map(|path| Version::open(&path, &policy.options));
        let (base, ours, theirs) = (base?, ours?, theirs?);
        let merged = ours.apply(base.merge(&ours, &theirs)?)?;
        let left = merged.merge.conflicts.iter().map(|found| format!("{}: {}\n", found.item, found.what));
        let said: Vec<String> = left.chain(merged.refused.iter().map(|why| format!("{why}\n"))).collect();
        conflicts.put(crate::world::count(said.len()))?;
        place.give(Turned::new(Editing { edited: merged.into_editor(), said: said.concat(), read }));
        Ok(Status::Ok)
    }

    /// Frees an editor. Changes that were not saved are lost. NULL is none.
    fn navmap_editor_free(editor: *mut Editor) {
        editor.free()
    }

    /// Runs commands, on lines or with semicolons between them, as `navmap edit` does. `said` gets what they answer, which
    /// ends with a NUL that is counted. `NAVMAP_REFUSED` if a command was refused: the error says which, at which line and
    /// column, and why. That command has changed nothing; the commands before it stay done. With `NAVMAP_TRUNCATED` the
    /// commands have run: do not run them again, `navmap_editor_said` has their whole answer.
    fn navmap_editor_run(
        editor: *mut Editor, script: *const c_char, said[capacity]: *mut c_char, count: *mut u32; error
    ) {
        let (editor, script, room) = (editor.handle()?, utf8(script.text()?, "script")?, said?);
        let mut editor = editor.turn("editor")?;
        let (outcomes, refusal) = editor.session.run(script);
        editor.said = self::said(&editor.edited, outcomes);
        if let Some(refusal) = refusal {
            return Err(refused(&refusal));
        }
        put(room, &editor.said, count)
    }

    /// What the commands of the latest run have answered, up to the one that was refused if one was. It stays until the
    /// next run, so its size can be asked for first. It ends with a NUL that is counted.
    fn navmap_editor_said(editor: *mut Editor, said[capacity]: *mut c_char, count: *mut u32) {
        let (editor, room) = (editor.handle()?, said?);
        put(room, &editor.turn("editor")?.said, count)
    }

    /// Undoes this many steps, or as many as there are. A step is a command, or a group of them. `undone`, which may be NULL,
    /// gets how many. Undoing all of them gives the bytes that were opened.
    fn navmap_editor_undo(editor: *mut Editor, steps: u32, undone: *mut u32) {
        let taken = editor.handle()?.turn("editor")?.session.undo(steps as usize);
        undone.put(crate::world::count(taken))?;
        Ok(Status::Ok)
    }

    /// Does steps again that were undone.
    fn navmap_editor_redo(editor: *mut Editor, steps: u32, redone: *mut u32) {
        let taken = editor.handle()?.turn("editor")?.session.redo(steps as usize);
        redone.put(crate::world::count(taken))?;
        Ok(Status::Ok)
    }

    /// A report for a person: what has changed since the mesh was opened, and what became stale by it. It ends with a NUL that
    /// is counted.
    fn navmap_editor_report(editor: *mut Editor, report[capacity]: *mut c_char, count: *mut u32) {
        let (editor, room) = (editor.handle()?, report?);
        put(room, &editor.turn("editor")?.session.report(), count)
    }

    /// The changed mesh as a file. Every call encodes it, also one that asks only for the size.
    fn navmap_editor_bytes(editor: *mut Editor, bytes[capacity]: *mut u8, count: *mut u32; error) {
        let (editor, mut room) = (editor.handle()?, bytes?);
        room.fill(&editor.turn("editor")?.session.encode()?);
        room.end(count)
    }

    /// Writes the mesh as it is now to a file, wholly or not at all: to a temporary file, which then takes the place of what
    /// is there. Other parts of a split Fox tile that have changed are written beside it, under the names of parts. The file that
    /// `navmap_editor_open` opened, or ours of `navmap_merge`, is only replaced if nobody but this editor has written it since,
    /// and no read-only file is: `NAVMAP_IO`, and nothing is written.
    fn navmap_editor_save(editor: *mut Editor, path: *const c_char; error) {
        let (editor, path) = (editor.handle()?, path.path()?);
        let mut editor = editor.turn("editor")?;
        let files = editor.files(&path)?;
        editor.read.save(&files)?;
        Ok(Status::Ok)
    }

    /// A world of the mesh as it is now. The name stands in its errors. `options` may be NULL.
    fn navmap_editor_world(
        editor: *mut Editor, name: *const c_char, options: *const OpenOptions, world: *mut *mut World; error
    ) {
        let (editor, name) = (editor.handle()?, utf8(name.text()?, "name")?);
        let (policy, place) = (options.policy()?, world.handle_place()?);
        let bytes = editor.turn("editor")?.session.encode()?;
        place.share(Arc::new(World::from_bytes(name, bytes, &policy)?));
        Ok(Status::Ok)
    }
}
