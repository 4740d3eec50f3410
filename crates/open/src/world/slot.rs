//! Holds the current world, which can be swapped under load.

use super::{Policy, Refused, World};
use arc_swap::{ArcSwap, Cache};
use navmap_core::threads::locked;
use std::fmt;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

type Loader = dyn Fn() -> Result<World, Refused> + Send + Sync;

/// Holds the current world. Readers take it without waiting, even while it is swapped. An old world lives exactly as long as the
/// last reader that holds it.
///
/// Why nobody waits and nobody reads freed memory: a world never changes once it is in the slot, so readers share it without a
/// lock. Threads race only for the pointer to it, which `arc_swap` guards: a reader records the pointer as a debt before it uses
/// it and checks it again; a writer replaces the pointer and then pays all debts on the old one by raising its count, so that the
/// count is never zero while somebody reads. Writers wait for each other at the mutex of the loader, never for readers. A test
/// lets readers check every answer while worlds are swapped every few milliseconds.
///
/// Take it once per tick, not once per query: [`load`](Self::load) takes a few nanoseconds, [`reader`](Self::reader) almost none.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
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
    /// The latest generation. Locked while a world is loaded, so that the later one wins.
    loading: Mutex<u64>,
    failures: AtomicU64,
    /// Apart from the generation, so that nobody who asks waits for a load.
    last: Mutex<Option<String>>,
}

/// The current world, lent for a few queries.
#[derive(Debug)]
pub struct Guard(arc_swap::Guard<Arc<World>>);

impl Deref for Guard {
    type Target = World;

    fn deref(&self) -> &World {
        &self.0
    }
}

/// The current world, cached for one thread and renewed only after a swap.
#[derive(Debug)]
pub struct Reader(Cache<Arc<ArcSwap<World>>, Arc<World>>);

impl Reader {
    /// The current world.
    pub fn world(&mut self) -> &Arc<World> {
        self.0.load()
    }
}

impl Slot {
    /// A slot for one file, which is read now and at every [`reload`](Self::reload).
    ///
    /// # Errors
    /// Those of [`World::open`].
    pub fn open(path: impl Into<PathBuf>, policy: Policy) -> Result<Self, Refused> {
        let path = path.into();
        Self::with(move || World::open(&path, &policy))
    }

    /// A slot for the worlds of any `loader`: a tile set, a load order, a download. A loader that reloads, changes or swaps its own
    /// slot waits for itself forever; it may ask the slot anything.
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
            loading: Mutex::new(1),
            failures: AtomicU64::new(0),
            last: Mutex::new(None),
        })
    }

    /// The current world, for a tick or longer.
    pub fn load(&self) -> Arc<World> {
        self.current.load_full()
    }

    /// The current world for a few queries. Cheaper than [`load`](Self::load), unless one thread holds many guards at once.
    pub fn guard(&self) -> Guard {
        Guard(self.current.load())
    }

    /// A reader for a thread that queries repeatedly.
    pub fn reader(&self) -> Reader {
        Reader(Cache::new(Arc::clone(&self.current)))
    }

    /// Loads the world again and swaps it in. Readers keep the old one until they take the world again. Returns the new
    /// generation. Loads run one after the other.
    ///
    /// # Errors
    /// If the world cannot be loaded, or the policy refuses it. The old world then stays, and the failure is counted and
    /// [kept](Self::last_failure).
    pub fn reload(&self) -> Result<u64, Refused> {
        let mut generation = locked(&self.loading);
        let made = (self.loader)();
        self.take(&mut generation, made)
    }

    /// Makes a world out of the current one and swaps it in: with a tile that joins, without one that leaves. Changes and loads
    /// run one after the other, so none is lost. Returns the new generation. The next [`reload`](Self::reload) knows
    /// nothing of it, unless the loader does. Like a loader, `make` must not reload, change or swap the same slot.
    ///
    /// # Errors
    /// Those of `make`. The old world then stays, as after a failed reload.
    pub fn change(&self, make: impl FnOnce(&World) -> Result<World, Refused>) -> Result<u64, Refused> {
        let mut generation = locked(&self.loading);
        let current = self.load();
        let made = make(current.as_ref());
        self.take(&mut generation, made)
    }

    /// Swaps in a world that was made elsewhere. Returns its generation.
    pub fn swap(&self, world: World) -> u64 {
        self.put(&mut locked(&self.loading), world)
    }

    fn take(&self, generation: &mut u64, made: Result<World, Refused>) -> Result<u64, Refused> {
        match made {
            Ok(world) => Ok(self.put(generation, world)),
            Err(refused) => {
                self.failures.fetch_add(1, Ordering::Relaxed);
                *locked(&self.last) = Some(refused.to_string());
                Err(refused)
            }
        }
    }

    fn put(&self, generation: &mut u64, mut world: World) -> u64 {
        *generation += 1;
        world.generation = *generation;
        self.current.store(Arc::new(world));
        *locked(&self.last) = None;
        *generation
    }

    /// How many reloads failed.
    pub fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed)
    }

    /// The reason why the latest reload failed; `None` if it succeeded. Never waits for a reload.
    pub fn last_failure(&self) -> Option<String> {
        locked(&self.last).clone()
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
