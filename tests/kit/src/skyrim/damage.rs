//! A load order with every repairable damage: a master and three plugins.

use super::mesh::{Link, Mesh, Place};
use super::plugin::{DELETED, Plugin, field, record};
use super::{Game, SE, navm};

/// FormIDs of the master's meshes, local to it.
pub const WEST: u32 = 0x0A00;
/// The mesh east of it.
pub const EAST: u32 = 0x0A01;
/// A mesh inside, which the second plugin deletes.
pub const GONE: u32 = 0x0A10;
/// Its neighbour in the same cell.
pub const STAYS: u32 = 0x0A11;
/// An interior mesh of which the third plugin has an unchanged copy.
pub const SAME: u32 = 0x0A20;
/// Another such mesh, which the fourth plugin restores over the third.
pub const RESTORED: u32 = 0x0A21;

/// The master's cells and worldspace.
const WORLD: u32 = 0x0900;
const SQUARES: [u32; 2] = [0x0901, 0x0902];
const INSIDE: u32 = 0x0913;
const OTHER: u32 = 0x0927;
const MASTER: &str = "Base.esm";

/// A sheet of 6 by 5 squares.
fn sheet(place: Place, seed: u64) -> Mesh {
    Mesh::sheet(12, place, 6, 5, seed)
}

fn join(a: (&mut Mesh, u32, u16, u8), b: (&mut Mesh, u32, u16, u8)) {
    super::join(0, a, b);
}

/// The master's meshes: two squares of a worldspace that meet along five edges, and four inside.
fn sound() -> [Mesh; 6] {
    let square = |x: i16, seed| sheet(Place::Exterior(WORLD, x, 0), seed);
    let (mut west, mut east) = (square(0, 1), square(1, 2));
    // The two meet where they have the same heights.
    for row in 0..=5_usize {
        let z = west.vertices[row * 7 + 6][2];
        east.vertices[row * 7][2] = z;
    }
    for row in 0..5_u16 {
        join((&mut west, WEST, 2 * (row * 6 + 5), 1), (&mut east, EAST, 2 * row * 6 + 1, 2));
    }
    let inside = |cell, seed| sheet(Place::Interior(cell), seed);
    let (mut gone, mut stays) = (inside(INSIDE, 3), inside(INSIDE, 4));
    join((&mut gone, GONE, 10, 1), (&mut stays, STAYS, 1, 2));
    [west, east, gone, stays, inside(OTHER, 5), inside(OTHER, 6)]
}

