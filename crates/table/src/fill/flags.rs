//! The meaning of bits: the table `flag_names`, from the names of the formats themselves.

use crate::batch::{Out, Sheets};
use crate::rows::neutral::{FLAG_NAMES, FlagNameRow};
use navmap_aas as aas;
use navmap_nodegraph as nodegraph;
use navmap_quake as quake;
use navmap_rcbot as rcbot;
use navmap_skyrim as skyrim;
use navmap_source as source;
use navmap_xray as xray;
use navmap_yapb as yapb;

/// Names of bits, with the bits.
type Named = Vec<(&'static str, u64)>;

macro_rules! named {
    ($type:ty) => {
        <$type>::NAMED.iter().map(|(name, bits)| (*name, u64::from(bits.bits()))).collect::<Named>()
    };
}

/// Fills the table. It is the same for every run.
pub(crate) fn flag_names(out: &mut Sheets) {
    let mut out = Out::whole(out);
    let left = Some("Left 4 Dead");
    let (quake3, wolfenstein) = (Some("Quake III line"), Some("Return to Castle Wolfenstein"));
    let sets: [(&str, Option<&str>, &str, &str, Named); 25] = [
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
        ("aas", quake3, "aas_areas", "flags", named!(aas::AreaFlags)),
        ("aas", wolfenstein, "aas_areas", "flags", named!(aas::AreaFlags8)),
        ("aas", quake3, "aas_areas", "contents", named!(aas::Contents)),
        ("aas", wolfenstein, "aas_areas", "contents", named!(aas::Contents8)),
        ("aas", None, "aas_areas", "presence", named!(aas::Presence)),
        ("aas", None, "aas_faces", "flags", named!(aas::FaceFlags)),
        ("aas", None, "aas_reachabilities", "flags", named!(aas::TravelFlags)),
        ("nodegraph", Some("Source"), "nodegraph_nodes", "info", named!(nodegraph::NodeInfo)),
        ("nodegraph", Some("Half-Life"), "nodegraph_links", "flags", named!(nodegraph::LinkFlags)),
        ("rcbot", None, "rcbot_meshes", "flags", named!(rcbot::FileFlags)),
        ("rcbot", None, "rcbot_waypoints", "flags", named!(rcbot::NodeFlags)),
    ];
    out.with([&FLAG_NAMES], |[sheet]| {
        let mut push = |family, game, table_name, column_name, name, mask: u64| {
            let bit = mask.trailing_zeros() as u8;
            sheet.push(FlagNameRow { family, game, table_name, column_name, bit, mask, name });
        };
        for (family, game, table, column, named) in &sets {
            named.iter().for_each(|(name, mask)| push(family, *game, table, column, name, *mask));
        }
        // Seven bits of RCBot2 mean one thing in Day of Defeat and another elsewhere. The names above hold both.
        for (both, bit) in rcbot::NodeFlags::NAMED {
            let defeat = rcbot::Game::DayOfDefeat;
            for (game, known) in [(Some(defeat.name()), defeat), (None, rcbot::Game::TeamFortress)] {
                if let Some(name) = rcbot::Game::flag(Some(known), *bit).filter(|name| name != both) {
                    push("rcbot", game, "rcbot_waypoints", "flags", name, bit.bits().into());
                }
            }
        }
        // Bits that only the neutral nodes have: kinds of nodes, and cover that values tell.
        for kind in 0..32_u8 {
            if let Some(name) = nodegraph::NodeKind(kind).name() {
                push("nodegraph", Some("Source"), "nodes", "flags", name, 1 << 32 << kind);
            }
            if let Some(name) = nodegraph::NodeType(1 << kind).name() {
                push("nodegraph", Some("Half-Life"), "nodegraph_nodes", "info", name, 1 << kind);
            }
        }
        for (name, bit) in xray::CoverFlags::NAMED {
            push("xray", None, "nodes", "flags", name, bit.bits().into());
        }
        // The two games of Quake give different names to the same bits.
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
