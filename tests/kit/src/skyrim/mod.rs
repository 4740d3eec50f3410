//! Generated plugins and NVNM fields: every game, stored and compressed, whole and hostile.

pub mod damage;
pub mod hostile;
pub mod mesh;
pub mod order;
pub mod pathgrid;
pub mod plugin;
pub mod zlib;

use crate::Made;
use mesh::{Link, Mesh, Place};
use plugin::{COMPRESSED, DELETED, Plugin, door_reference, field, raw_record, record, record_of_reference};

/// The differences between games.
#[derive(Debug, Clone, Copy)]
pub struct Game {
    /// Form version of records.
    pub form: u16,
    /// Version in HEDR.
    pub hedr: f32,
    /// NVNM version; 11 for separate fields.
    pub nvnm: u32,
    /// FormID of NAVI.
    pub navi: u32,
    /// The master everybody has.
    pub master: &'static str,
    /// The name printed by `scan`.
    pub name: &'static str,
}

/// Skyrim of 2011.
pub const LE: Game =
    Game { form: 43, hedr: 1.7, nvnm: 12, navi: 0x0001_2FB4, master: "Skyrim.esm", name: "Skyrim" };
/// Skyrim Special Edition.
pub const SE: Game = Game { form: 44, name: "Skyrim Special Edition", ..LE };
/// Fallout 4.
pub const FO4: Game =
    Game { form: 131, hedr: 1.0, nvnm: 15, navi: 0xFF1, master: "Fallout4.esm", name: "Fallout 4" };
/// Starfield.
pub const STARFIELD: Game =
    Game { form: 555, hedr: 0.96, nvnm: 17, navi: 0xFF1, master: "Starfield.esm", name: "Starfield" };
/// Fallout 3.
pub const FO3: Game = Game {
    form: 15,
    hedr: 0.94,
    nvnm: 11,
    navi: 0x14,
    master: "Fallout3.esm",
    name: "Fallout 3 or New Vegas",
};

/// True counts, as in a manifest row.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Navmesh records.
    pub records: usize,
    /// Those with a mesh.
    pub meshes: usize,
    /// Compressed records.
    pub compressed: usize,
    /// Vertices.
    pub vertices: usize,
    /// Triangles.
    pub triangles: usize,
    /// Edge links.
    pub links: usize,
    /// Door triangles.
    pub doors: usize,
    /// Cover triangles, or edges with cover.
    pub cover: usize,
}

impl Totals {
    fn add(&mut self, mesh: &Mesh, compressed: bool) {
        self.records += 1;
        self.meshes += 1;
        self.compressed += usize::from(compressed);
        self.vertices += mesh.vertices.len();
        self.triangles += mesh.triangles.len();
        self.links += mesh.links.len();
        self.doors += mesh.doors.len();
        self.cover += mesh.cover_count();
    }

    /// The row of a manifest.
    pub fn row(&self, game: &str, note: &str) -> Vec<(&'static str, String)> {
        let numbers = [
            ("navm_records", self.records),
            ("navmeshes", self.meshes),
            ("vertices", self.vertices),
            ("triangles", self.triangles),
            ("edge_links", self.links),
            ("door_triangles", self.doors),
            ("cover_triangles", self.cover),
            ("compressed_records", self.compressed),
        ];
        let mut row = vec![("game", game.to_owned()), ("status", "ok".to_owned())];
        row.extend(numbers.map(|(name, number)| (name, number.to_string())));
        row.push(("note", note.to_owned()));
        row
    }
}

/// The navmesh record of a mesh.
pub fn navm(plugin: &Plugin, form: u32, mesh: &Mesh, compressed: bool) -> Vec<u8> {
    let mut data = Vec::new();
    if mesh.version == 11 {
        let Place::Interior(cell) = mesh.place else { panic!("separate fields name a cell") };
        mesh.encode_separate(cell).iter().for_each(|(tag, bytes)| data.extend(field(tag, bytes)));
    } else {
        data.extend(field(b"NVNM", &mesh.encode()));
        if mesh.version > 12 {
            data.extend(field(b"MNAM", b""));
        }
    }
    record(b"NAVM", plugin.head(form, if compressed { COMPRESSED } else { 0 }), &data)
}

