//! Edits of plugins and fields by commands.

use crate::plugin;
use navmap::NavFile;
use navmap::bytes::Scratch;
use navmap::edit::{Editor, Session, SessionOptions};
use navmap::format::skyrim::edit::SkyrimEditor;
use navmap::format::skyrim::{Edge, FormId, NavMap, NavMesh, NavMeshBuf, Tag, TriangleFlags};
use navmap_testkit::corpus;
use navmap_testkit::digest;
use navmap_testkit::skyrim::{self as kit, FO4, SE, STARFIELD};
use std::collections::BTreeSet;
use std::path::PathBuf;

fn real(name: &str) -> Option<Vec<u8>> {
    Some(std::fs::read(corpus::real()?.join("skyrim").join(name)).unwrap())
}

fn of_field(bytes: &[u8]) -> Session<SkyrimEditor> {
    let editor = SkyrimEditor::of_mesh(&NavMesh::parse(bytes).unwrap()).unwrap();
    Session::new(editor, SessionOptions { journal: true, ..SessionOptions::default() })
}

fn of_plugin(bytes: &[u8]) -> Session<SkyrimEditor> {
    let editor = SkyrimEditor::of_plugin(&plugin(bytes)).unwrap();
    Session::new(editor, SessionOptions { journal: true, ..SessionOptions::default() })
}

fn bytes(session: &Session<SkyrimEditor>) -> Vec<u8> {
    session.editor().encode().unwrap()
}

#[test]
fn commands_on_real_fields_give_the_bytes_that_are_known() {
    for (name, raised, flooded, cut) in [
        ("Gandra_052534C0", "b41e0e029e00cbf2", "95b4ca077e46be90", None),
        ("Sandbox_02002502", "0873a2c752cc2fdc", "cc44cc8b02550d92", None),
        ("SeaofGhosts_04000DAD", "75806551b50ff757", "9f30b24cf193b095", Some((232, "8f88dc4885c05b5b"))),
        ("Gandra_052534D7", "510a31fdac7d290a", "329329fefae469d7", Some((556, "ca1240f3e1d0fefb"))),
        ("SeaofGhosts_0400091B", "6d8b6d6a5fcb987c", "9007bf51dcb8265e", Some((6_584, "f41f1e1cc5ad2de3"))),
        (
            "DungeonsRevisited_000D2948",
            "6188c04e5d5907e2",
            "4fbcc6889ae93b2d",
            Some((14_138, "76cdb66d494fd7de")),
        ),
    ] {
        let Some(field) = real(&format!("nvnm/{name}.nvnm")) else {
            return navmap_testkit::skipped("no corpus of real files");
        };
        let mut session = of_field(&field);
        session.line("move 0 0 64").unwrap();
        assert_eq!(digest::short(&bytes(&session)), raised, "{name} raised");
        session.line("undo; set water all").unwrap();
        assert_eq!(digest::short(&bytes(&session)), flooded, "{name} flooded");
        session.line("undo").unwrap();
        assert!(bytes(&session) == field);
        match cut {
            None => {
                let refusal = session.line("delete #0").unwrap_err().to_string();
                assert!(refusal.contains("no triangle left"), "{refusal}");
            }
            Some((len, wanted)) => {
                session.line("delete #0").unwrap();
                let now = bytes(&session);
                assert_eq!((now.len(), digest::short(&now).as_str()), (len, wanted), "{name} cut");
            }
        }
        session.undo(usize::MAX);
        assert!(bytes(&session) == field, "{name} undone");
    }
}

