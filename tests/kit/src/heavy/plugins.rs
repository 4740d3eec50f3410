//! Plugins.

use super::fill;
use crate::bytes::Rng;
use crate::skyrim::SE;
use crate::skyrim::mesh::{Link, Mesh, Place, Triangle};
use crate::skyrim::pathgrid::{Grid, header4, interior4, raw_record4};
use crate::skyrim::plugin::{COMPRESSED, Plugin, field, group, group_of, raw_record, record};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::Write;

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut out = ZlibEncoder::new(Vec::new(), Compression::best());
    out.write_all(bytes).expect("memory");
    out.finish().expect("memory")
}

fn packed(plugin: &Plugin, tag: &[u8; 4], form: u32, data: &[u8]) -> Vec<u8> {
    raw_record(
        tag,
        plugin.head(form, COMPRESSED),
        &[&(data.len() as u32).to_le_bytes()[..], &zlib(data)].concat(),
    )
}

/// A mesh of triangles that are all one.
fn flat(place: Place, triangles: u16) -> Mesh {
    let one = Triangle { v: [0, 1, 2], e: [0xFFFF; 3], flags: 0, cover: 0 };
    let mut mesh = Mesh::sheet(12, place, 1, 1, 1);
    mesh.vertices = vec![[0.0; 3]; 3];
    mesh.triangles = vec![one; usize::from(triangles)];
    mesh
}

/// A mesh of these triangles over three corners. Its grid has no lists.
fn without_lists(place: Place, corners: [[f32; 3]; 3], triangles: &[Triangle]) -> Vec<u8> {
    let mesh = Mesh { vertices: corners.to_vec(), ..flat(place, 0) };
    // All before the number of triangles.
    let mut bytes = mesh.encode()[..56].to_vec();
    bytes.extend((triangles.len() as u32).to_le_bytes());
    for of in triangles {
        let words = of.v.iter().chain(&of.e).chain([&of.flags, &of.cover]);
        bytes.extend(words.flat_map(|word| word.to_le_bytes()));
    }
    // No links, doors, cover; a grid of one cell, its size, its box, its list.
    bytes.extend([0; 12]);
    bytes.extend([1, 0, 0, 0]);
    bytes.extend([0; 8 + 24 + 4]);
    field(b"NVNM", &bytes)
}

/// A mesh of triangles that all lie in one place, each with three neighbours.
fn in_one_place(count: u16) -> Vec<u8> {
    let triangle = |at: u16| {
        let e = [1, 2, count - 1].map(|step| (at + step) % count);
        Triangle { v: [0, 1, 2], e, flags: 0x0800, cover: 0 }
    };
    let triangles: Vec<Triangle> = (0..count).map(triangle).collect();
    let corners = [[0.0; 3], [64.0, 0.0, 0.0], [0.0, 64.0, 0.0]];
    without_lists(Place::Interior(0x900), corners, &triangles)
}

/// A plugin of as many triangles as stay below a megabyte, all in one place.
pub fn one_place() -> Vec<u8> {
    let data = in_one_place(32_000);
    records(2, |plugin, form| record(b"NAVM", plugin.head(form, 0), &data))
}

/// The same compressed, with as many stored bytes for each triangle: what the triangles take less is noise.
pub fn compressed(stored_for_triangle: usize) -> Vec<u8> {
    let count = 16_000;
    let mesh = in_one_place(count);
    let more = (stored_for_triangle * usize::from(count)).saturating_sub(zlib(&mesh).len());
    let data = [mesh, field(b"ZZZZ", &noise(more))].concat();
    fill(|n| records(n, |plugin, form| packed(plugin, b"NAVM", form, &data)), 40)
}

fn noise(bytes: usize) -> Vec<u8> {
    let mut rng = Rng(7);
    (0..bytes.div_ceil(8)).flat_map(|_| rng.u64().to_le_bytes()).collect()
}

/// A plugin of sheets beside each other, of a little less than a megabyte.
pub fn sheets() -> Vec<u8> {
    plugin(|plugin| {
        let cell = |x: i16| {
            let mesh = Mesh::sheet(12, Place::Exterior(0x801, x, 0), 56, 56, x as u64);
            let form = 0x1000 + x as u32;
            (
                0x900 + x as u32,
                x,
                0,
                vec![record(b"NAVM", plugin.head(form, 0), &field(b"NVNM", &mesh.encode()))],
            )
        };
        let cells: Vec<_> = (0..5).map(cell).collect();
        let world = plugin.worldspace(0x801, &cells);
        plugin.groups.push(world);
    })
}

