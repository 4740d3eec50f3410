//! Meshes generated from real maps, held against those that the games made.

use navmap::bsp::BspMap;
use navmap::format::source::generate::{Game, Options, generate};
use navmap::format::source::{AreaBuf, AreaId, Direction, SourceBuf, SourceNav};
use navmap_testkit::corpus::real;
use std::collections::{BTreeMap, HashMap, HashSet};

/// So many of so many.
#[derive(Clone, Copy, Default)]
struct Share(usize, usize);

impl Share {
    fn add(&mut self, other: Self) {
        *self = Self(self.0 + other.0, self.1 + other.1);
    }

    fn percent(self) -> f64 {
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
fn on(one: &SourceBuf, other: &SourceBuf) -> Share {
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
    let mut options = Options::new(game);
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

fn pairs(engine: &str) -> Vec<String> {
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
    assert!(found.percent() >= 99.5 && same.percent() >= 80.0, "{found}, {same}");
    assert!(have.percent() >= 98.0 && right.percent() >= 98.0 && surplus.percent() >= 90.0);
}

/// Whose mesh a pair of Source has.
fn game_of(name: &str) -> Game {
    match name.rsplit('/').next().unwrap() {
        "gg_bk_courtyard_v1" | "gg_lego_arena" => Game::CounterStrikeSource,
        "siob_debugtest" => Game::TeamFortress,
        "fof_quad" => Game::GarrysMod,
        _ => Game::CounterStrikeGo,
    }
}

#[test]
fn meshes_of_source_are_generated_as_the_games_did() {
    let (by_name, _) = all("source", game_of);
    for (name, pair) in &by_name {
        // Its ground is static props, whose shapes are not in the map.
        let least = if name.ends_with("gg_bk_courtyard_v1") { 90.0 } else { 99.5 };
        assert!(pair.found.percent() >= least, "{name}: {}", pair.found);
    }
}
