//! Writes names of places and ids of nodes without overlaps.

use super::links::Over;
use super::scene::{Anchor, Item, Scene, Text};
use super::{font, words};
use navmap_core::colour::Colour;
use navmap_core::graph::{Csr, FlatGraph, Ids, NavGraph, Raster};
use std::collections::BTreeMap;

/// Height of letters above the base line, as a fraction of the font size.
const ABOVE: f32 = 0.78;
const BELOW: f32 = 0.24;
/// The fraction of a polygon's width that its id may take.
const FILL: f32 = 0.88;

/// The space taken by words. A raster, so that a search costs the same for any number of words.
struct Taken {
    raster: Raster,
    cells: Vec<bool>,
}

impl Taken {
    fn new(frame: [f32; 4]) -> Self {
        let raster = Raster::new(frame, (frame[2].max(frame[3]) / 1024.0).max(3.0), std::iter::empty());
        let cells = vec![false; raster.len()];
        Self { raster, cells }
    }

    /// Takes this box if all of it is free.
    fn take(&mut self, place: [f32; 4]) -> bool {
        let mut free = true;
        self.raster.each_cell_of_box(place, |cell| free &= !self.cells[cell]);
        if free {
            self.raster.each_cell_of_box(place, |cell| self.cells[cell] = true);
        }
        free
    }
}

/// The box around words with their middle at a point.
fn place_of(wide: f32, size: f32, [x, y]: [f32; 2]) -> [f32; 4] {
    [x - wide / 2.0 - 2.0, y - size * ABOVE / 2.0 - 1.0, x + wide / 2.0 + 2.0, y + size * ABOVE / 2.0 + 1.0]
}

/// Writes words with a halo, with their middle at a point.
fn write(scene: &mut Scene, [x, y]: [f32; 2], size: f32, bold: bool, colours: [Colour; 2], words: String) {
    let at = [x, y + size * (ABOVE / 2.0 - BELOW / 4.0)];
    let [colour, halo] = colours;
    let text = Text {
        at,
        size,
        bold,
        anchor: Anchor::Middle,
        colour,
        rim: Some(halo),
        words: words.into(),
        tight: false,
    };
    scene.items.push(Item::Text(text));
}

/// Writes the name of each place once, in the largest connected part of the place.
pub(super) fn names(over: &Over<'_>, scene: &mut Scene) {
    let size = 13.0 * over.unit;
    let mut taken = Taken::new(over.view.frame);
    let [left, top, wide, high] = over.view.frame;
    let parts = parts(over);
    let outlines = |part: &Part| part.nodes.iter().map(|node| over.outline(*node)).collect::<Vec<_>>();
    let all: Vec<Vec<Vec<[f32; 2]>>> = parts.iter().map(outlines).collect();
    // Coarse enough that the cells of all parts together are few: thousands of them may lie over each other.
    let cell = Raster::new(over.view.frame, size * 0.5, all.iter().flatten().map(Vec::as_slice)).cell;
    for (part, outlines) in parts.iter().zip(&all) {
        let Some(name) = over.graph.place(part.place).filter(|name| !name.is_empty()) else { continue };
        let words = words::shortened(&name, size, wide);
        let long = font::width(&words, size);
        let inside = |place: [f32; 4]| {
            place[0] >= left && place[1] >= top && place[2] <= left + wide && place[3] <= top + high
        };
        let free = part.spots(over, outlines, cell, long, size).into_iter().find(|at| {
            let place = place_of(long, size, *at);
            inside(place) && taken.take(place)
        });
        if let Some(at) = free {
            write(scene, at, size, true, [over.palette.ink, over.palette.page], words);
        }
    }
}

/// The largest connected part of a place.
#[derive(Debug)]
struct Part {
    place: u32,
    nodes: Vec<u32>,
    area: f64,
}

/// The largest connected part of every place, the largest first.
fn parts(over: &Over<'_>) -> Vec<Part> {
    let mut largest: BTreeMap<u32, Part> = BTreeMap::new();
    for part in all_parts(over) {
        match largest.get(&part.place) {
            Some(known) if (known.area, known.nodes.len()) >= (part.area, part.nodes.len()) => {}
            _ => {
                largest.insert(part.place, part);
            }
        }
    }
    let mut parts: Vec<Part> = largest.into_values().collect();
    parts.sort_by(|a, b| b.area.total_cmp(&a.area).then(b.nodes.len().cmp(&a.nodes.len())));
    parts
}

