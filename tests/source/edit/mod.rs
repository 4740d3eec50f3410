//! The worked examples of editing, as the game does it and as it is better.

mod bulk;
mod cost;
mod links;
mod marks;
mod model;
mod places;
mod rules;
mod select;
mod shape;
mod split;
mod stale;
mod text;
mod undo;
mod vectors;
mod verbs;

use navmap::edit::{Editor, Session, SessionOptions};
use navmap::format::source::edit::SourceEditor;
use navmap::format::source::{SourceBuf, SourceNav};
use navmap_testkit::source::{Area, Ladder, Mesh, read, write};

/// North, east, south, west.
pub(crate) const N: usize = 0;
pub(crate) const E: usize = 1;
pub(crate) const S: usize = 2;
pub(crate) const W: usize = 3;

/// What the game does, and what is better.
pub(crate) const GAME: bool = true;
pub(crate) const NAVMAP: bool = false;

/// An area by its rectangle; heights north-west, north-east, south-east, south-west.
pub(crate) fn area(id: u32, x: [f32; 2], y: [f32; 2], z: [f32; 4]) -> Area {
    Area {
        id,
        nw: [x[0], y[0], z[0]],
        se: [x[1], y[1], z[2]],
        ne_z: z[1],
        sw_z: z[3],
        light: [1.0; 4],
        ..Area::default()
    }
}

pub(crate) fn flat(id: u32, x: [f32; 2], y: [f32; 2]) -> Area {
    area(id, x, y, [0.0; 4])
}

/// A square of 100 at the origin.
pub(crate) fn square(id: u32) -> Area {
    flat(id, [0.0, 100.0], [0.0, 100.0])
}

pub(crate) fn mesh(areas: impl IntoIterator<Item = Area>) -> Mesh {
    Mesh {
        version: 16,
        subversion: Some(0),
        analyzed: 1,
        areas: areas.into_iter().collect(),
        ..Mesh::default()
    }
}

pub(crate) fn ladder(id: u32, top: [f32; 3], bottom: [f32; 3], direction: u32) -> Ladder {
    Ladder { id, width: 32.0, top, bottom, length: top[2] - bottom[2], direction, ..Ladder::default() }
}

pub(crate) trait Linked {
    fn link(self, from: u32, side: usize, to: u32) -> Self;
    fn both(self, from: u32, side: usize, to: u32) -> Self;
}

impl Linked for Mesh {
    fn link(mut self, from: u32, side: usize, to: u32) -> Self {
        let area = self.areas.iter_mut().find(|area| area.id == from).unwrap();
        area.connections[side].push(to);
        self
    }

    fn both(self, from: u32, side: usize, to: u32) -> Self {
        self.link(from, side, to).link(to, (side + 2) % 4, from)
    }
}

pub(crate) type Editing = Session<SourceEditor>;

pub(crate) fn open(mesh: &Mesh, exact: bool) -> Editing {
    open_bytes(&write(mesh), exact)
}

pub(crate) fn open_bytes(bytes: &[u8], exact: bool) -> Editing {
    let own = SourceBuf::read(&SourceNav::parse(bytes).unwrap()).unwrap();
    let mut editor = SourceEditor::new(own).unwrap();
    // The game writes what it may fall over.
    editor.force_odd(exact);
    Session::new(editor, SessionOptions { game_exact: exact, journal: true, ..SessionOptions::default() })
}

pub(crate) fn written(session: &Editing) -> Mesh {
    read(&session.editor().encode().unwrap()).unwrap()
}

/// The mesh after a script, every command of which is done.
pub(crate) fn after(mesh: &Mesh, exact: bool, script: &str) -> Mesh {
    let mut session = open(mesh, exact);
    session.line(script).unwrap_or_else(|refusal| panic!("{script}: {refusal}"));
    written(&session)
}

/// What the last command of a script answers.
pub(crate) fn said(mesh: &Mesh, exact: bool, script: &str) -> String {
    let outcomes = open(mesh, exact).line(script).unwrap_or_else(|refusal| panic!("{script}: {refusal}"));
    outcomes.last().unwrap().said.join("; ")
}

/// Why a script is refused, with nothing changed by the command that was.
pub(crate) fn refused(mesh: &Mesh, exact: bool, script: &str) -> String {
    let mut session = open(mesh, exact);
    session.line(script).unwrap_err().to_string()
}

pub(crate) fn by_id(mesh: &Mesh, id: u32) -> &Area {
    mesh.areas.iter().find(|area| area.id == id).unwrap_or_else(|| panic!("no area {id}"))
}

pub(crate) fn ids(mesh: &Mesh) -> Vec<u32> {
    mesh.areas.iter().map(|area| area.id).collect()
}

/// `[x0, x1], [y0, y1]` and the heights north-west, north-east, south-east, south-west.
pub(crate) type Spread = ([f32; 2], [f32; 2], [f32; 4]);

pub(crate) fn spread(area: &Area) -> Spread {
    ([area.nw[0], area.se[0]], [area.nw[1], area.se[1]], [area.nw[2], area.ne_z, area.se[2], area.sw_z])
}

/// Every mesh that can be edited and has areas, bundled and real, by name.
pub(crate) fn meshes() -> Vec<(String, Vec<u8>)> {
    use navmap_testkit::corpus::{bundled_rows, manifest, real};
    let mut rows = bundled_rows("source");
    rows.retain(|row| !row.name().contains("hostile"));
    rows.extend(real().into_iter().flat_map(|corpus| manifest(&corpus.join("source"))));
    let mut meshes: Vec<_> = rows.iter().map(|row| (row.name().to_owned(), row.read())).collect();
    meshes.retain(|(_, bytes)| {
        let nav = SourceNav::parse(bytes).ok();
        nav.and_then(|nav| SourceBuf::read(&nav).ok()).is_some_and(|mesh| !mesh.areas.is_empty())
    });
    meshes
}
