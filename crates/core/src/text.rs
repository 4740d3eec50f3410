//! Small helpers for text for people: `info`, tables, summaries.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::io::{self, Write};
use std::path::Path;

/// A number with thin grouping: `1,048,576`.
#[derive(Debug, Clone, Copy)]
pub struct Grouped(pub u64);

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        let mut text = String::with_capacity(digits.len() * 4 / 3 + 1);
        for (i, digit) in digits.chars().enumerate() {
            if i > 0 && (digits.len() - i).is_multiple_of(3) {
                text.push(',');
            }
            text.push(digit);
        }
        f.pad(&text)
    }
}

/// A size in bytes for people: `512 B`, `1.5 MiB`.
#[derive(Debug, Clone, Copy)]
pub struct Size(pub u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut value = self.0 as f64;
        let mut units = ["B", "KiB", "MiB", "GiB", "TiB"].iter();
        let mut unit = units.next().unwrap_or(&"B");
        while value >= 1024.0
            && let Some(next) = units.next()
        {
            value /= 1024.0;
            unit = next;
        }
        let decimals = usize::from(*unit != "B" && value < 100.0);
        f.pad(&format!("{value:.decimals$} {unit}"))
    }
}

/// A count with its noun: `1 area`, `1,472 areas`.
pub fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", Grouped(count), if count == 1 { one } else { many })
}

/// One aligned line of an info sheet: `areas               1,472`.
///
/// # Errors
/// Those of `out`.
pub fn fact(out: &mut dyn Write, label: &str, value: impl fmt::Display) -> io::Result<()> {
    writeln!(out, "{label:<20}{value}")
}

/// Text of the file's own (names, paths) made safe for a terminal: characters that [drive](drives) one are escaped,
/// invalid UTF-8 becomes U+FFFD.
pub fn printable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for c in String::from_utf8_lossy(bytes).chars() {
        if drives(c) { text.extend(c.escape_default()) } else { text.push(c) }
    }
    text
}

/// A path as messages and rows have it: bytes that are not UTF-8 are written `\xff`, and not all as one sign. All else stays as it
/// is, so a name that has such letters itself looks the same; [`escaped`] tells them apart.
pub fn path_text(path: &Path) -> Cow<'_, str> {
    name_text(path.as_os_str().as_encoded_bytes())
}

/// A name as messages and rows have it, as [`path_text`].
pub fn name_text(name: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(name) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        text.push_str(chunk.valid());
        write_bytes(&mut text, chunk.invalid());
    }
    Cow::Owned(text)
}

fn write_bytes(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        let _ = write!(text, "\\x{byte:02x}");
    }
}

/// Whether a character does something to a terminal instead of being seen: control characters, those that turn the
/// direction of a line around, and those that end one.
pub fn drives(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A stored name as text that stands for it alone, and does nothing to a terminal: bytes that are not UTF-8 are written `\xff`,
/// characters that [drive](drives) one `\u{1b}`. A backslash is written `\u{5c}` if such an escape would begin with it, else
/// it stays. [`unescaped`] reads it back.
pub fn escaped(name: &[u8]) -> String {
    let mut text = String::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        let valid = chunk.valid();
        for (at, c) in valid.char_indices() {
            let misleads = c == '\\' && valid.get(at..).is_some_and(|rest| escape(rest).is_some());
            if drives(c) || misleads { text.extend(c.escape_unicode()) } else { text.push(c) }
        }
        write_bytes(&mut text, chunk.invalid());
    }
    text
}

