//! State that one thread changes or many read.

use crate::error::Failure;
use crate::status::Status;
use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};

/// A value that one thread changes or many read, and never both: whoever comes meanwhile is told so instead of waiting.
/// After a panic of a writer nobody gets it again.
#[derive(Debug)]
pub struct Turned<T>(RwLock<T>);

impl<T> Turned<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(RwLock::new(value))
    }

    /// To change it.
    #[inline]
    pub(crate) fn turn(&self, name: &'static str) -> Result<RwLockWriteGuard<'_, T>, Failure> {
        self.0.try_write().map_err(|error| refused(&error, name))
    }

    /// To read it.
    #[inline]
    pub(crate) fn look(&self, name: &'static str) -> Result<RwLockReadGuard<'_, T>, Failure> {
        self.0.try_read().map_err(|error| refused(&error, name))
    }
}

#[cold]
fn refused<G>(error: &TryLockError<G>, name: &'static str) -> Failure {
    let status = match error {
        TryLockError::WouldBlock => Status::Busy,
        TryLockError::Poisoned(_) => Status::Panic,
    };
    Failure::Bare(status, name)
}
