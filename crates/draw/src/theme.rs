//! The palette: the light theme and the dark one.
//!
//! Colours were chosen by a search, so that all that can stand beside each other in a key are further apart than 10 (CIEDE2000) for
//! every kind of eye: lines from lines, marks from marks, the first eight classes from each other and from nodes without a class. The
//! tests hold it.

use navmap_core::colour::Colour;

/// Paper and ink.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
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
    /// What a person has picked in a window, what else is chosen, and what can be pressed there.
    pub(super) picked: Colour,
    pub(super) chosen: Colour,
    pub(super) accent: Colour,
    /// The shadow of a floor on the one below it.
    pub(super) shadow: Colour,
    /// A polygon without its own class.
    pub(super) plain: Colour,
    /// How much lighter the rim of a waypoint is than its dot: away from the map, so that the least of a ramp stands out from it.
    pub(super) rim: f32,
    pub(super) links: Links,
}

/// The colours of links and marks. They are drawn over the background of the map if nodes are points, and over any class of nodes
/// otherwise, so they differ from both.
#[derive(Debug, Clone, Copy)]
pub(super) struct Links {
    pub(super) walk: Colour,
    pub(super) border: Colour,
    pub(super) crouch: Colour,
    pub(super) jump: Colour,
    pub(super) drop: Colour,
    pub(super) ladder: Colour,
    pub(super) elevator: Colour,
    pub(super) train: Colour,
    pub(super) push: Colour,
    pub(super) teleport: Colour,
    pub(super) door: Colour,
    pub(super) rocket_jump: Colour,
    /// On foot without a path back: walking, over a border, crouched.
    pub(super) one_way: [Colour; 3],
    /// An answer: a path over all of these.
    pub(super) way: Colour,
}

