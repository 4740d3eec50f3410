//! Meshes of many files: tile sets and load orders.

use navmap::format::fox::{FoxGraph, GroupId, Layer, NodeIndex, SegmentWays, SideWays, TileId, TileSet};
use navmap::format::skyrim::{GlobalId, LoadOrder, OrderGraph, OrderMeshes, Plugin};
use navmap::graph::LinkKind;
use navmap::query::{Area, End, LevelScratch, Levels, NavIndex, Outcome, Overlay, PathScratch, Query};
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::real;
use navmap_testkit::skyrim::mesh::{Mesh, Place};
use navmap_testkit::skyrim::plugin::{self as records, Plugin as Made, field, record};
use navmap_testkit::{fox, skyrim};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::path::PathBuf;

fn set(keep: impl Fn(u16) -> bool) -> TileSet<'static> {
    let map = fox::Map { columns: 3, size: [3, 1], holes: 0, ..fox::Map::square(3) };
    let files = (0..3).filter(|column| keep(*column)).flat_map(|column| map.tile(column, 0).files);
    TileSet::from_backings(
        files.map(|(name, bytes)| (PathBuf::from(name), navmap::bytes::Backing::owned(bytes))),
    )
}

fn index(set: &TileSet<'_>) -> NavIndex {
    NavIndex::build(&FoxGraph::of_layer(&set.layers().next().unwrap())).whole().unwrap()
}

/// An area of a tile, by the tile in its id.
fn of_tile(index: &NavIndex, tile: u64, rng: &mut Rng) -> Area {
    let all: Vec<Area> = index.areas().filter(|area| index.id(*area).unwrap() >> 48 == tile).collect();
    all[rng.below(all.len() as u64) as usize]
}

#[test]
fn ways_lead_over_the_borders_of_tiles_and_out_where_one_is_missing() {
    let (whole, torn) = (set(|_| true), set(|column| column != 1));
    let tiles: Vec<u64> = whole.layers().next().unwrap().tiles().map(|tile| tile.id().0.into()).collect();
    assert_eq!(tiles.len(), 3);
    let mut rng = Rng(41);
    let (all, some) = (index(&whole), index(&torn));
    let (mut scratch, mut other) = (PathScratch::new(&all), PathScratch::new(&some));
    let mut across = 0;
    for _ in 0..50 {
        let [a, b] = [0, 2].map(|at| of_tile(&all, tiles[at], &mut rng));
        if scratch.path(&all, a, b, &Query::shortest()).unwrap().cost().is_some() {
            across += 1;
            let borders =
                scratch.steps(&all).filter(|step| step.way.is_some_and(|way| way.kind == LinkKind::Border));
            assert!(borders.count() >= 2);
        }
        let [a, b] = [0, 2].map(|at| of_tile(&some, tiles[at], &mut rng));
        match other.path(&some, a, b, &Query::shortest()).unwrap() {
            Outcome::LeavesLoadedTiles { tile, at } => {
                assert_eq!(tile, Some(tiles[1]), "the tile that is missing");
                assert!(some.reachable(a, at));
                let layer = torn.layers().next().unwrap();
                assert!(layer.tile(TileId(tile.unwrap() as u16)).is_none());
            }
            // A face that nothing leads out of.
            Outcome::NoWay => {}
            other => panic!("{other:?}"),
        }
    }
    assert!(across > 10, "{across}");
    assert!(some.ways_out().count() > 0);
}

#[test]
fn real_tiles_are_one_map() {
    let Some(folder) = real() else { return };
    let set = TileSet::open([folder.join("fox/ssav")]).unwrap();
    let index = index(&set);
    let borders = index.areas().flat_map(|area| index.links(area)).filter(|way| way.kind == LinkKind::Border);
    assert!(borders.count() > 100);
    // A point is found in the tile and the face that the file's own grid finds.
    let layer = set.layers().next().unwrap();
    let mut rng = Rng(42);
    let (mut both, mut asked) = (0, 0);
    for _ in 0..2000 {
        let area = Area::at(rng.below(index.len() as u64) as u32).unwrap();
        let Some(p) = index.center(area).filter(|p| p.is_finite()) else { continue };
        let Some((tile, located)) = layer.locate(p.to_array()).unwrap() else { continue };
        asked += 1;
        let (found, z) = index.ground_at(p, None).unwrap();
        let id = index.id(found).unwrap();
        let same = id >> 48 == u64::from(tile.id().0) && id & 0xFFFF == u64::from(located.face.0);
        // Where faces touch either is right: the heights then agree.
        both += u32::from(same);
        assert!((z - p.y).abs() < 1.0 || !same, "{p:?}: {z}");
    }
    assert!(asked > 1000 && both > asked * 9 / 10, "{both} of {asked}");
}

