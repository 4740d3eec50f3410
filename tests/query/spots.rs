//! Spots that people type, and what can be reached from where, against slow and plain answers.

use crate::families::each;
use navmap::graph::{Axes, FlatGraph, Link, LinkKind, Point, Shape};
use navmap::open::Mesh;
use navmap::query::{Area, Joined, Kinds, Lost, Misuse, NavIndex, Overlay, Query, Spot};
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::bundled;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn a_spot_is_a_point_an_id_or_a_name() {
    let point = |text: &str| text.parse::<Spot>();
    for text in ["1,-2,3.5", " 1 -2 3.5 ", "1, -2, 3.5", "1;-2;3.5"] {
        assert_eq!(point(text), Ok(Spot::Point(Point::new(1.0, -2.0, 3.5))), "{text}");
    }
    assert_eq!(point("#0x1F"), Ok(Spot::Id(31)));
    assert_eq!(point("Long A"), Ok(Spot::Place("Long A".into())));
    assert_eq!(point("inf"), Ok(Spot::Place("inf".into())));
    for text in ["", "#", "#-1", "#1.5", "1,2", "1,2,3,4", "#18446744073709551616"] {
        assert!(matches!(point(text), Err(Lost::Text(_))), "{text}");
    }
    for spot in [Spot::Point(Point::new(0.5, -1e30, 3.0)), Spot::Id(u64::MAX), Spot::Place("a b".into())] {
        assert_eq!(spot.to_string().parse(), Ok(spot));
    }
}

#[test]
fn a_spot_is_found_where_it_is() {
    each(|name, index, _| {
        let mut rng = Rng(71);
        let all = |_: Area| true;
        for _ in 0..20.min(index.len()) {
            let area = Area::at(rng.below(index.len() as u64) as u32).unwrap();
            let id = index.id(area).unwrap();
            let found = Spot::Id(id).find(index, f32::INFINITY, all).unwrap();
            assert_eq!(index.id(found.area), Some(id), "{name}");
            let Some(p) = index.center(area).filter(|p| p.is_finite()) else { continue };
            let found = Spot::Point(p).find(index, f32::INFINITY, all).unwrap();
            match index.area_at(p, None) {
                Some(under) => assert_eq!((found.area, found.off), (under, None), "{name}"),
                None => {
                    assert_eq!(found.off, index.nearest(p, f32::INFINITY).map(|near| near.distance), "{name}")
                }
            }
        }
        let gone = (0u64..).find(|id| index.by_id(*id).is_none()).unwrap();
        let Err(Lost::NoId { id, near, .. }) = Spot::Id(gone).find(index, 1.0, all) else { panic!("{name}") };
        assert_eq!(id, gone);
        if let Some(id) = index.areas().next().and_then(|area| index.id(area)) {
            let apart = Spot::Id(id).find(index, 1.0, |_| false);
            assert!(matches!(apart, Err(Lost::Apart { id: other, .. }) if other == id), "{name}: {apart:?}");
        }
        assert!(near.iter().all(|id| index.by_id(*id).is_some()), "{name}");
        for place in index.places() {
            let found = Spot::Place(place.to_lowercase()).find(index, 0.0, all).unwrap();
            assert_eq!(index.place(found.area), Some(place.as_str()), "{name}");
        }
        let nowhere = Spot::Point(Point::new(f32::NAN, 0.0, 0.0)).find(index, f32::INFINITY, all);
        assert!(matches!(nowhere, Err(Lost::Nowhere(_))), "{name}");
    });
}

#[test]
fn places_and_flags_are_those_of_the_areas_that_have_them() {
    let mesh = Mesh::open(bundled().join("source/town.nav")).unwrap();
    let (flat, index) = (mesh.nav().flat_graph().value, NavIndex::of(mesh.nav()).whole().unwrap());
    let mut names: BTreeMap<u32, &str> = BTreeMap::new();
    for (node, stored) in (0u32..).zip(flat.nodes()) {
        let area = index.of_node(node).unwrap();
        assert_eq!(index.flags(area), stored.flags, "{node}");
        // One number of the file is one name.
        match (stored.place, index.place(area)) {
            (Some(place), Some(name)) => assert_eq!(*names.entry(place).or_insert(name), name),
            (stored, name) => assert_eq!((stored, name), (None, None), "{node}"),
        }
    }
    assert_eq!(names.values().collect::<BTreeSet<_>>().len(), index.places().len());
    for (number, place) in (0u32..).zip(index.places()) {
        let looked: Vec<Area> =
            index.areas().filter(|area| index.place(*area) == Some(place.as_str())).collect();
        assert!(!looked.is_empty() && looked.iter().all(|area| index.place_of(*area) == Some(number)));
        assert_eq!(index.in_place(&place.to_uppercase()).collect::<Vec<_>>(), looked, "{place}");
        assert_eq!(index.place_number(&place.to_lowercase()), Some(number), "{place}");
    }
    assert!(index.places().len() > 3 && index.in_place("no such place").count() == 0);
    for (bit, name) in index.flag_names() {
        assert_eq!((bit.count_ones(), index.flag(&name.to_uppercase())), (1, Some(bit)), "{name}");
    }
    assert!(index.flag("crouch").is_some() && index.flag("no such flag").is_none());
}

