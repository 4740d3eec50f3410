//! What is written: fields, records and plugins.

use crate::plugin;
use navmap::bytes::Scratch;
use navmap::format::skyrim::{
    Changes, CoverBuf, FormId, NavMesh, NavMeshBuf, NewRecord, Plugin, RecordFlags, Tag, TriangleFlags,
};
use navmap::import::{Format, read};
use navmap::{Limits, Result};
use navmap_testkit::skyrim::mesh::{Mesh, Place};
use navmap_testkit::skyrim::{self as kit, FO4, SE, STARFIELD};
use navmap_testkit::{corpus, digest};

fn rows() -> Vec<corpus::Row> {
    let mut rows = corpus::bundled_rows("skyrim");
    rows.extend(corpus::real().map_or_else(Vec::new, |folder| corpus::manifest(&folder.join("skyrim"))));
    rows
}

/// Every NVNM field that can be read, of the files that are real or bundled.
fn each_field(mut visit: impl FnMut(&str, &[u8])) {
    for row in rows() {
        let (bytes, name) = (row.read(), row.name());
        if name.ends_with(".nvnm") {
            if NavMesh::parse(&bytes).is_ok() {
                visit(name, &bytes);
            }
            continue;
        }
        let Ok(plugin) = Plugin::parse(&bytes, &Limits::default()) else { continue };
        let mut scratch = Scratch::new();
        for navm in plugin.navmeshes().flatten() {
            if let Ok(Some(mesh)) = navm.mesh(&mut scratch)
                && mesh.version() >= 12
            {
                visit(&format!("{name} {}", navm.form_id()), mesh.as_bytes());
            }
        }
    }
}

fn owned(bytes: &[u8]) -> NavMeshBuf {
    NavMeshBuf::read(&NavMesh::parse(bytes).unwrap()).unwrap()
}

#[test]
fn every_field_is_written_to_its_own_bytes() {
    let mut versions = [0; 18];
    each_field(|name, bytes| {
        let mesh = owned(bytes);
        assert!(mesh.encode().unwrap() == bytes, "{name}");
        versions[mesh.version as usize] += 1;
    });
    let least = if corpus::real().is_some() { [780, 9, 60] } else { [15, 5, 5] };
    for (version, least) in [12, 15, 17].into_iter().zip(least) {
        assert!(versions[version] >= least, "{} fields of version {version}", versions[version]);
    }
}

/// What the specification measured: 753 of the 761 fields of version 12 come out of their geometry to the byte, and of
/// the others all but a few lists.
#[test]
fn what_follows_from_the_geometry_is_computed_as_the_editor_did() {
    if corpus::real().is_none() {
        return navmap_testkit::skipped("no corpus of real files");
    }
    let (mut whole, mut grids, mut meshes) = ([0; 18], [0; 18], [0; 18]);
    let mut seen = std::collections::HashSet::new();
    each_field(|name, bytes| {
        let is_real = !corpus::bundled_rows("skyrim").iter().any(|row| name.starts_with(row.name()));
        if !is_real || !seen.insert(bytes.to_vec()) {
            return;
        }
        let stored = owned(bytes);
        let mut settled = stored.clone();
        settled.settle_all();
        let version = stored.version as usize;
        meshes[version] += 1;
        grids[version] += usize::from(settled.grid.lists == stored.grid.lists);
        whole[version] += usize::from(settled == stored);
        assert_eq!(settled.grid.divisor, stored.grid.divisor, "{name}");
        assert_eq!(settled.cover, stored.cover, "{name}");
        let same = settled.grid.min == stored.grid.min && settled.grid.max == stored.grid.max;
        assert!(
            same || name == "se/DungeonsRevisited.esp 0007046A" || name.contains("DungeonsRevisited"),
            "{name}"
        );
    });
    for version in [12, 15, 17] {
        println!(
            "version {version}: {} of {} whole, {} grids",
            whole[version], meshes[version], grids[version]
        );
    }
    let share = |counts: [usize; 18], version: usize| counts[version] as f64 / meshes[version] as f64;
    assert!(share(whole, 12) >= 0.98, "{} of {}", whole[12], meshes[12]);
    assert!(share(grids, 17) >= 0.96 && share(grids, 15) >= 0.65);
}

