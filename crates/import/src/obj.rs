//! Wavefront OBJ: `v`, `f`, `l`, `p`, `o`, `g`, `usemtl`. Other keywords concern looks and are skipped.
//!
//! Existing crates drop line numbers, which messages and reports need, so none is used.

use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::graph::{Line, Scene};
use std::collections::HashMap;

/// Reads a text.
pub(super) fn read(bytes: &[u8]) -> Result<Scene> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mut reader = Reader { scene: Scene::new(), ..Reader::default() };
    let mut number = 0_usize;
    let mut joined = Vec::new();
    let mut lines = bytes.split(|byte| *byte == b'\n');
    while let Some(line) = lines.next() {
        number = number.saturating_add(1);
        let first = number;
        let mut line = line.strip_suffix(b"\r").unwrap_or(line);
        if goes_on(line) {
            joined.clear();
            joined.extend_from_slice(line);
            let mut ends = false;
            while !ends {
                joined.pop();
                joined.push(b' ');
                let Some(more) = lines.next() else { break };
                number = number.saturating_add(1);
                let more = more.strip_suffix(b"\r").unwrap_or(more);
                joined.extend_from_slice(more);
                ends = !goes_on(more);
            }
            line = &joined;
        }
        reader.line(line, first)?;
    }
    Ok(reader.scene)
}

/// Whether a backslash joins a line with the next one. In a comment it is one more character: `# from C:\models\`.
fn goes_on(line: &[u8]) -> bool {
    line.ends_with(b"\\") && !line.contains(&b'#')
}

#[derive(Default)]
struct Reader {
    scene: Scene,
    material: u32,
    object: u32,
    materials: HashMap<Vec<u8>, u32>,
    objects: HashMap<Vec<u8>, u32>,
    corners: Vec<u32>,
}

/// A word of a line, and the column of its first byte.
type Word<'l> = (usize, &'l [u8]);

fn words(line: &[u8]) -> impl Iterator<Item = Word<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = line.get(at..)?;
        let begin = at + rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let rest = line.get(begin..)?;
        let len = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        at = begin + len;
        Some((begin + 1, rest.get(..len)?))
    })
}

#[cold]
fn wrong(line: usize, column: usize, message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Text { line, column, message: message.into() })
}

fn shown(word: &[u8]) -> String {
    navmap_core::text::printable(word.get(..word.len().min(40)).unwrap_or_default()).to_string()
}

impl Reader {
    fn line(&mut self, line: &[u8], number: usize) -> Result<()> {
        let line = match line.iter().position(|byte| *byte == b'#') {
            Some(comment) => line.get(..comment).unwrap_or_default(),
            None => line,
        };
        let mut words = words(line);
        let Some((_, keyword)) = words.next() else { return Ok(()) };
        match keyword {
            b"v" => self.vertex(words, number),
            b"f" => self.face(words, number),
            b"l" => self.lines(words, number),
            b"p" => self.points(words, number),
            b"usemtl" => {
                let name = rest(words);
                self.material = number_of(&mut self.materials, &mut self.scene.materials, name, number)?;
                Ok(())
            }
            b"o" | b"g" => {
                let name = rest(words);
                self.object = number_of(&mut self.objects, &mut self.scene.objects, name, number)?;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn vertex<'l>(&mut self, mut words: impl Iterator<Item = Word<'l>>, line: usize) -> Result<()> {
        let mut position = [0.0; 3];
        for value in &mut position {
            let Some((column, word)) = words.next() else {
                return Err(wrong(line, 1, "a vertex has three coordinates"));
            };
            let number = std::str::from_utf8(word).ok().and_then(|text| text.parse().ok());
            *value = number.filter(|v: &f64| v.is_finite()).ok_or_else(|| {
                wrong(line, column, format!("{} where a coordinate was expected", shown(word)))
            })?;
        }
        if self.scene.positions.len() >= u32::MAX as usize {
            return Err(wrong(line, 1, "more than 4294967295 vertices"));
        }
        self.scene.positions.push(position);
        Ok(())
    }

    /// The vertex that a corner names: `7`, `7/1`, `7/1/3`, `7//3`, or counted back from the last one: `-1`.
    fn corner(&self, (column, word): Word<'_>, line: usize) -> Result<u32> {
        let number = word.split(|byte| *byte == b'/').next().unwrap_or_default();
        let text = std::str::from_utf8(number).unwrap_or_default();
        let count = self.scene.positions.len() as i64;
        let index: i64 = text.parse().map_err(|_| {
            wrong(line, column, format!("{} where the number of a vertex was expected", shown(word)))
        })?;
        let at = if index < 0 { count.saturating_add(index) } else { index.saturating_sub(1) };
        if index == 0 || at < 0 || at >= count {
            return Err(wrong(line, column, format!("vertex {index} does not exist ({count} so far)")));
        }
        Ok(at as u32)
    }

    fn face<'l>(&mut self, words: impl Iterator<Item = Word<'l>>, line: usize) -> Result<()> {
        self.corners.clear();
        for word in words {
            let corner = self.corner(word, line)?;
            self.corners.push(corner);
        }
        if self.corners.len() < 3 {
            return Err(wrong(line, 1, format!("a face of {} corners, it needs three", self.corners.len())));
        }
        if self.scene.corners.len().saturating_add(self.corners.len()) > u32::MAX as usize {
            return Err(wrong(line, 1, "more than 4294967295 corners"));
        }
        self.scene.add_polygon(&self.corners, clamped(line), self.material, self.object);
        Ok(())
    }

    fn lines<'l>(&mut self, words: impl Iterator<Item = Word<'l>>, line: usize) -> Result<()> {
        let mut before = None;
        for word in words {
            let corner = self.corner(word, line)?;
            if let Some(from) = before {
                self.scene.lines.push(Line {
                    ends: [from, corner],
                    line: clamped(line),
                    material: self.material,
                    object: self.object,
                });
            }
            before = Some(corner);
        }
        Ok(())
    }

