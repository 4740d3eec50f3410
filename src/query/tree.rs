//! A tree of boxes, in groups of eight.

use super::ground::Vec3;

/// Boxes of eight areas each, boxes of eight of those, and so on. Areas lie along a Morton curve, so the tree needs no
/// pointers: group `g` of a level has the boxes of children `8 g` to `8 g + 7` of the level below.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    /// The levels, the lowest first. Its boxes are those of eight areas.
    levels: Vec<Vec<Group>>,
}

/// Eight boxes, stored by coordinate so that one instruction handles several.
#[derive(Debug, Clone, Copy)]
struct Group {
    low: [[f32; 8]; 3],
    high: [[f32; 8]; 3],
}

/// More entries than a search needs in the deepest tree of 2^26 areas.
const STACK: usize = 80;

/// Makes up for the rounding of f32: a box is passed over only if it is farther by more than this factor.
const ROUNDING: f32 = 1.0 - 1e-5;

impl Group {
    const EMPTY: Self = Self { low: [[f32::INFINITY; 8]; 3], high: [[f32::NEG_INFINITY; 8]; 3] };

    fn add(&mut self, slot: usize, [low, high]: [Vec3; 2]) {
        for axis in 0..3 {
            self.low[axis][slot] = self.low[axis][slot].min(low[axis]);
            self.high[axis][slot] = self.high[axis][slot].max(high[axis]);
        }
    }

    fn bounds(&self) -> [Vec3; 2] {
        let low = self.low.map(|values| values.into_iter().fold(f32::INFINITY, f32::min));
        let high = self.high.map(|values| values.into_iter().fold(f32::NEG_INFINITY, f32::max));
        [low, high]
    }

    /// Squares of the distances to all eight; infinite for an empty one.
    #[inline(always)]
    fn distances(&self, p: Vec3) -> [f32; 8] {
        let mut sum = [0f32; 8];
        for axis in 0..3 {
            for (slot, sum) in sum.iter_mut().enumerate() {
                let (below, above) = (self.low[axis][slot] - p[axis], p[axis] - self.high[axis][slot]);
                let off = if below > above { below } else { above };
                let off = if off > 0.0 { off } else { 0.0 };
                *sum += off * off;
            }
        }
        sum
    }

    fn touches(&self, slot: usize, [low, high]: [Vec3; 2]) -> bool {
        (0..3).all(|axis| self.low[axis][slot] <= high[axis] && low[axis] <= self.high[axis][slot])
    }
}

impl Tree {
    /// Makes the tree of boxes, which come in order. A box with NaN is left out.
    pub(super) fn new(boxes: impl ExactSizeIterator<Item = [Vec3; 2]>) -> Self {
        let mut level = vec![Group::EMPTY; boxes.len().div_ceil(64).max(1)];
        for (area, bounds) in boxes.enumerate() {
            level[area / 64].add(area / 8 % 8, bounds);
        }
        let mut levels = vec![level];
        while let Some(below) = levels.last().filter(|below| below.len() > 1) {
            let mut level = vec![Group::EMPTY; below.len().div_ceil(8)];
            for (at, group) in below.iter().enumerate() {
                level[at / 8].add(at % 8, group.bounds());
            }
            levels.push(level);
        }
        Self { levels }
    }

    /// The box of everything.
    pub(super) fn bounds(&self) -> [Vec3; 2] {
        self.levels.last().and_then(|level| level.first()).unwrap_or(&Group::EMPTY).bounds()
    }

    /// Calls `test` with eights of areas (the first of each) whose box is closer than the square that `test` last
    /// returned, the nearest first.
    #[inline]
    pub(super) fn nearest(&self, p: Vec3, mut best: f32, mut test: impl FnMut(usize, f32) -> f32) {
        let mut stack = [(0f32, 0u32, 0u32); STACK];
        let mut held = 1;
        stack[0] = (0.0, self.levels.len() as u32 - 1, 0);
        while held > 0 {
            held -= 1;
            let (d, level, group) = stack[held];
            if d * ROUNDING > best {
                continue;
            }
            let distances = self.levels[level as usize][group as usize].distances(p);
            let first = held;
            for (slot, d) in distances.into_iter().enumerate() {
                if d * ROUNDING <= best && d < f32::INFINITY {
                    // Kept in order, the nearest last, so that at most eight entries move.
                    let mut at = held;
                    while at > first && stack[at - 1].0 < d {
                        stack[at] = stack[at - 1];
                        at -= 1;
                    }
                    stack[at] = (d, level, group * 8 + slot as u32);
                    held += 1;
                }
            }
            if level == 0 {
                for at in (first..held).rev() {
                    let (d, _, eight) = stack[at];
                    if d * ROUNDING <= best {
                        best = test(eight as usize * 8, best);
                    }
                }
                held = first;
            } else {
                stack[first..held].iter_mut().for_each(|entry| entry.1 = level - 1);
            }
        }
    }

    /// Calls `test` with eights of areas (the first of each) whose box touches this one.
    pub(super) fn in_box(&self, bounds: [Vec3; 2], mut test: impl FnMut(usize)) {
        self.walk(|group, slot| group.touches(slot, bounds), &mut test);
    }

    /// Calls `test` with eights of areas (the first of each) whose box the line from `a` meets before the share of it
    /// that `test` last returned.
    pub(super) fn along(&self, a: Vec3, b: Vec3, mut test: impl FnMut(usize, f32) -> f32) {
        let best = std::cell::Cell::new(1f32);
        let meets = |group: &Group, slot: usize| {
            let (mut from, mut to) = (0f64, f64::from(best.get()));
            for axis in 0..3 {
                let (start, way) = (f64::from(a[axis]), f64::from(b[axis]) - f64::from(a[axis]));
                // Slightly larger, since boxes of flat ground have no height.
                let low = f64::from(group.low[axis][slot]) - 1e-3;
                let high = f64::from(group.high[axis][slot]) + 1e-3;
                if way == 0.0 {
                    if !(low <= start && start <= high) {
                        return false;
                    }
                    continue;
                }
                let (t0, t1) = ((low - start) / way, (high - start) / way);
                from = from.max(t0.min(t1));
                to = to.min(t0.max(t1));
            }
            from <= to
        };
        self.walk(meets, &mut |eight| best.set(test(eight, best.get())));
    }

    fn walk(&self, enter: impl Fn(&Group, usize) -> bool, test: &mut dyn FnMut(usize)) {
        let mut stack = [(0u32, 0u32); STACK];
        let mut held = 1;
        stack[0] = (self.levels.len() as u32 - 1, 0);
        while held > 0 {
            held -= 1;
            let (level, group) = stack[held];
            let Some(boxes) = self.levels[level as usize].get(group as usize) else { continue };
            for slot in (0..8).rev() {
                if boxes.low[0][slot] <= boxes.high[0][slot] && enter(boxes, slot) {
                    if level == 0 {
                        test((group as usize * 8 + slot) * 8);
                    } else {
                        stack[held] = (level - 1, group * 8 + slot as u32);
                        held += 1;
                    }
                }
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.levels.iter().map(|level| size_of_val(&level[..])).sum()
    }
}
