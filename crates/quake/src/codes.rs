//! What the findings of a Quake graph mean.

use navmap_core::{Code, codes};

pub(super) const CODES: &[Code] = codes! {
    Error "link-range":
        "The links of a node reach past the end of the list of links." =>
        "Save the graph again from the tool that made it; the game would read other records as links.";
    Error "link-tiling":
        "The links of a node do not begin where those of the node before end, so that links belong to two nodes or to none." =>
        "Save the graph again from the tool that made it.";
    Error "dangling-target":
        "A link leads to a node that does not exist." =>
        "Take it out with `clean_links` of `navmap edit`, or delete it in the editor.";
    Error "dangling-traversal":
        "A link names a traversal that does not exist." =>
        "Delete the link in the editor and draw it again.";
    Error "dangling-edict":
        "An edict belongs to a link that does not exist." =>
        "Delete the edict's link in the editor and draw it again.";
    Error "not-finite":
        "A coordinate or the heuristic is NaN or infinite." =>
        "Move or delete the record in the editor; such bytes are damage.";
    Warning "self-link":
        "A link leads from a node to itself." =>
        "Delete the link.";
    Warning "repeated-link":
        "A node has two links to the same node." =>
        "Delete one of them.";
    Warning "shared-origin":
        "Two nodes lie at one place. In navjson, links to either lead to the later one, because they name targets by coordinates." =>
        "Delete one of the nodes, or move it by a unit.";
    Warning "zero-radius":
        "The radius of a node is 0. A bot has arrived when it is within the radius of a node, so it never quite arrives at this one. No real file has such a node." =>
        "Give the node a radius in the editor.";
    Warning "shared-traversal":
        "Two links have one traversal." =>
        "Draw one of the links again.";
    Warning "orphan-traversal":
        "No link has this traversal." =>
        "Save the graph in the editor, which drops it.";
    Warning "traversal-order":
        "Traversals do not stand in the order of their links." =>
        "Save the graph in the editor, which sorts them.";
    Warning "unexpected-traversal":
        "A link of a kind that is passed on foot has a traversal." =>
        "Check the kind of the link in the editor.";
    Warning "missing-traversal":
        "A link of a kind that needs a take-off and a landing has none. For some kinds real files have such links, which is information." =>
        "Draw the link again in the editor.";
    Warning "edict-order":
        "Edicts do not ascend by link." =>
        "Save the graph in the editor, which sorts them.";
    Warning "repeated-edict":
        "A link has two edicts." =>
        "Bind the link to its entity again in the editor.";
    Warning "inverted-box":
        "The box of an edict has its smallest and largest corners exchanged." =>
        "Bind the link to its entity again in the editor.";
    Warning "empty-box":
        "The box of an edict has no volume." =>
        "Bind the link to its entity again in the editor.";
    Warning "ladder-plane":
        "The plane of a ladder is no unit vector, or a link that is no ladder has one." =>
        "Draw the ladder again in the editor.";
    Warning "heuristic":
        "The heuristic is neither 0.8 nor 0.95, which real files have. 0 is the mark of a tool that upgraded version 15." =>
        "Set it to 0.8: `navmap edit a.nav -c 'set Settings Heuristic=0.8' -o b.nav`.";
    Warning "runtime-flag":
        "A flag is set that belongs to a running game." =>
        "Clear the flag; the game sets it when it needs it.";
    Warning "beyond-reach":
        "There are more nodes, links or traversals than 16 bits address; the rest cannot be named." =>
        "Split the map, or delete what is not needed.";
    Warning "no-nodes":
        "The graph has no node." =>
        "Make the graph again in the editor.";
    Info "no-links":
        "The graph has nodes and no link." =>
        "Draw links in the editor; bots cannot move.";
    Warning "experimental-layout":
        "No real file of this version was seen; the layout of another version fits to the last byte." =>
        "Nothing needs to be done; look twice at values that surprise.";
    Deviation "link-byte":
        "A byte of a link is not 0, though NAV2 before version 18 leaves it at 0." =>
        "Nothing needs to be done; the game does not read it.";
    Info "unknown-link-type":
        "The type of a link has no known name." =>
        "Nothing needs to be done; the value is kept.";
    Info "unknown-node-flag":
        "A flag of a node has no known name." =>
        "Nothing needs to be done; the value is kept.";
    Info "unknown-link-flag":
        "A flag of a link has no known name." =>
        "Nothing needs to be done; the value is kept.";
    Info "unresolved-entity":
        "An edict names no entity." =>
        "Bind the link to its entity again if it should depend on one.";
    Info "no-model":
        "The model of an edict is no inline model of the map." =>
        "Bind the link to its entity again if it should depend on one.";
    Error "unresolved-target":
        "A link of a navjson file leads to coordinates at which no node lies." =>
        "Correct the coordinates of the link's target.";
    Deviation "missing-member":
        "A navjson file lacks a member that its format has." =>
        "Add it, or leave it out: readers do without.";
    Deviation "unknown-member":
        "A navjson file has members that its format does not have. They are not kept." =>
        "Check the spelling of the member.";
    Deviation "byte-order-mark":
        "A navjson file begins with a byte order mark." =>
        "Save it as UTF-8 without one.";
};
