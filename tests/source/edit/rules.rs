//! What an edit does to the rest of the file, and what is never written: vectors 59 to 66 and 80.

use super::*;
use navmap::edit::Editor;
use navmap::format::source::edit::Consistency;
use navmap_testkit::source::{Path, Spot};

#[test]
fn v59_a_dead_area_is_cleared_from_every_place_of_a_ladder() {
    let mut level = mesh([square(1), flat(2, [100.0, 200.0], [0.0, 100.0])]);
    level.ladders.push(ladder(5, [0.0, 0.0, 128.0], [0.0; 3], 2));
    level.ladders[0].areas = [2, 1, 0, 0, 1];
    assert_eq!(after(&level, GAME, "nav_delete #1").ladders[0].areas, [2, 0, 0, 0, 1]);
    assert_eq!(after(&level, NAVMAP, "nav_delete #1").ladders[0].areas, [2, 0, 0, 0, 0]);
}

/// Three areas with everything that an analysis makes.
fn analysed() -> Mesh {
    let mut level =
        mesh((1..=3).map(|id| flat(id, [id as f32 * 100.0, id as f32 * 100.0 + 100.0], [0.0, 100.0])));
    level = level.both(1, E, 2).both(2, E, 3);
    for (i, area) in level.areas.iter_mut().enumerate() {
        area.spots.push(Spot { id: i as u32 + 40, position: area.nw, flags: 1 });
        area.visible = vec![(1, 3), (2, 1)];
    }
    level.areas[2].inherit = 1;
    level.areas[1].paths.push(Path { from: 1, from_side: 3, to: 3, to_side: 1, ..Path::default() });
    level
}

#[test]
fn v60_a_death_drops_what_the_game_drops_and_no_more() {
    for exact in [GAME, NAVMAP] {
        let out = after(&analysed(), exact, "nav_delete #3");
        assert_eq!((out.analyzed, ids(&out)), (0, vec![1, 2]));
        for area in &out.areas {
            assert_eq!((area.paths.len(), area.visible.len(), area.inherit), (0, 0, 0));
        }
        assert_eq!(out.areas.iter().map(|area| area.spots[0].id).collect::<Vec<_>>(), [40, 41]);
        assert_eq!(by_id(&out, 2).connections[E], [0; 0]);
    }
}

#[test]
fn v61_a_refused_split_leaves_the_file_alone() {
    let bytes = write(&analysed());
    let mut session = open_bytes(&bytes, NAVMAP);
    assert!(session.line("nav_split #1 x=500").is_err());
    assert!(session.editor().encode().unwrap() == bytes);
    assert_eq!(after(&analysed(), GAME, "nav_split #1 x=500").analyzed, 0);
}

#[test]
fn v62_and_v63_new_ids_are_above_all_others_and_never_wrap() {
    let two = |a, b| mesh([flat(a, [0.0, 50.0], [0.0, 50.0]), flat(b, [100.0, 150.0], [0.0, 50.0])]);
    let new = |level: &Mesh, exact| {
        *ids(&after(level, exact, "nav_begin_area 200,0,0; nav_end_area 250,50,0")).last().unwrap()
    };
    assert_eq!((new(&two(10, 3), GAME), new(&two(10, 3), NAVMAP)), (12, 11));
    assert_eq!(new(&two(1, u32::MAX), GAME), 0);
    let why = refused(&two(1, u32::MAX), NAVMAP, "nav_begin_area 200,0,0; nav_end_area 250,50,0");
    assert!(why.contains("4294967295") && why.contains("nav_compress_id"), "{why}");
}