/// The nth of a series of light colours for classes. Neighbours are distinguishable by every kind of eye, as are the first eight
/// and a node without a class. All differ from the colours of links and marks. After eighteen, which is as many as a key has
/// room for, they repeat lighter, then darker.
pub(super) fn series(n: usize) -> Colour {
    const BASE: [u32; 18] = [
        0x57_9D_FF, 0xCC_74_57, 0xE8_DA_9D, 0xD8_9A_BF, 0x1E_B0_83, 0xD1_C6_FF, 0xD2_E3_28, 0xBB_A7_05,
        0xA6_F0_E1, 0xFD_41_C8, 0xFF_7A_89, 0xB4_86_99, 0xBB_C7_61, 0xDA_DE_F7, 0xD6_E1_C2, 0x41_9A_CA,
        0x0B_D1_D4, 0xA6_90_25,
    ];
    let base = Colour::rgb(BASE[n % BASE.len()]);
    match n / BASE.len() % 3 {
        0 => base,
        1 => base.lit(0.35),
        _ => base.lit(-0.2),
    }
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
                faint: rgb(0x63_64_5F),
                alarm: rgb(0xB0_3A_00),
                picked: rgb(0xD0_20_60),
                chosen: rgb(0xE8_8C_1E),
                accent: rgb(0x0B_5C_AD),
                shadow: rgb(0x15_18_20),
                plain: rgb(0xB9_B7_B0),
                rim: -0.45,
                links: Links {
                    walk: rgb(0x61_60_67),
                    border: rgb(0x9F_75_53),
                    crouch: rgb(0x69_5C_45),
                    jump: rgb(0xD2_61_03),
                    drop: rgb(0x38_73_9C),
                    ladder: rgb(0x70_09_D9),
                    elevator: rgb(0x09_2A_0A),
                    train: rgb(0x2C_91_95),
                    push: rgb(0x6C_0D_87),
                    teleport: rgb(0xBA_47_E0),
                    door: rgb(0x54_3F_3F),
                    rocket_jump: rgb(0x3F_44_54),
                    one_way: [rgb(0xBC_15_0C), rgb(0x90_6E_6A), rgb(0x13_0B_05)],
                    way: rgb(0x03_00_5E),
                },
            },
            Self::Dark => Palette {
                page: rgb(0x14_18_1F),
                map: rgb(0x1B_20_29),
                ground: rgb(0x27_2D_38),
                water: rgb(0x1E_3E_55),
                grid: rgb(0x2A_31_3D),
                frame: rgb(0x004A_5464),
                ink: rgb(0xEC_EE_F1),
                faint: rgb(0xA3_AC_B9),
                alarm: rgb(0xFF_9A_5C),
                picked: rgb(0xFF_48_8C),
                chosen: rgb(0xFF_B4_46),
                accent: rgb(0x7D_B7_FF),
                shadow: rgb(0x00_00_00),
                plain: rgb(0x5D_63_6D),
                rim: 0.45,
                links: Links {
                    walk: rgb(0x92_98_A8),
                    border: rgb(0xF7_8D_0B),
                    crouch: rgb(0xFF_D8_19),
                    jump: rgb(0xF6_BD_7C),
                    drop: rgb(0x40_C1_FF),
                    ladder: rgb(0xB1_6D_B8),
                    elevator: rgb(0x33_FF_C2),
                    train: rgb(0x90_E3_FF),
                    push: rgb(0xCB_24_89),
                    teleport: rgb(0xC4_08_E4),
                    door: rgb(0xC2_63_7E),
                    rocket_jump: rgb(0xB9_A3_95),
                    one_way: [rgb(0xE8_2B_20), rgb(0xD0_90_5E), rgb(0xA4_76_54)],
                    way: rgb(0xFC_FF_94),
                },
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::eye::{EYES, apart, contrast, seen};
    use super::super::links::{colour, colour_of_mark};
    use super::*;
    use navmap_core::graph::{LinkKind, MarkKind};

    /// The least distance of two colours that may be neighbours in a key.
    const LEAST: f64 = 10.0;

    /// Demands that all of these differ for every kind of eye.
    fn hold_apart(what: &str, colours: &[(String, Colour)]) {
        for (eye, matrix) in EYES {
            for (nth, (name, a)) in colours.iter().enumerate() {
                for (other, b) in &colours[..nth] {
                    let found = apart(seen(*a, &matrix), seen(*b, &matrix));
                    assert!(found > LEAST, "{what}: {name} and {other} are {found:.1} apart for a {eye}");
                }
            }
        }
    }

    fn lines(palette: &Palette) -> Vec<(String, Colour)> {
        let both = LinkKind::ALL.iter().map(|kind| (kind.to_string(), colour(*kind, false, palette)));
        let foot = LinkKind::ALL.iter().filter(|kind| kind.on_foot());
        let one_way = foot.map(|kind| (format!("{kind}, one way"), colour(*kind, true, palette)));
        both.chain(one_way).chain([("way".to_owned(), palette.links.way)]).collect()
    }

    #[test]
    fn lines_and_marks_are_distinguishable_by_every_eye_in_both_themes() {
        for theme in [Theme::Light, Theme::Dark] {
            let palette = theme.palette();
            hold_apart(&format!("lines of {theme:?}"), &lines(&palette));
            let marks =
                MarkKind::ALL.iter().map(|kind| (kind.name().to_owned(), colour_of_mark(*kind, &palette)));
            hold_apart(&format!("marks of {theme:?}"), &marks.collect::<Vec<_>>());
        }
    }

    #[test]
    fn classes_are_distinguishable_by_every_eye_in_both_themes() {
        for theme in [Theme::Light, Theme::Dark] {
            let plain = ("without a class".to_owned(), theme.palette().plain);
            let first: Vec<_> =
                (0..8).map(|n| (format!("class {n}"), series(n))).chain([plain.clone()]).collect();
            hold_apart(&format!("the first classes of {theme:?}"), &first);
            for n in 1..18 {
                let pair = [
                    (format!("class {}", n - 1), series(n - 1)),
                    (format!("class {n}"), series(n)),
                    plain.clone(),
                ];
                hold_apart(&format!("neighbours of {theme:?}"), &pair);
            }
        }
    }

    #[test]
    fn waypoints_of_every_height_stand_out_from_the_map() {
        for theme in [Theme::Light, Theme::Dark] {
            let palette = theme.palette();
            for step in 0..=96u8 {
                let dot = navmap_core::colour::ramp(f32::from(step) / 96.0);
                let clear = contrast(dot, palette.map).max(contrast(dot.lit(palette.rim), palette.map));
                assert!(clear > 2.0, "step {step} on the map of {theme:?}: {clear:.2}");
            }
        }
    }

    #[test]
    fn lines_stand_out_from_the_map_and_from_classes() {
        for theme in [Theme::Light, Theme::Dark] {
            let palette = theme.palette();
            let marks =
                MarkKind::ALL.iter().map(|kind| (kind.name().to_owned(), colour_of_mark(*kind, &palette)));
            for (name, line) in lines(&palette).into_iter().chain(marks) {
                let clear = contrast(line, palette.map);
                assert!(clear > 3.0, "{name} on the map of {theme:?}: {clear:.2}");
                for class in (0..8).map(series).chain([palette.plain]) {
                    let found = apart(seen(line, &EYES[0].1), seen(class, &EYES[0].1));
                    assert!(found > LEAST, "{name} is {found:.1} from {class:?} in {theme:?}");
                }
            }
        }
    }
}
