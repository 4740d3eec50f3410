//! A load order as meshes of the list: each of its spaces as the game uses it, and which plugin wins where.

use crate::{conflicts, graphs, left_out, orders};
use navmap::draw::Classes;
use navmap::error::{Error, Result};
use navmap::format::skyrim::OrderGraph;
use navmap::format::skyrim::fix::{Conflict, FixPlan, Outcome};
use navmap::graph::{FlatGraph, Point};
use navmap::open::{OpenOptions, Plugins, spaces};
use navmap::text::counted;
use navmap::{Finding, Severity, Space};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::OnceLock;

/// Plugins as the game loads them.
#[derive(Debug)]
pub(super) struct Order {
    plugins: Plugins,
    /// The names of the plugins.
    names: Vec<String>,
    whole: OnceLock<Whole>,
}

/// The meshes that win, in all spaces.
#[derive(Debug)]
struct Whole {
    graph: FlatGraph,
    spaces: Vec<(Space, Vec<u32>)>,
    /// For each group, the plugin whose version is used.
    winners: Vec<u32>,
    conflicts: Vec<Conflict>,
}

/// One space of the order.
pub(super) struct Part {
    pub(super) subtitle: String,
    pub(super) title: String,
    pub(super) graph: FlatGraph,
    pub(super) plugins: Classes,
    pub(super) findings: Vec<Finding>,
}

impl Order {
    /// Opens the plugins that paths, lists of plugins and profiles name. What cannot be read is reported and left out.
    ///
    /// # Errors
    /// If a list cannot be read, or no plugin is left.
    pub(super) fn open(paths: &[PathBuf], data: &[PathBuf], options: &OpenOptions) -> Result<Self> {
        let (files, _) = orders::files(paths, data, orders::Stale::Told)?;
        let plugins = Plugins::open(files, options, &|| {});
        left_out(&plugins.beside().unread);
        if plugins.is_empty() {
            return Err(Error::invalid("load order", "has no plugin that can be read"));
        }
        let order = plugins.order();
        let names = (0..order.len()).filter_map(|at| Some(order.get(at)?.0.to_owned())).collect();
        drop(order);
        Ok(Self { plugins, names, whole: OnceLock::new() })
    }

    fn whole(&self) -> &Whole {
        self.whole.get_or_init(|| {
            let order = self.plugins.order();
            let graph = OrderGraph::new(&order);
            let spaces = spaces(&graph);
            // Without the meshes that cannot be compared there are no conflicts to tell of, and the rest is still seen.
            let conflicts = FixPlan::conflicts(&order, &[]).map_or_else(|_| Vec::new(), |(_, found)| found);
            let groups = spaces.iter().flat_map(|(_, groups)| groups).max().map_or(0, |last| last + 1);
            let winner = |group| graph.plugin(group).map_or(u32::MAX, |plugin| plugin as u32);
            let winners = (0..groups).map(winner).collect();
            Whole { graph: FlatGraph::of(&graph).value, spaces, winners, conflicts }
        })
    }

    /// How many plugins there are.
    pub(super) fn subtitle(&self) -> String {
        format!("load order of {}", counted(self.names.len() as u64, "plugin", "plugins"))
    }

    /// Each space with the number of its meshes, the one with the most first. Reads the whole order.
    pub(super) fn spaces(&self) -> Vec<(&Space, usize)> {
        self.whole().spaces.iter().map(|(space, groups)| (space, groups.len())).collect()
    }

