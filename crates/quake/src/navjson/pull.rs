//! A pull parser for JSON. It hands out members, elements and numbers in file order, builds nothing, and gives line and column in
//! every error.

use navmap_core::error::{Error, ErrorKind, Result};
use std::borrow::Cow;
use std::str::FromStr;

/// A string as spelled in the file, borrowed with its escapes, so that it can be written back unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Text<'a>(Cow<'a, str>);

impl<'a> Text<'a> {
    /// The spelling of a plain string.
    pub fn new(plain: &str) -> Text<'static> {
        let mut raw = String::with_capacity(plain.len());
        for c in plain.chars() {
            match c {
                '"' => raw.push_str("\\\""),
                '\\' => raw.push_str("\\\\"),
                '\n' => raw.push_str("\\n"),
                '\r' => raw.push_str("\\r"),
                '\t' => raw.push_str("\\t"),
                c if (c as u32) < 0x20 => raw.push_str(&format!("\\u{:04X}", c as u32)),
                c => raw.push(c),
            }
        }
        Text(Cow::Owned(raw))
    }

    /// The characters between the quotes, escapes included.
    pub fn raw(&self) -> &str {
        &self.0
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The unescaped text. A lone surrogate, which JSON can spell but UTF-8 cannot, becomes U+FFFD.
    pub fn decode(&self) -> Cow<'_, str> {
        if !self.0.contains('\\') {
            return Cow::Borrowed(&self.0);
        }
        let mut units: Vec<u16> = Vec::new();
        let mut rest = self.0.chars();
        while let Some(c) = rest.next() {
            let unit = match (c, c == '\\') {
                (c, false) => {
                    units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
                    continue;
                }
                _ => match rest.next() {
                    Some('n') => '\n' as u16,
                    Some('r') => '\r' as u16,
                    Some('t') => '\t' as u16,
                    Some('b') => 8,
                    Some('f') => 12,
                    Some('u') => rest.by_ref().take(4).filter_map(|digit| digit.to_digit(16)).fold(
                        0,
                        // The parser has checked for four hexadecimal digits, so no bit is shifted out.
                        |unit: u16, digit| unit << 4 | digit as u16,
                    ),
                    Some(plain) => plain as u16,
                    None => break,
                },
            };
            units.push(unit);
        }
        Cow::Owned(String::from_utf16_lossy(&units))
    }

    /// An owned copy.
    pub fn into_owned(self) -> Text<'static> {
        Text(Cow::Owned(self.0.into_owned()))
    }
}

/// A position in a JSON text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pull<'a> {
    text: &'a str,
    at: usize,
}

/// The deepest nesting skipped in members unknown to navjson.
const DEPTH: usize = 64;

