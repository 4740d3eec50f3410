//! Meshes of GoldSrc, Source and Source 2.
#![cfg(all(feature = "source", feature = "edit"))]

mod agree;
mod agree2;
mod analyze;
mod bundled;
mod convert;
mod dump;
mod edit;
mod edit2;
mod exhaust;
mod halves;
mod hostile;
mod oddities;
mod real;
mod references;
mod values;
mod walks;
mod write;
mod write2;

#[global_allocator]
static ALLOC: navmap_testkit::alloc::Counting = navmap_testkit::alloc::Counting;