/// The bytes of a name that [`escaped`] has written. What only looks like an escape is left as it is.
pub fn unescaped(text: &str) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text);
    while let Some((before, after)) = rest.split_once('\\') {
        bytes.extend_from_slice(before.as_bytes());
        rest = match escape(rest.get(before.len()..).unwrap_or_default()) {
            Some((Escape::Byte(byte), rest)) => {
                bytes.push(byte);
                rest
            }
            Some((Escape::Letter(c), rest)) => {
                bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                rest
            }
            None => {
                bytes.push(b'\\');
                after
            }
        };
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

enum Escape {
    Byte(u8),
    Letter(char),
}

/// The escape at the start of a text, and the text after it.
fn escape(text: &str) -> Option<(Escape, &str)> {
    let number = |digits: &str| {
        let plain = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        u32::from_str_radix(digits, 16).ok().filter(|_| plain)
    };
    if let Some((digits, rest)) = text.strip_prefix("\\x").and_then(|text| text.split_at_checked(2)) {
        return Some((Escape::Byte(u8::try_from(number(digits)?).ok()?), rest));
    }
    let text = text.strip_prefix("\\u{")?;
    let end = text.bytes().take(7).position(|byte| byte == b'}')?;
    let (digits, rest) = (text.get(..end)?, text.get(end + 1..)?);
    Some((Escape::Letter(char::from_u32(number(digits)?)?), rest))
}

/// The digits of a FormID as people type it and as messages print it: one to eight of them, maybe after `0x`, or a record's name.
///
/// ```
/// use navmap::text::form_digits;
///
/// for text in ["01000902", "0x01000902", "[NAVM:01000902]"] {
///     assert_eq!(form_digits(text), Some("01000902"));
/// }
/// assert_eq!(form_digits("[NAVM:01000902"), None);
/// ```
pub fn form_digits(text: &str) -> Option<&str> {
    let digits = match text.strip_prefix('[') {
        Some(record) => record.strip_suffix(']')?.split_once(':')?.1,
        None => text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text),
    };
    let is_form = (1..=8).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_form.then_some(digits)
}

/// The names nearest to a misspelt one, at most three, best first. Upper and lower case are the same.
pub fn nearest<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<String> {
    nearest_of(word, &names.into_iter().collect::<Vec<_>>())
}

fn nearest_of(word: &str, names: &[&str]) -> Vec<String> {
    // A longer word is not a mistyped name.
    const LONGEST: usize = 64;
    let lower = |text: &str, into: &mut Vec<char>| {
        into.clear();
        into.extend(text.chars().flat_map(char::to_lowercase).take(LONGEST));
    };
    let mut lowered = Vec::new();
    lower(word, &mut lowered);
    let word = lowered;
    let allowed = (word.len() / 3).max(1);
    let kinds = kinds_of(&word);
    let (mut letters, mut rows) = (Vec::new(), Default::default());
    let mut near: Vec<(usize, &str)> = Vec::new();
    for name in names {
        lower(name, &mut letters);
        let may_be_cut = word.len() >= 3;
        // A letter that is added, removed or changed makes a difference of one in length, and of two in kinds.
        let is_far = letters.len().abs_diff(word.len()) > allowed
            || (kinds_of(&letters) ^ kinds).count_ones() as usize > 2 * allowed;
        if may_be_cut && letters.starts_with(&word) {
            near.push((1, name));
        } else if may_be_cut && letters.ends_with(&word) {
            // `delete` is `nav_delete`, `spawn` may be `TSpawn`.
            near.push((2, name));
        } else if !is_far {
            let far = distance(&word, &letters, &mut rows);
            near.extend((far <= allowed).then_some((far, *name)));
        }
    }
    near.sort_by_key(|(far, _)| *far);
    near.dedup_by_key(|(_, name)| *name);
    near.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
}

/// Which letters a word has, a bit for each kind of 64.
fn kinds_of(word: &[char]) -> u64 {
    word.iter().fold(0, |kinds, letter| kinds | 1 << (u32::from(*letter) % 64))
}

/// How many letters must be added, removed or changed, or change places with the next.
fn distance(a: &[char], b: &[char], rows: &mut [Vec<usize>; 3]) -> usize {
    let [before, last, row] = rows;
    last.clear();
    last.extend(0..=b.len());
    for (i, from) in a.iter().enumerate() {
        row.clear();
        row.push(i + 1);
        for (j, to) in b.iter().enumerate() {
            let best = (last[j] + usize::from(from != to)).min(last[j + 1] + 1).min(row[j] + 1);
            let swapped = i > 0 && j > 0 && *from == b[j - 1] && a[i - 1] == *to;
            row.push(if swapped { best.min(before[j - 1] + 1) } else { best });
        }
        std::mem::swap(before, last);
        std::mem::swap(last, row);
    }
    last.last().copied().unwrap_or(0)
}

