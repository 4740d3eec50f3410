//! Worlds that are swapped while they are asked.

use navmap::graph::Point;
use navmap::query::{Cost, Filter, Flood, Hiding, PathScratch, Policy, Query, Refused, Slot, World};
use navmap_testkit::source::{Area, Mesh, write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

/// A row of areas 100 wide; `shift` says where it begins, so that every world has answers of its own.
fn row(count: u32, shift: f32) -> Vec<u8> {
    let area = |at: u32| {
        let x = shift + (at - 1) as f32 * 100.0;
        let east = if at < count { vec![at + 1] } else { vec![] };
        let west = if at > 1 { vec![at - 1] } else { vec![] };
        Area {
            id: at,
            nw: [x, 0.0, 0.0],
            se: [x + 100.0, 100.0, 0.0],
            connections: [vec![], east, vec![], west],
            ..Area::default()
        }
    };
    write(&Mesh {
        version: 16,
        subversion: Some(0),
        analyzed: 1,
        areas: (1..=count).map(area).collect(),
        ..Mesh::default()
    })
}

pub(crate) fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("navmap-swap-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Whether a world answers as the one that it is: rows are told by their length.
fn right(world: &World, scratch: &mut PathScratch) -> bool {
    let index = world.index();
    let shift = index.len() as f32 * 7.0;
    scratch.fit(index);
    let at = |x: f32| index.area_at(Point::new(shift + x, 50.0, 10.0), None);
    let last = index.len() as f32 * 100.0 - 50.0;
    let (Some(a), Some(b)) = (at(50.0), at(last)) else { return false };
    let ids = (index.id(a), index.id(b)) == (Some(1), Some(index.len() as u64));
    let cost = scratch.path(index, a, b, &Query::default()).unwrap().cost();
    // Sums of hundreds are exact; the least growth of a link never is more than its length.
    ids && cost == Some(last - 50.0)
        && index.nearest(Point::new(shift - 30.0, 50.0, 0.0), 1e4).is_some_and(|n| n.area == a)
}

#[test]
fn what_is_shared_can_be_shared_and_a_scratch_goes_with_its_thread() {
    fn shared<T: Send + Sync + 'static>() {}
    fn sent<T: Send + 'static>() {}
    shared::<navmap::query::NavIndex>();
    shared::<navmap::query::Levels>();
    shared::<World>();
    shared::<Slot>();
    shared::<(Query, Filter, Cost)>();
    shared::<(Flood, Hiding)>();
    sent::<PathScratch>();
}

pub(crate) fn made(count: u32) -> Vec<u8> {
    row(count, count as f32 * 7.0)
}

#[test]
fn readers_get_right_answers_while_worlds_are_swapped_every_few_milliseconds() {
    let counts = [5u32, 60, 17, 130];
    let turn = AtomicU64::new(0);
    let slot = Slot::with(move || {
        let count = counts[turn.fetch_add(1, Ordering::Relaxed) as usize % counts.len()];
        World::from_bytes("made.nav", made(count), &Policy::default())
    });
    let slot = Arc::new(slot.unwrap());
    let stop = AtomicBool::new(false);
    let (asked, wrong, backward) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for reader in 0..2 {
            let (slot, stop, asked, wrong, backward) = (&slot, &stop, &asked, &wrong, &backward);
            scope.spawn(move || {
                let mut cached = slot.reader();
                let mut scratch = PathScratch::new(slot.load().index());
                let mut last = 0;
                while !stop.load(Ordering::Relaxed) {
                    let world = if reader == 0 { slot.load() } else { Arc::clone(cached.world()) };
                    backward.fetch_add(u64::from(world.generation() < last), Ordering::Relaxed);
                    last = world.generation();
                    wrong.fetch_add(u64::from(!right(&world, &mut scratch)), Ordering::Relaxed);
                    asked.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        // Two seconds, or on a busy machine as long as it takes until enough has happened.
        let (end, late) =
            (Instant::now() + Duration::from_secs(2), Instant::now() + Duration::from_secs(120));
        let few = || asked.load(Ordering::Relaxed) <= 100 || slot.load().generation() <= 20;
        while Instant::now() < end || few() && Instant::now() < late {
            slot.reload().unwrap();
            std::thread::sleep(Duration::from_millis(5));
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!((wrong.into_inner(), backward.into_inner()), (0, 0));
    assert!(asked.into_inner() > 100 && slot.load().generation() > 20);
    // Nobody holds an old one: what is left is the slot's own and ours.
    let world = slot.load();
    let last = Arc::downgrade(&world);
    drop(world);
    slot.reload().unwrap();
    assert!(last.upgrade().is_none(), "the old world is gone with its last reader");
}

#[test]
fn whatever_becomes_of_the_file_the_old_world_stays() {
    let folder = folder("file");
    let path = folder.join("map.nav");
    std::fs::write(&path, made(5)).unwrap();
    let slot = Slot::open(&path, Policy::default()).unwrap();
    let mut scratch = PathScratch::new(slot.load().index());
    let whole = made(60);
    let held = slot.load().hold(slot.load().index().of_node(0).unwrap());
    let mut failures = 0;
    let bad: Vec<(&str, Vec<u8>)> = vec![
        ("truncated", whole[..whole.len() / 2].to_vec()),
        ("half written", whole[..100].iter().copied().chain(vec![0; whole.len() - 100]).collect()),
        ("empty", Vec::new()),
        ("another format", b"VBSP and then something else".to_vec()),
        ("longer", [whole.clone(), vec![0xFF; 3]].concat()),
    ];
    for (what, bytes) in bad {
        std::fs::write(&path, bytes).unwrap();
        let refused = slot.reload();
        // Bytes left over are odd, not wrong: a finding.
        if what == "longer" {
            continue;
        }
        assert!(refused.is_err(), "{what}");
        failures += 1;
        assert_eq!(slot.failures(), failures);
        assert!(slot.last_failure().is_some());
        assert!(right(&slot.load(), &mut scratch), "{what}");
        assert_eq!(slot.load().generation(), 1, "{what}");
    }
    std::fs::remove_file(&path).unwrap();
    assert!(matches!(slot.reload(), Err(Refused::Unreadable(_))));
    std::fs::write(folder.join("new"), whole).unwrap();
    std::fs::rename(folder.join("new"), &path).unwrap();
    let generation = slot.reload().unwrap();
    assert_eq!((slot.load().generation(), slot.last_failure()), (generation, None));
    assert!(right(&slot.load(), &mut scratch) && slot.load().index().len() == 60);
    // What was found in the old world is refused by the new one.
    let stale = slot.load().held(held).unwrap_err();
    assert_eq!((stale.held, stale.world), (1, generation));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_failed_last_is_told_while_a_world_is_loaded() {
    let own: Arc<OnceLock<Weak<Slot>>> = Arc::default();
    let (asked, again) = (Arc::clone(&own), AtomicBool::new(false));
    let slot = Slot::with(move || {
        // Whoever waits for the load here waits forever.
        let slot = asked.get().and_then(Weak::upgrade);
        let last = slot.and_then(|slot| slot.last_failure());
        let name = last.map_or("first.nav", |_| "second.nav");
        let bytes = if again.swap(true, Ordering::Relaxed) { b"no mesh".to_vec() } else { made(5) };
        World::from_bytes(name, bytes, &Policy::default())
    });
    let slot = Arc::new(slot.unwrap());
    own.set(Arc::downgrade(&slot)).unwrap();
    let (told, heard) = std::sync::mpsc::channel();
    let reloaded = Arc::clone(&slot);
    std::thread::spawn(move || {
        for _ in 0..2 {
            let _ = told.send(reloaded.reload().map_err(|refused| refused.to_string()));
        }
    });
    for name in ["first.nav", "second.nav"] {
        let refused = heard.recv_timeout(Duration::from_secs(60)).expect("the load ends").unwrap_err();
        assert!(refused.starts_with(name), "{refused}");
    }
    assert_eq!(slot.failures(), 2);
    assert!(slot.last_failure().is_some_and(|why| why.starts_with("second.nav")));
}

#[test]
fn a_guard_is_the_world_of_its_time() {
    let slot = Slot::with(|| World::from_bytes("a.nav", made(5), &Policy::default())).unwrap();
    let guard: navmap::query::Guard = slot.guard();
    slot.reload().unwrap();
    assert_eq!((guard.generation(), guard.index().len()), (1, 5));
    assert_eq!(slot.guard().generation(), 2);
}

/// What becomes of a file in the course of a bad day. Returns whether a reload would find a mesh afterwards.
fn ruin(path: &std::path::Path, turn: u32) -> bool {
    let whole = made([5, 60, 17, 130][turn as usize / 7 % 4]);
    let other = path.with_extension("new");
    match turn % 7 {
        0 => std::fs::write(path, &whole).unwrap(),
        1 => {
            let file = std::fs::OpenOptions::new().write(true).open(path).unwrap();
            file.set_len(whole.len() as u64 / 3).unwrap();
        }
        2 => std::fs::write(path, [&whole[..100], &vec![0; whole.len() - 100]].concat()).unwrap(),
        3 => {
            std::fs::write(&other, &whole).unwrap();
            std::fs::rename(&other, path).unwrap();
        }
        4 => std::fs::write(path, b"VBSP and then something else").unwrap(),
        5 => std::fs::remove_file(path).unwrap(),
        _ => std::fs::write(path, b"").unwrap(),
    }
    turn.is_multiple_of(7) || turn % 7 == 3
}

#[test]
fn readers_get_right_answers_whatever_becomes_of_the_file_meanwhile() {
    let folder = folder("ruin");
    let path = folder.join("map.nav");
    std::fs::write(&path, made(5)).unwrap();
    let slot = Slot::open(&path, Policy::default()).unwrap();
    let stop = AtomicBool::new(false);
    let (asked, wrong) = (AtomicU64::new(0), AtomicU64::new(0));
    let (mut swapped, mut kept) = (0u64, 0u64);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut scratch = PathScratch::new(slot.load().index());
                let mut last = 0;
                while !stop.load(Ordering::Relaxed) {
                    let world = slot.load();
                    let fits = world.generation() >= last && right(&world, &mut scratch);
                    last = world.generation();
                    wrong.fetch_add(u64::from(!fits), Ordering::Relaxed);
                    asked.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let late = Instant::now() + Duration::from_secs(120);
        let few = |turn: u32| turn < 140 || asked.load(Ordering::Relaxed) <= 100;
        for turn in (0..).take_while(|turn| few(*turn) && Instant::now() < late) {
            let whole = ruin(&path, turn);
            let before = slot.load().generation();
            match slot.reload() {
                Ok(generation) => {
                    assert!(whole && generation > before, "{turn}");
                    swapped += 1;
                }
                Err(_) => {
                    assert!(!whole && slot.load().generation() == before, "{turn}");
                    kept += 1;
                }
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!((wrong.into_inner(), slot.failures()), (0, kept));
    assert!(asked.into_inner() > 100 && swapped >= 40 && kept >= 100, "{swapped} {kept}");
    // One world is left.
    let last = Arc::downgrade(&slot.load());
    std::fs::write(&path, made(5)).unwrap();
    slot.reload().unwrap();
    assert!(last.upgrade().is_none());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn findings_that_the_policy_refuses_keep_a_mesh_out() {
    // An area that leads to itself and to one that does not exist.
    let area = Area {
        id: 1,
        se: [9.0, 9.0, 0.0],
        connections: [vec![77], vec![], vec![], vec![]],
        ..Area::default()
    };
    let bytes =
        write(&Mesh { version: 16, subversion: Some(0), areas: vec![area.clone(), area], ..Mesh::default() });
    let strict = Policy::default().with_refuse(Some(navmap::Severity::Info));
    let refused = World::from_bytes("maps/a.nav", bytes.clone(), &strict).unwrap_err();
    let told = refused.to_string();
    let Refused::Findings { count, first, file, .. } = refused else { panic!("not refused") };
    assert!(count > 1 && !first.message.is_empty());
    assert_eq!(file.as_deref(), Some(std::path::Path::new("maps/a.nav")));
    assert_eq!(told, format!("{count} findings, the first: maps/a.nav: {first}"));
    let open = Policy::default().with_refuse(None);
    assert_eq!(World::from_bytes("a.nav", bytes, &open).unwrap().index().len(), 2);
}

#[test]
fn why_a_mesh_is_refused_stands_once_in_a_chain_of_errors() {
    let whole = made(5);
    let cut = World::from_bytes("a.nav", whole[..whole.len() / 2].to_vec(), &Policy::default()).unwrap_err();
    let nowhere = World::open("nowhere/at/all.nav", &Policy::default()).unwrap_err();
    for refused in [cut, nowhere] {
        let mut told: Vec<String> = Vec::new();
        let mut next: Option<&dyn std::error::Error> = Some(&refused);
        while let Some(error) = next {
            told.push(error.to_string());
            next = error.source();
        }
        assert!(!told.windows(2).any(|pair| pair[0].ends_with(&pair[1])), "{told:?}");
    }
}
