//! Draws the floor plan of the mesh's map, below and around the mesh.

use super::links::{Sample, Symbol};
use super::scene::{Path, Scene, Style};
use super::theme::Palette;
use super::view::View;
use navmap_core::graph::{Axes, Point};
use std::collections::HashSet;

/// The floor plan of a map, in the axes and units of the graph drawn over it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// Ground, and the surface of water.
    pub floors: Vec<PlanFloor>,
    /// Vertical surfaces, in straight pieces.
    pub walls: Vec<PlanWall>,
    /// The greatest rise that is a step instead of a wall, in units of the file.
    pub step: f32,
    /// The height of a human: walls that begin this far above the whole mesh are left out.
    pub human: f32,
}

/// A polygon of a floor plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanFloor {
    /// Three corners or more, in order.
    pub corners: Vec<Point>,
    /// Whether it is the surface of water.
    pub water: bool,
}

/// A straight piece of wall.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanWall {
    /// Its ends, at its foot.
    pub ends: [Point; 2],
    /// The height of its top.
    pub top: f32,
    /// Whether nobody sees it.
    pub clip: bool,
}

/// The kinds of lines, in drawing order.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Line {
    Clip,
    Step,
    Wall,
}

impl Plan {
    /// The part of it at the shown heights: ground, then lines.
    fn at(&self, axes: &Axes, shown: Option<[f32; 2]>) -> (Vec<&PlanFloor>, Vec<(Line, [Point; 2])>) {
        let [low, high] = shown.unwrap_or([f32::NEG_INFINITY, f32::INFINITY]);
        let finite = |points: &[Point]| points.iter().all(|point| point.is_finite());
        let floors = self.floors.iter().filter(|floor| {
            let tops = floor.corners.iter().map(|corner| axes.height(*corner));
            let top = tops.fold(f32::NEG_INFINITY, f32::max);
            finite(&floor.corners) && top >= low - self.human && top <= high + self.step
        });
        let lines = self.walls.iter().filter(|wall| finite(&wall.ends) && wall.top.is_finite());
        let lines = lines.filter_map(|wall| {
            let foot = axes.height(wall.ends[0]).min(axes.height(wall.ends[1]));
            let line = match wall.top - foot.max(low - self.step) > self.step {
                _ if wall.clip => Line::Clip,
                true => Line::Wall,
                false => Line::Step,
            };
            // A wall that ends at the lowest ground, or begins above all heads, blocks nobody.
            (wall.top > low + 1.0 && foot < high + self.human).then_some((line, wall.ends))
        });
        (floors.collect(), lines.collect())
    }

    /// The lowest and highest corner of the drawing, if it is not empty.
    pub(super) fn corners(&self) -> impl Iterator<Item = Point> {
        let floors = self.floors.iter().flat_map(|floor| floor.corners.iter().copied());
        floors.chain(self.walls.iter().flat_map(|wall| wall.ends))
    }

    /// Draws it, and returns the entries of the key.
    pub(super) fn draw(
        &self,
        scene: &mut Scene,
        view: &View,
        axes: &Axes,
        shown: Option<[f32; 2]>,
        palette: &Palette,
        unit: f32,
    ) -> Vec<Sample> {
        let (floors, lines) = self.at(axes, shown);
        let (mut ground, mut water) = (Path::default(), Path::default());
        for floor in floors {
            let mut outline: Vec<[f32; 2]> = floor.corners.iter().map(|corner| view.page(*corner)).collect();
            if outline.len() > 2 && view.sees(&outline) {
                // All with the same winding, so that overlapping ones do not cancel out.
                if turn(&outline) < 0.0 {
                    outline.reverse();
                }
                if floor.water { &mut water } else { &mut ground }.polygon(outline);
            }
        }
        scene.shape(ground, Style::fill(palette.ground));
        let pools = water.len();
        scene.shape(water, Style::fill(palette.water));
        let mut samples = Vec::new();
        for (kind, name) in [(Line::Clip, "clip brush"), (Line::Step, "edge, step"), (Line::Wall, "wall")] {
            let style = match kind {
                Line::Clip => Style {
                    dash: Some(4.0 * unit),
                    ..Style::stroke(palette.links.teleport.fade(0.6), 0.8 * unit)
                },
                Line::Step => Style::stroke(palette.frame, 0.7 * unit),
                Line::Wall => Style::stroke(palette.ink, 1.4 * unit),
            };
            let (mut path, mut known) = (Path::default(), HashSet::new());
            for (_, ends) in lines.iter().filter(|(line, _)| *line == kind) {
                let [a, b] = ends.map(|end| view.page(end));
                // Walls above each other, and both sides of a thin one, are one line.
                let mut key = [a, b].map(|end| end.map(|part| (part * 4.0).round() as i32));
                key.sort_unstable();
                if key[0] != key[1] && view.sees(&[a, b]) && known.insert(key) {
                    path.line([a, b]);
                }
            }
            if !path.is_empty() {
                let count = path.len();
                scene.shape(path, style);
                samples.push(Sample { style, symbol: Symbol::Line, name: name.to_owned(), count });
            }
        }
        if pools > 0 {
            let style = Style::fill(palette.water);
            samples.push(Sample { style, symbol: Symbol::Patch, name: "water".to_owned(), count: pools });
        }
        samples
    }
}