#[test]
fn v64_compressing_ids_takes_every_reference_along() {
    let mut level =
        mesh([(7, 0.0), (3, 100.0), (9, 200.0)].map(|(id, x)| flat(id, [x, x + 100.0], [0.0, 100.0])));
    level = level.both(7, E, 3).link(3, E, 9);
    level.ladders.push(ladder(8, [0.0, 0.0, 128.0], [0.0; 3], 2));
    level.ladders[0].areas = [9, 0, 0, 0, 7];
    level.areas[0].ladders_up.push(8);
    level.areas[0].visible = vec![(9, 3)];
    level.areas[2].inherit = 7;
    level.areas[1].paths.push(Path { from: 7, from_side: 3, to: 9, to_side: 1, ..Path::default() });
    for exact in [GAME, NAVMAP] {
        let out = after(&level, exact, "nav_compress_id");
        assert_eq!(ids(&out), [1, 2, 3]);
        assert_eq!(
            (&out.areas[0].connections[E], &out.areas[1].connections),
            (&vec![2], &[vec![], vec![3], vec![], vec![1]])
        );
        assert_eq!(
            (out.ladders[0].id, out.ladders[0].areas, &out.areas[0].ladders_up),
            (1, [3, 0, 0, 0, 1], &vec![1])
        );
        assert_eq!((&out.areas[0].visible, out.areas[2].inherit), (&vec![(3, 3)], 1));
        assert_eq!((out.areas[1].paths[0].from, out.areas[1].paths[0].to), (1, 3));
    }

    let mut l4d = Mesh { subversion: Some(14), ..level };
    l4d.areas[0].visible = vec![(2, 3)];
    assert_eq!(after(&l4d, NAVMAP, "nav_compress_id").areas[0].visible, [(2, 3)], "a position");
}

#[test]
fn v65_a_mesh_without_areas_is_not_written() {
    let mut session = open(&mesh([square(1)]), NAVMAP);
    assert!(
        session.line("nav_delete all").unwrap()[0].said.join("; ").contains("the game refuses such a mesh")
    );
    assert!(session.editor().encode().unwrap_err().to_string().contains("no areas"));
    session.editor_mut().force_odd(true);
    assert_eq!(written(&session).areas.len(), 0);
    // The game writes what it will refuse.
    assert_eq!(after(&mesh([square(1)]), GAME, "nav_delete all").areas.len(), 0);
}

#[test]
fn v66_a_link_to_nowhere_is_carried_but_not_newly_written() {
    let broken = mesh([square(1), flat(2, [100.0, 200.0], [0.0, 100.0])]).link(1, E, 77);
    assert_eq!(after(&broken, GAME, "nav_crouch #2").areas[0].connections[E], [77]);
    let mut session = open(&broken, NAVMAP);
    session.line("nav_crouch #2").unwrap();
    assert_eq!(written(&session).areas[0].connections[E], [77]);
    assert_eq!(session.editor().carried().len(), 1);
    // The game keeps a dead id at a ladder, and a dead id in a list would crash it.
    let mut own = session.editor().to_buf();
    own.areas[1].connections[0].push(navmap::format::source::AreaId::new(99));
    let found = navmap::format::source::odd(&own);
    assert_eq!(found.iter().filter(|found| found.code == "dangling-connection").count(), 2);
}

#[test]
fn a_link_that_is_there_many_times_is_told_once_and_errors_alone_are_kept_on_request() {
    use navmap::Severity;
    use navmap::format::source::{AreaId, odd, odd_errors};
    let mut own = open(&analysed(), NAVMAP).editor().to_buf();
    let to = own.areas[1].connections.iter().flatten().copied().next().expect("a link");
    let side = own.areas[1].connections.iter().position(|list| list.contains(&to)).unwrap();
    own.areas[1].connections[side].extend([to; 9]);
    let twins = |own: &_| odd(own).into_iter().filter(|found| found.code == "duplicate-connection").count();
    assert_eq!(twins(&own), 1);
    // However far apart they are.
    own.areas[1].connections[side].extend((100..500).map(AreaId::new).chain([to; 9]));
    assert_eq!(twins(&own), 1);
    own.areas[1].connections[side].retain(|id| id.get() < 100);
    // Of two links that repeat, each is told.
    let own_id = own.areas[1].id;
    own.areas[1].connections[side].extend([own_id; 3]);
    assert_eq!(twins(&own), 2);
    assert!(odd_errors(&own).is_empty());
    own.areas[1].connections[side].push(AreaId::new(99));
    let errors = odd_errors(&own);
    assert_eq!(errors.iter().map(|found| found.code).collect::<Vec<_>>(), ["dangling-connection"]);
    let of_all: Vec<_> = odd(&own).into_iter().filter(|found| found.severity == Severity::Error).collect();
    assert_eq!(errors, of_all);
}

