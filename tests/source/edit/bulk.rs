//! What mappers ask for and the game lacks: many areas at once, and mending what a check finds.

use super::*;
use navmap::bytes::Scratch;
use navmap::edit::Editor;
use navmap::format::source::edit::SourceEditor;
use navmap_testkit::source::{Path, Spot};

#[test]
fn links_down_more_than_a_height_are_removed_and_those_up_stay() {
    let level = mesh([
        square(1),
        area(2, [100.0, 200.0], [0.0, 100.0], [-200.0; 4]),
        area(3, [0.0, 100.0], [100.0, 200.0], [-64.0; 4]),
    ]);
    let level = level.both(1, E, 2).both(1, S, 3);
    let out = after(&level, NAVMAP, "disconnect_drops 64");
    assert_eq!(
        (&by_id(&out, 1).connections[E], &by_id(&out, 1).connections[S]),
        (&Vec::<u32>::new(), &vec![3])
    );
    assert_eq!(by_id(&out, 2).connections[W], [1], "the way up");
    assert_eq!(out.analyzed, 0);
    assert_eq!(said(&level, NAVMAP, "disconnect_drops 64 #2+#3"), "0 links down more than 64 removed");
    let why = refused(&level, NAVMAP, "disconnect_drops high");
    assert!(why.contains("1:18: disconnect_drops: high where a height was expected: a number"), "{why}");
}

#[test]
fn small_thin_and_overlapping_areas_are_deleted() {
    let level = mesh([
        square(1),
        flat(2, [100.0, 105.0], [0.0, 100.0]),
        flat(3, [200.0, 210.0], [0.0, 10.0]),
        flat(4, [20.0, 80.0], [20.0, 80.0]),
        area(5, [0.0, 100.0], [0.0, 100.0], [300.0; 4]),
    ]);
    let left = |script| ids(&after(&level, NAVMAP, script));
    assert_eq!(left("delete_smaller 500"), [1, 2, 4, 5], "500 square units are not less than 500");
    assert_eq!(left("delete_thinner 10"), [1, 3, 4, 5]);
    assert_eq!(left("delete_overlapping"), [1, 2, 3, 5], "a storey higher is not on top");
    assert_eq!(left("nav_delete thinner(10)+smaller(101)"), [1, 4, 5]);
    assert_eq!(left("delete_smaller 1e9 #3"), [1, 2, 4, 5]);
    assert_eq!(said(&level, NAVMAP, "delete_smaller 1"), "deleted 0 areas");
}

/// Each of thousands that lie over each other would be tested against each other one at hundreds of points.
#[test]
fn a_stack_of_thousands_is_refused_by_the_limit_on_tests() {
    let storey = |id: u32| flat(id, [0.0, 500.0], [0.0, 500.0]);
    let stack = Mesh { areas: (1..=3_000).map(storey).collect(), ..mesh([]) };
    for script in ["delete_overlapping", "select overlapping"] {
        let why = refused(&stack, NAVMAP, script);
        let most = (16 << 20) + 512 * 3_000;
        assert!(
            why.contains("tests for areas on top of each other: ")
                && why.contains(&format!("the limit of {most}")),
            "{why}"
        );
    }
}

#[test]
fn corners_that_stick_out_of_a_cell_are_found_up_to_a_limit() {
    let one_corner = |id, side: f32, height| {
        let [x, y] = [id as f32 * 100.0, 0.0];
        area(id, [x, x + side], [y, y + side], [0.0, 0.0, height, 0.0])
    };
    let level = mesh([
        square(1),
        one_corner(2, 25.0, 18.0),
        one_corner(3, 25.0, 19.0),
        one_corner(4, 24.0, 19.0),
        one_corner(5, 50.0, -100.0),
        area(6, [600.0, 650.0], [0.0, 50.0], [0.0, 100.0, 200.0, 100.0]),
    ]);
    for script in ["nav_delete invalid", "nav_select_invalid_areas; nav_delete sel"] {
        assert_eq!(
            ids(&after(&level, NAVMAP, script)),
            [1, 2, 4, 6],
            "{script}: no cell of a slope sticks out"
        );
    }
    let large = |id: u32| flat(id, [0.0, 20_000.0], [0.0, 20_000.0]);
    let (few, many) = ((1..=60).map(large).collect(), (1..=70).map(large).collect());
    let [few, many] = [few, many].map(|areas| Mesh { areas, ..mesh([]) });
    for (script, none) in [("select invalid", "0 selected"), ("nav_select_invalid_areas", "selected 0 areas")]
    {
        assert_eq!(said(&few, NAVMAP, script), none);
        let why = refused(&many, NAVMAP, script);
        let most = (16 << 20) + 512 * 70;
        assert!(
            why.contains("cells tested for a bad corner: ") && why.contains(&format!("the limit of {most}")),
            "{why}"
        );
    }
}

