//! A passage over a ladder, a jump or another leg.

use navmap_core::graph::LinkKind;
use navmap_query::{Leg, NavIndex};

/// An agent's passage over a leg.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ride {
    pub(crate) kind: LinkKind,
    /// Where it got on, both ends of the leg, where it gets off.
    pub(crate) points: [[f32; 3]; 4],
    pub(crate) length: f32,
    pub(crate) done: f32,
}

/// How far two points are from each other.
pub(crate) fn apart(a: [f32; 3], b: [f32; 3]) -> f32 {
    [0, 1, 2].map(|axis| (a[axis] - b[axis]) * (a[axis] - b[axis])).iter().sum::<f32>().sqrt()
}

impl Ride {
    pub(crate) fn new(from: [f32; 3], index: &NavIndex, leg: &Leg) -> Self {
        let points = [from, index.plan(leg.begins), index.plan(leg.ends), index.plan(leg.dismount)];
        let length = points.windows(2).map(|pair| apart(pair[0], pair[1])).sum::<f32>();
        let takes_time = leg.way.kind != LinkKind::Teleport && length.is_finite();
        Self { kind: leg.way.kind, points, length: if takes_time { length } else { 0.0 }, done: 0.0 }
    }

    /// How far it is, 0 to 1.
    pub(crate) fn share(&self) -> f32 {
        if self.length > 0.0 { (self.done / self.length).min(1.0) } else { 1.0 }
    }

    /// Where the agent is.
    pub(crate) fn at(&self) -> [f32; 3] {
        let mut left = self.done;
        for pair in self.points.windows(2) {
            let long = apart(pair[0], pair[1]);
            if left < long {
                return [0, 1, 2].map(|axis| pair[0][axis] + (pair[1][axis] - pair[0][axis]) * (left / long));
            }
            left -= long;
        }
        self.points[3]
    }
}
