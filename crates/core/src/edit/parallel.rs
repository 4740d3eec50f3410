//! Links between two items that are told apart by their numbers alone.

use std::collections::BTreeMap;

/// The links of one item before and after, each with its number among those to the same other one.
#[derive(Debug)]
pub struct Parallel<'l, L> {
    /// Those that go, by where they lead and by number: the last first, so that the others keep their numbers.
    pub gone: Vec<(u32, usize)>,
    /// Those after, in order.
    pub now: Vec<Link<'l, L>>,
    /// Whether they are in this order once those are gone and new ones were added at the end.
    pub in_order: bool,
}

/// A link after.
#[derive(Debug)]
pub struct Link<'l, L> {
    /// The item that it leads to.
    pub to: u32,
    /// The number that it had, or one after those that there were.
    pub number: usize,
    /// The link that it was; `None` if it is new.
    pub was: Option<&'l L>,
    /// The link that it is.
    pub is: &'l L,
}

impl<'l, L> Parallel<'l, L> {
    /// Pairs the links of an item before and after, each with the item that it leads to. Of several to one item those with equal
    /// values are the same, the others by their places between these. Commands can make it so in any case, since links that are
    /// added come last. Linear, apart from sorting.
    pub fn new<V: Ord>(old: &'l [(u32, L)], new: &'l [(u32, L)], values: impl Fn(&L) -> V) -> Self {
        let mut groups: BTreeMap<u32, [Vec<usize>; 2]> = BTreeMap::new();
        old.iter().zip(0..).for_each(|((to, _), at)| groups.entry(*to).or_default()[0].push(at));
        new.iter().zip(0..).for_each(|((to, _), at)| groups.entry(*to).or_default()[1].push(at));
        let told = |list: &[(u32, L)], places: &[usize]| -> Vec<V> {
            places.iter().filter_map(|at| list.get(*at)).map(|(_, link)| values(link)).collect()
        };
        // The number of each new link, and the place that it had; the old ones that go, by their places.
        let mut of: BTreeMap<usize, (usize, Option<usize>)> = BTreeMap::new();
        let mut gone: BTreeMap<usize, (u32, usize)> = BTreeMap::new();
        for (to, [had, has]) in groups {
            let pairs = match (had.len(), has.len()) {
                (0, _) | (1, 1) => by_place(had.len(), has.len()),
                _ => paired(&told(old, &had), &told(new, &has)),
            };
            gone.extend(had.iter().zip(0..).map(|(at, number)| (*at, (to, number))));
            let mut next = had.len();
            for (at, pair) in has.into_iter().zip(pairs) {
                let place = pair.and_then(|number| had.get(number).copied());
                place.map(|place| gone.remove(&place));
                of.insert(at, (pair.unwrap_or(next), place));
                next = next.saturating_add(pair.is_none().into());
            }
        }
        let order = of.values().map(|(_, place)| place.unwrap_or(usize::MAX));
        let in_order = order.is_sorted();
        let links = of.into_values().zip(new).map(|((number, place), (to, is))| {
            let was = place.and_then(|place| old.get(place)).map(|(_, link)| link);
            Link { to: *to, number, was, is }
        });
        Self { now: links.collect(), gone: gone.into_values().rev().collect(), in_order }
    }
}

fn by_place(old: usize, new: usize) -> Vec<Option<usize>> {
    (0..new).map(|at| (at < old).then_some(at)).collect()
}

/// The old place of each new value. Those that have one ascend, and come before those that have none.
fn paired<V: Ord>(old: &[V], new: &[V]) -> Vec<Option<usize>> {
    let mut places: BTreeMap<&V, Vec<usize>> = BTreeMap::new();
    old.iter().zip(0..).for_each(|(value, at)| places.entry(value).or_default().push(at));
    let mut next = 0_usize;
    let mut pairs: Vec<Option<usize>> = Vec::with_capacity(new.len());
    for value in new {
        let equal = places.get(value).and_then(|all| all.get(all.partition_point(|at| *at < next)).copied());
        next = equal.map_or(next, |at| at.saturating_add(1));
        pairs.push(equal);
    }
    // Where the old places between two pairs end.
    let mut end = old.len();
    let mut ends = vec![end; pairs.len()];
    for (pair, place) in pairs.iter().zip(&mut ends).rev() {
        *place = end;
        end = pair.unwrap_or(end);
    }
    let mut next = 0_usize;
    for (pair, end) in pairs.iter_mut().zip(ends) {
        if pair.is_none() && next < end {
            *pair = Some(next);
        }
        next = pair.map_or(next, |at| at.saturating_add(1));
    }
    match pairs.iter().skip_while(|pair| pair.is_some()).any(Option::is_some) {
        true => by_place(old.len(), new.len()),
        false => pairs,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(old: &str, new: &str) -> Vec<usize> {
        let links = |text: &str| text.chars().map(|value| (7, value)).collect::<Vec<_>>();
        let (old, new) = (links(old), links(new));
        Parallel::new(&old, &new, |value| *value).now.iter().map(|link| link.number).collect()
    }

    #[test]
    fn a_link_keeps_the_number_that_it_had_among_those_beside_it() {
        assert_eq!(numbers("abc", "abc"), [0, 1, 2]);
        assert_eq!(numbers("abc", "bc"), [1, 2]);
        assert_eq!(numbers("abc", "ac"), [0, 2]);
        assert_eq!(numbers("aaa", "aa"), [0, 1]);
        assert_eq!(numbers("aba", "ba"), [1, 2]);
        // One that is neither takes a free place between its neighbours, or is new.
        assert_eq!(numbers("abcd", "axd"), [0, 1, 3]);
        assert_eq!(numbers("abc", "bcx"), [1, 2, 3]);
        // New ones come last: in another order they are the old ones with other values.
        assert_eq!(numbers("ab", "xab"), [0, 1, 2]);
        assert_eq!(numbers("", "ab"), [0, 1]);
        assert_eq!(numbers("ab", "ba"), [1, 2]);
    }
    #[test]
    fn what_goes_is_named_from_the_last_and_what_comes_is_last() {
        let old = [(1, 'a'), (2, 'b'), (1, 'c'), (1, 'd')];
        let new = [(2, 'x'), (1, 'd'), (1, 'a')];
        let links = Parallel::new(&old, &new[..2], |value| *value);
        assert_eq!((links.gone, links.in_order), (vec![(1, 1), (1, 0)], true));
        let links = Parallel::new(&old, &new, |value| *value);
        assert_eq!((links.gone, links.in_order), (vec![(1, 1), (1, 0)], true));
        let was: Vec<_> = links.now.iter().map(|link| (link.to, link.number, link.was.copied())).collect();
        assert_eq!(was, [(2, 0, Some('b')), (1, 2, Some('d')), (1, 3, None)]);
        assert!(!Parallel::new(&old, &[(1, 'a'), (1, 'c'), (2, 'b')], |value| *value).in_order);
    }
}
