//! Floats that are not finite, in formats without a word for them.
//!
//! JSON has neither NaN nor infinity, and writers print null for both, as if the file lacked the value. Through [`Reals`] they
//! become the texts `"NaN"`, `"Infinity"` and `"-Infinity"`.

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use std::fmt::Display;

/// Passes everything on, and floats that are not finite as text. Both the serialiser and the values it serialises are wrapped in
/// this type.
#[doc(hidden)]
#[derive(Debug)]
pub struct Reals<T>(pub T);

/// The text for a float that is not finite.
fn word(value: f64) -> Option<&'static str> {
    match value {
        _ if value.is_nan() => Some("NaN"),
        f64::INFINITY => Some("Infinity"),
        f64::NEG_INFINITY => Some("-Infinity"),
        _ => None,
    }
}

impl<T: Serialize + ?Sized> Serialize for Reals<&T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(Reals(serializer))
    }
}

macro_rules! plain {
    ($($name:ident($type:ty))*) => { $(
        fn $name(self, value: $type) -> Result<S::Ok, S::Error> {
            self.0.$name(value)
        }
    )* };
}

type Name = &'static str;

impl<S: Serializer> Serializer for Reals<S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Reals<S::SerializeSeq>;
    type SerializeTuple = Reals<S::SerializeTuple>;
    type SerializeTupleStruct = Reals<S::SerializeTupleStruct>;
    type SerializeTupleVariant = Reals<S::SerializeTupleVariant>;
    type SerializeMap = Reals<S::SerializeMap>;
    type SerializeStruct = Reals<S::SerializeStruct>;
    type SerializeStructVariant = Reals<S::SerializeStructVariant>;

    fn serialize_f32(self, value: f32) -> Result<S::Ok, S::Error> {
        match word(value.into()) {
            Some(word) => self.0.serialize_str(word),
            None => self.0.serialize_f32(value),
        }
    }

    fn serialize_f64(self, value: f64) -> Result<S::Ok, S::Error> {
        match word(value) {
            Some(word) => self.0.serialize_str(word),
            None => self.0.serialize_f64(value),
        }
    }

    plain! {
        serialize_bool(bool) serialize_char(char) serialize_str(&str) serialize_bytes(&[u8])
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_i128(i128)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64) serialize_u128(u128)
        serialize_unit_struct(Name)
    }

    fn serialize_none(self) -> Result<S::Ok, S::Error> {
        self.0.serialize_none()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        self.0.serialize_some(&Reals(value))
    }

    fn serialize_unit(self) -> Result<S::Ok, S::Error> {
        self.0.serialize_unit()
    }

    fn serialize_unit_variant(self, name: Name, index: u32, variant: Name) -> Result<S::Ok, S::Error> {
        self.0.serialize_unit_variant(name, index, variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: Name,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        self.0.serialize_newtype_struct(name, &Reals(value))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: Name,
        index: u32,
        variant: Name,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        self.0.serialize_newtype_variant(name, index, variant, &Reals(value))
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Self::SerializeSeq, S::Error> {
        self.0.serialize_seq(len).map(Reals)
    }

    fn serialize_tuple(self, len: usize) -> Result<Self::SerializeTuple, S::Error> {
        self.0.serialize_tuple(len).map(Reals)
    }

    fn serialize_tuple_struct(self, name: Name, len: usize) -> Result<Self::SerializeTupleStruct, S::Error> {
        self.0.serialize_tuple_struct(name, len).map(Reals)
    }

    fn serialize_tuple_variant(
        self,
        name: Name,
        index: u32,
        variant: Name,
        len: usize,
    ) -> Result<Self::SerializeTupleVariant, S::Error> {
        self.0.serialize_tuple_variant(name, index, variant, len).map(Reals)
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Self::SerializeMap, S::Error> {
        self.0.serialize_map(len).map(Reals)
    }

    fn serialize_struct(self, name: Name, len: usize) -> Result<Self::SerializeStruct, S::Error> {
        self.0.serialize_struct(name, len).map(Reals)
    }

    fn serialize_struct_variant(
        self,
        name: Name,
        index: u32,
        variant: Name,
        len: usize,
    ) -> Result<Self::SerializeStructVariant, S::Error> {
        self.0.serialize_struct_variant(name, index, variant, len).map(Reals)
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        self.0.collect_str(value)
    }

    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }
}

macro_rules! listed {
    ($($part:ident $name:ident)*) => { $(
        impl<S: $part> $part for Reals<S> {
            type Ok = S::Ok;
            type Error = S::Error;

            fn $name<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), S::Error> {
                self.0.$name(&Reals(value))
            }

            fn end(self) -> Result<S::Ok, S::Error> {
                self.0.end()
            }
        }
    )* };
}

listed! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
    SerializeTupleVariant serialize_field
}

macro_rules! named {
    ($($part:ident)*) => { $(
        impl<S: $part> $part for Reals<S> {
            type Ok = S::Ok;
            type Error = S::Error;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: Name, value: &T) -> Result<(), S::Error> {
                self.0.serialize_field(name, &Reals(value))
            }

            fn skip_field(&mut self, name: Name) -> Result<(), S::Error> {
                self.0.skip_field(name)
            }

            fn end(self) -> Result<S::Ok, S::Error> {
                self.0.end()
            }
        }
    )* };
}

named! { SerializeStruct SerializeStructVariant }

impl<S: SerializeMap> SerializeMap for Reals<S> {
    type Ok = S::Ok;
    type Error = S::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), S::Error> {
        self.0.serialize_key(&Reals(key))
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), S::Error> {
        self.0.serialize_value(&Reals(value))
    }

    fn serialize_entry<K: Serialize + ?Sized, V: Serialize + ?Sized>(
        &mut self,
        key: &K,
        value: &V,
    ) -> Result<(), S::Error> {
        self.0.serialize_entry(&Reals(key), &Reals(value))
    }

    fn end(self) -> Result<S::Ok, S::Error> {
        self.0.end()
    }
}