/// The bundled map, and the real one where there is one.
fn maps() -> Vec<TileSet<'static>> {
    let real = real().map(|folder| folder.join("fox/ssav"));
    let folders = [Some(navmap_testkit::corpus::bundled().join("fox/set")), real];
    folders.into_iter().flatten().map(|folder| TileSet::open([folder]).unwrap()).collect()
}

/// Costs from one node of a map to all, summed up in the weights of the files: tile, group and node by number.
fn by_weights(layer: &Layer<'_>, from: (u32, GroupId, NodeIndex)) -> HashMap<(u32, u16, u16), f64> {
    let set: HashMap<u32, _> = layer.tiles().map(|tile| (tile.index(), tile)).collect();
    let mut cost: HashMap<(u32, u16, u16), f64> = HashMap::new();
    let mut heap = BinaryHeap::from([(Reverse(0u64), from.0, from.1.0, from.2.0)]);
    cost.insert((from.0, from.1.0, from.2.0), 0.0);
    while let Some((Reverse(bits), tile, group, node)) = heap.pop() {
        let here = f64::from_bits(bits);
        if here > cost[&(tile, group, node)] {
            continue;
        }
        let links = set[&tile].links(GroupId(group), NodeIndex(node)).unwrap().unwrap();
        let world = set[&tile].group(GroupId(group)).unwrap().unwrap();
        let divisor = f64::from(world.frame().weight_divisor);
        let mut next = Vec::new();
        for link in links.inside {
            let weight = world.world().edges()[usize::from(link.edge())].weight();
            next.push(((tile, group, link.node().0), here + f64::from(weight) / divisor));
        }
        if let Some(Ok(to)) = links.crossing {
            next.push(((to.tile, to.group.0, to.node.0), here));
        }
        for (to, sum) in next {
            if cost.get(&to).is_none_or(|known| sum < *known) {
                cost.insert(to, sum);
                heap.push((Reverse(sum.to_bits()), to.0, to.1, to.2));
            }
        }
    }
    cost
}

#[test]
fn ways_over_sides_cost_the_weights_of_the_files() {
    for set in maps() {
        let layer = set.layers().next().unwrap();
        let ways = SideWays::of_layer(&layer);
        let faces = NavIndex::build(ways.faces()).whole().unwrap();
        let index = NavIndex::build(&ways).whole().unwrap().with_landmarks();
        let mut scratch = PathScratch::new(&index);
        let mut rng = Rng(43);
        let (mut found, mut across) = (0, 0);
        for _ in 0..3 {
            let tiles: Vec<_> = layer.tiles().collect();
            let tile = tiles[rng.below(tiles.len() as u64) as usize];
            let group = tile.groups().map(Result::unwrap).max_by_key(|g| g.world().nodes().len()).unwrap();
            let nodes = group.world().nodes().len() as u64;
            let node = NodeIndex(rng.below(nodes) as u16);
            let truth = by_weights(&layer, (tile.index(), group.id(), node));
            let start = index.of_node(ways.node_of(tile.index(), group.id(), node).unwrap()).unwrap();
            let mut map = vec![0.0; index.len()];
            let reached = scratch.distance_map(&index, start, &Query::cheapest(), &mut map).unwrap();
            assert_eq!(reached, truth.len());
            for (at, (&(tile, group, node), &truth)) in truth.iter().enumerate() {
                let node = ways.node_of(tile, GroupId(group), NodeIndex(node)).unwrap();
                let goal = index.of_node(node).unwrap();
                let ours = f64::from(map[goal.position() as usize]);
                assert!((ours - truth).abs() <= 1e-3 + truth * 1e-4, "{ours}, not {truth}");
                if at % 200 == 0 {
                    let outcome = scratch.path(&index, start, goal, &Query::cheapest()).unwrap();
                    let cost = f64::from(outcome.cost().unwrap());
                    assert!((cost - truth).abs() <= 1e-3 + truth * 1e-4, "{cost}, not {truth}");
                    found += 1;
                    across += u32::from(
                        scratch
                            .steps(&index)
                            .any(|step| step.way.is_some_and(|w| w.kind == LinkKind::Border)),
                    );
                }
            }
        }
        assert!(found > 5 && across > 0, "{found} {across}");
        // The nodes on the sides of a face lie on its rim.
        for _ in 0..200 {
            let face = rng.below(faces.len() as u64) as u32;
            let area = faces.of_node(face).unwrap();
            let sides: Vec<u32> = ways.sides_of(face).collect();
            let mut corners = [navmap::graph::Point::default(); 4];
            let count = faces.corners(area, &mut corners);
            assert_eq!(sides.len(), count);
            for side in sides {
                let at = index.center(index.of_node(side).unwrap()).unwrap();
                let near = faces.closest_point(area, at).unwrap();
                assert!(near.distance(at) < 0.3, "{at:?} lies {} beside its face", near.distance(at));
            }
        }
    }
}

