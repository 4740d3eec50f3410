//! Named bits. Unknown ones are kept.

use navmap_core::bits;

bits! {
    /// The content and origin of a container. `docs/formats/yapb.md`, section 1.
    GraphOptions(u32) {
        /// What bots have learnt. Not a graph.
        PRACTICE = 0x1 => "practice",
        /// A matrix of shortest paths. Not a graph.
        MATRIX = 0x2 => "matrix",
        /// Which nodes see each other. Not a graph.
        VISIBILITY = 0x4 => "visibility",
        /// A graph: set in every file that this family reads.
        GRAPH = 0x8 => "graph",
        /// From the bot's own collection.
        OFFICIAL = 0x10 => "official",
        /// Recovered from a file of POD-Bot.
        RECOVERED = 0x20 => "recovered",
        /// Author and more follow the packed bytes.
        EXTENSION = 0x40 => "extension",
        /// Made by the bot's analyser, not by a person.
        ANALYZED = 0x80 => "analyzed",
        /// Converted from `.pwf`.
        CONVERTED = 0x100 => "converted",
    }
}

bits! {
    /// The uses of a node. `docs/formats/yapb.md`, section 3.
    NodeFlags(u32) {
        /// A button has to be used here.
        BUTTON = 0x1 => "button",
        /// On a lift.
        LIFT = 0x2 => "lift",
        /// One has to crouch.
        CROUCH = 0x4 => "crouch",
        /// Where ways cross.
        CROSSING = 0x8 => "crossing",
        /// A goal of the map: a bomb site, hostages.
        GOAL = 0x10 => "goal",
        /// On a ladder.
        LADDER = 0x20 => "ladder",
        /// Where hostages are brought.
        RESCUE = 0x40 => "rescue",
        /// A place to camp.
        CAMP = 0x80 => "camp",
        /// Hostages cannot follow.
        NO_HOSTAGE = 0x100 => "no_hostage",
        /// A jump on another player's head.
        DOUBLE_JUMP = 0x200 => "double_jump",
        /// A narrow place.
        NARROW = 0x400 => "narrow",
        /// A place for a sniper.
        SNIPER = 0x1000_0000 => "sniper",
        /// For terrorists only.
        TERRORISTS = 0x2000_0000 => "terrorists",
        /// For counter-terrorists only.
        COUNTER_TERRORISTS = 0x4000_0000 => "counter_terrorists",
    }
}

bits! {
    /// The way a link is travelled.
    LinkFlags(u16) {
        /// With a jump.
        JUMP = 0x1 => "jump",
    }
}
