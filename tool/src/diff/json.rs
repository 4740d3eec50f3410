//! A difference as one JSON object a pair. The names are a contract.

use super::flag_names;
use navmap::diff::{Compared, NodeChange, Part, Parts, PlaceChange, Shaped};
use navmap::edit::ListChange;
use navmap::graph::{FlatGraph, Ids, LinkKind, NavGraph, Point};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;

/// A mesh without a partner.
pub(super) fn only(out: &mut dyn Write, path: &Path, label: &str, added: bool) -> io::Result<()> {
    let path = path.to_string_lossy();
    let row = json!({
        "name": label,
        "before": if added { Value::Null } else { path.clone().into() },
        "after": if added { path.into() } else { Value::Null },
        "same": false,
    });
    writeln!(out, "{row}")
}

/// Everything that changed between two files.
pub(super) fn write(out: &mut dyn Write, label: &str, compared: &Compared) -> io::Result<()> {
    let facts = compared.facts.iter();
    let findings = compared.findings.iter().map(|(severity, code, [before, after])| {
        json!({ "severity": severity.name(), "code": code, "before": before, "after": after })
    });
    let alone = |after: bool| -> Vec<&str> {
        compared.alone.iter().filter(|(_, there)| *there == after).map(|(name, _)| name.as_str()).collect()
    };
    let row = json!({
        "name": label,
        "same": compared.is_same(),
        "same_bytes": compared.same_bytes,
        "noise": compared.noise,
        "damaged": !compared.damage.is_empty(),
        "facts": facts.map(|f| json!({ "name": f.name, "before": f.before, "after": f.after })).collect::<Vec<_>>(),
        "findings": findings.collect::<Vec<_>>(),
        "spaces_removed": alone(false),
        "spaces_added": alone(true),
        "parts": compared.parts.iter().map(part).collect::<Vec<_>>(),
    });
    writeln!(out, "{row}")
}

fn part(part: &Part) -> Value {
    let Part { diff, before, after, .. } = part;
    let ids = |graph: &FlatGraph, nodes: &[u32]| -> Vec<Value> {
        nodes.iter().filter_map(|&node| id(graph, node)).collect()
    };
    let cut = |whole: &FlatGraph, pieces: &FlatGraph, parts: &[Parts]| -> Vec<Value> {
        let one =
            |p: &Parts| json!({ "whole": ids(whole, &[p.whole]).first(), "parts": ids(pieces, &p.parts) });
        parts.iter().map(one).collect()
    };
    let links = diff.links.changed.iter().map(|link| {
        let way = |way: Option<(LinkKind, bool)>| {
            way.map(|(kind, gated)| json!({ "kind": kind.name(), "gated": gated }))
        };
        json!({
            "from": id(before, link.from),
            "to": link.to.and_then(|to| id(before, to)),
            "before": way(link.before),
            "after": way(link.after),
        })
    });
    let marks = diff.marks.iter().map(|mark| {
        let points = |points: &[Point]| points.iter().map(|p| p.to_array()).collect::<Vec<_>>();
        let moved = mark.moved.iter().map(|ends| ends.map(|p| p.to_array())).collect::<Vec<_>>();
        let (removed, added) = (points(&mark.removed), points(&mark.added));
        json!({ "kind": mark.kind.name(), "removed": removed, "added": added, "moved": moved })
    });
    json!({
        "space": part.space.as_ref().map(ToString::to_string),
        "method": diff.method.name(),
        "matched": diff.matched(),
        "nodes": diff.nodes,
        "renumbered": diff.renumbered,
        "removed": ids(before, &diff.removed),
        "added": ids(after, &diff.added),
        "split": cut(before, after, &diff.split),
        "merged": cut(after, before, &diff.merged),
        "changed": diff.changed.iter().map(|one| change(one, before, after)).collect::<Vec<_>>(),
        "links": links.collect::<Vec<_>>(),
        "links_gone_with_nodes": diff.links.gone_with_nodes,
        "links_come_with_nodes": diff.links.come_with_nodes,
        "marks": marks.collect::<Vec<_>>(),
        "islands": diff.main_part.islands,
        "main_part": diff.main_part.nodes,
        "places": part.places.ends.iter().chain(&part.places.lengths).map(way).collect::<Vec<_>>(),
        "lists": part.lists.iter().map(list).collect::<Vec<_>>(),
        "lost": ids(before, &diff.main_part.lost),
        "gained": ids(before, &diff.main_part.gained),
    })
}

fn way(way: &PlaceChange) -> Value {
    json!({ "from": way.from, "to": way.to, "before": way.before, "after": way.after })
}

fn list(list: &ListChange) -> Value {
    json!({ "id": list.node, "what": list.what, "removed": list.removed, "added": list.added })
}

/// The id of a node: a number, or what people type for one inside a record.
fn id(graph: &FlatGraph, node: u32) -> Option<Value> {
    let id = graph.nodes().get(node as usize)?.id;
    Some(match graph.ids() {
        Ids::Numbers => id.into(),
        ids => ids.name(id).to_string().into(),
    })
}

fn change(change: &NodeChange, before: &FlatGraph, after: &FlatGraph) -> Value {
    let mut row = json!({ "before": id(before, change.before), "after": id(after, change.after) });
    match change.shape {
        Some(Shaped::Moved(by)) => row["moved"] = json!(by),
        Some(Shaped::Reshaped { by, area }) => row["reshaped"] = json!({ "by": by, "surface": area }),
        Some(Shaped::Radius(radius)) => row["radius"] = json!(radius),
        None => {}
    }
    if change.set | change.cleared != 0 {
        row["set"] = json!(flag_names(after, change.set));
        row["cleared"] = json!(flag_names(before, change.cleared));
    }
    for (key, name) in [("place", &change.place), ("group", &change.group)] {
        if let Some(name) = name {
            row[key] = json!({ "before": name.before, "after": name.after });
        }
    }
    row
}
