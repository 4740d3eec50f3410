//! Lines on the page, as points one after the other.

/// The point of a line that lies so far before its end, or its start if it is shorter.
pub(super) fn before_end(way: &[[f32; 2]], mut left: f32) -> [f32; 2] {
    for ends in way.windows(2).rev() {
        let ([from, to], long) = ([ends[0], ends[1]], distance(ends[0], ends[1]));
        if long >= left {
            let share = left / long.max(1e-6);
            return [to[0] + (from[0] - to[0]) * share, to[1] + (from[1] - to[1]) * share];
        }
        left -= long;
    }
    way.first().copied().unwrap_or_default()
}

/// The length of a line.
pub(super) fn length(way: &[[f32; 2]]) -> f32 {
    way.windows(2).map(|ends| distance(ends[0], ends[1])).sum()
}

pub(super) fn distance(a: [f32; 2], b: [f32; 2]) -> f32 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// A flat arc between two points, always bent to the left, so that the two directions are two lines.
pub(super) fn bow(a: [f32; 2], b: [f32; 2]) -> Vec<[f32; 2]> {
    const PIECES: u8 = 10;
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let control = [f32::midpoint(a[0], b[0]) + dy * 0.16, f32::midpoint(a[1], b[1]) - dx * 0.16];
    let bend =
        |t: f32, a: f32, c: f32, b: f32| (1.0 - t) * (1.0 - t) * a + 2.0 * (1.0 - t) * t * c + t * t * b;
    (0..=PIECES)
        .map(|i| f32::from(i) / f32::from(PIECES))
        .map(|t| [bend(t, a[0], control[0], b[0]), bend(t, a[1], control[1], b[1])])
        .collect()
}