/// Connected parts of places: shown nodes of one place that links join without leaving it.
fn all_parts(over: &Over<'_>) -> Vec<Part> {
    let graph = over.graph;
    let place = |node: u32| {
        let known = graph.nodes().get(node as usize).and_then(|node| node.place);
        known.filter(|_| over.shown(node) && over.center(node).is_some_and(|at| over.view.sees(&[at])))
    };
    let links = Csr::of(graph).value;
    let back = links.transposed();
    let mut seen = vec![false; graph.nodes().len()];
    let (mut parts, mut stack) = (Vec::new(), Vec::new());
    for start in 0..graph.nodes().len() as u32 {
        let Some(own) = place(start).filter(|_| !seen[start as usize]) else { continue };
        seen[start as usize] = true;
        stack.push(start);
        let mut part = Part { place: own, nodes: Vec::new(), area: 0.0 };
        while let Some(node) = stack.pop() {
            part.area += area(graph, node);
            part.nodes.push(node);
            for &next in links.targets(node).iter().chain(back.targets(node)) {
                if !seen[next as usize] && place(next) == Some(own) {
                    seen[next as usize] = true;
                    stack.push(next);
                }
            }
        }
        parts.push(part);
    }
    parts
}

fn area(graph: &FlatGraph, node: u32) -> f64 {
    let shape = graph.nodes().get(node as usize).map(|node| graph.shape(node));
    shape.and_then(|shape| shape.area()).filter(|area| area.is_finite()).unwrap_or(0.0)
}

impl Part {
    /// The candidate positions for a name of this size: the middles of nodes, those with most of the part around them first.
    fn spots(
        &self,
        over: &Over<'_>,
        outlines: &[Vec<[f32; 2]>],
        cell: f32,
        long: f32,
        size: f32,
    ) -> Vec<[f32; 2]> {
        let raster = Raster::new(over.view.frame, cell, outlines.iter().map(Vec::as_slice));
        // Keeps only the cells of this part: a raster of the whole page for every place would not be linear.
        let mut own = std::collections::HashSet::new();
        outlines.iter().for_each(|points| {
            raster.each_cell(points, |cell| {
                own.insert(cell);
            });
        });
        let centers: Vec<[f32; 2]> = self.nodes.iter().filter_map(|node| over.center(*node)).collect();
        let middle = middle(&centers);
        let mut spots: Vec<(usize, f32, [f32; 2])> = centers
            .into_iter()
            .map(|at| {
                let (mut inside, mut all) = (0usize, 0usize);
                raster.each_cell_of_box(place_of(long, size, at), |cell| {
                    inside += usize::from(own.contains(&cell));
                    all += 1;
                });
                let away = (at[0] - middle[0]).hypot(at[1] - middle[1]);
                // Compared in tenths, so that among nearly equal positions the one in the middle wins.
                (inside * 10 / all.max(1), away, at)
            })
            .collect();
        spots.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.total_cmp(&b.1)));
        spots.into_iter().map(|(.., at)| at).collect()
    }
}

fn middle(points: &[[f32; 2]]) -> [f32; 2] {
    let sum = points.iter().fold([0f64; 2], |[x, y], p| [x + f64::from(p[0]), y + f64::from(p[1])]);
    sum.map(|v| (v / points.len().max(1) as f64) as f32)
}

/// Writes the id of every node that has room for it, larger on larger polygons. Upper floors come first, and an id that would
/// cover another is left out.
pub(super) fn ids(over: &Over<'_>, scene: &mut Scene) {
    let mut order: Vec<(f32, u32)> =
        (0u32..).zip(over.heights).filter_map(|(node, height)| Some(((*height)?, node))).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut taken = Taken::new(over.view.frame);
    let colours = [over.palette.ink, over.palette.page];
    for (_, index) in order {
        let Some(at) = over.center(index).filter(|at| over.view.sees(&[*at])) else { continue };
        let Some(node) = over.graph.nodes().get(index as usize) else { continue };
        // Whose record it is does not fit on a node.
        let words = match over.graph.ids() {
            Ids::InForms { .. } => format!("#{}", node.id as u32),
            ids => ids.name(node.id).to_string(),
        };
        let outline = over.outline(index);
        let (at, size) = match over.graph.shape(node).area() {
            // Above the dot of a waypoint.
            None => ([at[0], at[1] - 9.0 * over.unit], 8.5 * over.unit),
            Some(_) => match largest(&words, &outline, at, over.unit) {
                Some(size) => (at, size),
                None => continue,
            },
        };
        if taken.take(place_of(font::width(&words, size), size, at)) {
            write(scene, at, size, false, colours, words);
        }
    }
}

/// The largest size at which words fit into a polygon around its middle.
fn largest(words: &str, outline: &[[f32; 2]], [x, y]: [f32; 2], unit: f32) -> Option<f32> {
    [15.0, 13.0, 11.0, 9.5, 8.0, 6.5].into_iter().map(|size| size * unit).find(|size| {
        let (half, tall) = (font::width(words, *size) / 2.0 / FILL, size * ABOVE / 2.0 / FILL);
        let corners =
            [[x - half, y - tall], [x + half, y - tall], [x + half, y + tall], [x - half, y + tall]];
        corners.iter().all(|corner| navmap_core::graph::inside(outline, *corner))
    })
}

