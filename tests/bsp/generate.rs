//! Meshes generated from real maps, held against those that the games made.

use crate::WORLD;
use navmap::bsp::BspMap;
use navmap::format::source::generate::{Game, GenerateOptions, Progress, generate};
use navmap::format::source::{AreaBuf, AreaId, Attributes, Direction, SourceBuf, SourceNav};
use navmap_testkit::bsp::{Brush, gold, room, source};
use navmap_testkit::corpus::real;
use std::collections::{BTreeMap, HashMap, HashSet};

/// So many of so many.
#[derive(Clone, Copy, Default)]
pub(crate) struct Share(pub(crate) usize, pub(crate) usize);

impl Share {
    pub(crate) fn add(&mut self, other: Self) {
        *self = Self(self.0 + other.0, self.1 + other.1);
    }

    pub(crate) fn percent(self) -> f64 {
        if self.1 == 0 { 100.0 } else { 100.0 * self.0 as f64 / self.1 as f64 }
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{} {:.2} %", self.0, self.1, self.percent())
    }
}

/// Areas by the cells of 128 units that they reach into.
fn cells(mesh: &SourceBuf) -> HashMap<(i32, i32), Vec<&AreaBuf>> {
    let mut cells: HashMap<(i32, i32), Vec<&AreaBuf>> = HashMap::new();
    for area in &mesh.areas {
        let ([x0, y0, _], [x1, y1, _]) = (area.shape.north_west(), area.shape.south_east());
        let of = |v: f32| (v / 128.0).floor() as i32;
        for x in of(x0)..=of(x1) {
            for y in of(y0)..=of(y1) {
                cells.entry((x, y)).or_default().push(area);
            }
        }
    }
    cells
}

/// How much of the surface of one mesh lies on that of another: samples 25 units apart, no more than 18 above or below.
pub(crate) fn on(one: &SourceBuf, other: &SourceBuf) -> Share {
    let cells = cells(other);
    let mut share = Share::default();
    for area in &one.areas {
        let ([x0, y0, _], [x1, y1, _]) = (area.shape.north_west(), area.shape.south_east());
        let samples = |low: f32, high: f32| {
            std::iter::successors(Some(low + 12.5), |v| Some(v + 25.0)).take_while(move |v| *v < high)
        };
        for y in samples(y0, y1) {
            for x in samples(x0, x1) {
                let z = area.shape.height_at(x, y);
                let cell = ((x / 128.0).floor() as i32, (y / 128.0).floor() as i32);
                let near = |area: &&AreaBuf| {
                    area.shape.contains_xy(x, y) && (area.shape.height_at(x, y) - z).abs() <= 18.0
                };
                let found = cells.get(&cell).is_some_and(|areas| areas.iter().any(near));
                share.add(Share(found.into(), 1));
            }
        }
    }
    share
}

/// The areas of two meshes that are the same rectangle, heights within 4.
fn same<'m>(one: &'m SourceBuf, other: &'m SourceBuf) -> Vec<(&'m AreaBuf, &'m AreaBuf)> {
    let key = |area: &AreaBuf| {
        let ([x0, y0, _], [x1, y1, _]) = (area.shape.north_west(), area.shape.south_east());
        [x0, y0, x1, y1].map(|v| (v * 8.0).round() as i64)
    };
    let mut by_key: HashMap<[i64; 4], Vec<&AreaBuf>> = HashMap::new();
    other.areas.iter().for_each(|area| by_key.entry(key(area)).or_default().push(area));
    let matches = |area: &&'m AreaBuf| {
        let others = by_key.get(&key(area))?;
        others.iter().copied().find(|other| {
            let mut corners = area.shape.corners().into_iter().zip(other.shape.corners());
            corners.all(|(a, b)| (a[2] - b[2]).abs() <= 4.0)
        })
    };
    one.areas.iter().filter_map(|area| Some((area, matches(&area)?))).collect()
}

