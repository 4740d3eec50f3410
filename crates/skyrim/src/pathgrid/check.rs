//! Counts, and finds what is odd but readable.

use super::graph::{GridGraph, ends};
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
    each(plugin, scratch, found, &mut first, &mut |record, grid, found| {
        counts.add("grids", 1);
        if let Some(grid) = grid {
            counts.add("points", grid.len() as u64);
            errors(record, grid, found);
        }
    });
    first.map_or(Ok(()), Err)
}

/// What is done with a record, and its grid if it has one.
type Each<'e> = dyn FnMut(&GridRecord<'_>, Option<&PathGrid<'_>>, &mut dyn FnMut(Finding)) + 'e;

fn each(
    plugin: &GridPlugin<'_>,
    scratch: &mut Scratch,
    found: &mut dyn FnMut(Finding),
    first: &mut Option<navmap_core::Error>,
    work: &mut Each<'_>,
) {
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
            Ok(grid) => work(&record, grid.as_ref(), found),
            Err(error) => {
                // The record is there, whatever it holds.
                work(&record, None, found);
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
    space: Option<Arc<Space>>,
    found: &'s mut dyn FnMut(Finding),
}

impl<'s> Say<'s> {
    fn new(
        record: &'s GridRecord<'s>,
        grid: Option<&'s PathGrid<'s>>,
        space: Option<Arc<Space>>,
        found: &'s mut dyn FnMut(Finding),
    ) -> Self {
        Self { record, words: OnceCell::new(), grid, space, found }
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
        (self.found)(Finding { space: self.space.clone(), ..finding.placed(place) });
    }
}

/// What makes a grid wrong: counts that contradict each other, and links to points that do not exist.
fn errors(record: &GridRecord<'_>, grid: &PathGrid<'_>, found: &mut dyn FnMut(Finding)) {
    let mut to = Say::new(record, Some(grid), None, found);
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
    each(plugin, scratch, found, &mut None, &mut |record, grid, found| {
        self::record(record, &mut seen, found);
        let Some(grid) = grid else { return };
        errors(record, grid, found);
        let id = record.space(grid);
        let space = Arc::new(id.named(record.space_name(&mut names)));
        cells.extend(grid.points().map(|point| (id.clone(), square(point.position))));
        let words = (!grid.foreign().is_empty()).then(|| record.words(Some(grid))).flatten();
        let words: Arc<str> = words.unwrap_or_default().into();
        for (number, link) in grid.foreign().iter().enumerate() {
            if usize::from(link.point()) < grid.len() {
                let at = (link.point(), number, grid.foreign_at(number));
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
        links(grid, &mut Say::new(record, Some(grid), Some(space), found), record.corner(grid));
    });
    if foreign.is_empty() {
        return;
    }
    // In the order of the graph: by point, and of one point in file order.
    foreign.sort_by_key(|(index, (point, number, _), ..)| (*index, *point, *number));
    for ((index, (point, _, at), words, to, id, space), known) in
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
        let message = format!("{words}: point {point} leads to {to:?} in another cell, and {why}");
        let finding =
            Finding::new(severity, "foreign-link", message).at(*at).in_record("PGRD", (*index).into());
        found(Finding { space: Some(Arc::clone(space)), ..finding.placed(*to) });
    }
}

/// The exterior cell of Oblivion that a point lies in.
fn square([x, y, _]: [f32; 3]) -> [i64; 2] {
    [x, y].map(|value| (f64::from(value) / f64::from(GridGame::Oblivion.cell_size())).floor() as i64)
}

/// Checks the record itself.
fn record(record: &GridRecord<'_>, seen: &mut HashMap<FormId, u32>, found: &mut dyn FnMut(Finding)) {
    let mut to = Say::new(record, None, None, found);
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
            to.say(
                Info,
                "self-link",
                link.offset,
                format!("link {number} joins point {a} with itself"),
                at(a),
            );
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
            let message = format!("link {} joins points {} and {} once more", next.2, next.0, next.1);
            to.say(Info, "repeated-link", next.3, message, at(next.0));
        }
    }
    if old {
        for (a, b, number, offset) in &pairs {
            let back = pairs.partition_point(|(from, target, ..)| (from, target) < (b, a));
            if pairs.get(back).is_none_or(|(from, target, ..)| (from, target) != (b, a)) {
                let message = format!("link {number} leads from point {a} to {b}, and none leads back");
                to.say(Warning, "one-way-link", *offset, message, at(*a));
            }
        }
    }
    if let Some((bits, offset)) = grid.generated().filter(|(bits, _)| bits.len() != len.div_ceil(8)) {
        let message = format!("{} bytes tell which of {len} points the editor has made", bits.len());
        to.say(Info, "generated-bits", offset, message, None);
    }
    let foreign: HashSet<usize> = grid.foreign().iter().map(|link| link.point().into()).collect();
    let alone = |point: &usize| touched.get(*point) == Some(&false) && !foreign.contains(point);
    let isolated: Vec<usize> = (0..len).filter(alone).collect();
    if let Some(first) = isolated.first() {
        let message = match isolated.len() {
            1 => format!("point {first} has no link"),
            more => format!("{more} points have no link, the first is {first}"),
        };
        to.say(Info, "isolated-point", grid.point_at(*first), message, at(*first as u32));
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
