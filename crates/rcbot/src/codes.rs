//! What the findings of waypoints mean.

use navmap_core::{Code, codes};

pub(super) const CODES: &[Code] = codes! {
    Error "dangling-target":
        "A link leads to a waypoint that does not exist." =>
        "Delete the link in the bot's waypoint editor.";
    Warning "link-to-unused":
        "A link leads to a waypoint that was deleted. No real file has one." =>
        "Delete the link in the bot's waypoint editor.";
    Warning "self-link":
        "A link leads from a waypoint to itself. No real file has one." =>
        "Delete the link in the bot's waypoint editor.";
    Warning "repeated-link":
        "A waypoint has two links to the same waypoint. No real file has one." =>
        "Delete one of them in the bot's waypoint editor.";
    Warning "not-finite":
        "A coordinate is NaN or infinite." =>
        "Delete the waypoint in the bot's waypoint editor; such bytes are damage.";
    Warning "bot-refuses":
        "There are more waypoints than the bot loads: 1,024." =>
        "Delete some, or use a build of the bot that loads more.";
    Warning "experimental-layout":
        "No real file has this version, and a known layout ends exactly where the file ends." =>
        "Nothing needs to be done; look twice at values that surprise.";
    Info "unused-links":
        "A waypoint that was deleted still has links." =>
        "Nothing needs to be done; the bot does not use them.";
    Info "wild-radius":
        "A radius is negative, no number, or larger than 1,024 units. The largest of a real waypoint is 512." =>
        "Set the radius again in the bot's waypoint editor.";
    Info "wild-angle":
        "An angle is not one of -180 to 180 degrees, as it is in every real waypoint." =>
        "Set the angle again in the bot's waypoint editor.";
    Info "unknown-flag":
        "A flag is set that has no known name, or that no real waypoint has." =>
        "Nothing needs to be done; the value is kept.";
    Info "both-teams":
        "A waypoint is closed to one team and to the other." =>
        "Clear one of the flags, or both if everybody may go there.";
    Info "shared-origin":
        "Two waypoints lie at one place." =>
        "Delete one of them in the bot's waypoint editor.";
    Info "no-links":
        "The file has waypoints and no link." =>
        "Draw links in the bot's waypoint editor; bots cannot move.";
};
