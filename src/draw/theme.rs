//! The light theme and the dark one.

#![forbid(unsafe_code)]

use crate::colour::Colour;

/// Paper and ink.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// Ink on paper.
    #[default]
    Light,
    /// Light on slate.
    Dark,
}

/// The colours of a theme.
#[derive(Debug, Clone, Copy)]
pub(super) struct Palette {
    /// Behind everything.
    pub(super) page: Colour,
    /// Behind the mesh.
    pub(super) map: Colour,
    pub(super) grid: Colour,
    pub(super) frame: Colour,
    pub(super) ink: Colour,
    pub(super) faint: Colour,
    pub(super) alarm: Colour,
    /// The shadow that sets a floor off from the one below it.
    pub(super) shadow: Colour,
    /// A polygon without a class of its own.
    pub(super) plain: Colour,
}

impl Theme {
    pub(super) const fn palette(self) -> Palette {
        let rgb = Colour::rgb;
        match self {
            Self::Light => Palette {
                page: rgb(0xFD_FC_F9),
                map: rgb(0xF3_F2_EC),
                grid: rgb(0xE2_E0_D6),
                frame: rgb(0xB9_B5_A6),
                ink: rgb(0x22_25_2B),
                faint: rgb(0x63_64_60),
                alarm: rgb(0xB0_3A_00),
                shadow: rgb(0x15_18_20),
                plain: rgb(0x9F_B4_C4),
            },
            Self::Dark => Palette {
                page: rgb(0x14_18_1F),
                map: rgb(0x1B_20_29),
                grid: rgb(0x2A_31_3D),
                frame: rgb(0x4A_5464),
                ink: rgb(0xEC_EE_F1),
                faint: rgb(0x93_9C_A9),
                alarm: rgb(0xFF_9A_5C),
                shadow: rgb(0x00_00_00),
                plain: rgb(0x6E_86_9B),
            },
        }
    }
}
