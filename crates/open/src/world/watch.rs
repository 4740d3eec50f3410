//! Reloads a mesh when its files change.

use super::Refused;
use super::slot::Slot;
use super::stamp::{self, Stamps};
use navmap_core::error::{Error, Result};
use notify::event::{AccessKind, AccessMode, ModifyKind, RenameMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Options for watching files. `with_…` changes the default.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct WatchOptions {
    /// How long sizes and modification times must stay the same before the files are read, since they may still be written.
    pub settle: Duration,
    /// How long to wait after a failed load before one retry. The parser detects a file that was read half written, and the
    /// second try reads it whole. With [`Duration::MAX`] there is none.
    pub retry: Duration,
    /// If set, checks the files at this interval instead of waiting for system events. For network mounts.
    pub poll: Option<Duration>,
}

impl Default for WatchOptions {
    fn default() -> Self {
        Self { settle: Duration::from_millis(250), retry: Duration::from_secs(1), poll: None }
    }
}

impl WatchOptions {
    navmap_core::with! {
        with_settle = settle: Duration;
        with_retry = retry: Duration;
        with_poll = poll: Option<Duration>;
    }
}

/// Reloads a [`Slot`] when its files change, until it is dropped.
///
/// Of a file it watches the folder. A watch on the file itself would see nothing more once another file is renamed over it, which is
/// how files should be replaced.
///
/// With the feature `archive` it also watches a folder, for what [`Stamps`] sees there: meshes and archives that come, go or are
/// written, in it and in the folders below. `archive!member` is the archive.
///
/// What changes after the slot was opened and before the watch is started is seen with the next change only.
#[derive(Debug)]
pub struct Watch {
    thread: Option<JoinHandle<()>>,
    stop: Sender<Message>,
}

enum Message {
    Event(notify::Result<Event>),
    Stop,
}

impl Watch {
    /// Watches the file or folder at `path`, and reloads `slot` when something there was replaced or written. Calls `told` after
    /// every reload, on the watching thread.
    ///
    /// # Errors
    /// If the folder does not exist or cannot be watched, or the system watches no more of them.
    pub fn start(
        slot: Arc<Slot>,
        path: impl AsRef<Path>,
        options: WatchOptions,
        told: impl Fn(Result<u64, Refused>) + Send + 'static,
    ) -> Result<Self> {
        Self::start_many(slot, [path], options, told)
    }

    /// The same for several paths, such as the plugins of a load order. A change of any of them reloads the slot once.
    ///
    /// # Errors
    /// Those of [`start`](Self::start), and if there is no path.
    pub fn start_many<P: AsRef<Path>>(
        slot: Arc<Slot>,
        paths: impl IntoIterator<Item = P>,
        options: WatchOptions,
        told: impl Fn(Result<u64, Refused>) + Send + 'static,
    ) -> Result<Self> {
        let roots = paths.into_iter().map(|path| named(path.as_ref())).collect::<Result<Vec<_>>>()?;
        if roots.is_empty() {
            return Err(Error::invalid("watch", "has no path"));
        }
        let (send, receive) = channel();
        let system = match options.poll {
            Some(_) => None,
            None => Some(system(&roots, send.clone()).map_err(failed)?),
        };
        // Looked at now, before a file can change, and not when the thread first runs.
        let [stamps, loaded] = [(), ()].map(|()| Stamps::new(&roots));
        let mut files = Files { roots, stamps, loaded, system };
        let thread = std::thread::Builder::new().name("navmap watch".to_owned()).spawn(move || {
            watch(&slot, &mut files, options, &receive, &told);
        })?;
        Ok(Self { thread: Some(thread), stop: send })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.stop.send(Message::Stop);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A path as events name it. Its folder is resolved. It itself is not, since it may be a link that is replaced.
fn named(path: &Path) -> Result<PathBuf> {
    let file = stamp::on_disk(path);
    let folder = file.parent().filter(|parent| !parent.as_os_str().is_empty());
    let found = match file.file_name() {
        Some(name) => folder.unwrap_or(Path::new(".")).canonicalize().map(|folder| folder.join(name)),
        // `..`, or the root of the file system.
        None => file.canonicalize(),
    };
    let found = found.map_err(|error| Error::from(error).in_file(path))?;
    if cfg!(not(feature = "archive")) && found.is_dir() {
        return Err(Error::invalid("folder", "needs the feature `archive` to be watched").in_file(path));
    }
    Ok(found)
}

/// Has the system send its events.
fn system(roots: &[PathBuf], events: Sender<Message>) -> notify::Result<RecommendedWatcher> {
    let mut watcher = notify::recommended_watcher(move |event| {
        // Nobody receives any more: the watch is being dropped.
        let _ = events.send(Message::Event(event));
    })?;
    let folders: BTreeSet<&Path> = roots.iter().filter_map(|root| root.parent()).collect();
    for folder in folders {
        watcher.watch(folder, RecursiveMode::NonRecursive)?;
    }
    for root in roots.iter().filter(|root| root.is_dir()) {
        watcher.watch(root, RecursiveMode::Recursive)?;
    }
    Ok(watcher)
}

/// The error of the system's watcher, which names its paths.
#[cold]
fn failed(error: notify::Error) -> Error {
    let kind = match &error.kind {
        notify::ErrorKind::Io(error) => error.kind(),
        _ => io::ErrorKind::Other,
    };
    io::Error::new(kind, error).into()
}

fn watch(
    slot: &Slot,
    files: &mut Files,
    options: WatchOptions,
    events: &Receiver<Message>,
    told: &impl Fn(Result<u64, Refused>),
) {
    while let Some(change) = files.waited(options.poll, events) {
        // A retry after the first failure, in case a file was half written.
        let retry = Some(options.retry).filter(|retry| *retry != Duration::MAX);
        for (attempt, wait) in [Duration::ZERO].into_iter().chain(retry).enumerate() {
            if !wait.is_zero() && stopped(events, wait) || files.settled(options.settle, events) {
                return;
            }
            files.watch_folders();
            let differs = files.loaded.changed();
            if attempt == 0 && change == Change::Perhaps && !differs {
                break;
            }
            let result = slot.reload();
            let failed = result.is_err();
            told(result);
            if !failed {
                break;
            }
        }
    }
}

/// What an event says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    /// A file is new or was written.
    Sure,
    /// Something happened in a folder. What a new folder holds may come without an event of its own.
    Perhaps,
}

/// The files that are watched.
struct Files {
    /// Files and folders, as events name them.
    roots: Vec<PathBuf>,
    /// As they looked last.
    stamps: Stamps,
    /// As they looked before the last load.
    loaded: Stamps,
    /// None if the files are looked at instead.
    system: Option<RecommendedWatcher>,
}

impl Files {
    /// Waits until something happens to the files. `None` if the watch was dropped meanwhile.
    fn waited(&mut self, poll: Option<Duration>, events: &Receiver<Message>) -> Option<Change> {
        loop {
            let change = match poll {
                Some(every) if stopped(events, every) => return None,
                Some(_) => self.stamps.changed().then_some(Change::Sure),
                None => match events.recv() {
                    Err(_) | Ok(Message::Stop) => return None,
                    Ok(Message::Event(event)) => self.told(&event),
                },
            };
            if change.is_some() {
                return change;
            }
        }
    }

    /// What an event says about the files.
    fn told(&self, event: &notify::Result<Event>) -> Option<Change> {
        // If the queue overflowed there are no names.
        let Some(event) = event.as_ref().ok().filter(|event| !event.need_rescan()) else {
            return Some(Change::Perhaps);
        };
        let gone = match event.kind {
            EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(RenameMode::From)) => true,
            EventKind::Create(_) | EventKind::Modify(_) | EventKind::Any => false,
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => false,
            // Our own reading of files and folders is told too.
            _ => return None,
        };
        let mut change = None;
        for path in &event.paths {
            if !self.roots.contains(path) {
                let below = self.roots.iter().any(|root| path.starts_with(root));
                if below && (stamp::is_read(path) || !path.is_file()) {
                    change = Some(Change::Perhaps);
                }
            } else if path.is_dir() {
                change = Some(Change::Perhaps);
            } else if !gone {
                return Some(Change::Sure);
            }
        }
        change
    }

    /// Watches the folders anew: others may have taken their place, and the watch is on those that were there before.
    fn watch_folders(&mut self) {
        let Some(system) = &mut self.system else { return };
        for root in self.roots.iter().filter(|root| root.is_dir()) {
            let _ = system.unwatch(root);
            let _ = system.watch(root, RecursiveMode::Recursive);
        }
    }

    /// Waits until the files look the same for as long as `settle`. `true` if the watch was dropped meanwhile.
    fn settled(&self, settle: Duration, events: &Receiver<Message>) -> bool {
        self.stamps.changed();
        loop {
            if stopped(events, settle) {
                return true;
            }
            if !self.stamps.changed() {
                return false;
            }
        }
    }
}

/// Waits for this time, for ever if the clock does not reach so far. Events meanwhile belong to the change that is waited for. `true`
/// if the watch was dropped, also if there is no time to wait.
fn stopped(events: &Receiver<Message>, wait: Duration) -> bool {
    let end = Instant::now().checked_add(wait);
    loop {
        let left = end.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
        match events.recv_timeout(left) {
            Ok(Message::Event(_)) => {}
            Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return true,
            Err(RecvTimeoutError::Timeout) => return false,
        }
    }
}
