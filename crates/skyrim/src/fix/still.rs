//! Neighbours that do not point back, and what is still wrong after all repairs.

use super::deed::{BEYOND, MENDED, Repair};
use super::plan::{FixPlan, Said};
use super::rows::Holds;
use crate::buf::{NavMeshBuf, TriangleBuf};
use crate::check::links::Key;
use crate::check::{Report, mesh as check_mesh};
use crate::record::Edge;
use crate::view::NavMesh;
use std::collections::{BTreeMap, BTreeSet, HashSet};

pub(super) type Codes = BTreeSet<&'static str>;

impl FixPlan<'_, '_> {
    /// What was found in the meshes that the game uses, by themselves.
    pub(super) fn broken(&self) -> BTreeMap<Key, Codes> {
        let rows = self.world.rows.iter();
        let rows = rows.filter(|(_, row)| matches!(row.holds, Some(Holds::Triangles(_))));
        rows.filter_map(|(key, row)| Some((key, row.rest.as_ref()?.codes.clone()))).collect()
    }

    /// Tells what is still wrong with meshes by themselves, after all repairs.
    pub(super) fn still_broken(&mut self) {
        let mut broken = self.broken();
        self.world.edited.keys().for_each(|key| _ = broken.entry(*key).or_default());
        let left = self.deeds.iter().filter(|deed| deed.repair == Repair::Mesh && deed.left.is_some());
        let told: HashSet<_> = left.map(|deed| (deed.plugin, deed.form)).collect();
        for (key, found) in broken {
            let Some(target) = self.world.winner(key).filter(|target| self.options.touches(target.plugin))
            else {
                continue;
            };
            let found = match self.world.edited.get(&key) {
                Some(edited) => codes_of(&edited.mesh).unwrap_or(found),
                None => found,
            };
            let told = told.contains(&(target.plugin, target.navm.form_id()));
            let codes = BEYOND.iter().chain(MENDED.iter().filter(|_| !told));
            for code in codes.filter(|code| found.contains(*code)) {
                let said = Said {
                    repair: Repair::Mesh,
                    what: (*code).to_owned(),
                    before: "broken".to_owned(),
                    after: String::new(),
                };
                self.note(&target, said, Some("only a person can tell what belongs there".to_owned()));
            }
        }
    }
}

/// What a check finds in a mesh as it would be written.
pub(super) fn codes_of(mesh: &NavMeshBuf) -> Option<Codes> {
    let bytes = mesh.encode().ok()?;
    let mut codes = Codes::new();
    check_mesh(
        &NavMesh::parse(&bytes).ok()?,
        &mut Report::new(&mut |finding| {
            codes.insert(finding.code);
        }),
    );
    Some(codes)
}

/// Lets neighbours point at each other. An edge whose neighbour does not point back is answered where the other triangle has
/// a free edge between the same vertices; without one it becomes a border. Returns how many are answered and how many are
/// borders.
pub(super) fn answer_neighbours(mesh: &mut NavMeshBuf) -> (u64, u64) {
    let ends = |triangle: &TriangleBuf, edge: usize| {
        let [a, b, c] = triangle.vertices;
        [(a, b), (b, c), (c, a)].get(edge).copied().unwrap_or((a, a))
    };
    let (mut answered, mut borders) = (0_u64, 0_u64);
    for index in 0..u16::try_from(mesh.triangles.len()).unwrap_or(u16::MAX) {
        for edge in 0..3_usize {
            let Some(triangle) = mesh.triangles.get(usize::from(index)) else { continue };
            let Some(Edge::Neighbour(other)) = triangle.edges().get(edge).copied() else { continue };
            let (a, b) = ends(triangle, edge);
            let Some(there) = mesh.triangles.get(usize::from(other)) else { continue };
            let mut back = there.edges().into_iter().enumerate();
            if back.any(|(_, to)| to == Edge::Neighbour(index)) {
                continue;
            }
            let free = there.edges().into_iter().enumerate();
            let mut free = free.filter(|(at, to)| *to == Edge::Border && ends(there, *at) == (b, a));
            match free.next() {
                Some((at, _)) => {
                    if let Some(there) = mesh.triangles.get_mut(usize::from(other)) {
                        there.set_edge(at, Edge::Neighbour(index));
                    }
                    answered = answered.saturating_add(1);
                }
                None => {
                    if let Some(triangle) = mesh.triangles.get_mut(usize::from(index)) {
                        triangle.set_edge(edge, Edge::Border);
                    }
                    borders = borders.saturating_add(1);
                }
            }
        }
    }
    (answered, borders)
}
