//! Values as they are typed: hulls, moves, bits, and KEY=VALUE of nodes.

use crate::buf::NodeBuf;
use crate::flags::{Hull, Moves, NodeInfo, NodeKind, SOURCE_HULLS};
use navmap_core::edit::{Refusal, Word, nearest, number};

/// The keys of a node.
pub(super) const KEYS: [&str; 5] = ["Origin", "Yaw", "Kind", "HammerId", "Floor"];

/// `1,2,3`
pub(super) fn point(text: &str) -> Option<[f32; 3]> {
    let numbers: Option<Vec<f32>> = text.split(',').map(|part| number(part.trim())).collect();
    numbers?.try_into().ok()
}

/// Sets a value of a node.
pub(super) fn set(node: &mut NodeBuf, word: &Word<'_>) -> Result<(), Refusal> {
    let wrong = |what: &str| Refusal::new(format!("{} where {what} was expected", word.text)).at(word.at);
    let (key, value) = word.text.split_once('=').ok_or_else(|| wrong("KEY=VALUE"))?;
    match key.to_ascii_lowercase().as_str() {
        "origin" => node.origin = point(value).ok_or_else(|| wrong("Origin=X,Y,Z"))?,
        "yaw" => node.yaw = number(value).ok_or_else(|| wrong("Yaw=DEGREES"))?,
        "kind" => {
            node.kind = NodeKind::named(value).ok_or_else(|| {
                let near = nearest(value, NodeKind::NAMED.iter().map(|(name, _)| *name));
                Refusal::new(format!("no such kind of node: {value}")).or(near).at(word.at)
            })?;
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
        _ => return Err(Refusal::new(format!("no such key: {key}")).or(nearest(key, KEYS)).at(word.at)),
    }
    Ok(())
}

/// `ground`, `jump+climb`, `none`
pub(super) fn moves(word: &Word<'_>) -> Result<u8, Refusal> {
    if word.text.eq_ignore_ascii_case("none") {
        return Ok(0);
    }
    word.text.split('+').try_fold(0, |all, name| {
        let found = Moves::NAMED.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, bit)| all | bit.0).ok_or_else(|| {
            let near = nearest(name, Moves::NAMED.iter().map(|(name, _)| *name).chain(["none"]));
            Refusal::new(format!("no such way to move: {name}")).or(near).at(word.at)
        })
    })
}

/// `human,tiny`, of this many hulls. All if none is named.
pub(super) fn hulls(word: Option<Word<'_>>, count: u8) -> Result<Vec<usize>, Refusal> {
    let Some(word) = word else { return Ok((0..count.into()).collect()) };
    let hull = |name: &str| {
        let found = SOURCE_HULLS.named(name).filter(|hull| hull.0 < count).map(Hull::index);
        found.ok_or_else(|| {
            let near = nearest(name, SOURCE_HULLS.names().iter().copied());
            Refusal::new(format!("no such hull: {name}")).or(near).at(word.at)
        })
    };
    word.text.split(',').map(hull).collect()
}

/// `hull_large,dont_drop`
pub(super) fn bits<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<u32, Refusal> {
    names.into_iter().try_fold(0, |all, name| {
        let found = NodeInfo::NAMED.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, bit)| all | bit.0).ok_or_else(|| {
            let near = nearest(name, NodeInfo::NAMED.iter().map(|(name, _)| *name));
            Refusal::new(format!("no such flag: {name}")).or(near)
        })
    })
}
