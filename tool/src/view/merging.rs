//! Three versions of a mesh as one: what each side changed, and what both changed in different ways, to choose from.

use navmap::diff::{Version, merged_on_one_map};
use navmap::error::Result;
use navmap::graph::FlatGraph;
use navmap::open::OpenOptions;
use navmap::text::counted;
use navmap::{Finding, Severity};
use navmap_view::{Disputed, Merging};
use std::path::Path;

/// Both sides of a merge on one map.
pub(super) struct Sides {
    pub(super) graph: FlatGraph,
    pub(super) subtitle: String,
    pub(super) merging: Merging,
    pub(super) findings: Vec<Finding>,
}

/// Reads three versions and merges them, as `navmap merge` does.
///
/// # Errors
/// If one cannot be read, or such meshes cannot be merged.
pub(super) fn sides([base, ours, theirs]: [&Path; 3], options: &OpenOptions) -> Result<Sides> {
    let open = |path| Version::open(path, options);
    let (base, ours, theirs) = (open(base)?, open(ours)?, open(theirs)?);
    let merge = base.merge(&ours, &theirs)?;
    let choices = base.choices(&ours, &theirs, &merge.conflicts)?;
    let finder = base.finder();
    let nodes: Vec<u32> = merge.conflicts.iter().filter_map(|conflict| finder.node(conflict.item)).collect();
    let graph = merged_on_one_map(base.graph(), [ours.graph(), theirs.graph()], &nodes);
    let disputed = merge.conflicts.iter().zip(choices).map(|(conflict, theirs)| Disputed {
        item: conflict.item.to_string(),
        at: finder.place(conflict.item),
        what: conflict.what.clone(),
        theirs,
    });
    let disputed: Vec<Disputed> = disputed.collect();
    let unreached = merge.changes.unreached.iter();
    let findings =
        unreached.map(|part| Finding::new(Severity::Info, "as-in-ours", format!("as in ours: {part}")));
    let subtitle = match disputed.len() as u64 {
        0 => "what each side changed".to_owned(),
        many => format!("what each side changed, {}", counted(many, "conflict", "conflicts")),
    };
    let merging = Merging { script: merge.changes.to_string(), disputed };
    Ok(Sides { graph, subtitle, findings: findings.collect(), merging })
}
