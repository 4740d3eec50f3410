//! The table of families, the only place that knows all of them. Programs depend on [navmap](https://docs.rs/navmap), which has
//! all of this as `navmap::format`.
//!
//! A family is a crate, its rows in the table below, and a feature. `docs/adding-a-family.md` explains how to add one.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

table::families! {
    // variant  name       form       view                         feature    extensions             title, and whether it is edited
    Source "source" "Valve navigation meshes: GoldSrc, Source, Source 2" {
        Source2 "source2"  "nav"      navmap_source::Source2Nav    "source"   ["nav"]                "Valve .nav of Source 2" [edit];
        Source  "source"   "nav"      navmap_source::SourceNav     "source"   ["nav"]                "Valve .nav" [edit];
    }
    Quake "quake" "Bot graphs of the Quake re-releases: NAV2, NAV3, navjson" {
        Quake   "quake"    "nav"      navmap_quake::QuakeNav       "quake"    ["nav"]                "Quake NAV2, NAV3" [edit];
        NavJson "navjson"  "navjson"  navmap_quake::NavJson        "quake"    ["navjson"]            "A Quake graph as JSON" [edit];
    }
    Fox "fox" "Fox Engine tiles" {
        Fox     "fox"      "nav"      navmap_fox::FoxNav           "fox"      ["nav2"]               "Fox Engine .nav2" [edit]
            maps navmap_fox::TileSet<Layer> ["nav2"] ["fpk", "fpkd"];
    }
    Skyrim "skyrim" "NVNM fields, in Bethesda plugins or alone, and path grids" {
        Plugin  "plugin"   "plugin"   navmap_skyrim::Plugin        "skyrim"   ["esp", "esm", "esl"]  "A Bethesda plugin" [edit];
        Payload "nvnm"     "payload"  navmap_skyrim::NavMesh       "skyrim"   ["nvnm"]               "One raw NVNM field" [edit];
        Grids   "pathgrid" "plugin"   navmap_skyrim::GridPlugin    "skyrim"   ["esp", "esm"]         "A plugin of Morrowind or Oblivion";
    }
    Detour "detour" "Recast/Detour: sets, tiles, server maps, Respawn, Unity" {
        Detour  "detour"   "navmesh"  navmap_detour::DetourNav     "detour"   ["navmesh", "mmtile", "mmap", "nm", "navtile"]  "Detour tiles" [edit]
            maps navmap_detour::MapSet<Map> ["mmtile", "mmap"] [];
    }
    Aas "aas" "Areas of the bots of the Quake III line" {
        Aas     "aas"      "aas"      navmap_aas::AasNav           "aas"      ["aas"]                "A Quake III .aas" [edit];
    }
    Yapb "yapb" "Bot graphs of GoldSrc: YaPB, POD-Bot" {
        Graph   "graph"    "graph"    navmap_yapb::YapbNav         "yapb"     ["graph"]              "A YaPB .graph" [edit];
        Pwf     "pwf"      "pwf"      navmap_yapb::PwfNav          "yapb"     ["pwf"]                "POD-Bot .pwf" [edit];
    }
    // No magic: sizes have to fit. All that has one comes before.
    NodeGraph "nodegraph" "Node graphs of Valve's games: .ain, .nod" {
        Ain     "ain"      "ain"      navmap_nodegraph::AinNav     "nodegraph" ["ain"]               "A Source .ain" [edit];
        Respawn "ain57"    "ain"      navmap_nodegraph::RespawnNav "nodegraph" ["ain"]               "A Respawn .ain";
        AinText "aintext"  "ain-text" navmap_nodegraph::TextNav    "nodegraph" ["ain"]               "An .ain as text";
        Nod     "nod"      "nod"      navmap_nodegraph::NodNav     "nodegraph" ["nod"]               "A Half-Life .nod" [edit];
    }
    Rcbot "rcbot" "Waypoints of RCBot2, for games of Source" {
        Rcw     "rcw"      "rcw"      navmap_rcbot::RcbotNav       "rcbot"    ["rcw"]                "RCBot2 waypoints" [edit];
    }
    Xray "xray" "Walking grids of the X-Ray engine" {
        LevelAi "levelai"  "level.ai" navmap_xray::XrayNav         "xray"     ["ai"]                 "An X-Ray level.ai";
    }
}

mod any;
mod codes;
mod edit;
mod kind;
mod sets;
mod table;

pub use any::ParseOptions;
#[doc(hidden)]
pub use any::ParseOptions as Options;
pub use codes::{code, codes};
pub use edit::{Ability, not_edited};
#[cfg(debug_assertions)]
#[doc(hidden)]
pub use kind::SNIFFED;
pub use sets::SetKind;
pub use table::KindView;

use navmap_core::error::Result;
#[allow(unused_imports)] // where no family is compiled in
use navmap_core::format::{GraphTask, NavFile, NavFormat, NavSet, ReadOptions, SetFormat, SetMap, not_mesh};
use table::Format;
