//! The verbs, and what each does.

use super::editor::NodeGraphEditor;
use super::values::{self, KEYS};
use super::world::{End, Slot, Tie};
use crate::buf::NodeBuf;
use crate::flags::{Moves, NodeKind};
use crate::view::{ENGINE_LINKS, ENGINE_NODES};
use navmap_core::edit::points::{moved, point};
use navmap_core::edit::{Apply, Command, Refusal, Scope, Verb, Word, verb};
use navmap_core::text::counted;
use std::collections::BTreeSet;

type Fared = Result<(), Refusal>;
type S = Scope<Slot>;

/// Every verb with what applies it.
#[rustfmt::skip]
pub(super) const VERBS: &[(Verb, Apply<NodeGraphEditor>)] = &[
    (verb("add", "X,Y,Z [KEY=VALUE...]", "make a node: Kind=ground|air|climb Yaw=N HammerId=N Floor=HEIGHT"), NodeGraphEditor::add),
    (verb("set", "SELECTOR KEY=VALUE...", "set Origin=X,Y,Z Kind=NAME Yaw=N HammerId=N Floor=HEIGHT of nodes"), NodeGraphEditor::set),
    (verb("delete", "[SELECTOR]", "delete nodes with their links"), NodeGraphEditor::delete),
    (verb("connect", "A B [MOVES] [--hulls NAME,NAME]", "link two nodes, both ways: ground, jump, fly, climb, joined by +"), NodeGraphEditor::connect),
    (verb("disconnect", "A B", "remove the links between two nodes"), NodeGraphEditor::disconnect),
    (verb("moves", "A B MOVES|none [--hulls NAME,NAME]", "set how hulls pass a link; none closes it to them"), NodeGraphEditor::moves),
    (verb("flag", "NAME[,NAME] [SELECTOR]", "set bits of nodes, such as the hulls that the mapper wants"), |e, c, s| e.flags(true, c, s)),
    (verb("unflag", "NAME[,NAME] [SELECTOR]", "clear bits of nodes"), |e, c, s| e.flags(false, c, s)),
    (verb("move", "DX DY DZ [SELECTOR]", "move nodes; everything when none is named"), NodeGraphEditor::shift),
    (verb("clean_links", "[SELECTOR]", "remove links of a node to itself, second links to one node, links to nodes that do not exist, and links closed to all"), NodeGraphEditor::clean_links),
    (verb("number_zones", "", "give every node the zone of its connected part"), NodeGraphEditor::zones),
];

/// Looking for a link among others costs as much as looking at so many nodes, and numbering zones for each node and link.
const SEARCHED: u64 = 16;
const NUMBERED: u64 = 32;

impl NodeGraphEditor {
    fn add(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let word = c.need("a point")?;
        let at = point(word.text)
            .ok_or_else(|| Refusal::new(format!("{} where X,Y,Z was expected", word.text)).at(word.at))?;
        let mut given = c.rest()?;
        // The kind decides the heights of hulls, and both decide the height of the floor, so it comes last.
        given.sort_by_key(|word| (!begins(word, "kind="), begins(word, "floor=")));
        let mut node = NodeBuf::new(NodeKind::GROUND, at, self.like.hulls);
        for word in &given {
            values::set(&mut node, word)?;
            if begins(word, "kind=") {
                node.offsets = NodeBuf::new(node.kind, at, self.like.hulls).offsets;
            }
        }
        node.zone = 1;
        let slot = self.world.next_node();
        self.world.set_node(slot, Some(node));
        s.made(slot);
        s.say(format!("made #{slot}"));
        let count = self.world.len();
        if count > ENGINE_NODES {
            s.say(format!("{count} nodes: the engine stops at more than {ENGINE_NODES}"));
        }
        Ok(())
    }

    fn set(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let word = c.need("a selector")?;
        let given = c.rest()?;
        if given.is_empty() {
            return Err(Refusal::new(format!("nothing to set: {}", KEYS.join(", "))).at(c.at()));
        }
        for slot in s.nodes(self, Some(word))? {
            let Some(mut node) = self.world.node(slot).cloned() else { continue };
            given.iter().try_for_each(|word| values::set(&mut node, word))?;
            self.world.set_node(slot, Some(node));
        }
        Ok(())
    }

    fn delete(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let word = c.take();
        c.finish()?;
        let (slots, mut links) = (s.nodes(self, word)?, 0_usize);
        for slot in &slots {
            for link in self.world.links_of(*slot) {
                self.world.set_link(link, None);
                links = links.saturating_add(1);
            }
            self.world.set_node(*slot, None);
        }
        s.selection.remove_all(slots.iter().copied());
        let (nodes, links) =
            (counted(slots.len() as u64, "node", "nodes"), counted(links as u64, "link", "links"));
        s.say(format!("deleted {nodes} and {links}"));
        Ok(())
    }

