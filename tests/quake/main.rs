//! NAV2, NAV3 and navjson.
#![cfg(feature = "quake")]

#[path = "../common/corpus.rs"]
mod common;
#[cfg(feature = "write")]
mod convert;
mod corpus;
#[cfg(feature = "serde")]
mod dump;
mod exhaust;
mod hostile;
#[cfg(feature = "navjson")]
mod navjson;
mod real;
mod regress;

#[global_allocator]
static ALLOC: navmap_testkit::alloc::Counting = navmap_testkit::alloc::Counting;
