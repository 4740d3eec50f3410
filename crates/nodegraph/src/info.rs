//! Describes the file to a person.

use super::flags::{Hull, Moves};
use super::nod::NodNav;
use super::points::Points;
use super::respawn::RespawnNav;
use super::text::TextNav;
use super::view::AinNav;
use navmap_core::error::Result;
use navmap_core::format::NavFile;
use navmap_core::graph::{Aabb, Point};
use navmap_core::text::{Grouped, Size, fact};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::Write;

fn head(nav: &impl NavFile, version: i32, out: &mut dyn Write) -> Result<()> {
    fact(out, "format", format_args!("AI node graph version {version}"))?;
    match nav.summary().game {
        Some(game) => Ok(fact(out, "game", game)?),
        None => Ok(()),
    }
}

fn count(out: &mut dyn Write, label: &str, count: usize) -> Result<()> {
    Ok(fact(out, label, Grouped(count as u64))?)
}

fn row(out: &mut dyn Write, label: impl Display, count: usize) -> Result<()> {
    writeln!(out, "  {:<30}{:>10}", label.to_string(), Grouped(count as u64).to_string())?;
    Ok(())
}

fn extent(out: &mut dyn Write, origins: impl Iterator<Item = [f32; 3]>) -> Result<()> {
    let extent: Aabb = origins.map(Point::from).collect();
    if !extent.is_empty() {
        fact(out, "extent", format_args!("{:?} to {:?}", extent.min.to_array(), extent.max.to_array()))?;
    }
    Ok(())
}

pub(super) fn ain(nav: &AinNav<'_>, out: &mut dyn Write) -> Result<()> {
    head(nav, nav.version(), out)?;
    fact(out, "map revision", nav.map_version())?;
    let named = nav.hammer_ids().iter().filter(|id| id.get() != -1).count();
    points(Points::Source(nav.parts), out)?;
    count(out, "hammer ids", named)
}

pub(super) fn text(nav: &TextNav<'_>, out: &mut dyn Write) -> Result<()> {
    head(nav, nav.version(), out)?;
    fact(out, "text", Size(nav.text().len() as u64))?;
    points(Points::Source(nav.parts()), out)
}

pub(super) fn respawn(nav: &RespawnNav<'_>, out: &mut dyn Write) -> Result<()> {
    head(nav, nav.version(), out)?;
    fact(out, "map revision", nav.map_version())?;
    points(Points::Respawn(nav.body()), out)?;
    count(out, "clusters", nav.cluster_count())?;
    count(out, "cluster links", nav.cluster_links().len())?;
    fact(out, "script version", nav.script_version())?;
    count(out, "script nodes", nav.script_nodes().len())?;
    count(out, "hints", nav.hints().len())?;
    if let Some(checksum) = nav.mesh_checksum() {
        fact(out, "mesh checksum", format_args!("{checksum:08x}"))?;
    }
    extent(out, nav.script_nodes().iter().map(|node| node.origin()))
}

/// Nodes by kind, and links by hull and by how it passes them.
fn points(points: Points<'_>, out: &mut dyn Write) -> Result<()> {
    count(out, "nodes", points.nodes())?;
    count(out, "links", points.links())?;
    let nodes = || (0..points.nodes()).filter_map(move |index| points.node(index));
    extent(out, nodes().map(|node| node.origin))?;
    if points.nodes() == 0 {
        return Ok(());
    }
    writeln!(out, "nodes by kind")?;
    counted(out, nodes().map(|node| node.kind))?;
    writeln!(out, "links by hull")?;
    // For each hull, the links that it passes in each of the six ways.
    let mut open = vec![[0_u64; Moves::NAMED.len()]; points.hulls()];
    for tie in (0..points.links()).filter_map(|link| points.link(link)) {
        for (counts, moves) in open.iter_mut().zip(tie.moves) {
            for (count, (_, bit)) in counts.iter_mut().zip(Moves::NAMED) {
                *count = count.saturating_add(Moves(*moves).contains(*bit).into());
            }
        }
    }
    for (counts, hull) in open.iter().zip(0..) {
        let used = Moves::NAMED.iter().zip(counts).filter(|(_, count)| **count > 0);
        let words: Vec<String> =
            used.map(|((name, _), count)| format!("{name} {}", Grouped(*count))).collect();
        let name = points.hull_names().name(Hull(hull));
        writeln!(out, "  {name:<22}{}", if words.is_empty() { "none".to_owned() } else { words.join(", ") })?;
    }
    Ok(())
}

/// How often each value occurs.
fn counted<T: Ord + Display>(out: &mut dyn Write, values: impl Iterator<Item = T>) -> Result<()> {
    let mut counts = BTreeMap::new();
    for value in values {
        let count: &mut usize = counts.entry(value).or_default();
        *count = count.saturating_add(1);
    }
    counts.into_iter().try_for_each(|(value, count)| row(out, value, count))
}

pub(super) fn nod(nav: &NodNav<'_>, out: &mut dyn Write) -> Result<()> {
    head(nav, nav.version(), out)?;
    count(out, "nodes", nav.nodes().len())?;
    count(out, "links", nav.links().len())?;
    let blocked = nav.links().iter().filter(|link| link.is_blocked()).count();
    count(out, "links with doors", blocked)?;
    extent(out, nav.nodes().iter().map(|node| node.origin()))?;
    fact(out, "routes", Size(nav.route_bytes().len() as u64))?;
    count(out, "hash slots", nav.hash_table().len())?;
    writeln!(out, "nodes by kind")?;
    counted(out, nav.nodes().into_iter().map(|node| node.kind()))?;
    writeln!(out, "links by hull")?;
    for (name, bit) in super::LinkFlags::NAMED {
        row(out, name, nav.links().iter().filter(|link| link.flags().contains(*bit)).count())?;
    }
    let mut hints = nav.nodes().into_iter().map(|node| node.hint()).filter(|hint| hint.0 != 0).peekable();
    if hints.peek().is_some() {
        writeln!(out, "hints")?;
    }
    counted(out, hints)
}
