//! What a query refuses.

use super::area::Area;
use navmap_core::text::counted;
use std::fmt;

/// A call with wrong arguments, which would fail on any mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misuse {
    /// The scratch, the overlay or the table was made for another index, such as the one before a reload.
    OtherIndex,
    /// The area does not exist in this index.
    NoSuchArea(Area),
    /// The buffer is for another number of areas.
    WrongLength {
        /// Its length.
        len: usize,
        /// The number of areas.
        areas: usize,
    },
    /// There is no search to resume.
    NothingToResume,
    /// There is no way to follow: the latest search found none, or the corridor is empty.
    NothingToFollow,
    /// A point has a coordinate that is infinite or no number.
    NotFinite,
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherIndex => {
                f.write_str("the scratch, the overlay or the table was made for another index")
            }
            Self::NoSuchArea(area) => write!(f, "area {} does not exist in this index", area.position()),
            Self::WrongLength { len, areas } => {
                let (entries, areas) = (*len as u64, *areas as u64);
                let [entries, areas] =
                    [counted(entries, "entry", "entries"), counted(areas, "area", "areas")];
                write!(f, "{entries} for {areas}")
            }
            Self::NothingToResume => f.write_str("there is no unfinished search"),
            Self::NothingToFollow => f.write_str("there is no way to follow"),
            Self::NotFinite => f.write_str("a point has a coordinate that is infinite or no number"),
        }
    }
}

impl std::error::Error for Misuse {}
