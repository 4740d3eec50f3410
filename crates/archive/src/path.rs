//! Turns a member's name into a path on disk. Nothing else does that.

use navmap_core::error::{Error, Result};
use std::path::PathBuf;

/// A relative path that stays in its folder, for a member of this name. Both slashes and backslashes separate. Leading ones are
/// dropped, as `tar` and `unzip` do (packages of the Fox engine begin every name with one).
///
/// # Errors
/// If the name would leave the folder (`..`), names a drive or a stream (`C:`), is a reserved word of Windows (`NUL`), holds
/// control characters or is empty.
///
/// ```
/// use navmap::archive::safe_path;
///
/// assert_eq!(safe_path(b"/Assets/level/a.nav2")?, std::path::Path::new("Assets/level/a.nav2"));
/// assert!(safe_path(b"maps/../../.bashrc").is_err());
/// # Ok::<(), navmap::Error>(())
/// ```
pub fn safe_path(name: &[u8]) -> Result<PathBuf> {
    let refuse = |why: &str| {
        Error::invalid("name of the member", format!("{why}: {}", navmap_core::text::printable(name)))
    };
    let mut path = PathBuf::new();
    for piece in name.split(|byte| matches!(byte, b'/' | b'\\')) {
        match piece {
            b"" | b"." => {}
            b".." => return Err(refuse("leaves the folder")),
            _ if piece.iter().any(|&byte| byte < 0x20 || byte == 0x7F || b":*?\"<>|".contains(&byte)) => {
                return Err(refuse("holds characters that no file name may"));
            }
            _ if is_reserved(piece) => return Err(refuse("is a device's")),
            _ => path.push(String::from_utf8_lossy(piece).as_ref()),
        }
    }
    if path.as_os_str().is_empty() { Err(refuse("is empty")) } else { Ok(path) }
}

/// Whether Windows takes the name for a device, with any extension.
fn is_reserved(piece: &[u8]) -> bool {
    let stem = piece.split(|&byte| byte == b'.').next().unwrap_or_default().trim_ascii_end();
    let is = |word: &[u8]| stem.eq_ignore_ascii_case(word);
    let numbered = |stem: &[u8]| match stem.split_last_chunk::<1>() {
        Some((word, [b'1'..=b'9'])) => word.eq_ignore_ascii_case(b"com") || word.eq_ignore_ascii_case(b"lpt"),
        _ => false,
    };
    is(b"con") || is(b"prn") || is(b"aux") || is(b"nul") || numbered(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_never_leaves_its_folder() {
        for (name, path) in [
            (&b"a.nav"[..], "a.nav"),
            (b"maps\\a.nav", "maps/a.nav"),
            (b"//maps/./a.nav", "maps/a.nav"),
            (b"\\\\server\\share\\a.nav", "server/share/a.nav"),
            (b"a..b/...nav", "a..b/...nav"),
            (b"console.nav", "console.nav"),
        ] {
            assert_eq!(safe_path(name).unwrap(), PathBuf::from(path), "{}", name.escape_ascii());
        }
        for name in [
            &b""[..],
            b"/",
            b"..",
            b"../a",
            b"a/..\\..\\b",
            b"C:\\a",
            b"c:a",
            b"a.nav:stream",
            b"nul",
            b"maps/NUL.nav",
            b"com1.nav",
            b"a\0b",
            b"a\nb",
        ] {
            assert!(safe_path(name).is_err(), "{}", name.escape_ascii());
        }
    }
}
