//! Differences of two versions of a graph as commands, and three-way merges.

use super::path::{SETTINGS, Terms};
use super::world::{self, Slot, Way, Waypoint};
use crate::write::QuakeBuf;
use navmap_core::edit::parallel::{Link, Parallel};
use navmap_core::edit::{
    self, Changes, Deed, Merge, Name, Side, Step, Steps, Unreached, Value, Values, names, spell_values,
};
use navmap_core::error::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Kinds that concern the graph as a whole.
const WHOLE: [&str; 3] = ["version", "heuristic", "order of nodes"];

/// The commands that turn `before` into `after`, with parts as paths of navjson. `pairs` are the positions, before and after, of
/// nodes that are the same in both. Linear, apart from sorting.
///
/// # Errors
/// If a link of either graph leads nowhere, or belongs to two nodes.
pub fn difference(before: &QuakeBuf, after: &QuakeBuf, pairs: &[(u32, u32)]) -> Result<Changes> {
    let (old, new) = (world::read_sound(before)?, world::read_sound(after)?);
    // New nodes come after all others, so they are ordered by number.
    let known = 0..old.len() as Slot;
    let names = names(pairs.iter().copied(), known, 0..new.len() as Slot, |_| false);
    let terms = Terms { magic: before.version.magic, layout: before.layout };
    let mut work = Work { terms, names, unreached: Unreached::default(), steps: Steps::default() };
    work.unreached.note("version", before.version != after.version || before.layout != after.layout);
    let heuristics = [before.heuristic, after.heuristic];
    if heuristics.map(f32::to_bits) != [heuristics[0].to_bits(); 2] && after.layout.heuristic {
        let reached = before.layout.heuristic && after.heuristic.is_finite();
        work.unreached.note("heuristic", !reached);
        if reached {
            let values = Values::from([("Heuristic", Value::Text(after.heuristic.to_string()))]);
            work.steps.sets.push(Step { item: SETTINGS, deed: Deed::Set(values) });
        }
    }
    work.run(&old, &new, pairs);
    Ok(Changes::new(work.steps.in_order(), work.unreached.words(["node", "nodes"], &WHOLE), spell))
}

/// Merges the changes from `base` to `theirs` into `ours`. `to_ours` and `to_theirs` are the positions, in `base` and the other
/// graph, of nodes that are the same in both. Linear, apart from sorting.
///
/// # Errors
/// Those of [`difference`].
pub fn merge(
    base: &QuakeBuf,
    [ours, theirs]: [&QuakeBuf; 2],
    [to_ours, to_theirs]: [&[(u32, u32)]; 2],
) -> Result<Merge> {
    let (mine, wanted) = (difference(base, ours, to_ours)?, difference(base, theirs, to_theirs)?);
    let names = to_ours.iter().map(|(a, b)| (Name::new(*a), Name::new(*b))).collect();
    let most = base.nodes.len().max(ours.nodes.len()) as Slot;
    let [mine, wanted] = [mine, wanted].map(|changes| Side { numbered: true, ..changes.into() });
    Ok(Merge::new(mine, wanted, names, (0..most).map(Name::new), &[]))
}

/// Writes a step as a command.
fn spell(step: &Step, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let from = step.item.id;
    let link = |way: u8, to: &Name| match way {
        0 => format!("Nodes[{from}].Links[{}]", to.id),
        which => format!("Nodes[{from}].Links[{}:{which}]", to.id),
    };
    let item = if step.item == SETTINGS { SETTINGS.space.to_owned() } else { format!("Nodes[{from}]") };
    match &step.deed {
        Deed::Delete => write!(f, "delete {item}"),
        Deed::Add(values) => write!(f, "add {item}").and_then(|()| spell_values(values, f)),
        Deed::Set(values) => write!(f, "set {item}").and_then(|()| spell_values(values, f)),
        Deed::Unlink(way, to) => write!(f, "delete {}", link(*way, to)),
        Deed::Link(_, to, values) => write!(f, "add {}", link(0, to)).and_then(|()| spell_values(values, f)),
        Deed::Relink(way, to, values) => {
            write!(f, "set {}", link(*way, to)).and_then(|()| spell_values(values, f))
        }
        Deed::Command(text) => f.write_str(text),
    }
}

