//! The verbs, and what each does. Those that move, delete, flag and part waypoints are those of all waypoints.

use super::editor::RcbotEditor;
use super::values::{self, KEYS};
use crate::buf::WaypointBuf;
use crate::flags::NodeFlags;
use crate::layout::{BOT_NODES, Layout};
use navmap_core::edit::points::point;
use navmap_core::edit::waypoints::{Slot, Waypoints, number_of, waypoints};
use navmap_core::edit::{Apply, Command, Refusal, Scope, Verb, Word, verb};

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
    (verb("flag", "NAME[,NAME] [SELECTOR]", "set flags of waypoints"), RcbotEditor::flag),
    (verb("unflag", "NAME[,NAME] [SELECTOR]", "clear flags of waypoints"), RcbotEditor::unflag),
    (verb("move", "DX DY DZ [SELECTOR]", "move waypoints; everything when none is named"), RcbotEditor::shift),
    (verb("clean_links", "[SELECTOR]", "remove links to themselves, second links to one waypoint, and links of and to what does not exist"), RcbotEditor::clean_links),
];

/// The numbers that `--number` may give end before this one. The bot loads far fewer.
const MOST: Slot = 1 << 16;

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
        let number = number_of(c, MOST)?;
        let given = c.rest()?;
        self.fill(&mut node, &given)?;
        let slot = match number {
            Some(slot) => self.put_new(slot, node)?,
            None => self.push(node)?,
        };
        s.made(slot);
        s.say(format!("made #{slot}"));
        if self.missing.contains(&slot) {
            self.say_found(slot, s);
        }
        let count = self.now.waypoints.len();
        if count > BOT_NODES {
            s.say(format!("{count} waypoints: the bot loads {BOT_NODES} at most"));
        }
        Ok(())
    }

    /// Puts a waypoint into the slot of this number, which no other may be in. Slots between the last and it are as if deleted.
    fn put_new(&mut self, slot: Slot, node: WaypointBuf) -> Result<Slot, Refusal> {
        if self.point(slot).is_some() {
            return Err(Refusal::new(format!("there is a #{slot} already")));
        }
        while self.now.waypoints.len() < slot as usize {
            self.push(WaypointBuf { used: 0, ..WaypointBuf::new([0.0; 3], NodeFlags::default()) })?;
        }
        if self.now.waypoints.len() == slot as usize {
            return self.push(node);
        }
        self.change(slot, |now| *now = node);
        Ok(slot)
    }

    fn set(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let word = c.need("a selector")?;
        let given = c.rest()?;
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
        s.say(format!("changed {}", waypoints(changed)));
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
}
