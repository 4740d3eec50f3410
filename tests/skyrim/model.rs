//! Models of navmeshes: out as OBJ and GLB, and back into their plugin.

use crate::{check, plugin};
use navmap::bytes::Scratch;
use navmap::edit::Editor;
use navmap::export::{Export, Format as Form};
use navmap::format::skyrim::edit::SkyrimEditor;
use navmap::format::skyrim::model::ModelBill;
use navmap::format::skyrim::{CoverBuf, Edge, FormId, Game, NavMap, NavMeshBuf, SkyrimGraph, SpaceId};
use navmap::graph::{FlatGraph, NavGraph, SIXTY_FOURTH_YARD, Scene};
use navmap::import::{Format, ModelAxes, read};
use navmap_testkit::corpus;
use navmap_testkit::skyrim::{self as kit, FO4, LE, SE, STARFIELD};
use std::time::{Duration, Instant};

/// Every space of a plugin as a model, in the bytes of an export, and read again as `convert` does.
fn models(bytes: &[u8], format: Format) -> Vec<Scene> {
    let view = plugin(bytes);
    let spaces = SkyrimGraph::new(&view).split();
    let spaces = spaces.iter().filter(|(space, _)| !matches!(space, SpaceId::Object(_)));
    spaces.map(|(_, graph)| scene(&FlatGraph::of(graph).whole().unwrap(), &view.game(), format)).collect()
}

fn scene(graph: &FlatGraph, game: &Game, format: Format) -> Scene {
    let form = if format == Format::Obj { Form::Obj } else { Form::Glb };
    let mut out = Vec::new();
    Export::new(graph, "model").write(form, &mut out).unwrap();
    let mut scene = read(&out, format).unwrap();
    let unit = if *game == Game::Starfield { 1.0 } else { SIXTY_FOURTH_YARD };
    ModelAxes::Game.turn(&mut scene, format, Some(unit));
    scene
}

fn put(bytes: &[u8], scene: &Scene) -> (Vec<u8>, ModelBill) {
    let mut editor = SkyrimEditor::of_plugin(&plugin(bytes)).unwrap();
    let bill = editor.put_model(scene).unwrap();
    (editor.encode().unwrap(), bill)
}

fn refusal(bytes: &[u8], model: &str) -> String {
    let mut editor = SkyrimEditor::of_plugin(&plugin(bytes)).unwrap();
    let error = editor.put_model(&read(model.as_bytes(), Format::Obj).unwrap()).unwrap_err();
    assert!(editor.encode().unwrap() == bytes, "what is refused changes nothing");
    error.to_string()
}

/// Codes of findings, sorted.
fn codes(bytes: &[u8]) -> Vec<&'static str> {
    let mut codes: Vec<_> = check("made.esp", bytes).iter().map(|finding| finding.code).collect();
    codes.sort_unstable();
    codes
}

fn mesh(bytes: &[u8], form: u32) -> NavMeshBuf {
    let editor = SkyrimEditor::of_plugin(&plugin(bytes)).unwrap();
    editor.mesh(FormId::new(form)).unwrap().clone()
}

fn village(game: kit::Game) -> Vec<u8> {
    kit::village(game, 2, (4, 3), true).0.encode()
}

#[test]
fn every_navmesh_comes_back_as_it_went_out() {
    for game in [LE, SE, FO4, STARFIELD] {
        let bytes = village(game);
        for format in [Format::Obj, Format::Glb] {
            for scene in models(&bytes, format) {
                let (made, bill) = put(&bytes, &scene);
                assert!(made == bytes, "{} {format:?}: {bill}", game.name);
                assert_eq!(bill.lost(), 0);
            }
        }
    }
}

