//! Differences of two versions of a file as commands, and three-way merges.

use super::editor::{Slot, marks, runs};
use super::order::halves;
use super::values::{fixed, kind_name};
use crate::buf::AasBuf;
use crate::flags::TravelKind;
use crate::graph::AasGraph;
use crate::record::{Reachability, Settings};
use crate::view::AasNav;
use navmap_core::edit::parallel::{Link, Parallel};
use navmap_core::edit::{
    Changes, Deed, Matching, Merge, Merger, Name, Side, Step, Steps, Unreached, Value, Values, Version, Way,
    spell_values,
};
use navmap_core::error::Result;
use navmap_core::graph::FlatGraph;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use zerocopy::IntoBytes;

/// Kinds that concern the file as a whole.
const WHOLE: [&str; 7] = [
    "version",
    "checksum of the map",
    "geometry",
    "clusters and portals",
    "places of lumps",
    "where links begin",
    "bytes after the end",
];

/// A file as one version of several.
#[derive(Debug)]
pub struct AasVersion {
    buf: AasBuf,
    runs: Vec<Range<usize>>,
    /// The areas that are nodes of the graph.
    listed: Vec<Slot>,
}

impl AasVersion {
    pub(super) fn read(nav: &AasNav<'_>) -> Result<Self> {
        let buf = AasBuf::from(nav);
        let runs = runs(&buf)?;
        let listed = AasGraph::new(*nav).areas().map(|area| area as Slot).collect();
        Ok(Self { buf, runs, listed })
    }

    fn links(&self, area: Slot) -> &[Reachability] {
        let run = self.runs.get(area as usize).cloned().unwrap_or(0..0);
        self.buf.reachabilities.get(run).unwrap_or_default()
    }

    /// Whether all links lie one behind the other in the order of their areas, as the compiler writes them.
    fn is_plain(&self) -> bool {
        let mut next = 1_usize;
        let areas = (1..self.buf.areas.len()).zip(self.runs.iter().skip(1));
        let each = areas.map(|(area, run)| {
            let first = self.buf.settings.get(area).and_then(|of| usize::try_from(of.first_link()).ok());
            let plain = first == Some(next);
            next = next.saturating_add(run.len());
            plain
        });
        each.fold(true, |all, plain| all & plain) && next == self.buf.reachabilities.len().max(1)
    }

    /// Areas that both have, by their numbers. Where the files have the same areas, an area is the one of its number.
    fn pairs(&self, after: &Self, matched: &[(u32, u32)]) -> Vec<(Slot, Slot)> {
        if self.buf.areas == after.buf.areas {
            return (1..self.buf.areas.len() as Slot).map(|area| (area, area)).collect();
        }
        let number =
            |(a, b): &(u32, u32)| Some((*self.listed.get(*a as usize)?, *after.listed.get(*b as usize)?));
        matched.iter().filter_map(number).collect()
    }

    fn changes(&self, after: &Self, matched: &[(u32, u32)]) -> Changes {
        let pairs = self.pairs(after, matched);
        let names = pairs.iter().map(|(a, b)| (*b, *a)).collect();
        let mut work =
            Work { before: self, after, names, unreached: Unreached::default(), steps: Steps::default() };
        work.whole();
        pairs.iter().for_each(|pair| work.area(*pair));
        Changes::new(work.steps.in_order(), work.unreached.words(["area", "areas"], &WHOLE), spell)
    }
}

impl Version for AasVersion {
    const MERGE: Option<Merger<Self>> = Some(|base, [ours, theirs], [to_ours, to_theirs]| {
        let (mine, wanted) = (base.changes(ours, to_ours), base.changes(theirs, to_theirs));
        let names =
            base.pairs(ours, to_ours).into_iter().map(|(a, b)| (Name::new(a), Name::new(b))).collect();
        let most = base.buf.areas.len().max(ours.buf.areas.len()) as Slot;
        let [mine, wanted] = [mine, wanted].map(|changes| Side { numbered: true, ..changes.into() });
        Ok(Merge::new(mine, wanted, names, (0..most).map(Name::new), &[]))
    });

    fn difference(
        &self,
        after: &Self,
        [before, now]: [&FlatGraph; 2],
        matching: &dyn Matching,
    ) -> Result<Changes> {
        let same = self.buf.areas == after.buf.areas;
        let matched = if same { Vec::new() } else { matching.pairs(before, now) };
        Ok(self.changes(after, &matched))
    }
}

