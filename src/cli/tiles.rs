//! `navmap info --tiles`: a folder of Fox Engine tiles as one map, for a person.

#![forbid(unsafe_code)]

use super::out::Out;
use super::{Exit, Failure, args, plan};
use crate::format::fox::TileSet;
use std::io::Write;

pub(super) fn run(typed: &args::One) -> Result<Exit, Failure> {
    let set = TileSet::open_with([&typed.path], &plan::opener(&typed.open))?;
    let mut out = Out::new();
    set.info(&mut out)?;
    out.flush()?;
    set.intact()?;
    if set.is_empty() && set.failures().is_empty() {
        eprintln!("navmap: {}: holds no .nav2 file", typed.path.display());
        return Ok(Exit::Failed);
    }
    let counts = set.findings().iter().any(|finding| finding.finding.severity.counts());
    Ok(if counts || !set.failures().is_empty() { Exit::Findings } else { Exit::Clean })
}
