//! Generation into a mesh that is there: a part is cut out of a mesh, and made anew.

use crate::WORLD;
use crate::generate::{Share, game_of, on, pairs};
use navmap::bsp::BspMap;
use navmap::format::source::generate::{Game, GenerateOptions, Report, Within, extend, generate};
use navmap::format::source::{AreaBuf, AreaId, Direction, SourceBuf, SourceNav};
use navmap_testkit::bsp::{Brush, gold, room, source};
use navmap_testkit::corpus::real;
use std::collections::{HashMap, HashSet};

/// The areas of a mesh whose centers lie in a box seen from above, taken out with all links to them.
fn cut(mesh: &mut SourceBuf, [low, high]: [[f32; 2]; 2]) -> Vec<AreaBuf> {
    let inside = |area: &AreaBuf| {
        let [x, y, _] = area.shape.center();
        low[0] <= x && x <= high[0] && low[1] <= y && y <= high[1]
    };
    let (gone, kept): (Vec<_>, Vec<_>) = mesh.areas.drain(..).partition(inside);
    mesh.areas = kept;
    let ids: HashSet<AreaId> = gone.iter().map(|area| area.id).collect();
    for area in &mut mesh.areas {
        Direction::ALL.into_iter().for_each(|side| area.connections_mut(side).retain(|id| !ids.contains(id)));
    }
    gone
}

/// The box around areas, as high as a human above them.
fn around(areas: &[AreaBuf]) -> Within {
    let mut all = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
    for corner in areas.iter().flat_map(|area| area.shape.corners()) {
        for axis in 0..3 {
            let pad = if axis == 2 { 72.0 } else { 0.0 };
            all[0][axis] = all[0][axis].min(corner[axis] - pad);
            all[1][axis] = all[1][axis].max(corner[axis] + pad);
        }
    }
    all
}

fn part(game: Game, within: Within, seeds: Vec<[f32; 3]>) -> GenerateOptions<'static> {
    GenerateOptions { within: Some(within), seeds, ..GenerateOptions::new(game) }
}

/// Every area that was there is the same but for links to new areas at the end of its lists; new ones follow, with new ids.
fn assert_nothing_old_is_lost(before: &SourceBuf, after: &SourceBuf, report: &Report) {
    let highest = before.areas.iter().map(|area| area.id.get()).max().unwrap();
    let (old, new) = after.areas.split_at(before.areas.len());
    for (old, was) in old.iter().zip(&before.areas) {
        let mut kept = old.clone();
        for side in Direction::ALL {
            let list = kept.connections_mut(side);
            let more = list.split_off(was.connections(side).len());
            assert!(more.iter().all(|id| id.get() > highest), "{}: {more:?}", was.id);
        }
        assert_eq!(kept, *was);
    }
    assert!(new.iter().map(|area| area.id.get()).eq(highest + 1..=highest + new.len() as u32));
    assert_eq!(report.areas as usize, new.len());
    assert_eq!(report.ids, Some([new[0].id, new[new.len() - 1].id]));
    assert_eq!(after.ladders, before.ladders);
    let known: HashSet<AreaId> = before.areas.iter().map(|area| area.id).collect();
    let joins = |list: &[AreaBuf], other: &dyn Fn(AreaId) -> bool| {
        list.iter().flat_map(AreaBuf::all_connections).filter(|(_, id)| other(*id)).count()
    };
    let both = joins(old, &|id| id.get() > highest) + joins(new, &|id| known.contains(&id));
    assert_eq!(report.stitched as usize, both);
    after.encode().unwrap();
}

/// Whether two areas over each other would stand on the same ground.
fn overlaps(mesh: &SourceBuf) -> usize {
    let over = |a: &AreaBuf, b: &AreaBuf| {
        let ([ax, ay, _], [bx, by, _]) = (a.shape.north_west(), b.shape.north_west());
        let ([ex, ey, _], [fx, fy, _]) = (a.shape.south_east(), b.shape.south_east());
        let (x, y) = ([ax.max(bx), ex.min(fx)], [ay.max(by), ey.min(fy)]);
        let (mx, my) = (0.5 * (x[0] + x[1]), 0.5 * (y[0] + y[1]));
        let near = (a.shape.height_at(mx, my) - b.shape.height_at(mx, my)).abs() < 18.0;
        x[1] - x[0] > 1.0 && y[1] - y[0] > 1.0 && near
    };
    let all = &mesh.areas;
    (0..all.len()).map(|at| all[at + 1..].iter().filter(|other| over(&all[at], other)).count()).sum()
}