    fn points<'l>(&mut self, words: impl Iterator<Item = Word<'l>>, line: usize) -> Result<()> {
        for word in words {
            let point = self.corner(word, line)?;
            self.scene.points.push(point);
        }
        Ok(())
    }
}

fn clamped(line: usize) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}

/// The rest of a line after a keyword: words separated by one blank.
fn rest<'l>(words: impl Iterator<Item = Word<'l>>) -> Vec<u8> {
    let all: Vec<&[u8]> = words.map(|(_, word)| word).collect();
    all.join(&b' ')
}

/// The number of a name. 0 means no name.
fn number_of(
    known: &mut HashMap<Vec<u8>, u32>,
    names: &mut Vec<String>,
    name: Vec<u8>,
    line: usize,
) -> Result<u32> {
    if name.is_empty() {
        return Ok(0);
    }
    if let Some(number) = known.get(&name) {
        return Ok(*number);
    }
    let number = u32::try_from(names.len()).map_err(|_| wrong(line, 1, "too many names"))?;
    names.push(String::from_utf8_lossy(&name).into_owned());
    known.insert(name, number);
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        read(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn every_spelling_of_a_corner_is_read() {
        let text = "# a comment\r\nv 0 0 0 1.0\nv 1 0 0\nv 1 0 1\nv 0 0 1e0\nvt 0 0\nvn 0 1 0\n\
                    o a b\ng  group3 \nusemtl attr_0001\nf 1 2/1 3/1/1 4//1\nf -4 -3 \\\n -2 # over two lines\nl 1 2 3\np 1\n";
        let scene = read(text.as_bytes()).unwrap();
        let polygons: Vec<_> = scene.polygons().map(|(p, corners)| (p.line, corners.to_vec())).collect();
        assert_eq!(polygons, [(11, vec![0, 1, 2, 3]), (12, vec![0, 1, 2])]);
        assert_eq!(scene.object(scene.polygons[0].object), "group3");
        assert_eq!(scene.material(scene.polygons[1].material), "attr_0001");
        let lines: Vec<_> = scene.lines.iter().map(|line| (line.ends, line.line)).collect();
        assert_eq!((lines, scene.points), (vec![([0, 1], 14), ([1, 2], 14)], vec![0]));
    }

    #[test]
    fn a_comment_ends_with_its_line() {
        let text = "# from C:\\models\\\nv 0 0 0\nv 1 0 0 # one \\\r\nv 1 0 1\nf 1 \\\n2 \\\n3 # \\\nf 3 2 1\nv 2 0 0\\";
        let scene = read(text.as_bytes()).unwrap();
        let polygons: Vec<_> = scene.polygons().map(|(p, corners)| (p.line, corners.to_vec())).collect();
        assert_eq!(polygons, [(5, vec![0, 1, 2]), (8, vec![2, 1, 0])]);
        assert_eq!(scene.positions.len(), 4);
    }

    #[test]
    fn errors_name_line_and_column() {
        assert_eq!(error("v 0 0 0\nf 1 9 1"), "line 2, column 5: vertex 9 does not exist (1 so far)");
        assert_eq!(error("v 0 0\n"), "line 1, column 1: a vertex has three coordinates");
        assert_eq!(error("v 0 nan 0\n"), "line 1, column 5: nan where a coordinate was expected");
        assert_eq!(error("v 0 1e999 0\n"), "line 1, column 5: 1e999 where a coordinate was expected");
        assert_eq!(
            error("v 0 0 0\nf 1 1000000000 1"),
            "line 2, column 5: vertex 1000000000 does not exist (1 so far)"
        );
        assert_eq!(error("f 0 0 0\n"), "line 1, column 3: vertex 0 does not exist (0 so far)");
        assert_eq!(error("v 1 1 1\nf 1 1\n"), "line 2, column 1: a face of 2 corners, it needs three");
        assert_eq!(
            error("v 1 1 1\nf 1 x 1\n"),
            "line 2, column 5: x where the number of a vertex was expected"
        );
    }
}
