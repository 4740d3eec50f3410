//! What the findings of node graphs mean.

use navmap_core::{Code, codes};

pub(super) const CODES: &[Code] = codes! {
    Error "dangling-target":
        "A link joins a node that does not exist. The engine tests no index: such a file crashes it, or it says that the graph is corrupt." =>
        "Take it out with `clean_links` of `navmap edit`, or delete the file: the game makes it again from the nodes of the map (`ai_norebuildgraph 0`).";
    Error "too-many-nodes":
        "More than 1,500 nodes. With such a file the game stops: `AI node graph is corrupt`." =>
        "Delete nodes, here or in the map.";
    Warning "repeated-link":
        "Two links join the same nodes. In `.ain` a link works both ways, so that one in the other direction is the same." =>
        "Delete one of them.";
    Warning "self-link":
        "A link joins a node with itself." =>
        "Delete the link.";
    Warning "no-move":
        "A link is closed to every hull." =>
        "Delete the link, or open it to the hulls that fit.";
    Warning "many-links":
        "A node has more than 30 links, which is as many as the engine makes." =>
        "Delete links of the node.";
    Warning "wrong-zone":
        "The zones of nodes are not the connected parts of the graph, so that the game looks for ways where there are none, or gives up where there is one. The message says how many nodes it concerns. 2 of 176 real files have such zones." =>
        "Number the zones with `number_zones` of `navmap edit`, or let the game make the graph again. Edits number them too if they make or remove nodes or links.";
    Warning "repeated-hammer-id":
        "Two nodes have one id in the map's source. The engine warns, and what the map says of the node goes to the first." =>
        "Give the entity of one of them another `nodeid` in the map's editor.";
    Warning "not-finite":
        "A coordinate, an angle, a height or a weight is NaN or infinite." =>
        "Delete the node; such bytes are damage.";
    Warning "link-count":
        "The number of links that a node states is not that of the links that join it (text of version 27)." =>
        "Let the game make the graph again.";
    Warning "link-run":
        "The links of a node do not lie in the pool, are those of another node, or belong to several nodes (`.nod`)." =>
        "Delete the file; the game makes it again from the nodes of the map.";
    Warning "sort-table":
        "A column of the table by which the game finds the nearest node is no permutation of the nodes (`.nod`)." =>
        "Delete the file; the game makes it again from the nodes of the map.";
    Warning "hash-table":
        "The table by which the game finds links does not hold every link once (`.nod`)." =>
        "Delete the file; the game makes it again from the nodes of the map.";
    Warning "route-table":
        "The table of routes sends creatures to nodes that are not linked or lead nowhere, denies a way, or its bytes end (`.nod`). The message says how often. The table holds distances between numbers of nodes in a byte, so that the game itself makes such tables of graphs with more than 256 nodes." =>
        "Delete the file; the game makes it again from the nodes of the map.";
    Warning "not-routed":
        "The graph says that it is not there, or that its routes are not done (`.nod`). The game makes such a graph again." =>
        "Start the map in the game and save the graph again.";
    Warning "dangling-cluster":
        "A cluster names a node or a link between clusters that does not exist, or such a link a cluster that does not exist (version 57)." =>
        "Make the graph again.";
    Warning "cluster-lists":
        "A cluster has not its own number, its nodes do not name it back, or its links are not those that touch it (version 57)." =>
        "Make the graph again.";
    Info "cluster-centre":
        "The centre of a cluster is not the mean of its nodes, or the length of a link between clusters not the distance of their centres (version 57)." =>
        "Nothing needs to be done.";
    Info "one-sided-route":
        "The table of routes says that there is no way where there is one, but none back (`.nod`). The game makes its tables so: it notes both ways as missing when it finds no way in one direction." =>
        "Nothing needs to be done; a link back gives the game the way.";
    Info "detour":
        "The table of routes leads along a way that is longer than the shortest one (`.nod`). The message says how often and by how much." =>
        "Nothing needs to be done; the game walks so.";
    Info "odd-hulls":
        "The number of hulls is not that of known games: 10 in version 37, 12 or 13 in 41." =>
        "Nothing needs to be done if the file belongs to a mod that adds hulls.";
    Info "long-link":
        "A link is longer than the engine makes them: 720 units on the ground, 1,440 in the air. 426 of 163,939 real links are." =>
        "Nothing needs to be done; a node between the two ends may help.";
    Info "unknown-kind":
        "The kind of a node has no known name." =>
        "Nothing needs to be done; the value is kept.";
    Info "unknown-info":
        "A bit of a node has no known name." =>
        "Nothing needs to be done; the value is kept.";
    Info "unknown-moves":
        "A link has a way of moving without a known name." =>
        "Nothing needs to be done; the value is kept.";
    Info "unknown-hint":
        "A hint has a number without a known meaning." =>
        "Nothing needs to be done; the value is kept.";
    Info "unknown-flag":
        "A flag of a link has no known name (`.nod`)." =>
        "Nothing needs to be done; the value is kept.";
    Info "hint-count":
        "There are hints, and not as many as nodes (version 57). Half of the real files are so." =>
        "Nothing needs to be done.";
    Info "in-the-air":
        "A node of the ground lies more than 75 units above the floor. 1,169 of 53,490 real nodes do: the game drops creatures from there." =>
        "Move it down in the map's editor.";
    Info "off-mesh":
        "A node lies more than 64 units from every area of the mesh (`check --mesh`)." =>
        "Nothing needs to be done if only creatures go there; else make the mesh or the graph again.";
    Info "other-floor":
        "The floor under a node is not that of the area of the mesh there: they are more than 2 units apart (`check --mesh`). 10 of 574 nodes of real pairs are so." =>
        "Make the one that is older again.";
    Info "area-without-node":
        "Areas of the mesh have no node within 300 units, so that creatures do not go there (`check --mesh`). The message says how many." =>
        "Place nodes there in the map's editor.";
    Info "shared-origin":
        "Two nodes lie at one place." =>
        "Delete one of them.";
    @hidden Info "one-way":
        "A link of `.nod` leads to a node from which none leads back. A tenth of all links is so." =>
        "Nothing needs to be done.";
    Info "hull-islands":
        "The nodes that a hull can walk between are several parts that are not joined. The message says how many for which hull." =>
        "Join them with nodes that the hull fits at, or let none of its creatures start in the small parts.";
    Info "empty-graph":
        "The graph has no nodes. The game saves such a file for every map without nodes." =>
        "Nothing needs to be done; to have creatures find ways, place nodes in the map.";
    Info "no-links":
        "The graph has nodes and no link." =>
        "Let the game make it again; creatures cannot find ways.";
};
