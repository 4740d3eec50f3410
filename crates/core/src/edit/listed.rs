//! Differences of two versions of a list of waypoints as commands, and three-way merges.

use super::changes::{Changes, Deed, Name, Step, Steps, Unreached, Value, Values, names, spell_values};
use super::merge::Merge;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The number of a waypoint.
type Slot = u32;

/// A place for a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tie {
    /// Free: links that are made later are put here.
    Free,
    /// A link to this number, which is that of no waypoint.
    Nowhere(i64),
    /// A link to a waypoint.
    To(Slot),
}

/// One version of a list of waypoints, by whose numbers links go, one way each.
pub trait Listed {
    /// The differences that concern the file as a whole, with no count: `version`.
    const WHOLE: &'static [&'static str];

    /// Whether a link that is removed leaves its place free for the next one that is made. Else the links after it move up.
    const PLACED: bool = false;

    /// The number after the last that any waypoint has or had.
    fn slots(&self) -> Slot;

    /// Whether there is a waypoint of this number.
    fn is_used(&self, slot: Slot) -> bool;

    /// Notes differences of the whole that no command can make.
    fn note(&self, after: &Self, unreached: &mut Unreached);

    /// The values of a waypoint of `after` that are not those that it `was` here, or not those of a new one. Those that no command
    /// can give are noted.
    fn values(&self, was: Option<Slot>, after: &Self, is: Slot, unreached: &mut Unreached) -> Values;

    /// The places for links of a waypoint, in order.
    fn ties(&self, slot: Slot) -> Vec<Tie>;

    /// The values of a link of `after` that are not those that it has once both its ends are as they are in `after`; or not those
    /// of a new link. `was` gives its ends here; there is no waypoint at the second one if it led nowhere.
    fn link_values(&self, was: Option<[Slot; 2]>, after: &Self, is: [Slot; 2]) -> Values {
        let _ = (was, after, is);
        Values::new()
    }
}

/// The commands that turn `before` into `after`. `pairs` are the places, among those that were not deleted, of waypoints that
/// are the same in both. Linear, apart from sorting.
pub fn difference<L: Listed>(before: &L, after: &L, pairs: &[(u32, u32)]) -> Changes {
    let (old, new) = (used(before), used(after));
    let pairs: Vec<(Slot, Slot)> =
        pairs.iter().filter_map(|(a, b)| Some((*old.get(*a as usize)?, *new.get(*b as usize)?))).collect();
    let free = |slot: Slot| !before.is_used(slot);
    let names = names(pairs.iter().copied(), 0..before.slots(), new.iter().copied(), free);
    let stays: BTreeSet<Slot> = pairs.iter().map(|(a, _)| *a).collect();
    let had: BTreeMap<Slot, Slot> = pairs.iter().map(|(a, b)| (*b, *a)).collect();
    let made = names.iter().filter(|(slot, _)| !had.contains_key(slot)).map(|(_, name)| *name).collect();
    let (unreached, steps) = (Unreached::default(), Steps::default());
    let mut work = Work { before, after, names, stays, had, made, unreached, steps };
    before.note(after, &mut work.unreached);
    for slot in old.iter().filter(|slot| !work.stays.contains(slot)) {
        work.steps.gone.push(Step { item: Name::new(*slot), deed: Deed::Delete });
    }
    for slot in &new {
        let (item, was) = (Name::new(work.name(*slot)), work.had.get(slot).copied());
        let values = before.values(was, after, *slot, &mut work.unreached);
        match was {
            None => work.steps.made.push(Step { item, deed: Deed::Add(values) }),
            Some(_) if values.is_empty() => {}
            Some(_) => work.steps.sets.push(Step { item, deed: Deed::Set(values) }),
        }
        work.links(item, was, *slot);
    }
    let order: Vec<Slot> = new.iter().map(|slot| work.name(*slot)).collect();
    work.unreached.note(ORDER, !order.is_sorted());
    work.steps.made.sort_by_key(|step| step.item);
    let whole = [L::WHOLE, &[ORDER]].concat();
    Changes::new(work.steps.in_order(), work.unreached.words(["waypoint", "waypoints"], &whole), spell)
}

const ORDER: &str = "order of waypoints";

/// Merges the changes from `base` to `theirs` into `ours`.
pub fn merge<L: Listed>(
    base: &L,
    [ours, theirs]: [&L; 2],
    [to_ours, to_theirs]: [&[(u32, u32)]; 2],
) -> Merge {
    let (mine, wanted) = (difference(base, ours, to_ours), difference(base, theirs, to_theirs));
    let (old, new) = (used(base), used(ours));
    let name =
        |(a, b): &(u32, u32)| Some((Name::new(*old.get(*a as usize)?), Name::new(*new.get(*b as usize)?)));
    let names = to_ours.iter().filter_map(name).collect();
    // A number that neither has is free for what theirs made under it.
    let taken = old.into_iter().chain(new).map(Name::new);
    Merge::new(mine.into(), wanted.into(), names, taken, &[])
}

/// The numbers of waypoints that were not deleted.
fn used(list: &impl Listed) -> Vec<Slot> {
    (0..list.slots()).filter(|slot| list.is_used(*slot)).collect()
}

