//! Rows of `navmap diff --format jsonl` that were saved: what they say has changed, in the meshes that are named beside them.

use crate::out::{complain, warn};
use navmap::diff::{Diff, Pair, on_one_map};
use navmap::error::{Error, Result};
use navmap::graph::{Axes, FlatGraph, NavGraph};
use navmap::open::OpenOptions;
use navmap::text::path_text;
use navmap::{Finding, Severity};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The most differences of one file that are listed.
const MOST_ROWS: usize = 10_000;
/// The most changes of one difference that are listed.
const MOST_CHANGES: usize = 2_000;

/// What a row calls a node: its number, or what people type for it.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Id {
    Number(u64),
    Name(String),
}

/// One pair of meshes. What is not needed here is not read.
#[derive(Debug, Deserialize)]
struct Row {
    name: String,
    #[serde(default)]
    parts: Vec<Part>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Part {
    space: Option<String>,
    method: Option<String>,
    removed: Vec<Id>,
    added: Vec<Id>,
    split: Vec<Cut>,
    merged: Vec<Cut>,
    changed: Vec<Change>,
    links: Vec<Link>,
}

#[derive(Debug, Deserialize)]
struct Cut {
    whole: Option<Id>,
    parts: Vec<Id>,
}

#[derive(Debug, Deserialize)]
struct Change {
    before: Option<Id>,
    after: Option<Id>,
    moved: Option<[f32; 3]>,
    reshaped: Option<Value>,
    radius: Option<Value>,
}

#[derive(Debug, Deserialize)]
struct Link {
    from: Option<Id>,
    to: Option<Id>,
}

/// One difference: of one pair of meshes, in one space of them.
#[derive(Debug)]
pub(super) struct Saved {
    name: String,
    part: Part,
    /// The mesh before; of a single mesh the one that there is.
    pub(super) before: PathBuf,
    /// The mesh after, if that is another one.
    pub(super) after: Option<PathBuf>,
}

impl Saved {
    /// The differences in a file, each with its meshes: of several pairs the one that is called as the row is.
    ///
    /// # Errors
    /// If the file or what is beside it cannot be read, if a line is no such row, or if none of them has its mesh beside it.
    pub(super) fn open(file: &Path, beside: &[PathBuf], options: &OpenOptions) -> Result<Vec<Self>> {
        let wrong = |why: String| Error::invalid("saved differences", why).in_file(file);
        let (before, after) = match beside {
            [before] => (before, before),
            [before, after] => (before, after),
            _ => {
                let why = "need the mesh beside them, or both: navmap view SAVED.jsonl BEFORE [AFTER]";
                return Err(wrong(why.to_owned()));
            }
        };
        let all = Pair::all(before, after, options)?;
        all.unread.iter().for_each(|error| complain(format_args!("navmap: {error}")));
        let pairs: Vec<(String, PathBuf, PathBuf)> = all
            .pairs
            .into_iter()
            .filter_map(|pair| match pair {
                Pair::Both { before, after, label } => Some((label, before, after)),
                Pair::Only { .. } => None,
            })
            .collect();
        let text = options.backing(file)?;
        let text = std::str::from_utf8(&text).map_err(|_| wrong("are no text".to_owned()))?;
        let (mut all, mut strangers) = (Vec::new(), Vec::new());
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let row: Row = serde_json::from_str(line).map_err(|error| {
                wrong(format!("line {number} is no row of navmap diff --format jsonl: {error}"))
            })?;
            let mut moved = row.parts.iter().flat_map(|part| &part.changed).filter_map(|change| change.moved);
            if moved.any(|by| by.iter().any(|by| by.is_infinite())) {
                return Err(wrong(format!("line {number} has a number beyond the largest, in moved")));
            }
            let changed: Vec<Part> = row.parts.into_iter().filter(Part::is_some).collect();
            if changed.is_empty() {
                continue;
            }
            let of = |(label, ..): &&(String, PathBuf, PathBuf)| *label == row.name;
            // Of two files the label is what was typed at that time.
            let Some((_, before, after)) = pairs.iter().find(of).or(match &pairs[..] {
                [one] if before.is_file() => Some(one),
                _ => None,
            }) else {
                strangers.push(row.name);
                continue;
            };
            for part in changed {
                if all.len() == MOST_ROWS {
                    return Err(wrong(format!("are more than {MOST_ROWS}")));
                }
                let after = (after != before).then(|| after.clone());
                all.push(Self { name: row.name.clone(), part, before: before.clone(), after });
            }
        }
        match (&all[..], &strangers[..]) {
            ([], [first, ..]) => Err(wrong(format!("have no mesh beside them that is called {first}"))),
            ([], []) => Err(wrong("say that nothing has changed".to_owned())),
            _ => {
                if let Some(first) = strangers.first() {
                    let (file, left) = (path_text(file), strangers.len());
                    warn(format_args!(
                        "navmap: {file}: {left} of them have no mesh beside them, such as {first}"
                    ));
                }
                Ok(all)
            }
        }
    }

