//! What ends a run from outside: Ctrl-C, a request to end, a terminal that goes away.
//!
//! A run over many files stops after the files at hand, and every row that is printed is whole; a second signal ends it at
//! once. Everything else ends at once. Either way no temporary file is left, and the exit status is that of the signal:
//! 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP.

#![forbid(unsafe_code)]

use crate::bytes::remove_temporaries;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};

/// What a run over many files is told to stop by.
static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// The first signal that came; 0 as long as there was none.
static CAUGHT: AtomicI32 = AtomicI32::new(0);

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
    let first = CAUGHT.swap(signal, SeqCst) == 0;
    match STOP.get() {
        Some(stop) if first => stop.store(true, SeqCst),
        _ => {
            remove_temporaries();
            std::process::exit(signal.saturating_add(128));
        }
    }
}

/// Watches for signals until the process ends. One that the process was started to ignore (`nohup`, a job in the
/// background of a script) stays ignored.
#[cfg(unix)]
pub(super) fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let ignored = ignored();
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    // Without a handler the signal does what it does by default, which ends the process as well.
    if let Ok(mut signals) = signal_hook::iterator::Signals::new(wanted) {
        std::thread::spawn(move || signals.forever().for_each(caught));
    }
}

/// The signals that are ignored, as bits from signal 1 on. None where the system does not say.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(not(unix))]
pub(super) fn watch() {
    const CTRL_C: i32 = 2;
    let _ = ctrlc::set_handler(|| caught(CTRL_C));
}
