//! Differences of two versions of waypoints as commands, and three-way merges.

use super::editor::Slot;
use crate::buf::{RcbotBuf, WaypointBuf};
use crate::layout::Layout;
use navmap_core::edit::{
    Changes, Deed, Merge, Name, Step, Steps, Unreached, Value, Values, names, spell_values,
};
use navmap_core::error::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Kinds that concern the file as a whole.
const WHOLE: [&str; 3] = ["version", "map and authors", "order of waypoints"];

/// Waypoints as one version of several.
#[derive(Debug)]
pub struct RcbotVersion(pub(super) RcbotBuf);

/// The commands that turn `before` into `after`. `pairs` are the places, among those that were not deleted, of waypoints that
/// are the same in both. Linear, apart from sorting.
pub(super) fn difference(before: &RcbotBuf, after: &RcbotBuf, pairs: &[(u32, u32)]) -> Changes {
    let (old, new) = (slots(before), slots(after));
    let pairs: Vec<(Slot, Slot)> =
        pairs.iter().filter_map(|(a, b)| Some((*old.get(*a as usize)?, *new.get(*b as usize)?))).collect();
    let free = |slot: Slot| before.waypoints.get(slot as usize).is_none_or(|point| point.used == 0);
    let known = 0..before.waypoints.len() as Slot;
    let names = names(pairs.iter().copied(), known, new.iter().copied(), free);
    let mut work = Work { names, unreached: Unreached::default(), steps: Steps::default() };
    work.unreached.note("version", before.version != after.version);
    let head = |buf: &RcbotBuf| (buf.magic, buf.map, buf.flags, buf.authors, buf.trailing.clone());
    work.unreached.note("map and authors", head(before) != head(after));
    let stays: BTreeSet<Slot> = pairs.iter().map(|(a, _)| *a).collect();
    let had: BTreeMap<Slot, Slot> = pairs.iter().map(|(a, b)| (*b, *a)).collect();
    for slot in old.iter().filter(|slot| !stays.contains(slot)) {
        work.steps.gone.push(Step { item: Name::new(*slot), deed: Deed::Delete });
    }
    let layout = Layout::for_version(before.version);
    for slot in &new {
        let Some(is) = after.waypoints.get(*slot as usize) else { continue };
        let item = Name::new(work.name(*slot));
        let was = had.get(slot).and_then(|slot| before.waypoints.get(*slot as usize));
        work.unreached
            .note("values that are no numbers", !is.origin.iter().chain([&is.radius]).all(|v| v.is_finite()));
        let values = values(was, is, layout);
        match was {
            None => work.steps.made.push(Step { item, deed: Deed::Add(values) }),
            Some(_) if values.is_empty() => {}
            Some(_) => work.steps.sets.push(Step { item, deed: Deed::Set(values) }),
        }
        let alive: Vec<Slot> =
            was.map_or_else(Vec::new, |was| targets(was).filter(|to| stays.contains(to)).collect());
        work.links(item, &alive, is);
    }
    let order: Vec<Slot> = new.iter().map(|slot| work.name(*slot)).collect();
    work.unreached.note("order of waypoints", !order.is_sorted());
    work.steps.made.sort_by_key(|step| step.item);
    Changes::new(work.steps.in_order(), work.unreached.words(["waypoint", "waypoints"], &WHOLE), spell)
}

/// Merges the changes from `base` to `theirs` into `ours`.
pub(super) fn merge(
    base: &RcbotVersion,
    [ours, theirs]: [&RcbotVersion; 2],
    [to_ours, to_theirs]: [&[(u32, u32)]; 2],
) -> Result<Merge> {
    let (mine, wanted) = (difference(&base.0, &ours.0, to_ours), difference(&base.0, &theirs.0, to_theirs));
    let (old, new) = (slots(&base.0), slots(&ours.0));
    let name =
        |(a, b): &(u32, u32)| Some((Name::new(*old.get(*a as usize)?), Name::new(*new.get(*b as usize)?)));
    let names = to_ours.iter().filter_map(name).collect();
    let most = base.0.waypoints.len().max(ours.0.waypoints.len()) as Slot;
    Ok(Merge::new(mine.into(), &wanted.into(), names, (0..most).map(Name::new), &[]))
}

