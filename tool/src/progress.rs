//! Shows a person the progress of a long run: a moving line, and a summary. Both go to stderr.

use super::out::say;
use super::{args, signals};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle, WeakProgressBar};
use navmap::open::Files;
use navmap::scan::{Progress, Scan, Totals};
use navmap::text::{Grouped, Size, counted};
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// How long a run lasts before it shows how far it is: a line that is wiped out at once is only a flicker.
const UNSEEN: Duration = Duration::from_millis(200);

/// Watches a run until it is dropped.
pub(super) struct Watch {
    bar: Option<ProgressBar>,
    begun: Instant,
    quiet: bool,
}

impl Watch {
    /// Shows a moving line if stderr is a terminal, and lets Ctrl-C end the run.
    pub(super) fn new(scan: &Scan, run: &args::Run) -> Self {
        let begun = Instant::now();
        signals::stop_by(&scan.stop);
        let bar = (!run.quiet && shown()).then(|| {
            let bar = unseen(ProgressBar::new_spinner());
            bar.set_style(style("{spinner} {msg}"));
            let total = Arc::new(AtomicU64::new(0));
            if run.paths.files_from.is_none() {
                count(&run.paths.paths, Arc::clone(&total), Arc::clone(&scan.stop));
            }
            tick(bar.downgrade(), Arc::downgrade(&scan.progress), total, begun);
            bar
        });
        Self { bar, begun, quiet: run.quiet }
    }

    /// Runs `print` with the moving line hidden, since it may write to the same terminal.
    pub(super) fn while_hidden<T>(&self, terminal: bool, print: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) if terminal => bar.suspend(print),
            _ => print(),
        }
    }

    /// Ends the moving line.
    pub(super) fn end(self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Prints the summary. What was found is told in `words`, if it is not only counted.
    pub(super) fn sum_up(self, totals: &Totals, words: Option<String>) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        if self.quiet {
            return;
        }
        let seconds = self.begun.elapsed().as_secs_f64().max(1e-6);
        let stopped = if totals.stopped { "stopped early: " } else { "" };
        let words = words.unwrap_or_else(|| {
            let findings = counted(totals.findings, "finding", "findings");
            format!("{findings}, {}", counted(totals.errors, "error", "errors"))
        });
        say(format_args!(
            "{stopped}{} in {}, {} in {seconds:.2} s ({}/s), {words}",
            counted(totals.meshes, "mesh", "meshes"),
            counted(totals.files, "file", "files"),
            Size(totals.bytes),
            Size((totals.bytes as f64 / seconds) as u64),
        ));
    }
}

/// Whether progress is visible: on a terminal, if a thread can be started that draws it.
pub(super) fn shown() -> bool {
    // This thread is of a pool only if it is alone.
    io::stderr().is_terminal() && !super::common::quiet() && rayon::current_thread_index().is_none()
}

/// A progress line towards `total`, on a terminal. It disappears when it is dropped.
pub(super) fn line(total: Option<usize>, of_what: &'static str) -> ProgressBar {
    if !shown() {
        return ProgressBar::hidden();
    }
    let bar = unseen(match total {
        Some(total) => {
            ProgressBar::new(total as u64).with_style(style("{bar:20} {pos} of {len} {msg}, {eta} left"))
        }
        None => ProgressBar::new_spinner().with_style(style("{spinner} {msg}: {pos}")),
    });
    bar.enable_steady_tick(Duration::from_millis(100));
    bar.with_message(of_what).with_finish(ProgressFinish::AndClear)
}

/// Runs work, and shows its progress on a terminal: the activity, the amount done, and the total if known.
pub(super) fn watched<T>(state: impl Fn() -> (String, u64, u64) + Sync, work: impl FnOnce() -> T) -> T {
    if !shown() {
        return work();
    }
    let bar = line(None, "");
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut shown = 0;
            while !over.load(Relaxed) {
                let (what, done, total) = state();
                if total != shown {
                    match total {
                        0 => bar.set_style(style("{spinner} {msg}: {pos}")),
                        _ => {
                            // The line may be drawn in between.
                            bar.set_length(total);
                            bar.reset_eta();
                            bar.set_style(style("{bar:20} {pos} of {len} {msg}, {eta} left"));
                        }
                    }
                    shown = total;
                }
                bar.set_message(what);
                bar.set_position(done);
                thread::park_timeout(Duration::from_millis(100));
            }
        });
        let done = work();
        over.store(true, Relaxed);
        watcher.thread().unpark();
        done
    })
}

/// Draws nothing before a run has lasted for a while.
fn unseen(bar: ProgressBar) -> ProgressBar {
    bar.set_draw_target(ProgressDrawTarget::hidden());
    let later = bar.downgrade();
    // Where no thread can be started, it stays unseen.
    let _ = thread::Builder::new().spawn(move || {
        thread::sleep(UNSEEN);
        if let Some(bar) = later.upgrade().filter(|bar| !bar.is_finished()) {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    });
    bar
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Counts the files of the run in advance, for the total. Listing folders is quick, and nothing is opened.
fn count(paths: &[PathBuf], total: Arc<AtomicU64>, stop: Arc<AtomicBool>) {
    let paths = paths.to_vec();
    thread::spawn(move || {
        let files = Files::new(paths).take_while(|_| !stop.load(Relaxed)).count();
        total.store(files as u64, Relaxed);
    });
}

fn tick(bar: WeakProgressBar, progress: Weak<Progress>, total: Arc<AtomicU64>, begun: Instant) {
    thread::spawn(move || {
        while let (Some(bar), Some(now)) = (bar.upgrade(), progress.upgrade()) {
            if bar.is_finished() {
                return;
            }
            let (files, total) = (now.files.load(Relaxed), total.load(Relaxed));
            if total > 0 && bar.length().is_none() {
                bar.set_style(style("{bar:20} {percent}% {msg}, {eta} left"));
                bar.set_length(total);
            }
            bar.set_position(files);
            let bytes = now.bytes.load(Relaxed);
            let rate = bytes as f64 / begun.elapsed().as_secs_f64().max(1e-3);
            let rows = now.rows.load(Relaxed);
            let rows = if rows > 0 { format!("{} rows, ", Grouped(rows)) } else { String::new() };
            bar.set_message(format!(
                "{} files, {} meshes, {rows}{}, {}/s, {} findings, {} errors",
                Grouped(files),
                Grouped(now.meshes.load(Relaxed)),
                Size(bytes),
                Size(rate as u64),
                Grouped(now.findings.load(Relaxed)),
                Grouped(now.errors.load(Relaxed)),
            ));
            bar.tick();
            drop((bar, now));
            thread::sleep(Duration::from_millis(100));
        }
    });
}
