//! Runs the body of an entry and returns its status.

use crate::door::Out;
use crate::error::{Error, Failure};
use crate::status::Status;
use std::any::Any;
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a function gives back.
pub(crate) trait Answer: Sized {
    fn failed(status: Status) -> Self;
}

impl Answer for Status {
    #[inline(always)]
    fn failed(status: Status) -> Self {
        status
    }
}

impl Answer for *const c_char {
    fn failed(_: Status) -> Self {
        c"".as_ptr()
    }
}

/// Where an error goes.
pub(crate) trait Tell {
    /// Makes the error, and says which status it has. `None`: all went well.
    fn tell(self, failure: Option<Failure>) -> Status;
}

impl Tell for () {
    #[inline(always)]
    fn tell(self, failure: Option<Failure>) -> Status {
        failure.map_or(Status::Ok, |failure| failure.status())
    }
}

impl Tell for Out<'_, *mut Error> {
    #[inline]
    fn tell(self, failure: Option<Failure>) -> Status {
        let status = failure.as_ref().map_or(Status::Ok, Failure::status);
        if let Ok(place) = self.handle_place() {
            match failure {
                Some(failure) => place.give(failure.into_error()),
                None => place.nothing(),
            }
        }
        status
    }
}

/// Runs the body of an entry. A panic ends here.
#[inline(always)]
pub(crate) fn guard<A: Answer>(body: impl FnOnce() -> Result<A, Failure>, error: impl Tell) -> A {
    // State half changed by a panic is behind a `Turned`, which is then broken.
    match catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| Err(caught(panic))) {
        Ok(answer) => {
            error.tell(None);
            answer
        }
        Err(failure) => A::failed(error.tell(Some(failure))),
    }
}

/// Compiled once, and not in each entry.
#[cold]
#[inline(never)]
fn caught(panic: Box<dyn Any + Send>) -> Failure {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    // Dropping the panic's payload may panic again.
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        std::mem::forget(again);
    }
    Failure::text(Status::Panic, &text)
}
