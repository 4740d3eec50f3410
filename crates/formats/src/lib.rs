//! The table of families, the one place that knows them all. Programs name [navmap](https://docs.rs/navmap), which has
//! all of this as `navmap::format`.
//!
//! A family is a crate, its rows in the table below, and a feature. `docs/adding-a-family.md` tells how one is added.

#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

#[cfg(feature = "aas")]
use navmap_aas as aas;
#[cfg(feature = "detour")]
use navmap_detour as detour;
#[cfg(feature = "fox")]
use navmap_fox as fox;
#[cfg(feature = "quake")]
use navmap_quake as quake;
#[cfg(feature = "skyrim")]
use navmap_skyrim as skyrim;
#[cfg(feature = "source")]
use navmap_source as source;
#[cfg(feature = "yapb")]
use navmap_yapb as yapb;

table::families! {
    // variant  name       form       view                  feature    extensions             title
    Source "source" "Valve navigation meshes: GoldSrc, Source, Source 2" {
        Source2 "source2"  "nav"      source::Source2Nav    "source"   ["nav"]                "Valve .nav of Source 2";
        Source  "source"   "nav"      source::SourceNav     "source"   ["nav"]                "Valve .nav";
    }
    Quake "quake" "Bot graphs of the Quake re-releases: NAV2, NAV3, navjson" {
        Quake   "quake"    "nav"      quake::QuakeNav       "quake"    ["nav"]                "Quake NAV2, NAV3";
        NavJson "navjson"  "navjson"  quake::NavJson        "quake"    ["navjson"]            "A Quake graph as JSON";
    }
    Fox "fox" "Fox Engine tiles" {
        Fox     "fox"      "nav"      fox::FoxNav           "fox"      ["nav2"]               "Fox Engine .nav2";
    }
    Skyrim "skyrim" "NVNM fields, in Bethesda plugins or alone" {
        Plugin  "plugin"   "plugin"   skyrim::Plugin        "skyrim"   ["esp", "esm", "esl"]  "A Bethesda plugin";
        Payload "nvnm"     "payload"  skyrim::NavMesh       "skyrim"   ["nvnm"]               "One raw NVNM field";
    }
    Detour "detour" "Recast/Detour: sets, tiles, server maps, Respawn, Unity" {
        Detour  "detour"   "navmesh"  detour::DetourNav     "detour"   ["navmesh", "mmtile", "mmap", "nm", "navtile"]  "Detour tiles";
    }
    Aas "aas" "Areas of the bots of the Quake III line" {
        Aas     "aas"      "aas"      aas::AasNav           "aas"      ["aas"]                "A Quake III .aas";
    }
    Yapb "yapb" "Bot graphs of GoldSrc: YaPB, POD-Bot" {
        Graph   "graph"    "graph"    yapb::YapbNav         "yapb"     ["graph"]              "A YaPB .graph";
        Pwf     "pwf"      "pwf"      yapb::PwfNav          "yapb"     ["pwf"]                "POD-Bot .pwf";
    }
}

mod any;
mod codes;
mod kind;
mod table;

pub use any::Options;
pub use codes::{code, codes};

#[allow(unused_imports)] // where no format is compiled in
use any::Dump;
use navmap_core::error::Result;
#[allow(unused_imports)] // where no family is compiled in
use navmap_core::format::{GraphTask, NavFile, NavFormat, ReadOptions, not_mesh};
use table::Format;
