//! The meaning of the findings in a Bethesda plugin.

use navmap_core::{Code, codes};

pub(super) const CODES: &[Code] = codes! {
    Error "vertex-out-of-range":
        "A triangle has a corner that is no vertex of the mesh." =>
        "Delete the triangle in the Creation Kit and finalize the mesh.";
    Error "neighbour-out-of-range":
        "An edge leads to a triangle that does not exist." =>
        "Finalize the mesh in the Creation Kit.";
    Error "edge-link-out-of-range":
        "An edge names an edge link that does not exist." =>
        "Finalize the mesh in the Creation Kit.";
    Error "too-many-vertices":
        "The mesh has more than 32,767 vertices, where the signed indices of the Creation Kit end." =>
        "Split the mesh.";
    Error "too-many-triangles":
        "The mesh has more than 32,767 triangles, where the signed indices of the Creation Kit end." =>
        "Split the mesh.";
    Error "vertex-not-finite":
        "A coordinate of a vertex is NaN or infinite." =>
        "Move or delete the vertex in the Creation Kit.";
    Warning "one-way-neighbour":
        "A triangle calls another its neighbour, which does not point back." =>
        "Finalize the mesh in the Creation Kit, which sets neighbours anew.";
    Warning "edge-not-shared":
        "Two triangles call each other neighbours over edges that do not have the same vertices." =>
        "Merge the vertices in the Creation Kit and finalize the mesh.";
    Warning "flipped-neighbour":
        "Neighbours run along their common edge in the same direction: one of them faces down." =>
        "Flip the triangle in the Creation Kit.";
    Warning "degenerate-triangle":
        "A triangle has no area seen from above, or has a vertex twice." =>
        "Delete it in the Creation Kit.";
    Error "clockwise-triangle":
        "A triangle faces down. The Creation Kit repairs such triangles when it finds them." =>
        "Flip it in the Creation Kit, or run its check of navmeshes.";
    Warning "edge-link-unused":
        "No edge names this edge link." =>
        "Finalize the mesh in the Creation Kit.";
    Warning "edge-link-shared":
        "Several edges name one edge link." =>
        "Finalize the mesh in the Creation Kit.";
    Warning "unknown-link-type":
        "The type of an edge link is above 3, and the games know 0 to 3: portal, ledge up, ledge down, switched portal." =>
        "Finalize the mesh in the Creation Kit; such a number is damage.";
    Error "door-triangle-out-of-range":
        "A door stands on a triangle that does not exist." =>
        "Finalize the mesh in the Creation Kit, which finds the triangle again.";
    Warning "door-flag-missing":
        "A triangle under a door lacks the door flag." =>
        "Finalize the mesh in the Creation Kit.";
    Info "door-flag-alone":
        "A triangle has the door flag and no door. Real files have such triangles." =>
        "Nothing needs to be done.";
    Info "type-hash":
        "A type hash is not the one that the engine writes." =>
        "Nothing needs to be done; save the mesh in the Creation Kit to be rid of it.";
    Warning "cover-list":
        "The list of triangles with cover differs from what the cover flags say." =>
        "Find cover again in the Creation Kit.";
    Info "cover-inside":
        "Edges with a neighbour have cover, which only borders use: 1 to 2 % of real cover." =>
        "Nothing needs to be done.";
    Warning "cover-edge":
        "The map of cover edges names an edge that does not exist, or disagrees with the bits of a triangle." =>
        "Find cover again in the Creation Kit.";
    Warning "cover-segment":
        "A piece of cover touches a vertex that does not exist." =>
        "Find cover again in the Creation Kit.";
    Error "waypoint-out-of-range":
        "A waypoint is on a triangle that does not exist." =>
        "Generate the waypoints again.";
    Info "waypoint-nowhere":
        "A waypoint is on no triangle (65,535). One real Starfield mesh has one." =>
        "Nothing needs to be done.";
    Warning "grid-divisor":
        "The grid has another number of cells than the games give a mesh of so many triangles." =>
        "Finalize the mesh in the Creation Kit, which makes the grid anew.";
    Warning "grid-cell-size":
        "The size of the grid's cells does not follow from its bounds." =>
        "Finalize the mesh in the Creation Kit, which makes the grid anew.";
    Warning "grid-bounds":
        "The bounds of the grid are not those of the vertices: actors outside of them are lost." =>
        "Finalize the mesh in the Creation Kit, which makes the grid anew.";
    Error "grid-triangle-out-of-range":
        "A list of the grid names a triangle that does not exist." =>
        "Finalize the mesh in the Creation Kit, which makes the grid anew.";
    Deviation "grid-list-unsorted":
        "A list of the grid is not ascending." =>
        "Nothing needs to be done.";
    Warning "grid-stray":
        "The grid lists triangles in cells that they do not touch." =>
        "Finalize the mesh in the Creation Kit, which makes the grid anew.";
    Warning "grid-missing":
        "The grid lacks triangles in cells that they overlap: the game does not find them there." =>
        "Finalize the mesh in the Creation Kit, which makes the grid anew.";
    Info "experimental-layout":
        "No real file confirms this layout." =>
        "Nothing needs to be done; look twice at values that surprise.";
    Error "damaged-header":
        "The file header of the plugin cannot be read to its end." =>
        "Take the plugin from its source again.";
    Error "damaged-group":
        "A group of records cannot be read. What comes after it is read." =>
        "Take the plugin from its source again, or clean it with a plugin editor.";
    Error "damaged-navmesh":
        "A navmesh cannot be read. The others are read." =>
        "Take the plugin from its source again, or make the mesh anew in the Creation Kit.";
    Error "damaged-navi":
        "The navmesh info map (NAVI) cannot be read, or an entry of it." =>
        "Save the plugin in the Creation Kit, which writes the map anew.";
    Info "missing-counts":
        "The mesh lacks counts that an early editor left out. With them put back, it reads to its end." =>
        "Open and save the plugin in the Creation Kit.";
    Warning "deleted-navmesh":
        "The plugin deletes a navmesh of a master. Paths that lead over it can crash the game. (Information where the mesh is its own.)" =>
        "Undelete the mesh, move it below the ground and finalize its neighbours, as guides to cleaning plugins say.";
    Deviation "deleted-with-data":
        "A deleted record still has data." =>
        "Nothing needs to be done.";
    Deviation "stored-navmesh":
        "A navmesh is stored uncompressed, which the Creation Kit does not do." =>
        "Nothing needs to be done.";
    Info "form-id-index":
        "A FormID has a file index above the number of masters; the games read it as the plugin's own." =>
        "Nothing needs to be done; a plugin editor writes it right.";
    Error "form-id-twice":
        "Two navmesh records have one FormID; the game sees one of them, and navmap takes the first." =>
        "Give one of them another FormID in a plugin editor.";
    Error "light-object-id":
        "A light plugin has an object id that light plugins cannot have." =>
        "Compact the FormIDs in a plugin editor.";
    Warning "navmesh-place":
        "A navmesh stands outside the temporary children of a cell, where the game looks for it." =>
        "Save the plugin in the Creation Kit.";
    Warning "cell-differs":
        "A mesh names another cell than the one that it stands in." =>
        "Save the plugin in the Creation Kit.";
    Warning "world-differs":
        "A mesh names another worldspace than the one that it stands in." =>
        "Save the plugin in the Creation Kit.";
    Warning "grid-square-differs":
        "A mesh names another square of its worldspace than its cell." =>
        "Save the plugin in the Creation Kit.";
    Warning "nvnm-version":
        "A mesh has a version of another game than the plugin." =>
        "Convert the mesh in the Creation Kit of the game; others may crash the game.";
    Warning "navi-version":
        "The navmesh info map has a version of another game than the plugin." =>
        "Save the plugin in the Creation Kit of the game.";
    Warning "navi-form-id":
        "The navmesh info map is not the one that all plugins of the game share." =>
        "Save the plugin in the Creation Kit.";
    Warning "navi-missing":
        "The plugin adds navmeshes and has no navmesh info map (NAVI): the game does not use them. Overrides need none, their entries lie in the master." =>
        "Save the plugin in the Creation Kit, which writes the map.";
    Warning "nvmi-missing":
        "The navmesh info map has no entry for a mesh that the plugin adds: the game does not use the mesh." =>
        "Finalize the mesh in the Creation Kit.";
    Warning "nvmi-owner":
        "The entry of a mesh names another cell, worldspace or square." =>
        "Finalize the mesh in the Creation Kit.";
    Warning "nvmi-links":
        "The entry of a mesh does not list the meshes that its edges lead to." =>
        "Finalize the mesh and its neighbours in the Creation Kit.";
    Warning "nvmi-doors":
        "The entry of a mesh does not list its doors." =>
        "Finalize the mesh in the Creation Kit.";
    Warning "nvmi-center":
        "The center in the entry of a mesh is not the mean of its vertices." =>
        "Finalize the mesh in the Creation Kit.";
    Warning "nvmi-preferred":
        "The entry of a mesh has another share of preferred triangles than the flags give." =>
        "Finalize the mesh in the Creation Kit.";
    Deviation "nvmi-preferred-links":
        "The entry of a mesh calls other linked meshes preferred than the flags of the linked triangles do." =>
        "Nothing needs to be done; finalizing the mesh in the Creation Kit divides them anew.";
    Warning "nvmi-stale":
        "The game uses the entry of a mesh that another plugin has, and it does not fit the mesh that the game uses: paths lead past it or nowhere." =>
        "Run `navmap fix` on the load order, or finalize the mesh in the Creation Kit, which gives the plugin an entry of its own.";
    Warning "nvmi-twice":
        "The navmesh info map has two entries of one mesh; the game uses the last." =>
        "Save the plugin in the Creation Kit.";
    Warning "nvmi-island":
        "The island flag of an entry and its island geometry disagree." =>
        "Finalize the mesh in the Creation Kit.";
    Info "nvmi-without-navmesh":
        "The navmesh info map has an entry of a mesh that the plugin does not have." =>
        "Nothing needs to be done; the Creation Kit drops it when it saves.";
    Error "edge-link-dangling":
        "An edge leads to a navmesh that does not exist." =>
        "Finalize the mesh with all of its masters loaded in the Creation Kit.";
    Error "edge-link-to-deleted":
        "An edge leads to a navmesh that is deleted or empty; paths over it can crash the game." =>
        "Finalize the mesh in the Creation Kit.";
    Error "edge-link-target-out-of-range":
        "An edge leads to a triangle that the other mesh does not have." =>
        "Finalize both meshes in the Creation Kit.";
    Warning "edge-link-one-way":
        "An edge leads to another mesh, from which no edge leads back. (Information for portals that scripts switch.)" =>
        "Finalize both meshes in the Creation Kit.";
    Warning "edge-link-kind":
        "The edge that leads back is of another kind." =>
        "Finalize both meshes in the Creation Kit.";
    Warning "edge-link-edge":
        "The edge that should lead back does not." =>
        "Finalize both meshes in the Creation Kit.";
    Warning "door-reference":
        "A door does not point back at the triangle that names it." =>
        "Finalize the mesh in the Creation Kit.";
    Warning "door-unlisted":
        "A door names a mesh that lists no such door: its triangle is gone or has another number. 1 of 25 doors of real plugins does." =>
        "Finalize the mesh in the Creation Kit.";
    Error "master-order":
        "A master loads after the plugin that needs it." =>
        "Sort the load order.";
    Warning "missing-master":
        "Masters of the plugin are not in the load order, so that links into them are not checked." =>
        "Add the masters to the command.";
    Info "navmesh-conflict":
        "Two plugins change one mesh of a third; the one that loads later wins." =>
        "Make a patch that holds both changes, if both are needed.";
    Error "damaged-grid":
        "A path grid cannot be read. The rest of the plugin is checked." =>
        "Make the path grid again in the Construction Set.";
    Error "grid-counts":
        "A path grid has another number of points or links than it says." =>
        "Save the path grid again in the Construction Set.";
    Error "point-out-of-range":
        "A link of a path grid joins a point that does not exist." =>
        "Save the path grid again in the Construction Set, or delete the link.";
    Warning "one-way-link":
        "A link of a path grid of Morrowind is stored at one of its points alone. All 5,548 links of public files are stored at both." =>
        "Join the two points again in the Construction Set.";
    Warning "foreign-link":
        "A link of a path grid of Oblivion leads into another cell, to a place where no point of a grid is. It is information if \
         the plugin has no grid of that cell, which may be in another plugin." =>
        "Join the two points again in the Construction Set.";
    Info "self-link":
        "A link of a path grid joins a point with itself. 8 of 5,548 links of public files of Morrowind do." =>
        "Nothing needs to be done.";
    Info "repeated-link":
        "Two points of a path grid are joined more than once." =>
        "Nothing needs to be done.";
    Info "deleted-grid":
        "A path grid is deleted." =>
        "Nothing needs to be done if the plugin means to; creatures in that cell have no ways then.";
    Info "isolated-point":
        "Points of a path grid have no link." =>
        "Join them with others, or delete them.";
    Info "grid-parts":
        "The points of a path grid are in parts that no link joins." =>
        "Join them if one can walk from one to the other.";
    Info "generated-bits":
        "The bits that tell which points the editor has made are not as many as the points." =>
        "Nothing needs to be done.";
};
