//! Detail meshes: ranges, indices, and the boundary without which the engine crashes.

use super::Report;
use crate::iter::TileEntry;
use crate::layout::{Layout, Section};
use navmap_core::Severity::Error;

impl Report<'_> {
    pub(super) fn details(&mut self, entry: &TileEntry<'_>) {
        let tile = &entry.tile;
        let (ground, meshes) = (tile.ground(), tile.details().len());
        if meshes < ground {
            let message = format!("{meshes} detail meshes for {ground} ground polygons");
            self.say_head((Error, "missing-detail"), entry, 36, message);
        }
        let words = tile.layout() == Layout::V16;
        for (index, detail) in tile.details().iter().enumerate() {
            let at = (Section::Details, index);
            let [vertices, triangles] = detail.counts(words);
            let ends = [
                ("vertices", detail.first_vertex(), vertices, tile.detail_vertices().len()),
                ("triangles", detail.first_triangle(), triangles, tile.triangles().len()),
            ];
            let mut sound = true;
            for (what, first, count, len) in ends {
                let end = u64::from(first).saturating_add(count.into());
                if end > len as u64 {
                    sound = false;
                    self.say(
                        (Error, "detail-range"),
                        entry,
                        at,
                        format!("{what} {first}..{end} are outside 0..{len}"),
                    );
                }
            }
            let corners = tile.polygons().get(index).map_or(0, |polygon| polygon.corners().len());
            let most = corners.saturating_add(vertices.into());
            let mut boundary = false;
            let first = usize::try_from(detail.first_triangle()).unwrap_or(usize::MAX);
            for number in 0..usize::from(triangles) {
                let Some((triangle, flags)) =
                    first.checked_add(number).and_then(|at| tile.triangles().get(at))
                else {
                    break;
                };
                // Two bits for each edge, of which the lower says that it is on the boundary.
                boundary |= flags & 0b01_0101 != 0;
                if let Some(over) = triangle.iter().find(|corner| usize::from(**corner) >= most) {
                    let at = (Section::Triangles, first.saturating_add(number));
                    let message = format!("corner {over} is outside 0..{most}");
                    self.say_of((Error, "detail-corner"), entry, at, Some(index), message);
                }
            }
            if sound && !boundary && index < ground {
                let message = "no triangle has an edge on the boundary: the engine crashes when it looks for the nearest";
                self.say((Error, "no-boundary"), entry, at, message);
            }
        }
    }
}
