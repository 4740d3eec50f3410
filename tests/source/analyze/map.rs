//! The worked examples of what a map decides, with maps of a wall or none.

use super::{analyzed, owned};
use crate::edit::{E, Linked, flat, ladder, mesh};
use navmap::format::source::analyze::{AnalyzeOptions, Map, Phase, Purpose, Trace, analyze};
use navmap::format::source::{SourceBuf, SourceNav};
use navmap_testkit::source::{Area, Mesh, Spot};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A map in which `blocks` says which lines are not free.
struct Walls<F>(F);

impl<F: Fn([f32; 3], [f32; 3], Purpose) -> bool + Sync> Map for Walls<F> {
    fn line(&self, from: [f32; 3], to: [f32; 3], purpose: Purpose) -> Trace {
        match (self.0)(from, to, purpose) {
            true => Trace { fraction: 0.5, ..Trace::free(to) },
            false => Trace::free(to),
        }
    }

    fn hull(&self, from: [f32; 3], to: [f32; 3], _: [f32; 3], _: [f32; 3], purpose: Purpose) -> Trace {
        self.line(from, to, purpose)
    }

    fn ground(&self, [_, _, z]: [f32; 3]) -> Option<f32> {
        Some(z)
    }
}

fn row(count: u32, side: f32) -> Mesh {
    let areas = (1..=count).map(|id| flat(id, [side * (id - 1) as f32, side * id as f32], [0.0, side]));
    (1..count).fold(mesh(areas), |mesh, id| mesh.both(id, E, id + 1))
}

fn spots() -> Vec<Spot> {
    let at = [(150.0, 80.0), (240.0, 90.0), (150.0, -40.0), (400.0, 50.0), (205.0, 400.0), (150.0, 2100.0)];
    let flags = |id: u32| if id == 2 { 8 } else { 1 };
    (0..).zip(at).map(|(id, (x, y))| Spot { id, position: [x, y, 0.0], flags: flags(id) }).collect()
}

fn passed(map: &dyn Map) -> [Vec<(u32, u8)>; 2] {
    let mut three = row(3, 100.0);
    three.areas[2].spots = spots();
    let (after, _) = analyzed(&three, &[Phase::Encounters], Some(map));
    let paths = &after.areas[1].paths;
    [(1, 3), (3, 1)].map(|way| paths.iter().find(|path| (path.from, path.to) == way).unwrap().spots.clone())
}

#[test]
fn what_is_seen_from_the_first_step_is_no_encounter() {
    assert_eq!(passed(&Walls(|_, _, _| false)), [vec![], vec![]]);
}

#[test]
fn a_spot_that_comes_into_view_beside_the_path_is_an_encounter() {
    let wall = |from: [f32; 3], to: [f32; 3], _: Purpose| {
        let across = (from[0] - 140.0) * (to[0] - 140.0) < 0.0;
        let at = from[1] + (to[1] - from[1]) * (140.0 - from[0]) / (to[0] - from[0]);
        across && at > 60.0
    };
    assert_eq!(passed(&Walls(wall)), [vec![(0, 127), (4, 127)], vec![]]);
}

#[test]
fn a_wall_on_one_side_hits_too_few_rays_to_be_cover() {
    for (distance, hits) in [(10.0, 7), (60.0, 5), (99.0, 1), (101.0, 0)] {
        let hit = AtomicUsize::new(0);
        let wall = Walls(|_: [f32; 3], to: [f32; 3], _: Purpose| {
            let blocked = to[0] < 0.0;
            hit.fetch_add(blocked.into(), Relaxed);
            blocked
        });
        let west = distance - 12.5;
        let one = mesh([flat(1, [west, west + 40.0], [0.0, 40.0])]);
        let (after, _) = analyzed(&one, &[Phase::Hiding], Some(&wall));
        assert_eq!(after.areas[0].spots.iter().map(|spot| spot.flags).collect::<Vec<_>>(), [8]);
        assert_eq!(hit.into_inner(), hits, "{distance} units from the wall");
    }
}

