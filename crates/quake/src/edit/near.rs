//! Nodes by where they are, so that the nearest one is found without a look at all.

use std::collections::BTreeSet;

/// Nodes in the order of their first coordinate.
#[derive(Debug, Default)]
pub(super) struct Near(BTreeSet<(i32, u32)>);

/// A number as an integer that is ordered as it is.
fn key(x: f32) -> i32 {
    let bits = x.to_bits().cast_signed();
    bits ^ ((bits >> 31).cast_unsigned() >> 1).cast_signed()
}

impl Near {
    pub(super) fn add(&mut self, slot: u32, x: f32) {
        self.0.insert((key(x), slot));
    }

    pub(super) fn remove(&mut self, slot: u32, x: f32) {
        self.0.remove(&(key(x), slot));
    }

    /// The nearest node, of several the first, and how many were looked at. `origin` is where a node is.
    pub(super) fn nearest(
        &self,
        at: [f32; 3],
        origin: impl Fn(u32) -> Option<[f32; 3]>,
    ) -> (Option<u32>, usize) {
        let start = (key(at[0]), 0);
        let (mut up, mut down) = (self.0.range(start..), self.0.range(..start).rev());
        let (mut ups, mut downs) = (true, true);
        let (mut best, mut looked): (Option<(f32, u32)>, usize) = (None, 0);
        while ups || downs {
            for (going, next) in [(&mut ups, true), (&mut downs, false)] {
                if !*going {
                    continue;
                }
                let Some((_, slot)) = (if next { up.next() } else { down.next() }) else {
                    *going = false;
                    continue;
                };
                looked = looked.saturating_add(1);
                let Some(origin) = origin(*slot) else { continue };
                let ([x, y, z], [ax, ay, az]) = (origin, at);
                let [x, y, z] = [x - ax, y - ay, z - az].map(|away| away * away);
                // All that follow on this side are at least so far away along this axis.
                if best.is_some_and(|(far, _)| x > far) {
                    *going = false;
                    continue;
                }
                let far = x + y + z;
                let nearer = |(other, first): (f32, u32)| {
                    far.total_cmp(&other).then(slot.cmp(&first)) == std::cmp::Ordering::Less
                };
                if best.is_none_or(nearer) {
                    best = Some((far, *slot));
                }
            }
        }
        (best.map(|(_, slot)| slot), looked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It finds what a look at all nodes finds, and looks at few of them.
    #[test]
    fn the_nearest_is_the_one_that_a_look_at_all_finds() {
        let mut seed = 7_u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((seed >> 16) % 512) as f32 - 256.0
        };
        let points: Vec<[f32; 3]> = (0..2_000).map(|_| [random(), random(), random() / 8.0]).collect();
        let mut near = Near::default();
        (0..).zip(&points).for_each(|(slot, point)| near.add(slot, point[0]));
        (0..).zip(&points).take(500).for_each(|(slot, point)| near.remove(slot, point[0]));
        let mut all = 0;
        for _ in 0..500 {
            let at = [random(), random(), random() / 8.0];
            let far = |slot: &u32| -> f32 {
                let point = points.get(*slot as usize).into_iter().flatten();
                point.zip(at).map(|(a, b)| (a - b) * (a - b)).sum()
            };
            let first = (500..2_000).min_by(|a, b| far(a).total_cmp(&far(b)));
            let (found, looked) = near.nearest(at, |slot| points.get(slot as usize).copied());
            assert_eq!(found, first, "{at:?}");
            all += looked;
        }
        assert!(all < 500 * 300, "{all}");
        assert_eq!(Near::default().nearest([0.0; 3], |_| None), (None, 0));
    }
}
