//! Makes everything safe that goes to a terminal, whoever has written it.

use navmap::text::drives;

/// Escapes what would drive a terminal. A character that comes in pieces is waited for.
#[derive(Debug, Default)]
pub(super) struct Terminal {
    /// Whether the colours of the program itself pass.
    pub(super) coloured: bool,
    /// Whether it is JSON, which stays JSON.
    pub(super) json: bool,
    /// The beginning of a character or of a colour.
    begun: Vec<u8>,
    safe: Vec<u8>,
}

/// The longest colour: `ESC [ 38 ; 2 ; 255 ; 255 ; 255 m`.
const LONGEST: usize = 20;

impl Terminal {
    /// The bytes as they may be written, as far as they are whole characters.
    pub(super) fn safe(&mut self, bytes: &[u8]) -> &[u8] {
        self.safe.clear();
        let plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
        if self.begun.is_empty() && bytes.iter().all(plain) {
            self.safe.extend_from_slice(bytes);
            return &self.safe;
        }
        let mut whole = std::mem::take(&mut self.begun);
        whole.extend_from_slice(bytes);
        let mut left = whole.as_slice();
        while let Some((&first, after)) = left.split_first() {
            if plain(&first) {
                self.safe.push(first);
                left = after;
            } else if first == b'\x1b' && self.coloured {
                match colour(left) {
                    Colour::Whole(len) => {
                        let (colour, after) = left.split_at(len);
                        self.safe.extend_from_slice(colour);
                        left = after;
                    }
                    Colour::Begun => break,
                    Colour::None => {
                        self.escape('\x1b');
                        left = after;
                    }
                }
            } else {
                let chunk = left.utf8_chunks().next();
                let Some(chunk) = chunk else { break };
                match chunk.valid().chars().next() {
                    Some(c) => {
                        if drives(c) {
                            self.escape(c);
                        } else {
                            self.safe.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                        }
                        left = left.get(c.len_utf8()..).unwrap_or_default();
                    }
                    // Fewer bytes than the first one promises.
                    None if chunk.invalid().len() == left.len() && left.len() < promised(first) => break,
                    None => {
                        self.safe.extend_from_slice("\u{fffd}".as_bytes());
                        left = left.get(chunk.invalid().len().max(1)..).unwrap_or_default();
                    }
                }
            }
        }
        self.begun = left.to_vec();
        &self.safe
    }

    /// What is left of a character that never became whole.
    pub(super) fn rest(&mut self) -> &[u8] {
        self.safe.clear();
        let begun = std::mem::take(&mut self.begun);
        for c in String::from_utf8_lossy(&begun).chars() {
            if drives(c) {
                self.escape(c);
            } else {
                self.safe.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        &self.safe
    }

    fn escape(&mut self, c: char) {
        let escaped = match (self.json, c) {
            // In JSON an end of line between values may be any of these.
            (_, '\r') => "\\r".to_owned(),
            (true, c) => format!("\\u{:04x}", u32::from(c)),
            (false, c) => c.escape_default().to_string(),
        };
        self.safe.extend_from_slice(escaped.as_bytes());
    }
}

/// How many bytes the first byte of a character promises.
const fn promised(first: u8) -> usize {
    match first {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    }
}

/// Whether bytes that begin with ESC begin with a colour.
enum Colour {
    Whole(usize),
    Begun,
    None,
}

fn colour(bytes: &[u8]) -> Colour {
    for (at, byte) in bytes.iter().enumerate() {
        match (at, byte) {
            (0, b'\x1b') | (1, b'[') => {}
            (2.., b'0'..=b'9' | b';') if at < LONGEST => {}
            (2.., b'm') => return Colour::Whole(at.saturating_add(1)),
            _ => return Colour::None,
        }
    }
    Colour::Begun
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(terminal: &mut Terminal, pieces: &[&[u8]]) -> String {
        let mut all = Vec::new();
        for piece in pieces {
            all.extend_from_slice(terminal.safe(piece));
        }
        all.extend_from_slice(terminal.rest());
        String::from_utf8(all).unwrap()
    }

    #[test]
    fn nothing_drives_the_terminal_in_however_many_pieces_it_comes() {
        let bytes = "a\x1b[2J\x1b[31mb\u{9b}\u{7f}\u{202e}\u{65e5}\u{1f600}\r\n\tend".as_bytes();
        let bytes = [bytes, b"\x9b\xff\xe6\x97"].concat();
        let safe = "a\\u{1b}[2J\\u{1b}[31mb\\u{9b}\\u{7f}\\u{202e}\u{65e5}\u{1f600}\\r\n\tend\u{fffd}\u{fffd}\u{fffd}";
        assert_eq!(shown(&mut Terminal::default(), &[&bytes]), safe);
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(shown(&mut Terminal::default(), &single), safe);
    }

    #[test]
    fn colours_pass_where_there_are_any_and_json_stays_json() {
        let mut coloured = Terminal { coloured: true, ..Terminal::default() };
        let pieces: [&[u8]; 3] = [b"\x1b[1m\x1b[31merror\x1b[0", b"m a\x1b[2Jb", b"\x1b"];
        assert_eq!(shown(&mut coloured, &pieces), "\x1b[1m\x1b[31merror\x1b[0m a\\u{1b}[2Jb\\u{1b}");
        let mut json = Terminal { json: true, ..Terminal::default() };
        assert_eq!(shown(&mut json, &["\"\u{202e}\u{7f}\"".as_bytes()]), "\"\\u202e\\u007f\"");
    }
}
