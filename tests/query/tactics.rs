//! Tactics against the engine's rules, written down a second time over what another reader finds in the file.

use crate::engine::{self, Engine};
use navmap::format::source::{SourceGraph, SourceNav};
use navmap::graph::{HidingKinds, Point, Sight};
use navmap::query::{
    Area, BuildOptions, Flood, Hiding, HidingPlace, Mask, Misuse, NavIndex, Overlay, PathScratch, Query,
    Tactics,
};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::{bundled, manifest, real};
use navmap_testkit::source::read;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

/// Every bundled and every real mesh of version 1 to 16 that has areas.
fn each(act: impl FnMut(&str, &NavIndex, &Engine)) {
    each_in([Some(bundled()), real()].into_iter().flatten(), act);
}

fn each_in(folders: impl IntoIterator<Item = PathBuf>, mut act: impl FnMut(&str, &NavIndex, &Engine)) {
    for row in folders.into_iter().flat_map(|folder| manifest(&folder.join("source"))) {
        let bytes = row.read();
        let Some(mesh) = read(&bytes).filter(|mesh| !mesh.areas.is_empty()) else { continue };
        let nav = SourceNav::parse(&bytes).unwrap();
        let options = BuildOptions::default().tactics(true);
        let index = NavIndex::build_with(&SourceGraph::new(&nav), &options).whole().unwrap();
        assert_eq!(index.len(), mesh.areas.len(), "{}", row.name());
        act(row.name(), &index, &Engine::new(mesh));
    }
}

fn at(index: &NavIndex, node: usize) -> Area {
    index.of_node(node as u32).unwrap()
}

fn random(index: &NavIndex, rng: &mut Rng) -> Area {
    at(index, rng.below(index.len() as u64) as usize)
}

/// What is seen from an area by the engine's `IsPotentiallyVisible` and `IsCompletelyVisible`: its own list from the front, then
/// that of the area that it inherits from.
struct Eyes<'e> {
    engine: &'e Engine,
    by_position: bool,
}

impl<'e> Eyes<'e> {
    fn new(engine: &'e Engine) -> Self {
        let by_position = engine.mesh.subversion.is_some_and(|sub| sub == 13 || sub == 14);
        Self { engine, by_position }
    }

    fn sight(&self, from: usize, to: usize) -> Sight {
        let areas = &self.engine.mesh.areas;
        if from == to {
            return Sight::Wholly;
        }
        let named = |entry: &&(u32, u8)| match self.by_position {
            true => entry.0 as usize == to,
            false => self.engine.by_id.get(&entry.0) == Some(&to),
        };
        let anchor = Some(areas[from].inherit).filter(|id| *id != 0);
        let anchor = anchor.and_then(|id| self.engine.by_id.get(&id)).map(|at| &areas[*at].visible);
        let found = areas[from].visible.iter().find(named).or_else(|| anchor?.iter().find(named));
        match found.map_or(0, |entry| entry.1) {
            0 => Sight::Hidden,
            bits if bits & 2 != 0 => Sight::Wholly,
            _ => Sight::Partly,
        }
    }
}

