//! Draws an answer over the mesh: a path, its start and end, and what it avoids.

use super::font;
use super::links::{Sample, Symbol};
use super::scene::{Anchor, Item, Path, Scene, Style, Text};
use super::theme::Palette;
use super::view::View;
use navmap_core::graph::Point;

/// Lines in which a name may stand: beside its dot, or below that. Further down it would seem to name other ground.
const LINES: u8 = 3;

/// An answer to draw over the mesh. All points are in the axes and units of the graph.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trail {
    /// The path in pieces. Between the end of one piece and the start of the next one is carried (a teleporter, a door).
    pub lines: Vec<Vec<Point>>,
    /// The corners of each area that it passes.
    pub passed: Vec<Vec<Point>>,
    /// The corners of each area that it avoids.
    pub avoided: Vec<Vec<Point>>,
    /// Points with their names: starts first, then ends.
    pub ends: Vec<(Point, String)>,
    /// The number of starts, which are drawn hollow.
    pub begins: usize,
    /// What the key calls starts, and ends. Those without a name are not in the key.
    pub ends_are: [String; 2],
    /// For each end in order, the point that was asked for, where that is not the end itself. The name stands there, and a line
    /// leads to the end.
    pub asked: Vec<Option<Point>>,
    /// The name of the path in the key.
    pub name: String,
    /// The number shown beside it in the key.
    pub steps: usize,
}

impl Trail {
    /// Draws it, and returns the entries of the key.
    pub(super) fn draw(&self, scene: &mut Scene, view: &View, palette: &Palette, unit: f32) -> Vec<Sample> {
        let mut samples = Vec::new();
        let colour = palette.links.way;
        let mut avoided = Path::default();
        let barred = self.outlines(&self.avoided, view, &mut avoided);
        let style = Style {
            fill: Some(palette.ink.fade(0.45)),
            stroke: Some((palette.ink.fade(0.8), 0.8 * unit)),
            dash: None,
        };
        scene.shape(avoided, style);
        let mut passed = Path::default();
        self.outlines(&self.passed, view, &mut passed);
        scene.shape(
            passed,
            Style { fill: Some(colour.fade(0.22)), stroke: Some((colour.fade(0.6), 0.7 * unit)), dash: None },
        );
        let (mut line, mut carried) = (Path::default(), Path::default());
        let mut before: Option<Point> = None;
        for piece in &self.lines {
            if let (Some(from), Some(&to)) = (before, piece.first())
                && from != to
            {
                carried.line([view.page(from), view.page(to)]);
            }
            line.line(piece.iter().map(|point| view.page(*point)));
            before = piece.last().copied();
        }
        // A rim in the page's colour makes it readable over any colour.
        scene.shape(line.clone(), Style::stroke(palette.page, 6.0 * unit));
        scene.shape(line.clone(), Style::stroke(colour, 3.2 * unit));
        let dashed = Style { dash: Some(5.0 * unit), ..Style::stroke(colour, 2.2 * unit) };
        scene.shape(carried.clone(), dashed);
        if !line.is_empty() {
            let style = Style::stroke(colour, 3.2 * unit);
            samples.push(Sample { style, symbol: Symbol::Line, name: self.name.clone(), count: self.steps });
        }
        if !carried.is_empty() {
            let count = carried.figures.len();
            samples.push(Sample { style: dashed, symbol: Symbol::Line, name: "carried".to_owned(), count });
        }
        if barred > 0 {
            samples.push(Sample { style, symbol: Symbol::Box, name: "avoided".to_owned(), count: barred });
        }
        self.draw_ends(scene, view, palette, unit);
        let ends = self.ends.iter().filter(|(point, _)| point.is_finite()).count();
        let begins = self.begins.min(ends);
        for (nth, count) in [begins, ends - begins].into_iter().enumerate() {
            if let Some(name) = self.ends_are.get(nth).filter(|name| count > 0 && !name.is_empty()) {
                let style = self.dot(nth == 0, palette, unit);
                samples.push(Sample { style, symbol: Symbol::Dot, name: name.clone(), count });
            }
        }
        samples
    }

