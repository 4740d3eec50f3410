//! Values as they are typed: flags, kinds of travel, and KEY=VALUE of areas and reachabilities.

use super::editor::AasEditor;
use super::order::halves;
use crate::flags::{AreaFlags, Contents, Meaning, TravelFlags, TravelKind};
use crate::record::Reachability;
use navmap_core::edit::points::{named, point};
use navmap_core::edit::{Refusal, Word, nearest};

/// The keys of an area.
pub(super) const KEYS: [&str; 2] = ["Flags", "Contents"];

/// The keys of a reachability.
pub(super) const LINK_KEYS: [&str; 7] = ["Kind", "Flags", "Time", "Start", "End", "Face", "Edge"];

/// The largest kind that is stored.
const MOST_KIND: u32 = 0x00FF_FFFF;

/// What other parts of the file or of the map say as well. Flags, with the contents as the high half.
pub(super) fn fixed(meaning: Meaning) -> u64 {
    let flags = AreaFlags::GROUNDED | AreaFlags::LADDER | AreaFlags::LIQUID;
    let mover = match meaning {
        Meaning::Quake3 => Contents::MOVER,
        Meaning::Wolfenstein => Contents::NOT_TEAM_1,
    };
    let contents = Contents::CLUSTER_PORTAL.0 | mover.0 | 0xFF00_0000;
    u64::from(flags.0) | u64::from(contents) << 32
}

/// The names of flags and contents, with their bits.
pub(super) fn names(meaning: Meaning) -> Vec<(&'static str, u64)> {
    let flags = (0..32).filter_map(|bit| Some((meaning.flag(bit)?, 1_u64.checked_shl(bit)?)));
    let contents = (0..24_u32).filter_map(|bit| Some((meaning.content(bit)?, 1_u64.checked_shl(bit)? << 32)));
    flags.chain(contents).collect()
}

/// `disabled,do_not_enter`
pub(super) fn bits(typed: &str, meaning: Meaning) -> Result<u64, Refusal> {
    let names = names(meaning);
    typed.split(',').try_fold(0, |all, name| Ok::<u64, Refusal>(all | named(name.trim(), "flag", &names)?))
}

/// The kind of a name, `walk_off_ledge` or `walk off ledge`, or of a number.
pub(super) fn kind(typed: &str) -> Result<TravelKind, Refusal> {
    if let Ok(number) = typed.parse() {
        let kind = Some(TravelKind(number)).filter(|kind| kind.0 <= MOST_KIND);
        return kind.ok_or_else(|| Refusal::new(format!("{typed}: the largest kind is {MOST_KIND}")));
    }
    let names: Vec<(&'static str, TravelKind)> =
        (1..20).map(TravelKind).map(|kind| (kind.name(), kind)).collect();
    named(&typed.replace('_', " "), "kind of travel", &names)
}

/// The name of a kind in a script.
pub(super) fn kind_name(kind: TravelKind) -> String {
    match kind.name() {
        TravelKind::UNKNOWN => kind.0.to_string(),
        name => name.replace(' ', "_"),
    }
}

/// A key and its value.
fn pair<'w>(word: &Word<'w>) -> Result<(&'w str, &'w str), Refusal> {
    word.setting().ok_or_else(|| wrong(word, "KEY=VALUE"))
}

fn wrong(word: &Word<'_>, what: &str) -> Refusal {
    Refusal::new(format!("{} where {what} was expected", word.text)).at(word.at)
}

fn no_key(word: &Word<'_>, key: &str, keys: &[&'static str]) -> Refusal {
    Refusal::unknown("key", key).or(nearest(key, keys.iter().copied())).at(word.at)
}

