//! Load orders shaped like large real ones, for benches.

use super::mesh::{Mesh, Place};
use super::plugin::{self, COMPRESSED, Plugin, field, raw_record, record, record_of_reference};
use super::{SE, join, zlib};

/// Squares along each side of a mesh: 162 triangles.
const SQUARES: u16 = 9;
const WORLD: u32 = 0x0800;

/// A mesh as a record whose stream resembles that of the games' editors.
fn navm(plugin: &Plugin, form: u32, mesh: &Mesh) -> Vec<u8> {
    let data = field(b"NVNM", &mesh.encode());
    let stored = [&(data.len() as u32).to_le_bytes()[..], &zlib::as_real(&data)].concat();
    raw_record(b"NAVM", plugin.head(form, COMPRESSED), &stored)
}

/// A master with `side` by `side` cells, each with a mesh linked to its neighbours, 64 placed references, and an entry in the
/// info map, and the same number of bytes of other records. Then three plugins, each with a different eighth of the meshes,
/// raised slightly; in the last plugin, every eighth of these lacks the target triangle of a link. Names and bytes. At most 360
/// cells per side, limited by the range of FormIDs: 2.5 GB.
pub fn large(side: u16) -> [(&'static str, Vec<u8>); 4] {
    let side = u32::from(side);
    let cell = |i: u32| 0x1_0000 + i * 0x80;
    let place = |i: u32| (i % side) as i16;
    let mut meshes: Vec<Mesh> = (0..side * side)
        .map(|i| {
            let place = Place::Exterior(WORLD, place(i), (i / side) as i16);
            Mesh::sheet(12, place, SQUARES, SQUARES, u64::from(i))
        })
        .collect();
    let lower = |column: u16, row: u16| 2 * (row * SQUARES + column);
    for i in 0..side * side {
        let here = i as usize;
        if i % side + 1 < side {
            let (left, right) = meshes.split_at_mut(here + 1);
            for row in 0..SQUARES {
                let (from, to) = (lower(SQUARES - 1, row), lower(0, row) + 1);
                join(0, (&mut left[here], cell(i) + 1, from, 1), (&mut right[0], cell(i + 1) + 1, to, 2));
            }
        }
        if i / side + 1 < side {
            let (south, north) = meshes.split_at_mut(here + side as usize);
            for column in 0..SQUARES {
                let (from, to) = (lower(column, SQUARES - 1) + 1, lower(column, 0));
                join(0, (&mut south[here], cell(i) + 1, from, 1), (&mut north[0], cell(i + side) + 1, to, 0));
            }
        }
    }
    let file = |plugin: &mut Plugin, name, chosen: &dyn Fn(u32) -> bool, meshes: &[Mesh], references: u32| {
        let all = || (0_u32..).zip(meshes).filter(|(i, _)| chosen(*i));
        let entries: Vec<_> = all().map(|(i, mesh)| mesh.map_entry(cell(i) + 1, false)).collect();
        let cells: Vec<_> = all()
            .map(|(i, mesh)| {
                let refs = (0..references).map(|r| record_of_reference(plugin, cell(i) + 2 + r));
                let children = refs.chain([navm(plugin, cell(i) + 1, mesh)]).collect();
                (cell(i), place(i), (i / side) as i16, children)
            })
            .collect();
        let world = plugin.worldspace(WORLD, &cells);
        let books = (0..world.len() as u32 / 530)
            .map(|i| record(b"BOOK", plugin.head(plugin.own() + i, 0), &field(b"DESC", &[b'x'; 500])));
        let books = plugin::group(*b"BOOK", 0, &books.collect::<Vec<_>>());
        let navi = plugin.navi(SE.navi, 12, &entries, &[]);
        plugin.groups.extend([navi, books, world]);
        (name, plugin.encode())
    };
    let mut base = Plugin::new(SE.form, SE.hedr, &[]);
    base.flags = 1;
    let base = file(&mut base, "Base.esm", &|_| true, &meshes, 64);
    let mut later = ["A.esp", "B.esp", "C.esp"].into_iter().zip(0..).map(|(name, eighth): (_, u32)| {
        let mut moved = meshes.clone();
        let chosen = move |i: u32| i % 8 == eighth;
        for (i, mesh) in (0_u32..).zip(&mut moved).filter(|(i, _)| chosen(*i)) {
            mesh.vertices.iter_mut().for_each(|vertex| vertex[2] += 0.5);
            if eighth == 2 && i % 64 == 2 {
                mesh.links.iter_mut().take(1).for_each(|link| link.triangle = 900);
            }
        }
        file(&mut Plugin::new(SE.form, SE.hedr, &["Base.esm"]), name, &chosen, &moved, 1)
    });
    let mut next = || later.next().expect("three");
    [base, next(), next(), next()]
}

/// A plugin with mesh 00000921, of its own or of a master, as much higher as that, with or without an entry; or without height one that
/// deletes it.
pub fn of_base(masters: &[&str], raised: Option<f32>, enters: bool) -> Vec<u8> {
    let (cell, form) = (0x0920, 0x0921);
    let mut plugin = Plugin::new(SE.form, SE.hedr, masters);
    let mut mesh = Mesh::sheet(SE.nvnm, Place::Interior(cell), 4, 3, 3);
    mesh.vertices.iter_mut().for_each(|[_, _, z]| *z += raised.unwrap_or_default());
    if enters {
        let entries = [mesh.map_entry(form, false)];
        plugin.groups.push(plugin.navi(SE.navi, SE.nvnm, &entries, &[]));
    }
    let child = match raised {
        Some(_) => super::navm(&plugin, form, &mesh, true),
        None => record(b"NAVM", plugin.head(form, 0x20), &[]),
    };
    plugin.groups.push(plugin.interior(cell, &[child]));
    plugin.encode()
}
