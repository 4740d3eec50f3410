//! Faces as a graph: faces that share a side are neighbours.

use super::{Axes, FlatGraph, Link, LinkKind, Point, Scene, Shape};
use std::collections::HashMap;

impl FlatGraph {
    /// The faces of a scene, in the given axes, as nodes with ids from 0. Two faces that traverse a side in opposite directions
    /// are neighbours. If more than two share a side, faces of opposite direction are paired in order. The material is the place.
    /// Points and lines are left out.
    pub fn of_faces(scene: &Scene, axes: Axes) -> Self {
        let mut graph = Self::new("face", axes);
        for (material, name) in (0_u32..).zip(&scene.materials).skip(1).filter(|(_, name)| *name != "floor") {
            graph.name_place(material, name.as_str());
        }
        // The face that has a side and no neighbour across it yet.
        let mut open: HashMap<[[u32; 3]; 2], u32> = HashMap::new();
        let mut corners: Vec<Point> = Vec::new();
        for (polygon, indices) in scene.polygons() {
            corners.clear();
            corners
                .extend(indices.iter().map(|corner| Point::from(scene.position(*corner).map(|v| v as f32))));
            let node = graph.add_node(graph.nodes().len() as u64, Shape::Polygon(&corners));
            if graph.places().contains_key(&polygon.material)
                && let Some(node) = graph.nodes_mut().get_mut(node as usize)
            {
                node.place = Some(polygon.material);
            }
            // 0 and -0 are the same place.
            let key = |at: &Point| at.to_array().map(|v| (v + 0.0).to_bits());
            for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
                let (a, b) = (key(a), key(b));
                if let Some(other) = open.remove(&[b, a]).filter(|other| *other != node) {
                    graph.add_link(Link::new(other, node, LinkKind::Walk));
                    graph.add_link(Link::new(node, other, LinkKind::Walk));
                } else {
                    open.insert([a, b], node);
                }
            }
        }
        graph
    }
}
