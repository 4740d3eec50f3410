//! Moves triangles of a mesh, with what lies on them.

use super::buf::NavMeshBuf;
use super::record::{CoverEnd, Waypoint};
use navmap_core::edit::points::moved;
use std::collections::{BTreeSet, HashMap};

/// Vertices and waypoints of a mesh, by their indices. Swapping them with those of the mesh undoes a move.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) vertices: Vec<(u32, [f32; 3])>,
    pub(super) waypoints: Vec<(u32, Waypoint)>,
}

impl Places {
    /// One vertex.
    pub(super) fn vertex(index: u16, at: [f32; 3]) -> Self {
        Self { vertices: vec![(index.into(), at)], waypoints: Vec::new() }
    }

    /// How many places it holds.
    pub(super) fn len(&self) -> usize {
        self.vertices.len().saturating_add(self.waypoints.len())
    }
}

impl NavMeshBuf {
    /// Moves triangles, and the waypoints on them. Returns what was at these places before; `None`, and nothing moves, if one
    /// would lie nowhere.
    ///
    /// Ends of cover may be vertices that no triangle has. They move with all triangles that have this cover.
    pub(super) fn shift(&mut self, by: [f32; 3], triangles: &BTreeSet<u16>) -> Option<Places> {
        let mut places = self.places_of(triangles);
        for (_, vertex) in &mut places.vertices {
            *vertex = moved(*vertex, by)?;
        }
        for (_, waypoint) in &mut places.waypoints {
            *waypoint = waypoint.moved_to(moved(waypoint.point().to_array(), by)?);
        }
        self.swap_places(&mut places);
        Some(places)
    }

    fn places_of(&self, triangles: &BTreeSet<u16>) -> Places {
        let all = triangles.len() >= self.triangles.len();
        let corners = triangles.iter().filter_map(|index| self.triangles.get(usize::from(*index)));
        let mut corners: BTreeSet<u32> =
            corners.flat_map(|triangle| triangle.vertices).map(u32::from).collect();
        if !all {
            corners.extend(self.ends_over(triangles));
        }
        let vertices = (0_u32..).zip(self.vertices.iter().copied());
        let waypoints = (0_u32..).zip(self.waypoints.iter().copied());
        Places {
            vertices: vertices.filter(|(index, _)| all || corners.contains(index)).collect(),
            waypoints: waypoints.filter(|(_, at)| all || triangles.contains(&at.triangle())).collect(),
        }
    }

    /// The vertices that no triangle has and at which cover ends, if all triangles with that cover are among these. Runs of cover
    /// begin at vertices, and an edge names the first piece of its run (`docs/formats/skyrim.md`, section 4).
    fn ends_over(&self, triangles: &BTreeSet<u16>) -> Vec<u32> {
        let pieces = self.cover.ends();
        if pieces.is_empty() {
            return Vec::new();
        }
        let mut run = 0_usize;
        let of = |[start, _]: &[CoverEnd; 2]| {
            run = run.saturating_add(start.vertex().is_some().into());
            run
        };
        let runs: Vec<usize> = pieces.iter().map(of).collect();
        let mut whole: HashMap<usize, bool> = HashMap::new();
        for edge in &self.cover_edges {
            if let Some(run) = runs.get(usize::from(edge.segment())) {
                *whole.entry(*run).or_insert(true) &= triangles.contains(&edge.triangle());
            }
        }
        let mut moves: HashMap<u16, bool> = HashMap::new();
        for (ends, run) in pieces.iter().zip(&runs) {
            let whole = whole.get(run).copied().unwrap_or_default();
            for vertex in ends.iter().copied().filter_map(CoverEnd::vertex) {
                *moves.entry(vertex).or_insert(true) &= whole;
            }
        }
        for vertex in self.triangles.iter().flat_map(|triangle| triangle.vertices) {
            moves.remove(&vertex);
        }
        moves.into_iter().filter(|(_, moves)| *moves).map(|(vertex, _)| vertex.into()).collect()
    }

    /// Exchanges what a mesh has at some places.
    pub(super) fn swap_places(&mut self, places: &mut Places) {
        for (index, other) in &mut places.vertices {
            if let Some(vertex) = self.vertices.get_mut(*index as usize) {
                std::mem::swap(vertex, other);
            }
        }
        for (index, other) in &mut places.waypoints {
            if let Some(waypoint) = self.waypoints.get_mut(*index as usize) {
                std::mem::swap(waypoint, other);
            }
        }
    }
}
