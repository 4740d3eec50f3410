//! The interpreter, taken whatever pyo3 believes.
//!
//! pyo3 counts in each extension whether a thread holds the interpreter. Where a call of ours leads to another extension, which lets go
//! of the interpreter and then reads a stream of ours, our count is wrong: `Python::attach` would call Python without holding it.

use pyo3::ffi::{PyGILState_Ensure, PyGILState_Release, PyGILState_STATE};
use pyo3::prelude::*;

/// What was before, to which it goes back.
struct Held(PyGILState_STATE);

impl Drop for Held {
    fn drop(&mut self) {
        // SAFETY: the state is that of the call in `attach`, on the same thread, as `Held` stays in that function.
        unsafe { PyGILState_Release(self.0) }
    }
}

/// Runs with the interpreter, which is waited for if this thread does not hold it.
pub(crate) fn attach<R>(run: impl FnOnce(Python<'_>) -> R) -> R {
    // SAFETY: it may be called on any thread, whether it holds the interpreter or not, while there is an interpreter, and there is
    // one: only streams that its objects were asked for come here.
    let _held = Held(unsafe { PyGILState_Ensure() });
    Python::attach(run)
}