#[test]
fn every_navmesh_of_real_plugins_comes_back_as_it_went_out() {
    let Some(folder) = corpus::real() else { return navmap_testkit::skipped("no corpus of real files") };
    let (mut meshes, mut same) = (0, 0);
    for row in corpus::manifest(&folder.join("skyrim")) {
        if row.name().ends_with(".nvnm") || row.name().contains("malformed") {
            continue;
        }
        let bytes = row.read();
        for format in [Format::Obj, Format::Glb] {
            for scene in models(&bytes, format) {
                let (made, bill) = put(&bytes, &scene);
                meshes += bill.meshes.len();
                let kept = bill.meshes.iter().filter(|mesh| mesh.fresh == 0 && mesh.gone == 0);
                same += kept.count();
                assert!(made == bytes, "{} {format:?}: {bill}", row.name());
            }
        }
    }
    assert!(meshes > 1_600 && same == meshes, "{same} of {meshes}");
}

/// The model of one navmesh as text, to be changed like a person would.
fn text(bytes: &[u8], form: u32) -> String {
    let view = plugin(bytes);
    let form = FormId::new(form);
    for (_, graph) in SkyrimGraph::new(&view).split() {
        let flat = FlatGraph::of(&graph).whole().unwrap();
        let group =
            (0..64).find(|group| flat.group(*group).is_some_and(|name| name.starts_with(&form.to_string())));
        let Some(group) = group else { continue };
        let mut out = Vec::new();
        Export::new(&flat, "model").write(Form::Obj, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let name = format!("o navmesh_{}", flat.group(group).unwrap().replace([' '], "_"));
        // Vertices are numbered through the file, so all of it is kept, but for the faces of other objects.
        let mut ours = false;
        let lines = text.lines().filter(|line| {
            if line.starts_with("o ") {
                ours = *line == name;
            }
            ours || line.starts_with("v ")
        });
        return lines.map(|line| format!("{line}\n")).collect();
    }
    panic!("no navmesh {form}")
}

/// Moves a corner wherever it is used.
fn moved(model: &str, from: [f32; 3], to: [f32; 3]) -> String {
    let line = |[x, y, z]: [f32; 3]| format!("v {x} {y} {z}\n");
    assert!(model.contains(&line(from)));
    model.replace(&line(from), &line(to))
}

const HOUSE: u32 = 0x0100_0905;

/// The interior of the village, with the triangle under its door.
fn house(bytes: &[u8]) -> (u32, NavMeshBuf) {
    let editor = SkyrimEditor::of_plugin(&plugin(bytes)).unwrap();
    let view = plugin(bytes);
    let forms: Vec<_> = view.navmeshes().map(|navm| navm.unwrap().form_id()).collect();
    let with_door =
        forms.into_iter().find(|form| editor.mesh(*form).is_some_and(|mesh| !mesh.doors.is_empty()));
    let form = with_door.unwrap_or(FormId::new(HOUSE));
    (form.get(), editor.mesh(form).unwrap().clone())
}

#[test]
fn a_moved_corner_keeps_numbers_links_doors_and_flags() {
    for game in [SE, FO4, STARFIELD] {
        let bytes = village(game);
        let (form, before) = house(&bytes);
        let door = before.doors[0];
        let corner = before.corners(&before.triangles[usize::from(door.triangle)])[0];
        let [x, y, z] = corner;
        let model = moved(&text(&bytes, form), corner, [x, y, z + 4.0]);
        let (made, bill) = put(&bytes, &read(model.as_bytes(), Format::Obj).unwrap());
        let after = mesh(&made, form);
        assert!(bill.meshes[0].fresh > 0 && bill.meshes[0].fresh == bill.meshes[0].gone, "{bill}");
        let lost: Vec<_> = bill.meshes[0].lost.iter().filter(|lost| !lost.contains("cover")).collect();
        assert!(lost.is_empty(), "{bill}");
        assert_eq!(after.triangles.len(), before.triangles.len());
        assert_eq!(after.doors, before.doors);
        assert_eq!(after.links, before.links);
        let flags = |mesh: &NavMeshBuf| mesh.triangles.iter().map(|t| t.flags.0).collect::<Vec<_>>();
        assert_eq!(flags(&after), flags(&before));
        assert_eq!(codes(&made), codes(&bytes), "{}", game.name);
        // The entry of the info map follows.
        let mut scratch = Scratch::new();
        let view = plugin(&made);
        let navi = view.navi().unwrap().unwrap();
        let map = NavMap::parse(navi.fields(&mut scratch).unwrap()).unwrap();
        let entry = map.entries().map(Result::unwrap).find(|e| e.head.navmesh().get() == form).unwrap();
        assert_eq!(entry.head.center().to_array(), after.center());
    }
}

#[test]
fn a_door_that_is_lost_with_its_triangle_names_none() {
    let bytes = village(SE);
    let (form, before) = house(&bytes);
    let seat = usize::from(before.doors[0].triangle);
    // Another triangle takes the number, far above.
    let mut model = format!("o NAVM {form:08X}\n");
    for (at, triangle) in before.triangles.iter().enumerate() {
        for [x, y, z] in before.corners(triangle) {
            model += &format!("v {x} {y} {}\n", if at == seat { z + 300.0 } else { z });
        }
        model += "f -3 -2 -1\n";
    }
    let (made, bill) = put(&bytes, &read(model.as_bytes(), Format::Obj).unwrap());
    let after = mesh(&made, form);
    assert_eq!((bill.meshes[0].fresh, bill.meshes[0].gone), (1, 1), "{bill}");
    assert_eq!((after.triangles.len(), after.doors.len()), (before.triangles.len(), before.doors.len() - 1));
    assert!(!codes(&made).iter().any(|code| code.starts_with("door")), "{:?}", codes(&made));
}

/// The line of the face that has these corners, and the numbers of their vertices.
fn face_of(model: &str, corners: [[f32; 3]; 3]) -> (String, [usize; 3]) {
    let mut vertices: Vec<Vec<f32>> = Vec::new();
    for line in model.lines() {
        let words = || line.split(' ').skip(1);
        if line.starts_with("v ") {
            vertices.push(words().map(|word| word.parse().unwrap()).collect());
        } else if line.starts_with("f ") {
            let face: Vec<usize> = words().map(|word| word.parse().unwrap()).collect();
            let of = |corner: &[f32; 3]| face.iter().copied().find(|number| vertices[number - 1] == corner);
            if let [Some(a), Some(b), Some(c)] = corners.each_ref().map(of) {
                return (line.to_owned(), [a, b, c]);
            }
        }
    }
    panic!("no face has these corners: {corners:?}")
}

#[test]
fn a_door_whose_triangle_is_cut_in_three_goes_to_the_one_that_lies_there() {
    let bytes = village(SE);
    let (form, before) = house(&bytes);
    let door = before.doors[0];
    let [a, b, c] = before.corners(&before.triangles[usize::from(door.triangle)]);
    let model = text(&bytes, form);
    // Its face, by its corners, becomes three around a point near its first corner.
    let (face_line, _) = face_of(&model, [a, b, c]);
    let numbers: Vec<&str> = face_line.split(' ').skip(1).collect();
    let near = |k: usize| a[k] * 0.8 + b[k] * 0.1 + c[k] * 0.1;
    let [p, q, r] = [numbers[0], numbers[1], numbers[2]];
    // At the end, where the new corner changes the numbers of no other; the object is the last one that is named.
    let three = format!("v {} {} {}\nf {p} {q} -1\nf {q} {r} -1\nf {r} {p} -1\n", near(0), near(1), near(2));
    let model = model.replace(&format!("{face_line}\n"), "") + &three;
    let (made, bill) = put(&bytes, &read(model.as_bytes(), Format::Obj).unwrap());
    let after = mesh(&made, form);
    assert_eq!((bill.meshes[0].fresh, bill.meshes[0].gone, bill.meshes[0].doors), (3, 1, 1), "{bill}");
    assert_eq!(after.triangles.len(), before.triangles.len() + 2);
    // The middle of the old triangle is in the piece opposite of the first corner, which took the number.
    let seat = usize::from(after.doors[0].triangle);
    assert_eq!(seat, usize::from(door.triangle));
    let corners = after.corners(&after.triangles[seat]);
    assert!(!corners.contains(&a) && corners.contains(&b) && corners.contains(&c));
    assert_eq!(codes(&made), codes(&bytes));
}

/// A navmesh with cover, and one of its triangles that has some.
fn covered(bytes: &[u8]) -> (u32, NavMeshBuf, u16) {
    let view = plugin(bytes);
    let forms: Vec<u32> = view.navmeshes().map(|navm| navm.unwrap().form_id().get()).collect();
    let editor = SkyrimEditor::of_plugin(&view).unwrap();
    let found = forms.into_iter().find_map(|form| {
        let mesh = editor.mesh(FormId::new(form))?;
        let covered = match &mesh.cover {
            CoverBuf::Triangles(list) => list.first().copied(),
            _ => mesh.cover_edges.first().map(|entry| entry.triangle()),
        };
        Some((form, mesh.clone(), covered?))
    });
    found.expect("a navmesh with cover")
}

#[test]
fn cover_goes_over_by_its_edge_or_all_of_it_goes_with_a_chain_that_is_cut() {
    for game in [SE, FO4, STARFIELD] {
        let bytes = village(game);
        let (form, before, triangle) = covered(&bytes);
        let corners = before.corners(&before.triangles[usize::from(triangle)]);
        let whole = text(&bytes, form);
        let [x, y, z] = corners[2];
        let model = moved(&whole, corners[2], [x, y, z + 2.0]);
        let (made, bill) = put(&bytes, &read(model.as_bytes(), Format::Obj).unwrap());
        let after = mesh(&made, form);
        assert!(bill.meshes[0].fresh > 0 && bill.meshes[0].cover > 0 && bill.lost() == 0, "{bill}");
        assert_eq!((&after.cover_edges, &after.waypoints), (&before.cover_edges, &before.waypoints));
        if let CoverBuf::Triangles(_) = before.cover {
            assert_eq!(after.cover, before.cover);
        }
        let words = |mesh: &NavMeshBuf| mesh.triangles.iter().map(|t| t.cover).collect::<Vec<_>>();
        assert_eq!(words(&after), words(&before), "{}", game.name);
        // Without its face.
        let line = |[x, y, z]: [f32; 3]| format!("v {x} {y} {z}\n");
        let vertices: String = corners.into_iter().map(line).collect();
        let at = whole.find(&vertices).unwrap() + vertices.len();
        let face = whole[at..].lines().next().unwrap();
        let (made, bill) = put(&bytes, &read(whole.replacen(face, "", 1).as_bytes(), Format::Obj).unwrap());
        let after = mesh(&made, form);
        assert_eq!((bill.meshes[0].gone, after.triangles.len()), (1, before.triangles.len() - 1), "{bill}");
        let lost = bill.to_string();
        match before.cover {
            CoverBuf::Triangles(_) => assert!(lost.contains(&format!("of triangle {triangle}")), "{lost}"),
            _ => assert!(lost.contains("all cover, ") && after.cover_edges.is_empty(), "{lost}"),
        }
    }
}

#[test]
fn a_link_to_another_plugin_stays_at_its_edge_and_one_that_is_gone_is_named() {
    let bytes = village(SE);
    let view = plugin(&bytes);
    let masters = view.master_count() as u8;
    let editor = SkyrimEditor::of_plugin(&view).unwrap();
    let linked = view.navmeshes().find_map(|navm| {
        let form = navm.unwrap().form_id();
        let mesh = editor.mesh(form)?;
        let mut edges = mesh.linked_edges();
        let found = edges.find(|(.., link)| link.navmesh.file_index() < masters)?;
        Some((form.get(), mesh.clone(), found))
    });
    let Some((form, before, (triangle, edge, link))) = linked else { panic!("no link to a master") };
    let corners = before.corners(&before.triangles[usize::from(triangle)]);
    let opposite = corners[(usize::from(edge) + 2) % 3];
    let [x, y, z] = opposite;
    let model = moved(&text(&bytes, form), opposite, [x, y, z + 2.0]);
    let (made, _) = put(&bytes, &read(model.as_bytes(), Format::Obj).unwrap());
    assert_eq!(mesh(&made, form).link(triangle, edge), Some(link));
    let one = format!("v 0 0 0\nv 64 0 0\nv 64 64 0\no NAVM {form:08X}\nf 1 2 3\n");
    let (_, bill) = put(&bytes, &read(one.as_bytes(), Format::Obj).unwrap());
    let named = format!("of triangle {triangle} to {}#{}", link.navmesh, link.triangle);
    assert!(bill.to_string().contains(&named), "{named}: {bill}");
}

#[test]
fn a_new_navmesh_of_a_cell_is_linked_listed_and_numbered() {
    for game in [SE, FO4, STARFIELD] {
        let bytes = village(game);
        let (form, before) = house(&bytes);
        // Beside a border of the mesh that is there, and around the house's door.
        let cell = plugin(&bytes)
            .navmeshes()
            .map(Result::unwrap)
            .find(|navm| navm.form_id().get() == form)
            .and_then(|navm| navm.cell())
            .unwrap();
        let border = (0..before.triangles.len() as u16)
            .flat_map(|triangle| (0..3).map(move |edge| (triangle, edge)))
            .find(|(t, e)| before.edge(*t, *e) == Some(Edge::Border))
            .unwrap();
        let [a, b] = before.edge_ends(border.0, border.1).unwrap();
        // A third corner outside: to the right of the border.
        let c = [b[0] + (b[1] - a[1]), b[1] - (b[0] - a[0]), b[2]];
        let line = |p: [f32; 3]| format!("v {} {} {}\n", p[0], p[1], p[2]);
        let model = format!("o CELL {cell}\n{}{}{}usemtl water\nf 1 2 3\n", line(b), line(a), line(c));
        let (made, bill) = put(&bytes, &read(model.as_bytes(), Format::Obj).unwrap());
        let new = &bill.meshes[0];
        assert_eq!((new.new_in, new.fresh, new.found), (Some(cell), 1, 1), "{} {bill}", game.name);
        assert_eq!(codes(&made), codes(&bytes), "{}", game.name);
        let mesh = mesh(&made, new.form.get());
        assert_eq!(mesh.links.len(), 1);
        assert_eq!((mesh.links[0].navmesh.get(), mesh.links[0].triangle), (form, border.0));
        assert!(mesh.triangles[0].flags.0 & 0x200 != 0, "water");
        let view = plugin(&made);
        assert_eq!(view.hedr().next_object_id(), new.form.object_id() + 1);
        assert_eq!(view.hedr().records(), plugin(&bytes).hedr().records() + 1);
        let navm = view.navmeshes().map(Result::unwrap).find(|navm| navm.form_id() == new.form).unwrap();
        assert_eq!(navm.cell(), Some(cell));
        let mut scratch = Scratch::new();
        let navi = view.navi().unwrap().unwrap();
        let map = NavMap::parse(navi.fields(&mut scratch).unwrap()).unwrap();
        let entry = map.entries().map(Result::unwrap).find(|e| e.head.navmesh() == new.form).unwrap();
        assert_eq!(entry.links.iter().map(|form| form.get()).collect::<Vec<_>>(), [form]);
    }
}

#[test]
fn what_is_refused_is_named_by_object_and_face() {
    let bytes = village(SE);
    let (form, _) = house(&bytes);
    let square = "v 0 0 0\nv 64 0 0\nv 64 64 0\nv 0 64 0\nv 32 32 64\n";
    let model = |faces: &str| format!("{square}o NAVM {form:08X}\n{faces}");
    let name = format!("model: object NAVM {form:08X}, line ");
    for (faces, why) in [
        ("f 1 1 2\n", "7: a triangle with two corners at one place, 0 0 0"),
        ("f 1 2 2\n", "7: a triangle with two corners at one place, 64 0 0"),
        ("v 64 0 50\nf 1 2 6\n", "8: a triangle that has no area seen from above, at 0 0 0"),
        ("f 1 2 3\nf 1 2 4\n", "8: the side from 0 0 0 to 64 0 0: two triangles lie on the same side of it"),
        ("usemtl lava\nf 1 2 3\n", "8: no flag is named lava"),
        ("usemtl door\nf 1 2 3\n", "8: no flag is named door"),
    ] {
        assert_eq!(refusal(&bytes, &model(faces)), format!("{name}{why}"));
    }
    let said = refusal(&bytes, &format!("{square}o Plane.001\nf 1 2 3\n"));
    assert!(said.starts_with("model: object Plane.001, line 7: its name says no record"), "{said}");
    let said = refusal(&bytes, &format!("{square}o CELL 01FFFFFF\nf 1 2 3\n"));
    assert!(said.contains("the plugin has no record of that cell"), "{said}");
    assert_eq!(refusal(&bytes, square), "model: no faces");
    let mut many = String::from(square);
    many += &format!("o NAVM {form:08X}\n");
    many += &"f 1 2 3\n".repeat(32_768);
    assert!(refusal(&bytes, &many).contains("more than 32767 triangles in one navmesh"));
    let far = format!("v 1e30 0 0\nv 0 1 0\nv 0 0 0\no NAVM {form:08X}\nf 1 2 3\n");
    assert!(refusal(&bytes, &far).contains("is beyond 16777216 units"));
}

#[test]
fn faces_that_face_down_are_turned_over() {
    let bytes = village(SE);
    let (form, _) = house(&bytes);
    let model = format!("v 0 0 0\nv 64 0 0\nv 64 64 0\no NAVM {form:08X}\nf 1 3 2\n");
    let (made, bill) = put(&bytes, &read(model.as_bytes(), Format::Obj).unwrap());
    assert!(
        bill.meshes[0].turned == 1 && bill.to_string().contains("turned over, since facing down: 1 face"),
        "{bill}"
    );
    let after = mesh(&made, form);
    assert_eq!(after.triangles.len(), 1);
    assert!(!codes(&made).contains(&"clockwise-triangle"));
    assert!(bill.lost() > 0, "the door and links are lost: {bill}");
}

#[test]
fn a_face_that_is_not_convex_is_cut_into_triangles_inside_of_it() {
    let bytes = village(SE);
    let (form, _) = house(&bytes);
    // An L, from a corner that does not see all of it.
    let l = "v 300 0 0\nv 300 100 0\nv 100 100 0\nv 100 300 0\nv 0 300 0\nv 0 0 0\n";
    let model = format!("{l}o NAVM {form:08X}\nf 1 2 3 4 5 6\n");
    let (made, bill) = put(&bytes, &read(model.as_bytes(), Format::Obj).unwrap());
    assert_eq!((bill.meshes[0].fresh, bill.meshes[0].turned), (4, 0), "{bill}");
    let after = mesh(&made, form);
    let doubled = |[a, b, c]: [[f32; 3]; 3]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let area: f32 = after.triangles.iter().map(|triangle| doubled(after.corners(triangle)).abs()).sum();
    assert_eq!(area, 100_000.0);
    // One that crosses itself cannot be cut so.
    let bow = format!("v 0 0 0\nv 100 200 0\nv 100 0 0\nv 0 90 0\no NAVM {form:08X}\nf 1 2 3 4\n");
    let said = refusal(&bytes, &bow);
    assert!(said.contains("line 6: ") && said.contains("two triangles lie on the same side of it"), "{said}");
}

#[test]
fn a_model_made_to_hurt_ends_soon() {
    let bytes = village(SE);
    let (form, _) = house(&bytes);
    // Corners that crowd one place, each its own; then faces around one corner, far from all that is there.
    let mut crowd = String::new();
    for k in 0..32_000 {
        crowd += &format!("v {} {} 0\n", f64::from(k) * 0.000_01, f64::from(k % 7) * 0.000_01);
    }
    crowd += &format!("o NAVM {form:08X}\n");
    (1..31_000).for_each(|k| crowd += &format!("f {k} {} {}\n", k + 1, k + 2));
    let mut fan = String::from("v 90000 90000 0\n");
    let rim = 30_000;
    for k in 0..rim {
        let (sin, cos) = (f64::from(k) / f64::from(rim) * std::f64::consts::TAU).sin_cos();
        fan += &format!("v {} {} 0\n", 90_000.0 + cos * 80_000.0, 90_000.0 + sin * 80_000.0);
    }
    fan += &format!("o NAVM {form:08X}\n");
    (2..=rim).for_each(|k| fan += &format!("f 1 {k} {}\n", k + 1));
    for model in [crowd, fan] {
        let scene = read(model.as_bytes(), Format::Obj).unwrap();
        let mut editor = SkyrimEditor::of_plugin(&plugin(&bytes)).unwrap();
        let begun = Instant::now();
        let _ = editor.put_model(&scene);
        let _ = editor.encode();
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    }
}

#[test]
fn a_corner_that_moves_alone_tears_neighbours_apart_which_is_told() {
    for game in [SE, FO4, STARFIELD] {
        let bytes = village(game);
        let (form, before) = house(&bytes);
        let under_a_door = |at: &usize| before.doors.iter().any(|door| usize::from(door.triangle) == *at);
        let inner = before.triangles.iter().enumerate().find(|(at, triangle)| {
            triangle.cover == 0
                && !under_a_door(at)
                && triangle.edges().iter().all(|edge| matches!(edge, Edge::Neighbour(_)))
        });
        let [a, b, c] = before.corners(inner.unwrap().1);
        let whole = text(&bytes, form);
        let (line, [number, ..]) = face_of(&whole, [a, b, c]);
        let [x, y, z] = a;
        // A corner of its own, at the end, where it changes the numbers of no other.
        let own = line.split(' ').map(|word| if word == number.to_string() { "-1" } else { word });
        let own: Vec<&str> = own.collect();
        let alone = format!("v {x} {y} {}\n{}\n", z + 40.0, own.join(" "));
        let model = whole.replacen(&format!("{line}\n"), "", 1) + &alone;
        let (_, bill) = put(&bytes, &read(model.as_bytes(), Format::Obj).unwrap());
        assert_eq!((bill.meshes[0].fresh, bill.meshes[0].gone), (1, 1), "{}: {bill}", game.name);
        let lost = "ways between neighbours: 2 sides are borders now";
        assert_eq!(bill.meshes[0].lost, [lost], "{}: {bill}", game.name);
        // With every triangle around it nothing is torn.
        let (_, bill) =
            put(&bytes, &read(moved(&whole, a, [x, y, z + 4.0]).as_bytes(), Format::Obj).unwrap());
        assert!(bill.meshes[0].fresh > 1 && !bill.to_string().contains("ways between"), "{bill}");
    }
}

#[test]
fn a_mesh_with_other_flags_alone_is_not_as_it_was() {
    let bytes = village(SE);
    let (form, _) = house(&bytes);
    let whole = text(&bytes, form);
    let (_, bill) = put(&bytes, &read(whole.as_bytes(), Format::Obj).unwrap());
    assert!(!bill.meshes[0].changed && bill.to_string().contains(": as it was, "), "{bill}");
    let face = whole.lines().find(|line| line.starts_with("f ")).unwrap();
    let model = whole.replacen(face, &format!("usemtl water\n{face}\nusemtl floor"), 1);
    let (made, bill) = put(&bytes, &read(model.as_bytes(), Format::Obj).unwrap());
    assert!(made != bytes && bill.meshes[0].changed && bill.meshes[0].set == 1, "{bill}");
    let said = bill.to_string();
    assert!(said.contains("0 new, 0 gone; set by material: flags of 1 triangle"), "{said}");
}
