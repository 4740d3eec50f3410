//! Merges two changes of a mesh whose triangles are the same in all versions.

use crate::buf::{CoverBuf, DoorBuf, LinkBuf, NavMeshBuf, TriangleBuf};
use crate::change::doubled_area;
use crate::form::FormId;
use crate::record::{Edge, Waypoint};
use navmap_core::text::{Grouped, counted};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use zerocopy::IntoBytes;

/// Something that two versions of a mesh changed differently.
#[derive(Clone, Debug, PartialEq)]
pub struct Clash {
    /// The thing: a vertex, flags, cover, an edge, a door, the waypoints.
    pub what: String,
    /// Where it is, in coordinates of the mesh.
    pub at: [f32; 3],
}

impl fmt::Display for Clash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.at;
        write!(f, "{} at {x:.0} {y:.0} {z:.0}", self.what)
    }
}

/// The changes of one version relative to another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Differences {
    /// Triangles before and after.
    pub triangles: [usize; 2],
    /// Whether both have the same triangles between the same vertices, even if these moved.
    pub same_topology: bool,
    /// Triangles that only the first, and only the second, has, matched by the positions of corners. Empty if the topology is the
    /// same: see `moved`.
    pub only: [Vec<u16>; 2],
    /// The area of these triangles seen from above, in square units.
    pub area: [f64; 2],
    /// Vertices that have moved.
    pub moved: usize,
    /// Triangles with different flags, except those of links.
    pub flags: usize,
    /// Triangles with other cover.
    pub cover: usize,
    /// Triangles with another clearance.
    pub heights: usize,
    /// Vertices and triangles whose marks of unknown meaning are others.
    pub unknown: usize,
    /// The numbers of pieces of cover removed and added. None of another topology are counted, nor flags, cover and marks.
    pub pieces: [usize; 2],
    /// The numbers of edges with such pieces, removed and added.
    pub cover_edges: [usize; 2],
    /// Edges without a link that have another neighbour, or have become a border or are none any more. Where triangles are gone or
    /// new, none are counted.
    pub edges: usize,
    /// The numbers of links removed and added.
    pub links: [usize; 2],
    /// The numbers of doors removed and added.
    pub doors: [usize; 2],
    /// The numbers of waypoints removed and added.
    pub waypoints: [usize; 2],
}

