//! Scripts of differences in which each split or merge of areas is one command.

use super::between::{difference, spell};
use super::editor::SourceEditor;
use super::geometry::{Axis, edges};
use crate::buf::SourceBuf;
use crate::record::{AreaId, Shape};
use navmap_core::edit::{Changes, Deed, Name, Session, SessionOptions, Step};
use navmap_core::error::Result;
use std::collections::{BTreeSet, HashMap};

/// An area that is several areas of the other mesh, by positions.
pub type Cut = (u32, Vec<u32>);

/// The most parts of one area: nobody cuts more by hand. Finding the cuts takes quadratic time.
const MOST: usize = 64;

/// Like [`difference`], with `nav_split` for old areas that are several now (`split`), and `nav_merge` for several that are one
/// now (`merged`: that one, and the old ones). The commands are run on a copy, and commands for the remaining differences follow.
/// If the result is longer than without splits and merges, they are left out.
///
/// # Errors
/// Those of [`difference`].
pub fn script(
    before: &SourceBuf,
    after: &SourceBuf,
    pairs: &[(u32, u32)],
    [split, merged]: [&[Cut]; 2],
) -> Result<Changes> {
    let plain = difference(before, after, pairs)?;
    if split.is_empty() && merged.is_empty() {
        return Ok(plain);
    }
    let session = Session::new(SourceEditor::new(before.clone())?, SessionOptions::default());
    let ids = |mesh: &SourceBuf| -> Vec<u32> { mesh.areas.iter().map(|area| area.id.get()).collect() };
    let taken: BTreeSet<u32> = ids(before).into_iter().collect();
    let last = taken.iter().copied().chain(ids(after)).filter(|id| *id != u32::MAX).max().unwrap_or(0);
    let mut work = Work { after, session, steps: Vec::new(), now: Vec::new(), taken, last };
    let mut gone: BTreeSet<u32> = BTreeSet::new();
    for (whole, parts) in split {
        if let Some(area) = before.areas.get(*whole as usize)
            && work.attempt(|work| work.split(area.id, parts))
        {
            gone.insert(*whole);
        }
    }
    let kept: HashMap<u32, u32> = pairs.iter().map(|(a, b)| (*b, *a)).collect();
    for (whole, parts) in merged {
        let id = |at: &u32| before.areas.get(*at as usize).map(|area| area.id);
        let keeps = kept.get(whole).filter(|at| parts.contains(at)).and_then(&id);
        let ids: Option<Vec<AreaId>> = parts.iter().map(&id).collect();
        if let Some(ids) = ids
            && !parts.iter().any(|part| gone.contains(part))
            && work.attempt(|work| work.join(&ids, keeps, *whole))
        {
            gone.extend(parts);
        }
    }
    let between = work.session.editor().to_buf();
    let at: HashMap<u32, u32> = between.areas.iter().map(|area| area.id.get()).zip(0..).collect();
    let came: HashMap<u32, u32> = work.now.into_iter().collect();
    let told: BTreeSet<u32> = came.values().copied().collect();
    let mut same: Vec<(u32, u32)> = Vec::new();
    for &(a, b) in pairs.iter().filter(|(a, b)| !gone.contains(a) && !told.contains(b)) {
        let now = before.areas.get(a as usize).and_then(|area| at.get(&area.id.get()));
        same.extend(now.map(|now| (*now, b)));
    }
    same.extend(came.iter().filter_map(|(id, b)| Some((*at.get(id)?, *b))));
    same.sort_unstable();
    let rest = difference(&between, after, &same)?;
    if work.steps.len().saturating_add(rest.steps.len()) > plain.steps.len() {
        return Ok(plain);
    }
    let steps = [work.steps, rest.steps].concat();
    Ok(Changes::new(steps, rest.unreached, spell))
}

struct Work<'m> {
    after: &'m SourceBuf,
    session: Session<SourceEditor>,
    steps: Vec<Step>,
    /// Ids of split or merged areas, with their position in the new mesh.
    now: Vec<(u32, u32)>,
    /// Ids that a half must not have.
    taken: BTreeSet<u32>,
    /// The highest of these and of the ids of the new mesh.
    last: u32,
}

