//! The verbs and what they do.

use super::editor::QuakeEditor;
use super::path::{OF_FILE, OF_LINK, OF_NODE, Path, heuristic, link_to, point};
use super::world::{MOST, Slot, Way, Waypoint};
use crate::record::{LadderTraversal, Traversal, Vector};
use navmap_core::edit::points;
use navmap_core::edit::{Apply, Command, Refusal, Scope, Verb, Word, verb};
use navmap_core::text::counted;
use std::collections::BTreeSet;

type Fared = Result<(), Refusal>;
type S = Scope<Slot>;

/// Every verb with what applies it.
#[rustfmt::skip]
pub(super) const VERBS: &[(Verb, Apply<QuakeEditor>)] = &[
    (verb("add", "X,Y,Z | Nodes[N] | Nodes[A].Links[B], then KEY=VALUE...", "make a node, or a link from A to B"), QuakeEditor::add),
    (verb("set", "Nodes[N] | Nodes[A].Links[B] | Settings | SELECTOR, then KEY=VALUE...", "set Origin=X,Y,Z Radius=N Flags=N of nodes, Type=N Traversal=\"FUNNEL START END\" Edict=\"MINS MAXS KEY\" of a link, Heuristic=N of the file"), QuakeEditor::set),
    (verb("delete", "Nodes[N] | Nodes[A].Links[B] | SELECTOR", "delete nodes with their links, or a link"), QuakeEditor::delete),
    (verb("connect", "FROM TO [--both] [KEY=VALUE...]", "link one node to another"), QuakeEditor::connect),
    (verb("disconnect", "A B", "remove the links between two nodes, both ways"), QuakeEditor::disconnect),
    (verb("flag", "NAME[,NAME] [SELECTOR]", "set flags of nodes"), |e, c, s| e.flags(true, c, s)),
    (verb("unflag", "NAME[,NAME] [SELECTOR]", "clear flags of nodes"), |e, c, s| e.flags(false, c, s)),
    (verb("move", "DX DY DZ [SELECTOR]", "move nodes and the ends of their jumps; everything when none is named"), QuakeEditor::shift),
    (verb("clean_links", "[SELECTOR]", "remove links of a node to itself, second links to one node, and links to nodes that do not exist"), QuakeEditor::clean_links),
];

/// Going through the links of a node costs as much as looking at so many, and at each of them.
const CLEANED: usize = 16;

impl QuakeEditor {
    /// A node by its number in a path.
    fn numbered(&self, number: &str, word: &Word<'_>, s: &mut S) -> Result<Slot, Refusal> {
        s.find(self, "", number).map_err(|refusal| refusal.at(word.at))
    }

    /// The link of a path: its source, its target, and its position among the source's links.
    fn link(
        &self,
        path: (&str, &str, usize),
        word: &Word<'_>,
        s: &mut S,
    ) -> Result<(Slot, Slot, usize), Refusal> {
        let (from, to) = (self.numbered(path.0, word, s)?, self.numbered(path.1, word, s)?);
        let found = self.world.node(from).and_then(|node| link_to(node, to, path.2));
        let found = found.ok_or_else(|| {
            let count =
                self.world.node(from).map_or(0, |node| node.links.iter().filter(|way| way.to == to).count());
            let why = match count {
                0 => format!("#{from} has no link to #{to}"),
                count => format!("#{from} has {} to #{to}", counted(count as u64, "link", "links")),
            };
            Refusal::new(why).at(word.at)
        })?;
        Ok((from, to, found))
    }

    /// The nodes that a word selects; without a word, the selected nodes.
    fn nodes(&self, word: Option<Word<'_>>, s: &mut S) -> Result<Vec<Slot>, Refusal> {
        match word {
            Some(word) => match Path::parse(&word)? {
                Some(Path::Node(number)) => Ok(vec![self.numbered(number, &word, s)?]),
                Some(_) => Err(Refusal::new(format!("{} where nodes were expected", word.text)).at(word.at)),
                None => s.select(self, &word),
            },
            None if s.selection.is_empty() => Err(Refusal::new("no node is named or selected")),
            None => Ok(s.selection.items()),
        }
    }

