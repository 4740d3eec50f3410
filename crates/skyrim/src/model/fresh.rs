//! One mesh with the faces of a model.

use super::bill::MeshBill;
use super::corners::Corners;
use super::faces::{Face, MOST, refused, upright};
use super::heirs::{Heirs, middle, sides};
use super::joins::{join, torn};
use crate::buf::{LinkBuf, NavMeshBuf, TriangleBuf};
use crate::change::{TriangleMap, near};
use crate::flags::{BOUND, TriangleFlags};
use crate::record::Edge;
use navmap_core::error::{Error, Result};
use navmap_core::graph::Scene;
use navmap_core::text::counted;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// How far below or above a door's triangle another one may lie that takes the door over, in units.
const DOOR_APART: f32 = 128.0;

/// A mesh with the faces of a model.
pub(super) struct Rebuilt {
    pub(super) mesh: NavMeshBuf,
    /// The number by which each triangle is named from outside: its own before, or that whose place it took.
    pub(super) ids: Vec<u32>,
    /// The index of each old triangle that stayed.
    pub(super) stayed: TriangleMap,
    /// Linked edges that went over to a triangle of the model, from old triangle and edge to new ones.
    pub(super) carried: BTreeMap<(u16, u8), (u16, u8)>,
    /// Old triangles under a door that are gone, and the id of the triangle that took the door over.
    pub(super) seats: BTreeMap<u32, Option<u32>>,
    /// Triangles of the model.
    pub(super) fresh: BTreeSet<u16>,
    pub(super) bill: MeshBill,
}

/// What rebuilding one mesh works on.
pub(super) struct Rebuild<'r> {
    pub(super) scene: &'r Scene,
    pub(super) old: &'r NavMeshBuf,
    /// The numbers of the old vertices' places.
    pub(super) vertices: &'r [u32],
}

/// Which triangles stay, and which faces are new.
struct Sorted {
    places: Vec<Option<[u32; 3]>>,
    dead: Vec<u16>,
    fresh: Vec<Face>,
}

/// The faces that are new.
struct Coming<'c> {
    /// What they take over from.
    heirs: Heirs<'c>,
    faces: Vec<Face>,
    /// The triangle that each becomes.
    numbers: Vec<u16>,
}

impl Coming<'_> {
    /// The triangle that each face becomes, and the face.
    fn each(&self) -> impl Iterator<Item = (u16, &Face)> {
        self.numbers.iter().copied().zip(&self.faces)
    }
}

