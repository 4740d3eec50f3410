//! The text of version 27, which early builds of Half-Life 2 wrote.

use super::flags::Hull;
use super::iter::{AinLinks, AinNodes};
use super::layout::{Layout, MOST_NODES};
use super::points::Parts;
use super::record::HammerId;
use navmap_core::Limits;
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::format::not_mesh;
use zerocopy::FromBytes;

/// The hulls of version 27.
const HULLS: u8 = 9;

/// What the first line begins with.
const MAGIC: &[u8] = b"Version\t";

/// A node graph of version 27, which is text.
///
/// Opening it reads the numbers into memory of its own, laid out as in version 41. Heights have two decimals.
#[derive(Debug, Clone)]
pub struct TextNav<'a> {
    text: &'a [u8],
    version: i32,
    nodes: Vec<u8>,
    node_count: usize,
    links: Vec<u8>,
    link_count: usize,
    ids: Vec<u8>,
    counted: Vec<i32>,
    trailing: usize,
    end: u64,
    pub(super) hull: Option<Hull>,
}

impl<'a> TextNav<'a> {
    /// Opens a file. Bytes after the ids are a finding; [`trailing`](Self::trailing) counts them. Linear; takes little more
    /// memory than the text.
    ///
    /// # Errors
    /// [`NotMesh`](navmap_core::ErrorKind::NotMesh) or [`Instead`](navmap_core::ErrorKind::Instead) for another kind of file,
    /// [`Version`](navmap_core::ErrorKind::Version) for a version other than 27, [`Text`](navmap_core::ErrorKind::Text) for what
    /// is no number where one belongs, [`Truncated`](navmap_core::ErrorKind::Truncated) for a text that ends early.
    pub fn parse(bytes: &'a [u8], limits: &Limits) -> Result<Self> {
        let mut words = Words::new(bytes);
        let (version, node_count) = head(&mut words)?;
        Limits::charge("text", bytes.len() as u64, limits.inflated_bytes)?;
        let (mut nodes, mut links, mut ids, mut counted) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for index in 0..node_count {
            let links =
                node(&mut words, &mut nodes).map_err(|error| error.in_record("node", index as u64))?;
            counted.push(links);
        }
        words.expect(b"TotalNumLinks")?;
        let at = words.at;
        let link_count = words.number::<i32>("number of links")?;
        let claimed = |_| Error::invalid("links", format!("{link_count} claimed")).at(at as u64);
        let link_count = usize::try_from(link_count).map_err(claimed)?;
        for index in 0..link_count {
            link(&mut words, &mut links).map_err(|error| error.in_record("link", index as u64))?;
        }
        for index in 0..node_count {
            let id: i32 = words.number("Hammer id").map_err(|error| error.in_record("node", index as u64))?;
            ids.extend(id.to_le_bytes());
        }
        // A blank follows the last id.
        let rest = bytes.get(words.at..).unwrap_or_default();
        let trailing = rest.trim_ascii_start().len();
        let end = bytes.len().saturating_sub(trailing) as u64;
        Ok(Self {
            text: bytes,
            version,
            nodes,
            node_count,
            links,
            link_count,
            ids,
            counted,
            trailing,
            end,
            hull: None,
        })
    }

    pub(super) fn parts(&self) -> Parts<'_> {
        Parts {
            layout: Layout { wide: true, hulls: HULLS },
            nodes: &self.nodes,
            node_count: self.node_count,
            links: &self.links,
            link_count: self.link_count,
            ids: self.hammer_ids(),
            start: None,
        }
    }

    /// The whole text.
    pub fn text(&self) -> &'a [u8] {
        self.text
    }
    /// 27.
    pub fn version(&self) -> i32 {
        self.version
    }
    /// How many hulls nodes and links have: 9.
    pub fn hulls(&self) -> usize {
        HULLS.into()
    }
    /// The nodes, in memory of this view.
    pub fn nodes(&self) -> AinNodes<'_> {
        self.parts().nodes()
    }
    /// The links, in memory of this view. Each works both ways.
    pub fn links(&self) -> AinLinks<'_> {
        self.parts().links()
    }
    /// The id in the map's source of each node.
    pub fn hammer_ids(&self) -> &[HammerId] {
        <[HammerId]>::ref_from_bytes(&self.ids).unwrap_or_default()
    }
    /// The stated number of links of each node.
    pub fn counted_links(&self) -> &[i32] {
        &self.counted
    }
    /// How many bytes follow the last id, if they are more than blanks.
    pub fn trailing(&self) -> usize {
        self.trailing
    }
    /// Where the ids end.
    pub(super) fn end(&self) -> u64 {
        self.end
    }
}

