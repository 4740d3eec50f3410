//! Hostile archives, built from code: each is small, and claims to hold more than any machine does.

use crate::archive::{self as make, Zipped, tar_header};
use crate::bytes::Out;
use flate2::{Compression, write::GzEncoder};
use std::io::Write;
use std::sync::OnceLock;

/// bzip2's output for no bytes, and for the letter `a`.
const BZIP2_EMPTY: &str = "425a683917724538509000000000";
const BZIP2_A: &str = "425a683931415926535919939b6b00000001002000200021184682ee48a70a120332736d60";
/// Output of gzip, xz and zstd for no bytes, and of xz for the letter `a`.
const GZIP_EMPTY: &str = "1f8b0800000000000203030000000000000000 00";
const XZ_EMPTY: &str = "fd377a585a000004e6d6b446000000001cdf44211fb6f37d010000000004595a";
const XZ_A: &str = "fd377a585a000004e6d6b4460200210116000000742fe5a30100006100000000052b652e7784023300011901a52c81cc1fb6f37d010000000004595a";
const ZSTD_EMPTY: &str = "28b52ffd240001000099e9d851";
const ZSTD_SKIPPED: &str = "502a4d1800000000";

/// A harmful archive.
#[derive(Debug)]
pub struct Bomb {
    /// A file name that describes it: `self.fpk`.
    pub name: &'static str,
    /// The file, below a megabyte.
    pub bytes: Vec<u8>,
}

/// All of them.
pub fn bombs() -> &'static [Bomb] {
    static BOMBS: OnceLock<Vec<Bomb>> = OnceLock::new();
    BOMBS.get_or_init(|| of_scale(1))
}

/// The file of the bomb with this name.
///
/// # Panics
/// If no bomb has this name.
pub fn bomb(name: &str) -> &'static [u8] {
    let found = bombs().iter().find(|bomb| bomb.name == name);
    &found.unwrap_or_else(|| panic!("no bomb is called {name}")).bytes
}

/// All of them, with a fraction of the members: fuzzing gets further with small inputs.
pub fn of_scale(fraction: u32) -> Vec<Bomb> {
    let bomb = |name, bytes: Vec<u8>| {
        assert!(bytes.len() < 1 << 20, "{name}: {} bytes", bytes.len());
        Bomb { name, bytes }
    };
    let (few, len) = (|n: u32| (n / fraction).max(2), 1_000_000 / fraction as usize);
    vec![
        bomb("self.fpk", self_fpk(3)),
        bomb("self.pak", self_pak(3)),
        bomb("self-once.pak", self_pak(1)),
        bomb("self-thousands.pak", self_pak(few(16_000))),
        bomb("suffixes.zip", suffixes_zip(few(150) as usize)),
        bomb("suffixes.vpk", suffixes_vpk(few(2_000))),
        bomb("levels.zip", levels_zip()),
        bomb("levels-stored.zip", levels_stored_zip(15_000 / fraction as usize)),
        bomb("same-place.pak", same_place(few(7_000), len / 2)),
        bomb("same-archive.pak", same_archive(few(7_000))),
        bomb("same-packed.zip", same_packed(few(9_000))),
        bomb("zeros.zip", zeros_zip(few(200) as usize)),
        bomb("zeros.nav.gz", gzip(&zeros_deflated(few(900) as usize))),
        bomb("no-output.zip", no_output_zip(few(8_000), few(60_000) as usize)),
        bomb("names.fpk", long_names(few(20_000))),
        bomb("texts.tar.gz", texts_tar(few(60_000), few(34_000) as usize)),
        bomb("empty-streams.nav.bz2", repeated(BZIP2_EMPTY, len)),
        bomb("small-streams.nav.bz2", repeated(BZIP2_A, len)),
        bomb("empty-streams.nav.gz", repeated(GZIP_EMPTY, len)),
        bomb("empty-streams.nav.xz", repeated(XZ_EMPTY, len)),
        bomb("small-streams.nav.xz", repeated(XZ_A, len)),
        bomb("empty-streams.nav.zst", repeated(ZSTD_EMPTY, len)),
        bomb("skipped-streams.nav.zst", repeated(ZSTD_SKIPPED, len)),
    ]
}

/// As many copies as fit into `len` bytes.
fn repeated(stream: &str, len: usize) -> Vec<u8> {
    let stream = make::hex(stream);
    stream.repeat(len / stream.len())
}

