//! What a conversion loses: said before anything is written, and refused with `--lossless`.

use super::out::warn;
use navmap::format::fox::BuildReport;
use navmap::format::skyrim::{CoverBuf, NavMeshBuf, TriangleFlags};
use navmap::graph::Scene;
use navmap::text::path_text;
use navmap::{Finding, Severity};
use std::path::Path;

/// The losses of one conversion.
#[derive(Debug, Default)]
pub(super) struct Losses {
    /// Those that are still to be said.
    pub(super) found: Vec<Finding>,
    /// How many the report of a builder has said.
    pub(super) told: u64,
}

impl Losses {
    /// Adds a loss of so many things, if it is any.
    pub(super) fn lost(&mut self, code: &'static str, count: usize, what: &str) {
        if count > 0 {
            self.found.push(Finding::new(Severity::Warning, code, format!("lost: {what} ({count})")));
        }
    }

    /// Says the losses of a file.
    pub(super) fn say(&self, path: &Path) {
        for loss in &self.found {
            warn(format_args!("{}: {loss}", path_text(path)));
        }
    }

    /// Whether nothing may be written, which is said then.
    pub(super) fn refuse(&self, lossless: bool) -> bool {
        let lost = self.told > 0 || self.found.iter().any(|loss| loss.severity >= Severity::Warning);
        if lossless && lost {
            warn(format_args!("navmap: nothing is written: --lossless"));
        }
        lossless && lost
    }

    /// What a mesh of faces does not take of a model.
    pub(super) fn of_faces(&mut self, scene: &Scene) {
        self.lost("lines-lost", scene.lines.len(), "lines, which only graphs of waypoints have");
        self.lost("points-lost", scene.points.len(), "points, which only graphs of waypoints have");
    }

    /// What a graph of waypoints does not take of a model, of whose paths so many became traversals.
    pub(super) fn of_ways(&mut self, scene: &Scene, traversals: usize) -> navmap::Result<()> {
        let made = scene.waypoints()?;
        self.lost("loops-lost", made.loops, "lines from a waypoint to itself");
        let paths = made.ways.iter().filter(|way| way.path.is_some()).count();
        self.lost("traversals-lost", paths.saturating_sub(traversals), "take-off and landing of links");
        self.lost(
            "paths-lost",
            made.left_out,
            "lines of paths that end at no waypoint, or have no two inner points",
        );
        Ok(())
    }

    /// What the report of a tile of the Fox Engine counts that is not in the tile.
    pub(super) fn of_tile(&mut self, report: &BuildReport) {
        let counts = [report.flat, report.dropped, report.crowded, report.folded];
        self.told = counts.into_iter().fold(self.told, u64::saturating_add);
    }

    /// What the triangles of a navmesh had that were replaced.
    pub(super) fn of_triangles(&mut self, before: &NavMeshBuf, after: &NavMeshBuf) {
        let cover = match &before.cover {
            CoverBuf::Triangles(list) => list.len(),
            CoverBuf::V15(list) => list.len(),
            CoverBuf::V17(list) => list.len(),
        };
        self.lost("edge-links-lost", before.links.len(), "edge links of the old triangles");
        self.lost("doors-lost", before.doors.len(), "doors of the old triangles");
        self.lost("cover-lost", cover, "cover of the old triangles");
        self.lost("waypoints-lost", before.waypoints.len(), "waypoints of the old triangles");
        let marks = before.marks.iter().filter(|mark| **mark != 0).count();
        self.lost("marks-lost", marks, "words beside the old vertices");
        // The new ones have nothing above them either.
        let heights = before.triangles.iter().filter(|t| t.height != 0.0 && t.height != f32::MAX).count();
        self.lost("heights-lost", heights, "heights above the old triangles");
        // Flags of links and doors say what is counted above.
        let own = ["edge_0_link", "edge_1_link", "edge_2_link", "door"];
        for (name, flag) in TriangleFlags::NAMED.iter().filter(|(name, _)| !own.contains(name)) {
            let with = |mesh: &NavMeshBuf| mesh.triangles.iter().filter(|t| t.flags.contains(*flag)).count();
            let lost = with(before).saturating_sub(with(after));
            self.lost("flags-lost", lost, &format!("triangles with the flag {name}"));
        }
    }
}
