//! Columns of numbers, one behind the other.

use serde::Serialize;
use serde_json::{Value, json};

/// Columns that are fetched together.
#[derive(Debug, Clone, Default)]
pub struct Part {
    bytes: Vec<u8>,
    columns: Vec<Column>,
}

/// Where a column lies in its part.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Column {
    name: String,
    /// `u8`, `u16`, `u32` or `f32`.
    kind: &'static str,
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
        let (lanes, _) = self.bytes.as_chunks::<4>();
        lanes.iter().fold(lanes.len() as u64, |mark, lane| {
            let mixed = (mark ^ u64::from(u32::from_le_bytes(*lane))).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            mixed ^ mixed >> 29
        })
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
        self.columns.push(Column { name, kind, offset, length });
    }
}