fn field(name: &str) -> Option<Vec<u8>> {
    Some(std::fs::read(corpus::real()?.join("skyrim/nvnm").join(format!("{name}.nvnm"))).unwrap())
}

/// How many bytes differ, and the digest of the second.
fn differing(before: &[u8], after: &[u8]) -> (usize, String) {
    (before.iter().zip(after).filter(|(a, b)| a != b).count(), digest::short(after))
}

#[test]
fn a_mesh_that_is_raised_or_flooded_differs_where_it_must() {
    for (name, raised, flooded) in [
        ("Gandra_052534C0", (5, "b41e0e029e00cbf2"), (1, "95b4ca077e46be90")),
        ("Sandbox_02002502", (5, "0873a2c752cc2fdc"), (1, "cc44cc8b02550d92")),
        ("SeaofGhosts_04000DAD", (9, "75806551b50ff757"), (5, "9f30b24cf193b095")),
        ("Gandra_052534D7", (18, "510a31fdac7d290a"), (17, "329329fefae469d7")),
        ("SeaofGhosts_0400091B", (219, "6d8b6d6a5fcb987c"), (215, "9007bf51dcb8265e")),
        ("DungeonsRevisited_000D2948", (797, "6188c04e5d5907e2"), (450, "4fbcc6889ae93b2d")),
    ] {
        let Some(bytes) = field(name) else { return navmap_testkit::skipped("no corpus of real files") };
        let before = owned(&bytes);
        let mut same = before.clone();
        same.settle_all();
        assert_eq!(same, before, "{name} is what its geometry gives");
        let mut mesh = before.clone();
        mesh.vertices.iter_mut().for_each(|[_, _, z]| *z += 64.0);
        mesh.settle(&before);
        let (count, digest) = differing(&bytes, &mesh.encode().unwrap());
        assert_eq!((count, digest.as_str()), raised, "{name} raised");
        let mut mesh = before.clone();
        mesh.triangles.iter_mut().for_each(|triangle| triangle.flags = triangle.flags | TriangleFlags::WATER);
        mesh.settle(&before);
        let (count, digest) = differing(&bytes, &mesh.encode().unwrap());
        assert_eq!((count, digest.as_str()), flooded, "{name} flooded");
    }
}

#[test]
fn grid_lists_have_the_quirk_of_the_editor() {
    for (name, triangle, cells) in [
        ("SeaofGhosts_0400091B", 108, &[0, 1, 6, 7][..]),
        ("SeaofGhosts_04000B8F", 57, &[22, 30, 31, 38, 39]),
        ("MorrowindUsesDramsNoOffice_02035ECD", 178, &[12, 13, 21, 22, 30, 31]),
        ("DawnOfTheSilverHand_le_000FD769", 5, &[35, 36, 45, 46, 47, 55, 56, 57]),
    ] {
        let Some(bytes) = field(name) else { return navmap_testkit::skipped("no corpus of real files") };
        let before = owned(&bytes);
        let mut mesh = before.clone();
        mesh.settle_all();
        let of = |mesh: &NavMeshBuf| -> Vec<usize> {
            (0..)
                .zip(&mesh.grid.lists)
                .filter(|(_, list)| list.contains(&triangle))
                .map(|(at, _)| at)
                .collect()
        };
        assert_eq!((of(&mesh), of(&before)), (cells.to_vec(), cells.to_vec()), "{name}");
        // Without the quirk, the lists say less.
        let mut plain = before.clone();
        plain.vertices.iter_mut().for_each(|[x, _, _]| *x += 4096.0);
        let mut quirky = plain.clone();
        plain.settle_as(&before, true);
        quirky.settle(&before);
        let entries = |mesh: &NavMeshBuf| mesh.grid.lists.iter().map(Vec::len).sum::<usize>();
        assert!(entries(&plain) < entries(&quirky), "{name}");
    }
    for name in ["DungeonsRevisited_00070468", "DawnOfTheSilverHand_le_0007196E", "Gandra_052534D7"] {
        let Some(bytes) = field(name) else { return };
        let mut mesh = owned(&bytes);
        mesh.settle_all();
        assert_eq!(mesh.encode().unwrap(), bytes, "{name}");
    }
}