impl Differences {
    /// The changes from `before` to `after`. FormIDs must be comparable.
    pub fn between(before: &NavMeshBuf, after: &NavMeshBuf) -> Self {
        let same_topology = same_topology(before, after);
        let mut found = Self {
            triangles: [before.triangles.len(), after.triangles.len()],
            same_topology,
            ..Self::default()
        };
        let count = |a: Vec<String>, b: Vec<String>| {
            let mut left: BTreeMap<String, isize> = BTreeMap::new();
            for (list, by) in [(a, -1_isize), (b, 1)] {
                for item in list {
                    let entry = left.entry(item).or_insert(0);
                    *entry = entry.saturating_add(by);
                }
            }
            let sum =
                |sign: isize| left.values().filter(|n| n.signum() == sign).map(|n| n.unsigned_abs()).sum();
            [sum(-1), sum(1)]
        };
        if same_topology {
            let (a, b) = (&before.vertices, &after.vertices);
            found.moved = a.iter().zip(b).filter(|(a, b)| a != b).count();
            for (a, b) in before.triangles.iter().zip(&after.triangles) {
                found.flags = found.flags.saturating_add((a.flags.0 & !7 != b.flags.0 & !7).into());
                found.cover = found.cover.saturating_add((a.cover != b.cover).into());
                found.heights =
                    found.heights.saturating_add((a.height.to_bits() != b.height.to_bits()).into());
                found.unknown = found.unknown.saturating_add((a.unknown_0x10 != b.unknown_0x10).into());
            }
            let marks = before.marks.iter().zip(&after.marks).filter(|(a, b)| a != b).count();
            found.unknown = found.unknown.saturating_add(marks);
            found.pieces = count(pieces(before), pieces(after));
            found.cover_edges = count(cover_edges(before), cover_edges(after));
        } else {
            found.only = unmatched(before, after);
            let area = |mesh: &NavMeshBuf, only: &[u16]| -> f64 {
                let triangles = only.iter().filter_map(|index| mesh.triangles.get(usize::from(*index)));
                triangles.map(|triangle| doubled_area(mesh.corners(triangle)).abs() / 2.0).sum()
            };
            let [gone, new] = &found.only;
            found.area = [area(before, gone), area(after, new)];
        }
        found.edges = if same_topology {
            let edges = |mesh: &NavMeshBuf| mesh.triangles.iter().flat_map(TriangleBuf::edges).collect();
            let [was, is]: [Vec<Edge>; 2] = [edges(before), edges(after)];
            let is_link = |edge: &Edge| matches!(edge, Edge::Link(_));
            was.iter().zip(&is).filter(|(a, b)| a != b && !is_link(a) && !is_link(b)).count()
        } else if found.only.iter().all(Vec::is_empty) {
            let [gone, new] = count(borders(before), borders(after));
            gone.saturating_add(new)
        } else {
            0
        };
        let links = |mesh: &NavMeshBuf| {
            mesh.linked_edges()
                .map(|(triangle, edge, link)| {
                    // Where triangles are the same, a corner that moved has not changed its links.
                    let ends = mesh.edge_ends(triangle, edge).filter(|_| !same_topology);
                    let ends = ends.map(|ends| ends.map(|end| end.map(f32::to_bits)));
                    let own = same_topology.then_some((triangle, edge));
                    format!("{own:?} {ends:?} {} {} {}", link.kind, link.navmesh, link.triangle)
                })
                .collect::<Vec<_>>()
        };
        found.links = count(links(before), links(after));
        let doors = |mesh: &NavMeshBuf| -> Vec<String> {
            // Where triangles are others, their numbers say nothing.
            let words =
                |door: &DoorBuf| format!("{} {:?}", door.reference, same_topology.then_some(door.triangle));
            mesh.doors.iter().map(words).collect()
        };
        found.doors = count(doors(before), doors(after));
        let waypoints = |mesh: &NavMeshBuf| -> Vec<String> {
            let words = |at: &Waypoint| {
                let place = at.point().to_array().map(f32::to_bits);
                format!("{place:?} {:?} {}", same_topology.then_some(at.triangle()), at.flags())
            };
            mesh.waypoints.iter().map(words).collect()
        };
        found.waypoints = count(waypoints(before), waypoints(after));
        found
    }

    /// What was removed and added, by its name.
    fn lists(&self) -> [([usize; 2], &'static str); 5] {
        [
            (self.pieces, "pieces of cover"),
            (self.cover_edges, "edges with cover"),
            (self.links, "links"),
            (self.doors, "doors"),
            (self.waypoints, "waypoints"),
        ]
    }

    /// Whether nothing differs that affects the game.
    pub fn is_empty(&self) -> bool {
        let Self { only, moved, flags, cover, heights, unknown, edges, .. } = self;
        only.iter().all(Vec::is_empty)
            && [*moved, *flags, *cover, *heights, *unknown, *edges] == [0; 6]
            && self.lists().iter().all(|(changed, _)| *changed == [0, 0])
    }
}

impl fmt::Display for Differences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("nothing");
        }
        let mut words = Vec::new();
        let [before, after] = self.triangles;
        if !self.same_topology {
            let [gone, new] = self.only.each_ref().map(Vec::len);
            let [lost, won] = self.area.map(|area| Grouped(area.round() as u64));
            words.push(format!(
                "triangles {before} -> {after} ({gone} of {lost} square units gone, {new} of {won} new)"
            ));
        }
        for (count, one, many) in [
            (self.moved, "vertex moved", "vertices moved"),
            (self.flags, "flag", "flags"),
            (self.cover, "cover", "cover"),
            (self.heights, "clearance", "clearances"),
            (self.unknown, "unknown mark", "unknown marks"),
            (self.edges, "edge with another neighbour or none", "edges with other neighbours or none"),
        ] {
            if count > 0 {
                words.push(counted(count as u64, one, many));
            }
        }
        for ([gone, new], what) in self.lists() {
            if gone > 0 || new > 0 {
                words.push(format!("{what} -{gone} +{new}"));
            }
        }
        f.write_str(&words.join(", "))
    }
}

