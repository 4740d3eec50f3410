//! Describes the file to a person.

use super::flags::NodeFlags;
use super::iter::EdictKey;
use super::view::QuakeNav;
use navmap_core::error::Result;
use navmap_core::text::{Grouped, fact};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::Write;

pub(super) fn print(nav: &QuakeNav, out: &mut dyn Write) -> Result<()> {
    let version = nav.version();
    fact(out, "format", format_args!("{version}, bot navigation"))?;
    fact(out, "game", version.magic.game())?;
    if nav.is_experimental() {
        fact(out, "layout", "experimental: taken from another version")?;
    }
    if let Some(heuristic) = nav.heuristic() {
        fact(out, "heuristic", heuristic)?;
    }
    let grouped = |len: usize| Grouped(len as u64);
    fact(out, "nodes", grouped(nav.nodes().len()))?;
    fact(out, "links", grouped(nav.links().len()))?;
    fact(out, "traversals", grouped(nav.traversals().len()))?;
    fact(out, "edicts", grouped(nav.edicts().len()))?;
    if let Some((low, high)) = nav.extent() {
        fact(out, "extent", format_args!("{low:?} to {high:?}"))?;
    }
    if let Some(radius) = nav.nodes().iter().map(|node| node.radius()).max() {
        fact(out, "largest radius", radius)?;
    }
    let isolated = nav.nodes().iter().filter(|node| node.link_count() == 0).count();
    fact(out, "nodes without links", grouped(isolated))?;

    let mut flags = BTreeMap::new();
    for node in nav.nodes() {
        let set = nav.node_flags(node);
        for bit in (0..16).map(|bit| 1_u16 << bit).filter(|bit| set.bits() & bit != 0) {
            tally(&mut flags, bit);
        }
    }
    let named = flags.iter().map(|(bit, count)| (NodeFlags::new(version.magic, *bit), *count));
    table(out, "node flags", named)?;

    let mut kinds = BTreeMap::new();
    nav.links().iter().for_each(|link| tally(&mut kinds, nav.link_type(link)));
    table(out, "link types", kinds.iter().map(|(kind, count)| (kind, *count)))?;

    let mut bytes = BTreeMap::new();
    nav.links().iter().for_each(|link| tally(&mut bytes, link.flags()));
    bytes.remove(&0);
    let described = bytes.iter().map(|(byte, count)| {
        let meaning = match (version.link_flags(*byte), version.team_mask(*byte)) {
            (Some(flags), _) => format!("{byte:#04x} {flags}"),
            (None, Some(_)) => format!("{byte:#04x} team mask"),
            (None, None) => format!("{byte:#04x} unknown"),
        };
        (meaning, *count)
    });
    table(out, "link flags", described)?;

    let mut keys = BTreeMap::new();
    nav.edicts().iter().for_each(|edict| {
        tally(
            &mut keys,
            match edict.key() {
                EdictKey::None => "by box alone",
                EdictKey::Handles { .. } => "by engine string handles",
                EdictKey::Entity(id) if id.index().is_none() => "by entity, unresolved",
                EdictKey::Entity(_) => "by entity",
                EdictKey::Model(model) if model.inline_model().is_none() => "by model, none named",
                EdictKey::Model(_) => "by model",
            },
        );
    });
    table(out, "entities bound", keys.iter().map(|(name, count)| (name, *count)))
}

fn tally<K: Ord>(counts: &mut BTreeMap<K, u64>, key: K) {
    let count = counts.entry(key).or_insert(0);
    *count = count.saturating_add(1);
}

fn table(out: &mut dyn Write, title: &str, rows: impl Iterator<Item = (impl Display, u64)>) -> Result<()> {
    let mut title = Some(title);
    for (name, count) in rows {
        if let Some(title) = title.take() {
            writeln!(out, "{title}")?;
        }
        writeln!(out, "  {:<30}{:>10}", name.to_string(), Grouped(count).to_string())?;
    }
    Ok(())
}