/// The expectations for a file of the order.
#[derive(Debug, Clone)]
pub struct File {
    /// Its name.
    pub name: &'static str,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

fn file(name: &'static str, mut plugin: Plugin, entries: &[Vec<u8>], groups: Vec<Vec<u8>>) -> File {
    plugin.groups.push(plugin.navi(SE.navi, 12, entries, &[]));
    plugin.groups.extend(groups);
    File { name, bytes: plugin.encode() }
}

/// The sound master.
fn master() -> File {
    let [west, east, gone, stays, same, restored] = sound();
    let mut base = Plugin::new(SE.form, SE.hedr, &[]);
    base.flags = 1;
    let entries: Vec<Vec<u8>> =
        [(WEST, &west), (EAST, &east), (GONE, &gone), (STAYS, &stays), (SAME, &same), (RESTORED, &restored)]
            .map(|(form, mesh)| mesh.map_entry(form, false))
            .to_vec();
    let of = |form: u32, mesh: &Mesh| navm(&base, form, mesh, true);
    let groups = vec![
        base.interior(INSIDE, &[of(GONE, &gone), of(STAYS, &stays)]),
        base.interior(OTHER, &[of(SAME, &same), of(RESTORED, &restored)]),
        base.worldspace(
            WORLD,
            &[(SQUARES[0], 0, 0, vec![of(WEST, &west)]), (SQUARES[1], 1, 0, vec![of(EAST, &east)])],
        ),
    ];
    file(MASTER, base, &entries, groups)
}

/// The order: a sound master; a plugin that deletes a mesh and adds one without an entry; one that breaks links and has an
/// unchanged copy of a mesh; one with broken meshes of its own, which restores a mesh over the third.
pub fn order() -> [File; 4] {
    order_of(true)
}

/// The same order, with its meshes compressed or not.
pub fn order_of(compressed: bool) -> [File; 4] {
    let [west, _, _, _, same, restored] = sound();
    let form = |plugin: &Plugin, own: u32| plugin.own() + own;
    let base = master();

    // Deletes a mesh, and adds one to the same cell without an entry in the map.
    let deleter = Plugin::new(SE.form, SE.hedr, &[MASTER]);
    let new = sheet(Place::Interior(INSIDE), 7);
    let deleted = record(b"NAVM", deleter.head(GONE, DELETED), b"");
    let added = navm(&deleter, form(&deleter, 5), &new, compressed);
    let groups = vec![deleter.interior(INSIDE, &[deleted, added])];
    let deleter = file("Deleter.esp", deleter, &[], groups);

    // Links to missing triangles, to a missing mesh, and to the wrong triangle.
    let linker = Plugin::new(SE.form, SE.hedr, &[MASTER]);
    let mut broken = west.clone();
    broken.links[0].triangle = 900;
    broken.links[1].triangle = 40;
    broken.link(0, 0, Link { kind: 0, navmesh: 0x0A77, triangle: 0, edge: 0 });
    let mut other = restored.clone();
    other.vertices.iter_mut().for_each(|vertex| vertex[2] += 8.0);
    let entries =
        [broken.map_entry(WEST, false), same.map_entry(SAME, false), other.map_entry(RESTORED, false)];
    let of = |form: u32, mesh: &Mesh| navm(&linker, form, mesh, compressed);
    let groups = vec![
        linker.interior(OTHER, &[of(SAME, &same), of(RESTORED, &other)]),
        linker.worldspace(WORLD, &[(SQUARES[0], 0, 0, vec![of(WEST, &broken)])]),
    ];
    let linker = file("Linker.esp", linker, &entries, groups);

    // Meshes of its own: one faces down in places, one has a triangle without area, one lacks its counts.
    let breaker = Plugin::new(SE.form, SE.hedr, &[MASTER]);
    let cell = form(&breaker, 1);
    let mut turned = sheet(Place::Interior(cell), 8);
    for index in [3_usize, 8] {
        let t = &mut turned.triangles[index];
        t.v.swap(1, 2);
        t.e.swap(0, 2);
        t.cover = 0;
    }
    let mut flat = sheet(Place::Interior(cell), 9);
    let last = *flat.triangles.last().expect("triangles");
    let sliver = super::mesh::Triangle { v: [last.v[0], last.v[0], last.v[1]], e: [0xFFFF; 3], ..last };
    flat.triangles.push(super::mesh::Triangle { cover: 0, ..sliver });
    let plain = {
        let mut mesh = sheet(Place::Interior(cell), 10);
        mesh.triangles.iter_mut().for_each(|t| t.cover = 0);
        mesh
    };
    let whole = plain.encode();
    // After the triangles come two zero counts, the count of doors, and another zero count.
    let at = 16 + 4 + 12 * plain.vertices.len() + 4 + 16 * plain.triangles.len();
    let cut = [&whole[..at], &whole[at + 4..at + 8], &whole[at + 12..]].concat();
    let flags = if compressed { super::plugin::COMPRESSED } else { 0 };
    let cut = record(b"NAVM", breaker.head(form(&breaker, 4), flags), &field(b"NVNM", &cut));
    let forms = [form(&breaker, 2), form(&breaker, 3), form(&breaker, 4)];
    let entries: Vec<Vec<u8>> = [&turned, &flat, &plain]
        .iter()
        .zip(forms)
        .map(|(mesh, form)| mesh.map_entry(form, false))
        .chain([restored.map_entry(RESTORED, false)])
        .collect();
    let own =
        [navm(&breaker, forms[0], &turned, compressed), navm(&breaker, forms[1], &flat, compressed), cut];
    let groups = vec![
        breaker.interior(cell, &own),
        breaker.interior(OTHER, &[navm(&breaker, RESTORED, &restored, compressed)]),
    ];
    let breaker = file("Breaker.esp", breaker, &entries, groups);
    [base, deleter, linker, breaker]
}

/// The content of a plugin in the cell of the mesh whose links it breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Neighbour {
    /// Not even the cell.
    Absent,
    /// The cell, without temporary records.
    Empty,
    /// A mesh of its own.
    Held,
}

/// The same mesh with its triangles in the other order.
fn reversed(mesh: &Mesh) -> Mesh {
    let mut other = mesh.clone();
    let last = mesh.triangles.len() as u16 - 1;
    other.triangles.reverse();
    for triangle in &mut other.triangles {
        for edge in 0..3 {
            if triangle.flags >> edge & 1 == 0 && triangle.e[edge] != 0xFFFF {
                triangle.e[edge] = last - triangle.e[edge];
            }
        }
    }
    other
}

/// The sound master, and a plugin that renumbers the triangles of its western mesh, so that the links of the eastern mesh lead to
/// the wrong ones. Its info map has entries for that mesh, for the linked eastern one, and two unrelated ones.
pub fn renumbered(neighbour: Neighbour) -> [File; 2] {
    let [west, east, gone, _, same, _] = sound();
    let plugin = Plugin::new(SE.form, SE.hedr, &[MASTER]);
    let west = reversed(&west);
    let mut entries = vec![
        same.map_entry(SAME, false),
        west.map_entry(WEST, false),
        east.map_entry(EAST, false),
        gone.map_entry(GONE, false),
    ];
    let mut cells = vec![(SQUARES[0], 0, 0, vec![navm(&plugin, WEST, &west, true)])];
    let own = plugin.own() + 5;
    let island = sheet(Place::Exterior(WORLD, 1, 0), 11);
    match neighbour {
        Neighbour::Absent => {}
        Neighbour::Empty => cells.push((SQUARES[1], 1, 0, Vec::new())),
        Neighbour::Held => {
            cells.push((SQUARES[1], 1, 0, vec![navm(&plugin, own, &island, true)]));
            entries.push(island.map_entry(own, true));
        }
    }
    let groups = vec![plugin.worldspace(WORLD, &cells)];
    [master(), file("Renumber.esp", plugin, &entries, groups)]
}