    /// The look of a start, which is hollow, or of an end.
    fn dot(&self, hollow: bool, palette: &Palette, unit: f32) -> Style {
        let fill = if hollow { palette.page } else { palette.links.way };
        Style { fill: Some(fill), stroke: Some((palette.ink, 2.0 * unit)), dash: None }
    }

    /// Adds the visible outlines to a path. Returns the number of all, visible or not.
    fn outlines(&self, polygons: &[Vec<Point>], view: &View, path: &mut Path) -> usize {
        for corners in polygons.iter().filter(|corners| corners.iter().all(|corner| corner.is_finite())) {
            let outline: Vec<[f32; 2]> = corners.iter().map(|corner| view.page(*corner)).collect();
            match outline.as_slice() {
                [only] => {
                    path.circle(*only, 4.0);
                }
                outline if outline.len() > 2 && view.sees(outline) => {
                    path.polygon(outline.iter().copied());
                }
                _ => {}
            }
        }
        polygons.len()
    }

    fn draw_ends(&self, scene: &mut Scene, view: &View, palette: &Palette, unit: f32) {
        let [left, top, wide, high] = view.frame;
        let size = 14.0 * unit;
        let mut taken: Vec<[f32; 2]> = Vec::new();
        let ends = self.ends.iter().enumerate().filter(|(_, (point, _))| point.is_finite());
        for (at, (point, name)) in ends {
            let mut place = view.page(*point);
            let mut dot = Path::default();
            dot.circle(place, 5.5 * unit);
            let asked = self.asked.get(at).copied().flatten().filter(|asked| asked.is_finite());
            if let Some(asked) = asked.map(|asked| view.page(asked)).filter(|asked| *asked != place) {
                let mut line = Path::default();
                line.line([place, asked]);
                let style = Style { dash: Some(3.0 * unit), ..Style::stroke(palette.ink, 1.2 * unit) };
                scene.shape(line, style);
                // Beyond the frame there is no room for a name.
                if view.sees(&[asked]) {
                    let mut cross = Path::default();
                    let arm = 4.0 * unit;
                    cross.line([[asked[0] - arm, asked[1] - arm], [asked[0] + arm, asked[1] + arm]]);
                    cross.line([[asked[0] - arm, asked[1] + arm], [asked[0] + arm, asked[1] - arm]]);
                    scene.shape(cross.clone(), Style::stroke(palette.page, 4.0 * unit));
                    scene.shape(cross, Style::stroke(palette.ink, 1.8 * unit));
                    place = asked;
                }
            }
            scene.shape(dot, self.dot(at < self.begins, palette, unit));
            if name.is_empty() {
                continue;
            }
            let long = font::width(name, size);
            // To the right of the dot, or to the left if the frame ends there; a line or two lower if that is taken.
            let (anchor, x) = match place[0] + 11.0 * unit + long > left + wide {
                true => (Anchor::End, place[0] - 11.0 * unit),
                false => (Anchor::Start, place[0] + 11.0 * unit),
            };
            let first = (place[1] + 5.0 * unit).clamp(top + size, (top + high - 4.0 * unit).max(top + size));
            let is_taken =
                |y: f32| taken.iter().any(|at| (at[0] - x).abs() < long && (at[1] - y).abs() < size);
            let mut lines = (0..LINES).map(|line| first + size * 1.1 * f32::from(line));
            let Some(y) = lines.find(|y| !is_taken(*y)) else { continue };
            taken.push([x, y]);
            let words = name.as_str().into();
            let (colour, rim) = (palette.ink, Some(palette.page));
            scene.items.push(Item::Text(Text { at: [x, y], size, bold: true, anchor, colour, rim, words }));
        }
    }
}
