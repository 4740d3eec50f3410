//! What bits mean: the table `flag_names`, from the names that the formats themselves give.

#![forbid(unsafe_code)]

use crate::format::{quake, skyrim, source, yapb};
use crate::table::batch::Sheets;
use crate::table::rows::neutral::{FLAG_NAMES, FlagNameRow};

/// Names of bits, with the bits.
type Named = Vec<(&'static str, u64)>;

macro_rules! named {
    ($type:ty) => {
        <$type>::NAMED.iter().map(|(name, bits)| (*name, u64::from(bits.bits()))).collect::<Named>()
    };
}

/// Fills the table. It is the same for every run.
pub(in crate::table) fn flag_names(out: &mut Sheets) {
    let left = Some("Left 4 Dead");
    let sets: [(&str, Option<&str>, &str, &str, Named); 14] = [
        ("source", None, "source_areas", "flags", named!(source::Attributes)),
        ("source", left, "source_areas", "flags", named!(source::L4dAttributes)),
        ("source", Some("Team Fortress 2"), "source_areas", "game_flags", named!(source::TfAttributes)),
        ("source", left, "source_areas", "game_flags", named!(source::SpawnAttributes)),
        ("source", None, "source_hiding_spots", "flags", named!(source::HidingSpotFlags)),
        ("source", None, "source_visibility", "visible", named!(source::Visibility)),
        ("source", Some("Source 2"), "source2_areas", "flags", named!(source::Source2Attributes)),
        ("quake", Some("NAV3"), "quake_links", "flags", named!(quake::LinkFlags)),
        ("skyrim", None, "skyrim_meshes", "record_flags", named!(skyrim::RecordFlags)),
        ("skyrim", None, "skyrim_triangles", "flags", named!(skyrim::TriangleFlags)),
        ("skyrim", None, "skyrim_navi", "flags", named!(skyrim::MapFlags)),
        ("yapb", None, "yapb_meshes", "options", named!(yapb::GraphOptions)),
        ("yapb", None, "yapb_nodes", "flags", named!(yapb::NodeFlags)),
        ("yapb", None, "yapb_links", "flags", named!(yapb::LinkFlags)),
    ];
    out.with([&FLAG_NAMES], |[sheet]| {
        let mut push = |family, game, table_name, column_name, name, mask: u64| {
            let bit = mask.trailing_zeros() as u8;
            sheet.push(FlagNameRow { family, game, table_name, column_name, bit, mask, name });
        };
        for (family, game, table, column, named) in &sets {
            named.iter().for_each(|(name, mask)| push(family, *game, table, column, name, *mask));
        }
        // The two games of Quake name the same bits otherwise.
        for magic in [quake::Magic::Nav2, quake::Magic::Nav3] {
            for bit in 0..16 {
                let flags = quake::NodeFlags::new(magic, 1 << bit);
                for name in flags.names() {
                    push("quake", Some(magic.name()), "quake_nodes", "flags", name, 1 << bit);
                }
            }
        }
    });
}