#[test]
fn ways_are_planned_over_segments_and_found_over_the_sides_in_them() {
    for set in maps() {
        let layer = set.layers().next().unwrap();
        let (ways, segments) = (SideWays::of_layer(&layer), SegmentWays::of_layer(&layer));
        let fine = NavIndex::build(&ways).whole().unwrap();
        let coarse = NavIndex::build(&segments).whole().unwrap();
        // A link costs what both of its ends store for leaving toward each other, so it costs the same both ways.
        let (mut both, mut all) = (0, 0);
        for way in coarse.areas().flat_map(|area| coarse.links(area)) {
            all += 1;
            let back = coarse.link(way.to, way.from);
            both += usize::from(back.is_some_and(|back| (back.charge - way.charge).abs() < 0.05));
        }
        assert!(both * 100 >= all * 99 && all > 20, "{both} of {all}");
        let (mut scratch, mut plan) = (PathScratch::new(&fine), PathScratch::new(&coarse));
        let mut rng = Rng(44);
        let (mut planned, mut sum, mut best) = (0, 0.0, 0.0);
        for _ in 0..150 {
            let [a, b] = [0; 2].map(|_| Area::at(rng.below(fine.len() as u64) as u32).unwrap());
            let of = |area: Area| coarse.of_node(fine.group(area).unwrap()).unwrap();
            let cheapest = scratch.path(&fine, a, b, &Query::cheapest()).unwrap();
            let outcome = plan.path(&coarse, of(a), of(b), &Query::cheapest()).unwrap();
            // What can be reached over sides can be planned.
            assert_eq!(cheapest.cost().is_some(), outcome.cost().is_some(), "{cheapest:?} {outcome:?}");
            let Some(cheapest) = cheapest.cost() else { continue };
            let kept: Vec<u32> = plan.areas().map(|area| coarse.node(area).unwrap()).collect();
            let mut overlay = Overlay::new(&fine);
            overlay
                .scale_where(&fine, f32::INFINITY, |area| !kept.contains(&fine.group(area).unwrap()))
                .unwrap();
            let query = Query::cheapest().with_overlay(&overlay);
            let refined = scratch.path(&fine, a, b, &query).unwrap().cost();
            let refined = refined.unwrap_or_else(|| panic!("no way in the plan {kept:?}"));
            assert!(refined >= cheapest * (1.0 - 1e-5));
            planned += 1;
            (sum, best) = (sum + f64::from(refined), best + f64::from(cheapest));
        }
        assert!(planned > 30 && sum <= best * 1.25, "{planned}: {sum} beside {best}");
        println!("{planned} ways in planned segments are {:.3} times as dear", sum / best);
    }
}

#[test]
fn edge_links_lead_from_plugin_to_plugin() {
    let files = skyrim::load_order();
    let mut order = LoadOrder::new();
    for (name, bytes, _) in &files[..2] {
        order.push(*name, Plugin::parse(bytes, &Default::default()).unwrap());
    }
    let graph = OrderGraph::new(&order);
    let index = NavIndex::build(&graph).whole().unwrap();
    let mut scratch = PathScratch::new(&index);
    // From the mesh that the patch adds over the one that it changed to the master's other one, and back.
    let mesh = |plugin, object_id| GlobalId { plugin, object_id };
    let at = |mesh, triangle| index.of_node(graph.node_of(mesh, triangle).unwrap()).unwrap();
    let (added, second) = (at(mesh(1, 0x805), 17), at(mesh(0, 0xA01), 1));
    let there = scratch.path(&index, added, second, &Query::default()).unwrap();
    assert!(there.cost().is_some(), "{there:?}");
    let over: Vec<u64> = scratch.areas().map(|area| index.id(area).unwrap() >> 32).collect();
    assert!(over.contains(&0x0100_0805) && over.contains(&0xA00) && over.contains(&0xA01), "{over:x?}");
    assert_eq!(graph.unresolved_doors(), 0);
    // Alone, the master's version wins, and the way to the patch is no way.
    let mut alone = LoadOrder::new();
    alone.push("Base.esm", Plugin::parse(&files[0].1, &Default::default()).unwrap());
    assert!(OrderGraph::new(&alone).node_of(mesh(1, 0x805), 0).is_none());
}