/// Whether a text fits a pattern, in which `any` stands for any letters and `one` for any one letter. Takes time proportional to
/// the product of both lengths.
pub fn fits(pattern: &str, text: &str, any: char, one: char) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut p, mut t) = (0, 0);
    // Where to resume after a mismatch: after the latest `any`, one letter further.
    let mut back = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(letter) if *letter == any => {
                back = Some((p, t));
                p += 1;
            }
            Some(letter) if *letter == one || text.get(t) == Some(letter) => (p, t) = (p + 1, t + 1),
            _ => match back {
                Some((star, from)) => {
                    back = Some((star, from + 1));
                    (p, t) = (star + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(p).all(|letter| *letter == any)
}

/// `area` for one, `areas` for several; `meshes`, `entities`.
#[doc(hidden)]
pub fn plural(word: &str, count: u64) -> String {
    match word.strip_suffix('y') {
        _ if count == 1 => word.to_owned(),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{word}{}", if word.ends_with('h') { "es" } else { "s" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_people_write_them() {
        assert_eq!(Grouped(0).to_string(), "0");
        assert_eq!(Grouped(999).to_string(), "999");
        assert_eq!(Grouped(1_048_576).to_string(), "1,048,576");
        assert_eq!(Size(1023).to_string(), "1023 B");
        assert_eq!(Size(1536).to_string(), "1.5 KiB");
        assert_eq!(Size(250 << 20).to_string(), "250 MiB");
    }

    #[test]
    fn words_for_several_are_as_people_spell_them() {
        let words = [("area", "areas"), ("mesh", "meshes"), ("entity", "entities"), ("way", "ways")];
        for (one, many) in words {
            assert_eq!((plural(one, 1), plural(one, 0)), (one.to_owned(), many.to_owned()));
        }
    }

    #[test]
    fn names_cannot_drive_the_terminal() {
        assert_eq!(printable(b"a\x1b[2Jb\xff"), "a\\u{1b}[2Jb\u{fffd}");
        assert_eq!(printable("a\u{9b}2J\u{202e}b\u{7f}".as_bytes()), "a\\u{9b}2J\\u{202e}b\\u{7f}");
        assert_eq!(printable("na\u{ef}ve \u{65e5}\u{672c}".as_bytes()), "na\u{ef}ve \u{65e5}\u{672c}");
    }

    #[cfg(unix)]
    #[test]
    fn errors_spell_a_path_as_rows_do() {
        let path = Path::new(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"a\xff\\x.nav"));
        assert_eq!(path_text(path), "a\\xff\\x.nav");
        let error = crate::error::Error::invalid("path", "is a folder").in_file(path);
        assert_eq!(error.to_string(), "a\\xff\\x.nav: is a folder");
    }

    #[test]
    fn an_escaped_name_stands_for_one_name() {
        let names: [(&[u8], &str); 9] = [
            (b"maps/a.nav", "maps/a.nav"),
            (b"maps\\new\\town.nav", "maps\\new\\town.nav"),
            (b"a\xff\xfe.nav", "a\\xff\\xfe.nav"),
            (b"a\\xff.nav", "a\\u{5c}xff.nav"),
            (b"a\\\xff", "a\\\\xff"),
            (b"a\x1b\n\xe2\x80\xae", "a\\u{1b}\\u{a}\\u{202e}"),
            (b"\\u{1b}", "\\u{5c}u{1b}"),
            (b"\\u{5c}xff", "\\u{5c}u{5c}xff"),
            (b"\\u{110000}\\u{}\\x+f\\x4\\", "\\u{110000}\\u{}\\x+f\\x4\\"),
        ];
        for (name, text) in names {
            assert_eq!(escaped(name), text);
            assert_eq!(unescaped(text), name, "{text}");
        }
        assert_eq!(unescaped("a\\x1B\\u{0041}"), b"a\x1bA");
        // Pieces of escapes in any order, beside bytes that are none.
        let pieces: [&[u8]; 8] = [b"\\", b"x", b"u{", b"5c", b"}", b"\xff", b"\x1b", b"\xc3\xa9"];
        for at in 0..pieces.len().pow(5) {
            let piece = |n: u32| pieces[at / pieces.len().pow(n) % pieces.len()];
            let name = [piece(0), piece(1), piece(2), piece(3), piece(4)].concat();
            assert_eq!(unescaped(&escaped(&name)), name);
        }
    }

    #[test]
    fn the_nearest_names_come_first_and_strangers_not_at_all() {
        let names = ["CROUCH", "JUMP", "PRECISE", "NO_JUMP"];
        assert_eq!(nearest("crouhc", names), ["CROUCH"]);
        assert_eq!(nearest("jum", names), ["JUMP"]);
        // Two letters that changed places are one mistake, and a name is known by its end as well.
        assert_eq!(nearest("aeras", ["areas", "faces"]), ["areas"]);
        assert_eq!(nearest("delete", ["nav_delete", "nav_merge"]), ["nav_delete"]);
        assert_eq!(nearest("zebra", names), [""; 0]);
        assert_eq!(nearest("", names), [""; 0]);
        assert_eq!(nearest(&"x".repeat(100_000), names), [""; 0]);
    }
}