    /// What the row is called, and what it says in short.
    pub(super) fn words(&self) -> (String, String) {
        let Part { removed, added, split, merged, changed, links, space, .. } = &self.part;
        let counts = [
            (removed.len(), "removed"),
            (added.len(), "added"),
            (split.len(), "split"),
            (merged.len(), "merged"),
            (changed.len(), "changed"),
            (links.len(), "links"),
        ];
        let said =
            counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
        let said = said.collect::<Vec<_>>().join(", ");
        (self.name.clone(), space.as_ref().map_or(said.clone(), |space| format!("{space}: {said}")))
    }

    /// What chooses the space in its file: the FormID, if there is one.
    pub(super) fn space(&self) -> Option<String> {
        let name = self.part.space.as_deref()?;
        let form = name.rsplit_once('(').and_then(|(_, form)| form.strip_suffix(')'));
        let is_form = |form: &&str| form.len() == 8 && form.bytes().all(|byte| byte.is_ascii_hexdigit());
        Some(form.filter(is_form).unwrap_or(name).to_owned())
    }

    /// Both versions on one map, in the states that the row says, and each change as a finding that has a place.
    pub(super) fn on(&self, before: &FlatGraph, after: &FlatGraph) -> (FlatGraph, Vec<Finding>) {
        let part = &self.part;
        let (old, new) = (Names::of(before), Names::of(after));
        let empty = FlatGraph::new("node", Axes::z_up(1.0));
        let mut diff = Diff::between(&empty, &empty);
        let mut told = Told { findings: Vec::new(), unknown: 0, more: 0 };
        let whole = |cut: &Cut| cut.whole.clone();
        let gone = part.removed.iter().cloned().chain(part.split.iter().filter_map(whole));
        let gone = gone.chain(part.merged.iter().flat_map(|cut| cut.parts.iter().cloned()));
        let mut states = Vec::new();
        for id in gone {
            match (told.node(&old, &id, "removed", "is removed"), &self.after) {
                (Some(node), Some(_)) => diff.removed.push(node),
                // Of one mesh alone what is gone is drawn where it is.
                (Some(node), None) => states.push((node, "removed")),
                (None, _) => {}
            }
        }
        let come =
            part.added.iter().cloned().chain(part.split.iter().flat_map(|cut| cut.parts.iter().cloned()));
        for id in come.chain(part.merged.iter().filter_map(whole)) {
            if let Some(node) = told.node(&new, &id, "added", "is added") {
                states.push((node, "added"));
            }
        }
        let former = diff.removed.len();
        for Change { before: was, after: now, moved, reshaped, radius } in &part.changed {
            let is_shape = moved.is_some() || reshaped.is_some() || radius.is_some();
            let how = match moved {
                Some([x, y, z]) => format!("has moved by {x} {y} {z}"),
                None if is_shape => "has another shape".to_owned(),
                None => "has other flags or another place".to_owned(),
            };
            let state = if is_shape { "moved or reshaped" } else { "other flags or place" };
            if let Some(node) = now.as_ref().and_then(|id| told.node(&new, id, "changed", &how)) {
                states.push((node, state));
            }
            // Of one mesh alone nobody knows where it was.
            if is_shape && self.after.is_some() {
                diff.removed.extend(was.as_ref().and_then(|id| old.node(id)));
            }
        }
        for Link { from, to } in &part.links {
            let how = match to {
                Some(to) => format!("has another link to {}", old.called(to)),
                None => "has another link that leads outside".to_owned(),
            };
            let node = from.as_ref().and_then(|id| told.node(&old, id, "links", &how));
            // The link is told by ids before, which are those after only if nodes were matched by them.
            if part.method.as_deref() == Some("ids") || self.after.is_none() {
                let now = from.as_ref().filter(|_| node.is_some()).and_then(|id| new.node(id));
                states.extend(now.map(|node| (node, "other links")));
            }
        }
        let mut both = on_one_map(&diff, before, after.clone());
        let number =
            |name: &str| both.groups().iter().find(|(_, known)| *known == name).map(|(number, _)| *number);
        let (here, copies) = (after.nodes().len(), after.nodes().len() + former..both.nodes().len());
        let unchanged = (0..here).map(|node| (node, number("unchanged")));
        // What is said of the shape counts before what is said of links.
        let said = states.iter().rev().map(|(node, state)| (*node as usize, number(state)));
        let moved = copies.map(|node| (node, number("where it was")));
        let groups: Vec<_> = unchanged.chain(said).chain(moved).collect();
        let nodes = both.nodes_mut();
        for (node, group) in groups {
            if let Some(node) = nodes.get_mut(node) {
                node.group = group;
            }
        }
        (both, told.end())
    }
}

