//! Counts, and finds what is odd but readable.

use super::graph::{GridGraph, IDS, ends, point_id};
use super::iter::GridRecord;
use super::view::{GridGame, GridPlugin, PathGrid};
use crate::form::FormId;
use crate::survey::damage;
use navmap_core::Severity::{self, Error, Info, Warning};
use navmap_core::bytes::Scratch;
use navmap_core::error::Result;
use navmap_core::{Counts, Finding, Space};
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

/// The counts of a scan, in order.
pub(super) const COUNTS: [&str; 2] = ["grids", "points"];

/// Counts grids and points, and reports what makes a grid wrong. An unreadable part is a finding, and the first such error is the
/// result.
pub(super) fn survey(
    plugin: &GridPlugin<'_>,
    scratch: &mut Scratch,
    counts: &mut Counts,
    found: &mut dyn FnMut(Finding),
) -> Result<()> {
    COUNTS.iter().for_each(|name| counts.add(name, 0));
    let mut first = None;
    each(plugin, scratch, found, &mut first, &mut |record, grid, before, found| {
        counts.add("grids", 1);
        if let Some(grid) = grid {
            counts.add("points", grid.len() as u64);
            errors(&mut Say::new(record, Some(grid), before, None, found), grid);
        }
    });
    first.map_or(Ok(()), Err)
}

/// What is done with a record, and its grid if it has one, after so many points of the file.
type Each<'e> = dyn FnMut(&GridRecord<'_>, Option<&PathGrid<'_>>, u32, &mut dyn FnMut(Finding)) + 'e;

fn each(
    plugin: &GridPlugin<'_>,
    scratch: &mut Scratch,
    found: &mut dyn FnMut(Finding),
    first: &mut Option<navmap_core::Error>,
    work: &mut Each<'_>,
) {
    let mut before = 0_u32;
    for record in plugin.grids() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                found(damage(&error, "damaged-group"));
                first.get_or_insert(error);
                continue;
            }
        };
        match record.grid(scratch) {
            Ok(grid) => {
                work(&record, grid.as_ref(), before, found);
                let points = grid.map_or(0, |grid| grid.len());
                before = before.saturating_add(u32::try_from(points).unwrap_or(u32::MAX));
            }
            Err(error) => {
                // The record is there, whatever it holds.
                work(&record, None, before, found);
                found(damage(&error, "damaged-grid"));
                first.get_or_insert(error);
            }
        }
    }
}

/// Makes findings of one grid.
struct Say<'s> {
    record: &'s GridRecord<'s>,
    /// What its messages begin with, once there is one.
    words: OnceCell<Option<String>>,
    grid: Option<&'s PathGrid<'s>>,
    /// The number of points of the file before the grid.
    before: u32,
    space: Option<Arc<Space>>,
    /// The point that the next finding is about.
    point: Option<u32>,
    found: &'s mut dyn FnMut(Finding),
}

impl<'s> Say<'s> {
    fn new(
        record: &'s GridRecord<'s>,
        grid: Option<&'s PathGrid<'s>>,
        before: u32,
        space: Option<Arc<Space>>,
        found: &'s mut dyn FnMut(Finding),
    ) -> Self {
        Self { record, words: OnceCell::new(), grid, before, space, point: None, found }
    }

    fn id(&self, point: u32) -> u64 {
        point_id(self.record.form_id(), self.before, point)
    }

    /// A point of the grid as people type it.
    fn name(&self, point: u32) -> impl fmt::Display + use<> {
        IDS.name(self.id(point))
    }

    /// The next finding is about this point.
    fn about(&mut self, point: u32) -> &mut Self {
        self.point = Some(point);
        self
    }

    fn say(
        &mut self,
        severity: Severity,
        code: &'static str,
        at: u64,
        message: String,
        place: Option<[f32; 3]>,
    ) {
        let message = match self.words.get_or_init(|| self.record.words(self.grid)) {
            None => message,
            Some(words) => format!("{words}: {message}"),
        };
        let finding =
            Finding::new(severity, code, message).at(at).in_record("PGRD", self.record.index().into());
        let finding = match self.point.take().map(|point| self.id(point)) {
            Some(id) => finding.about(IDS, id),
            None => finding,
        };
        (self.found)(Finding { space: self.space.clone(), ..finding.placed(place) });
    }
}

