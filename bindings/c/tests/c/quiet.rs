//! What a call leaves alone: the allocator, where the header says that nothing is allocated, and the caller's memory, if it fails.

#![allow(unsafe_code, reason = "a program in C calls the door like this")]

use navmap_c::*;
use navmap_testkit::alloc::cost_of;
use navmap_testkit::corpus::bundled;
use std::ffi::CString;
use std::ptr::{null, null_mut};

fn town() -> *mut World {
    let path = CString::new(bundled().join("source/town.nav").to_str().unwrap()).unwrap();
    let mut world = null_mut();
    // SAFETY: a text and a place.
    let opened = unsafe { navmap_world_open(path.as_ptr(), null(), &raw mut world, null_mut()) };
    assert_eq!(opened, Status::Ok);
    world
}

const NOWHERE: Point = Point { x: f32::NAN, y: 0.0, z: 0.0 };

/// A long way of the town, in a new query, and its ends.
fn way(world: *const World) -> (*mut Query, [Point; 2]) {
    let (mut query, mut longest, mut ends) = (null_mut(), 0, [0, 0]);
    let mut path = std::mem::MaybeUninit::<Path32>::uninit();
    // SAFETY: handles of this library, and places for what it answers.
    unsafe {
        assert_eq!(navmap_query_new(world, &raw mut query, null_mut()), Status::Ok);
        let mut find = |from: u32, to: u32| {
            let place = path.as_mut_ptr();
            let found = navmap_query_path(query, world, from, to, null(), null(), null(), place, null_mut());
            if found == Status::Ok { (*place).steps } else { 0 }
        };
        for (from, to) in (0..200).map(|at| (at, 355 - at)) {
            let steps = find(from, to);
            if steps > longest {
                (longest, ends) = (steps, [from, to]);
            }
        }
        assert!(longest > 20 && find(ends[0], ends[1]) == longest);
        let center = |area: u32| {
            let mut about = std::mem::MaybeUninit::<Area64>::uninit();
            assert_eq!(navmap_area_get(world, area, about.as_mut_ptr()), Status::Ok);
            (*about.as_ptr()).center
        };
        (query, ends.map(center))
    }
}

#[test]
fn corners_are_found_without_memory_of_their_own() {
    let world = town();
    let (query, [start, goal]) = way(world);
    let mut corridor = null_mut();
    let mut corners = [std::mem::MaybeUninit::<Corner52>::uninit(); 256];
    let room = corners.as_mut_ptr().cast::<Corner52>();
    let (mut some, mut many, mut all) = (0, 0, 0);
    // SAFETY: as above; there is room for 256 corners.
    unsafe {
        assert_eq!(navmap_corridor_new(world, &raw mut corridor, null_mut()), Status::Ok);
        let followed =
            navmap_corridor_follow(corridor, query, world, &raw const start, &raw const goal, null_mut());
        assert_eq!(followed, Status::Ok);
        // The first calls of all.
        let (done, cost) = cost_of(|| {
            [
                navmap_corridor_corners(corridor, world, room, 3, &raw mut some),
                navmap_corridor_corners(corridor, world, room, 256, &raw mut many),
                navmap_query_corners(
                    query,
                    world,
                    &raw const start,
                    &raw const goal,
                    room,
                    256,
                    &raw mut all,
                ),
            ]
        });
        assert_eq!((done, cost.calls), ([Status::Ok; 3], 0));
        assert!(some == 3 && many > 3 && all == many + 1, "{some} {many} {all}");
        navmap_corridor_free(corridor);
        navmap_query_free(query);
        navmap_world_free(world);
    }
}

#[test]
fn a_call_that_fails_leaves_its_buffers_as_they_were() {
    let (world, other) = (town(), town());
    let (query, [start, goal]) = way(world);
    let seven = Point { x: 7.0, y: 7.0, z: 7.0 };
    let (mut points, mut costs, mut count, mut reached) = ([seven; 64], [7.0f32; 356], 77u32, 77u32);
    // SAFETY: as above. Options are numbers and pointers, for which zeros stand.
    unsafe {
        for (of, end, status) in [(world, NOWHERE, Status::Invalid), (other, goal, Status::OtherWorld)] {
            let (place, told) = (points.as_mut_ptr(), &raw mut count);
            let done = navmap_query_straighten(query, of, &raw const start, &raw const end, place, 64, told);
            assert_eq!(done, status);
        }
        assert!(points.iter().all(|point| *point == seven) && count == 77);
        let mut options = std::mem::zeroed::<QueryOptions>();
        options.size = size_of::<QueryOptions>() as u32;
        let mut ask = |of: *const World, options: &QueryOptions, room: u32| {
            let (costs, reached) = (costs.as_mut_ptr(), &raw mut reached);
            navmap_query_distance_map(query, of, 0, options, null(), costs, room, reached, null_mut())
        };
        assert_eq!(ask(other, &options, 356), Status::OtherWorld);
        assert_eq!(ask(world, &options, 355), Status::Invalid);
        options.cost = 9;
        assert_eq!(ask(world, &options, 356), Status::Invalid);
        assert!(costs.iter().all(|cost| *cost == 7.0) && reached == 77);
        // One that does not fail writes no more than it tells.
        let (place, told) = (points.as_mut_ptr(), &raw mut count);
        let done = navmap_query_straighten(query, world, &raw const start, &raw const goal, place, 64, told);
        assert_eq!(done, Status::Ok);
        let (corners, rest) = points.split_at(count as usize);
        assert!(corners.iter().all(|point| *point != seven) && rest.iter().all(|point| *point == seven));
        navmap_query_free(query);
        navmap_world_free(world);
        navmap_world_free(other);
    }
}
