//! Repairs links against the versions of meshes that the game uses.

#![forbid(unsafe_code)]

use super::deed::Repair;
use super::plan::{FixPlan, Said};
use super::world::{Holds, Way};
use crate::format::skyrim::buf::{LinkBuf, NavMeshBuf};
use crate::format::skyrim::check::links::Key;
use crate::format::skyrim::flags::LinkKind;
use crate::format::skyrim::form::FormId;
use crate::format::skyrim::record::Edge;
use std::collections::{BTreeSet, HashMap};

/// How far the ends of two edges may lie apart in x and y, and in z: what the editor stitches. Two thirds of sound portals
/// are within 16.
const APART: f32 = 16.0;
const ABOVE: f32 = 64.0;

/// What is wrong with a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrong {
    /// The mesh does not exist, or is deleted.
    Nowhere(&'static str),
    /// It has no such triangle.
    OutOfRange(usize),
    /// No link leads back.
    OneWay,
    /// The way back is of another kind.
    Kind,
    /// Another edge leads back.
    Edge(u8),
}

impl Wrong {
    fn words(self) -> String {
        match self {
            Self::Nowhere(why) => why.to_owned(),
            Self::OutOfRange(triangles) => format!("that navmesh has {triangles} triangles"),
            Self::OneWay => "no link leads back".to_owned(),
            Self::Kind => "the way back is of another kind".to_owned(),
            Self::Edge(_) => "another edge leads back".to_owned(),
        }
    }
}

/// The mesh that a link leads to.
struct There<'w> {
    key: Key,
    holds: Option<Holds>,
    ways: &'w [Way],
}

/// Those of a mesh's links that answer a link to it. They are in the order of their triangles.
fn answers_in<'w>(there: &'w [Way], way: &'w Way) -> impl Iterator<Item = &'w Way> + 'w {
    let start = there.partition_point(|back| back.triangle < way.target_triangle);
    let there = there.get(start..).unwrap_or_default().iter();
    let there = there.take_while(move |back| back.triangle == way.target_triangle);
    there.filter(move |back| (back.target, back.target_triangle) == (way.owner, way.triangle))
}

/// An edge of the other mesh that may be meant.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    triangle: u16,
    edge: u8,
    apart: f32,
}

impl FixPlan<'_, '_> {
    pub(super) fn links(&mut self) {
        let owners: Vec<Key> = self.world.ways.keys().copied().collect();
        self.links_of(owners, |_| true);
    }

    /// Repairs the links of some meshes that lead from or to one of `chosen`.
    pub(super) fn links_around(&mut self, chosen: &BTreeSet<Key>) {
        let sources = self.world.ways.iter().filter(|(owner, ways)| {
            chosen.contains(owner) || ways.iter().any(|way| chosen.contains(&way.target))
        });
        let owners: Vec<Key> = sources.map(|(owner, _)| *owner).collect();
        self.links_of(owners, |way| chosen.contains(&way.owner) || chosen.contains(&way.target));
    }

    fn links_of(&mut self, owners: Vec<Key>, wanted: impl Fn(&Way) -> bool) {
        for owner in owners {
            let Some(version) = self.world.winner(owner) else { continue };
            if !self.options.touches(version.plugin) {
                continue;
            }
            let ways = self.world.ways.get(&owner).map_or(&[][..], Vec::as_slice);
            let wrong = self.wrong_among(ways, &wanted);
            for way in wrong {
                // An earlier repair may have mended it, or moved it.
                let now = self.world.ways.get(&owner).into_iter().flatten().find(|now| **now == way);
                if let Some((way, wrong)) = now.and_then(|way| Some((*way, self.wrong(way)?))) {
                    self.mend_link(&way, wrong);
                }
            }
        }
    }