/// Sets flags or contents among those of an area.
pub(super) fn set(marks: &mut u64, word: &Word<'_>, meaning: Meaning) -> Result<(), Refusal> {
    let (key, value) = pair(word)?;
    let (is_flags, what) = match key.to_ascii_lowercase().as_str() {
        "flags" => (true, "a flag, not what an area holds,"),
        "contents" => (false, "what an area holds"),
        _ => return Err(no_key(word, key, &KEYS)),
    };
    let now = match (value, value.parse::<u32>()) {
        ("none", _) => 0,
        (_, Ok(number)) => number,
        _ => match (is_flags, halves(bits(value, meaning).map_err(|refusal| refusal.at(word.at))?)) {
            (true, [flags, 0]) => flags,
            (false, [0, contents]) => contents,
            _ => return Err(wrong(word, what)),
        },
    };
    let [flags, contents] = halves(*marks);
    let [flags, contents] = if is_flags { [now, contents] } else { [flags, now] };
    *marks = u64::from(flags) | u64::from(contents) << 32;
    Ok(())
}

/// Refuses to change what other parts of the file say.
pub(super) fn allowed(was: u64, now: u64, meaning: Meaning) -> Result<(), Refusal> {
    let changed = (was ^ now) & fixed(meaning);
    if changed == 0 {
        return Ok(());
    }
    let name = names(meaning).into_iter().find(|(_, bit)| changed & bit != 0);
    let name = name.map_or("the number of a mover's model", |(name, _)| name);
    let why = match changed >> 32 {
        0 => "the faces of an area say so",
        _ if changed >> 32 & u64::from(Contents::CLUSTER_PORTAL.0) != 0 => {
            "portals and clusters are made of it"
        }
        _ => "the map says so",
    };
    Err(Refusal::new(format!("{name} is set by the compiler alone: {why}")))
}

impl AasEditor {
    /// Sets a value of a reachability.
    pub(super) fn set_value(&self, link: &mut Reachability, word: &Word<'_>) -> Result<(), Refusal> {
        let (key, value) = pair(word)?;
        let at = |refusal: Refusal| refusal.at(word.at);
        let ends = |usage: &str| point(value).ok_or_else(|| wrong(word, usage));
        let whole = |usage: &str| value.parse::<i32>().map_err(|_| wrong(word, usage));
        match key.to_ascii_lowercase().as_str() {
            "kind" => link.set_kind(kind(value).map_err(at)?),
            "flags" => link.set_flags(match (value, value.parse::<u32>()) {
                ("none", _) => TravelFlags(0),
                (_, Ok(number)) if number & MOST_KIND == 0 => TravelFlags(number),
                (_, Ok(_)) => return Err(wrong(word, "Flags=NUMBER of the upper eight bits")),
                _ => {
                    let each = |name: &str| named(name.trim(), "flag of links", TravelFlags::NAMED);
                    let all = value
                        .split(',')
                        .try_fold(TravelFlags(0), |all, name| Ok::<TravelFlags, Refusal>(all | each(name)?));
                    all.map_err(at)?
                }
            }),
            "time" => link.set_time(value.parse().map_err(|_| wrong(word, "Time=HUNDREDTHS, 0 to 65535,"))?),
            "start" => link.set_ends(ends("Start=X,Y,Z")?, link.end()),
            "end" => link.set_ends(link.start(), ends("End=X,Y,Z")?),
            "face" => link.set_numbers(whole("Face=NUMBER")?, link.edge()),
            "edge" => link.set_numbers(link.face(), whole("Edge=NUMBER")?),
            _ => return Err(no_key(word, key, &LINK_KEYS)),
        }
        Ok(())
    }

    /// Sets values of a reachability, which has to be sound then if it was before.
    pub(super) fn set_values(
        &self,
        link: &Reachability,
        given: &[Word<'_>],
    ) -> Result<Reachability, Refusal> {
        let mut now = *link;
        given.iter().try_for_each(|word| self.set_value(&mut now, word))?;
        let numbers = |link: &Reachability| (link.kind().names_faces(), link.face(), link.edge());
        if now.kind().names_faces() && numbers(link) != numbers(&now) {
            let lists =
                [("face", now.face(), self.frame.faces.len()), ("edge", now.edge(), self.frame.edges.len())];
            for (what, number, len) in lists {
                if number.unsigned_abs() as usize >= len.max(1) {
                    let why = format!("{what} {number} of {len}, which {} names", now.kind());
                    return Err(Refusal::new(why));
                }
            }
        }
        Ok(now)
    }
}
