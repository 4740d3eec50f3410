//! Connections and ladders: vectors 25 to 36.

use super::*;

fn pair(x: [f32; 2], y: [f32; 2]) -> Mesh {
    mesh([square(1), flat(2, x, y)])
}

fn linked(mesh: &Mesh, id: u32) -> [Vec<u32>; 4] {
    by_id(mesh, id).connections.clone()
}

#[test]
fn v25_and_v28_the_largest_portal_decides_the_side() {
    for exact in [GAME, NAVMAP] {
        let out = after(&pair([100.0, 200.0], [40.0, 140.0]), exact, "nav_connect #1 #2; nav_connect #2 #1");
        assert_eq!((linked(&out, 1)[E].as_slice(), linked(&out, 2)[W].as_slice()), (&[2][..], &[1][..]));
        let out = after(&pair([50.0, 250.0], [50.0, 250.0]), exact, "nav_connect #1 #2");
        assert_eq!(linked(&out, 1), [vec![], vec![2], vec![], vec![]], "east comes before south");
    }
}

#[test]
fn v26_and_v27_without_a_portal_a_link_is_refused() {
    for exact in [GAME, NAVMAP] {
        let diagonal = pair([100.0, 200.0], [100.0, 200.0]);
        assert!(
            refused(&diagonal, exact, "nav_connect #1 #2").contains("only touch in x and only touch in y")
        );
        assert!(
            refused(&diagonal, exact, "nav_connect #2 #1").contains("only touch in x and only touch in y")
        );
        let far = pair([100.0, 200.0], [130.0, 200.0]);
        assert!(refused(&far, exact, "nav_connect #1 #2").contains("miss by 30 in y"));
        let above = mesh([square(1), area(2, [0.0, 100.0], [0.0, 100.0], [200.0; 4])]);
        assert!(refused(&above, exact, "nav_connect #1 #2").contains("with the same centre"));
        let aside = mesh([square(1), area(2, [50.0, 150.0], [0.0, 100.0], [200.0; 4])]);
        assert_eq!(linked(&after(&aside, exact, "nav_connect #1 #2"), 1)[E], [2]);
    }
}

#[test]
fn v29_and_v30_a_link_is_made_once_and_beside_another() {
    for exact in [GAME, NAVMAP] {
        let twice = after(&pair([100.0, 200.0], [0.0, 100.0]).link(1, E, 2), exact, "nav_connect #1 #2");
        assert_eq!(linked(&twice, 1)[E], [2]);
        let other = pair([100.0, 200.0], [0.0, 100.0]).link(1, S, 2);
        assert_eq!(linked(&after(&other, exact, "nav_connect #1 #2"), 1), [vec![], vec![2], vec![2], vec![]]);
        let warns = said(&other, exact, "nav_connect #1 #2").contains("linked to #2 south as well");
        assert_eq!(warns, !exact);
    }
}

#[test]
fn v31_and_v32_a_set_is_connected_or_disconnected_as_a_whole() {
    let set =
        mesh([square(1), flat(2, [100.0, 200.0], [0.0, 100.0]), flat(3, [100.0, 200.0], [100.0, 200.0])]);
    for exact in [GAME, NAVMAP] {
        let mut session = open(&set, exact);
        assert!(session.line("nav_connect #1+#2+#3").is_err());
        session.line("select #1+#2").unwrap();
        session.line("nav_connect").unwrap();
        assert!(session.chosen().is_empty());
        let out = written(&session);
        assert_eq!((linked(&out, 1)[E].as_slice(), linked(&out, 2)[W].as_slice()), (&[2][..], &[1][..]));
        assert!(refused(&out, exact, "nav_disconnect #1+#2+#3").contains("#1 and #3 are not connected"));
        let apart = after(&out, exact, "nav_disconnect #1+#2");
        assert_eq!(linked(&apart, 1), <[Vec<u32>; 4]>::default());
        assert_eq!(said(&set, exact, "nav_mark 1; nav_disconnect #3"), "0 links removed");
        let one_way = mesh([square(1), flat(2, [100.0, 200.0], [0.0, 100.0])]).link(1, E, 2);
        assert_eq!(said(&one_way, exact, "nav_disconnect #1 #2"), "1 link removed");
    }
}

