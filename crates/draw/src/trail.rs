//! Draws an answer over the mesh: a path, its start and end, and what it avoids.

use super::font;
use super::links::{Sample, Symbol};
use super::scene::{Anchor, Item, Path, Scene, Style, Text};
use super::theme::Palette;
use super::view::View;
use navmap_core::graph::Point;

/// Lines in which a name may stand: beside its dot, or below that. Further down it would seem to name other ground.
const LINES: u8 = 3;

/// The most ends that are drawn as dots over marked areas.
const MOST_DOTS: usize = 12;

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
        let barred = self.outlines(&self.avoided, view, unit, &mut avoided);
        let style = Style {
            fill: Some(palette.ink.fade(0.45)),
            stroke: Some((palette.ink.fade(0.8), 0.8 * unit)),
            dash: None,
        };
        scene.shape(avoided, style);
        let mut passed = Path::default();
        self.outlines(&self.passed, view, unit, &mut passed);
        let fill = Some(colour.fade(0.22));
        let marked = Style { fill, stroke: Some((colour, 1.6 * unit)), dash: None };
        // Without a way the areas are the answer, and have the rim that a way would have.
        if self.lines.is_empty() {
            scene.shape(passed.clone(), Style::stroke(palette.page, 3.6 * unit));
            scene.shape(passed, marked);
        } else {
            scene.shape(passed, Style { fill, stroke: Some((colour.fade(0.6), 0.7 * unit)), dash: None });
        }
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
            let count = carried.len();
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
                let (style, symbol, count) = match self.has_dots() {
                    true => (self.dot(nth == 0, palette, unit), Symbol::Dot, count),
                    false => (marked, Symbol::Box, self.passed.len()),
                };
                samples.push(Sample { style, symbol, name: name.clone(), count });
            }
        }
        samples
    }

    /// Whether its ends are dots. So many of them would hide the areas that are marked, which tell as much.
    fn has_dots(&self) -> bool {
        self.ends.len() <= MOST_DOTS || !self.lines.is_empty() || self.passed.is_empty()
    }

    /// The look of a start, which is hollow, or of an end.
    fn dot(&self, hollow: bool, palette: &Palette, unit: f32) -> Style {
        let fill = if hollow { palette.page } else { palette.links.way };
        Style { fill: Some(fill), stroke: Some((palette.ink, 2.0 * unit)), dash: None }
    }

    /// Adds the visible outlines to a path. Returns the number of all, visible or not.
    fn outlines(&self, polygons: &[Vec<Point>], view: &View, unit: f32, path: &mut Path) -> usize {
        for corners in polygons.iter().filter(|corners| corners.iter().all(|corner| corner.is_finite())) {
            let outline: Vec<[f32; 2]> = corners.iter().map(|corner| view.page(*corner)).collect();
            match outline.as_slice() {
                [only] => {
                    path.circle(*only, 4.0 * unit);
                }
                outline if outline.len() > 2 && view.sees(outline) => {
                    path.polygon(outline.iter().copied());
                }
                _ => {}
            }
        }
        polygons.len()
    }

    /// Draws dots, and over all of them the names, each where neither a dot nor another name stands.
    fn draw_ends(&self, scene: &mut Scene, view: &View, palette: &Palette, unit: f32) {
        let size = 14.0 * unit;
        let mut taken: Vec<[f32; 4]> = Vec::new();
        let mut named: Vec<([f32; 2], &str)> = Vec::new();
        let ends = self.ends.iter().enumerate().filter(|(_, (point, _))| point.is_finite());
        for (at, (point, name)) in ends {
            let dot = view.page(*point);
            let mut place = dot;
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
            if self.has_dots() {
                let mut path = Path::default();
                path.circle(dot, 5.5 * unit);
                scene.shape(path, self.dot(at < self.begins, palette, unit));
                taken.push([
                    dot[0] - 6.5 * unit,
                    dot[1] - 6.5 * unit,
                    dot[0] + 6.5 * unit,
                    dot[1] + 6.5 * unit,
                ]);
            }
            named.push((place, name));
        }
        for (place, name) in named.into_iter().filter(|(_, name)| !name.is_empty()) {
            let long = font::width(name, size);
            let Some((anchor, [x, y])) = place_of(view, place, long, size, unit, &mut taken) else {
                continue;
            };
            let (colour, rim, words) = (palette.ink, Some(palette.page), name.into());
            scene.items.push(Item::Text(Text {
                at: [x, y],
                size,
                bold: true,
                anchor,
                colour,
                rim,
                words,
                tight: false,
            }));
        }
    }
}

/// Where a name stands: to the right of its dot, or to the left if the frame ends there; a line or two lower if that is taken, as
/// which it is noted. `None` if there is no room.
fn place_of(
    view: &View,
    place: [f32; 2],
    long: f32,
    size: f32,
    unit: f32,
    taken: &mut Vec<[f32; 4]>,
) -> Option<(Anchor, [f32; 2])> {
    let [left, top, wide, high] = view.frame;
    let (anchor, x, from) = match place[0] + 11.0 * unit + long > left + wide {
        true => (Anchor::End, place[0] - 11.0 * unit, place[0] - 11.0 * unit - long),
        false => (Anchor::Start, place[0] + 11.0 * unit, place[0] + 11.0 * unit),
    };
    let first = (place[1] + 5.0 * unit).clamp(top + size, (top + high - 4.0 * unit).max(top + size));
    // From the height of capitals to the base line.
    let room = |y: f32| [from, y - 0.75 * size, from + long, y + 0.1 * size];
    let is_free = |y: &f32| {
        let [l, t, r, b] = room(*y);
        !taken.iter().any(|box_| l < box_[2] && box_[0] < r && t < box_[3] && box_[1] < b)
    };
    let y = (0..LINES).map(|line| first + size * 1.1 * f32::from(line)).find(is_free)?;
    taken.push(room(y));
    Some((anchor, [x, y]))
}