/// Plans between random triangles of a load order, finds the way in the meshes of each plan alone, and holds both
/// against the index of everything. Returns how many ways there were, and the sums of their lengths: found, shortest.
fn plan_all(name: &str, order: &LoadOrder<'_>, rng: &mut Rng, pairs: usize) -> (u32, f64, f64) {
    let graph = OrderGraph::new(order);
    let whole = NavIndex::build(&graph).whole().unwrap();
    let levels = Levels::build(&graph).whole().unwrap();
    assert_eq!(levels.len(), whole.len(), "{name}");
    let meshes = OrderMeshes::new(graph);
    let mut scratch = PathScratch::new(&whole);
    let mut plans = LevelScratch::default();
    let (mut ways, mut found, mut best) = (0, 0.0, 0.0);
    for _ in 0..pairs {
        let [a, b] = [0; 2].map(|_| Area::at(rng.below(whole.len() as u64) as u32).unwrap());
        let end = |area| End { node: whole.node(area).unwrap(), point: whole.center(area).unwrap() };
        let shortest = scratch.path(&whole, a, b, &Query::shortest()).unwrap().cost();
        let plan = levels.plan(end(a), end(b), &mut plans);
        assert_eq!(plan.is_some(), shortest.is_some(), "{name}: {plan:?}");
        let (Some(plan), Some(shortest)) = (plan, shortest) else { continue };
        let ends = [a, b].map(|area| whole.group(area).unwrap());
        assert_eq!([plan.groups[0], plan.groups[plan.groups.len() - 1]], ends, "{name}");
        assert_eq!(levels.group(whole.node(a).unwrap()), Some(ends[0]), "{name}");
        // The meshes of the plan, and no others, are read.
        let some = NavIndex::build(&meshes.some(&plan.groups)).whole().unwrap();
        let inside = whole.areas().filter(|area| plan.groups.contains(&whole.group(*area).unwrap()));
        assert_eq!(some.len(), inside.count(), "{name}");
        let [from, to] = [a, b].map(|area| some.by_id(whole.id(area).unwrap()).unwrap());
        let mut scratch = PathScratch::new(&some);
        let cost = scratch.path(&some, from, to, &Query::shortest()).unwrap().cost();
        let cost = cost.unwrap_or_else(|| panic!("{name}: no way in {:?}", plan.groups));
        assert!(cost >= shortest * (1.0 - 1e-4), "{name}: {cost}, shorter than {shortest}");
        // Each step is a link of the whole world.
        let of = |area| whole.by_id(some.id(area).unwrap()).unwrap();
        for way in scratch.steps(&some).filter_map(|step| step.way) {
            assert!(whole.link(of(way.from), of(way.to)).is_some(), "{name}");
        }
        ways += 1;
        (found, best) = (found + f64::from(cost), best + f64::from(shortest));
    }
    (ways, found, best)
}

