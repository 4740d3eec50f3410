//! Links over edges: made, removed, cleaned.

use super::super::record::EdgeLink;
use super::commands::{Fared, S};
use super::editor::{Ground, Source2Editor};
use super::values::{areas_of, expected, set_area_of};
use crate::record::{AreaId, LadderId};
use navmap_core::edit::waypoints::links;
use navmap_core::edit::{Command, Refusal, Word};
use std::collections::BTreeSet;

/// Pairs of edges that are compared to find the nearest; areas of more corners have to be told which.
const MOST_PAIRS: usize = 1 << 16;

/// The edge that the value of an option gives, of an area with so many.
fn edge_of(word: Option<Word<'_>>, edges: usize) -> Result<Option<usize>, Refusal> {
    let Some(word) = word else { return Ok(None) };
    let edge = word.text.parse().ok().filter(|edge| *edge < edges);
    edge.map(Some).ok_or_else(|| expected(&word, &format!("an edge below {edges}")))
}

impl Source2Editor {
    /// Links and places of ladders of all areas.
    pub(super) fn link_count(&self) -> usize {
        let of = |ground: &Ground| {
            let ladders = ground.ladders.iter().map(Vec::len).fold(0, usize::saturating_add);
            ground.links().count().saturating_add(ladders)
        };
        self.areas().map(|(_, ground)| of(ground)).fold(0, usize::saturating_add)
    }

    fn edges(&self, slot: u32) -> usize {
        self.ground(slot).map_or(0, |ground| ground.edges.len())
    }

    /// The middle of each edge of an area.
    fn middles(&self, slot: u32) -> Vec<[f32; 3]> {
        let corners = self.outline(slot);
        let next = corners.iter().cycle().skip(1);
        let middle = |([x0, y0, z0], [x1, y1, z1]): (&[f32; 3], &[f32; 3])| {
            [(x0 + x1) / 2.0, (y0 + y1) / 2.0, (z0 + z1) / 2.0]
        };
        corners.iter().zip(next).map(middle).collect()
    }

    /// The edges of two areas whose middles are nearest to each other, of those that are possible.
    fn nearest_edges(&self, [from, to]: [u32; 2], given: [Option<usize>; 2]) -> Result<[usize; 2], Refusal> {
        let [edge, there] = given;
        if let (Some(edge), Some(there)) = (edge, there) {
            return Ok([edge, there]);
        }
        let [middles, others] = [from, to].map(|slot| self.middles(slot));
        let pairs = middles.len().saturating_mul(others.len());
        self.look(pairs);
        if pairs > MOST_PAIRS {
            return Err(Refusal::new("these have too many edges to compare: --edge and --to say which"));
        }
        let may = |given: Option<usize>, at: usize| given.is_none_or(|given| given == at);
        let mut best: Option<(f32, [usize; 2])> = None;
        for (a, [x0, y0, z0]) in middles.iter().enumerate().filter(|(at, _)| may(edge, *at)) {
            for (b, [x1, y1, z1]) in others.iter().enumerate().filter(|(at, _)| may(there, *at)) {
                let [x, y, z] = [x1 - x0, y1 - y0, z1 - z0];
                let far = x * x + y * y + z * z;
                if best.is_none_or(|(least, _)| far < least) {
                    best = Some((far, [a, b]));
                }
            }
        }
        best.map(|(_, edges)| edges).ok_or_else(|| Refusal::new("an area without corners has no edge"))
    }

    pub(super) fn connect(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let (both, edge, there) = (c.flag("--both"), c.option("--edge")?, c.option("--to")?);
        let [a, b] = s.pair(self, c)?;
        let [from, to] = [self.area(a)?, self.area(b)?];
        let given = [edge_of(edge, self.edges(from))?, edge_of(there, self.edges(to))?];
        c.finish()?;
        let [hull, other] = [from, to].map(|slot| self.hull(slot));
        if hull != other {
            let why = format!(
                "#{} is of hull {hull} and #{} of hull {other}: hulls are meshes of their own",
                self.id(from),
                self.id(to)
            );
            return Err(Refusal::new(why));
        }
        let [edge, there] = self.nearest_edges([from, to], given)?;
        let mut made = usize::from(self.link([from, to], [edge, there]));
        if both {
            made = made.saturating_add(self.link([to, from], [there, edge]).into());
        }
        let ways = if both { "and back" } else { "one way" };
        let (from, to) = (self.id(from), self.id(to));
        s.say(format!("{} from edge {edge} of #{from} to edge {there} of #{to}, {ways}", links(made)));
        Ok(())
    }

