//! `navmap info --tiles`: describes all the tiles at a path as one map to a person.

use super::out::{Out, complain};
use super::wrap::Wrap;
use super::{Exit, Failure, args, plan};
use navmap::format::SetKind;
use navmap::open::Tiles;
use navmap::text::path_text;
use std::io::Write;

pub(super) fn run(typed: &args::One) -> Result<Exit, Failure> {
    let tiles = Tiles::open(&typed.path, &plan::options(&typed.open))?;
    let out = Out::new();
    let width = out.width();
    let mut out = Wrap::new(out, width);
    tiles.info(&mut out)?;
    out.flush()?;
    tiles.intact()?;
    if tiles.is_empty() && tiles.failures().is_empty() {
        let names = SetKind::ALL.iter().flat_map(|kind| kind.extensions().first());
        let names: Vec<String> = names.map(|name| format!("no .{name}")).collect();
        complain(format_args!("navmap: {}: holds {} file", path_text(&typed.path), names.join(" and ")));
        return Ok(Exit::Failed);
    }
    let sound = !tiles.findings().any(|finding| finding.severity.counts()) && tiles.failures().is_empty();
    Ok(if sound { Exit::Clean } else { Exit::Findings })
}
