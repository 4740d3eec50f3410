//! The other commands: strip, saving, console settings, and answers to commands that need a running game.

use super::editor::{SourceEditor, game_counter};
use super::exchange::EXPORTED;
use super::geometry::{Axis, STEP, edges};
use super::save::read;
use super::state::Item;
use crate::buf::SourceBuf;
use navmap_core::edit::{Command, Editor, Refusal, Request, Scope};
use navmap_core::text::counted;
use std::collections::HashSet;

type Fared = Result<(), Refusal>;

/// The relation of a mesh to the map it was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consistency {
    /// Not a mesh, or one that cannot be read.
    Invalid,
    /// A version before 4, which does not record its map.
    Old,
    /// Made from a map of another size.
    OutOfDate {
        /// The size in bytes that the mesh was made from.
        made_from: u32,
    },
    /// Made from a map of this size.
    UpToDate,
}

impl Consistency {
    /// Compares the map size in the head of a mesh with the size of its map, as `nav_check_file_consistency` is meant to. With
    /// `game_exact` it imitates the actual command, which from version 10 on mistakes the sub-version for the size of the map.
    pub fn compare(mesh: &[u8], bsp_size: u32, game_exact: bool) -> Self {
        let word = |at: usize| {
            let four = mesh.get(at..)?.first_chunk()?;
            Some(u32::from_le_bytes(*four))
        };
        let (Some(0xFEED_FACE), Some(version @ 1..=16)) = (word(0), word(4)) else { return Self::Invalid };
        if version < 4 {
            return Self::Old;
        }
        let at = if version >= 10 && !game_exact { 12 } else { 8 };
        match word(at) {
            None => Self::Invalid,
            Some(size) if size == bsp_size => Self::UpToDate,
            Some(made_from) => Self::OutOfDate { made_from },
        }
    }
}

impl SourceEditor {
    pub(super) fn nav_strip(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let kept = c.flag("--keep-paths");
        c.finish()?;
        if kept {
            self.world.not_analyzed();
            s.say("the mesh counts as not analysed: the game asks for nav_analyze");
            return Ok(());
        }
        let paths: usize = self.world.areas().map(|(_, area)| area.encounters.len()).sum();
        self.world.strip();
        if self.world.head.version <= 5 {
            self.world.drop_approaches();
        }
        s.say(format!("{} dropped", counted(paths as u64, "encounter path", "encounter paths")));
        Ok(())
    }

    /// A mesh that cannot be written is refused here, with its line, and not at the end of the run.
    pub(super) fn nav_save(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let to = c.take().map(|word| word.text.to_owned());
        c.finish()?;
        if self.world.head.version >= 14 && self.world.head.analyzed == 0 {
            s.say("the mesh counts as not analysed: the game asks for nav_analyze");
        }
        let bytes = self.encode()?;
        // What goes to another file is kept until all is written.
        self.world.look_at(bytes.len().saturating_mul(if to.is_some() { EXPORTED } else { 1 }));
        self.unknown_places().into_iter().for_each(|line| s.say(line));
        if to.is_none() && bytes != self.file() {
            self.world.set_saved(bytes.clone());
        }
        s.request(Request::Save { to, bytes });
        Ok(())
    }

    /// Restores what the last `nav_save` wrote, else the opened mesh. With `game_exact`, places are resolved against the game's own list of names.
    pub(super) fn nav_load(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        c.finish()?;
        self.world.look_at(self.file().len());
        let Some(mut mesh) = read(self.file()) else {
            return Err(Refusal::new("the mesh cannot be read again"));
        };
        let before = self.encode();
        let counter = game_counter(mesh.areas.iter().map(|area| area.id.get()));
        if s.game_exact() {
            as_the_game_loads(&mut mesh, self.known_places.as_ref());
        }
        self.world.restore(mesh);
        s.selection.clear();
        self.world.with_state(|state| {
            (state.mark, state.corner, state.anchor, state.counter) = (None, None, None, counter);
        });
        s.say(format!("{} loaded", counted(self.world.census().areas as u64, "area", "areas")));
        // With `game_exact` a mesh that is loaded may not be what its file says.
        let same = before
            .is_ok_and(|before| before == self.file() || self.encode().is_ok_and(|loaded| loaded == before));
        if !same {
            let since = if self.world.saved().is_some() { "nav_save" } else { "the mesh was opened" };
            s.say(format!("what was changed since {since} is gone; undo brings it back"));
        }
        if !s.game_exact() {
            self.unknown_places().into_iter().for_each(|line| s.say(line));
        }
        Ok(())
    }

