//! Queries against slow and simple answers: brute force, Dijkstra, and the engine's rules written down a second time.

mod brute;
mod corners;
#[cfg(feature = "source")]
mod engine;
mod families;
mod follow;
mod hostile;
mod naive;
mod sets;
#[cfg(feature = "source")]
mod source;
mod spots;
mod swap;
#[cfg(feature = "source")]
mod tactics;
#[cfg(feature = "archive")]
mod tiles;

#[global_allocator]
static ALLOC: navmap_testkit::alloc::Counting = navmap_testkit::alloc::Counting;