    /// Links an edge to an edge, if it is not yet. A link over that edge to another one of the same area goes there instead.
    fn link(&mut self, [from, to]: [u32; 2], [edge, there]: [usize; 2]) -> bool {
        let link = EdgeLink::new(self.id(to), u32::try_from(there).unwrap_or(u32::MAX));
        self.change(from, |ground| {
            let Some(list) = ground.edges.get_mut(edge) else { return };
            match list.iter_mut().find(|old| old.area() == link.area()) {
                Some(old) => *old = link,
                None => list.push(link),
            }
        })
    }

    pub(super) fn disconnect(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let (one, edge) = (c.flag("--one-way"), c.option("--edge")?);
        let [a, b] = s.ends(self, c)?;
        let [from, to] = [self.area(a)?, self.area(b)?];
        let edge = edge_of(edge, self.edges(from))?;
        c.finish()?;
        let mut removed = self.unlink([from, to], edge);
        if !one && edge.is_none() {
            removed = removed.saturating_add(self.unlink([to, from], None));
        }
        if removed == 0 {
            return Err(Refusal::new(format!("no such link joins #{} and #{}", self.id(from), self.id(to))));
        }
        s.say(format!("removed {}", links(removed)));
        Ok(())
    }

    fn unlink(&mut self, [from, to]: [u32; 2], edge: Option<usize>) -> usize {
        let target = self.id(to);
        let before = self.ground(from).map_or(0, |ground| ground.links().count());
        self.change(from, |ground| {
            let lists = ground.edges.iter_mut().enumerate();
            let lists = lists.filter(|(at, _)| edge.is_none_or(|edge| edge == *at));
            lists.for_each(|(_, list)| list.retain(|link| link.area() != target));
        });
        before.saturating_sub(self.ground(from).map_or(0, |ground| ground.links().count()))
    }

    pub(super) fn clean(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        c.finish()?;
        let before = self.link_count();
        self.look(before.saturating_add(self.grounds.len()));
        for slot in 0..self.grounds.len() as u32 {
            let Some(ground) = self.ground(slot) else { continue };
            let now = self.cleaned(slot, ground);
            self.change(slot, |ground| *ground = now);
        }
        let mut ends = 0_usize;
        for slot in 0..self.climbs.len() as u32 {
            let Some(climb) = self.climb(slot) else { continue };
            let mut record = climb.record;
            let astray = |area: &AreaId| area.get() != 0 && self.area_of(area.get()).is_none();
            for (place, _) in (0..).zip(areas_of(&record)).filter(|(_, area)| astray(area)) {
                set_area_of(&mut record, place, AreaId::default());
                ends = ends.saturating_add(1);
            }
            self.change_climb(slot, |climb| climb.record = record);
        }
        let removed = before.saturating_sub(self.link_count()).saturating_add(ends);
        s.say(format!("removed {}", links(removed)));
        Ok(())
    }

    /// An area with the links and ladders alone that lead somewhere, each once.
    fn cleaned(&self, slot: u32, ground: &Ground) -> Ground {
        let mut now = ground.clone();
        let own = self.id(slot);
        for list in &mut now.edges {
            let mut seen = BTreeSet::new();
            list.retain(|link| {
                let target = self.area_of(link.area().get()).filter(|_| link.area() != own);
                let leads = target.is_some_and(|to| (link.edge() as usize) < self.edges(to));
                leads && seen.insert((link.area().get(), link.edge()))
            });
        }
        let exists = |ladder: &LadderId| self.ladder_of(ladder.get()).is_some();
        now.ladders.iter_mut().for_each(|list| list.retain(exists));
        now
    }
}
