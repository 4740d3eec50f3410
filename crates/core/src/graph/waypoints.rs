//! Points and lines as waypoints and the ways between them, as exported graphs have them.

use super::{Line, LinkKind, Scene};
use crate::error::{Error, Result};
use std::collections::{HashMap, HashSet};

/// What a scene of points and lines is as a graph.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Waypoints<'s> {
    /// Where the waypoints are: every point, and every end of a way that is at none.
    pub places: Vec<[f64; 3]>,
    /// The ways, in the order of their lines.
    pub ways: Vec<Way<'s>>,
}

/// A way from one waypoint to another.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Way<'s> {
    /// The waypoints, as indices of [`Waypoints::places`].
    pub ends: [u32; 2],
    /// Whether it cannot be walked back: the material is `oneway`, begins with it, or is `path`.
    pub one_way: bool,
    /// What else the material says: `long_jump` of `oneway_long_jump`. Empty if that is nothing.
    pub name: &'s str,
    /// The kind that the object says: `links: jump`.
    pub kind: Option<LinkKind>,
    /// Two places between its ends, where it leads over places that are no waypoints: take-off and landing.
    pub path: Option<[[f64; 3]; 2]>,
    /// Where it stands in the file.
    pub line: u32,
}

/// The material of faces that are pictures of waypoints, in exported GLB.
const DISC: &str = "waypoint";
/// The material of lines that lead from one waypoint to another over places that are none.
const PATH: &str = "path";

/// One way and its name, by the name of a material.
fn direction(material: &str) -> (bool, &str) {
    match material.split_at_checked("oneway".len()) {
        Some((head, rest)) if head.eq_ignore_ascii_case("oneway") => {
            (true, rest.trim_start_matches(['_', ' ']))
        }
        _ if material == PATH => (true, ""),
        _ if material == "line" => (false, ""),
        _ => (false, material),
    }
}

/// The kind of link that the name of an object says.
fn kind(object: &str) -> Option<LinkKind> {
    let name = object.strip_prefix("links:")?.trim_start_matches([' ', '_']);
    LinkKind::ALL.into_iter().find(|kind| kind.name() == name)
}

impl Way<'_> {
    /// What is said of it: by the material, else by the object.
    pub fn word(&self) -> &str {
        match self.kind {
            Some(kind) if self.name.is_empty() => kind.name(),
            _ => self.name,
        }
    }
}

impl Scene {
    /// The scene as waypoints and ways. An end of a line at the place of a point is that point. Lines of material `path`
    /// that go on from each other are one way. Faces of material `waypoint` are pictures.
    ///
    /// # Errors
    /// If there are other faces, no points and no lines, or a line from a waypoint to itself.
    pub fn waypoints(&self) -> Result<Waypoints<'_>> {
        let faces = self.polygons.iter().filter(|face| self.material(face.material) != DISC).count();
        if faces > 0 {
            return Err(Error::invalid("mesh", format!("{faces} faces; a graph has points and lines")));
        }
        let key = |at: u32| self.position(at).map(f64::to_bits);
        let mut by_place = HashMap::with_capacity(self.points.len());
        for point in &self.points {
            by_place.entry(key(*point)).or_insert(*point);
        }
        let named: HashSet<u32> = self.points.iter().copied().collect();
        let point =
            |end: u32| if named.contains(&end) { Some(end) } else { by_place.get(&key(end)).copied() };
        // Every way by the positions that it leads over.
        let mut over: Vec<(Vec<u32>, Line)> = Vec::with_capacity(self.lines.len());
        let mut open = false;
        for line in &self.lines {
            let [a, b] = line.ends;
            let is_path = self.material(line.material) == PATH;
            match over.last_mut() {
                Some((way, _)) if open && is_path && way.last() == Some(&a) => way.push(b),
                _ => over.push((vec![a, b], *line)),
            }
            // A point that is named ends a path. In GLB lines have ends of their own, so there it ends where none goes on.
            open = is_path && !named.contains(&b);
        }
        // A path that leads to no waypoint leads nowhere.
        over.retain(|(way, line)| {
            let ends = [way.first(), way.last()];
            self.material(line.material) != PATH
                || ends.iter().all(|end| end.is_some_and(|end| point(*end).is_some()))
        });
        let mut used = vec![false; self.positions.len()];
        let mut ends = Vec::with_capacity(over.len());
        for (way, _) in &over {
            let pair = [way.first(), way.last()].map(|end| end.map_or(0, |end| point(*end).unwrap_or(*end)));
            ends.push(pair);
        }
        for at in self.points.iter().chain(ends.iter().flatten()) {
            used.get_mut(*at as usize).into_iter().for_each(|used| *used = true);
        }
        let mut made = Waypoints::default();
        let mut numbers = vec![0_u32; used.len()];
        for (at, number) in numbers.iter_mut().enumerate().filter(|(at, _)| used.get(*at) == Some(&true)) {
            *number = made.places.len() as u32;
            made.places.push(self.position(at as u32));
        }
        if made.places.is_empty() {
            return Err(Error::invalid("mesh", "no points and no lines"));
        }
        for ((way, line), pair) in over.iter().zip(ends) {
            let [a, b] = pair.map(|end| numbers.get(end as usize).copied().unwrap_or(0));
            if a == b {
                let why = format!("{}: a line from a waypoint to itself", self.place(line.line));
                return Err(Error::invalid("mesh", why));
            }
            let (one_way, name) = direction(self.material(line.material));
            let path = match way.as_slice() {
                [_, start, end, _] => Some([*start, *end].map(|at| self.position(at))),
                _ => None,
            };
            made.ways.push(Way {
                ends: [a, b],
                one_way,
                name,
                kind: kind(self.object(line.object)),
                path,
                line: line.line,
            });
        }
        Ok(made)
    }
}
