//! Describes the file to a person.

use super::view::XrayNav;
use navmap_core::error::Result;
use navmap_core::format::NavFile;
use navmap_core::text::{Grouped, fact};
use std::io::Write;

pub(super) fn info(nav: &XrayNav<'_>, out: &mut dyn Write) -> Result<()> {
    let header = nav.header();
    fact(out, "format", format_args!("X-Ray level.ai version {}", nav.version()))?;
    if let Some(game) = nav.summary().game {
        fact(out, "game", game)?;
    }
    let guid: String = header.guid().iter().map(|byte| format!("{byte:02x}")).collect();
    fact(out, "guid", guid)?;
    let [columns, rows] = nav.squares();
    fact(out, "grid", format_args!("{columns} x {rows} squares of {} m", header.cell()))?;
    fact(out, "extent", format_args!("{:?} to {:?}", header.min(), header.max()))?;
    let (mut links, mut floors, mut last) = (0_u64, 0_u64, None);
    let mut cover = [[0_u64; 2]; 4];
    for node in nav.nodes().iter() {
        floors = floors.saturating_add((last.replace(node.square()) == Some(node.square())).into());
        links = links.saturating_add(node.links().into_iter().flatten().count() as u64);
        let kinds = [Some(node.cover()), node.low_cover()];
        for (sums, kind) in kinds.into_iter().enumerate() {
            for (sum, value) in cover.iter_mut().zip(kind.unwrap_or_default().values()) {
                if let Some(sum) = sum.get_mut(sums) {
                    *sum = sum.saturating_add(value.into());
                }
            }
        }
    }
    fact(out, "nodes", Grouped(nav.nodes().len() as u64))?;
    fact(out, "over others", Grouped(floors))?;
    fact(out, "links", Grouped(links))?;
    if !nav.nodes().is_empty() {
        writeln!(out, "cover, mean of 0 to 15          standing crouching")?;
        for (sums, name) in cover.into_iter().zip(["x down", "z up", "x up", "z down"]) {
            #[allow(clippy::cast_precision_loss)] // a mean
            let [standing, crouching] = sums.map(|sum| sum as f64 / nav.nodes().len() as f64);
            writeln!(out, "  {name:<28}{standing:>10.1}{crouching:>10.1}")?;
        }
    }
    Ok(())
}
