//! The verbs, and what each does. Those that move, delete, flag and part waypoints are those of all waypoints.

use super::editor::{Spot, YapbEditor};
use super::values::{self, KEYS, LINK_KEYS};
use crate::flags::{LinkFlags, NodeFlags};
use crate::record::{Link, Node};
use crate::view::{GRAPH_NODES, MOST_NODES};
use navmap_core::edit::points::point;
use navmap_core::edit::waypoints::{Slot, Waypoints, links, number_of, waypoints};
use navmap_core::edit::{Apply, Command, Refusal, Scope, Verb, verb};
use std::collections::BTreeSet;

type Fared = Result<(), Refusal>;
type S = Scope<Slot>;

/// Every verb with what applies it.
#[rustfmt::skip]
pub(super) const VERBS: &[(Verb, Apply<YapbEditor>)] = &[
    (verb("add", "X,Y,Z [--number N] [KEY=VALUE...]", "make a waypoint: Flags=NAME,NAME Radius=UNITS Light=N CampStart=PITCH,YAW,0 CampEnd=PITCH,YAW,0"), YapbEditor::add),
    (verb("set", "SELECTOR KEY=VALUE...", "set Origin=X,Y,Z Flags=NAME,NAME|none Radius=UNITS Light=N|none CampStart=PITCH,YAW,0 CampEnd=PITCH,YAW,0 of waypoints"), YapbEditor::set),
    (verb("delete", "[SELECTOR]", "delete waypoints with their links; the file numbers the others anew, the session does not"), YapbEditor::delete),
    (verb("connect", "FROM TO [--both] [--jump] [KEY=VALUE...]", "link one waypoint to another: Flags=jump Velocity=X,Y,Z Distance=UNITS, which is measured if it is not given"), YapbEditor::connect),
    (verb("disconnect", "A B [--one-way]", "remove the links between two waypoints, both ways, or that from A alone"), YapbEditor::disconnect),
    (verb("set_link", "FROM TO KEY=VALUE...", "set Flags=jump|none Velocity=X,Y,Z Distance=UNITS of a link"), YapbEditor::set_link),
    (verb("flag", "NAME[,NAME] [SELECTOR]", "set flags of waypoints"), YapbEditor::flag),
    (verb("unflag", "NAME[,NAME] [SELECTOR]", "clear flags of waypoints"), YapbEditor::unflag),
    (verb("move", "DX DY DZ [SELECTOR]", "move waypoints; everything when none is named. Links with an end that stays are measured again"), YapbEditor::shift),
    (verb("measure", "[SELECTOR]", "measure the links of waypoints again, of all when none is named"), YapbEditor::measure_links),
    (verb("number", "", "number the waypoints by their places, as every real file does"), YapbEditor::number),
    (verb("clean_links", "[SELECTOR]", "remove links to themselves, second links to one waypoint, and links to what does not exist"), YapbEditor::clean_links),
];

/// How many waypoints the bot loads.
const BOT_NODES: usize = GRAPH_NODES;

/// The numbers of waypoints end before this one.
const MOST: Slot = MOST_NODES as Slot;

impl YapbEditor {
    fn add(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let word = c.need("a point")?;
        let at = point(word.text)
            .ok_or_else(|| Refusal::new(format!("{} where X,Y,Z was expected", word.text)).at(word.at))?;
        let number = number_of(c, MOST)?;
        let given = c.rest()?;
        let slot = number.unwrap_or(self.spots.len() as Slot);
        let number = i32::try_from(slot).ok().filter(|_| slot < MOST);
        let number = number.ok_or_else(|| Refusal::new(format!("links reach {MOST} waypoints")))?;
        let mut node = Node::new(number, NodeFlags(0), at);
        given.iter().try_for_each(|word| values::set(&mut node, word, self.holds))?;
        self.put_new(slot, node)?;
        s.made(slot);
        s.say(format!("made #{slot}"));
        if self.missing.contains(&slot) {
            self.say_found(slot, s);
        }
        let count = self.used().count();
        if count > BOT_NODES {
            s.say(format!("{count} waypoints: the bot loads {BOT_NODES} at most"));
        }
        Ok(())
    }

    /// Puts a node into the slot of this number, which no other may be in. Slots between the last and it are as if deleted.
    fn put_new(&mut self, slot: Slot, node: Node) -> Fared {
        if self.node(slot).is_some() {
            return Err(Refusal::new(format!("there is a #{slot} already")));
        }
        while self.spots.len() < slot as usize {
            self.push(Node::new(-1, NodeFlags(0), [0.0; 3]), false)?;
        }
        if self.spots.len() == slot as usize {
            self.push(node, true)?;
        } else {
            self.change(slot, |spot| *spot = Spot { node, used: true });
        }
        Ok(())
    }

