//! The verbs, and what each does.

use super::editor::{RcbotEditor, Slot};
use super::values::{self, KEYS};
use crate::buf::WaypointBuf;
use crate::flags::NodeFlags;
use crate::layout::{BOT_NODES, Layout};
use navmap_core::edit::points::point;
use navmap_core::edit::{Apply, Command, Refusal, Scope, Verb, Word, verb};
use navmap_core::text::counted;
use std::collections::BTreeSet;

type Fared = Result<(), Refusal>;
type S = Scope<Slot>;

/// Every verb with what applies it.
#[rustfmt::skip]
pub(super) const VERBS: &[(Verb, Apply<RcbotEditor>)] = &[
    (verb("add", "X,Y,Z [--number N] [KEY=VALUE...]", "make a waypoint: Flags=NAME,NAME Yaw=DEGREES Area=N Radius=UNITS"), RcbotEditor::add),
    (verb("set", "SELECTOR KEY=VALUE...", "set Origin=X,Y,Z Flags=NAME,NAME|none Yaw=DEGREES Area=N Radius=UNITS of waypoints"), RcbotEditor::set),
    (verb("delete", "[SELECTOR]", "delete waypoints with their links; the numbers of the others stay"), RcbotEditor::delete),
    (verb("connect", "FROM TO [--both]", "link one waypoint to another"), RcbotEditor::connect),
    (verb("disconnect", "A B [--one-way]", "remove the links between two waypoints, both ways, or that from A alone"), RcbotEditor::disconnect),
    (verb("flag", "NAME[,NAME] [SELECTOR]", "set flags of waypoints"), |e, c, s| e.flags(true, c, s)),
    (verb("unflag", "NAME[,NAME] [SELECTOR]", "clear flags of waypoints"), |e, c, s| e.flags(false, c, s)),
    (verb("move", "DX DY DZ [SELECTOR]", "move waypoints; everything when none is named"), RcbotEditor::shift),
    (verb("clean_links", "[SELECTOR]", "remove links to themselves, second links to one waypoint, and links of and to what does not exist"), RcbotEditor::clean_links),
];

/// The numbers that `--number` may give end before this one. The bot loads far fewer.
const MOST: Slot = 1 << 16;

fn points(count: usize) -> String {
    counted(count as u64, "waypoint", "waypoints")
}

