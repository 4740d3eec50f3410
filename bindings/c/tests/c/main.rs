//! The library as C and C++ see it.
#![cfg(target_os = "linux")]

mod abi;
mod built;
mod declared;
mod header;
mod nulls;
mod program;
mod quiet;

#[global_allocator]
static ALLOC: navmap_testkit::alloc::Counting = navmap_testkit::alloc::Counting;
