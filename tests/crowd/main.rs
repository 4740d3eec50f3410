//! Crowds: nobody leaves the mesh, nobody is stuck, nothing is allocated, and the same run gives the same result.
#![cfg(all(feature = "crowd", feature = "source", feature = "detour"))]

mod detour;
mod goals;
mod legs;
mod moved;
mod narrow;
mod pace;
mod rules;
mod scenes;

#[global_allocator]
static ALLOC: navmap_testkit::alloc::Counting = navmap_testkit::alloc::Counting;