/// A package whose members are the package itself: with three of them, 3^15 paths down to depth 16.
pub fn self_fpk(members: u32) -> Vec<u8> {
    let mut out = Out::new();
    out.raw(b"foxfpk\0win").u32(0).align(0x20).u32(2).u32(members).u32(0).align(0x30);
    let names = 0x30 + 48 * u64::from(members);
    let len = names + 12;
    for _ in 0..members {
        out.u64(0).u64(len).u64(names).u64(5).raw(&[0; 16]);
    }
    out.raw(b"a.fpk\0").align(4).raw(&[0; 4]);
    let len = out.len() as u32;
    out.patch_u32(10, len);
    out.0
}

/// Like [`self_fpk`], as a Quake PAK.
pub fn self_pak(members: u32) -> Vec<u8> {
    let mut out = Out::new();
    out.raw(b"PACK").u32(12).u32(members * 64);
    for _ in 0..members {
        out.raw(b"a.pak").raw(&[0; 51]).u32(0).u32(12 + members * 64);
    }
    out.0
}

/// Stored members that each run from their own header to the end of the file, and so contain all later members and the
/// directory.
pub fn suffixes_zip(members: usize) -> Vec<u8> {
    let header = |at: usize, name: &[u8], len: usize| {
        let mut out = Out::new();
        out.raw(b"PK\x03\x04").u16(20).u16(0).u16(0).u32(0x0021_0000).u32(0);
        out.u32((len - at - 30 - name.len()) as u32).u32((len - at - 30 - name.len()) as u32);
        out.u16(name.len() as u16).u16(0).raw(name);
        out.0
    };
    let name = b"a.zip";
    let (local, central) = (30 + name.len(), 46 + name.len());
    let len = members * (local + central) + 22;
    let mut out = Out::new();
    (0..members).for_each(|i| {
        out.raw(&header(i * local, name, len));
    });
    for i in 0..members {
        let size = (len - i * local - local) as u32;
        out.raw(b"PK\x01\x02").u16(20).u16(20).u16(0).u16(0).u32(0x0021_0000).u32(0).u32(size).u32(size);
        out.u16(name.len() as u16).u16(0).u16(0).u16(0).u16(0).u32(0).u32((i * local) as u32).raw(name);
    }
    out.raw(b"PK\x05\x06").u16(0).u16(0).u16(members as u16).u16(members as u16);
    out.u32((members * central) as u32).u32((members * local) as u32).u16(0);
    out.0
}

/// Members after the tree of a VPK, each the rest of the file from its own offset.
fn suffixes_vpk(members: u32) -> Vec<u8> {
    let inner = make::pak(&[(b"a.nav", &[0; 64]), (b"b.pak", &self_pak(3))]);
    let mut out = Out::new();
    let tree = 4 + 1 + 1 + members * (1 + 1 + 18) + 3;
    out.u32(0x55AA_1234).u32(1).u32(tree).raw(b"pak\0 \0");
    for i in 0..members {
        out.raw(b"a\0").u32(0).u16(0).u16(0x7FFF).u32(i % 8).u32(inner.len() as u32 - i % 8).u16(0xFFFF);
    }
    out.raw(b"\0\0\0").raw(&inner);
    out.0
}

/// Honest ZIPs in ZIPs, eight on each level: repetition compresses, so sixteen levels fit into a few kilobytes.
fn levels_zip() -> Vec<u8> {
    (0..15).fold(make::stored_zip(&[(b"a.nav", b"x")]), |inner, _| {
        let members: Vec<make::Member<'_>> = (0..8).map(|_| (&b"z.zip"[..], &inner[..])).collect();
        let packed = make::deflated_zip(&members);
        // Deflated once more: only now do the copies lie next to each other.
        make::zip(&[Zipped::deflated(b"z.zip", &packed)])
    })
}

/// Stored ZIPs in ZIPs, two on each level, as many levels as fit.
fn levels_stored_zip(len: usize) -> Vec<u8> {
    let mut zip = make::stored_zip(&[(b"a.nav", b"x")]);
    while zip.len() < len {
        zip = make::stored_zip(&[(b"y.zip", &zip), (b"z.zip", &zip)]);
    }
    zip
}

/// Many names of one mesh.
fn same_place(members: u32, len: usize) -> Vec<u8> {
    let mesh = vec![7; len];
    let at = 12 + members * 64;
    let mut out = Out::new();
    out.raw(b"PACK").u32(12).u32(members * 64);
    for i in 0..members {
        let name = format!("{i}.nav");
        out.raw(name.as_bytes()).raw(&vec![0; 56 - name.len()]).u32(at).u32(mesh.len() as u32);
    }
    out.raw(&mesh);
    out.0
}

