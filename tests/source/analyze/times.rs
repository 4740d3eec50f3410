//! How soon a team is where, and places.

use super::{analyzed, owned};
use crate::edit::{E, Linked, N, flat, ladder, mesh};
use navmap::format::source::analyze::{
    AnalyzeOptions, Phase, Spawns, analyze, flood_places, transfer_places,
};
use navmap_testkit::source::{Area, Mesh};

fn chain() -> Mesh {
    let areas = (0..5).map(|at| flat(at + 1, [200.0 * at as f32, 200.0 * (at + 1) as f32], [0.0, 200.0]));
    let mesh = (1..5).fold(mesh(areas), |mesh, id| mesh.both(id, E, id + 1));
    Mesh { version: 9, subversion: None, ..mesh }
}

fn times(mesh: &Mesh, spawns: Spawns) -> Vec<[f32; 2]> {
    let mut own = owned(mesh);
    let options = AnalyzeOptions { only: vec![Phase::Times], spawns, ..AnalyzeOptions::default() };
    analyze(&mut own, &options, None).unwrap();
    own.areas.iter().map(|area| area.occupy_times.map(|time| time.get())).collect()
}

fn terrorists(points: &[[f32; 3]]) -> Spawns {
    Spawns { terrorists: points.to_vec(), ..Spawns::default() }
}

#[test]
fn a_phase_that_is_named_and_does_nothing_says_why() {
    let version = |version, subversion| Mesh { version, subversion, ..chain() };
    for (mesh, only, why) in [
        (version(9, None), Phase::Visibility, "visibility: nothing to do: version 9 stores none"),
        (version(5, None), Phase::Times, "times: nothing to do: version 5 stores none"),
        (version(16, Some(2)), Phase::Times, "times: nothing to do: only games of Counter-Strike"),
        (version(16, Some(2)), Phase::Approach, "approach: nothing to do: only games of Counter-Strike"),
    ] {
        let (_, report) = analyzed(&mesh, &[only], None);
        assert!(report.to_string().contains(why), "{report}");
        let (_, report) = analyzed(&mesh, &[], None);
        assert!(!report.to_string().contains("nothing to do"), "{report}");
    }
}

#[test]
fn a_team_runs_240_units_a_second_from_its_spawn() {
    let found = times(&chain(), terrorists(&[[100.0, 100.0, 0.0]]));
    assert_eq!(found[2], [400.0 / 240.0, 120.0]);
    assert_eq!(found[0], [0.0, 120.0]);
    // From a spawn beside the center first to the center; in its own area straight.
    let found = times(&chain(), terrorists(&[[100.0, 160.0, 0.0]]));
    assert_eq!([found[0][0], found[1][0]], [60.0 / 240.0, 260.0 / 240.0]);
    // The nearest of several.
    let found = times(&chain(), terrorists(&[[100.0, 100.0, 0.0], [900.0, 100.0, 0.0]]));
    assert_eq!(found[3][0], 200.0 / 240.0);
}

#[test]
fn crouching_makes_a_way_dear_but_not_long_and_what_is_cut_off_takes_120() {
    let mut cut = chain();
    cut.areas[3].connections = Default::default();
    cut.areas[2].connections[E].clear();
    cut.areas[1].attributes = 1;
    let found = times(&cut, terrorists(&[[100.0, 100.0, 0.0]]));
    assert_eq!([found[1][0], found[2][0], found[4][0]], [200.0 / 240.0, 400.0 / 240.0, 120.0]);
}

#[test]
fn a_ladder_leads_up_ahead_and_to_the_sides_and_down_to_its_bottom() {
    let mut two = mesh([flat(1, [0.0, 100.0], [0.0, 100.0]), flat(2, [100.0, 200.0], [0.0, 100.0])]);
    (two.version, two.subversion) = (9, None);
    let mut up = ladder(5, [100.0, 50.0, 200.0], [100.0, 50.0, 0.0], N as u32);
    up.areas = [0, 0, 2, 0, 1];
    two.ladders.push(up);
    two.areas[0].ladders_up = vec![5];
    assert_eq!(times(&two, terrorists(&[[50.0, 50.0, 0.0]]))[1][0], 100.0 / 240.0);
    two.ladders[0].areas = [0, 0, 0, 2, 1];
    assert_eq!(times(&two, terrorists(&[[50.0, 50.0, 0.0]]))[1][0], 120.0, "not behind");
    two.areas[1].ladders_down = vec![5];
    assert_eq!(times(&two, terrorists(&[[150.0, 50.0, 0.0]]))[0][0], 100.0 / 240.0);
}

