//! Text of plugins: author, description, file names of masters, editor IDs.

use std::borrow::Cow;

/// Windows-1252 from 0x80 to 0x9F, where it differs from Latin-1. Its five undefined bytes keep their number, as in browsers.
const WINDOWS_1252: [char; 32] = [
    '\u{20AC}', '\u{81}', '\u{201A}', '\u{192}', '\u{201E}', '\u{2026}', '\u{2020}', '\u{2021}', '\u{2C6}',
    '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8D}', '\u{17D}', '\u{8F}', '\u{90}', '\u{2018}',
    '\u{2019}', '\u{201C}', '\u{201D}', '\u{2022}', '\u{2013}', '\u{2014}', '\u{2DC}', '\u{2122}', '\u{161}',
    '\u{203A}', '\u{153}', '\u{9D}', '\u{17E}', '\u{178}',
];

/// Decodes text of a plugin, which may be in either of two encodings.
///
/// No field gives the encoding. The Creation Kit of the western editions writes Windows-1252, newer tools write UTF-8.
/// Windows-1252 text that is also well-formed UTF-8 is pure ASCII in practice. So bytes that are valid UTF-8 are read as UTF-8,
/// and all others as Windows-1252. Every byte has a character, so nothing becomes U+FFFD. Control characters (a description may
/// have lines) stay as they are.
///
/// ASCII and UTF-8 are borrowed and allocate nothing.
///
/// ```
/// use navmap::format::skyrim::decode_text;
/// assert_eq!(decode_text(b"Bren\x97the \x93Bard\x94\r\n"), "Bren\u{2014}the \u{201c}Bard\u{201d}\r\n");
/// assert_eq!(decode_text("Żółw".as_bytes()), "Żółw");
/// ```
pub fn decode_text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|byte| from_1252(*byte)).collect()),
    }
}

/// Equal for all file names that mean the same plugin. The games run on systems where case does not matter.
#[doc(hidden)]
pub fn name_key(name: &str) -> String {
    name.to_lowercase()
}

fn from_1252(byte: u8) -> char {
    let high = usize::from(byte).checked_sub(0x80).and_then(|index| WINDOWS_1252.get(index));
    high.copied().unwrap_or(char::from(byte))
}

/// The same for a terminal: control characters are escaped.
pub(super) fn shown(bytes: &[u8]) -> String {
    navmap_core::text::printable(decode_text(bytes).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_a_character_of_its_own() {
        let mut seen = std::collections::BTreeSet::new();
        for byte in 0x80..=0xFF {
            // Alone, none of these bytes is UTF-8.
            let text = decode_text(&[byte]).into_owned();
            assert_eq!(text.chars().count(), 1, "{byte:#x}");
            assert!(text != "\u{fffd}" && seen.insert(text), "{byte:#x}");
        }
        assert_eq!(decode_text(b"\x80\x97\xA0\xE9\xFF"), "\u{20ac}\u{2014}\u{a0}\u{e9}\u{ff}");
    }

    #[test]
    fn what_is_shown_cannot_drive_the_terminal() {
        assert_eq!(shown(b"a\x1b[2J\x97\r\n"), "a\\u{1b}[2J\u{2014}\\r\\n");
        assert_eq!(shown(b"\x9D."), "\\u{9d}.");
    }
}