/// Links between areas that both meshes have: found of those stored, and right of those made.
fn links(pairs: &[(&AreaBuf, &AreaBuf)]) -> [Share; 2] {
    let ours: HashMap<AreaId, AreaId> = pairs.iter().map(|(old, new)| (new.id, old.id)).collect();
    let known: HashSet<AreaId> = pairs.iter().map(|(old, _)| old.id).collect();
    let (mut found, mut right) = (Share::default(), Share::default());
    for (old, new) in pairs {
        for direction in Direction::ALL {
            let stored: HashSet<AreaId> =
                old.connections(direction).iter().copied().filter(|id| known.contains(id)).collect();
            let made: HashSet<AreaId> =
                new.connections(direction).iter().filter_map(|id| ours.get(id).copied()).collect();
            let both = stored.intersection(&made).count();
            found.add(Share(both, stored.len()));
            right.add(Share(both, made.len()));
        }
    }
    [found, right]
}

/// A generated mesh held against that of the game.
struct Compared {
    areas: [usize; 2],
    found: Share,
    surplus: Share,
    same: Share,
    links: [Share; 2],
}

fn compared(name: &str, game: Game) -> Compared {
    let path = real().unwrap().join("bsp");
    let bytes = std::fs::read(path.join(format!("{name}.bsp"))).unwrap();
    let map = BspMap::parse(&bytes).unwrap();
    let stored = std::fs::read(path.join(format!("{name}.nav"))).unwrap();
    let stored = SourceBuf::read(&SourceNav::parse(&stored).unwrap()).unwrap();
    let mut options = GenerateOptions::new(game);
    options.seeds = map.seeds(game).unwrap();
    options.ladders = map.ladders();
    let (ours, report) = generate(&map, &options).unwrap();
    assert_eq!(report.areas as usize, ours.areas.len());
    let pairs = same(&stored, &ours);
    Compared {
        areas: [ours.areas.len(), stored.areas.len()],
        found: on(&stored, &ours),
        surplus: on(&ours, &stored),
        same: Share(pairs.len(), stored.areas.len()),
        links: links(&pairs),
    }
}

pub(crate) fn pairs(engine: &str) -> Vec<String> {
    let Some(corpus) = real() else { return Vec::new() };
    let text = std::fs::read_to_string(corpus.join("bsp/MANIFEST.tsv")).unwrap();
    let names = text.lines().skip(1).map(|line| line.split('\t').next().unwrap().to_owned());
    names.filter(|name| name.starts_with(engine)).collect()
}

/// Generates each mesh of an engine, and prints how far it agrees.
fn all(engine: &str, game: impl Fn(&str) -> Game) -> (BTreeMap<String, Compared>, [Share; 5]) {
    let mut by_name = BTreeMap::new();
    let mut totals = [Share::default(); 5];
    for name in pairs(engine) {
        let pair = compared(&name, game(&name));
        let Compared { areas: [ours, stored], found, surplus, same, links: [have, right] } = &pair;
        println!(
            "{name}: {ours} areas, the game made {stored}; found {found}, on the game's {surplus}, same {same}, links found {have}, right {right}"
        );
        for (total, own) in totals.iter_mut().zip([*found, *surplus, *same, *have, *right]) {
            total.add(own);
        }
        by_name.insert(name, pair);
    }
    let [found, surplus, same, have, right] = totals;
    println!(
        "{engine}: found {found}, on the game's {surplus}, same {same}, links found {have}, right {right}"
    );
    (by_name, totals)
}

#[test]
fn meshes_of_goldsrc_are_generated_as_the_game_did() {
    let (by_name, [found, surplus, same, have, right]) = all("goldsrc", |_| Game::ConditionZero);
    if by_name.is_empty() {
        return;
    }
    for (name, pair) in &by_name {
        assert!(pair.found.percent() >= 98.0, "{name}: {}", pair.found);
    }
    assert!(found.percent() >= 99.5 && same.percent() >= 93.0, "{found}, {same}");
    assert!(have.percent() >= 98.0 && right.percent() >= 98.0 && surplus.percent() >= 90.0);
}