    /// The links that lead from where a link arrives to where it begins.
    fn answers<'w>(&'w self, way: &'w Way) -> impl Iterator<Item = &'w Way> + 'w {
        answers_in(self.world.ways.get(&way.target).map_or(&[], Vec::as_slice), way)
    }

    fn wrong(&self, way: &Way) -> Option<Wrong> {
        self.wrong_with(way, &self.there(way.target))
    }

    /// The links of one mesh that are not sound. Links to one mesh mostly follow each other.
    fn wrong_among(&self, ways: &[Way], wanted: impl Fn(&Way) -> bool) -> Vec<Way> {
        let mut found = Vec::new();
        let mut last: Option<There<'_>> = None;
        for way in ways.iter().filter(|way| wanted(way)) {
            let there = match last.take() {
                Some(there) if there.key == way.target => there,
                _ => self.there(way.target),
            };
            if self.wrong_with(way, &there).is_some() {
                found.push(*way);
            }
            last = Some(there);
        }
        found
    }

    fn there(&self, key: Key) -> There<'_> {
        let ways = self.world.ways.get(&key).map_or(&[][..], Vec::as_slice);
        There { key, holds: self.world.holds.get(&key).copied(), ways }
    }

    fn wrong_with(&self, way: &Way, there: &There<'_>) -> Option<Wrong> {
        let triangles = match there.holds {
            None if self.world.order.has(way.target) => {
                return Some(Wrong::Nowhere("there is no such navmesh"));
            }
            // It may exist in a file that was not loaded.
            None => return None,
            Some(Holds::Deleted) => return Some(Wrong::Nowhere("that navmesh is deleted")),
            Some(Holds::Damage(_)) => return None,
            Some(Holds::Triangles(triangles)) => triangles,
        };
        if usize::from(way.target_triangle) >= triangles {
            return Some(Wrong::OutOfRange(triangles));
        }
        let mut answers = answers_in(there.ways, way);
        let Some(first) = answers.next() else {
            let switched = LinkKind::from_stored(way.kind) == LinkKind::EnableDisable;
            return (!switched).then_some(Wrong::OneWay);
        };
        let (kind, edge) = (way.reversed_kind(), way.target_edge);
        let (mut same_kind, mut same_edge) = (first.kind == kind, edge.is_none_or(|edge| edge == first.edge));
        for back in answers {
            same_kind |= back.kind == kind;
            same_edge |= edge == Some(back.edge);
        }
        match (same_kind, same_edge) {
            (false, _) => Some(Wrong::Kind),
            (true, false) => Some(Wrong::Edge(first.edge)),
            (true, true) => None,
        }
    }

    /// The meshes that links to each mesh lead from.
    pub(super) fn sources(&self) -> HashMap<Key, BTreeSet<Key>> {
        let mut sources: HashMap<Key, BTreeSet<Key>> = HashMap::new();
        for way in self.world.ways.values().flatten() {
            sources.entry(way.target).or_default().insert(way.owner);
        }
        sources
    }

    /// The links from and to a mesh that would not be sound if the game used this version of it (`None`: one that holds
    /// nothing), in words.
    pub(super) fn dangling_with(
        &mut self,
        key: Key,
        version: Option<&NavMeshBuf>,
        sources: &BTreeSet<Key>,
    ) -> Vec<String> {
        let holds = version.map_or(Holds::Deleted, |mesh| Holds::Triangles(mesh.triangles.len()));
        let ways = version.map_or_else(Vec::new, |mesh| self.world.ways_of(key, mesh));
        let holds = self.world.holds.insert(key, holds);
        let ways = self.world.ways.insert(key, ways);
        let owners = sources.iter().filter(|owner| **owner != key).chain([&key]);
        let around = owners.filter_map(|owner| self.world.ways.get(owner)).flatten();
        let mut lines = Vec::new();
        for way in around.filter(|way| way.owner == key || way.target == key) {
            let Some(wrong) = self.wrong(way) else { continue };
            let (from, to) = (self.world.called(way.owner), self.world.called(way.target));
            let (here, there) = (way.triangle, way.target_triangle);
            lines.push(format!("triangle {here} of {from} to triangle {there} of {to}: {}", wrong.words()));
        }
        match holds {
            Some(holds) => self.world.holds.insert(key, holds),
            None => self.world.holds.remove(&key),
        };
        match ways {
            Some(ways) => self.world.ways.insert(key, ways),
            None => self.world.ways.remove(&key),
        };
        lines
    }

    fn mend_link(&mut self, way: &Way, wrong: Wrong) {
        let Some(version) = self.world.winner(way.owner) else { return };
        let target = self.world.called(way.target);
        let why = wrong.words();
        let what = format!("edge {} of triangle {}: {why}", way.edge, way.triangle);
        let before =
            format!("{} to triangle {} of {target}", LinkKind::from_stored(way.kind), way.target_triangle);
        let fared = match wrong {
            Wrong::Nowhere(_) => self.unlink(way).map(|()| "no link".to_owned()),
            Wrong::OutOfRange(_) | Wrong::OneWay => self.relink(way),
            Wrong::Kind => self.same_kind(way),
            Wrong::Edge(edge) => self.name_edge(way, edge),
        };
        let said = |after: String| Said { repair: Repair::Links, what, before, after };
        match fared {
            Ok(after) => self.note(&version, said(after), None),
            Err(left) => self.note(&version, said(String::new()), Some(left)),
        }
    }

    /// Makes our edge a border.
    fn unlink(&mut self, way: &Way) -> Result<(), String> {
        let edited = self.world.edit(way.owner).map_err(|error| error.to_string())?;
        edited.mesh.unlink(way.triangle, way.edge);
        self.world.changed(way.owner);
        Ok(())
    }

    /// Finds the edge of the other mesh that lies on ours, and links both sides. If there is none, our link goes.
    fn relink(&mut self, way: &Way) -> Result<String, String> {
        let ours = self.world.edit(way.owner).map_err(|error| error.to_string())?;
        let Some(ends) = ours.mesh.edge_ends(way.triangle, way.edge) else {
            return Err("it has no edge".into());
        };
        let own = self.world.names.of(way.owner);
        let candidates = self.candidates(way, own, ends)?;
        let best = match candidates.as_slice() {
            [] => {
                self.unlink(way)?;
                return Ok("no link".to_owned());
            }
            [best] => *best,
            [best, next, ..] if next.apart > best.apart * 2.0 + 1.0 => *best,
            several => {
                let several = several.iter().map(|c| format!("{}/{}", c.triangle, c.edge));
                return Err(format!(
                    "several edges of that navmesh lie there (triangle/edge): {}",
                    several.collect::<Vec<_>>().join(", ")
                ));
            }
        };
        let home = self.home_of_answer(way)?;
        let theirs = self.world.names.of(way.target);
        let forth = LinkBuf { kind: way.kind, navmesh: theirs, triangle: best.triangle, edge: best.edge };
        let back =
            LinkBuf { kind: way.reversed_kind(), navmesh: own, triangle: way.triangle, edge: way.edge };
        for (key, triangle, edge, link) in
            [(way.owner, way.triangle, way.edge, forth), (way.target, best.triangle, best.edge, back)]
        {
            let edited = self.world.edit(key).map_err(|error| error.to_string())?;
            edited.mesh.set_link(triangle, edge, link).map_err(|error| error.to_string())?;
            if key == way.target {
                edited.home = home;
            }
            self.world.changed(key);
        }
        let where_to = self.in_override(way, home);
        Ok(format!("triangle {}, and its edge {} leads back{where_to}", best.triangle, best.edge))
    }

    /// Edges of the other mesh that run the other way within the editor's tolerances, nearest first: borders, and links to
    /// us that are not sound.
    fn candidates(&mut self, way: &Way, own: FormId, ends: [[f32; 3]; 2]) -> Result<Vec<Candidate>, String> {
        let sound: Vec<(u16, u8)> = self
            .world
            .ways
            .get(&way.target)
            .into_iter()
            .flatten()
            .filter(|back| self.answers(back).next().is_some())
            .map(|back| (back.triangle, back.edge))
            .collect();
        let other = self.world.edit(way.target).map_err(|error| error.to_string())?;
        let mesh = &other.mesh;
        let mut found = Vec::new();
        for (index, triangle) in (0_u16..).zip(&mesh.triangles) {
            for (edge, to) in (0_u8..).zip(triangle.edges()) {
                if way.target == way.owner && (index, edge) == (way.triangle, way.edge) {
                    continue;
                }
                let free = match to {
                    Edge::Border => true,
                    Edge::Link(link) => {
                        let to_us = mesh.links.get(usize::from(link)).is_some_and(|link| link.navmesh == own);
                        to_us && !sound.contains(&(index, edge))
                    }
                    Edge::Neighbour(_) => false,
                };
                let Some(apart) = free.then(|| apart(mesh, index, edge, ends)).flatten() else { continue };
                found.push(Candidate { triangle: index, edge, apart });
            }
        }
        found.sort_by(|a, b| a.apart.total_cmp(&b.apart));
        Ok(found)
    }

    /// Gives the link back the kind that belongs to ours.
    fn same_kind(&mut self, way: &Way) -> Result<String, String> {
        let back = self.answers(way).next().copied().ok_or("no link leads back")?;
        let home = self.home_of_answer(way)?;
        let edited = self.world.edit(way.target).map_err(|error| error.to_string())?;
        edited.home = home;
        if let Some(link) = edited.mesh.link(back.triangle, back.edge) {
            let link = LinkBuf { kind: way.reversed_kind(), ..link };
            edited.mesh.set_link(back.triangle, back.edge, link).map_err(|error| error.to_string())?;
        }
        self.world.changed(way.target);
        let where_to = self.in_override(way, home);
        Ok(format!("{} there{where_to}", LinkKind::from_stored(way.reversed_kind())))
    }

    /// Names the edge that leads back.
    fn name_edge(&mut self, way: &Way, right: u8) -> Result<String, String> {
        let edited = self.world.edit(way.owner).map_err(|error| error.to_string())?;
        if let Some(link) = edited.mesh.link(way.triangle, way.edge) {
            let link = LinkBuf { edge: right, ..link };
            edited.mesh.set_link(way.triangle, way.edge, link).map_err(|error| error.to_string())?;
        }
        self.world.changed(way.owner);
        Ok(format!("edge {right}"))
    }
}

/// How far an edge lies from ours, which it runs against; `None` if too far.
fn apart(mesh: &NavMeshBuf, triangle: u16, edge: u8, [from, to]: [[f32; 3]; 2]) -> Option<f32> {
    let [a, b] = mesh.edge_ends(triangle, edge)?;
    let far = |[ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]| {
        let flat = (ax - bx).hypot(ay - by);
        (flat <= APART && (az - bz).abs() <= ABOVE).then_some(flat)
    };
    Some(far(from, b)?.max(far(to, a)?))
}
