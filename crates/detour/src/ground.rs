//! Geometry of a tile: heights, and the polygon under a point.

use super::tile::Tile;

/// A point as seen from above: two coordinates in plan, and the height.
pub(super) type Plan = [f32; 3];

/// The point as seen from above. z points up in version 13, y in the others.
#[inline]
pub(super) fn plan([x, y, z]: [f32; 3], z_up: bool) -> Plan {
    if z_up { [x, y, z] } else { [x, z, y] }
}

/// Twice the area of the triangle in plan, signed.
fn turn([ax, ay, _]: Plan, [bx, by, _]: Plan, [cx, cy, _]: Plan) -> f32 {
    (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

/// Twice the signed area of a polygon in plan: the sum of x(i) z(i+1) - x(i+1) z(i).
pub(super) fn doubled_area(corners: &[Plan]) -> f64 {
    let ahead = corners.iter().cycle().skip(1);
    let cross = |([ax, ay, _], [bx, by, _]): (&Plan, &Plan)| {
        f64::from(*ax) * f64::from(*by) - f64::from(*bx) * f64::from(*ay)
    };
    corners.iter().zip(ahead).map(cross).sum()
}

/// Whether a point lies inside a polygon in plan, its edge included.
pub(super) fn inside(corners: &[Plan], point: Plan) -> bool {
    let ahead = corners.iter().cycle().skip(1);
    let (mut left, mut right) = (false, false);
    for (a, b) in corners.iter().zip(ahead) {
        let side = turn(*a, *b, point);
        left |= side > 0.0;
        right |= side < 0.0;
    }
    !(left && right)
}

/// The height of a triangle at a point inside it; `None` if the point is not inside, or the triangle is upright.
fn height([a, b, c]: [Plan; 3], point: Plan) -> Option<f32> {
    let area = turn(a, b, c);
    if !inside(&[a, b, c], point) || area == 0.0 {
        return None;
    }
    let (u, v) = (turn(a, point, c) / area, turn(a, b, point) / area);
    let ([_, _, ha], [_, _, hb], [_, _, hc]) = (a, b, c);
    Some(ha + u * (hb - ha) + v * (hc - ha))
}

impl<'a> Tile<'a> {
    /// The corners of a polygon from above, in a buffer of six. Missing vertices are skipped.
    pub(super) fn plan_corners<'b>(&self, polygon: usize, buffer: &'b mut [Plan; 6]) -> &'b [Plan] {
        let Some(stored) = self.polygons().get(polygon) else { return &[] };
        let mut count = 0usize;
        let z_up = self.layout().z_up();
        for corner in 0..stored.corners().len() {
            if let (Some(at), Some(to)) = (self.corner(&stored, corner), buffer.get_mut(count)) {
                *to = plan(at, z_up);
                count = count.saturating_add(1);
            }
        }
        buffer.get(..count).unwrap_or_default()
    }

    /// The ground height of a polygon under a point: on its detail triangle, else on the polygon.
    pub(super) fn height_at(&self, polygon: usize, point: Plan) -> Option<f32> {
        let z_up = self.layout().z_up();
        let triangles = (0..u16::MAX).map_while(|index| self.triangle(polygon, index));
        let detail = triangles.map(|corners| corners.map(|corner| plan(corner, z_up)));
        if let Some(found) = detail.clone().find_map(|corners| height(corners, point)) {
            return Some(found);
        }
        let mut buffer = [[0.0; 3]; 6];
        let corners = self.plan_corners(polygon, &mut buffer);
        let (first, rest) = corners.split_first()?;
        let mut fan = rest.windows(2);
        let found = fan.find_map(|pair| match pair {
            [b, c] => height([*first, *b, *c], point),
            _ => None,
        });
        let mean = || corners.iter().map(|[_, _, height]| height).sum::<f32>() / corners.len() as f32;
        found.or_else(|| Some(mean()))
    }

    /// The lowest and the highest point of a polygon, its detail vertices included.
    fn heights(&self, polygon: usize, corners: &[Plan]) -> [f32; 2] {
        let z_up = self.layout().z_up();
        let detail = self.details().get(polygon).map_or(&[][..], |detail| {
            let [count, _] = detail.counts(self.layout() == super::layout::Layout::V16);
            let first = usize::try_from(detail.first_vertex()).unwrap_or(usize::MAX);
            self.detail_vertices().get(first..first.saturating_add(count.into())).unwrap_or_default()
        });
        let detail = detail.iter().map(|vertex| plan(vertex.to_array(), z_up));
        corners
            .iter()
            .copied()
            .chain(detail)
            .fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], [_, _, h]| [low.min(h), high.max(h)])
    }

    /// The ground polygon that an end of an off-mesh connection lands on: the nearest in a box of radius and climb, if it is
    /// within the radius in plan. This is the engine's rule. `left` is the number of polygons that may still be visited.
    pub(super) fn land(&self, point: [f32; 3], radius: f32, left: &mut u64) -> Option<u32> {
        let at @ [x, y, h] = plan(point, self.layout().z_up());
        let climb = self.head().climb();
        let mut best: Option<(f32, f32, u32)> = None;
        for polygon in 0..self.ground() {
            *left = left.checked_sub(1)?;
            let mut buffer = [[0.0; 3]; 6];
            let corners = self.plan_corners(polygon, &mut buffer);
            let near = |axis: usize, value: f32| {
                let axis = || corners.iter().filter_map(|corner| corner.get(axis));
                axis().any(|c| *c <= value + radius) && axis().any(|c| *c >= value - radius)
            };
            if corners.len() < 3 || !near(0, x) || !near(1, y) {
                continue;
            }
            let [low, high] = self.heights(polygon, corners);
            if !(low <= h + climb && high >= h - climb) {
                continue;
            }
            let (distance, off) = if inside(corners, at) {
                let ground = self.height_at(polygon, at).unwrap_or(h);
                let above = ((ground - h).abs() - climb).max(0.0);
                (above * above, 0.0)
            } else {
                nearest_on_rim(corners, at)
            };
            if best.is_none_or(|(least, ..)| distance < least) {
                best = Some((distance, off, u32::try_from(polygon).unwrap_or(u32::MAX)));
            }
            // No other is nearer, and the first of those that are as near counts.
            if distance == 0.0 {
                break;
            }
        }
        best.filter(|(_, off, _)| *off <= radius * radius).map(|(.., polygon)| polygon)
    }
}

/// The squared distance to the nearest point on the edges of a polygon in plan: in 3D, and in plan.
fn nearest_on_rim(corners: &[Plan], at: Plan) -> (f32, f32) {
    let ahead = corners.iter().cycle().skip(1);
    let [x, y, h] = at;
    let rim = corners.iter().zip(ahead).map(|([ax, ay, ah], [bx, by, bh])| {
        let (dx, dy) = (bx - ax, by - ay);
        let length = dx * dx + dy * dy;
        let t = if length > 0.0 { (((x - ax) * dx + (y - ay) * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
        let (ox, oy, oh) = (ax + t * dx - x, ay + t * dy - y, ah + t * (bh - ah) - h);
        let off = ox * ox + oy * oy;
        (off + oh * oh, off)
    });
    rim.fold((f32::INFINITY, f32::INFINITY), |best, next| if next.1 < best.1 { next } else { best })
}