/// Whether the first bytes are those of such a text.
pub(super) fn is_text(head: &[u8]) -> bool {
    let Some(rest) = head.strip_prefix(MAGIC) else { return false };
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let digits = line.trim_ascii();
    let after = rest.get(line.len()..).unwrap_or_default().trim_ascii_start();
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) && after.starts_with(b"NumNodes:")
}

/// Whether the first bytes are the first word of such a text.
pub(super) fn may_be_text(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// Takes the first two lines: the version and the number of nodes.
pub(super) fn head(words: &mut Words<'_>) -> Result<(i32, usize)> {
    if !may_be_text(words.text) {
        return Err(not_mesh(words.text).at(0));
    }
    words.expect(b"Version")?;
    let at = words.at as u64;
    let version: i32 = words.number("version")?;
    if version != 27 {
        let why = match version {
            30 => "of Vampire: The Masquerade - Bloodlines, which is known and not read",
            _ => "no public file of this version is known",
        };
        let format = "AI node graph as text";
        let kind = ErrorKind::Version { format, found: version.cast_unsigned(), subversion: None, why };
        return Err(Error::new(kind).at(at));
    }
    words.expect(b"NumNodes:")?;
    let at = words.at as u64;
    let nodes: i32 = words.number("number of nodes")?;
    let count = usize::try_from(nodes).ok().filter(|count| *count <= MOST_NODES);
    let wrong = || Error::invalid("nodes", format!("{nodes} claimed, links reach {MOST_NODES}")).at(at);
    Ok((version, count.ok_or_else(wrong)?))
}

/// Reads a node, and returns its stated number of links.
fn node(words: &mut Words<'_>, out: &mut Vec<u8>) -> Result<i32> {
    let (word, at) = words.next("origin")?;
    let mut parts = word.split(|byte| *byte == b',');
    for _ in 0..3 {
        let value = parts.next().and_then(number::<f32>).ok_or_else(|| words.wrong(at, "x,y,z"))?;
        out.extend(value.to_le_bytes());
    }
    if parts.next().is_some() {
        return Err(words.wrong(at, "x,y,z"));
    }
    // The yaw, and a height for each hull.
    for _ in 0..=HULLS {
        out.extend(words.number::<f32>("number")?.to_le_bytes());
    }
    out.push(words.number::<u8>("kind of node")?);
    let at = words.at as u64;
    let bits: i64 = words.number("bits of node")?;
    // Printed with a sign or without.
    let bits = u32::try_from(bits).or_else(|_| i32::try_from(bits).map(i32::cast_unsigned));
    let bits = bits.map_err(|_| Error::invalid("bits of node", "more than 32 of them").at(at))?;
    out.extend(bits.to_le_bytes());
    out.extend(words.number::<i16>("zone")?.to_le_bytes());
    words.number("number of links")
}

fn link(words: &mut Words<'_>, out: &mut Vec<u8>) -> Result<()> {
    for end in ["source", "target"] {
        out.extend(words.number::<i16>(end)?.to_le_bytes());
    }
    for _ in 0..HULLS {
        out.push(words.number("moves")?);
    }
    Ok(())
}

fn number<T: std::str::FromStr>(word: &[u8]) -> Option<T> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// Words with blanks between them.
#[derive(Debug)]
pub(super) struct Words<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Words<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// The next word, and where it begins.
    fn next(&mut self, what: &'static str) -> Result<(&'a [u8], usize)> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let blanks = rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(rest.len());
        let word = rest.get(blanks..).unwrap_or_default();
        let word = word.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        let at = self.at.saturating_add(blanks);
        if word.is_empty() {
            let kind = ErrorKind::Truncated { what, needed: 1, left: 0 };
            return Err(Error::new(kind).at(self.text.len() as u64));
        }
        self.at = at.saturating_add(word.len());
        Ok((word, at))
    }

    fn number<T: std::str::FromStr>(&mut self, what: &'static str) -> Result<T> {
        let (word, at) = self.next(what)?;
        number(word).ok_or_else(|| self.wrong(at, what))
    }

    fn expect(&mut self, wanted: &'static [u8]) -> Result<()> {
        let what = std::str::from_utf8(wanted).unwrap_or_default();
        let (word, at) = self.next(what)?;
        if word == wanted { Ok(()) } else { Err(self.wrong(at, what)) }
    }

    #[cold]
    fn wrong(&self, at: usize, what: &str) -> Error {
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count().saturating_add(1);
        let column = before.iter().rev().take_while(|byte| **byte != b'\n').count().saturating_add(1);
        let message = format!("no {what} where one was expected");
        Error::new(ErrorKind::Text { line, column, message }).at(at as u64)
    }
}