/// Whose mesh a pair of Source has.
pub(crate) fn game_of(name: &str) -> Game {
    match name.rsplit('/').next().unwrap() {
        "gg_bk_courtyard_v1" | "gg_lego_arena" => Game::CounterStrikeSource,
        "siob_debugtest" => Game::TeamFortress,
        "fof_quad" => Game::GarrysMod,
        _ => Game::CounterStrikeGo,
    }
}

#[test]
fn meshes_of_source_are_generated_as_the_games_did() {
    let (by_name, [found, _, same, have, right]) = all("source", game_of);
    if by_name.is_empty() {
        return;
    }
    for (name, pair) in &by_name {
        let (least, least_surplus) = match name.rsplit('/').next().unwrap() {
            // Its ground is static props in part, whose shapes are not in the map.
            "gg_bk_courtyard_v1" => (99.0, 70.0),
            // Its author has deleted what stands alone.
            "siob_debugtest" => (99.5, 80.0),
            _ => (99.5, 98.0),
        };
        assert!(pair.found.percent() >= least, "{name}: {}", pair.found);
        assert!(pair.surplus.percent() >= least_surplus, "{name}: {}", pair.surplus);
    }
    assert!(found.percent() >= 99.5 && same.percent() >= 46.5, "{found}, {same}");
    assert!(have.percent() >= 99.0 && right.percent() >= 98.0, "{have}, {right}");
}

/// A floor with a step of planks up to a platform, and a ramp beside them.
fn stairs(rise: f32) -> Vec<Brush> {
    let mut brushes = vec![Brush::solid([-300.0, -300.0, -32.0], [300.0, 300.0, 0.0])];
    for step in 0..10_u8 {
        let x = -100.0 + 20.0 * f32::from(step);
        let top = rise * f32::from(step + 1);
        brushes.push(Brush::solid([x, -100.0, 0.0], [x + 20.0, 100.0, top]));
    }
    brushes.push(Brush::solid([100.0, -100.0, 0.0], [300.0, 100.0, rise * 10.0]));
    brushes
}

fn made(game: Game, bytes: &[u8], seed: [f32; 3]) -> SourceBuf {
    let map = BspMap::parse(bytes).unwrap();
    let mut options = GenerateOptions::new(game);
    options.seeds = vec![seed];
    options.ladders = map.ladders();
    generate(&map, &options).unwrap().0
}

const GAMES: [Game; 4] =
    [Game::CounterStrikeSource, Game::CounterStrikeGo, Game::TeamFortress, Game::GarrysMod];

#[test]
fn a_floor_becomes_one_area_up_to_the_last_node_before_its_edge() {
    let floor = vec![Brush::solid([-110.0, -160.0, -32.0], [310.0, 240.0, 0.0])];
    for game in Game::ALL {
        let bytes = if game.is_gold() {
            gold(std::slice::from_ref(&floor), WORLD)
        } else {
            source(20, std::slice::from_ref(&floor), WORLD)
        };
        let mesh = made(game, &bytes, [0.0, 0.0, 40.0]);
        let corners: Vec<_> = mesh.areas.iter().map(|area| area.shape.corners()).collect();
        let [[nw, _, se, _]] = corners.as_slice() else { panic!("{game}: {corners:?}") };
        assert_eq!([nw[0], nw[1], se[0], se[1]], [-100.0, -150.0, 300.0, 225.0], "{game}");
        assert!((nw[2] - 0.03).abs() < 0.01 && (se[2] - 0.03).abs() < 0.01, "{game}");
    }
}

#[test]
fn the_area_behind_one_that_was_cut_is_passed_over_by_the_later_games() {
    // Two strips of six cells by forty-one.
    let strip = |x: f32| Brush::solid([x, -510.0, -32.0], [x + 160.0, 540.0, 0.0]);
    let bytes = source(20, &[vec![strip(-10.0), strip(490.0)]], WORLD);
    let map = BspMap::parse(&bytes).unwrap();
    for game in GAMES {
        let mut options = GenerateOptions::new(game);
        options.seeds = vec![[50.0, 0.0, 40.0], [550.0, 0.0, 40.0]];
        let (mesh, _) = generate(&map, &options).unwrap();
        let whole = mesh.areas.iter().filter(|area| {
            let [x, y] = area.shape.extent();
            y > 3.01 * x
        });
        assert_eq!(whole.count(), usize::from(game != Game::CounterStrikeSource), "{game}");
    }
}

