//! Damaged and absurd meshes.

use super::level::{Shape, level};
use super::model::{Area, Mesh};
use super::write::write;
use crate::Made;
use crate::bytes::Out;

/// A file below `hostile/`, and the result expected of a reader.
fn made(name: &str, bytes: Vec<u8>, expect: &str, note: &str) -> Made {
    let row = vec![("expect", expect.to_owned()), ("note", note.to_owned())];
    Made { path: format!("hostile/{name}"), bytes, row }
}

fn one_area(change: impl FnOnce(&mut Area)) -> Mesh {
    let mut mesh = Mesh { version: 16, subversion: Some(0), analyzed: 1, ..Mesh::default() };
    let mut area = Area { id: 1, se: [100.0, 100.0, 0.0], ..Area::default() };
    change(&mut area);
    mesh.areas.push(area);
    mesh
}

/// The header of a stock mesh that claims this many areas.
fn header(areas: u32) -> Out {
    let mut out = Out::new();
    out.u32(0xFEED_FACE).u32(16).u32(0).u32(1000).u8(1).u16(0).u8(0).u32(areas);
    out
}

pub(super) fn files() -> Vec<Made> {
    let whole = write(&level(16, Some(2), &Shape::small(3)));
    let mut files = vec![
        made("empty.nav", Vec::new(), "error", "no bytes at all"),
        made("magic-only.nav", whole[..4].to_vec(), "error", "ends after the magic"),
        made("cut-in-area.nav", whole[..whole.len() / 2].to_vec(), "error", "ends amid an area"),
        made(
            "cut-before-ladders.nav",
            whole[..whole.len() - 125].to_vec(),
            "error",
            "ends before its ladders",
        ),
        made("four-billion-areas.nav", header(u32::MAX).0, "error", "claims 4,294,967,295 areas in 24 bytes"),
        made("lfs-pointer.nav", lfs(), "error", "a Git LFS pointer"),
        made("console.360.nav", console(), "error", "Valve's LZMA envelope"),
        made("zeros.nav", vec![0; 64], "error", "nothing but zeros"),
    ];
    for (name, version, subversion) in
        [("version-0", 0, 0), ("version-17", 17, 0), ("version-29", 29, 0), ("version-37", 37, 0)]
    {
        let mut bytes = whole.clone();
        bytes[4..8].copy_from_slice(&u32::to_le_bytes(version));
        bytes[8..12].copy_from_slice(&u32::to_le_bytes(subversion));
        files.push(made(&format!("{name}.nav"), bytes, "error", "no game writes this version"));
    }
    let mut unknown = whole.clone();
    unknown[8] = 99;
    files.push(made("unknown-subversion.nav", unknown, "error", "sub-version 99, and not a stock mesh"));
    // Lists with false counts: the list begins at the end of a head of 40 bytes after a header of 24.
    for (name, at) in [("lying-connections", 64), ("lying-encounter-paths", 81), ("lying-visible-areas", 119)]
    {
        let mut mesh = write(&one_area(|_| {}));
        mesh[at..at + 4].copy_from_slice(&0x7FFF_FFFF_u32.to_le_bytes());
        files.push(made(&format!("{name}.nav"), mesh, "error", "a count that the file cannot hold"));
    }
    let mut spots = write(&one_area(|_| {}));
    spots[80] = 255;
    files.push(made("lying-hiding-spots.nav", spots, "error", "a count that the file cannot hold"));
    let mut places = write(&level(5, None, &Shape::small(3)));
    places[12..14].copy_from_slice(&u16::MAX.to_le_bytes());
    files.push(made("lying-places.nav", places, "error", "claims 65,535 places"));
    files.extend(odd());
    files
}

/// Readable, with many findings.
fn odd() -> Vec<Made> {
    let nan = one_area(|area| area.ne_z = f32::NAN);
    let inverted = one_area(|area| area.se = [-5.0, 100.0, 0.0]);
    let selfish = one_area(|area| {
        area.connections[0] = vec![1, 2];
        area.visible = vec![(1, 1), (77, 3), (0, 1)];
        area.inherit = 1;
        area.ladders_up = vec![9];
        area.place = 5;
    });
    let mut twins = one_area(|area| area.connections[1] = vec![1]);
    twins.areas.push(twins.areas[0].clone());
    let mut trailing = one_area(|_| {});
    trailing.tail = b"left over".to_vec();
    let mut cycle = one_area(|area| area.inherit = 2);
    cycle.areas.push(Area { id: 2, inherit: 1, ..cycle.areas[0].clone() });
    [
        ("not-a-number.nav", nan, "a corner that is no number"),
        ("inverted.nav", inverted, "an area of negative width"),
        ("dangling.nav", selfish, "ids that lead nowhere, and to itself"),
        ("twins.nav", twins, "two areas of one id"),
        ("trailing.nav", trailing, "bytes after the end of version 16"),
        ("inherits-in-circles.nav", cycle, "two areas that inherit from each other"),
    ]
    .map(|(name, mesh, note)| made(name, write(&mesh), "warning", note))
    .into()
}

fn lfs() -> Vec<u8> {
    let sum = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393";
    format!("version https://git-lfs.github.com/spec/v1\noid sha256:{sum}\nsize 12345\n").into_bytes()
}

fn console() -> Vec<u8> {
    let mut out = Out::new();
    out.raw(b"LZMA").u32(4096).u32(100).raw(&[0x5D, 0, 0, 1, 0]).raw(&[0x1F; 100]);
    out.0
}