/// What makes a grid wrong: counts that contradict each other, and links to points that do not exist.
fn errors(to: &mut Say<'_>, grid: &PathGrid<'_>) {
    let (len, claimed) = (grid.len(), grid.claimed_points());
    if len != usize::from(claimed) {
        let message = format!("{claimed} points claimed, there are {len}");
        to.say(Error, "grid-counts", grid.claimed_at(), message, None);
    }
    let (stored, told) = (grid.stored_links() as u64, grid.claimed_links());
    if grid.game() == GridGame::Morrowind && stored != told {
        let message = format!("its points have {told} links, there are {stored}");
        to.say(Error, "grid-counts", grid.links_at(), message, None);
    }
    for (number, link) in grid.links().enumerate() {
        // Oblivion has links with one end.
        let none = grid.game() == GridGame::Oblivion && (link.to == -1 || link.from == -1);
        if !none && ends(link.from, link.to, len).is_none() {
            let message = format!("link {number} joins points {} and {} of {len}", link.from, link.to);
            to.point =
                [link.from, link.to].into_iter().find_map(|end| ends(end, end, len)).map(|(end, _)| end);
            to.say(Error, "point-out-of-range", link.offset, message, None);
        }
    }
    for (number, link) in grid.foreign().iter().enumerate() {
        if usize::from(link.point()) >= len {
            let message = format!("foreign link {number} leaves point {} of {len}", link.point());
            to.say(Error, "point-out-of-range", grid.foreign_at(number), message, None);
        }
    }
}

/// All findings: damage, those of each grid in file order, then those between grids.
pub(super) fn check(plugin: &GridPlugin<'_>, scratch: &mut Scratch, found: &mut dyn FnMut(Finding)) {
    let mut seen = HashMap::new();
    let mut names = Scratch::new();
    let mut foreign = Vec::new();
    let mut cells = HashSet::new();
    each(plugin, scratch, found, &mut None, &mut |record, grid, before, found| {
        self::record(record, &mut seen, found);
        let Some(grid) = grid else { return };
        errors(&mut Say::new(record, Some(grid), before, None, found), grid);
        let id = record.space(grid);
        let space = Arc::new(id.named(record.space_name(&mut names)));
        cells.extend(grid.points().map(|point| (id.clone(), square(point.position))));
        let words = (!grid.foreign().is_empty()).then(|| record.words(Some(grid))).flatten();
        let words: Arc<str> = words.unwrap_or_default().into();
        for (number, link) in grid.foreign().iter().enumerate() {
            if usize::from(link.point()) < grid.len() {
                let point = point_id(record.form_id(), before, link.point().into());
                let at = (link.point(), number, point, grid.foreign_at(number));
                foreign.push((
                    record.index(),
                    at,
                    Arc::clone(&words),
                    link.position(),
                    id.clone(),
                    Arc::clone(&space),
                ));
            }
        }
        links(grid, &mut Say::new(record, Some(grid), before, Some(space), found), record.corner(grid));
    });
    if foreign.is_empty() {
        return;
    }
    // In the order of the graph: by point, and of one point in file order.
    foreign.sort_by_key(|(index, (point, number, ..), ..)| (*index, *point, *number));
    for ((index, (_, _, point, at), words, to, id, space), known) in
        foreign.iter().zip(GridGraph::new(plugin).partners())
    {
        if known {
            continue;
        }
        let there = cells.contains(&(id.clone(), square(*to)));
        let (severity, why) = match there {
            true => (Warning, "no other grid there has a point within 64 units"),
            false => (Info, "the plugin has no grid there"),
        };
        let message =
            format!("{words}: point {} leads to {to:?} in another cell, and {why}", IDS.name(*point));
        let finding = Finding::new(severity, "foreign-link", message).about(IDS, *point);
        let finding = finding.at(*at).in_record("PGRD", (*index).into());
        found(Finding { space: Some(Arc::clone(space)), ..finding.placed(*to) });
    }
}

/// The exterior cell of Oblivion that a point lies in.
fn square([x, y, _]: [f32; 3]) -> [i64; 2] {
    [x, y].map(|value| (f64::from(value) / f64::from(GridGame::Oblivion.cell_size())).floor() as i64)
}

/// Checks the record itself.
fn record(record: &GridRecord<'_>, seen: &mut HashMap<FormId, u32>, found: &mut dyn FnMut(Finding)) {
    let mut to = Say::new(record, None, 0, None, found);
    if record.is_deleted() {
        to.say(Info, "deleted-grid", record.offset(), "deleted".to_owned(), None);
    }
    if !record.form_id().is_null()
        && let Some(first) = seen.insert(record.form_id(), record.index())
    {
        let message = format!("PGRD {first} has the same FormID");
        to.say(Error, "form-id-twice", record.offset(), message, None);
    }
}

