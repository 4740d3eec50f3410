//! Handles signals that end a run: Ctrl-C, a termination request, a terminal that is closed.
//!
//! A run over many files stops after the files that it is working on, and every row that is printed is whole. A second
//! signal ends it at once. Any other run ends at once. In both cases no temporary file is left, and the exit status is
//! that of the signal: 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP.

use navmap::bytes::remove_temporaries;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};

/// The flag that makes a run over many files stop.
static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// The first signal received; 0 if there was none.
static CAUGHT: AtomicI32 = AtomicI32::new(0);

/// Whether Ctrl-C belongs to the prompt.
static HELD: AtomicBool = AtomicBool::new(false);

/// Whether Ctrl-C ends the statement that a prompt of SQL runs, by the flag of [`stop_by`], as often as it comes, and not the prompt.
pub(super) static LENT: AtomicBool = AtomicBool::new(false);

/// Whether a run is ended soon after a signal, though it may be in the middle of something that does not look at the flag: a step of
/// SQLite may take long.
pub(super) static SOON: AtomicBool = AtomicBool::new(false);
const SOON_ENOUGH: std::time::Duration = std::time::Duration::from_millis(600);

/// The number of SIGINT.
const INTERRUPT: i32 = 2;

/// Ignores Ctrl-C while a prompt runs a command, so that unsaved changes are not lost. Other signals still end the run.
pub(super) fn hold(yes: bool) {
    HELD.store(yes, SeqCst);
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

fn end(signal: i32) -> ! {
    remove_temporaries();
    std::process::exit(signal.saturating_add(128));
}

fn caught(signal: i32) {
    if signal == INTERRUPT && HELD.load(SeqCst) {
        return;
    }
    // A prompt's statement.
    if let Some(stop) = STOP.get().filter(|_| signal == INTERRUPT && LENT.load(SeqCst)) {
        return stop.store(true, SeqCst);
    }
    let first = CAUGHT.swap(signal, SeqCst) == 0;
    match STOP.get() {
        Some(stop) if first => {
            stop.store(true, SeqCst);
            if SOON.load(SeqCst) {
                let wait = move || {
                    std::thread::sleep(SOON_ENOUGH);
                    end(signal)
                };
                let _ = std::thread::Builder::new().spawn::<_, ()>(wait);
            }
        }
        _ => end(signal),
    }
}

/// Watches for signals until the process ends. A signal that was ignored when the process started (`nohup`, a
/// background job of a script) stays ignored. Returns whether a thread could be started for that.
#[cfg(unix)]
pub(super) fn watch() -> bool {
    use navmap::bytes::is_signal_ignored;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    // Exceeding the file size limit then is an error of the write, and does not end the process.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_signal_ignored(*signal));
    // Without a handler the signal has its default effect, which also ends the process.
    let Ok(mut signals) = signal_hook::iterator::Signals::new(wanted) else { return true };
    let watcher = std::thread::Builder::new().name("signals".to_owned());
    // There is memory for a thread: that was checked before.
    watcher.spawn(move || signals.forever().for_each(caught)).is_ok()
}

#[cfg(not(unix))]
pub(super) fn watch() -> bool {
    let _ = ctrlc::set_handler(|| caught(INTERRUPT));
    true
}
