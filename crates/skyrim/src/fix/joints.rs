//! Repairs links against the versions of meshes that the game uses.

use super::deed::Repair;
use super::plan::{FixPlan, Said};
use super::rows::{Holds, Packed, Row, Way, reversed_kind};
use crate::buf::{LinkBuf, NavMeshBuf};
use crate::check::links::Key;
use crate::flags::LinkKind;
use crate::form::FormId;
use crate::record::Edge;
use navmap_core::threads::spread;
use std::collections::{BTreeSet, HashMap};

/// The fault of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrong {
    /// The mesh does not exist, or is deleted.
    Nowhere(&'static str),
    /// It has no such triangle.
    OutOfRange(usize),
    /// No link leads back.
    OneWay,
    /// The link back is of another kind.
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
    holds: Option<Holds>,
    ways: &'w [Packed],
}

impl<'w> There<'w> {
    fn new(row: Option<&'w Row>) -> Self {
        Self { holds: row.and_then(|row| row.holds), ways: row.map_or(&[], |row| &row.ways) }
    }

    /// The links of a triangle.
    fn of(&self, triangle: u16) -> impl Iterator<Item = Packed> + use<'w> {
        let start = self.ways.partition_point(|way| way.triangle < triangle);
        let there = self.ways.get(start..).unwrap_or_default().iter();
        there.take_while(move |way| way.triangle == triangle).copied()
    }

    /// The mesh's links that answer one of mesh `owner`, in the order of their triangles.
    fn answers(&self, owner: u32, way: Packed) -> impl Iterator<Item = Packed> + use<'w> {
        let there = self.of(way.target_triangle);
        there.filter(move |back| (back.target, back.target_triangle) == (owner, way.triangle))
    }
}

/// The most edges that are looked at for the links of one mesh: each link is compared with the edges of both meshes.
const MOST_LOOKS: usize = 20_000_000;

/// The most edges that are named where several may be meant.
const MOST_NAMED: usize = 8;

/// An edge of the other mesh that may be the intended target.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    triangle: u16,
    edge: u8,
    apart: f32,
}

impl FixPlan<'_, '_> {
    pub(super) fn links(&mut self) {
        self.links_of(|_| true);
    }

    /// Repairs the links of meshes that lead from or to one of `chosen`.
    pub(super) fn links_around(&mut self, chosen: &BTreeSet<Key>) {
        self.links_of(|way| chosen.contains(&way.owner) || chosen.contains(&way.target));
    }

    fn links_of(&mut self, wanted: impl Fn(&Way) -> bool) {
        self.suspect();
        for own in 0..self.world.rows.rows.len() {
            // A repair here may break something there.
            if !self.world.rows.rows.get(own).is_some_and(|row| row.suspect) {
                continue;
            }
            let Some(owner) = self.world.rows.keys().get(own).copied() else { continue };
            let Some(version) = self.world.winner(owner) else { continue };
            if !self.options.touches(version.plugin) {
                continue;
            }
            let ways = self.world.rows.ways(owner).filter(&wanted);
            let wrong: Vec<Way> = ways.filter(|way| self.wrong(way).is_some()).collect();
            let size = |plan: &Self, key: Key| plan.world.rows.get(key).map_or(0, Row::size);
            let mut looks = 0_usize;
            for way in wrong {
                looks = looks.saturating_add(size(self, owner)).saturating_add(size(self, way.target));
                // An earlier repair may have fixed or moved it.
                let stands = looks > MOST_LOOKS || self.world.rows.ways(owner).any(|now| now == way);
                if let Some(wrong) = self.wrong(&way).filter(|_| stands) {
                    self.mend_link(&way, wrong, looks);
                }
            }
        }
    }

    /// Marks the meshes with an unsound link, on all cores.
    fn suspect(&mut self) {
        let (order, known, rows) = (self.world.order, &self.world.rows, &self.world.rows.rows);
        let look = |(own, row): (usize, &Row)| {
            let own = u32::try_from(own).unwrap_or(u32::MAX);
            let mut last: Option<(u32, There<'_>)> = None;
            row.ways.iter().any(|way| {
                // Links to the same mesh are mostly adjacent.
                let there = match last.take() {
                    Some((target, there)) if target == way.target => there,
                    _ => There::new(rows.get(way.target as usize)),
                };
                let wrong = match there.holds {
                    None => known.key(way.target).is_some_and(|key| order.has(key)),
                    Some(_) => wrong_with(own, *way, &there).is_some(),
                };
                last = Some((way.target, there));
                wrong
            })
        };
        let found: Vec<bool> = {
            use rayon::prelude::*;
            spread(|| rows.par_iter().enumerate().map(look).collect())
        };
        for (row, found) in self.world.rows.rows.iter_mut().zip(found) {
            row.suspect |= found;
        }
    }

    /// The links from where a link arrives to where it begins.
    fn answers(&self, way: &Way) -> impl Iterator<Item = Packed> + use<'_> {
        let rows = &self.world.rows;
        let own = rows.find(way.owner).and_then(|row| u32::try_from(row).ok());
        let (there, way) = (There::new(rows.get(way.target)), *way);
        own.into_iter().flat_map(move |own| there.answers(own, Packed::new(&way, own)))
    }

