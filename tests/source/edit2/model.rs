//! The same commands on a mesh that is changed as plainly as possible.

use super::{open, still};
use navmap::edit::Editor;
use navmap_testkit::bytes::Rng;
use navmap_testkit::source::{Mesh2, write2};
use std::collections::BTreeSet;

/// A mesh that is changed as plainly as possible. Nothing is numbered anew before it is written.
struct Model {
    mesh: Mesh2,
    deleted: BTreeSet<u32>,
}

impl Model {
    fn new(mut mesh: Mesh2) -> Self {
        if mesh.version == 30 {
            // Each area has corners of its own.
            let (mut vertices, mut polygons) = (Vec::new(), Vec::new());
            for (at, area) in (0..).zip(&mut mesh.areas) {
                let first = vertices.len() as u32;
                let corners = &mesh.polygons[area.polygon as usize];
                vertices.extend(corners.iter().map(|corner| mesh.vertices[*corner as usize]));
                polygons.push((first..vertices.len() as u32).collect());
                area.polygon = at;
            }
            (mesh.vertices, mesh.polygons) = (vertices, polygons);
        }
        Self { mesh, deleted: BTreeSet::new() }
    }

    fn at(&self, id: u32) -> Option<usize> {
        let at = self.mesh.areas.iter().position(|area| area.id == id)?;
        (!self.deleted.contains(&id)).then_some(at)
    }

    fn corners(&self, at: usize) -> &[u32] {
        &self.mesh.polygons[self.mesh.areas[at].polygon as usize]
    }

    fn link(&mut self, from: usize, edge: usize, to: u32, there: u32) {
        let list = &mut self.mesh.areas[from].edges[edge];
        match list.iter_mut().find(|(area, _)| *area == to) {
            Some(link) => link.1 = there,
            None => list.push((to, there)),
        }
    }

    fn forget(&mut self, id: u32) {
        for area in &mut self.mesh.areas {
            area.edges.iter_mut().for_each(|list| list.retain(|(to, _)| *to != id));
        }
        let ends = self.mesh.ladders.iter_mut().flat_map(|ladder| &mut ladder.areas);
        ends.filter(|area| **area == id).for_each(|area| *area = 0);
    }

    /// Moves corners, with those of areas of the same hulls at the same places.
    fn shift(&mut self, chosen: &[u32], z: f32) {
        let spot = |at: usize, corner: u32| {
            (self.mesh.areas[at].hull, self.mesh.vertices[corner as usize].map(f32::to_bits))
        };
        let mut all: Vec<(usize, u32)> = Vec::new();
        for at in 0..self.mesh.areas.len() {
            if !self.deleted.contains(&self.mesh.areas[at].id) {
                all.extend(self.corners(at).iter().map(|corner| (at, *corner)));
            }
        }
        let of = all.iter().filter(|(_, corner)| chosen.contains(corner));
        let spots: BTreeSet<_> = of.map(|(at, corner)| spot(*at, *corner)).collect();
        let here = all.iter().filter(|(at, corner)| spots.contains(&spot(*at, *corner)));
        let moved: BTreeSet<u32> = here.map(|(_, corner)| *corner).collect();
        moved.iter().for_each(|corner| self.mesh.vertices[*corner as usize][2] += z);
    }

    fn has_blocks(&self) -> bool {
        self.mesh.version >= 36 || self.mesh.subversion > 0
    }

    fn bytes(&self) -> Vec<u8> {
        let mut mesh = self.mesh.clone();
        mesh.areas.retain(|area| !self.deleted.contains(&area.id));
        if !self.deleted.is_empty() && mesh.version > 30 {
            let kept: BTreeSet<u32> = mesh.areas.iter().map(|area| area.polygon).collect();
            let number = |kept: &BTreeSet<u32>, old: u32| kept.range(..old).count() as u32;
            mesh.areas.iter_mut().for_each(|area| area.polygon = number(&kept, area.polygon));
            mesh.polygons = kept.iter().map(|polygon| mesh.polygons[*polygon as usize].clone()).collect();
            let corners: BTreeSet<u32> = mesh.polygons.iter().flatten().copied().collect();
            mesh.polygons.iter_mut().flatten().for_each(|corner| *corner = number(&corners, *corner));
            mesh.vertices = corners.iter().map(|corner| mesh.vertices[*corner as usize]).collect();
        }
        write2(&mesh)
    }

