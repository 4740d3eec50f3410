//! Recognises a container by its first bytes.

use super::{tar, vpk};
use std::fmt;

/// A kind of container.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Valve's VPK: the directory file.
    Vpk,
    /// A Source map with a pak lump.
    Bsp,
    /// An addon of Garry's Mod.
    Gma,
    /// A PAK of Quake.
    Pak,
    /// A package of the Fox engine.
    Fpk,
    /// The outer package of the Fox engine: encrypted, not read.
    Qar,
    /// ZIP, PK3, KPF, `.mgsv`.
    Zip,
    /// tar.
    Tar,
    /// 7z. Reading it is a cargo feature.
    SevenZ,
    /// One file, or a tar, compressed by gzip.
    Gzip,
    /// By bzip2.
    Bzip2,
    /// By xz.
    Xz,
    /// By Zstandard.
    Zstd,
    /// By LZMA with the old header of 13 bytes.
    Lzma,
}

impl Kind {
    /// The number of first bytes that [`sniff`](Self::sniff) uses.
    pub const HEAD: usize = tar::BLOCK;

    /// Recognises the container by its first bytes. `None` if navmap knows no such container.
    ///
    /// ```
    /// use navmap::archive::Kind;
    ///
    /// assert_eq!(Kind::sniff(b"PACK\x0c\0\0\0\0\0\0\0"), Some(Kind::Pak));
    /// assert_eq!(Kind::sniff(b"\xce\xfa\xed\xfe\x10\0\0\0"), None);
    /// ```
    pub fn sniff(head: &[u8]) -> Option<Self> {
        let starts = |magic: &[u8]| head.starts_with(magic);
        Some(match head.get(..4)? {
            magic if *magic == vpk::MAGIC => Self::Vpk,
            b"VBSP" => Self::Bsp,
            b"GMAD" => Self::Gma,
            b"PACK" => Self::Pak,
            b"SQAR" => Self::Qar,
            b"PK\x03\x04" | b"PK\x05\x06" => Self::Zip,
            b"\x28\xb5\x2f\xfd" => Self::Zstd,
            [0x50..=0x5F, 0x2A, 0x4D, 0x18] => Self::Zstd,
            [0x1F, 0x8B, 8, _] => Self::Gzip,
            _ if starts(b"foxfpk") => Self::Fpk,
            _ if starts(b"\xfd7zXZ\0") => Self::Xz,
            _ if starts(b"7z\xbc\xaf\x27\x1c") => Self::SevenZ,
            [b'B', b'Z', b'h', b'1'..=b'9']
                if matches!(head.get(4..10)?, b"1AY&SY" | b"\x17\x72\x45\x38\x50\x90") =>
            {
                Self::Bzip2
            }
            [0x5D, 0, 0, _] if is_lzma(head) => Self::Lzma,
            _ if tar::Header::parse(head).is_some() => Self::Tar,
            _ => return None,
        })
    }

    /// Whether it is one compressed file. Only inflating it shows whether its content is a tar.
    pub fn is_compressor(self) -> bool {
        matches!(self, Self::Gzip | Self::Bzip2 | Self::Xz | Self::Zstd | Self::Lzma)
    }

    /// Its usual name: `vpk`, `bsp`, `zip`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vpk => "vpk",
            Self::Bsp => "bsp",
            Self::Gma => "gma",
            Self::Pak => "pak",
            Self::Fpk => "fpk",
            Self::Qar => "qar",
            Self::Zip => "zip",
            Self::Tar => "tar",
            Self::SevenZ => "7z",
            Self::Gzip => "gzip",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
            Self::Zstd => "zstd",
            Self::Lzma => "lzma",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The properties written by usual encoders: a dictionary of 2^n or 2^n + 2^(n-1) bytes, and a plausible or unknown size.
fn is_lzma(head: &[u8]) -> bool {
    let Some((&[_, d0, d1, d2, d3, ref size @ ..], _)) = head.split_first_chunk::<13>() else {
        return false;
    };
    let dictionary = u32::from_le_bytes([d0, d1, d2, d3]);
    let rest = dictionary & dictionary.saturating_sub(1);
    let lowest = dictionary ^ rest;
    let sizes = rest == 0 || lowest.checked_mul(2) == Some(rest);
    let size = u64::from_le_bytes(*size);
    dictionary >= 4096 && (sizes || dictionary == u32::MAX) && (size == u64::MAX || size < 1 << 38)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_told_apart() {
        let lzma = |dictionary: u32, size: u64| {
            let head = [&[0x5D][..], &dictionary.to_le_bytes(), &size.to_le_bytes()].concat();
            Kind::sniff(&head)
        };
        assert_eq!(lzma(1 << 23, u64::MAX), Some(Kind::Lzma));
        assert_eq!(lzma(3 << 22, 1000), Some(Kind::Lzma));
        assert_eq!(lzma(5 << 22, 1000), None);
        assert_eq!(lzma(1 << 23, 1 << 40), None);
        assert_eq!(Kind::sniff(b"BZh91AY&SY"), Some(Kind::Bzip2));
        assert_eq!(Kind::sniff(b"BZh9 is text"), None);
        assert_eq!(Kind::sniff(&[0; 1024]), None);
        assert_eq!(Kind::sniff(b""), None);
        assert_eq!(Kind::sniff(b"PK"), None);
    }
}
