//! Verbs and selectors of waypoints: points in a list, by whose numbers their links go, one way each. One that was deleted keeps
//! its number while a session lasts.

use super::command::Command;
use super::editor::Editor;
use super::points::{Room, at_point, moved};
use super::refusal::Refusal;
use super::scope::Scope;
use super::script::Word;
use super::select::Atom;
use crate::text::{counted, nearest};
use std::collections::BTreeSet;

/// The number of a waypoint.
pub type Slot = u32;

/// How far a point may be from a waypoint without a larger radius that is meant without `~`.
const NEAR: f32 = 32.0;

/// Going through the links of a waypoint costs as much as looking at so many.
const CLEANED: usize = 8;

/// How many waypoints, in words.
pub fn waypoints(count: usize) -> String {
    counted(count as u64, "waypoint", "waypoints")
}

/// How many links, in words.
pub fn links(count: usize) -> String {
    counted(count as u64, "link", "links")
}

/// What all editors of waypoints have, given how a waypoint is read and changed.
pub trait Waypoints: Editor<Key = Slot> {
    /// The names of selectors.
    const NAMES: &'static [&'static str];

    /// The number after the last that any waypoint has or had.
    fn slots(&self) -> Slot;

    /// Where a waypoint is; `None` if there is none of this number, or it was deleted.
    fn origin(&self, slot: Slot) -> Option<[f32; 3]>;

    /// Its radius, and its flags.
    fn traits(&self, slot: Slot) -> (f32, u32);

    /// Moves a waypoint. Returns whether it lies elsewhere now.
    fn put(&mut self, slot: Slot, origin: [f32; 3]) -> bool;

    /// Gives a waypoint other flags. Returns whether it has others now.
    fn mark(&mut self, slot: Slot, flags: u32) -> bool;

    /// Deletes a waypoint, which nothing leads to any more, with its links.
    fn remove(&mut self, slot: Slot);

    /// The waypoints that its links lead to. `None` is no number of a waypoint, whether one exists or not.
    fn targets(&self, slot: Slot) -> impl Iterator<Item = Option<Slot>> + '_;

    /// Removes those links of a waypoint, deleted or not, whose targets `keep` does not want, and returns how many.
    fn retain(&mut self, slot: Slot, keep: &mut dyn FnMut(Option<Slot>) -> bool) -> usize;

    /// The bits of flags, by their names.
    ///
    /// # Errors
    /// If there is no such flag.
    fn bits(&self, names: &str) -> Result<u32, Refusal>;

    /// What a selector means that other waypoints do not have; `None` if there is no such selector.
    fn own(&self, _name: &str, _arguments: &[&str]) -> Option<Result<Vec<Slot>, Refusal>> {
        None
    }

    /// Counts waypoints, or links of one, that a command looks at.
    fn look(&self, items: usize);

    /// Those that were not deleted.
    fn used(&self) -> impl Iterator<Item = Slot> + Clone + '_ {
        (0..self.slots()).filter(|slot| self.origin(*slot).is_some())
    }

    /// Numbers that links led to when the file was opened, and that no waypoint had. One pass over all waypoints.
    fn missing(&self) -> BTreeSet<Slot> {
        let ends = self.used().flat_map(|slot| self.targets(slot)).flatten();
        ends.filter(|to| self.origin(*to).is_none()).collect()
    }

    /// Says that links which led nowhere lead to a waypoint that was made, if any do. One pass over all waypoints.
    fn say_found(&self, made: Slot, s: &mut Scope<Slot>) {
        self.look(self.slots() as usize);
        let ends = self.used().flat_map(|slot| self.targets(slot)).flatten();
        let count = ends.filter(|to| *to == made).count();
        if count > 0 {
            let verb = if count == 1 { "leads" } else { "lead" };
            s.say(format!(
                "{} that led nowhere {verb} to #{made} now (clean_links before add removes such links)",
                links(count)
            ));
        }
    }

    /// Removes the links whose ends satisfy `gone`, and returns how many. One pass over all waypoints.
    fn unlink(&mut self, gone: impl Fn(Slot, Slot) -> bool) -> usize {
        self.look(self.slots() as usize);
        (0..self.slots()).fold(0, |count: usize, from| {
            count.saturating_add(self.retain(from, &mut |to| !to.is_some_and(|to| gone(from, to))))
        })
    }

    /// `delete [SELECTOR]`
    ///
    /// # Errors
    /// If the selector names none.
    fn delete(&mut self, c: &mut Command<'_>, s: &mut Scope<Slot>) -> Result<(), Refusal> {
        let word = c.take();
        c.finish()?;
        let slots: BTreeSet<Slot> = s.nodes(self, word)?.into_iter().collect();
        let gone = self.unlink(|from, to| slots.contains(&from) || slots.contains(&to));
        slots.iter().for_each(|slot| self.remove(*slot));
        s.selection.remove_all(slots.iter().copied());
        s.say(format!("deleted {} and {}", waypoints(slots.len()), links(gone)));
        Ok(())
    }

    /// `disconnect A B [--one-way]`
    ///
    /// # Errors
    /// If no link joins them.
    fn disconnect(&mut self, c: &mut Command<'_>, s: &mut Scope<Slot>) -> Result<(), Refusal> {
        let one = c.flag("--one-way");
        let [a, b] = s.ends(self, c)?;
        c.finish()?;
        match self.unlink(|from, to| [from, to] == [a, b] || (!one && [from, to] == [b, a])) {
            0 => Err(Refusal::new(format!("no link joins #{a} and #{b}"))),
            gone => {
                s.say(format!("removed {}", links(gone)));
                Ok(())
            }
        }
    }

    /// `flag NAME[,NAME] [SELECTOR]`
    ///
    /// # Errors
    /// If there is no such flag, or the selector names none.
    fn flag(&mut self, c: &mut Command<'_>, s: &mut Scope<Slot>) -> Result<(), Refusal> {
        self.change_flags(c, s, |flags, bits| flags | bits)
    }

    /// `unflag NAME[,NAME] [SELECTOR]`
    ///
    /// # Errors
    /// Those of [`flag`](Self::flag).
    fn unflag(&mut self, c: &mut Command<'_>, s: &mut Scope<Slot>) -> Result<(), Refusal> {
        self.change_flags(c, s, |flags, bits| flags & !bits)
    }

    #[doc(hidden)]
    fn change_flags(
        &mut self,
        c: &mut Command<'_>,
        s: &mut Scope<Slot>,
        change: fn(u32, u32) -> u32,
    ) -> Result<(), Refusal> {
        let names = c.need("names of flags")?;
        let word = c.take();
        c.finish()?;
        let bits = self.bits(names.text).map_err(|refusal| refusal.at(names.at))?;
        let mut changed = 0_usize;
        for slot in s.nodes(self, word)? {
            let (_, flags) = self.traits(slot);
            changed = changed.saturating_add(self.mark(slot, change(flags, bits)).into());
        }
        s.say(format!("changed {}", waypoints(changed)));
        Ok(())
    }

    /// `move DX DY DZ [SELECTOR]`
    ///
    /// # Errors
    /// If the selector names none, or a waypoint would lie beyond the largest number.
    fn shift(&mut self, c: &mut Command<'_>, s: &mut Scope<Slot>) -> Result<(), Refusal> {
        let (by, word) = c.shift()?;
        let slots = s.nodes_or_all(self, word)?;
        for slot in &slots {
            let Some(at) = self.origin(*slot) else { continue };
            let to = moved(at, by)
                .ok_or_else(|| Refusal::new(format!("#{slot} would lie beyond the largest number")))?;
            self.put(*slot, to);
        }
        self.moved(&slots);
        s.say(format!("moved {}", waypoints(slots.len())));
        Ok(())
    }

    /// What is done once waypoints lie elsewhere.
    fn moved(&mut self, _slots: &[Slot]) {}

    /// `clean_links [SELECTOR]`: removes links to themselves, second links to one waypoint, and links of and to what does not exist.
    ///
    /// # Errors
    /// If the selector names none.
    fn clean_links(&mut self, c: &mut Command<'_>, s: &mut Scope<Slot>) -> Result<(), Refusal> {
        let word = c.take();
        c.finish()?;
        // Without a selector, those that were deleted as well.
        let slots: Vec<Slot> = match (&word, s.selection.is_empty()) {
            (None, true) => (0..self.slots()).collect(),
            _ => s.nodes(self, word)?,
        };
        self.look((self.slots() as usize).saturating_mul(CLEANED));
        // Of each waypoint that exists, the last whose links were seen to lead to it.
        let seen = (0..self.slots()).map(|slot| self.origin(slot).map(|_| None));
        let mut seen: Vec<Option<Option<Slot>>> = seen.collect();
        let mut gone = 0_usize;
        for slot in slots {
            let from = seen.get(slot as usize).is_some_and(Option::is_some);
            let went = self.retain(slot, &mut |to| {
                let target = to.and_then(|to| seen.get_mut(to as usize)).and_then(Option::as_mut);
                from && to != Some(slot) && target.is_some_and(|seen| seen.replace(slot) != Some(slot))
            });
            gone = gone.saturating_add(went);
        }
        s.say(format!("removed {}", links(gone)));
        Ok(())
    }

    /// The waypoints of an atom of a selector.
    ///
    /// # Errors
    /// If there are none, or there is no such selector.
    fn atom(&self, atom: &Atom<'_>) -> Result<Vec<Slot>, Refusal> {
        self.look(self.slots() as usize);
        match atom {
            Atom::Id { space, id } => Err(Refusal::new(format!("there is no {space}#{id}"))),
            Atom::Point { space: "", nearest, at } => {
                let place = |slot| Some((slot, self.origin(slot)?, self.traits(slot).0.max(NEAR)));
                at_point(self.used().filter_map(place), *nearest, at)
            }
            Atom::Point { space, .. } => Err(Refusal::new(format!("{space}@ where @ was expected"))),
            Atom::Name { name, arguments } => self.named(name, arguments),
        }
    }

    #[doc(hidden)]
    fn named(&self, name: &str, arguments: &[&str]) -> Result<Vec<Slot>, Refusal> {
        if let Some(room) = Room::parse(name, arguments)? {
            let inside = |slot: &Slot| self.origin(*slot).is_some_and(|at| room.holds(at));
            return Ok(self.used().filter(inside).collect());
        }
        match name.to_ascii_lowercase().as_str() {
            "flag" => {
                let bits = self.bits(&arguments.join(","))?;
                Ok(self.used().filter(|slot| self.traits(*slot).1 & bits != 0).collect())
            }
            "isolated" => {
                let all: Vec<Slot> = self.used().flat_map(|slot| self.targets(slot)).flatten().collect();
                self.look(all.len());
                let linked: BTreeSet<Slot> = all.into_iter().collect();
                let alone = |slot: &Slot| self.targets(*slot).next().is_none() && !linked.contains(slot);
                Ok(self.used().filter(alone).collect())
            }
            lower => self.own(lower, arguments).unwrap_or_else(|| {
                let known = Self::NAMES.iter().copied();
                Err(Refusal::unknown("selector", name).or(nearest(name, known)))
            }),
        }
    }
}

/// The number that `--number` gives, below `most`.
///
/// # Errors
/// If it is none.
pub fn number_of(c: &mut Command<'_>, most: Slot) -> Result<Option<Slot>, Refusal> {
    let number = |word: Word<'_>| {
        let number = word.text.parse().ok().filter(|number| *number < most);
        let why = || format!("{} where a number below {most} was expected", word.text);
        number.ok_or_else(|| Refusal::new(why()).at(word.at))
    };
    c.option("--number")?.map(number).transpose()
}

/// What a file says of who made it: a name as it is stored, or none.
pub fn credit(name: Option<&[u8]>) -> String {
    name.map_or_else(|| "none".to_owned(), |name| format!("\"{}\"", name.escape_ascii()))
}
