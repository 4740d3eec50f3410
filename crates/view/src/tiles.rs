//! Which tiles or cells the groups of a graph lie in.

use navmap_core::graph::{Aabb, FlatGraph, NavGraph, Point};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The side of a cell of the games whose units are smaller than a metre.
const CELL: f32 = 4096.0;

/// The tiles of a map of tiles, or the cells of a worldspace, by the names of groups, which begin or end with them: what they are called,
/// their names, for each group in order the number of its tile, the box of each tile, and the side of a cell. `null` if there are none.
pub(super) fn tiles(graph: &FlatGraph) -> Value {
    let (word, of): (&str, fn(&str) -> Option<&str>) = match graph.group_word() {
        Some("tile") => ("tile", |name| name.strip_prefix("tile ")),
        Some("segment") => ("tile", |name| name.split_once(" group ").map(|(tile, _)| tile)),
        Some("navmesh") => ("cell", |name| name.split_once(" at ").map(|(_, cell)| cell)),
        _ => return Value::Null,
    };
    let names: Vec<Option<&str>> = graph.groups().values().map(|name| of(name)).collect();
    let mut numbers = BTreeMap::new();
    let mut known = Vec::new();
    for name in names.iter().flatten() {
        numbers.entry(*name).or_insert_with(|| {
            known.push(*name);
            known.len() - 1
        });
    }
    if known.is_empty() {
        return Value::Null;
    }
    let of: Vec<Option<usize>> = names.iter().map(|name| numbers.get((*name)?).copied()).collect();
    let side = (word == "cell" && graph.axes().metres_per_unit < 1.0).then_some(CELL);
    json!({"word": word, "names": known, "of": of, "boxes": boxes(graph, &of, known.len()), "side": side})
}

/// The smallest and the largest coordinates in each tile.
fn boxes(graph: &FlatGraph, of: &[Option<usize>], tiles: usize) -> Vec<Option<[[f32; 3]; 2]>> {
    let number: BTreeMap<u32, usize> =
        graph.groups().keys().zip(of).filter_map(|(group, tile)| Some((*group, (*tile)?))).collect();
    let mut boxes = vec![Aabb::EMPTY; tiles];
    for node in graph.nodes() {
        let Some(tile) = node.group.and_then(|group| number.get(&group)) else { continue };
        graph.corners(node).iter().for_each(|corner| boxes[*tile].add(*corner));
    }
    let ends = |of: &Aabb| (!of.is_empty()).then(|| [of.min, of.max].map(Point::to_array));
    boxes.iter().map(ends).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use navmap_core::graph::Axes;

    fn of(word: &'static str, metres: f32, names: &[&str]) -> Value {
        let mut graph = FlatGraph::new("face", Axes::y_up(metres));
        graph.set_group_word(word);
        (0..).zip(names).for_each(|(group, name)| graph.name_group(group, *name));
        tiles(&graph)
    }

    #[test]
    fn groups_lie_in_tiles_and_cells() {
        let fox =
            ["1_2 group 0 segment 0", "1_2 group 0 segment 1", "group 0 segment 3", "2_2 group 1 segment 0"];
        let wanted = json!({"word": "tile", "names": ["1_2", "2_2"], "of": [0, 0, null, 1], "boxes": [null, null], "side": null});
        assert_eq!(of("segment", 1.0, &fox), wanted);
        let wanted = json!({"word": "tile", "names": ["0, 0", "1, 0"], "of": [0, 1], "boxes": [null, null], "side": null});
        assert_eq!(of("tile", 1.0, &["tile 0, 0", "tile 1, 0"]), wanted);
        let wanted =
            json!({"word": "cell", "names": ["2, -1"], "of": [0, null], "boxes": [null], "side": 4096.0});
        assert_eq!(of("navmesh", 0.0143, &["01000900 at 2, -1", "010008F0"]), wanted);
        assert_eq!(of("navmesh", 0.0143, &["010008F0"]), Value::Null);
        assert_eq!(of("cluster", 1.0, &["cluster 1"]), Value::Null);
    }
}
