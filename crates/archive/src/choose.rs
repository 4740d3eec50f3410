//! Chooses members to read by name alone.

use super::Name;
use navmap_formats::Kind;

/// The likely content of a member, judging by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Promise {
    /// A mesh, or a plugin with meshes: an extension of [`Kind::extensions`].
    Mesh,
    /// An archive, or a compressed file whose own name promises something.
    Archive,
    /// No mesh. The member is skipped, unless the first bytes of every member are tested.
    Nothing,
}

const ARCHIVES: &[&str] = &[
    "vpk", "bsp", "gma", "pak", "fpk", "fpkd", "zip", "pk3", "pk4", "kpf", "mgsv", "tar", "tgz", "tbz",
    "tbz2", "txz", "tzst", "7z",
];
/// Extensions of single compressed files. Their content has the name without the extension.
const WRAPPERS: &[&str] = &["gz", "bz2", "xz", "zst", "lzma"];

impl Promise {
    /// Judges a file name by its extension, in any case.
    ///
    /// ```
    /// use navmap::archive::Promise;
    ///
    /// assert_eq!(Promise::by_name(b"maps/CP_Steel.NAV"), Promise::Mesh);
    /// assert_eq!(Promise::by_name(b"maps/cp_steel.bsp.bz2"), Promise::Archive);
    /// assert_eq!(Promise::by_name(b"maps/cp_steel.txt.gz"), Promise::Nothing);
    /// ```
    pub fn by_name(name: &[u8]) -> Self {
        let Some((stem, extension)) = split(name) else { return Self::Nothing };
        if is(extension, WRAPPERS) {
            // `backup.gz` says nothing about its content, so it is opened.
            return if split(stem).is_none() || Self::by_name(stem) != Self::Nothing {
                Self::Archive
            } else {
                Self::Nothing
            };
        }
        Self::of_extension(extension)
    }

    fn of_extension(extension: &[u8]) -> Self {
        if Kind::ALL.iter().any(|kind| is(extension, kind.extensions())) {
            Self::Mesh
        } else if is(extension, ARCHIVES) {
            Self::Archive
        } else {
            Self::Nothing
        }
    }
}

impl Name<'_> {
    /// Whether it has this extension, in any case.
    pub fn has_extension(self, wanted: &str) -> bool {
        let (name, extension) = self.tail();
        extension
            .or_else(|| split(name).map(|(_, extension)| extension))
            .is_some_and(|found| is(found, &[wanted]))
    }

    /// Whether it has any extension.
    pub(super) fn has_any_extension(self) -> bool {
        let (name, extension) = self.tail();
        extension.map_or_else(|| split(name).is_some(), |extension| !extension.is_empty())
    }

    /// What its extension promises.
    pub fn promise(self) -> Promise {
        match self.tail() {
            (stem, Some(extension)) if is(extension, WRAPPERS) => {
                Promise::by_name(&[stem, b".", extension].concat())
            }
            (_, Some(extension)) => Promise::of_extension(extension),
            (name, None) => Promise::by_name(name),
        }
    }
}

/// Whether a file of this name is a numbered part of a VPK. Its bytes belong to members that only the directory file delimits, so
/// its first bytes mean nothing.
pub fn is_vpk_part(name: &[u8]) -> bool {
    let Some((stem, extension)) = split(name) else { return false };
    match stem.split_last_chunk::<4>() {
        Some((_, [b'_', digits @ ..])) => is(extension, &["vpk"]) && digits.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// The name of a compressed file's content: its own without the compressor's extension.
pub(super) fn unwrapped(name: &[u8]) -> &[u8] {
    match split(name) {
        Some((stem, extension)) if is(extension, WRAPPERS) && !stem.is_empty() => stem,
        _ => name,
    }
}

/// Stem and extension of the last piece of a path.
fn split(name: &[u8]) -> Option<(&[u8], &[u8])> {
    let dot = name.iter().rposition(|byte| matches!(byte, b'.' | b'/' | b'\\'))?;
    let (stem, rest) = name.split_at_checked(dot)?;
    rest.strip_prefix(b".").map(|extension| (stem, extension))
}

fn is(extension: &[u8], among: &[&str]) -> bool {
    among.iter().any(|known| extension.eq_ignore_ascii_case(known.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_promises_by_its_last_extension() {
        for (name, promise) in [
            ("a.nav", Promise::Mesh),
            ("b/A.NAV2", Promise::Mesh),
            ("Skyrim.esm", Promise::Mesh),
            ("maps/q3dm1.AAS", Promise::Mesh),
            ("de_dust2.graph", Promise::Mesh),
            ("mmaps/0013131.mmtile", Promise::Mesh),
            (".nav", Promise::Mesh),
            ("nav", Promise::Nothing),
            ("a.nav/readme", Promise::Nothing),
            ("a.nav.bak", Promise::Nothing),
            ("pak0.pk3", Promise::Archive),
            ("x.tar.xz", Promise::Archive),
            ("x.nav.gz", Promise::Archive),
            ("x.gz", Promise::Archive),
            ("x.dds.gz", Promise::Nothing),
            ("", Promise::Nothing),
        ] {
            assert_eq!(Promise::by_name(name.as_bytes()), promise, "{name}");
        }
        let split = Name::Split { folder: b"maps", stem: b"a.bsp", extension: b"bz2" };
        assert_eq!(split.promise(), Promise::Archive);
        assert_eq!(split.to_string(), "maps/a.bsp.bz2");
        assert!(
            is_vpk_part(b"pak01_000.vpk") && !is_vpk_part(b"pak01_dir.vpk") && !is_vpk_part(b"a_000.nav")
        );
        assert_eq!(unwrapped(b"maps/a.bsp.bz2"), b"maps/a.bsp");
    }
}
