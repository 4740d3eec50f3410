//! Floors, steps, slopes, walls and rooms.

use crate::{Level, Made};
use navmap::build::{Agent, BuildOptions, build};

fn agent(radius: f32, height: f32, climb: f32, slope: f32) -> BuildOptions<'static> {
    BuildOptions { agent: Agent { radius, height, climb, slope }, ..BuildOptions::default() }
}

#[test]
fn a_floor_is_walked_up_to_the_radius_from_its_edge() {
    let made = Made::new(&Level::new().floor([0.0, 0.0], [12.0, 12.0], 3.0), &BuildOptions::default());
    assert_eq!((made.bill.triangles, made.bill.walkable, made.bill.places, made.bill.tiles), (2, 2, 1, 1));
    assert!(made.stands([6.0, 3.0, 6.0]) && made.stands([0.9, 3.0, 11.1]));
    assert!(!made.stands([0.0, 3.0, 6.0]) && !made.stands([6.0, 5.0, 6.0]));
    assert!(made.bill.to_string().contains("too near to walls and ledges"), "{}", made.bill);
}

#[test]
fn stairs_are_climbed_and_a_ledge_is_not() {
    // Five steps of 0.3 m between two floors, and beside them a straight wall of 1.5 m.
    let mut level =
        Level::new().floor([0.0, 0.0], [6.0, 8.0], 0.0).solid([11.0, -1.0, 0.0], [17.0, 1.5, 8.0]);
    for step in 0..5 {
        let x = 6.0 + f64::from(step);
        level = level.solid([x, -1.0, 0.0], [x + 1.0, 0.3 * f64::from(step + 1), 8.0]);
    }
    let stairs = Made::new(&level, &BuildOptions::default());
    assert!(stairs.joins([3.0, 0.0, 4.0], [14.0, 1.5, 4.0]));
    let low = Made::new(&level, &agent(0.4, 1.8, 0.2, 45.0));
    assert!(!low.joins([3.0, 0.0, 4.0], [14.0, 1.5, 4.0]), "a step of 0.3 m is higher than 0.2 m");
    let ledge = Level::new().floor([0.0, 0.0], [8.0, 8.0], 0.0).solid([8.0, -1.0, 0.0], [16.0, 1.5, 8.0]);
    assert!(!Made::new(&ledge, &BuildOptions::default()).joins([3.0, 0.0, 4.0], [13.0, 1.5, 4.0]));
}

#[test]
fn a_slope_is_climbed_up_to_the_angle() {
    // A rise of 4 m over 5 m: 38.7 degrees.
    let level = Level::new()
        .floor([0.0, 0.0], [6.0, 6.0], 0.0)
        .ramp([6.0, 0.0], [11.0, 6.0], [0.0, 4.0])
        .floor([11.0, 0.0], [17.0, 6.0], 4.0);
    assert!(Made::new(&level, &BuildOptions::default()).joins([3.0, 0.0, 3.0], [14.0, 4.0, 3.0]));
    let made = Made::new(&level, &agent(0.4, 1.8, 0.5, 30.0));
    assert!(!made.joins([3.0, 0.0, 3.0], [14.0, 4.0, 3.0]));
    assert_eq!(made.bill.dropped["triangles that are too steep to walk on"], 2);
}

#[test]
fn a_wall_parts_rooms_and_a_door_joins_them_if_one_fits_through() {
    let room = || Level::new().floor([0.0, 0.0], [16.0, 10.0], 0.0);
    let closed = room().solid([7.8, 0.0, 0.0], [8.2, 3.0, 10.0]);
    assert!(!Made::new(&closed, &BuildOptions::default()).joins([4.0, 0.0, 5.0], [12.0, 0.0, 5.0]));
    // A door of 1.4 m, with a lintel at 2 m.
    let door = room()
        .solid([7.8, 0.0, 0.0], [8.2, 3.0, 4.3])
        .solid([7.8, 0.0, 5.7], [8.2, 3.0, 10.0])
        .solid([7.8, 2.2, 4.3], [8.2, 3.0, 5.7]);
    let ways = [[4.0, 0.0, 5.0], [12.0, 0.0, 5.0]];
    assert!(Made::new(&door, &BuildOptions::default()).joins(ways[0], ways[1]));
    assert!(!Made::new(&door, &agent(0.8, 1.8, 0.5, 45.0)).joins(ways[0], ways[1]), "too wide");
    assert!(!Made::new(&door, &agent(0.4, 2.5, 0.5, 45.0)).joins(ways[0], ways[1]), "too tall");
}

#[test]
fn a_face_that_is_not_convex_is_ground_where_it_lies_and_nowhere_else() {
    // An L, from a corner that does not see all of it.
    let l = [[12.0, 0.0], [0.0, 0.0], [0.0, 12.0], [6.0, 12.0], [6.0, 6.0], [12.0, 6.0]];
    let l = Level::new().face(&l.map(|[x, z]| [x, 0.0, z]), "");
    let made = Made::new(&l, &BuildOptions::default());
    assert_eq!((made.bill.triangles, made.bill.walkable, made.bill.crossed), (4, 4, 0), "{}", made.bill);
    assert!(made.joins([3.0, 0.0, 10.0], [10.0, 0.0, 3.0]));
    assert!(!made.stands([7.3, 0.0, 7.3]) && !made.stands([8.0, 0.0, 7.0]));
    // One that crosses itself cannot be cut so, which is said.
    let bow = [[20.0, 0.0], [20.0, 8.0], [28.0, 0.0], [28.0, 8.0]].map(|[x, z]| [x, 0.0, z]);
    let made = Made::new(&l.face(&bow, ""), &BuildOptions::default());
    assert!(made.bill.to_string().contains("cut roughly: 1 face that crosses itself"), "{}", made.bill);
}

