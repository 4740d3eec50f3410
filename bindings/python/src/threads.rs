//! Work without the interpreter, and threads that share in it. A forked process has the pools of its parent and none of their
//! threads, for which it would wait for ever: so each process has a pool of its own.

pub(crate) use navmap::threads::forks as process;
use navmap::threads::{forked, lend, own};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Runs work without the interpreter, on threads that share in it. What other threads may hold, such as a lock, is taken before.
pub(crate) fn work<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    py.detach(|| share(work))
}

/// Runs work on threads that share in it.
pub(crate) fn share<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    own().run(work)
}

/// Runs a thread that waits for others, such as the one that takes what it hands over. Of its work it shares out the parts.
pub(crate) fn beside<T>(work: impl FnOnce() -> T) -> T {
    lend(Some(own()), work)
}

/// Called in a process that was forked, before anything else runs in it.
#[pyfunction]
fn after_fork() {
    forked();
}

/// Has the interpreter tell of forks.
pub(crate) fn watch(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // The process that imports navmap is the first one, and is so before it can be forked.
    own();
    // There are none on Windows.
    let Ok(register) = module.py().import("os")?.getattr("register_at_fork") else { return Ok(()) };
    let named = PyDict::new(module.py());
    named.set_item("after_in_child", wrap_pyfunction!(after_fork, module)?)?;
    register.call((), Some(&named)).map(drop)
}
