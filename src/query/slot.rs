//! The world of the moment, swapped under load.

use super::world::{Policy, Refused, World};
use arc_swap::{ArcSwap, Cache, Guard};
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

type Loader = dyn Fn() -> Result<World, Refused> + Send + Sync;

/// The world of the moment. Readers take it without waiting, whoever swaps it meanwhile; an old world lives exactly as
/// long as the last reader that holds it.
///
/// Take it once a tick, not once a query: [`load`](Self::load) is a few nanoseconds, [`reader`](Self::reader) next to
/// none.
///
/// ```
/// # use navmap::query::{Policy, Slot};
/// let slot = Slot::open("corpus/quake/nav3-v6.nav", Policy::default())?;
/// let world = slot.load(); // this tick's world
/// assert_eq!(world.generation(), 1);
/// slot.reload()?; // from any thread; on failure the old one stays
/// assert_eq!((world.generation(), slot.load().generation()), (1, 2));
/// # Ok::<(), navmap::query::Refused>(())
/// ```
pub struct Slot {
    current: Arc<ArcSwap<World>>,
    loader: Box<Loader>,
    /// Held while a world is loaded, so that the later one wins.
    loading: Mutex<Counts>,
    failures: AtomicU64,
}

#[derive(Debug, Default)]
struct Counts {
    generation: u64,
    last: Option<String>,
}

/// The current world for one thread, which looks again only if it was swapped.
#[derive(Debug)]
pub struct Reader(Cache<Arc<ArcSwap<World>>, Arc<World>>);

impl Reader {
    /// The world of the moment.
    pub fn world(&mut self) -> &Arc<World> {
        self.0.load()
    }
}

impl Slot {
    /// A slot for one file, which is read now and at every [`reload`](Self::reload).
    ///
    /// # Errors
    /// As [`World::open`].
    pub fn open(path: impl Into<PathBuf>, policy: Policy) -> Result<Self, Refused> {
        let path = path.into();
        Self::with(move || World::open(&path, &policy))
    }

    /// A slot for whatever `loader` loads: a tile set, a load order, a download.
    ///
    /// # Errors
    /// Those of the first load.
    pub fn with(
        loader: impl Fn() -> Result<World, Refused> + Send + Sync + 'static,
    ) -> Result<Self, Refused> {
        let mut world = loader()?;
        world.generation = 1;
        Ok(Self {
            current: Arc::new(ArcSwap::from_pointee(world)),
            loader: Box::new(loader),
            loading: Mutex::new(Counts { generation: 1, last: None }),
            failures: AtomicU64::new(0),
        })
    }

    /// The world of the moment, for a tick or longer.
    pub fn load(&self) -> Arc<World> {
        self.current.load_full()
    }

    /// The same for a few queries: cheaper, but many of them at once on one thread are not.
    pub fn guard(&self) -> Guard<Arc<World>> {
        self.current.load()
    }

    /// For a thread that asks again and again.
    pub fn reader(&self) -> Reader {
        Reader(Cache::new(Arc::clone(&self.current)))
    }

    /// Loads the world again and swaps it in; readers go on with the old one until they ask again. Returns the new
    /// generation. Loads one after the other.
    ///
    /// # Errors
    /// If it cannot be loaded or the policy refuses it: the old world stays, the failure is counted and
    /// [kept](Self::last_failure).
    pub fn reload(&self) -> Result<u64, Refused> {
        let mut counts = self.loading.lock().unwrap_or_else(PoisonError::into_inner);
        match (self.loader)() {
            Ok(world) => Ok(self.put(&mut counts, world)),
            Err(refused) => {
                self.failures.fetch_add(1, Ordering::Relaxed);
                counts.last = Some(refused.to_string());
                Err(refused)
            }
        }
    }

    /// Swaps in a world that was made elsewhere. Returns its generation.
    pub fn swap(&self, world: World) -> u64 {
        let mut counts = self.loading.lock().unwrap_or_else(PoisonError::into_inner);
        self.put(&mut counts, world)
    }

    fn put(&self, counts: &mut Counts, mut world: World) -> u64 {
        counts.generation += 1;
        counts.last = None;
        world.generation = counts.generation;
        self.current.store(Arc::new(world));
        counts.generation
    }

    /// How many reloads failed.
    pub fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed)
    }

    /// Why the latest reload failed; `None` after one that did not.
    pub fn last_failure(&self) -> Option<String> {
        self.loading.lock().unwrap_or_else(PoisonError::into_inner).last.clone()
    }
}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slot")
            .field("generation", &self.load().generation())
            .field("failures", &self.failures())
            .finish_non_exhaustive()
    }
}
