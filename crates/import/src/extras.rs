//! Extras of glTF, which may hold anything: the two numbers that are read of them, and nothing else is kept.

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::result::Result;

/// Extras, or a value in them.
#[derive(Default)]
pub(super) enum Extras {
    Numbers {
        group: Option<u64>,
        attribute: Option<u64>,
    },
    Number(u64),
    #[default]
    Other,
}

impl Extras {
    pub(super) fn group(&self) -> Option<u64> {
        if let Self::Numbers { group, .. } = self { *group } else { None }
    }

    pub(super) fn attribute(&self) -> Option<u64> {
        if let Self::Numbers { attribute, .. } = self { *attribute } else { None }
    }

    fn number(&self) -> Option<u64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }
}

impl<'de> Deserialize<'de> for Extras {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Any)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Extras;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("extras")
    }

    fn visit_unit<E>(self) -> Result<Extras, E> {
        Ok(Extras::Other)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Extras, E> {
        Ok(Extras::Other)
    }

    fn visit_u64<E>(self, number: u64) -> Result<Extras, E> {
        Ok(Extras::Number(number))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Extras, E> {
        Ok(Extras::Number(u64::try_from(number).unwrap_or(0)))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Extras, E> {
        Ok(Extras::Number(number as u64))
    }

    /// A number as text: `1249`, `0x04E1`.
    fn visit_str<E>(self, text: &str) -> Result<Extras, E> {
        // No number is longer, but for zeros before it, and many primitives may share the text.
        if text.len() > 20 {
            return Ok(Extras::Other);
        }
        let number = match text.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16),
            None => text.parse(),
        };
        Ok(number.map_or(Extras::Other, Extras::Number))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Extras, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Extras::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Extras, A::Error> {
        let (mut group, mut attribute) = (None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "nav2_group" => group = map.next_value::<Extras>()?.number(),
                "nav2_attribute" => attribute = map.next_value::<Extras>()?.number(),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Extras::Numbers { group, attribute })
    }
}
