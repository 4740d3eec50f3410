//! The only unsafe code of the project: memory maps, the guard that keeps the process alive when a mapped file is
//! truncated, and a prefetch.

#[cfg(feature = "mmap")]
pub(crate) use mapped::*;

/// Asks the processor to bring the cache line `ahead` bytes past the start of `bytes` closer. A hint: it changes
/// nothing that can be observed but time, and may point anywhere.
#[inline(always)]
#[cfg_attr(not(feature = "source"), allow(dead_code))]
pub(crate) fn prefetch(bytes: &[u8], ahead: usize) {
    let address = bytes.as_ptr().wrapping_add(ahead);
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: PREFETCHT0 never faults and never changes memory, whatever the address; SSE is part of every x86-64.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
}

#[cfg(feature = "mmap")]
mod mapped {
    use crate::bytes::backing::Voucher;
    use crate::bytes::{Backing, Mapping, Mode, Opener};
    use crate::error::Result;
    use crate::limits::Limits;
    use memmap2::Mmap;
    use std::fs::File;
    use std::path::Path;

    impl Backing<'static> {
        /// Maps the file: nothing is copied, and its pages are shared with every process that maps it. An empty file,
        /// and what cannot be mapped, is read instead.
        ///
        /// # Errors
        /// As [`snapshot`](Self::snapshot).
        ///
        /// # Safety
        /// As for `memmap2::Mmap::map`: while the result lives, nobody truncates the file (the process would die of
        /// SIGBUS) or writes into it (the `&[u8]` would change). Renaming another file over it is harmless.
        pub unsafe fn map(path: impl AsRef<Path>) -> Result<Self> {
            // SAFETY: the caller's promise is passed on.
            let mapping = unsafe { Mapping::trusted() };
            Opener { mode: Mode::Always, mapping }.open(path, &Limits::default())
        }
    }

    impl Mapping {
        /// The caller vouches.
        ///
        /// # Safety
        /// Of every file opened with this permission: what [`Backing::map`] asks.
        pub const unsafe fn trusted() -> Self {
            Self(Voucher::Caller(Trust(())))
        }
    }

    /// The promise that a caller made in [`Mapping::trusted`]: nobody truncates or writes the files mapped with it.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct Trust(());

    /// A read-only map of a whole file.
    #[derive(Debug)]
    pub(crate) struct Map {
        // Declared before `map`, so dropped first: no slot ever names addresses that were given back.
        #[cfg(all(feature = "cli", target_os = "linux"))]
        slot: Option<super::guard::Claim>,
        map: Mmap,
    }

    impl Map {
        /// `None` where the system cannot map the file.
        pub(crate) fn trusted(file: &File, _: Trust) -> Option<Self> {
            // SAFETY: `Trust` can only be made by a caller who promised that nobody truncates or writes the file.
            let map = unsafe { Mmap::map(file) }.ok()?;
            Some(Self {
                #[cfg(all(feature = "cli", target_os = "linux"))]
                slot: None,
                map,
            })
        }

        /// `None` where the system cannot map the file, or every slot of the guard is taken.
        #[cfg(all(feature = "cli", target_os = "linux"))]
        pub(crate) fn guarded(file: &File, guard: super::Guard) -> Option<Self> {
            // SAFETY: the guard is installed and `claim` puts the addresses under it before any byte is read, so a
            // truncated file reads as zeros instead of killing the process. A file that another program *writes* while
            // it is scanned can still change under the `&[u8]`: every parser reads each count once and checks what it
            // read, so the worst outcome is a wrong row for a file that was being replaced.
            let map = unsafe { Mmap::map(file) }.ok()?;
            let slot = guard.claim(&map)?;
            Some(Self { slot: Some(slot), map })
        }

        pub(crate) fn as_slice(&self) -> &[u8] {
            &self.map
        }

        /// Whether a page of this map had to be replaced by zeros.
        pub(crate) fn was_truncated(&self) -> bool {
            #[cfg(all(feature = "cli", target_os = "linux"))]
            return self.slot.as_ref().is_some_and(super::guard::Claim::was_hit);
            #[cfg(not(all(feature = "cli", target_os = "linux")))]
            false
        }
    }
}

