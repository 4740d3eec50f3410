//! What the findings of AAS files mean.

use navmap_core::{Code, codes};

pub(super) const CODES: &[Code] = codes! {
    Error "range":
        "A number leads outside the list that it counts in: a plane, a vertex, a face, an area, a cluster, or a run of reachabilities. The engine trusts it and reads other memory." =>
        "Compile the file again from the map with bspc.";
    Error "shared-run":
        "Two areas claim the same reachabilities or faces, or two faces the same edges. Reading ends there, so that it takes no longer than the file is large." =>
        "Compile the file again from the map with bspc.";
    Error "dangling-target":
        "A reachability leads to area 0 or to an area that does not exist." =>
        "Take it out with `clean_links` of `navmap edit`, or compile the file again from the map with bspc.";
    Error "tree-order":
        "A child of a node of the tree does not come after it, so that looking up a point may never end." =>
        "Compile the file again from the map with bspc.";
    Warning "tree-orphan":
        "A node of the tree that nothing leads to, or an area that no leaf of it holds." =>
        "Compile the file again from the map with bspc.";
    Warning "area-number":
        "The number of an area is not its place in the list." =>
        "Compile the file again from the map with bspc.";
    Warning "orphan-link":
        "A reachability belongs to no area. One real file has three." =>
        "Nothing needs to be done: the engine never takes it.";
    Warning "travel-time":
        "A travel time is above 300 seconds: most likely a negative number." =>
        "Compile the file again; the engine avoids the way.";
    Warning "not-finite":
        "A coordinate or a plane is NaN or infinite." =>
        "Compile the file again from the map with bspc.";
    Warning "plane-pair":
        "Planes come in opposite pairs, and these two are none." =>
        "Compile the file again from the map with bspc.";
    Warning "face-side":
        "An area has a face that names another area on this side." =>
        "Compile the file again from the map with bspc.";
    Warning "loose-box":
        "The center of an area, or a corner of its faces, is outside of its box." =>
        "Compile the file again from the map with bspc.";
    Warning "portal-pair":
        "A portal names an area that does not name it, or no cluster on one of its sides." =>
        "Compile the file again from the map with bspc.";
    Warning "cluster-count":
        "The number of areas of a cluster is not that of the areas and sides of portals that name it." =>
        "Compile the file again from the map with bspc.";
    Warning "experimental-layout":
        "The version is unknown, and the layout of a known one ends exactly where the file ends." =>
        "Nothing needs to be done; look twice at values that surprise.";
    Deviation "lump-order":
        "Lumps do not stand in the order of their table, as the compiler writes them. The engine reads them all the same." =>
        "Nothing needs to be done.";
    Deviation "lump-gap":
        "Bytes between two lumps belong to none. The engine does not read them." =>
        "Nothing needs to be done; the bytes are kept when the file is written.";
    Deviation "lump-overlap":
        "Two lumps share bytes. The engine reads them all the same." =>
        "Compile the file again; it cannot be edited as it is.";
    Deviation "face-loop":
        "The edges of a face do not close. 5 of 290,928 real faces are like that." =>
        "Nothing needs to be done; the outline of the face is a little off.";
    Info "self-link":
        "A reachability leads to its own area. 149 real ones do." =>
        "Nothing needs to be done.";
    Info "unknown-kind":
        "A reachability is of a kind without a known name." =>
        "Nothing needs to be done; the value is kept.";
    Info "deleted-link":
        "A reachability is of kind 1, which means that it was deleted." =>
        "Nothing needs to be done: the engine leaves it out.";
    Info "unknown-flag":
        "A bit of flags, contents or presence has no known name." =>
        "Nothing needs to be done; the value is kept.";
    Info "stripped":
        "The faces were thrown away when the file was made, as in most public files. Floors are made of the tree." =>
        "Nothing needs to be done: the engine does not need them.";
    Info "no-links":
        "The file has areas and no reachability." =>
        "Compile the file again with reachabilities; bots cannot move.";
};
