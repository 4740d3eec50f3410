//! Turns a member's name into a path on disk. Nothing else does that.

use navmap_core::error::{Error, Result};
use std::path::PathBuf;

/// A relative path that stays in its folder, for a member of this name. Both slashes and backslashes separate. Leading ones are
/// dropped, as `tar` and `unzip` do (packages of the Fox engine begin every name with one).
///
/// # Errors
/// If the name would leave the folder (`..`, on Windows with blanks and dots behind it too), names a drive or a stream (`C:`), is a
/// reserved word of Windows (`NUL`), holds control characters or is empty.
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
            _ if piece.starts_with(b"..") && piece.iter().all(|byte| b" .".contains(byte)) => {
                return Err(refuse("leaves the folder"));
            }
            _ => {
                let text = String::from_utf8_lossy(piece);
                if text.contains(|c: char| c.is_control() || ":*?\"<>|".contains(c)) {
                    return Err(refuse("holds characters that no file name may"));
                }
                if is_reserved(&text) {
                    return Err(refuse("is a device's"));
                }
                path.push(text.as_ref());
            }
        }
    }
    if path.as_os_str().is_empty() { Err(refuse("is empty")) } else { Ok(path) }
}

/// Whether Windows takes the name for a device, with any extension.
fn is_reserved(piece: &str) -> bool {
    let stem = piece.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let numbered = |stem: &str| {
        let number = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
        number.is_some_and(|number| {
            matches!(number, "¹" | "²" | "³") || matches!(number.as_bytes(), [b'1'..=b'9'])
        })
    };
    ["con", "prn", "aux", "nul", "conin$", "conout$"].contains(&&*stem) || numbered(&stem)
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
            b"a\xC2\x9B31m.nav",
            b".. /a.nav",
            b".../a.nav",
            b"CONIN$",
            b"com\xC2\xB9.nav",
        ] {
            assert!(safe_path(name).is_err(), "{}", name.escape_ascii());
        }
    }
}