impl Work<'_> {
    /// Runs a sequence of commands, and undoes all of them if it cannot be finished.
    fn attempt(&mut self, run: impl FnOnce(&mut Self) -> Option<()>) -> bool {
        let (steps, done, now) = (self.session.steps(), self.steps.len(), self.now.len());
        if run(self).is_some() {
            return true;
        }
        self.session.undo(self.session.steps().saturating_sub(steps));
        self.steps.truncate(done);
        self.now.truncate(now);
        false
    }

    fn run(&mut self, of: AreaId, text: String) -> Option<()> {
        self.session.line(&text).ok()?;
        self.steps.push(Step { item: Name::new(of.get()), deed: Deed::Command(text) });
        Some(())
    }

    fn shape(&self, id: AreaId) -> Option<Shape> {
        let world = &self.session.editor().world;
        Some(world.area(world.by_id(id)?)?.shape)
    }

    /// Cuts an area along a line that crosses no part, then each half in the same way.
    fn split(&mut self, whole: AreaId, parts: &[u32]) -> Option<()> {
        if parts.len() > MOST {
            return None;
        }
        if let [part] = parts {
            self.now.push((whole.get(), *part));
            return Some(());
        }
        let (axis, at, [low, high]) = self.cut(parts)?;
        let ids = [self.half(&low)?, self.half(&high)?];
        let [a, b] = ids;
        self.run(whole, format!("nav_split #{whole} {}={at} --as {a},{b}", axis.name()))?;
        self.split(a, &low)?;
        self.split(b, &high)
    }

    /// The id of a half: that of the part it becomes, if the id is free.
    fn half(&mut self, parts: &[u32]) -> Option<AreaId> {
        let own = match parts {
            [part] => self.after.areas.get(*part as usize).map(|area| area.id.get()),
            _ => None,
        };
        let free = |id: &u32| ![0, u32::MAX].contains(id) && !self.taken.contains(id);
        let next = || self.last.checked_add(1).filter(|id| *id != u32::MAX);
        let id = own.filter(free).or_else(next)?;
        self.taken.insert(id);
        self.last = self.last.max(id);
        Some(AreaId::new(id))
    }

    /// A line between parts, and the parts on both sides of it.
    fn cut(&self, parts: &[u32]) -> Option<(Axis, f32, [Vec<u32>; 2])> {
        for axis in Axis::BOTH {
            let mut spans: Vec<([f32; 2], u32)> = Vec::with_capacity(parts.len());
            for part in parts {
                spans.push((edges(&self.after.areas.get(*part as usize)?.shape, axis), *part));
            }
            spans.sort_by(|(a, _), (b, _)| a[0].total_cmp(&b[0]));
            let mut end = f32::NEG_INFINITY;
            for (at, ([low, high], _)) in spans.iter().enumerate() {
                if at > 0 && end <= low + 0.01 {
                    let (left, right) = spans.split_at(at);
                    let of = |spans: &[([f32; 2], u32)]| spans.iter().map(|(_, part)| *part).collect();
                    return Some((axis, end, [of(left), of(right)]));
                }
                end = end.max(*high);
            }
        }
        None
    }

    /// Merges areas in pairs that share a whole side, until one is left.
    fn join(&mut self, parts: &[AreaId], keeps: Option<AreaId>, whole: u32) -> Option<()> {
        if parts.len() > MOST {
            return None;
        }
        let mut left = parts.to_vec();
        while left.len() > 1 {
            let (keep, gone) = self.neighbours(&left, keeps)?;
            self.run(keep, format!("nav_merge #{gone} #{keep}"))?;
            left.retain(|id| *id != gone);
        }
        self.now.push((left.first()?.get(), whole));
        Some(())
    }

    /// Two areas that share a whole side; the first one stays.
    fn neighbours(&self, left: &[AreaId], keeps: Option<AreaId>) -> Option<(AreaId, AreaId)> {
        const NEAR: f32 = 0.01;
        let shapes: Option<Vec<(AreaId, Shape)>> =
            left.iter().map(|id| Some((*id, self.shape(*id)?))).collect();
        let shapes = shapes?;
        for (at, (a, shape)) in shapes.iter().enumerate() {
            for (b, other) in shapes.iter().skip(at.saturating_add(1)) {
                let [x, y] = Axis::BOTH.map(|axis| (edges(shape, axis), edges(other, axis)));
                let same =
                    |(p, q): ([f32; 2], [f32; 2])| (p[0] - q[0]).abs() < NEAR && (p[1] - q[1]).abs() < NEAR;
                let meet =
                    |(p, q): ([f32; 2], [f32; 2])| (p[1] - q[0]).abs() < NEAR || (q[1] - p[0]).abs() < NEAR;
                if (same(x) && meet(y)) || (same(y) && meet(x)) {
                    return Some(if keeps == Some(*b) { (*b, *a) } else { (*a, *b) });
                }
            }
        }
        None
    }
}
