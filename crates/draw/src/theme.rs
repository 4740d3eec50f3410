//! The light theme and the dark one.

use navmap_core::colour::Colour;

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
    /// Ground of the floor plan below the mesh, and water in it.
    pub(super) ground: Colour,
    pub(super) water: Colour,
    pub(super) grid: Colour,
    pub(super) frame: Colour,
    pub(super) ink: Colour,
    pub(super) faint: Colour,
    pub(super) alarm: Colour,
    /// The shadow of a floor on the one below it.
    pub(super) shadow: Colour,
    /// A polygon without its own class.
    pub(super) plain: Colour,
    pub(super) links: Links,
}

/// The colours of links that are not on foot, and of their marks. They are drawn over the background of the map if nodes are
/// points, and over any class of nodes otherwise, so they differ from both.
#[derive(Debug, Clone, Copy)]
pub(super) struct Links {
    pub(super) border: Colour,
    pub(super) crouch: Colour,
    pub(super) jump: Colour,
    pub(super) drop: Colour,
    pub(super) ladder: Colour,
    pub(super) elevator: Colour,
    pub(super) push: Colour,
    pub(super) teleport: Colour,
    pub(super) door: Colour,
    /// A path on foot without a path back.
    pub(super) one_way: Colour,
}

impl Theme {
    pub(super) const fn palette(self) -> Palette {
        let rgb = Colour::rgb;
        match self {
            Self::Light => Palette {
                page: rgb(0xFD_FC_F9),
                map: rgb(0xF3_F2_EC),
                ground: rgb(0xE4_E1_D8),
                water: rgb(0xBF_D9_E8),
                grid: rgb(0xE2_E0_D6),
                frame: rgb(0xB9_B5_A6),
                ink: rgb(0x22_25_2B),
                faint: rgb(0x63_64_60),
                alarm: rgb(0xB0_3A_00),
                shadow: rgb(0x15_18_20),
                plain: rgb(0x9F_B4_C4),
                links: Links {
                    border: rgb(0x6B_4A_1E),
                    crouch: rgb(0x6E_5A_00),
                    jump: rgb(0xC4_55_00),
                    drop: rgb(0x00_72_B2),
                    ladder: rgb(0x7A_4D_C4),
                    elevator: rgb(0x00_6B_4C),
                    push: rgb(0x8E_1F_5A),
                    teleport: rgb(0xC8_3F_8C),
                    door: rgb(0xB0_3A_00),
                    one_way: rgb(0xD0_2A_02),
                },
            },
            Self::Dark => Palette {
                page: rgb(0x14_18_1F),
                map: rgb(0x1B_20_29),
                ground: rgb(0x27_2D_38),
                water: rgb(0x1E_3E_55),
                grid: rgb(0x2A_31_3D),
                frame: rgb(0x4A_5464),
                ink: rgb(0xEC_EE_F1),
                faint: rgb(0x93_9C_A9),
                alarm: rgb(0xFF_9A_5C),
                shadow: rgb(0x00_00_00),
                plain: rgb(0x6E_86_9B),
                links: Links {
                    border: rgb(0xB0_67_2E),
                    crouch: rgb(0xFF_E5_00),
                    jump: rgb(0xFF_8C_00),
                    drop: rgb(0x00_91_F2),
                    ladder: rgb(0x9C_6B_FF),
                    elevator: rgb(0x00_D9_6C),
                    push: rgb(0xE0_24_6E),
                    teleport: rgb(0xFF_4D_DB),
                    door: rgb(0xE6_50_00),
                    one_way: rgb(0xFF_2A_1A),
                },
            },
        }
    }
}