/// The numbers of waypoints that were not deleted.
fn slots(buf: &RcbotBuf) -> Vec<Slot> {
    (0..).zip(&buf.waypoints).filter(|(_, point)| point.used != 0).map(|(slot, _)| slot).collect()
}

fn targets(point: &WaypointBuf) -> impl Iterator<Item = Slot> + '_ {
    point.targets.iter().filter_map(|to| Slot::try_from(*to).ok())
}

/// The values of a waypoint that are not those of `was`, or not those of a new one.
fn values(was: Option<&WaypointBuf>, is: &WaypointBuf, layout: Layout) -> Values {
    let bare = WaypointBuf::new([0.0; 3], Default::default());
    let from = was.unwrap_or(&bare);
    let mut values = Values::new();
    let mut set = |key: &'static str, differs: bool, text: String| {
        if differs {
            values.insert(key, Value::Text(text));
        }
    };
    let [x, y, z] = is.origin;
    let moved = from.origin.map(f32::to_bits) != is.origin.map(f32::to_bits);
    let whole = is.origin.iter().all(|value| value.is_finite());
    set("Origin", whole && (was.is_none() || moved), format!("{x},{y},{z}"));
    set("Yaw", from.yaw != is.yaw, is.yaw.to_string());
    set("Flags", from.flags != is.flags, is.flags.0.to_string());
    set("Area", layout.area && from.area != is.area, is.area.to_string());
    let wider = from.radius.to_bits() != is.radius.to_bits() && is.radius.is_finite();
    set("Radius", layout.radius && wider, is.radius.to_string());
    values
}

/// Writes a step as a command.
fn spell(step: &Step, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let item = step.item;
    match &step.deed {
        Deed::Delete => write!(f, "delete {item}"),
        Deed::Add(values) => {
            let mut rest = values.clone();
            let at = rest.remove("Origin").map_or_else(|| "0,0,0".to_owned(), |at| at.to_string());
            write!(f, "add {at} --number {}", item.id).and_then(|()| spell_values(&rest, f))
        }
        Deed::Set(values) => write!(f, "set {item}").and_then(|()| spell_values(values, f)),
        Deed::Unlink(_, to) => write!(f, "disconnect {item} {to} --one-way"),
        Deed::Link(_, to, _) | Deed::Relink(_, to, _) => write!(f, "connect {item} {to}"),
        Deed::Command(text) => f.write_str(text),
    }
}

struct Work {
    /// What the old file calls the waypoints of the new one.
    names: BTreeMap<Slot, Slot>,
    unreached: Unreached,
    steps: Steps,
}

impl Work {
    fn name(&self, after: Slot) -> Slot {
        self.names.get(&after).copied().unwrap_or(after)
    }

    /// The links of a waypoint: those that it had to waypoints that stay, and how it is now.
    fn links(&mut self, item: Name, old: &[Slot], is: &WaypointBuf) {
        let new: Vec<Slot> =
            targets(is).filter(|to| self.names.contains_key(to)).map(|to| self.name(to)).collect();
        self.unreached.note("links that lead nowhere", new.len() != is.targets.len());
        let (had, has): (BTreeSet<Slot>, BTreeSet<Slot>) =
            (old.iter().copied().collect(), new.iter().copied().collect());
        for to in had.difference(&has) {
            self.steps.unlinks.push(Step { item, deed: Deed::Unlink(0, Name::new(*to)) });
        }
        // A new link comes last.
        let mut told: Vec<Slot> = old.iter().copied().filter(|to| has.contains(to)).collect();
        let mut seen = had;
        for to in new.iter().copied().filter(|to| *to != item.id) {
            if seen.insert(to) {
                told.push(to);
                self.steps.links.push(Step { item, deed: Deed::Link(0, Name::new(to), Values::new()) });
            }
        }
        self.unreached.note("order of links", told != new);
    }
}