    fn one(&self, word: &Word<'_>, s: &mut S) -> Result<Slot, Refusal> {
        match self.nodes(Some(*word), s)?.as_slice() {
            [one] => Ok(*one),
            many => {
                let why = format!("{} names {} nodes where one was expected", word.text, many.len());
                Err(Refusal::new(why).at(word.at))
            }
        }
    }

    fn add(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let word = c.need("a point or a path")?;
        match Path::parse(&word)? {
            Some(Path::Settings) => Err(Refusal::new("a file has its settings already").at(word.at)),
            Some(Path::Link(from, to, _)) => {
                let (from, to) = (self.numbered(from, &word, s)?, self.numbered(to, &word, s)?);
                self.add_link(from, to, &c.rest()?, s)
            }
            Some(Path::Node(number)) => {
                let slot = number.parse::<Slot>().ok().filter(|slot| *slot < MOST);
                let slot = slot.ok_or_else(|| {
                    Refusal::new(format!(
                        "{number} is no number of a node: at most {}",
                        MOST.saturating_sub(1)
                    ))
                    .at(word.at)
                })?;
                if self.world.node(slot).is_some() {
                    return Err(Refusal::new(format!("there is a #{slot} already")).at(word.at));
                }
                self.add_node(slot, None, c, s)
            }
            None => {
                let at = point(word.text).ok_or_else(|| {
                    Refusal::new(format!("{} where X,Y,Z or a path was expected", word.text)).at(word.at)
                })?;
                self.add_node(self.world.next(), Some(at), c, s)
            }
        }
    }

    fn add_node(&mut self, slot: Slot, at: Option<Vector>, c: &mut Command<'_>, s: &mut S) -> Fared {
        let given = c.rest()?;
        let has = |key: &str| {
            given.iter().any(|word| word.text.get(..key.len()).is_some_and(|k| k.eq_ignore_ascii_case(key)))
        };
        if at.is_none() && !has("Origin=") {
            return Err(Refusal::new("Origin=X,Y,Z is missing").at(c.at()));
        }
        let mut node =
            Waypoint { origin: at.unwrap_or([0.0; 3].into()), flags: 0, radius: 0, links: Vec::new() };
        given.iter().try_for_each(|word| self.terms().set_node(&mut node, word))?;
        if !has("Radius=") {
            let like = self
                .world
                .nearest(node.origin.to_array())
                .and_then(|slot| Some((slot, self.world.node(slot)?.radius)));
            if let Some((other, radius)) = like {
                node.radius = radius;
                s.say(format!("its radius is {radius}, that of #{other}, the nearest"));
            }
        }
        self.world.set(slot, Some(node));
        s.made(slot);
        s.say(format!("made #{slot}"));
        Ok(())
    }