#[test]
fn floors_over_one_another_are_apart() {
    let level = Level::new().floor([0.0, 0.0], [10.0, 10.0], 0.0).solid([0.0, 2.8, 0.0], [10.0, 3.0, 10.0]);
    let made = Made::new(&level, &BuildOptions::default());
    assert!(made.stands([5.0, 0.0, 5.0]) && made.stands([5.0, 3.0, 5.0]));
    assert!(!made.joins([5.0, 0.0, 5.0], [5.0, 3.0, 5.0]));
}

#[test]
fn tiles_are_joined_over_their_sides() {
    let level = Level::new().floor([-3.0, -7.0], [25.0, 11.0], 0.5).solid([6.0, 0.5, -7.0], [6.5, 3.0, 8.0]);
    let whole = Made::new(&level, &BuildOptions { tile: Some(256), ..BuildOptions::default() });
    let cut = Made::new(&level, &BuildOptions { tile: Some(16), ..BuildOptions::default() });
    assert_eq!((whole.bill.tiles, cut.bill.places), (1, 9 * 6));
    for made in [&whole, &cut] {
        assert!(made.joins([-2.0, 0.5, -6.0], [24.0, 0.5, 9.0]));
        assert!(!made.stands([6.25, 0.5, 0.0]), "inside of the wall");
    }
}

#[test]
fn heights_of_rough_ground_are_in_the_detail() {
    // A hill of triangles, of which a polygon alone knows nothing.
    let height = |x: f64, z: f64| 1.5 * (-((x - 8.0).powi(2) + (z - 8.0).powi(2)) / 18.0).exp();
    let mut level = Level::new();
    for x in 0..16 {
        for z in 0..16 {
            let corner = |dx: i32, dz: i32| {
                let (x, z) = (f64::from(x + dx), f64::from(z + dz));
                [x, height(x, z), z]
            };
            level = level.face(&[corner(0, 0), corner(0, 1), corner(1, 1)], "");
            level = level.face(&[corner(0, 0), corner(1, 1), corner(1, 0)], "");
        }
    }
    let fine = Made::new(&level, &BuildOptions::default());
    let plain = Made::new(&level, &BuildOptions { detail_step: 0.0, ..BuildOptions::default() });
    assert!(fine.bill.detail_vertices > 0 && plain.bill.detail_vertices == 0, "{}", fine.bill);
    let nav = navmap::format::detour::DetourNav::parse(&fine.bytes).unwrap();
    for entry in nav.tiles().map(Result::unwrap) {
        for [x, y, z] in entry.tile.detail_vertices().iter().map(|vertex| vertex.to_array()) {
            let off = f64::from(y) - height(x.into(), z.into());
            assert!((-0.15..0.25).contains(&off), "{off} at {x} {z}");
        }
    }
}

#[test]
fn materials_are_areas_and_ground_that_nobody_walks_on() {
    let level = Level::new()
        .ground([0.0, 0.0], [6.0, 8.0], 0.0, "Grass")
        .ground([6.0, 0.0], [12.0, 8.0], 0.0, "water")
        .ground([12.0, 0.0], [18.0, 8.0], 0.0, "lava");
    let areas = [("grass", Some(2)), ("water", Some(7)), ("lava", None), ("ice", Some(3))];
    let areas = areas.map(|(name, area)| (name.to_owned(), area)).to_vec();
    let made = Made::new(&level, &BuildOptions { areas, ..BuildOptions::default() });
    assert!(made.joins([3.0, 0.0, 4.0], [9.0, 0.0, 4.0]) && !made.stands([15.0, 0.0, 4.0]));
    assert_eq!(made.bill.unknown, ["ice"]);
    assert_eq!(made.bill.dropped["triangles whose material nobody walks on"], 2);
    let nav = navmap::format::detour::DetourNav::parse(&made.bytes).unwrap();
    let mut found = std::collections::BTreeSet::new();
    for entry in nav.tiles() {
        found.extend(entry.unwrap().tile.polygons().iter().map(|polygon| polygon.area()));
    }
    assert_eq!(found.into_iter().collect::<Vec<_>>(), [2, 7]);
}

#[test]
fn the_same_bytes_on_any_number_of_threads_and_far_from_the_origin() {
    let level = Level::new().floor([0.0, 0.0], [30.0, 30.0], 0.0).solid([10.0, 0.0, 4.0], [14.0, 2.0, 26.0]);
    let options = BuildOptions { tile: Some(32), ..BuildOptions::default() };
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| build(&level.0, &options).unwrap())
    };
    let (one, bill) = on(1);
    assert!(bill.tiles > 9, "{bill}");
    assert!(one == on(2).0 && one == on(5).0);
    let mut far = level.0.clone();
    far.positions.iter_mut().for_each(|[x, _, z]| (*x, *z) = (*x + 65_536.0, *z - 65_536.0));
    let made = Made::of_scene(&far, &options);
    assert_eq!(made.bill.polygons, bill.polygons);
}
