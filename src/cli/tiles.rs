//! `navmap info --tiles`: describes all the tiles at a path as one map to a person.

#![forbid(unsafe_code)]

use super::out::{Out, complain};
use super::wrap::Wrap;
use super::{Exit, Failure, args, plan};
use crate::open::Tiles;
use std::io::Write;

pub(super) fn run(typed: &args::One) -> Result<Exit, Failure> {
    let tiles = Tiles::open(&typed.path, &plan::options(&typed.open))?;
    let set = tiles.set();
    let out = Out::new();
    let width = out.width();
    let mut out = Wrap::new(out, width);
    set.info(&mut out)?;
    out.flush()?;
    set.intact()?;
    if set.is_empty() && set.failures().is_empty() {
        complain(format_args!("navmap: {}: holds no .nav2 file", typed.path.display()));
        return Ok(Exit::Failed);
    }
    let counts = set.findings().iter().any(|finding| finding.finding.severity.counts());
    Ok(if counts || !set.failures().is_empty() { Exit::Findings } else { Exit::Clean })
}
