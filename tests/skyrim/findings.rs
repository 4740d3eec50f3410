//! Every finding: made on purpose, one at a time, and found where it was made.

use crate::check;
use navmap::Severity;
use navmap_testkit::skyrim::mesh::{Link, Mesh, Place, Triangle};
use navmap_testkit::skyrim::plugin::{self, DELETED, Plugin, door_reference, field};
use navmap_testkit::skyrim::{self as kit, FO4, SE, STARFIELD, navm};

fn codes(name: &str, bytes: &[u8]) -> Vec<(Severity, &'static str)> {
    let mut codes: Vec<_> = check(name, bytes).iter().map(|f| (f.severity, f.code)).collect();
    codes.dedup();
    codes
}

fn sheet(version: u32) -> Mesh {
    Mesh::sheet(version, Place::Interior(9), 6, 4, 3)
}

const ERROR: Severity = Severity::Error;
const WARNING: Severity = Severity::Warning;
const INFO: Severity = Severity::Info;

/// Changes one thing in a sound mesh and expects exactly these findings.
fn expect(version: u32, change: impl Fn(&mut Mesh), expected: &[(Severity, &str)]) {
    let mut mesh = sheet(version);
    change(&mut mesh);
    assert_eq!(codes("x.nvnm", &mesh.encode()), expected, "version {version}");
}

#[test]
fn indices_that_point_nowhere() {
    for version in [12, 15, 17] {
        expect(version, |_| (), &[]);
        expect(
            version,
            |m| m.triangles[0].v[1] = 900,
            &[(ERROR, "vertex-out-of-range"), (WARNING, "edge-not-shared")],
        );
        expect(version, |m| m.triangles[2].e[0] = 900, &[(ERROR, "neighbour-out-of-range")]);
        expect(version, |m| m.triangles[2].flags |= 1, &[(ERROR, "edge-link-out-of-range")]);
        expect(version, |m| m.doors.push((900, 5)), &[(ERROR, "door-triangle-out-of-range")]);
    }
    expect(15, |m| m.waypoints[0].1 = 900, &[(ERROR, "waypoint-out-of-range")]);
    expect(17, |m| m.waypoints[0].1 = 0xFFFF, &[(INFO, "waypoint-nowhere")]);
}

#[test]
fn a_link_of_a_type_that_no_game_knows() {
    for version in [12, 15, 17] {
        let mut mesh = sheet(version);
        let known = mesh.links.len();
        for kind in 0..=4 {
            mesh.links.push(Link { kind, navmesh: 9, triangle: 0, edge: 0 });
        }
        let found = check("x.nvnm", &mesh.encode());
        let found: Vec<_> = found.iter().filter(|f| f.code == "unknown-link-type").collect();
        assert_eq!(found.len(), 1, "version {version}");
        assert_eq!(found[0].severity, WARNING);
        assert!(
            found[0].message.contains(&format!("edge link {} has type 4", known + 4)),
            "{}",
            found[0].message
        );
    }
}

#[test]
fn neighbours_that_disagree() {
    expect(12, |m| m.triangles[0].e[2] = 0xFFFF, &[(WARNING, "one-way-neighbour")]);
    expect(12, |m| m.triangles[0].e[2] = 9, &[(WARNING, "one-way-neighbour")]);
    // Triangles that point at each other across different edges.
    let far = |m: &mut Mesh| {
        m.triangles[2].e[0] = 6;
        m.triangles[6].e[0] = 2;
    };
    expect(12, far, &[(WARNING, "edge-not-shared")]);
}

