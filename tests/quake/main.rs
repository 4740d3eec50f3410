//! NAV2, NAV3 and navjson.
#![cfg(feature = "quake")]

mod corpus;
#[cfg(feature = "serde")]
mod dump;
#[cfg(feature = "navjson")]
mod navjson;
mod real;

#[global_allocator]
static ALLOC: navmap_testkit::alloc::Counting = navmap_testkit::alloc::Counting;
