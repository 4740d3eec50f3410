//! Describes a plugin to a person.

use super::view::GridPlugin;
use crate::text::shown;
use navmap_core::bytes::Scratch;
use navmap_core::error::Result;
use navmap_core::text::{Grouped, fact};
use std::collections::BTreeMap;
use std::io::Write;

/// The most spaces that are listed.
const MOST: usize = 20;

pub(super) fn info(plugin: &GridPlugin<'_>, scratch: &mut Scratch, out: &mut dyn Write) -> Result<()> {
    fact(out, "format", "Bethesda plugin with path grids")?;
    fact(out, "game", format_args!("{} (header version {})", plugin.game().name(), plugin.version()))?;
    if let Some(author) = plugin.author() {
        fact(out, "author", shown(author))?;
    }
    for (label, master) in std::iter::once("masters").chain(std::iter::repeat("")).zip(plugin.masters()) {
        fact(out, label, shown(master))?;
    }
    let (mut grids, mut deleted, mut compressed) = (0_u64, 0_u64, 0_u64);
    let (mut points, mut generated, mut links, mut foreign, mut objects) =
        (0_u64, 0_u64, 0_u64, 0_u64, 0_u64);
    let mut spaces: BTreeMap<_, (u64, Option<String>)> = BTreeMap::new();
    let (mut damage, mut names) = (None, Scratch::new());
    for record in plugin.grids() {
        let read = record.and_then(|record| {
            grids = grids.saturating_add(1);
            deleted = deleted.saturating_add(record.is_deleted().into());
            compressed = compressed.saturating_add(record.is_compressed().into());
            let Some(grid) = record.grid(scratch)? else { return Ok(()) };
            points = points.saturating_add(grid.len() as u64);
            generated =
                generated.saturating_add(grid.points().filter(|point| point.generated).count() as u64);
            links = links.saturating_add(grid.stored_links() as u64);
            foreign = foreign.saturating_add(grid.foreign().len() as u64);
            objects = objects.saturating_add(grid.blocking_objects().into());
            let (count, _) =
                spaces.entry(record.space(&grid)).or_insert_with(|| (0, record.space_name(&mut names)));
            *count = count.saturating_add(grid.len() as u64);
            Ok(())
        });
        damage = damage.or(read.err());
    }
    let facts = [
        ("grids", grids),
        ("deleted", deleted),
        ("compressed", compressed),
        ("points", points),
        ("made by the editor", generated),
        ("links as stored", links),
        ("foreign links", foreign),
        ("blocking objects", objects),
    ];
    for (label, count) in
        facts.into_iter().filter(|(label, count)| *count > 0 || ["grids", "points"].contains(label))
    {
        fact(out, label, Grouped(count))?;
    }
    if !spaces.is_empty() {
        writeln!(out, "points by space")?;
    }
    let more = spaces.len().saturating_sub(MOST);
    let mut sorted: Vec<_> = spaces.into_iter().collect();
    sorted.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    for (space, (count, name)) in sorted.into_iter().take(MOST) {
        writeln!(out, "  {:<50}{:>10}", space.named(name).to_string(), Grouped(count).to_string())?;
    }
    if more > 0 {
        writeln!(out, "  and {} more", Grouped(more as u64))?;
    }
    damage.map_or(Ok(()), Err)
}
