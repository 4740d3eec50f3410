//! Which areas were made in the place of which: what a cut and a merge leave behind.

use crate::buf::SourceBuf;
use crate::record::Shape;
use navmap_core::edit::{Changes, Deed, Name, Replaced};
use std::collections::{BTreeMap, HashMap};

/// Side of the cells by which areas find each other, in units.
const CELL: f32 = 256.0;

/// An area over more cells than this is looked for in all of them up to here.
const MOST_CELLS: usize = 256;

/// As many areas of a cell are looked at: more lie in one place in no mesh.
const MOST_IN_CELL: usize = 64;

/// How far apart in height two areas may be that lie on one floor: a merge of two on a slope moves the ground between them.
const NEAR: f32 = 72.0;

/// The areas of `base` that `mesh` lacks and the ones that it has where those lay, joined into sets that overlap. `changes`
/// is the difference, which names the new ones.
pub(super) fn replaced(
    base: &SourceBuf,
    mesh: &SourceBuf,
    pairs: &[(u32, u32)],
    changes: &Changes,
) -> Vec<Replaced> {
    let mut stays = vec![false; base.areas.len()];
    let mut had = vec![false; mesh.areas.len()];
    for &(a, b) in pairs {
        for (of, at) in [(&mut stays, a), (&mut had, b)] {
            if let Some(one) = of.get_mut(at as usize) {
                *one = true;
            }
        }
    }
    let gone = base.areas.iter().zip(&stays).filter(|(_, stays)| !**stays).map(|(area, _)| area);
    let gone: Vec<(Name, &Shape)> = gone.map(|area| (Name::new(area.id.get()), &area.shape)).collect();
    // New areas are named in the order of the mesh.
    let names =
        changes.steps.iter().filter(|step| matches!(step.deed, Deed::Add(_)) && step.item.space.is_empty());
    let new = mesh.areas.iter().zip(&had).filter(|(_, had)| !**had).map(|(area, _)| &area.shape);
    let made: Vec<(Name, &Shape)> = names.map(|step| step.item).zip(new).collect();
    join(&gone, &made)
}

/// Sets of areas of both lists that overlap, over any number of others.
fn join(gone: &[(Name, &Shape)], made: &[(Name, &Shape)]) -> Vec<Replaced> {
    let mut cells: HashMap<[i32; 2], Vec<usize>> = HashMap::new();
    for (at, (_, shape)) in gone.iter().enumerate() {
        cells_of(shape).for_each(|cell| cells.entry(cell).or_default().push(at));
    }
    // The set of each area that is gone, and then of each that was made.
    let mut sets: Vec<usize> = (0..gone.len().saturating_add(made.len())).collect();
    for (at, (_, shape)) in made.iter().enumerate() {
        let at = gone.len().saturating_add(at);
        for other in cells_of(shape)
            .filter_map(|cell| cells.get(&cell))
            .flat_map(|list| list.iter().take(MOST_IN_CELL))
        {
            if gone.get(*other).is_some_and(|(_, was)| overlap(was, shape)) {
                let (a, b) = (root(&mut sets, at), root(&mut sets, *other));
                if let Some(set) = sets.get_mut(a.max(b)) {
                    *set = a.min(b);
                }
            }
        }
    }
    let mut all: BTreeMap<usize, Replaced> = BTreeMap::new();
    let names = gone.iter().chain(made).map(|(name, _)| *name);
    for (at, name) in names.enumerate() {
        let set = all.entry(root(&mut sets, at));
        let set = set.or_insert_with(|| Replaced { gone: Vec::new(), made: Vec::new() });
        if at < gone.len() { set.gone.push(name) } else { set.made.push(name) }
    }
    let both = |set: &Replaced| !set.gone.is_empty() && !set.made.is_empty();
    let mut all: Vec<Replaced> = all.into_values().filter(both).collect();
    all.iter_mut().for_each(|set| set.gone.sort_unstable());
    all
}

/// The first of a set, with the way to it made short.
fn root(sets: &mut [usize], of: usize) -> usize {
    let mut at = of;
    while let Some(up) = sets.get(at).copied().filter(|up| *up != at) {
        let next = sets.get(up).copied().unwrap_or(up);
        if let Some(set) = sets.get_mut(at) {
            *set = next;
        }
        at = next;
    }
    at
}

fn cells_of(shape: &Shape) -> impl Iterator<Item = [i32; 2]> {
    let ([x0, y0, _], [x1, y1, _]) = (shape.north_west(), shape.south_east());
    let cell = |value: f32| (value / CELL).floor() as i32;
    let (columns, rows) = (cell(x0)..=cell(x1), cell(y0)..=cell(y1));
    columns.flat_map(move |x| rows.clone().map(move |y| [x, y])).take(MOST_CELLS)
}

/// Whether two areas lie over each other, seen from above, and at one height there.
fn overlap(a: &Shape, b: &Shape) -> bool {
    let [a0, a1] = [a.north_west(), a.south_east()];
    let [b0, b1] = [b.north_west(), b.south_east()];
    let [x, y] = [0, 1].map(|axis: usize| {
        let of = |point: [f32; 3]| point.get(axis).copied().unwrap_or_default();
        [of(a0).max(of(b0)), of(a1).min(of(b1))]
    });
    let wide = |[low, high]: [f32; 2]| high - low > 0.01;
    let middle = |[low, high]: [f32; 2]| f32::midpoint(low, high);
    let (at, to) = (middle(x), middle(y));
    wide(x) && wide(y) && (a.height_at(at, to) - b.height_at(at, to)).abs() < NEAR
}