#[test]
fn an_edge_that_is_not_shared_is_told_by_the_vertices_of_both() {
    let far = |m: &mut Mesh| {
        m.triangles[2].e[0] = 6;
        m.triangles[6].e[0] = 2;
    };
    let mut mesh = sheet(12);
    far(&mut mesh);
    let found = check("x.nvnm", &mesh.encode());
    let found = found.iter().find(|finding| finding.code == "edge-not-shared").unwrap();
    let ([a, b, _], [c, d, _]) = (mesh.triangles[2].v, mesh.triangles[6].v);
    let expected = format!(
        "triangle #2, edge 0 runs from vertex {a} to {b}; the edge of neighbour #6 that leads back runs from {c} to {d}"
    );
    assert_eq!(found.message, expected);
}

#[test]
fn overrides_need_no_entry_of_their_own_and_new_meshes_do() {
    let found = |forms: &[u32], with_map: bool| {
        let mut plugin = Plugin::new(SE.form, SE.hedr, &[SE.master]);
        let own = plugin.own();
        let mesh = Mesh::sheet(12, Place::Interior(own), 4, 3, 1);
        if with_map {
            plugin.groups.push(plugin.navi(SE.navi, 12, &[], &[]));
        }
        let meshes: Vec<_> = forms.iter().map(|form| navm(&plugin, *form, &mesh, true)).collect();
        plugin.groups.push(plugin.interior(own, &meshes));
        let mut found = check("x.esp", &plugin.encode());
        found.retain(|finding| finding.code.starts_with("nav") || finding.code == "nvmi-missing");
        found.into_iter().map(|finding| (finding.code, finding.message)).collect::<Vec<_>>()
    };
    let (master, own) = (0x0000_0A00, 0x0100_0A00);
    assert_eq!(found(&[master], false), []);
    assert_eq!(found(&[master], true), []);
    let missing = "the plugin adds 1 navmesh and has no NAVI record: the game does not use them";
    assert_eq!(found(&[own], false), [("navi-missing", missing.to_owned())]);
    let both = format!("{missing} (1 override those of masters, which have the entries)");
    assert_eq!(found(&[own, master], false), [("navi-missing", both)]);
    let codes: Vec<_> = found(&[own, master], true).into_iter().map(|(code, _)| code).collect();
    assert_eq!(codes, ["nvmi-missing"]);
}

#[test]
fn triangles_without_area_or_upside_down() {
    let turn = |m: &mut Mesh| {
        let Triangle { v: [a, b, c], e: [ab, bc, ca], .. } = m.triangles[0];
        (m.triangles[0].v, m.triangles[0].e) = ([b, a, c], [ab, ca, bc]);
    };
    expect(12, turn, &[(ERROR, "clockwise-triangle"), (WARNING, "flipped-neighbour")]);
    expect(
        12,
        |m| m.triangles[0].v[1] = m.triangles[0].v[0],
        &[(WARNING, "degenerate-triangle"), (WARNING, "edge-not-shared")],
    );
    expect(12, |m| m.vertices[5][2] = f32::NAN, &[(ERROR, "vertex-not-finite")]);
}

#[test]
fn edge_links_without_or_with_two_edges() {
    let link = Link { kind: 0, navmesh: 5, triangle: 0, edge: 0 };
    expect(12, |m| m.links.push(link), &[(WARNING, "edge-link-unused")]);
    let twice = |m: &mut Mesh| {
        m.link(0, 0, link);
        m.triangles[2].e[0] = 0;
        m.triangles[2].flags |= 1;
        m.triangles[2].cover = 0;
    };
    expect(12, twice, &[(WARNING, "edge-link-shared")]);
}

#[test]
fn doors_without_flag_and_flags_without_door() {
    expect(12, |m| m.doors.push((3, 5)), &[(WARNING, "door-flag-missing")]);
    expect(12, |m| m.triangles[3].flags |= 0x400, &[(INFO, "door-flag-alone")]);
}

