//! What commands overwrite.

/// What was overwritten in a list, in the order in which it was: a place, and the item as it was there; `None` if there was none.
/// An editor notes it here while a command runs, and [takes](Self::take) it as its [`Change`](super::Editor::Change).
#[derive(Debug)]
pub struct Overwritten<T>(Vec<(u32, Option<T>)>);

impl<T> Default for Overwritten<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Overwritten<T> {
    /// Adds an item to the list. Gives its place.
    pub fn push(&mut self, list: &mut Vec<T>, item: T) -> u32 {
        let place = u32::try_from(list.len()).unwrap_or(u32::MAX);
        self.0.push((place, None));
        list.push(item);
        place
    }

    /// Changes an item of the list. Returns whether it differs now.
    pub fn change(
        &mut self,
        list: &mut [T],
        place: u32,
        differs: impl FnOnce(&T, &T) -> bool,
        change: impl FnOnce(&mut T),
    ) -> bool
    where
        T: Clone,
    {
        let Some(now) = list.get_mut(place as usize) else { return false };
        let was = now.clone();
        change(now);
        let new = differs(&was, now);
        if new {
            self.0.push((place, Some(was)));
        }
        new
    }

    /// What was noted since the last call; `None` if nothing was.
    pub fn take(&mut self) -> Option<Self> {
        (!self.0.is_empty()).then(|| std::mem::take(self))
    }

    /// How many items were overwritten.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The items that were overwritten, as they were; after a swap, as they came to be.
    pub fn items(&self) -> impl Iterator<Item = &T> {
        self.0.iter().filter_map(|(_, item)| item.as_ref())
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Swaps the present items with those that were overwritten, last first. Two calls change nothing.
    pub fn swap(&mut self, list: &mut Vec<T>) {
        for (place, other) in self.0.iter_mut().rev() {
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
        self.0.reverse();
    }
}

/// The values that were overwritten, in the order in which they were. An editor notes them here while a command runs, and
/// [takes](Self::take) them as its [`Change`](super::Editor::Change). For a list whose items keep their places, see [`Overwritten`].
#[derive(Debug)]
pub struct Deltas<D>(Vec<D>);

impl<D> Default for Deltas<D> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<D> Deltas<D> {
    /// Notes a value that was overwritten.
    pub fn push(&mut self, delta: D) {
        if self.0.is_empty() {
            // Most commands overwrite one, and very many of these may be kept.
            self.0.reserve_exact(1);
        }
        self.0.push(delta);
    }

    /// What was noted since the last call; `None` if nothing was.
    pub fn take(&mut self) -> Option<Self> {
        (!self.0.is_empty()).then(|| std::mem::take(self))
    }

    /// How many values were overwritten.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The values, in the order in which they were overwritten.
    pub fn iter(&self) -> impl Iterator<Item = &D> {
        self.0.iter()
    }

    /// Exchanges the present values with those that were overwritten, last first. Two calls change nothing, if two calls of `exchange`
    /// with one value do not.
    pub fn swap(&mut self, exchange: impl FnMut(&mut D)) {
        self.0.iter_mut().rev().for_each(exchange);
        self.0.reverse();
    }
}
