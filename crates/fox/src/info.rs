//! Describes the file to a person.

use super::flags::Side;
use super::record::TileId;
use super::view::{Crossing, FoxNav, Group};
use navmap_core::error::Result;
use navmap_core::format::NavFile;
use navmap_core::text::{Grouped, fact};
use std::collections::BTreeMap;
use std::io::Write;

pub(super) fn info(nav: FoxNav<'_>, out: &mut dyn Write) -> Result<()> {
    let (header, frame) = (nav.header(), nav.frame());
    fact(out, "format", format_args!("Fox Engine nav2, version {}", header.version()))?;
    if let Some(game) = nav.summary().game {
        fact(out, "game", game)?;
    }
    if nav.is_obj2nav2() {
        fact(out, "made by", "Obj2Nav2, not the game's own tools")?;
    }
    let columns = nav.columns()?;
    match columns.and_then(|columns| Some((columns, nav.tile().coordinates(columns)?))) {
        Some((columns, (x, z))) => {
            fact(out, "tile", format_args!("{} (X {x}, Z {z} in a map of {columns} columns)", nav.tile()))?;
        }
        None => fact(out, "tile", nav.tile())?,
    }
    if header.is_split() || header.part() > 0 {
        fact(out, "part", format_args!("{} of a split tile", header.part()))?;
    }
    let [x, y, z] = frame.origin;
    let [dx, dy, dz] = frame.divisors.map(|divisor| 65535.0 / f32::from(divisor));
    fact(out, "origin", format_args!("{x}, {y}, {z} m (x, y up, z)"))?;
    fact(out, "reach", format_args!("{dx:.1} x {dy:.1} x {dz:.1} m"))?;
    groups(nav, columns, out)?;
    islands(nav, out)?;
    if let Some(space) = nav.search()? {
        let [nx, _, nz] = space.header().counts();
        let empty = space.buckets().iter().filter(|bucket| bucket.count() == 0).count();
        let side = space.header().side();
        fact(out, "search space", format_args!("{nx} x {nz} buckets of {side} m, {empty} empty"))?;
    }
    if let Some(connect) = nav.connect_tiles()? {
        fact(out, "connect-tile info", format_args!("{} bytes", connect.bytes().len()))?;
    }
    Ok(())
}

fn groups(nav: FoxNav<'_>, columns: Option<u16>, out: &mut dyn Write) -> Result<()> {
    writeln!(out)?;
    writeln!(out, "group        segments  vertices     faces     nodes     edges")?;
    let mut attributes = BTreeMap::<u16, u64>::new();
    let mut crossings = Crossings::default();
    for group in nav.groups() {
        let group = group?;
        let (world, mesh) = (group.world(), group.mesh());
        let side = group.id().side().map_or(String::new(), |side| format!(" ({side})"));
        let counts = [
            group.segment_chunk().segments().len(),
            mesh.vertices().len(),
            mesh.descriptors().len(),
            world.nodes().len(),
            world.edges().len(),
        ];
        write!(out, "{:<11}", format!("{}{side}", group.id()))?;
        for count in counts {
            write!(out, "{:>10}", Grouped(count as u64).to_string())?;
        }
        writeln!(out)?;
        for attribute in world.attributes() {
            let count = attributes.entry(attribute.get()).or_default();
            *count = count.saturating_add(1);
        }
        crossings.add(&group)?;
    }
    writeln!(out)?;
    fact(
        out,
        "links",
        format_args!("{} between segments, {} between groups", crossings.segments, crossings.groups),
    )?;
    for (tile, count) in &crossings.tiles {
        let side = columns.and_then(|columns| {
            Side::ALL.into_iter().find(|side| side.neighbour(nav.tile(), columns) == Some(*tile))
        });
        let side = side.map_or(String::new(), |side| format!(" ({side})"));
        fact(out, "", format_args!("{count} to tile {tile}{side}"))?;
    }
    for (nth, (attribute, count)) in attributes.iter().enumerate() {
        let label = if nth == 0 { "attributes" } else { "" };
        let segments = if *count == 1 { "segment" } else { "segments" };
        fact(out, label, format_args!("{attribute:#06x} on {} {segments}", Grouped(*count)))?;
    }
    Ok(())
}

/// Links out of segments, counted by target.
#[derive(Default)]
struct Crossings {
    segments: u64,
    groups: u64,
    tiles: BTreeMap<TileId, u64>,
}

impl Crossings {
    fn add(&mut self, group: &Group<'_>) -> Result<()> {
        for (index, node) in group.world().nodes().iter().enumerate() {
            let links = group.world().links(node).map_err(|error| error.in_record("node", index as u64))?;
            let mut fallback = 0;
            let count = match links.crossing {
                None => &mut fallback,
                Some(Crossing::Segment { .. }) => &mut self.segments,
                Some(Crossing::Group { .. }) => &mut self.groups,
                Some(Crossing::Tile { tile, .. }) => self.tiles.entry(tile).or_default(),
            };
            *count = count.saturating_add(1);
        }
        Ok(())
    }
}

fn islands(nav: FoxNav<'_>, out: &mut dyn Write) -> Result<()> {
    for (number, graph) in nav.island_graphs().enumerate() {
        let graph = graph?;
        if graph.islands().is_empty() && number > 0 {
            continue;
        }
        let largest = graph.segment_counts().iter().map(|count| count.get()).max().unwrap_or(0);
        let islands = graph.islands().len();
        fact(out, "islands", format_args!("{islands} in graph {number}, the largest of {largest} segments"))?;
    }
    Ok(())
}