#[test]
fn a_mesh_of_a_real_plugin_is_raised_and_its_entry_follows() {
    for (name, form, z, inflated) in [
        ("le/Sandbox.esp", "02002502", 639.9299, 138),
        ("se/SeaofGhosts.esp", "04000DAD", 1210.1641, 266),
        ("le/DwemerSecrets.esp", "02002E2E", -13557.197, 136),
    ] {
        let Some(before) = real(name) else { return navmap_testkit::skipped("no corpus of real files") };
        let codes = |bytes: &[u8]| {
            let mut codes = Vec::new();
            plugin(bytes).check(&mut Scratch::new(), &mut |finding| codes.push(finding.code)).unwrap();
            codes
        };
        let mut session = of_plugin(&before);
        session.line(&format!("move 0 0 64 mesh({form})")).unwrap();
        let after = bytes(&session);
        assert_eq!(codes(&after), codes(&before), "{name}");
        let (old, new) = (plugin(&before), plugin(&after));
        let form = FormId::new(u32::from_str_radix(form, 16).unwrap());
        let (mut one, mut two) = (Scratch::new(), Scratch::new());
        let navm = new.navmeshes().map(Result::unwrap).find(|navm| navm.form_id() == form).unwrap();
        assert_eq!(navm.record().claimed_size(), Some(inflated), "{name}");
        let map = |plugin: &navmap::format::skyrim::Plugin<'_>, scratch: &mut Scratch| {
            let navi = plugin.navi().unwrap().unwrap();
            let map = NavMap::parse(navi.fields(scratch).unwrap()).unwrap();
            let entry = map.entries().map(Result::unwrap).find(|entry| entry.head.navmesh() == form).unwrap();
            (
                entry.head.center().to_array(),
                entry.island.map(|island| island.bounds.min().z()),
                entry.links.to_vec(),
            )
        };
        let (was, now) = (map(&old, &mut one), map(&new, &mut two));
        assert!((now.0[2] - z).abs() < 1e-3 && now.0[..2] == was.0[..2], "{name}: {now:?}");
        assert_eq!(now.1, was.1.map(|low| low + 64.0));
        assert_eq!(now.2, was.2);
        // Everything else is as it was, to the stored byte.
        for (a, b) in old.records().map(Result::unwrap).zip(new.records().map(Result::unwrap)) {
            if a.form_id() != form && a.tag() != Tag::NAVI {
                assert_eq!((a.header(), a.stored()), (b.header(), b.stored()), "{name} {}", a.form_id());
            }
        }
        session.line("undo all").unwrap();
        assert!(bytes(&session) == before, "{name}");
    }
}

