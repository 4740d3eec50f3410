//! What commands overwrite, weighed while they run.

/// A value that is kept to take a command back.
pub trait Weighed {
    /// About how many values of sixteen bytes it holds.
    fn weight(&self) -> u64;
}

/// A number, with its place among others.
impl Weighed for u64 {
    fn weight(&self) -> u64 {
        4
    }
}

/// What has been noted, and how much of it may be.
#[derive(Debug, Clone, Copy)]
struct Meter {
    weight: u64,
    room: u64,
}

impl Default for Meter {
    fn default() -> Self {
        Self { weight: 0, room: u64::MAX }
    }
}

impl Meter {
    fn is_full(self) -> bool {
        self.weight > self.room
    }

    fn add(&mut self, weight: u64) {
        self.weight = self.weight.saturating_add(weight);
    }
}

/// What was overwritten in a list, in the order in which it was: a place, and the item as it was there; `None` if there was none.
/// An editor notes it here while a command runs, and [takes](Self::take) it as its [`Change`](super::Editor::Change).
///
/// Once more was noted than is [allowed](Self::allow), the list stays as it is, so that a command that would multiply it ends soon. The
/// session refuses that command, and takes back what it has done.
#[derive(Debug)]
pub struct Overwritten<T> {
    noted: Vec<(u32, Option<T>)>,
    meter: Meter,
}

impl<T> Default for Overwritten<T> {
    fn default() -> Self {
        Self { noted: Vec::new(), meter: Meter::default() }
    }
}

impl<T> Overwritten<T> {
    /// Sets how many values of sixteen bytes may be noted, as [`Editor::allow`](super::Editor::allow).
    pub fn allow(&mut self, values: u64) {
        self.meter.room = values;
    }

    /// Whether more than that was noted.
    pub fn is_full(&self) -> bool {
        self.meter.is_full()
    }

    /// About how many values of sixteen bytes were noted.
    pub fn weight(&self) -> u64 {
        self.meter.weight
    }

    /// Adds an item to the list. Gives its place; `None` if no more may be noted.
    pub fn push(&mut self, list: &mut Vec<T>, item: T) -> Option<u32>
    where
        T: Weighed,
    {
        if self.is_full() {
            return None;
        }
        let place = u32::try_from(list.len()).unwrap_or(u32::MAX);
        self.meter.add(item.weight());
        self.noted.push((place, None));
        list.push(item);
        Some(place)
    }

    /// Changes an item of the list, unless no more may be noted. Returns whether it differs now.
    pub fn change(
        &mut self,
        list: &mut [T],
        place: u32,
        differs: impl FnOnce(&T, &T) -> bool,
        change: impl FnOnce(&mut T),
    ) -> bool
    where
        T: Clone + Weighed,
    {
        if self.is_full() {
            return false;
        }
        let Some(now) = list.get_mut(place as usize) else { return false };
        let was = now.clone();
        change(now);
        let new = differs(&was, now);
        if new {
            self.meter.add(was.weight());
            self.noted.push((place, Some(was)));
        }
        new
    }

    /// What was noted since the last call; `None` if nothing was.
    pub fn take(&mut self) -> Option<Self> {
        (!self.noted.is_empty()).then(|| std::mem::take(self))
    }

    /// How many items were overwritten.
    pub fn len(&self) -> usize {
        self.noted.len()
    }

    /// The items that were overwritten, as they were; after a swap, as they came to be.
    pub fn items(&self) -> impl Iterator<Item = &T> {
        self.noted.iter().filter_map(|(_, item)| item.as_ref())
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.noted.is_empty()
    }

    /// Swaps the present items with those that were overwritten, last first. Two calls change nothing.
    pub fn swap(&mut self, list: &mut Vec<T>) {
        for (place, other) in self.noted.iter_mut().rev() {
            match (other.take(), list.get_mut(*place as usize)) {
                (Some(mut was), Some(now)) => {
                    std::mem::swap(&mut was, now);
                    *other = Some(was);
                }
                // New ones come last, and go in the reverse order.
                (Some(was), None) => list.push(was),
                (None, _) => *other = list.pop(),
            }
        }
        self.noted.reverse();
    }
}

/// The values that were overwritten, in the order in which they were. An editor notes them here while a command runs, and
/// [takes](Self::take) them as its [`Change`](super::Editor::Change). For a list whose items keep their places, see [`Overwritten`].
///
/// Nothing else may be overwritten once it [is full](Self::is_full): the editor asks before each value, so that a command that would
/// multiply what there is ends soon. The session refuses that command, and takes back what it has done.
#[derive(Debug)]
pub struct Deltas<D> {
    noted: Vec<D>,
    meter: Meter,
}

impl<D> Default for Deltas<D> {
    fn default() -> Self {
        Self { noted: Vec::new(), meter: Meter::default() }
    }
}

impl<D> Deltas<D> {
    /// Sets how many values of sixteen bytes may be noted, as [`Editor::allow`](super::Editor::allow).
    pub fn allow(&mut self, values: u64) {
        self.meter.room = values;
    }

    /// Whether more than that was noted.
    pub fn is_full(&self) -> bool {
        self.meter.is_full()
    }

    /// About how many values of sixteen bytes were noted.
    pub fn weight(&self) -> u64 {
        self.meter.weight
    }

    /// Notes a value that was overwritten.
    pub fn push(&mut self, delta: D)
    where
        D: Weighed,
    {
        self.meter.add(delta.weight());
        if self.noted.is_empty() {
            // Most commands overwrite one, and very many of these may be kept.
            self.noted.reserve_exact(1);
        }
        self.noted.push(delta);
    }

    /// What was noted since the last call; `None` if nothing was.
    pub fn take(&mut self) -> Option<Self> {
        (!self.noted.is_empty()).then(|| std::mem::take(self))
    }

    /// How many values were overwritten.
    pub fn len(&self) -> usize {
        self.noted.len()
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.noted.is_empty()
    }

    /// The values, in the order in which they were overwritten.
    pub fn iter(&self) -> impl Iterator<Item = &D> {
        self.noted.iter()
    }

    /// Exchanges the present values with those that were overwritten, last first. Two calls change nothing, if two calls of `exchange`
    /// with one value do not.
    pub fn swap(&mut self, exchange: impl FnMut(&mut D)) {
        self.noted.iter_mut().rev().for_each(exchange);
        self.noted.reverse();
    }
}
