//! The tables: the contents of their rows. Lengths are in the family's unit `u`: world units of Source, Quake and GoldSrc, metres
//! of Fox, Detour and X-Ray, game units of Skyrim.

pub(super) mod aas;
pub(super) mod detour;
pub(super) mod fox;
pub(super) mod neutral;
pub(super) mod nodegraph;
pub(super) mod pathgrid;
pub(super) mod quake;
pub(super) mod rcbot;
pub(super) mod skyrim;
pub(super) mod source;
pub(super) mod xray;
pub(super) mod yapb;

pub(super) use neutral::FLAG_NAMES;

use super::schema::Table;

/// Every table, those of all families first. A family adds its tables here.
pub static TABLES: &[&Table] = &[
    &neutral::FILES,
    &neutral::NODES,
    &neutral::LINKS,
    &neutral::FINDINGS,
    &neutral::FLAG_NAMES,
    &source::SOURCE_MESHES,
    &source::SOURCE_AREAS,
    &source::SOURCE_CONNECTIONS,
    &source::SOURCE_LADDERS,
    &source::SOURCE_LADDER_LINKS,
    &source::SOURCE_HIDING_SPOTS,
    &source::SOURCE_ENCOUNTER_PATHS,
    &source::SOURCE_ENCOUNTER_SPOTS,
    &source::SOURCE_APPROACHES,
    &source::SOURCE_PLACES,
    &source::SOURCE_VISIBILITY,
    &source::SOURCE2_MESHES,
    &source::SOURCE2_AREAS,
    &source::SOURCE2_CORNERS,
    &source::SOURCE2_CONNECTIONS,
    &source::SOURCE2_LADDERS,
    &quake::QUAKE_MESHES,
    &quake::QUAKE_NODES,
    &quake::QUAKE_LINKS,
    &quake::QUAKE_TRAVERSALS,
    &quake::QUAKE_EDICTS,
    &fox::FOX_TILES,
    &fox::FOX_SEGMENTS,
    &fox::FOX_SEGMENT_LINKS,
    &fox::FOX_VERTICES,
    &fox::FOX_FACES,
    &fox::FOX_NAV_NODES,
    &fox::FOX_NAV_EDGES,
    &fox::FOX_ISLANDS,
    &skyrim::SKYRIM_MESHES,
    &skyrim::SKYRIM_VERTICES,
    &skyrim::SKYRIM_TRIANGLES,
    &skyrim::SKYRIM_EDGE_LINKS,
    &skyrim::SKYRIM_DOORS,
    &skyrim::SKYRIM_COVER,
    &skyrim::SKYRIM_COVER_SEGMENTS,
    &skyrim::SKYRIM_WAYPOINTS,
    &skyrim::SKYRIM_NAVI,
    &pathgrid::PATHGRID_GRIDS,
    &pathgrid::PATHGRID_POINTS,
    &pathgrid::PATHGRID_LINKS,
    &pathgrid::PATHGRID_FOREIGN_LINKS,
    &detour::DETOUR_TILES,
    &detour::DETOUR_POLYGONS,
    &detour::DETOUR_VERTICES,
    &detour::DETOUR_LINKS,
    &detour::DETOUR_OFF_MESH,
    &yapb::YAPB_MESHES,
    &yapb::YAPB_NODES,
    &yapb::YAPB_LINKS,
    &aas::AAS_MESHES,
    &aas::AAS_AREAS,
    &aas::AAS_REACHABILITIES,
    &aas::AAS_FACES,
    &aas::AAS_CORNERS,
    &aas::AAS_PLANES,
    &aas::AAS_NODES,
    &aas::AAS_PORTALS,
    &aas::AAS_CLUSTERS,
    &nodegraph::NODEGRAPH_MESHES,
    &nodegraph::NODEGRAPH_NODES,
    &nodegraph::NODEGRAPH_LINKS,
    &nodegraph::NODEGRAPH_CLUSTERS,
    &nodegraph::NODEGRAPH_SCRIPT_NODES,
    &rcbot::RCBOT_MESHES,
    &rcbot::RCBOT_WAYPOINTS,
    &rcbot::RCBOT_LINKS,
    &xray::XRAY_MESHES,
    &xray::XRAY_NODES,
];
