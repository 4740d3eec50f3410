//! `.graph` files of YaPB and `.pwf` files of POD-Bot.
#![cfg(all(feature = "yapb", feature = "edit"))]

#[path = "../common/corpus.rs"]
mod common;
mod convert;
mod corpus;
mod dump;
mod edit;
mod exhaust;
mod hostile;
mod real;
mod ulz;

#[global_allocator]
static ALLOC: navmap_testkit::alloc::Counting = navmap_testkit::alloc::Counting;
