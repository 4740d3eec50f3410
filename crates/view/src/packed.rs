//! What a page carries: zlib streams in base64, written as they are made.

use navmap_core::bytes::deflate_into;
use std::io::{self, Write};

/// Writes an element of the page that holds what `fill` writes, packed, and gives its length.
pub(super) fn element(
    id: &str,
    out: &mut dyn Write,
    fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> io::Result<usize> {
    const LEVEL: u32 = 9;
    let (start, end) = (format!("<script type=\"text/plain\" id=\"{id}\">"), "</script>\n");
    out.write_all(start.as_bytes())?;
    let mut text = Base64 { out, rest: Vec::new(), written: 0 };
    deflate_into(LEVEL, &mut text, fill)?;
    let written = text.finish()?;
    out.write_all(end.as_bytes())?;
    Ok(start.len() + written + end.len())
}

/// Base64 of what is written into it.
struct Base64<'o> {
    out: &'o mut dyn Write,
    /// Bytes that wait for others, up to three that make four digits.
    rest: Vec<u8>,
    /// Digits so far.
    written: usize,
}

impl Base64<'_> {
    fn put(&mut self, bytes: usize) -> io::Result<()> {
        let text = base64(&self.rest[..bytes]);
        self.rest.drain(..bytes);
        self.written += text.len();
        self.out.write_all(text.as_bytes())
    }

    /// Writes the last digits, and gives the number of all.
    fn finish(mut self) -> io::Result<usize> {
        self.put(self.rest.len())?;
        Ok(self.written)
    }
}

impl Write for Base64<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rest.extend_from_slice(bytes);
        self.put(self.rest.len() / 3 * 3)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let [a, b, c] = [0, 1, 2].map(|at| u32::from(three.get(at).copied().unwrap_or(0)));
        let bits = a << 16 | b << 8 | c;
        for digit in 0..4 {
            let end = digit > three.len();
            let at = (bits >> (18 - 6 * digit) & 63) as usize;
            text.push(if end { '=' } else { char::from(DIGITS[at]) });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_base64() {
        let cases = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (bytes, text) in cases {
            assert_eq!(base64(bytes.as_bytes()), text);
            // In pieces of any length too.
            for length in 1..=bytes.len() {
                let mut out = Vec::new();
                let mut pieces = Base64 { out: &mut out, rest: Vec::new(), written: 0 };
                bytes.as_bytes().chunks(length).for_each(|piece| pieces.write_all(piece).unwrap());
                assert_eq!(pieces.finish().unwrap(), text.len());
                assert_eq!(out, text.as_bytes());
            }
        }
    }

    #[test]
    fn an_element_holds_what_was_packed_and_tells_its_length() {
        let whole: Vec<u8> = (0..100_000_u32).flat_map(|n| (n.wrapping_mul(n) / 7).to_le_bytes()).collect();
        let mut out = Vec::new();
        let length = element("scene", &mut out, &mut |out| {
            whole.chunks(777).try_for_each(|piece| out.write_all(piece))
        });
        assert_eq!(length.unwrap(), out.len());
        let mut at_once = Vec::new();
        navmap_core::bytes::deflate(&whole, 9, &mut at_once).unwrap();
        let expected = format!("<script type=\"text/plain\" id=\"scene\">{}</script>\n", base64(&at_once));
        assert!(out == expected.as_bytes());
    }
}
