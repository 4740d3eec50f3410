//! Meshes of GoldSrc, Source and Source 2.
#![cfg(feature = "source")]

mod agree;
mod agree2;
#[cfg(feature = "edit")]
mod analyze;
mod bundled;
#[cfg(feature = "write")]
mod convert;
mod dump;
#[cfg(feature = "edit")]
mod edit;
mod exhaust;
mod hostile;
mod oddities;
mod real;
mod references;
mod values;
#[cfg(feature = "write")]
mod write;
#[cfg(feature = "write")]
mod write2;

#[global_allocator]
static ALLOC: navmap_testkit::alloc::Counting = navmap_testkit::alloc::Counting;
