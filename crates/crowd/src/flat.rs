//! Vectors as seen from above.

/// Right and forward, in units.
pub(crate) type Flat = [f32; 2];

#[inline(always)]
pub(crate) fn add(a: Flat, b: Flat) -> Flat {
    [a[0] + b[0], a[1] + b[1]]
}

#[inline(always)]
pub(crate) fn sub(a: Flat, b: Flat) -> Flat {
    [a[0] - b[0], a[1] - b[1]]
}

#[inline(always)]
pub(crate) fn scale(a: Flat, by: f32) -> Flat {
    [a[0] * by, a[1] * by]
}

#[inline(always)]
pub(crate) fn dot(a: Flat, b: Flat) -> f32 {
    a[0] * b[0] + a[1] * b[1]
}

/// Positive if `b` is left of `a`.
#[inline(always)]
pub(crate) fn det(a: Flat, b: Flat) -> f32 {
    a[0] * b[1] - a[1] * b[0]
}

#[inline(always)]
pub(crate) fn length(a: Flat) -> f32 {
    dot(a, a).sqrt()
}

/// The same direction with length 1; nothing for no direction.
#[inline(always)]
pub(crate) fn unit(a: Flat) -> Flat {
    let long = length(a);
    if long > 1e-12 { scale(a, 1.0 / long) } else { [0.0; 2] }
}

/// No longer than this.
#[inline(always)]
pub(crate) fn at_most(a: Flat, most: f32) -> Flat {
    let long = length(a);
    if long > most { scale(a, most / long) } else { a }
}

/// Turned to the left by a small angle, given as its sine.
#[inline(always)]
pub(crate) fn turned(a: Flat, sine: f32) -> Flat {
    let cosine = (1.0 - sine * sine).sqrt();
    [a[0] * cosine - a[1] * sine, a[0] * sine + a[1] * cosine]
}

#[inline(always)]
pub(crate) fn of(p: [f32; 3]) -> Flat {
    [p[0], p[1]]
}
