//! Work without the interpreter, and threads that share in it. A forked process has the pools of its parent and none of their
//! threads, for which it would wait for ever: so each process has a pool of its own.

use navmap::threads::{Pool, lend};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A process, as the memory of those that were forked from it has it too. Nothing in it is locked by a process before.
#[derive(Default)]
struct Process {
    pool: Pool,
    child: OnceLock<Box<Process>>,
}

/// The process that has imported navmap.
static FIRST: Process = Process { pool: Pool::new(), child: OnceLock::new() };

/// How many forks lie between that process and this one.
static FORKS: AtomicU32 = AtomicU32::new(0);

/// The number of this process among those that were forked from each other.
pub(crate) fn process() -> u32 {
    FORKS.load(Relaxed)
}

fn pool() -> &'static Pool {
    let here = (0..process()).fold(&FIRST, |process, _| process.child.get_or_init(Box::default));
    &here.pool
}

/// Runs work without the interpreter, on threads that share in it. What other threads may hold, such as a lock, is taken before.
pub(crate) fn work<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    py.detach(|| share(work))
}

/// Runs work on threads that share in it.
pub(crate) fn share<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    pool().run(work)
}

/// Runs a thread that waits for others, such as the one that takes what it hands over. Of its work it shares out the parts.
pub(crate) fn beside<T>(work: impl FnOnce() -> T) -> T {
    lend(Some(pool()), work)
}

/// Called in a process that was forked, before anything else runs in it.
#[pyfunction]
fn forked() {
    FORKS.fetch_add(1, Relaxed);
    // While there is one thread, nobody can be at this when the process is forked again.
    pool();
}

/// Has the interpreter tell of forks.
pub(crate) fn watch(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // There are none on Windows.
    let Ok(register) = module.py().import("os")?.getattr("register_at_fork") else { return Ok(()) };
    let named = PyDict::new(module.py());
    named.set_item("after_in_child", wrap_pyfunction!(forked, module)?)?;
    register.call((), Some(&named)).map(drop)
}