/// Links two meshes both ways: kind, then mesh, triangle and edge of both sides.
fn join(kind: u32, a: (&mut Mesh, u32, u16, u8), b: (&mut Mesh, u32, u16, u8)) {
    let back = match kind {
        1 => 2,
        2 => 1,
        other => other,
    };
    let preferred = |mesh: &Mesh, triangle: u16| mesh.triangles[usize::from(triangle)].flags & 0x40 != 0;
    if preferred(a.0, a.2) && preferred(b.0, b.2) {
        a.0.preferred.push(b.1);
        b.0.preferred.push(a.1);
    }
    a.0.link(a.2, a.3, Link { kind, navmesh: b.1, triangle: b.2, edge: b.3 });
    b.0.link(b.2, b.3, Link { kind: back, navmesh: a.1, triangle: a.2, edge: a.3 });
}

/// A worldspace of `side` by `side` cells with linked sheets of `columns` by `rows` squares, an interior with a door, a changed
/// mesh of the master and a deleted one, and a consistent info map.
pub fn village(game: Game, side: u16, (columns, rows): (u16, u16), compressed: bool) -> (Plugin, Totals) {
    let mut plugin = Plugin::new(game.form, game.hedr, &[game.master]);
    let own = plugin.own();
    let world = own + 1;
    let form = |x: u16, y: u16| own + 0x100 + u32::from(y * side + x);
    let place = |x: u16, y: u16| Place::Exterior(world, 2 + x as i16, y as i16 - 1);
    let mut meshes: Vec<Mesh> = (0..side * side)
        .map(|i| Mesh::sheet(game.nvnm, place(i % side, i / side), columns, rows, u64::from(i) + 1))
        .collect();
    let (lower, upper) = (|c: u16, r: u16| 2 * (r * columns + c), |c: u16, r: u16| 2 * (r * columns + c) + 1);
    for y in 0..side {
        for x in 0..side {
            let here = usize::from(y * side + x);
            if x + 1 < side {
                let (left, right) = meshes.split_at_mut(here + 1);
                let (a, b) = (&mut left[here], &mut right[0]);
                for r in 0..rows {
                    join(0, (a, form(x, y), lower(columns - 1, r), 1), (b, form(x + 1, y), upper(0, r), 2));
                }
            }
            if y + 1 < side {
                let (south, north) = meshes.split_at_mut(here + usize::from(side));
                let (a, b) = (&mut south[here], &mut north[0]);
                for c in (0..columns).step_by(2) {
                    let kind = u32::from(c == 0);
                    join(kind, (a, form(x, y), upper(c, rows - 1), 1), (b, form(x, y + 1), lower(c, 0), 0));
                }
            }
        }
    }
    let (house, house_cell, gate) = (own + 0xF0, own + 0x20, own + 0xE0);
    let mut interior = Mesh::sheet(game.nvnm, Place::Interior(house_cell), 7, 5, 99);
    interior.door(3, gate);
    meshes[0].door(1, gate + 1);
    let changed = 0x000C_8A6F;
    let mut of_master = Mesh::sheet(game.nvnm, Place::Interior(0x0001_A26F), 2, 2, 98);
    of_master.link(0, 0, Link { kind: 0, navmesh: 0x000C_8A70, triangle: 17, edge: 1 });

    let mut totals = Totals::default();
    let mut entries = Vec::new();
    let mut cells = Vec::new();
    for (i, mesh) in (0u16..).zip(&meshes) {
        let Place::Exterior(_, x, y) = mesh.place else { unreachable!() };
        totals.add(mesh, compressed);
        let form = form(i % side, i / side);
        entries.push(mesh.map_entry(form, i == 0));
        let mut children = vec![record_of_reference(&plugin, own + 0x300 + u32::from(i))];
        if i == 0 {
            children.push(door_reference(&plugin, gate + 1, form, 1));
        }
        children.push(navm(&plugin, form, mesh, compressed));
        cells.push((own + 0x400 + u32::from(i), x, y, children));
    }
    for (form, mesh) in [(house, &interior), (changed, &of_master)] {
        totals.add(mesh, compressed);
        entries.push(mesh.map_entry(form, false));
    }
    totals.records += 1;
    let gone = record(b"NAVM", plugin.head(0x000D_1234, DELETED), b"");
    let inside = [door_reference(&plugin, gate, house, 3), navm(&plugin, house, &interior, compressed)];
    // A group without navmeshes, to be skipped: read as a mesh, its content would be garbage.
    plugin.groups.push(plugin::group(
        *b"WEAP",
        0,
        &[raw_record(b"WEAP", plugin.head(own + 9, 0), &[0xFF; 64])],
    ));
    plugin.groups.push(plugin.navi(game.navi, game.nvnm, &entries, &[house, changed]));
    plugin.groups.push(plugin.interior(house_cell, &inside));
    plugin.groups.push(plugin.interior(0x0001_A26F, &[navm(&plugin, changed, &of_master, compressed), gone]));
    plugin.groups.push(plugin.worldspace(world, &cells));
    (plugin, totals)
}