impl<'a> Pull<'a> {
    /// Starts at the first value, after a byte order mark if there is one.
    ///
    /// # Errors
    /// If the bytes are not UTF-8.
    pub(super) fn new(bytes: &'a [u8]) -> Result<Self> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let good = bytes.get(..error.valid_up_to()).and_then(|good| std::str::from_utf8(good).ok());
            place(good.unwrap_or_default(), error.valid_up_to(), "not UTF-8".into())
        })?;
        let at = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
        Ok(Self { text, at })
    }

    /// Byte of the next value, after whitespace.
    pub(super) fn offset(&mut self) -> usize {
        self.space();
        self.at
    }

    #[inline]
    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    #[inline]
    fn space(&mut self) {
        let blank =
            self.rest().iter().take_while(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t')).count();
        self.at = self.at.saturating_add(blank);
    }

    /// The next byte that is not whitespace.
    #[inline]
    fn peek(&mut self) -> Option<u8> {
        self.space();
        self.rest().first().copied()
    }

    #[inline]
    fn bump(&mut self, by: usize) {
        self.at = self.at.saturating_add(by);
    }

    /// Takes this byte, or fails with what was wanted.
    #[inline]
    fn expect(&mut self, byte: u8, wanted: &'static str) -> Result<()> {
        if self.peek() == Some(byte) {
            self.bump(1);
            return Ok(());
        }
        Err(self.unexpected(wanted))
    }

    /// Calls `member` with the key of each member. `member` must take the value.
    pub(super) fn object(
        &mut self,
        wanted: &'static str,
        mut member: impl FnMut(&mut Self, &str, usize) -> Result<()>,
    ) -> Result<()> {
        self.expect(b'{', wanted)?;
        if self.peek() == Some(b'}') {
            self.bump(1);
            return Ok(());
        }
        loop {
            let at = self.offset();
            let key = self.text("a key")?;
            self.expect(b':', "a colon")?;
            member(self, &key.decode(), at)?;
            if self.peek() != Some(b',') {
                return self.expect(b'}', "a comma or the end of the object");
            }
            self.bump(1);
        }
    }

    /// Calls `element` before each element. `element` must take the value.
    #[inline]
    pub(super) fn array(
        &mut self,
        wanted: &'static str,
        mut element: impl FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.expect(b'[', wanted)?;
        if self.peek() == Some(b']') {
            self.bump(1);
            return Ok(());
        }
        loop {
            element(self)?;
            if self.peek() != Some(b',') {
                return self.expect(b']', "a comma or the end of the array");
            }
            self.bump(1);
        }
    }

    /// A string.
    pub(super) fn text(&mut self, wanted: &'static str) -> Result<Text<'a>> {
        self.expect(b'"', wanted)?;
        let start = self.at;
        loop {
            let plain = self.rest().iter().take_while(|byte| !matches!(byte, b'"' | b'\\' | ..=0x1F)).count();
            self.bump(plain);
            match self.rest().first() {
                Some(b'"') => break,
                Some(b'\\') => self.escape()?,
                Some(_) => return Err(self.error(self.at, "a control character inside a string")),
                None => return Err(self.error(start.saturating_sub(1), "a string without an end")),
            }
        }
        let raw = self.text.get(start..self.at).unwrap_or_default();
        self.bump(1);
        Ok(Text(Cow::Borrowed(raw)))
    }

    fn escape(&mut self) -> Result<()> {
        let len = match self.rest().get(1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
            Some(b'u') if self.rest().get(2..6).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)) => 6,
            _ => return Err(self.error(self.at, "an escape that JSON does not have")),
        };
        self.bump(len);
        Ok(())
    }

    /// A number, as the nearest `f32`.
    #[inline]
    pub(super) fn float(&mut self, wanted: &'static str) -> Result<f32> {
        let (token, _) = self.number(wanted)?;
        match f32::from_str(token) {
            Ok(value) if value.is_finite() => Ok(value),
            _ => {
                Err(self
                    .error(self.at.saturating_sub(token.len()), "a number beyond the range of 32-bit floats"))
            }
        }
    }

    /// A whole number that fits `T`.
    #[inline]
    pub(super) fn int<T: FromStr>(&mut self, wanted: &'static str) -> Result<T> {
        let (token, whole) = self.number(wanted)?;
        let start = self.at.saturating_sub(token.len());
        if !whole {
            let why = format!("expected {wanted}, found {}, which is not whole", shown(token));
            return Err(self.error(start, why));
        }
        T::from_str(token).map_err(|_| {
            let bits = size_of::<T>().saturating_mul(8);
            let found = shown(token);
            self.error(start, format!("expected {wanted}, found {found}, which does not fit {bits} bits"))
        })
    }

    /// The text of a number, and whether it has neither fraction nor exponent.
    #[inline]
    fn number(&mut self, wanted: &'static str) -> Result<(&'a str, bool)> {
        if !matches!(self.peek(), Some(b'-' | b'0'..=b'9')) {
            return Err(self.unexpected(wanted));
        }
        let start = self.at;
        let digits = |json: &mut Self| {
            let count = json.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
            json.bump(count);
            count
        };
        self.bump(usize::from(self.rest().first() == Some(&b'-')));
        let zero = self.rest().first() == Some(&b'0');
        let whole = digits(self);
        let mut good = whole > 0 && !(zero && whole > 1);
        let mut plain = true;
        if self.rest().first() == Some(&b'.') {
            self.bump(1);
            good &= digits(self) > 0;
            plain = false;
        }
        if matches!(self.rest().first(), Some(b'e' | b'E')) {
            self.bump(1);
            self.bump(usize::from(matches!(self.rest().first(), Some(b'+' | b'-'))));
            good &= digits(self) > 0;
            plain = false;
        }
        if !good {
            return Err(
                self.error(start, format!("expected {wanted}, found a number that JSON does not have"))
            );
        }
        Ok((self.text.get(start..self.at).unwrap_or_default(), plain))
    }

    /// Takes a `null` if there is one here.
    pub(super) fn null(&mut self) -> bool {
        let null = self.peek() == Some(b'n') && self.rest().starts_with(b"null");
        self.bump(if null { 4 } else { 0 });
        null
    }

    /// Skips a value of any kind.
    pub(super) fn skip(&mut self) -> Result<()> {
        self.skip_within(DEPTH)
    }

    fn skip_within(&mut self, depth: usize) -> Result<()> {
        let Some(deeper) = depth.checked_sub(1) else {
            return Err(self.error(self.at, format!("nested more than {DEPTH} deep")));
        };
        match self.peek() {
            Some(b'{') => self.object("an object", |json, _, _| json.skip_within(deeper)),
            Some(b'[') => self.array("an array", |json| json.skip_within(deeper)),
            Some(b'"') => self.text("a string").map(drop),
            Some(b'-' | b'0'..=b'9') => self.number("a number").map(drop),
            _ => {
                let word =
                    [&b"true"[..], b"false", b"null"].into_iter().find(|word| self.rest().starts_with(word));
                let Some(word) = word else { return Err(self.unexpected("a value")) };
                self.bump(word.len());
                Ok(())
            }
        }
    }

    /// Fails unless only whitespace is left.
    pub(super) fn end(&mut self) -> Result<()> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.unexpected("the end of the file")),
        }
    }

    /// An error at this byte, with line and column.
    #[cold]
    pub(super) fn error(&self, at: usize, message: impl Into<String>) -> Error {
        place(self.text, at, message.into())
    }

    #[cold]
    fn unexpected(&self, wanted: &'static str) -> Error {
        let found = match self.rest().first() {
            None => "the end of the file",
            Some(b'{') => "an object",
            Some(b'[') => "an array",
            Some(b'"') => "a string",
            Some(b'-' | b'0'..=b'9') => "a number",
            Some(b'}' | b']' | b',' | b':') => "punctuation",
            _ if self.rest().starts_with(b"null") => "null",
            _ if self.rest().starts_with(b"NaN") || self.rest().starts_with(b"Infinity") => {
                "a number that JSON does not have"
            }
            _ if self.rest().starts_with(b"true") || self.rest().starts_with(b"false") => "a truth value",
            _ => "something else",
        };
        self.error(self.at, format!("expected {wanted}, found {found}"))
    }
}

