//! Finds the face at a point. `docs/formats/fox.md`, section 8.

use super::record::{FaceIndex, GroupId, SegmentIndex};
use super::view::{FoxNav, Group, GroupFace};
use navmap_core::error::Result;

/// A face above or below a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Located {
    /// The group.
    pub group: GroupId,
    /// The segment.
    pub segment: SegmentIndex,
    /// The face.
    pub face: FaceIndex,
    /// Height of the face at that point, in metres.
    pub y: f32,
}

impl FoxNav<'_> {
    /// The face at a point in metres. If several contain its x and z, the one with the nearest height. `None` if there is no mesh
    /// at that point, or if the file has no search space.
    ///
    /// Reads one bucket of the search space, the boxes of its segments, and the faces of those segments that contain the point.
    /// Allocates nothing.
    ///
    /// # Errors
    /// If the search space, or a segment it lists, cannot be read.
    pub fn locate(&self, [x, y, z]: [f32; 3]) -> Result<Option<Located>> {
        let Some(space) = self.search()? else { return Ok(None) };
        let Some(bucket) = space.bucket_at_world(x, z)? else { return Ok(None) };
        let mut best: Option<Located> = None;
        for listing in space.listings(bucket)? {
            let listing = listing?;
            let Some(group) = self.group(listing.id.group())? else { continue };
            let place = QuantisedPoint::new(&group, x, z);
            for index in listing.segments {
                let index = SegmentIndex(index.get());
                if !place.in_box_of(&group, index) {
                    continue;
                }
                for face in group.segment(index)?.faces() {
                    let face = face?;
                    let Some(height) = place.height_on(&group, &face) else { continue };
                    if best.is_none_or(|best| (height - y).abs() < (best.y - y).abs()) {
                        best =
                            Some(Located { group: group.id(), segment: index, face: face.index, y: height });
                    }
                }
            }
        }
        Ok(best)
    }
}

/// A point as x and z in quanta of a group, not rounded.
struct QuantisedPoint {
    x: f64,
    z: f64,
}

impl QuantisedPoint {
    fn new(group: &Group<'_>, x: f32, z: f32) -> Self {
        let frame = group.frame();
        let ([ox, _, oz], [dx, _, dz]) = (frame.origin, frame.divisors);
        let quanta =
            |at: f32, origin: f32, divisor: u16| (f64::from(at) - f64::from(origin)) * f64::from(divisor);
        Self { x: quanta(x, ox, dx), z: quanta(z, oz, dz) }
    }

    fn in_box_of(&self, group: &Group<'_>, segment: SegmentIndex) -> bool {
        group.segment_chunk().bounds().get(segment.index()).is_some_and(|bounds| {
            let ([x0, _, z0], [x1, _, z1]) = (bounds.min().quantised(), bounds.max().quantised());
            let inside = |at: f64, low: u16, high: u16| (f64::from(low)..=f64::from(high)).contains(&at);
            inside(self.x, x0, x1) && inside(self.z, z0, z1)
        })
    }

    /// Height in metres of a face at this point. `None` if the point is beside the face, or if the face is upright.
    fn height_on(&self, group: &Group<'_>, face: &GroupFace<'_>) -> Option<f32> {
        let vertices = group.mesh().vertices();
        let corner = |vertex: u16| vertices.get(usize::from(vertex)).map(|v| v.quantised().map(f64::from));
        let corners = face.corners.as_slice();
        let next = corners.iter().cycle().skip(1);
        let (mut left, mut right) = (false, false);
        for (a, b) in corners.iter().zip(next) {
            let ([ax, _, az], [bx, _, bz]) = (corner(*a)?, corner(*b)?);
            let side = (bz - az) * (self.x - ax) - (bx - ax) * (self.z - az);
            left |= side > 0.0;
            right |= side < 0.0;
        }
        if left && right {
            return None;
        }
        // The plane of the first three corners. A quad need not be flat, but is close enough.
        let [a, b, c, ..] = corners else { return None };
        let ([ax, ay, az], [bx, by, bz], [cx, cy, cz]) = (corner(*a)?, corner(*b)?, corner(*c)?);
        let area = (bz - az) * (cx - ax) - (bx - ax) * (cz - az);
        if area == 0.0 {
            return None;
        }
        let along_b = ((cx - ax) * (self.z - az) - (cz - az) * (self.x - ax)) / area;
        let along_c = ((bz - az) * (self.x - ax) - (bx - ax) * (self.z - az)) / area;
        let height = ay + along_b * (by - ay) + along_c * (cy - ay);
        let ([_, origin, _], [_, divisor, _]) = (group.frame().origin, group.frame().divisors);
        Some((height / f64::from(divisor) + f64::from(origin)) as f32)
    }
}
