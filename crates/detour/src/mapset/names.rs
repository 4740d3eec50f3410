//! Reads the names of files of a server's map. `docs/formats/detour.md`, section 2.

use std::path::Path;

/// The parts of a file name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileName {
    /// The number of the map.
    pub(super) map: u32,
    /// The two numbers of a tile, in the order of the name; `None` for the map's parameters.
    pub(super) tile: Option<[i32; 2]>,
}

impl FileName {
    /// `0013231` (map 1, tile 32, 31), `0001_32_31`, `001`. `None` if the name has another shape.
    pub(super) fn parse(path: &Path) -> Option<Self> {
        let name = path.file_name().and_then(|name| name.to_str())?;
        // The name may be that of an archive's member: `archive!member`.
        let name = name.rsplit_once('!').map_or(name, |(_, member)| member);
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let number = |text: &str| -> Option<u32> {
            (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
        };
        if let Some((map, rest)) = stem.split_once('_') {
            let (a, b) = rest.split_once('_')?;
            let tile = [number(a)?, number(b)?].map(u32::cast_signed);
            return Some(Self { map: number(map)?, tile: Some(tile) });
        }
        number(stem)?;
        match stem.split_at_checked(stem.len().saturating_sub(4)) {
            Some((map, tile)) if stem.len() >= 7 => {
                let (a, b) = tile.split_at_checked(2)?;
                let tile = [number(a)?, number(b)?].map(u32::cast_signed);
                Some(Self { map: number(map)?, tile: Some(tile) })
            }
            _ => Some(Self { map: number(stem)?, tile: None }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_the_map_and_the_numbers_of_the_tile() {
        let of = |name: &str| FileName::parse(Path::new(name)).map(|name| (name.map, name.tile));
        assert_eq!(of("mmaps/0013231.mmtile"), Some((1, Some([32, 31]))));
        assert_eq!(of("0001_32_31.mmtile"), Some((1, Some([32, 31]))));
        assert_eq!(of("a.zip!0343132.mmtile"), Some((34, Some([31, 32]))));
        assert_eq!(of("0343132.mmtile.bak"), None);
        assert_eq!(of("0001.mmap"), Some((1, None)));
        assert_eq!((of("x.mmtile"), of("0001_a_2.mmtile"), of("")), (None, None, None));
    }
}
