//! What lies where it lay, but for noise.

use std::cmp::Ordering::{Equal, Greater, Less};

/// Whether numbers differ by no more than noise.
pub(super) fn close(least: f32, a: f32, b: f32) -> bool {
    let off = (a - b).abs();
    // Nothing is near infinity but itself.
    off < f32::INFINITY && off <= slack(least, a, b) || a.to_bits() == b.to_bits()
}

fn slack(least: f32, a: f32, b: f32) -> f32 {
    least.max(4.0 * f32::EPSILON * a.abs().max(b.abs()))
}

/// Two positions of a mark or link, bit for bit.
pub(super) type Ends = [[u32; 3]; 2];

/// Both of them.
type Place = [f32; 6];

/// Takes what only moved by noise out of both lists, and returns how many those were: each in turn has moved to the nearest place that
/// is left. `of` tells everything else of an item, and its positions.
pub(super) fn take_near<T, G: Ord>(
    least: f32,
    gone: &mut Vec<T>,
    come: &mut Vec<T>,
    of: impl Fn(&T) -> (G, Ends),
) -> usize {
    let rest = |items: &[T], at: u32| of(&items[at as usize]).0;
    let place = |items: &[T], at: u32| {
        let (_, [[a, b, c], [d, e, f]]) = of(&items[at as usize]);
        [a, b, c, d, e, f].map(f32::from_bits)
    };
    let sorted = |items: &[T]| {
        let mut order: Vec<u32> = (0..items.len() as u32).collect();
        order.sort_by_key(|at| rest(items, *at));
        order
    };
    let (old, mut new) = (sorted(gone), sorted(come));
    let mut stays = [gone.len(), come.len()].map(|count| vec![true; count]);
    let (mut left, mut parts) = (&mut new[..], Vec::new());
    for old in old.chunk_by(|a, b| rest(gone, *a) == rest(gone, *b)) {
        let alike = rest(gone, old[0]);
        let from = left.partition_point(|at| rest(come, *at) < alike);
        let to = left.partition_point(|at| rest(come, *at) <= alike);
        let (new, behind) = std::mem::take(&mut left)[from..].split_at_mut(to - from);
        left = behind;
        parts.clear();
        let mut tree = Tree::new(new, &mut parts, |at| place(come, at));
        for at in old {
            if let Some(taken) = tree.take(least, place(gone, *at)) {
                stays[0][*at as usize] = false;
                stays[1][taken as usize] = false;
            }
        }
    }
    let (before, [of_gone, of_come]) = (gone.len(), stays);
    let (mut of_gone, mut of_come) = (of_gone.into_iter(), of_come.into_iter());
    gone.retain(|_| of_gone.next().unwrap_or(true));
    come.retain(|_| of_come.next().unwrap_or(true));
    before - gone.len()
}

/// Items, halved again and again along the axis in which they lie widest apart.
struct Tree<'t, F> {
    items: &'t mut [u32],
    parts: &'t mut Vec<Part>,
    place: F,
}

/// A stretch of the items. Its halves follow it, if it has any; otherwise those that are left come first in it.
struct Part {
    first: u32,
    end: u32,
    left: u32,
    /// The part behind its halves.
    skip: u32,
    low: Place,
    high: Place,
}

/// The most items of a part that is not halved.
const LEAF: usize = 8;

/// The most parts that are looked at for one item: a few more than it is halved, unless hundreds lie within noise. Then one of the
/// nearest is taken.
const MOST: usize = 64;

impl<'t, F: Fn(u32) -> Place> Tree<'t, F> {
    fn new(items: &'t mut [u32], parts: &'t mut Vec<Part>, place: F) -> Self {
        halve(parts, items, 0, &place);
        Self { items, parts, place }
    }

