//! Faces, edges and vertices: the numbers in them, and whether they fit together.

use super::{Deviation, Error, Report, Warning};
use crate::record::Face;

/// How far a corner of a face may lie outside the box of its area.
const SLACK: f32 = 1.0;

impl Report<'_, '_> {
    /// Checks the numbers of vertices, edges, planes and areas.
    pub(super) fn faces(&mut self) {
        let nav = self.nav;
        // Edge 0 and face 0 are placeholders: edge 0 names vertex 0 of a list that may be empty.
        for (edge, index) in nav.edges().iter().zip(0..).skip(1) {
            for vertex in edge.vertices() {
                self.range(("edges", "edge", index), "vertex", vertex, nav.vertices().len());
            }
        }
        for (number, index) in nav.edge_index().iter().zip(0..) {
            let of = ("edge index", "entry of the edge index", index);
            self.range(of, "edge", number.get().unsigned_abs(), nav.edges().len());
        }
        for (face, index) in nav.faces().iter().zip(0..).skip(1) {
            let of = ("faces", "face", index);
            self.range(of, "plane", face.plane(), nav.planes().len());
            self.range(of, "area", face.front(), nav.areas().len());
            self.range(of, "area", face.back(), nav.areas().len());
            self.run(of, "edges", [face.first_edge(), face.edges()], nav.edge_index().len());
            self.bits(of, "flags", face.flags().unnamed());
        }
        for (number, index) in nav.face_index().iter().zip(0..) {
            let of = ("face index", "entry of the face index", index);
            self.range(of, "face", number.get().unsigned_abs(), nav.faces().len());
        }
    }

    /// Checks that the edges of each face form a loop, that each area is on the side its faces claim, and that faces lie in the
    /// area's box. Overlapping runs cost no more than the same list without overlaps.
    pub(super) fn sides(&mut self) {
        let nav = self.nav;
        let mut left = nav.edge_index().len();
        for (face, index) in nav.faces().iter().zip(0..).skip(1) {
            let Some(rest) = left.checked_sub(nav.edges_of(face).len()) else {
                self.say(
                    Error,
                    "shared-run",
                    ("faces", "face", index),
                    "its edges are those of other faces".to_owned(),
                );
                break;
            };
            left = rest;
            if !self.is_loop(face) {
                self.say(
                    Deviation,
                    "face-loop",
                    ("faces", "face", index),
                    "its edges do not close".to_owned(),
                );
            }
        }
        let mut left = nav.face_index().len();
        let mut corners = nav.edge_index().len().saturating_mul(2);
        for (area, index) in nav.areas().iter().zip(0..).skip(1) {
            let of = ("areas", "area", index);
            let numbers = nav.faces_of(area);
            let Some(rest) = left.checked_sub(numbers.len()) else {
                self.say(Error, "shared-run", of, "its faces are those of other areas".to_owned());
                break;
            };
            left = rest;
            let (mins, maxs) = (area.mins(), area.maxs());
            let inside = |corner: [f32; 3]| {
                let within =
                    |((value, min), max): ((f32, f32), f32)| value >= min - SLACK && value <= max + SLACK;
                corner.into_iter().zip(mins).zip(maxs).all(within)
            };
            let mut loose = false;
            for number in numbers {
                let number = number.get();
                let Some(face) = nav.faces().get(number.unsigned_abs() as usize) else { continue };
                let side = if number < 0 { face.back() } else { face.front() };
                if usize::try_from(side) != Ok(index) {
                    let which = if number < 0 { "back" } else { "front" };
                    let message =
                        format!("area #{side} is at the {which} of its face {}", number.unsigned_abs());
                    self.say(Warning, "face-side", of, message);
                }
                let edges = nav.edges_of(face).len();
                corners = corners.saturating_sub(edges);
                loose |= corners > 0 && !nav.corners(face).all(inside);
            }
            if loose {
                self.say(Warning, "loose-box", of, "a corner of its faces is outside of its box".to_owned());
            }
        }
    }

    fn is_loop(&self, face: &Face) -> bool {
        let ends = |number: i32| {
            let [a, b] = self.nav.edges().get(number.unsigned_abs() as usize)?.vertices();
            Some(if number < 0 { [b, a] } else { [a, b] })
        };
        let edges = self.nav.edges_of(face);
        let after = edges.iter().cycle().skip(1);
        edges.iter().zip(after).all(|(edge, next)| match (ends(edge.get()), ends(next.get())) {
            (Some([_, end]), Some([start, _])) => end == start,
            // Out of range is reported separately.
            _ => true,
        })
    }
}