#[test]
fn a_roof_or_eight_rays_make_cover() {
    let one = || mesh([flat(1, [0.0, 40.0], [0.0, 40.0])]);
    let flag =
        |mesh: &Mesh, map: &dyn Map| analyzed(mesh, &[Phase::Hiding], Some(map)).0.areas[0].spots[0].flags;
    let roof = Walls(|from: [f32; 3], to: [f32; 3], _: Purpose| to[2] == from[2] + 20.0);
    assert_eq!(flag(&one(), &roof), 1);
    let count = AtomicUsize::new(0);
    let some = |most: usize| {
        Walls(move |from: [f32; 3], to: [f32; 3], _: Purpose| {
            to[2] != from[2] + 20.0 && count.fetch_add(1, Relaxed) < most
        })
    };
    assert_eq!(flag(&one(), &some(8)), 1);
    let count = AtomicUsize::new(0);
    let some = |most: usize| {
        Walls(move |from: [f32; 3], to: [f32; 3], _: Purpose| {
            to[2] != from[2] + 20.0 && count.fetch_add(1, Relaxed) < most
        })
    };
    assert_eq!(flag(&one(), &some(7)), 8);
}

/// The sniper flags of a spot at 12.5, 12.5 of a small area in front of these.
fn sniper(areas: impl IntoIterator<Item = Area>) -> u8 {
    let spot = Spot { id: 0, position: [12.5, 12.5, 0.0], flags: 8 };
    let first = Area { spots: vec![spot], ..flat(99, [0.0, 24.0], [0.0, 24.0]) };
    let all = mesh(std::iter::once(first).chain(areas));
    let (after, _) = analyzed(&all, &[Phase::Snipers], Some(&Walls(|_, _, _| false)));
    after.areas[0].spots[0].flags & 6
}

#[test]
fn a_long_view_makes_a_sniper_spot_and_a_longer_one_an_ideal_one() {
    let corridor = |length: f32| sniper([flat(1, [0.0, length], [0.0, 50.0])]);
    assert_eq!([1000.0, 1025.0, 1500.0, 1525.0].map(corridor), [0, 2, 2, 4]);
    assert_eq!(sniper([flat(1, [0.0, 1300.0], [0.0, 400.0])]), 4);
}

#[test]
fn a_wide_view_counts_in_the_order_of_the_mesh() {
    let far = || flat(1, [1200.0, 1300.0], [0.0, 50.0]);
    let near = || flat(2, [1100.0, 1150.0], [0.0, 400.0]);
    assert_eq!(sniper([far(), near()]), 2);
    assert_eq!(sniper([near(), far()]), 4);
}

#[test]
fn one_approaches_through_the_last_area_that_is_seen() {
    let west =
        Walls(|_: [f32; 3], to: [f32; 3], purpose: Purpose| purpose == Purpose::Approach && to[0] > 200.0);
    for version in [5, 9] {
        let chain = Mesh { version, subversion: None, ..row(5, 200.0) };
        let (after, _) = analyzed(&chain, &[Phase::Approach], Some(&west));
        let of: Vec<_> = after.areas[0]
            .approaches
            .iter()
            .map(|a| {
                (a.here, a.previous, if a.previous == 0 { 0 } else { a.previous_how }, a.next, a.next_how)
            })
            .collect();
        assert_eq!(of, [(1, 0, 0, 2, 1), (2, 1, 1, 3, 1)], "version {version}");
    }
}

/// A mesh that was just generated has the ladders of its map, and the file has not.
#[test]
fn ladders_that_a_version_does_not_store_lead_nowhere() {
    let west =
        Walls(|_: [f32; 3], to: [f32; 3], purpose: Purpose| purpose == Purpose::Approach && to[0] > 200.0);
    let areas = (1..=3).map(|id| flat(id, [200.0 * (id - 1) as f32, 200.0 * id as f32], [0.0, 200.0]));
    let mut three = Mesh { version: 9, subversion: None, ..mesh(areas).both(1, E, 2) };
    let mut up = ladder(7, [400.0, 100.0, 200.0], [400.0, 100.0, 0.0], E as u32);
    up.areas = [3, 0, 0, 0, 2];
    three.ladders.push(up);
    three.areas[1].ladders_up = vec![7];
    let approaches = |mesh: &mut SourceBuf| {
        let options = AnalyzeOptions { only: vec![Phase::Approach], ..AnalyzeOptions::default() };
        analyze(mesh, &options, Some(&west)).unwrap();
        mesh.areas.iter().map(|area| area.approaches.len()).collect::<Vec<_>>()
    };
    assert_eq!(approaches(&mut owned(&three)), [1, 0, 0]);
    let mut made = owned(&three);
    made.head.version = 5;
    let bytes = made.encode().unwrap();
    let mut read = SourceBuf::read(&SourceNav::parse(&bytes).unwrap()).unwrap();
    assert_eq!((approaches(&mut made), approaches(&mut read)), (vec![0; 3], vec![0; 3]));
    assert!(made.encode().unwrap() == read.encode().unwrap());
}
