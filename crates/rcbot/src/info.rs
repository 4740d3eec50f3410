//! Describes the file to a person.

use super::flags::{Game, NodeFlags};
use super::view::RcbotNav;
use navmap_core::error::Result;
use navmap_core::graph::{Aabb, Point};
use navmap_core::text::{Grouped, fact, printable};
use std::io::Write;

pub(super) fn info(nav: &RcbotNav<'_>, out: &mut dyn Write) -> Result<()> {
    fact(out, "format", format_args!("RCBot2 waypoints version {}", nav.version()))?;
    if let Some(game) = nav.game() {
        fact(out, "game", game.name())?;
    }
    let named = [("map", Some(nav.map())), ("author", nav.author()), ("last editor", nav.editor())];
    for (label, name) in named {
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            fact(out, label, printable(name))?;
        }
    }
    if !nav.flags().is_empty() {
        fact(out, "beside it", nav.flags())?;
    }
    let (mut links, mut unused, mut extent) = (0_u64, 0_u64, Aabb::EMPTY);
    let mut flags = [0_u64; 32];
    for waypoint in nav.waypoints() {
        links = links.saturating_add(waypoint.targets().len() as u64);
        if !waypoint.is_used() {
            unused = unused.saturating_add(1);
            continue;
        }
        extent = [extent.min, extent.max, Point::from(waypoint.origin())]
            .into_iter()
            .skip(if extent.is_empty() { 2 } else { 0 })
            .collect();
        for (count, bit) in flags.iter_mut().zip(0..) {
            *count = count.saturating_add(u64::from(waypoint.flags().0 >> bit & 1));
        }
    }
    fact(out, "waypoints", Grouped(nav.len() as u64))?;
    if unused > 0 {
        fact(out, "deleted", Grouped(unused))?;
    }
    fact(out, "links", Grouped(links))?;
    if !extent.is_empty() {
        fact(out, "extent", format_args!("{:?} to {:?}", extent.min.to_array(), extent.max.to_array()))?;
    }
    fact(out, "height", "32 above the floor")?;
    if flags.iter().any(|count| *count > 0) {
        writeln!(out, "waypoint flags")?;
    }
    for (count, bit) in flags.into_iter().zip(0..).filter(|(count, _)| *count > 0) {
        let flag = NodeFlags(1_u32.checked_shl(bit).unwrap_or(0));
        let name = Game::flag(nav.game(), flag).map_or_else(|| flag.to_string(), str::to_owned);
        writeln!(out, "  {name:<30}{:>10}", Grouped(count).to_string())?;
    }
    Ok(())
}
