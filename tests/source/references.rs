//! References are found or missed alike, however ids are spread: held against sets of pairs.

use super::values::findings;
use navmap_testkit::alloc::cost_of;
use navmap_testkit::bytes::Rng;
use navmap_testkit::source::{self as kit, Area, Mesh, Path, Spot};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Areas whose ids `id` makes of their position, connected to each other and to nothing by lot; the first has long lists.
fn mesh(seed: u64, id: fn(u32) -> u32) -> Mesh {
    const AREAS: u64 = 90;
    let mut rng = Rng(seed);
    let mut any = move || id(rng.below(AREAS + 2) as u32);
    let mut areas: Vec<Area> = (0..AREAS as u32)
        .map(|position| {
            let lists = if position == 0 { 120 } else { 3 };
            Area {
                id: id(position),
                se: [1.0, 1.0, 0.0],
                connections: std::array::from_fn(|_| (0..lists).map(|_| any()).collect()),
                spots: vec![Spot { id: any(), ..Spot::default() }],
                visible: (0..9).map(|_| (any(), 1)).collect(),
                ..Area::default()
            }
        })
        .collect();
    for (at, area) in areas.iter_mut().enumerate() {
        let (from, spot) = (any(), any());
        area.paths = vec![Path { from, to: any(), spots: vec![(spot, 0)], ..Path::default() }];
        // Some lead back from the long lists.
        if at % 2 == 0 {
            area.connections[2].push(id(0));
        }
    }
    Mesh { version: 16, subversion: Some(0), areas, ..Mesh::default() }
}

/// How often each code is to be found.
fn expected(mesh: &Mesh) -> BTreeMap<&'static str, usize> {
    let areas = &mesh.areas;
    let ids: HashSet<u32> = areas.iter().map(|area| area.id).collect();
    let sides = |area: &Area| {
        let sides = area.connections.clone().into_iter().zip(0..4);
        sides.flat_map(|(list, side)| list.into_iter().map(move |to| (side, to))).collect::<Vec<_>>()
    };
    let all: HashSet<(u32, usize, u32)> =
        areas.iter().flat_map(|area| sides(area).into_iter().map(|(side, to)| (area.id, side, to))).collect();
    let spots: Vec<u32> = areas.iter().flat_map(|area| area.spots.iter().map(|spot| spot.id)).collect();
    let mut owners: HashMap<u32, usize> = HashMap::new();
    spots.iter().for_each(|id| *owners.entry(*id).or_default() += 1);
    let mut counts = BTreeMap::new();
    let mut add = |code, more: bool| *counts.entry(code).or_insert(0) += usize::from(more);
    let mut seen = HashSet::new();
    for area in areas {
        add("duplicate-area-id", !seen.insert(area.id));
        for (_, to) in sides(area) {
            let (itself, exists) = (to == area.id, ids.contains(&to));
            add("self-connection", itself);
            add("dangling-connection", !itself && !exists);
            add(
                "one-way-connection",
                !itself && exists && !(0..4).any(|side| all.contains(&(to, side, area.id))),
            );
        }
        area.visible.iter().for_each(|(to, _)| add("dangling-visible-area", !ids.contains(to)));
        for path in &area.paths {
            add("dangling-encounter-path", !ids.contains(&path.from));
            add("dangling-encounter-path", !ids.contains(&path.to));
            add("dangling-encounter-spot", path.spots.iter().any(|(spot, _)| !owners.contains_key(spot)));
        }
        area.spots.iter().for_each(|spot| add("duplicate-hiding-spot-id", owners[&spot.id] > 1));
    }
    counts
}

#[test]
fn references_are_told_from_dangling_ones_whatever_the_ids() {
    let spreads: [fn(u32) -> u32; 5] = [
        |n| n + 1,
        |n| n * 3 + 40,
        // Past any table.
        |n| n * 0x0200_0003 + 1,
        |n| if n < 40 { n + 1 } else { u32::MAX - n },
        // Two areas of one id.
        |n| n / 2 + 1,
    ];
    let mut codes = BTreeSet::new();
    for (seed, id) in (1..).zip(spreads) {
        let mesh = mesh(seed, id);
        let expected = expected(&mesh);
        let mut found: BTreeMap<&str, usize> = expected.keys().map(|code| (*code, 0)).collect();
        for finding in findings(&kit::write(&mesh)) {
            if let Some(count) = found.get_mut(finding.code) {
                *count += 1;
            }
        }
        assert_eq!(found, expected, "seed {seed}");
        codes.extend(expected.into_iter().filter(|(_, count)| *count > 0).map(|(code, _)| code));
    }
    assert_eq!(codes.len(), 8, "{codes:?}");
}

#[test]
fn ids_are_claims_that_reserve_nothing() {
    let area = |id| Area { id, se: [1.0, 1.0, 0.0], visible: vec![(u32::MAX - 1, 1)], ..Area::default() };
    let areas = vec![area(u32::MAX), area(1)];
    let bytes = kit::write(&Mesh { version: 16, subversion: Some(0), bsp_size: 1, areas, ..Mesh::default() });
    let (found, cost) = cost_of(|| findings(&bytes));
    assert_eq!(found.iter().filter(|f| f.code == "dangling-visible-area").count(), 2);
    assert!(cost.peak_bytes < 20_000, "{} bytes", cost.peak_bytes);
}