#[test]
fn areas_that_share_an_id_and_what_does_not_exist_are_found() {
    use navmap::format::source::AreaId;
    let mut level = analysed();
    level.areas[1].paths[0].spots.push((40, 128));
    let mut own = open(&level, NAVMAP).editor().to_buf();
    let found = |mesh: &navmap::format::source::SourceBuf, code: &str| -> Vec<u64> {
        let all = navmap::format::source::odd(mesh).into_iter().filter(|found| found.code == code);
        all.map(|found| found.at.record.unwrap().1).collect()
    };
    let codes = ["duplicate-area-id", "inherits-twice", "dangling-encounter", "dangling-encounter-spot"];
    assert!(codes.iter().all(|code| found(&own, code).is_empty()));
    // The third is no area of its own to the game, which takes the first of an id.
    own.areas[2].id = AreaId::new(1);
    assert_eq!(found(&own, "duplicate-area-id"), [0, 2]);
    assert_eq!(found(&own, "dangling-encounter"), [1]);
    assert!(found(&own, "inherits-twice").is_empty());
    own.areas[0].inherits = AreaId::new(2);
    assert_eq!(found(&own, "inherits-twice"), [2]);
    own.areas[0].id = AreaId::new(7);
    assert!(found(&own, "duplicate-area-id").is_empty());
    assert_eq!(found(&own, "inherits-twice"), [2], "the third inherits from itself");
    own.areas[0].hiding_spots.clear();
    assert_eq!(found(&own, "dangling-encounter-spot"), [1]);
}

#[test]
fn v80_the_size_of_the_map_is_read_where_it_is() {
    let fresh = write(&Mesh { bsp_size: 5000, ..mesh([square(1)]) });
    assert_eq!(Consistency::compare(&fresh, 5000, NAVMAP), Consistency::UpToDate);
    assert_eq!(Consistency::compare(&fresh, 5000, GAME), Consistency::OutOfDate { made_from: 0 });
    assert_eq!(Consistency::compare(&fresh, 5001, NAVMAP), Consistency::OutOfDate { made_from: 5000 });
    assert_eq!(Consistency::compare(&fresh[..11], 5000, NAVMAP), Consistency::Invalid);
    assert_eq!(
        Consistency::compare(&write(&Mesh { version: 3, ..mesh([square(1)]) }), 1, NAVMAP),
        Consistency::Old
    );
}

#[test]
fn a_new_area_is_linked_with_the_one_that_it_lies_beside() {
    let level = mesh([Area { attributes: 4, ..square(1) }]);
    let out = after(&level, NAVMAP, "select #1; nav_begin_area 110,0,7; nav_end_area 150,50,9");
    assert_eq!(spread(by_id(&out, 2)), ([110.0, 150.0], [0.0, 50.0], [7.0; 4]));
    assert_eq!(
        (by_id(&out, 2).attributes, &by_id(&out, 1).connections[E], &by_id(&out, 2).connections[W]),
        (4, &vec![2], &vec![1])
    );
    let out =
        after(&level, NAVMAP, "nav_begin_area 90,110,0; nav_end_area 150,150,0 --like none --connect #1");
    assert_eq!((by_id(&out, 2).attributes, &by_id(&out, 1).connections[S]), (0, &vec![2]));
    let why = refused(&level, NAVMAP, "nav_begin_area 90,110,0; nav_end_area 90,150,0");
    assert!(why.contains("an area of 0 by 40 has no surface"), "{why}");
}

