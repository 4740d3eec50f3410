//! Values as they are typed: flags, and KEY=VALUE of waypoints.

use crate::buf::WaypointBuf;
use crate::flags::{Game, NodeFlags};
use navmap_core::edit::points::{named, point};
use navmap_core::edit::{Refusal, Word, nearest, number};

/// The keys of a waypoint.
pub(super) const KEYS: [&str; 5] = ["Origin", "Yaw", "Flags", "Area", "Radius"];

/// The names of flags in a game.
pub(super) fn flag_names(game: Option<Game>) -> Vec<&'static str> {
    NodeFlags::NAMED.iter().filter_map(|(_, bit)| Game::flag(game, *bit)).collect()
}

/// `sniper,defend`: names in the game, or those of both meanings.
pub(super) fn flags(names: &str, game: Option<Game>) -> Result<NodeFlags, Refusal> {
    let own: Vec<(&str, NodeFlags)> =
        NodeFlags::NAMED.iter().filter_map(|(_, bit)| Some((Game::flag(game, *bit)?, *bit))).collect();
    let bit = |name: &str| {
        let long = NodeFlags::NAMED.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        long.map_or_else(|| named(name, "flag", &own), |(_, bit)| Ok(*bit))
    };
    names.split(',').try_fold(NodeFlags::default(), |all, name| Ok(NodeFlags(all.0 | bit(name.trim())?.0)))
}

/// Sets a value of a waypoint.
pub(super) fn set(node: &mut WaypointBuf, word: &Word<'_>, game: Option<Game>) -> Result<(), Refusal> {
    let wrong = |what: &str| Refusal::new(format!("{} where {what} was expected", word.text)).at(word.at);
    let (key, value) = word.setting().ok_or_else(|| wrong("KEY=VALUE"))?;
    match key.to_ascii_lowercase().as_str() {
        "origin" => node.origin = point(value).ok_or_else(|| wrong("Origin=X,Y,Z"))?,
        "yaw" => node.yaw = value.parse().map_err(|_| wrong("Yaw=DEGREES, a whole number"))?,
        "flags" => {
            node.flags = match value {
                "none" => NodeFlags::default(),
                _ => match value.parse() {
                    Ok(bits) => NodeFlags(bits),
                    Err(_) => flags(value, game).map_err(|refusal| refusal.at(word.at))?,
                },
            }
        }
        "area" => node.area = value.parse().map_err(|_| wrong("Area=NUMBER"))?,
        "radius" => node.radius = number(value).ok_or_else(|| wrong("Radius=UNITS"))?,
        _ => return Err(Refusal::unknown("key", key).or(nearest(key, KEYS)).at(word.at)),
    }
    Ok(())
}