#[test]
fn a_hole_is_filled_and_joined_with_what_is_around_it() {
    for game in Game::ALL {
        let bytes = if game.is_gold() { gold(&[room()], WORLD) } else { source(20, &[room()], WORLD) };
        let map = BspMap::parse(&bytes).unwrap();
        let mut options = GenerateOptions::new(game);
        options.seeds = vec![[-300.0, -300.0, 40.0]];
        let (whole, _) = generate(&map, &options).unwrap();
        let mut mesh = whole.clone();
        let gone = cut(&mut mesh, [[-500.0, -500.0], [0.0, 0.0]]);
        assert!(!gone.is_empty() && gone.len() < whole.areas.len(), "{game}: {}", gone.len());
        let before = mesh.clone();
        let within = around(&gone);
        let seeds = map.seeds_within(&within, game).unwrap();
        let report = extend(&map, &mut mesh, &part(game, within, seeds)).unwrap();
        assert_nothing_old_is_lost(&before, &mesh, &report);
        assert_eq!(on(&whole, &mesh).percent(), 100.0, "{game}");
        assert_eq!(overlaps(&mesh), overlaps(&whole), "{game}");
        // Both ways, over every edge at which the whole mesh was joined.
        let (old, new) = mesh.areas.split_at(before.areas.len());
        let ids: HashSet<AreaId> = new.iter().map(|area| area.id).collect();
        let lost: HashSet<AreaId> = gone.iter().map(|area| area.id).collect();
        for area in old {
            let was = whole.areas.iter().find(|other| other.id == area.id).unwrap();
            for side in Direction::ALL {
                let led = was.connections(side).iter().any(|id| lost.contains(id));
                let leads = area.connections(side).iter().any(|id| ids.contains(id));
                assert_eq!(led, leads, "{game}: {} {side}", area.id);
            }
        }
        // All of it has areas now.
        let seeds = map.seeds_within(&within, game).unwrap();
        let error = extend(&map, &mut mesh, &part(game, within, seeds)).unwrap_err().to_string();
        assert!(error.contains("no ground without an area"), "{game}: {error}");
    }
}

#[test]
fn steps_out_of_the_box_are_told_where_no_area_takes_them() {
    let floor = vec![Brush::solid([-300.0, -300.0, -32.0], [300.0, 300.0, 0.0])];
    for game in [Game::ConditionZero, Game::CounterStrikeSource, Game::TeamFortress] {
        let bytes = if game.is_gold() {
            gold(std::slice::from_ref(&floor), WORLD)
        } else {
            source(20, std::slice::from_ref(&floor), WORLD)
        };
        let map = BspMap::parse(&bytes).unwrap();
        let west = part(game, [[-300.0, -300.0, -20.0], [0.0, 300.0, 60.0]], vec![[-100.0, 0.0, 40.0]]);
        let (west, report) = generate(&map, &west).unwrap();
        assert_eq!(report.cut_off, 0, "{game}: no mesh is torn that was not there");
        let cut_off = |within| {
            let report = extend(&map, &mut west.clone(), &part(game, within, vec![[100.0, 0.0, 40.0]]));
            report.unwrap().cut_off
        };
        assert!(cut_off([[50.0, -100.0, -20.0], [200.0, 100.0, 60.0]]) > 0, "{game}");
        // At its western side the box ends over the areas that are there.
        assert_eq!(cut_off([[-50.0, -400.0, -20.0], [400.0, 400.0, 60.0]]), 0, "{game}");
    }
}

#[test]
fn a_seed_explores_as_far_as_the_range_and_no_area_lies_over_another() {
    let bytes = source(20, &[room()], WORLD);
    let map = BspMap::parse(&bytes).unwrap();
    let mut options = GenerateOptions::new(Game::TeamFortress);
    options.seeds = vec![[-300.0, -300.0, 40.0]];
    options.range = Some(150.0);
    let (near, _) = generate(&map, &options).unwrap();
    let far = |mesh: &SourceBuf| {
        let corners = mesh.areas.iter().flat_map(|area| area.shape.corners());
        corners.map(|[x, y, _]| (x + 300.0).hypot(y + 300.0)).fold(0.0, f32::max)
    };
    assert!(far(&near) > 100.0 && far(&near) <= 150.0, "{}", far(&near));
    let mut mesh = near.clone();
    options.seeds = vec![[300.0, 300.0, 40.0]];
    options.range = Some(2000.0);
    let report = extend(&map, &mut mesh, &options).unwrap();
    assert_nothing_old_is_lost(&near, &mesh, &report);
    assert!(far(&mesh) > 900.0 && report.stitched > 4, "{report:?}");
    assert_eq!(overlaps(&mesh), 0);
}

#[test]
fn a_mesh_without_free_ids_is_refused_and_stays_as_it_was() {
    let bytes = gold(&[room()], WORLD);
    let map = BspMap::parse(&bytes).unwrap();
    let mut options = GenerateOptions::new(Game::ConditionZero);
    options.seeds = vec![[-300.0, -300.0, 40.0]];
    options.range = Some(100.0);
    let (mut mesh, _) = generate(&map, &options).unwrap();
    mesh.areas[0].id = AreaId::new(u32::MAX - 2);
    let before = mesh.clone();
    options.range = None;
    options.seeds = vec![[300.0, 300.0, 40.0]];
    let error = extend(&map, &mut mesh, &options).unwrap_err().to_string();
    assert!(error.contains("no ids are left") && mesh == before, "{error}");
}