/// As in `dz_county`: a thousand points of a large area, hundreds of small ones below it, and a few of them at each point.
#[test]
fn large_areas_far_over_small_ones_are_within_the_limit_on_tests() {
    let small = |n: u32| {
        let [x, y] = [(n / 25) as f32 * 50.0, (n % 25) as f32 * 50.0];
        area(n + 1, [x, x + 50.0], [y, y + 50.0], [0.0; 4])
    };
    let large = |n: u32| area(n + 1_000, [0.0, 1_250.0], [0.0, 1_250.0], [(n + 1) as f32 * 1_000.0; 4]);
    let level = Mesh { areas: (0..625).map(small).chain((0..24).map(large)).collect(), ..mesh([]) };
    assert_eq!(said(&level, NAVMAP, "delete_overlapping"), "deleted 0 areas");
}

#[test]
fn corners_are_moved_to_a_grid_unless_nothing_would_be_left() {
    let level = mesh([area(1, [1.0, 98.0], [-13.0, 101.0], [3.0; 4]), flat(2, [100.0, 104.0], [0.0, 50.0])]);
    let out = after(&level, NAVMAP, "snap_corners 25");
    assert_eq!(spread(by_id(&out, 1)), ([0.0, 100.0], [-25.0, 100.0], [3.0; 4]));
    assert_eq!(spread(by_id(&out, 2)), ([100.0, 104.0], [0.0, 50.0], [0.0; 4]));
    assert_eq!(by_id(&after(&level, NAVMAP, "snap_corners 2.5 --z #1"), 1).nw, [0.0, -12.5, 2.5]);
    assert!(refused(&level, NAVMAP, "snap_corners 0").contains("a unit of 0"));
}

#[test]
fn long_areas_are_halved_on_the_grid_until_none_is_long() {
    let level = mesh([flat(1, [0.0, 400.0], [0.0, 50.0]), flat(2, [0.0, 100.0], [100.0, 200.0])]);
    let out = after(&level, NAVMAP, "square_up");
    assert_eq!(out.areas.len(), 5, "400 to 200 to 100");
    assert!(out.areas.iter().all(|area| area.se[0] - area.nw[0] <= 150.5));
    assert_eq!(said(&level, NAVMAP, "square_up 8"), "0 cuts made");
    assert!(refused(&level, NAVMAP, "square_up 0.5").contains("a ratio of 0.5"));
}

#[test]
fn one_side_is_moved_along_the_slope() {
    let level = mesh([
        area(1, [0.0, 100.0], [0.0, 100.0], [0.0, 50.0, 60.0, 10.0]),
        flat(2, [100.0, 200.0], [0.0, 100.0]),
    ]);
    let level = level.both(1, E, 2);
    let one = |script: &str| spread(by_id(&after(&level, NAVMAP, script), 1));
    assert_eq!(one("resize #1 east 200"), ([0.0, 200.0], [0.0, 100.0], [0.0, 100.0, 110.0, 10.0]));
    assert_eq!(
        one("nav_mark #1; resize north by=50"),
        ([0.0, 100.0], [-50.0, 100.0], [-5.0, 45.0, 60.0, 10.0])
    );
    assert_eq!(
        one("resize #1 west by=-50 --keep-heights"),
        ([50.0, 100.0], [0.0, 100.0], [0.0, 50.0, 60.0, 10.0])
    );
    let why = refused(&level, NAVMAP, "resize #1 east -1");
    assert!(why.contains("#1 would be -1 by 100: no surface"), "{why}");
    assert!(said(&level, NAVMAP, "resize #1 north 90").contains("#1 reaches north to 90"));
    assert!(refused(&level, NAVMAP, "resize #1 up 5").contains("where north, east, south or west"));
}

