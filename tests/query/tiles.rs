//! Tiles that join a world and leave it, against worlds of the same tiles made anew.

use navmap::format::detour::{DetourBuf, DetourNav};
use navmap::graph::Point;
use navmap::query::{Area, NavIndex, Outcome, PathScratch, Policy, Query, Refused, Slot, World};
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::{bundled, real};
use navmap_testkit::temp::Temp;
use navmap_testkit::{detour, fox};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

type Files = Vec<(PathBuf, Vec<u8>)>;

fn policy() -> Policy {
    Policy::default().with_refuse(None)
}

fn made(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Files {
    let mut files: Files = files.into_iter().map(|(name, bytes)| (name.into(), bytes)).collect();
    files.sort();
    files
}

fn of_fox() -> Files {
    let map = fox::Map { size: [4, 3], cells: 6, ..fox::Map::square(4) };
    made(map.tiles().flat_map(|tile| tile.files))
}

fn of_detour() -> Files {
    made(detour::server_map(4, 3))
}

/// The files of a folder whose names these are, in order.
fn of_folder(folder: &Path, wanted: impl Fn(&str) -> bool) -> Files {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(&wanted));
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

fn bits(p: Point) -> [u32; 3] {
    p.to_array().map(f32::to_bits)
}

/// All that is known of an area, with ids for areas.
fn about(index: &NavIndex, area: Area) -> impl PartialEq + std::fmt::Debug + use<> {
    let id = |area| index.id(area);
    let links = index.links(area);
    let links = links
        .map(|way| (id(way.to), way.kind, way.gated, way.length.to_bits(), way.charge.to_bits(), way.number));
    let mut corners = [Point::default(); 8];
    let count = index.corners(area, &mut corners);
    let incoming = index.incoming(area).map(|way| id(way.from));
    (
        (index.node(area), index.flags(area), index.place(area).map(str::to_owned)),
        index.group(area).and_then(|group| index.group_name(group)).map(str::to_owned),
        (count, corners.map(bits), index.center(area).map(bits)),
        (links.collect::<Vec<_>>(), incoming.collect::<BTreeSet<_>>()),
    )
}

/// An outcome, with ids for areas.
fn told(index: &NavIndex, outcome: Outcome) -> (Option<u32>, Option<[Option<u64>; 2]>) {
    let left = match outcome {
        Outcome::LeavesLoadedTiles { tile, at } => Some([tile, index.id(at)]),
        _ => None,
    };
    (outcome.cost().map(f32::to_bits), left)
}

fn any(index: &NavIndex, rng: &mut Rng) -> Area {
    Area::at(rng.below(index.len() as u64) as u32).unwrap()
}

/// All that an index is made of, but for the number that tells it from others.
fn made_of(index: &NavIndex) -> String {
    let mut all = format!("{index:?}");
    all.truncate(all.rfind(", stamp: ").unwrap());
    all
}

/// Asks two worlds for everything, and demands the same answers of the same parts.
fn same(ours: &World, anew: &World, rng: &mut Rng, what: &str) {
    let (a, b) = (ours.index(), anew.index());
    assert_eq!((a.len(), a.link_count()), (b.len(), b.link_count()), "{what}");
    assert!(made_of(a) == made_of(b), "{what}");
    assert_eq!(ours.findings(), anew.findings(), "{what}");
    let exits = |index: &NavIndex| {
        index.ways_out().map(|out| (index.id(out.from), out.kind, out.beyond)).collect::<Vec<_>>()
    };
    assert_eq!(exits(a), exits(b), "{what}");
    let there = |area: Area| b.by_id(a.id(area).unwrap()).unwrap();
    for area in a.areas() {
        assert_eq!(about(a, area), about(b, there(area)), "{what}: {area:?}");
    }
    for _ in 0..100 {
        let Some(center) = a.center(any(a, rng)).filter(|center| center.is_finite()) else { continue };
        let mut off = || rng.f32(-30.0, 30.0);
        let p = Point::new(center.x + off(), center.y + off() / 10.0, center.z + off());
        let under =
            |index: &NavIndex| index.ground_at(p, None).map(|(area, at)| (index.id(area), at.to_bits()));
        assert_eq!(under(a), under(b), "{what}: {p:?}");
        let near = |index: &NavIndex| {
            index
                .nearest(p, f32::INFINITY)
                .map(|near| (index.id(near.area), bits(near.point), near.distance.to_bits()))
        };
        assert_eq!(near(a), near(b), "{what}: {p:?}");
    }
    let (mut first, mut second) = (PathScratch::new(a), PathScratch::new(b));
    for round in 0..60 {
        let (from, to) = (any(a, rng), any(a, rng));
        assert_eq!(a.reachable(from, to), b.reachable(there(from), there(to)), "{what}");
        assert_eq!(a.mutual(from, to), b.mutual(there(from), there(to)), "{what}");
        let query = if round % 2 == 0 { Query::default() } else { Query::shortest() };
        let ways = [
            told(a, first.path(a, from, to, &query).unwrap()),
            told(b, second.path(b, there(from), there(to), &query).unwrap()),
        ];
        assert_eq!(ways[0], ways[1], "{what}: {from:?} to {to:?}");
        let steps = first.areas().map(|area| a.id(area)).eq(second.areas().map(|area| b.id(area)));
        assert!(steps, "{what}: {from:?} to {to:?}");
    }
}

/// Lets files leave and join at random, and compares after each step.
fn at_random(files: &[(PathBuf, Vec<u8>)], steps: usize, what: &str) {
    let mut rng = Rng(97);
    let mut there: BTreeSet<usize> = (0..files.len()).collect();
    let mut world = World::from_tiles(files.iter().cloned(), &policy()).unwrap();
    let (mut joined, mut left) = (0, 0);
    for step in 0..steps {
        let at = rng.below(files.len() as u64) as usize;
        let (path, bytes) = &files[at];
        // The parameters of a server's map are no tile, and say nothing without one.
        let head = |at: usize| files[at].0.extension().is_some_and(|end| end == "mmap");
        let tiles = there.iter().filter(|at| !head(**at)).count();
        if there.contains(&at) {
            if head(at) || tiles < 3 {
                continue;
            }
            there.remove(&at);
            world = world.without_tile(path.file_name().unwrap(), &policy()).unwrap();
            left += 1;
        } else {
            there.insert(at);
            world = world.with_tile(path.file_name().unwrap(), bytes.clone(), &policy()).unwrap();
            joined += 1;
        }
        let anew = World::from_tiles(there.iter().map(|at| files[*at].clone()), &policy()).unwrap();
        same(&world, &anew, &mut rng, &format!("{what}, step {step}"));
        assert!(world.tiles().eq(there.iter().map(|at| files[*at].0.as_path())), "{what}, step {step}");
    }
    assert!(joined > 0 && left > 0, "{what}: {joined} joined, {left} left");
    // What is left is also what a folder with these files is.
    let temp = Temp::new("tiles-at-random");
    for at in &there {
        temp.file(files[*at].0.file_name().unwrap(), &files[*at].1);
    }
    same(&world, &World::open(temp.path(), &policy()).unwrap(), &mut rng, what);
}

#[test]
fn whatever_joined_and_left_answers_are_those_of_the_same_tiles_made_anew() {
    at_random(&of_fox(), 40, "fox");
    at_random(&of_detour(), 40, "detour");
    let Some(folder) = real() else { return };
    at_random(&of_folder(&folder.join("fox/ssav"), |name| !name.contains("boss")), 16, "fox/ssav");
    let servers = folder.join("detour/client-derived/mmap-v4");
    at_random(&of_folder(&servers, |name| name.starts_with("034")), 16, "detour/034");
}

#[test]
fn tiles_far_from_one_that_joins_or_leaves_are_shared() {
    let fox = fox::Map { cells: 2, ..fox::Map::square(8) };
    let maps = [
        ("plain_105_105_nav.nav2", made(fox.tiles().flat_map(|tile| tile.files))),
        ("0012827.mmtile", made(detour::server_map(8, 8))),
    ];
    for (name, files) in maps {
        let mut rng = Rng(100);
        let world = World::from_tiles(files.iter().cloned(), &policy()).unwrap();
        assert_eq!(world.tiles_shared(&world), 64, "{name}");
        let torn = world.without_tile(name, &policy()).unwrap();
        // The eight around it lead elsewhere now.
        assert_eq!(torn.tiles_shared(&world), 64 - 9, "{name}");
        let (_, bytes) = files.iter().find(|(path, _)| path == Path::new(name)).unwrap();
        let back = torn.with_tile(name, bytes.clone(), &policy()).unwrap();
        assert_eq!(back.tiles_shared(&torn), 64 - 9, "{name}");
        same(&back, &world, &mut rng, name);
    }
}

#[test]
fn a_tile_that_joins_twice_has_the_later_bytes() {
    let (files, mut rng) = (of_fox(), Rng(98));
    let other = fox::Map { size: [4, 3], cells: 4, ..fox::Map::square(4) };
    let (name, bytes) = other.tile(1, 1).files.remove(0);
    let world = World::from_tiles(files.iter().cloned(), &policy()).unwrap();
    let changed = world.with_tile(&name, bytes.clone(), &policy()).unwrap();
    assert_ne!(changed.index().len(), world.index().len());
    let mut all = files;
    all.retain(|(path, _)| path != Path::new(&name));
    all.push((name.into(), bytes));
    same(&changed, &World::from_tiles(all, &policy()).unwrap(), &mut rng, "changed");
}

#[test]
fn changes_of_a_slot_by_many_threads_are_all_kept() {
    let (files, mut rng) = (of_fox(), Rng(99));
    let (first, rest) = files.split_at(3);
    let start = first.to_vec();
    let slot = Slot::with(move || World::from_tiles(start.iter().cloned(), &policy())).unwrap();
    std::thread::scope(|scope| {
        let slot = &slot;
        for part in rest.chunks(rest.len().div_ceil(3)) {
            scope.spawn(move || {
                for (path, bytes) in part {
                    slot.change(|world| world.with_tile(path, bytes.clone(), &policy())).unwrap();
                }
            });
        }
    });
    let world = slot.load();
    assert_eq!(world.generation(), 1 + rest.len() as u64);
    same(&world, &World::from_tiles(files.iter().cloned(), &policy()).unwrap(), &mut rng, "slot");
    // A change that fails changes nothing, and is told as a failed reload is.
    assert!(slot.change(|world| world.without_tile("nowhere.nav2", &policy())).is_err());
    assert_eq!((slot.failures(), slot.load().generation()), (1, world.generation()));
    assert!(slot.last_failure().unwrap().contains("nowhere.nav2"));
}

#[test]
fn what_cannot_join_or_leave_is_refused() {
    let files = of_fox();
    let world = World::from_tiles(files[..1].iter().cloned(), &policy()).unwrap();
    let (name, bytes) = &files[1];
    let said = |refused: Result<World, Refused>| refused.unwrap_err().to_string();
    let mut cut = bytes.clone();
    cut.truncate(20);
    let cases = [
        (said(world.with_tile("tile.txt", bytes.clone(), &policy())), "not the name of a tile"),
        (said(world.with_tile("other_101_102_nav.nav2", bytes.clone(), &policy())), "is of map other_nav"),
        (said(world.with_tile(name, cut, &policy())), "101_102"),
        (said(world.without_tile(name, &policy())), "is not there"),
        (said(world.without_tile(&files[0].0, &policy())), "none is left"),
        (said(World::from_tiles([], &policy())), "no name is that of a tile"),
    ];
    for (said, wanted) in cases {
        assert!(said.contains(wanted), "{said}");
    }
    let town = World::open(bundled().join("source/town.nav"), &policy()).unwrap();
    assert!(said(town.with_tile(name, bytes.clone(), &policy())).contains("does not keep its tiles"));
    assert_eq!((town.tiles().count(), world.tiles().count()), (0, 1));
}

#[test]
fn a_tile_of_a_set_in_one_file_comes_and_goes_with_a_file_that_is_written_anew() {
    let bytes = std::fs::read(bundled().join("detour/set.navmesh")).unwrap();
    let of = |bytes: &[u8]| World::from_bytes("set.navmesh", bytes.to_vec(), &policy()).unwrap();
    let (world, mut rng) = (of(&bytes), Rng(101));
    let said = world.with_tile("tile.navmesh", bytes.clone(), &policy()).unwrap_err().to_string();
    assert!(said.contains("does not keep its tiles"), "{said}");
    let mut set = DetourBuf::try_from(&DetourNav::parse(&bytes).unwrap()).unwrap();
    let tile = set.tiles.remove(1);
    let less = of(&set.encode().unwrap());
    assert!(!less.index().is_empty() && less.index().len() < world.index().len());
    set.tiles.insert(1, tile);
    same(&of(&set.encode().unwrap()), &world, &mut rng, "set");
}
