//! Reads the engine's key values: nested sections of names and texts. `docs/formats/source-edit.md`, section 6.2.

use navmap_core::error::{Error, Result};
use std::borrow::Cow;

/// The deepest nesting, which is the engine's limit.
const DEEPEST: usize = 100;
/// The longest name or value, which is the engine's limit.
const LONGEST: usize = 4095;

/// A name with its value or section.
#[derive(Debug)]
pub(super) struct Node<'t> {
    pub(super) name: &'t [u8],
    /// Where the name begins, in bytes.
    pub(super) at: usize,
    pub(super) body: Body<'t>,
}

/// The part after a name.
#[derive(Debug)]
pub(super) enum Body<'t> {
    /// A value, and where it begins.
    Value(&'t [u8], usize),
    Section {
        nodes: Vec<Node<'t>>,
        /// Whether its closing brace was there before the text ended.
        closed: bool,
    },
}

impl<'t> Node<'t> {
    pub(super) fn value(&self) -> Option<(&'t [u8], usize)> {
        match self.body {
            Body::Value(value, at) => Some((value, at)),
            Body::Section { .. } => None,
        }
    }

    pub(super) fn nodes(&self) -> &[Node<'t>] {
        match &self.body {
            Body::Value(..) => &[],
            Body::Section { nodes, .. } => nodes,
        }
    }

    pub(super) fn closed(&self) -> bool {
        !matches!(self.body, Body::Section { closed: false, .. })
    }

    /// The first child with this name, in letters of either case.
    pub(super) fn child(&self, name: &str) -> Option<&Node<'t>> {
        self.nodes().iter().find(|node| node.name.eq_ignore_ascii_case(name.as_bytes()))
    }
}

/// A text, and remarks about it.
pub(super) struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    /// Where lines begin.
    lines: Vec<usize>,
    pub(super) remarks: Remarks,
}

/// Oddities of a text. Only the first remarks are kept; the others are counted.
#[derive(Default)]
pub(super) struct Remarks {
    kept: Vec<String>,
    more: usize,
}

impl Remarks {
    const MOST: usize = 20;

    pub(super) fn push(&mut self, remark: impl FnOnce() -> String) {
        match self.kept.len() < Self::MOST {
            true => self.kept.push(remark()),
            false => self.more = self.more.saturating_add(1),
        }
    }

    pub(super) fn finish(mut self) -> Vec<String> {
        if self.more > 0 {
            self.kept.push(format!("and {} more of the kind", self.more));
        }
        self.kept
    }
}

enum Token<'t> {
    Word {
        text: &'t [u8],
        at: usize,
    },
    Open,
    Close(usize),
    /// In brackets: a condition on the platform.
    Condition(usize),
}

