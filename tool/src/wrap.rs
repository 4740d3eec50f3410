//! Breaks long lines of an info sheet on a terminal. They continue below the start of their value.

use std::io::{self, Write};

/// Breaks lines at spaces.
pub(super) struct Wrap<W> {
    out: W,
    /// The width of a line in letters. Without it, lines are not broken.
    width: Option<usize>,
    line: Vec<u8>,
}

/// A value with less space than this is not broken, since it would become a column of single words.
const LEAST: usize = 24;

impl<W: Write> Wrap<W> {
    pub(super) fn new(out: W, width: Option<usize>) -> Self {
        Self { out, width, line: Vec::new() }
    }

    fn end_line(&mut self) -> io::Result<()> {
        let line = String::from_utf8_lossy(&self.line);
        let broken = match self.width {
            Some(width) => broken(&line, width),
            None => line.into_owned(),
        };
        self.line.clear();
        self.out.write_all(broken.as_bytes())
    }
}

impl<W: Write> Write for Wrap<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.width.is_none() {
            return self.out.write(bytes);
        }
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                self.end_line()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.line.is_empty() {
            self.end_line()?;
        }
        self.out.flush()
    }
}

/// The line, broken if it is longer than `width`.
fn broken(line: &str, width: usize) -> String {
    let indent = value_column(line);
    if line.trim_end().chars().count() <= width || indent + LEAST > width {
        return line.to_owned();
    }
    let (head, value) = line.split_at(line.char_indices().nth(indent).map_or(line.len(), |(at, _)| at));
    let mut text = head.to_owned();
    let mut at = indent;
    for word in value.split(' ') {
        let long = word.trim_end().chars().count();
        if at > indent && at + 1 + long > width {
            text.push('\n');
            text.extend(std::iter::repeat_n(' ', indent));
            at = indent;
        } else if at > indent {
            text.push(' ');
            at += 1;
        }
        text.push_str(word);
        at += long;
    }
    text
}

/// The start of a fact's value: after the first gap of two spaces or more.
fn value_column(line: &str) -> usize {
    let letters: Vec<char> = line.chars().take(40).collect();
    let gap = letters.windows(2).position(|pair| pair == [' ', ' ']);
    let value = gap.and_then(|gap| letters.iter().skip(gap).position(|c| *c != ' ').map(|more| gap + more));
    value.unwrap_or(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_value_goes_on_below_itself() {
        let line = "TF attributes       RED_ONE_WAY_DOOR 1, WITH_SECOND_POINT 1, SNIPER_SPOT 1\n";
        let text = broken(line, 48);
        assert_eq!(
            text,
            "TF attributes       RED_ONE_WAY_DOOR 1,\n                    WITH_SECOND_POINT 1,\n                    \
             SNIPER_SPOT 1\n"
        );
        assert_eq!(broken(line, 200), line);
        assert_eq!(broken(line, 30), line, "no column of single words");
        let path = format!("file                {}\n", "x".repeat(90));
        assert_eq!(broken(&path, 60), path, "a word is never broken");
    }

    #[test]
    fn lines_come_out_whole_however_they_are_written() {
        let write = |width| {
            let mut out = Vec::new();
            let mut wrap = Wrap::new(&mut out, width);
            for piece in ["areas               1", " 2 3\nplaces  ", "            a\nend"] {
                wrap.write_all(piece.as_bytes()).unwrap();
            }
            wrap.flush().unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(write(Some(80)), "areas               1 2 3\nplaces              a\nend");
        assert_eq!(write(None), write(Some(80)));
    }
}
