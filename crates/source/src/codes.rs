//! The meaning of the findings in a Valve mesh.

use navmap_core::{Code, codes};

pub(super) const CODES: &[Code] = codes! {
    Error "non-finite-coordinate":
        "A corner of an area, the position of a hiding spot or an end of a ladder is NaN or infinite." =>
        "Delete the area in the game's editor, or take the mesh from its source again: such bytes are damage.";
    Warning "degenerate-area":
        "An area without surface: its width is zero or negative, or it has fewer than three corners. 84 of 1.61 million real areas are so." =>
        "Delete it in the editor; nothing can stand on it.";
    Error "place-out-of-range":
        "An area has a place that the directory of place names does not hold." =>
        "Name the place of the area again in the editor.";
    Warning "zero-area-id":
        "The id of an area is 0, which means \"no area\" in every list." =>
        "Compress the ids in the editor (`nav_compress_id`) and analyze the mesh again.";
    Error "duplicate-area-id":
        "Two areas have one id; connections lead to the first of them alone." =>
        "Compress the ids in the editor (`nav_compress_id`), then connect the second area again.";
    Warning "self-connection":
        "An area is connected to itself. The engine drops such a connection when it loads the mesh." =>
        "Nothing needs to be done; saving the mesh in the game drops it.";
    Error "dangling-connection":
        "An area is connected to an id that no area has." =>
        "Disconnect it in the editor, or analyze the mesh again.";
    Info "one-way-connection":
        "One can go there and no link leads back, although the drop is no higher than a jump." =>
        "Connect it back if players can walk or jump back; a one-way door is right as it is.";
    @hidden Info "one-way-drop":
        "A one-way connection down a ledge that is higher than a crouch-jump, so that no way back is right. Drops are in every real mesh, and `check` shows them only when asked." =>
        "Nothing needs to be done.";
    Warning "duplicate-hiding-spot-id":
        "Two hiding spots have one id, so that an encounter path may name the wrong one." =>
        "Analyze the mesh again.";
    Warning "dangling-approach":
        "An approach names an area id that does not exist. 1,369 of 22.3 million real ids do." =>
        "Analyze the mesh again; the area was deleted after the analysis.";
    Warning "dangling-encounter-path":
        "An encounter path leads from or to an area id that does not exist." =>
        "Analyze the mesh again.";
    Warning "encounter-direction":
        "The direction of an encounter path is none of the four (0 to 3)." =>
        "Analyze the mesh again; the byte is damage.";
    Warning "dangling-encounter-spot":
        "An encounter path passes a hiding spot id that does not exist." =>
        "Analyze the mesh again.";
    Error "dangling-ladder":
        "An area lists a ladder id that no ladder has." =>
        "Build the ladder again in the editor, or analyze the mesh again.";
    Error "dangling-ladder-area":
        "A ladder ends at an area id that does not exist." =>
        "Connect the ladder to an area again in the editor.";
    Error "duplicate-ladder-id":
        "Two ladders have one id; areas lead to the first of them alone." =>
        "Compress the ids in the editor (`nav_compress_id`).";
    Warning "ladder-direction":
        "A ladder faces a direction that is none of the four (0 to 3)." =>
        "Delete the ladder and build it again in the editor.";
    Warning "dangling-visible-area":
        "An area sees an area that does not exist. 165 ids in 1,552 real CS:GO meshes do." =>
        "Analyze the mesh again; the area was deleted after the analysis.";
    Warning "dangling-inherited-visibility":
        "An area builds its visibility upon an area id that does not exist." =>
        "Analyze the mesh again.";
    Warning "self-inherited-visibility":
        "An area builds its visibility upon itself." =>
        "Analyze the mesh again.";
    Warning "chained-visibility":
        "An area builds its visibility upon one that does so itself; the engine follows one level only." =>
        "Analyze the mesh again.";
    Warning "zero-areas":
        "The mesh has no area. The engine refuses such a file." =>
        "Generate the mesh in the game (`nav_generate`).";
    Info "stale-tail":
        "Bytes of a longer, older file are left behind the end: GoldSrc does not cut a file that it saves over (48 of 213 files)." =>
        "Nothing needs to be done; delete the file before saving to be rid of them.";
    Info "experimental-layout":
        "No real file of this version was seen; the layout is inferred, and it ends where the file ends." =>
        "Nothing needs to be done; look twice at values that surprise.";
    Warning "unknown-subversion":
        "The game that this sub-version belongs to is not known. The stock layout fits to the last byte." =>
        "Nothing needs to be done; look twice at values that surprise.";
    Error "vertex-out-of-range":
        "A corner of an area is a vertex that the mesh does not have (Source 2)." =>
        "Generate the mesh again in the game's tools.";
    Warning "edge-out-of-range":
        "A connection leads to an edge that the target polygon does not have (Source 2)." =>
        "Generate the mesh again in the game's tools.";
    Warning "non-finite-value":
        "An occupy time, the light at a corner or the visibility range of the mesh is NaN or infinite." =>
        "Analyze the mesh again; such bytes are damage.";
    Deviation "outside-world":
        "An area or a ladder reaches beyond 16,384 units from the origin, which is as far as the world of the engine goes." =>
        "Nothing needs to be done; nothing in the game gets there.";
    Warning "shared-rectangle":
        "Two areas have the same corners, so that they lie in one another." =>
        "Delete one of them in the editor.";
    Warning "duplicate-connection":
        "An area is connected to the same area twice over one side." =>
        "Disconnect the two areas in the editor and connect them again.";
    Info "hiding-spot-outside":
        "A hiding spot lies more than a unit beside the area that it belongs to." =>
        "Analyze the mesh again; the area was probably edited after the analysis.";
    Warning "approach-way":
        "The byte that says how one gets to or from an approach area is none of the nine ways (0 to 8)." =>
        "Analyze the mesh again; the byte is damage.";
    Warning "visibility-bits":
        "How an area sees another is a byte of which only the two lowest bits have a meaning; others are set." =>
        "Analyze the mesh again; the byte is damage.";
    Error "ladder-size":
        "The width or the length of a ladder is NaN or infinite. If it is below zero, which is possible but odd, the finding is a warning." =>
        "Delete the ladder and build it again in the editor.";
    Warning "zero-map-size":
        "The size of the map that the mesh was made for is 0 in a version that stores it. The game calls such a mesh out of date." =>
        "Save the mesh in the game, which writes the size of the map.";
    Warning "hull-out-of-range":
        "An area belongs to a hull that the generation parameters do not define (Source 2)." =>
        "Generate the mesh again in the game's tools.";
    Warning "kv3-block":
        "A KV3 block contradicts its own header: an unknown compression, or a size that is not what the file holds (Source 2)." =>
        "Generate the mesh again in the game's tools.";
};
