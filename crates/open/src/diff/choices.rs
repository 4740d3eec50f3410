//! What theirs did to items in conflict, for those who take it after all.

use super::version::Version;
use navmap_core::edit::{Conflict, Name};
use navmap_core::error::Result;
use navmap_diff::Diff;
use std::collections::HashMap;

impl Version {
    /// For each conflict of a [merge](Self::merge), the commands by which our mesh, once merged, takes the change of `theirs` to the item
    /// instead of ours; they follow those of the merge. Empty where no command does it. Conflicts of one item have the same commands,
    /// and only the first of them has them here.
    ///
    /// What ours did to the item besides, theirs did not do: it stays. A command may be refused where ours has no such item any more.
    ///
    /// # Errors
    /// Those of [`script`](Self::script).
    pub fn choices(&self, ours: &Self, theirs: &Self, conflicts: &[Conflict]) -> Result<Vec<String>> {
        let changes = self.script(theirs)?;
        let pairs = Diff::between(self.graph(), ours.graph()).pairs;
        let id = |version: &Self, node: u32| version.graph().nodes().get(node as usize).map(|node| node.id);
        let names: HashMap<u64, u64> =
            pairs.iter().filter_map(|(old, new)| Some((id(self, *old)?, id(ours, *new)?))).collect();
        let renamed = changes.renamed(|name| match name.space {
            "" => Name { id: names.get(&name.id).copied().unwrap_or(name.id), ..name },
            _ => name,
        });
        // A step is a line.
        let text = renamed.to_string();
        let mut lines: HashMap<Name, String> = HashMap::new();
        for (step, line) in changes.steps.iter().zip(text.lines()) {
            let all = lines.entry(step.item).or_default();
            all.push_str(line);
            all.push('\n');
        }
        Ok(conflicts.iter().map(|conflict| lines.remove(&conflict.item).unwrap_or_default()).collect())
    }
}
