//! `level.ai` files of the X-Ray engine.
#![cfg(feature = "xray")]

mod corpus;
mod exhaust;
mod hostile;

#[global_allocator]
static ALLOC: navmap_testkit::alloc::Counting = navmap_testkit::alloc::Counting;
