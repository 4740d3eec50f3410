//! A mesh through the door of C: opened from memory, asked with arguments of any kind, NULL among them. No panic, no answer
//! outside of the world, nothing written behind a buffer.
#![no_main]

mod dice;

use dice::{Dice, Watched};
use navmap_c::*;
use std::ptr::{null, null_mut};

/// Agents are added, sent, moved and removed; wherever they are, it is in the world.
///
/// # Safety
/// The world and the overlay are alive.
unsafe fn crowd(dice: &mut Dice, world: *mut World, overlay: *mut Overlay, info: &Info) {
    let mut crowd = null_mut();
    // SAFETY: as in the target.
    unsafe {
        let options = CrowdOptions {
            size: size_of::<CrowdOptions>() as u32,
            agents: dice.below(6),
            pops: dice.below(99),
            ..std::mem::zeroed()
        };
        let how = dice.or_null(&raw const options);
        assert_eq!(navmap_crowd_new(world, how, &raw mut crowd, null_mut()), Status::Ok);
        let mut agents = [0u64; 8];
        for _ in 0..32 {
            let (point, which) = (dice.point(info), dice.below(8) as usize);
            let at = dice.or_null(&raw const point);
            let body = BodyOptions {
                size: size_of::<BodyOptions>() as u32,
                radius: dice.float(-1.0, 50.0),
                speed: dice.float(0.0, 900.0),
                ..std::mem::zeroed()
            };
            let agent = if dice.below(9) == 0 { dice.next() } else { agents[which] };
            let status = match dice.below(8) {
                0 => {
                    let body = dice.or_null(&raw const body);
                    navmap_crowd_add(crowd, world, at, body, &raw mut agents[which], null_mut())
                }
                1 => navmap_crowd_remove(crowd, agent),
                2 => navmap_crowd_go(crowd, world, agent, at, null_mut()),
                3 => navmap_crowd_place(crowd, world, agent, at, null_mut()),
                4 => navmap_crowd_stop(crowd, agent, null_mut()),
                5 => {
                    let (room, mut count) = (dice.below(6), 0u32);
                    let mut out = Watched::new(std::mem::zeroed::<Agent72>(), room);
                    let status = navmap_crowd_agents(crowd, out.0.as_mut_ptr(), room, &raw mut count);
                    out.held(status, count);
                    let told = count.min(room) as usize;
                    let known = |agent: &Agent72| agent.area == NAVMAP_NONE || agent.area < info.areas;
                    assert!(out.0[..told].iter().all(known));
                    status
                }
                _ => {
                    let avoid = dice.or_null(overlay.cast_const());
                    let seconds = dice.float(0.0, 0.2);
                    navmap_crowd_tick(crowd, world, seconds, null(), avoid, null_mut(), null_mut())
                }
            };
            assert!(![Status::Panic, Status::Busy, Status::BadHandle, Status::OtherWorld].contains(&status));
        }
        assert_eq!(navmap_crowd_free(crowd), Status::Ok);
    }
}

