//! Reads the names of tiles' files. `docs/formats/fox.md`, section 11.

use std::path::{Path, PathBuf};

/// A name parsed as `<map>_<X>_<Z>_<variant>[.<part>].nav2`, as far as it matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileName<'a> {
    /// Name without extension, coordinates and part: `ssav_nav`, `ssav_nav_boss`.
    pub(super) layer: String,
    /// The map alone: `ssav`.
    pub(super) map: &'a str,
    /// X and Z; `None` if the name has another shape.
    pub(super) coordinates: Option<(u16, u16)>,
    /// Part of a split tile: 0 unless the name ends in `.1` or similar.
    pub(super) part: u16,
}

impl<'a> FileName<'a> {
    pub(super) fn parse(path: &'a Path) -> Self {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        // The name may be that of an archive's member: `archive!member`.
        let name = name.rsplit_once('!').map_or(name, |(_, member)| member);
        let stem = match name.rsplit_once('.') {
            Some((stem, extension)) if extension.eq_ignore_ascii_case("nav2") => stem,
            _ => name,
        };
        let (stem, part) = match stem.rsplit_once('.').map(|(stem, part)| (stem, part.parse())) {
            Some((stem, Ok(part))) => (stem, part),
            _ => (stem, 0),
        };
        match Self::tile(stem) {
            Some((map, x, z, variant)) => {
                Self { layer: format!("{map}_{variant}"), map, coordinates: Some((x, z)), part }
            }
            None => Self { layer: stem.to_owned(), map: stem, coordinates: None, part },
        }
    }

    /// Splits a name into map, X, Z and variant. The coordinates are the last two adjacent words that are numbers.
    fn tile(stem: &str) -> Option<(&str, u16, u16, &str)> {
        let mut end = stem.len();
        while let Some((before, z, variant)) = word_before(stem, end) {
            if let Some((map, x, _)) = word_before(stem, before.len())
                && let (Ok(x), Ok(z)) = (x.parse(), z.parse())
                && !map.is_empty()
                && !variant.is_empty()
            {
                return Some((map, x, z, variant));
            }
            end = before.len();
        }
        None
    }
}

/// Splits `stem[..end]` before its last word, and returns the part before, that word, and the part of `stem` after `end`.
fn word_before(stem: &str, end: usize) -> Option<(&str, &str, &str)> {
    let (before, word) = stem.get(..end)?.rsplit_once('_')?;
    Some((before, word, stem.get(end..)?.trim_start_matches('_')))
}

/// A name of a tile's part, split into the text before the part number, that number, and the extension.
fn part(path: &Path) -> Option<(&str, u16, &str)> {
    let (stem, extension) = path.file_name()?.to_str()?.rsplit_once('.')?;
    if !extension.eq_ignore_ascii_case("nav2") {
        return None;
    }
    let (stem, number) = match stem.rsplit_once('.').map(|(stem, number)| (stem, number.parse())) {
        Some((stem, Ok(number))) if number > 0 => (stem, number),
        _ => (stem, 0),
    };
    Some((stem, number, extension))
}

/// The part number in a file name: 1 for `x.1.nav2`, else 0.
pub fn part_of(path: &Path) -> u16 {
    part(path).map_or(0, |(_, number, _)| number)
}

/// The path of another part of the same tile: `x.nav2`, `x.1.nav2` and so on.
pub fn part_beside(path: &Path, number: u16) -> PathBuf {
    match part(path) {
        Some((stem, _, extension)) if number > 0 => {
            path.with_file_name(format!("{stem}.{number}.{extension}"))
        }
        Some((stem, _, extension)) => path.with_file_name(format!("{stem}.{extension}")),
        None => path.to_owned(),
    }
}

/// The paths of all parts of a file's tile, in order and without gaps, and the position of the file itself among them. An unsplit
/// tile is one file.
pub fn parts_beside(path: &Path) -> (Vec<PathBuf>, usize) {
    let Some((_, own, _)) = part(path) else { return (vec![path.to_owned()], 0) };
    let mut parts: Vec<PathBuf> =
        (0..own).map(|number| part_beside(path, number)).filter(|path| path.is_file()).collect();
    let named = parts.len();
    parts.push(path.to_owned());
    let later = (own..u16::MAX).map(|number| part_beside(path, number.saturating_add(1)));
    parts.extend(later.take_while(|path| path.is_file()));
    (parts, named)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(name: &str) -> (String, Option<(u16, u16)>, u16) {
        let name = FileName::parse(Path::new(name));
        (name.layer, name.coordinates, name.part)
    }

    #[test]
    fn parts_are_named_after_each_other() {
        let beside = |path: &str, number| part_beside(Path::new(path), number).display().to_string();
        assert_eq!(beside("a/x_nav.nav2", 1), "a/x_nav.1.nav2");
        assert_eq!(beside("a/x_nav.1.nav2", 0), "a/x_nav.nav2");
        assert_eq!(beside("a/x_nav.12.NAV2", 2), "a/x_nav.2.NAV2");
        assert_eq!(beside("a/x", 1), "a/x");
        assert_eq!(parts_beside(Path::new("nowhere/x.2.nav2")), (vec!["nowhere/x.2.nav2".into()], 0));
    }

    #[test]
    fn names_tell_map_coordinates_variant_and_part() {
        assert_eq!(parts("a/ssav_139_127_nav.nav2"), ("ssav_nav".into(), Some((139, 127)), 0));
        assert_eq!(parts("ssav_140_131_nav.1.nav2"), ("ssav_nav".into(), Some((140, 131)), 1));
        assert_eq!(parts("ssav_140_131_nav_boss.NAV2"), ("ssav_nav_boss".into(), Some((140, 131)), 0));
        assert_eq!(parts("mbqf_102_102_nav.nav2"), ("mbqf_nav".into(), Some((102, 102)), 0));
        assert_eq!(parts("test.nav2"), ("test".into(), None, 0));
        assert_eq!(parts("test.2.nav2"), ("test".into(), None, 2));
        assert_eq!(parts("a_1_b.nav2"), ("a_1_b".into(), None, 0));
        assert_eq!(parts("139_127_nav.nav2"), ("139_127_nav".into(), None, 0));
        assert_eq!(parts("a/x.fpk!ssav_139_127_nav.nav2"), ("ssav_nav".into(), Some((139, 127)), 0));
        assert_eq!(parts(""), (String::new(), None, 0));
        assert_eq!(FileName::parse(Path::new("x/afgh_120_121_nav.nav2")).map, "afgh");
    }
}