fn placed(place: u16, area: Area) -> Area {
    Area { place, ..area }
}

#[test]
fn places_flow_over_connections_into_unnamed_areas() {
    let mut five = owned(&Mesh { places: vec![b"Long\0".to_vec(), b"Pit\0".to_vec()], ..chain() });
    five.areas[0].place = 1;
    five.areas[4].place = 2;
    assert_eq!(flood_places(&mut five), 3);
    assert_eq!(five.areas.iter().map(|area| area.place).collect::<Vec<_>>(), [1, 1, 1, 2, 2]);
    assert_eq!(flood_places(&mut five), 0);
}

#[test]
fn places_come_over_from_an_older_mesh_by_what_lies_under() {
    let old = Mesh {
        places: vec![b"Pit\0".to_vec(), b"Long\0".to_vec(), b"Roof\0".to_vec()],
        ..mesh([
            placed(2, flat(1, [0.0, 60.0], [0.0, 100.0])),
            placed(1, flat(2, [60.0, 100.0], [0.0, 100.0])),
            placed(3, crate::edit::area(3, [0.0, 100.0], [0.0, 100.0], [300.0; 4])),
        ])
    };
    let new = Mesh {
        places: vec![b"long\0".to_vec()],
        ..mesh([
            flat(11, [0.0, 100.0], [0.0, 100.0]),
            crate::edit::area(12, [0.0, 100.0], [0.0, 100.0], [310.0; 4]),
            flat(13, [150.0, 250.0], [0.0, 100.0]),
            flat(14, [5000.0, 5100.0], [0.0, 100.0]),
        ])
    };
    let mut new = owned(&new);
    assert_eq!(transfer_places(&mut new, &owned(&old)).unwrap(), 3);
    let names: Vec<_> = new.areas.iter().map(|area| new.head.place(area.place).map(<[u8]>::to_vec)).collect();
    let name = |text: &str| Some(text.as_bytes().to_vec());
    assert_eq!(names, [name("long"), name("Roof"), name("Pit"), None]);
    assert_eq!(new.head.has_unnamed_areas, 1);
}

#[test]
fn a_directory_may_be_full_when_places_come_over() {
    let places: Vec<Vec<u8>> = (0..u16::MAX).map(|number| format!("{number}\0").into_bytes()).collect();
    let level = |area: Area| owned(&Mesh { places: places.clone(), ..mesh([area]) });
    let old = level(placed(3, flat(1, [0.0, 100.0], [0.0, 100.0])));
    let mut new = level(flat(2, [0.0, 100.0], [0.0, 100.0]));
    assert_eq!(transfer_places(&mut new, &old).unwrap(), 1);
    assert_eq!((new.areas[0].place, new.head.places.len()), (3, 65_535));
}

/// None is forgotten, however many have long sides, and whichever way they lie.
#[test]
fn large_areas_are_found_by_the_hundred() {
    for (long, wide) in [(1200.0, 1200.0), (12_000.0, 12_000.0), (1_200.0, 25.0), (25.0, 12_000.0)] {
        let at = |id: u32| flat(id, [long * id as f32, long * (id + 1) as f32], [0.0, wide]);
        let level = (1..300).fold(mesh((1..=300).map(at)), |mesh, id| mesh.both(id, E, id + 1));
        let level = Mesh { version: 9, subversion: None, places: vec![b"Row\0".to_vec()], ..level };
        // From the last to the one before it.
        let found = times(&level, terrorists(&[[long * 300.5, 0.5 * wide, 0.0]]));
        assert_eq!(found[298][0], (long / 240.0_f32).min(120.0), "{long} by {wide}");

        let mut old = owned(&level);
        old.areas.iter_mut().for_each(|area| area.place = 1);
        // A quarter of each, far from the center of the whole.
        let quarter = |id: u32| {
            let x = [long * id as f32, long * (id as f32 + 0.5)];
            flat(id, x, [0.0, 0.5 * wide])
        };
        let mut new = owned(&mesh((1..=300).map(quarter)));
        assert_eq!(transfer_places(&mut new, &old).unwrap(), 300, "{long} by {wide}");
    }
}