#[test]
fn stairs_are_marked_where_the_game_marks_them() {
    let bytes = source(20, &[stairs(10.0)], WORLD);
    for game in GAMES {
        let mesh = made(game, &bytes, [-250.0, 0.0, 40.0]);
        let marked = mesh.areas.iter().filter(|area| area.attributes.contains(Attributes::STAIRS));
        let middles: Vec<[f32; 3]> = marked.map(|area| area.shape.center()).collect();
        assert_eq!(middles.is_empty(), game == Game::CounterStrikeSource, "{game}: {middles:?}");
        assert!(middles.iter().all(|[x, y, _]| x.abs() <= 100.0 && y.abs() <= 100.0), "{game}: {middles:?}");
        // What stands on the floor gets onto the platform, and back.
        assert!(mesh.areas.iter().any(|area| area.shape.center()[2] > 99.0), "{game}");
    }
}

#[test]
fn two_points_of_half_life_2_are_no_ladder() {
    let floor = vec![Brush::solid([-300.0, -300.0, -32.0], [300.0, 300.0, 0.0])];
    let points = "{\n\"classname\" \"func_useableladder\"\n\"point0\" \"0 0 8\"\n\"point1\" \"0 0 200\"\n}\n";
    let bytes = source(20, &[floor], &format!("{WORLD}{points}"));
    assert_eq!(BspMap::parse(&bytes).unwrap().ladders().len(), 0);
    for game in GAMES {
        assert_eq!(made(game, &bytes, [-250.0, 0.0, 40.0]).ladders.len(), 0, "{game}");
    }
}

#[test]
fn a_slope_that_nobody_walks_is_kept_as_a_jump_or_bridged() {
    // A bank of 30 on a run of 25: steeper than 45 degrees.
    let brushes = vec![
        Brush::solid([-300.0, -300.0, -32.0], [300.0, 300.0, 0.0]),
        Brush::solid([25.0, -300.0, 0.0], [300.0, 300.0, 30.0]),
    ];
    let bytes = source(20, &[brushes], WORLD);
    for game in GAMES {
        let mesh = made(game, &bytes, [-250.0, 0.0, 40.0]);
        let jumps = mesh.areas.iter().filter(|area| area.attributes.contains(Attributes::JUMP)).count();
        assert_eq!(jumps > 0, game == Game::CounterStrikeSource, "{game}");
        if jumps == 0 {
            let high =
                |id: &AreaId| mesh.areas.iter().any(|area| area.id == *id && area.shape.center()[2] > 29.0);
            let low = mesh.areas.iter().filter(|area| area.shape.center()[2] < 1.0);
            let up = low.flat_map(|area| area.connections(Direction::East)).filter(|id| high(id)).count();
            assert!(up > 0, "{game}");
        }
    }
}

/// The areas that can be reached from the one whose middle lies farthest west.
fn reached(mesh: &SourceBuf) -> HashSet<AreaId> {
    let first = mesh.areas.iter().min_by(|a, b| a.shape.center()[0].total_cmp(&b.shape.center()[0])).unwrap();
    let mut found = HashSet::from([first.id]);
    let mut stack = vec![first.id];
    while let Some(id) = stack.pop() {
        let area = mesh.areas.iter().find(|area| area.id == id).unwrap();
        stack.extend(area.all_connections().map(|(_, to)| to).filter(|to| found.insert(*to)));
    }
    found
}

