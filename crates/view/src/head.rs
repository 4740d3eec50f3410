//! The head of a scene: its words, names and tables.

use super::classes::{Unlisted, about};
use super::columns::Part;
use navmap_core::bytes::Scratch;
use navmap_core::format::NavFile;
use navmap_core::graph::{Axes, FlatGraph, Ids, LinkKind, MarkKind, NavGraph, Point, Stats, Up, plural};
use navmap_core::{Finding, Severity, Space};
use navmap_draw::{ColourBy, Colouring, Dots, Heat, Inks, Layers, Lifted, Squares, Theme, Trail};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashMap};

/// The most findings that a head lists.
const MOST_FINDINGS: usize = 2_000;

/// What is said about a mesh.
#[derive(Debug, Clone, Default)]
pub struct Words {
    /// The map.
    pub title: String,
    /// Game and version.
    pub subtitle: String,
    /// The error of a damaged file, which explains why the mesh ends there.
    pub error: Option<String>,
    /// What `check` finds.
    pub findings: Vec<Finding>,
    /// What more it finds that a page does not list.
    pub unlisted: Unlisted,
    /// What colours mean at first, with its name, beside what every mesh has: what changed in nodes.
    pub colour: Option<(String, ColourBy)>,
    /// Ways and names over the mesh.
    pub trails: Vec<Trail>,
    /// Points over the mesh, as dots or by node.
    pub heat: Option<Heat>,
    /// The merge that the mesh shows.
    pub merging: Option<Merging>,
}

/// A merge of three versions, to choose from.
#[derive(Debug, Clone, Default)]
pub struct Merging {
    /// The commands that bring the changes of theirs into ours.
    pub script: String,
    /// What both changed in different ways.
    pub disputed: Vec<Disputed>,
}

/// An item that both sides changed in different ways.
#[derive(Debug, Clone)]
pub struct Disputed {
    /// Its name in the common ancestor: `#12`.
    pub item: String,
    /// Where it lies.
    pub at: Option<Point>,
    /// Both changes, in words.
    pub what: String,
    /// The commands that take the change of theirs, after those of the merge; empty if none does.
    pub theirs: String,
}

