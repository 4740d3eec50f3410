//! Lifts ceilings, islands that would hide the map, off the picture and draws them as outlines.

use super::Layers;
use super::links::{Sample, Symbol};
use super::scene::{Path, Scene, Style};
use super::theme::Palette;
use super::view::{View, outline};
use navmap_core::graph::{Ceiling, Csr, FlatGraph, Islands};
use navmap_core::text::Grouped;

/// The ceilings of a picture with their nodes, uppermost first.
pub(super) struct Ceilings {
    pub(super) found: Vec<(Ceiling, Vec<u32>)>,
    /// How many nodes a ceiling would have hidden that is most of what is there, and so is none.
    pub(super) kept: usize,
}

impl Ceilings {
    /// Removes the ceilings from the shown nodes, unless the layers ask for them as floors.
    pub(super) fn lift(graph: &FlatGraph, heights: &mut [Option<f32>], layers: Layers) -> Self {
        if layers.has(Layers::CEILINGS) {
            return Self { found: Vec::new(), kept: 0 };
        }
        let islands = Islands::weak(&Csr::of(graph).value);
        let shown = |node: u32| heights.get(node as usize).is_some_and(Option::is_some);
        let mut ceilings = Ceiling::all(graph, &islands, shown);
        // What is most of the mesh is the mesh, whatever lies below it.
        let all =
            (0..).zip(heights.iter()).filter(|(node, _)| islands.of(*node).is_some() && shown(*node)).count();
        let (mut lifted, mut kept) = (0, 0);
        ceilings.retain(|ceiling| {
            let nodes = ceiling.nodes as usize;
            let few = (lifted + nodes) * 2 <= all;
            *(if few { &mut lifted } else { &mut kept }) += nodes;
            few
        });
        let mut found: Vec<(Ceiling, Vec<u32>)> = ceilings.into_iter().map(|c| (c, Vec::new())).collect();
        for (node, height) in (0u32..).zip(heights) {
            let own = found.iter_mut().find(|(ceiling, _)| islands.of(node) == Some(ceiling.island));
            if let (Some((_, nodes)), true) = (own, height.is_some()) {
                nodes.push(node);
                *height = None;
            }
        }
        Self { found, kept }
    }

    /// Whether a node was removed.
    pub(super) fn has(&self, node: u32) -> bool {
        self.found.iter().any(|(_, nodes)| nodes.binary_search(&node).is_ok())
    }

    /// Draws their outlines, and adds them to the key.
    pub(super) fn draw(
        &self,
        scene: &mut Scene,
        graph: &FlatGraph,
        view: &View,
        palette: &Palette,
        unit: f32,
    ) -> Vec<Sample> {
        let mut samples = Vec::new();
        for (ceiling, nodes) in &self.found {
            let nodes = nodes.iter().filter_map(|node| graph.nodes().get(*node as usize));
            let corners = nodes.map(|node| graph.corners(node)).filter(|c| c.iter().all(|c| c.is_finite()));
            let polygons: Vec<Vec<[f32; 2]>> = corners
                .map(|corners| corners.iter().map(|corner| view.page(*corner)).collect::<Vec<_>>())
                .filter(|points| view.sees(points))
                .collect();
            let mut path = Path::default();
            path.pieces(&outline(&polygons, view.frame));
            let line = Style::stroke(palette.ink.mix(palette.map, 0.3), 1.5 * unit);
            let style = Style { dash: Some(5.0 * unit), ..line };
            scene.shape(path, style);
            let name = name(ceiling);
            samples.push(Sample { style, symbol: Symbol::Line, name, count: ceiling.nodes as usize });
        }
        if self.kept > 0 {
            let style = Style::stroke(palette.ink.mix(palette.map, 0.6), unit);
            let name = "not lifted, most of it".to_owned();
            samples.push(Sample { style, symbol: Symbol::Line, name, count: self.kept });
        }
        samples
    }
}

/// What the key calls a ceiling.
pub(super) fn name(ceiling: &Ceiling) -> String {
    format!("ceiling over {} %", Grouped(share(ceiling)))
}

/// The percentage of the rest of the map below a ceiling.
fn share(ceiling: &Ceiling) -> u64 {
    u64::from(ceiling.covered) * 100 / u64::from(ceiling.others.max(1))
}
