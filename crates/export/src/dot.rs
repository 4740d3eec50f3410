//! Graphviz.

use super::Export;
use super::text::Dot;
use navmap_core::graph::NavGraph;
use std::io::{self, Write};

pub(super) fn write(export: &Export<'_>, out: &mut dyn Write) -> io::Result<()> {
    let graph = export.graph;
    let axes = graph.axes();
    writeln!(out, "digraph {} {{", Dot(export.name))?;
    writeln!(out, "  // Places are in file units seen from above: neato -n, or fdp.")?;
    writeln!(out, "  node [shape=point]; edge [arrowsize=0.4];")?;
    for (index, node) in graph.nodes().iter().enumerate() {
        write!(out, "  n{index} [label={}", Dot(&graph.ids().name(node.id).to_string()))?;
        if let Some(center) = graph.shape(node).center().filter(|center| center.is_finite()) {
            let [u, v, _] = axes.plan(center);
            write!(out, ", pos=\"{u},{v}!\"")?;
        }
        if let Some(place) = node.place.and_then(|place| graph.place(place)) {
            write!(out, ", place={}", Dot(&place))?;
        }
        if let Some(group) = node.group.and_then(|group| graph.group(group)) {
            write!(out, ", group={}", Dot(&group))?;
        }
        if node.flags != 0 {
            let flags: Vec<String> = export.flags(node.flags).collect();
            write!(out, ", flags={}", Dot(&flags.join(" ")))?;
        }
        writeln!(out, "];")?;
    }
    for link in graph.links() {
        let Some(to) = link.to else { continue };
        write!(out, "  n{} -> n{to} [kind={}", link.from, Dot(link.kind.name()))?;
        if link.gated {
            write!(out, ", gated=true")?;
        }
        writeln!(out, "];")?;
    }
    writeln!(out, "}}")
}