#[test]
fn who_sees_whom_is_what_the_engines_two_look_ups_find() {
    let (mut inheriting, mut maps, mut entries) = (0, 0, 0u64);
    each(|name, index, engine| {
        let tactics = index.tactics().unwrap();
        let (eyes, count) = (Eyes::new(engine), index.len());
        let inherit = engine.mesh.areas.iter().filter(|area| area.inherit != 0).count();
        (inheriting, maps) = (inheriting + inherit, maps + usize::from(inherit > 0));
        let known = engine.mesh.areas.iter().any(|area| !area.visible.is_empty() || area.inherit != 0);
        assert_eq!(tactics.knows_sight(), known, "{name}");
        let mut rng = Rng(5);
        for _ in 0..count.min(60) {
            let from = rng.below(count as u64) as usize;
            let mut seen: HashMap<usize, Sight> = HashMap::new();
            let mut last = None;
            for (area, sight) in tactics.seen(at(index, from)) {
                assert!(last < Some(area), "{name}: by position");
                last = Some(area);
                seen.insert(index.node(area).unwrap() as usize, sight);
            }
            entries += seen.len() as u64;
            // Whatever is seen, and some of what is not.
            let some: Vec<usize> = (0..40).map(|_| rng.below(count as u64) as usize).collect();
            for to in some.into_iter().chain(seen.keys().copied()).take(400) {
                let right = eyes.sight(from, to);
                let (a, b) = (at(index, from), at(index, to));
                assert_eq!(tactics.sight(a, b), right, "{name}: {from} to {to}");
                assert_eq!(seen.get(&to).copied().unwrap_or(Sight::Hidden), right, "{name}: {from} to {to}");
                assert_eq!(tactics.sees(a, b), right != Sight::Hidden);
                assert_eq!(tactics.sees_wholly(a, b), right == Sight::Wholly);
            }
            // No list has more than what is seen and what is taken back.
            let own = &engine.mesh.areas[from];
            let anchor = engine.by_id.get(&own.inherit).filter(|_| own.inherit != 0);
            let both =
                own.visible.iter().chain(anchor.iter().flat_map(|at| &engine.mesh.areas[**at].visible));
            for entry in both {
                let to = if eyes.by_position {
                    Some(entry.0 as usize).filter(|to| *to < count)
                } else {
                    engine.by_id.get(&entry.0).copied()
                };
                let Some(to) = to else { continue };
                if eyes.sight(from, to) != Sight::Hidden {
                    assert!(seen.contains_key(&to), "{name}: {from} sees {to}");
                }
            }
        }
    });
    assert!(maps > 0 && entries > 0);
    if real().is_some() {
        println!("{inheriting} areas of {maps} maps inherit; {entries} entries seen");
        assert!(maps >= 20 && inheriting >= 8_500, "{inheriting} areas of {maps} maps");
    }
}

#[test]
fn what_analysed_meshes_see_is_mutual() {
    // The analysis of the games gives each pair to both of its areas. The bundled lists are random, so real ones are needed.
    let (mut maps, mut pairs) = (0, 0);
    each_in(real(), |name, index, engine| {
        let tactics = index.tactics().unwrap();
        if engine.mesh.analyzed == 0 || !tactics.knows_sight() {
            return;
        }
        maps += 1;
        for from in index.areas() {
            for (to, _) in tactics.seen(from) {
                assert!(tactics.sees(to, from), "{name}: {from:?} sees {to:?}, which does not see it");
                pairs += 1;
            }
        }
    });
    assert!(real().is_none() || maps > 10 && pairs > 2_000_000, "{pairs} pairs of {maps} maps");
}

#[test]
fn what_a_team_sees_is_what_any_of_them_sees() {
    each(|name, index, _| {
        let (tactics, mut rng) = (index.tactics().unwrap(), Rng(11));
        let team: Vec<Area> = (0..5).map(|_| random(index, &mut rng)).collect();
        for least in [Sight::Partly, Sight::Wholly] {
            let mut set = Mask::new(index);
            tactics.add_seen(team.iter().copied(), least, &mut set).unwrap();
            let right: HashSet<Area> = index
                .areas()
                .filter(|to| team.iter().any(|from| tactics.sight(*from, *to) >= least))
                .collect();
            assert_eq!(set.areas().collect::<HashSet<_>>(), right, "{name}");

            // From points: the areas under them.
            let points: Vec<Point> = team.iter().filter_map(|area| index.center(*area)).collect();
            let mut from_points = Mask::new(index);
            let stood = tactics.add_seen_from(&points, least, &mut from_points).unwrap();
            let under: Vec<Area> = points.iter().filter_map(|p| index.area_at(*p, None)).collect();
            let mut from_areas = Mask::new(index);
            tactics.add_seen(under.iter().copied(), least, &mut from_areas).unwrap();
            assert_eq!((stood, from_points), (under.len(), from_areas), "{name}");
        }
    });
}