#[test]
fn fences_have_areas_on_top_over_which_the_way_leads() {
    // As high as one climbs in every game, between two rows of nodes.
    let brushes = vec![
        Brush::solid([-300.0, -100.0, -32.0], [300.0, 100.0, 0.0]),
        Brush::solid([8.0, -100.0, 0.0], [16.0, 100.0, 40.0]),
    ];
    let bytes = source(20, &[brushes], WORLD);
    for game in GAMES {
        let mesh = made(game, &bytes, [-250.0, 0.0, 40.0]);
        let tops: Vec<&AreaBuf> =
            mesh.areas.iter().filter(|area| area.attributes.contains(Attributes::OBSTACLE_TOP)).collect();
        assert_eq!(tops.is_empty(), game == Game::CounterStrikeSource, "{game}");
        for top in &tops {
            let ([x, _, z], [wide, _]) = (top.shape.center(), top.shape.extent());
            assert!(
                (0.0..=25.0).contains(&x) && (40.0..=42.0).contains(&z) && wide == 10.0,
                "{game}: {x} {z} {wide}"
            );
            assert!(top.attributes.contains(Attributes::NO_MERGE), "{game}");
            assert!(
                top.connections(Direction::North).is_empty() && top.connections(Direction::South).is_empty()
            );
        }
        assert_eq!(reached(&mesh).len(), mesh.areas.len(), "{game}: one gets over the fence");
    }
}

#[test]
fn the_top_of_a_fence_lies_where_it_is_highest() {
    let brushes = vec![
        Brush::solid([-100.0, -300.0, -32.0], [100.0, 300.0, 0.0]),
        Brush::solid([-100.0, 2.0, 0.0], [100.0, 22.0, 21.0]),
        Brush::solid([-100.0, 10.0, 0.0], [100.0, 14.0, 40.0]),
    ];
    let mesh = made(Game::TeamFortress, &source(20, &[brushes], WORLD), [0.0, -250.0, 40.0]);
    let tops = mesh.areas.iter().filter(|area| area.attributes.contains(Attributes::OBSTACLE_TOP));
    let middles: Vec<f32> = tops.map(|top| top.shape.center()[1]).collect();
    assert!(!middles.is_empty() && middles.iter().all(|y| (8.0..=16.0).contains(y)), "{middles:?}");
}

#[test]
fn one_crouches_under_a_beam_from_where_a_human_touches_it() {
    // 12 behind a row of nodes: half a human is 16 wide.
    let brushes = vec![
        Brush::solid([-300.0, -100.0, -32.0], [300.0, 100.0, 0.0]),
        Brush::solid([112.0, -100.0, 60.0], [160.0, 100.0, 160.0]),
    ];
    let bytes = source(20, &[brushes], WORLD);
    for game in GAMES {
        let mesh = made(game, &bytes, [-250.0, 0.0, 40.0]);
        let low = mesh.areas.iter().filter(|area| area.attributes.contains(Attributes::CROUCH));
        let west = low.map(|area| area.shape.north_west()[0]).reduce(f32::min);
        assert_eq!(west, Some(100.0), "{game}");
    }
}

#[test]
fn areas_that_touch_at_a_corner_are_joined_by_small_ones() {
    let square = |x: f32, y: f32, side: f32| Brush::solid([x, y, -32.0], [x + side, y + side, 0.0]);
    let floors = |small: bool| {
        let mut all = vec![square(-200.0, -200.0, 200.0), square(0.0, 0.0, 200.0)];
        if small {
            all.extend([square(0.0, -20.0, 20.0), square(-20.0, 0.0, 20.0)]);
        }
        source(20, &[all], WORLD)
    };
    for game in GAMES {
        let mesh = made(game, &floors(true), [-100.0, -100.0, 40.0]);
        let sides = |area: &AreaBuf| area.shape.extent();
        let helpers: Vec<&AreaBuf> = mesh.areas.iter().filter(|area| sides(area) == [12.5, 12.5]).collect();
        let expected = if game == Game::CounterStrikeSource { 0 } else { 2 };
        assert_eq!((mesh.areas.len() - helpers.len(), helpers.len()), (2, expected), "{game}");
        for helper in &helpers {
            assert_eq!(helper.all_connections().count(), 2, "{game}: {helper:?}");
            for (way, to) in helper.all_connections() {
                let other = mesh.areas.iter().find(|area| area.id == to).unwrap();
                assert!(other.connections(way.opposite()).contains(&helper.id), "{game}");
            }
        }
        assert_eq!(reached(&mesh).len(), if helpers.is_empty() { 1 } else { 4 }, "{game}");
        // Where there is nothing to walk on beside the corner, there is no help.
        assert_eq!(made(game, &floors(false), [-100.0, -100.0, 40.0]).areas.len(), 2, "{game}");
    }
}