/// Every record set to what it is: kept bytes, whatever compressed them.
fn untouched(bytes: &[u8], name: &str) {
    let Ok(plugin) = Plugin::parse(bytes, &Limits::default()) else { return };
    let same = Changes::new().apply(&plugin).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(same == bytes, "{name}: no change");
    let (mut changes, mut scratch) = (Changes::new(), Scratch::new());
    for record in plugin.records().map(Result::unwrap) {
        if let Ok(fields) = record.fields(&mut scratch) {
            changes.set(&record, record.header().flags(), fields.rest().to_vec());
        }
    }
    assert!(changes.apply(&plugin).unwrap() == bytes, "{name}: all records anew");
    let mut changes = Changes::new();
    for navm in plugin.navmeshes().map(Result::unwrap) {
        if let Ok(Some(mesh)) = navm.mesh(&mut Scratch::new())
            && mesh.version() >= 12
        {
            changes.set_mesh(&navm, &NavMeshBuf::read(&mesh).unwrap(), &mut scratch).unwrap();
        }
    }
    assert!(changes.apply(&plugin).unwrap() == bytes, "{name}: all meshes anew");
}

#[test]
fn every_plugin_is_written_to_its_own_bytes() {
    let mut plugins = 0;
    for row in rows() {
        let name = row.name();
        if !name.ends_with(".nvnm") && (row.text("status") != "error") {
            untouched(&row.read(), name);
            plugins += 1;
        }
    }
    let least = if corpus::real().is_some() { 28 } else { 10 };
    assert!(plugins > least, "{plugins}");
}

/// Offsets at which groups begin, and their sizes, by a reader of a few lines.
fn groups_fit(bytes: &[u8], mut at: usize, end: usize) -> usize {
    let size = |at: usize| u32::from_le_bytes(bytes[at + 4..at + 8].try_into().unwrap()) as usize;
    let mut count = 0;
    while at < end {
        count += 1;
        if &bytes[at..at + 4] == b"GRUP" {
            let next = at + size(at);
            assert!(next <= end && size(at) >= 24, "group at {at}");
            count += groups_fit(bytes, at + 24, next);
            at = next;
        } else {
            at += 24 + size(at);
        }
    }
    assert_eq!(at, end);
    count
}

fn counted(bytes: &[u8]) -> (usize, i32) {
    let head = 24 + u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
    (groups_fit(bytes, head, bytes.len()), i32::from_le_bytes(bytes[34..38].try_into().unwrap()))
}

#[test]
fn what_is_changed_added_and_removed_counts_in_groups_and_header() {
    for game in [SE, FO4, STARFIELD] {
        for compressed in [false, true] {
            let bytes = kit::village(game, 2, (6, 5), compressed).0.encode();
            let before = plugin(&bytes);
            let mut scratch = Scratch::new();
            let navms: Vec<_> = before.navmeshes().map(Result::unwrap).collect();
            let (changed, removed) = (&navms[3], &navms[0]);
            let mut mesh = NavMeshBuf::read(&changed.mesh(&mut scratch).unwrap().unwrap()).unwrap();
            let stored = mesh.clone();
            mesh.vertices.iter_mut().for_each(|[x, _, _]| *x += 128.0);
            mesh.settle(&stored);
            let mut changes = Changes::new();
            changes.set_mesh(changed, &mesh, &mut scratch).unwrap();
            // What was changed before is gone as well.
            changes.set(removed.record(), removed.record().header().flags(), b"EDID\x02\0a\0".to_vec());
            changes.remove(removed.record());
            let head = NewRecord {
                tag: Tag(*b"MISC"),
                flags: RecordFlags::COMPRESSED,
                form_id: FormId::new(0x0100_0FFF),
                form_version: game.form,
            };
            changes.append(0, head, b"EDID\x02\0a\0").unwrap();
            let after = changes.apply(&before).unwrap();
            let (old, new) = (counted(&bytes), counted(&after));
            // The interior cell held this mesh and a door.
            assert_eq!((new.0, new.1 - old.1), (old.0, 0), "one gone, one new");
            let read = plugin(&after);
            assert_eq!(read.navmeshes().count(), navms.len() - 1);
            let found = read.navmeshes().map(Result::unwrap).find(|navm| navm.form_id() == changed.form_id());
            let found = found.unwrap();
            assert_eq!(found.is_compressed(), compressed);
            assert_eq!(NavMeshBuf::read(&found.mesh(&mut scratch).unwrap().unwrap()).unwrap(), mesh);
            assert_eq!(read.masters().collect::<Vec<_>>(), before.masters().collect::<Vec<_>>());
            let last = read.records().last().unwrap().unwrap();
            assert_eq!(last.fields(&mut scratch).unwrap().rest(), b"EDID\x02\0a\0");
        }
    }
}

