//! A hull as a person names it.

use crate::error::Error;
use std::fmt;
use std::str::FromStr;

/// The longest name.
const LONGEST: usize = 24;

/// The name or the number of a hull, the size of a creature: `large`, `hull10`, `7`. What names there are depends on the file
/// ([`NavFile::hulls`](super::NavFile::hulls)). At most 24 bytes, so that options stay plain values.
///
/// ```
/// use navmap::format::HullName;
///
/// let hull: HullName = "large".parse()?;
/// assert_eq!((hull.as_str(), hull.number()), ("large", None));
/// assert_eq!("7".parse::<HullName>()?.number(), Some(7));
/// assert!("".parse::<HullName>().is_err());
/// # Ok::<(), navmap::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct HullName {
    bytes: [u8; LONGEST],
    len: u8,
}

impl HullName {
    /// As it was given.
    pub fn as_str(&self) -> &str {
        let bytes = self.bytes.get(..self.len.into()).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<u32> {
        self.as_str().parse().ok()
    }
}

impl FromStr for HullName {
    type Err = Error;

    /// # Errors
    /// If it is empty or longer than 24 bytes.
    fn from_str(text: &str) -> Result<Self, Error> {
        let mut bytes = [0; LONGEST];
        let len = u8::try_from(text.len()).ok().filter(|len| *len > 0);
        match (len, bytes.get_mut(..text.len())) {
            (Some(len), Some(room)) => {
                room.copy_from_slice(text.as_bytes());
                Ok(Self { bytes, len })
            }
            _ => Err(Error::invalid("hull", format!("a name has 1 to {LONGEST} bytes, not {}", text.len()))),
        }
    }
}

impl fmt::Display for HullName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for HullName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}