/// Everything that a question for hiding spots may find, by a distance to every area.
fn by_brute_force(
    tactics: &Tactics<'_>,
    index: &NavIndex,
    from: Area,
    p: Point,
    ask: &Hiding<'_>,
) -> Vec<(u8, f32, HidingPlace)> {
    let mut costs = vec![0.0; index.len()];
    PathScratch::new(index).distance_map(index, from, &ask.query, &mut costs).unwrap();
    let mut all: Vec<(u8, f32, HidingPlace)> = Vec::new();
    for place in tactics.hiding_places() {
        let Some(rank) = ask.wanted.iter().position(|wanted| wanted.any(place.kinds)) else { continue };
        let start = if place.area == from { p } else { index.center(place.area).unwrap() };
        let walk = costs[place.area.position() as usize] + start.distance(place.at);
        let unseen = ask.unseen.is_none_or(|set| !set.has(place.area));
        let cost = costs[place.area.position() as usize];
        if cost <= ask.travel
            && walk <= ask.travel
            && unseen
            && tactics.range(&place) >= ask.range
            && walk.is_finite()
        {
            all.push((rank as u8, walk, place));
        }
    }
    all.sort_by(|a, b| {
        (a.0, a.1, index.node(a.2.area)).partial_cmp(&(b.0, b.1, index.node(b.2.area))).unwrap()
    });
    all
}

#[test]
fn the_best_spots_are_what_a_look_at_all_of_them_finds() {
    let (mut asked, mut full) = (0, 0);
    each(|name, index, engine| {
        let (tactics, mut rng) = (index.tactics().unwrap(), Rng(13));
        let spots: usize = engine.mesh.areas.iter().map(|area| area.spots.len()).sum();
        assert_eq!(tactics.hiding_places().len(), spots, "{name}");
        let mut scratch = PathScratch::new(index);
        for round in 0..24 {
            let from = random(index, &mut rng);
            let p = index.center(from).unwrap();
            let mut watched = Mask::new(index);
            tactics.add_seen([random(index, &mut rng)], Sight::Partly, &mut watched).unwrap();
            let base = [Hiding::cover(), Hiding::sniper(), Hiding::any()][round % 3];
            let mut ask = base.with_travel([500.0, 2_000.0, f32::INFINITY][round / 3 % 3]);
            if round % 2 == 0 {
                ask = ask.with_unseen(&watched);
            }
            if round % 5 == 0 {
                ask = ask.with_range(800.0);
            }
            let right = by_brute_force(&tactics, index, from, p, &ask);
            for room in [1, 3, 40] {
                let mut out = vec![None; room];
                let count = tactics.spots(&mut scratch, from, p, &ask, &mut out).unwrap();
                assert_eq!(count, right.len().min(room), "{name}: round {round}");
                for (found, (rank, walk, place)) in out[..count].iter().flatten().zip(&right) {
                    assert_eq!((found.rank, found.walk), (*rank, *walk), "{name}: round {round}");
                    // Of two as far in one area, either is right.
                    assert_eq!(found.place.area, place.area, "{name}: round {round}");
                }
                full += usize::from(count == room);
            }
            asked += 1;
        }
    });
    assert!(asked > 100 && full > 50, "{asked} asked, {full} full");
}

