//! A journey in Skyrim: through the navmeshes of a load order, over edge links from mesh to mesh and through doors from
//! cell to cell.
//!
//! `cargo run --example journey --features archive -- Skyrim.esm Update.esm`: plugins in load order, masters first.

use navmap::format::skyrim::OrderGraph;
use navmap::graph::LinkKind;
use navmap::open::{OpenOptions, Plugins, spaces};
use navmap::query::{Joined, NavIndex, Outcome, PathScratch, Query};
use std::error::Error;
use std::path::PathBuf;

/// What a journey came to.
#[derive(Debug, Default)]
pub(crate) struct Travelled {
    /// The spaces that it leads through, in order.
    pub(crate) spaces: Vec<String>,
    /// The meshes that it leads through, in order.
    pub(crate) meshes: Vec<String>,
    pub(crate) doors: usize,
    pub(crate) cost: f32,
    /// Doors whose other side is not in the order.
    pub(crate) unresolved: usize,
}

/// Travels from the largest part of the world to the triangle in it that is farthest away.
pub(crate) fn travel(plugins: &[PathBuf]) -> Result<Travelled, Box<dyn Error>> {
    let plugins = Plugins::open(plugins, &OpenOptions::new(), &|| {}).whole()?;
    let order = plugins.order();
    let graph = OrderGraph::new(&order);
    let index = NavIndex::build(&graph).whole()?;
    // Meshes lie in spaces with coordinates of their own.
    let spaces = spaces(&graph);
    let space = |group: u32| {
        spaces.iter().find(|(_, groups)| groups.contains(&group)).map(|(space, _)| space.to_string())
    };

    // The start is a triangle that nothing leads to, if there is one: an edge link may lead one way.
    let first = index.of_node(0).ok_or("the plugins hold no navmesh")?;
    let parts = index.regions(&[first], &Query::default())?;
    let above = parts.iter().find(|part| part.joined == Joined::NoWayIn).and_then(|part| part.areas.first());
    let start = above.copied().unwrap_or(first);
    let mut scratch = PathScratch::new(&index);
    let mut costs = vec![0.0; index.len()];
    scratch.distance_map(&index, start, &Query::shortest(), &mut costs)?;
    let far = |cost: f32| if cost.is_finite() { cost } else { -1.0 };
    let goal = index
        .areas()
        .max_by(|a, b| far(costs[a.position() as usize]).total_cmp(&far(costs[b.position() as usize])))
        .unwrap_or(start);

    let mut travelled = Travelled { unresolved: graph.unresolved_doors(), ..Travelled::default() };
    if let Outcome::Found { cost } = scratch.path(&index, start, goal, &Query::shortest())? {
        travelled.cost = cost;
    }
    for step in scratch.steps(&index) {
        travelled.doors += usize::from(step.way.is_some_and(|way| way.kind == LinkKind::Door));
        let Some(group) = index.group(step.area) else { continue };
        let mesh = index.group_name(group).unwrap_or_default().to_owned();
        if travelled.meshes.last() != Some(&mesh) {
            travelled.meshes.push(mesh);
            let here = space(group).unwrap_or_default();
            if travelled.spaces.last() != Some(&here) {
                travelled.spaces.push(here);
            }
        }
    }
    Ok(travelled)
}

#[allow(dead_code)] // a test calls `travel` instead
fn main() -> Result<(), Box<dyn Error>> {
    let mut plugins: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if plugins.is_empty() {
        plugins = ["Base.esm", "Patch.esp", "Rival.esp"]
            .map(|name| PathBuf::from("corpus/skyrim/order").join(name))
            .into();
    }
    let Travelled { spaces, meshes, doors, cost, unresolved } = travel(&plugins)?;
    println!("{cost} units over {} meshes and through {doors} doors: {}", meshes.len(), spaces.join(", "));
    println!("{unresolved} doors lead out of the load order");
    Ok(())
}
