//! `navmap merge`: brings two lines of change together, as `git merge-file` does with text.

#![forbid(unsafe_code)]

use super::diff::Version;
use super::out::say;
use super::save::{save, vacant};
use super::{Exit, Failure, args, plan};
use crate::edit::{Editor, Options, Session};
use crate::format::source::edit::{Conflict, Merge, SourceEditor};
use crate::text::counted;
use std::ops::ControlFlow;

pub(super) fn run(typed: &args::Merge) -> Result<Exit, Failure> {
    if let Some(output) = &typed.output {
        vacant(output, typed.force)?;
    }
    let options = plan::options(&typed.open);
    let open = |path| Version::open(path, &options);
    let (base, ours, theirs) = (open(&typed.base)?, open(&typed.ours)?, open(&typed.theirs)?);
    let pairs = [base.pairs(&ours), base.pairs(&theirs)];
    let merge = Merge::of(&base.mesh, [&ours.mesh, &theirs.mesh], [&pairs[0], &pairs[1]])?;
    let mut session = Session::new(SourceEditor::new(ours.mesh)?, Options::default());
    let mut refused = 0;
    session.script(&merge.changes.to_string(), |fared| {
        if let Err(refusal) = fared {
            refused += 1;
            say(format_args!("navmap: a change of theirs does not fit: {refusal}"));
        }
        ControlFlow::Continue(())
    });
    for Conflict { area, position, what } in &merge.conflicts {
        let node = position.and_then(|at| base.graph.nodes().get(at as usize));
        let center = node.and_then(|node| base.graph.shape(node).center());
        let at = center.map_or_else(String::new, |p| format!(" at {:.0} {:.0} {:.0}", p.x, p.y, p.z));
        say(format_args!("conflict: #{area}{at}: {what}"));
    }
    for part in &merge.changes.unreached {
        say(format_args!("navmap: as in ours: {part}"));
    }
    let done = counted(merge.changes.steps.len() as u64 - refused, "change", "changes");
    let conflicts = counted(merge.conflicts.len() as u64 + refused, "conflict", "conflicts");
    say(format_args!("{done} of theirs in ours, {conflicts}"));
    let bytes = session.editor().encode()?;
    match &typed.output {
        Some(output) => save(output, typed.force, |out| out.write_all(&bytes))?,
        None => say(format_args!("navmap: nothing is written: -o FILE says where")),
    }
    Ok(if merge.conflicts.is_empty() && refused == 0 { Exit::Clean } else { Exit::Findings })
}
