//! What the findings of waypoints mean.

use navmap_core::{Code, codes};

pub(super) const CODES: &[Code] = codes! {
    Error "dangling-target":
        "A link leads to a node that does not exist." =>
        "Delete the link in the bot's graph editor.";
    Warning "node-number":
        "The number of a node is not its place in the list, as it is in every real file." =>
        "Load and save the graph in the bot's graph editor, which numbers the nodes.";
    Warning "self-link":
        "A link leads from a node to itself. 15 of 11 million real links do." =>
        "Delete the link in the bot's graph editor.";
    Warning "repeated-link":
        "A node has two links to the same node." =>
        "Delete one of them in the bot's graph editor.";
    Warning "not-finite":
        "A coordinate, a velocity or a light is NaN or infinite." =>
        "Delete the node in the bot's graph editor; such bytes are damage.";
    Warning "wild-radius":
        "A radius is negative, no number, or larger than 1,024 units. 96 of 9,173 real files have one." =>
        "Set the radius again in the bot's graph editor.";
    Warning "bot-refuses":
        "The bot does not load so many or so few nodes: YaPB takes 8 to 4,096, POD-Bot at most 1,024. YaPB deletes the file and fetches another." =>
        "Add nodes or delete some; keep a copy of the file elsewhere.";
    Warning "extension-size":
        "The options announce an author behind the nodes, and fewer than 36 bytes follow." =>
        "Save the graph again in the bot's graph editor; the author is lost, the nodes are not.";
    Warning "experimental-layout":
        "The version is unknown, and the layout of a known one ends exactly where the file ends." =>
        "Nothing needs to be done; look twice at values that surprise.";
    Info "jump-velocity":
        "A jump has no velocity, or a link that is no jump has one." =>
        "Draw the jump again in the bot's graph editor.";
    Info "stale-distance":
        "Stored distances differ from the real ones by more than 8 units, since nodes were moved later. The bot searches with the stored ones. The message says how many do." =>
        "Load and save the graph in the bot's graph editor, which measures them again.";
    Info "unknown-node-flag":
        "A flag of a node has no known name. 3,423 real nodes have such a flag, most on zombie maps." =>
        "Nothing needs to be done; the value is kept.";
    Info "unknown-link-flag":
        "A flag of a link has no known name." =>
        "Nothing needs to be done; the value is kept.";
    Info "both-teams":
        "A node is for terrorists only and for counter-terrorists only." =>
        "Clear one of the flags, or both if everybody may go there.";
    Info "camp-angles":
        "The directions of a camping place are no angles: old files hold points of the map there." =>
        "Set the directions again in the bot's graph editor.";
    Info "shared-origin":
        "Two nodes lie at one place." =>
        "Delete one of them in the bot's graph editor.";
    Info "no-links":
        "The graph has nodes and no link." =>
        "Draw links in the bot's graph editor; bots cannot move.";
};
