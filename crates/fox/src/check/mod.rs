//! Checks a file against every statement of `docs/formats/fox.md` that was verified on the game's files.
//!
//! A file whose parts merely have another layout than the game's tools make (other offsets, another order, padding) *deviates*. A
//! file whose parts contradict each other gets a warning or an error. Files of Obj2Nav2 are recognised by their opaque id, and
//! the habits of that tool (section 15.2 of that page) are deviations too.
//!
//! Each code is reported once per group, with the first place and the number of others.

mod graph;
mod islands;
mod layout;
mod mesh;
mod prepared;
mod report;
mod search;
mod weight;
mod world;

use super::view::FoxNav;
use navmap_core::Finding;
use navmap_core::error::Result;
use prepared::{Groups, Prepared};
use report::Report;

/// Checks a file after a complete survey.
pub(super) fn check(nav: FoxNav<'_>, found: &mut dyn FnMut(Finding)) -> Result<()> {
    let mut report = Report::new(nav.is_obj2nav2(), found);
    layout::file(nav, &mut report)?;
    let mut groups = Vec::new();
    for group in nav.groups() {
        groups.push(Prepared::of(group?));
    }
    groups.sort_by_key(|group| group.id());
    let groups = Groups(groups);
    for group in &groups.0 {
        report.within(group.id());
        layout::group(nav, group, &mut report)?;
        mesh::check(group, &groups, &mut report)?;
        world::check(group, &groups, &mut report)?;
        graph::check(group, &groups, &mut report)?;
        weight::check(group, &mut report)?;
        report.flush();
    }
    islands::check(nav, &groups, &mut report)?;
    report.flush();
    search::check(nav, &groups, &mut report)?;
    report.flush();
    Ok(())
}
