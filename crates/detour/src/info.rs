//! Describes the file to a person.

use super::layout::{Dialect, Order, Refs};
use super::survey::survey;
use super::tile::{Links, Tile};
use super::view::DetourNav;
use navmap_core::Counts;
use navmap_core::error::Result;
use navmap_core::text::{Grouped, counted, fact};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::Write;

pub(super) fn print(nav: &DetourNav<'_>, out: &mut dyn Write) -> Result<()> {
    fact(out, "format", nav.dialect().title())?;
    fact(out, "dialect", nav.dialect_name())?;
    if let Some(game) = nav.dialect().game() {
        fact(out, "game", game)?;
    }
    if let Some(version) = nav.version() {
        fact(out, "version", version)?;
    }
    if nav.order() == Order::Big {
        fact(out, "byte order", "big-endian")?;
    }
    if let Some(parameters) = nav.parameters() {
        fact(out, "origin", format_args!("{:?}", parameters.origin()))?;
        let (width, depth) = (parameters.tile_width(), parameters.tile_depth());
        fact(out, "tile size", format_args!("{width} by {depth}"))?;
        fact(out, "room for tiles", Grouped(parameters.max_tiles().into()))?;
        fact(out, "polygons a tile", Grouped(parameters.max_polygons().into()))?;
    }
    if let Some([min, max]) = nav.bounds() {
        fact(out, "stated bounds", format_args!("{min:?} to {max:?}"))?;
    }
    if let Some(head) = nav.map_tile() {
        fact(out, "liquids", if head.has_liquids() { "yes" } else { "no" })?;
    }
    if let Some([groups, size, tables]) = nav.groups() {
        fact(out, "groups", format_args!("{groups}, {tables} tables of {size} bytes of what reaches what"))?;
    }
    if nav.dialect() == Dialect::MapTc {
        fact(out, "off-mesh rows", nav.map_connections().len())?;
    }
    if nav.dialect().is_cache() {
        return layers(nav, out);
    }
    for mesh in nav.unity() {
        fact(
            out,
            "NavMeshData",
            format_args!("{}: {}", mesh.path_id, counted(mesh.tiles.len() as u64, "tile", "tiles")),
        )?;
        fact(out, "  position", format_args!("{:?}", mesh.position))?;
        fact(out, "  rotation", format_args!("{:?}", mesh.rotation))?;
    }
    let mut counts = Counts::default();
    let walked = survey(nav, &mut counts, &mut |_| {});
    for (name, count) in counts.iter() {
        fact(out, &name.replace('_', " "), Grouped(count))?;
    }
    let mut sum = Sum::default();
    nav.tiles().map_while(Result::ok).for_each(|entry| sum.add(&entry.tile));
    sum.print(out)?;
    walked
}

fn layers(nav: &DetourNav<'_>, out: &mut dyn Write) -> Result<()> {
    if let Some(cache) = nav.cache() {
        let ([cell, height], [tall, radius, climb]) = (cache.cell(), cache.agent());
        fact(out, "cell", format_args!("{cell}, {height} high"))?;
        fact(out, "agent", format_args!("height {tall}, radius {radius}, climb {climb}"))?;
    }
    let mut count = 0u64;
    let mut packed = 0u64;
    for layer in nav.layers() {
        let layer = layer?;
        count = count.saturating_add(1);
        packed = packed.saturating_add(layer.packed.len() as u64);
    }
    fact(out, "layers", format_args!("{}, {} bytes packed", Grouped(count), Grouped(packed)))?;
    // Those of the cache, one a layer, as a scan counts them.
    fact(out, "tiles", format_args!("{}, which the engine builds from the layers", Grouped(count)))?;
    Ok(())
}

/// The totals of all tiles.
#[derive(Default)]
struct Sum {
    versions: BTreeMap<u32, u64>,
    refs: BTreeMap<&'static str, u64>,
    agents: BTreeMap<String, u64>,
    areas: BTreeMap<u8, u64>,
    flags: BTreeMap<u32, u64>,
    layers: u64,
    without_tree: u64,
    traverse: BTreeMap<u8, u64>,
    low: Option<[f32; 3]>,
    high: Option<[f32; 3]>,
}

impl Sum {
    fn add(&mut self, tile: &Tile<'_>) {
        let head = tile.head();
        tally(&mut self.versions, head.version);
        if !tile.links().is_empty() {
            tally(
                &mut self.refs,
                match tile.refs() {
                    Refs::Narrow => "32 bits",
                    Refs::Wide => "64 bits",
                },
            );
        }
        if let Some([height, radius, climb]) = head.agent {
            tally(&mut self.agents, format!("height {height}, radius {radius}, climb {climb}"));
        }
        self.layers = self.layers.saturating_add(u64::from(head.layer != 0));
        self.without_tree = self.without_tree.saturating_add(u64::from(tile.tree().is_empty()));
        for polygon in tile.polygons().iter() {
            tally(&mut self.areas, polygon.area());
            tally(&mut self.flags, polygon.flags());
        }
        if let Links::Traverse(links) = tile.links() {
            links.iter().filter_map(|link| link.traverse()).for_each(|kind| tally(&mut self.traverse, kind));
        }
        let fold = |kept: Option<[f32; 3]>, new: [f32; 3], pick: fn(f32, f32) -> f32| {
            let mut kept = kept.unwrap_or(new);
            kept.iter_mut().zip(new).for_each(|(kept, new)| *kept = pick(*kept, new));
            Some(kept)
        };
        self.low = fold(self.low, head.min, f32::min);
        self.high = fold(self.high, head.max, f32::max);
    }

    fn print(&self, out: &mut dyn Write) -> Result<()> {
        if let Some((low, high)) = self.low.zip(self.high) {
            fact(out, "extent", format_args!("{low:?} to {high:?}"))?;
        }
        table(out, "tile versions", &self.versions)?;
        table(out, "references", &self.refs)?;
        table(out, "agents", &self.agents)?;
        table(out, "areas", &self.areas)?;
        let flags = self.flags.iter().map(|(flags, count)| (format!("{flags:#06x}"), *count)).collect();
        table::<String>(out, "flags", &flags)?;
        table(out, "traverse links", &self.traverse)?;
        if self.layers > 0 {
            fact(out, "tiles above others", Grouped(self.layers))?;
        }
        if self.without_tree > 0 {
            fact(out, "tiles without tree", Grouped(self.without_tree))?;
        }
        Ok(())
    }
}

fn tally<K: Ord>(counts: &mut BTreeMap<K, u64>, key: K) {
    let count = counts.entry(key).or_insert(0);
    *count = count.saturating_add(1);
}

fn table<K: Display>(out: &mut dyn Write, title: &str, rows: &BTreeMap<K, u64>) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out, "{title}")?;
    for (name, count) in rows {
        writeln!(out, "  {:<30}{:>10}", name.to_string(), Grouped(*count).to_string())?;
    }
    Ok(())
}
