//! GraphML.

use super::Export;
use super::text::Xml;
use navmap_core::graph::{Ids, NavGraph};
use std::io::{self, Write};

// igraph keeps the ids of the XML itself in an attribute `id`, and networkx drops one of that name.
const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="node_id" for="node" attr.name="node_id" attr.type="long"/>
<key id="place" for="node" attr.name="place" attr.type="string"/>
<key id="group" for="node" attr.name="group" attr.type="string"/>
<key id="flags" for="node" attr.name="flags" attr.type="string"/>
<key id="x" for="node" attr.name="x" attr.type="float"/>
<key id="y" for="node" attr.name="y" attr.type="float"/>
<key id="z" for="node" attr.name="z" attr.type="float"/>
<key id="area" for="node" attr.name="area_m2" attr.type="double"/>
<key id="kind" for="edge" attr.name="kind" attr.type="string"/>
<key id="gated" for="edge" attr.name="gated" attr.type="boolean"><default>false</default></key>
"#;

pub(super) fn write(export: &Export<'_>, out: &mut dyn Write) -> io::Result<()> {
    let graph = export.graph;
    let metres = f64::from(graph.axes().metres_per_unit);
    match graph.ids() {
        Ids::Numbers => out.write_all(HEAD.as_bytes())?,
        _ => out.write_all(HEAD.replacen("long", "string", 1).as_bytes())?,
    }
    writeln!(out, "<graph id=\"{}\" edgedefault=\"directed\">", Xml(export.name))?;
    for (index, node) in graph.nodes().iter().enumerate() {
        write!(
            out,
            "<node id=\"n{index}\"><data key=\"node_id\">{}</data>",
            graph.ids().name(node.id).to_string().trim_start_matches('#')
        )?;
        if let Some(place) = node.place.and_then(|place| graph.place(place)) {
            write!(out, "<data key=\"place\">{}</data>", Xml(&place))?;
        }
        if let Some(group) = node.group.and_then(|group| graph.group(group)) {
            write!(out, "<data key=\"group\">{}</data>", Xml(&group))?;
        }
        if node.flags != 0 {
            let flags: Vec<String> = export.flags(node.flags).collect();
            write!(out, "<data key=\"flags\">{}</data>", Xml(&flags.join(" ")))?;
        }
        let shape = graph.shape(node);
        if let Some(center) = shape.center().filter(|center| center.is_finite()) {
            for (key, value) in ["x", "y", "z"].iter().zip(center.to_array()) {
                write!(out, "<data key=\"{key}\">{value}</data>")?;
            }
        }
        if let Some(area) = shape.area().filter(|area| area.is_finite()) {
            write!(out, "<data key=\"area\">{:.3}</data>", area * metres * metres)?;
        }
        writeln!(out, "</node>")?;
    }
    for link in graph.links() {
        let Some(to) = link.to else { continue };
        write!(
            out,
            "<edge source=\"n{}\" target=\"n{to}\"><data key=\"kind\">{}</data>",
            link.from, link.kind
        )?;
        if link.gated {
            write!(out, "<data key=\"gated\">true</data>")?;
        }
        writeln!(out, "</edge>")?;
    }
    writeln!(out, "</graph>\n</graphml>")
}