#[test]
fn ways_through_load_orders_are_planned_over_meshes_and_found_in_those_of_the_plan() {
    let files = skyrim::load_order();
    let mut order = LoadOrder::new();
    for (name, bytes, _) in &files {
        order.push(*name, Plugin::parse(bytes, &Default::default()).unwrap());
    }
    let mut rng = Rng(45);
    let (ways, found, best) = plan_all("made", &order, &mut rng, 400);
    assert!(ways > 20 && found <= best * 1.2, "{ways}: {found} beside {best}");
    // A node has the number that it has in the whole graph.
    let graph = OrderGraph::new(&order);
    let mesh = GlobalId { plugin: 1, object_id: 0x805 };
    let node = graph.node_of(mesh, 17);
    let meshes = OrderMeshes::new(graph);
    assert!(node.is_some() && meshes.node_of(mesh, 17) == node);
    assert_eq!(meshes.node_of(mesh, u16::MAX), None);
    let group = (0..meshes.len() as u32).find(|group| meshes.mesh(*group) == Some(mesh)).unwrap();
    assert_eq!(NavIndex::build(&meshes.some(&[group])).value.of_node(0).is_some(), !meshes.is_empty());
    assert!(meshes.some(&[]).node_of(mesh, 17).is_none());

    let Some(folder) = real() else { return };
    let (mut ways, mut found, mut best) = (0, 0.0, 0.0);
    for row in navmap_testkit::corpus::manifest(&folder.join("skyrim")) {
        if !row.path.is_file() {
            continue;
        }
        let bytes = row.read();
        let Ok(plugin) = Plugin::parse(&bytes, &Default::default()) else { continue };
        let mut alone = LoadOrder::new();
        alone.push(row.name(), plugin);
        let index = NavIndex::build(&OrderGraph::new(&alone));
        if index.error.is_some() || index.value.is_empty() {
            continue;
        }
        let one = plan_all(row.name(), &alone, &mut rng, 30);
        (ways, found, best) = (ways + one.0, found + one.1, best + one.2);
    }
    println!("{ways} ways in planned meshes are {:.3} times as long", found / best);
    assert!(ways > 300 && found <= best * 1.05, "{ways}: {found} beside {best}");
}

/// A house and a street with doors to each other, and one in the street to nowhere.
fn house_and_street() -> Vec<u8> {
    let mut plugin = Made::new(44, 1.7, &[]);
    plugin.flags = 1;
    let (a, b, cell) = (0xA00, 0xA01, 0x900);
    let [mut house, mut street] =
        [0, 1].map(|at| Mesh::sheet(12, Place::Interior(cell + at), 4, 3, u64::from(at) + 1));
    house.door(2, 0xD00);
    street.door(5, 0xD01);
    // A door whose partner stands on no triangle.
    street.door(7, 0xD02);
    let door = |form: u32, partner: u32| {
        let teleport = [&partner.to_le_bytes()[..], &[0; 28]].concat();
        record(
            b"REFR",
            plugin.head(form, 0),
            &[field(b"NAME", &[1, 2, 3, 0]), field(b"XTEL", &teleport)].concat(),
        )
    };
    // Of two records of one door the first counts.
    let inside = [door(0xD00, 0xD01), door(0xD00, 0xEEE), skyrim::navm(&plugin, a, &house, true)];
    let outside = [
        door(0xD01, 0xD00),
        door(0xD02, 0xEEE),
        skyrim::navm(&plugin, b, &street, false),
        records::record_of_reference(&plugin, 0xD09),
    ];
    let groups = [plugin.interior(cell, &inside), plugin.interior(cell + 1, &outside)];
    plugin.groups.extend(groups);
    plugin.encode()
}

#[test]
fn doors_lead_to_the_triangle_under_their_partner() {
    let (a, b) = (0xA00, 0xA01);
    let bytes = house_and_street();
    let mut order = LoadOrder::new();
    order.push("Base.esm", Plugin::parse(&bytes, &Default::default()).unwrap());
    let graph = OrderGraph::new(&order);
    assert_eq!((graph.resolved_doors(), graph.unresolved_doors()), (2, 1));
    let index = NavIndex::build(&graph).whole().unwrap();
    let at = |object_id, triangle| {
        index.of_node(graph.node_of(GlobalId { plugin: 0, object_id }, triangle).unwrap()).unwrap()
    };
    let mut scratch = PathScratch::new(&index);
    let (from, to) = (at(a, 0), at(b, 9));
    assert!(scratch.path(&index, from, to, &Query::default()).unwrap().cost().is_some());
    let doors: Vec<_> =
        scratch.steps(&index).filter_map(|step| step.way).filter(|way| way.kind == LinkKind::Door).collect();
    assert_eq!(doors.len(), 1);
    assert_eq!((doors[0].from, doors[0].to), (at(a, 2), at(b, 5)));
    assert_ne!(graph.space(0), graph.space(1));
    // So do plans, and the door is found again in the two meshes of the plan.
    let (ways, found, best) = plan_all("doors", &order, &mut Rng(46), 200);
    assert!(ways == 200 && found <= best * 1.2, "{ways}: {found} beside {best}");
}

