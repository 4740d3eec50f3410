//! Convex polygons from above.

/// Twice the signed area of a triangle in plan: [`area`](super::soup::area) to the bit, without a loop, since an export asks for
/// millions of them.
fn area3(a: [f32; 3], b: [f32; 3], c: [f32; 3]) -> f64 {
    let cross = |[ax, _, az]: [f32; 3], [bx, _, bz]: [f32; 3]| {
        f64::from(ax) * f64::from(bz) - f64::from(bx) * f64::from(az)
    };
    cross(a, b) + cross(b, c) + cross(c, a)
}

/// Whether a point lies over a polygon.
pub(super) fn inside(corners: &[[f32; 3]], at: [f32; 3]) -> bool {
    let Some(mut from) = corners.last() else { return true };
    corners.iter().all(|to| area3(*std::mem::replace(&mut from, to), *to, at) <= 0.0)
}

/// The nearest point of the rim, seen from above.
pub(super) fn on_rim(corners: &[[f32; 3]], at: [f32; 3]) -> [f32; 3] {
    let ahead = corners.iter().cycle().skip(1);
    let near = corners.iter().zip(ahead).map(|(a, b)| {
        let (dx, dz) = (b[0] - a[0], b[2] - a[2]);
        let length = dx * dx + dz * dz;
        let t = if length > 0.0 { ((at[0] - a[0]) * dx + (at[2] - a[2]) * dz) / length } else { 0.0 };
        let t = t.clamp(0.0, 1.0);
        [a[0] + t * dx, a[1] + t * (b[1] - a[1]), a[2] + t * dz]
    });
    let far = |p: &[f32; 3]| (p[0] - at[0]).hypot(p[2] - at[2]);
    near.min_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(at)
}

/// The height at a point of a polygon triangulated as a fan.
pub(super) fn height(corners: &[[f32; 3]], at: [f32; 3]) -> f32 {
    let first = corners[0];
    for pair in corners[1..].windows(2) {
        let whole = area3(first, pair[0], pair[1]);
        if whole < 0.0 && inside(&[first, pair[0], pair[1]], at) {
            let u = area3(first, at, pair[1]) / whole;
            let v = area3(first, pair[0], at) / whole;
            return first[1] + (u as f32) * (pair[0][1] - first[1]) + (v as f32) * (pair[1][1] - first[1]);
        }
    }
    on_rim(corners, at)[1]
}

#[cfg(test)]
mod tests {
    use super::super::soup::area;
    use super::*;

    #[test]
    fn a_triangle_has_the_area_of_a_polygon_of_three_corners_to_the_bit() {
        let mut state = 1_u64;
        let mut number = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((state >> 40) as f32 / 1e3 - 8e3) * [1.0, 1e-3, 1e3][(state >> 33) as usize % 3]
        };
        for _ in 0..10_000 {
            let corners = [(); 3].map(|()| [(); 3].map(|()| number()));
            let [a, b, c] = corners;
            assert_eq!(area3(a, b, c).to_bits(), area(corners.into_iter()).to_bits(), "{corners:?}");
            let at = [number(), number(), number()];
            let edges = [(a, b), (b, c), (c, a)];
            let over = edges.into_iter().all(|(a, b)| area([a, b, at].into_iter()) <= 0.0);
            assert_eq!(inside(&corners, at), over, "{corners:?} {at:?}");
        }
    }
}