/// Twice the area of a polygon, negative for the opposite winding.
fn turn(outline: &[[f32; 2]]) -> f32 {
    let next = outline.iter().cycle().skip(1);
    outline.iter().zip(next).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::Theme;
    use crate::view::View;

    fn square(x: f32, z: f32, back: bool) -> PlanFloor {
        let mut corners: Vec<Point> = [(x, 0.0), (x + 10.0, 0.0), (x + 10.0, 10.0), (x, 10.0)]
            .map(|(x, y)| Point::new(x, y, z))
            .to_vec();
        if back {
            corners.reverse();
        }
        PlanFloor { corners, water: false }
    }

    fn wall(foot: f32, top: f32, clip: bool) -> PlanWall {
        PlanWall { ends: [Point::new(0.0, 0.0, foot), Point::new(10.0, 0.0, foot)], top, clip }
    }

    #[test]
    fn polygons_go_the_same_way_round_on_the_page() {
        let plan = Plan { floors: vec![square(0.0, 0.0, false), square(5.0, 0.0, true)], ..Plan::default() };
        let axes = Axes::z_up(1.0);
        let view = View::new(axes, [0.0, 0.0, 100.0, 100.0], [0.0, 0.0, 20.0, 20.0]);
        let mut scene = Scene::new(100.0, 100.0, Theme::Light.palette().page);
        plan.draw(&mut scene, &view, &axes, None, &Theme::Light.palette(), 1.0);
        let shapes: Vec<_> = scene
            .items
            .iter()
            .filter_map(|item| match item {
                crate::scene::Item::Shape(shape) => Some(&shape.path),
                _ => None,
            })
            .collect();
        assert_eq!(shapes.len(), 1, "all ground is one shape");
        let turns: Vec<bool> = shapes[0].iter().map(|(_, points)| turn(points) > 0.0).collect();
        assert!(turns.len() == 2 && turns[0] == turns[1], "{turns:?}");
    }

    #[test]
    fn what_lies_over_all_heads_or_under_all_feet_is_left_out() {
        let floors = vec![square(0.0, 0.0, false), square(0.0, 500.0, false), square(0.0, -500.0, false)];
        let walls = vec![
            wall(0.0, 10.0, false),
            wall(0.0, 100.0, false),
            wall(0.0, 100.0, true),
            wall(300.0, 400.0, false),
            wall(-90.0, 0.0, false),
        ];
        let plan = Plan { floors, walls, step: 18.0, human: 72.0 };
        let axes = Axes::z_up(1.0);
        let (floors, lines) = plan.at(&axes, Some([0.0, 50.0]));
        assert_eq!(floors.len(), 1);
        let kinds: Vec<Line> = lines.iter().map(|(line, _)| *line).collect();
        assert!(kinds == [Line::Step, Line::Wall, Line::Clip]);
        let (floors, lines) = plan.at(&axes, None);
        assert_eq!((floors.len(), lines.len()), (3, 5));
    }
}