    /// One space; without a name, the only one. Linear in the meshes of the whole order, which are kept.
    ///
    /// # Errors
    /// If there is no such space, there are several, or a plugin was truncated while it was mapped.
    pub(super) fn part(&self, wanted: Option<&str>) -> Result<Part> {
        let whole = self.whole();
        let all = || whole.spaces.iter().map(|(space, _)| space);
        let at = match (wanted, whole.spaces.len()) {
            (Some(wanted), _) => Space::choose(all(), wanted)?,
            (None, 1) => 0,
            (None, _) => return Err(graphs::several(all())),
        };
        let Some((space, groups)) = whole.spaces.get(at) else {
            return Err(Error::invalid("load order", "has no navmesh"));
        };
        let groups: BTreeSet<u32> = groups.iter().copied().collect();
        let mut graph = whole.graph.clone();
        graph.retain(|node| node.group.is_some_and(|group| groups.contains(&group)));
        self.plugins.intact()?;
        let places = self.name(&mut graph);
        let found = |conflict: &Conflict| {
            let at = places.get(&conflict.number.get())?;
            Some(finding(conflict, *at))
        };
        let findings = whole.conflicts.iter().filter(|c| c.outcome != Outcome::Alike).filter_map(found);
        let subtitle =
            format!("{}, {}", self.subtitle(), counted(groups.len() as u64, "navmesh", "navmeshes"));
        Ok(Part {
            subtitle,
            title: space.to_string(),
            plugins: self.plugins_of(&graph),
            findings: findings.collect(),
            graph,
        })
    }

    /// Names each mesh by its FormID in this order, as plugin editors do, and the plugin that wins. Returns a place in each.
    fn name(&self, graph: &mut FlatGraph) -> BTreeMap<u32, Option<Point>> {
        let mut meshes: BTreeMap<u32, (u32, Option<Point>)> = BTreeMap::new();
        for node in graph.nodes() {
            let center = || graph.shape(node).center().filter(|at| at.is_finite());
            if let Some(group) = node.group {
                // The upper half of the id of a triangle is the FormID of its mesh.
                meshes.entry((node.id >> 32) as u32).or_insert_with(|| (group, center()));
            }
        }
        // The meshes of other spaces are no part of it.
        let own = graph.groups().clone();
        graph.forget_groups();
        for (form, (group, _)) in &meshes {
            let wins = self.winner(*group).and_then(|plugin| self.names.get(plugin as usize));
            let wins = wins.map_or_else(String::new, |name| format!(" of {name}"));
            let cell = own.get(group).and_then(|name| name.split_once(" at "));
            let cell = cell.map_or_else(String::new, |(_, cell)| format!(" at {cell}"));
            graph.name_group(*group, format!("{form:08X}{wins}{cell}"));
        }
        meshes.into_iter().map(|(form, (_, at))| (form, at)).collect()
    }

    fn winner(&self, group: u32) -> Option<u32> {
        self.whole().winners.get(group as usize).copied()
    }

    /// Which plugin's version of its mesh each node is of, among the plugins that win here.
    fn plugins_of(&self, graph: &FlatGraph) -> Classes {
        let of: Vec<Option<u32>> = graph.nodes().iter().map(|node| self.winner(node.group?)).collect();
        let win: BTreeSet<u32> = of.iter().flatten().copied().collect();
        let win: Vec<u32> = win.into_iter().collect();
        let class = |plugin: u32| win.binary_search(&plugin).ok().map(|class| class as u32);
        let name = |plugin: &u32| self.names.get(*plugin as usize).cloned().unwrap_or_default();
        Classes {
            title: "plugin".to_owned(),
            names: win.iter().map(name).collect(),
            of: of.into_iter().map(|plugin| class(plugin?)).collect(),
            without: "none".to_owned(),
        }
    }
}

/// A mesh that several plugins override, in the words of `navmap conflicts`.
fn finding(conflict: &Conflict, at: Option<Point>) -> Finding {
    let open = matches!(conflict.outcome, Outcome::Clashes(_) | Outcome::Choice(_));
    let severity = if open { Severity::Warning } else { Severity::Info };
    let words = conflicts::told(conflict);
    let words: Vec<&str> = words.lines().map(str::trim).collect();
    Finding::new(severity, "overridden", words.join("; ")).placed(at.map(Point::to_array))
}
