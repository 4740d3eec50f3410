//! One tile: its head, its polygons and their edges.

use super::Report;
use crate::ground::doubled_area;
use crate::iter::TileEntry;
use crate::layout::{Layout, Section};
use crate::record::{Across, Polygon};
use navmap_core::Severity::{Error, Info, Warning};

/// How far a portal edge may lie from the side of its tile.
const OFF_SIDE: f32 = 0.05;

impl Report<'_> {
    /// Checks a tile by itself.
    pub(super) fn tile(&mut self, entry: &TileEntry<'_>) {
        self.head(entry);
        let tile = &entry.tile;
        for (index, _) in tile.vertices().iter().enumerate().filter(|(_, vertex)| !vertex.is_finite()) {
            self.say((Error, "not-finite"), entry, (Section::Vertices, index), "holds NaN or infinity");
        }
        let detail = tile.detail_vertices().iter().enumerate();
        for (index, _) in detail.filter(|(_, vertex)| !vertex.is_finite()) {
            self.say((Error, "not-finite"), entry, (Section::DetailVertices, index), "holds NaN or infinity");
        }
        for (index, polygon) in tile.polygons().iter().enumerate() {
            self.polygon(entry, index, &polygon);
        }
        self.connections(entry);
        self.details(entry);
        self.tree(entry);
    }

    fn head(&mut self, entry: &TileEntry<'_>) {
        let tile = &entry.tile;
        let head = tile.head();
        let floats =
            head.min.iter().chain(&head.max).chain([&head.factor]).chain(head.agent.iter().flatten());
        if !floats.into_iter().all(|value| value.is_finite()) {
            let at = tile.layout().head_len().saturating_sub(40) as u64;
            self.say_head((Error, "not-finite"), entry, at, "the head holds NaN or infinity");
        }
        let (base, ground) = (head.off_mesh_base, head.polygons.checked_sub(head.off_mesh));
        if tile.layout() != Layout::V16 && ground != Some(base) {
            let (all, count) = (head.polygons, head.off_mesh);
            let message =
                format!("off-mesh base {base} where {count} of {all} polygons are off-mesh connections");
            self.say_head((Error, "off-mesh-base"), entry, 56, message);
        }
        if head.max_links == 0 && head.polygons > 0 && tile.layout() != Layout::V16 {
            let message = "room for 0 links: the engine writes one before the first";
            self.say_head((Error, "no-room-for-links"), entry, 32, message);
        }
        if head.detail_vertices > 0xFFFF {
            let message =
                format!("{} detail vertices, the builder counts them in 16 bits", head.detail_vertices);
            self.say_head((Warning, "many-detail-vertices"), entry, 40, message);
        }
        if !tile.rest().is_empty() && entry.size > tile.size() && entry.reference != 0 {
            let left = tile.rest().len();
            let message = format!("{left} bytes after its last section");
            self.say_head((Error, "tile-trailing"), entry, tile.size(), message);
        }
    }

    fn polygon(&mut self, entry: &TileEntry<'_>, index: usize, polygon: &Polygon<'_>) {
        let tile = &entry.tile;
        let at = (Section::Polygons, index);
        let off_mesh = index >= tile.ground();
        let count = polygon.corner_count();
        let allowed = if off_mesh { 2..=2 } else { 3..=6 };
        if !allowed.contains(&count) {
            self.say((Error, "corner-count"), entry, at, format!("{count} corners"));
        }
        if polygon.is_off_mesh() != off_mesh && tile.layout() != Layout::V16 {
            let message = format!(
                "of kind {} where it is {}",
                polygon.kind(),
                if off_mesh { "a connection" } else { "ground" }
            );
            self.say((Error, "polygon-kind"), entry, at, message);
        }
        let vertices = tile.vertices().len();
        let corners = polygon.corners();
        for (number, corner) in corners.iter().enumerate() {
            if usize::from(corner.get()) >= vertices {
                let message = format!("corner {number} is vertex {corner}, outside 0..{vertices}");
                self.say((Error, "dangling-corner"), entry, at, message);
            }
            if !off_mesh && corners.iter().take(number).any(|other| other == corner) {
                self.say((Error, "repeated-corner"), entry, at, format!("vertex {corner} is a corner twice"));
            }
        }
        if off_mesh {
            return;
        }
        self.shape(entry, index);
        if polygon.flags() == 0 {
            let severity = if tile.layout() == Layout::V13 { Info } else { Warning };
            self.say((severity, "flags-zero"), entry, at, "flags 0: the engine's filters pass over it");
        }
        for edge in 0..polygon.neighbours().len() {
            self.edge(entry, index, polygon, edge);
        }
    }

    /// Checks the winding and the area of a ground polygon.
    fn shape(&mut self, entry: &TileEntry<'_>, index: usize) {
        let mut buffer = [[0.0; 3]; 6];
        let corners = entry.tile.plan_corners(index, &mut buffer);
        let area = doubled_area(corners);
        let wanted_positive = entry.tile.layout().z_up();
        let at = (Section::Polygons, index);
        if area == 0.0 {
            self.say((Warning, "no-area"), entry, at, "has no area in plan");
        } else if (area > 0.0) != wanted_positive {
            self.say((Warning, "winding"), entry, at, "its corners run the other way round");
        }
    }

    fn edge(&mut self, entry: &TileEntry<'_>, index: usize, polygon: &Polygon<'_>, edge: usize) {
        let tile = &entry.tile;
        let at = (Section::Polygons, index);
        match polygon.across(edge) {
            None | Some(Across::Wall) => {}
            Some(Across::Inner(to)) => {
                let len = tile.polygons().len();
                let Some(other) = tile.polygons().get(to.into()) else {
                    let message = format!("neighbour {to} over edge {edge} is outside 0..{len}");
                    self.say((Error, "dangling-neighbour"), entry, at, message);
                    return;
                };
                let own = ends(polygon, edge);
                let back = (0..other.corners().len()).any(|theirs| {
                    let mutual = matches!(other.across(theirs), Some(Across::Inner(from)) if usize::from(from) == index);
                    mutual && ends(&other, theirs).map(|(a, b)| (b, a)) == own
                });
                if !back {
                    let message = format!("neighbour {to} over edge {edge} does not lead back over it");
                    self.say((Error, "one-sided-neighbour"), entry, at, message);
                }
            }
            Some(Across::Portal(side @ (0 | 2 | 4 | 6))) => {
                let head = tile.head();
                let (z_up, [ax, ay, az], [bx, by, bz]) = (tile.layout().z_up(), head.min, head.max);
                let (low, high) = if z_up { (ay, by) } else { (az, bz) };
                // Tiles of version 13 run towards smaller x.
                let wanted = match side {
                    0 => {
                        if z_up {
                            ax
                        } else {
                            bx
                        }
                    }
                    4 => {
                        if z_up {
                            bx
                        } else {
                            ax
                        }
                    }
                    2 => high,
                    _ => low,
                };
                let ends = tile.edge(polygon, edge).unwrap_or([[f32::NAN; 3]; 2]);
                let across = ends.map(|[x, y, z]| match side {
                    0 | 4 => x,
                    _ => {
                        if z_up {
                            y
                        } else {
                            z
                        }
                    }
                });
                if across.iter().any(|value| (value - wanted).abs() > OFF_SIDE) {
                    let message = format!("portal edge {edge} does not lie on side {side} of the tile");
                    self.say((Error, "portal-off-side"), entry, at, message);
                }
            }
            Some(Across::Portal(side)) => {
                let message = format!("portal edge {edge} leads over side {side}, which has no edges");
                self.say((Error, "portal-side"), entry, at, message);
            }
        }
    }

    fn connections(&mut self, entry: &TileEntry<'_>) {
        let tile = &entry.tile;
        let (base, len) = (tile.head().off_mesh_base, tile.polygons().len());
        for (index, connection) in tile.off_mesh().iter().enumerate() {
            let at = (Section::OffMesh, index);
            let wanted = u64::from(base).saturating_add(index as u64);
            let polygon = connection.polygon();
            if usize::from(polygon) >= len {
                self.say(
                    (Error, "off-mesh-polygon"),
                    entry,
                    at,
                    format!("polygon {polygon} is outside 0..{len}"),
                );
            } else if u64::from(polygon) != wanted {
                let message = format!("polygon {polygon} where {wanted} stands for it");
                self.say((Error, "off-mesh-polygon"), entry, at, message);
            }
            let floats = [connection.start(), connection.end()];
            if !floats.iter().flatten().chain([&connection.radius()]).all(|value| value.is_finite()) {
                self.say((Error, "not-finite"), entry, at, "holds NaN or infinity");
            }
            if connection.side().is_some_and(|side| side > 7) {
                self.say((Error, "off-mesh-side"), entry, at, "ends over a side that no tile has");
            }
        }
    }
}

/// The vertices of an edge.
fn ends(polygon: &Polygon<'_>, edge: usize) -> Option<(u16, u16)> {
    let corners = polygon.corners();
    let next = corners.get(edge.checked_add(1)?).or(corners.first())?;
    Some((corners.get(edge)?.get(), next.get()))
}