#[test]
fn cover_that_differs_from_the_flags() {
    let mut bytes = sheet(12).encode();
    let mesh = sheet(12);
    let cover = 16 + 4 + 12 * mesh.vertices.len() + 4 + 16 * mesh.triangles.len() + 8;
    assert_eq!(bytes[cover], mesh.cover_triangles().len() as u8);
    bytes[cover + 4] ^= 1;
    let found = check("x.nvnm", &bytes);
    assert_eq!((found.len(), found[0].code, found[0].at.offset), (1, "cover-list", Some(cover as u64 + 4)));
    expect(12, |m| m.triangles[1].cover = 4, &[(INFO, "cover-inside")]);
}

#[test]
fn later_cover_that_differs_from_the_bits() {
    for version in [15, 17] {
        let whole = sheet(version).encode();
        let mesh = sheet(version);
        let vertex = if version == 17 { 16 } else { 12 };
        let segments = 16 + 4 + vertex * mesh.vertices.len() + 4 + 21 * mesh.triangles.len() + 8;
        let count = whole[segments] as usize;
        let map = segments + 4 + count * (vertex - 4) + 4;
        // The key of another edge; a piece that does not exist; a piece at a vertex that does not exist.
        for (at, value, codes) in [
            (map, 0x03, &[(WARNING, "cover-edge")]),
            (map + 3, 0x70, &[(WARNING, "cover-edge")]),
            (segments + 5, 0x70, &[(WARNING, "cover-segment")]),
        ] {
            let mut bytes = whole.clone();
            bytes[at] ^= value;
            assert_eq!(self::codes("x.nvnm", &bytes), codes, "version {version} at {at:#x}");
        }
    }
}

#[test]
fn grids_that_differ_from_the_geometry() {
    let whole = sheet(12).encode();
    let mesh = sheet(12);
    let lists: usize = mesh.grid_lists().iter().map(|list| 4 + 2 * list.len()).sum();
    let grid = whole.len() - lists - 36;
    assert_eq!(whole[grid], 2);
    let change = |at: usize, value: u8| {
        let mut bytes = whole.clone();
        bytes[at] ^= value;
        codes("x.nvnm", &bytes)
    };
    assert_eq!(change(grid + 4, 1), [(WARNING, "grid-cell-size")]);
    assert_eq!(change(grid + 14, 0x10), [(WARNING, "grid-cell-size"), (WARNING, "grid-bounds")]);
    assert_eq!(change(grid + 32, 1), [(WARNING, "grid-bounds")]);
    let first = grid + 36 + 4;
    assert_eq!(
        change(first + 1, 0x40),
        [
            (ERROR, "grid-triangle-out-of-range"),
            (Severity::Deviation, "grid-list-unsorted"),
            (WARNING, "grid-missing")
        ]
    );
    // Triangle 0 in place of triangle 1, twice.
    assert_eq!(
        change(first + 2, 1),
        [(Severity::Deviation, "grid-list-unsorted"), (WARNING, "grid-missing")]
    );
    // The last triangle of the first cell becomes one that is far away.
    let last = first + 2 * mesh.grid_lists()[0].len() - 2;
    let mut bytes = whole.clone();
    bytes[last..last + 2].copy_from_slice(&(mesh.triangles.len() as u16 - 1).to_le_bytes());
    assert_eq!(codes("x.nvnm", &bytes), [(WARNING, "grid-missing"), (WARNING, "grid-stray")]);
}

#[test]
fn a_divisor_that_does_not_follow_from_the_triangles() {
    // A mesh of a cell less than its grid was made for.
    let mut mesh = Mesh::sheet(12, Place::Interior(9), 5, 5, 3);
    mesh.triangles.truncate(49);
    assert_eq!(mesh.divisor(), 2);
    let bytes = mesh.encode();
    assert!(codes("x.nvnm", &bytes).contains(&(ERROR, "neighbour-out-of-range")));
    let small = Mesh { triangles: mesh.triangles[..1].to_vec(), ..mesh };
    let mut whole = small.encode();
    let grid = whole.len() - 36 - 4 - 2;
    whole[grid] = 0;
    whole.truncate(grid + 36);
    assert!(codes("x.nvnm", &whole).contains(&(WARNING, "grid-divisor")));
}