#[test]
fn a_vertex_that_is_nowhere_changes_nothing_once_all_is_taken_back() {
    let sound = kit::village(SE, 1, (6, 5), false).0.encode();
    let mesh =
        SkyrimEditor::of_plugin(&plugin(&sound)).unwrap().mesh(FormId::new(0x0100_0900)).unwrap().clone();
    // Of one mesh the vertices are there once.
    let stored: Vec<u8> = mesh.vertices[..3].iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
    let at = sound.windows(stored.len()).position(|window| window == stored).unwrap();
    let mut before = sound;
    before[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    let mut session = of_plugin(&before);
    assert!(session.editor().report().is_empty(), "{:?}", session.editor().report());
    session.line("delete 01000900#14").unwrap();
    assert!(bytes(&session) != before);
    session.line("undo all").unwrap();
    assert!(bytes(&session) == before);
    assert!(session.editor().report().is_empty(), "{:?}", session.editor().report());
}

#[test]
fn deleting_renumbers_links_and_doors_of_the_whole_plugin() {
    for game in [SE, FO4, STARFIELD] {
        let before = kit::village(game, 2, (6, 5), true).0.encode();
        let mut session = of_plugin(&before);
        // A triangle in the middle, which nothing names and which has no cover; all behind it get other numbers.
        session.line("delete 01000900#14").unwrap();
        let after = bytes(&session);
        let mut found = Vec::new();
        plugin(&after).check(&mut Scratch::new(), &mut |finding| found.push(finding)).unwrap();
        let strange: Vec<_> = found.iter().filter(|finding| finding.code != "deleted-navmesh").collect();
        assert!(strange.is_empty(), "{}: {strange:?}", game.name);
        session.line("undo").unwrap();
        assert!(bytes(&session) == before);
        session.line("redo").unwrap();
        assert!(bytes(&session) == after);
    }
}

#[test]
fn a_door_whose_triangle_is_deleted_names_none() {
    let before = kit::village(SE, 2, (6, 5), true).0.encode();
    let mut session = of_plugin(&before);
    session.line("delete 010008F0#3").unwrap();
    let after = bytes(&session);
    let mut codes = Vec::new();
    plugin(&after).check(&mut Scratch::new(), &mut |finding| codes.push(finding.code)).unwrap();
    assert_eq!(codes, ["deleted-navmesh"]);
    let named: Vec<u32> = plugin(&after)
        .records()
        .map(Result::unwrap)
        .filter(|record| record.tag() == Tag(*b"REFR"))
        .filter(|record| {
            record.fields(&mut Scratch::new()).unwrap().find_tag(Tag(*b"XNDP")).unwrap().is_some()
        })
        .map(|record| record.form_id().get())
        .collect();
    assert_eq!(named, [0x0100_08E1], "the door of the other mesh");
    session.line("undo").unwrap();
    assert!(bytes(&session) == before);
}

#[test]
fn links_are_made_and_taken_on_both_sides() {
    let before = kit::village(SE, 2, (6, 5), true).0.encode();
    let mut session = of_plugin(&before);
    let mesh =
        |session: &Session<SkyrimEditor>, form| session.editor().mesh(FormId::new(form)).unwrap().clone();
    let (west, east) = (mesh(&session, 0x0100_0900), mesh(&session, 0x0100_0901));
    session.line("unlink 01000900#10 1").unwrap();
    let (w, e) = (mesh(&session, 0x0100_0900), mesh(&session, 0x0100_0901));
    assert_eq!((w.links.len(), e.links.len()), (west.links.len() - 1, east.links.len() - 1));
    session.line("link 01000900#10 1 01000901#1 2").unwrap();
    let sides = |mesh: &NavMeshBuf, triangle, edge| mesh.link(triangle, edge).unwrap();
    assert_eq!(sides(&mesh(&session, 0x0100_0900), 10, 1), sides(&west, 10, 1));
    assert_eq!(sides(&mesh(&session, 0x0100_0901), 1, 2), sides(&east, 1, 2));
    let after = bytes(&session);
    let mut codes = Vec::new();
    plugin(&after).check(&mut Scratch::new(), &mut |finding| codes.push(finding.code)).unwrap();
    assert_eq!(codes, ["deleted-navmesh"]);
    session.line("undo 2").unwrap();
    assert!(bytes(&session) == before);
    session.line("link 01000900#0 0 01000901#0 0 --kind ledge_up").unwrap();
    assert_eq!(sides(&mesh(&session, 0x0100_0901), 0, 0).kind, 2);
    let refusal = session.line("link 01000900#0 0 01000900#0 0").unwrap_err().to_string();
    assert!(refusal.contains("to itself"), "{refusal}");
}

#[test]
fn flags_doors_and_cover_are_set_where_they_may_be() {
    let before = kit::village(SE, 2, (6, 5), true).0.encode();
    let mut session = of_plugin(&before);
    session.line("set preferred,water mesh(01000900); clear found mesh(01000900)").unwrap();
    session
        .line("door add 01000901#5 01000ABC; cover 0005 01000901#4; flip 01000901#7; flip 01000901#7")
        .unwrap();
    let after = bytes(&session);
    let mut codes = Vec::new();
    plugin(&after).check(&mut Scratch::new(), &mut |finding| codes.push(finding.code)).unwrap();
    codes.retain(|code| !["deleted-navmesh", "cover-inside"].contains(code));
    assert_eq!(codes, [""; 0]);
    session.line("door remove 01000ABC").unwrap();
    assert!(session.line("door remove 01000ABC").is_err());
    for (line, why) in [
        ("set door mesh(01000900)", "follows from links and doors"),
        ("set wet mesh(01000900)", "no such flag"),
        ("set water mesh(01FFFFFF)", "there is no navmesh"),
        ("link 01000900#0 3 01000901#0 0", "0, 1 or 2"),
        ("join 01000900#14 0 01000900#15 0", "only borders can be joined"),
        ("join 01000900#14 0 01000901#15 0", "two triangles of one mesh"),
        ("corner 01000900#14 3 1,2,3", "0, 1 or 2"),
        ("corner 01000900#14 1 1,2", "3 numbers"),
        ("delete mesh(01000900)", "01000900: navmesh: would have no triangle left"),
    ] {
        let before = bytes(&session);
        let refusal = session.line(line).unwrap_err().to_string();
        assert!(refusal.contains(why), "{line}: {refusal}");
        assert!(bytes(&session) == before, "{line} changed something");
    }
    session.line("undo all").unwrap();
    assert!(bytes(&session) == before);
}

#[test]
fn a_journal_runs_again_on_the_same_plugin() {
    let before = kit::village(SE, 2, (6, 5), true).0.encode();
    let mut session = of_plugin(&before);
    session.line("begin; move 0 0 8 box(8192,-4096,-99,10000,-2000,99); delete 01000900#14; end").unwrap();
    session.line("set water larger(100000)&mesh(01000901); unlink 01000900#10 1").unwrap();
    let journal = session.journal().to_string();
    let mut again = of_plugin(&before);
    again.replay(&journal, |fared| {
        fared.unwrap();
        std::ops::ControlFlow::Continue(())
    });
    assert!(bytes(&again) == bytes(&session));
}

#[test]
fn points_name_triangles() {
    let field = kit::mesh::Mesh::sheet(12, kit::mesh::Place::Interior(1), 6, 5, 3).encode();
    let mut session = of_field(&field);
    session.line("select @-500,260").unwrap();
    assert_eq!(session.chosen().len(), 1);
    session.line("select ~@0,0,0; select doors+links+cover+smaller(1)").unwrap();
    assert!(session.line("select @9999,9999").is_err());
    let _: PathBuf = corpus::bundled();
}

#[test]
fn neighbours_are_parted_and_joined_and_corners_put_anywhere() {
    let before = kit::village(SE, 2, (6, 5), true).0.encode();
    let mut session = of_plugin(&before);
    let mesh =
        |session: &Session<SkyrimEditor>| session.editor().mesh(FormId::new(0x0100_0900)).unwrap().clone();
    let was = mesh(&session);
    let neighbour = |edge: &Edge| matches!(edge, Edge::Neighbour(_));
    let edge = was.triangles[14].edges().iter().position(neighbour).unwrap();
    let Edge::Neighbour(other) = was.triangles[14].edges()[edge] else { unreachable!() };
    let back =
        was.triangles[usize::from(other)].edges().iter().position(|to| *to == Edge::Neighbour(14)).unwrap();
    session.line(&format!("unlink 01000900#14 {edge}")).unwrap();
    let parted = mesh(&session);
    assert_eq!(parted.edge(14, edge as u8), Some(Edge::Border));
    assert_eq!(parted.edge(other, back as u8), Some(Edge::Border));
    let refusal = session.line(&format!("unlink 01000900#14 {edge}")).unwrap_err().to_string();
    assert!(refusal.contains("is a border already"), "{refusal}");
    session.line(&format!("join 01000900#14 {edge} 01000900#{other} {back}")).unwrap();
    assert!(bytes(&session) == before);
    // A corner is put somewhere, and every triangle that shares it follows.
    let [vertex, ..] = was.triangles[14].vertices;
    session.line("corner 01000900#14 0 8200,-4000.5,3").unwrap();
    assert_eq!(mesh(&session).vertices[usize::from(vertex)], [8200.0, -4000.5, 3.0]);
    assert_eq!(mesh(&session).triangles, was.triangles);
    session.undo(usize::MAX);
    assert!(bytes(&session) == before);
}

fn stored() -> Vec<u8> {
    std::fs::read(corpus::bundled().join("skyrim/se/stored.esp")).unwrap()
}

/// A plugin with another number in four of its bytes.
fn with(mut bytes: Vec<u8>, at: usize, word: u32) -> Vec<u8> {
    bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
    bytes
}

#[test]
fn of_two_records_with_one_form_each_keeps_its_own_mesh() {
    let plain = stored();
    let second =
        plugin(&plain).navmeshes().map(Result::unwrap).find(|navm| navm.form_id().get() == 0x0100_0901);
    let at = second.unwrap().record().offset() as usize + 12;
    let before = with(plain, at, 0x0100_0900);
    let meshes = |bytes: &[u8]| -> Vec<NavMeshBuf> {
        let (plugin, mut scratch) = (plugin(bytes), Scratch::new());
        let same = plugin.navmeshes().map(Result::unwrap).filter(|navm| navm.form_id().get() == 0x0100_0900);
        same.map(|navm| NavMeshBuf::read(&navm.mesh(&mut scratch).unwrap().unwrap()).unwrap()).collect()
    };
    let [first, second] = &meshes(&before)[..] else { panic!("two of one FormID") };
    assert!(first.vertices != second.vertices);
    let raised =
        |mesh: &NavMeshBuf| mesh.vertices.iter().map(|[x, y, z]| [*x, *y, z + 1.0]).collect::<Vec<_>>();
    // A name is that of the first.
    let mut session = of_plugin(&before);
    session.line("move 0 0 1 mesh(01000900)").unwrap();
    let now = meshes(&bytes(&session));
    assert!(now[0].vertices == raised(first) && now[1] == *second);
    session.line("undo; move 0 0 1").unwrap();
    let now = meshes(&bytes(&session));
    assert!(now[0].vertices == raised(first) && now[1].vertices == raised(second));
    session.line("undo").unwrap();
    assert!(bytes(&session) == before);
}

#[test]
fn a_door_that_is_removed_takes_its_flag_along() {
    let before = stored();
    let mut session = of_plugin(&before);
    session.line("door add 01000900#3 01001234; door remove 01001234").unwrap();
    assert!(bytes(&session) == before);
    let doors = session.editor().mesh(FormId::new(0x0100_0900)).unwrap().doors.clone();
    let last = doors.iter().max_by_key(|door| door.triangle).unwrap();
    assert!(last.triangle > 0);
    session.line(&format!("delete 01000900#0; door remove {}", last.reference)).unwrap();
    let mesh = session.editor().mesh(FormId::new(0x0100_0900)).unwrap();
    let flagged: Vec<u16> = (0_u16..)
        .zip(&mesh.triangles)
        .filter(|(_, triangle)| triangle.flags.contains(TriangleFlags::DOOR))
        .map(|(place, _)| place)
        .collect();
    let mut doors: Vec<u16> = mesh.doors.iter().map(|door| door.triangle).collect();
    doors.sort_unstable();
    doors.dedup();
    assert_eq!(flagged, doors);
}

#[test]
fn the_record_of_a_door_follows_when_a_mesh_lists_it_elsewhere_or_no_longer() {
    let before = kit::village(SE, 2, (6, 5), true).0.encode();
    let codes = |bytes: &[u8]| {
        let mut codes = BTreeSet::new();
        plugin(bytes).check(&mut Scratch::new(), &mut |finding| _ = codes.insert(finding.code)).unwrap();
        codes
    };
    let mut session = of_plugin(&before);
    let door = session.editor().mesh(FormId::new(0x0100_0900)).unwrap().doors[0].reference;
    for script in [
        format!("door remove {door}"),
        format!("door remove {door}; door add 01000900#5 {door}"),
        format!("door remove {door}; door add 01000901#20 [REFR:{door}]; delete 01000901#14"),
        // The triangle that had it before.
        format!("door remove {door}; delete 01000900#1"),
    ] {
        let done = session.line(&script).unwrap();
        let after = bytes(&session);
        assert_eq!(codes(&after), codes(&before), "{script}");
        assert!(after != before);
        session.line(&format!("undo {}", done.len())).unwrap();
        assert!(bytes(&session) == before, "{script}");
    }
}

#[test]
fn a_vertex_that_was_nowhere_stays_there_while_others_move() {
    let nan = f32::NAN.to_bits();
    let plain = kit::village(FO4, 1, (6, 5), false).0.encode();
    let editor = SkyrimEditor::of_plugin(&plugin(&plain)).unwrap();
    let mesh = editor.mesh(FormId::new(0x0100_0900)).unwrap();
    let find = |bytes: &[u8]| plain.windows(bytes.len()).position(|window| window == bytes).unwrap();
    let vertex = find(&mesh.vertices[0].iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>());
    let mut session = of_plugin(&with(plain.clone(), vertex, nan));
    session.line("move 1 2 3").unwrap();
    let moved = &session.editor().mesh(FormId::new(0x0100_0900)).unwrap().vertices;
    let ([_, y, z], [a, b, c]) = (mesh.vertices[0], mesh.vertices[1]);
    assert!(
        moved[0][0].is_nan()
            && moved[0][1..] == [y + 2.0, z + 3.0]
            && moved[1] == [a + 1.0, b + 2.0, c + 3.0]
    );
    let refusal = session.line("move 0 3e38 0; move 0 3e38 0").unwrap_err().to_string();
    assert!(refusal.contains("nowhere"), "{refusal}");
    // The cells of the grid.
    let cell = mesh.grid.cell.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let mut session = of_plugin(&with(plain.clone(), find(&cell), nan));
    let said = session.line("settle; settle").unwrap().pop().unwrap().said.join("; ");
    assert_eq!(said, "0 navmeshes changed");
}

#[test]
fn waypoints_and_ends_of_cover_move_with_their_triangles() {
    for version in [15, 17] {
        let sheet = kit::mesh::Mesh::sheet(version, kit::mesh::Place::Interior(1), 6, 5, 3).encode();
        let mut mesh = NavMeshBuf::read(&NavMesh::parse(&sheet).unwrap()).unwrap();
        // An end of cover may be a vertex that no triangle has.
        mesh.vertices.push([8.0, 8.0, 8.0]);
        mesh.marks.extend((version == 17).then_some(0));
        let before = mesh.encode().unwrap();
        let places = |session: &Session<SkyrimEditor>| {
            let mesh = session.editor().mesh(FormId::NULL).unwrap();
            let waypoints: Vec<[f32; 3]> =
                mesh.waypoints.iter().map(|waypoint| waypoint.point().to_array()).collect();
            (mesh.vertices.clone(), waypoints)
        };
        let mut session = of_field(&before);
        let (vertices, waypoints) = places(&session);
        let up = |list: &[[f32; 3]]| list.iter().map(|[x, y, z]| [*x, *y, z + 64.0]).collect::<Vec<_>>();
        assert_eq!(waypoints.len(), 1);
        for line in ["move 0 0 64", "move 0 0 64 all"] {
            let said = session.line(line).unwrap().pop().unwrap().said.join("; ");
            assert_eq!(said, "43 vertices moved; 1 waypoint moved with them");
            assert_eq!(places(&session), (up(&vertices), up(&waypoints)), "version {version}: {line}");
            session.line("undo").unwrap();
            assert!(bytes(&session) == before);
        }
        // The waypoint lies on triangle 0.
        session.line("move 0 0 64 #14").unwrap();
        let (now, still) = places(&session);
        assert_eq!((now.last(), &still), (vertices.last(), &waypoints));
        session.line("move 0 0 64 #0").unwrap();
        assert_eq!(places(&session).1, up(&waypoints));
        session.line("undo all").unwrap();
        assert!(bytes(&session) == before);
    }
}

#[test]
fn an_end_of_cover_that_no_triangle_has_moves_with_those_that_have_the_cover() {
    let sheet = kit::mesh::Mesh::sheet(15, kit::mesh::Place::Interior(1), 6, 5, 3).encode();
    let mut mesh = NavMeshBuf::read(&NavMesh::parse(&sheet).unwrap()).unwrap();
    mesh.vertices.push([8.0, 8.0, 8.0]);
    let (end, mut field) = (mesh.vertices.len() as u16 - 1, mesh.encode().unwrap());
    // The cover of edge 0 of triangles 0 and 4 begins there.
    for vertex in [0_u16, 2] {
        let piece = |start: u16| [start.to_le_bytes(), [0, 0x80], [2, 0], [0, 0]].concat();
        let at = field.windows(8).position(|bytes| bytes == piece(vertex)).unwrap();
        field[at..at + 8].copy_from_slice(&piece(end));
    }
    let mut session = of_field(&field);
    let mut moves = |triangles: &str| {
        session.line(&format!("move 0 0 64 {triangles}")).unwrap();
        let moved = session.editor().mesh(FormId::NULL).unwrap().vertices[usize::from(end)] != [8.0; 3];
        session.line("undo").unwrap();
        moved
    };
    assert_eq!(["#0", "#4", "#14", "#0+#4", "all"].map(&mut moves), [false, false, false, true, true]);
}

#[test]
fn a_navmesh_is_named_by_its_form_as_everybody_writes_it() {
    let mut session = of_plugin(&kit::village(SE, 2, (6, 5), true).0.encode());
    session.line("select mesh(01000901)").unwrap();
    let wanted = session.chosen();
    assert!(wanted.len() > 1);
    for name in ["01000901", "#01000901", "0x01000901", "[NAVM:01000901]", "mesh(0x01000901)"] {
        session.line(&format!("select {name}")).unwrap();
        assert_eq!(session.chosen(), wanted, "{name}");
    }
    session.line("select [NAVM:01000901]#3").unwrap();
    assert_eq!(session.chosen(), &wanted[3..4]);
    for (name, why) in [
        ("mesh(901)", "there is no navmesh 901; did you mean mesh(01000901)?"),
        ("00000901", "there is no navmesh 00000901; did you mean mesh(01000901)?"),
        ("01FFFFFF", "there is no navmesh 01FFFFFF"),
        ("#01FFFFFF", "there is no #01FFFFFF"),
    ] {
        let refusal = session.line(&format!("select {name}")).unwrap_err().to_string();
        assert!(refusal.ends_with(why), "{name}: {refusal}");
    }
}
