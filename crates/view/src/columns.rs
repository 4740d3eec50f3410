//! Columns of numbers, one behind the other.

use serde::Serialize;
use serde_json::{Value, json};

/// Columns that are fetched together.
#[derive(Debug, Clone, Default)]
pub struct Part {
    bytes: Vec<u8>,
    columns: Vec<Column>,
    /// What the next columns have numbers for.
    per: Option<Per>,
}

/// What a column has numbers for, chunk after chunk.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Per {
    Node,
    /// Three numbers each.
    Corner,
    Link,
    /// Two ends of three numbers.
    Path,
}

impl Per {
    /// How many numbers there are for each.
    fn numbers(self) -> usize {
        match self {
            Self::Node | Self::Link => 1,
            Self::Corner => 3,
            Self::Path => 6,
        }
    }
}

/// How many nodes, corners, links and paths come before a chunk.
pub(super) type Before = [u32; 4];

/// Where a column lies in its part.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Column {
    name: String,
    /// `u8`, `u16`, `u32` or `f32`.
    kind: &'static str,
    /// Whether it is divided into chunks.
    #[serde(skip_serializing_if = "Option::is_none")]
    per: Option<Per>,
    /// In bytes.
    offset: usize,
    /// In numbers.
    length: usize,
}

impl Part {
    /// The columns, each at a multiple of 4 bytes, little-endian.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A number that tells two contents apart, so that nobody fetches the same ones twice.
    pub(super) fn mark(&self) -> u64 {
        mixed(0, &self.bytes)
    }

    /// The next columns have numbers for these.
    pub(super) fn per(&mut self, per: Per) {
        self.per = Some(per);
    }

    /// The columns that are divided into chunks, of one of them: from what comes before it to what comes before the next.
    fn of_chunk(&self, from: Before, to: Before) -> impl Iterator<Item = (&Column, &[u8])> {
        self.columns.iter().filter_map(move |column| {
            let per = column.per?;
            let wide = column.size() * per.numbers();
            let [start, end] = [from, to].map(|before| column.offset + before[per as usize] as usize * wide);
            Some((column, self.bytes.get(start..end)?))
        })
    }

    /// The mark of what a chunk has here, on top of that of other parts.
    pub(super) fn mark_of_chunk(&self, mark: u64, from: Before, to: Before) -> u64 {
        self.of_chunk(from, to).fold(mark, |mark, (_, bytes)| mixed(mark, bytes))
    }

    /// Appends what a chunk has in another part.
    pub(super) fn take_chunk(&mut self, of: &Self, from: Before, to: Before) {
        for (column, bytes) in of.of_chunk(from, to) {
            self.per = column.per;
            self.column(column.name.clone(), column.kind, column.size(), |own| own.extend_from_slice(bytes));
        }
    }

    pub(super) fn columns(&self) -> &[Column] {
        &self.columns
    }

    pub(super) fn bytes8(&mut self, name: impl Into<String>, values: impl IntoIterator<Item = u8>) {
        self.column(name.into(), "u8", 1, |bytes| bytes.extend(values));
    }

    pub(super) fn words(&mut self, name: impl Into<String>, values: impl IntoIterator<Item = u32>) {
        self.column(name.into(), "u32", 4, |bytes| {
            values.into_iter().for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()));
        });
    }

    pub(super) fn floats(&mut self, name: impl Into<String>, values: impl IntoIterator<Item = f32>) {
        self.column(name.into(), "f32", 4, |bytes| {
            values.into_iter().for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()));
        });
    }

    /// Numbers below `end`, in as few bytes as hold them. `None` is the greatest number of the type.
    pub(super) fn numbers(
        &mut self,
        name: impl Into<String>,
        end: usize,
        values: impl Iterator<Item = Option<u32>>,
    ) {
        let name = name.into();
        if end <= usize::from(u8::MAX) {
            return self.bytes8(name, values.map(|value| value.map_or(u8::MAX, |value| value as u8)));
        }
        if end > usize::from(u16::MAX) {
            return self.words(name, values.map(|value| value.unwrap_or(u32::MAX)));
        }
        self.column(name, "u16", 2, |bytes| {
            let values = values.map(|value| value.map_or(u16::MAX, |value| value as u16));
            values.for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()));
        });
    }

    /// One block of bytes that stands alone: the length of a head in JSON (4 bytes, little-endian), the head with the columns in it,
    /// blanks up to a multiple of 4, and the columns.
    pub(super) fn block(&self, mut head: Value) -> Vec<u8> {
        head["columns"] = json!(self.columns);
        let mut head = head.to_string();
        while !head.len().is_multiple_of(4) {
            head.push(' ');
        }
        let mut bytes = (head.len() as u32).to_le_bytes().to_vec();
        bytes.extend_from_slice(head.as_bytes());
        bytes.extend_from_slice(&self.bytes);
        bytes
    }

    /// The bytes in an order that packs better: of whole numbers how far each is from the one before, all lowest bytes first;
    /// of triples of floats first all of the first.
    pub(super) fn arranged(&self) -> Vec<u8> {
        let mut arranged = Vec::with_capacity(self.bytes.len());
        for (number, Column { kind, offset, length, .. }) in self.columns.iter().enumerate() {
            let end = self.columns.get(number + 1).map_or(self.bytes.len(), |next| next.offset);
            let (lanes, _) = self.bytes[*offset..end].as_chunks::<4>();
            match *kind {
                "u32" => {
                    let words = lanes.iter().map(|lane| u32::from_le_bytes(*lane));
                    let steps: Vec<[u8; 4]> = words
                        .scan(0, |before, word| {
                            let step = word.wrapping_sub(*before) as i32;
                            *before = word;
                            Some((step << 1 ^ step >> 31).to_le_bytes())
                        })
                        .collect();
                    (0..4).for_each(|byte| arranged.extend(steps.iter().map(|step| step[byte])));
                }
                "f32" if length.is_multiple_of(3) => {
                    (0..3).for_each(|axis| arranged.extend(lanes.iter().skip(axis).step_by(3).flatten()));
                }
                _ => arranged.extend_from_slice(&self.bytes[*offset..end]),
            }
        }
        arranged
    }

    fn column(&mut self, name: String, kind: &'static str, size: usize, fill: impl FnOnce(&mut Vec<u8>)) {
        let offset = self.bytes.len();
        fill(&mut self.bytes);
        let length = (self.bytes.len() - offset) / size;
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.columns.push(Column { name, kind, per: self.per, offset, length });
    }
}

impl Column {
    /// The bytes of a number.
    fn size(&self) -> usize {
        match self.kind {
            "u8" => 1,
            "u16" => 2,
            _ => 4,
        }
    }
}

/// A mark that depends on these bytes as well.
fn mixed(mark: u64, bytes: &[u8]) -> u64 {
    let (lanes, rest) = bytes.as_chunks::<4>();
    let rest = rest.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
    let words = lanes.iter().map(|lane| u32::from_le_bytes(*lane)).chain([rest, bytes.len() as u32]);
    words.fold(mark, |mark, word| {
        let mixed = (mark ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ mixed >> 29
    })
}
