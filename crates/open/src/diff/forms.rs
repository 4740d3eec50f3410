//! FormIDs of two versions of a plugin under the numbers of the first: an update that adds a master gives all others new ones.

use navmap_core::Space;
use navmap_core::graph::FlatGraph;
use navmap_formats::AnyNav;

/// What a FormID of the version after is in the one before.
pub(super) type Forms = Box<dyn Fn(u32) -> u32>;

/// `None` if FormIDs mean the same in both, or the files have none.
#[cfg(feature = "skyrim")]
pub(super) fn forms(before: &AnyNav<'_>, after: &AnyNav<'_>) -> Option<Forms> {
    use navmap_skyrim::{FormId, Plugin, Renumbered};
    let [before, after] = [before.as_view::<Plugin<'_>>()?, after.as_view::<Plugin<'_>>()?];
    let renumbered = Renumbered::between(before, after)?;
    Some(Box::new(move |form| renumbered.form(FormId::new(form)).get()))
}

#[cfg(not(feature = "skyrim"))]
pub(super) fn forms(_: &AnyNav<'_>, _: &AnyNav<'_>) -> Option<Forms> {
    None
}

/// Renumbers a space.
pub(super) fn of_space(space: &mut Space, forms: &Forms) {
    if let Space::World { form, .. } | Space::Cell { form, .. } | Space::Object { form, .. } = space {
        *form = forms(*form);
    }
}

/// Renumbers a graph: its nodes, what they link to elsewhere, and the names of groups, which begin with a FormID.
pub(super) fn of_graph(graph: &mut FlatGraph, forms: &Forms) {
    let mut id = |id: u64| u64::from(forms((id >> 32) as u32)) << 32 | id & u64::from(u32::MAX);
    graph.rename(&mut id);
    graph.rename_beyond(&mut id);
    let groups: Vec<(u32, String)> = graph.groups().iter().map(|(at, name)| (*at, name.clone())).collect();
    for (group, name) in groups {
        if let Some((digits, rest)) = name.split_at_checked(8)
            && let Ok(form) = u32::from_str_radix(digits, 16)
        {
            graph.name_group(group, format!("{:08X}{rest}", forms(form)));
        }
    }
}