/// Writes a step as a command.
fn spell(step: &Step, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let item = step.item;
    let nth = |way: u8| u32::from(way).saturating_add(1);
    match &step.deed {
        Deed::Set(values) => write!(f, "set {item}").and_then(|()| spell_values(values, f)),
        Deed::Unlink(way, to) => write!(f, "disconnect {item} {to} --nth {}", nth(*way)),
        Deed::Link(_, to, values) => write!(f, "connect {item} {to}").and_then(|()| spell_values(values, f)),
        Deed::Relink(way, to, values) => {
            write!(f, "set_link {item} {to} --nth {}", nth(*way)).and_then(|()| spell_values(values, f))
        }
        Deed::Command(text) => f.write_str(text),
        // Areas are neither made nor deleted.
        Deed::Delete | Deed::Add(_) => Ok(()),
    }
}

struct Work<'w> {
    before: &'w AasVersion,
    after: &'w AasVersion,
    /// What the old file calls the areas of the new one.
    names: BTreeMap<Slot, Slot>,
    unreached: Unreached,
    steps: Steps,
}

/// What the compiler alone says of an area.
fn kept(of: &Settings) -> (u32, i32, i32) {
    (of.presence().0, of.cluster(), of.cluster_area())
}

impl Work<'_> {
    fn whole(&mut self) {
        let (was, is) = (&self.before.buf, &self.after.buf);
        self.unreached.note("version", was.version != is.version || was.layout != is.layout);
        self.unreached.note("checksum of the map", was.checksum != is.checksum);
        let shapes = was.boxes == is.boxes
            && was.vertices == is.vertices
            && was.planes == is.planes
            && was.edges == is.edges
            && was.edge_index == is.edge_index
            && was.faces == is.faces
            && was.face_index == is.face_index
            && was.areas == is.areas
            && was.nodes == is.nodes;
        self.unreached.note("geometry", !shapes);
        let clusters = was.portals == is.portals
            && was.portal_index == is.portal_index
            && was.clusters == is.clusters
            && was.settings.get(0) == is.settings.get(0);
        self.unreached.note("clusters and portals", !clusters);
        self.unreached.note("bytes after the end", was.trailing != is.trailing);
        self.lumps(was, is);
    }

    /// Whether lumps would be written where they are, and links in the order in which they are.
    fn lumps(&mut self, was: &AasBuf, is: &AasBuf) {
        let table = |bytes: &[u8]| AasNav::parse(bytes).map(|nav| nav.header().lumps).ok();
        let (old, new) = (table(was.bytes()), table(is.bytes()));
        let grown = was.reachabilities.len() != is.reachabilities.len();
        let places = match grown {
            false => old == new,
            true => is.in_order().is_ok_and(|bytes| bytes == is.bytes()),
        };
        self.unreached.note("places of lumps", !places);
        let first = |version: &AasVersion| -> Vec<(i32, i32)> {
            let of = |area| version.buf.settings.get(area).map_or((0, 0), |of| (of.first_link(), of.links()));
            (1..version.buf.areas.len()).map(of).collect()
        };
        let orphans = |version: &AasVersion| -> Vec<Reachability> {
            let mut free = vec![true; version.buf.reachabilities.len()];
            for run in &version.runs {
                free.get_mut(run.clone()).into_iter().flatten().for_each(|free| *free = false);
            }
            let links = version.buf.reachabilities.iter().zip(free).filter(|(_, free)| *free);
            links.map(|(link, _)| *link).collect()
        };
        let plain = self.before.is_plain() && self.after.is_plain();
        let same = plain || first(self.before) == first(self.after);
        let alone = orphans(self.before) == orphans(self.after);
        self.unreached.note("where links begin", !same || !alone);
    }

    fn area(&mut self, (a, b): (Slot, Slot)) {
        let item = Name::new(a);
        let settings = (self.before.buf.settings.get(a as usize), self.after.buf.settings.get(b as usize));
        if let (Some(was), Some(is)) = settings {
            self.unreached.note("clusters and portals", kept(was) != kept(is));
            let fixed = fixed(self.before.buf.meaning());
            let (was, is) = (marks(was), marks(is));
            self.unreached.note("what the compiler says", (was ^ is) & fixed != 0);
            let [old, now] = [was, was & fixed | is & !fixed].map(halves);
            let mut values = Values::new();
            for ((key, old), now) in ["Flags", "Contents"].into_iter().zip(old).zip(now) {
                if old != now {
                    values.insert(key, Value::Text(now.to_string()));
                }
            }
            if !values.is_empty() {
                self.steps.sets.push(Step { item, deed: Deed::Set(values) });
            }
        }
        let steep = |version: &AasVersion, area: Slot| match &version.buf.settings {
            crate::buf::SettingsBuf::Plain(_) => 0,
            crate::buf::SettingsBuf::Steep(list) => {
                list.get(area as usize).map_or(0, |of| of.steepness().to_bits())
            }
        };
        self.unreached.note("steepness", steep(self.before, a) != steep(self.after, b));
        self.links(a, b);
    }

    fn links(&mut self, before: Slot, after: Slot) {
        let item = Name::new(before);
        let (was, is) = (self.before.links(before), self.after.links(after));
        if was.as_bytes() == is.as_bytes() && self.before.buf.areas == self.after.buf.areas {
            return;
        }
        let target = |link: &Reachability| Slot::try_from(link.area()).ok();
        let is_area = |to: &Slot| *to > 0 && self.before.runs.len() > *to as usize;
        let old = leading(was, |link| target(link).filter(is_area));
        let new = leading(is, |link| self.names.get(&target(link)?).copied());
        let astray = old.len() < was.len() || new.len() < is.len();
        self.unreached.note("links that lead nowhere", astray);
        let links = Parallel::new(&old, &new, |link| {
            let mut alike = **link;
            alike.set_area(0);
            alike.as_bytes().to_vec()
        });
        for (to, number) in links.gone {
            let Some(way) = self.way(number) else { continue };
            self.steps.unlinks.push(Step { item, deed: Deed::Unlink(way, Name::new(to)) });
        }
        for Link { to, number, was, is } in links.now {
            let (bare, name) = (Reachability::default(), Name::new(to));
            let (values, whole) = values(was.copied().unwrap_or(&bare), is, was.is_none());
            self.unreached.note("values that are no numbers", !whole);
            if was.is_some() && values.is_empty() {
                continue;
            }
            let Some(way) = self.way(number) else { continue };
            if was.is_some() {
                self.steps.relinks.push(Step { item, deed: Deed::Relink(way, name, values) });
                continue;
            }
            let joins = whole && self.before.buf.may_join(before, to).is_ok();
            self.unreached.note("links between clusters", whole && !joins);
            if joins {
                self.steps.links.push(Step { item, deed: Deed::Link(way, name, values) });
            }
        }
        self.unreached.note("order of links", !links.in_order);
    }

    /// The number of a link as a script has it.
    fn way(&mut self, number: usize) -> Option<Way> {
        let way = Way::try_from(number).ok();
        self.unreached.note("links after 256 others to the same area", way.is_none());
        way
    }
}

