//! `.rcw` files of RCBot2.
#![cfg(all(feature = "rcbot", feature = "edit"))]

mod convert;
mod corpus;
mod edit;
mod exhaust;
mod hostile;

#[global_allocator]
static ALLOC: navmap_testkit::alloc::Counting = navmap_testkit::alloc::Counting;
