//! Commands of the editor that need the map.

use crate::WORLD;
use navmap::bsp::BspMap;
use navmap::edit::{Editor, Session, SessionOptions};
use navmap::format::source::analyze::Spawns;
use navmap::format::source::edit::SourceEditor;
use navmap::format::source::{SourceBuf, SourceNav};
use navmap_testkit::bsp::{Brush, source};
use navmap_testkit::maps::{gold_yard, source_yard, yard_mesh};
use navmap_testkit::source::{Area, Mesh, write};
use std::sync::Arc;

fn session(mesh: &[u8], map: Option<&[u8]>) -> Session<SourceEditor> {
    let mesh = SourceBuf::read(&SourceNav::parse(mesh).unwrap()).unwrap();
    let mut editor = SourceEditor::new(mesh).unwrap();
    if let Some(map) = map {
        let spawns = Spawns {
            terrorists: vec![[420.0, -100.0, 8.0]],
            counter_terrorists: vec![[-400.0, -250.0, 8.0]],
        };
        editor.set_map(Arc::new(BspMap::parse(map).unwrap()), spawns);
    }
    Session::new(editor, SessionOptions::default())
}

fn said(session: &mut Session<SourceEditor>, line: &str) -> String {
    match session.line(line) {
        Ok(outcomes) => outcomes.into_iter().flat_map(|outcome| outcome.said).collect::<Vec<_>>().join("\n"),
        Err(refusal) => panic!("{line}: {refusal}"),
    }
}

fn refused(session: &mut Session<SourceEditor>, line: &str) -> String {
    session.line(line).expect_err(line).to_string()
}

fn area(id: u32, nw: [f32; 3], se: [f32; 3], [ne_z, sw_z]: [f32; 2]) -> Area {
    Area { id, nw, se, ne_z, sw_z, light: [1.0; 4], ..Area::default() }
}

fn mesh_of(areas: Vec<Area>, subversion: u32) -> Vec<u8> {
    write(&Mesh { version: 16, subversion: Some(subversion), unnamed: 1, areas, ..Mesh::default() })
}

fn shape(session: &Session<SourceEditor>, at: usize) -> [[f32; 3]; 4] {
    session.editor().to_buf().areas[at].shape.corners()
}

#[test]
fn corners_are_put_on_the_ground_of_the_map() {
    // Over the ramp, too high on one side and under the ground on the other.
    let flat = area(1, [80.0, 272.0, 30.0], [240.0, 368.0, 30.0], [30.0, 30.0]);
    let mut session = session(&mesh_of(vec![flat], 1), Some(&source_yard()));
    said(&mut session, "nav_corner_place_on_ground #1");
    for [x, _, z] in shape(&session, 0) {
        // The ramp rises by half a unit for each, from x = 64 on.
        assert!((z - (x - 64.0) / 2.0).abs() < 0.2, "{z} at {x}");
    }
    said(&mut session, "undo; nav_mark #1; nav_corner_select SE; nav_corner_place_on_ground");
    let [nw, ne, se, sw] = shape(&session, 0).map(|[.., z]| z);
    assert!((nw, ne, sw) == (30.0, 30.0, 30.0) && (se - 88.0).abs() < 0.2, "{se}");
    // Heights are whole numbers away from the old ones, as the game moves them.
    let mesh = mesh_of(vec![area(1, [80.0, 272.0, 30.5], [240.0, 368.0, 30.5], [30.5, 30.5])], 1);
    let buf = SourceBuf::read(&SourceNav::parse(&mesh).unwrap()).unwrap();
    let mut editor = SourceEditor::new(buf).unwrap();
    editor.set_map(Arc::new(BspMap::parse(&source_yard()).unwrap()), Spawns::default());
    let mut exact = Session::new(editor, SessionOptions { game_exact: true, ..SessionOptions::default() });
    said(&mut exact, "nav_corner_place_on_ground #1");
    assert!(shape(&exact, 0).iter().all(|[.., z]| z.fract() == 0.5));
}

/// Treads of 16 by 8 that rise to the east, from 0 to 128, and a ramp beside them.
fn stairs() -> Vec<u8> {
    let mut brushes = vec![Brush::solid([-512.0, -512.0, -32.0], [512.0, 512.0, 0.0])];
    for step in 0..16 {
        let (x, z) = (16.0 * step as f32, 8.0 * (step + 1) as f32);
        brushes.push(Brush::solid([x, 0.0, 0.0], [x + 16.0, 128.0, z]));
    }
    brushes.push(Brush::ramp([0.0, 200.0, 0.0], [256.0, 328.0, 128.0]));
    source(20, &[brushes], WORLD)
}

#[test]
fn stairs_are_marked_by_the_map() {
    let areas = vec![
        area(1, [0.0, 0.0, 4.0], [256.0, 128.0, 132.0], [132.0, 4.0]),
        area(2, [0.0, 200.0, 0.0], [256.0, 328.0, 128.0], [128.0, 0.0]),
        Area { attributes: 0x1000, ..area(3, [-400.0, 0.0, 0.0], [-200.0, 128.0, 0.0], [0.0, 0.0]) },
    ];
    let mesh = mesh_of(areas, 0);
    let mut session = session(&mesh, Some(&stairs()));
    let bits = |session: &Session<SourceEditor>| {
        session.editor().to_buf().areas.iter().map(|area| area.attributes.bits()).collect::<Vec<_>>()
    };
    assert_eq!(said(&mut session, "nav_check_stairs"), "marked 1 area as stairs, changed 2 areas");
    assert_eq!(bits(&session), [0x1000, 0, 0]);
    said(&mut session, "undo");
    assert_eq!(said(&mut session, "nav_test_stairs #1+#2"), "marked 1 area as stairs, changed 1 area");
    assert_eq!(bits(&session), [0x1000, 0, 0x1000]);
    said(&mut session, "undo");
    assert_eq!(session.editor().encode().unwrap(), mesh);
}

