//! What a crowd refuses.

use navmap_core::graph::Point;
use navmap_query::Misuse;
use std::fmt;

/// What a crowd refuses.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Refused {
    /// There is room for no more agents.
    Full,
    /// No agent has this handle, or no longer.
    NoSuchAgent,
    /// No ground is near the point.
    Nowhere(Point),
    /// A size or a time is not positive, or above a billion.
    BadNumber,
    /// The index, the overlay or a mask is another one, or a point is no number.
    Misuse(Misuse),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full => f.write_str("the crowd has room for no more agents"),
            Self::NoSuchAgent => f.write_str("no agent of the crowd has this handle"),
            Self::Nowhere(p) => write!(f, "no ground is near {}, {}, {}", p.x, p.y, p.z),
            Self::BadNumber => f.write_str("a size or a time is not positive, or above a billion"),
            Self::Misuse(misuse) => misuse.fmt(f),
        }
    }
}

impl std::error::Error for Refused {}

impl From<Misuse> for Refused {
    fn from(misuse: Misuse) -> Self {
        Self::Misuse(misuse)
    }
}
