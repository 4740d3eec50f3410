//! What is left of a polygon whose ears are cut off.

/// Comparisons of corners allowed for each corner of a polygon. Outlines of some hundred corners need fewer.
const STEPS: usize = 1024;
/// A turn, as a part of what its sides allow, that may come from rounding.
const STRAIGHT: f64 = 1e-9;

/// The corners of a polygon that are left.
pub(super) struct Ring {
    pub(super) points: Vec<[f64; 2]>,
    next: Vec<usize>,
    before: Vec<usize>,
    pub(super) count: usize,
    /// Corners where the outline does not turn its own way: if anything lies in an ear, one of these does.
    bent: Vec<usize>,
    is_bent: Vec<bool>,
    left: usize,
}

/// What is cut off beside ears.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Spikes {
    /// Corners on a line, if nothing else can be cut off.
    Last,
    /// Sides that lead straight back, before anything else. They lie over nothing, and may lie across others.
    First,
}

impl Ring {
    pub(super) fn new(points: Vec<[f64; 2]>) -> Self {
        let count = points.len();
        let after = |place: usize| if place.saturating_add(1) == count { 0 } else { place.saturating_add(1) };
        let ahead = |place: usize| place.checked_sub(1).unwrap_or(count.saturating_sub(1));
        Self {
            points,
            next: (0..count).map(after).collect(),
            before: (0..count).map(ahead).collect(),
            count,
            bent: Vec::new(),
            is_bent: vec![false; count],
            left: count.saturating_mul(STEPS),
        }
    }

    /// The corners that are left, from one of them on.
    pub(super) fn corners(&self, first: usize) -> impl Iterator<Item = usize> + Clone {
        std::iter::successors(Some(first), |place| Some(self.beside(*place).1)).take(self.count)
    }

    pub(super) fn point(&self, place: usize) -> [f64; 2] {
        self.points.get(place).copied().unwrap_or_default()
    }

    /// The corners around one.
    pub(super) fn beside(&self, place: usize) -> (usize, usize) {
        let at = |list: &[usize]| list.get(place).copied().unwrap_or(place);
        (at(&self.before), at(&self.next))
    }

    pub(super) fn turn(&self, place: usize) -> f64 {
        let (before, next) = self.beside(place);
        turn(self.point(before), self.point(place), self.point(next))
    }

    /// Whether a corner can be cut off without changing the rest of the outline.
    fn is_ear(&mut self, place: usize) -> bool {
        let (before, next) = self.beside(place);
        let (a, b, c) = (self.point(before), self.point(place), self.point(next));
        if turn(a, b, c) <= 0.0 {
            return false;
        }
        self.left = self.left.saturating_sub(self.bent.len());
        let inside = |p: [f64; 2]| {
            // Holes are cut in along sides that run there and back, over corners that lie on each other.
            ![a, b, c].contains(&p) && turn(a, b, p) >= 0.0 && turn(b, c, p) >= 0.0 && turn(c, a, p) >= 0.0
        };
        !self.bent.iter().any(|other| inside(self.point(*other)))
    }

    /// Whether the outline leads straight back from a corner.
    fn is_spike(&self, place: usize) -> bool {
        let (before, next) = self.beside(place);
        let (a, b, c) = (self.point(before), self.point(place), self.point(next));
        let (across, along, rounding) = lead(side(a, b), side(b, c));
        along <= 0.0 && across.abs() <= rounding
    }

    /// Whether three corners are on a line, so that nothing changes if the middle one is cut off.
    pub(super) fn is_straight(&self, place: usize) -> bool {
        let (before, next) = self.beside(place);
        let (a, b, c) = (self.point(before), self.point(place), self.point(next));
        turn(a, b, c).abs() <= slack(a, b, c)
    }

    /// Takes a corner out.
    fn take(&mut self, place: usize) -> [usize; 3] {
        let (before, next) = self.beside(place);
        self.count = self.count.saturating_sub(1);
        self.next.get_mut(before).into_iter().for_each(|after| *after = next);
        self.before.get_mut(next).into_iter().for_each(|ahead| *ahead = before);
        let mut fewer = false;
        for (place, stays) in [(place, false), (before, true), (next, true)] {
            let bent = stays && self.turn(place) <= 0.0;
            if let Some(was) = self.is_bent.get_mut(place) {
                fewer |= *was && !bent;
                // A corner that becomes bent shows an outline that crosses itself.
                *was &= bent;
            }
        }
        if fewer {
            self.left = self.left.saturating_sub(self.bent.len());
            let is_bent = &self.is_bent;
            self.bent.retain(|place| is_bent.get(*place) == Some(&true));
        }
        [before, place, next]
    }

    /// Takes out spikes at a corner and the one before it. Returns the first behind them.
    fn trim(&mut self, mut at: usize) -> usize {
        while self.count > 3 && self.left > 0 {
            let (before, next) = self.beside(at);
            if self.is_spike(before) {
                self.take(before);
            } else if self.is_spike(at) {
                self.take(at);
                at = next;
            } else {
                break;
            }
        }
        at
    }

    /// Cuts off what can be, until three corners are left. Returns one of those that are.
    pub(super) fn cut(&mut self, spikes: Spikes, mut give: impl FnMut([usize; 3])) -> usize {
        let mut at = 0;
        if spikes == Spikes::First {
            for _ in 0..self.count {
                at = self.trim(at);
                at = self.beside(at).1;
            }
        }
        let bent: Vec<usize> = self.corners(at).filter(|place| self.turn(*place) <= 0.0).collect();
        for place in &bent {
            self.is_bent.get_mut(*place).into_iter().for_each(|bent| *bent = true);
        }
        self.bent = bent;
        // Corners seen since the last one that was cut off.
        let mut seen = 0_usize;
        while self.count > 3 && self.left > 0 {
            self.left = self.left.saturating_sub(1);
            let cuts = if seen < self.count { self.is_ear(at) } else { self.is_straight(at) };
            let (_, next) = self.beside(at);
            if cuts {
                give(self.take(at));
                at = if spikes == Spikes::First { self.trim(next) } else { next };
                seen = 0;
            } else {
                seen = seen.saturating_add(1);
                if seen > self.count.saturating_mul(2) {
                    break;
                }
                at = next;
            }
        }
        at
    }
}

/// How far a side leads across and along another one, and how much across may come from rounding.
pub(super) fn lead([ux, uy]: [f64; 2], [vx, vy]: [f64; 2]) -> (f64, f64, f64) {
    (ux * vy - uy * vx, ux * vx + uy * vy, STRAIGHT * ux.hypot(uy) * vx.hypot(vy))
}

pub(super) fn side([ax, ay]: [f64; 2], [bx, by]: [f64; 2]) -> [f64; 2] {
    [bx - ax, by - ay]
}

/// Twice the area of a triangle, positive if it runs anticlockwise.
pub(super) fn turn([ax, ay]: [f64; 2], [bx, by]: [f64; 2], [cx, cy]: [f64; 2]) -> f64 {
    (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

/// The area that rounding may make of three corners on a line.
pub(super) fn slack([ax, ay]: [f64; 2], [bx, by]: [f64; 2], [cx, cy]: [f64; 2]) -> f64 {
    STRAIGHT * (bx - ax).hypot(by - ay) * (cx - ax).hypot(cy - ay).max((cx - bx).hypot(cy - by))
}
