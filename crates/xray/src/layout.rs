//! Which version has which bytes.

/// The newest version that is known.
pub(super) const NEWEST: u32 = 13;

/// What the nodes of a version have. `docs/formats/xray.md`, section 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    /// Bytes of the four links.
    pub(super) links: usize,
    /// Bits of each.
    pub(super) bits: u32,
    /// Whether there is cover for those who crouch.
    pub(super) low: bool,
    /// Bytes of the number of the square.
    pub(super) square: usize,
}

impl Layout {
    /// That of a version; a later one is taken for the newest.
    pub(super) fn for_version(version: u32) -> Self {
        match version {
            ..=9 => Self { links: 12, bits: 23, low: false, square: 3 },
            10 => Self { links: 12, bits: 23, low: true, square: 3 },
            11 => Self { links: 13, bits: 25, low: true, square: 3 },
            12 => Self { links: 13, bits: 25, low: true, square: 4 },
            _ => Self { links: 13, bits: 26, low: true, square: 4 },
        }
    }
    /// Bytes of a node: 21 to 25.
    pub(super) fn len(self) -> usize {
        let cover = if self.low { 4 } else { 2 };
        [self.links, cover, 2, self.square, 2].iter().fold(0, |sum, part| sum.saturating_add(*part))
    }
    /// The number that means no link: all bits set.
    pub(super) fn none(self) -> u32 {
        u32::MAX.checked_shr(32_u32.saturating_sub(self.bits)).unwrap_or(u32::MAX)
    }
    /// The bits of the links that no link has, which hold a light: 4, or none.
    pub(super) fn spare(self) -> u32 {
        (self.links as u32).saturating_mul(8).saturating_sub(self.bits.saturating_mul(4))
    }
}

/// Whether the version is known.
pub(super) fn is_known(version: u32) -> bool {
    (8..=NEWEST).contains(&version)
}