    /// Takes the nearest item that lies no farther than noise.
    fn take(&mut self, least: f32, at: Place) -> Option<u32> {
        let mut search = Search::new(least, at);
        self.seek(0, &mut search);
        let (_, place) = search.best?;
        let mut number = 0;
        while let Some(part) = self.parts.get_mut(number) {
            if !(part.first..part.end).contains(&place) {
                number = part.skip as usize;
                continue;
            }
            part.left -= 1;
            number += 1;
            if number == part.skip as usize {
                let last = part.first + part.left;
                self.items.swap(place as usize, last as usize);
                return self.items.get(last as usize).copied();
            }
        }
        None
    }

    fn seek(&self, number: usize, search: &mut Search) {
        let Some(part) = self.parts.get(number).filter(|_| search.steps > 0) else { return };
        search.steps -= 1;
        let halves = number + 1..part.skip as usize;
        if halves.is_empty() {
            for place in part.first..part.first + part.left {
                let lies = (self.place)(self.items[place as usize]);
                let off = search.off(&lies, &lies).filter(|_| search.is_close(&lies));
                search.best = off.map(|off| (off, place)).or(search.best);
            }
            return;
        }
        let mut halves = [halves.start, self.parts[halves.start].skip as usize].map(|half| {
            let part = Some(&self.parts[half]).filter(|part| part.left > 0);
            (part.and_then(|part| search.off(&part.low, &part.high)), half)
        });
        halves.sort_by(|(a, _), (b, _)| a.partial_cmp(b).unwrap_or(Equal));
        for (off, half) in halves {
            if off.is_some_and(|off| search.best.is_none_or(|(best, _)| off < best)) {
                self.seek(half, search);
            }
        }
    }
}

fn halve(parts: &mut Vec<Part>, items: &mut [u32], first: u32, place: &impl Fn(u32) -> Place) {
    let Some(some) = items.first() else { return };
    let (mut low, mut high) = (place(*some), place(*some));
    for item in &*items {
        for (at, (low, high)) in place(*item).into_iter().zip(low.iter_mut().zip(&mut high)) {
            *low = if at.total_cmp(low) == Less { at } else { *low };
            *high = if at.total_cmp(high) == Greater { at } else { *high };
        }
    }
    let (number, len) = (parts.len(), items.len());
    parts.push(Part { first, end: first + len as u32, left: len as u32, skip: 0, low, high });
    if len > LEAF {
        let wide = |axis: &usize| high[*axis] - low[*axis];
        let axis = (0..low.len()).max_by(|a, b| wide(a).total_cmp(&wide(b))).unwrap_or(0);
        items.select_nth_unstable_by(len / 2, |a, b| place(*a)[axis].total_cmp(&place(*b)[axis]));
        let (near, far) = items.split_at_mut(len / 2);
        halve(parts, near, first, place);
        halve(parts, far, first + near.len() as u32, place);
    }
    parts[number].skip = parts.len() as u32;
}

/// A place, and how far the nearest item is so far and where it stands.
struct Search {
    least: f32,
    at: Place,
    /// No less than noise along each axis.
    reach: Place,
    best: Option<(f32, u32)>,
    steps: usize,
}

impl Search {
    fn new(least: f32, at: Place) -> Self {
        // The other one may be a little larger, and so its rounding.
        let reach = at.map(|at| slack(least, 1.25 * at, 0.0));
        Self { least, at, reach, best: None, steps: MOST }
    }

    fn is_close(&self, other: &Place) -> bool {
        self.at.iter().zip(other).all(|(a, b)| close(self.least, *a, *b))
    }

    /// How far a box is, if something in it may differ by no more than noise and be nearer than the best. It is asked a hundred times
    /// for each item, so what is no number passes for near here.
    fn off(&self, low: &Place, high: &Place) -> Option<f32> {
        let (mut sum, mut is_near) = (0.0, true);
        for ((at, reach), (low, high)) in self.at.iter().zip(&self.reach).zip(low.iter().zip(high)) {
            let off = (low - at).max(at - high).max(0.0);
            is_near &= off <= *reach;
            sum += off;
        }
        let best = self.best.map_or(f32::INFINITY, |(best, _)| best);
        (is_near && sum < best).then_some(sum)
    }
}
