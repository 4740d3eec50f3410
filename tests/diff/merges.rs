//! Merges against a model: random scripts on parts of a mesh that do not touch are as both one after the other, and random
//! changes to one item conflict.
//!
//! Every eighth mesh; `NAVMAP_FORMS=all` takes every one.

use super::quake::{self, content};
use super::scripts::{Version, meshes, random, run};
use navmap::diff::{Diff, pairs};
use navmap::edit::Merge;
use navmap::format::source::{AreaBuf, SourceBuf};
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::bundled;
use std::collections::{BTreeMap, BTreeSet};

fn every() -> usize {
    if std::env::var_os("NAVMAP_FORMS").is_some() { 1 } else { 8 }
}

fn merged(base: &Version, ours: &SourceBuf, theirs: &SourceBuf) -> (Merge, SourceBuf) {
    let [ours, theirs] = [ours, theirs].map(|mesh| Version::parse(&mesh.encode().unwrap()).unwrap());
    let matched = [&ours, &theirs].map(|side| Diff::between(&base.1, &side.1).pairs);
    let merge =
        navmap::format::source::edit::merge(&base.0, [&ours.0, &theirs.0], [&matched[0], &matched[1]])
            .unwrap();
    (merge, ours.0)
}

/// What a mesh says whatever the ids of its areas: each area, with the shapes of those that it leads to.
fn told(mesh: &SourceBuf) -> Vec<String> {
    let shapes: BTreeMap<u32, String> =
        mesh.areas.iter().map(|area| (area.id.get(), format!("{:?}", area.shape))).collect();
    let place =
        |area: &AreaBuf| usize::from(area.place).checked_sub(1).and_then(|at| mesh.head.places.get(at));
    let one = |area: &AreaBuf| {
        let mut links: Vec<_> =
            area.all_connections().map(|(side, to)| (side.name(), shapes.get(&to.get()))).collect();
        links.sort();
        links.dedup();
        let (up, down) = (&area.ladders_up, &area.ladders_down);
        format!("{:?} {:?} {:?} {links:?} {up:?} {down:?}", area.shape, area.attributes, place(area))
    };
    let mut told: Vec<String> = mesh.areas.iter().map(one).collect();
    told.sort();
    told
}

/// Shows what differs, not all of both.
fn assert_alike(made: &SourceBuf, wanted: &SourceBuf, what: &str) {
    let (made, wanted) = (told(made), told(wanted));
    let lacks = |from: &[String], other: &[String]| -> Vec<String> {
        from.iter().filter(|line| other.binary_search(line).is_err()).cloned().collect()
    };
    let (more, less) = (lacks(&made, &wanted), lacks(&wanted, &made));
    assert!(made == wanted, "{what}\nmade: {more:#?}\nwanted: {less:#?}");
}

/// Two sets of areas that are no neighbours of each other, and of which no third is a neighbour of both.
fn apart(mesh: &SourceBuf) -> [Vec<u32>; 2] {
    let mut near: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for area in &mesh.areas {
        for (_, to) in area.all_connections() {
            near.entry(area.id.get()).or_default().insert(to.get());
            near.entry(to.get()).or_default().insert(area.id.get());
        }
    }
    let left: BTreeSet<u32> =
        mesh.areas.iter().take(mesh.areas.len() / 3).map(|area| area.id.get()).collect();
    let mut reached = left.clone();
    for _ in 0..2 {
        let next: Vec<u32> = reached.iter().filter_map(|id| near.get(id)).flatten().copied().collect();
        reached.extend(next);
    }
    // Ladders know the areas at their ends.
    let climbed: BTreeSet<u32> =
        mesh.ladders.iter().flat_map(|each| each.ladder.areas()).map(|(_, id)| id.get()).collect();
    let free = |id: &u32| !climbed.contains(id);
    let others = mesh.areas.iter().map(|area| area.id.get()).filter(|id| !reached.contains(id));
    [left.into_iter().filter(free).collect(), others.filter(free).collect()]
}

/// Two random scripts on parts of a mesh that do not touch. Returns whether the mesh has such parts.
fn one_round(rng: &mut Rng, name: &str, base: &Version) -> bool {
    let [left, right] = apart(&base.0);
    let mut shapes: Vec<String> = base.0.areas.iter().map(|area| format!("{:?}", area.shape)).collect();
    shapes.sort();
    shapes.dedup();
    // Two areas in one place cannot be told apart without their ids.
    if left.len() < 8 || right.len() < 8 || shapes.len() < base.0.areas.len() {
        return false;
    }
    let [left, right] = [left, right].map(|ids| random(rng, &ids, 25));
    // Made in another place than what the other side makes.
    let right = right.replace("se=", "se=9").replace("nw=", "nw=9").replace("#1000", "#2000");
    let (ours, theirs) = (run(&base.0, &left).0, run(&base.0, &right).0);
    let both = run(&ours, &right).0;
    let (merge, ours) = merged(base, &ours, &theirs);
    assert!(merge.conflicts.is_empty(), "{name}: {:?}\n{left}\n{right}", merge.conflicts);
    let (made, refused) = run(&ours, &merge.changes.to_string());
    assert!(refused.is_empty(), "{name}: {refused:?}\n{left}\n{right}\n{}", merge.changes);
    assert_alike(&made, &both, &format!("{name}\n{left}\n{right}\n{}", merge.changes));
    assert!(made.encode().is_ok(), "{name}");
    true
}

