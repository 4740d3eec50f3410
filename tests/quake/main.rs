//! NAV2, NAV3 and navjson.
#![cfg(all(feature = "quake", feature = "edit"))]

#[path = "../common/corpus.rs"]
mod common;
mod convert;
mod corpus;
mod dump;
mod exhaust;
mod hostile;
mod navjson;
mod real;
mod regress;

#[global_allocator]
static ALLOC: navmap_testkit::alloc::Counting = navmap_testkit::alloc::Counting;