#[test]
fn groups_that_hold_nothing_any_more_go_with_their_last_record() {
    let bytes = kit::large(true).0.encode();
    let before = plugin(&bytes);
    let mut changes = Changes::new();
    let navm = before.navmeshes().next().unwrap().unwrap();
    changes.remove(navm.record());
    let after = changes.apply(&before).unwrap();
    // The record, and the groups of types 9 and 6 around it; the cell itself stays.
    assert_eq!(counted(&after).0, counted(&bytes).0 - 3);
    assert_eq!(counted(&after).1, counted(&bytes).1 - 3);
    assert!(plugin(&after).records().any(|record| record.unwrap().tag() == Tag::CELL));
}

#[test]
fn a_field_crosses_the_size_that_its_header_can_say_both_ways() {
    let mut scratch = Scratch::new();
    for compressed in [false, true] {
        let bytes = kit::large(compressed).0.encode();
        let before = plugin(&bytes);
        let navm = before.navmeshes().next().unwrap().unwrap();
        let large = NavMeshBuf::read(&navm.mesh(&mut scratch).unwrap().unwrap()).unwrap();
        assert!(large.encode().unwrap().len() > 65_535);
        let mut small = large.clone();
        small.grid.lists.iter_mut().for_each(Vec::clear);
        small.vertices.truncate(9);
        let mut changes = Changes::new();
        changes.set_mesh(&navm, &small, &mut scratch).unwrap();
        let shrunk = changes.apply(&before).unwrap();
        let shrunk_plugin = plugin(&shrunk);
        let navm = shrunk_plugin.navmeshes().next().unwrap().unwrap();
        let data = navm.record().fields(&mut scratch).unwrap().rest().to_vec();
        assert_eq!(&data[..4], b"NVNM");
        let mut changes = Changes::new();
        changes.set_mesh(&navm, &large, &mut scratch).unwrap();
        let grown = changes.apply(&shrunk_plugin).unwrap();
        let plugin = plugin(&grown);
        let navm = plugin.navmeshes().next().unwrap().unwrap();
        let data = navm.record().fields(&mut scratch).unwrap().rest().to_vec();
        assert_eq!((&data[..4], &data[10..16]), (&b"XXXX"[..], &b"NVNM\0\0"[..]));
    }
}

#[test]
fn overridden_records_are_listed_in_the_header_of_a_master_on_demand() {
    let bytes = kit::village(SE, 1, (3, 3), true).0.encode();
    let before = plugin(&bytes);
    let mut changes = Changes::new();
    changes.note_override(FormId::new(0x0001_2345), true);
    changes.note_override(FormId::new(0x0001_2346), true);
    let listed = changes.apply(&before).unwrap();
    let onam = |bytes: &[u8]| {
        plugin(bytes).header_fields().find_tag(Tag(*b"ONAM")).unwrap().map(|f| f.data.to_vec())
    };
    assert_eq!(onam(&listed), Some([0x45, 0x23, 1, 0, 0x46, 0x23, 1, 0].to_vec()));
    assert_eq!(plugin(&listed).masters().count(), 1);
    let mut changes = Changes::new();
    changes.note_override(FormId::new(0x0001_2345), false);
    changes.note_override(FormId::new(0x0001_2346), false);
    assert_eq!(changes.apply(&plugin(&listed)).unwrap(), bytes);
}