#[cfg(all(feature = "cli", target_os = "linux"))]
pub(crate) use guard::Guard;

#[cfg(all(feature = "cli", target_os = "linux"))]
mod guard {
    use std::ffi::c_int;
    use std::mem::MaybeUninit;
    use std::ptr;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    /// Maps under guard at the same time; with all taken, files are read instead.
    const SLOTS: usize = 512;

    /// Addresses `start..end` of one map. `start` is 0 while the slot is free and 1 while it is being filled.
    struct Slot {
        start: AtomicUsize,
        end: AtomicUsize,
        hit: AtomicBool,
    }

    const FREE: usize = 0;
    const FILLING: usize = 1;

    static TABLE: [Slot; SLOTS] = [const {
        Slot { start: AtomicUsize::new(FREE), end: AtomicUsize::new(0), hit: AtomicBool::new(false) }
    }; SLOTS];
    static PAGE: AtomicUsize = AtomicUsize::new(4096);
    static PREVIOUS: OnceLock<Previous> = OnceLock::new();

    /// What handled SIGBUS before.
    struct Previous(libc::sigaction);

    // SAFETY: plain integers and the address of a function, written once before the handler can run.
    unsafe impl Send for Previous {}
    // SAFETY: as above; it is only ever read.
    unsafe impl Sync for Previous {}

    /// Proof that the handler is installed.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct Guard(());

    impl Guard {
        /// Installs the handler, once for the life of the process. `None` if the system refuses.
        pub(crate) fn install() -> Option<Self> {
            static INSTALLED: OnceLock<bool> = OnceLock::new();
            INSTALLED.get_or_init(install).then_some(Self(()))
        }

        /// Puts a map under the guard; `None` when every slot is taken.
        pub(crate) fn claim(self, map: &[u8]) -> Option<Claim> {
            let start = map.as_ptr().addr();
            TABLE.iter().find_map(|slot| {
                slot.start.compare_exchange(FREE, FILLING, Ordering::Acquire, Ordering::Relaxed).ok()?;
                slot.hit.store(false, Ordering::Relaxed);
                slot.end.store(start.saturating_add(map.len()), Ordering::Relaxed);
                slot.start.store(start, Ordering::Release);
                Some(Claim(slot))
            })
        }
    }

    /// A slot of the table; free again when dropped.
    pub(crate) struct Claim(&'static Slot);

    impl Claim {
        pub(crate) fn was_hit(&self) -> bool {
            self.0.hit.load(Ordering::Acquire)
        }
    }

    impl std::fmt::Debug for Claim {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.debug_tuple("Claim").field(&self.was_hit()).finish()
        }
    }

    impl Drop for Claim {
        fn drop(&mut self) {
            self.0.start.store(FREE, Ordering::Release);
        }
    }

