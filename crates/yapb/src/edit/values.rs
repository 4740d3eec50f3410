//! Values as they are typed: flags, and KEY=VALUE of nodes and links.

use super::editor::Holds;
use crate::flags::{LinkFlags, NodeFlags};
use crate::record::{Link, Node};
use navmap_core::edit::points::{named, point};
use navmap_core::edit::{Refusal, Word, nearest, number};

/// The keys of a node.
pub(super) const KEYS: [&str; 6] = ["Origin", "Flags", "Radius", "Light", "CampStart", "CampEnd"];

/// The keys of a link.
pub(super) const LINK_KEYS: [&str; 3] = ["Flags", "Velocity", "Distance"];

/// `camp,sniper`
pub(super) fn flags(names: &str) -> Result<NodeFlags, Refusal> {
    let all = names
        .split(',')
        .try_fold(0, |all, name| Ok::<u32, Refusal>(all | named(name.trim(), "flag", NodeFlags::NAMED)?.0));
    all.map(NodeFlags)
}

/// A key and its value.
fn pair<'w>(word: &Word<'w>) -> Result<(&'w str, &'w str), Refusal> {
    word.setting().ok_or_else(|| wrong(word, "KEY=VALUE"))
}

fn wrong(word: &Word<'_>, what: &str) -> Refusal {
    Refusal::new(format!("{} where {what} was expected", word.text)).at(word.at)
}

/// Sets a value of a node, for which the file must have room.
pub(super) fn set(node: &mut Node, word: &Word<'_>, holds: Holds) -> Result<(), Refusal> {
    let (key, value) = pair(word)?;
    let lacks = || Refusal::new(format!("{} does not store it", holds.form)).at(word.at);
    let angles = |usage: &str| {
        let angles = point(value).ok_or_else(|| wrong(word, usage))?;
        let [.., third] = angles;
        if holds.light || third == 0.0 { Ok(angles) } else { Err(lacks()) }
    };
    match key.to_ascii_lowercase().as_str() {
        "origin" => node.set_origin(point(value).ok_or_else(|| wrong(word, "Origin=X,Y,Z"))?),
        "flags" => node.set_flags(match value {
            "none" => NodeFlags(0),
            _ => match value.parse() {
                Ok(bits) => NodeFlags(bits),
                Err(_) => flags(value).map_err(|refusal| refusal.at(word.at))?,
            },
        }),
        "radius" => node.set_radius(number(value).ok_or_else(|| wrong(word, "Radius=UNITS"))?),
        "light" if !holds.light => return Err(lacks()),
        "light" => node.set_light(match value {
            "none" => None,
            _ => Some(number(value).ok_or_else(|| wrong(word, "Light=NUMBER or Light=none"))?),
        }),
        "campstart" => node.set_camp(angles("CampStart=PITCH,YAW,0")?, node.camp_end()),
        "campend" => node.set_camp(node.camp_start(), angles("CampEnd=PITCH,YAW,0")?),
        _ => return Err(Refusal::unknown("key", key).or(nearest(key, KEYS)).at(word.at)),
    }
    Ok(())
}

/// Sets a value of a link, for which the file must have room.
pub(super) fn set_link(link: &mut Link, word: &Word<'_>, holds: Holds) -> Result<(), Refusal> {
    let (key, value) = pair(word)?;
    let (mut flags, mut distance, mut velocity) = (link.flags(), link.distance(), link.velocity());
    match key.to_ascii_lowercase().as_str() {
        "flags" => {
            flags = match value {
                "none" => LinkFlags(0),
                _ => match value.parse() {
                    Ok(bits) => LinkFlags(bits),
                    Err(_) => {
                        let named = named(value, "flag of links", LinkFlags::NAMED);
                        named.map_err(|refusal| refusal.at(word.at))?
                    }
                },
            }
        }
        "velocity" => velocity = point(value).ok_or_else(|| wrong(word, "Velocity=X,Y,Z"))?,
        "distance" => distance = value.parse().map_err(|_| wrong(word, "Distance=UNITS, a whole number"))?,
        _ => return Err(Refusal::unknown("key", key).or(nearest(key, LINK_KEYS)).at(word.at)),
    }
    let plain = flags.0 == 0 && velocity == [0.0; 3];
    if !holds.jumps && !plain {
        return Err(Refusal::new(format!("{} does not store how a link is passed", holds.form)).at(word.at));
    }
    *link = Link::new(link.target(), flags, distance, velocity);
    Ok(())
}
