//! The interpreter, taken whatever pyo3 believes.
//!
//! pyo3 counts in each extension whether a thread holds the interpreter. Where a call of ours leads to another extension, which lets go
//! of the interpreter and then reads a stream of ours, our count is wrong: `Python::attach` would call Python without holding it.

use pyo3::ffi::{Py_AddPendingCall, PyGILState_Ensure, PyGILState_Release, PyGILState_STATE};
use pyo3::prelude::*;
use std::ffi::{c_int, c_void};

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

type Later = Box<dyn FnOnce(Python<'_>) + Send>;

/// Has the main thread of the interpreter run this soon, and waits for nobody. It is dropped if too much waits there already.
pub(crate) fn later(run: impl FnOnce(Python<'_>) + Send + 'static) {
    extern "C" fn called(run: *mut c_void) -> c_int {
        // SAFETY: it is what `later` has made, which is called back once.
        let run = unsafe { Box::from_raw(run.cast::<Later>()) };
        attach(run);
        0
    }
    let run: *mut Later = Box::into_raw(Box::new(Box::new(run)));
    // SAFETY: it may be called on any thread, whether it holds the interpreter or not.
    if unsafe { Py_AddPendingCall(Some(called), run.cast()) } != 0 {
        // SAFETY: it was refused, so that nobody else has the pointer.
        drop(unsafe { Box::from_raw(run) });
    }
}