/// A mesh in which everything leads somewhere that is not there.
fn broken() -> Mesh {
    let mut level =
        mesh([square(1), flat(2, [100.0, 200.0], [0.0, 100.0]), flat(3, [50.0, 50.0], [0.0, 9.0])]);
    level.places = vec![b"A\0".to_vec()];
    level.areas[0].place = 7;
    level.areas[0].connections[E] = vec![2, 1, 77, 2];
    level.areas[0].connections[N] = vec![2];
    level.areas[0].ladders_up = vec![5, 9, 5];
    level.areas[0].visible = vec![(1, 3), (88, 1)];
    level.areas[1].inherit = 99;
    level.areas[1].spots.push(Spot { id: 1, position: [150.0, 50.0, 0.0], flags: 1 });
    level.areas[1].paths = vec![
        Path { from: 1, to: 1, ..Path::default() },
        Path { from: 44, to: 1, ..Path::default() },
        Path { from: 1, to: 1, from_side: 7, ..Path::default() },
        Path { from: 1, to: 1, spots: vec![(66, 0)], ..Path::default() },
    ];
    level.ladders.push(ladder(5, [0.0, 0.0, 128.0], [0.0; 3], 2));
    level.ladders[0].areas = [1, 55, 0, 0, 1];
    level
}

#[test]
fn what_leads_nowhere_is_removed_kind_by_kind() {
    let links = |script: &str| after(&broken(), NAVMAP, script).areas[0].connections.clone();
    let none: Vec<u32> = Vec::new();
    assert_eq!(links("clean_links --self")[E], [2, 77, 2]);
    assert_eq!(links("clean_links --duplicate")[E], [2, 1, 77]);
    assert_eq!(links("clean_links --dangling")[E], [2, 1, 2]);
    assert_eq!(links("clean_links --no-portal")[N], none, "they only touch");
    assert_eq!(links("clean_links"), [none.clone(), vec![2], none.clone(), none]);
    let out = after(&broken(), NAVMAP, "clean_ladders; clean_visibility; clean_encounters");
    assert_eq!((&out.areas[0].ladders_up, out.ladders[0].areas), (&vec![5], [1, 0, 0, 0, 1]));
    assert_eq!(
        (&out.areas[0].visible, out.areas[1].inherit, out.areas[1].paths.len()),
        (&vec![(1, 3)], 0, 1)
    );
}

#[test]
fn every_fix_mends_what_it_names_and_is_taken_back() {
    let codes = |bytes: &[u8]| {
        let mut found = std::collections::BTreeSet::new();
        let nav = SourceNav::parse(bytes).unwrap();
        navmap::NavFile::check(&nav, &mut Scratch::default(), &mut |finding| _ = found.insert(finding.code))
            .unwrap();
        found
    };
    let bytes = write(&broken());
    let before = codes(&bytes);
    let mut session = open_bytes(&bytes, NAVMAP);
    for fix in SourceEditor::fixes() {
        assert!(navmap::codes().any(|(_, code)| code.code == fix.code), "{}", fix.code);
        if before.contains(fix.code) {
            session.line(fix.command).unwrap_or_else(|refusal| panic!("{}: {refusal}", fix.code));
            assert!(!codes(&session.editor().encode().unwrap()).contains(fix.code), "{}", fix.code);
        }
    }
    for code in [
        "degenerate-area",
        "self-connection",
        "dangling-ladder",
        "dangling-encounter-path",
        "place-out-of-range",
    ] {
        assert!(before.contains(code), "{code}: {before:?}");
    }
    session.line("undo all").unwrap();
    assert!(session.editor().encode().unwrap() == bytes);
}

// Visibility kept.

/// Three areas in a row that see each other: 1 wholly, 2 by way of 1 but for itself, 3 has a list of its own.
fn seeing() -> Mesh {
    let mut level =
        mesh((1..=3).map(|id| flat(id, [id as f32 * 100.0, id as f32 * 100.0 + 100.0], [0.0, 100.0])));
    level = level.both(1, E, 2).both(2, E, 3);
    level.areas[0].visible = vec![(1, 3), (2, 3), (3, 1)];
    level.areas[1].inherit = 1;
    level.areas[1].visible = vec![(2, 3), (3, 3)];
    level.areas[2].visible = vec![(3, 3), (1, 1), (2, 3)];
    level
}

/// What each area sees, over one level of inheritance.
fn sees(level: &Mesh) -> Vec<(u32, Vec<(u32, u8)>)> {
    let each = |area: &Area| {
        let mut all: std::collections::BTreeMap<u32, u8> = area.visible.iter().copied().collect();
        if let Some(anchor) = level.areas.iter().find(|other| other.id == area.inherit) {
            anchor.visible.iter().for_each(|(to, bits)| _ = all.entry(*to).or_insert(*bits));
        }
        all.retain(|_, bits| *bits != 0);
        (area.id, all.into_iter().collect())
    };
    level.areas.iter().map(each).collect()
}

