//! Records of fixed size. One list of fields gives a record its layout, its getters and its description.

use serde::ser::{Serialize, SerializeStruct, Serializer};
use zerocopy::byteorder::little_endian::{F32, I16, I32, U16, U32};

/// Defines records exactly as they lie in a file: fields in order, little-endian, alignment 1, no padding. The stated size is
/// compared with the fields at compile time. Fields are private. What follows the type of a field makes a getter with the
/// comment of the field and the visibility of the record:
///
/// | field | getter |
/// |---|---|
/// | `x: F32` | none |
/// | `x: F32 => f32` | `fn x(&self) -> f32` |
/// | `links as link_count: u8 => usize` | `fn link_count(&self) -> usize` |
/// | `flags: U16 as FaceFlags` | `fn flags(&self) -> FaceFlags`: a type around a number |
/// | `box: Bounds => &Bounds` | `fn box(&self) -> &Bounds` |
///
/// `pub Vertex[12]: Serialize { … }` serialises the getters, in order, under their names. `: Row` makes the same values
/// available to a row of a dump that has further ones. Each record implements [`Record`], the list of its fields.
///
/// ```text
/// record! {
///     /// A vertex. 12 bytes.
///     pub Vertex[12] {
///         /// Where it is, metres.
///         position: [F32; 3] => [f32; 3],
///     }
/// }
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! record {
    ($($(#[$meta:meta])* $vis:vis $name:ident[$size:literal] $(: $row:ident)? { $($fields:tt)* })*) => { $(
        $crate::record! { @record [$(#[$meta])*] [$vis] $name $size [$($row)?] { $($fields)* } }
    )* };
    (@record $meta:tt $vis:tt $name:ident $size:literal [$($row:ident)?] $fields:tt) => {
        $crate::record! { @layout $meta $vis $name $size $fields }
        $crate::record! { @getters $vis $name $fields }
        $crate::record! { @fields $name $fields }
        $crate::record! { @row [$($row)?] $name $fields }
    };
    (@row [] $name:ident $fields:tt) => {};
    (@layout [$($meta:tt)*] [$vis:vis] $name:ident $size:literal {
        $($(#[$doc:meta])* $field_vis:vis $field:ident $(as $get:ident)? : $stored:ty $(=> $value:ty)? $(as $named:ident)?),* $(,)?
    }) => {
        $($meta)*
        #[derive(
            zerocopy::FromBytes, zerocopy::IntoBytes, zerocopy::KnownLayout, zerocopy::Immutable,
            zerocopy::Unaligned, Clone, Copy, Debug, PartialEq, Eq, Default,
        )]
        #[repr(C)]
        $vis struct $name { $($(#[$doc])* $field_vis $field: $stored),* }
        const _: () = assert!(size_of::<$name>() == $size && align_of::<$name>() == 1);
    };
    (@getters [$vis:vis] $name:ident {
        $($(#[$doc:meta])* $field_vis:vis $field:ident $(as $get:ident)? : $stored:ty $(=> $value:ty)? $(as $named:ident)?),* $(,)?
    }) => {
        impl $name { $(
            $crate::record! {
                @getter [$(#[$doc])*] [$vis] $field [$($get)?] [$(=> $value)? $(as $named)?]
            }
        )* }
    };
    (@getter $doc:tt $vis:tt $field:ident $get:tt []) => {};
    (@getter $doc:tt $vis:tt $field:ident [] $type:tt) => {
        $crate::record! { @getter $doc $vis $field [$field] $type }
    };
    (@getter [$($doc:tt)*] [$vis:vis] $field:ident [$get:ident] [=> $value:ty]) => {
        $($doc)*
        #[inline]
        $vis fn $get(&self) -> $value {
            $crate::format::Stored::<$value>::value(&self.$field)
        }
    };
    (@getter [$($doc:tt)*] [$vis:vis] $field:ident [$get:ident] [as $named:ident]) => {
        $($doc)*
        #[inline]
        $vis fn $get(&self) -> $named {
            $named($crate::format::Stored::value(&self.$field))
        }
    };
    (@fields $name:ident {
        $($(#[doc = $doc:literal])* $field_vis:vis $field:ident $(as $get:ident)? : $stored:ty $(=> $value:ty)? $(as $named:ident)?),* $(,)?
    }) => {
        impl $crate::format::Shaped for $name {
            const SHAPE: $crate::format::Shape = $crate::format::Shape::Record(<Self as $crate::format::Record>::FIELDS);
        }
        impl $crate::format::Record for $name {
            const FIELDS: &'static [$crate::format::Field] = &[$(
                $crate::format::Field::new(
                    stringify!($field),
                    std::mem::offset_of!(Self, $field),
                    <$stored as $crate::format::Shaped>::SHAPE,
                    concat!($($doc, "\n"),*),
                )
            ),*];
        }
    };
    (@row [Serialize] $name:ident $fields:tt) => {
        $crate::record! { @row [Row] $name $fields }
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
                $crate::format::serialize_row(stringify!($name), self, serializer)
            }
        }
    };
    (@row [Row] $name:ident {
        $($(#[$doc:meta])* $field_vis:vis $field:ident $(as $get:ident)? : $stored:ty $(=> $value:ty)? $(as $named:ident)?),* $(,)?
    }) => {
        impl $crate::format::Row for $name {
            const LEN: usize = 0 $(+ $crate::record! { @len [$($value)? $($named)?] })*;

            fn put<S: serde::ser::SerializeStruct>(&self, out: &mut S) -> std::result::Result<(), S::Error> {
                $( $crate::record! { @put self out $field [$($get)?] [$($value)? $($named)?] } )*
                Ok(())
            }
        }
    };
    (@len []) => { 0 };
    (@len $type:tt) => { 1 };
    (@put $this:ident $out:ident $field:ident $get:tt []) => {};
    (@put $this:ident $out:ident $field:ident [] $type:tt) => {
        $out.serialize_field(stringify!($field), &$this.$field())?;
    };
    (@put $this:ident $out:ident $field:ident [$get:ident] $type:tt) => {
        $out.serialize_field(stringify!($get), &$this.$get())?;
    };
}

/// A stored value that is read as a `T`; getters of records call it. Arrays are written out, because each `map` with a closure
/// would be compiled anew.
#[doc(hidden)]
pub trait Stored<T> {
    fn value(self) -> T;
}

/// Makes the stored value of a number.
#[doc(hidden)]
pub trait Store<T> {
    fn store(self) -> T;
}

/// As stored: bytes, ids, records.
impl<T: Copy> Stored<T> for &T {
    #[inline(always)]
    fn value(self) -> T {
        *self
    }
}

/// In place.
impl<'a, T> Stored<&'a T> for &'a T {
    #[inline(always)]
    fn value(self) -> &'a T {
        self
    }
}

/// A count of one byte.
impl Stored<usize> for &u8 {
    #[inline(always)]
    fn value(self) -> usize {
        usize::from(*self)
    }
}

/// A count of two bytes.
impl Stored<usize> for &U16 {
    #[inline(always)]
    fn value(self) -> usize {
        usize::from(self.get())
    }
}

/// Bits that are stored as a signed number.
impl Stored<u32> for &I32 {
    #[inline(always)]
    fn value(self) -> u32 {
        self.get().cast_unsigned()
    }
}

macro_rules! stored {
    ($($stored:ident => $number:ident $shape:ident: $($([$($part:ident)+])+)?;)+) => { $(
        impl Stored<$number> for &$stored {
            #[inline(always)]
            fn value(self) -> $number {
                self.get()
            }
        }
        impl Shaped for $stored {
            const SHAPE: Shape = Shape::Number(Number::$shape);
        }
        $($(
            impl Stored<[$number; [$(stringify!($part)),+].len()]> for &[$stored; [$(stringify!($part)),+].len()] {
                #[inline(always)]
                fn value(self) -> [$number; [$(stringify!($part)),+].len()] {
                    let [$($part),+] = self;
                    [$($part.get()),+]
                }
            }
            impl Store<[$stored; [$(stringify!($part)),+].len()]> for [$number; [$(stringify!($part)),+].len()] {
                #[inline(always)]
                fn store(self) -> [$stored; [$(stringify!($part)),+].len()] {
                    let [$($part),+] = self;
                    [$($part.into()),+]
                }
            }
        )+)?
    )+ };
}

stored! {
    F32 => f32 F32: [a b] [a b c] [a b c d] [a b c d e f g h i j k l];
    I16 => i16 I16: [a b c d e];
    I32 => i32 I32: [a b] [a b c];
    U16 => u16 U16: [a b] [a b c] [a b c d e f];
    U32 => u32 U32: [a b] [a b c] [a b c d e];
}

/// The numbers that records are made of, little-endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Number {
    /// A byte.
    U8,
    /// Two bytes without a sign.
    U16,
    /// Four bytes without a sign.
    U32,
    /// Two bytes with a sign.
    I16,
    /// Four bytes with a sign.
    I32,
    /// A float of four bytes.
    F32,
}

/// What lies in a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// A number.
    Number(Number),
    /// Several values, one after the other.
    Array(&'static Self, usize),
    /// A record.
    Record(&'static [Field]),
}

/// A field of a record: what it is called, where it lies, and what it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Field {
    /// The name of its getter in most cases. Bits that several getters share have a name of their own.
    pub name: &'static str,
    /// Bytes before it.
    pub offset: usize,
    /// What lies there.
    pub shape: Shape,
    /// What it means, with its unit, in Markdown. Empty if the record's own comment says it.
    pub docs: &'static str,
}

impl Field {
    #[doc(hidden)]
    pub const fn new(name: &'static str, offset: usize, shape: Shape, docs: &'static str) -> Self {
        Self { name, offset, shape, docs: docs.trim_ascii() }
    }

    /// The fields as columns: a name, the numbers that it holds, and how many. Records in records are replaced by their own
    /// fields, and a point (`x`, `y`, `z` of one type) is three numbers under the name of its field.
    pub fn columns(fields: &'static [Self]) -> Vec<(&'static str, Number, usize)> {
        let mut columns = Vec::new();
        push_columns(fields, &mut columns);
        columns
    }
}

/// The recursion ends, because a record cannot contain itself.
fn push_columns(fields: &'static [Field], columns: &mut Vec<(&'static str, Number, usize)>) {
    for field in fields {
        match (field.shape.numbers(), field.shape) {
            (Some((number, count)), _) => columns.push((field.name, number, count)),
            (None, Shape::Record(fields)) => push_columns(fields, columns),
            (None, _) => (),
        }
    }
}

impl Shape {
    /// For a field of equal numbers, the number and how many: `F32` and 3 for a point.
    pub fn numbers(&self) -> Option<(Number, usize)> {
        match *self {
            Self::Number(number) => Some((number, 1)),
            Self::Array(of, count) => of.numbers().map(|(number, each)| (number, each.saturating_mul(count))),
            Self::Record([x, y, z]) if [x.name, y.name, z.name] == ["x", "y", "z"] => match x.shape {
                Self::Number(number) if y.shape == x.shape && z.shape == x.shape => Some((number, 3)),
                _ => None,
            },
            Self::Record(_) => None,
        }
    }
}

/// A type that a field may have.
#[doc(hidden)]
pub trait Shaped {
    const SHAPE: Shape;
}

impl Shaped for u8 {
    const SHAPE: Shape = Shape::Number(Number::U8);
}

impl<T: Shaped, const N: usize> Shaped for [T; N] {
    const SHAPE: Shape = Shape::Array(&T::SHAPE, N);
}

/// A record of fixed size, as it lies in a file: little-endian, no padding.
pub trait Record {
    /// Its fields, in file order.
    const FIELDS: &'static [Field];
}

/// A record as named values: its getters, in order.
#[doc(hidden)]
pub trait Row {
    /// How many values.
    const LEN: usize;

    /// Writes the values. A row that has more than the record puts its own before or after them.
    ///
    /// # Errors
    /// Those of the serialiser.
    fn put<S: SerializeStruct>(&self, out: &mut S) -> Result<(), S::Error>;
}

/// The values of a record and nothing else.
#[doc(hidden)]
pub fn serialize_row<T: Row, S: Serializer>(
    name: &'static str,
    row: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut out = serializer.serialize_struct(name, T::LEN)?;
    row.put(&mut out)?;
    out.end()
}

/// A record with its index in front.
#[doc(hidden)]
#[derive(Debug)]
pub struct Numbered<'a, T>(pub usize, pub &'a T);

impl<'a, T> From<(usize, &'a T)> for Numbered<'a, T> {
    fn from((index, record): (usize, &'a T)) -> Self {
        Self(index, record)
    }
}

impl<T: Row> Serialize for Numbered<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Numbered", T::LEN.saturating_add(1))?;
        out.serialize_field("index", &self.0)?;
        self.1.put(&mut out)?;
        out.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zerocopy::FromBytes;

    #[derive(Debug, PartialEq)]
    struct Bits(u32);

    record! {
        Inner[12] { x: U16 => u16, y: U16, z: U16, pair: [U16; 2] => [u16; 2], wide: U16 => usize }
        /// A record of every kind of field.
        Outer[48] {
            /// Where it
            /// is, metres.
            at: crate::format::Vector => [f32; 3],
            inner: Inner => &Inner,
            flags as stored_flags: I32 as Bits,
            counts: [[u8; 2]; 4] => [[u8; 2]; 4],
            before: I32 => i32,
            /// A byte each.
            name: [u8; 8] => &[u8; 8],
        }
    }

    #[test]
    fn getters_read_their_fields() {
        let mut bytes = [0; 48];
        for (at, byte) in (1..).zip(&mut bytes) {
            *byte = at;
        }
        let outer = Outer::ref_from_bytes(&bytes).unwrap();
        assert_eq!(outer.at(), [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]].map(f32::from_le_bytes));
        assert_eq!((outer.inner().x(), outer.inner().pair()), (0x0E0D, [0x1413, 0x1615]));
        assert_eq!(outer.inner().wide(), 0x1817);
        assert_eq!(outer.stored_flags(), Bits(0x1C1B_1A19));
        assert_eq!(outer.counts(), [[29, 30], [31, 32], [33, 34], [35, 36]]);
        assert_eq!((outer.before(), outer.name()), (0x2827_2625, &[41, 42, 43, 44, 45, 46, 47, 48]));
        assert_eq!([1.0_f32, 2.0, 3.0].store(), [1.0, 2.0, 3.0].map(F32::from));
    }

    #[test]
    fn the_list_of_fields_tells_where_and_what_they_are() {
        let places: Vec<_> = Outer::FIELDS.iter().map(|field| (field.name, field.offset)).collect();
        let expected =
            [("at", 0), ("inner", 12), ("flags", 24), ("counts", 28), ("before", 36), ("name", 40)];
        assert_eq!(places, expected);
        assert_eq!(Outer::FIELDS[0].docs, "Where it\n is, metres.");
        assert_eq!(Outer::FIELDS[1].docs, "");
        assert_eq!(Outer::FIELDS[3].shape.numbers(), Some((Number::U8, 8)));
        // A point is one column; a record that is none is told field by field.
        let columns = [
            ("at", Number::F32, 3),
            ("x", Number::U16, 1),
            ("y", Number::U16, 1),
            ("z", Number::U16, 1),
            ("pair", Number::U16, 2),
            ("wide", Number::U16, 1),
            ("flags", Number::I32, 1),
            ("counts", Number::U8, 8),
            ("before", Number::I32, 1),
            ("name", Number::U8, 8),
        ];
        assert_eq!(Field::columns(Outer::FIELDS), columns);
    }
}