/// `FindNearbyHidingSpot`, up to where it chooses: the published `SearchSurroundingAreas` and `CollectHidingSpotsFunctor`.
fn as_game(
    engine: &Engine,
    start: usize,
    origin: [f32; 3],
    max: f32,
    wanted: [u8; 3],
    most: usize,
) -> Vec<u32> {
    let areas = &engine.mesh.areas;
    for flags in wanted {
        let (mut marked, mut so_far) = (HashSet::from([start]), HashMap::from([(start, 0f32)]));
        let mut open = std::collections::VecDeque::from([start]);
        let mut found = Vec::new();
        while let Some(area) = open.pop_front() {
            for spot in &areas[area].spots {
                let near = engine::length(spot.position, origin) <= max;
                if near && spot.flags & flags != 0 && found.len() < most {
                    found.push(spot.id);
                }
            }
            if found.len() == most {
                continue;
            }
            for (next, _) in engine.links(area) {
                if !marked.insert(next) {
                    continue;
                }
                let close = engine::closest(&areas[next], origin);
                if (close[0] - origin[0]).powi(2) + (close[1] - origin[1]).powi(2) < max * max {
                    let centers = engine::length(engine::center(&areas[next]), engine::center(&areas[area]));
                    let along = so_far[&area] + centers;
                    so_far.insert(next, along);
                    if along <= 1.5 * max {
                        open.push_back(next);
                    }
                }
            }
        }
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

#[test]
fn the_engines_helper_collects_the_same_spots_in_the_same_order() {
    let mut met = 0;
    each(|name, index, engine| {
        if engine.mesh.version < 2 {
            return; // spots without a name
        }
        let (tactics, mut rng) = (index.tactics().unwrap(), Rng(17));
        let mut scratch = PathScratch::new(index);
        for round in 0..30 {
            let from = random(index, &mut rng);
            let (p, node) = (index.center(from).unwrap(), index.node(from).unwrap() as usize);
            let max = [300.0, 1_000.0, 4_000.0][round % 3];
            let (ask, wanted) =
                if round % 2 == 0 { (Hiding::sniper(), [4, 2, 1]) } else { (Hiding::cover(), [1, 0, 0]) };
            let mut out = [None; 256];
            let ask = ask.with_travel(max);
            let count = tactics.spots_as_engine(&mut scratch, from, p, &ask, &mut out).unwrap();
            let ours: Vec<u32> = out[..count].iter().flatten().map(|place| place.id.unwrap()).collect();
            assert_eq!(ours, as_game(engine, node, p.to_array(), max, wanted, 256), "{name}: round {round}");
            met += count;
        }
    });
    assert!(met > 100, "{met} spots");
}

#[test]
fn a_retreat_leads_to_the_nearest_area_that_nobody_sees() {
    each(|name, index, _| {
        let (tactics, mut rng) = (index.tactics().unwrap(), Rng(19));
        let mut scratch = PathScratch::new(index);
        for _ in 0..20 {
            let (from, enemy) = (random(index, &mut rng), random(index, &mut rng));
            let mut watched = Mask::new(index);
            tactics.add_seen([enemy, from], Sight::Partly, &mut watched).unwrap();
            let mut costs = vec![0.0; index.len()];
            scratch.distance_map(index, from, &Query::shortest(), &mut costs).unwrap();
            let cost = |area: Area| costs[area.position() as usize];
            let right =
                index.areas().filter(|area| !watched.has(*area)).map(cost).fold(f32::INFINITY, f32::min);
            match scratch.retreat(index, from, &watched, &Flood::default()).unwrap() {
                Some((area, walk)) => {
                    assert!(!tactics.sees(enemy, area) && !tactics.sees(from, area), "{name}");
                    assert_eq!((walk, cost(area)), (right, right), "{name}");
                }
                None => assert_eq!(right, f32::INFINITY, "{name}"),
            }
        }
    });
}

#[test]
fn exposure_and_encounters_are_those_of_each_area_of_the_way() {
    let (mut spots, mut exposed) = (0, 0);
    each(|name, index, engine| {
        let (tactics, mut rng) = (index.tactics().unwrap(), Rng(23));
        let mut scratch = PathScratch::new(index);
        for _ in 0..20 {
            let (from, to) = (random(index, &mut rng), random(index, &mut rng));
            if scratch.path(index, from, to, &Query::default()).unwrap().cost().is_none() {
                continue;
            }
            let areas: Vec<Area> = scratch.areas().collect();
            let nodes: Vec<usize> = areas.iter().map(|area| index.node(*area).unwrap() as usize).collect();
            // The engine's `GetSpotEncounter`: the first with both ends.
            let mut right = Vec::new();
            for three in nodes.windows(3) {
                let ids = [three[0], three[2]].map(|node| engine.mesh.areas[node].id);
                let known = |id: u32| engine.by_id.get(&id).map(|at| engine.mesh.areas[*at].id);
                let path = engine.mesh.areas[three[1]]
                    .paths
                    .iter()
                    .find(|path| [path.from, path.to].map(known) == ids.map(Some));
                let exists: HashSet<u32> =
                    engine.mesh.areas.iter().flat_map(|area| &area.spots).map(|spot| spot.id).collect();
                for (id, t) in path.iter().flat_map(|path| &path.spots).filter(|(id, _)| exists.contains(id))
                {
                    right.push((three[1], *id, f32::from(*t) / 255.0));
                }
            }
            let mut ours = Vec::new();
            tactics
                .encounters(&scratch, |met| {
                    ours.push((index.node(met.area).unwrap() as usize, met.place.id.unwrap(), met.along));
                    // On the way through its area, up to the rounding of slopes.
                    let bounds = index.area_bounds(met.area).unwrap();
                    assert!((bounds.min.x - 1.0..=bounds.max.x + 1.0).contains(&met.from.x), "{name}");
                    assert!((bounds.min.y - 1.0..=bounds.max.y + 1.0).contains(&met.from.y), "{name}");
                })
                .unwrap();
            assert_eq!(ours, right, "{name}");
            spots += ours.len();

            let mut watched = Mask::new(index);
            tactics.add_seen([random(index, &mut rng)], Sight::Partly, &mut watched).unwrap();
            let exposure = scratch.exposure(index, &watched).unwrap();
            let seen: Vec<&Area> = areas.iter().filter(|area| watched.has(**area)).collect();
            assert_eq!((exposure.areas, exposure.first), (seen.len(), seen.first().copied().copied()));
            let (mut length, mut share) = (0.0, 0.0);
            for step in scratch.steps(index) {
                let Some(way) = step.way else { continue };
                length += way.length;
                for end in [way.from, way.to] {
                    share += if watched.has(end) { way.length / 2.0 } else { 0.0 };
                }
            }
            let near = |a: f32, b: f32| (a - b).abs() <= 1e-3 * length.max(1.0);
            assert!(near(exposure.length, length) && near(exposure.seen, share), "{name}");
            assert!(exposure.longest <= exposure.seen && (0.0..=1.0).contains(&exposure.share()), "{name}");
            exposed += seen.len();
        }
    });
    assert!(spots > 0 || real().is_none());
    assert!(exposed > 0);
}

#[test]
fn asking_allocates_nothing_and_refuses_what_belongs_to_another_index() {
    let mut met = 0;
    each(|name, index, _| {
        if met > 3 || index.len() < 50 {
            return;
        }
        met += 1;
        let (tactics, mut rng) = (index.tactics().unwrap(), Rng(29));
        let mut scratch = PathScratch::new(index);
        let mut watched = Mask::new(index);
        let (mut found, mut collected) = ([None; 8], [None; 256]);
        let ((), cost) = cost_of(|| {
            for _ in 0..50 {
                let [from, to, enemy] = [0, 1, 2].map(|_| random(index, &mut rng));
                let p = index.center(from).unwrap();
                watched.clear();
                tactics.add_seen([enemy], Sight::Partly, &mut watched).unwrap();
                tactics.add_seen_from(&[p], Sight::Wholly, &mut watched).unwrap();
                let ask = Hiding::sniper().with_unseen(&watched).with_range(100.0);
                tactics.spots(&mut scratch, from, p, &ask, &mut found).unwrap();
                tactics
                    .spots_as_engine(&mut scratch, from, p, &ask.with_travel(1_000.0), &mut collected)
                    .unwrap();
                let _ = scratch.retreat(index, from, &watched, &Flood::default()).unwrap();
                let _ = (tactics.sees(from, to), tactics.seen(from).count(), tactics.hiding_in(to).count());
                let _ = scratch.path(index, from, to, &Query::default()).unwrap();
                let _ = scratch.exposure(index, &watched).unwrap();
                tactics.encounters(&scratch, |_| {}).unwrap();
            }
        });
        assert_eq!(cost.calls, 0, "{name}");

        let clone = index.clone();
        assert_eq!(clone.tactics().unwrap().add_seen([], Sight::Partly, &mut watched), Ok(()));
        let empty = NavIndex::build(&navmap::graph::FlatGraph::new("area", index.axes())).whole().unwrap();
        let (mut other, overlay) = (Mask::new(&empty), Overlay::new(&empty));
        let (p, a) = (Point::default(), at(index, 0));
        let refused = Err(Misuse::OtherIndex);
        assert_eq!(tactics.add_seen([a], Sight::Partly, &mut other), refused);
        let ask = Hiding::cover().with_unseen(&other);
        assert_eq!(tactics.spots(&mut scratch, a, p, &ask, &mut found), Err(Misuse::OtherIndex));
        assert_eq!(tactics.spots_as_engine(&mut scratch, a, p, &ask, &mut []), Err(Misuse::OtherIndex));
        let ask = Hiding::cover().with_query(Query::default().with_overlay(&overlay));
        assert_eq!(tactics.spots(&mut scratch, a, p, &ask, &mut found), Err(Misuse::OtherIndex));
        assert_eq!(tactics.spots_as_engine(&mut scratch, a, p, &ask, &mut []), Err(Misuse::OtherIndex));
        let nan = Point::new(f32::NAN, 0.0, 0.0);
        assert_eq!(tactics.spots(&mut scratch, a, nan, &Hiding::any(), &mut found), Err(Misuse::NotFinite));
        assert_eq!(tactics.spots(&mut scratch, a, p, &Hiding::any(), &mut []), Ok(0));
        let none = Area::at(u32::MAX - 5).unwrap();
        assert_eq!(tactics.sight(none, none), Sight::Hidden);
        assert_eq!((tactics.seen(none).count(), tactics.hiding_in(none).count()), (0, 0));
        assert_eq!(tactics.add_seen([none], Sight::Partly, &mut watched), Err(Misuse::NoSuchArea(none)));
        assert_eq!(scratch.retreat(index, a, &other, &Flood::default()), Err(Misuse::OtherIndex));
        assert_eq!(scratch.exposure(index, &other), Err(Misuse::OtherIndex));
    });
    assert!(met > 0);
}

#[test]
fn an_index_without_tactics_costs_nothing_and_other_families_tell_their_marks() {
    let folder = bundled();
    let bytes = std::fs::read(folder.join("source/town.nav")).unwrap();
    let nav = SourceNav::parse(&bytes).unwrap();
    let graph = SourceGraph::new(&nav);
    let without = NavIndex::build(&graph).whole().unwrap();
    assert!(without.tactics().is_none());
    let with = NavIndex::build_with(&graph, &BuildOptions::default().tactics(true)).whole().unwrap();
    assert!(with.bytes() > without.bytes());

    let mut flat = navmap::graph::FlatGraph::of(&graph).whole().unwrap();
    let told = NavIndex::build_with(&flat, &BuildOptions::default().tactics(true)).whole().unwrap();
    let (marks, file) = (told.tactics().unwrap(), with.tactics().unwrap());
    assert_eq!(marks.hiding_places().len(), file.hiding_places().len());
    assert!(!marks.knows_sight() && marks.way_count() == 0);
    assert!(
        marks.hiding_places().all(|place| place.kinds.contains(HidingKinds::COVER) && place.id.is_none())
    );
    let a = at(&told, 0);
    assert_eq!((marks.sees(a, a), marks.sees(a, at(&told, 1))), (true, false));
    assert!(marks.hiding_places().all(|place| marks.range(&place) == 0.0));
    // A mark of no node belongs to the area under it.
    let mark = navmap::graph::Mark {
        kind: navmap::graph::MarkKind::Cover,
        node: None,
        shape: navmap::graph::MarkShape::Point(with.center(at(&with, 3)).unwrap()),
    };
    navmap::graph::Visitor::mark(&mut flat, &mark);
    let more = NavIndex::build_with(&flat, &BuildOptions::default().tactics(true)).whole().unwrap();
    assert_eq!(more.tactics().unwrap().hiding_places().len(), marks.hiding_places().len() + 1);
}