    /// Whether an edge has a link that is answered.
    fn is_sound(&self, owner: Key, triangle: u16, edge: u8) -> bool {
        let rows = &self.world.rows;
        let links = There::new(rows.get(owner)).of(triangle).filter(|link| link.edge() == edge);
        links.filter_map(|link| rows.way(owner, link)).any(|way| self.answers(&way).next().is_some())
    }

    fn wrong(&self, way: &Way) -> Option<Wrong> {
        let rows = &self.world.rows;
        let there = rows.get(way.target);
        if there.is_none_or(|row| row.holds.is_none()) {
            // It may exist in a file that was not loaded.
            let absent = self.world.order.has(way.target);
            return absent.then_some(Wrong::Nowhere("there is no such navmesh"));
        }
        let number = |key: Key| rows.find(key).and_then(|row| u32::try_from(row).ok());
        let own = number(way.owner)?;
        wrong_with(own, Packed::new(way, number(way.target)?), &There::new(there))
    }

    /// The meshes with links to each of `wanted`.
    pub(super) fn sources(&self, wanted: &BTreeSet<Key>) -> HashMap<Key, BTreeSet<Key>> {
        let mut sources: HashMap<Key, BTreeSet<Key>> = HashMap::new();
        let mut last = None;
        for way in self.world.rows.all_ways() {
            // Links to the same mesh are mostly adjacent.
            if last.replace((way.target, way.owner)) != last && wanted.contains(&way.target) {
                sources.entry(way.target).or_default().insert(way.owner);
            }
        }
        sources
    }

    /// The links from and to a mesh that would not be sound if the game used this version of it (`None`: an empty one), in words.
    pub(super) fn dangling_with(
        &mut self,
        key: Key,
        version: Option<&NavMeshBuf>,
        sources: &BTreeSet<Key>,
    ) -> Vec<String> {
        let Some(row) = self.world.rows.get(key) else { return Vec::new() };
        let stored = (row.holds, row.ways.clone(), row.suspect);
        let holds = version.map_or(Holds::Deleted, |mesh| Holds::Triangles(mesh.triangles.len()));
        let ways = version.map_or_else(Vec::new, |mesh| self.world.ways_of(key, mesh));
        let ways = self.world.rows.pack(&ways);
        if let Some(row) = self.world.rows.get_mut(key) {
            (row.holds, row.ways) = (Some(holds), ways);
        }
        let owners = sources.iter().filter(|owner| **owner != key).chain([&key]);
        let mut lines = Vec::new();
        for way in owners.flat_map(|owner| self.world.rows.ways(*owner)) {
            let concerned = way.owner == key || way.target == key;
            let Some(wrong) = concerned.then(|| self.wrong(&way)).flatten() else { continue };
            let (from, to) = (self.world.called(way.owner), self.world.called(way.target));
            let (here, there) = (way.triangle, way.target_triangle);
            lines.push(format!("triangle {here} of {from} to triangle {there} of {to}: {}", wrong.words()));
        }
        if let Some(row) = self.world.rows.get_mut(key) {
            (row.holds, row.ways, row.suspect) = stored;
        }
        lines
    }

