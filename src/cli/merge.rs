//! `navmap merge`: brings two lines of change together, as `git merge-file` does with text.

#![forbid(unsafe_code)]

use super::diff::Version;
use super::out::say;
use super::save::{save, vacant};
use super::{Exit, Failure, args, edit, plan};
use crate::edit::{Conflict, Editor, Merge, Options, Session};
use crate::graph::FlatNode;
use crate::open::Mesh;
use crate::text::counted;
use std::collections::HashMap;
use std::ops::ControlFlow;

pub(super) fn run(typed: &args::Merge) -> Result<Exit, Failure> {
    if let Some(output) = &typed.output {
        vacant(output, typed.force)?;
    }
    let options = plan::options(&typed.open);
    let open = |path| Version::open(path, &options);
    let (base, ours, theirs) = (open(&typed.base)?, open(&typed.ours)?, open(&typed.theirs)?);
    let merge = base.merge(&ours, &theirs)?;
    let mesh = Mesh::open_with(&typed.ours, &options)?;
    edit::with_editor(mesh.nav(), mesh.bytes(), Merging { typed, base: &base, merge: &merge })
}

/// Runs the changes of theirs on the mesh of ours.
struct Merging<'m> {
    typed: &'m args::Merge,
    base: &'m Version,
    merge: &'m Merge,
}

impl edit::Work for Merging<'_> {
    fn run<E: Editor>(self, editor: E) -> Result<Exit, Failure> {
        let Self { typed, base, merge } = self;
        let mut session = Session::new(editor, Options::default());
        let mut refused = 0;
        session.script(&merge.changes.to_string(), |fared| {
            if let Err(refusal) = fared {
                refused += 1;
                say(format_args!("navmap: a change of theirs does not fit: {refusal}"));
            }
            ControlFlow::Continue(())
        });
        let nodes: HashMap<u64, &FlatNode> = base.graph.nodes().iter().map(|node| (node.id, node)).collect();
        for Conflict { item, what } in &merge.conflicts {
            let node = nodes.get(&item.id.into()).filter(|_| item.space.is_empty());
            let center = node.and_then(|node| base.graph.shape(node).center());
            let at = center.map_or_else(String::new, |p| format!(" at {:.0} {:.0} {:.0}", p.x, p.y, p.z));
            say(format_args!("conflict: {item}{at}: {what}"));
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
}