/// A part of each mesh is cut out around its middle area, and made anew.
#[test]
fn parts_of_real_meshes_are_made_anew() {
    let Some(corpus) = real() else { return };
    let (mut found, mut joined) = (Share::default(), Share::default());
    for name in pairs("goldsrc").into_iter().chain(pairs("source")) {
        let game = if name.starts_with("goldsrc") { Game::ConditionZero } else { game_of(&name) };
        let path = corpus.join("bsp");
        let bytes = std::fs::read(path.join(format!("{name}.bsp"))).unwrap();
        let map = BspMap::parse(&bytes).unwrap();
        let stored = std::fs::read(path.join(format!("{name}.nav"))).unwrap();
        let mut mesh = SourceBuf::read(&SourceNav::parse(&stored).unwrap()).unwrap();
        let middle = mesh.areas[mesh.areas.len() / 2].shape.center();
        let whole = mesh.clone();
        let gone =
            cut(&mut mesh, [[middle[0] - 300.0, middle[1] - 300.0], [middle[0] + 300.0, middle[1] + 300.0]]);
        let before = mesh.clone();
        let within = around(&gone);
        let seeds = map.seeds_within(&within, game).unwrap();
        let report = extend(&map, &mut mesh, &part(game, within, seeds)).unwrap();
        assert_nothing_old_is_lost(&before, &mesh, &report);
        let mut lost = SourceBuf::new(whole.head.version, whole.head.subversion);
        lost.areas = gone;
        let mut made = SourceBuf::new(whole.head.version, whole.head.subversion);
        made.areas = mesh.areas.split_off(before.areas.len());
        let here = on(&lost, &made);
        // The areas that were joined with the part, over a side, and those that are again.
        let (was, is) = (sides(&whole.areas, &lost.areas), sides(&mesh.areas, &made.areas));
        let again = Share(was.intersection(&is).count(), was.len());
        println!(
            "{name}: {} areas cut out, {} made; found {here}, joined again {again}, {} joined anew",
            lost.areas.len(),
            made.areas.len(),
            is.difference(&was).count()
        );
        found.add(here);
        joined.add(again);
    }
    println!("together: found {found}, joined again {joined}");
    assert!(found.percent() >= 99.0 && joined.percent() >= 95.0, "{found}, {joined}");
}

/// The sides of areas over which links lead to or from areas of a part.
fn sides(all: &[AreaBuf], part: &[AreaBuf]) -> HashSet<(AreaId, Direction, bool)> {
    let inside: HashMap<AreaId, &AreaBuf> = part.iter().map(|area| (area.id, area)).collect();
    let rest: HashSet<AreaId> =
        all.iter().map(|area| area.id).filter(|id| !inside.contains_key(id)).collect();
    let of_rest = all.iter().filter(|area| rest.contains(&area.id));
    let out = of_rest.flat_map(|area| area.all_connections().map(|(side, to)| (area.id, side, to)));
    let out = out.filter(|(.., to)| inside.contains_key(to)).map(|(from, side, _)| (from, side, true));
    let back = part.iter().flat_map(AreaBuf::all_connections).filter(|(_, to)| rest.contains(to));
    out.chain(back.map(|(side, to)| (to, side.opposite(), false))).collect()
}

#[test]
fn the_grid_of_a_box_ends_where_the_map_does() {
    let plain = vec![Brush::solid([-15_000.0, -15_000.0, -32.0], [15_000.0, 15_000.0, 0.0])];
    for game in [Game::ConditionZero, Game::CounterStrikeSource] {
        let parsed = |brushes: Vec<Brush>| {
            let made = if game.is_gold() { gold(&[brushes], WORLD) } else { source(20, &[brushes], WORLD) };
            BspMap::parse(&made).unwrap()
        };
        let map = parsed(room());
        let near = map.seeds_within(&[[-600.0, -600.0, -64.0], [600.0, 600.0, 512.0]], game).unwrap();
        assert!(near.len() > 100, "{game}: {}", near.len());
        let wide = [[-100_600.0, -100_600.0, -64_064.0], [100_600.0, 100_600.0, 64_512.0]];
        assert_eq!(map.seeds_within(&wide, game).unwrap(), near, "{game}");
        let error = parsed(plain.clone()).seeds_within(&wide, game).unwrap_err().to_string();
        assert!(error.contains("points in the box"), "{game}: {error}");
        let beside = [[1000.0, 1000.0, 0.0], [9000.0, 9000.0, 512.0]];
        assert_eq!(map.seeds_within(&beside, game).unwrap(), Vec::<[f32; 3]>::new(), "{game}");
    }
}
