//! The only unsafe code of this package: memory maps, the guard that keeps the process alive when a mapped file is
//! truncated, a prefetch, and a question about signals.

pub(crate) use mapped::*;

/// Asks the processor to load the cache line `ahead` bytes past the start of `items`. A hint: it affects nothing but time, and
/// may point anywhere.
#[inline(always)]
#[doc(hidden)]
pub fn prefetch<T>(items: &[T], ahead: usize) {
    let address = items.as_ptr().cast::<u8>().wrapping_add(ahead);
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: PREFETCHT0 never faults and never changes memory, whatever the address; SSE is part of every x86-64.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast::<i8>());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
}

/// Whether the process ignores the signal of this number, as one that was started by `nohup` ignores SIGHUP.
#[cfg(unix)]
#[doc(hidden)]
pub fn is_signal_ignored(signal: i32) -> bool {
    present(signal).sa_sigaction == libc::SIG_IGN
}

/// Lets a program that has started no thread keep little where the allocator is glibc's: all threads share what is free, and with `large` pieces
/// of 128 KiB and more go back to the system at once. Sorted rows and meshes put aside take a fifth to a quarter less; a scan takes 5 to 20 % longer.
#[doc(hidden)]
pub fn keep_little(large: bool) {
    // SAFETY: `mallopt` follows no pointer and moves nothing. It stores numbers that no other thread reads yet, for allocations to come.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
        let _ = large.then(|| libc::mallopt(libc::M_MMAP_THRESHOLD, 128 << 10));
    }
    let _ = large;
}

/// What is done about the signal of this number now.
#[cfg(unix)]
fn present(signal: i32) -> libc::sigaction {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: a null new action makes `sigaction` only write the present one through a pointer that is valid for it. If it refuses,
    // for a number that is no signal, the zeros stay, which are a valid value of a C struct.
    unsafe {
        libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr());
        action.assume_init()
    }
}

mod mapped {
    use crate::bytes::backing::Voucher;
    #[cfg(target_os = "linux")]
    use crate::bytes::seen::Stamp;
    use crate::bytes::{Backing, Mapping, Mode, Opener};
    use crate::error::Result;
    use crate::limits::Limits;
    use memmap2::Mmap;
    #[cfg(target_os = "linux")]
    use memmap2::MmapOptions;
    use std::fs::File;
    use std::path::Path;

    impl Backing<'static> {
        /// Maps the file: nothing is copied, and its pages are shared with every process that maps it. An empty file, or one that
        /// cannot be mapped, is read instead.
        ///
        /// # Errors
        /// Those of [`snapshot`](Self::snapshot).
        ///
        /// # Safety
        /// As for `memmap2::Mmap::map`: while the result lives, nobody truncates the file (the process would die of
        /// SIGBUS) or writes into it (the `&[u8]` would change). Renaming another file over it is harmless.
        pub unsafe fn map(path: impl AsRef<Path>) -> Result<Self> {
            // SAFETY: the caller makes the same promise.
            let mapping = unsafe { Mapping::trusted() };
            Opener { mode: Mode::Always, mapping }.open(path, &Limits::default())
        }
    }

    impl Mapping {
        /// A permission for which the caller vouches.
        ///
        /// # Safety
        /// For every file opened with this permission, the caller must uphold what [`Backing::map`] requires.
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
        /// Declared before `map`, so dropped first: no slot ever names addresses that were already unmapped.
        #[cfg(target_os = "linux")]
        watched: Option<Watched>,
        map: Mmap,
    }

    /// The state of a file that nobody vouches for.
    #[cfg(target_os = "linux")]
    #[derive(Debug)]
    struct Watched {
        slot: super::guard::Claim,
        file: File,
        /// The length of the file before it was mapped.
        len: u64,
        stamp: Stamp,
    }

    impl Map {
        /// `None` if the system cannot map the file.
        pub(crate) fn trusted(file: &File, _: Trust) -> Option<Self> {
            // SAFETY: `Trust` can only be made by a caller who promised that nobody truncates or writes the file.
            let map = unsafe { Mmap::map(file) }.ok()?;
            Some(Self {
                #[cfg(target_os = "linux")]
                watched: None,
                map,
            })
        }

        /// Maps the file and keeps it open, so that [`intact`](Self::intact) can examine it later. `None` if the system cannot
        /// map the file, if every slot of the guard is taken, or if the map leaves no memory for anything else.
        #[cfg(target_os = "linux")]
        pub(crate) fn guarded(file: &File, guard: super::Guard) -> Option<Self> {
            let file = file.try_clone().ok()?;
            // Read before the first byte, so that any later change shows.
            let metadata = file.metadata().ok()?;
            let len = usize::try_from(metadata.len()).ok()?;
            // SAFETY: the guard is installed and `claim` puts the addresses under it before any byte is read, so a
            // truncated file reads as zeros instead of killing the process. A file that another program *writes* while
            // it is scanned can still change under the `&[u8]`: every parser reads each count once and checks what it
            // read, so the worst outcome is a wrong row for a file that was being replaced, and `intact` tells.
            let map = unsafe { MmapOptions::new().len(len).map(&file) }.ok()?;
            crate::bytes::room("file", 0).ok()?;
            let slot = guard.claim(&map)?;
            let watched = Watched { slot, file, len: metadata.len(), stamp: Stamp::of(&metadata) };
            Some(Self { watched: Some(watched), map })
        }

        pub(crate) fn as_slice(&self) -> &[u8] {
            &self.map
        }

        /// Whether the file is still the one that was mapped. A trusted map relies on its caller.
        pub(crate) fn intact(&self) -> std::io::Result<()> {
            #[cfg(target_os = "linux")]
            if let Some(watched) = &self.watched {
                return watched.intact();
            }
            Ok(())
        }
    }

    #[cfg(target_os = "linux")]
    impl Watched {
        /// A missing whole page faults, which is recorded. The zeros that the kernel puts after the end within the last page do
        /// not fault, so the length is compared too.
        fn intact(&self) -> std::io::Result<()> {
            use std::io::{Error, ErrorKind};
            let now = self.file.metadata()?;
            if self.slot.was_hit() || now.len() < self.len {
                return Err(Error::new(ErrorKind::UnexpectedEof, "truncated while mapped"));
            }
            if Stamp::of(&now) != self.stamp {
                return Err(Error::new(ErrorKind::InvalidData, "written to while mapped"));
            }
            Ok(())
        }
    }
}

