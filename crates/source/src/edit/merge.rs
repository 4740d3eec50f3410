//! Three-way merges of changes.

use super::between::{difference, is_stale_after, ladder, not_analyzed};
use super::replaced::replaced;
use crate::buf::SourceBuf;
use navmap_core::edit::{Merge, Name, Side};
use navmap_core::error::Result;
use std::collections::BTreeMap;

/// The values of an area that are its shape.
const SHAPE: [&str; 4] = ["nw", "se", "ne", "sw"];

/// Merges the changes from `base` to `theirs` into `ours`. `to_ours` and `to_theirs` are positions of areas that are the
/// same one, in `base` and in the other mesh. Areas that are no pair, and lie where such areas of `base` lay, are taken
/// for what was made of those by a cut or a merge. Linear, but for sorting.
///
/// # Errors
/// If areas or ladders of `base` share an id.
pub fn merge(
    base: &SourceBuf,
    [ours, theirs]: [&SourceBuf; 2],
    [to_ours, to_theirs]: [&[(u32, u32)]; 2],
) -> Result<Merge> {
    let side = |mesh, pairs| {
        let changes = difference(base, mesh, pairs)?;
        let replaced = replaced(base, mesh, pairs, &changes);
        Ok::<_, navmap_core::Error>(Side { changes, replaced, numbered: false })
    };
    let (mine, wanted) = (side(ours, to_ours)?, side(theirs, to_theirs)?);
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
    let mut merge = Merge::new(mine, wanted, names, taken, &SHAPE);
    let steps = &mut merge.changes.steps;
    let mark = not_analyzed();
    steps.retain(|step| *step != mark);
    // What theirs no longer vouches for counts as not analysed, whichever of its commands are left.
    let lost = base.head.analyzed != 0 && theirs.head.analyzed == 0 && ours.head.analyzed != 0;
    if lost && !steps.iter().any(is_stale_after) {
        steps.push(mark);
    }
    Ok(merge)
}