    fn install() -> bool {
        // SAFETY: `sysconf` takes an integer and returns one.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        if let Ok(page) = usize::try_from(page)
            && page.is_power_of_two()
        {
            PAGE.store(page, Ordering::Relaxed);
        }
        let mut previous = MaybeUninit::<libc::sigaction>::uninit();
        // SAFETY: a null new action makes `sigaction` only write the present one through a pointer that is valid for
        // it; on success it is initialised. It is stored before the handler that reads it is installed.
        let known = unsafe {
            libc::sigaction(libc::SIGBUS, ptr::null(), previous.as_mut_ptr()) == 0
                && PREVIOUS.set(Previous(previous.assume_init())).is_ok()
        };
        if !known {
            return false;
        }
        // SAFETY: `sigaction` is a C struct for which all zeros is a valid value.
        let mut action: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
        let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut libc::c_void) = on_sigbus;
        action.sa_sigaction = handler as libc::sighandler_t;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        // SAFETY: `sa_mask` is ours to initialise; the handler has the signature that SA_SIGINFO asks for and does only
        // what a signal handler may (below).
        unsafe {
            libc::sigemptyset(&raw mut action.sa_mask);
            libc::sigaction(libc::SIGBUS, &raw const action, ptr::null_mut()) == 0
        }
    }

    /// Backs the missing pages of a map of ours with zeros and returns to the read that faulted; hands every other
    /// SIGBUS to whoever handled it before. Touches atomics, `errno`, and system calls only.
    extern "C" fn on_sigbus(_: c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        // SAFETY: with SA_SIGINFO the kernel passes a valid `siginfo_t`; for a fault, `si_addr` is its active field.
        let (code, address) = unsafe { ((*info).si_code, (*info).si_addr().addr()) };
        // SAFETY: `__errno_location` returns the thread's own `errno`, valid as long as the thread runs.
        let errno = unsafe { *libc::__errno_location() };
        if code == libc::BUS_ADRERR
            && let Some((slot, end)) = slot_of(address)
        {
            let page = PAGE.load(Ordering::Relaxed);
            let from = address & !(page - 1);
            let len = end.saturating_sub(from).next_multiple_of(page);
            // SAFETY: `from..from + len` are whole pages inside a map that a live `Claim` names: the thread that
            // faulted is reading it, so it is not being dropped. The file ends before `from`, so every page replaced is
            // one that no read could have succeeded on. The new pages are private, anonymous, read-only zeros, and
            // belong to the same map: its `munmap` gives them back.
            let backed = unsafe {
                libc::mmap(
                    ptr::with_exposed_provenance_mut(from),
                    len,
                    libc::PROT_READ,
                    libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED,
                    -1,
                    0,
                )
            };
            if backed != libc::MAP_FAILED {
                slot.hit.store(true, Ordering::Release);
                // SAFETY: as above; the interrupted code must not see our calls' `errno`.
                unsafe { *libc::__errno_location() = errno };
                return;
            }
        }
        // Not ours: put back what was there before. The read faults again and finds it.
        if let Some(previous) = PREVIOUS.get() {
            // SAFETY: `previous` was filled by `sigaction` itself.
            unsafe { libc::sigaction(libc::SIGBUS, &raw const previous.0, ptr::null_mut()) };
        }
    }

    fn slot_of(address: usize) -> Option<(&'static Slot, usize)> {
        TABLE.iter().find_map(|slot| {
            let start = slot.start.load(Ordering::Acquire);
            let end = slot.end.load(Ordering::Relaxed);
            (start > FILLING && (start..end).contains(&address)).then_some((slot, end))
        })
    }

    #[cfg(test)]
    mod tests {
        use crate::bytes::{BackingPool, Mapping, Mode, Opener};
        use crate::limits::Limits;
        use std::io::Write;

        #[test]
        fn a_truncated_map_reads_as_zeros_and_says_so() {
            let path = std::env::temp_dir().join(format!("navmap-guard-{}", std::process::id()));
            let mut file = std::fs::File::create(&path).unwrap();
            file.write_all(&vec![7; 64 << 10]).unwrap();
            let opener = Opener { mode: Mode::Always, mapping: Mapping::guarded() };
            let mut pool = BackingPool::new(opener, Limits::default());
            let backing = pool.open(&path).unwrap();
            assert!(backing.is_mapped());
            assert_eq!(backing[40_000], 7);
            assert!(backing.intact().is_ok());
            file.set_len(10_000).unwrap();
            assert_eq!((backing[9_999], backing[20_000], backing[65_535]), (7, 0, 0));
            assert_eq!(backing.intact().unwrap_err().to_string(), "truncated while mapped");
            drop(backing);
            assert!(pool.open(&path).unwrap().intact().is_ok());
            std::fs::remove_file(&path).unwrap();
        }
    }
}