impl Part {
    /// Whether anything has changed.
    fn is_some(&self) -> bool {
        let Self { removed, added, split, merged, changed, links, .. } = self;
        let counts = [removed.len(), added.len(), split.len(), merged.len(), changed.len(), links.len()];
        counts.iter().any(|count| *count > 0)
    }
}

/// What is told of a difference.
struct Told {
    findings: Vec<Finding>,
    /// Ids that the mesh does not have.
    unknown: usize,
    more: usize,
}

impl Told {
    /// The node that is meant, about which something is said.
    fn node(&mut self, names: &Names<'_>, id: &Id, code: &'static str, said: &str) -> Option<u32> {
        let Some(node) = names.node(id) else {
            self.unknown += 1;
            return None;
        };
        if self.findings.len() < MOST_CHANGES {
            let at = names.graph.shape(names.graph.nodes().get(node as usize)?).center();
            let place = at.filter(|at| at.is_finite()).map(|at| at.to_array());
            let message = format!("{} {said}", names.called(id));
            self.findings.push(Finding::new(Severity::Info, code, message).placed(place));
        } else {
            self.more += 1;
        }
        Some(node)
    }

    fn end(mut self) -> Vec<Finding> {
        let Self { unknown, more, .. } = self;
        if more > 0 {
            let message = format!("and {more} more changes");
            self.findings.push(Finding::new(Severity::Info, "more", message));
        }
        if unknown > 0 {
            let message = format!(
                "the row names {unknown} that the mesh does not have: is it the one that was compared?"
            );
            self.findings.insert(0, Finding::new(Severity::Warning, "unknown", message));
        }
        self.findings
    }
}

/// The nodes of a graph by what they are called.
struct Names<'g> {
    graph: &'g FlatGraph,
    by_id: BTreeMap<u64, u32>,
    /// Only where ids are made up of several numbers.
    by_name: BTreeMap<String, u32>,
}

impl<'g> Names<'g> {
    fn of(graph: &'g FlatGraph) -> Self {
        let nodes = || (0..).zip(graph.nodes());
        let by_id = nodes().map(|(number, node)| (node.id, number)).collect();
        let by_name = match graph.ids() {
            navmap::graph::Ids::Numbers => BTreeMap::new(),
            ids => nodes().map(|(number, node)| (ids.name(node.id).to_string(), number)).collect(),
        };
        Self { graph, by_id, by_name }
    }

    fn node(&self, id: &Id) -> Option<u32> {
        match id {
            Id::Number(id) => self.by_id.get(id).copied(),
            Id::Name(name) => self.by_name.get(name).copied(),
        }
    }

    /// What people type for it.
    fn called(&self, id: &Id) -> String {
        match id {
            Id::Number(id) => self.graph.ids().name(*id).to_string(),
            Id::Name(name) => name.chars().take(64).collect(),
        }
    }
}