/// Links to areas, each with its area.
fn leading(
    links: &[Reachability],
    target: impl Fn(&Reachability) -> Option<Slot>,
) -> Vec<(Slot, &Reachability)> {
    links.iter().filter_map(|link| Some((target(link)?, link))).collect()
}

/// The values of a link that are not those that it had, and whether these are all. A new link has its ends in any case.
fn values(was: &Reachability, is: &Reachability, new: bool) -> (Values, bool) {
    let mut values = Values::new();
    let mut set = |key, differs: bool, text: String| {
        if differs {
            values.insert(key, Value::Text(text));
        }
    };
    // A new one walks if it is not told otherwise.
    let kind = if new { TravelKind::WALK } else { was.kind() };
    set("Kind", kind != is.kind(), kind_name(is.kind()));
    set("Flags", was.flags() != is.flags(), is.flags().0.to_string());
    set("Time", new || was.time() != is.time(), is.time().to_string());
    let numbers = new && matches!(is.kind().0, 11 | 18 | 19);
    set("Face", numbers || was.face() != is.face(), is.face().to_string());
    set("Edge", numbers || was.edge() != is.edge(), is.edge().to_string());
    let mut whole = was.padding() == is.padding();
    for (key, was, is) in [("Start", was.start(), is.start()), ("End", was.end(), is.end())] {
        if new || was.map(f32::to_bits) != is.map(f32::to_bits) {
            let finite = is.iter().all(|value| value.is_finite());
            whole &= finite;
            set(key, finite, is.map(|value| value.to_string()).join(","));
        }
    }
    (values, whole)
}