/// A slot of the world takes it again, and a tile that may be none.
///
/// # Safety
/// The world is alive.
unsafe fn slot(dice: &mut Dice, world: *mut World, bytes: &[u8], info: &Info) {
    let (mut slot, mut now, mut count, mut generation) = (null_mut(), null_mut(), 0u32, 0u64);
    // SAFETY: as in the target.
    unsafe {
        assert_eq!(navmap_slot_of_world(world, &raw mut slot, null_mut()), Status::Ok);
        assert_eq!(navmap_slot_swap_world(slot, world, &raw mut generation), Status::Ok);
        let name = [c"plain_101_101_nav.nav2", c"0000000.mmtile", c""][dice.below(3) as usize].as_ptr();
        let len = bytes.len() as u64;
        let joined =
            navmap_slot_with_tile(slot, name, bytes.as_ptr(), len, null(), &raw mut generation, null_mut());
        let left = navmap_slot_without_tile(slot, name, null(), null_mut(), null_mut());
        assert!(
            ![joined, left].iter().any(|status| [Status::Ok, Status::Panic, Status::Null].contains(status))
        );
        assert_eq!(navmap_slot_refresh(slot, null_mut(), null_mut()), Status::Nothing);
        assert_eq!(navmap_slot_load(slot, &raw mut now), Status::Ok);
        assert_eq!(navmap_world_area_count(now, &raw mut count), Status::Ok);
        assert!(generation == 2 && count == info.areas);
        assert_eq!(navmap_world_free(now), Status::Ok);
        assert_eq!(navmap_slot_free(slot), Status::Ok);
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut dice = Dice::of(bytes);
    let (mut world, mut error) = (null_mut(), null_mut());
    // SAFETY: every pointer below is NULL or leads to as many values as its count says; handles are those that were given
    // out, and are given back at the end, once.
    unsafe {
        let name = [c"x.nav", c"x.graph", c"x.esp", c""][dice.below(4) as usize];
        let options = OpenOptions {
            size: size_of::<OpenOptions>() as u32,
            refuse: NAVMAP_REFUSE_NOTHING,
            ..std::mem::zeroed()
        };
        let how = if dice.below(2) == 0 { &raw const options } else { null() };
        let status = navmap_world_from_bytes(
            name.as_ptr(),
            bytes.as_ptr(),
            bytes.len() as u64,
            how,
            &raw mut world,
            &raw mut error,
        );
        if status != Status::Ok {
            assert!(world.is_null() && !error.is_null() && status != Status::Panic && status != Status::Null);
            assert_eq!(navmap_error_status(error), status);
            assert!(!std::ffi::CStr::from_ptr(navmap_error_message(error)).is_empty());
            navmap_error_free(error);
            return;
        }
        assert!(error.is_null());
        let mut info = Info { size: size_of::<Info>() as u32, ..std::mem::zeroed() };
        assert_eq!(navmap_world_info(world, &raw mut info), Status::Ok);
        let (mut query, mut overlay) = (null_mut(), null_mut());
        assert_eq!(navmap_query_new(world, &raw mut query, null_mut()), Status::Ok);
        assert_eq!(navmap_overlay_new(world, &raw mut overlay, null_mut()), Status::Ok);
        for _ in 0..24 {
            let (a, b) = (dice.area(info.areas), dice.area(info.areas));
            let (p, q) = (dice.point(&info), dice.point(&info));
            let room = dice.below(40);
            let (mut count, mut area) = (0u32, 0u32);
            let at = dice.or_null(&raw const p);
            let status = match dice.below(16) {
                0 => navmap_area_at(world, at, dice.float(-1.0, 500.0), &raw mut area, null_mut()),
                1 => {
                    let mut near: Near20 = std::mem::zeroed();
                    let status =
                        navmap_nearest(world, at, dice.float(0.0, 1e5), dice.below(3), &raw mut near);
                    assert!(status != Status::Ok || near.area < info.areas);
                    status
                }
                2 => {
                    let mut out = Watched::new(7u32, room);
                    let status =
                        navmap_in_box(world, at, &raw const q, out.0.as_mut_ptr(), room, &raw mut count);
                    out.held(status, count);
                    status
                }
                3 => {
                    let mut out = Watched::new(std::mem::zeroed::<Near20>(), room);
                    let status = navmap_within(
                        world,
                        at,
                        dice.float(0.0, 1e4),
                        out.0.as_mut_ptr(),
                        room,
                        &raw mut count,
                    );
                    out.held(status, count);
                    status
                }
                4 => {
                    let mut out = Watched::new(std::mem::zeroed::<Link32>(), room);
                    let status = navmap_area_links(world, a, out.0.as_mut_ptr(), room, &raw mut count);
                    out.held(status, count);
                    status
                }
                5 => {
                    let mut out = Watched::new(Point::default(), room);
                    let status = navmap_area_corners(world, a, out.0.as_mut_ptr(), room, &raw mut count);
                    out.held(status, count);
                    status
                }
                6 => {
                    let mut out = Watched::new(std::mem::zeroed::<Area32>(), room);
                    let status = navmap_world_areas(world, a, out.0.as_mut_ptr(), room, &raw mut count);
                    out.held(status, count);
                    status
                }
                7 => {
                    let (points, mut out) = (vec![p; room as usize], Watched::new(7u32, room));
                    let status = navmap_area_at_many(
                        world,
                        points.as_ptr(),
                        room,
                        dice.float(-1.0, 500.0),
                        out.0.as_mut_ptr(),
                        room,
                    );
                    assert!(status == Status::Ok && out.0.last() == Some(&7));
                    status
                }
                8 => {
                    let mut out: Walk24 = std::mem::zeroed();
                    navmap_walk_line(world, a, at, &raw const q, &raw mut out, null_mut(), 0, &raw mut count)
                }
                9 => navmap_reachable(world, a, b),
                10 => navmap_overlay_scale(overlay, a, dice.float(0.0, 9.0)),
                11 => {
                    let mut costs = vec![0.0; info.areas as usize];
                    let count = costs.len() as u32;
                    navmap_query_distance_map(
                        query,
                        world,
                        a,
                        null(),
                        overlay,
                        costs.as_mut_ptr(),
                        count,
                        null_mut(),
                        null_mut(),
                    )
                }
                12 => {
                    let mut out = Watched::new(std::mem::zeroed::<Reached8>(), room);
                    let (capacity, to) = (room, out.0.as_mut_ptr());
                    let status = navmap_query_flood(
                        query,
                        world,
                        a,
                        null(),
                        null(),
                        to,
                        capacity,
                        &raw mut count,
                        null_mut(),
                    );
                    out.held(status, count);
                    status
                }
                _ => {
                    let options = QueryOptions {
                        size: size_of::<QueryOptions>() as u32,
                        cost: dice.below(3),
                        search: dice.below(2),
                        flags: dice.below(16),
                        without: dice.below(1 << 14),
                        max_length: dice.float(0.0, 1e5),
                        max_step: dice.float(0.0, 100.0),
                        max_drop: 0.0,
                        max_pops: dice.below(9),
                        // What was added after its first release: no filter.
                        ..std::mem::zeroed()
                    };
                    let (how, avoid) = (dice.or_null(&raw const options), dice.or_null(overlay.cast_const()));
                    let mut path: Path32 = std::mem::zeroed();
                    let mut status =
                        navmap_query_path(query, world, a, b, at, how, avoid, &raw mut path, null_mut());
                    while status == Status::Unfinished {
                        status = navmap_query_resume(query, world, how, avoid, &raw mut path, null_mut());
                    }
                    if status == Status::Ok {
                        let mut steps = Watched::new(std::mem::zeroed::<Step20>(), path.steps);
                        let all = navmap_query_steps(
                            query,
                            world,
                            steps.0.as_mut_ptr(),
                            path.steps,
                            &raw mut count,
                        );
                        assert!(all == Status::Ok && count == path.steps && steps.0[0].area == a);
                        let mut out = Watched::new(Point::default(), room);
                        let (start, end) = (&raw const p, &raw const q);
                        let mut corners = 0u32;
                        let bent = navmap_query_straighten(
                            query,
                            world,
                            start,
                            end,
                            out.0.as_mut_ptr(),
                            room,
                            &raw mut corners,
                        );
                        out.held(bent, corners);
                    }
                    status
                }
            };
            assert!(
                ![Status::Panic, Status::Busy, Status::BadHandle, Status::OtherWorld].contains(&status),
                "{status:?}"
            );
        }
        crowd(&mut dice, world, overlay, &info);
        slot(&mut dice, world, bytes, &info);
        assert_eq!(navmap_query_free(query), Status::Ok);
        assert_eq!(navmap_overlay_free(overlay), Status::Ok);
        assert_eq!(navmap_world_free(world), Status::Ok);
    }
});