impl Rebuild<'_> {
    /// The mesh with these faces instead of its own.
    ///
    /// # Errors
    /// If a face has no area, a side is shared by more than two, or the editor could not number the parts.
    pub(super) fn run(&self, faces: Vec<Face>, corners: &Corners, mut bill: MeshBill) -> Result<Rebuilt> {
        let mut mesh = self.old.clone();
        let Sorted { mut places, dead, mut fresh } = self.sort(faces, &mut mesh, &mut bill);
        for face in &mut fresh {
            bill.turned = bill.turned.saturating_add(upright(self.scene, face, corners)?.into());
        }
        bill.fresh = fresh.len();
        bill.gone = dead.len();
        bill.kept = self.old.triangles.len().saturating_sub(dead.len());
        let heirs = Heirs::new(self.old, corners, &places, &dead);
        let seats = self.seats(&heirs, &fresh);
        let slots = heirs.slots(&mut fresh, &seats);
        let numbers = self.number(&mut mesh, &slots, &fresh)?;
        let coming = Coming { heirs, faces: fresh, numbers };
        let replaced = self.fill(&mut mesh, &coming, &mut bill)?;
        self.part(&mut mesh, &coming);
        let mut carried = self.carry_edges(&mut mesh, &coming, &mut bill);
        let doors = self.carry_doors(&mut mesh, &coming, &seats, &mut bill);
        self.carry_waypoints(&mut mesh, &coming);
        let Coming { faces: fresh, numbers, .. } = coming;
        let taken: HashSet<u16> = numbers.iter().copied().collect();
        let left: BTreeSet<u16> = dead.iter().copied().filter(|index| !taken.contains(index)).collect();
        for index in &dead {
            places.get_mut(usize::from(*index)).into_iter().for_each(|place| *place = None);
        }
        places.resize(mesh.triangles.len(), None);
        for (number, face) in numbers.iter().zip(&fresh) {
            places.get_mut(usize::from(*number)).into_iter().for_each(|place| *place = Some(face.corners));
        }
        join(&mut mesh, &places, &numbers).map_err(|crowded| {
            let [x, y, z] = corners.place(crowded.side.0);
            let [u, v, w] = corners.place(crowded.side.1);
            let why = format!("the side from {x} {y} {z} to {u} {v} {w}: {}", crowded.why);
            let face = numbers.iter().position(|number| *number == crowded.triangle);
            match face.and_then(|face| fresh.get(face)) {
                Some(face) => refused(self.scene, &face.polygon, why),
                None => Error::invalid("model", why),
            }
        })?;
        let torn = torn(self.old, &mesh, &dead, &replaced) as u64;
        if torn > 0 {
            let sides = counted(torn, "side is a border", "sides are borders");
            bill.lost.push(format!("ways between neighbours: {sides} now"));
        }
        let map = self.finish(&mut mesh, &left, !dead.is_empty() || !fresh.is_empty())?;
        let now = |index: u16| map.get(usize::from(index)).copied().flatten();
        let was = u16::try_from(self.old.triangles.len()).unwrap_or(u16::MAX);
        let stayed =
            (0..was).map(|index| now(index).filter(|_| dead.binary_search(&index).is_err())).collect();
        carried =
            carried.into_iter().filter_map(|(from, (to, edge))| Some((from, (now(to)?, edge)))).collect();
        let ids = map.iter().zip(0_u32..).filter(|(to, _)| to.is_some()).map(|(_, id)| id).collect();
        let fresh = numbers.iter().filter_map(|number| now(*number)).collect();
        Ok(Rebuilt { mesh, ids, stayed, carried, seats: doors, fresh, bill })
    }

    /// Finds each face among the old triangles. What a material says of one that stays is set.
    fn sort(&self, faces: Vec<Face>, mesh: &mut NavMeshBuf, bill: &mut MeshBill) -> Sorted {
        let place = |vertex: u16| self.vertices.get(usize::from(vertex)).copied();
        let places: Vec<Option<[u32; 3]>> = (self.old.triangles.iter())
            .map(|triangle| {
                let [a, b, c] = triangle.vertices.map(place);
                Some([a?, b?, c?])
            })
            .collect();
        let key = |mut corners: [u32; 3]| {
            corners.sort_unstable();
            corners
        };
        let mut known: HashMap<[u32; 3], Vec<u16>> = HashMap::new();
        // The first is taken first.
        for (index, corners) in places.iter().enumerate().rev() {
            if let (Some(corners), Ok(index)) = (corners, u16::try_from(index)) {
                known.entry(key(*corners)).or_default().push(index);
            }
        }
        let mut stays = vec![false; places.len()];
        let mut fresh = Vec::new();
        for face in faces {
            let Some(index) = known.get_mut(&key(face.corners)).and_then(Vec::pop) else {
                fresh.push(face);
                continue;
            };
            stays.get_mut(usize::from(index)).into_iter().for_each(|stays| *stays = true);
            if let (Some(triangle), Some(flags)) = (mesh.triangles.get_mut(usize::from(index)), face.flags) {
                let kept = triangle.flags.0 & (BOUND | TriangleFlags::FOUND.0);
                let now = TriangleFlags(kept | flags.0);
                bill.set = bill.set.saturating_add((now != triangle.flags).into());
                triangle.flags = now;
            }
        }
        let dead = (0_u16..).zip(&stays).filter(|(_, stays)| !**stays).map(|(index, _)| index).collect();
        Sorted { places, dead, fresh }
    }

    /// The face that lies where a door's triangle was.
    fn seats(&self, heirs: &Heirs<'_>, fresh: &[Face]) -> Vec<(u16, usize)> {
        let among: Vec<[u32; 3]> = fresh.iter().map(|face| face.corners).collect();
        let doors: BTreeSet<u16> = self.old.doors.iter().map(|door| door.triangle).collect();
        let dead = doors.into_iter().filter(|index| heirs.is_gone(*index));
        dead.filter_map(|index| {
            let at = middle(self.old.corners(self.old.triangles.get(usize::from(index))?));
            let number = heirs.covering(at, &among)?;
            let [.., own] = middle(among.get(number)?.map(|corner| heirs.corners.place(corner)));
            let [.., z] = at;
            ((own - z).abs() <= DOOR_APART * self.old.scale()).then_some((index, number))
        })
        .collect()
    }

    /// The index of each new triangle. Those without a slot come last.
    fn number(&self, mesh: &mut NavMeshBuf, slots: &[Option<u16>], fresh: &[Face]) -> Result<Vec<u16>> {
        let blank = TriangleBuf::new([0; 3], mesh.is_tall());
        let mut numbers = Vec::with_capacity(slots.len());
        for (slot, face) in slots.iter().zip(fresh) {
            numbers.push(match slot {
                Some(slot) => *slot,
                None => {
                    let next = u16::try_from(mesh.triangles.len()).ok().filter(|at| usize::from(*at) < MOST);
                    mesh.triangles.push(blank);
                    next.ok_or_else(|| {
                        let why = format_args!("more than {MOST} triangles, where the editor's indices end");
                        refused(self.scene, &face.polygon, why)
                    })?
                }
            });
        }
        Ok(numbers)
    }

    /// The new triangles themselves: corners, flags, clearance. Returns the old triangles that lay there, with the new ones.
    fn fill(
        &self,
        mesh: &mut NavMeshBuf,
        coming: &Coming<'_>,
        bill: &mut MeshBill,
    ) -> Result<BTreeSet<(u16, u16)>> {
        let heirs = &coming.heirs;
        let mut known: HashMap<u32, u16> = HashMap::new();
        let stays = (0_u16..).zip(&self.old.triangles).filter(|(at, _)| !heirs.is_gone(*at));
        let used = stays.flat_map(|(_, triangle)| triangle.vertices);
        for vertex in used.chain((0_u16..=u16::MAX).take(self.vertices.len())) {
            if let Some(place) = self.vertices.get(usize::from(vertex)) {
                known.entry(*place).or_insert(vertex);
            }
        }
        let mut replaced = BTreeSet::new();
        for (number, face) in coming.each() {
            let beneath = heirs.beneath(face);
            replaced.extend(beneath.map(|old| (old, number)));
            let beneath = beneath.and_then(|at| self.old.triangles.get(usize::from(at)));
            let mut vertices = [0; 3];
            for (to, corner) in vertices.iter_mut().zip(face.corners) {
                *to = match known.get(&corner) {
                    Some(vertex) => *vertex,
                    None => {
                        let next = u16::try_from(mesh.vertices.len())
                            .ok()
                            .filter(|at| usize::from(*at) < usize::from(u16::MAX));
                        let next = next.ok_or_else(|| {
                            refused(self.scene, &face.polygon, "more vertices than 16 bits can number")
                        })?;
                        mesh.vertices.push(heirs.corners.place(corner));
                        if mesh.is_marked() {
                            mesh.marks.push(0);
                        }
                        known.insert(corner, next);
                        next
                    }
                };
            }
            let over = beneath.map_or(TriangleFlags::FOUND.0, |triangle| triangle.flags.0 & !BOUND);
            let flags = face.flags.map_or(over, |flags| (over & TriangleFlags::FOUND.0) | flags.0);
            bill.flags = bill.flags.saturating_add(
                (face.flags.is_none() && beneath.is_some() && over & !TriangleFlags::FOUND.0 != 0).into(),
            );
            let tall = mesh.is_tall();
            if let Some(triangle) = mesh.triangles.get_mut(usize::from(number)) {
                let blank = TriangleBuf::new(vertices, tall);
                // Nothing is known above it where nothing was.
                let was = beneath.unwrap_or(&blank);
                *triangle = TriangleBuf {
                    flags: TriangleFlags(flags),
                    height: was.height,
                    unknown_0x10: was.unknown_0x10,
                    ..blank
                };
            }
        }
        Ok(replaced)
    }

    /// Edges of triangles that stay and led to one that is gone become borders.
    fn part(&self, mesh: &mut NavMeshBuf, coming: &Coming<'_>) {
        let fresh: HashSet<u16> = coming.numbers.iter().copied().collect();
        for (index, triangle) in (0_u16..).zip(&mut mesh.triangles) {
            if fresh.contains(&index) {
                continue;
            }
            for (edge, to) in triangle.edges().into_iter().enumerate() {
                if matches!(to, Edge::Neighbour(other) if coming.heirs.is_gone(other)) {
                    triangle.set_edge(edge, Edge::Border);
                }
            }
        }
    }

    /// Edge links and cover of triangles that are gone, on the new edge that lies there. Cover that lies nowhere is lost, and so is
    /// a link.
    fn carry_edges(
        &self,
        mesh: &mut NavMeshBuf,
        coming: &Coming<'_>,
        bill: &mut MeshBill,
    ) -> BTreeMap<(u16, u8), (u16, u8)> {
        let heirs = &coming.heirs;
        let mut by_side: HashMap<(u32, u32), (u16, u8)> = HashMap::new();
        let mut by_number: HashMap<u16, [u32; 3]> = HashMap::new();
        for (number, face) in coming.each() {
            by_number.insert(number, face.corners);
            for (edge, side) in (0_u8..).zip(sides(face.corners)) {
                by_side.entry(side).or_insert((number, edge));
            }
        }
        let heir = |index: u16, edge: u8| -> Option<(u16, u8)> {
            let (from, to) =
                *sides(heirs.places.get(usize::from(index)).copied().flatten()?).get(usize::from(edge))?;
            if let Some(found) = by_side.get(&(from, to)) {
                return Some(*found);
            }
            let (a, b) = *sides(*by_number.get(&index)?).get(usize::from(edge))?;
            let place = |corner| heirs.corners.place(corner);
            let scale = self.old.scale();
            let lies =
                near(place(from), place(a), scale).is_some() && near(place(to), place(b), scale).is_some();
            lies.then_some((index, edge))
        };
        let mut carried = BTreeMap::new();
        let mut taken: HashSet<(u16, u8)> = HashSet::new();
        let mut homeless: Option<u16> = None;
        for index in heirs.dead {
            let Some(edges) = self.old.triangles.get(usize::from(*index)).map(TriangleBuf::edges) else {
                continue;
            };
            for (edge, to) in (0_u8..).zip(edges) {
                if !heirs.is_weighty(*index, edge.into()) {
                    continue;
                }
                let found = heir(*index, edge).filter(|to| taken.insert(*to));
                if let Edge::Link(link) = to {
                    let stored = self.old.links.get(usize::from(link));
                    match (found, stored) {
                        (Some((now, at)), Some(_)) => {
                            if let Some(triangle) = mesh.triangles.get_mut(usize::from(now)) {
                                triangle.set_edge(at.into(), Edge::Link(link));
                            }
                            carried.insert((*index, edge), (now, at));
                            bill.links = bill.links.saturating_add(1);
                        }
                        (None, Some(link)) => bill.lost.push(lost_link(*index, link)),
                        _ => {}
                    }
                }
                let cover = self.old.edge_cover(*index, edge.into());
                if cover != 0 {
                    let put =
                        found.is_some_and(|(now, at)| mesh.put_cover(self.old, (*index, edge), (now, at)));
                    match put {
                        true => bill.cover = bill.cover.saturating_add(1),
                        false if mesh.is_tall() => homeless = homeless.or(Some(*index)),
                        false => bill.lost.push(format!("cover on edge {edge} of triangle {index}")),
                    }
                }
            }
        }
        if let Some(index) = homeless {
            let pieces = mesh.cover_edges.len();
            mesh.clear_all_cover();
            bill.cover = 0;
            bill.lost.push(format!(
                "all cover, {pieces} edges: triangle {index} with cover is gone, and chains of it cannot be cut"
            ));
        }
        carried
    }

    /// Doors of triangles that are gone, on the new one that lies there.
    fn carry_doors(
        &self,
        mesh: &mut NavMeshBuf,
        coming: &Coming<'_>,
        seats: &[(u16, usize)],
        bill: &mut MeshBill,
    ) -> BTreeMap<u32, Option<u32>> {
        let number = |face: &usize| coming.numbers.get(*face).copied();
        let seats: HashMap<u16, u16> =
            seats.iter().filter_map(|(index, face)| Some((*index, number(face)?))).collect();
        let mut doors = BTreeMap::new();
        let (mut over, mut lost) = (Vec::new(), Vec::new());
        mesh.doors.retain_mut(|door| {
            if !coming.heirs.is_gone(door.triangle) {
                return true;
            }
            let seat = seats.get(&door.triangle).copied();
            doors.insert(u32::from(door.triangle), seat.map(u32::from));
            match seat {
                Some(seat) => {
                    door.triangle = seat;
                    over.push(seat);
                }
                None => lost.push((door.reference, door.triangle)),
            }
            seat.is_some()
        });
        for seat in &over {
            if let Some(triangle) = mesh.triangles.get_mut(usize::from(*seat)) {
                triangle.flags.0 |= TriangleFlags::DOOR.0;
            }
        }
        bill.doors = over.len();
        bill.lost.extend(
            lost.iter().map(|(door, at)| {
                format!("door {door} of triangle {at}: no triangle of the model lies there")
            }),
        );
        doors
    }

    /// Waypoints of triangles that are gone, on the new one that lies there.
    fn carry_waypoints(&self, mesh: &mut NavMeshBuf, coming: &Coming<'_>) {
        let Coming { heirs, faces, numbers } = coming;
        let among: Vec<[u32; 3]> = faces.iter().map(|face| face.corners).collect();
        for waypoint in mesh.waypoints.iter_mut().filter(|waypoint| heirs.is_gone(waypoint.triangle())) {
            let found = heirs.covering(waypoint.point().to_array(), &among);
            let now = found.and_then(|number| numbers.get(number)).copied();
            *waypoint = waypoint.on(now.unwrap_or(crate::record::NO_NEIGHBOUR));
        }
    }

    /// Takes out what is left of triangles that are gone.
    fn finish(&self, mesh: &mut NavMeshBuf, left: &BTreeSet<u16>, changed: bool) -> Result<TriangleMap> {
        if !changed {
            return Ok((0_u16..).take(mesh.triangles.len()).map(Some).collect());
        }
        for index in left {
            // Its cover and links went over, or are lost.
            if let Some(triangle) = mesh.triangles.get_mut(usize::from(*index)) {
                triangle.cover = 0;
                (0..3).for_each(|edge| triangle.set_edge(edge, Edge::Border));
            }
        }
        mesh.delete_triangles(left)
    }
}

/// A link that leads on from nowhere, in words.
fn lost_link(index: u16, link: &LinkBuf) -> String {
    let kind = crate::flags::LinkKind::from_stored(link.kind);
    format!("edge link ({kind}) of triangle {index} to {}#{}", link.navmesh, link.triangle)
}