fn kept(level: &Mesh, script: &str) -> Mesh {
    let mut session = open(level, NAVMAP);
    session.editor_mut().keep_visibility(true);
    session.line(script).unwrap_or_else(|refusal| panic!("{refusal}"));
    let out = written(&session);
    let before = write(level);
    session.line("undo all").unwrap();
    assert!(session.editor().encode().unwrap() == before);
    session.line("redo all").unwrap();
    assert_eq!(written(&session), out);
    out
}

#[test]
fn visibility_is_kept_over_a_death_to_the_entry() {
    for dead in 1..=3 {
        let mut expected = sees(&seeing());
        expected.retain(|(id, _)| *id != dead);
        expected.iter_mut().for_each(|(_, list)| list.retain(|(to, _)| *to != dead));
        assert_eq!(sees(&kept(&seeing(), &format!("nav_delete #{dead}"))), expected, "{dead}");
    }
    assert_eq!(sees(&kept(&seeing(), "nav_delete #1+#3")), [(2, vec![(2, 3)])]);
    // Without being asked, all of it goes.
    assert!(after(&seeing(), NAVMAP, "nav_delete #3").areas.iter().all(|area| area.visible.is_empty()));
}

#[test]
fn halves_see_and_are_seen_potentially() {
    let out = kept(&seeing(), "nav_split #3 x=350");
    let expected = [
        (1, vec![(1, 3), (2, 3), (4, 1), (5, 1)]),
        (2, vec![(1, 3), (2, 3), (4, 1), (5, 1)]),
        (4, vec![(1, 1), (2, 1), (4, 3), (5, 1)]),
        (5, vec![(1, 1), (2, 1), (4, 1), (5, 3)]),
    ];
    assert_eq!(sees(&out), expected);
    // Cut twice in one command.
    let out = kept(&seeing(), "nav_subdivide #3");
    assert_eq!(out.areas.len(), 6);
    assert!(sees(&out).iter().all(|(_, list)| list.len() == 6), "{:?}", sees(&out));
}

#[test]
fn a_merged_area_is_seen_wholly_where_both_were() {
    let out = kept(&seeing(), "nav_merge #3 #2");
    assert_eq!(sees(&out), [(1, vec![(1, 3), (2, 1)]), (2, vec![(1, 1), (2, 3)])]);
    let out = kept(&seeing(), "nav_merge #2 #1");
    assert_eq!(sees(&out), [(1, vec![(1, 3), (3, 1)]), (3, vec![(1, 1), (3, 3)])]);
}

#[test]
fn positions_of_left_4_dead_follow_the_areas() {
    let mut level = Mesh { subversion: Some(14), ..seeing() };
    for area in &mut level.areas {
        area.visible.iter_mut().for_each(|(to, _)| *to -= 1);
    }
    let out = kept(&level, "nav_delete #1");
    let lists: Vec<_> = out.areas.iter().map(|area| (area.visible.clone(), area.inherit)).collect();
    assert_eq!(lists, [(vec![(0, 3), (1, 3)], 0), (vec![(1, 3), (0, 3)], 0)]);
}

// GoldSrc.

/// Two areas of GoldSrc side by side.
fn gold() -> Mesh {
    let mut level =
        Mesh { version: 5, subversion: None, ..mesh([square(1), flat(2, [100.0, 200.0], [0.0, 100.0])]) };
    level.places = vec![b"A\0".to_vec()];
    level.areas[1].attributes = 4;
    level.areas[1].place = 1;
    level.both(1, E, 2)
}

