//! Whose threads share in work: rayon's own, or a pool that was lent. Rayon's own do not outlive a fork: a child process has the
//! pool and none of its threads, and would wait for them for ever. So a process that was forked from one that had shared out work
//! has a pool of its own.

use rayon::{ThreadPool, ThreadPoolBuilder, current_thread_index};
use std::cell::Cell;
use std::sync::OnceLock;

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

/// A process that has shared out work, as the memory of those that were forked from it has it too. (Python has pools of its own, which
/// a hook makes while a new process has one thread.)
#[derive(Debug)]
struct Process {
    id: OnceLock<u32>,
    pool: Pool,
    child: OnceLock<Box<Process>>,
}

/// The first one, whose threads are rayon's own.
static FIRST: Process = Process::new();

impl Process {
    const fn new() -> Self {
        Self { id: OnceLock::new(), pool: Pool::new(), child: OnceLock::new() }
    }

    /// The pool of this process, if it was forked from one that had shared out work.
    fn forked(&'static self) -> Option<&'static Pool> {
        // Elsewhere there are no forks, and a process may have no number.
        let here = if cfg!(unix) { std::process::id() } else { 0 };
        let mut process = self;
        while *process.id.get_or_init(|| here) != here {
            process = process.child.get_or_init(|| Box::new(Self::new()));
        }
        (!std::ptr::eq(process, self)).then_some(&process.pool)
    }
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
    match lent().or_else(|| FIRST.forked()) {
        Some(pool) => pool.run(work),
        None => work(),
    }
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
        static FORKED: Process = Process::new();
        assert!(PROCESS.forked().is_none() && PROCESS.forked().is_none(), "the first has none");
        // As the memory of a child of a child has it.
        FORKED.id.set(u32::MAX).unwrap();
        let child = FORKED.child.get_or_init(|| Box::new(Process::new()));
        child.id.set(u32::MAX - 1).unwrap();
        let own = FORKED.forked().unwrap();
        assert!(!std::ptr::eq(own, &child.pool) && std::ptr::eq(own, FORKED.forked().unwrap()));
        assert!(own.run(|| current_thread_index().is_some()));
    }
}
