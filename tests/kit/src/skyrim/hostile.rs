//! Plugins that each lie in one way. The row says what can still be read.

use super::mesh::{Mesh, Place};
use super::plugin::{COMPRESSED, Plugin, field, group, group_of, raw_record, record};
use super::zlib::zlib;
use super::{SE, navm};
use crate::Made;
use crate::bytes::Out;

/// A plugin of three interiors with a mesh each; `middle` makes the second navmesh record.
pub fn three(middle: impl Fn(&Plugin, u32, &Mesh) -> Vec<u8>) -> Vec<u8> {
    let mut plugin = Plugin::new(SE.form, SE.hedr, &[SE.master]);
    let own = plugin.own();
    for i in 0..3 {
        let (cell, form) = (own + i, own + 0x10 + i);
        let mesh = Mesh::sheet(12, Place::Interior(cell), 3, 2, u64::from(i));
        let record = if i == 1 { middle(&plugin, form, &mesh) } else { navm(&plugin, form, &mesh, true) };
        plugin.groups.push(plugin.interior(cell, &[record]));
    }
    plugin.encode()
}

fn compressed(plugin: &Plugin, form: u32, claimed: u32, stream: &[u8]) -> Vec<u8> {
    let mut out = Out::new();
    out.u32(claimed).raw(stream);
    raw_record(b"NAVM", plugin.head(form, COMPRESSED), &out.0)
}

fn data(mesh: &Mesh) -> Vec<u8> {
    field(b"NVNM", &mesh.encode())
}

/// The offset of the `n`th group of this type, counted from 0.
fn find_group(bytes: &[u8], kind: i32, n: usize) -> usize {
    let is = |at: &usize| &bytes[*at..at + 4] == b"GRUP" && bytes[at + 12..at + 16] == kind.to_le_bytes();
    (0..bytes.len() - 24).filter(is).nth(n).expect("a group of this type")
}

fn with_size(mut bytes: Vec<u8>, at: usize, size: u32) -> Vec<u8> {
    bytes[at + 4..at + 8].copy_from_slice(&size.to_le_bytes());
    bytes
}

/// All hostile files.
pub fn files() -> Vec<Made> {
    let whole = three(|plugin, form, mesh| navm(plugin, form, mesh, true));
    let deep = {
        let mut plugin = Plugin::new(SE.form, SE.hedr, &[]);
        let bottom = navm(&plugin, 5, &Mesh::sheet(12, Place::Interior(4), 1, 1, 1), false);
        let nest = (0..40).fold(bottom, |inner, _| group_of(4, 6, &[inner]));
        plugin.groups.push(group(*b"CELL", 0, &[nest]));
        plugin.encode()
    };
    let no_counts = |plugin: &Plugin, form: u32, mesh: &Mesh| {
        let mut bytes = mesh.encode();
        // The zero counts of edge links and doors, which an early editor left out.
        let links = 16 + 4 + 12 * mesh.vertices.len() + 4 + 16 * mesh.triangles.len();
        bytes.drain(links..links + 4);
        record(b"NAVM", plugin.head(form, COMPRESSED), &field(b"NVNM", &bytes))
    };
    let bare = |tag: &[u8; 4], header: usize, size: u32| {
        let mut out = Out::new();
        out.raw(tag).u32(size);
        out.0.resize(header, 0);
        out.raw(b"HEDR").u16(12).raw(&[0; 12]);
        out.0
    };
    let block = find_group(&whole, 6, 1);
    let list: Vec<(&str, Vec<u8>, usize, usize, &str)> = vec![
        ("truncated.esp", whole[..whole.len() - 100].to_vec(), 2, 2, "cut inside the last navmesh record"),
        (
            "group-too-large.esp",
            with_size(whole.clone(), block, 1 << 30),
            3,
            3,
            "a cell's group claims a gibibyte",
        ),
        ("group-too-small.esp", with_size(whole.clone(), block, 23), 2, 2, "a cell's group claims 23 bytes"),
        ("group-depth.esp", deep, 0, 0, "groups nested 41 deep"),
        (
            "record-overruns.esp",
            three(|plugin, form, mesh| with_size(navm(plugin, form, mesh, true), 0, 1 << 20)),
            2,
            2,
            "a navmesh record claims more than its group has",
        ),
        (
            "bad-zlib.esp",
            three(|plugin, form, mesh| {
                let mut stream = zlib(&data(mesh));
                let middle = stream.len() / 2;
                stream[middle..middle + 8].fill(0xFF);
                compressed(plugin, form, data(mesh).len() as u32, &stream)
            }),
            3,
            2,
            "a damaged zlib stream",
        ),
        (
            "bad-checksum.esp",
            three(|plugin, form, mesh| {
                let mut stream = zlib(&data(mesh));
                *stream.last_mut().expect("not empty") ^= 1;
                compressed(plugin, form, data(mesh).len() as u32, &stream)
            }),
            3,
            2,
            "a zlib stream whose checksum is wrong",
        ),
        (
            "claims-less.esp",
            three(|plugin, form, mesh| {
                compressed(plugin, form, data(mesh).len() as u32 - 7, &zlib(&data(mesh)))
            }),
            3,
            2,
            "inflates to more than it claims",
        ),
        (
            "claims-more.esp",
            three(|plugin, form, mesh| {
                compressed(plugin, form, data(mesh).len() as u32 + 7, &zlib(&data(mesh)))
            }),
            3,
            2,
            "inflates to less than it claims",
        ),
        (
            "bomb.esp",
            three(|plugin, form, _| compressed(plugin, form, u32::MAX, &zlib(&[0; 4096]))),
            3,
            2,
            "claims to inflate to 4 GiB",
        ),
        (
            "no-size.esp",
            three(|plugin, form, _| raw_record(b"NAVM", plugin.head(form, COMPRESSED), &[1, 0])),
            3,
            2,
            "compressed, and too short for its size",
        ),
        ("missing-counts.esp", three(no_counts), 3, 2, "an NVNM whose zero counts are left out"),
        (
            "version-99.esp",
            three(|plugin, form, mesh| {
                let mut bytes = mesh.encode();
                bytes[0] = 99;
                record(b"NAVM", plugin.head(form, COMPRESSED), &field(b"NVNM", &bytes))
            }),
            3,
            2,
            "an NVNM of no known version",
        ),
        (
            "xxxx-size.esp",
            three(|plugin, form, mesh| {
                let data = [field(b"XXXX", &[1, 0]), data(mesh)].concat();
                record(b"NAVM", plugin.head(form, 0), &data)
            }),
            3,
            2,
            "an XXXX field of two bytes",
        ),
        ("morrowind.esm", bare(b"TES3", 16, 300), 0, 0, "a plugin of Morrowind"),
        ("oblivion.esp", bare(b"TES4", 20, 18), 0, 0, "a plugin of Oblivion: headers of 20 bytes"),
        (
            "no-hedr.esp",
            raw_record(b"TES4", SE_HEAD, &field(b"CNAM", b"x\0")),
            0,
            0,
            "a file header without HEDR",
        ),
    ];
    list.into_iter()
        .map(|(name, bytes, records, meshes, note)| Made {
            path: format!("hostile/{name}"),
            bytes,
            row: vec![
                ("status", "error".to_owned()),
                ("navm_records", records.to_string()),
                ("navmeshes", meshes.to_string()),
                ("note", note.to_owned()),
            ],
        })
        .collect()
}

const SE_HEAD: super::plugin::Head = super::plugin::Head { form: 0, flags: 0, version: SE.form };
