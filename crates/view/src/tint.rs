//! Colours that a page asks for later, since they depend on what is picked.

use super::Scene;
use super::columns::Part;
use super::head::{self, Meaning};
use super::scene::{classes, inks};
use navmap_draw::{Colouring, Theme};
use serde_json::json;

impl Scene {
    /// One more meaning of colours as one block of bytes: the length of a head in JSON (4 bytes, little-endian), the head, blanks up to
    /// a multiple of 4, and the columns that the head names: for this meaning the class of each node, and the colours of the classes.
    /// `meaning` in the head is a row of `colours` in the head of the scene.
    ///
    /// `colouring` has the colours of the nodes of the graph that the scene was made of, in its order. Linear in the nodes.
    pub fn tint(&self, name: &str, colouring: impl Fn(Theme) -> Colouring) -> Vec<u8> {
        let [light, dark] = [Theme::Light, Theme::Dark].map(colouring);
        let meaning = Meaning { name: name.to_owned(), light, dark };
        let head = json!({"meaning": head::meaning(&meaning)});
        let mut part = Part::default();
        classes(&mut part, self.order(), &meaning);
        inks(&mut part, &[meaning]);
        part.block(head)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Scene, Words};
    use navmap_core::graph::{Axes, FlatGraph, Point, Shape};
    use navmap_draw::Colouring;
    use serde_json::Value;

    #[test]
    fn a_tint_has_a_class_for_each_node_and_names_those_without_a_value() {
        let mut graph = FlatGraph::new("area", Axes::z_up(1.0));
        for (id, x) in [(1, 0.0), (2, 10.0), (3, 20.0)] {
            let square = [(0.0, 0.0), (5.0, 0.0), (5.0, 5.0), (0.0, 5.0)];
            graph.add_node(id, Shape::Polygon(&square.map(|(dx, y)| Point::new(x + dx, y, 0.0))));
        }
        let scene = Scene::new(&graph, &Words::default());
        assert_eq!([0, 1, 2, 3].map(|number| scene.node(number)), [Some(0), Some(1), Some(2), None]);
        let values = [Some(0.0), Some(f32::INFINITY), Some(100.0)];
        let bytes = scene.tint("path cost", |theme| Colouring::of_values(&values, "cost", "no way", theme));
        let long = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
        let head: Value = serde_json::from_slice(&bytes[4..4 + long]).unwrap();
        assert_eq!(head["meaning"]["name"], "path cost");
        assert_eq!(head["meaning"]["ramp"], serde_json::json!([0.0, 100.0]));
        let entry = &head["meaning"]["entries"][0];
        assert_eq!((&entry["name"], &entry["nodes"]), (&Value::from("no way"), &Value::from(1)));
        let names: Vec<&str> = head["columns"]
            .as_array()
            .unwrap()
            .iter()
            .map(|column| column["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["path cost.class", "path cost.light", "path cost.dark"]);
        let plain = entry["class"].as_u64().unwrap() as u8;
        assert_eq!(bytes[4 + long..][..3], [0, plain, plain - 1]);
    }
}
