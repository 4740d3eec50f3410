//! Three-way merges. What all families share knows nothing of corners, which areas have in common: what both sides did to these is
//! compared here first.

use super::between::{Source2Version, Told, corner};
use super::values::spelt;
use navmap_core::edit::{Changes, Conflict, Deed, Merge, Name, Step};
use navmap_core::error::Result;
use std::collections::{BTreeMap, BTreeSet};

/// Merges the changes from `base` to theirs into ours.
pub(super) fn merge(
    base: &Source2Version,
    [ours, theirs]: [&Source2Version; 2],
    [to_ours, to_theirs]: [&[(u32, u32)]; 2],
) -> Result<Merge> {
    let [to_ours, to_theirs] = [base.pairs(ours, to_ours), base.pairs(theirs, to_theirs)];
    let (mine, mut wanted) = (base.told(ours, &to_ours)?, base.told(theirs, &to_theirs)?);
    let mut clashes = Vec::new();
    corners_of_both(base, &mine, &mut wanted, &mut clashes);
    corners_without_areas(base, &mine, &mut wanted, &mut clashes);
    let mut names: BTreeMap<Name, Name> = BTreeMap::new();
    // Corners of areas that have another number of them in ours, and those that ours has.
    let (mut torn, mut known): (BTreeSet<u32>, BTreeSet<u32>) = Default::default();
    for (a, b) in to_ours {
        names.extend(base.name(a).zip(ours.name(b)));
        let (was, is) = (base.outlines.of(a), ours.outlines.of(b));
        if was.len() != is.len() {
            torn.extend(was);
            continue;
        }
        known.extend(was);
        names.extend(was.iter().zip(is).map(|(was, is)| (corner(*was), corner(*is))));
    }
    wanted.changes.steps.retain(|step| {
        let lost = corner_of(step).filter(|number| torn.contains(number) && !known.contains(number));
        let what = || "ours has another outline there, theirs moved it".to_owned();
        clashes.extend(lost.map(|number| Conflict { item: corner(number), what: what() }));
        lost.is_none()
    });
    let taken = (0..).map_while(|at| base.name(at)).chain((0..).map_while(|at| ours.name(at)));
    let mut merge = Merge::new(mine.changes.into(), wanted.changes.into(), names, taken, &[]);
    clashes.append(&mut merge.conflicts);
    merge.conflicts = clashes;
    Ok(merge)
}

/// Items that a side deleted.
fn deleted(changes: &Changes) -> BTreeSet<Name> {
    let deletes = changes.steps.iter().filter(|step| step.deed == Deed::Delete);
    deletes.map(|step| step.item).collect()
}

/// A corner that a step puts elsewhere.
fn corner_of(step: &Step) -> Option<u32> {
    u32::try_from(step.item.id).ok().filter(|_| step.item.space == "V")
}

/// Both put a corner somewhere: what ours did stays, and where theirs did the same there is nothing left to do.
fn corners_of_both(base: &Source2Version, mine: &Told, wanted: &mut Told, clashes: &mut Vec<Conflict>) {
    let spelt = |bits: &[u32; 3]| spelt(bits.map(f32::from_bits));
    let mut torn = BTreeMap::new();
    for (number, is) in &wanted.moves {
        let ours = mine.moves.get(number).filter(|ours| *ours != is);
        let was = base.at(*number).map(|at| at.map(f32::to_bits));
        if let Some((ours, was)) = ours.zip(was) {
            torn.entry(was).or_insert((*number, ours, is));
        }
    }
    let at = |step: &Step| base.at(corner_of(step)?).map(|at| at.map(f32::to_bits));
    wanted.changes.steps.retain(|step| at(step).is_none_or(|at| !torn.contains_key(&at)));
    let same = |number: &u32| wanted.moves.get(number).is_some_and(|is| mine.moves.get(number) == Some(is));
    wanted.changes.steps.retain(|step| corner_of(step).is_none_or(|number| !same(&number)));
    for (number, ours, theirs) in torn.into_values() {
        let what = format!("At: {} in ours, {} in theirs", spelt(ours), spelt(theirs));
        clashes.push(Conflict { item: corner(number), what });
    }
}

/// One side put a corner elsewhere, and the other deleted all areas that have it.
fn corners_without_areas(base: &Source2Version, mine: &Told, wanted: &mut Told, clashes: &mut Vec<Conflict>) {
    let alone = |number: u32, gone: &BTreeSet<Name>| {
        let mut around = base.outlines.around(number).iter().filter_map(|area| base.name(*area));
        around.all(|area| gone.contains(&area))
    };
    let gone = deleted(&mine.changes);
    wanted.changes.steps.retain(|step| {
        let lost = corner_of(step).filter(|number| alone(*number, &gone));
        let what = || "ours deleted the areas around it, theirs moved it".to_owned();
        clashes.extend(lost.map(|number| Conflict { item: corner(number), what: what() }));
        lost.is_none()
    });
    let gone = deleted(&wanted.changes);
    let mut kept = BTreeSet::new();
    for number in mine.changes.steps.iter().filter_map(corner_of).filter(|number| alone(*number, &gone)) {
        let what = "ours moved it, theirs deleted the areas around it".to_owned();
        clashes.push(Conflict { item: corner(number), what });
        kept.extend(base.outlines.around(number).iter().filter_map(|area| base.name(*area)));
    }
    wanted.changes.steps.retain(|step| step.deed != Deed::Delete || !kept.contains(&step.item));
}