/// Many names of one archive with many members.
fn same_archive(members: u32) -> Vec<u8> {
    let names: Vec<Vec<u8>> = (0..members).map(|i| format!("{i}.nav").into_bytes()).collect();
    let inner = make::pak(&names.iter().map(|name| (&name[..], &b""[..])).collect::<Vec<_>>());
    let at = 12 + members * 64;
    let mut out = Out::new();
    out.raw(b"PACK").u32(12).u32(members * 64);
    for i in 0..members {
        let name = format!("{i}.pak");
        out.raw(name.as_bytes()).raw(&vec![0; 56 - name.len()]).u32(at).u32(inner.len() as u32);
    }
    out.raw(&inner);
    out.0
}

/// One megabyte of zeros that many names point at.
fn same_packed(members: u32) -> Vec<u8> {
    let honest = Zipped::deflated(b"0.nav", &vec![0; 1 << 20]);
    let more =
        (1..members).map(|i| Zipped { name: format!("{i}.nav").into(), offset: Some(0), ..honest.clone() });
    make::zip(&std::iter::once(honest.clone()).chain(more).collect::<Vec<_>>())
}

/// This many megabytes of zeros as raw deflate: one megabyte that ends on a byte boundary, repeated, and an empty last block.
fn zeros_deflated(megabytes: usize) -> Vec<u8> {
    use flate2::{Compress, FlushCompress};
    let mut one = Vec::with_capacity(1 << 16);
    let mut state = Compress::new(Compression::best(), false);
    state.compress_vec(&vec![0; 1 << 20], &mut one, FlushCompress::Full).expect("memory");
    assert_eq!(state.total_in(), 1 << 20);
    let mut out = one.repeat(megabytes);
    out.extend_from_slice(&[3, 0]);
    out
}

fn gzip(deflated: &[u8]) -> Vec<u8> {
    let mut out = make::hex("1f8b0800000000000003");
    out.extend_from_slice(deflated);
    out.extend_from_slice(&[0; 8]);
    out
}

/// Meshes of 200 MB of zeros each: one declares its true size, one a thousandth.
fn zeros_zip(megabytes: usize) -> Vec<u8> {
    let packed = zeros_deflated(megabytes);
    let honest =
        Zipped { method: 8, packed, size: (megabytes as u64) << 20, ..Zipped::stored(b"a.nav", b"") };
    let lies = Zipped { size: 200 << 10, name: b"b.nav".to_vec(), ..honest.clone() };
    let as_much_as_may_be = Zipped { packed: zeros_deflated(30), size: 30 << 20, ..honest.clone() };
    let more = (0..16).map(|i| Zipped { name: format!("{i}.nav").into(), ..as_much_as_may_be.clone() });
    make::zip(&[honest, lies].into_iter().chain(more).collect::<Vec<_>>())
}

/// A deflate stream of empty blocks that many names point at: all input, no output.
fn no_output_zip(members: u32, blocks: usize) -> Vec<u8> {
    let packed = make::hex("000000ffff").repeat(blocks);
    let honest = Zipped { method: 8, packed, size: 100, ..Zipped::stored(b"0.nav", b"") };
    let more =
        (1..members).map(|i| Zipped { name: format!("{i}.nav").into(), offset: Some(0), ..honest.clone() });
    make::zip(&std::iter::once(honest.clone()).chain(more).collect::<Vec<_>>())
}

/// Overlapping names, each as long as the file.
fn long_names(members: u32) -> Vec<u8> {
    let mut out = Out::new();
    let len = 0x30 + 48 * u64::from(members);
    out.raw(b"foxfpk\0win").u32(len as u32).align(0x20).u32(2).u32(members).u32(0).align(0x30);
    for i in 0..u64::from(members) {
        out.u64(0x30).u64(1).u64(0x30 + i).u64(len - 0x30 - i).raw(b"aaaaaaaaaaaa.nav");
    }
    out.0
}

/// Headers that describe a next member, which never comes.
fn texts_tar(headers: u32, records: usize) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    let pax = b"30 path=aaaaaaaaaaaaaaaaaaaaa\n".repeat(records);
    let mut block = |bytes: &[u8]| gzip.write_all(bytes).expect("memory");
    block(&tar_header(b"x", pax.len() as u64, b'x'));
    block(&pax);
    block(&vec![0; pax.len().next_multiple_of(512) - pax.len()]);
    let empty = tar_header(b"x", 0, b'x');
    for _ in 0..headers {
        block(&empty);
    }
    gzip.finish().expect("memory")
}
