//! A server that swaps its mesh while threads ask it.
//!
//! `cargo run --example reload -- maps/a.nav maps/b.nav`: the second is taken if all of it can be read, else the first
//! stays. Nothing leaks: bytes and views go together, when the last who asks is done.

use navmap::bytes::Scratch;
use navmap::graph::Partial;
use navmap::open::Mesh;
use navmap::{Counts, NavFile};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{PoisonError, RwLock};
use std::thread;

/// The mesh that is in use.
struct World(RwLock<Mesh>);

impl World {
    /// The mesh as it is now: a handle, which costs as much as counting to two. Whoever holds it is not disturbed by a
    /// reload.
    fn mesh(&self) -> Mesh {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes the mesh at `path`, if every record of it can be read; on an error the one in use stays.
    fn reload(&self, path: &Path) -> navmap::Result<()> {
        let mesh = whole(path)?;
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = mesh;
        Ok(())
    }
}

/// Opens a mesh, and reads all of it once. The file is read into memory: what others do to it later does not matter.
fn whole(path: &Path) -> navmap::Result<Mesh> {
    let mesh = Mesh::open(path)?;
    let mut odd = 0;
    mesh.nav().survey(&mut Scratch::new(), &mut Counts::default(), &mut |_| odd += 1)?;
    if odd > 0 {
        eprintln!("{}: {odd} findings; `navmap check` tells them", path.display());
    }
    Ok(mesh)
}

/// Asks from four threads while the mesh is swapped for each of `others`; how many answers there were.
pub(crate) fn serve(first: &Path, others: &[PathBuf]) -> navmap::Result<usize> {
    let world = World(RwLock::new(whole(first)?));
    let (answers, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| {
                while !stop.load(Relaxed) {
                    let mesh = world.mesh();
                    // Stands for what a server asks: the links, walked in place.
                    let Partial { value: rows, error } = mesh.nav().csr();
                    assert!(error.is_none(), "all of it was read before it was taken");
                    answers.fetch_add(usize::from(!rows.is_empty()), Relaxed);
                }
            });
        }
        for path in others {
            match world.reload(path) {
                Ok(()) => println!("now {}", path.display()),
                Err(error) => println!("kept the mesh in use: {error}"),
            }
            // Whoever was asked before the swap answers from the mesh before it.
            let before = answers.load(Relaxed);
            while answers.load(Relaxed) < before + 4 {
                thread::yield_now();
            }
        }
        stop.store(true, Relaxed);
    });
    println!("{} answers, the last from {}", answers.load(Relaxed), world.mesh().bytes().path().display());
    Ok(answers.into_inner())
}

#[allow(dead_code)] // a test calls `serve` instead
fn main() -> navmap::Result<()> {
    let mut paths = std::env::args_os().skip(1).map(PathBuf::from);
    let first = paths.next().unwrap_or_else(|| "corpus/quake/nav3-v6.nav".into());
    let mut others: Vec<PathBuf> = paths.collect();
    if others.is_empty() {
        others = vec!["README.md".into(), "corpus/quake/nav3-v6.nav".into()];
    }
    serve(&first, &others).map(drop)
}