impl RcbotEditor {
    /// Sets values of a waypoint, of which the file must have room for each.
    fn fill(&self, node: &mut WaypointBuf, given: &[Word<'_>]) -> Fared {
        let layout = Layout::for_version(self.now.version);
        for word in given {
            values::set(node, word, self.game)?;
            let lacks = |key: &str| word.text.get(..key.len()).is_some_and(|k| k.eq_ignore_ascii_case(key));
            if (lacks("Area=") && !layout.area) || (lacks("Radius=") && !layout.radius) {
                let why = format!("version {} does not store it", self.now.version);
                return Err(Refusal::new(why).at(word.at));
            }
        }
        Ok(())
    }

    fn add(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let word = c.need("a point")?;
        let at = point(word.text)
            .ok_or_else(|| Refusal::new(format!("{} where X,Y,Z was expected", word.text)).at(word.at))?;
        let mut node = WaypointBuf::new(at, NodeFlags::default());
        let number = c.option("--number")?.map(|word| {
            let number = word.text.parse().ok().filter(|number| *number < MOST);
            number.ok_or_else(|| {
                Refusal::new(format!("{} where a number below {MOST} was expected", word.text)).at(word.at)
            })
        });
        let number = number.transpose()?;
        let given = c.words();
        c.finish()?;
        self.fill(&mut node, &given)?;
        let slot = match number {
            Some(slot) => self.put(slot, node)?,
            None => self.push(node),
        };
        s.made(slot);
        s.say(format!("made #{slot}"));
        let count = self.now.waypoints.len();
        if count > BOT_NODES {
            s.say(format!("{count} waypoints: the bot loads {BOT_NODES} at most"));
        }
        Ok(())
    }

    /// Puts a waypoint into the slot of this number, which no other may be in. Slots between the last and it are as if deleted.
    fn put(&mut self, slot: Slot, node: WaypointBuf) -> Result<Slot, Refusal> {
        if self.point(slot).is_some() {
            return Err(Refusal::new(format!("there is a #{slot} already")));
        }
        while self.now.waypoints.len() < slot as usize {
            self.push(WaypointBuf { used: 0, ..WaypointBuf::new([0.0; 3], NodeFlags::default()) });
        }
        if self.now.waypoints.len() == slot as usize {
            return Ok(self.push(node));
        }
        self.change(slot, |now| *now = node);
        Ok(slot)
    }

    fn set(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let word = c.need("a selector")?;
        let given = c.words();
        c.finish()?;
        if given.is_empty() {
            return Err(Refusal::new(format!("nothing to set: {}", KEYS.join(", "))).at(c.at()));
        }
        let slots = s.nodes(self, Some(word))?;
        let mut changed = 0_usize;
        for slot in slots {
            let Some(mut node) = self.point(slot).cloned() else { continue };
            self.fill(&mut node, &given)?;
            changed = changed.saturating_add(self.change(slot, |now| *now = node).into());
        }
        s.say(format!("changed {}", points(changed)));
        Ok(())
    }

    fn delete(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let word = c.take();
        c.finish()?;
        let slots: BTreeSet<Slot> = s.nodes(self, word)?.into_iter().collect();
        let links = self.unlink(|from, to| slots.contains(&from) || slots.contains(&to));
        for slot in &slots {
            self.change(*slot, |node| {
                node.used = 0;
                node.targets.clear();
            });
            s.selection.remove(*slot);
        }
        s.say(format!("deleted {} and {}", points(slots.len()), counted(links as u64, "link", "links")));
        Ok(())
    }

    fn connect(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let both = c.flag("--both");
        let [a, b] = s.pair(self, c)?;
        c.finish()?;
        let ways: &[[Slot; 2]] = if both { &[[a, b], [b, a]] } else { &[[a, b]] };
        let mut made = false;
        for [from, to] in ways.iter().copied() {
            let target = i32::try_from(to).map_err(|_| Refusal::new("its number is too large for a link"))?;
            if self.point(from).is_some_and(|point| !point.targets.contains(&target)) {
                made |= self.change(from, |point| point.targets.push(target));
                s.say(format!("#{from} to #{to}"));
            }
        }
        match made {
            true => Ok(()),
            false => Err(Refusal::new(format!("there is a link from #{a} to #{b} already"))),
        }
    }

    fn disconnect(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let one = c.flag("--one-way");
        let [a, b] = s.pair(self, c)?;
        c.finish()?;
        match self.unlink(|from, to| [from, to] == [a, b] || (!one && [from, to] == [b, a])) {
            0 => Err(Refusal::new(format!("no link joins #{a} and #{b}"))),
            gone => {
                s.say(format!("removed {}", counted(gone as u64, "link", "links")));
                Ok(())
            }
        }
    }

    fn flags(&mut self, set: bool, c: &mut Command<'_>, s: &mut S) -> Fared {
        let names = c.need("names of flags")?;
        let word = c.take();
        c.finish()?;
        let bits = values::flags(names.text, self.game).map_err(|refusal| refusal.at(names.at))?.0;
        let mut changed = 0_usize;
        for slot in s.nodes(self, word)? {
            let new = self.change(slot, |node| {
                node.flags = NodeFlags(if set { node.flags.0 | bits } else { node.flags.0 & !bits });
            });
            changed = changed.saturating_add(new.into());
        }
        s.say(format!("changed {}", points(changed)));
        Ok(())
    }

    fn shift(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let (by, word) = c.shift()?;
        let slots = s.nodes_or_all(self, word)?;
        for slot in &slots {
            self.change(*slot, |node| node.origin.iter_mut().zip(by).for_each(|(value, by)| *value += by));
            if self.point(*slot).is_some_and(|node| !node.origin.iter().all(|value| value.is_finite())) {
                return Err(Refusal::new(format!("#{slot} would lie beyond the largest number")));
            }
        }
        s.say(format!("moved {}", points(slots.len())));
        Ok(())
    }

    fn clean_links(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let word = c.take();
        c.finish()?;
        // Without a selector, those that were deleted as well.
        let slots: Vec<Slot> = match (&word, s.selection.is_empty()) {
            (None, true) => (0..self.now.waypoints.len() as Slot).collect(),
            _ => s.nodes(self, word)?,
        };
        let used: Vec<bool> = self.now.waypoints.iter().map(|point| point.used != 0).collect();
        let mut gone = 0_usize;
        for slot in slots {
            self.change(slot, |node| {
                let (before, mut seen) = (node.targets.len(), BTreeSet::new());
                let is_used = |at: Slot| used.get(at as usize) == Some(&true);
                node.targets.retain(|to| {
                    let target = Slot::try_from(*to).ok().filter(|to| is_used(*to));
                    is_used(slot) && target.is_some_and(|to| to != slot && seen.insert(to))
                });
                gone = gone.saturating_add(before.saturating_sub(node.targets.len()));
            });
        }
        s.say(format!("removed {}", counted(gone as u64, "link", "links")));
        Ok(())
    }
}
