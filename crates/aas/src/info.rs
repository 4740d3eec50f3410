//! Describes the file to a person.

use super::flags::{AreaFlags, TravelKind};
use super::view::AasNav;
use navmap_core::error::Result;
use navmap_core::graph::{Aabb, Point};
use navmap_core::text::{Grouped, fact};
use std::collections::BTreeMap;
use std::io::Write;

pub(super) fn print(nav: &AasNav<'_>, out: &mut dyn Write) -> Result<()> {
    fact(out, "format", format_args!("AAS version {}", nav.version()))?;
    if let Some(game) = nav.game() {
        fact(out, "game", game)?;
    }
    if nav.is_experimental() {
        fact(out, "layout", "experimental: taken from another version")?;
    }
    fact(out, "map's checksum", format_args!("{:08x}", nav.checksum()))?;
    let without_none = |len: usize| Grouped(len.saturating_sub(1) as u64);
    fact(out, "areas", without_none(nav.areas().len()))?;
    fact(out, "reachabilities", without_none(nav.reachabilities().len()))?;
    fact(out, "clusters", without_none(nav.clusters().len()))?;
    fact(out, "portals", without_none(nav.portals().len()))?;
    fact(out, "nodes of the tree", without_none(nav.nodes().len()))?;
    fact(out, "planes", Grouped(nav.planes().len() as u64))?;
    match nav.faces().len() {
        len if !nav.is_stripped() => fact(out, "faces", without_none(len))?,
        0 | 1 => fact(out, "faces", "none, floors are made of the tree")?,
        len => {
            let count = without_none(len);
            fact(out, "faces", format_args!("{count}, none of floors, which are made of the tree"))?;
        }
    }
    for of in nav.boxes() {
        fact(out, "box", format_args!("{:?} to {:?} {}", of.mins(), of.maxs(), of.presence()))?;
    }
    let extent: Aabb =
        nav.areas().iter().skip(1).flat_map(|area| [area.mins(), area.maxs()]).map(Point::from).collect();
    if !extent.is_empty() {
        fact(out, "extent", format_args!("{:?} to {:?}", extent.min.to_array(), extent.max.to_array()))?;
    }
    fact(out, "height", format_args!("a player's origin, {} above the floor", nav.above_floor()))?;
    let settings = || nav.settings().iter().skip(1);
    let mut rows: Vec<(String, u64)> = Vec::new();
    for bit in 0..32 {
        let flag = AreaFlags(1 << bit);
        let set = settings().filter(|of| of.flags().contains(flag)).count() as u64;
        if set > 0 {
            rows.push((nav.meaning().flag(bit).map_or_else(|| format!("bit {bit}"), str::to_owned), set));
        }
    }
    let useful = AreaFlags::GROUNDED | AreaFlags::LADDER | AreaFlags::LIQUID;
    rows.push(("air".to_owned(), settings().filter(|of| !of.flags().any(useful)).count() as u64));
    table(out, "areas by kind", &rows)?;
    let mut kinds: BTreeMap<TravelKind, u64> = BTreeMap::new();
    for link in nav.reachabilities().iter().skip(1) {
        let count = kinds.entry(link.kind()).or_insert(0);
        *count = count.saturating_add(1);
    }
    let rows: Vec<_> = kinds.into_iter().map(|(kind, count)| (kind.to_string(), count)).collect();
    table(out, "reachabilities by kind", &rows)
}

fn table(out: &mut dyn Write, title: &str, rows: &[(String, u64)]) -> Result<()> {
    if !rows.is_empty() {
        writeln!(out, "{title}")?;
    }
    for (name, count) in rows {
        writeln!(out, "  {name:<30}{:>10}", Grouped(*count).to_string())?;
    }
    Ok(())
}