#[test]
fn the_last_plugin_with_a_door_says_where_it_leads() {
    let base = house_and_street();
    let reference = |flags, data: &[u8]| {
        let mut plugin = Made::new(44, 1.7, &["Base.esm"]);
        let door = record(b"REFR", plugin.head(0xD00, flags), data);
        plugin.groups.push(plugin.interior(0x900, &[door]));
        plugin.encode()
    };
    let name = field(b"NAME", &[1, 2, 3, 0]);
    // A deleted door leads nowhere, and neither does the one to it; one without XTEL leads nowhere.
    for (over, doors) in [(reference(records::DELETED, b""), (0, 3)), (reference(0, &name), (1, 2))] {
        let mut order = LoadOrder::new();
        order.push("Base.esm", Plugin::parse(&base, &Default::default()).unwrap());
        order.push("Over.esp", Plugin::parse(&over, &Default::default()).unwrap());
        let graph = OrderGraph::new(&order);
        assert_eq!((graph.resolved_doors(), graph.unresolved_doors()), doors);
    }
}

#[cfg(feature = "archive")]
#[test]
fn a_folder_of_plugins_is_one_world() {
    use navmap::query::{Policy, Refused, World};
    let order = navmap_testkit::corpus::bundled().join("skyrim/order");
    let open = Policy::default().with_refuse(None);
    let folder = World::open(&order, &open).unwrap();
    let named = World::open_order(["Base.esm", "Patch.esp", "Rival.esp"].map(|name| order.join(name)), &open)
        .unwrap();
    let ids = |world: &World| {
        let mut ids: Vec<u64> = world.index().areas().filter_map(|area| world.index().id(area)).collect();
        ids.sort_unstable();
        ids
    };
    assert_eq!(ids(&folder), ids(&named));
    assert!(folder.mesh().is_none() && folder.unresolved_doors() == 0);
    // Twice the same is one; two of one name are an error.
    let twice = World::open_order(["Base.esm", "Base.esm"].map(|name| order.join(name)), &open).unwrap();
    assert!(twice.index().len() < folder.index().len());
    let other = navmap_testkit::temp::Temp::new("order");
    let path = other.path().join("base.ESM");
    std::fs::write(&path, std::fs::read(order.join("Patch.esp")).unwrap()).unwrap();
    let refused = World::open_order([order.join("Base.esm"), path], &open).unwrap_err();
    assert!(refused.to_string().to_lowercase().contains("base.esm"), "{refused}");
    // A master that loads after its plugin is an error of the order.
    let turned = ["Patch.esp", "Base.esm"].map(|name| order.join(name));
    let Err(Refused::Findings { first, file, .. }) = World::open_order(turned, &Policy::default()) else {
        panic!("not refused");
    };
    assert_eq!((first.code, file), ("master-order", Some(order.join("Patch.esp"))));
}

#[test]
fn a_plugin_without_its_masters_keeps_its_meshes() {
    let patch = navmap_testkit::corpus::bundled().join("skyrim/order/Patch.esp");
    let bytes = std::fs::read(patch).unwrap();
    let plugin = Plugin::parse(&bytes, &Default::default()).unwrap();
    let mut alone = LoadOrder::new();
    alone.push("Patch.esp", plugin);
    let graph = OrderGraph::new(&alone);
    let index = NavIndex::build(&graph).whole().unwrap();
    let own = NavIndex::build(&navmap::format::skyrim::SkyrimGraph::new(&plugin)).whole().unwrap();
    assert_eq!(index.len(), own.len());
    // Absent masters are numbered after the plugins, so that no two records share an id.
    let mut ids: Vec<u64> = index.areas().filter_map(|area| index.id(area)).collect();
    ids.sort_unstable();
    assert!(ids.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(ids.iter().any(|id| id >> 56 == 1) && ids.iter().any(|id| id >> 56 == 0), "{ids:x?}");
    let spaces = graph.spaces();
    assert_eq!(spaces.iter().map(|space| space.groups.len()).sum::<usize>(), 2.max(spaces.len()));
}

#[cfg(feature = "archive")]
#[test]
fn a_folder_of_tiles_is_one_world() {
    use navmap::query::{Policy, World};
    let folder = navmap_testkit::corpus::bundled().join("fox/set");
    let world = World::open(folder, &Policy::default().with_refuse(None)).unwrap();
    let tiles: std::collections::BTreeSet<u64> =
        world.index().areas().filter_map(|area| Some(world.index().id(area)? >> 48)).collect();
    assert_eq!(tiles.len(), 9);
}
