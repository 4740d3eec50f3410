//! Whose threads share in work: rayon's own, or a pool that was lent. Rayon's own do not outlive a fork: a child process has the
//! pool and none of its threads, and would wait for them for ever. So a process that was forked from one that had shared out work
//! has a pool of its own. A process is known by its number and, since numbers are given again, by how many forks a hook told of.

use rayon::{ThreadPool, ThreadPoolBuilder, current_thread_index};
use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Threads that share in work, one for each core. They are started when there is work to share.
#[derive(Debug, Default)]
pub struct Pool(OnceLock<Option<ThreadPool>>);

thread_local! {
    static LENT: Cell<Option<&'static Pool>> = const { Cell::new(None) };
}

impl Pool {
    /// A pool without threads yet.
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// Runs `work` on one of the threads, so that all of them share in it. It must not wait for what another thread does, which
    /// may have no thread left to do it on.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        let one = || ThreadPoolBuilder::new().num_threads(1).build();
        let start = || ThreadPoolBuilder::new().build().or_else(|_| one()).ok();
        match self.0.get_or_init(start) {
            Some(pool) => pool.install(work),
            None => {
                alone();
                work()
            }
        }
    }
}

/// Lets this thread do itself what it shares out from now on: where no other thread can be started, rayon panics.
pub fn alone() {
    // A thread is of such a pool for good, so the pool is never taken down. One that is of a pool already stays there.
    std::mem::forget(ThreadPoolBuilder::new().num_threads(1).use_current_thread().build());
}

/// A process that has shared out work, as the memory of those that were forked from it has it too.
#[derive(Debug)]
struct Process {
    id: OnceLock<u64>,
    pool: Pool,
    child: OnceLock<Box<Process>>,
}

/// The first one. Its threads are rayon's own, unless it asks for its [`own`] pool.
static FIRST: Process = Process::new();

/// How many forks lie between the first process and this one, as far as [`forked`] was called.
static FORKS: AtomicU32 = AtomicU32::new(0);

impl Process {
    const fn new() -> Self {
        Self { id: OnceLock::new(), pool: Pool::new(), child: OnceLock::new() }
    }

    /// This process, or the one below it that has this id. The first without an id gets it.
    fn find(&'static self, id: u64) -> &'static Self {
        let mut process = self;
        while *process.id.get_or_init(|| id) != id {
            process = process.child.get_or_init(|| Box::new(Self::new()));
        }
        process
    }

    /// The process that this runs in.
    fn here() -> &'static Self {
        // Elsewhere there are no forks, and a process may have no number.
        let number = if cfg!(unix) { std::process::id() } else { 0 };
        FIRST.find(u64::from(forks()) << 32 | u64::from(number))
    }
}

/// For a hook that is called in a process that was forked, before anything else runs there. Makes its pool while it has one thread,
/// so that nobody is at this when it is forked again.
pub fn forked() {
    FORKS.fetch_add(1, Relaxed);
    own();
}

/// How many forks a hook has told of: the number of this process among those that were forked from each other.
pub fn forks() -> u32 {
    FORKS.load(Relaxed)
}

/// The pool of this process, and of none that is forked from it. It is never rayon's own.
pub fn own() -> &'static Pool {
    &Process::here().pool
}

/// Runs `work` here. What [`spread`] shares out in it goes to the threads of this pool.
pub fn lend<R>(pool: Option<&'static Pool>, work: impl FnOnce() -> R) -> R {
    struct Back(Option<&'static Pool>);
    impl Drop for Back {
        fn drop(&mut self) {
            LENT.set(self.0);
        }
    }
    let _back = Back(LENT.replace(pool));
    work()
}

/// The pool that was lent to this thread, for the threads that it starts.
pub fn lent() -> Option<&'static Pool> {
    LENT.get()
}

/// Runs work that is shared out, in the pool that this thread is of, or else in the one that it was lent, or else in that of this
/// process: rayon's own, or its own after a fork.
pub fn spread<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    if current_thread_index().is_some() {
        return work();
    }
    let after_fork = || {
        let here = Process::here();
        (!std::ptr::eq(here, &FIRST)).then_some(&here.pool)
    };
    match lent().or_else(after_fork) {
        Some(pool) => pool.run(work),
        None => work(),
    }
}

/// Locks what is whole at any moment, such as a list or a cache: after a panic it is used on.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;
    use std::thread;

    #[test]
    fn work_is_shared_out_in_the_pool_that_was_lent_and_in_no_other() {
        static POOL: Pool = Pool::new();
        let here = || thread::current().id();
        let own = here();
        assert!(lent().is_none());
        assert_eq!(spread(here), own, "nothing was lent: the work is done as it comes");
        lend(Some(&POOL), || {
            assert_eq!(here(), own);
            let there = spread(|| (here(), current_thread_index(), spread(here)));
            assert_ne!(there.0, own);
            assert!(there.1.is_some());
            assert_eq!(there.2, there.0, "a thread of the pool does not hand on what it was handed");
        });
        let failed = catch_unwind(|| lend(Some(&POOL), || panic!("as any work may")));
        assert!(failed.is_err() && lent().is_none(), "it is given back");
    }

    #[test]
    fn a_thread_alone_does_what_it_shares_out() {
        let done = thread::spawn(|| {
            let here = thread::current().id();
            alone();
            alone();
            let there = || thread::current().id();
            let (one, other) = rayon::join(there, || rayon::join(there, there));
            assert_eq!((one, other), (here, (here, here)));
            spread(there) == here
        });
        assert!(done.join().unwrap());
        assert!(current_thread_index().is_none(), "no other thread is");
    }

    #[test]
    fn a_process_that_was_forked_from_one_that_shared_out_work_has_a_pool_of_its_own() {
        static PROCESS: Process = Process::new();
        let same = |one: &Process, other: &Process| std::ptr::eq(one, other);
        let first = PROCESS.find(7);
        assert!(same(first, &PROCESS) && same(first, PROCESS.find(7)));
        // The last has the number of the first, which has ended by then. A hook has told of two forks.
        let [child, last] = [8, 2 << 32 | 7].map(|id| PROCESS.find(id));
        assert!(!same(child, first) && !same(last, first) && !same(last, child));
        assert!(same(last, PROCESS.find(2 << 32 | 7)));
        assert!(last.pool.run(|| current_thread_index().is_some()));
    }
}