/// A plugin with only the eastern mesh, unchanged.
pub fn eastern(name: &'static str) -> File {
    let [_, east, ..] = sound();
    let plugin = Plugin::new(SE.form, SE.hedr, &[MASTER]);
    let groups =
        vec![plugin.worldspace(WORLD, &[(SQUARES[1], 1, 0, vec![navm(&plugin, EAST, &east, true)])])];
    file(name, plugin, &[east.map_entry(EAST, false)], groups)
}

/// The sound master, a plugin whose western mesh lacks its last triangle, and the one that renumbers its triangles: two
/// irreconcilable versions. With the first of them, all links are intact.
pub fn disputed() -> [File; 3] {
    let [mut west, ..] = sound();
    let last = west.triangles.len() as u16 - 1;
    west.triangles.pop();
    for triangle in &mut west.triangles {
        for edge in 0..3 {
            if triangle.flags >> edge & 1 == 0 && triangle.e[edge] == last {
                triangle.e[edge] = 0xFFFF;
            }
        }
    }
    let plugin = Plugin::new(SE.form, SE.hedr, &[MASTER]);
    let groups =
        vec![plugin.worldspace(WORLD, &[(SQUARES[0], 0, 0, vec![navm(&plugin, WEST, &west, true)])])];
    let cutter = file("Cutter.esp", plugin, &[west.map_entry(WEST, false)], groups);
    let [base, renumber] = renumbered(Neighbour::Absent);
    [base, cutter, renumber]
}

/// A plugin with the mesh that another deletes; one of its triangles is under water.
pub fn kept(name: &'static str) -> File {
    let [_, _, mut gone, ..] = sound();
    gone.triangles[4].flags |= 0x200;
    let plugin = Plugin::new(SE.form, SE.hedr, &[MASTER]);
    let groups = vec![plugin.interior(INSIDE, &[navm(&plugin, GONE, &gone, true)])];
    file(name, plugin, &[gone.map_entry(GONE, false)], groups)
}

/// The NVNM field of the sound western mesh.
pub fn western() -> Vec<u8> {
    let [west, ..] = sound();
    west.encode()
}

/// The sound master, and a plugin whose western mesh is this NVNM field.
pub fn western_as(name: &'static str, payload: &[u8]) -> [File; 2] {
    let [west, ..] = sound();
    let plugin = Plugin::new(SE.form, SE.hedr, &[MASTER]);
    let navm = record(b"NAVM", plugin.head(WEST, super::plugin::COMPRESSED), &field(b"NVNM", payload));
    let groups = vec![plugin.worldspace(WORLD, &[(SQUARES[0], 0, 0, vec![navm])])];
    [master(), file(name, plugin, &[west.map_entry(WEST, false)], groups)]
}

/// The same file, with one more field in the record of its worldspace.
pub fn with_world_field(file: &File, tag: &[u8; 4], data: &[u8]) -> File {
    let name = field(b"EDID", b"TestWorld\0");
    let at = file.bytes.windows(name.len()).position(|bytes| bytes == name).expect("a worldspace");
    let more = field(tag, data);
    let mut bytes = file.bytes.clone();
    // The record begins 24 bytes before its fields, and is the first of the top group.
    for size in [at - 24 + 4, at - 48 + 4] {
        let stored = bytes[size..size + 4].try_into().map(u32::from_le_bytes).expect("four bytes");
        bytes[size..size + 4].copy_from_slice(&(stored + more.len() as u32).to_le_bytes());
    }
    let behind = at + name.len();
    bytes.splice(behind..behind, more);
    File { name: file.name, bytes }
}

/// A plugin without masters with two meshes inside that meet along one edge, but for `gap` units. The first leads to a triangle that
/// the second does not have.
pub fn torn(game: Game, gap: f32) -> File {
    let mut plugin = Plugin::new(game.form, game.hedr, &[]);
    let inside = |cell| {
        let mut mesh = Mesh::sheet(game.nvnm, Place::Interior(cell), 6, 5, 7);
        mesh.vertices.iter_mut().for_each(|vertex| vertex[2] = 0.0);
        mesh
    };
    let (mut west, mut east) = (inside(INSIDE), inside(OTHER));
    east.vertices.iter_mut().for_each(|vertex| vertex[0] += 6.0 * 64.0 + gap);
    west.link(2 * (2 * 6 + 5), 1, Link { kind: 0, navmesh: EAST, triangle: 900, edge: 0 });
    let entries = [west.map_entry(WEST, false), east.map_entry(EAST, false)];
    plugin.groups.push(plugin.navi(game.navi, game.nvnm, &entries, &[WEST]));
    for (form, cell, mesh) in [(WEST, INSIDE, &west), (EAST, OTHER, &east)] {
        plugin.groups.push(plugin.interior(cell, &[navm(&plugin, form, mesh, false)]));
    }
    File { name: "Torn.esp", bytes: plugin.encode() }
}