#[test]
fn random_scripts_on_areas_apart_from_each_other_are_as_both() {
    let mut rng = Rng(40);
    let town = std::fs::read(bundled().join("source/town.nav")).unwrap();
    let base = Version::parse(&town).unwrap();
    for _ in 0..8 {
        assert!(one_round(&mut rng, "town", &base));
    }
    // The other bundled meshes have too few areas apart from each other.
    if navmap_testkit::corpus::real().is_none() {
        return;
    }
    let (mut rng, mut tried) = (Rng(40), 0);
    for (name, bytes) in meshes().into_iter().step_by(every()) {
        tried += u32::from(one_round(&mut rng, &name, &Version::parse(&bytes).unwrap()));
    }
    assert!(tried > 1, "{tried}");
}

/// A change to one area: what it is about, and the command.
fn change(rng: &mut Rng, id: u32, area: &AreaBuf) -> (&'static str, String) {
    let number = rng.below(100_000);
    let ([x, y, _], [east, south, low]) = (area.shape.north_west(), area.shape.south_east());
    match rng.below(6) {
        0 => ("gone", format!("nav_delete #{id}")),
        1 if east - x > 8.0 && south > y => ("gone", format!("nav_split #{id} x={}", (x + east) / 2.0)),
        2 => ("attributes", format!("area set #{id} attributes=0x{:x}", number % 256)),
        3 => ("place", format!("area set #{id} \"place=Place {number}\"")),
        4 => ("ne", format!("area set #{id} ne={number}")),
        _ => ("se", format!("area set #{id} se={east},{south},{}", low + (number % 15) as f32 + 1.0)),
    }
}

#[test]
fn random_changes_to_one_area_conflict_and_others_combine() {
    let mut rng = Rng(41);
    let (mut conflicts, mut combined) = (0, 0);
    for (name, bytes) in meshes().into_iter().step_by(every()) {
        let base = Version::parse(&bytes).unwrap();
        if base.0.head.version < 5 {
            continue;
        }
        for _ in 0..20 {
            let area = &base.0.areas[rng.below(base.0.areas.len() as u64) as usize];
            let id = area.id.get();
            let ((of_ours, left), (of_theirs, right)) =
                (change(&mut rng, id, area), change(&mut rng, id, area));
            let [(ours, a), (theirs, b)] = [&left, &right].map(|text| run(&base.0, text));
            if !(a.is_empty() && b.is_empty()) || ours == base.0 || theirs == base.0 || ours == theirs {
                continue;
            }
            let names = format!("{name}: {left} | {right}");
            let (merge, kept) = merged(&base, &ours, &theirs);
            if of_ours == "gone" && of_theirs == "gone" {
                // Deleted or cut, twice: what both did to the area itself is the same.
                continue;
            }
            let gone = of_ours == "gone" || of_theirs == "gone";
            if gone || of_ours == of_theirs {
                conflicts += 1;
                assert!(
                    merge.conflicts.iter().any(|c| c.item.id == u64::from(id)),
                    "{names}: {:?}",
                    merge.conflicts
                );
                let (made, _) = run(&kept, &merge.changes.to_string());
                let find = |mesh: &SourceBuf| mesh.areas.iter().find(|area| area.id.get() == id).cloned();
                let same = |area: &AreaBuf| (area.shape, area.attributes);
                assert_eq!(
                    find(&made).as_ref().map(same),
                    find(&kept).as_ref().map(same),
                    "ours stays: {names}"
                );
            } else {
                combined += 1;
                assert!(merge.conflicts.is_empty(), "{names}: {:?}", merge.conflicts);
                let (made, refused) = run(&kept, &merge.changes.to_string());
                assert!(refused.is_empty(), "{names}: {refused:?}");
                assert_alike(&made, &run(&ours, &right).0, &names);
            }
        }
    }
    assert!(conflicts > 10 && combined > 10, "{conflicts} {combined}");
}