#[test]
fn hashes_that_the_engine_does_not_write() {
    let mut bytes = sheet(12).encode();
    bytes[4] ^= 1;
    assert_eq!(codes("x.nvnm", &bytes), [(INFO, "type-hash")]);
}

#[test]
fn more_indices_than_the_creation_kit_has() {
    let big = Mesh::sheet(12, Place::Interior(9), 130, 130, 3);
    let found = codes("x.nvnm", &big.encode());
    assert!(found.contains(&(ERROR, "too-many-triangles")), "{found:?}");
}

/// A plugin with one mesh in an interior; `change` may spoil it.
fn one(change: impl FnOnce(&mut Mesh, &mut Vec<u8>)) -> Vec<u8> {
    let mut plugin = Plugin::new(SE.form, SE.hedr, &[SE.master]);
    let own = plugin.own();
    let mut mesh = Mesh::sheet(12, Place::Interior(own), 4, 3, 1);
    mesh.door(2, own + 7);
    let mut entry = mesh.map_entry(own + 1, false);
    change(&mut mesh, &mut entry);
    let door = door_reference(&plugin, own + 7, own + 1, 2);
    plugin.groups.push(plugin.navi(SE.navi, 12, &[entry], &[own + 1]));
    plugin.groups.push(plugin.interior(own, &[door, navm(&plugin, own + 1, &mesh, true)]));
    plugin.encode()
}

#[test]
fn the_info_map_and_the_mesh_disagree() {
    assert_eq!(codes("x.esp", &one(|_, _| ())), []);
    for (at, code) in [(0, "nvmi-missing"), (10, "nvmi-center"), (22, "nvmi-preferred"), (40, "nvmi-doors")] {
        let found = codes("x.esp", &one(|_, entry| entry[at] ^= 0x30));
        assert!(found.contains(&(WARNING, code)), "{code}: {found:?}");
    }
    let found = codes("x.esp", &one(|_, entry| *entry.last_mut().unwrap() ^= 1));
    assert_eq!(found, [(WARNING, "nvmi-owner")]);
    let found =
        codes("x.esp", &one(|mesh, _| mesh.link(0, 0, Link { kind: 0, navmesh: 77, triangle: 1, edge: 0 })));
    assert_eq!(found, [(WARNING, "nvmi-links")]);
    let found = codes("x.esp", &one(|_, entry| entry[4] = 0x20));
    assert_eq!(found, [(WARNING, "nvmi-island")]);
    let found = codes("x.esp", &one(|_, entry| entry.truncate(30)));
    assert_eq!(found, [(ERROR, "damaged-navi"), (WARNING, "nvmi-missing")]);
    // The entry of a mesh that is not there.
    let found = codes("x.esp", &one(|_, entry| entry[1] = 9));
    assert_eq!(found, [(WARNING, "nvmi-missing"), (INFO, "nvmi-without-navmesh")]);
}

#[test]
fn a_mesh_that_says_another_place() {
    let found = codes("x.esp", &one(|mesh, _| mesh.place = Place::Interior(5)));
    assert_eq!(found, [(WARNING, "cell-differs"), (WARNING, "nvmi-owner")]);
    let found = codes("x.esp", &one(|mesh, _| mesh.place = Place::Exterior(5, 1, 1)));
    assert_eq!(found, [(WARNING, "world-differs"), (WARNING, "nvmi-owner")]);
    // In a worldspace, on the wrong square: the cell's own record knows better.
    let mut plugin = Plugin::new(SE.form, SE.hedr, &[SE.master]);
    let own = plugin.own();
    let mesh = Mesh::sheet(12, Place::Exterior(own, 3, 4), 2, 2, 1);
    plugin.groups.push(plugin.navi(SE.navi, 12, &[mesh.map_entry(own + 1, false)], &[own + 1]));
    plugin.groups.push(plugin.worldspace(own, &[(own + 2, 4, 4, vec![navm(&plugin, own + 1, &mesh, true)])]));
    assert_eq!(codes("x.esp", &plugin.encode()), [(WARNING, "grid-square-differs")]);
}