    fn add_link(&mut self, from: Slot, to: Slot, given: &[Word<'_>], s: &mut S) -> Fared {
        let mut way = Way { to, kind: 0, flags: self.usual_flags(), traversal: None, edicts: Vec::new() };
        given.iter().try_for_each(|word| self.terms().set_link(&mut way, word))?;
        if from == to {
            s.say(format!("#{from} is linked to itself"));
        }
        self.world.change(from, |node| node.links.push(way));
        Ok(())
    }

    fn set(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let word = c.need("a path or a selector")?;
        let given = c.rest()?;
        if given.is_empty() {
            let keys = [&OF_NODE[..], &OF_LINK, &OF_FILE].concat().join(", ");
            return Err(Refusal::new(format!("nothing to set: {keys}")).at(c.at()));
        }
        match Path::parse(&word)? {
            Some(Path::Settings) => {
                if !self.terms().layout.heuristic {
                    return Err(Refusal::new("a file of this version stores no heuristic").at(word.at));
                }
                for word in &given {
                    self.world.set_heuristic(heuristic(word)?);
                }
                Ok(())
            }
            Some(Path::Link(from, to, which)) => {
                let (from, _, at) = self.link((from, to, which), &word, s)?;
                let found = self.world.node(from).and_then(|node| node.links.get(at));
                let Some(mut way) = found.cloned() else { return Ok(()) };
                given.iter().try_for_each(|word| self.terms().set_link(&mut way, word))?;
                self.world.change(from, |node| {
                    if let Some(place) = node.links.get_mut(at) {
                        *place = way;
                    }
                });
                Ok(())
            }
            _ => {
                let slots = self.nodes(Some(word), s)?;
                for slot in slots {
                    let Some(mut node) = self.world.node(slot).cloned() else { continue };
                    given.iter().try_for_each(|word| self.terms().set_node(&mut node, word))?;
                    self.world.set(slot, Some(node));
                }
                Ok(())
            }
        }
    }

    fn delete(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let word = c.take();
        c.finish()?;
        if let Some(word) = word
            && let Some(Path::Link(from, to, which)) = Path::parse(&word)?
        {
            let (from, _, at) = self.link((from, to, which), &word, s)?;
            self.world.change(from, |node| _ = node.links.remove(at));
            return Ok(());
        }
        let slots = self.nodes(word, s)?;
        let mut links = 0_usize;
        for slot in &slots {
            for from in self.world.sources(*slot).into_iter().filter(|from| from != slot) {
                self.world.change(from, |node| {
                    let before = node.links.len();
                    node.links.retain(|way| way.to != *slot);
                    links = links.saturating_add(before.saturating_sub(node.links.len()));
                });
            }
            links = links.saturating_add(self.world.node(*slot).map_or(0, |node| node.links.len()));
            self.world.set(*slot, None);
        }
        s.selection.remove_all(slots.iter().copied());
        let (nodes, links) =
            (counted(slots.len() as u64, "node", "nodes"), counted(links as u64, "link", "links"));
        s.say(format!("deleted {nodes} and {links}"));
        Ok(())
    }

    fn connect(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let both = c.flag("--both");
        let (from, to) = (c.need("the node that the link leaves")?, c.need("the node that it reaches")?);
        let given = c.rest()?;
        let (a, b) = (self.one(&from, s)?, self.one(&to, s)?);
        let ways = if both && a != b { vec![(a, b), (b, a)] } else { vec![(a, b)] };
        for (from, to) in ways {
            if self.world.node(from).is_some_and(|node| link_to(node, to, 0).is_some()) {
                let why = format!(
                    "there is a link from #{from} to #{to} already (add Nodes[{from}].Links[{to}] makes another)"
                );
                return Err(Refusal::new(why));
            }
            self.add_link(from, to, &given, s)?;
            s.say(format!("#{from} to #{to}"));
        }
        Ok(())
    }

    fn disconnect(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let (first, second) = (c.need("a node")?, c.need("another node")?);
        c.finish()?;
        let (a, b) = (self.one(&first, s)?, self.one(&second, s)?);
        let mut gone = 0_usize;
        for (from, to) in [(a, b), (b, a)] {
            self.world.change(from, |node| {
                let before = node.links.len();
                node.links.retain(|way| way.to != to);
                gone = gone.saturating_add(before.saturating_sub(node.links.len()));
            });
        }
        if gone == 0 {
            return Err(Refusal::new(format!("no link joins #{a} and #{b}")));
        }
        s.say(format!("removed {}", counted(gone as u64, "link", "links")));
        Ok(())
    }

    fn flags(&mut self, set: bool, c: &mut Command<'_>, s: &mut S) -> Fared {
        let names = c.need("names of flags")?;
        let word = c.take();
        c.finish()?;
        let terms = self.terms();
        let mut bits = 0_u16;
        for name in names.text.split(',') {
            let bit = terms
                .flag(name)
                .ok_or_else(|| Refusal::unknown("flag", name).among(name, terms.flag_names()).at(names.at))?;
            bits |= bit;
        }
        let slots = self.nodes(word, s)?;
        let mut changed = 0_usize;
        for slot in slots {
            let new = self.world.change(slot, |node| {
                node.flags = if set { node.flags | bits } else { node.flags & !bits };
            });
            changed = changed.saturating_add(new.into());
        }
        s.say(format!("changed {}", counted(changed as u64, "node", "nodes")));
        Ok(())
    }

    /// Moves nodes. A jump's take-off moves with its source and its landing with its target. Boxes of entities move only when the
    /// whole graph moves.
    fn shift(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let (by, word) = c.shift()?;
        let slots = match (&word, s.selection.is_empty()) {
            (None, true) => self.world.nodes().map(|(slot, _)| slot).collect(),
            _ => self.nodes(word, s)?,
        };
        let moved: BTreeSet<Slot> = slots.iter().copied().collect();
        let whole = moved.len() == self.world.len();
        let touched: BTreeSet<Slot> =
            moved.iter().copied().chain(moved.iter().flat_map(|slot| self.world.sources(*slot))).collect();
        for slot in touched {
            let leaves = moved.contains(&slot);
            let origin = self.world.node(slot).map(|node| node.origin.to_array()).filter(|_| leaves);
            let origin = origin.map(|at| {
                let beyond = || Refusal::new(format!("#{slot} would lie beyond the largest number"));
                points::moved(at, by).ok_or_else(beyond)
            });
            let origin = origin.transpose()?;
            self.world.change(slot, |node| {
                if let Some(origin) = origin {
                    node.origin = origin.into();
                }
                for way in &mut node.links {
                    let lands = moved.contains(&way.to);
                    way.traversal = way.traversal.map(|ladder| travel(&ladder, [leaves, lands], by));
                    if whole {
                        for (bounds, _) in &mut way.edicts {
                            *bounds =
                                crate::record::Bounds::new(plus(bounds.mins(), by), plus(bounds.maxs(), by));
                        }
                    }
                }
            });
        }
        s.say(format!("moved {}", counted(moved.len() as u64, "node", "nodes")));
        Ok(())
    }

    fn clean_links(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let word = c.take();
        c.finish()?;
        let slots = match (&word, s.selection.is_empty()) {
            (None, true) => self.world.nodes().map(|(slot, _)| slot).collect(),
            _ => self.nodes(word, s)?,
        };
        let mut gone = 0_usize;
        for slot in slots {
            let Some(node) = self.world.node(slot) else { continue };
            self.world.look_at(CLEANED.saturating_add(node.links.len()));
            let mut seen = BTreeSet::new();
            let keeps = node.links.iter().map(|way| way.leads() && way.to != slot && seen.insert(way.to));
            let keeps: Vec<bool> = keeps.collect();
            let goes = keeps.iter().filter(|keep| !**keep).count();
            // Most nodes lose no link, and need no other list.
            if goes > 0 {
                gone = gone.saturating_add(goes);
                let mut keeps = keeps.into_iter();
                self.world.change(slot, |node| node.links.retain(|_| keeps.next() == Some(true)));
            }
        }
        s.say(format!("removed {}", counted(gone as u64, "link", "links")));
        Ok(())
    }
}

fn plus([x, y, z]: [f32; 3], [dx, dy, dz]: [f32; 3]) -> [f32; 3] {
    [x + dx, y + dy, z + dz]
}

/// A traversal with one end or both moved. An unset funnel keeps its spelling.
fn travel(ladder: &LadderTraversal, [leaves, lands]: [bool; 2], by: [f32; 3]) -> LadderTraversal {
    let t = ladder.traversal();
    let when = |moves: bool, at: [f32; 3]| if moves { plus(at, by) } else { at };
    let funnel = if t.funnel().is_some() { when(leaves, t.stored_funnel()) } else { t.stored_funnel() };
    LadderTraversal::new(
        Traversal::new(Some(funnel), when(leaves, t.start()), when(lands, t.end())),
        ladder.plane(),
    )
}