#[test]
fn v33_and_v34_an_area_takes_the_place_at_a_ladder_that_it_lies_at() {
    let at = |x: f32, y: f32, z: f32| area(1, [x - 10.0, x + 10.0], [y - 10.0, y + 10.0], [z; 4]);
    for exact in [GAME, NAVMAP] {
        let slots = |area: Area| {
            let mut level = mesh([area]);
            level.ladders.push(ladder(5, [0.0, 0.0, 128.0], [0.0; 3], S as u32));
            after(&level, exact, "nav_connect L#5 #1").ladders[0].areas
        };
        // Forward, left, right, behind, bottom.
        assert_eq!(slots(at(0.0, -50.0, 64.0)), [0, 0, 0, 0, 1]);
        assert_eq!(slots(at(0.0, -50.0, 64.01)), [1, 0, 0, 0, 0]);
        assert_eq!(slots(at(0.0, 50.0, 128.0)), [0, 0, 0, 1, 0]);
        assert_eq!(slots(at(50.0, 0.0, 128.0)), [0, 1, 0, 0, 0]);
        assert_eq!(slots(at(-50.0, 0.0, 128.0)), [0, 0, 1, 0, 0]);
        assert_eq!(slots(at(30.0, -30.0, 128.0)), [1, 0, 0, 0, 0]);
        let mut level = mesh([at(0.0, 0.0, 64.01)]);
        level.ladders.push(ladder(5, [0.0, 0.0, 128.0], [0.0; 3], S as u32));
        level.areas[0].ladders_up.push(5);
        let out = after(&level, exact, "nav_connect #1 L#5");
        assert_eq!((out.areas[0].ladders_up.len(), &out.areas[0].ladders_down), (0, &vec![5]));
        assert_eq!(out.ladders[0].areas, [0; 5], "only the area's side is made");
    }
}

#[test]
fn a_ladder_that_is_changed_is_neither_made_nor_removed() {
    use navmap::edit::Editor;
    let mut level = mesh([square(1)]);
    level.ladders.extend([5, 6].map(|id| ladder(id, [0.0, 0.0, 128.0], [0.0; 3], S as u32)));
    for (script, told) in [
        ("nav_ladder_flip L#5", "ladders: 1 changed (2 before, 2 now)"),
        ("ladder delete L#5", "ladders: 1 removed (2 before, 1 now)"),
        (
            "nav_ladder_flip L#5; ladder add 50,0,200 50,0,0 32 north",
            "ladders: 1 changed, 1 made (2 before, 3 now)",
        ),
    ] {
        let mut session = open(&level, NAVMAP);
        session.line(script).unwrap();
        let report = session.editor().report().to_string();
        assert!(report.lines().any(|line| line == told), "{script}: {report}");
    }
}

#[test]
fn a_ladder_is_named_and_placed_by_whole_words() {
    let mut level = mesh([square(1)]);
    level.ladders.push(ladder(5, [0.0, 0.0, 128.0], [0.0; 3], S as u32));
    let why = refused(&level, NAVMAP, "ladder add L16 top=0,0,100 bottom=0,0,0 width=10");
    assert!(why.ends_with("L16 is no id of a ladder"), "{why}");
    let why = refused(&level, NAVMAP, "ladder resize --top 1,x,2,300 L#5");
    assert!(why.ends_with("1,x,2,300 where a point was expected, x,y,z"), "{why}");
}