/// All areas that some path leads to, by walking links until nothing is new.
fn closure(index: &NavIndex, from: &[Area], next: impl Fn(Area) -> Vec<Area>) -> Vec<bool> {
    let mut seen = vec![false; index.len()];
    from.iter().for_each(|area| seen[area.position() as usize] = true);
    let mut list = from.to_vec();
    while let Some(area) = list.pop() {
        for to in next(area) {
            if !std::mem::replace(&mut seen[to.position() as usize], true) {
                list.push(to);
            }
        }
    }
    seen
}

#[test]
fn regions_are_what_walks_there_and_back_find() {
    each(|name, index, _| {
        let mut rng = Rng(72);
        let start = Area::at(rng.below(index.len() as u64) as u32).unwrap();
        let mut overlay = Overlay::new(index);
        index
            .areas()
            .filter(|area| *area != start && area.position() % 11 == 0)
            .for_each(|area| overlay.block(area));
        for blocked in [false, true] {
            let shut = |area: Area| blocked && overlay.is_blocked(area);
            let query = Query::default().with_overlay(blocked.then_some(&overlay));
            let open = |list: Vec<Area>| list.into_iter().filter(|area| !shut(*area)).collect::<Vec<_>>();
            let there = closure(index, &[start], |area| open(index.links(area).map(|way| way.to).collect()));
            let back =
                closure(index, &[start], |area| open(index.incoming(area).map(|way| way.from).collect()));
            let regions = index.regions(&[start], &query).unwrap();
            let mut of = vec![usize::MAX; index.len()];
            for (at, region) in regions.iter().enumerate() {
                assert!(region.areas.is_sorted_by_key(|area| index.node(*area)), "{name}");
                let size: f64 = region.areas.iter().filter_map(|area| index.area_size(*area)).sum();
                assert!((region.size - size).abs() <= size * 1e-9, "{name}");
                for area in &region.areas {
                    let slot = area.position() as usize;
                    assert_eq!(std::mem::replace(&mut of[slot], at), usize::MAX, "{name}: in two parts");
                    let joined = match (there[slot], back[slot]) {
                        (true, true) => Joined::Both,
                        (true, false) => Joined::NoWayBack,
                        (false, true) => Joined::NoWayIn,
                        (false, false) => Joined::CutOff,
                    };
                    assert_eq!(region.joined, joined, "{name}");
                }
            }
            assert!(of.iter().all(|part| *part != usize::MAX), "{name}: every area is in one");
            // Neighbors that are joined alike are in one part.
            for way in index
                .areas()
                .filter(|area| !shut(*area))
                .flat_map(|area| index.links(area))
                .filter(|way| !shut(way.to))
            {
                let [a, b] = [way.from, way.to].map(|area| of[area.position() as usize]);
                assert!(a == b || regions[a].joined != regions[b].joined, "{name}");
            }
            assert!(
                regions.is_sorted_by_key(|region| (region.joined, std::cmp::Reverse(region.areas.len()))),
                "{name}"
            );
        }
    });
}

#[test]
fn regions_of_areas_that_do_not_exist_are_an_error() {
    let mut graph = FlatGraph::new("area", Axes::z_up(1.0));
    let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)].map(|(x, y)| Point::new(x, y, 0.0));
    graph.add_node(1, Shape::Polygon(&corners));
    graph.add_link(Link::new(0, 0, LinkKind::Walk));
    let index = NavIndex::build(&graph).whole().unwrap();
    let gone = Area::at(1).unwrap();
    assert_eq!(index.regions(&[gone], &Query::default()), Err(Misuse::NoSuchArea(gone)));
    let one = index.regions(&[], &Query::default()).unwrap();
    assert_eq!((one.len(), one[0].joined), (1, Joined::CutOff), "nothing is reached from nowhere");
    let empty = NavIndex::build(&FlatGraph::new("area", Axes::z_up(1.0))).whole().unwrap();
    assert!(empty.regions(&[], &Query::default()).unwrap().is_empty());
}

#[test]
fn links_of_a_kind_are_those_of_all_areas() {
    let mut ladders = 0;
    let mut look = |name: &str, index: &NavIndex| {
        let all: Vec<_> = index.areas().flat_map(|area| index.links(area)).collect();
        assert_eq!(index.links_of(Kinds::ALL).count(), all.len(), "{name}");
        for kind in LinkKind::ALL {
            let others = LinkKind::ALL.into_iter().filter(|other| *other != kind);
            let only = others.fold(Kinds::ALL, Kinds::without);
            let listed: Vec<_> = index.links_of(only).map(|(way, _)| way).collect();
            let own: Vec<_> = all.iter().copied().filter(|way| way.kind == kind).collect();
            assert_eq!(listed, own, "{name}: {kind:?}");
            for (_, ends) in index.links_of(only).filter(|_| kind == LinkKind::Ladder) {
                ladders += usize::from(ends.is_some_and(|[begins, ends]| begins != ends));
            }
        }
    };
    let town = Mesh::open(bundled().join("source/town.nav")).unwrap();
    look("town.nav", &NavIndex::of(town.nav()).value);
    each(|name, index, _| look(name, index));
    assert!(ladders > 0);
}