/// Checks the links of a grid, and what they connect. Linear, apart from sorting.
fn links(grid: &PathGrid<'_>, to: &mut Say<'_>, corner: [f64; 2]) {
    let len = grid.len();
    let at = |point: u32| grid.point(point as usize).map(|point| point.placed(corner));
    let mut stored = Vec::new();
    let mut touched = vec![false; len];
    let mut parts = Parts::new(len);
    for (number, link) in grid.links().enumerate() {
        let Some((a, b)) = ends(link.from, link.to, len) else { continue };
        if a == b {
            let message = format!("link {number} joins point {} with itself", to.name(a));
            to.about(a).say(Info, "self-link", link.offset, message, at(a));
            continue;
        }
        stored.push((a, b, number, link.offset));
        parts.join(a, b);
        for end in [a, b] {
            touched.get_mut(end as usize).into_iter().for_each(|touched| *touched = true);
        }
    }
    let old = grid.game() == GridGame::Morrowind;
    let mut pairs: Vec<_> = stored
        .iter()
        .map(
            |(a, b, number, at)| {
                if old { (*a, *b, *number, *at) } else { (*a.min(b), *a.max(b), *number, *at) }
            },
        )
        .collect();
    pairs.sort_unstable();
    for (one, next) in pairs.iter().zip(pairs.iter().skip(1)) {
        if (one.0, one.1) == (next.0, next.1) {
            let [a, b] = [next.0, next.1].map(|point| to.name(point));
            let message = format!("link {} joins points {a} and {b} once more", next.2);
            to.about(next.0).say(Info, "repeated-link", next.3, message, at(next.0));
        }
    }
    if old {
        for (a, b, number, offset) in &pairs {
            let back = pairs.partition_point(|(from, target, ..)| (from, target) < (b, a));
            if pairs.get(back).is_none_or(|(from, target, ..)| (from, target) != (b, a)) {
                let [from, target] = [a, b].map(|point| to.name(*point));
                let message =
                    format!("link {number} leads from point {from} to {target}, and none leads back");
                to.about(*a).say(Warning, "one-way-link", *offset, message, at(*a));
            }
        }
    }
    if let Some((bits, offset)) = grid.generated().filter(|(bits, _)| bits.len() != len.div_ceil(8)) {
        let message = format!("{} bytes tell which of {len} points the editor has made", bits.len());
        to.say(Info, "generated-bits", offset, message, None);
    }
    let foreign: HashSet<usize> = grid.foreign().iter().map(|link| link.point().into()).collect();
    let alone = |point: &usize| touched.get(*point) == Some(&false) && !foreign.contains(point);
    let mut isolated = (0..len).filter(alone);
    if let Some(first) = isolated.next() {
        let (point, name) = (first as u32, to.name(first as u32));
        let message = match isolated.count() {
            0 => format!("point {name} has no link"),
            more => format!("{} points have no link, the first is {name}", more.saturating_add(1)),
        };
        to.about(point).say(Info, "isolated-point", grid.point_at(first), message, at(point));
    }
    let islands = (0..len as u32)
        .filter(|point| touched.get(*point as usize) == Some(&true) && parts.root(*point) == *point);
    let islands = islands.count();
    if islands > 1 {
        let message = format!("its points are in {islands} parts that no link joins");
        to.say(Info, "grid-parts", grid.claimed_at(), message, None);
    }
}

/// Connected parts of a grid.
struct Parts(std::cell::RefCell<Vec<u32>>);

impl Parts {
    fn new(len: usize) -> Self {
        Self(std::cell::RefCell::new((0..len as u32).collect()))
    }

    fn root(&self, point: u32) -> u32 {
        let mut above = self.0.borrow_mut();
        let mut at = point;
        while let Some(next) = above.get(at as usize).copied().filter(|next| *next != at) {
            let after = above.get(next as usize).copied().unwrap_or(next);
            above.get_mut(at as usize).into_iter().for_each(|place| *place = after);
            at = after;
        }
        at
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        let (low, high) = (a.min(b), a.max(b));
        self.0.get_mut().get_mut(high as usize).into_iter().for_each(|place| *place = low);
    }
}
