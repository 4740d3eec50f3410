//! A part of a file with its own coordinates.

use crate::error::{Error, Result};
use crate::text::{Grouped, form_digits};
use std::fmt;

/// A space with its own coordinates. Meshes in different spaces are unrelated, even if their coordinates overlap.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Space {
    /// A worldspace of a Bethesda plugin. Its cells lie side by side.
    World {
        /// Its FormID, as the plugin numbers it; 0 in Morrowind, which has none.
        form: u32,
        /// Its name in the game's editor: `Tamriel`.
        editor_id: Option<String>,
    },
    /// An interior cell of a Bethesda plugin.
    Cell {
        /// Its FormID, as the plugin numbers it; 0 in Morrowind, which has none.
        form: u32,
        /// Its name in the game's editor: `WhiterunJorrvaskr`.
        editor_id: Option<String>,
    },
    /// A base object of a Bethesda plugin, which may be placed many times.
    Object {
        /// Its FormID, as the plugin numbers it.
        form: u32,
        /// Its name in the game's editor: `DinerBooth01`.
        editor_id: Option<String>,
    },
    /// A map of Fox Engine tiles, or a variant of one, by the name of its files without coordinates.
    Map(String),
}

/// The quality of a name's match with a space. A greater value is a better match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// A whole FormID of another load order, of which the last six digits fit.
    OtherOrder,
    /// The last six digits of the FormID, which stay the same in every load order.
    ObjectId,
    /// The whole FormID, the editor ID, or the name of the map.
    Whole,
}

impl Space {
    /// The match of a typed name: `Tamriel`, `3c`, `0000003C`, `worldspace 0000003C`, `01000820`.
    fn fit(&self, wanted: &str) -> Option<Fit> {
        let (word, form, editor_id) = match self {
            Self::World { form, editor_id } => ("worldspace", *form, editor_id.as_deref()),
            Self::Cell { form, editor_id } => ("cell", *form, editor_id.as_deref()),
            Self::Object { form, editor_id } => ("object", *form, editor_id.as_deref()),
            Self::Map(name) => return (name == wanted).then_some(Fit::Whole),
        };
        let wanted = wanted.trim();
        let is_editor_id = |name: &str| editor_id.is_some_and(|id| id.eq_ignore_ascii_case(name));
        if is_editor_id(wanted) || self.to_string().eq_ignore_ascii_case(wanted) {
            return Some(Fit::Whole);
        }
        let name = match wanted.split_once(' ') {
            Some((first, rest)) if first.eq_ignore_ascii_case(word) => rest.trim(),
            Some(_) => return None,
            None => wanted,
        };
        let hex = form_digits(name).unwrap_or_default();
        match u32::from_str_radix(hex, 16) {
            Ok(number) if number == form => Some(Fit::Whole),
            Ok(number) if hex.len() <= 6 && number == form & 0xFF_FFFF => Some(Fit::ObjectId),
            _ if is_editor_id(name) => Some(Fit::Whole),
            Ok(number) if hex.len() == 8 && number & 0xFF_FFFF == form & 0xFF_FFFF => Some(Fit::OtherOrder),
            // As it is printed: the editor ID, and the number in brackets.
            _ => {
                let (id, number) = name.strip_suffix(')')?.split_once(" (")?;
                let number =
                    if is_editor_id(id) { u32::from_str_radix(number, 16).ok()? } else { return None };
                (number & 0xFF_FFFF == form & 0xFF_FFFF).then_some(Fit::OtherOrder)
            }
        }
    }

