//! What eyes see of colours: for tests of the palette.

use navmap_core::colour::Colour;

/// A projection of linear light onto what an eye distinguishes.
pub(super) type Eye = [[f64; 3]; 3];

/// Eyes with three, and with two kinds of cones (projections of Viénot and others, 1999).
pub(super) const EYES: [(&str, Eye); 3] = [
    ("trichromat", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    ("protanope", [[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]]),
    ("deuteranope", [[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]]),
];

/// Red, green and blue in linear light.
fn linear(c: Colour) -> [f64; 3] {
    [c.r, c.g, c.b]
        .map(|v| f64::from(v) / 255.0)
        .map(|v| if v <= 0.040_45 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) })
}

fn dot(row: &[f64; 3], light: &[f64; 3]) -> f64 {
    row.iter().zip(light).map(|(k, v)| k * v).sum()
}

/// From 1 to 21; thin lines are visible from 3 on (WCAG 2, graphical objects).
pub(super) fn contrast(a: Colour, b: Colour) -> f64 {
    let [a, b] = [a, b].map(|c| dot(&[0.2126, 0.7152, 0.0722], &linear(c)) + 0.05);
    a.max(b) / a.min(b)
}

/// Lightness, red to green, and yellow to blue (CIE 1976) of what an eye sees.
pub(super) fn seen(c: Colour, eye: &Eye) -> [f64; 3] {
    let light = linear(c);
    let seen = eye.map(|row| dot(&row, &light).clamp(0.0, 1.0));
    let [x, y, z] = [
        dot(&[0.4124, 0.3576, 0.1805], &seen) / 0.95047,
        dot(&[0.2126, 0.7152, 0.0722], &seen),
        dot(&[0.0193, 0.1192, 0.9505], &seen) / 1.08883,
    ]
    .map(|v| if v > 0.008_856 { v.cbrt() } else { 7.787 * v + 16.0 / 116.0 });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// How far apart two colours look: CIEDE2000. From about 2 on a trained eye sees a difference.
pub(super) fn apart([l1, a1, b1]: [f64; 3], [l2, a2, b2]: [f64; 3]) -> f64 {
    let far = |c: f64| (c.powi(7) / (c.powi(7) + 25f64.powi(7))).sqrt();
    let more = 1.0 + 0.5 * (1.0 - far(f64::midpoint(a1.hypot(b1), a2.hypot(b2))));
    let (a1, a2) = (a1 * more, a2 * more);
    let (c1, c2) = (a1.hypot(b1), a2.hypot(b2));
    let hue = |a: f64, b: f64| b.atan2(a).to_degrees().rem_euclid(360.0);
    let (h1, h2, grey) = (hue(a1, b1), hue(a2, b2), c1 * c2 == 0.0);
    let turn = if grey { 0.0 } else { (h2 - h1 + 540.0).rem_euclid(360.0) - 180.0 };
    let h = if grey { h1 + h2 } else { (h1 + turn / 2.0).rem_euclid(360.0) };
    let (l, c) = (f64::midpoint(l1, l2), f64::midpoint(c1, c2));
    let cos = |degrees: f64| degrees.to_radians().cos();
    let t = 1.0 - 0.17 * cos(h - 30.0) + 0.24 * cos(2.0 * h) + 0.32 * cos(3.0 * h + 6.0)
        - 0.20 * cos(4.0 * h - 63.0);
    let off = (l - 50.0).powi(2);
    let (sl, sc, sh) = (1.0 + 0.015 * off / (20.0 + off).sqrt(), 1.0 + 0.045 * c, 1.0 + 0.015 * c * t);
    let rt = -2.0 * far(c) * (60.0 * (-((h - 275.0) / 25.0).powi(2)).exp()).to_radians().sin();
    let dh = 2.0 * (c1 * c2).sqrt() * (turn / 2.0).to_radians().sin();
    let (dl, dc, dh) = ((l2 - l1) / sl, (c2 - c1) / sc, dh / sh);
    (dl * dl + dc * dc + dh * dh + rt * dc * dh).sqrt()
}

/// Pairs of the paper by Sharma, Wu and Dalal (2005) that others get wrong.
#[test]
fn distances_are_those_of_the_published_pairs() {
    let pairs = [
        ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
        ([50.0, -0.0010, 2.4900], [50.0, 0.0012, -2.4900], 4.7461),
        ([50.0, 2.5000, 0.0], [73.0, 25.0, -18.0], 27.1492),
        ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
        ([2.0776, 0.0795, -1.1350], [0.9033, -0.0636, -0.5514], 0.9082),
    ];
    for (a, b, wanted) in pairs {
        let found = apart(a, b);
        assert!((found - wanted).abs() < 1e-3, "{found} instead of {wanted}");
        assert!((found - apart(b, a)).abs() < 1e-3);
    }
}
