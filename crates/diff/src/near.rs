//! What lies where it lay, but for noise.

/// Whether numbers differ by no more than noise.
pub(super) fn close(least: f32, a: f32, b: f32) -> bool {
    (a - b).abs() <= slack(least, a, b) || a.to_bits() == b.to_bits()
}

fn slack(least: f32, a: f32, b: f32) -> f32 {
    least.max(4.0 * f32::EPSILON * a.abs().max(b.abs()))
}

/// Two positions of a mark or link, bit for bit.
pub(super) type Ends = [[u32; 3]; 2];

/// Takes what only moved by noise out of both lists, and returns how many those were. `of` tells everything else of an item, and
/// its positions.
pub(super) fn take_near<T, G: Ord>(
    least: f32,
    gone: &mut Vec<T>,
    come: &mut Vec<T>,
    of: impl Fn(&T) -> (G, Ends),
) -> usize {
    /// The most items beside one that are compared with it, so that thousands in one place cost no more than elsewhere.
    const MOST: usize = 256;
    let place = |item: &T| {
        let (rest, ends) = of(item);
        (rest, ends.map(|end| end.map(f32::from_bits)))
    };
    let mut sorted: Vec<(G, [[f32; 3]; 2], usize)> =
        come.iter().map(place).zip(0..).map(|((rest, ends), at)| (rest, ends, at)).collect();
    sorted.sort_by(|(a, from, _), (b, to, _)| a.cmp(b).then(from[0][0].total_cmp(&to[0][0])));
    let (mut free, before) = (Free((0..=come.len()).collect()), gone.len());
    gone.retain(|item| {
        let (rest, ends) = place(item);
        let x = ends[0][0];
        // The other one may be a little larger, and so its rounding.
        let low = x - 2.0 * slack(least, x, x);
        let is_lower = |(other, to, _): &(G, [[f32; 3]; 2], usize)| {
            other.cmp(&rest).then(to[0][0].total_cmp(&low)).is_lt()
        };
        let mut at = free.from(sorted.partition_point(is_lower));
        for _ in 0..MOST {
            let Some((_, to, _)) = sorted.get(at).filter(|(other, ..)| *other == rest) else { break };
            let mut pairs = to.iter().flatten().zip(ends.iter().flatten());
            if pairs.all(|(a, b)| close(least, *a, *b)) {
                free.take(at);
                return false;
            }
            at = free.from(at + 1);
        }
        true
    });
    let mut stays = vec![true; come.len()];
    for (at, (.., place)) in sorted.iter().enumerate() {
        stays[*place] = free.0[at] == at;
    }
    let mut stays = stays.into_iter();
    come.retain(|_| stays.next().unwrap_or(true));
    before - gone.len()
}

/// The items that are left: for each, itself or one behind it.
struct Free(Vec<usize>);

impl Free {
    fn take(&mut self, at: usize) {
        self.0[at] = at + 1;
    }

    /// The first that is left from here on.
    fn from(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            let behind = self.0[self.0[at]];
            self.0[at] = behind;
            at = behind;
        }
        at
    }
}