#[cfg(test)]
mod tests {
    use super::super::scene::{Item, Scene};
    use super::super::view::{View, extent};
    use super::super::{Layers, Theme};
    use super::*;
    use navmap_core::graph::{Axes, Link, LinkKind, Point, Shape};

    /// Squares of 100 units at these columns and rows, each with its place. Neighbours along a row are joined.
    fn squares(at: &[([u8; 2], u32)]) -> FlatGraph {
        let mut graph = FlatGraph::new("area", Axes::z_up(1.0));
        for &([column, row], place) in at {
            let [x, y] = [column, row].map(|n| f32::from(n) * 100.0);
            let corners = [[0.0, 0.0], [100.0, 0.0], [100.0, 100.0], [0.0, 100.0]];
            let id = u64::from(column) * 100 + u64::from(row);
            let node =
                graph.add_node(id, Shape::Polygon(&corners.map(|[u, v]| Point::new(x + u, y + v, 0.0))));
            graph.nodes_mut()[node as usize].place = Some(place);
            graph.name_place(place, format!("P{place}"));
        }
        for (from, &([column, row], _)) in (0u32..).zip(at) {
            if let Some(to) = at.iter().position(|(other, _)| *other == [column + 1, row]) {
                graph.add_link(Link::new(from, to as u32, LinkKind::Walk));
            }
        }
        graph
    }

    /// The written words with their positions on the page, and the view.
    fn written(graph: &FlatGraph, write: fn(&Over<'_>, &mut Scene)) -> (Vec<(String, [f32; 2])>, View) {
        let view = View::new(graph.axes(), [0.0, 0.0, 800.0, 800.0], extent(graph, None));
        let palette = Theme::Light.palette();
        let heights = vec![Some(0.0); graph.nodes().len()];
        let over = Over {
            graph,
            view: &view,
            heights: &heights,
            palette: &palette,
            layers: Layers::NONE,
            unit: 1.0,
        };
        let mut scene = Scene::new(800.0, 800.0, palette.page);
        write(&over, &mut scene);
        let words = scene.items.iter().filter_map(|item| match item {
            Item::Text(text) => Some((text.words.to_string(), text.at)),
            _ => None,
        });
        (words.collect(), view)
    }

    #[test]
    fn a_name_stands_in_the_largest_part_of_its_place() {
        // Place 1 is two squares at the left and three at the right. Their common middle lies in place 2.
        let row = [1, 1, 2, 2, 2, 1, 1, 1];
        let at: Vec<_> = (0u8..).zip(row).map(|(column, place)| ([column, 0], place)).collect();
        let graph = squares(&at);
        let (names, view) = written(&graph, names);
        assert_eq!(names.len(), 2);
        for (name, [x, _]) in names {
            let [left, right] = if name == "P1" { [500.0, 800.0] } else { [200.0, 500.0] };
            let [left, right] = [left, right].map(|u| view.plan_to_page([u, 0.0])[0]);
            assert!(left < x && x < right, "{name} at {x}, not in {left}..{right}");
        }
    }

    #[test]
    fn names_that_would_lie_on_each_other_find_another_spot_or_stay_away() {
        // Every square is a place, and so small on the page that four names do not fit.
        let many: Vec<_> = (0..60u8).map(|n| ([n, 0], u32::from(n))).collect();
        let (names, _) = written(&squares(&many), names);
        assert!(names.len() > 10 && names.len() < 40, "{}", names.len());
        let mut xs: Vec<f32> = names.iter().map(|(_, at)| at[0]).collect();
        xs.sort_by(f32::total_cmp);
        assert!(xs.windows(2).all(|pair| pair[1] - pair[0] > font::width("P1", 13.0)), "{xs:?}");
    }

    #[test]
    fn ids_are_as_large_as_their_polygon_lets_them_and_none_where_it_is_too_small() {
        let size = |side: f32, words: &str| {
            let outline = [[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]];
            largest(words, &outline, [side / 2.0, side / 2.0], 1.0)
        };
        assert_eq!([size(5.0, "17"), size(60.0, "17")], [None, Some(15.0)]);
        assert!(size(14.0, "1704").is_none() && size(14.0, "17").is_some(), "long ids need more room");
        let sizes: Vec<f32> = (5..60u8).filter_map(|side| size(side.into(), "17")).collect();
        assert!(sizes.is_sorted() && sizes.first() < sizes.last());
        let (ids, _) = written(&squares(&[([0, 0], 1), ([0, 0], 1), ([1, 0], 1)]), ids);
        assert_eq!(ids.len(), 2, "of two on each other one is written: {ids:?}");
    }
}