#[test]
fn the_editor_of_goldsrc_differs() {
    let out = |exact, script: &str| after(&gold(), exact, script);
    // Merging takes neither attributes nor places along.
    let merged = out(GAME, "nav_merge #2 #1");
    assert_eq!((merged.areas[0].attributes, merged.areas[0].place), (0, 0));
    let merged = out(NAVMAP, "nav_merge #2 #1");
    assert_eq!((merged.areas[0].attributes, merged.areas[0].place), (4, 1));
    // A corner is moved alone.
    let raised = |exact| out(exact, "nav_mark #1; nav_corner_select NE; nav_corner_raise 5").areas[1].nw[2];
    assert_eq!((raised(GAME), raised(NAVMAP)), (0.0, 5.0));
    // The cut is brought to the grid towards zero.
    let cut = |exact, x: &str| out(exact, &format!("nav_split #1 x={x} --snap 25")).areas[1].se[0];
    assert_eq!((cut(GAME, "37.5"), cut(NAVMAP, "37.5")), (25.0, 50.0));
    // One-way links from outside are lost.
    let one_way = gold();
    let lost = after(&one_way, GAME, "nav_disconnect #1 #2; nav_connect #2 #1; nav_split #1 x=50");
    assert_eq!(by_id(&lost, 2).connections[W], [0_u32; 0]);
    // Places come from the area, whatever is current.
    assert_eq!(out(GAME, "nav_use_place A; nav_split #1 x=50").areas[1].place, 0);
    // A link goes over the side on which the cursor lies.
    let side = |exact, script: &str| out(exact, script).areas[0].connections.clone().map(|list| list.len());
    let far = "nav_disconnect #1 #2; nav_connect #1 ";
    assert_eq!(side(GAME, &format!("{far}#2")), [0, 1, 0, 0]);
    assert_eq!(side(GAME, "nav_connect #1 #1"), [1, 1, 0, 0], "with itself, too");
    assert!(refused(&gold(), NAVMAP, "nav_connect #1 #1").contains("itself"));
    // A mark that was set survives the beginning of an area, which is linked with it.
    let made = "nav_mark #1; nav_begin_area -50,0,0; nav_end_area -10,50,0";
    assert_eq!(side(GAME, made), [0, 1, 0, 1]);
    // Nothing is stripped when an area is deleted.
    let mut paths = gold();
    paths.areas[1].paths = vec![Path { from: 1, to: 1, ..Path::default() }];
    assert_eq!(by_id(&after(&paths, GAME, "nav_delete #1"), 2).paths.len(), 1);
    assert_eq!(by_id(&after(&paths, NAVMAP, "nav_delete #1"), 2).paths.len(), 0);
}

// What the writer looks at.

#[test]
fn an_edit_may_not_newly_link_an_area_with_itself() {
    let mut session = open(&gold(), GAME);
    session.editor_mut().force_odd(false);
    session.line("nav_connect #1 #1").unwrap();
    let why = session.editor().encode().unwrap_err().to_string();
    assert!(why.contains("area #1 is connected to itself (--force-odd"), "{why}");
    // What was so before is carried.
    assert_eq!(
        written(&{
            let mut session = open(&broken(), NAVMAP);
            session.line("nav_crouch #2").unwrap();
            session
        })
        .areas[0]
            .connections[E],
        [2, 1, 77, 2]
    );
}

#[test]
fn a_spot_that_an_edit_leaves_beside_every_area_is_told() {
    let mut level = mesh([square(1), flat(2, [200.0, 300.0], [0.0, 100.0])]);
    level.areas[0].spots.push(Spot { id: 1, position: [90.0, 50.0, 0.0], flags: 1 });
    level.areas[1].spots.push(Spot { id: 2, position: [9999.0, 50.0, 0.0], flags: 1 });
    let mut session = open(&level, NAVMAP);
    assert!(!session.editor().report().to_string().contains("off every area"));
    session.line("resize #1 east 50").unwrap();
    let told = session.editor().report().to_string();
    assert!(told.contains("hiding spots: 1 newly lie off every area"), "{told}");
}

#[test]
fn a_spot_on_the_last_of_very_many_areas_at_one_place_lies_on_one() {
    let side = |n: u32| [n as f32 * 12.5, n as f32 * 12.5 + 12.5];
    let mut session = open(&mesh((0..576).map(|n| flat(n + 1, side(n % 24), side(n / 24)))), NAVMAP);
    session.line("area set #1 ne=5; area spots #576 1:1:294,294,0").unwrap();
    let told = session.editor().report().to_string();
    assert!(!told.contains("off every area"), "{told}");
}

#[test]
fn a_side_that_stays_where_it_is_changes_nothing() {
    let bytes = std::fs::read(navmap_testkit::corpus::bundled().join("source/v16-1-csgo.nav")).unwrap();
    for side in ["north", "east", "south", "west"] {
        let mut session = open_bytes(&bytes, NAVMAP);
        for area in session.editor().all() {
            let name = session.editor().name(area);
            session.line(&format!("resize {name} {side} by=0")).unwrap();
        }
        assert!(session.editor().encode().unwrap() == bytes, "{side}");
    }
}
