//! The hull that somebody asks about, and what a mesh has of it.

use navmap_core::error::{Error, Result};
use navmap_core::format::{AnyGraph, HullName};
use navmap_formats::AnyNav;
use navmap_query::NavIndex;

/// The group of the hull that is asked about, in a mesh that has every floor once for each hull, as Source 2 has: the named one,
/// or the player's. `None` in all other meshes.
///
/// # Errors
/// If a hull is named where hulls have numbers.
pub(crate) fn hull_group(nav: &AnyNav<'_>, hull: Option<HullName>) -> Result<Option<u32>> {
    match (nav.ground_group(), hull) {
        (Some(_), Some(hull)) => {
            let by_number = || Error::invalid("hull", format!("{hull}: the hulls of this mesh have numbers"));
            hull.number().map(Some).ok_or_else(by_number)
        }
        (group, _) => Ok(group),
    }
}

pub(crate) fn none_of(group: u32) -> String {
    format!("there is none of number {group}")
}

/// Refuses a hull that the mesh does not have. `group` is its [group](hull_group), `has_hulls` whether links depend on hulls, which
/// then have been looked up already, and `what` how the hull was asked for.
///
/// # Errors
/// If there is no such hull.
#[doc(hidden)]
pub fn check_hull(
    what: &'static str,
    hull: Option<HullName>,
    group: Option<u32>,
    has_hulls: bool,
    index: &NavIndex,
) -> Result<()> {
    let Some(hull) = hull.filter(|_| !has_hulls) else { return Ok(()) };
    let is_there = |group| index.areas().any(|area| index.group(area) == Some(group));
    match group {
        None => Err(Error::invalid(what, no_hulls(hull))),
        Some(group) if !is_there(group) => Err(Error::invalid(what, none_of(group))),
        Some(_) => Ok(()),
    }
}

/// Why a hull is refused in a mesh without hulls.
#[doc(hidden)]
pub fn no_hulls(hull: HullName) -> String {
    format!("only node graphs and meshes of Source 2 have hulls, this one has no hull {hull}")
}