/// The spelling that lists of waypoints share. An item's place is the value `Origin`.
fn spell(step: &Step, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let item = step.item;
    match &step.deed {
        Deed::Delete => write!(f, "delete {item}"),
        Deed::Add(values) => {
            let mut rest = values.clone();
            let at = rest.remove("Origin").map_or_else(|| "0,0,0".to_owned(), |at: Value| at.to_string());
            write!(f, "add {at} --number {}", item.id).and_then(|()| spell_values(&rest, f))
        }
        Deed::Set(values) => write!(f, "set {item}").and_then(|()| spell_values(values, f)),
        Deed::Unlink(_, to) => write!(f, "disconnect {item} {to} --one-way"),
        Deed::Link(_, to, values) => write!(f, "connect {item} {to}").and_then(|()| spell_values(values, f)),
        Deed::Relink(_, to, values) => {
            write!(f, "set_link {item} {to}").and_then(|()| spell_values(values, f))
        }
        Deed::Command(text) => f.write_str(text),
    }
}

struct Work<'w, L> {
    before: &'w L,
    after: &'w L,
    /// What the old file calls the waypoints of the new one.
    names: BTreeMap<Slot, Slot>,
    /// Those of the old file that the new one has.
    stays: BTreeSet<Slot>,
    /// What waypoints of the new file were in the old one.
    had: BTreeMap<Slot, Slot>,
    /// What those are called that the old file does not have.
    made: BTreeSet<Slot>,
    unreached: Unreached,
    steps: Steps,
}

impl<L: Listed> Work<'_, L> {
    fn name(&self, after: Slot) -> Slot {
        self.names.get(&after).copied().unwrap_or(after)
    }

    /// The links of a waypoint: those that it had to waypoints that stay, and how it is now.
    fn links(&mut self, item: Name, was: Option<Slot>, is: Slot) {
        // All in the names of the old file.
        let mut told = was.map_or_else(Vec::new, |was| self.before.ties(was));
        let (stays, before) = (&self.stays, self.before);
        leave::<L>(&mut told, |to| !stays.contains(&to) && before.is_used(to));
        for tie in &mut told {
            let number = match *tie {
                Tie::To(to) => i64::from(to),
                Tie::Nowhere(number) => number,
                Tie::Free => continue,
            };
            // What led nowhere leads to a waypoint that is made under this number.
            let leads = |to: &Slot| stays.contains(to) || self.made.contains(to);
            *tie = Slot::try_from(number).ok().filter(leads).map_or(Tie::Nowhere(number), Tie::To);
        }
        let now = self.after.ties(is);
        let named = |tie: &Tie| match *tie {
            Tie::To(to) => self.names.get(&to).map_or(Tie::Nowhere(i64::from(to)), |name| Tie::To(*name)),
            other => other,
        };
        let wanted: Vec<Tie> = now.iter().map(named).collect();
        let (had, has): (BTreeSet<Slot>, BTreeSet<Slot>) = (ends(&told).collect(), ends(&wanted).collect());
        for to in had.difference(&has) {
            leave::<L>(&mut told, |other| other == *to);
            self.steps.unlinks.push(Step { item, deed: Deed::Unlink(0, Name::new(*to)) });
        }
        let mut seen = BTreeSet::new();
        for (tie, end) in wanted.iter().zip(&now) {
            let (Tie::To(name), Tie::To(to)) = (*tie, *end) else { continue };
            if u64::from(name) == item.id || !seen.insert(name) {
                continue;
            }
            let was = was.filter(|_| had.contains(&name)).map(|was| [was, name]);
            let values = self.before.link_values(was, self.after, [is, to]);
            let deed = match was {
                None => {
                    match told.iter_mut().find(|tie| **tie == Tie::Free) {
                        Some(free) => *free = Tie::To(name),
                        None => told.push(Tie::To(name)),
                    }
                    Deed::Link(0, Name::new(name), values)
                }
                Some(_) if values.is_empty() => continue,
                Some(_) => Deed::Relink(0, Name::new(name), values),
            };
            self.steps.links.push(Step { item, deed });
        }
        let astray = |ties: &[Tie]| -> Vec<Tie> {
            ties.iter().copied().filter(|tie| matches!(tie, Tie::Nowhere(_))).collect()
        };
        let lost = astray(&told) != astray(&wanted);
        self.unreached.note("links that lead nowhere", lost);
        self.unreached.note("order of links", !lost && !same(&told, &wanted));
    }
}

/// Whether both have the same links in the same places. Free places at the end are none.
fn same(a: &[Tie], b: &[Tie]) -> bool {
    let trimmed = |ties: &[Tie]| {
        let len = ties.iter().rposition(|tie| *tie != Tie::Free).map_or(0, |last| last.saturating_add(1));
        ties.iter().take(len).copied().collect::<Vec<Tie>>()
    };
    trimmed(a) == trimmed(b)
}

/// The waypoints that links lead to.
fn ends(ties: &[Tie]) -> impl Iterator<Item = Slot> + '_ {
    ties.iter().filter_map(|tie| match tie {
        Tie::To(to) => Some(*to),
        _ => None,
    })
}

/// Takes links away.
fn leave<L: Listed>(ties: &mut Vec<Tie>, gone: impl Fn(Slot) -> bool) {
    let goes = |tie: &Tie| matches!(tie, Tie::To(to) if gone(*to));
    match L::PLACED {
        true => ties.iter_mut().filter(|tie| goes(tie)).for_each(|tie| *tie = Tie::Free),
        false => ties.retain(|tie| !goes(tie)),
    }
}