/// A number as an error shows it, which may have a million digits.
#[cold]
fn shown(number: &str) -> Cow<'_, str> {
    const MOST: usize = 24;
    match number.get(..MOST) {
        Some(first) if number.len() > MOST => format!("{first}… ({} characters)", number.len()).into(),
        _ => number.into(),
    }
}

const BOM: char = '\u{feff}';

#[cold]
fn place(text: &str, at: usize, message: String) -> Error {
    let (line, column) = line_and_column(text, at);
    Error::new(ErrorKind::Text { line, column, message })
}

/// Line and column of a byte, both from 1; columns are bytes, after the byte order mark.
pub(super) fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.as_bytes().get(..at).unwrap_or(text.as_bytes());
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline.saturating_add(1));
    let line = before.iter().filter(|byte| **byte == b'\n').count();
    (line.saturating_add(1), column(text, start, at))
}

/// Column of a byte in the line that begins at byte `start`.
pub(super) fn column(text: &str, start: usize, at: usize) -> usize {
    let mark = if start == 0 && text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
    at.saturating_sub(start).saturating_sub(mark).saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(json: &str, read: impl FnOnce(&mut Pull) -> Result<()>) -> String {
        read(&mut Pull::new(json.as_bytes()).unwrap()).unwrap_err().to_string()
    }

    #[test]
    fn numbers_are_those_of_json() {
        for good in ["0", "-0", "12.5", "-0.125", "1e3", "2E-3", "1e30"] {
            let value = Pull::new(good.as_bytes()).unwrap().float("a number").unwrap();
            assert_eq!(value.to_bits(), good.parse::<f32>().unwrap().to_bits());
        }
        for bad in
            ["01", "1.", ".5", "-", "1e", "+1", "NaN", "-Infinity", "Infinity", "1e99", "0x10", "null", ""]
        {
            let mut json = Pull::new(bad.as_bytes()).unwrap();
            assert!(json.float("a number").and_then(|_| json.end()).is_err(), "{bad}");
        }
        assert_eq!(
            refused("\n 70000", |json| json.int::<u16>("flags").map(drop)),
            "line 2, column 2: expected flags, found 70000, which does not fit 16 bits"
        );
        assert_eq!(
            refused("1.0", |json| json.int::<u16>("flags").map(drop)),
            "line 1, column 1: expected flags, found 1.0, which is not whole"
        );
        for (end, why) in [("", "does not fit 16 bits"), (".5", "is not whole")] {
            let long = "9".repeat(1 << 20) + end;
            let error = refused(&long, |json| json.int::<u16>("flags").map(drop));
            assert!(error.len() < 200 && error.ends_with(why), "{} bytes", error.len());
        }
    }

    #[test]
    fn strings_keep_their_spelling() {
        let mut json = Pull::new(br#""a\u0026b\\ \ud83d\ude00 \ud800""#).unwrap();
        let text = json.text("a string").unwrap();
        assert_eq!(text.raw(), r"a\u0026b\\ \ud83d\ude00 \ud800");
        assert_eq!(text.decode(), "a&b\\ \u{1f600} \u{fffd}");
        for plain in ["", "tab\t quote\" back\\ bell\u{7} umlaut \u{e4}"] {
            let spelled = format!("\"{}\"", Text::new(plain).raw());
            let mut json = Pull::new(spelled.as_bytes()).unwrap();
            assert_eq!(json.text("a string").unwrap().decode(), plain);
        }
        for bad in ["\"a", "\"\\x\"", "\"\\u12g4\"", "\"a\nb\"", "\"\\"] {
            assert!(Pull::new(bad.as_bytes()).unwrap().text("a string").is_err(), "{bad:?}");
        }
    }

    #[test]
    fn what_is_skipped_is_still_json_and_not_bottomless() {
        for good in ["{\"a\":[1,{},[],true,null,\"x\"]}", "false"] {
            let mut json = Pull::new(good.as_bytes()).unwrap();
            json.skip().and_then(|()| json.end()).unwrap();
        }
        for bad in ["[1,]", "{\"a\"}", "{\"a\":}", "[1 2]", "tru", "[", "{,}"] {
            assert!(Pull::new(bad.as_bytes()).unwrap().skip().is_err(), "{bad}");
        }
        let deep = "[".repeat(1 << 20);
        assert!(refused(&deep, |json| json.skip()).ends_with("nested more than 64 deep"));
    }

    #[test]
    fn columns_count_bytes_after_the_byte_order_mark() {
        assert_eq!(line_and_column("\u{feff}{\r\n \u{e4}x", 9), (2, 4));
        assert_eq!(line_and_column("\u{feff}{", 3), (1, 1));
        assert_eq!(Pull::new(b"a\n\xff").unwrap_err().to_string(), "line 2, column 1: not UTF-8");
    }
}
