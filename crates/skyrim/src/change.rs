//! Changes to an owned mesh that keep its parts consistent: links, doors, cover, numbers of triangles (`docs/formats/skyrim.md`,
//! section 8).

use super::buf::{CoverBuf, LinkBuf, NavMeshBuf, TriangleBuf};
use super::graph::{METRES_PER_UNIT, metres_per_unit};
use super::record::{CoverEnd, Edge, NO_NEIGHBOUR};
use navmap_core::error::{Error, Result};
use std::collections::BTreeSet;

/// The new index of each old triangle, `None` if it is gone.
pub type TriangleMap = Vec<Option<u16>>;

/// Twice the area of a triangle seen from above; positive if it faces up.
pub(super) fn doubled_area([a, b, c]: [[f32; 3]; 3]) -> f64 {
    let [[ax, ay, _], [bx, by, _], [cx, cy, _]] = [a, b, c].map(|point| point.map(f64::from));
    (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
}

/// How far the ends of two edges may be apart in x and y, and in z, in sixty-fourths of a yard: the editor's tolerance for
/// stitching. Two thirds of sound portals are within 16.
const APART: f32 = 16.0;
const ABOVE: f32 = 64.0;

/// The distance of two places in x and y; `None` if an edge that ends at one could not be stitched to one that ends at the
/// other. `scale` is the length of a sixty-fourth of a yard.
pub(super) fn near([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3], scale: f32) -> Option<f32> {
    let flat = (ax - bx).hypot(ay - by);
    (flat <= APART * scale && (az - bz).abs() <= ABOVE * scale).then_some(flat)
}

impl NavMeshBuf {
    /// The length of a sixty-fourth of a yard, in units of the mesh.
    pub(super) fn scale(&self) -> f32 {
        METRES_PER_UNIT / metres_per_unit(self.version)
    }

    /// The distance of an edge from one that runs in the opposite direction; `None` if they are too far apart for the editor to
    /// stitch them.
    pub(super) fn apart(&self, triangle: u16, edge: u8, [from, to]: [[f32; 3]; 2]) -> Option<f32> {
        let ([a, b], scale) = (self.edge_ends(triangle, edge)?, self.scale());
        Some(near(from, b, scale)?.max(near(to, a, scale)?))
    }

    /// The target of an edge; `None` if there is no such triangle or edge.
    pub fn edge(&self, triangle: u16, edge: u8) -> Option<Edge> {
        self.triangles.get(usize::from(triangle))?.edges().get(usize::from(edge)).copied()
    }

    /// The link that an edge names.
    pub fn link(&self, triangle: u16, edge: u8) -> Option<LinkBuf> {
        match self.edge(triangle, edge)? {
            Edge::Link(index) => self.links.get(usize::from(index)).copied(),
            _ => None,
        }
    }

    /// Every edge that names a link, with its triangle and number, in file order.
    pub fn linked_edges(&self) -> impl Iterator<Item = (u16, u8, LinkBuf)> + '_ {
        (0_u16..).zip(&self.triangles).flat_map(move |(index, triangle)| {
            (0_u8..).zip(triangle.edges()).filter_map(move |(edge, to)| match to {
                Edge::Link(link) => Some((index, edge, *self.links.get(usize::from(link))?)),
                _ => None,
            })
        })
    }

    /// The ends of an edge, in the direction of the triangle's winding.
    pub fn edge_ends(&self, triangle: u16, edge: u8) -> Option<[[f32; 3]; 2]> {
        let [a, b, c] = self.corners(self.triangles.get(usize::from(triangle))?);
        match edge {
            0 => Some([a, b]),
            1 => Some([b, c]),
            2 => Some([c, a]),
            _ => None,
        }
    }

    /// Makes an edge a link. An existing link, or cover of a border, is dropped.
    ///
    /// # Errors
    /// If there is no such edge, or all indices are used.
    pub fn set_link(&mut self, triangle: u16, edge: u8, link: LinkBuf) -> Result<()> {
        if self.edge(triangle, edge).is_none() {
            return Err(Error::invalid("edge", format!("triangle {triangle} has no edge {edge}")));
        }
        let named = match self.edge(triangle, edge) {
            Some(Edge::Link(index)) => Some(index),
            _ => None,
        };
        let alone = named.filter(|index| self.naming(*index) == 1);
        let index = match alone {
            Some(index) => index,
            None => {
                let next = u16::try_from(self.links.len()).ok().filter(|next| *next < MOST_INDEX);
                let next = next.ok_or_else(|| Error::invalid("edge links", "no index is left"))?;
                self.links.push(link);
                next
            }
        };
        if let Some(stored) = self.links.get_mut(usize::from(index)) {
            *stored = LinkBuf { edge: if self.shape.named_edges { link.edge } else { 0 }, ..link };
        }
        self.clear_cover(triangle, edge);
        if let Some(triangle) = self.triangles.get_mut(usize::from(triangle)) {
            triangle.set_edge(usize::from(edge), Edge::Link(index));
        }
        Ok(())
    }

    /// Makes a linked edge a border, and drops the link if no other edge names it.
    pub fn unlink(&mut self, triangle: u16, edge: u8) {
        if let Some(Edge::Link(_)) = self.edge(triangle, edge) {
            if let Some(triangle) = self.triangles.get_mut(usize::from(triangle)) {
                triangle.set_edge(usize::from(edge), Edge::Border);
            }
            self.compact_links();
        }
    }

    /// Gives the triangles that links arrive at other numbers: `to` has one for links that change, `None` in it for those that go.
    pub(super) fn renumber_links(&mut self, to: impl Fn(&LinkBuf) -> Option<Option<u16>>) {
        let mut is_cut = false;
        let gone: Vec<bool> = self.links.iter().map(|link| to(link) == Some(None)).collect();
        for triangle in &mut self.triangles {
            for (at, edge) in triangle.edges().into_iter().enumerate() {
                if matches!(edge, Edge::Link(index) if gone.get(usize::from(index)) == Some(&true)) {
                    triangle.set_edge(at, Edge::Border);
                    is_cut = true;
                }
            }
        }
        for link in &mut self.links {
            link.triangle = to(link).flatten().unwrap_or(link.triangle);
        }
        if is_cut {
            self.compact_links();
        }
    }

    /// The number of edges that name a link.
    fn naming(&self, index: u16) -> usize {
        let edges = self.triangles.iter().flat_map(TriangleBuf::edges);
        edges.filter(|edge| *edge == Edge::Link(index)).count()
    }

    /// Drops links that no edge names, keeps the order of the others, and gives every edge its own link. Returns the numbers
    /// dropped and added.
    pub fn compact_links(&mut self) -> (usize, usize) {
        let mut used = vec![0_usize; self.links.len()];
        for edge in self.triangles.iter().flat_map(TriangleBuf::edges) {
            if let Edge::Link(index) = edge
                && let Some(count) = used.get_mut(usize::from(index))
            {
                *count = count.saturating_add(1);
            }
        }
        if used.iter().all(|count| *count == 1) {
            return (0, 0);
        }
        let mut next = 0_u16;
        let map: Vec<Option<u16>> = used
            .iter()
            .map(|count| {
                (*count > 0).then(|| {
                    let index = next;
                    next = next.saturating_add(1);
                    index
                })
            })
            .collect();
        let old = std::mem::take(&mut self.links);
        self.links = old.iter().zip(&map).filter(|(_, to)| to.is_some()).map(|(link, _)| *link).collect();
        let dropped = old.len().saturating_sub(self.links.len());
        let mut taken = vec![false; old.len()];
        let mut added = 0_usize;
        for triangle in &mut self.triangles {
            for (at, edge) in triangle.edges().into_iter().enumerate() {
                let Edge::Link(index) = edge else { continue };
                let Some(Some(to)) = map.get(usize::from(index)) else { continue };
                let mut to = *to;
                if let Some(taken) = taken.get_mut(usize::from(index)) {
                    if *taken && self.links.len() < usize::from(MOST_INDEX) {
                        let copy = self.links.get(usize::from(to)).copied();
                        to = u16::try_from(self.links.len()).unwrap_or(to);
                        self.links.extend(copy);
                        added = added.saturating_add(1);
                    }
                    *taken = true;
                }
                triangle.set_edge(at, Edge::Link(to));
            }
        }
        (dropped, added)
    }

    /// Whether it is of a version that keeps clearance, and cover apart from triangles.
    pub(super) fn is_tall(&self) -> bool {
        self.shape.tall
    }

    /// The bits of the cover word for an edge, shifted down.
    pub(super) fn edge_cover(&self, triangle: u16, edge: usize) -> u16 {
        let cover = self.triangles.get(usize::from(triangle)).map_or(0, |triangle| triangle.cover);
        match (self.shape.tall, edge) {
            (true, 0..=2) => cover >> edge & 1,
            (false, 0) => cover & 0x3F,
            (false, 1) => cover >> 6 & 0x3F,
            _ => 0,
        }
    }

    /// Puts the cover of an edge of another version of the mesh on an edge. `false` if that edge cannot have any.
    pub(super) fn put_cover(&mut self, from: &Self, (was, edge): (u16, u8), (now, to): (u16, u8)) -> bool {
        let bits = from.edge_cover(was, edge.into());
        let made = from.triangles.get(usize::from(was)).map_or(0, |triangle| triangle.cover & 0xC000);
        let Some(triangle) = self.triangles.get_mut(usize::from(now)) else { return false };
        if !self.shape.tall {
            if to > 1 {
                return false;
            }
            triangle.cover |= bits << (6 * u16::from(to)) | made;
            return true;
        }
        triangle.cover |= super::buf::link_flag(to.into());
        let entries = from.cover_edges.iter().zip(&mut self.cover_edges);
        for (entry, moved) in entries.filter(|(entry, _)| (entry.triangle(), entry.edge()) == (was, edge)) {
            *moved = entry.at(now, to);
        }
        true
    }

    /// Removes all cover.
    pub(super) fn clear_all_cover(&mut self) {
        let tall = self.shape.tall;
        for triangle in &mut self.triangles {
            triangle.cover = if tall { triangle.cover & !7 } else { 0 };
        }
        self.clear_cover_lists();
    }

    /// Removes the cover of an edge. Returns whether there was any.
    pub(super) fn clear_cover(&mut self, triangle: u16, edge: u8) -> bool {
        let tall = self.shape.tall;
        let Some(stored) = self.triangles.get_mut(usize::from(triangle)) else { return false };
        let mask: u16 = match (tall, edge) {
            (true, 0..=2) => super::buf::link_flag(edge.into()),
            (false, 0) => 0x003F,
            (false, 1) => 0x0FC0,
            _ => 0,
        };
        let had = stored.cover & mask != 0;
        stored.cover &= !mask;
        if tall {
            self.cover_edges.retain(|entry| (entry.triangle(), entry.edge()) != (triangle, edge));
        }
        had
    }

    /// Flips a triangle, as the editor does: swaps corners 1 and 2, and with them edges 0 and 2. Returns whether cover was lost:
    /// edge 2 of version 12 cannot have any.
    pub fn flip(&mut self, triangle: u16) -> bool {
        let tall = self.shape.tall;
        let Some(stored) = self.triangles.get_mut(usize::from(triangle)) else { return false };
        let [a, b, c] = stored.vertices;
        let [first, second, third] = stored.edges();
        stored.vertices = [a, c, b];
        for (at, to) in [third, second, first].into_iter().enumerate() {
            stored.set_edge(at, to);
        }
        if tall {
            let bits = stored.cover;
            stored.cover = (bits & !5) | ((bits & 1) << 2) | ((bits & 4) >> 2);
            for entry in &mut self.cover_edges {
                if entry.triangle() == triangle && entry.edge() != 1 {
                    *entry = entry.at(triangle, 2_u8.saturating_sub(entry.edge()));
                }
            }
            return false;
        }
        let lost = stored.cover & 0x000F != 0;
        stored.cover &= !0x003F;
        lost
    }

    /// Deletes triangles. The others keep their order and get new numbers. Edges to deleted ones become borders; links, doors and
    /// vertices that only they used are deleted too.
    ///
    /// Indices into this mesh from outside (links of other meshes, references of doors) have to be mapped by the returned map.
    ///
    /// # Errors
    /// If no triangle would be left, or a deleted triangle has cover of version 13 or later, whose chains are not understood well
    /// enough to be cut. Nothing has changed then.
    pub fn delete_triangles(&mut self, dead: &BTreeSet<u16>) -> Result<TriangleMap> {
        let lives = |index: u16| !dead.contains(&index);
        let left = (0_u16..).zip(&self.triangles).filter(|(index, _)| lives(*index)).count();
        if left == 0 {
            return Err(Error::invalid("navmesh", "would have no triangle left"));
        }
        if let Some(entry) = self.cover_edges.iter().find(|entry| !lives(entry.triangle())) {
            let why = format!("has cover on edge {}, which cannot be cut yet", entry.edge());
            return Err(Error::invalid("triangle", format!("{} {why}", entry.triangle())));
        }
        let mut next = 0_u16;
        let map: TriangleMap = (0_u16..)
            .zip(&self.triangles)
            .map(|(index, _)| {
                lives(index).then(|| {
                    let to = next;
                    next = next.saturating_add(1);
                    to
                })
            })
            .collect();
        let to = |index: u16| map.get(usize::from(index)).copied().flatten();
        let mut index = 0_u16;
        self.triangles.retain(|_| {
            let lives = to(index).is_some();
            index = index.saturating_add(1);
            lives
        });
        for triangle in &mut self.triangles {
            for (at, edge) in triangle.edges().into_iter().enumerate() {
                if let Edge::Neighbour(neighbour) = edge {
                    // Dangling indices stay dangling.
                    let exists = usize::from(neighbour) < map.len();
                    let now = if exists { to(neighbour).map_or(Edge::Border, Edge::Neighbour) } else { edge };
                    triangle.set_edge(at, now);
                }
            }
        }
        self.doors.retain_mut(|door| match to(door.triangle) {
            Some(now) => {
                door.triangle = now;
                true
            }
            None => usize::from(door.triangle) >= map.len(),
        });
        for entry in &mut self.cover_edges {
            if let Some(now) = to(entry.triangle()) {
                *entry = entry.at(now, entry.edge());
            }
        }
        for waypoint in &mut self.waypoints {
            if usize::from(waypoint.triangle()) < map.len() {
                *waypoint = waypoint.on(to(waypoint.triangle()).unwrap_or(NO_NEIGHBOUR));
            }
        }
        if let CoverBuf::Triangles(_) = self.cover {
            self.cover = CoverBuf::Triangles(self.covered());
        }
        self.compact_links();
        self.drop_unused_vertices();
        Ok(map)
    }

    /// Drops unused vertices. The others keep their order.
    fn drop_unused_vertices(&mut self) {
        let mut used = vec![false; self.vertices.len()];
        let mut keep = |vertex: u16| {
            if let Some(used) = used.get_mut(usize::from(vertex)) {
                *used = true;
            }
        };
        self.triangles.iter().flat_map(|triangle| triangle.vertices).for_each(&mut keep);
        self.cover.ends().into_iter().flatten().filter_map(CoverEnd::vertex).for_each(keep);
        if used.iter().all(|used| *used) {
            return;
        }
        let mut next = 0_u16;
        let map: Vec<Option<u16>> = used
            .iter()
            .map(|used| {
                used.then(|| {
                    let to = next;
                    next = next.saturating_add(1);
                    to
                })
            })
            .collect();
        let to = |vertex: u16| map.get(usize::from(vertex)).copied().flatten().unwrap_or(vertex);
        let mut kept = used.iter();
        self.vertices.retain(|_| kept.next().copied().unwrap_or(true));
        let mut kept = used.iter();
        self.marks.retain(|_| kept.next().copied().unwrap_or(true));
        self.rename_vertices(to);
    }

    /// Lets triangles and cover name other vertices.
    pub(super) fn rename_vertices(&mut self, to: impl Fn(u16) -> u16 + Copy) {
        for triangle in &mut self.triangles {
            triangle.vertices = triangle.vertices.map(to);
        }
        match &mut self.cover {
            CoverBuf::Triangles(_) => {}
            CoverBuf::V15(pieces) => pieces.iter_mut().for_each(|piece| *piece = piece.with_vertices(to)),
            CoverBuf::V17(pieces) => pieces.iter_mut().for_each(|piece| *piece = piece.with_vertices(to)),
        }
    }

    /// Checks that the editor's signed indices can number everything.
    ///
    /// # Errors
    /// If there are more than 32,767 of anything.
    pub fn fits(&self) -> Result<()> {
        for (what, len) in [
            ("vertices", self.vertices.len()),
            ("triangles", self.triangles.len()),
            ("edge links", self.links.len()),
        ] {
            if len > usize::from(MOST_INDEX) {
                let why = format!("{len}, the editor's indices end at {MOST_INDEX}");
                return Err(Error::invalid(what, why));
            }
        }
        Ok(())
    }
}

impl CoverBuf {
    /// Start and end of every piece of cover; none in version 12.
    pub(super) fn ends(&self) -> Vec<[CoverEnd; 2]> {
        match self {
            Self::Triangles(_) => Vec::new(),
            Self::V15(pieces) => pieces.iter().map(|piece| [piece.start(), piece.end()]).collect(),
            Self::V17(pieces) => pieces.iter().map(|piece| [piece.start(), piece.end()]).collect(),
        }
    }
}

/// The largest of the editor's signed indices.
const MOST_INDEX: u16 = 32_767;