#[cfg(target_os = "linux")]
pub(crate) use guard::Guard;

#[cfg(target_os = "linux")]
mod guard {
    use crate::bytes::slots::{self, Table};
    use std::ffi::{c_int, c_void};
    use std::mem::{MaybeUninit, transmute};
    use std::ptr;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Maps under guard at the same time; beyond that, files are read instead. Each keeps its file open, so this stays well below
    /// the usual limit of 1,024 open files per process.
    const SLOTS: usize = 512;

    static TABLE: Table<SLOTS> = Table::new();
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

        /// Puts a map under the guard; `None` if every slot is taken.
        pub(crate) fn claim(self, map: &[u8]) -> Option<Claim> {
            let start = map.as_ptr().addr();
            TABLE.claim(start..start.saturating_add(map.len()))
        }
    }

    /// A map that stays under the guard until this is dropped.
    pub(crate) type Claim = slots::Claim<'static>;

    /// A handler that is told what happened: with SA_SIGINFO.
    type Handler = extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);

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
        let handler: Handler = on_sigbus;
        action.sa_sigaction = handler as libc::sighandler_t;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        // SAFETY: `sa_mask` is ours to initialise; the handler has the signature that SA_SIGINFO asks for and does only
        // what a signal handler may (below).
        unsafe {
            libc::sigemptyset(&raw mut action.sa_mask);
            libc::sigaction(libc::SIGBUS, &raw const action, ptr::null_mut()) == 0
        }
    }

    /// Backs the missing pages of one of our maps with zeros and returns to the read that faulted. Passes every other SIGBUS to
    /// the previous handler. Uses only atomics, `errno`, and system calls.
    extern "C" fn on_sigbus(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
        // SAFETY: with SA_SIGINFO the kernel passes a valid `siginfo_t`; for a fault, `si_addr` is its active field, and for
        // a signal that was sent, other numbers lie in its place, which nobody looks up.
        let (code, address) = unsafe { ((*info).si_code, (*info).si_addr().addr()) };
        // SAFETY: `__errno_location` returns the thread's own `errno`, valid as long as the thread runs.
        let errno = unsafe { *libc::__errno_location() };
        if code == libc::BUS_ADRERR
            && let Some((slot, end)) = TABLE.find(address)
        {
            let page = PAGE.load(Ordering::Relaxed);
            let from = address & !(page - 1);
            let len = end.saturating_sub(from).next_multiple_of(page);
            // The mark comes first: another thread may read the new pages as soon as they exist.
            slot.mark_hit();
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
                // SAFETY: as above; the interrupted code must not see our calls' `errno`.
                unsafe { *libc::__errno_location() = errno };
                return;
            }
        }
        let Some(Previous(previous)) = PREVIOUS.get() else { return };
        // Sent by a process, or by the kernel about memory that nobody is reading.
        if code <= 0 || code == libc::BUS_MCEERR_AO {
            pass_on(previous, signal, info, context);
            // SAFETY: as above; neither must it see that of the previous handler.
            unsafe { *libc::__errno_location() = errno };
            return;
        }
        // Not ours: restore the previous handler. The read faults again and reaches it.
        restore(previous);
    }

    fn restore(previous: &libc::sigaction) {
        // SAFETY: `previous` was filled by `sigaction` itself.
        unsafe { libc::sigaction(libc::SIGBUS, &raw const *previous, ptr::null_mut()) };
    }

    /// Does what would have been done about a signal without us. Nothing faults again, so a handler that is only restored would
    /// never learn of it.
    fn pass_on(previous: &libc::sigaction, signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
        let address = ptr::with_exposed_provenance::<c_void>(previous.sa_sigaction);
        match previous.sa_sigaction {
            libc::SIG_IGN => return,
            libc::SIG_DFL => restore(previous),
            _ if previous.sa_flags & libc::SA_SIGINFO != 0 => {
                // SAFETY: it is not one of the two numbers above, so it is the address of the function that was installed,
                // and who sets this flag installs one of this type.
                let handler = unsafe { transmute::<*const c_void, Handler>(address) };
                handler(signal, info, context);
            }
            _ => {
                // SAFETY: as above; without the flag the function takes the number alone.
                let handler = unsafe { transmute::<*const c_void, extern "C" fn(c_int)>(address) };
                handler(signal);
            }
        }
        // That of Rust's library restores the default and expects another fault. The signal stays blocked until we return.
        if super::present(signal).sa_sigaction == libc::SIG_DFL {
            // SAFETY: `raise` takes an integer, and a signal handler may call it.
            unsafe { libc::raise(signal) };
        }
    }

    #[cfg(test)]
    mod tests {
        use crate::bytes::{Backing, BackingPool, Mapping, Mode, Opener};
        use crate::error::Result;
        use crate::limits::Limits;
        use std::ffi::{c_int, c_void};
        use std::fs::{self, File};
        use std::io::Write;
        use std::os::unix::process::ExitStatusExt;
        use std::path::Path;
        use std::process::Command;
        use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
        use std::time::{Duration, SystemTime};

        /// Maps a file of 64 KiB under the guard, and lets `then` change it.
        fn after(name: &str, then: impl FnOnce(&Path, &Backing<'_>)) -> Result<()> {
            let path = std::env::temp_dir().join(format!("navmap-guard-{name}-{}", std::process::id()));
            fs::write(&path, vec![7; 64 << 10]).unwrap();
            // A write within the same clock tick would not show in the modification time.
            let past = SystemTime::now() - Duration::from_secs(10);
            File::options().write(true).open(&path).unwrap().set_modified(past).unwrap();
            let opener = Opener { mode: Mode::Always, mapping: Mapping::guarded() };
            let mut pool = BackingPool::new(opener, Limits::default());
            let backing = pool.open(&path).unwrap();
            assert!(backing.is_mapped() && backing.intact().is_ok());
            then(&path, &backing);
            let intact = backing.intact();
            drop(backing);
            assert!(pool.open(&path).unwrap().intact().is_ok(), "the next map of the file is a new one");
            fs::remove_file(&path).unwrap();
            intact
        }

        fn write(path: &Path) -> File {
            File::options().write(true).open(path).unwrap()
        }

        #[test]
        fn a_truncated_map_reads_as_zeros_and_says_so() {
            let cut = after("pages", |path, bytes| {
                write(path).set_len(10_000).unwrap();
                assert_eq!((bytes[9_999], bytes[20_000], bytes[65_535]), (7, 0, 0));
            });
            assert_eq!(cut.unwrap_err().to_string(), "truncated while mapped");
            let cut_and_grown = after("grown-again", |path, bytes| {
                write(path).set_len(10_000).unwrap();
                assert_eq!(bytes[20_000], 0);
                write(path).set_len(64 << 10).unwrap();
            });
            assert_eq!(cut_and_grown.unwrap_err().to_string(), "truncated while mapped");
        }

        #[test]
        fn a_map_that_lost_bytes_within_its_last_page_says_so() {
            for lost in [1, 100, 4_095, 4_096] {
                let cut = after("bytes", |path, _| write(path).set_len((64 << 10) - lost).unwrap());
                assert_eq!(cut.unwrap_err().to_string(), "truncated while mapped", "{lost} bytes");
            }
        }

        #[test]
        fn a_map_of_a_file_that_was_written_to_says_so_and_one_that_was_replaced_does_not() {
            let written = after("written", |path, _| write(path).write_all(b"other").unwrap());
            assert_eq!(written.unwrap_err().to_string(), "written to while mapped");
            let longer = after("longer", |path, _| write(path).set_len(65 << 10).unwrap());
            assert_eq!(longer.unwrap_err().to_string(), "written to while mapped");
            let replaced = after("replaced", |path, bytes| {
                let other = path.with_extension("other");
                fs::write(&other, b"short").unwrap();
                fs::rename(other, path).unwrap();
                assert_eq!(bytes[65_535], 7);
            });
            assert!(replaced.is_ok());
        }

        static CALLS: AtomicUsize = AtomicUsize::new(0);

        extern "C" fn plain(signal: c_int) {
            CALLS.fetch_add(usize::from(signal == libc::SIGBUS), Relaxed);
        }

        extern "C" fn informed(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
            // SAFETY: it is installed with SA_SIGINFO, so the kernel made the structure, and the guard hands it on.
            let sent = unsafe { (*info).si_code } <= 0;
            CALLS.fetch_add(usize::from(signal == libc::SIGBUS && sent && !context.is_null()), Relaxed);
        }

        /// Has SIGBUS handled in one of these ways, then by the guard, and sends it twice.
        fn sent(way: &str) {
            let (handler, flags) = match way {
                "plain" => (plain as extern "C" fn(c_int) as libc::sighandler_t, 0),
                "informed" => (informed as super::Handler as libc::sighandler_t, libc::SA_SIGINFO),
                "ignored" => (libc::SIG_IGN, 0),
                _ => (libc::SIG_DFL, 0),
            };
            // The library of Rust has installed one of its own.
            if way != "rust" {
                // SAFETY: all zeros are a valid value of a C struct, and the functions have the types that the flags tell.
                unsafe {
                    let mut action: libc::sigaction = std::mem::zeroed();
                    (action.sa_sigaction, action.sa_flags) = (handler, flags);
                    assert_eq!(libc::sigaction(libc::SIGBUS, &raw const action, std::ptr::null_mut()), 0);
                }
            }
            super::Guard::install().unwrap();
            for _ in 0..2 {
                // SAFETY: `raise` takes an integer.
                let raised = unsafe { libc::raise(libc::SIGBUS) };
                assert_eq!(raised, 0);
            }
            assert_eq!(CALLS.load(Relaxed), if way == "ignored" { 0 } else { 2 });
            let cut = after("sent", |path, bytes| {
                write(path).set_len(10_000).unwrap();
                assert_eq!(bytes[20_000], 0, "the guard is still there");
            });
            assert_eq!(cut.unwrap_err().to_string(), "truncated while mapped");
        }

        /// A handler is that of a whole process, and the guard is installed once in it, so each way is a process of its own.
        #[test]
        fn a_signal_that_was_sent_does_what_it_would_without_the_guard() {
            const WAY: &str = "NAVMAP_TEST_SENT_SIGBUS";
            if let Ok(way) = std::env::var(WAY) {
                return sent(&way);
            }
            let name = "a_signal_that_was_sent_does_what_it_would_without_the_guard";
            let module = module_path!().split_once("::").unwrap().1;
            let bus = Some(libc::SIGBUS);
            for (way, ends) in
                [("plain", None), ("informed", None), ("ignored", None), ("default", bus), ("rust", bus)]
            {
                let mut again = Command::new(std::env::current_exe().unwrap());
                again.args(["--exact", &format!("{module}::{name}")]).env(WAY, way);
                let done = again.output().unwrap();
                let said = String::from_utf8_lossy(&done.stdout);
                assert_eq!(done.status.signal(), ends, "{way}: {said}");
                assert!(
                    ends.is_some() || (done.status.success() && said.contains("1 passed")),
                    "{way}: {said}"
                );
            }
        }
    }
}

#[cfg(all(test, unix, not(miri)))]
mod tests {
    use super::is_signal_ignored;

    #[test]
    fn a_signal_that_was_ignored_from_the_start_is_told() {
        // Every program in Rust begins so.
        assert!(is_signal_ignored(libc::SIGPIPE));
        assert!(![libc::SIGUSR2, libc::SIGKILL, 0, -1, 9_999].into_iter().any(is_signal_ignored));
    }
}