/// The pieces of cover, as bytes.
fn pieces(mesh: &NavMeshBuf) -> Vec<String> {
    match &mesh.cover {
        CoverBuf::Triangles(_) => Vec::new(),
        CoverBuf::V15(pieces) => pieces.iter().map(|piece| format!("{:?}", piece.as_bytes())).collect(),
        CoverBuf::V17(pieces) => pieces.iter().map(|piece| format!("{:?}", piece.as_bytes())).collect(),
    }
}

fn cover_edges(mesh: &NavMeshBuf) -> Vec<String> {
    mesh.cover_edges.iter().map(|edge| format!("{:?}", edge.as_bytes())).collect()
}

/// The ends of borders.
fn borders(mesh: &NavMeshBuf) -> Vec<String> {
    let border = |(triangle, edge): &(u16, u8)| mesh.edge(*triangle, *edge) == Some(Edge::Border);
    let ends = |(triangle, edge)| Some(mesh.edge_ends(triangle, edge)?.map(|end| end.map(f32::to_bits)));
    edges(mesh).into_iter().filter(border).filter_map(ends).map(|ends| format!("{ends:?}")).collect()
}

/// The triangles that only one of two meshes has. Two are the same if their corners are at the same positions.
fn unmatched(before: &NavMeshBuf, after: &NavMeshBuf) -> [Vec<u16>; 2] {
    let place = |mesh: &NavMeshBuf, triangle: &TriangleBuf| {
        let mut corners = mesh.corners(triangle).map(|corner| corner.map(f32::to_bits));
        corners.sort_unstable();
        corners
    };
    let mut left: HashMap<[[u32; 3]; 3], Vec<u16>> = HashMap::new();
    for (index, triangle) in (0_u16..).zip(&before.triangles) {
        left.entry(place(before, triangle)).or_default().push(index);
    }
    let mut new = Vec::new();
    for (index, triangle) in (0_u16..).zip(&after.triangles) {
        if left.get_mut(&place(after, triangle)).and_then(Vec::pop).is_none() {
            new.push(index);
        }
    }
    let mut gone: Vec<u16> = left.into_values().flatten().collect();
    gone.sort_unstable();
    [gone, new]
}

fn same_topology(a: &NavMeshBuf, b: &NavMeshBuf) -> bool {
    a.vertices.len() == b.vertices.len()
        && a.triangles.len() == b.triangles.len()
        && a.triangles.iter().zip(&b.triangles).all(|(a, b)| a.vertices == b.vertices)
}

/// Merges a value: the common one, or that of the side that changed it. `None` if both changed it differently.
fn either<T: PartialEq + Copy>(base: T, ours: T, theirs: T) -> Option<T> {
    if ours == theirs || theirs == base {
        Some(ours)
    } else if ours == base {
        Some(theirs)
    } else {
        None
    }
}

/// Why versions of a mesh cannot be merged; `None` if they can.
pub(super) fn apart(base: &NavMeshBuf, ours: &NavMeshBuf, theirs: &NavMeshBuf) -> Option<&'static str> {
    if !same_topology(base, ours) || !same_topology(base, theirs) {
        // Nothing says which triangles correspond.
        return Some("the versions do not have the same triangles");
    }
    let has_pieces = !matches!(base.cover, CoverBuf::Triangles(_));
    let lost = |other: &NavMeshBuf| {
        has_pieces && theirs.cover != other.cover || theirs.cover_edges != other.cover_edges
    };
    if lost(base) && lost(ours) {
        return Some("a version changes pieces of cover, which cannot be merged");
    }
    (theirs.marks != base.marks && theirs.marks != ours.marks)
        .then_some("a version changes marks of vertices, whose meaning is not known")
}