    fn set(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let word = c.need("a selector")?;
        let given = c.rest()?;
        if given.is_empty() {
            return Err(Refusal::new(format!("nothing to set: {}", KEYS.join(", "))).at(c.at()));
        }
        let (mut changed, mut moved) = (0_usize, Vec::new());
        for slot in s.nodes(self, Some(word))? {
            let Some(was) = self.node(slot) else { continue };
            let mut node = *was;
            given.iter().try_for_each(|word| values::set(&mut node, word, self.holds))?;
            if node.origin().map(f32::to_bits) != was.origin().map(f32::to_bits) {
                moved.push(slot);
            }
            changed = changed.saturating_add(self.change(slot, |spot| spot.node = node).into());
        }
        if !moved.is_empty() {
            self.measure_around(&moved);
        }
        s.say(format!("changed {}", waypoints(changed)));
        Ok(())
    }

    fn connect(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let (both, jump) = (c.flag("--both"), c.flag("--jump"));
        let [a, b] = s.pair(self, c)?;
        let given = c.rest()?;
        if both && given.iter().any(|word| word.text.to_ascii_lowercase().starts_with("velocity=")) {
            return Err(Refusal::new("a jump there and a jump back have two velocities: connect each way"));
        }
        let ways: &[[Slot; 2]] = if both { &[[a, b], [b, a]] } else { &[[a, b]] };
        let mut made = false;
        for [from, to] in ways.iter().copied() {
            if self.targets(from).any(|target| target == Some(to)) {
                continue;
            }
            let target = i16::try_from(to).map_err(|_| Refusal::new("its number is too large for a link"))?;
            if jump && !self.holds.jumps {
                return Err(Refusal::new(format!("{} does not store how a link is passed", self.holds.form)));
            }
            let flags = if jump { LinkFlags::JUMP } else { LinkFlags(0) };
            let mut link = Link::new(target, flags, self.measured(from, to).unwrap_or(0), [0.0; 3]);
            given.iter().try_for_each(|word| values::set_link(&mut link, word, self.holds))?;
            let most = self.holds.links;
            let slots = self.node(from).map(|node| *node.slots());
            let free = slots.and_then(|slots| slots.iter().take(most).position(|slot| !slot.is_used()));
            let free =
                free.ok_or_else(|| Refusal::new(format!("#{from} has {most} links, and no more fit")))?;
            made |= self.change(from, |spot| {
                spot.node.slots_mut().get_mut(free).into_iter().for_each(|slot| *slot = link);
            });
            s.say(format!("#{from} to #{to}"));
        }
        match made {
            true => Ok(()),
            false => Err(Refusal::new(format!("there is a link from #{a} to #{b} already"))),
        }
    }

    fn set_link(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let [from, to] = s.pair(self, c)?;
        let given = c.rest()?;
        if given.is_empty() {
            return Err(Refusal::new(format!("nothing to set: {}", LINK_KEYS.join(", "))).at(c.at()));
        }
        let none = || Refusal::new(format!("there is no link from #{from} to #{to}"));
        let mut slots = self.node(from).map(|node| *node.slots()).ok_or_else(none)?;
        let leads = |link: &&mut Link| link.is_used() && Slot::try_from(link.target()) == Ok(to);
        let link = slots.iter_mut().find(leads).ok_or_else(none)?;
        given.iter().try_for_each(|word| values::set_link(link, word, self.holds))?;
        let changed = self.change(from, |spot| *spot.node.slots_mut() = slots);
        s.say(format!("changed {}", links(changed.into())));
        Ok(())
    }

    fn measure_links(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let word = c.take();
        c.finish()?;
        let slots: BTreeSet<Slot> = s.nodes_or_all(self, word)?.into_iter().collect();
        let changed = self.measure(|from, _| slots.contains(&from));
        s.say(format!("measured {}", links(changed)));
        Ok(())
    }

    fn number(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        c.finish()?;
        let slots: Vec<Slot> = self.used().collect();
        self.look(slots.len().saturating_mul(16));
        let mut changed = 0_usize;
        for slot in slots {
            let Ok(number) = i32::try_from(slot) else { continue };
            changed = changed.saturating_add(self.change(slot, |spot| spot.node.set_number(number)).into());
        }
        s.say(format!("numbered {}", waypoints(changed)));
        Ok(())
    }
}
