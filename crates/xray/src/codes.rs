//! What the findings of grids mean.

use navmap_core::{Code, codes};

pub(super) const CODES: &[Code] = codes! {
    Error "dangling-target":
        "A link leads to a node that does not exist." =>
        "Build the level anew; such bytes are damage.";
    Error "wrong-neighbour":
        "A link does not lead to the square beside its node that its place among the four links means. All real ones do." =>
        "Build the level anew; such bytes are damage.";
    Error "node-order":
        "A node stands before one of a lower square. The engine finds nodes by a search that needs their order." =>
        "Build the level anew.";
    Warning "shared-origin":
        "Two nodes lie in one square at one height." =>
        "Build the level anew; the engine finds one of them alone.";
    Warning "outside-box":
        "A node lies outside the box of the head." =>
        "Build the level anew.";
    Warning "height-range":
        "The range of heights is not the height of the box and 0.001, as it is in every real file." =>
        "Build the level anew; nodes stand too high or too low.";
    Warning "experimental-layout":
        "The version is unknown, and the layout of the newest known one ends exactly where the file ends." =>
        "Nothing needs to be done; look twice at values that surprise.";
    Info "deep-drop":
        "A link leads more than 4 m down. The deepest real one is 26 m." =>
        "Look at the place; a creature that takes it falls.";
    Info "one-way":
        "Links have none back. The message says how many: 730 of 2.8 million real ones." =>
        "Nothing needs to be done where one can drop and not climb.";
    Info "empty-graph":
        "The file has no nodes." =>
        "Build the level anew, if creatures should walk on it.";
    Info "no-links":
        "The file has nodes and no link." =>
        "Build the level anew; creatures cannot move.";
};