/// Merges two versions of a mesh: by vertex, flag, cover word, link, and door, and the waypoints as a whole. Where both changed
/// the same thing differently, the result has ours, and a clash says what and where.
///
/// `None` if the triangles of the three versions differ, because nothing says which triangles correspond, or if theirs has pieces of
/// cover or marks of vertices that the others have not.
pub fn merge(base: &NavMeshBuf, ours: &NavMeshBuf, theirs: &NavMeshBuf) -> Option<(NavMeshBuf, Vec<Clash>)> {
    if apart(base, ours, theirs).is_some() {
        return None;
    }
    let mut versions = Versions { base, ours, theirs, merged: ours.clone(), clashes: Vec::new() };
    versions.vertices();
    versions.triangles();
    versions.edges();
    versions.doors();
    let Versions { mut merged, mut clashes, .. } = versions;
    clashes.extend(merge_waypoints(base, theirs, &mut merged));
    Some((merged, clashes))
}

/// Three versions with the same triangles, and what becomes of them.
struct Versions<'m> {
    base: &'m NavMeshBuf,
    ours: &'m NavMeshBuf,
    theirs: &'m NavMeshBuf,
    /// Ours at first.
    merged: NavMeshBuf,
    clashes: Vec<Clash>,
}

impl Versions<'_> {
    fn clash(&mut self, what: String, at: [f32; 3]) {
        self.clashes.push(Clash { what, at });
    }

    /// The middle of a triangle of ours.
    fn place(&self, triangle: usize) -> [f32; 3] {
        let corners = self.ours.triangles.get(triangle).map(|triangle| self.ours.corners(triangle));
        corners.map_or([0.0; 3], |[a, b, c]| {
            let middle = |i: fn([f32; 3]) -> f32| (i(a) + i(b) + i(c)) / 3.0;
            [middle(|[x, _, _]| x), middle(|[_, y, _]| y), middle(|[_, _, z]| z)]
        })
    }

    fn vertices(&mut self) {
        let vertices = self.base.vertices.iter().zip(&self.theirs.vertices);
        for (index, (vertex, (base, theirs))) in self.merged.vertices.iter_mut().zip(vertices).enumerate() {
            match either(base.map(f32::to_bits), vertex.map(f32::to_bits), theirs.map(f32::to_bits)) {
                Some(bits) => *vertex = bits.map(f32::from_bits),
                None => self.clashes.push(Clash { what: format!("vertex {index}"), at: *vertex }),
            }
        }
    }

    /// Flags, cover, heights and unknown bytes of triangles.
    fn triangles(&mut self) {
        for index in 0..self.merged.triangles.len() {
            let (a, b) = (self.base.triangles.get(index), self.theirs.triangles.get(index));
            let (Some(a), Some(b), Some(now)) = (a, b, self.merged.triangles.get_mut(index)) else {
                continue;
            };
            // Bit by bit: two different flags of one triangle do not clash. The link bits follow the links.
            let changed = (a.flags.0 ^ b.flags.0) & !7;
            now.flags.0 = (now.flags.0 & !changed) | (b.flags.0 & changed);
            let mut differ = Vec::new();
            match either(a.cover, now.cover, b.cover) {
                Some(cover) => now.cover = cover,
                None => differ.push("cover"),
            }
            match either(a.height.to_bits(), now.height.to_bits(), b.height.to_bits()) {
                Some(height) => now.height = f32::from_bits(height),
                None => differ.push("height"),
            }
            match either(a.unknown_0x10, now.unknown_0x10, b.unknown_0x10) {
                Some(unknown) => now.unknown_0x10 = unknown,
                None => differ.push("unknown byte"),
            }
            for what in differ {
                self.clash(format!("{what} of triangle {index}"), self.place(index));
            }
        }
    }

    /// What lies beyond each edge: a link, or an edge in the mesh.
    fn edges(&mut self) {
        let links = |mesh: &NavMeshBuf| -> BTreeMap<(u16, u8), LinkBuf> {
            mesh.linked_edges().map(|(triangle, edge, link)| ((triangle, edge), link)).collect()
        };
        let (old, new) = (links(self.base), links(self.theirs));
        for (triangle, edge) in edges(self.base) {
            let way = |mesh: &NavMeshBuf, known: &BTreeMap<(u16, u8), LinkBuf>| match known
                .get(&(triangle, edge))
            {
                Some(link) => (Some(*link), None),
                None => (None, mesh.edge(triangle, edge)),
            };
            let merged = &mut self.merged;
            let now = links_at(merged, triangle, edge);
            match either(way(self.base, &old), now, way(self.theirs, &new)) {
                Some(to) if to != now => match to {
                    (Some(link), _) => {
                        let _ = merged.set_link(triangle, edge, link);
                    }
                    (None, to) => {
                        merged.unlink(triangle, edge);
                        let stored = merged.triangles.get_mut(usize::from(triangle));
                        if let (Some(to), Some(stored)) = (to, stored) {
                            stored.set_edge(edge.into(), to);
                        }
                    }
                },
                Some(_) => {}
                None => {
                    let what = format!("edge {edge} of triangle {triangle}");
                    self.clash(what, self.place(triangle.into()));
                }
            }
        }
    }

    /// A door may stand on several triangles, and belongs to all of them together.
    fn doors(&mut self) {
        let (had, have, want) = (doors(self.base), doors(self.ours), doors(self.theirs));
        for door in had.keys().chain(want.keys().filter(|door| !had.contains_key(door))) {
            let [was, now, there] = [&had, &have, &want].map(|list| list.get(door));
            match either(was, now, there) {
                Some(to) if to != now => {
                    let theirs = self.theirs.doors.iter().filter(|stored| stored.reference == *door);
                    self.merged.doors.retain(|stored| stored.reference != *door);
                    self.merged.doors.extend(theirs.copied());
                }
                Some(_) => {}
                None => {
                    let first = now.and_then(BTreeSet::first);
                    let at = first.map_or([0.0; 3], |triangle| self.place(usize::from(*triangle)));
                    self.clash(format!("door {door}"), at);
                }
            }
        }
    }
}

