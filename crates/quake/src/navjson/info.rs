//! Describes the file to a person.

use super::{NavJson, Text};
use navmap_core::error::Result;
use navmap_core::format::NavFile;
use navmap_core::text::{Grouped, fact, printable};
use std::io::Write;

pub(super) fn print(nav: &NavJson<'_>, out: &mut dyn Write) -> Result<()> {
    fact(out, "format", format_args!("navjson version {}, for {}", nav.version(), nav.binary_version()))?;
    fact(out, "game", nav.binary_version().magic.game())?;
    let head = nav.head();
    let mut say = |label, text: Option<&Text>| match text.filter(|text| !text.is_empty()) {
        Some(text) => fact(out, label, printable(text.decode().as_bytes())),
        None => Ok(()),
    };
    if let Some(map) = &head.map {
        say("map", map.name.as_ref())?;
        say("author", map.author.as_ref())?;
        say("file", map.filename.as_ref())?;
        for url in map.urls.iter().flatten() {
            say("url", Some(url))?;
        }
    }
    for contributor in head.contributors.iter().flatten() {
        say("contributor", Some(contributor))?;
    }
    say("comments", head.comments.as_ref())?;
    if let Some(heuristic) = nav.heuristic() {
        fact(out, "heuristic", heuristic)?;
    }
    for (name, count) in nav.summary().counts.iter() {
        fact(out, name, Grouped(count))?;
    }
    Ok(())
}
