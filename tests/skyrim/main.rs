//! The Skyrim family against real plugins, generated ones and damaged ones.
#![cfg(all(feature = "skyrim", feature = "edit"))]

mod agree;
mod edit;
mod encoder;
mod esplugin;
mod exhaust;
mod findings;
mod fix;
mod generated;
mod hostile;
mod ids;
mod large;
mod map;
mod model;
mod objects;
mod order;
mod owners;
mod pathgrid;
mod pathgridexhaust;
mod precut;
mod real;
mod write;

use navmap::bytes::Scratch;
use navmap::format::skyrim::{NavMesh, Plugin};
use navmap::{Counts, Finding, Limits, NavFile, Result};

#[global_allocator]
static ALLOC: navmap_testkit::alloc::Counting = navmap_testkit::alloc::Counting;

/// Surveys a plugin or, by its name, a payload.
fn survey(name: &str, bytes: &[u8]) -> (Result<()>, Counts, Vec<Finding>) {
    let (mut counts, mut found) = (Counts::default(), Vec::new());
    let scratch = &mut Scratch::new();
    let read = if name.ends_with(".nvnm") {
        NavMesh::parse(bytes).and_then(|mesh| mesh.survey(scratch, &mut counts, &mut |f| found.push(f)))
    } else {
        Plugin::parse(bytes, &Limits::default())
            .and_then(|plugin| plugin.survey(scratch, &mut counts, &mut |f| found.push(f)))
    };
    (read, counts, found)
}

/// Every finding of a plugin or, by its name, a payload.
fn check(name: &str, bytes: &[u8]) -> Vec<Finding> {
    let mut found = Vec::new();
    let scratch = &mut Scratch::new();
    let read = if name.ends_with(".nvnm") {
        NavMesh::parse(bytes).unwrap().check(scratch, &mut |f| found.push(f))
    } else {
        plugin(bytes).check(scratch, &mut |f| found.push(f))
    };
    read.unwrap();
    found
}

fn plugin(bytes: &[u8]) -> Plugin<'_> {
    Plugin::parse(bytes, &Limits::default()).unwrap()
}
