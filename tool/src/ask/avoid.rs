//! The things a path should avoid: places, single areas, everything with a flag.

use super::mesh::Asked;
use navmap::error::{Error, Result};
use navmap::query::{Area, Overlay, Spot};
use navmap::text::nearest;

/// Blocks everything to avoid. `None` if there is nothing.
pub(super) fn overlay(asked: &Asked, avoid: &[String]) -> Result<Option<Overlay>> {
    let index = &asked.index;
    let mut overlay = Overlay::new(index);
    for word in avoid {
        let word = word.trim();
        if word.starts_with('#') || index.ids().read(word).is_some() {
            overlay.block(asked.find(word)?.area);
            continue;
        }
        let mut blocked = 0u64;
        let mut block = |area: Area| {
            overlay.block(area);
            blocked += 1;
        };
        let place = index.places().iter().any(|name| name.eq_ignore_ascii_case(word));
        if place {
            index.in_place(word).for_each(&mut block);
        } else if let Some(bit) = index.flag(word) {
            index.areas().filter(|area| index.flags(*area) & bit != 0).for_each(&mut block);
        } else if matches!(word.parse(), Ok(Spot::Point(_))) {
            block(asked.find(word)?.area);
        } else {
            return Err(unknown(asked, word));
        }
        if blocked == 0 {
            let why = format!("no {} has the flag {word}, so nothing is avoided", asked.word());
            return Err(asked.refused("--avoid", why));
        }
    }
    Ok((!avoid.is_empty()).then_some(overlay))
}

#[cold]
fn unknown(asked: &Asked, word: &str) -> Error {
    let flags = asked.index.flag_names().map(|(_, name)| name);
    let names: Vec<&str> = asked.index.places().iter().map(String::as_str).chain(flags).collect();
    let near = nearest(word, names);
    let mut why = format!("{word} is neither a place nor a flag nor an id of this mesh");
    let all: Vec<&str> = asked.index.flag_names().map(|(_, name)| name).collect();
    if !near.is_empty() {
        why.push_str(&format!("; did you mean {}?", near.join(", ").to_lowercase()));
    } else if !all.is_empty() {
        why.push_str(&format!("; its flags are {}", all.join(", ").to_lowercase()));
    }
    asked.refused("--avoid", why)
}
