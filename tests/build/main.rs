//! Meshes from the triangles of a level: what the geometry connects is connected and nothing else, as our own reader and a real Detour
//! see it; the bytes do not depend on threads; what is made to hurt ends with an error that names the limit.
#![cfg(all(feature = "build", feature = "archive"))]

mod ground;
mod hostile;
mod maps;
mod recast;

use navmap::NavFile;
use navmap::build::{Bill, BuildOptions, build};
use navmap::bytes::Scratch;
use navmap::format::NavFormat;
use navmap::format::detour::DetourNav;
use navmap::graph::{FlatGraph, Point, Scene};
use navmap::query::NavIndex;

/// A level of boxes and ramps, in metres with y up.
#[derive(Default)]
pub(crate) struct Level(pub(crate) Scene);

impl Level {
    pub(crate) fn new() -> Self {
        Self(Scene::new())
    }

    pub(crate) fn face(mut self, corners: &[[f64; 3]], material: &str) -> Self {
        let first = self.0.positions.len() as u32;
        self.0.positions.extend_from_slice(corners);
        let known = self.0.materials.iter().position(|name| name == material);
        let material = known.unwrap_or_else(|| {
            self.0.materials.push(material.to_owned());
            self.0.materials.len() - 1
        });
        let numbers: Vec<u32> = (first..).take(corners.len()).collect();
        let line = self.0.polygons.len() as u32 + 1;
        self.0.add_polygon(&numbers, line, material as u32, 0);
        self
    }

    /// Level ground.
    pub(crate) fn floor(self, low: [f64; 2], high: [f64; 2], y: f64) -> Self {
        self.ground(low, high, y, "")
    }

    pub(crate) fn ground(self, [a, b]: [f64; 2], [c, d]: [f64; 2], y: f64, material: &str) -> Self {
        self.face(&[[a, y, b], [a, y, d], [c, y, d], [c, y, b]], material)
    }

    /// A box with all of its sides.
    pub(crate) fn solid(self, [a, b, c]: [f64; 3], [d, e, f]: [f64; 3]) -> Self {
        self.floor([a, c], [d, f], e)
            .face(&[[a, b, c], [d, b, c], [d, b, f], [a, b, f]], "")
            .face(&[[a, b, c], [a, b, f], [a, e, f], [a, e, c]], "")
            .face(&[[d, b, c], [d, e, c], [d, e, f], [d, b, f]], "")
            .face(&[[a, b, c], [a, e, c], [d, e, c], [d, b, c]], "")
            .face(&[[a, b, f], [d, b, f], [d, e, f], [a, e, f]], "")
    }

    /// Ground that rises along x.
    pub(crate) fn ramp(self, [a, b]: [f64; 2], [c, d]: [f64; 2], [low, high]: [f64; 2]) -> Self {
        self.face(&[[a, low, b], [a, low, d], [c, high, d], [c, high, b]], "")
    }
}

/// A mesh that was read back, and in which nothing was found.
pub(crate) struct Made {
    pub(crate) bytes: Vec<u8>,
    pub(crate) bill: Bill,
    pub(crate) index: NavIndex,
}

impl Made {
    pub(crate) fn new(level: &Level, options: &BuildOptions<'_>) -> Self {
        Self::of_scene(&level.0, options)
    }

    pub(crate) fn of_scene(scene: &Scene, options: &BuildOptions<'_>) -> Self {
        let (bytes, bill) = build(scene, options).unwrap();
        let nav = DetourNav::parse(&bytes).unwrap();
        let mut findings = Vec::new();
        // Islands are what a level may have, and a corner of a tile may meet nothing.
        let usual = ["island", "open-seam"];
        nav.check(&mut Scratch::new(), &mut |finding| {
            if !usual.contains(&finding.code) {
                findings.push(finding.to_string());
            }
        })
        .unwrap();
        assert_eq!(findings, [""; 0], "{bill}");
        let graph = FlatGraph::of(&nav.graph()).whole().unwrap();
        assert_eq!(graph.nodes().len() as u64, bill.polygons);
        let index = NavIndex::build(&graph).whole().unwrap();
        Self { bytes, bill, index }
    }

    /// Whether one can stand there.
    pub(crate) fn stands(&self, [x, y, z]: [f32; 3]) -> bool {
        self.index.nearest(Point::new(x, y, z), 0.35).is_some()
    }

    /// Whether there is a way from one place to the other, and back.
    pub(crate) fn joins(&self, from: [f32; 3], to: [f32; 3]) -> bool {
        let [a, b] = [from, to].map(|[x, y, z]| {
            let near = self.index.nearest(Point::new(x, y, z), 0.6);
            near.unwrap_or_else(|| panic!("nobody can stand at {x} {y} {z}\n{}", self.bill)).area
        });
        let there = self.index.reachable(a, b);
        assert_eq!(there, self.index.reachable(b, a));
        there
    }
}
