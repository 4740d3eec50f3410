//! Handles signals that end a run: Ctrl-C, a request to end, a terminal that goes away.
//!
//! A run over many files stops after the files that it is working on, and every row that is printed is whole. A second
//! signal ends it at once. Any other run ends at once. In both cases no temporary file is left, and the exit status is
//! that of the signal: 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP.

use navmap::bytes::remove_temporaries;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};

/// The flag that tells a run over many files to stop.
static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// The first signal that came; 0 if there was none.
static CAUGHT: AtomicI32 = AtomicI32::new(0);

/// Whether Ctrl-C is for the prompt.
static HELD: AtomicBool = AtomicBool::new(false);

/// The number of SIGINT.
const INTERRUPT: i32 = 2;

/// Lets Ctrl-C pass while a prompt runs a command: what is not saved is not lost by it. Other signals still end the run.
pub(super) fn hold(yes: bool) {
    HELD.store(yes, SeqCst);
}

/// Whether Ctrl-C ends what a prompt runs, and not the prompt.
#[cfg(feature = "sql")]
static LENT: AtomicBool = AtomicBool::new(false);

/// Lets Ctrl-C set the flag of [`stop_by`], time after time, while a prompt runs a statement.
#[cfg(feature = "sql")]
pub(super) fn lend(yes: bool) {
    LENT.store(yes, SeqCst);
}

/// Lets the first signal set `stop` instead of ending the process.
pub(super) fn stop_by(stop: &Arc<AtomicBool>) {
    let _ = STOP.set(Arc::clone(stop));
}

/// The exit status of a run that a signal has stopped.
pub(super) fn status() -> Option<u8> {
    match CAUGHT.load(SeqCst) {
        0 => None,
        signal => u8::try_from(signal.saturating_add(128)).ok(),
    }
}

fn caught(signal: i32) {
    if signal == INTERRUPT && HELD.load(SeqCst) {
        return;
    }
    #[cfg(feature = "sql")]
    if let (INTERRUPT, true, Some(stop)) = (signal, LENT.load(SeqCst), STOP.get()) {
        return stop.store(true, SeqCst);
    }
    let first = CAUGHT.swap(signal, SeqCst) == 0;
    match STOP.get() {
        Some(stop) if first => stop.store(true, SeqCst),
        _ => {
            remove_temporaries();
            std::process::exit(signal.saturating_add(128));
        }
    }
}

/// Watches for signals until the process ends. A signal that was ignored when the process started (`nohup`, a
/// background job of a script) stays ignored.
#[cfg(unix)]
pub(super) fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    // A file that may not grow is then an error of its write, and not the end of the process.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    let ignored = ignored();
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    // Without a handler the signal has its default effect, which also ends the process.
    if let Ok(mut signals) = signal_hook::iterator::Signals::new(wanted) {
        let watcher = std::thread::Builder::new().name("signals".to_owned());
        // There is room for a thread: that was asked before.
        let _ = watcher.spawn(move || signals.forever().for_each(caught));
    }
}

/// The signals that are ignored, as bits from signal 1 on; 0 if the system does not tell.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(not(unix))]
pub(super) fn watch() {
    let _ = ctrlc::set_handler(|| caught(INTERRUPT));
}
