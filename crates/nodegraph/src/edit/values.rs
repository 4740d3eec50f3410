//! Values as they are typed: hulls, moves, bits, and KEY=VALUE of nodes.

use crate::buf::NodeBuf;
use crate::flags::{Hull, Moves, NodeInfo, NodeKind, SOURCE_HULLS};
use navmap_core::edit::points::{named, point};
use navmap_core::edit::{Refusal, Word, nearest, number};

/// The keys of a node.
pub(super) const KEYS: [&str; 5] = ["Origin", "Yaw", "Kind", "HammerId", "Floor"];

/// Sets a value of a node.
pub(super) fn set(node: &mut NodeBuf, word: &Word<'_>) -> Result<(), Refusal> {
    let wrong = |what: &str| Refusal::new(format!("{} where {what} was expected", word.text)).at(word.at);
    let (key, value) = word.setting().ok_or_else(|| wrong("KEY=VALUE"))?;
    match key.to_ascii_lowercase().as_str() {
        "origin" => node.origin = point(value).ok_or_else(|| wrong("Origin=X,Y,Z"))?,
        "yaw" => node.yaw = number(value).ok_or_else(|| wrong("Yaw=DEGREES"))?,
        "kind" => {
            node.kind =
                named(value, "kind of node", NodeKind::NAMED).map_err(|refusal| refusal.at(word.at))?;
        }
        "hammerid" => node.hammer_id = value.parse().map_err(|_| wrong("HammerId=NUMBER"))?,
        "floor" => {
            let floor = number(value).ok_or_else(|| wrong("Floor=HEIGHT"))?;
            let [.., z] = node.origin;
            for (hull, offset) in node.offsets.iter_mut().enumerate() {
                // The engine puts a hull a tenth above the floor.
                *offset = floor - z + 0.1 - SOURCE_HULLS.min_z(hull);
            }
        }
        _ => return Err(Refusal::unknown("key", key).or(nearest(key, KEYS)).at(word.at)),
    }
    Ok(())
}

/// `ground`, `jump+climb`, `none`
pub(super) fn moves(word: &Word<'_>) -> Result<u8, Refusal> {
    if word.text.eq_ignore_ascii_case("none") {
        return Ok(0);
    }
    word.text.split('+').try_fold(0, |all, name| {
        let bit = named(name, "way to move", Moves::NAMED).map_err(|refusal| refusal.at(word.at))?;
        Ok(all | bit.0)
    })
}

/// `human,tiny`, of this many hulls. All if none is named.
pub(super) fn hulls(word: Option<Word<'_>>, count: u8) -> Result<Vec<usize>, Refusal> {
    let Some(word) = word else { return Ok((0..count.into()).collect()) };
    let hull = |name: &str| {
        let found = SOURCE_HULLS.named(name).filter(|hull| hull.0 < count).map(Hull::index);
        found.ok_or_else(|| {
            let near = nearest(name, SOURCE_HULLS.names().iter().copied());
            Refusal::unknown("hull", name).or(near).at(word.at)
        })
    };
    word.text.split(',').map(hull).collect()
}

/// `hull_large,dont_drop`
pub(super) fn bits<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<u32, Refusal> {
    names.into_iter().try_fold(0, |all, name| named(name, "flag", NodeInfo::NAMED).map(|bit| all | bit.0))
}
