//! Queries against slow and simple answers: brute force, Dijkstra, and the engine's rules written down a second time.
#![cfg(feature = "source")]

mod brute;
mod closed;
mod corners;
mod counted;
mod engine;
mod families;
mod follow;
mod hostile;
mod limits;
mod naive;
mod sets;
mod source;
mod spots;
mod swap;
mod tactics;
mod taut;
#[cfg(feature = "archive")]
mod tiles;
#[cfg(feature = "watch")]
mod watch;

#[global_allocator]
static ALLOC: navmap_testkit::alloc::Counting = navmap_testkit::alloc::Counting;
