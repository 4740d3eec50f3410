//! What the findings of a Detour mesh mean.

use navmap_core::{Code, codes};

pub(crate) const CODES: &[Code] = codes! {
    Error "corner-count":
        "A polygon has fewer than 3 or more than 6 corners, or stands for an off-mesh connection and has not 2. The engine reads beyond its record." =>
        "Do not load the tile; build it again.";
    Error "polygon-kind":
        "A polygon is of another kind than its place says: ground polygons come first, then those that stand for off-mesh connections." =>
        "Do not load the tile; build it again.";
    Error "dangling-corner":
        "A corner of a polygon is a vertex that does not exist. The engine reads beyond the vertices." =>
        "Do not load the tile; build it again.";
    Error "repeated-corner":
        "A polygon has the same vertex as a corner twice (2 of 1.58 million real polygons)." =>
        "Build the tile again with vertices that are welded before polygons are made.";
    Error "dangling-neighbour":
        "A neighbour of a polygon does not exist. The engine links to memory that is no polygon." =>
        "Do not load the tile; build it again.";
    Error "one-sided-neighbour":
        "A polygon has a neighbour that does not lead back over the same edge. No real file has one." =>
        "Build the tile again; in a hand-made tile, mend the neighbours of both polygons.";
    Error "portal-side":
        "A portal edge names a side that no tile has edges on." =>
        "Build the tile again; sides are 0, 2, 4 and 6.";
    Error "portal-off-side":
        "A portal edge does not lie on the side of the tile that it leads over, so that it joins nothing." =>
        "Build the tile again; vertices of portals must lie exactly on the tile's box.";
    Error "no-room-for-links":
        "The tile has room for no link. The engine writes its first link before the section." =>
        "Do not load the tile; build it again.";
    Error "off-mesh-base":
        "The polygons of off-mesh connections are not the last ones, or are not as many as the connections." =>
        "Do not load the tile; build it again.";
    Error "off-mesh-polygon":
        "An off-mesh connection names a polygon that is not its own. The engine writes the ends of the connection into it." =>
        "Do not load the tile; build it again.";
    Error "off-mesh-side":
        "An off-mesh connection ends over a side that no tile has." =>
        "Build the tile again; sides are 0 to 7, and 255 inside the tile.";
    Error "missing-detail":
        "There are fewer detail meshes than ground polygons. The engine reads beyond them." =>
        "Do not load the tile; build it again.";
    Error "detail-range":
        "The vertices or triangles of a detail mesh reach beyond their section." =>
        "Do not load the tile; build it again.";
    Error "detail-corner":
        "A detail triangle has a corner that is neither one of its polygon nor a vertex of its detail mesh." =>
        "Do not load the tile; build it again.";
    Error "no-boundary":
        "No triangle of a detail mesh has an edge on the boundary of its polygon. The engine reads through a null pointer when it looks for the nearest point there." =>
        "Do not load the tile; build it again with the flags of detail triangles.";
    Error "tree-index":
        "A leaf of the tree names a polygon that is no ground polygon." =>
        "Do not load the tile; build it again.";
    Error "tree-skip":
        "A node of the tree leads on beyond the last one. The engine reads beyond the tree, or never ends." =>
        "Do not load the tile; build it again.";
    Error "tree-leaf":
        "A ground polygon has no leaf in the tree, or two: queries do not find it, or find it twice." =>
        "Build the tile again.";
    Error "tree-box":
        "The box of a leaf does not cover its polygon: queries pass over it." =>
        "Build the tile again.";
    Error "not-finite":
        "A number is NaN or infinite." =>
        "Do not load the tile; such bytes are damage.";
    Error "reference-bits":
        "The mesh has room for so many tiles and polygons that a reference has fewer than 10 bits of salt. The engine refuses to start." =>
        "Build with fewer or larger tiles, or with references of 64 bits.";
    Error "tile-number":
        "The reference of a tile names one beyond what the mesh has room for. The engine drops the tile." =>
        "Correct the number of tiles in the head of the set.";
    Error "many-polygons":
        "A tile has more polygons than a reference has room for. The engine drops the tile." =>
        "Correct the number of polygons in the head of the set, or build smaller tiles.";
    Error "tile-count":
        "The head states another number of tiles than there are." =>
        "Correct the count; tiles that are not counted are not loaded.";
    Error "twin-tile":
        "Two tiles have the same column, row and layer. The engine drops the second one." =>
        "Delete one of them, or give it another layer.";
    Error "tile-place":
        "A tile does not lie where its column and row put it, so that its portals meet no other tile." =>
        "Build the set again; tiles of different builds were mixed.";
    Error "tile-overlap":
        "The box of a tile is larger than a place of the grid, so that it lies over other tiles. The engine finds the ground there in one of them, whichever comes first." =>
        "Build the set again, with tiles that are cut at the lines of the grid.";
    Error "tile-trailing":
        "Bytes are left over in the record of a tile, behind its last section." =>
        "Save the set again; the engine passes over them.";
    Error "missing-map":
        "Tiles of a map lie in the folder, and its `.mmap` does not." =>
        "Fetch the file; the server does not load tiles without it.";
    Error "mixed-versions":
        "Tiles of several versions lie in one folder. A server loads only those of its own." =>
        "Extract all tiles with the same tool.";
    Error "name-place":
        "The name of a tile puts it elsewhere than its vertices lie." =>
        "Rename the file; if column and row are exchanged the message says so.";
    Warning "winding":
        "The corners of a ground polygon run the other way round (59 of 1.58 million)." =>
        "Build the tile again; points may not be found on it.";
    Warning "no-area":
        "A ground polygon has no area in plan (198 of 1.58 million)." =>
        "Nothing has to be done; a builder that drops slivers does not make them.";
    Warning "flags-zero":
        "A ground polygon has no flag, so that the engine's usual filters pass over it. In Respawn's meshes it is switched off, which is as it should be." =>
        "Give it the flags of its area when the mesh is built.";
    Warning "few-links":
        "There is room for fewer links than the tile needs. The engine silently leaves the rest out." =>
        "Build the tile again.";
    Warning "crowded-portal":
        "A portal edge has more than four partners in one tile. The engine drops the rest." =>
        "Build with larger polygons on the other side, or smaller ones on this.";
    Warning "off-mesh-nowhere":
        "An end of an off-mesh connection lies on no polygon within its radius, so that the engine leaves it out." =>
        "Move the end onto the mesh, or give the connection a larger radius.";
    Warning "many-detail-vertices":
        "A tile has more than 65,535 detail vertices, whose numbers Recast's builder cuts to 16 bits." =>
        "Build smaller tiles, or with a coarser detail mesh.";
    Warning "seam-limit":
        "Portal edges overlap each other so often that not all of them were compared." =>
        "Nothing is known to make such a file on purpose; build it again.";
    Warning "layer-version":
        "A layer of a tile cache is of an unknown version." =>
        "Build the cache again with a current Detour.";
    Info "absent-tile":
        "Portal edges of a server's tile lead to a place where the folder has no tile." =>
        "Fetch the file if the map goes on there; at the rim of a map nothing has to be done.";
    Warning "experimental-layout":
        "No real file of this version was seen; the layout of another version fits to the last byte." =>
        "Nothing needs to be done; look twice at values that surprise.";
    Info "open-seam":
        "A portal edge joins nothing, although a tile lies on the other side." =>
        "Often the ground there is too steep or too far below. If one could walk there, build both tiles again.";
    @hidden Info "rim":
        "A portal edge leads over the rim of the mesh, where no tile lies." =>
        "Nothing has to be done; every mesh has such edges.";
    Info "unknown-compression":
        "A layer of a tile cache does not unpack by FastLZ, which is the stock compression; projects may put in their own." =>
        "Nothing has to be done if the project has a compression of its own; otherwise the layer is damaged.";
};