#[test]
fn ladders_of_the_map_are_made_and_linked() {
    let whole = yard_mesh(16, Some(1), 0);
    let mut session = session(&whole, Some(&source_yard()));
    assert_eq!(said(&mut session, "nav_build_ladder"), "1 ladder of the map: the mesh lacks none");
    said(&mut session, "ladder delete L#1");
    let made = said(&mut session, "nav_build_ladder 372,100,40");
    assert!(made.contains("made L#") && made.contains("1 of 1 ladder of the map made, 1 linked"), "{made}");
    let mesh = session.editor().to_buf();
    let before = SourceBuf::read(&SourceNav::parse(&whole).unwrap()).unwrap();
    let (ours, kept) = (mesh.ladders[0].ladder, before.ladders[0].ladder);
    assert_eq!(ours.direction(), kept.direction());
    assert_eq!((ours.bottom_area(), ours.top_forward()), (kept.bottom_area(), kept.top_forward()));
    assert_eq!(ours.width(), 64.0);
    let up = mesh.areas.iter().filter(|area| !area.ladders_up.is_empty()).count();
    let down = mesh.areas.iter().filter(|area| !area.ladders_down.is_empty()).count();
    assert_eq!((up, down), (1, 1));
    let far = refused(&mut session, "nav_build_ladder -500,-500,0");
    assert!(far.contains("no ladder within 200"), "{far}");
    let old = refused(&mut self::session(&yard_mesh(5, None, 0), Some(&gold_yard())), "nav_build_ladder");
    assert!(old.contains("stores no ladders"), "{old}");
}

#[test]
fn areas_in_clip_brushes_are_marked() {
    let areas = vec![
        area(1, [-500.0, -500.0, 0.0], [-420.0, -420.0, 0.0], [0.0, 0.0]),
        area(2, [-300.0, -500.0, 0.0], [-200.0, -420.0, 0.0], [0.0, 0.0]),
    ];
    let bits = |session: &Session<SourceEditor>| {
        session.editor().to_buf().areas.iter().map(|area| area.attributes.bits()).collect::<Vec<_>>()
    };
    let mut other = session(&mesh_of(areas.clone(), 1), Some(&source_yard()));
    let told = said(&mut other, "mark_player_clip");
    assert!(
        told.contains("1 area lies in clip brushes, 1 newly marked AVOID") && told.ends_with("#1"),
        "{told}"
    );
    assert_eq!(bits(&other), [0x80, 0]);
    said(&mut other, "undo; mark_player_clip #2");
    assert_eq!(bits(&other), [0, 0]);
    said(&mut other, "mark_player_clip all --as JUMP");
    assert_eq!(bits(&other), [2, 0]);
    let mut left = session(&mesh_of(areas, 14), Some(&source_yard()));
    said(&mut left, "mark_player_clip");
    assert_eq!(bits(&left), [0x40000, 0]);
}

#[test]
fn analysis_in_the_editor_asks_the_map() {
    let (mesh, map) = (yard_mesh(16, Some(1), 0), source_yard());
    let mut with = session(&mesh, Some(&map));
    let told = said(&mut with, "nav_analyze");
    assert!(told.contains("visible areas") && told.contains("occupy times"), "{told}");
    assert!(!told.contains("need"), "{told}");
    let analyzed = with.editor().to_buf();
    assert!(analyzed.head.analyzed == 1 && analyzed.areas.iter().all(|area| !area.visible_areas.is_empty()));
    assert!(analyzed.areas.iter().any(|area| area.occupy_times[0].get() > 0.0));
    // The same as without an editor.
    let mut alone = SourceBuf::read(&SourceNav::parse(&mesh).unwrap()).unwrap();
    let spawns =
        Spawns { terrorists: vec![[420.0, -100.0, 8.0]], counter_terrorists: vec![[-400.0, -250.0, 8.0]] };
    let options = navmap::format::source::analyze::AnalyzeOptions { spawns, ..Default::default() };
    let map = BspMap::parse(&map).unwrap();
    navmap::format::source::analyze::analyze(&mut alone, &options, Some(&map)).unwrap();
    assert!(with.editor().encode().unwrap() == alone.encode().unwrap());
    said(&mut with, "undo");
    assert_eq!(with.editor().encode().unwrap(), mesh);
    let told = said(&mut session(&mesh, None), "nav_analyze");
    assert!(told.contains("need"), "{told}");
}

#[test]
fn without_a_map_such_a_command_says_that_it_needs_one() {
    let mut session = session(&yard_mesh(16, Some(1), 0), None);
    for line in
        ["nav_corner_place_on_ground #1", "nav_build_ladder", "nav_build_ladder all", "mark_player_clip"]
    {
        let why = refused(&mut session, line);
        assert!(why.contains("needs the map") && why.contains("--bsp") && why.lines().count() == 1, "{why}");
    }
    let told = said(&mut session, "nav_check_stairs");
    assert!(
        told.contains("the map decides") && told.contains("--bsp") && told.lines().count() == 1,
        "{told}"
    );
    // In GoldSrc nothing is stairs, and no line meets a clip.
    let mut gold = self::session(&yard_mesh(5, None, 0), Some(&gold_yard()));
    assert!(refused(&mut gold, "nav_check_stairs").contains("nothing is stairs"));
    assert!(refused(&mut gold, "mark_player_clip").contains("no clip brushes"));
    said(&mut gold, "nav_corner_place_on_ground #1");
}
