//! How ids are made up, and what people type for one.

use crate::text::form_digits;
use std::fmt;

/// How the ids of nodes are made up, and so what people type for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ids {
    /// A number: `#2023`.
    #[default]
    Numbers,
    /// The FormID of a record in the high half, a number inside that record in the low: `01000902#14`, or `#14` if the
    /// record has none.
    InForms {
        /// The first byte of the file's own FormIDs. Games take all that are larger for it, and so they are read; 255 leaves all as
        /// they are.
        own: u8,
        /// Whether `FD` and `FE` mean medium and light masters, which Starfield numbers apart.
        apart: bool,
    },
    /// A tile in the highest 16 bits, a group in the next 16 and a number inside that group in the low half, with the letter of
    /// what is numbered: `F#4.120`, or `F#130.4.120` in tile 130.
    InGroups(&'static str),
    /// A number, with the letter of what is numbered: `I#3`.
    Lettered(&'static str),
}

impl Ids {
    /// The tile, if it is named, the group and the number inside that group: what follows the `#` of an id of
    /// [`InGroups`](Self::InGroups), `4.120` or `130.4.120`.
    pub fn in_group(text: &str) -> Option<(Option<u16>, u16, u32)> {
        let (rest, number) = text.rsplit_once('.')?;
        let (tile, group) = match rest.split_once('.') {
            Some((tile, group)) => (Some(tile.parse().ok()?), group),
            None => (None, rest),
        };
        Some((tile, group.parse().ok()?, number.parse().ok()?))
    }

    /// The id that is meant in a file whose lowest and highest ids are these. If all are of one tile, one that names no tile is of
    /// that tile.
    ///
    /// ```
    /// use navmap::graph::Ids;
    ///
    /// let (faces, tile) = (Ids::InGroups("F"), [130 << 48, 130 << 48 | 4 << 32 | 120]);
    /// let named = ["F#4.120", "F#130.4.120"].map(|name| faces.meant(faces.read(name).unwrap(), tile));
    /// assert_eq!(named, [tile[1]; 2]);
    /// ```
    #[must_use]
    pub fn meant(self, id: u64, [lowest, highest]: [u64; 2]) -> u64 {
        let tile = lowest >> 48;
        match self {
            Self::InGroups(_) if id >> 48 == 0 && highest >> 48 == tile => tile << 48 | id,
            _ => id,
        }
    }

    /// An id as people type it.
    pub fn name(self, id: u64) -> impl fmt::Display {
        let (high, low) = (id >> 32, id as u32);
        fmt::from_fn(move |f| match self {
            Self::InForms { .. } if high != 0 => write!(f, "{high:08X}#{low}"),
            Self::InGroups(letter) => {
                let (tile, group) = (high >> 16, high as u16);
                if tile == 0 {
                    write!(f, "{letter}#{group}.{low}")
                } else {
                    write!(f, "{letter}#{tile}.{group}.{low}")
                }
            }
            Self::Lettered(letter) => write!(f, "{letter}#{id}"),
            Self::Numbers | Self::InForms { .. } => write!(f, "#{id}"),
        })
    }

    /// The id that people mean by a name; `None` if it is no name of this kind. `#17` and `#0x11` are ids of every kind.
    ///
    /// ```
    /// use navmap::graph::Ids;
    ///
    /// let ids = Ids::InForms { own: 1, apart: false };
    /// assert_eq!(ids.read("01000902#14"), Some(0x0100_0902_0000_000E));
    /// assert_eq!(ids.read("05000902#14"), ids.read("01000902#14"));
    /// assert_eq!(Ids::InGroups("F").read("F#4.120"), Some(4 << 32 | 120));
    /// assert_eq!(Ids::Numbers.read("01000902#14"), None);
    /// ```
    pub fn read(self, text: &str) -> Option<u64> {
        let (before, after) = text.split_once('#')?;
        match self {
            Self::InForms { own, apart } if !before.is_empty() => {
                let form = u32::from_str_radix(form_digits(before)?, 16).ok()?;
                let [file, a, b, c] = form.to_be_bytes();
                let is_apart = apart && matches!(file, 0xFD | 0xFE);
                let form = u32::from_be_bytes([if is_apart { file } else { file.min(own) }, a, b, c]);
                Some(u64::from(form) << 32 | u64::from(after.parse::<u32>().ok()?))
            }
            Self::InGroups(letter) if before.eq_ignore_ascii_case(letter) => {
                let (tile, group, number) = Self::in_group(after)?;
                Some(u64::from(tile.unwrap_or(0)) << 48 | u64::from(group) << 32 | u64::from(number))
            }
            Self::Lettered(letter) if before.eq_ignore_ascii_case(letter) => after.parse().ok(),
            _ if before.is_empty() => match after.strip_prefix("0x").or_else(|| after.strip_prefix("0X")) {
                Some(digits) => u64::from_str_radix(digits, 16).ok(),
                None => after.parse().ok(),
            },
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_for_an_id_is_read_as_that_id() {
        let ids = [
            0,
            7,
            2023,
            0xFFFF_FFFF,
            4 << 32 | 120,
            130 << 48 | 5 << 32 | 9,
            0x0100_0902_0000_000E,
            u64::MAX,
        ];
        let forms = Ids::InForms { own: u8::MAX, apart: false };
        for kind in [Ids::Numbers, forms, Ids::InGroups("F"), Ids::InGroups(""), Ids::Lettered("I")] {
            for id in ids {
                let name = kind.name(id).to_string();
                assert_eq!(kind.read(&name), Some(id), "{kind:?} {name}");
            }
            assert_eq!(kind.read("#"), None, "{kind:?}");
            assert_eq!(kind.read("town"), None, "{kind:?}");
            assert_eq!(kind.read("Q#1.2.3.4"), None, "{kind:?}");
        }
        assert_eq!(Ids::InGroups("F").name(4 << 32 | 120).to_string(), "F#4.120");
        assert_eq!(forms.name(0x0100_0902_0000_000E).to_string(), "01000902#14");
        assert_eq!(Ids::InGroups("F").read("#17179869252"), Some(17_179_869_252));
        let own = |apart: bool| {
            ["00", "05", "FD", "FE", "FF"].map(|file| {
                let id = Ids::InForms { own: 1, apart }.read(&format!("{file}000902#14"));
                id.unwrap().to_be_bytes()[0]
            })
        };
        assert_eq!((own(false), own(true)), ([0, 1, 1, 1, 1], [0, 1, 0xFD, 0xFE, 1]));
    }
}
