//! A tree of boxes in groups of eight, and the curve that orders them.

/// x, y and height.
type Vec3 = [f32; 3];

/// Boxes of eight areas each, boxes of eight of those, and so on. Areas lie [along a curve](along_curve), so the tree needs no
/// pointers: group `g` of a level has the boxes of children `8 g` to `8 g + 7` of the level below.
#[derive(Debug, Clone)]
#[doc(hidden)]
pub struct BoxTree {
    /// The levels, lowest first. A box of the lowest level holds eight areas.
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

/// Compensates for the rounding of f32: a box is skipped only if it is farther by more than this factor.
const ROUNDING: f32 = 1.0 - 1e-5;

/// A box with nothing in it.
const EMPTY: [Vec3; 2] = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];

/// `a`, unless `b` is less. One instruction, unlike `f32::min`; NaN in `b` is passed over as well.
#[inline(always)]
#[doc(hidden)]
pub fn lesser(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

/// `a`, unless `b` is greater.
#[inline(always)]
#[doc(hidden)]
pub fn greater(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

/// The box of two.
#[inline(always)]
fn both([low, high]: [Vec3; 2], [more_low, more_high]: [Vec3; 2]) -> [Vec3; 2] {
    [
        [0, 1, 2].map(|axis| lesser(low[axis], more_low[axis])),
        [0, 1, 2].map(|axis| greater(high[axis], more_high[axis])),
    ]
}

impl Group {
    const EMPTY: Self = Self { low: [[f32::INFINITY; 8]; 3], high: [[f32::NEG_INFINITY; 8]; 3] };

    fn add(&mut self, slot: usize, [low, high]: [Vec3; 2]) {
        for axis in 0..3 {
            self.low[axis][slot] = lesser(self.low[axis][slot], low[axis]);
            self.high[axis][slot] = greater(self.high[axis][slot], high[axis]);
        }
    }

    fn bounds(&self) -> [Vec3; 2] {
        let low = self.low.map(|values| values.into_iter().fold(f32::INFINITY, lesser));
        let high = self.high.map(|values| values.into_iter().fold(f32::NEG_INFINITY, greater));
        [low, high]
    }

    /// Squared distances to all eight; infinite for an empty slot.
    #[inline(always)]
    fn distances(&self, p: Vec3) -> [f32; 8] {
        let mut sum = [0f32; 8];
        for (axis, p) in p.into_iter().enumerate() {
            for (slot, sum) in sum.iter_mut().enumerate() {
                let (below, above) = (self.low[axis][slot] - p, p - self.high[axis][slot]);
                let off = if below > above { below } else { above };
                let off = if off > 0.0 { off } else { 0.0 };
                *sum += off * off;
            }
        }
        sum
    }

    /// Which of the eight touch a box, without a branch.
    #[inline(always)]
    fn touching(&self, [low, high]: [Vec3; 2]) -> [bool; 8] {
        let mut touching = [true; 8];
        for axis in 0..3 {
            for (slot, touches) in touching.iter_mut().enumerate() {
                *touches &= (self.low[axis][slot] <= high[axis]) & (low[axis] <= self.high[axis][slot]);
            }
        }
        touching
    }
}

impl BoxTree {
    /// Builds the tree over boxes in order. A box with NaN is left out.
    #[doc(hidden)]
    pub fn new(boxes: impl ExactSizeIterator<Item = [Vec3; 2]>) -> Self {
        let count = boxes.len();
        Self { levels: Vec::new() }.exchanged(0, count, |_| boxes)
    }

    /// The tree over `count` boxes, of which the first `same` are those of this one. `rest` gives the boxes from a position on.
    #[doc(hidden)]
    pub fn exchanged<I: Iterator<Item = [Vec3; 2]>>(
        &self,
        same: usize,
        count: usize,
        rest: impl FnOnce(usize) -> I,
    ) -> Self {
        let groups = same / 64;
        let kept = self.levels.first().map_or(&[][..], |level| &level[..groups]);
        let mut level = Vec::with_capacity(count.div_ceil(64).max(1));
        level.extend_from_slice(kept);
        level.resize(count.div_ceil(64).max(1), Group::EMPTY);
        let (mut area, mut eight) = (groups * 64, EMPTY);
        rest(groups * 64).for_each(|bounds| {
            eight = both(eight, bounds);
            area += 1;
            if area % 8 == 0 || area == count {
                level[(area - 1) / 64].add((area - 1) / 8 % 8, eight);
                eight = EMPTY;
            }
        });
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
    #[doc(hidden)]
    #[inline]
    pub fn bounds(&self) -> [Vec3; 2] {
        self.levels.last().and_then(|level| level.first()).unwrap_or(&Group::EMPTY).bounds()
    }

    /// Calls `test` with groups of eight areas (the first of each) whose box is nearer than the squared distance that `test` last
    /// returned, nearest first.
    #[inline]
    #[doc(hidden)]
    pub fn nearest(&self, p: Vec3, mut best: f32, mut test: impl FnMut(usize, f32) -> f32) {
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
                    // Sorted, nearest last, so that at most eight entries move.
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

    /// Calls `test` with groups of eight areas (the first of each) whose box touches this one. Returns how many groups of boxes were
    /// looked at.
    #[doc(hidden)]
    pub fn in_box(&self, bounds: [Vec3; 2], mut test: impl FnMut(usize)) -> u64 {
        self.walk(bounds, |_, _| true, &mut test)
    }

    /// Calls `test` with groups of eight areas (the first of each) whose box a box enters before the fraction that `test` last returned. It
    /// moves from `a` to `b`, and reaches from `low` to `high` around these; both are zero for a line. Returns how many groups of boxes
    /// were looked at.
    #[doc(hidden)]
    pub fn along(
        &self,
        [a, b]: [Vec3; 2],
        [low, high]: [Vec3; 2],
        mut test: impl FnMut(usize, f32) -> f32,
    ) -> u64 {
        let best = std::cell::Cell::new(1f32);
        let ways = [0, 1, 2].map(|axis| {
            let [a, b, low, high] = [a, b, low, high].map(|point| f64::from(point[axis]));
            // Slightly enlarged, since boxes of flat ground have no height.
            [a, 1.0 / (b - a), high + 1e-3, 1e-3 - low]
        });
        // Most boxes are beside all of the way. A bound that is no number tells nothing apart.
        let around = |pick: fn(f64, f64) -> f64, beyond: f64, side: Vec3| {
            [0, 1, 2].map(|axis| {
                let [a, b, side] = [a, b, side].map(|point| f64::from(point[axis]));
                pick(a, b) + side + beyond
            })
        };
        let below =
            around(f64::min, -1e-3, low).map(|at| greater(f32::NEG_INFINITY, (at as f32).next_down()));
        let above = around(f64::max, 1e-3, high).map(|at| lesser(f32::INFINITY, (at as f32).next_up()));
        let meets = |group: &Group, slot: usize| {
            let (mut from, mut to) = (0f64, f64::from(best.get()));
            for (axis, [start, per_way, below, above]) in ways.into_iter().enumerate() {
                let low = f64::from(group.low[axis][slot]) - below;
                let high = f64::from(group.high[axis][slot]) + above;
                // It does not move along this axis.
                if per_way.is_infinite() {
                    continue;
                }
                let (t0, t1) = ((low - start) * per_way, (high - start) * per_way);
                from = from.max(t0.min(t1));
                to = to.min(t0.max(t1));
            }
            from <= to
        };
        self.walk([below, above], meets, &mut |eight| best.set(test(eight, best.get())))
    }

    /// Calls `test` with groups of eight areas whose box touches this one, if all the boxes around it do as well and are to be entered.
    fn walk(
        &self,
        bounds: [Vec3; 2],
        enter: impl Fn(&Group, usize) -> bool,
        test: &mut dyn FnMut(usize),
    ) -> u64 {
        let mut stack = [(0u32, 0u32); STACK];
        let (mut held, mut looked) = (1, 0);
        stack[0] = (self.levels.len() as u32 - 1, 0);
        while held > 0 {
            held -= 1;
            let (level, group) = stack[held];
            let Some(boxes) = self.levels[level as usize].get(group as usize) else { continue };
            looked += 1;
            // A byte for each that touches, the last one highest.
            let mut touching = u64::from_le_bytes(boxes.touching(bounds).map(u8::from));
            while touching != 0 {
                let slot = 7 - touching.leading_zeros() as usize / 8;
                touching &= !(1 << (8 * slot));
                // One with nothing in it is the wrong way round.
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
        looked
    }

    #[doc(hidden)]
    pub fn bytes(&self) -> usize {
        self.levels.iter().map(|level| size_of_val(&level[..])).sum()
    }
}

/// Nodes in the order of a Morton curve, which puts neighbours into few cache lines, and the position of each in that order.
#[doc(hidden)]
pub fn along_curve(nodes: usize, middle: impl Fn(usize) -> [f32; 2]) -> (Vec<u32>, Vec<u32>) {
    let mut low = [f32::INFINITY; 2];
    let mut high = [f32::NEG_INFINITY; 2];
    for node in 0..nodes {
        let p = middle(node);
        if p.iter().all(|v| v.is_finite()) {
            low = [0, 1].map(|axis| lesser(low[axis], p[axis]));
            high = [0, 1].map(|axis| greater(high[axis], p[axis]));
        }
    }
    let extent = f64::from(high[0] - low[0]).max(f64::from(high[1] - low[1])).max(1e-30);
    let code = |p: [f32; 2]| {
        let [x, y] = [0, 1].map(|axis| {
            let share = (f64::from(p[axis]) - f64::from(low[axis])) / extent;
            spread((share * 65535.0) as u16)
        });
        x | y << 1
    };
    let mut order: Vec<u64> =
        (0..nodes).map(|node| u64::from(code(middle(node))) << 32 | node as u64).collect();
    sort_by_code(&mut order);
    let node_of: Vec<u32> = order.into_iter().map(|key| key as u32).collect();
    let mut of_node = vec![0; nodes];
    node_of.iter().zip(0..).for_each(|(&node, area)| of_node[node as usize] = area);
    (node_of, of_node)
}

/// Sorts by codes, the upper halves, and then by nodes, which ascend. Three passes over the digits of the codes take a tenth of
/// the steps of a sort that compares, and branch on nothing.
fn sort_by_code(order: &mut Vec<u64>) {
    const DIGIT: usize = 1 << 11;
    if order.len() < DIGIT / 2 {
        return order.sort_unstable();
    }
    let mut sorted = vec![0; order.len()];
    for shift in [32, 43, 54] {
        let digit = |key: u64| (key >> shift) as usize % DIGIT;
        let mut next = [0u32; DIGIT];
        order.iter().for_each(|&key| next[digit(key)] += 1);
        let mut sum = 0;
        for count in &mut next {
            sum += std::mem::replace(count, sum);
        }
        for &key in &*order {
            let place = &mut next[digit(key)];
            sorted[*place as usize] = key;
            *place += 1;
        }
        std::mem::swap(order, &mut sorted);
    }
}

/// Puts a zero bit after each bit.
#[inline]
fn spread(value: u16) -> u32 {
    let mut v = u32::from(value);
    for (shift, mask) in [(8, 0x00FF_00FF), (4, 0x0F0F_0F0F), (2, 0x3333_3333), (1, 0x5555_5555)] {
        v = (v | v << shift) & mask;
    }
    v
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Numbers from 0 to 1.
    fn numbers() -> impl FnMut() -> f32 {
        let mut state = 7_u64;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 40) as f32 / 16_777_216.0
        }
    }

    /// Whether a box that moves enters another, reckoned from the ends of the way along each axis.
    fn enters([low, high]: [Vec3; 2], [a, b]: [Vec3; 2], [below, above]: [Vec3; 2]) -> bool {
        let (mut from, mut to) = (0f64, 1f64);
        for axis in 0..3 {
            let [low, high, a, b, below, above] =
                [low, high, a, b, below, above].map(|point| f64::from(point[axis]));
            let [near, far] = [low - above - a, high - below - a];
            if a == b {
                if near > 0.0 || far < 0.0 {
                    return false;
                }
                continue;
            }
            let times = [near / (b - a), far / (b - a)];
            from = from.max(times[0].min(times[1]));
            to = to.min(times[0].max(times[1]));
        }
        from <= to
    }

    #[test]
    fn a_search_misses_no_box_that_it_meets_and_hardly_looks_elsewhere() {
        let mut number = numbers();
        // Small boxes in rows, a unit apart.
        let boxes: Vec<[Vec3; 2]> = (0..4_096_u16)
            .map(|at| {
                let low = [f32::from(at % 64) * 10.0, f32::from(at / 64) * 10.0, number() * 20.0];
                [low, [low[0] + 9.0, low[1] + 9.0, low[2] + number()]]
            })
            .collect();
        let tree = BoxTree::new(boxes.iter().copied());
        let (mut met, mut tested) = (0, 0);
        for round in 0..4_000_u16 {
            let mut point =
                |flat: bool| [number() * 640.0, number() * 640.0, if flat { 5.0 } else { number() * 20.0 }];
            let a = point(false);
            let b = match round % 4 {
                0 => [a[0], a[1], -a[2]],
                1 => [a[0] + 30.0, a[1], a[2]],
                2 => point(true),
                _ => a,
            };
            let side = f32::from(round % 5) * 4.0;
            let reach = [[-side; 3], [side, side, 2.0 * side]];
            let mut found = BTreeSet::new();
            tree.along([a, b], reach, |first, best| {
                found.extend(first..first + 8);
                best
            });
            let wanted = (0..boxes.len()).filter(|at| enters(boxes[*at], [a, b], reach));
            for at in wanted {
                assert!(found.contains(&at), "{at}: {:?} from {a:?} to {b:?} by {side}", boxes[at]);
                met += 1;
            }
            tested += found.len();
            let around = [[a[0] - side, a[1] - side, 0.0], [a[0] + side, a[1] + side, 20.0]];
            let mut inside = BTreeSet::new();
            tree.in_box(around, |first| inside.extend(first..first + 8));
            let touches = |[low, high]: &[Vec3; 2]| {
                (0..3).all(|axis| low[axis] <= around[1][axis] && around[0][axis] <= high[axis])
            };
            assert!((0..boxes.len()).all(|at| !touches(&boxes[at]) || inside.contains(&at)), "{around:?}");
        }
        assert!(met > 20_000 && tested < 16 * met, "{met} of {tested}");
    }
}