/// The triangles that each door stands on.
fn doors(mesh: &NavMeshBuf) -> BTreeMap<FormId, BTreeSet<u16>> {
    let mut stands: BTreeMap<FormId, BTreeSet<u16>> = BTreeMap::new();
    for door in &mesh.doors {
        stands.entry(door.reference).or_default().insert(door.triangle);
    }
    stands
}

/// Takes their waypoints where ours are those of the base. A clash if both changed them differently.
fn merge_waypoints(base: &NavMeshBuf, theirs: &NavMeshBuf, merged: &mut NavMeshBuf) -> Option<Clash> {
    let [was, there, here] = [base, theirs, &*merged].map(|mesh| mesh.waypoints.as_bytes());
    match either(was, here, there).map(|bytes| bytes == here) {
        Some(true) => None,
        Some(false) => {
            merged.waypoints.clone_from(&theirs.waypoints);
            None
        }
        None => {
            let (ours, theirs) = (&merged.waypoints, &theirs.waypoints);
            let both = ours.iter().zip(theirs);
            let equal = both.take_while(|(a, b)| a.as_bytes() == b.as_bytes()).count();
            let first = ours.get(equal).or_else(|| theirs.get(equal));
            let at = first.map_or([0.0; 3], |waypoint| waypoint.point().to_array());
            Some(Clash { what: "waypoints".to_owned(), at })
        }
    }
}

fn links_at(mesh: &NavMeshBuf, triangle: u16, edge: u8) -> (Option<LinkBuf>, Option<Edge>) {
    match mesh.link(triangle, edge) {
        Some(link) => (Some(link), None),
        None => (None, mesh.edge(triangle, edge)),
    }
}

fn edges(mesh: &NavMeshBuf) -> Vec<(u16, u8)> {
    (0_u16..).zip(&mesh.triangles).flat_map(|(index, _)| (0..3_u8).map(move |edge| (index, edge))).collect()
}