/// As esplugin has it.
#[test]
fn light_plugins_have_other_object_ids_in_each_game() {
    let has = |game: kit::Game, hedr: f32, object: u32| {
        let mut plugin = Plugin::new(game.form, hedr, &[]);
        plugin.flags = if game.form == STARFIELD.form { 0x100 } else { 0x200 };
        let record = plugin::record(b"NAVM", plugin.head(object, DELETED), b"");
        plugin.groups.push(plugin.interior(0x900, &[record]));
        !codes("x.esp", &plugin.encode()).contains(&(ERROR, "light-object-id"))
    };
    for (game, hedr, lowest) in
        [(SE, 1.7, 0x800), (SE, 1.71, 1), (FO4, 0.95, 0x800), (FO4, 1.0, 1), (STARFIELD, 0.96, 1)]
    {
        let known = [1, 0x123, 0x7FF, 0x800, 0xFFF, 0x1000].map(|object| has(game, hedr, object));
        let wanted = [1, 0x123, 0x7FF, 0x800, 0xFFF, 0x1000].map(|id| (lowest..=0xFFF).contains(&id));
        assert_eq!(known, wanted, "{} {hedr}", game.name);
    }
    assert!(!has(FO4, 1.0, 0) && has(SE, 1.71, 0));
}

#[test]
fn records_that_are_odd_by_themselves() {
    let make = |masters: &[&str], form: u32, flags: u32, file_flags: u32, data: &[u8]| {
        let mut plugin = Plugin::new(SE.form, SE.hedr, masters);
        plugin.flags = file_flags;
        let record = plugin::record(b"NAVM", plugin.head(form, flags), data);
        plugin.groups.push(plugin.interior(0x900, &[record]));
        codes("x.esp", &plugin.encode())
    };
    let master: &[&str] = &["Skyrim.esm"];
    assert_eq!(make(master, 0x0000_0A00, DELETED, 0, b""), [(WARNING, "deleted-navmesh")]);
    assert_eq!(make(master, 0x0100_0A00, DELETED, 0, b""), [(INFO, "deleted-navmesh")]);
    assert_eq!(
        make(master, 0x0500_0A00, DELETED, 0, b""),
        [(INFO, "form-id-index"), (INFO, "deleted-navmesh")]
    );
    let with_data = make(master, 0x0100_0A00, DELETED, 0, &field(b"EDID", b"x\0"));
    assert_eq!(with_data, [(INFO, "deleted-navmesh"), (Severity::Deviation, "deleted-with-data")]);
    let light = make(master, 0x0100_1A00, DELETED, 0x200, b"");
    assert_eq!(light, [(ERROR, "light-object-id"), (INFO, "deleted-navmesh")]);
    let mut twice = Plugin::new(SE.form, SE.hedr, &[]);
    let record = plugin::record(b"NAVM", twice.head(0xA00, DELETED), b"");
    twice.groups.push(twice.interior(0x900, &[record.clone(), record]));
    assert!(codes("x.esp", &twice.encode()).contains(&(ERROR, "form-id-twice")));
}

#[test]
fn of_two_records_with_one_form_the_entry_is_of_the_first() {
    let mut twice = Plugin::new(SE.form, SE.hedr, &[SE.master]);
    let own = twice.own();
    let [first, second] = [4, 6].map(|columns| Mesh::sheet(12, Place::Interior(own), columns, 3, 1));
    twice.groups.push(twice.navi(SE.navi, 12, &[first.map_entry(own + 1, false)], &[own + 1]));
    let inside = [&first, &second, &second].map(|mesh| navm(&twice, own + 1, mesh, true));
    twice.groups.push(twice.interior(own, &inside));
    let found = check("x.esp", &twice.encode());
    let told: Vec<_> = found.iter().map(|finding| (finding.severity, finding.code)).collect();
    assert_eq!(told, [(ERROR, "form-id-twice"); 2]);
    assert!(found.iter().all(|finding| finding.message.ends_with("NAVM 0 has the same FormID")), "{found:?}");
}