/// Everything that a person does to an area, and to one beside it.
fn deeds(mesh: &SourceBuf, a: &AreaBuf, b: &AreaBuf) -> Vec<String> {
    let far = mesh
        .areas
        .iter()
        .map(|area| area.id)
        .find(|id| ![a.id, b.id].contains(id) && a.all_connections().all(|(_, to)| to != *id));
    let of = |area: &AreaBuf| {
        let (id, [x, y, _], [east, south, low]) = (area.id, area.shape.north_west(), area.shape.south_east());
        vec![
            format!("nav_delete #{id}"),
            format!("nav_split #{id} x={}", (x + east) / 2.0),
            format!("nav_split #{id} y={}", (y + south) / 2.0),
            format!("nav_shift 4 0 0 #{id}"),
            format!("area set #{id} se={},{south},{low}", east + 3.0),
            format!("area set #{id} nw={},{y},{}", x + 2.0, area.shape.north_west()[2]),
            format!("nav_mark_attribute CROUCH #{id}"),
            format!("nav_mark_attribute JUMP #{id}"),
            format!("nav_place_set #{id} --place Here --new"),
            format!("nav_place_set #{id} --place There --new"),
        ]
    };
    let (a_id, b_id) = (a.id, b.id);
    let mut all = of(a);
    all.extend(of(b));
    all.push(format!("nav_merge #{a_id} #{b_id}"));
    all.push(format!("nav_disconnect #{a_id} #{b_id}"));
    all.push(format!("nav_disconnect #{b_id} #{a_id}"));
    all.extend(far.map(|far| format!("area link #{a_id} north #{far}")));
    all.extend(far.map(|far| format!("area link #{far} south #{a_id}")));
    all
}

#[test]
fn what_both_do_to_one_area_or_its_neighbour_is_both_or_a_conflict() {
    let (mut both, mut conflicts) = (0, 0);
    for (name, bytes) in meshes().into_iter().step_by(every()) {
        let base = Version::parse(&bytes).unwrap();
        let find = |id| base.0.areas.iter().find(|area| area.id == id);
        let wide = |area: &AreaBuf| area.shape.extent().iter().all(|side| *side > 20.0);
        // Two areas that can be merged, each wide enough to be cut.
        let beside = base.0.areas.iter().filter(|area| wide(area)).find_map(|area| {
            let mut near = area.all_connections().filter_map(|(_, to)| find(to)).filter(|to| wide(to));
            near.find(|to| run(&base.0, &format!("nav_merge #{} #{}", area.id, to.id)).1.is_empty())
                .map(|to| (area, to))
        });
        let Some((a, b)) = beside else { continue };
        let deeds = deeds(&base.0, a, b);
        let done: Vec<_> = deeds.iter().map(|deed| run(&base.0, deed)).collect();
        for (left, (ours, no)) in deeds.iter().zip(&done) {
            for (right, (theirs, neither)) in deeds.iter().zip(&done) {
                if !(no.is_empty() && neither.is_empty()) || *ours == base.0 || *theirs == base.0 {
                    continue;
                }
                let names = format!("{name}: {left} | {right}");
                let (merge, kept) = merged(&base, ours, theirs);
                let (made, refused) = run(&kept, &merge.changes.to_string());
                assert!(refused.is_empty(), "{names}: {refused:?}\n{}", merge.changes);
                if left == right {
                    assert!(merge.conflicts.is_empty(), "{names}: {:?}", merge.conflicts);
                }
                if !merge.conflicts.is_empty() {
                    conflicts += 1;
                    continue;
                }
                both += 1;
                let wanted = match left == right {
                    true => vec![kept],
                    false => [[left, right], [right, left]]
                        .map(|[one, two]| run(&base.0, &format!("{one}\n{two}")))
                        .into_iter()
                        .filter(|(_, refused)| refused.is_empty())
                        .map(|(mesh, _)| mesh)
                        .collect(),
                };
                let made = told(&made);
                assert!(wanted.iter().any(|wanted| told(wanted) == made), "{names}\n{}", merge.changes);
            }
        }
    }
    assert!(both > 100 && conflicts > 100, "{both} {conflicts}");
}

#[test]
fn a_deletion_and_a_cut_of_one_area_conflict_both_ways_round() {
    let (name, bytes) = meshes().into_iter().next().unwrap();
    let base = Version::parse(&bytes).unwrap();
    let area = base.0.areas.iter().find(|area| area.shape.extent()[0] > 8.0).unwrap();
    let id = area.id.get();
    let x = (area.shape.north_west()[0] + area.shape.south_east()[0]) / 2.0;
    let [gone, cut] =
        [format!("nav_delete #{id}"), format!("nav_split #{id} x={x}")].map(|text| run(&base.0, &text).0);
    for [ours, theirs] in [[&gone, &cut], [&cut, &gone]] {
        let (merge, kept) = merged(&base, ours, theirs);
        assert!(
            merge.conflicts.iter().any(|conflict| conflict.item.id == u64::from(id)),
            "{name}: {:?}",
            merge.conflicts
        );
        let (made, refused) = run(&kept, &merge.changes.to_string());
        assert!(refused.is_empty(), "{refused:?}");
        assert_alike(&made, &kept, "ours stays");
    }
}