/// What a mesh inflates to when a record of it may still be inflated: corners that no triangle has, and noise.
fn as_much_as_may_be(place: Place) -> Vec<u8> {
    let mesh = Mesh { vertices: vec![[0.0; 3]; 1_500], ..flat(place, 1) };
    let data = [field(b"NVNM", &mesh.encode()), field(b"ZZZZ", &noise(1_700))].concat();
    assert!(data.len() < 1_024 + 12 * zlib(&data).len(), "{}", data.len());
    data
}

/// What a mesh of triangles at one point inflates to, up to a hundred times what is stored: its grid has no lists, which would
/// not compress as well.
fn hundredfold(place: Place) -> Vec<u8> {
    let (head, triangle) = (60, 16);
    let one = flat(place, 1).encode();
    let mesh = |triangles: usize| {
        let mut bytes = one[..head + triangle].to_vec();
        bytes[head - 4..head].copy_from_slice(&(triangles as u32).to_le_bytes());
        bytes.extend(one[head..head + triangle].repeat(triangles - 1));
        // No links, doors, cover; a grid of one cell, its size, its box, its list.
        bytes.extend([0; 12]);
        bytes.extend([1, 0, 0, 0]);
        bytes.extend([0; 8 + 24 + 4]);
        field(b"NVNM", &bytes)
    };
    let fits = |triangles: usize| mesh(triangles).len() <= 8192 + 100 * zlib(&mesh(triangles)).len();
    mesh((1..100).map(|step| step * 20).take_while(|triangles| fits(*triangles)).last().unwrap_or(20))
}

fn plugin(fill: impl FnOnce(&mut Plugin)) -> Vec<u8> {
    let mut plugin = Plugin::new(SE.form, SE.hedr, &[]);
    fill(&mut plugin);
    plugin.encode()
}

/// Records in one cell.
fn records(count: u32, record: impl Fn(&Plugin, u32) -> Vec<u8>) -> Vec<u8> {
    plugin(|plugin| {
        let all: Vec<_> = (0..count).map(|n| record(plugin, 0x1000 + n)).collect();
        let cell = plugin.interior(0x900, &all);
        plugin.groups.push(cell);
    })
}

/// What one record inflates to that holds no mesh: zeros, and what keeps them within a hundred times their stored bytes.
fn zeros(first: &[Vec<u8>], megabytes: usize) -> Vec<u8> {
    let zeros = vec![0; megabytes << 20];
    [first.concat(), field(b"ZZZZ", &zeros), field(b"ZZZZ", &noise(megabytes * 9_600))].concat()
}

/// Compressed grids of Oblivion, all points of which lie at the origin.
fn grids(count: u32) -> Vec<u8> {
    let data = Grid { points: vec![[0; 3]; 500], ..Grid::default() }.oblivion();
    let stored = [&(data.len() as u32).to_le_bytes()[..], &zlib(&data)].concat();
    let record = |number: u32| raw_record4(b"PGRD", 0x1000 + number, COMPRESSED, &stored);
    [header4(), interior4(0x900, "Deep", &(0..count).map(record).collect::<Vec<_>>())].concat()
}

/// Records that are inflated though they hold no mesh: the map, and a cell that each of its meshes asks for its name.
fn add_others(add: &mut super::Add<'_>) {
    add("inflated-map.esp", &|| {
        plugin(|plugin| {
            let map = packed(plugin, b"NAVI", 0x901, &zeros(&[field(b"NVER", &12_u32.to_le_bytes())], 60));
            plugin.groups.push(group(*b"NAVI", 0, &[map]));
        })
    });
    let cell = zeros(&[field(b"EDID", b"Deep\0"), field(b"DATA", &[1, 0])], 6);
    let mesh = field(b"NVNM", &flat(Place::Interior(0x900), 1).encode());
    add("inflated-cell.esp", &|| {
        fill(
            |n| {
                plugin(|plugin| {
                    let all: Vec<_> =
                        (0..n).map(|n| record(b"NAVM", plugin.head(0x1000 + n, 0), &mesh)).collect();
                    let children = group_of(0x900, 6, &[group_of(0x900, 9, &all)]);
                    let sub = group([0; 4], 3, &[packed(plugin, b"CELL", 0x900, &cell), children]);
                    plugin.groups.push(group(*b"CELL", 0, &[group([0; 4], 2, &[sub])]));
                })
            },
            u32::MAX,
        )
    });
    add("inflated-grids.esp", &|| fill(grids, u32::MAX));
}