#[test]
fn a_mesh_of_another_game_and_in_the_wrong_group() {
    let mut plugin = Plugin::new(SE.form, SE.hedr, &[SE.master]);
    let own = plugin.own();
    let mesh = Mesh::sheet(15, Place::Interior(own), 2, 2, 1);
    plugin.groups.push(plugin.navi(0x55, 15, &[mesh.map_entry(own + 1, false)], &[own + 1]));
    let navm = navm(&plugin, own + 1, &mesh, true);
    let children = plugin::group_of(own, 6, &[plugin::group_of(own, 8, &[navm])]);
    plugin.groups.push(plugin::group(*b"CELL", 0, &[children]));
    assert_eq!(
        codes("x.esp", &plugin.encode()),
        [
            (WARNING, "navi-form-id"),
            (WARNING, "navi-version"),
            (WARNING, "navmesh-place"),
            (WARNING, "nvnm-version")
        ]
    );
}

#[test]
fn edge_links_inside_a_plugin() {
    let make = |change: &dyn Fn(&mut Mesh, &mut Mesh, u32)| {
        let mut plugin = Plugin::new(FO4.form, FO4.hedr, &[FO4.master]);
        let own = plugin.own();
        let sheet = |i: u32| Mesh::sheet(15, Place::Interior(own + i), 4, 3, 1);
        let (mut a, mut b) = (sheet(0), sheet(1));
        a.link(6, 1, Link { kind: 0, navmesh: own + 11, triangle: 1, edge: 2 });
        b.link(1, 2, Link { kind: 0, navmesh: own + 10, triangle: 6, edge: 1 });
        change(&mut a, &mut b, own);
        let meshes = [(own + 10, own, &a), (own + 11, own + 1, &b)];
        let entries: Vec<_> = meshes.iter().map(|(form, _, mesh)| mesh.map_entry(*form, false)).collect();
        plugin.groups.push(plugin.navi(FO4.navi, 15, &entries, &[own + 10]));
        for (form, cell, mesh) in meshes {
            plugin.groups.push(plugin.interior(cell, &[navm(&plugin, form, mesh, true)]));
        }
        codes("x.esp", &plugin.encode())
    };
    assert_eq!(make(&|_, _, _| ()), []);
    assert_eq!(make(&|a, _, _| a.links[0].kind = 1), [(WARNING, "edge-link-kind")]);
    assert_eq!(make(&|a, _, _| a.links[0].edge = 0), [(WARNING, "edge-link-edge")]);
    assert_eq!(make(&|a, _, _| a.links[0].triangle = 3), [(WARNING, "edge-link-one-way")]);
    assert_eq!(
        make(&|a, _, own| a.links[0].navmesh = own + 99),
        [(ERROR, "edge-link-dangling"), (WARNING, "edge-link-one-way")]
    );
    assert_eq!(
        make(&|a, _, _| a.links[0].triangle = 300),
        [(ERROR, "edge-link-target-out-of-range"), (WARNING, "edge-link-one-way")]
    );
    assert_eq!(make(&|a, _, _| a.links[0].navmesh = 0x99), [(WARNING, "edge-link-one-way")]);
    // Switched portals need no way back.
    let switched = make(&|a, b, _| {
        (a.links[0].kind, a.links[0].triangle) = (3, 2);
        b.links[0].kind = 3;
        b.links[0].triangle = 7;
    });
    assert_eq!(switched, [(INFO, "edge-link-one-way")]);
}