#[test]
fn ladders_join_floors_that_no_step_joins() {
    let room = vec![
        Brush::solid([-300.0, -300.0, -32.0], [300.0, 300.0, 0.0]),
        Brush::solid([100.0, -300.0, 0.0], [300.0, 300.0, 300.0]),
    ];
    let ladder = vec![Brush::solid([92.0, -16.0, 0.0], [100.0, 16.0, 300.0])];
    let entity = "{ \"classname\" \"func_ladder\" \"model\" \"*1\" }\n{ \"classname\" \"info_ladder\" \"mins.x\" \"92\" \"mins.y\" \"-16\" \"mins.z\" \"0\" \"maxs.x\" \"100\" \"maxs.y\" \"16\" \"maxs.z\" \"300\" }\n";
    let [gold_entities, source_entities] =
        [0, 1].map(|at| WORLD.to_owned() + entity.lines().nth(at).unwrap());
    // The boxes of models of GoldSrc maps of the kit are the whole world: only the other engine has the ladder's.
    let bytes = gold(&[room.clone(), ladder], &gold_entities);
    assert_eq!(BspMap::parse(&bytes).unwrap().ladders().len(), 1);
    let bytes = source(20, &[room], &source_entities);
    for game in GAMES {
        let mesh = made(game, &bytes, [-250.0, 0.0, 40.0]);
        let [ladder] = mesh.ladders.as_slice() else { panic!("{game}: {:?}", mesh.ladders) };
        let ladder = &ladder.ladder;
        assert_eq!((ladder.direction(), ladder.width()), (Some(Direction::West), 32.0), "{game}");
        let [top, bottom] = [ladder.top_forward(), ladder.bottom_area()];
        let height =
            |id: AreaId| mesh.areas.iter().find(|area| area.id == id).map(|area| area.shape.center()[2]);
        assert!(height(top).is_some_and(|z| z > 299.0) && height(bottom).is_some_and(|z| z < 1.0), "{game}");
        let lists = |id: AreaId, up: bool| {
            let area = mesh.areas.iter().find(|area| area.id == id).unwrap();
            if up { area.ladders_up.contains(&ladder.id()) } else { area.ladders_down.contains(&ladder.id()) }
        };
        assert!(lists(bottom, true) && lists(top, false) && !lists(top, true), "{game}");
    }
}

#[test]
fn a_stopped_generation_is_an_error_and_too_many_nodes_are_told() {
    let bytes = gold(&[room()], WORLD);
    let map = BspMap::parse(&bytes).unwrap();
    let progress = Progress::default();
    progress.stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let mut options = GenerateOptions::new(Game::ConditionZero);
    options.seeds = vec![[0.0, 0.0, 40.0]];
    let error =
        generate(&map, &GenerateOptions { progress: Some(&progress), ..options.clone() }).unwrap_err();
    assert!(
        matches!(error.kind(), navmap::ErrorKind::Io(io) if io.kind() == std::io::ErrorKind::Interrupted)
    );
    let error = generate(&map, &GenerateOptions { most_nodes: 100, ..options.clone() }).unwrap_err();
    assert!(error.to_string().contains("nodes of the map") && error.to_string().contains("100"), "{error}");
    let error = generate(&map, &GenerateOptions { seeds: vec![[0.0, 0.0, -5000.0]], ..options }).unwrap_err();
    assert!(error.to_string().contains("nobody can stand"), "{error}");
}