#[test]
fn a_write_is_refused_for_what_the_run_brought_about_and_not_for_what_was_there() {
    // The second area has no surface, and the first leads to one that is not there.
    let odd = mesh([square(7), flat(9, [100.0, 100.0], [0.0, 100.0])]).link(7, S, 555);
    for harmless in
        ["nav_mark_attribute CROUCH #7", "nav_compress_id", "nav_corner_raise 4 #9", "nav_delete #7"]
    {
        let mut session = open(&odd, NAVMAP);
        session.line(harmless).unwrap_or_else(|refusal| panic!("{harmless}: {refusal}"));
        let bytes = session.editor().encode();
        assert!(bytes.is_ok(), "{harmless}: {}", bytes.unwrap_err());
    }
    let mut session = open(&odd, NAVMAP);
    session.line("area set #7 se=0,100,0").unwrap();
    let why = session.editor().encode().unwrap_err().to_string();
    assert!(why.contains("area #7 is 0 by 100: no surface"), "{why}");
}

#[test]
fn a_split_drops_the_encounter_paths_that_it_touches_and_no_others() {
    let mut level =
        mesh((1..=6).map(|id| flat(id, [id as f32 * 100.0, id as f32 * 100.0 + 100.0], [0.0, 100.0])));
    for id in 1..=5 {
        level = level.both(id, E, id + 1);
    }
    let path = |from, to| Path { from, from_side: 3, to, to_side: 1, ..Path::default() };
    let position = level.areas[0].nw;
    level.areas[0].spots.push(Spot { id: 40, position, flags: 1 });
    for at in 1..5 {
        let id = at as u32 + 1;
        level.areas[at].paths = vec![path(id - 1, id + 1), path(id + 1, id - 1)];
    }
    // One that passes a hiding spot of the area that is cut.
    level.areas[4].paths[0].spots = vec![(40, 9)];
    let paths = |mesh: &Mesh| mesh.areas.iter().map(|area| area.paths.len()).sum::<usize>();
    assert_eq!(paths(&level), 8);
    let cut = after(&level, NAVMAP, "nav_split #1 x=150");
    assert_eq!((paths(&cut), by_id(&cut, 2).paths.len(), by_id(&cut, 5).paths.len()), (5, 0, 1));
    assert_eq!(cut.analyzed, 0);
    assert_eq!(paths(&after(&level, GAME, "nav_split #1 x=150")), 0, "the game drops all of them");
}

#[test]
fn nothing_is_called_stale_that_the_same_run_has_analysed() {
    let level = analysed();
    let notes = |script: &str| {
        let mut session = open(&level, NAVMAP);
        session.script(script, |fared| {
            fared.unwrap();
            std::ops::ControlFlow::Continue(())
        });
        session.editor().report().notes.join("; ")
    };
    assert!(notes("area set #3 se=400,90,0").contains("stale"));
    assert!(!notes("area set #3 se=400,90,0\nnav_analyze").contains("stale"), "{}", notes("nav_analyze"));
    assert!(notes("nav_analyze\narea set #3 se=400,90,0").contains("stale"));
}

#[test]
fn a_unit_and_a_depth_are_whole_numbers() {
    let level = mesh([square(1)]);
    for line in [
        "nav_begin_area 200,0,0 --snap 0.5",
        "nav_begin_area 200,0,0 --snap 0",
        "nav_split #1 x=12 --snap -5",
        "nav_split #1 x=12 --snap 2.5",
    ] {
        assert!(refused(&level, NAVMAP, line).contains("a whole number from 1"), "{line}");
    }
    assert!(refused(&level, NAVMAP, "nav_snap_to_grid 0.5").contains("0, 1, 2 or 3 was expected"));
    assert!(refused(&level, NAVMAP, "nav_subdivide 1.5 #1").contains("it can be 1 to 10"));
}
