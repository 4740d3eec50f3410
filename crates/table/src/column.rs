//! Columns in memory: plain vectors of the file's own types, and which rows are null.

use super::geometry::{Geometries, Geometry};
use std::collections::HashMap;
use std::sync::Arc;

/// The type of a column: that of the field in the file, so that nothing is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Type {
    /// True or false.
    Bool,
    /// 8 bits, unsigned.
    U8,
    /// 16 bits, unsigned.
    U16,
    /// 16 bits, signed.
    I16,
    /// 32 bits, unsigned.
    U32,
    /// 32 bits, signed.
    I32,
    /// 64 bits, unsigned.
    U64,
    /// A float of 32 bits, bit for bit.
    F32,
    /// Text. The texts of one batch are kept once each.
    Text,
    /// 16 bytes with a meaning known only to their maker.
    Bytes16,
    /// A point or a polygon with heights, seen from above: well-known binary, in texts well-known text.
    Geometry,
}

impl Type {
    /// Every type.
    pub const ALL: [Self; 11] = [
        Self::Bool,
        Self::U8,
        Self::U16,
        Self::I16,
        Self::U32,
        Self::I32,
        Self::U64,
        Self::F32,
        Self::Text,
        Self::Bytes16,
        Self::Geometry,
    ];

    /// `bool`, `uint8`, `uint16`, `int16`, `uint32`, `int32`, `uint64`, `float32`, `text`, `bytes16`, `geometry`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::U8 => "uint8",
            Self::U16 => "uint16",
            Self::I16 => "int16",
            Self::U32 => "uint32",
            Self::I32 => "int32",
            Self::U64 => "uint64",
            Self::F32 => "float32",
            Self::Text => "text",
            Self::Bytes16 => "bytes16",
            Self::Geometry => "geometry",
        }
    }
}

/// The texts of a column, each once.
#[derive(Debug, Clone, Default)]
pub struct Dictionary {
    texts: Vec<Arc<str>>,
    keys: HashMap<Arc<str>, u32>,
    /// The address and length of the last text, and its key: most rows repeat the text before them.
    last: Option<(usize, usize, u32)>,
}

impl Dictionary {
    /// The texts, in the order of their keys.
    pub fn texts(&self) -> &[Arc<str>] {
        &self.texts
    }

    fn key(&mut self, text: &str) -> u32 {
        let place = (text.as_ptr() as usize, text.len());
        if let Some((at, len, key)) = self.last
            && (at, len) == place
            && self.texts.get(key as usize).is_some_and(|known| **known == *text)
        {
            return key;
        }
        let key = match self.keys.get(text) {
            Some(key) => *key,
            None => {
                let (key, text) = (self.texts.len() as u32, Arc::<str>::from(text));
                self.texts.push(Arc::clone(&text));
                self.keys.insert(text, key);
                key
            }
        };
        self.last = Some((place.0, place.1, key));
        key
    }

    fn clear(&mut self) {
        self.texts.clear();
        self.keys.clear();
        self.last = None;
    }
}

/// The values of a column. Nulls have a value too, which is meaningless.
#[derive(Debug, Clone)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum Values {
    Bool(Vec<bool>),
    U8(Vec<u8>),
    U16(Vec<u16>),
    I16(Vec<i16>),
    U32(Vec<u32>),
    I32(Vec<i32>),
    U64(Vec<u64>),
    F32(Vec<f32>),
    /// Keys of the dictionary.
    Text(Vec<u32>, Dictionary),
    Bytes16(Vec<[u8; 16]>),
    Geometry(Geometries),
}

impl Values {
    fn new(kind: Type) -> Self {
        match kind {
            Type::Bool => Self::Bool(Vec::new()),
            Type::U8 => Self::U8(Vec::new()),
            Type::U16 => Self::U16(Vec::new()),
            Type::I16 => Self::I16(Vec::new()),
            Type::U32 => Self::U32(Vec::new()),
            Type::I32 => Self::I32(Vec::new()),
            Type::U64 => Self::U64(Vec::new()),
            Type::F32 => Self::F32(Vec::new()),
            Type::Text => Self::Text(Vec::new(), Dictionary::default()),
            Type::Bytes16 => Self::Bytes16(Vec::new()),
            Type::Geometry => Self::Geometry(Geometries::default()),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Bool(values) => size_of_val(values.as_slice()),
            Self::U8(values) => size_of_val(values.as_slice()),
            Self::U16(values) => size_of_val(values.as_slice()),
            Self::I16(values) => size_of_val(values.as_slice()),
            Self::U32(values) => size_of_val(values.as_slice()),
            Self::I32(values) => size_of_val(values.as_slice()),
            Self::U64(values) => size_of_val(values.as_slice()),
            Self::F32(values) => size_of_val(values.as_slice()),
            Self::Text(keys, _) => size_of_val(keys.as_slice()),
            Self::Bytes16(values) => size_of_val(values.as_slice()),
            Self::Geometry(geometries) => geometries.bytes(),
        }
    }

