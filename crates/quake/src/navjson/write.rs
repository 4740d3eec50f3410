//! Writes flat lists as text, in the style of the public files.

use super::float::Shortest;
use super::pull::Text;
use super::{JsonLink, LineEnd, NavJson};
use crate::iter::EdictKey;
use std::fmt::Display;
use std::io::{self, Write};

impl NavJson<'_> {
    /// Writes the file: two spaces per level, one number per line, strings as they were spelled, no line end after the last
    /// brace. The `Nodes` of every public file come out byte for byte as they were read, and so does the rest, unless the head
    /// was indented by hand.
    ///
    /// Members unknown to the format are not written.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let newline = match self.line_end {
            LineEnd::Lf => "\n",
            LineEnd::CrLf => "\r\n",
        };
        let mut out =
            Style { out: io::BufWriter::with_capacity(1 << 16, out), newline, depth: 0, fresh: true };
        self.file(&mut out)?;
        out.out.flush()
    }

    fn file<W: Write>(&self, out: &mut Style<W>) -> io::Result<()> {
        out.open('{')?;
        out.member("Version", self.version)?;
        if let Some(map) = &self.head.map {
            out.key("Map")?;
            out.open('{')?;
            out.string("Name", map.name.as_ref())?;
            out.string("Author", map.author.as_ref())?;
            out.string("Filename", map.filename.as_ref())?;
            out.strings("Urls", map.urls.as_deref())?;
            out.close('}')?;
        }
        out.strings("Contributors", self.head.contributors.as_deref())?;
        let comments = if self.head.singular_comment { "Comment" } else { "Comments" };
        out.string(comments, self.head.comments.as_ref())?;
        if let Some(heuristic) = self.heuristic {
            out.key("Settings")?;
            out.open('{')?;
            out.member("Heuristic", Shortest(heuristic))?;
            out.close('}')?;
        }
        out.key("Nodes")?;
        out.open('[')?;
        for (index, node) in self.nodes.iter().enumerate() {
            out.element()?;
            out.open('{')?;
            out.vector("Origin", node.origin)?;
            out.member("Flags", node.flags)?;
            out.key("Links")?;
            out.open('[')?;
            for link in self.links_of(index).unwrap_or_default() {
                out.element()?;
                self.link(out, link)?;
            }
            out.close(']')?;
            out.member("Radius", node.radius)?;
            out.close('}')?;
        }
        out.close(']')?;
        out.close('}')
    }

    fn link<W: Write>(&self, out: &mut Style<W>, link: &JsonLink) -> io::Result<()> {
        out.open('{')?;
        out.vector("Target", link.target_origin)?;
        out.member("Type", link.kind)?;
        if let Some(traversal) = link.traversal().and_then(|index| self.traversals.get(index)) {
            out.key("Traversal")?;
            out.open('[')?;
            for point in [traversal.stored_funnel(), traversal.start(), traversal.end()] {
                out.element()?;
                out.numbers(point)?;
            }
            out.close(']')?;
        }
        if let Some(edict) = link.edict().and_then(|index| self.edicts.get(index)) {
            out.key("Edict")?;
            out.open('{')?;
            out.vector("Mins", edict.bounds.mins())?;
            out.vector("Maxs", edict.bounds.maxs())?;
            match edict.key {
                EdictKey::Handles { targetname, classname } => {
                    out.member("Targetname", targetname.0)?;
                    out.member("Classname", classname.0)?;
                }
                EdictKey::Entity(id) => out.member("EntityId", id.0)?,
                EdictKey::None | EdictKey::Model(_) => {}
            }
            out.close('}')?;
        }
        out.close('}')
    }
}

/// Writes commas, line ends and indentation.
struct Style<W> {
    out: W,
    newline: &'static str,
    depth: usize,
    /// Whether the innermost object or array is still empty.
    fresh: bool,
}

impl<W: Write> Style<W> {
    fn open(&mut self, bracket: char) -> io::Result<()> {
        self.depth = self.depth.saturating_add(1);
        self.fresh = true;
        write!(self.out, "{bracket}")
    }

    fn close(&mut self, bracket: char) -> io::Result<()> {
        self.depth = self.depth.saturating_sub(1);
        if !std::mem::replace(&mut self.fresh, false) {
            self.line()?;
        }
        write!(self.out, "{bracket}")
    }

    fn line(&mut self) -> io::Result<()> {
        const SPACES: &[u8] = b"                ";
        self.out.write_all(self.newline.as_bytes())?;
        // The format nests at most eight levels.
        self.out.write_all(SPACES.get(..self.depth.saturating_mul(2)).unwrap_or(SPACES))
    }

    fn element(&mut self) -> io::Result<()> {
        if !std::mem::replace(&mut self.fresh, false) {
            self.out.write_all(b",")?;
        }
        self.line()
    }

    fn key(&mut self, key: &str) -> io::Result<()> {
        self.element()?;
        write!(self.out, "\"{key}\": ")
    }

    fn member(&mut self, key: &str, value: impl Display) -> io::Result<()> {
        self.key(key)?;
        write!(self.out, "{value}")
    }

    fn string(&mut self, key: &str, text: Option<&Text>) -> io::Result<()> {
        text.map_or(Ok(()), |text| self.member(key, format_args!("\"{}\"", text.raw())))
    }

    fn strings(&mut self, key: &str, list: Option<&[Text]>) -> io::Result<()> {
        let Some(list) = list else { return Ok(()) };
        self.key(key)?;
        self.open('[')?;
        for text in list {
            self.element()?;
            write!(self.out, "\"{}\"", text.raw())?;
        }
        self.close(']')
    }

    fn vector(&mut self, key: &str, vector: [f32; 3]) -> io::Result<()> {
        self.key(key)?;
        self.numbers(vector)
    }

    fn numbers(&mut self, numbers: [f32; 3]) -> io::Result<()> {
        self.open('[')?;
        for number in numbers {
            self.element()?;
            write!(self.out, "{}", Shortest(number))?;
        }
        self.close(']')
    }
}
