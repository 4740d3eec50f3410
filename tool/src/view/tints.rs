//! Colours that depend on the picked node: what a walk from there costs, and what is seen from there.

use super::load::Shown;
use navmap::draw::{Classes, ColourBy, Colouring, Lifted};
use navmap::error::{Error, Result};
use navmap::graph::Sight;
use navmap::query::{Area, NavIndex, PathScratch, Query};

/// The colours that this name means, by the number of a node in the scene, as the page reads them; `None` if there is no such name or
/// no such node.
///
/// # Errors
/// If the mesh does not know what is asked for.
pub(super) fn tint(shown: &Shown, what: &str, number: u32) -> Option<Result<Vec<u8>>> {
    let node = shown.scene.node(number)?;
    match what {
        "cost" => Some(cost(shown, node)),
        "sight" => Some(sight(shown, node)),
        _ => None,
    }
}

fn area(index: &NavIndex, node: u32) -> Result<Area> {
    index.of_node(node).ok_or_else(|| Error::invalid("the node", "is no part of the floor"))
}

/// What the cheapest way to each node costs, by the cost of the engine, as `navmap path` counts it.
fn cost(shown: &Shown, node: u32) -> Result<Vec<u8>> {
    let index = shown.index();
    let from = area(index, node)?;
    let mut costs = vec![f32::INFINITY; index.len()];
    let searched = PathScratch::new(index).distance_map(index, from, &Query::default(), &mut costs);
    searched.map_err(|misuse| Error::invalid("the node", misuse.to_string()))?;
    let of = |node: u32| costs.get(index.of_node(node)?.position() as usize).copied();
    let nodes = shown.graph.nodes().len() as u32;
    let values: Vec<Option<f32>> = (0..nodes).map(of).collect();
    let title = format!("cost of the way from {}", name(shown, node));
    Ok(shown.scene.tint("path cost", |theme| Colouring::of_values(&values, &title, "no way", theme)))
}

/// Which nodes are seen, as the file says.
fn sight(shown: &Shown, node: u32) -> Result<Vec<u8>> {
    let unknown =
        || Error::invalid("the mesh", "does not say who sees whom: Source meshes that were analysed do");
    let index = shown.sight().ok_or_else(unknown)?;
    let tactics = index.tactics().ok_or_else(unknown)?;
    let mut of = vec![None; shown.graph.nodes().len()];
    for (area, sight) in tactics.seen(area(index, node)?) {
        let class = match sight {
            Sight::Wholly => Some(0),
            Sight::Partly => Some(1),
            Sight::Hidden => None,
        };
        if let Some(of) = index.node(area).and_then(|node| of.get_mut(node as usize)) {
            *of = class;
        }
    }
    let classes = Classes {
        title: format!("seen from {}", name(shown, node)),
        names: vec!["wholly seen".to_owned(), "partly seen".to_owned()],
        of,
        without: "not seen".to_owned(),
    };
    let (by, lifted) = (ColourBy::Classes(classes), Lifted::of(&shown.graph));
    Ok(shown.scene.tint("visibility", |theme| Colouring::of(&shown.graph, &by, theme, &lifted)))
}

/// What people type for a node.
fn name(shown: &Shown, node: u32) -> String {
    use navmap::graph::NavGraph;
    let node = shown.graph.nodes().get(node as usize);
    node.map_or_else(String::new, |node| shown.graph.ids().name(node.id).to_string())
}
