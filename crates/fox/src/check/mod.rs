//! Compares a file with every statement of `docs/formats/fox.md` that was verified on the game's files.
//!
//! If the parts of a file merely lie elsewhere than the game's tools put them (other offsets, another order, padding),
//! the file *deviates*. If its parts contradict each other, it gets a warning or an error. Files of Obj2Nav2 are known
//! by their opaque id, and the habits of that tool (section 15.2 of that page) are deviations too.
//!
//! Each code gives one finding a group, with the first place and how many more there are.

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

/// Checks a file that a survey has walked to its end.
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