struct Work {
    terms: Terms,
    names: BTreeMap<Slot, Slot>,
    unreached: Unreached,
    steps: Steps,
}

impl Work {
    fn run(&mut self, old: &[Waypoint], new: &[Waypoint], pairs: &[(u32, u32)]) {
        let stays: BTreeSet<Slot> = pairs.iter().map(|(a, _)| *a).collect();
        let had: BTreeSet<Slot> = pairs.iter().map(|(_, b)| *b).collect();
        for slot in (0..old.len() as Slot).filter(|slot| !stays.contains(slot)) {
            self.steps.gone.push(Step { item: Name::new(slot), deed: Deed::Delete });
        }
        for (at, node) in (0..).zip(new).filter(|(at, _)| !had.contains(at)) {
            let item = Name::new(self.name(at));
            match self.terms.node_values(node) {
                Some(values) => self.steps.made.push(Step { item, deed: Deed::Add(values) }),
                None => {
                    self.unreached.note("origins that are no numbers", true);
                    let mut values = Values::new();
                    values.insert("Origin", Value::Text("0,0,0".to_owned()));
                    self.steps.made.push(Step { item, deed: Deed::Add(values) });
                }
            }
            self.links(item, &[], &node.links);
        }
        for &(a, b) in pairs {
            let (Some(was), Some(is)) = (old.get(a as usize), new.get(b as usize)) else { continue };
            let item = Name::new(a);
            self.node(item, was, is);
            let alive: Vec<&Way> = was.links.iter().filter(|way| stays.contains(&way.to)).collect();
            self.links(item, &alive, &is.links);
        }
        // New nodes come last.
        let order = |b: &Slot| self.names.get(b).copied().unwrap_or(*b);
        let sorted = (0..new.len() as Slot).map(|b| order(&b)).is_sorted();
        self.unreached.note("order of nodes", !sorted);
    }

    fn name(&self, after: Slot) -> Slot {
        self.names.get(&after).copied().unwrap_or(after)
    }

    fn node(&mut self, item: Name, was: &Waypoint, is: &Waypoint) {
        if (was.origin, was.flags, was.radius) == (is.origin, is.flags, is.radius) {
            return;
        }
        let Some(mut values) = self.terms.node_values(is) else {
            return self.unreached.note("origins that are no numbers", true);
        };
        if was.origin == is.origin {
            values.remove("Origin");
        }
        if was.flags == is.flags {
            values.remove("Flags");
        }
        if was.radius == is.radius {
            values.remove("Radius");
        }
        self.steps.sets.push(Step { item, deed: Deed::Set(values) });
    }

    fn links(&mut self, item: Name, old: &[&Way], new: &[Way]) {
        let old: Vec<(Slot, &Way)> = old.iter().map(|way| (way.to, *way)).collect();
        let new: Vec<(Slot, &Way)> = new.iter().map(|way| (self.name(way.to), way)).collect();
        let links = Parallel::new(&old, &new, |way| way.bits());
        for (to, number) in links.gone {
            let Some(way) = self.way(number) else { continue };
            self.steps.unlinks.push(Step { item, deed: Deed::Unlink(way, Name::new(to)) });
        }
        for Link { to, number, was, is } in links.now {
            let (mut values, whole) = self.terms.link_values(is);
            if let Some(was) = was {
                let (old, was_whole) = self.terms.link_values(was);
                values.retain(|key, value| old.get(key) != Some(value));
                let same = was.bits() == is.bits();
                self.unreached.note("traversals or edicts", !(same || whole && was_whole));
                if values.is_empty() {
                    continue;
                }
            } else {
                self.unreached.note("traversals or edicts", !whole);
                values.retain(|_, value| *value != Value::Text("none".to_owned()));
            }
            let (target, Some(way)) = (Name::new(to), self.way(number)) else { continue };
            match was {
                Some(_) => self.steps.relinks.push(Step { item, deed: Deed::Relink(way, target, values) }),
                None => self.steps.links.push(Step { item, deed: Deed::Link(way, target, values) }),
            }
        }
        self.unreached.note("order of links", !links.in_order);
    }

    /// The number of a link as a script has it.
    fn way(&mut self, number: usize) -> Option<edit::Way> {
        let way = edit::Way::try_from(number).ok();
        self.unreached.note("links after 256 others to the same node", way.is_none());
        way
    }
}
