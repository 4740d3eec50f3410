//! Fox Engine `.nav2`: the real corpus, our own generated files, and hostile ones.
#![cfg(all(feature = "fox", feature = "edit"))]

mod agree;
mod build;
mod checks;
mod crowded;
mod dump;
mod edit;
mod exhaust;
mod expected;
mod generated;
mod heights;
mod hostile;
mod parts;
mod real;
mod text;
mod tiles;
mod tileset;
mod views;
mod write;

#[global_allocator]
static ALLOC: navmap_testkit::alloc::Counting = navmap_testkit::alloc::Counting;

use navmap::bytes::Scratch;
use navmap::format::fox::FoxNav;
use navmap::{Counts, Finding, NavFile, Result};

/// Everything that a scan does with one file.
fn survey(bytes: &[u8]) -> (Result<()>, Counts, Vec<Finding>) {
    let (mut counts, mut found) = (Counts::default(), Vec::new());
    let result = FoxNav::parse(bytes)
        .and_then(|nav| nav.survey(&mut Scratch::new(), &mut counts, &mut |finding| found.push(finding)));
    (result, counts, found)
}