#[test]
fn v35_a_ladder_that_is_turned_twice_is_as_it_was() {
    let mut level =
        mesh((1..6).map(|id| flat(id, [id as f32 * 100.0, id as f32 * 100.0 + 50.0], [0.0, 50.0])));
    level.ladders.push(ladder(5, [0.0, 0.0, 128.0], [0.0; 3], S as u32));
    level.ladders[0].areas = [1, 2, 3, 4, 5];
    for exact in [GAME, NAVMAP] {
        let once = after(&level, exact, "nav_ladder_flip L#5");
        assert_eq!((once.ladders[0].direction, once.ladders[0].areas), (N as u32, [4, 3, 2, 1, 5]));
        let twice = after(&level, exact, "nav_ladder_flip L#5; nav_ladder_flip L#5");
        assert_eq!(twice.ladders, level.ladders);
    }
}

#[test]
fn v36_a_ladder_is_a_way_back() {
    let mut level = pair([100.0, 200.0], [0.0, 100.0]).link(1, E, 2);
    level.ladders.push(ladder(5, [100.0, 0.0, 128.0], [100.0, 0.0, 0.0], W as u32));
    level.areas[1].ladders_up.push(5);
    level.ladders[0].areas = [0, 0, 0, 1, 0];
    for exact in [GAME, NAVMAP] {
        assert_eq!(linked(&after(&level, exact, "nav_disconnect_outgoing_oneways #1"), 1)[E], [2]);
        let bare = pair([100.0, 200.0], [0.0, 100.0]).link(1, E, 2);
        assert_eq!(linked(&after(&bare, exact, "nav_disconnect_outgoing_oneways #1"), 1)[E], [0; 0]);
    }
}

/// A row of areas of 20 along x, each linked to the next, those of `jumps` with JUMP.
fn stepping(count: u32, jumps: &[u32], both: bool) -> Mesh {
    let side = |id: u32| [(id - 1) as f32 * 20.0, id as f32 * 20.0];
    let mut row = mesh((1..=count).map(|id| flat(id, side(id), [0.0, 20.0])));
    for id in jumps {
        row.areas[*id as usize - 1].attributes = 2;
    }
    (1..count).fold(row, |row, id| if both { row.both(id, E, id + 1) } else { row.link(id, E, id + 1) })
}

#[test]
fn jump_areas_become_links_over_them() {
    let linked = |level: &Mesh| {
        let out = after(level, NAVMAP, "nav_remove_jump_areas");
        out.areas.iter().map(|area| (area.id, area.connections.clone())).collect::<Vec<_>>()
    };
    let none = Vec::new;
    // Over one and over several, in the directions in which one could walk.
    for jumps in [&[2][..], &[2, 3], &[2, 3, 4]] {
        let last = jumps.len() as u32 + 2;
        for both in [false, true] {
            let back = if both { vec![1] } else { none() };
            let is = linked(&stepping(last, jumps, both));
            let [first, end] =
                [(1, [none(), vec![last], none(), none()]), (last, [none(), none(), none(), back])];
            assert_eq!(is, [first, end], "{jumps:?} {both}");
        }
    }
    // Nobody jumps 80 across, and the links to what is gone are gone.
    let apart = linked(&stepping(6, &[2, 3, 4, 5], true));
    assert_eq!(apart, [(1, [none(), none(), none(), none()]), (6, [none(), none(), none(), none()])]);
    // A ring of jump areas leads nowhere but out of it again.
    let ring = stepping(4, &[2, 3], true).link(3, E, 2).link(2, W, 3);
    assert_eq!(linked(&ring), linked(&stepping(4, &[2, 3], true)));
    let script = said(&stepping(4, &[2, 3], true), NAVMAP, "nav_remove_jump_areas");
    assert_eq!(script, "deleted 2 areas; removed 2 jump areas, made 2 links");
}

/// Each of thousands leads over all of the others to all of the others.
#[test]
fn thousands_of_jump_areas_are_refused_by_the_limit_on_what_is_looked_at() {
    let row = stepping(6_000, &(1..=6_000).collect::<Vec<_>>(), true);
    let why = refused(&row, NAVMAP, "nav_remove_jump_areas");
    let most = (64 << 20) + 4096 * 6_000;
    assert!(
        why.contains("items that a script looks at: ") && why.ends_with(&format!("over the limit of {most}")),
        "{why}"
    );
}
