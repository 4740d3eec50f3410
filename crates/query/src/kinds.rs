//! Sets of kinds of links.

use navmap_core::graph::LinkKind;

/// Kinds of links that a path may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kinds(u16);

impl Kinds {
    /// All of them.
    pub const ALL: Self = Self(u16::MAX);
    /// None of them.
    pub const NONE: Self = Self(0);

    /// The same set with this kind.
    #[must_use]
    pub fn with(self, kind: LinkKind) -> Self {
        Self(self.0 | Self::bit(kind))
    }

    /// The same set without this kind.
    #[must_use]
    pub fn without(self, kind: LinkKind) -> Self {
        Self(self.0 & !Self::bit(kind))
    }

    /// Whether a kind is among them.
    pub fn has(self, kind: LinkKind) -> bool {
        self.0 & Self::bit(kind) != 0
    }

    #[inline(always)]
    pub(super) fn bits(self) -> u16 {
        self.0
    }

    fn bit(kind: LinkKind) -> u16 {
        LinkKind::ALL.iter().position(|known| *known == kind).map_or(0, |at| 1 << at)
    }
}