/// The fields that are in the headers of Fallout 4 and Starfield come behind the list too.
#[test]
fn a_new_list_of_overridden_records_stands_before_what_follows_the_masters() {
    let bytes = kit::village(FO4, 1, (3, 3), true).0.encode();
    for late in [b"SCRN", b"TNAM", b"BNAM", b"INTV", b"INCC"] {
        let more = kit::plugin::field(late, &[1, 2, 3, 4]);
        let size = u32::from_le_bytes(bytes[4..8].try_into().unwrap());
        let mut bytes = bytes.clone();
        bytes[4..8].copy_from_slice(&(size + more.len() as u32).to_le_bytes());
        bytes.splice(24 + size as usize..24 + size as usize, more);
        let mut changes = Changes::new();
        changes.note_override(FormId::new(0x0001_2345), true);
        let listed = changes.apply(&plugin(&bytes)).unwrap();
        let tags: Vec<_> = plugin(&listed).header_fields().map(|field| field.unwrap().tag.0).collect();
        assert_eq!(tags, [b"HEDR", b"CNAM", b"MAST", b"DATA", b"ONAM", late].map(|tag| *tag));
    }
}

/// Where each cell of the worldspace begins, counted from the worldspace's record, by the cells' FormIDs.
fn cells(bytes: &[u8]) -> Vec<(u32, u32)> {
    let plugin = plugin(bytes);
    let of = |tag: Tag| plugin.records().map(Result::unwrap).filter(move |record| record.tag() == tag);
    let world = of(Tag::WRLD).next().unwrap().offset();
    let after = of(Tag::CELL).filter(|cell| cell.offset() > world);
    after.map(|cell| (cell.form_id().get(), (cell.offset() - world) as u32)).collect()
}

/// The table of the worldspace.
fn offsets(bytes: &[u8]) -> Vec<u32> {
    let plugin = plugin(bytes);
    let world = plugin.records().map(Result::unwrap).find(|record| record.tag() == Tag::WRLD).unwrap();
    let table = world.fields_in_place().unwrap().find_tag(Tag(*b"OFST")).unwrap().unwrap();
    table.data.chunks_exact(4).map(|entry| u32::from_le_bytes(entry.try_into().unwrap())).collect()
}

#[test]
fn the_table_of_where_cells_begin_follows_what_moves() {
    let mut made = kit::plugin::Plugin::new(SE.form, SE.hedr, &[]);
    let own = made.own();
    let mesh = |x: i16| Mesh::sheet(12, Place::Exterior(own, x, 0), 4, 4, 1);
    let navm = |at: u32, x: i16| kit::navm(&made, own + at, &mesh(x), false);
    let squares =
        [(own + 1, 0, 0, vec![navm(5, 0)]), (own + 2, 1, 0, vec![navm(6, 1)]), (own + 3, 2, 0, vec![])];
    // One before the worldspace, so that its record moves too.
    let inside = Mesh::sheet(12, Place::Interior(own + 9), 4, 4, 1);
    let groups = [
        made.interior(own + 9, &[kit::navm(&made, own + 7, &inside, false)]),
        made.worldspace(own, &squares),
    ];
    made.groups.extend(groups);
    let file = kit::damage::File { name: "a.esp", bytes: made.encode() };
    // No cell there, three cells, and an entry that a tool left behind.
    let table = |file: &kit::damage::File, entries: [u32; 5]| {
        let entries: Vec<u8> = entries.into_iter().flat_map(u32::to_le_bytes).collect();
        kit::damage::with_world_field(file, b"OFST", &entries).bytes
    };
    let at = cells(&table(&file, [0; 5]));
    let [a, b, c] = [0, 1, 2].map(|cell| at[cell].1);
    let bytes = table(&file, [0, a, b, 7, c]);
    assert_eq!(offsets(&bytes), [0, a, b, 7, c]);
    let mut scratch = Scratch::new();
    assert!(Changes::new().apply(&plugin(&bytes)).unwrap() == bytes);
    for moved in [own + 5, own + 6, own + 7] {
        let before = plugin(&bytes);
        let navm = before.navmeshes().map(Result::unwrap).find(|navm| navm.form_id().get() == moved).unwrap();
        let old = NavMeshBuf::read(&navm.mesh(&mut scratch).unwrap().unwrap()).unwrap();
        let mut less = old.clone();
        less.grid.lists.iter_mut().for_each(Vec::clear);
        let mut changes = Changes::new();
        changes.set_mesh(&navm, &less, &mut scratch).unwrap();
        let after = changes.apply(&before).unwrap();
        assert!(after.len() < bytes.len());
        let now: Vec<u32> = cells(&after).into_iter().map(|(_, at)| at).collect();
        assert_eq!(offsets(&after), [0, now[0], now[1], 7, now[2]], "{moved:08X}");
        assert_eq!(offsets(&after) == offsets(&bytes), moved == own + 7, "{moved:08X}");
        // And back.
        let less = plugin(&after);
        let navm = less.navmeshes().map(Result::unwrap).find(|navm| navm.form_id().get() == moved).unwrap();
        let mut changes = Changes::new();
        changes.set_mesh(&navm, &old, &mut scratch).unwrap();
        assert!(changes.apply(&less).unwrap() == bytes, "{moved:08X}");
    }
    // A cell that goes is nowhere.
    let before = plugin(&bytes);
    let last = before.records().map(Result::unwrap).find(|record| record.form_id().get() == own + 3).unwrap();
    let mut changes = Changes::new();
    changes.remove(&last);
    assert_eq!(offsets(&changes.apply(&before).unwrap()), [0, a, b, 7, 0]);
}

