//! Describes the file to a person.

use super::flags::NodeFlags;
use super::iter::Nodes;
use super::pwf::PwfNav;
use super::record::GAME;
use super::view::YapbNav;
use navmap_core::error::Result;
use navmap_core::graph::{Aabb, Point};
use navmap_core::text::{Grouped, Size, counted, fact, printable};
use std::io::Write;

pub(super) fn graph(nav: &YapbNav<'_>, out: &mut dyn Write) -> Result<()> {
    fact(out, "format", format_args!("YaPB graph version {}", nav.version()))?;
    fact(out, "game", GAME)?;
    fact(out, "options", nav.options())?;
    let extension = nav.extension();
    name(out, "author", extension.author())?;
    name(out, "last editor", extension.editor())?;
    if let Some(size) = extension.map_size() {
        fact(out, "map", format_args!("{} bytes", Grouped(size.into())))?;
    }
    let (packed, unpacked) = (nav.packed().len() as u64, size_of_val(nav.nodes()) as u64);
    fact(out, "packed", format_args!("{} of {}", Size(packed), Size(unpacked)))?;
    nodes(nav.waypoints(), out)
}

pub(super) fn pwf(nav: &PwfNav<'_>, out: &mut dyn Write) -> Result<()> {
    fact(out, "format", format_args!("POD-Bot waypoints version {}", nav.version()))?;
    fact(out, "game", GAME)?;
    name(out, "map", Some(nav.map()))?;
    name(out, "author", Some(nav.author()))?;
    nodes(nav.waypoints(), out)
}

fn name(out: &mut dyn Write, label: &str, name: Option<&[u8]>) -> Result<()> {
    match name.filter(|name| !name.is_empty()) {
        Some(name) => Ok(fact(out, label, printable(name))?),
        None => Ok(()),
    }
}

fn nodes(nodes: Nodes<'_>, out: &mut dyn Write) -> Result<()> {
    let (links, jumps) = nodes.links();
    fact(out, "nodes", Grouped(nodes.len() as u64))?;
    fact(out, "links", Grouped(links))?;
    fact(out, "jumps", Grouped(jumps))?;
    let extent: Aabb = nodes.iter().map(|node| Point::from(node.origin())).collect();
    if !extent.is_empty() {
        fact(out, "extent", format_args!("{:?} to {:?}", extent.min.to_array(), extent.max.to_array()))?;
    }
    fact(out, "height", "a player's origin, 36 above the floor, 18 crouched")?;
    let lit = nodes.iter().filter(|node| node.light().is_some()).count();
    if nodes.has_light() {
        fact(out, "light measured", format_args!("at {}", counted(lit as u64, "node", "nodes")))?;
    }
    let mut title = Some("node flags");
    for bit in (0..32).map(|bit| NodeFlags(1 << bit)) {
        let set = nodes.iter().filter(|node| node.flags().contains(bit)).count();
        if set > 0 {
            if let Some(title) = title.take() {
                writeln!(out, "{title}")?;
            }
            writeln!(out, "  {:<30}{:>10}", bit.to_string(), Grouped(set as u64).to_string())?;
        }
    }
    Ok(())
}
