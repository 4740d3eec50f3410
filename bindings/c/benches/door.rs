//! The cost of a call through the C interface over the same call in Rust, on one mesh, in one run. The functions are called
//! through opaque pointers, like those of a shared library. Answers must be equal.
//!
//! `chrt -f 50 cargo bench -p navmap-c`

#![allow(unsafe_code, reason = "a program in C calls the door like this")]

use navmap::query::{PathScratch, Policy};
use navmap_c::*;
use navmap_testkit::{corpus, source};
use std::hint::black_box;
use std::ptr::{null, null_mut};
use std::time::Instant;

/// Calls that are timed together, and how often; the best round of each counts.
const TOGETHER: usize = 64;
const ROUNDS: usize = 25;

/// Nanoseconds per call, p50 over the groups, with both sides alternating.
fn row(what: &str, count: usize, mut rust: impl FnMut(usize) -> u64, mut c: impl FnMut(usize) -> u64) {
    let groups = count / TOGETHER;
    let mut best = vec![[f64::INFINITY; 2]; groups];
    for _ in 0..ROUNDS {
        for (group, best) in best.iter_mut().enumerate() {
            let range = group * TOGETHER..(group + 1) * TOGETHER;
            let mut sums = [0u64; 2];
            let [from_rust, from_c] = best;
            let time = |ask: &mut dyn FnMut(usize) -> u64, best: &mut f64, sum: &mut u64| {
                let start = Instant::now();
                *sum = range.clone().fold(0u64, |sum, at| sum.wrapping_add(ask(at)));
                *best = best.min(start.elapsed().as_secs_f64() * 1e9 / TOGETHER as f64);
            };
            time(&mut rust, from_rust, &mut sums[0]);
            time(&mut c, from_c, &mut sums[1]);
            assert_eq!(sums[0], sums[1], "{what}");
        }
    }
    let p50 = |way: usize| {
        let mut times: Vec<f64> = best.iter().map(|best| best[way]).collect();
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let over = {
        let mut over: Vec<f64> = best.iter().map(|[rust, c]| c - rust).collect();
        over.sort_by(f64::total_cmp);
        over[over.len() / 2]
    };
    println!("{what:24} Rust {:9.1} ns   C {:9.1} ns   over {over:6.1} ns", p50(0), p50(1));
}

fn main() {
    let real = corpus::real()
        .map(|folder| folder.join("source/tf2-16.2/cp_steel.nav"))
        .filter(|path| path.is_file());
    let bytes = real.as_ref().map_or_else(source::tf2_shaped, |path| std::fs::read(path).expect("a mesh"));
    println!("# {}", if real.is_some() { "cp_steel" } else { "generated" });
    let policy = Policy::default().with_refuse(None);
    let here = navmap::query::World::from_bytes("x.nav", bytes.clone(), &policy).expect("a mesh");
    let index = here.index();
    let mut world = null_mut();
    let mut query = null_mut();
    let options = OpenOptions {
        size: size_of::<OpenOptions>() as u32,
        refuse: NAVMAP_REFUSE_NOTHING,
        // SAFETY: zeros are the defaults.
        ..unsafe { std::mem::zeroed() }
    };
    // SAFETY: all pointers lead to what they say.
    let opened = unsafe {
        let (name, len) = (c"x.nav".as_ptr(), bytes.len() as u64);
        let opened = navmap_world_from_bytes(
            name,
            bytes.as_ptr(),
            len,
            &raw const options,
            &raw mut world,
            null_mut(),
        );
        assert_eq!(navmap_query_new(world, &raw mut query, null_mut()), Status::Ok);
        opened
    };
    assert_eq!(opened, Status::Ok);
    let (owned, world) = (world, world.cast_const());
    let mut scratch = PathScratch::new(index);
    let areas: Vec<_> = index.areas().collect();
    let mut random = 1u64;
    let mut spot = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % areas.len()
    };
    let count = 4096;
    let pairs: Vec<_> = (0..count).map(|_| [areas[spot()], areas[spot()]]).collect();
    let points: Vec<Point> = pairs
        .iter()
        .map(|[area, _]| {
            let center = index.center(*area).expect("an area");
            Point::new(center.x, center.y, center.z + 30.0)
        })
        .collect();
    let (at, nearest, reachable) = black_box((
        navmap_area_at as unsafe extern "C" fn(_, _, f32, _, _) -> _,
        navmap_nearest as unsafe extern "C" fn(_, _, f32, _, _) -> _,
        navmap_reachable as unsafe extern "C" fn(_, _, _) -> _,
    ));
    let z_at = black_box(navmap_z_at as unsafe extern "C" fn(_, _, _, _) -> _);
    let path = black_box(navmap_query_path as unsafe extern "C" fn(_, _, _, _, _, _, _, _, _) -> _);
    // The number added for an answer; 1 for no answer.
    let told = |status: Status, value: u64| if status == Status::Ok { value.wrapping_add(2) } else { 1 };

    row(
        "area_at",
        count,
        |i| {
            index
                .ground_at(points[i], None)
                .map_or(1, |(area, z)| u64::from(area.position()) + u64::from(z.to_bits()) + 2)
        },
        |i| {
            let (mut area, mut z) = (0u32, 0f32);
            // SAFETY: as above.
            let status =
                unsafe { at(world, &raw const points[i], NAVMAP_GAME_REACH, &raw mut area, &raw mut z) };
            told(status, u64::from(area) + u64::from(z.to_bits()))
        },
    );
    row(
        "nearest",
        count,
        |i| index.nearest(points[i], 500.0).map_or(1, |near| u64::from(near.area.position()) + 2),
        |i| {
            let mut near = Near20 { area: 0, point: Point::default(), distance: 0.0 };
            // SAFETY: as above.
            let status = unsafe { nearest(world, &raw const points[i], 500.0, NAVMAP_EXACT, &raw mut near) };
            told(status, near.area.into())
        },
    );
    row(
        "z_at",
        count,
        |i| index.z_at(pairs[i][0], points[i]).map_or(1, |z| u64::from(z.to_bits()) + 2),
        |i| {
            let mut z = 0f32;
            // SAFETY: as above.
            let status = unsafe { z_at(world, pairs[i][0].position(), &raw const points[i], &raw mut z) };
            told(status, z.to_bits().into())
        },
    );
    row(
        "reachable",
        count,
        |i| u64::from(index.reachable(pairs[i][0], pairs[i][1])) + 1,
        // SAFETY: as above.
        |i| told(unsafe { reachable(world, pairs[i][0].position(), pairs[i][1].position()) }, 0),
    );
    // One link, so that the search itself is short.
    let steps: Vec<_> = pairs
        .iter()
        .map(|[from, _]| [*from, index.links(*from).next().map_or(*from, |way| way.to)])
        .collect();
    row(
        "query_path, one link",
        count,
        |i| {
            let asked = navmap::query::Query::default();
            let found = scratch.path(index, steps[i][0], steps[i][1], &asked);
            found.ok().and_then(|outcome| outcome.cost()).map_or(1, |cost| u64::from(cost.to_bits()) + 2)
        },
        |i| {
            let mut found =
                Path32 { cost: 0.0, distance: 0.0, steps: 0, area: 0, beyond: 0, has_beyond: 0, zero: 0 };
            let [from, to] = steps[i].map(|area| area.position());
            // SAFETY: as above.
            let status =
                unsafe { path(query, world, from, to, null(), null(), null(), &raw mut found, null_mut()) };
            told(status, found.cost.to_bits().into())
        },
    );
    // SAFETY: both were given out, and are given back once.
    unsafe {
        navmap_query_free(query);
        navmap_world_free(owned);
    }
}
