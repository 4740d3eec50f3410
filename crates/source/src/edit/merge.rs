//! Brings two lines of change together.

use super::between::{difference, ladder};
use crate::buf::SourceBuf;
use navmap_core::edit::{Merge, Name};
use navmap_core::error::Result;
use std::collections::BTreeMap;

/// Merges the changes from `base` to `theirs` into `ours`. `to_ours` and `to_theirs` are positions of areas that are the
/// same one, in `base` and in the other mesh. Linear, but for sorting.
///
/// # Errors
/// If areas or ladders of `base` share an id.
pub fn merge(
    base: &SourceBuf,
    [ours, theirs]: [&SourceBuf; 2],
    [to_ours, to_theirs]: [&[(u32, u32)]; 2],
) -> Result<Merge> {
    let (mine, wanted) = (difference(base, ours, to_ours)?, difference(base, theirs, to_theirs)?);
    let mut names: BTreeMap<Name, Name> = BTreeMap::new();
    for &(a, b) in to_ours {
        if let (Some(was), Some(is)) = (base.areas.get(a as usize), ours.areas.get(b as usize)) {
            names.insert(Name::new(was.id.get()), Name::new(is.id.get()));
        }
    }
    for (a, b) in super::between::same_ladders(base, ours) {
        if let (Some(was), Some(is)) = (base.ladders.get(a), ours.ladders.get(b)) {
            names.insert(ladder(was.ladder.id().get()), ladder(is.ladder.id().get()));
        }
    }
    let taken = [base, ours].into_iter().flat_map(|mesh| {
        let areas = mesh.areas.iter().map(|area| Name::new(area.id.get()));
        areas.chain(mesh.ladders.iter().map(|each| ladder(each.ladder.id().get())))
    });
    Ok(Merge::of(mine, &wanted, names, taken))
}