/// Converts text to UTF-8: UTF-16 with a byte order mark is converted, and the mark of UTF-8 is skipped.
pub(super) fn decoded(bytes: &[u8]) -> Cow<'_, [u8]> {
    if let Some(wide) = bytes.strip_prefix(&[0xFF, 0xFE]) {
        let units = wide.chunks_exact(2).map(|unit| match unit {
            [low, high] => u16::from_le_bytes([*low, *high]),
            _ => 0,
        });
        let text: String =
            char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        return Cow::Owned(text.into_bytes());
    }
    Cow::Borrowed(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes))
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        // The engine's text ends at the first NUL.
        let end = text.iter().position(|byte| *byte == 0).unwrap_or(text.len());
        let left = text.len().saturating_sub(end);
        let mut remarks = Remarks::default();
        if left > 1 {
            remarks.push(|| format!("the text ends at byte {end:#x} with a NUL, {left} bytes follow"));
        }
        let text = text.get(..end).unwrap_or_default();
        let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let lines = std::iter::once(0).chain(ends.map(|(at, _)| at.saturating_add(1))).collect();
        Self { text, at: 0, lines, remarks }
    }

    /// The first section of the text. Later ones are ignored by an import and not read.
    pub(super) fn root(&mut self) -> Result<Node<'t>> {
        let (name, at) = match self.token() {
            Some(Token::Word { text, at }) => (text, at),
            Some(_) => return Err(self.wrong(self.at, "a brace where the name of the text was expected")),
            None => return Err(self.wrong(self.at, "no section: the text is empty")),
        };
        if name.eq_ignore_ascii_case(b"#include") || name.eq_ignore_ascii_case(b"#base") {
            return Err(self.wrong(at, "it includes another file, which is not followed"));
        }
        match self.token() {
            Some(Token::Open) => {}
            Some(_) => return Err(self.wrong(self.at, "{ was expected after the name of the text")),
            None => return Err(self.wrong(self.at, "{ was expected, and the text ends")),
        }
        let body = self.section(1)?;
        if self.token().is_some() {
            let place = self.place(self.at);
            self.remarks.push(|| format!("further sections before {place} are ignored"));
        }
        Ok(Node { name, at, body })
    }

    fn section(&mut self, depth: usize) -> Result<Body<'t>> {
        let mut nodes = Vec::new();
        loop {
            let (name, at) = match self.token() {
                None => return Ok(Body::Section { nodes, closed: false }),
                Some(Token::Close(_)) => return Ok(Body::Section { nodes, closed: true }),
                Some(Token::Open) => return Err(self.wrong(self.at, "{ where a name was expected")),
                Some(Token::Condition(at)) => return Err(self.wrong(at, "a condition without a name")),
                Some(Token::Word { text: [], at }) => return Err(self.wrong(at, "a name that is empty")),
                Some(Token::Word { text, at }) => (text, at),
            };
            let mut token = self.token();
            if let Some(Token::Condition(at)) = token {
                self.conditional(at);
                token = self.token();
            }
            let body = match token {
                Some(Token::Open) if depth >= DEEPEST => {
                    return Err(self.wrong(self.at, "sections nested deeper than 100"));
                }
                Some(Token::Open) => self.section(depth.saturating_add(1))?,
                Some(Token::Word { text, at }) => {
                    let before = self.at;
                    match self.token() {
                        Some(Token::Condition(at)) => self.conditional(at),
                        _ => self.at = before,
                    }
                    Body::Value(text, at)
                }
                Some(Token::Close(at) | Token::Condition(at)) => {
                    return Err(self.wrong(at, "a value was expected here"));
                }
                // The text was truncated in the middle of an entry.
                None => return Ok(Body::Section { nodes, closed: false }),
            };
            let open = matches!(body, Body::Section { closed: false, .. });
            nodes.push(Node { name, at, body });
            if open {
                return Ok(Body::Section { nodes, closed: false });
            }
        }
    }

    #[cold]
    fn conditional(&mut self, at: usize) {
        let place = self.place(at);
        self.remarks.push(|| format!("the condition at {place} is not asked: its entry is kept"));
    }

    fn rest(&self) -> &'t [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Takes the next word, brace or condition; `None` at the end.
    fn token(&mut self) -> Option<Token<'t>> {
        loop {
            let rest = self.rest();
            let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == 0x0B).count();
            self.skip(blank);
            if !self.rest().starts_with(b"//") {
                break;
            }
            let line = self.rest().iter().take_while(|byte| **byte != b'\n').count();
            self.skip(line);
        }
        let at = self.at;
        match self.rest() {
            [] => None,
            [b'{', ..] => {
                self.skip(1);
                Some(Token::Open)
            }
            [b'}', ..] => {
                self.skip(1);
                Some(Token::Close(at))
            }
            [b'"', inner @ ..] => {
                let len = inner.iter().take_while(|byte| **byte != b'"').count();
                // Past both quotes.
                self.skip(len.saturating_add(2));
                // An unclosed quote means that the text was truncated.
                if len == inner.len() { None } else { self.word(inner.get(..len).unwrap_or_default(), at) }
            }
            bare => {
                let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(*byte, b'"' | b'{' | b'}');
                let len = bare.iter().position(ends).unwrap_or(bare.len());
                self.skip(len.max(1));
                let text = bare.get(..len).unwrap_or_default();
                if text.starts_with(b"[") { Some(Token::Condition(at)) } else { self.word(text, at) }
            }
        }
    }

    fn word(&mut self, text: &'t [u8], at: usize) -> Option<Token<'t>> {
        if text.len() > LONGEST {
            let place = self.place(at);
            self.remarks.push(|| format!("{} bytes at {place}, the engine keeps {LONGEST}", text.len()));
        }
        Some(Token::Word { text: text.get(..LONGEST).unwrap_or(text), at })
    }

    fn skip(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes).min(self.text.len());
    }

    /// Line and column, both from 1. A column counts characters, on a line of sensible length.
    pub(super) fn place(&self, at: usize) -> String {
        const LONG: usize = 4096;
        let line = self.lines.partition_point(|start| *start <= at);
        let start = self.lines.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let before = self.text.get(start..at.min(self.text.len())).unwrap_or_default();
        let column =
            if before.len() > LONG { before.len() } else { String::from_utf8_lossy(before).chars().count() };
        format!("line {line}, column {}", column.saturating_add(1))
    }

    #[cold]
    pub(super) fn wrong(&self, at: usize, why: &str) -> Error {
        Error::invalid("text", format!("{}: {why}", self.place(at))).at(at as u64)
    }
}
