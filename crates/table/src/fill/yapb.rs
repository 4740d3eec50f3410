//! YaPB and POD-Bot.

use crate::batch::{Out, Sheet};
use crate::geometry::Geometry;
use crate::rows::yapb::*;
use navmap_core::graph::Up;
use navmap_yapb::{Nodes, PwfNav, YapbNav};

/// Fills the tables of one `.graph`. A graph that could be opened was read to its end.
pub(super) fn fill(nav: &YapbNav<'_>, out: &mut Out<'_>) {
    let extension = nav.extension();
    let text = |name: Option<&[u8]>| name.map(|name| String::from_utf8_lossy(name).into_owned());
    let (author, editor) = (text(extension.author()), text(extension.editor()));
    let (links, jumps) = nav.waypoints().links();
    let row = MeshRow {
        form: "graph",
        version: nav.version(),
        options: Some(nav.options().bits()),
        author: author.as_deref(),
        editor: editor.as_deref(),
        map_bytes: extension.map_size(),
        nodes: nav.waypoints().len() as u32,
        links: links as u32,
        jumps: jumps as u32,
        trailing_bytes: nav.trailing().len() as u64,
    };
    fill_nodes(row, nav.waypoints(), out);
}

/// Fills the tables of one `.pwf`.
pub(super) fn fill_pwf(nav: &PwfNav<'_>, out: &mut Out<'_>) {
    let author = String::from_utf8_lossy(nav.author());
    let (links, jumps) = nav.waypoints().links();
    let row = MeshRow {
        form: "pwf",
        version: nav.version(),
        options: None,
        author: Some(&author),
        editor: None,
        map_bytes: None,
        nodes: nav.waypoints().len() as u32,
        links: links as u32,
        jumps: jumps as u32,
        trailing_bytes: nav.trailing().len() as u64,
    };
    fill_nodes(row, nav.waypoints(), out);
}

fn fill_nodes(row: MeshRow<'_>, all: Nodes<'_>, out: &mut Out<'_>) {
    out.with([&YAPB_MESHES, &YAPB_NODES, &YAPB_LINKS], |[meshes, nodes, links]| {
        meshes.push(row);
        for (number, node) in (0..).zip(all.iter()) {
            push_node(number, &node, all.has_light(), nodes);
            for (slot, link) in node.links() {
                let full = all.has_link_flags();
                let velocity = link.velocity().map(|axis| full.then_some(axis));
                let [velocity_x, velocity_y, velocity_z] = velocity;
                links.push(LinkRow {
                    src: number,
                    slot: slot as u8,
                    dst: link.target(),
                    distance: link.distance(),
                    flags: full.then(|| link.flags().bits()),
                    velocity_x,
                    velocity_y,
                    velocity_z,
                });
            }
        }
    });
}

fn push_node(number: u32, node: &navmap_yapb::Node, has_light: bool, out: &mut Sheet<'_>) {
    let [x, y, z] = node.origin();
    let [camp_start_x, camp_start_y, camp_start_z] = node.camp_start();
    let [camp_end_x, camp_end_y, camp_end_z] = node.camp_end();
    let [seen_standing, seen_crouching] = node.seen();
    out.push(NodeRow {
        node: number,
        number: node.number(),
        flags: node.flags().bits(),
        x,
        y,
        z,
        radius: node.stored_radius(),
        camp_start_x,
        camp_start_y,
        camp_start_z,
        camp_end_x,
        camp_end_y,
        camp_end_z,
        light: node.light(),
        display_time: has_light.then(|| node.display_time()),
        seen_standing,
        seen_crouching,
        links: node.links().count() as u8,
        geometry: Some(Geometry::point([x, y, z], Up::Z)),
    });
}
