//! Reloads a mesh when its file changes.

use super::Refused;
use super::slot::Slot;
use notify::event::{AccessKind, AccessMode, ModifyKind, RenameMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

/// Options for watching a file.
#[derive(Debug, Clone, Copy)]
pub struct WatchOptions {
    /// How long size and modification time must stay the same before the file is read, since it may still be written.
    pub settle: Duration,
    /// How long to wait after a failed load before one retry. The parser detects a file that was read half written, and the
    /// second try reads it whole.
    pub retry: Duration,
    /// If set, checks the file at this interval instead of waiting for system events. For network mounts.
    pub poll: Option<Duration>,
}

impl Default for WatchOptions {
    fn default() -> Self {
        Self { settle: Duration::from_millis(250), retry: Duration::from_secs(1), poll: None }
    }
}

/// Reloads a [`Slot`] when its file changes, until it is dropped.
///
/// It watches the folder. A watch on the file itself would see nothing more once another file is renamed over it, which is how
/// files should be replaced.
#[derive(Debug)]
pub struct Watch {
    watcher: Option<RecommendedWatcher>,
    thread: Option<JoinHandle<()>>,
    stop: Sender<Message>,
}

enum Message {
    Event(notify::Result<Event>),
    Stop,
}

impl Watch {
    /// Watches the file at `path`, and reloads `slot` when it was replaced or written. Calls `told` after every reload, on the
    /// watching thread.
    ///
    /// # Errors
    /// If the folder cannot be watched.
    pub fn start(
        slot: Arc<Slot>,
        path: impl AsRef<Path>,
        options: WatchOptions,
        told: impl Fn(Result<u64, Refused>) + Send + 'static,
    ) -> notify::Result<Self> {
        let path = path.as_ref();
        // Names in events are those given by the system.
        let folder = match path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            Some(folder) => folder.canonicalize()?,
            None => PathBuf::from(".").canonicalize()?,
        };
        let Some(name) = path.file_name() else { return Err(notify::Error::path_not_found()) };
        let file = folder.join(name);
        let (send, receive) = channel();
        let watcher = match options.poll {
            Some(_) => None,
            None => {
                let events = send.clone();
                let mut watcher = notify::recommended_watcher(move |event| {
                    // Nobody receives any more: the watch is being dropped.
                    let _ = events.send(Message::Event(event));
                })?;
                watcher.watch(&folder, RecursiveMode::NonRecursive)?;
                Some(watcher)
            }
        };
        // Checked now, before the file can change, and not when the thread first runs.
        let mut seen = look(&file);
        let thread = std::thread::Builder::new().name("navmap watch".to_owned()).spawn(move || {
            watch(&slot, &file, &mut seen, options, &receive, &told);
        })?;
        Ok(Self { watcher, thread: Some(thread), stop: send })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.watcher = None;
        let _ = self.stop.send(Message::Stop);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn watch(
    slot: &Slot,
    file: &Path,
    seen: &mut Option<(u64, SystemTime)>,
    options: WatchOptions,
    events: &Receiver<Message>,
    told: &impl Fn(Result<u64, Refused>),
) {
    while waited(file, seen, options.poll, events) {
        // A retry after the first failure, in case the file was half written.
        let waits = [Duration::ZERO, options.retry];
        for (attempt, wait) in waits.into_iter().enumerate() {
            if !wait.is_zero() && stopped(events, wait) || settled(file, options.settle, events) {
                return;
            }
            let result = slot.reload();
            let failed = result.is_err();
            told(result);
            if !failed || attempt + 1 == waits.len() {
                break;
            }
        }
    }
}

/// Size and modification time, which show whether a file still changes.
fn look(file: &Path) -> Option<(u64, SystemTime)> {
    let metadata = std::fs::metadata(file).ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}

/// Waits until something happens to the file. `false` if the watch was dropped meanwhile.
fn waited(
    file: &Path,
    seen: &mut Option<(u64, SystemTime)>,
    poll: Option<Duration>,
    events: &Receiver<Message>,
) -> bool {
    loop {
        match poll {
            Some(every) => {
                if stopped(events, every) {
                    return false;
                }
                let now = look(file);
                if now != *seen {
                    *seen = now;
                    return true;
                }
            }
            None => match events.recv() {
                Err(_) | Ok(Message::Stop) => return false,
                Ok(Message::Event(event)) if concerns(&event, file) => return true,
                Ok(Message::Event(_)) => {}
            },
        }
    }
}

/// Whether an event says that the file is new or was written.
fn concerns(event: &notify::Result<Event>, file: &Path) -> bool {
    // If the queue overflowed there are no names, so check the file.
    let Ok(event) = event else { return true };
    let kind = match event.kind {
        EventKind::Create(_) | EventKind::Any => true,
        EventKind::Modify(ModifyKind::Name(mode)) => !matches!(mode, RenameMode::From),
        EventKind::Modify(ModifyKind::Data(_) | ModifyKind::Any | ModifyKind::Metadata(_)) => true,
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        _ => false,
    };
    event.need_rescan() || kind && event.paths.iter().any(|path| path == file)
}

/// Waits until the file looks the same for as long as `settle`. `true` if the watch was dropped meanwhile.
fn settled(file: &Path, settle: Duration, events: &Receiver<Message>) -> bool {
    let mut before = look(file);
    loop {
        if stopped(events, settle) {
            return true;
        }
        let now = look(file);
        if now == before {
            return false;
        }
        before = now;
    }
}

/// Waits for this time. Events meanwhile belong to the change that is waited for. `true` if the watch was dropped.
fn stopped(events: &Receiver<Message>, wait: Duration) -> bool {
    let end = std::time::Instant::now() + wait;
    loop {
        let left = end.saturating_duration_since(std::time::Instant::now());
        if left.is_zero() {
            return false;
        }
        match events.recv_timeout(left) {
            Ok(Message::Event(_)) => {}
            Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return true,
            Err(RecvTimeoutError::Timeout) => return false,
        }
    }
}