    /// Reserves room for as many values as another column of the same type has.
    fn reserve_as(&mut self, other: &Self) {
        match (self, other) {
            (Self::Bool(values), Self::Bool(as_long)) => values.reserve(as_long.len()),
            (Self::U8(values), Self::U8(as_long)) => values.reserve(as_long.len()),
            (Self::U16(values), Self::U16(as_long)) => values.reserve(as_long.len()),
            (Self::I16(values), Self::I16(as_long)) => values.reserve(as_long.len()),
            (Self::U32(values), Self::U32(as_long)) => values.reserve(as_long.len()),
            (Self::I32(values), Self::I32(as_long)) => values.reserve(as_long.len()),
            (Self::U64(values), Self::U64(as_long)) => values.reserve(as_long.len()),
            (Self::F32(values), Self::F32(as_long)) => values.reserve(as_long.len()),
            (Self::Text(keys, _), Self::Text(as_long, _)) => keys.reserve(as_long.len()),
            (Self::Bytes16(values), Self::Bytes16(as_long)) => values.reserve(as_long.len()),
            (Self::Geometry(geometries), Self::Geometry(as_long)) => geometries.reserve_as(as_long),
            _ => debug_assert!(false, "columns of two types"),
        }
    }

    /// Adds the values of another column of the same type.
    fn append(&mut self, other: &Self) {
        match (self, other) {
            (Self::Bool(values), Self::Bool(more)) => values.extend_from_slice(more),
            (Self::U8(values), Self::U8(more)) => values.extend_from_slice(more),
            (Self::U16(values), Self::U16(more)) => values.extend_from_slice(more),
            (Self::I16(values), Self::I16(more)) => values.extend_from_slice(more),
            (Self::U32(values), Self::U32(more)) => values.extend_from_slice(more),
            (Self::I32(values), Self::I32(more)) => values.extend_from_slice(more),
            (Self::U64(values), Self::U64(more)) => values.extend_from_slice(more),
            (Self::F32(values), Self::F32(more)) => values.extend_from_slice(more),
            (Self::Text(keys, dictionary), Self::Text(more, texts)) => {
                let text = |key: &u32| texts.texts.get(*key as usize);
                keys.extend(more.iter().map(|key| text(key).map_or(0, |text| dictionary.key(text))));
            }
            (Self::Bytes16(values), Self::Bytes16(more)) => values.extend_from_slice(more),
            (Self::Geometry(geometries), Self::Geometry(more)) => geometries.append(more),
            _ => debug_assert!(false, "columns of two types"),
        }
    }

    fn clear(&mut self) {
        match self {
            Self::Bool(values) => values.clear(),
            Self::U8(values) => values.clear(),
            Self::U16(values) => values.clear(),
            Self::I16(values) => values.clear(),
            Self::U32(values) => values.clear(),
            Self::I32(values) => values.clear(),
            Self::U64(values) => values.clear(),
            Self::F32(values) => values.clear(),
            Self::Text(keys, dictionary) => {
                keys.clear();
                dictionary.clear();
            }
            Self::Bytes16(values) => values.clear(),
            Self::Geometry(geometries) => geometries.clear(),
        }
    }
}

