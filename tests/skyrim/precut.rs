//! The pre-cut map of a navmesh (MNAM): triangles that placed objects cut, by their numbers.

use crate::plugin;
use navmap::bytes::Scratch;
use navmap::edit::{Editor, Session, SessionOptions};
use navmap::format::skyrim::edit::SkyrimEditor;
use navmap::format::skyrim::fix::{FixOptions, FixPlan, Repair};
use navmap::format::skyrim::{Changes, LoadOrder, NavMeshBuf, NavmRecord, Plugin, Tag};
use navmap_testkit::skyrim::plugin::{DELETED, Plugin as Made, field, record};
use navmap_testkit::skyrim::{self as kit, FO4, SE};

const MESH: u32 = 0x0100_0901;

fn navm<'a>(plugin: &Plugin<'a>) -> NavmRecord<'a> {
    plugin.navmeshes().map(Result::unwrap).find(|navm| navm.form_id().get() == MESH).unwrap()
}

/// Objects, each with the triangles that it cuts.
fn map(objects: &[(u32, &[u16])]) -> Vec<u8> {
    let mut out = Vec::new();
    for (object, triangles) in objects {
        out.extend(object.to_le_bytes());
        out.extend((triangles.len() as u16).to_le_bytes());
        out.extend(triangles.iter().flat_map(|triangle| triangle.to_le_bytes()));
    }
    out
}

/// A village of Fallout 4, of which one mesh has this map and is changed.
fn village(map: &[u8], change: impl FnOnce(&mut NavMeshBuf)) -> Vec<u8> {
    let bytes = kit::village(FO4, 2, (6, 5), true).0.encode();
    let plugin = plugin(&bytes);
    let (navm, mut scratch) = (navm(&plugin), Scratch::new());
    let mut mesh = NavMeshBuf::read(&navm.mesh(&mut scratch).unwrap().unwrap()).unwrap();
    change(&mut mesh);
    let data = [field(b"NVNM", &mesh.encode().unwrap()), field(b"MNAM", map)].concat();
    let mut changes = Changes::new();
    changes.set(navm.record(), navm.record().header().flags(), data);
    changes.apply(&plugin).unwrap()
}

fn stored(bytes: &[u8]) -> Vec<u8> {
    let mut scratch = Scratch::new();
    let plugin = plugin(bytes);
    let mut fields = navm(&plugin).record().fields(&mut scratch).unwrap();
    fields.find_tag(Tag(*b"MNAM")).unwrap().unwrap().data.to_vec()
}

fn session(bytes: &[u8]) -> Session<SkyrimEditor> {
    Session::new(SkyrimEditor::of_plugin(&plugin(bytes)).unwrap(), SessionOptions::default())
}

#[test]
fn it_follows_the_numbers_of_triangles_and_lets_go_of_those_that_are_gone() {
    let before = map(&[(0x0100_0B01, &[4, 5, 59, 900]), (0x0100_0B02, &[10]), (0x0100_0B03, &[])]);
    let bytes = village(&before, |_| ());
    let mut session = session(&bytes);
    session.line("move 0 0 8").unwrap();
    assert_eq!(stored(&session.editor().encode().unwrap()), before);
    session.line("delete 01000901#10").unwrap();
    let after = map(&[(0x0100_0B01, &[4, 5, 58, 900]), (0x0100_0B03, &[])]);
    assert_eq!(stored(&session.editor().encode().unwrap()), after);
    session.line("undo all").unwrap();
    assert!(session.editor().encode().unwrap() == bytes);
}

#[test]
fn one_that_cannot_be_read_stays_and_keeps_triangles_from_new_numbers() {
    let bytes = village(&[1, 2, 3], |_| ());
    let mut session = session(&bytes);
    session.line("move 0 0 8").unwrap();
    assert_eq!(stored(&session.editor().encode().unwrap()), [1, 2, 3]);
    session.line("delete 01000901#10").unwrap();
    let error = session.editor().encode().unwrap_err().to_string();
    assert!(error.contains("pre-cut map (MNAM): of navmesh 01000901 cannot be read"), "{error}");
}

#[test]
fn a_repair_leaves_triangles_without_area_that_it_names_by_number() {
    let flat = |mesh: &mut NavMeshBuf| {
        let [a, _, c] = mesh.triangles[14].vertices;
        mesh.triangles[14].vertices = [a, a, c];
    };
    for (map, left) in
        [(map(&[]), None), (map(&[(0x0100_0B01, &[20])]), Some("its pre-cut map names triangles"))]
    {
        let bytes = village(&map, flat);
        let mut order = LoadOrder::new();
        order.push("Village.esp", plugin(&bytes));
        let options = FixOptions { repairs: vec![Repair::Mesh], patch: false, ..FixOptions::default() };
        let plan = FixPlan::new(&order, &options);
        let flat = ["degenerate-triangle", "1 triangle without area"];
        let deed = plan.deeds().iter().find(|deed| flat.contains(&deed.what.as_str()));
        assert_eq!(deed.unwrap().left.as_deref(), left, "{:#?}", plan.deeds());
    }
}

#[test]
fn a_deleted_mesh_comes_back_as_one_triangle_if_the_map_is_empty() {
    let village = kit::village(FO4, 1, (4, 3), false).0.encode();
    let mut deleter = Made::new(FO4.form, FO4.hedr, &[FO4.master, "Village.esp"]);
    let gone = record(b"NAVM", deleter.head(0x0100_08F0, DELETED), b"");
    deleter.groups.push(deleter.interior(0x0100_0820, &[gone]));
    let deleter = deleter.encode();
    let mut order = LoadOrder::new();
    order.push("Village.esp", plugin(&village));
    order.push("Deleter.esp", plugin(&deleter));
    let repairs = vec![Repair::Undelete];
    let options = FixOptions { repairs, patch: false, stub: true, ..FixOptions::default() };
    let plan = FixPlan::new(&order, &options);
    // The village deletes another one, of a file that is not there.
    let deed = plan.deeds().iter().find(|deed| deed.file == "Deleter.esp").unwrap();
    assert!(deed.left.is_none() && deed.after.starts_with("one triangle"), "{:#?}", plan.deeds());
}

#[test]
fn triangles_of_many_meshes_are_deleted_at_once_as_one_after_the_other() {
    let before = kit::village(SE, 2, (4, 3), false).0.encode();
    let cut = |lines: &[&str]| {
        let editor = SkyrimEditor::of_plugin(&plugin(&before)).unwrap();
        let mut session = Session::new(editor, SessionOptions::default());
        lines.iter().for_each(|line| _ = session.line(line).unwrap());
        session.editor().encode().unwrap()
    };
    let (one, other) = ("01000900#6+01000900#2", "01000901#1+01000901#9");
    let once = cut(&[&format!("delete {one}+{other}")]);
    assert!(once == cut(&[&format!("delete {one}"), &format!("delete {other}")]));
}