/// Base objects of Fallout 4: a static with a mesh, one without, a piece of furniture whose mesh is compressed, an activator
/// with an empty field, a deleted door. The counts are those of the two meshes; `encode` makes the field of the
/// static.
pub fn objects(encode: impl Fn(Mesh) -> Vec<u8>) -> (Plugin, Totals) {
    let mut plugin = Plugin::new(FO4.form, FO4.hedr, &[FO4.master]);
    let own = plugin.own();
    let mut totals = Totals::default();
    let mut piece = |columns, rows, seed| {
        let mesh = Mesh::sheet(FO4.nvnm, Place::Interior(0), columns, rows, seed);
        totals.add(&mesh, false);
        mesh
    };
    let (booth, couch) = (encode(piece(3, 2, 11)), piece(2, 2, 12).encode());
    let name = |name: &[u8]| field(b"EDID", name);
    let object = |tag: &[u8; 4], form: u32, flags: u32, fields: &[Vec<u8>]| {
        record(tag, plugin.head(own + form, flags), &fields.concat())
    };
    let statics = [
        object(b"STAT", 0x10, 0, &[name(b"DinerBooth01\0"), field(b"NVNM", &booth)]),
        object(b"STAT", 0x11, 0, &[name(b"Rubble\0"), field(b"MODL", b"rubble.nif\0")]),
    ];
    let couch = object(b"FURN", 0x12, COMPRESSED, &[name(b"Couch\0"), field(b"NVNM", &couch)]);
    let lever = object(b"ACTI", 0x13, 0, &[name(b"Lever\0"), field(b"NVNM", b"")]);
    let gone = object(b"DOOR", 0x14, DELETED, &[]);
    for (label, children) in
        [(*b"ACTI", &[lever][..]), (*b"DOOR", &[gone]), (*b"FURN", &[couch]), (*b"STAT", &statics)]
    {
        plugin.groups.push(plugin::group(label, 0, children));
    }
    totals.records = 0;
    (plugin, totals)
}

/// A mesh of Fallout 3: separate fields in an interior, no info map.
fn vault() -> (Plugin, Totals) {
    let mut plugin = Plugin::new(FO3.form, FO3.hedr, &[FO3.master]);
    let own = plugin.own();
    let mut mesh = Mesh::sheet(11, Place::Interior(own + 0x20), 6, 4, 5);
    mesh.door(2, own + 0xE0);
    mesh.link(0, 0, Link { kind: 0, navmesh: 0x0000_1234, triangle: 3, edge: 0 });
    let mut totals = Totals::default();
    totals.add(&mesh, true);
    let door = door_reference(&plugin, own + 0xE0, own + 0xF0, 2);
    plugin.groups.push(plugin.interior(own + 0x20, &[door, navm(&plugin, own + 0xF0, &mesh, true)]));
    (plugin, totals)
}