    fn mend_link(&mut self, way: &Way, wrong: Wrong, looks: usize) {
        let Some(version) = self.world.winner(way.owner) else { return };
        let target = self.world.called(way.target);
        let why = wrong.words();
        let what = format!("edge {} of triangle {}: {why}", way.edge, way.triangle);
        let before =
            format!("{} to triangle {} of {target}", LinkKind::from_stored(way.kind), way.target_triangle);
        let fared = match wrong {
            _ if looks > MOST_LOOKS => Err(format!(
                "comparisons for the links of a navmesh: {looks} is over the limit of {MOST_LOOKS}"
            )),
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

    /// Finds the edge of the other mesh that coincides with ours, and links both sides. If there is none, our link is removed.
    fn relink(&mut self, way: &Way) -> Result<String, String> {
        let ours = self.world.edit(way.owner).map_err(|error| error.to_string())?;
        let Some(ends) = ours.mesh.edge_ends(way.triangle, way.edge) else {
            return Err("it has no edge".into());
        };
        let own = self.world.names.number(way.owner);
        let candidates = self.candidates(way, own, ends)?;
        let best = match candidates.as_slice() {
            [] => {
                self.unlink(way)?;
                return Ok("no link".to_owned());
            }
            [best] => *best,
            [best, next, ..] if next.apart > best.apart * 2.0 + 1.0 => *best,
            several => {
                let named = several.iter().take(MOST_NAMED).map(|c| format!("{}/{}", c.triangle, c.edge));
                let more = several.len().checked_sub(MOST_NAMED).filter(|more| *more > 0);
                let named = named.chain(more.map(|more| format!("{more} more"))).collect::<Vec<_>>();
                return Err(format!(
                    "several edges of that navmesh lie there (triangle/edge): {}",
                    named.join(", ")
                ));
            }
        };
        let home = self.home_of_answer(way)?;
        let theirs = self.world.names.number(way.target);
        let forth = LinkBuf { kind: way.kind, navmesh: theirs, triangle: best.triangle, edge: best.edge };
        let back =
            LinkBuf { kind: reversed_kind(way.kind), navmesh: own, triangle: way.triangle, edge: way.edge };
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

    /// Edges of the other mesh that run in the opposite direction within the editor's tolerances, nearest first: borders, and
    /// unsound links to us.
    fn candidates(&mut self, way: &Way, own: FormId, ends: [[f32; 3]; 2]) -> Result<Vec<Candidate>, String> {
        let other = self.world.edit(way.target).map_err(|error| error.to_string())?;
        let mesh = &other.mesh;
        let mut found = Vec::new();
        for (index, triangle) in (0_u16..).zip(&mesh.triangles) {
            for (edge, to) in (0_u8..).zip(triangle.edges()) {
                if way.target == way.owner && (index, edge) == (way.triangle, way.edge) {
                    continue;
                }
                let to_us =
                    |link: u16| mesh.links.get(usize::from(link)).is_some_and(|link| link.navmesh == own);
                let (free, linked) = match to {
                    Edge::Border => (true, false),
                    Edge::Link(link) => (to_us(link), true),
                    Edge::Neighbour(_) => (false, false),
                };
                let Some(apart) = free.then(|| mesh.apart(index, edge, ends)).flatten() else {
                    continue;
                };
                found.push((Candidate { triangle: index, edge, apart }, linked));
            }
        }
        let free = |(near, linked): &(Candidate, bool)| {
            !linked || !self.is_sound(way.target, near.triangle, near.edge)
        };
        let mut found: Vec<Candidate> = found.into_iter().filter(free).map(|(near, _)| near).collect();
        found.sort_by(|a, b| a.apart.total_cmp(&b.apart));
        Ok(found)
    }

    /// Sets the kind of the link back to match ours.
    fn same_kind(&mut self, way: &Way) -> Result<String, String> {
        let back = self.answers(way).next().ok_or("no link leads back")?;
        let home = self.home_of_answer(way)?;
        let edited = self.world.edit(way.target).map_err(|error| error.to_string())?;
        edited.home = home;
        if let Some(link) = edited.mesh.link(back.triangle, back.edge()) {
            let link = LinkBuf { kind: reversed_kind(way.kind), ..link };
            edited.mesh.set_link(back.triangle, back.edge(), link).map_err(|error| error.to_string())?;
        }
        self.world.changed(way.target);
        let where_to = self.in_override(way, home);
        Ok(format!("{} there{where_to}", LinkKind::from_stored(reversed_kind(way.kind))))
    }

    /// Sets the edge that leads back.
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

/// The fault of a link of mesh `owner` to a mesh of the order.
fn wrong_with(owner: u32, way: Packed, there: &There<'_>) -> Option<Wrong> {
    let triangles = match there.holds? {
        Holds::Deleted => return Some(Wrong::Nowhere("that navmesh is deleted")),
        Holds::Damage(_) => return None,
        Holds::Triangles(triangles) => triangles,
    };
    if usize::from(way.target_triangle) >= triangles {
        return Some(Wrong::OutOfRange(triangles));
    }
    let mut answers = there.answers(owner, way);
    let Some(first) = answers.next() else {
        let switched = LinkKind::from_stored(way.kind) == LinkKind::EnableDisable;
        return (!switched).then_some(Wrong::OneWay);
    };
    let (kind, edge) = (reversed_kind(way.kind), way.target_edge());
    let mut same_kind = first.kind == kind;
    let mut same_edge = edge.is_none_or(|edge| edge == first.edge());
    for back in answers {
        same_kind |= back.kind == kind;
        same_edge |= edge == Some(back.edge());
    }
    match (same_kind, same_edge) {
        (false, _) => Some(Wrong::Kind),
        (true, false) => Some(Wrong::Edge(first.edge())),
        (true, true) => None,
    }
}