/// One value of a table.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum Value<'v> {
    Null,
    Bool(bool),
    /// A whole number of up to 32 bits, signed or not.
    Int(i64),
    /// A whole number of 64 bits.
    Wide(u64),
    F32(f32),
    Text(&'v str),
    Bytes(&'v [u8; 16]),
    /// A shape in well-known binary.
    Geometry(&'v [u8]),
}

/// One column of a batch.
#[derive(Debug, Clone)]
pub struct Column {
    kind: Type,
    nullable: bool,
    wanted: bool,
    values: Values,
    /// Whether each row has a value; empty for a column that is never null.
    valid: Vec<bool>,
}

impl Column {
    pub(super) fn new(kind: Type, nullable: bool, wanted: bool) -> Self {
        Self { kind, nullable, wanted, values: Values::new(kind), valid: Vec::new() }
    }

    /// Whether the column was requested. If not, it is empty.
    pub fn is_wanted(&self) -> bool {
        self.wanted
    }

    /// The values, one per row of the batch if the column is wanted.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Whether each row has a value. `None` for a column that is never null.
    pub fn valid(&self) -> Option<&[bool]> {
        self.nullable.then_some(&self.valid)
    }

    /// Takes values and validity out, and leaves an empty column.
    pub fn take(&mut self) -> (Values, Option<Vec<bool>>) {
        let values = std::mem::replace(&mut self.values, Values::new(self.kind));
        (values, self.nullable.then(|| std::mem::take(&mut self.valid)))
    }

    /// The value of a row. Null past the end, and for a column that was not requested.
    #[inline]
    pub fn get(&self, row: usize) -> Value<'_> {
        fn or_null<T: Copy>(
            values: &[T],
            row: usize,
            make: impl FnOnce(T) -> Value<'static>,
        ) -> Value<'static> {
            values.get(row).map_or(Value::Null, |value| make(*value))
        }
        if self.nullable && !self.valid.get(row).is_some_and(|valid| *valid) {
            return Value::Null;
        }
        match &self.values {
            Values::Bool(values) => or_null(values, row, Value::Bool),
            Values::U8(values) => or_null(values, row, |v| Value::Int(v.into())),
            Values::U16(values) => or_null(values, row, |v| Value::Int(v.into())),
            Values::I16(values) => or_null(values, row, |v| Value::Int(v.into())),
            Values::U32(values) => or_null(values, row, |v| Value::Int(v.into())),
            Values::I32(values) => or_null(values, row, |v| Value::Int(v.into())),
            Values::U64(values) => or_null(values, row, Value::Wide),
            Values::F32(values) => or_null(values, row, Value::F32),
            Values::Text(keys, dictionary) => {
                let text = keys.get(row).and_then(|key| dictionary.texts.get(*key as usize));
                text.map_or(Value::Null, |text| Value::Text(text))
            }
            Values::Bytes16(values) => values.get(row).map_or(Value::Null, Value::Bytes),
            Values::Geometry(geometries) => geometries.get(row).map_or(Value::Null, Value::Geometry),
        }
    }

    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.valid.clear();
    }

    /// Adds the values of another column of the same table.
    pub(super) fn append(&mut self, other: &Self) {
        self.values.append(&other.values);
        self.valid.extend_from_slice(&other.valid);
    }

    /// An empty column of the same type.
    pub(super) fn new_like(&self) -> Self {
        Self::new(self.kind, self.nullable, self.wanted)
    }

    /// The same with room for as many values.
    pub(super) fn new_as_long(&self) -> Self {
        let mut column = self.new_like();
        column.values.reserve_as(&self.values);
        column.valid.reserve(self.valid.len());
        column
    }

    /// The bytes of its values, texts not counted: most of these repeat.
    pub(super) fn bytes(&self) -> usize {
        self.values.bytes().saturating_add(self.valid.len())
    }

    #[inline]
    fn has_value(&mut self, yes: bool) {
        if self.nullable {
            self.valid.push(yes);
        }
    }
}

/// A value of a column. The schema derives type and nullability of a column from it.
pub(super) trait Cell {
    const TYPE: Type;
    const NULL: bool = false;
    fn put(self, column: &mut Column);
}

macro_rules! cells {
    ($($type:ty => $kind:ident $nothing:expr;)+) => { $(
        impl Cell for $type {
            const TYPE: Type = Type::$kind;
            #[inline]
            fn put(self, column: &mut Column) {
                if column.wanted && let Values::$kind(values) = &mut column.values {
                    values.push(self);
                    column.has_value(true);
                }
            }
        }

        impl Cell for Option<$type> {
            const TYPE: Type = Type::$kind;
            const NULL: bool = true;
            #[inline]
            fn put(self, column: &mut Column) {
                if column.wanted && let Values::$kind(values) = &mut column.values {
                    values.push(self.unwrap_or($nothing));
                    column.has_value(self.is_some());
                }
            }
        }
    )+ };
}

cells! {
    bool => Bool false;
    u8 => U8 0;
    u16 => U16 0;
    i16 => I16 0;
    u32 => U32 0;
    i32 => I32 0;
    u64 => U64 0;
    f32 => F32 0.0;
    [u8; 16] => Bytes16 [0; 16];
}

impl Cell for &str {
    const TYPE: Type = Type::Text;
    #[inline]
    fn put(self, column: &mut Column) {
        Some(self).put(column);
    }
}

impl Cell for Option<&str> {
    const TYPE: Type = Type::Text;
    const NULL: bool = true;
    #[inline]
    fn put(self, column: &mut Column) {
        if !column.wanted {
            return;
        }
        if let Values::Text(keys, dictionary) = &mut column.values {
            // A null has the key 0, which may not exist in the dictionary.
            keys.push(self.map_or(0, |text| dictionary.key(text)));
            column.has_value(self.is_some());
        }
    }
}

impl Cell for Option<Geometry<'_>> {
    const TYPE: Type = Type::Geometry;
    const NULL: bool = true;
    #[inline]
    fn put(self, column: &mut Column) {
        if column.wanted
            && let Values::Geometry(geometries) = &mut column.values
        {
            let is_shape = geometries.push(self);
            column.has_value(is_shape);
        }
    }
}