    fn connect(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let hulls = values::hulls(c.option("--hulls")?, self.like.hulls)?;
        let [a, b] = s.pair(self, c)?;
        let how = c.take().map(|word| values::moves(&word)).transpose()?;
        c.finish()?;
        if !self.world.between(a, b).is_empty() {
            return Err(Refusal::new(format!("a link joins #{a} and #{b} already (moves changes it)")));
        }
        let kinds = [a, b].map(|slot| self.world.node(slot).map(|node| node.kind));
        let how = how.unwrap_or(match kinds {
            [Some(NodeKind::AIR), Some(NodeKind::AIR)] => Moves::FLY.0,
            [Some(NodeKind::CLIMB), Some(NodeKind::CLIMB)] => Moves::CLIMB.0,
            _ => Moves::GROUND.0,
        });
        if how == 0 {
            return Err(Refusal::new("a link that no hull passes is none"));
        }
        let mut moves = vec![0; self.like.hulls.into()];
        for hull in hulls {
            moves.get_mut(hull).into_iter().for_each(|moves| *moves = how);
        }
        self.world.set_link(self.world.next_link(), Some(Tie { ends: [a, b].map(End::Node), moves }));
        s.say(format!("#{a} to #{b}: {}", Moves(how)));
        for slot in [a, b] {
            let count = self.world.links_of(slot).len();
            if count > ENGINE_LINKS {
                s.say(format!("#{slot} has {count} links: the engine makes at most {ENGINE_LINKS}"));
            }
        }
        Ok(())
    }

    fn disconnect(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let [a, b] = s.pair(self, c)?;
        c.finish()?;
        let links = self.world.between(a, b);
        if links.is_empty() {
            return Err(Refusal::new(format!("no link joins #{a} and #{b}")));
        }
        links.iter().for_each(|link| self.world.set_link(*link, None));
        s.say(format!("removed {}", counted(links.len() as u64, "link", "links")));
        Ok(())
    }

    fn moves(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let hulls = values::hulls(c.option("--hulls")?, self.like.hulls)?;
        let [a, b] = s.pair(self, c)?;
        let how = values::moves(&c.need("moves, or none")?)?;
        c.finish()?;
        let links = self.world.between(a, b);
        if links.is_empty() {
            return Err(Refusal::new(format!("no link joins #{a} and #{b} (connect makes one)")));
        }
        for slot in links {
            let Some(mut tie) = self.world.link(slot).cloned() else { continue };
            for hull in &hulls {
                tie.moves.get_mut(*hull).into_iter().for_each(|moves| *moves = how);
            }
            if tie.moves.iter().all(|moves| *moves == 0) {
                s.say(format!("no hull passes between #{a} and #{b} any more (disconnect removes the link)"));
            }
            self.world.set_link(slot, Some(tie));
        }
        Ok(())
    }

    fn flags(&mut self, set: bool, c: &mut Command<'_>, s: &mut S) -> Fared {
        let names = c.need("names of flags")?;
        let word = c.take();
        c.finish()?;
        let bits = values::bits(names.text.split(',')).map_err(|refusal| refusal.at(names.at))?;
        if self.like.version == 37 && bits > 0xFFFF {
            return Err(Refusal::new("version 37 stores the lower 16 bits alone").at(names.at));
        }
        let mut changed = 0_usize;
        for slot in s.nodes(self, word)? {
            let new = self.world.change_node(slot, |node| {
                node.info = if set { node.info | bits } else { node.info & !bits };
            });
            changed = changed.saturating_add(new.into());
        }
        s.say(format!("changed {}", counted(changed as u64, "node", "nodes")));
        Ok(())
    }

    fn shift(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let (by, word) = c.shift()?;
        let slots = s.nodes_or_all(self, word)?;
        for slot in &slots {
            let Some(node) = self.world.node(*slot) else { continue };
            let origin = moved(node.origin, by)
                .ok_or_else(|| Refusal::new(format!("#{slot} would lie beyond the largest number")))?;
            self.world.change_node(*slot, |node| node.origin = origin);
        }
        s.say(format!("moved {}", counted(slots.len() as u64, "node", "nodes")));
        Ok(())
    }

    fn clean_links(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let word = c.take();
        c.finish()?;
        let slots: BTreeSet<Slot> = s.nodes_or_all(self, word)?.into_iter().collect();
        s.look(SEARCHED.saturating_mul(self.world.next_link().into()), self)?;
        let all = slots.len() == self.world.len();
        let (mut seen, mut gone) = (BTreeSet::new(), Vec::new());
        for (slot, tie) in self.world.links() {
            let [a, b] = tie.ends;
            let closed = tie.moves.iter().all(|moves| *moves == 0);
            let leads = tie.ends.iter().all(|end| end.slot().is_some());
            // With every node selected, also a link between two that do not exist.
            let ours = all || tie.ends.iter().filter_map(|end| end.slot()).any(|end| slots.contains(&end));
            if ours && (!leads || a == b || closed || !seen.insert([a.min(b), a.max(b)])) {
                gone.push(slot);
            }
        }
        gone.iter().for_each(|link| self.world.set_link(*link, None));
        s.say(format!("removed {}", counted(gone.len() as u64, "link", "links")));
        Ok(())
    }

    fn zones(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        c.finish()?;
        let all = u64::from(self.world.next_node()).saturating_add(self.world.next_link().into());
        s.look(NUMBERED.saturating_mul(all), self)?;
        let mut graph = self.world.to_graph(&self.like)?;
        graph.number_zones();
        let slots: Vec<Slot> = self.world.nodes().map(|(slot, _)| slot).collect();
        let mut changed = 0_usize;
        for (slot, node) in slots.into_iter().zip(graph.nodes) {
            let new = self.world.change_node(slot, |now| now.zone = node.zone);
            changed = changed.saturating_add(new.into());
        }
        s.say(format!("changed {}", counted(changed as u64, "node", "nodes")));
        Ok(())
    }
}

/// Whether a word has this prefix, ignoring case.
fn begins(word: &Word<'_>, key: &str) -> bool {
    word.text.get(..key.len()).is_some_and(|start| start.eq_ignore_ascii_case(key))
}