impl Words {
    /// What `check` finds in a file, the most severe first, as far as a page lists it, and what more. Of a file with several spaces, what
    /// it finds in one of them. What ends the reading of a damaged file is not among them.
    pub fn found(nav: &impl NavFile, space: Option<&Space>) -> (Vec<Finding>, Unlisted) {
        let (mut findings, mut count) = (Vec::new(), 0);
        // How many there are of each severity: a head lists the first of the most severe.
        let mut of: BTreeMap<Severity, usize> = BTreeMap::new();
        let mut worst: HashMap<(Option<&'static str>, u64), Severity> = HashMap::new();
        let mut keep = |finding: Finding| {
            let is_other = space.zip(finding.space.as_deref()).is_some_and(|(own, other)| own != other);
            if is_other {
                return;
            }
            let before: usize = of.range(finding.severity..).map(|(_, count)| count).sum();
            *of.entry(finding.severity).or_default() += 1;
            if before < MOST_FINDINGS {
                findings.push(finding);
                return;
            }
            count += 1;
            if let Some((record, id)) = about(&finding) {
                let known = worst.entry((record, id)).or_insert(finding.severity);
                *known = finding.severity.max(*known);
            }
        };
        let _ = nav.check(&mut Scratch::new(), &mut keep);
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        (findings, Unlisted { count, worst })
    }
}

/// A meaning of colours, with its colours in both themes.
pub(super) struct Meaning {
    pub(super) name: String,
    pub(super) light: Colouring,
    pub(super) dark: Colouring,
}

/// The head without its columns.
pub(super) fn head(graph: &FlatGraph, words: &Words, lifted: &Lifted, meanings: &[Meaning]) -> Value {
    let stats = Stats::of(graph).value;
    let flags: Map<String, Value> = (0..64u32)
        .filter_map(|bit| Some((bit.to_string(), json!(graph.flag(bit)?.to_lowercase()))))
        .collect();
    let ceiling = |(name, nodes): &(String, Vec<u32>)| json!({"name": name, "nodes": nodes.len()});
    let word = graph.node_word();
    let entries = [
        ("format", json!("NMS1")),
        ("title", json!(words.title)),
        ("subtitle", json!(words.subtitle)),
        ("error", json!(words.error)),
        ("nodes", json!(graph.nodes().len())),
        ("links", json!(stats.links)),
        ("marks", json!(graph.marks().len())),
        ("islands", json!(stats.components)),
        ("one_way", json!(stats.one_way_links)),
        ("walkable", json!(stats.area_m2)),
        ("word", json!([plural(word, 1), plural(word, 2)])),
        ("group_word", json!(graph.group_word().unwrap_or("group"))),
        ("ids", ids(graph.ids())),
        ("axes", axes_of(graph.axes())),
        ("places", json!(graph.places().values().collect::<Vec<_>>())),
        ("groups", json!(graph.groups().values().collect::<Vec<_>>())),
        ("flags", Value::Object(flags)),
        ("link_kinds", Value::Array(link_kinds())),
        ("mark_kinds", Value::Array(mark_kinds())),
        ("kinds", json!(kinds(graph))),
        ("themes", json!({"light": theme(Theme::Light), "dark": theme(Theme::Dark)})),
        ("ceilings", Value::Array(lifted.ceilings.iter().map(ceiling).collect())),
        ("colours", Value::Array(meanings.iter().map(meaning).collect())),
        ("findings", Value::Array(words.findings.iter().take(MOST_FINDINGS).map(finding).collect())),
        ("merge", words.merging.as_ref().map_or(Value::Null, merge)),
        ("tiles", super::tiles::tiles(graph)),
        ("ends", Value::Array(words.trails.iter().flat_map(|trail| &trail.ends).map(end).collect())),
        ("more_findings", json!((words.findings.len() + words.unlisted.count).saturating_sub(MOST_FINDINGS))),
    ];
    Value::Object(entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// The columns of the parts.
pub(super) fn parts(parts: &[(&str, Part)]) -> Value {
    let part = |(name, part): &(&str, Part)| {
        let mark = format!("{:016x}", part.mark());
        let value = json!({"bytes": part.bytes().len(), "mark": mark, "columns": part.columns()});
        ((*name).to_owned(), value)
    };
    Value::Object(parts.iter().map(part).collect())
}

/// How ids are made up, with the letter of what is numbered.
fn ids(ids: Ids) -> Value {
    match ids {
        Ids::Numbers => json!(["numbers", ""]),
        Ids::InForms { own, apart } => json!(["forms", "", own, apart]),
        Ids::InGroups(letter) => json!(["groups", letter]),
        Ids::Lettered(letter) => json!(["lettered", letter]),
    }
}

fn axes_of(axes: Axes) -> Value {
    let up = if axes.up == Up::Y { "y" } else { "z" };
    json!({"up": up, "metres_per_unit": axes.metres_per_unit, "north": axes.north_on_page()})
}

fn link_kinds() -> Vec<Value> {
    let [light, dark] = [Theme::Light, Theme::Dark].map(Inks::of);
    let kind = |kind: &LinkKind| json!({"name": kind.name(), "on_foot": kind.on_foot(), "light": light.link(*kind), "dark": dark.link(*kind)});
    LinkKind::ALL.iter().map(kind).collect()
}

/// The numbers of the kinds of links that the graph has.
fn kinds(graph: &FlatGraph) -> Vec<usize> {
    let mut has = [false; LinkKind::ALL.len()];
    graph.links().iter().for_each(|link| has[link.kind as usize] = true);
    (0..has.len()).filter(|kind| has[*kind]).collect()
}

fn mark_kinds() -> Vec<Value> {
    let [light, dark] = [Theme::Light, Theme::Dark].map(Inks::of);
    let layer = |kind: MarkKind| {
        let layers = Layers::NAMED.iter().find(|(_, layer)| *layer == Layers::of_mark(kind));
        layers.map_or("entities", |(name, _)| *name)
    };
    let kind = |kind: &MarkKind| json!({"name": kind.name(), "layer": layer(*kind), "light": light.mark(*kind), "dark": dark.mark(*kind)});
    MarkKind::ALL.iter().map(kind).collect()
}

fn theme(theme: Theme) -> Value {
    Value::Object(
        Inks::of(theme).named().map(|(name, ink)| (name.to_owned(), json!(ink))).into_iter().collect(),
    )
}

/// What a meaning of colours is called, and the key to it.
pub(super) fn meaning(meaning: &Meaning) -> Value {
    let Colouring { title, ramp, entries, more, .. } = &meaning.light;
    let entry =
        |entry: &navmap_draw::Entry| json!({"class": entry.class, "name": entry.name, "nodes": entry.nodes});
    json!({
        "name": meaning.name,
        "title": title,
        "ramp": ramp.map(|ramp| [ramp.low, ramp.high]),
        "entries": entries.iter().map(entry).collect::<Vec<_>>(),
        "more": more,
    })
}

fn end((at, name): &(Point, String)) -> Value {
    json!({"at": at.to_array(), "name": name})
}

fn merge(merging: &Merging) -> Value {
    let disputed = |Disputed { item, at, what, theirs }: &Disputed| {
        let at = at.filter(|at| at.is_finite()).map(Point::to_array);
        json!({"item": item, "at": at, "what": what, "theirs": theirs})
    };
    json!({"script": merging.script, "disputed": merging.disputed.iter().map(disputed).collect::<Vec<_>>()})
}

/// What points mean that are dots.
pub(super) fn dots(dots: &Dots, words: &Words) -> Value {
    let ramp = dots.ramp.map(|ramp| [ramp.low, ramp.high]);
    json!({"title": heat_title(words), "count": dots.dots.len(), "ramp": ramp})
}

/// What points mean that are squares of the ground.
pub(super) fn squares(squares: &Squares, words: &Words) -> Value {
    let Squares { side, corners, ramp, .. } = squares;
    json!({"title": heat_title(words), "count": corners.len(), "side": side, "ramp": [ramp.low, ramp.high]})
}

fn heat_title(words: &Words) -> &str {
    words.heat.as_ref().map_or("", |heat| heat.title.as_str())
}

fn finding(finding: &Finding) -> Value {
    json!({
        "severity": finding.severity.name(),
        "code": finding.code,
        "record": finding.at.name().map(|name| name.to_string()),
        "byte": finding.at.offset,
        "id": finding.at.typed(),
        "at": finding.place,
        "message": finding.message,
    })
}