#[test]
fn doors_that_do_not_point_back() {
    for (navmesh, triangle, expected) in [(1, 2, false), (1, 3, true), (5, 2, true)] {
        let mut plugin = Plugin::new(SE.form, SE.hedr, &[SE.master]);
        let own = plugin.own();
        let mut mesh = Mesh::sheet(12, Place::Interior(own), 4, 3, 1);
        mesh.door(2, own + 7);
        let door = door_reference(&plugin, own + 7, own + navmesh, triangle);
        plugin.groups.push(plugin.navi(SE.navi, 12, &[mesh.map_entry(own + 1, false)], &[own + 1]));
        plugin.groups.push(plugin.interior(own, &[door, navm(&plugin, own + 1, &mesh, true)]));
        let found = codes("x.esp", &plugin.encode());
        assert_eq!(found.contains(&(WARNING, "door-reference")), expected, "{found:?}");
    }
}

#[test]
fn a_door_that_several_triangles_list_points_back_at_one_of_them() {
    // Another mesh lists it too.
    for (navmesh, triangle, expected) in
        [(1, 2, false), (1, 5, false), (2, 3, false), (1, 3, true), (2, 2, true)]
    {
        let mut plugin = Plugin::new(SE.form, SE.hedr, &[SE.master]);
        let own = plugin.own();
        let [mut first, mut second] = [1, 2].map(|seed| Mesh::sheet(12, Place::Interior(own), 4, 3, seed));
        first.door(2, own + 7);
        first.door(5, own + 7);
        second.door(3, own + 7);
        let door = door_reference(&plugin, own + 7, own + navmesh, triangle);
        let meshes = [(1, first), (2, second)].map(|(at, mesh)| navm(&plugin, own + at, &mesh, true));
        plugin.groups.push(plugin.interior(own, &[&[door][..], &meshes].concat()));
        let found = codes("x.esp", &plugin.encode());
        assert_eq!(found.contains(&(WARNING, "door-reference")), expected, "{navmesh} {triangle}: {found:?}");
    }
}

#[test]
fn doors_that_name_a_mesh_which_does_not_list_them() {
    for (flags, expected) in [(0, true), (0x20, false)] {
        let mut plugin = Plugin::new(SE.form, SE.hedr, &[SE.master]);
        let own = plugin.own();
        let mesh = Mesh::sheet(12, Place::Interior(own), 4, 3, 1);
        let mut door = door_reference(&plugin, own + 7, own + 1, 2);
        door[8] |= flags;
        plugin.groups.push(plugin.navi(SE.navi, 12, &[mesh.map_entry(own + 1, false)], &[own + 1]));
        plugin.groups.push(plugin.interior(own, &[door, navm(&plugin, own + 1, &mesh, true)]));
        let found = codes("x.esp", &plugin.encode());
        assert_eq!(found.contains(&(WARNING, "door-unlisted")), expected, "{found:?}");
    }
}

#[test]
fn findings_carry_record_formid_and_byte() {
    let mut bytes = kit::village(SE, 1, (3, 3), false).0.encode();
    let at = bytes.windows(4).position(|w| w == 0xA5E9_A03Cu32.to_le_bytes()).unwrap();
    // The first owner hash in the file is that of NAVI's first entry; the next groups hold the meshes.
    let at = at
        + bytes[at + 4..]
            .windows(8)
            .position(|w| w[..4] == 12u32.to_le_bytes() && w[4..] == 0xA5E9_A03Cu32.to_le_bytes())
            .unwrap()
        + 4;
    bytes[at + 4] ^= 1;
    let found = check("x.esp", &bytes);
    let hash = found.iter().find(|f| f.code == "type-hash").unwrap();
    assert_eq!(hash.at.offset, Some(at as u64 + 4));
    assert_eq!(hash.at.record, Some(("NAVM", 0)));
    let named = "[NAVM:010008F0] in [CELL:01000820] (TestCell): ";
    assert!(hash.message.starts_with(named), "{}", hash.message);
}
