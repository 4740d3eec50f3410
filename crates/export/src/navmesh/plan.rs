//! Convex polygons from above.

use super::soup::area;

/// Whether a point lies over a polygon.
pub(super) fn inside(corners: &[[f32; 3]], at: [f32; 3]) -> bool {
    let ahead = corners.iter().cycle().skip(1);
    corners.iter().zip(ahead).all(|(a, b)| area([*a, *b, at].into_iter()) <= 0.0)
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
        let whole = area([first, pair[0], pair[1]].into_iter());
        if whole < 0.0 && inside(&[first, pair[0], pair[1]], at) {
            let u = area([first, at, pair[1]].into_iter()) / whole;
            let v = area([first, pair[0], at].into_iter()) / whole;
            return first[1] + (u as f32) * (pair[0][1] - first[1]) + (v as f32) * (pair[1][1] - first[1]);
        }
    }
    on_rim(corners, at)[1]
}
