//! `navmap merge`: a three-way merge, like `git merge-file` for text.

use super::diff::picture::{self, is_png};
use super::out::{say, warn};
use super::save::{save, vacant};
use super::{Exit, Failure, args, plan};
use navmap::diff::{Merged, Version};
use navmap::draw::Trail;
use navmap::edit::{Conflict, SessionOptions};
use navmap::error::{Error, Result as MeshResult};
use navmap::format::Family;
use navmap::graph::Stats;
use navmap::text::counted;
use std::collections::HashMap;
use std::path::Path;

pub(super) fn run(typed: &args::Merge) -> Result<Exit, Failure> {
    if let Some(output) = &typed.output {
        vacant(output, typed.force)?;
    }
    if let Some(picture) = &typed.draw {
        is_png(picture)?;
        vacant(picture, typed.force)?;
    }
    let options = plan::options(&typed.open);
    let open = |path| Version::open(path, &options);
    let base = open(&typed.base)?;
    if base.family() == Family::Skyrim {
        let why = "skyrim meshes cannot be merged so; `navmap conflicts` merges what several plugins change of one navmesh";
        return Err(Error::invalid("family", why).into());
    }
    let (ours, theirs) = (open(&typed.ours)?, open(&typed.theirs)?);
    let merge = base.merge(&ours, &theirs)?;
    // What is written is not taken back.
    let merged = ours.apply_with(merge, SessionOptions { forget: true, ..SessionOptions::default() })?;
    let exit = report(&base, &merged, typed)?;
    // Of what is refused there is no picture either.
    if let Some(picture) = &typed.draw {
        draw(picture, typed, [&base, &ours, &theirs], &merged.merge.conflicts)?;
    }
    Ok(exit)
}

/// Conflicts named in a picture. All of them are coloured.
const NAMED: usize = 100;

fn draw(
    output: &Path,
    typed: &args::Merge,
    [base, ours, theirs]: [&Version; 3],
    conflicts: &[Conflict],
) -> MeshResult<()> {
    let finder = base.finder();
    let nodes: Vec<u32> = conflicts.iter().filter_map(|conflict| finder.node(conflict.item)).collect();
    let both = navmap::diff::merged_on_one_map(base.graph(), [ours.graph(), theirs.graph()], &nodes);
    let mut ends = Vec::new();
    let mut told: Vec<_> = conflicts.iter().map(|conflict| conflict.item).collect();
    told.dedup();
    for item in told.into_iter().take(NAMED) {
        ends.extend(finder.place(item).map(|at| (at, item.to_string())));
    }
    let ends_are = [String::new(), "conflict".to_owned()];
    let trail = Trail { ends, ends_are, ..Trail::default() };
    let trails = if trail.ends.is_empty() { Vec::new() } else { vec![trail] };
    let subtitle = match conflicts.len() as u64 {
        0 => "what each side changed".to_owned(),
        many => format!("what each side changed, {}", counted(many, "conflict", "conflicts")),
    };
    let title = typed.ours.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    picture::write(
        &both,
        Stats::of(base.graph()).value,
        [title, subtitle],
        (&trails, None),
        output,
        typed.force,
    )
}

/// Of one kind so many are told, and so many in all; the rest is counted.
const OF_KIND: u32 = 64;
const IN_ALL: u32 = 1_024;

/// What was told of a list.
#[derive(Default)]
struct Told {
    /// By what is said without its numbers.
    kinds: HashMap<String, u32>,
    told: u32,
    more: u64,
}

impl Told {
    /// Whether one more is told, of which this is said.
    fn takes(&mut self, what: &str) -> bool {
        let is_told = self.told < IN_ALL && {
            let kind = what.chars().filter(|c| !c.is_ascii_digit()).collect();
            let count = self.kinds.entry(kind).or_default();
            *count = count.saturating_add(1);
            *count <= OF_KIND
        };
        match is_told {
            true => self.told = self.told.saturating_add(1),
            false => self.more = self.more.saturating_add(1),
        }
        is_told
    }

    /// How many were not told; `None` if all were.
    fn more(&self, one: &str, many: &str) -> Option<String> {
        (self.more > 0).then(|| counted(self.more, &format!("more {one}"), &format!("more {many}")))
    }
}

/// Says what was done and what was not, and writes the mesh.
fn report(base: &Version, merged: &Merged, typed: &args::Merge) -> Result<Exit, Failure> {
    let Merged { merge, refused, .. } = merged;
    let mut told = Told::default();
    for refusal in refused.iter().filter(|refusal| told.takes(refusal.why())) {
        warn(format_args!("navmap: a change of theirs does not fit: {refusal}"));
    }
    if let Some(more) = told.more("change", "changes") {
        warn(format_args!("navmap: and {more} of theirs that do not fit"));
    }
    let finder = base.finder();
    let mut told = Told::default();
    for Conflict { item, what } in merge.conflicts.iter().filter(|conflict| told.takes(&conflict.what)) {
        let at =
            finder.place(*item).map_or_else(String::new, |p| format!(" at {:.0} {:.0} {:.0}", p.x, p.y, p.z));
        warn(format_args!("conflict: {item}{at}: {what}"));
    }
    if let Some(more) = told.more("conflict", "conflicts") {
        warn(format_args!("navmap: and {more}"));
    }
    let mut told = Told::default();
    for part in merge.changes.unreached.iter().filter(|part| told.takes(part)) {
        say(format_args!("navmap: as in ours: {part}"));
    }
    if let Some(more) = told.more("part", "parts") {
        say(format_args!("navmap: and {more} as in ours"));
    }
    let done = counted((merge.changes.steps.len() - refused.len()) as u64, "change", "changes");
    let conflicts = counted((merge.conflicts.len() + refused.len()) as u64, "conflict", "conflicts");
    say(format_args!("{done} of theirs in ours, {conflicts}"));
    let bytes = merged.encode()?;
    match &typed.output {
        Some(output) => save(output, typed.force, |out| out.write_all(&bytes))?,
        None => say(format_args!("navmap: nothing is written: -o FILE says where")),
    }
    Ok(if merged.is_clean() { Exit::Clean } else { Exit::Findings })
}