#[test]
fn triangles_of_a_model_face_up_are_found_and_have_nothing_above_them() {
    let square = "v 0 0 0\nv 64 0 0\nv 64 64 0\nv 0 64 0\nf 1 3 2\nusemtl Water.001\nf 1 3 4\n";
    let scene = read(square.as_bytes(), Format::Obj).unwrap();
    for version in [12, 15, 17] {
        let mesh = owned(&Mesh::sheet(version, Place::Interior(1), 6, 6, 1).encode());
        let made = mesh.with_triangles(&scene).unwrap();
        let clearance = if version == 12 { 0.0 } else { f32::MAX };
        let triangles: Vec<_> = made.triangles.iter().map(|t| (t.vertices, t.flags.0, t.height)).collect();
        // Corners are numbered as they are met.
        assert_eq!(triangles, [([0, 2, 1], 0x800, clearance), ([0, 1, 3], 0xA00, clearance)]);
        let found = crate::check("made.nvnm", &made.encode().unwrap());
        assert!(found.is_empty(), "version {version}: {found:?}");
    }
    // Links and doors are made with their lists, not by a name.
    let door = read(square.replace("Water", "door").as_bytes(), Format::Obj).unwrap();
    let mesh = owned(&Mesh::sheet(12, Place::Interior(1), 6, 6, 1).encode());
    assert!(mesh.with_triangles(&door).unwrap_err().to_string().contains("no flag is named door"));
}

#[test]
fn changes_that_fit_no_record_and_plugins_with_cut_groups_are_refused() {
    let bytes = kit::village(SE, 1, (3, 3), true).0.encode();
    let other = kit::large(true).0.encode();
    let (a, b) = (plugin(&bytes), plugin(&other));
    let mut changes = Changes::new();
    let far = b.navmeshes().next().unwrap().unwrap();
    changes.remove(far.record());
    assert!(changes.apply(&a).is_err());
    for cut in [bytes.len() - 1, bytes.len() - 40] {
        let cut = Plugin::parse(&bytes[..cut], &Limits::default()).unwrap();
        let error = Changes::new().apply(&cut).unwrap_err().to_string();
        assert!(error.contains("bytes left") || error.contains("left"), "{error}");
    }
}

#[test]
fn a_list_and_its_grid_that_contradict_each_other_are_not_written() {
    let bytes = kit::mesh::Mesh::sheet(12, kit::mesh::Place::Interior(1), 6, 6, 1).encode();
    let mut mesh = owned(&bytes);
    mesh.grid.lists.pop();
    assert!(mesh.encode().unwrap_err().to_string().contains("lists where"));
    let CoverBuf::Triangles(list) = &owned(&bytes).cover else { panic!("version 12 lists triangles") };
    assert_eq!(*list, owned(&bytes).covered());
}