    /// One command as text, done here as well if it is not refused.
    fn deed(&mut self, rng: &mut Rng) -> (String, bool) {
        let id = |rng: &mut Rng| rng.below(14) as u32;
        let (a, b, z) = (id(rng), id(rng), (rng.below(9) as f32 - 4.0) * 4.0);
        let (at, other) = (self.at(a), self.at(b));
        let [edge, there] = [rng.below(4) as usize, rng.below(4) as usize];
        match rng.below(9) {
            0 => {
                if let Some(at) = at {
                    self.mesh.areas[at].attributes |= 0x81;
                }
                (format!("flag crouch,AVOID #{a}"), at.is_some())
            }
            1 => {
                if let Some(at) = at {
                    self.mesh.areas[at].attributes = 0x8000_0000_0000_0010 + u64::from(b);
                }
                (format!("set #{a} Attributes={}", 0x8000_0000_0000_0010_u64 + u64::from(b)), at.is_some())
            }
            2 => {
                let (both, text) = (b % 2 == 0, if b % 2 == 0 { " --both" } else { "" });
                let ends = at.zip(other).filter(|(from, to)| {
                    from != to && self.mesh.areas[*from].hull == self.mesh.areas[*to].hull
                });
                if let Some((from, to)) = ends {
                    self.link(from, edge, b, there as u32);
                    if both {
                        self.link(to, there, a, edge as u32);
                    }
                }
                (format!("connect #{a} #{b} --edge {edge} --to {there}{text}"), ends.is_some())
            }
            3 => {
                let mut removed = false;
                for (from, to) in [(at, b), (other, a)] {
                    let (Some(from), Some(_)) = (from, self.at(to)) else { continue };
                    for list in &mut self.mesh.areas[from].edges {
                        let before = list.len();
                        list.retain(|(area, _)| *area != to);
                        removed |= list.len() < before;
                    }
                }
                (format!("disconnect #{a} #{b}"), removed)
            }
            4 => {
                if let Some(at) = at {
                    let area = &mut self.mesh.areas[at];
                    area.edges.iter_mut().for_each(Vec::clear);
                    (area.above, area.below) = (Vec::new(), Vec::new());
                    self.forget(a);
                }
                (format!("isolate #{a}"), at.is_some())
            }
            5 => {
                let last = self.deleted.len() + 1 == self.mesh.areas.len();
                let may = at.is_some() && !self.has_blocks() && !last;
                if may {
                    self.forget(a);
                    self.deleted.insert(a);
                }
                (format!("delete #{a}"), may)
            }
            6 => {
                let corners = at.map(|at| self.corners(at).to_vec()).unwrap_or_default();
                self.shift(&corners, z);
                (format!("move 0 0 {z} #{a}"), at.is_some())
            }
            7 => {
                let corner = at.map(|at| self.corners(at)[edge]);
                let [x, y, old] = corner.map_or([0.0; 3], |corner| self.mesh.vertices[corner as usize]);
                if let Some(corner) = corner {
                    self.mesh.vertices[corner as usize][2] = old + z;
                }
                let corner = corner.map_or(999, |corner| corner);
                (format!("set V#{corner} Own={x},{y},{}", old + z), at.is_some())
            }
            _ => {
                if let Some(at) = at {
                    self.mesh.areas[at].above = vec![7];
                    self.mesh.ladders[0].areas[1] = a;
                }
                (format!("set #{a} Up=L#7; set L#7 TopLeft=#{a}"), at.is_some())
            }
        }
    }
}

#[test]
fn random_commands_do_to_the_bytes_what_they_do_to_a_plain_model() {
    let mut rng = Rng(5);
    let (mut done, mut refused) = (0, 0);
    for (version, subversion) in [(30, 0), (31, 0), (32, 0), (33, 0), (34, 0), (35, 0), (35, 1), (36, 1)] {
        for _ in 0..12 {
            let mut model = Model::new(still(version, subversion));
            let bytes = model.bytes();
            let mut session = open(&bytes);
            for _ in 0..30 {
                let (text, may) = model.deed(&mut rng);
                let took = session.line(&text).is_ok();
                assert_eq!(took, may, "version {version}: {text}");
                assert!(session.editor().encode().unwrap() == model.bytes(), "version {version}: {text}");
                if may {
                    done += 1;
                } else {
                    refused += 1;
                }
            }
            session.undo(usize::MAX);
            assert!(session.editor().encode().unwrap() == bytes && session.editor().report().is_empty());
        }
    }
    assert!(done > 1000 && refused > 200, "{done} done, {refused} refused");
}