fn of_nodes(base: &quake::Version, ours: &quake::Version, theirs: &quake::Version) -> Merge {
    let matched = [ours, theirs].map(|side| pairs(&base.graph, &side.graph));
    navmap::format::quake::edit::merge(&base.mesh, [&ours.mesh, &theirs.mesh], [&matched[0], &matched[1]])
        .unwrap()
}

/// Random commands about Quake nodes with these numbers, which touch no others.
fn nodes(rng: &mut Rng, from: &[u32], commands: usize, far: u32) -> String {
    let mut text = String::new();
    for number in 0..commands {
        let mut node = || from[rng.below(from.len() as u64) as usize];
        let (a, b) = (node(), node());
        text += &match rng.below(8) {
            0 => format!("delete #{a}\n"),
            1 => format!("flag UnderWater #{a}\n"),
            2 => format!("connect #{a} #{b}\n"),
            3 => format!("disconnect #{a} #{b}\n"),
            4 => format!("set Nodes[{a}] Radius={}\n", 16 + rng.below(64)),
            5 => format!("add {},{a},{} Radius=40\n", far + number as u32, rng.below(99)),
            6 => format!("set Nodes[{a}] Flags={}\n", rng.below(512)),
            _ => format!("connect #{a} #{b} --both Type=LongJump \"Traversal=0,0,0 1,2,3 4,5,6\"\n"),
        };
    }
    text
}

#[test]
fn random_scripts_on_quake_nodes_apart_from_each_other_are_as_both() {
    let mut rng = Rng(42);
    let mut tried = 0;
    for (name, base) in quake::graphs().into_iter().step_by(every().min(3)) {
        let count = base.mesh.nodes.len() as u32;
        let near = |node: u32| -> BTreeSet<u32> {
            let record = &base.mesh.nodes[node as usize];
            let range = usize::from(record.first_link())..record.end_link() as usize;
            base.mesh.links[range].iter().map(|link| link.target().into()).collect()
        };
        let left: BTreeSet<u32> = (0..count / 2).collect();
        // A number that a deletion frees would be another node's when the second script runs on what the first made.
        let mut touched = left.clone();
        touched.extend(left.iter().flat_map(|node| near(*node)));
        let right: Vec<u32> =
            (0..count).filter(|node| !touched.contains(node) && near(*node).is_disjoint(&left)).collect();
        if right.len() < 3 || left.len() < 3 {
            continue;
        }
        tried += 1;
        let left: Vec<u32> = left.into_iter().collect();
        let (left, right) = (nodes(&mut rng, &left, 12, 90_000), nodes(&mut rng, &right, 12, 95_000));
        let (ours, theirs) = (base.after(&left).0, base.after(&right).0);
        // In one session, in which every node keeps its number.
        let both = base.after(&format!("{left}{right}")).0;
        let merge = of_nodes(&base, &ours, &theirs);
        assert!(merge.conflicts.is_empty(), "{name}: {:?}\n{left}\n{right}", merge.conflicts);
        let (made, refused) = ours.after(&merge.changes.to_string());
        assert!(refused.is_empty(), "{name}: {refused:?}\n{left}\n{right}\n{}", merge.changes);
        assert_eq!(content(&made.mesh), content(&both.mesh), "{name}\n{left}\n{right}\n{}", merge.changes);
    }
    assert!(tried > 2, "{tried}");
}

#[test]
fn random_changes_to_one_quake_node_conflict() {
    let mut rng = Rng(43);
    for (name, base) in quake::graphs().into_iter().step_by(every().min(3)) {
        for _ in 0..4 {
            let at = rng.below(base.mesh.nodes.len() as u64) as usize;
            let (was, number) = (base.mesh.nodes[at].radius(), 300 + rng.below(300));
            let commands = [
                format!("set #{at} Radius={number}"),
                format!("delete #{at}"),
                format!("set #{at} Flags={}", u64::from(base.mesh.nodes[at].flags()) ^ number),
            ];
            let (a, b) = (rng.below(3) as usize, rng.below(3) as usize);
            let right = if a == 0 && b == 0 {
                format!("set #{at} Radius={}", number + 1)
            } else {
                commands[b].clone()
            };
            let ((ours, no), (theirs, neither)) = (base.after(&commands[a]), base.after(&right));
            if !(no.is_empty() && neither.is_empty()) {
                continue;
            }
            let merge = of_nodes(&base, &ours, &theirs);
            let conflict = (a == 0 && b == 0) || (a == 1) != (b == 1);
            let told = merge.conflicts.iter().any(|conflict| conflict.item.id == at as u64);
            assert_eq!(told, conflict, "{name} {was}: {} | {right}: {:?}", commands[a], merge.conflicts);
        }
    }
}
