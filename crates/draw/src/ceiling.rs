//! Lifts ceilings off the map: islands that would hide it are drawn as outlines.

use super::Layers;
use super::links::Sample;
use super::scene::{Path, Scene, Style};
use super::theme::Palette;
use super::view::{View, outline};
use navmap_core::graph::{Ceiling, Csr, FlatGraph, Islands};
use navmap_core::text::Grouped;

/// The ceilings of a picture with their nodes, uppermost first.
pub(super) struct Ceilings {
    found: Vec<(Ceiling, Vec<u32>)>,
}

impl Ceilings {
    /// Removes the ceilings from the shown nodes, unless the layers ask for them as floors.
    pub(super) fn lift(graph: &FlatGraph, heights: &mut [Option<f32>], layers: Layers) -> Self {
        if layers.has(Layers::CEILINGS) {
            return Self { found: Vec::new() };
        }
        let islands = Islands::weak(&Csr::of(graph).value);
        let shown = |node: u32| heights.get(node as usize).is_some_and(Option::is_some);
        let ceilings = Ceiling::all(graph, &islands, shown);
        let mut found: Vec<(Ceiling, Vec<u32>)> = ceilings.into_iter().map(|c| (c, Vec::new())).collect();
        for (node, height) in (0u32..).zip(heights) {
            let own = found.iter_mut().find(|(ceiling, _)| islands.of(node) == Some(ceiling.island));
            if let (Some((_, nodes)), true) = (own, height.is_some()) {
                nodes.push(node);
                *height = None;
            }
        }
        Self { found }
    }

    /// Whether a node was removed.
    pub(super) fn has(&self, node: u32) -> bool {
        self.found.iter().any(|(_, nodes)| nodes.binary_search(&node).is_ok())
    }

    /// Draws their outlines, and says what they are.
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
            let name = format!("ceiling over {} %", Grouped(share(ceiling)));
            samples.push(Sample { style, mark: false, name, count: ceiling.nodes as usize });
        }
        samples
    }
}

/// How much of the rest of the map lies below a ceiling, in percent.
fn share(ceiling: &Ceiling) -> u64 {
    u64::from(ceiling.covered) * 100 / u64::from(ceiling.others.max(1))
}
