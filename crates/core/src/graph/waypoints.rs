//! Points and lines as waypoints and connections, in the form of exported graphs.

use super::{Line, LinkKind, Scene};
use crate::error::{Error, Result};
use crate::text::counted;
use std::collections::{HashMap, HashSet};

/// A scene of points and lines, as a graph.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Waypoints<'s> {
    /// The positions of waypoints: every point, and every end of a line that is not at a point.
    pub places: Vec<[f64; 3]>,
    /// The connections, in the order of their lines.
    pub ways: Vec<Way<'s>>,
    /// Lines of paths that end at no waypoint and are left out, or lead over other than two positions and are straightened.
    pub left_out: usize,
    /// Lines from a waypoint to itself, which are left out. Two waypoints at one place are one for lines that do not name them.
    pub loops: usize,
}

/// A connection from one waypoint to another.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Way<'s> {
    /// The waypoints, as indices of [`Waypoints::places`].
    pub ends: [u32; 2],
    /// Whether it cannot be walked back: the material is `oneway`, begins with it, or is `path`.
    pub one_way: bool,
    /// The rest of the material's name: `long_jump` of `oneway_long_jump`. May be empty.
    pub name: &'s str,
    /// The kind in the object's name: `links: jump`.
    pub kind: Option<LinkKind>,
    /// Two positions between its ends that are not waypoints: take-off and landing.
    pub path: Option<[[f64; 3]; 2]>,
    /// Its place in the file.
    pub line: u32,
}

/// The material of faces that only depict waypoints, in exported GLB.
const DISC: &str = "waypoint";
/// The material of lines over positions that are not waypoints.
const PATH: &str = "path";

/// Direction and link name in the name of a material.
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

/// The link kind in the name of an object.
fn kind(object: &str) -> Option<LinkKind> {
    let name = object.strip_prefix("links:")?.trim_start_matches([' ', '_']);
    LinkKind::ALL.into_iter().find(|kind| kind.name() == name)
}

impl Way<'_> {
    /// Its description: the material's, else the object's.
    pub fn word(&self) -> &str {
        match self.kind {
            Some(kind) if self.name.is_empty() => kind.name(),
            _ => self.name,
        }
    }
}

impl Scene {
    /// The scene as waypoints and connections. A line's end at the position of a point is that point. Consecutive lines of
    /// material `path` are one connection. Faces of material `waypoint` are only pictures.
    ///
    /// # Errors
    /// If there are other faces, or if there are neither points nor lines.
    pub fn waypoints(&self) -> Result<Waypoints<'_>> {
        let faces = self.polygons.iter().filter(|face| self.material(face.material) != DISC).count();
        if faces > 0 {
            let faces = counted(faces as u64, "face", "faces");
            return Err(Error::invalid("mesh", format!("{faces}; a graph has points and lines")));
        }
        // Adding 0 makes 0 of -0.
        let key = |at: u32| self.position(at).map(|v| (v + 0.0).to_bits());
        let mut by_place = HashMap::with_capacity(self.points.len());
        for point in &self.points {
            by_place.entry(key(*point)).or_insert(*point);
        }
        let named: HashSet<u32> = self.points.iter().copied().collect();
        let point =
            |end: u32| if named.contains(&end) { Some(end) } else { by_place.get(&key(end)).copied() };
        // Every connection with the positions that it leads over.
        let mut over: Vec<(Vec<u32>, Line)> = Vec::with_capacity(self.lines.len());
        let mut open = false;
        for line in &self.lines {
            let [a, b] = line.ends;
            let is_path = self.material(line.material) == PATH;
            match over.last_mut() {
                Some((way, _)) if open && is_path && way.last() == Some(&a) => way.push(b),
                _ => over.push((vec![a, b], *line)),
            }
            // A named point ends a path. Lines of GLB do not share ends, so there a path ends where no line continues it.
            open = is_path && !named.contains(&b);
        }
        let mut made = Waypoints::default();
        // A path that ends at no waypoint leads nowhere.
        over.retain(|(way, line)| {
            let ends = [way.first(), way.last()];
            let leads = self.material(line.material) != PATH
                || ends.iter().all(|end| end.is_some_and(|end| point(*end).is_some()));
            if !leads || !matches!(way.len(), 2 | 4) {
                made.left_out = made.left_out.saturating_add(way.len().saturating_sub(1));
            }
            leads
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
                made.loops = made.loops.saturating_add(1);
                continue;
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
