//! JSON of one line in which no field is there twice: of two values of one name nobody knows which is meant.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

/// The value in a line.
///
/// # Errors
/// Why it is none, with the field if it is inside one.
pub(super) fn read(line: &str) -> Result<Value, String> {
    serde_json::from_str(line).map(|Strict(value)| value).map_err(|error| {
        let (words, column) = (error.to_string(), error.column());
        let words =
            words.strip_suffix(&format!(" at line {} column {column}", error.line())).unwrap_or(&words);
        match words {
            words if words.contains("EOF while parsing") => {
                format!("is no JSON: it ends in column {column}, and each line holds one point")
            }
            words if words.contains(TWICE) => words.to_owned(),
            words => format!("is no JSON: {words} in column {column}"),
        }
    })
}

const TWICE: &str = "has the field ";

/// A value of JSON.
struct Strict(Value);

impl<'d> Deserialize<'d> for Strict {
    fn deserialize<D: Deserializer<'d>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Reader).map(Self)
    }
}

struct Reader;

impl<'d> Visitor<'d> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'d>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Strict(value)) = items.next_element()? {
            list.push(value);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'d>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            let short: String = name.chars().take(64).collect();
            let value = fields.next_value().map_err(|error| A::Error::custom(format!("{short}: {error}")));
            let Strict(value) = value?;
            if map.insert(name, value).is_some() {
                return Err(A::Error::custom(format!("{TWICE}{short} twice")));
            }
        }
        Ok(map.into())
    }
}
