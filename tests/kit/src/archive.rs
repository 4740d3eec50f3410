//! Writers of the containers that meshes sit in. Names are bytes: nothing is checked, nothing is made safe.

use crate::bytes::Out;
use flate2::{Compression, Crc, write::DeflateEncoder};
use std::io::Write;

/// One member: its name and its bytes.
pub type Member<'a> = (&'a [u8], &'a [u8]);

/// CRC-32 as ZIP, VPK and GMA keep it.
pub fn crc(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// Raw deflate.
pub fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// One file, compressed by gzip.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let head = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255];
    let tail = [crc(bytes).to_le_bytes(), (bytes.len() as u32).to_le_bytes()].concat();
    [&head[..], &deflate(bytes), &tail].concat()
}

/// A Quake PAK: members, then the directory. Rubbish follows each name's NUL.
pub fn pak(members: &[Member<'_>]) -> Vec<u8> {
    let mut out = Out::new();
    out.raw(b"PACK").u32(0).u32((members.len() * 64) as u32);
    let mut directory = Out::new();
    for (name, bytes) in members {
        let mut field = [0xEE; 56];
        field[..name.len()].copy_from_slice(name);
        if let Some(nul) = field.get_mut(name.len()) {
            *nul = 0;
        }
        directory.raw(&field).u32(out.len() as u32).u32(bytes.len() as u32);
        out.raw(bytes);
    }
    let at = out.len() as u32;
    out.raw(&directory.0).patch_u32(4, at);
    out.0
}

/// An addon of Garry's Mod, version 3.
pub fn gma(members: &[Member<'_>]) -> Vec<u8> {
    let mut out = Out::new();
    out.raw(b"GMAD").u8(3).u64(76561197960287930).u64(1_600_000_000).raw(b"\0");
    out.raw(b"name\0{\"description\":\"\"}\0author\0").i32(1);
    for (number, (name, bytes)) in members.iter().enumerate() {
        out.u32(number as u32 + 1).raw(name).raw(b"\0").u64(bytes.len() as u64).u32(crc(bytes));
    }
    out.u32(0);
    for (_, bytes) in members {
        out.raw(bytes);
    }
    let whole = crc(&out.0);
    out.u32(whole);
    out.0
}

/// A package of the Fox engine. The digests of the names are left zero.
pub fn fpk(members: &[Member<'_>]) -> Vec<u8> {
    let mut out = Out::new();
    out.raw(b"foxfpk\0win").u32(0).align(0x20).u32(2).u32(members.len() as u32).u32(0).align(0x30);
    let mut name_at = (0x30 + members.len() * 48) as u64;
    let names: u64 = members.iter().map(|(name, _)| name.len() as u64 + 1).sum();
    let mut at = (name_at + names).next_multiple_of(16);
    for (name, bytes) in members {
        out.u64(at).u64(bytes.len() as u64).u64(name_at).u64(name.len() as u64).raw(&[0; 16]);
        name_at += name.len() as u64 + 1;
        at = (at + bytes.len() as u64).next_multiple_of(16);
    }
    for (name, _) in members {
        out.raw(name).raw(b"\0");
    }
    for (_, bytes) in members {
        out.align(16).raw(bytes);
    }
    let len = out.len() as u32;
    out.patch_u32(10, len);
    out.0
}

/// Where a VPK keeps a member.
#[derive(Debug, Clone, Copy)]
pub enum Keep {
    /// In the file of the directory, behind the tree.
    Here,
    /// In this part.
    Part(u16),
    /// This many bytes in the tree, the rest in this part (or here, for `0x7FFF`).
    Preload(u16, u16),
}

/// A VPK: the file of the directory, and its parts by number.
pub fn vpk(version: u32, members: &[(&str, &[u8], Keep)]) -> (Vec<u8>, Vec<Vec<u8>>) {
    let mut parts: Vec<Vec<u8>> = Vec::new();
    let mut here = Vec::new();
    let mut tree = Out::new();
    let word = |text: &str| if text.is_empty() { " ".to_string() } else { text.to_string() };
    for (name, bytes, keep) in members {
        // One level per member: legal, if wasteful.
        let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
        let (stem, extension) = file.rsplit_once('.').unwrap_or((file, ""));
        let (preload, part) = match *keep {
            Keep::Here => (0, 0x7FFF),
            Keep::Part(part) => (0, part),
            Keep::Preload(len, part) => (len, part),
        };
        let (head, tail) = bytes.split_at(preload.into());
        let store = match part {
            0x7FFF => &mut here,
            part => {
                parts.resize(parts.len().max(usize::from(part) + 1), Vec::new());
                &mut parts[usize::from(part)]
            }
        };
        tree.raw(word(extension).as_bytes()).u8(0).raw(word(folder).as_bytes()).u8(0);
        tree.raw(word(stem).as_bytes()).u8(0).u32(crc(bytes)).u16(preload).u16(part);
        tree.u32(store.len() as u32).u32(tail.len() as u32).u16(0xFFFF).raw(head).u8(0).u8(0);
        store.extend_from_slice(tail);
    }
    tree.u8(0);
    let mut out = Out::new();
    out.u32(0x55AA_1234).u32(version).u32(tree.len() as u32);
    if version == 2 {
        out.u32(here.len() as u32).u32(0).u32(0).u32(0);
    }
    out.raw(&tree.0).raw(&here);
    (out.0, parts)
}

/// A tar of plain files with names of at most 99 bytes.
pub fn tar(members: &[Member<'_>]) -> Vec<u8> {
    let mut out = Out::new();
    for (name, bytes) in members {
        out.raw(&tar_header(name, bytes.len() as u64, b'0')).raw(bytes).align(512);
    }
    out.raw(&[0; 1024]);
    out.0
}

/// One header block of a tar.
pub fn tar_header(name: &[u8], size: u64, kind: u8) -> [u8; 512] {
    let mut block = [0; 512];
    block[..name.len()].copy_from_slice(name);
    block[100..108].copy_from_slice(b"0000644\0");
    if size < 1 << 33 {
        block[124..136].copy_from_slice(format!("{size:011o}\0").as_bytes());
    } else {
        block[124] = 0x80;
        block[128..136].copy_from_slice(&size.to_be_bytes());
    }
    block[136..148].copy_from_slice(b"00000000000\0");
    block[156] = kind;
    block[257..265].copy_from_slice(b"ustar\x0000");
    block[148..156].fill(b' ');
    let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block
}

/// A member of a ZIP; every field may lie.
#[derive(Debug, Clone)]
pub struct Zipped {
    /// The name, in both headers.
    pub name: Vec<u8>,
    /// The method: 0 stored, 8 deflate, or any claim about `packed`.
    pub method: u16,
    /// The stored bytes.
    pub packed: Vec<u8>,
    /// The size that the directory declares.
    pub size: u64,
    /// The checksum that the directory declares.
    pub crc: u32,
    /// General purpose flags.
    pub flags: u16,
    /// Bytes of the local header's extra field, which the directory does not mention.
    pub local_extra: Vec<u8>,
    /// Overrides the offset of the local header.
    pub offset: Option<u32>,
}

impl Zipped {
    /// A stored member.
    pub fn stored(name: &[u8], bytes: &[u8]) -> Self {
        Self {
            name: name.to_vec(),
            method: 0,
            packed: bytes.to_vec(),
            size: bytes.len() as u64,
            crc: crc(bytes),
            flags: 0,
            local_extra: Vec::new(),
            offset: None,
        }
    }

    /// A deflated member.
    pub fn deflated(name: &[u8], bytes: &[u8]) -> Self {
        Self { method: 8, packed: deflate(bytes), ..Self::stored(name, bytes) }
    }
}

/// A ZIP of these members, with no comment.
pub fn zip(members: &[Zipped]) -> Vec<u8> {
    let mut out = Out::new();
    let mut directory = Out::new();
    for member in members {
        let Zipped { name, method, packed, size, crc, flags, local_extra, offset } = member;
        let at = offset.unwrap_or(out.len() as u32);
        let sizes = |out: &mut Out| {
            out.u32(*crc).u32(packed.len() as u32).u32(*size as u32).u16(name.len() as u16);
        };
        if offset.is_none() {
            out.raw(b"PK\x03\x04").u16(20).u16(*flags).u16(*method).u32(0x0021_0000);
            sizes(&mut out);
            out.u16(local_extra.len() as u16).raw(name).raw(local_extra).raw(packed);
        }
        directory.raw(b"PK\x01\x02").u16(20).u16(20).u16(*flags).u16(*method).u32(0x0021_0000);
        sizes(&mut directory);
        directory.u16(0).u16(0).u16(0).u16(0).u32(0).u32(at).raw(name);
    }
    let at = out.len() as u32;
    out.raw(&directory.0).raw(b"PK\x05\x06").u16(0).u16(0);
    out.u16(members.len() as u16).u16(members.len() as u16).u32(directory.len() as u32).u32(at).u16(0);
    out.0
}

/// A stored ZIP.
pub fn stored_zip(members: &[Member<'_>]) -> Vec<u8> {
    zip(&members.iter().map(|(name, bytes)| Zipped::stored(name, bytes)).collect::<Vec<_>>())
}

/// A deflated ZIP.
pub fn deflated_zip(members: &[Member<'_>]) -> Vec<u8> {
    zip(&members.iter().map(|(name, bytes)| Zipped::deflated(name, bytes)).collect::<Vec<_>>())
}

/// A Source map that holds `filler` bytes of other lumps, and this pak lump. With `l4d2`, lumps are version, offset,
/// length; else offset, length, version.
pub fn bsp(pak: &[u8], filler: usize, l4d2: bool) -> Vec<u8> {
    let head = 8 + 64 * 16 + 4;
    let mut out = Out::new();
    out.raw(b"VBSP").u32(if l4d2 { 21 } else { 20 });
    for lump in 0..64 {
        let (at, len) = match lump {
            0 => (head, filler),
            40 => (head + filler, pak.len()),
            _ => (0, 0),
        };
        let version = u32::from(lump == 40);
        if l4d2 {
            out.u32(version).u32(at as u32).u32(len as u32).u32(0);
        } else {
            out.u32(at as u32).u32(len as u32).u32(version).u32(0);
        }
    }
    out.u32(1);
    out.raw(&vec![0x5A; filler]).raw(pak);
    out.0
}

/// A 7z whose one block holds the members uncompressed (method Copy), with a plain header.
pub fn sevenz(members: &[Member<'_>]) -> Vec<u8> {
    // A number of nine bytes: legal for any value, if wasteful.
    fn number(out: &mut Out, value: u64) {
        if value < 0x80 {
            out.u8(value as u8)
        } else {
            out.u8(0xFF).u64(value)
        };
    }
    let data: Vec<u8> = members.iter().flat_map(|(_, bytes)| bytes.iter().copied()).collect();
    let mut header = Out::new();
    header.u8(1);
    if !members.is_empty() {
        header.u8(4).u8(6).u8(0).u8(1).u8(9);
        number(&mut header, data.len() as u64);
        header.u8(0).u8(7).u8(11).u8(1).u8(0).u8(1).u8(1).u8(0).u8(12);
        number(&mut header, data.len() as u64);
        header.u8(0).u8(8).u8(13);
        number(&mut header, members.len() as u64);
        if members.len() > 1 {
            header.u8(9);
            members[1..]
                .iter()
                .zip(members)
                .for_each(|(_, (_, bytes))| number(&mut header, bytes.len() as u64));
        }
        header.u8(10).u8(1);
        members.iter().for_each(|(_, bytes)| {
            header.u32(crc(bytes));
        });
        header.u8(0).u8(0).u8(5);
        number(&mut header, members.len() as u64);
        let mut names = Out::new();
        names.u8(0);
        for (name, _) in members {
            name.iter().for_each(|&byte| {
                names.u16(byte.into());
            });
            names.u16(0);
        }
        header.u8(0x11);
        number(&mut header, names.len() as u64);
        header.raw(&names.0).u8(0);
    }
    header.u8(0);
    let mut start = Out::new();
    start.u64(data.len() as u64).u64(header.len() as u64).u32(crc(&header.0));
    let mut out = Out::new();
    out.raw(b"7z\xBC\xAF\x27\x1C").u8(0).u8(4).u32(crc(&start.0)).raw(&start.0).raw(&data).raw(&header.0);
    out.0
}

/// Bytes from hexadecimal digits; skips anything else.
pub fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> =
        text.chars().filter_map(|digit| digit.to_digit(16)).map(|digit| digit as u8).collect();
    digits.chunks_exact(2).map(|pair| pair[0] * 16 + pair[1]).collect()
}