pub(super) fn add(add: &mut super::Add<'_>) {
    add_others(add);
    let inside = Place::Interior(0x900);
    let data = as_much_as_may_be(inside);
    add("inflated-meshes.esp", &|| {
        fill(|n| records(n, |plugin, form| packed(plugin, b"NAVM", form, &data)), u32::MAX)
    });
    let most = hundredfold(inside);
    add("hundredfold.esp", &|| {
        fill(|n| records(n, |plugin, form| packed(plugin, b"NAVM", form, &most)), u32::MAX)
    });
    let outside = as_much_as_may_be(Place::Exterior(0x801, 3, 4));
    add("inflated-world.esp", &|| {
        fill(
            |n| {
                plugin(|plugin| {
                    let all = (0..n).map(|n| packed(plugin, b"NAVM", 0x1000 + n, &outside)).collect();
                    let world = plugin.worldspace(0x801, &[(0x900, 3, 4, all)]);
                    plugin.groups.push(world);
                })
            },
            u32::MAX,
        )
    });
    let twelve = field(b"EDID", &[b'a'; 12_000]);
    add("inflated-others.esp", &|| {
        fill(|n| records(n, |plugin, form| packed(plugin, b"REFR", form, &twelve)), u32::MAX)
    });
    add("tiny-records.esp", &|| {
        fill(|n| records(n, |plugin, form| record(b"NAVM", plugin.head(form, 0), &[])), u32::MAX)
    });
    add("tiny-meshes.esp", &|| {
        fill(
            |n| {
                records(n, |plugin, form| {
                    record(b"NAVM", plugin.head(form, 0), &field(b"NVNM", &flat(inside, 1).encode()))
                })
            },
            u32::MAX,
        )
    });
    add("one-form.esp", &|| {
        fill(
            |n| {
                records(n, |plugin, _| {
                    record(b"NAVM", plugin.head(0x1000, 0), &field(b"NVNM", &flat(inside, 1).encode()))
                })
            },
            u32::MAX,
        )
    });
    add("linked-to-one.esp", &|| {
        fill(
            |n| {
                records(n, |plugin, form| {
                    let mut mesh = flat(inside, 1);
                    let to = Link { kind: 0, navmesh: 0x1000, triangle: 0, edge: 0 };
                    (0..3).for_each(|edge| mesh.link(0, edge, to));
                    record(b"NAVM", plugin.head(form, 0), &field(b"NVNM", &mesh.encode()))
                })
            },
            u32::MAX,
        )
    });
    add("one-mesh.esp", &|| {
        records(1, |plugin, form| {
            record(b"NAVM", plugin.head(form, 0), &field(b"NVNM", &flat(inside, 32_000).encode()))
        })
    });
    add("one-place.esp", &one_place);
    add("compressed.esp", &|| compressed(9));
    add("repeated.esp", &|| compressed(6));
    add("sheets.esp", &sheets);
    add("grid-cells.esp", &|| {
        fill(
            |n| {
                plugin(|plugin| {
                    let cells: Vec<_> =
                        (0..n).map(|n| (0x1000 + n, n as i16, (n >> 3) as i16, Vec::new())).collect();
                    let world = plugin.worldspace(0x801, &cells);
                    plugin.groups.push(world);
                })
            },
            u32::MAX,
        )
    });
    add("tiny-groups.esp", &|| {
        fill(
            |n| {
                plugin(|plugin| {
                    plugin.groups.push(group(*b"CELL", 0, &vec![group([0; 4], 2, &[]); n as usize]))
                })
            },
            u32::MAX,
        )
    });
    add("nested-groups.esp", &|| {
        plugin(|plugin| {
            let nest = (0..30_000).fold(Vec::new(), |inner, _| {
                let mut out = group_of(4, 6, &[]);
                let size = (24 + inner.len() as u32).to_le_bytes();
                out[4..8].copy_from_slice(&size);
                out.extend(inner);
                out
            });
            plugin.groups.push(group(*b"CELL", 0, &[nest]));
        })
    });
    let entries = |n: u32| {
        plugin(|plugin| {
            let entries: Vec<_> = (0..n).map(|n| flat(inside, 1).map_entry(0x1000 + n, false)).collect();
            let map = plugin.navi(SE.navi, 12, &entries, &[]);
            plugin.groups.push(map);
        })
    };
    add("map-entries.esp", &|| fill(entries, u32::MAX));
    add("masters.esp", &|| {
        fill(|n| Plugin::new(SE.form, SE.hedr, &vec!["a.esm"; n as usize]).encode(), u32::MAX)
    });
}