/// Three plugins: a master with two linked meshes, and two that change one of them.
pub fn load_order() -> [(&'static str, Vec<u8>, Totals); 3] {
    let mut base = Plugin::new(SE.form, SE.hedr, &[]);
    base.flags = 1;
    let (a, b, cell) = (0x0000_0A00, 0x0000_0A01, 0x0000_0900);
    let sheet = |cell: u32, seed| Mesh::sheet(12, Place::Interior(cell), 4, 3, seed);
    let (mut first, mut second) = (sheet(cell, 1), sheet(cell + 1, 2));
    join(0, (&mut first, a, 6, 1), (&mut second, b, 1, 2));
    let file = |plugin: &mut Plugin, meshes: &[(u32, u32, &Mesh)]| {
        let mut totals = Totals::default();
        let entries: Vec<_> = meshes.iter().map(|(form, _, mesh)| mesh.map_entry(*form, false)).collect();
        plugin.groups.push(plugin.navi(SE.navi, 12, &entries, &[meshes[0].0]));
        for (form, cell, mesh) in meshes {
            totals.add(mesh, true);
            plugin.groups.push(plugin.interior(*cell, &[navm(plugin, *form, mesh, true)]));
        }
        (plugin.encode(), totals)
    };
    let (base, base_totals) = file(&mut base, &[(a, cell, &first), (b, cell + 1, &second)]);

    // The first patch adds its own mesh and links the master's to it.
    let mut patch = Plugin::new(SE.form, SE.hedr, &["Base.esm"]);
    let new = patch.own() + 5;
    let (mut changed, mut added) = (first.clone(), sheet(patch.own() + 4, 3));
    join(1, (&mut changed, a, 0, 0), (&mut added, new, 17, 1));
    let (patch, patch_totals) = file(&mut patch, &[(a, cell, &changed), (new, 0x0100_0804, &added)]);

    // The second does not know the first: it wins, and the link back is lost. It also links to a mesh that the master lacks, and
    // to a triangle that its mesh lacks.
    let mut rival = Plugin::new(SE.form, SE.hedr, &["base.ESM"]);
    let mut other = first.clone();
    other.link(2, 0, Link { kind: 0, navmesh: 0x0000_0A77, triangle: 0, edge: 0 });
    other.link(4, 0, Link { kind: 0, navmesh: b, triangle: 900, edge: 0 });
    let (rival, rival_totals) = file(&mut rival, &[(a, cell, &other)]);
    [("Base.esm", base, base_totals), ("Patch.esp", patch, patch_totals), ("Rival.esp", rival, rival_totals)]
}

/// Groups as some tools write them: blocks of type 0 and label 0, with fields unknown to a reader.
fn odd_groups() -> (Plugin, Totals) {
    let mut plugin = Plugin::new(SE.form, SE.hedr, &[SE.master]);
    let own = plugin.own();
    let mesh = Mesh::sheet(12, Place::Interior(own + 1), 3, 2, 8);
    let mut totals = Totals::default();
    totals.add(&mesh, false);
    let data =
        [field(b"EDID", b"odd\0"), field(b"NVNM", &mesh.encode()), field(b"ONAM", &[1, 0, 0, 0])].concat();
    let navm = record(b"NAVM", plugin.head(own + 2, 0), &data);
    let cell = record(b"CELL", plugin.head(own + 1, 0), &field(b"DATA", &[1, 0]));
    let children = plugin::group_of(own + 1, 6, &[plugin::group_of(own + 1, 9, &[navm])]);
    let block = plugin::group([0; 4], 0, &[plugin::group([0; 4], 0, &[cell, children])]);
    plugin.groups.push(plugin::group(*b"CELL", 0, &[block]));
    plugin.groups.push(plugin.navi(SE.navi, 12, &[mesh.map_entry(own + 2, false)], &[own + 2]));
    (plugin, totals)
}

/// One mesh too large for a field's own size, stored or compressed.
pub fn large(compressed: bool) -> (Plugin, Totals) {
    let mut plugin = Plugin::new(SE.form, SE.hedr, &[SE.master]);
    let own = plugin.own();
    let mesh = Mesh::sheet(12, Place::Interior(own + 1), 40, 36, 4);
    let mut totals = Totals::default();
    totals.add(&mesh, compressed);
    plugin.groups.push(plugin.interior(own + 1, &[navm(&plugin, own + 2, &mesh, compressed)]));
    plugin.groups.push(plugin.navi(SE.navi, 12, &[mesh.map_entry(own + 2, false)], &[own + 2]));
    (plugin, totals)
}

/// A plugin shaped like a large real one, for benches: `side` by `side` cells, each with a mesh of about 180 triangles and 64
/// placed references, compressed like real ones, and the same number of bytes of other records.
pub fn realistic(side: u16) -> (Vec<u8>, Totals) {
    let mut plugin = Plugin::new(SE.form, SE.hedr, &[SE.master]);
    let own = plugin.own();
    let world = own + 1;
    let (mut cells, mut totals) = (Vec::new(), Totals::default());
    for i in 0..side * side {
        let (x, y) = (i % side, i / side);
        let cell = own + 0x1_0000 + u32::from(i) * 0x80;
        let size = 5 + i % 9;
        let mesh = Mesh::sheet(12, Place::Exterior(world, x as i16, y as i16), size, size, u64::from(i));
        totals.add(&mesh, true);
        let data = field(b"NVNM", &mesh.encode());
        let stored = [&(data.len() as u32).to_le_bytes()[..], &zlib::as_real(&data)].concat();
        let mut children: Vec<_> = (0..64).map(|r| record_of_reference(&plugin, cell + 2 + r)).collect();
        children.push(raw_record(b"NAVM", plugin.head(cell + 1, COMPRESSED), &stored));
        cells.push((cell, x as i16, y as i16, children));
    }
    let world = plugin.worldspace(world, &cells);
    let text = vec![b'x'; 500];
    let books: Vec<_> = (0..world.len() / 530)
        .map(|i| record(b"BOOK", plugin.head(own + i as u32, 0), &field(b"DESC", &text)))
        .collect();
    plugin.groups.push(plugin::group(*b"BOOK", 0, &books));
    plugin.groups.push(world);
    (plugin.encode(), totals)
}

/// All generated files of the family.
pub fn files() -> Vec<Made> {
    let mut files = Vec::new();
    let mut plugin = |path: &str, (plugin, totals): (Plugin, Totals), game: Game, note: &str| {
        let row = totals.row(game.name, note);
        files.push(Made { path: path.to_owned(), bytes: plugin.encode(), row });
    };
    let note = "four linked cells, an interior with a door, a master's mesh changed, another deleted";
    plugin("le/village.esp", village(LE, 2, (6, 5), true), LE, note);
    plugin("se/village.esp", village(SE, 2, (6, 5), true), SE, note);
    plugin("se/stored.esp", village(SE, 2, (6, 5), false), SE, "the same, every mesh stored uncompressed");
    plugin("fo4/village.esp", village(FO4, 2, (6, 5), true), FO4, note);
    plugin("starfield/village.esm", village(STARFIELD, 2, (6, 5), true), STARFIELD, note);
    plugin("fo3/vault.esp", vault(), FO3, "separate fields (NVVX, NVTR …), experimental");
    plugin(
        "se/large-compressed.esp",
        large(true),
        SE,
        "a mesh of more than 65,535 bytes, XXXX inside inflated data",
    );
    plugin("se/large-stored.esp", large(false), SE, "a mesh of more than 65,535 bytes, XXXX in the file");
    plugin("odd/groups.esp", odd_groups(), SE, "blocks of type 0 and label 0, fields a reader does not know");
    let (mut light, totals) = village(SE, 1, (3, 3), true);
    (light.flags, light.hedr) = (0x200, 1.71);
    plugin("se/light.esp", (light, totals), SE, "light flag, HEDR 1.71");
    for (name, bytes, totals) in load_order() {
        let row = totals.row(SE.name, "load order: a master and two plugins that change one of its meshes");
        files.push(Made { path: format!("order/{name}"), bytes, row });
    }
    for (version, game) in [(12, "Skyrim"), (15, "Fallout 4"), (17, "Starfield")] {
        let mut mesh = Mesh::sheet(version, Place::Exterior(0x3C, -3, 7), 5, 4, 77);
        mesh.link(0, 0, Link { kind: 2, navmesh: 0x0012_3456, triangle: 9, edge: 2 });
        mesh.door(2, 0x0065_4321);
        let mut totals = Totals::default();
        totals.add(&mesh, false);
        totals.records = 0;
        let row = totals.row(game, "raw NVNM field");
        files.push(Made { path: format!("nvnm/v{version}.nvnm"), bytes: mesh.encode(), row });
    }
    files.extend(hostile::files());
    files
}
