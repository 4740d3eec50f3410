//! A triangle in space, z up: its height under a point, what a line meets of it, and what of it is closest.

/// x, y and height.
pub(super) type Vec3 = [f32; 3];

/// Twice the area of a triangle seen from above, positive if it turns left. In f64, which is exact for any real map.
#[inline(always)]
pub(super) fn cross(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    let d = |p: Vec3, axis: usize| f64::from(p[axis]) - f64::from(a[axis]);
    d(b, 0) * d(c, 1) - d(b, 1) * d(c, 0)
}

/// Height of a triangle at a point, sides included. An upright triangle contains no point.
#[inline(always)]
pub(super) fn height_in_triangle([a, b, c]: [Vec3; 3], x: f32, y: f32) -> Option<f32> {
    let p = [x, y, 0.0];
    let (u, v, w) = (cross(b, c, p), cross(c, a, p), cross(a, b, p));
    let inside = ((u >= 0.0) & (v >= 0.0) & (w >= 0.0)) | ((u <= 0.0) & (v <= 0.0) & (w <= 0.0));
    let whole = u + v + w;
    if !inside || whole == 0.0 {
        return None;
    }
    Some(((u * f64::from(a[2]) + v * f64::from(b[2]) + w * f64::from(c[2])) / whole) as f32)
}

pub(super) fn meets_triangle([p0, p1, p2]: [Vec3; 3], a: Vec3, b: Vec3) -> Option<f32> {
    let minus = |p: Vec3, q: Vec3| [0, 1, 2].map(|axis| f64::from(p[axis]) - f64::from(q[axis]));
    let dot = |p: [f64; 3], q: [f64; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let cross = |p: [f64; 3], q: [f64; 3]| {
        [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
    };
    let (e1, e2, way) = (minus(p1, p0), minus(p2, p0), minus(b, a));
    let across = cross(way, e2);
    let whole = dot(e1, across);
    if whole == 0.0 {
        return None;
    }
    let from = minus(a, p0);
    let u = dot(from, across) / whole;
    let other = cross(from, e1);
    let v = dot(way, other) / whole;
    let t = dot(e2, other) / whole;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && (0.0..=1.0).contains(&t)).then_some(t as f32)
}

/// The closest point of a triangle in space, by regions (Ericson, Real-Time Collision Detection, 5.1.5).
pub(super) fn closest_on_triangle([a, b, c]: [Vec3; 3], p: Vec3) -> Vec3 {
    let minus = |p: Vec3, q: Vec3| [0, 1, 2].map(|axis| f64::from(p[axis]) - f64::from(q[axis]));
    let dot = |p: [f64; 3], q: [f64; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let on = |from: Vec3, way: [f64; 3], t: f64| [0, 1, 2].map(|i| (f64::from(from[i]) + way[i] * t) as f32);
    let (ab, ac, ap) = (minus(b, a), minus(c, a), minus(p, a));
    let (d1, d2) = (dot(ab, ap), dot(ac, ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let bp = minus(p, b);
    let (d3, d4) = (dot(ab, bp), dot(ac, bp));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return if d1 > d3 { on(a, ab, d1 / (d1 - d3)) } else { closest_on_sides([a, b, c], p) };
    }
    let cp = minus(p, c);
    let (d5, d6) = (dot(ab, cp), dot(ac, cp));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return if d2 > d6 { on(a, ac, d2 / (d2 - d6)) } else { closest_on_sides([a, b, c], p) };
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let length2 = (d4 - d3) + (d5 - d6);
        return if length2 > 0.0 {
            on(b, minus(c, b), (d4 - d3) / length2)
        } else {
            closest_on_sides([a, b, c], p)
        };
    }
    let whole = va + vb + vc;
    // A triangle so thin that only rounding separates its sides.
    if !(whole > dot(ab, ab) * dot(ac, ac) * 1e-12) {
        return closest_on_sides([a, b, c], p);
    }
    let (v, w) = (vb / whole, vc / whole);
    [0, 1, 2].map(|i| (f64::from(a[i]) + ab[i] * v + ac[i] * w) as f32)
}

/// The closest point on the sides of a degenerate triangle, whose corners are collinear or coincide.
#[cold]
pub(super) fn closest_on_sides([a, b, c]: [Vec3; 3], p: Vec3) -> Vec3 {
    let on_side = |from: Vec3, to: Vec3| {
        let way = [0, 1, 2].map(|i| f64::from(to[i]) - f64::from(from[i]));
        let off = [0, 1, 2].map(|i| f64::from(p[i]) - f64::from(from[i]));
        let dot = |p: [f64; 3], q: [f64; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
        let length2 = dot(way, way);
        let t = if length2 > 0.0 { (dot(off, way) / length2).clamp(0.0, 1.0) } else { 0.0 };
        [0, 1, 2].map(|i| (f64::from(from[i]) + way[i] * t) as f32)
    };
    let sides = [on_side(a, b), on_side(b, c), on_side(c, a)];
    sides.into_iter().min_by(|q, r| distance2(*q, p).total_cmp(&distance2(*r, p))).unwrap_or(a)
}

#[inline(always)]
pub(super) fn distance2(a: Vec3, b: Vec3) -> f32 {
    let (dx, dy, dz) = (a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    dx * dx + dy * dy + dz * dz
}