    /// Chooses the space with this name: its FormID, its editor ID (case does not matter), or the name of its map. The
    /// last six digits of a FormID are enough if only one space has them. So is the number that a space has in another
    /// load order, if no space has it here.
    ///
    /// # Errors
    /// If no space has the name, or several do. The error lists the existing names. Without spaces nothing can be chosen.
    pub fn choose<'s>(spaces: impl IntoIterator<Item = &'s Self>, wanted: &str) -> Result<usize> {
        let spaces: Vec<&Self> = spaces.into_iter().collect();
        let fits: Vec<(usize, Fit)> =
            spaces.iter().enumerate().filter_map(|(at, space)| Some((at, space.fit(wanted)?))).collect();
        let best = fits.iter().map(|(_, fit)| *fit).max();
        let mut best = fits.iter().filter(|(_, fit)| Some(*fit) == best).map(|(at, _)| *at);
        let what = if spaces.iter().any(|space| matches!(space, Self::Map(_))) { "map" } else { "space" };
        match (best.next(), best.next()) {
            (Some(only), None) => Ok(only),
            (Some(_), Some(_)) => {
                let both = fits.iter().filter_map(|(at, _)| spaces.get(*at).copied());
                Err(Error::invalid(what, format!("{wanted} may be any of: {}", names(both))))
            }
            (None, _) if spaces.is_empty() => Err(Error::invalid(
                what,
                format!("none is called {wanted}: the file is not divided into spaces"),
            )),
            (None, _) => {
                Err(Error::invalid(what, format!("none is called {wanted}; there are: {}", names(spaces))))
            }
        }
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, form, editor_id) = match self {
            Self::World { form, editor_id } => ("worldspace", form, editor_id),
            Self::Cell { form, editor_id } => ("cell", form, editor_id),
            Self::Object { form, editor_id } => ("object", form, editor_id),
            Self::Map(name) => return f.pad(name),
        };
        match editor_id {
            // Those of Morrowind have no FormID.
            Some(name) if *form == 0 => write!(f, "{word} {name}"),
            Some(name) => write!(f, "{word} {name} ({form:08X})"),
            None => write!(f, "{word} {form:08X}"),
        }
    }
}

/// The names of the first spaces: `worldspace Tamriel (0000003C), cell 0001A26F, and 1,288 more`.
#[allow(unreachable_pub)] // without a family there are no files to open
pub fn names<'s>(spaces: impl IntoIterator<Item = &'s Space>) -> String {
    const MOST: usize = 12;
    let mut spaces = spaces.into_iter();
    let mut names: Vec<String> = spaces.by_ref().take(MOST).map(Space::to_string).collect();
    let more = spaces.count();
    if more > 0 {
        names.push(format!("and {} more", Grouped(more as u64)));
    }
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(form: u32, name: Option<&str>) -> Space {
        Space::Cell { form, editor_id: name.map(str::to_owned) }
    }

    #[test]
    fn a_space_goes_by_its_numbers_and_its_editor_id() {
        let spaces = [
            Space::World { form: 0x3C, editor_id: Some("Tamriel".into()) },
            cell(0x0100_0820, Some("Cellar")),
            cell(0x0200_0820, None),
            cell(0x0001_A26F, None),
        ];
        let choose = |wanted| Space::choose(&spaces, wanted);
        for tamriel in ["3c", "0000003C", "0x3C", "tamriel", "worldspace 0000003c", "Worldspace Tamriel"] {
            assert_eq!(choose(tamriel).unwrap(), 0, "{tamriel}");
        }
        let printed = spaces[0].to_string();
        assert_eq!(choose(&printed).unwrap(), 0, "what is printed may be typed");
        assert_eq!((choose("01000820").unwrap(), choose("cellar").unwrap()), (1, 1));
        assert_eq!((choose("1a26f").unwrap(), choose("cell 01A26F").unwrap()), (3, 3));
        // Numbers of another order, if only one space can be meant.
        for tamriel in ["0100003C", "worldspace Tamriel (0200003C)", "worldspace 0500003c"] {
            assert_eq!(choose(tamriel).unwrap(), 0, "{tamriel}");
        }
        assert!(choose("05000820").is_err() && choose("worldspace Skyrim (0000003C)").is_err());
        assert_eq!(choose("cell Cellar (07000820)").unwrap(), 1);
        let error = choose("000820").unwrap_err().to_string();
        assert_eq!(error, "space: 000820 may be any of: cell Cellar (01000820), cell 02000820");
        for none in ["2", "C", "", "cell Tamriel", "cell 3c", "6F"] {
            let error = choose(none).unwrap_err().to_string();
            assert!(
                error.contains("there are: worldspace Tamriel (0000003C), cell Cellar"),
                "{none}: {error}"
            );
        }
    }

    #[test]
    fn where_there_is_no_space_none_can_be_chosen() {
        let error = Space::choose([], "2").unwrap_err().to_string();
        assert!(error.contains("none is called 2: the file is not divided"), "{error}");
    }

    #[test]
    fn of_many_spaces_the_first_are_named() {
        let named = |count: u32| names(&(0..count).map(|n| cell(n, None)).collect::<Vec<_>>());
        assert_eq!(named(2), "cell 00000000, cell 00000001");
        assert!(named(12).ends_with(", cell 0000000B"), "{}", named(12));
        assert!(named(1_300).ends_with(", cell 0000000B, and 1,288 more"), "{}", named(1_300));
    }
}
