//! Meshes of many files: tile sets and load orders.

use navmap::format::fox::{Graph, TileId, TileSet};
use navmap::format::skyrim::{GlobalId, LoadOrder, OrderGraph, Plugin};
use navmap::graph::LinkKind;
use navmap::query::{Area, NavIndex, Outcome, PathScratch, Query};
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::real;
use navmap_testkit::skyrim::mesh::{Mesh, Place};
use navmap_testkit::skyrim::plugin::{self as records, Plugin as Made, field, record};
use navmap_testkit::{fox, skyrim};
use std::path::PathBuf;

fn set(keep: impl Fn(u16) -> bool) -> TileSet<'static> {
    let map = fox::Map { columns: 3, size: [3, 1], holes: 0, ..fox::Map::square(3) };
    let files = (0..3).filter(|column| keep(*column)).flat_map(|column| map.tile(column, 0).files);
    TileSet::from_backings(
        files.map(|(name, bytes)| (PathBuf::from(name), navmap::bytes::Backing::owned(bytes))),
    )
}

fn index(set: &TileSet<'_>) -> NavIndex {
    NavIndex::build(&Graph::of_layer(&set.layers().next().unwrap())).whole().unwrap()
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

#[test]
fn doors_lead_to_the_triangle_under_their_partner() {
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
    let inside = [door(0xD00, 0xD01), skyrim::navm(&plugin, a, &house, true)];
    let outside = [
        door(0xD01, 0xD00),
        door(0xD02, 0xEEE),
        skyrim::navm(&plugin, b, &street, false),
        records::record_of_reference(&plugin, 0xD09),
    ];
    let groups = [plugin.interior(cell, &inside), plugin.interior(cell + 1, &outside)];
    plugin.groups.extend(groups);
    let bytes = plugin.encode();
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
}

#[cfg(feature = "archive")]
#[test]
fn a_folder_of_plugins_is_one_world() {
    use navmap::query::{Policy, Refused, World};
    let order = navmap_testkit::corpus::bundled().join("skyrim/order");
    let open = Policy { refuse: None, ..Policy::default() };
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
    let Err(Refused::Findings { first, .. }) = World::open_order(turned, &Policy::default()) else {
        panic!("not refused");
    };
    assert_eq!(first.code, "master-order");
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
    let own = NavIndex::build(&navmap::format::skyrim::Graph::new(&plugin)).whole().unwrap();
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
    let world = World::open(folder, &Policy { refuse: None, ..Policy::default() }).unwrap();
    let tiles: std::collections::BTreeSet<u64> =
        world.index().areas().filter_map(|area| Some(world.index().id(area)? >> 48)).collect();
    assert_eq!(tiles.len(), 9);
}
