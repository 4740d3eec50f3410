//! What goes out: places for values and handles, and buffers to be filled. Safe code over the places that the door has opened.

use crate::door::{Handle, Out};
use crate::error::Failure;
use crate::live;
use crate::status::Status;
use crate::world::World;
use std::mem::MaybeUninit;
use std::sync::Arc;

/// A place for a value.
pub(crate) struct OutPlace<'v, T>(&'v mut MaybeUninit<T>);

impl<'v, T> OutPlace<'v, T> {
    #[inline(always)]
    pub(crate) fn new(place: &'v mut MaybeUninit<T>) -> Self {
        Self(place)
    }

    /// Writes the value.
    #[inline(always)]
    pub(crate) fn set(self, value: T) {
        self.0.write(value);
    }
}

impl<'v, T> Out<'v, *mut T> {
    /// A place for a handle, which must be there.
    pub(crate) fn handle_place(self) -> Result<Given<'v, T>, Failure> {
        self.place().map(Given)
    }
}

/// A place for a handle that goes out.
pub(crate) struct Given<'v, T>(OutPlace<'v, *mut T>);

impl<T: Handle> Given<'_, T> {
    /// Says that there is none.
    #[inline(always)]
    pub(crate) fn nothing(self) {
        self.0.set(std::ptr::null_mut());
    }

    /// Gives a handle of its own.
    pub(crate) fn give(self, value: T) {
        let pointer = Box::into_raw(Box::new(value));
        live::born(pointer.addr(), T::KIND);
        self.0.set(pointer);
    }
}

impl Given<'_, World> {
    /// Gives a reference to a world.
    #[inline]
    pub(crate) fn share(self, world: Arc<World>) {
        let pointer = Arc::into_raw(world).cast_mut();
        live::born(pointer.addr(), World::KIND);
        self.0.set(pointer);
    }
}

/// A buffer to be filled, and its capacity.
pub(crate) struct Room<'v, T> {
    pub(crate) rest: &'v mut [MaybeUninit<T>],
    pub(crate) capacity: u32,
    pub(crate) total: u64,
}

impl<T> Default for Room<'_, T> {
    fn default() -> Self {
        Self { rest: &mut [], capacity: 0, total: 0 }
    }
}

impl<'v, T> Room<'v, T> {
    #[inline(always)]
    pub(crate) fn new(rest: &'v mut [MaybeUninit<T>], capacity: u32) -> Self {
        Self { rest, capacity, total: 0 }
    }
}

impl<T: Copy> Room<'_, T> {
    /// Takes the next value. What does not fit is counted.
    #[inline]
    pub(crate) fn push(&mut self, value: T) {
        self.total = self.total.saturating_add(1);
        if let Some((first, rest)) = std::mem::take(&mut self.rest).split_first_mut() {
            first.write(value);
            self.rest = rest;
        }
    }

    /// Takes many values. What does not fit is counted.
    pub(crate) fn fill(&mut self, values: &[T]) {
        self.total = self.total.saturating_add(values.len() as u64);
        let fitting = values.len().min(self.rest.len());
        let (first, rest) = std::mem::take(&mut self.rest).split_at_mut(fitting);
        for (place, value) in first.iter_mut().zip(values) {
            place.write(*value);
        }
        self.rest = rest;
    }

    /// How many values still fit.
    pub(crate) fn left(&self) -> usize {
        self.rest.len()
    }

    /// Sets how many values there are, where not all were pushed.
    pub(crate) fn count(mut self, total: usize) -> Self {
        self.total = total as u64;
        self
    }

    /// Whether all values fitted.
    pub(crate) fn status(&self) -> Status {
        if self.total > u64::from(self.capacity) { Status::Truncated } else { Status::Ok }
    }

    /// Tells the count of values, and whether all of them fitted.
    #[inline]
    pub(crate) fn end(self, count: Out<'_, u32>) -> Result<Status, Failure> {
        let total = u32::try_from(self.total).unwrap_or(u32::MAX);
        count.put(total)?;
        Ok(self.status())
    }
}
