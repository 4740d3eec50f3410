//! Finds what is odd in a mesh, in a plugin and in a load order.
//!
//! | code | severity | meaning |
//! |---|---|---|
//! | `vertex-out-of-range` | error | a triangle has a corner that does not exist |
//! | `neighbour-out-of-range` | error | an edge leads to a triangle that does not exist |
//! | `edge-link-out-of-range` | error | an edge names an edge link that does not exist |
//! | `too-many-vertices`, `too-many-triangles` | error | over 32,767, where the Creation Kit's signed indices end |
//! | `vertex-not-finite` | error | a coordinate is no number |
//! | `one-way-neighbour` | warning | the neighbour does not point back |
//! | `edge-not-shared` | warning | neighbours do not share both ends of their edge |
//! | `flipped-neighbour` | warning | neighbours run along their edge in the same direction |
//! | `degenerate-triangle` | warning | no area seen from above, or a corner twice |
//! | `clockwise-triangle` | error | faces down; the Creation Kit repairs such |
//! | `edge-link-unused`, `edge-link-shared` | warning | not named by exactly one edge |
//! | `door-triangle-out-of-range` | error | a door on a triangle that does not exist |
//! | `door-flag-missing` | warning | a door triangle without the door flag |
//! | `door-flag-alone` | info | the flag without a door: real files have it |
//! | `type-hash` | info | not the hash the engine writes |
//! | `cover-list` | warning | the list differs from what the cover flags say |
//! | `cover-inside` | info | cover on edges with neighbours: stale, 1 to 2 % of real cover |
//! | `cover-edge`, `cover-segment` | warning | the edge map or a piece of cover points nowhere, or disagrees with the bits |
//! | `waypoint-out-of-range` | error | a waypoint on a triangle that does not exist |
//! | `waypoint-nowhere` | info | a waypoint on triangle 65,535: a real Starfield mesh has one |
//! | `grid-divisor`, `grid-cell-size`, `grid-bounds` | warning | not what the geometry gives |
//! | `grid-triangle-out-of-range` | error | a grid list names a triangle that does not exist |
//! | `grid-list-unsorted` | deviation | a grid list is not ascending |
//! | `grid-stray`, `grid-missing` | warning | a triangle listed where it is not, or not listed in a cell of which it covers more than 1 % |
//! | `experimental-layout` | info | no real file confirms the layout |
//!
//! In a plugin:
//!
//! | code | severity | meaning |
//! |---|---|---|
//! | `damaged-header`, `damaged-group`, `damaged-navmesh`, `damaged-navi` | error | cannot be read; the rest is |
//! | `missing-counts` | info | a damaged mesh that reads once the counts an early editor left out are put back |
//! | `deleted-navmesh` | warning | deletes a master's mesh (info: one of its own) |
//! | `deleted-with-data`, `stored-navmesh` | deviation | not as the Creation Kit writes it |
//! | `form-id-index` | info | a file index above the masters |
//! | `form-id-twice` | error | two records of one FormID |
//! | `light-object-id` | error | an object id that a light plugin cannot have |
//! | `navmesh-place` | warning | outside a cell's temporary children |
//! | `cell-differs`, `world-differs`, `grid-square-differs` | warning | the mesh says another place than it stands in |
//! | `nvnm-version`, `navi-version`, `navi-form-id` | warning | not those of the game |
//! | `navi-missing`, `nvmi-missing` | warning | the info map has no entry: the game does not use the mesh |
//! | `nvmi-owner`, `nvmi-links`, `nvmi-doors`, `nvmi-center`, `nvmi-preferred` | warning | the entry disagrees with the mesh |
//! | `nvmi-preferred-links` | deviation | the entry's two lists of linked meshes are divided otherwise than the links say |
//! | `nvmi-stale` | warning | in a load order: the entry that another plugin has does not fit the mesh that the game uses |
//! | `nvmi-twice`, `nvmi-island` | warning | the entry is odd by itself |
//! | `nvmi-without-navmesh` | info | an entry of a mesh of its own that the plugin does not have |
//! | `edge-link-dangling`, `edge-link-to-deleted`, `edge-link-target-out-of-range` | error | a link arrives nowhere |
//! | `edge-link-one-way` | warning | no link leads back (info: switched portals) |
//! | `edge-link-kind`, `edge-link-edge` | warning | the link back is of another kind, or from another edge |
//! | `door-reference` | warning | the door does not point back at its triangle |
//! | `door-unlisted` | warning | a door names a mesh that lists no such door |

mod cover;
mod fit;
mod grid;
pub(super) mod links;
mod map;
mod mesh;
mod plugin;
mod report;
mod triangles;

pub(super) use cover::check as cover;
pub(super) use fit::Fit;
pub(super) use grid::{Room, check_in as grid_in};
pub(super) use map::unreadable as unreadable_map;
pub(super) use mesh::check as mesh;
pub(super) use plugin::check as plugin;
pub(super) use report::Report;
pub(super) use triangles::ends;