    /// The place names of the mesh that the game does not know, if its list is known.
    pub(super) fn unknown_places(&self) -> Vec<String> {
        let directory = self.directory().map(|(directory, _)| directory);
        let places = directory.as_ref().unwrap_or(&self.world.head.places);
        self.unknown_of(places.iter().map(|stored| &**stored)).collect()
    }

    /// Those of these names, as they are stored.
    pub(super) fn unknown_of<'n>(
        &self,
        places: impl IntoIterator<Item = &'n [u8]>,
    ) -> impl Iterator<Item = String> {
        let known = self.known_places.as_ref();
        places.into_iter().filter_map(move |stored| {
            let name = stored.split(|byte| *byte == 0).next().unwrap_or_default();
            let unknown = !known?.contains(&name.to_ascii_lowercase());
            let name = String::from_utf8_lossy(name);
            unknown.then(|| {
                format!("the game does not know the place {name}: it drops it, and shifts all after it")
            })
        })
    }

    pub(super) fn consistency(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let word = c.need("the size of the map in bytes")?;
        c.finish()?;
        let size: u32 = word.text.parse().map_err(|_| {
            Refusal::new(format!("{} where the size of the map in bytes was expected", word.text)).at(word.at)
        })?;
        let bytes = self.encode()?;
        s.say(match Consistency::compare(&bytes, size, s.game_exact()) {
            Consistency::Invalid => "invalid".to_owned(),
            Consistency::Old => "an old version, which does not say from which map it was made".to_owned(),
            Consistency::OutOfDate { made_from } => {
                format!("made from another version of the map: {made_from} bytes, the map has {size}")
            }
            Consistency::UpToDate => "up to date".to_owned(),
        });
        Ok(())
    }

    pub(super) fn stairs(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        if self.ground.is_some() {
            return self.mark_stairs(c, s);
        }
        if c.peek().is_some() {
            self.areas(c, s)?;
        }
        c.finish()?;
        let side = |area: &crate::buf::AreaBuf| {
            Axis::BOTH.iter().any(|axis| {
                let [low, high] = edges(&area.shape, *axis);
                high - low > STEP
            })
        };
        let large = self.world.areas().filter(|(_, area)| side(area)).count();
        let has = self.world.areas().filter(|(_, area)| area.attributes.bits() & 0x1000 != 0).count();
        s.say(format!(
            "{} stairs; of {large} large enough the map decides, which is not here (--bsp MAP)",
            counted(has as u64, "area is", "areas are")
        ));
        Ok(())
    }

    // Settings.

    pub(super) fn snap_to_grid(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        if c.peek().is_some() {
            let word = c.need("0, 1, 2 or 3")?;
            let why = || format!("{} where 0, 1, 2 or 3 was expected", word.text);
            let value = word.text.parse().map_err(|_| Refusal::new(why()).at(word.at))?;
            self.world.with_state(|state| state.snap = value);
        }
        c.finish()?;
        s.say(self.snap_unit().map_or("snapping is off".to_owned(), |unit| format!("snapping to {unit}")));
        Ok(())
    }

    pub(super) fn adjust_adjacent(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        if c.peek().is_some() {
            let value = c.number("a distance")?;
            self.world.with_state(|state| state.adjacent = value);
        }
        c.finish()?;
        s.say(format!("corners within {} move along", self.world.state().adjacent));
        Ok(())
    }
}

/// A name that the game does not know, or that equals an earlier one except for case, does not enter its directory, and all later
/// ones shift. `docs/formats/source-edit.md`, section 3.4.
fn as_the_game_loads(mesh: &mut SourceBuf, known: Option<&HashSet<Vec<u8>>>) {
    let mut seen = HashSet::new();
    mesh.head.places.retain(|stored| {
        let name = stored.split(|byte| *byte == 0).next().unwrap_or_default().to_ascii_lowercase();
        known.is_none_or(|known| known.contains(&name)) && seen.insert(name)
    });
    let last = mesh.head.places.len();
    for area in mesh.areas.iter_mut().filter(|area| usize::from(area.place) > last) {
        area.place = 0;
    }
}

/// Answers with a fixed line, for any operands.
fn answer(why: &'static str, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
    while c.take().is_some() {}
    s.say(format!("{}: {why}", c.verb()));
    Ok(())
}

pub(super) fn meaningless(_: &mut SourceEditor, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
    answer("means nothing without the game's window; nothing done", c, s)
}

pub(super) fn run_time(_: &mut SourceEditor, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
    answer("is about a running game and no file holds it; nothing done", c, s)
}

pub(super) fn needs_map(_: &mut SourceEditor, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
    answer("needs the map, which is not here; nothing done", c, s)
}

pub(super) fn no_op(_: &mut SourceEditor, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
    answer("does nothing in the game either", c, s)
}
