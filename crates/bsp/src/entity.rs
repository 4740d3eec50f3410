//! The entities of a map: `{ "key" "value" … }`, one after the other.

use navmap_core::error::{Error, Result};

/// All entities of a map, in the order of the file. The first is the world.
#[derive(Clone, Debug, Default)]
pub struct Entities {
    list: Vec<Entity>,
}

/// An entity: keys and values, both as bytes, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entity {
    pairs: Vec<Pair>,
}

/// A key and its value.
type Pair = (Box<[u8]>, Box<[u8]>);

impl Entities {
    /// Reads the text of the lump. A NUL ends it. Linear.
    ///
    /// # Errors
    /// If a brace or a quotation mark is missing. The offset is in the lump.
    pub(super) fn parse(text: &[u8]) -> Result<Self> {
        let text = text.split(|byte| *byte == 0).next().unwrap_or_default();
        let mut list = Vec::new();
        let mut open: Option<Entity> = None;
        let mut key: Option<Box<[u8]>> = None;
        let mut at = 0_usize;
        while let Some(byte) = text.get(at) {
            let rest = text.get(at.saturating_add(1)..).unwrap_or_default();
            let wrong = |what: &str| Error::invalid("entities", what.to_owned()).at(at as u64);
            match byte {
                b'{' if open.is_none() => open = Some(Entity::default()),
                b'{' => return Err(wrong("an entity within an entity")),
                b'}' if key.is_some() => return Err(wrong("a key without a value")),
                b'}' => list.push(open.take().ok_or_else(|| wrong("a } without its {"))?),
                b'"' => {
                    let len =
                        rest.iter().position(|byte| *byte == b'"').ok_or_else(|| wrong("no closing \""))?;
                    let word = rest.get(..len).unwrap_or_default();
                    let entity = open.as_mut().ok_or_else(|| wrong("text outside of all entities"))?;
                    match key.take() {
                        None => key = Some(word.into()),
                        Some(key) => entity.pairs.push((key, word.into())),
                    }
                    at = at.saturating_add(len).saturating_add(1);
                }
                byte if byte.is_ascii_whitespace() => {}
                _ => return Err(wrong("neither a brace nor a quoted word")),
            }
            at = at.saturating_add(1);
        }
        match open {
            Some(_) => Err(Error::invalid("entities", "the last entity has no }").at(text.len() as u64)),
            None => Ok(Self { list }),
        }
    }

    /// The entities, the world first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Entity> {
        self.list.iter()
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The entities of a class, such as `info_player_start`. Case is ignored.
    pub fn of_class<'e>(&'e self, class: &'e str) -> impl Iterator<Item = &'e Entity> {
        self.list.iter().filter(move |entity| entity.class().eq_ignore_ascii_case(class.as_bytes()))
    }
}

impl Entity {
    /// The value of a key; the first if there are several. Case is ignored.
    pub fn get(&self, key: &str) -> Option<&[u8]> {
        let found = self.pairs.iter().find(|(name, _)| name.eq_ignore_ascii_case(key.as_bytes()));
        found.map(|(_, value)| &**value)
    }

    /// Keys and values in the order of the file.
    pub fn pairs(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.pairs.iter().map(|(key, value)| (&**key, &**value))
    }

    /// Its class; empty if it has none.
    pub fn class(&self) -> &[u8] {
        self.get("classname").unwrap_or_default()
    }

    /// A value as an integer, as the engine's `atoi` reads it: up to the first character that is not a digit.
    pub fn integer(&self, key: &str) -> Option<i32> {
        let text = std::str::from_utf8(self.get(key)?).ok()?.trim_start();
        let end =
            text.char_indices().find(|(at, c)| !(c.is_ascii_digit() || *at == 0 && matches!(c, '-' | '+')));
        text.get(..end.map_or(text.len(), |(at, _)| at))?.parse().ok()
    }

    /// A value as three finite numbers.
    pub fn vector(&self, key: &str) -> Option<[f32; 3]> {
        let text = std::str::from_utf8(self.get(key)?).ok()?;
        let mut parts =
            text.split_ascii_whitespace().map(|part| part.parse::<f32>().ok().filter(|n| n.is_finite()));
        Some([parts.next()??, parts.next()??, parts.next()??])
    }

    /// Its origin; the world's origin if it has none.
    pub fn origin(&self) -> [f32; 3] {
        self.vector("origin").unwrap_or_default()
    }

    /// The number of its model inside the map, `"*12"`.
    pub fn model(&self) -> Option<u32> {
        let number = self.get("model")?.strip_prefix(b"*")?;
        std::str::from_utf8(number).ok()?.parse().ok()
    }
}
