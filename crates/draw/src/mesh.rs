//! Draws polygons and waypoints, low to high.

use super::links::{Sample, Symbol};
use super::paint::Painting;
use super::scene::{Item, Path, Scene, Shape, Style};
use super::theme::Palette;
use super::view::{Stack, View, stacks};
use navmap_core::colour::Colour;
use navmap_core::graph::{self, FlatGraph, NavGraph, Point};
use std::fmt::Write as _;

/// With more nodes than this the picture has no tooltips: they would outweigh it.
const MOST_TIPS: usize = 30_000;
/// The most letters of a place or group that a tooltip shows.
const MOST_OF_A_NAME: usize = 80;
/// The width at which a polygon gets a rim of full width: several times that width.
const FULL_RIM: f32 = 24.0;

/// A node on the page.
struct Piece {
    node: u32,
    height: f32,
    /// Where its outline begins among the points of all pieces, and its corners.
    first: u32,
    len: u32,
    /// Lightening or darkening by slope.
    shade: f32,
    /// The radius in which one may walk around a waypoint, in pixels.
    radius: Option<f32>,
}

/// The nodes on the page from low to high, with what lies over and under each.
#[derive(Default)]
struct Pieces {
    all: Vec<Piece>,
    points: Vec<[f32; 2]>,
    stacks: Vec<Stack>,
}

impl Pieces {
    fn outline(&self, piece: &Piece) -> &[[f32; 2]] {
        let first = piece.first as usize;
        &self.points[first..first + piece.len as usize]
    }

    fn iter(&self) -> impl Iterator<Item = (&Piece, &Stack, &[[f32; 2]])> {
        self.all.iter().zip(&self.stacks).map(|(piece, stack)| (piece, stack, self.outline(piece)))
    }
}

/// Draws the nodes that have a height in `heights`. Returns what the key says of shades: they are no classes.
pub(super) fn draw(
    scene: &mut Scene,
    graph: &FlatGraph,
    view: &View,
    heights: &[Option<f32>],
    painting: &Painting,
    palette: &Palette,
    unit: f32,
) -> Vec<Sample> {
    let mut pieces = pieces(graph, view, heights);
    pieces.all.sort_unstable_by(|a, b| a.height.total_cmp(&b.height).then(a.node.cmp(&b.node)));
    let storey = graph::STOREY / graph.axes().metres_per_unit.max(1e-9);
    pieces.stacks = {
        let of = |piece: &Piece| (pieces.outline(piece), piece.height);
        let polygons: Vec<(&[[f32; 2]], f32)> = pieces.all.iter().map(of).collect();
        stacks(&polygons, view.frame, storey)
    };

    let style = Look::new(&pieces, palette, unit);
    let mut run = Run::default();
    let tips = scene.tips && pieces.all.len() <= MOST_TIPS;
    for (piece, stack, outline) in pieces.iter() {
        if !stack.rim.is_empty() {
            run.flush(scene);
            shadow(scene, stack, outline, &style);
        }
        let colour = painting.colour(piece.node as usize).unwrap_or(palette.plain);
        let look = style.style(piece, stack, colour);
        run.add(scene, (piece, outline), look, tips.then_some(piece.node));
    }
    run.flush(scene);
    raise(scene, &pieces, painting, unit);
    style.samples(&pieces)
}

/// Draws what an answer says of polygons under another floor once more, over that floor: a change that a roof hides is one that
/// nobody sees.
fn raise(scene: &mut Scene, pieces: &Pieces, painting: &Painting, unit: f32) {
    let Some(apart) = painting.apart else { return };
    let mut run = Run::default();
    for (piece, _, outline) in
        pieces.iter().filter(|(piece, stack, _)| stack.covered && piece.radius.is_none())
    {
        let node = piece.node as usize;
        let is_told = painting.classes.get(node).is_some_and(|class| *class != apart);
        if let Some(colour) = painting.colour(node).filter(|_| is_told) {
            let stroke = Some((colour, 1.4 * unit));
            let style = Style { fill: Some(colour.fade(0.45)), stroke, dash: None };
            run.add(scene, (piece, outline), style, None);
        }
    }
    run.flush(scene);
}

fn pieces(graph: &FlatGraph, view: &View, heights: &[Option<f32>]) -> Pieces {
    let mut pieces = Pieces::default();
    for (index, (node, height)) in graph.nodes().iter().zip(heights).enumerate() {
        let corners = graph.corners(node);
        if corners.is_empty() || !corners.iter().all(|corner| corner.is_finite()) {
            continue;
        }
        let Some(height) = *height else { continue };
        let first = pieces.points.len();
        pieces.points.extend(corners.iter().map(|corner| view.page(*corner)));
        let radius = match graph.shape(node) {
            graph::Shape::Point { radius, .. } => Some(radius.unwrap_or(0.0) * view.scale),
            graph::Shape::Polygon(_) => None,
        };
        if radius.is_none() && !view.sees(&pieces.points[first..]) {
            pieces.points.truncate(first);
            continue;
        }
        let shade = if radius.is_some() { 0.0 } else { shade(graph, corners) };
        let (first, len) = (first as u32, corners.len() as u32);
        pieces.all.push(Piece { node: index as u32, height, first, len, shade, radius });
    }
    pieces
}

/// Draws nodes outside the chosen floor faintly, to show where the rest of the map is.
pub(super) fn ghosts(
    scene: &mut Scene,
    graph: &FlatGraph,
    view: &View,
    is_ghost: impl Fn(u32) -> bool,
    palette: &Palette,
    unit: f32,
) {
    let mut path = Path::default();
    for (_, node) in (0u32..).zip(graph.nodes()).filter(|(index, _)| is_ghost(*index)) {
        let corners = graph.corners(node);
        let outline: Vec<[f32; 2]> = corners.iter().map(|corner| view.page(*corner)).collect();
        if outline.len() > 2 && corners.iter().all(|c| c.is_finite()) && view.sees(&outline) {
            path.polygon(outline);
        }
    }
    let fill = palette.map.mix(palette.frame, 0.18);
    let stroke = Some((palette.map.mix(palette.frame, 0.4), 0.5 * unit));
    scene.shape(path, Style { fill: Some(fill), stroke, dash: None });
}

/// The lightness of a slope relative to flat ground, lit from the upper left.
fn shade(graph: &FlatGraph, corners: &[Point]) -> f32 {
    let axes = graph.axes();
    let Some(&first) = corners.first() else { return 0.0 };
    let [u0, v0, h0] = axes.plan(first);
    let from_first = |p: &Point| {
        let [u, v, h] = axes.plan(*p);
        [u - u0, v - v0, h - h0]
    };
    let normal = corners.windows(2).fold([0f32; 3], |n, pair| {
        let (a, b) = (from_first(&pair[0]), from_first(&pair[1]));
        [n[0] + a[1] * b[2] - a[2] * b[1], n[1] + a[2] * b[0] - a[0] * b[2], n[2] + a[0] * b[1] - a[1] * b[0]]
    });
    let length = normal.iter().map(|v| v * v).sum::<f32>().sqrt();
    if !(length.is_finite() && length > 0.0) {
        return 0.0;
    }
    let up = if normal[2] < 0.0 { -1.0 } else { 1.0 };
    let [x, y, z] = normal.map(|v| v / length * up);
    let lit = (-0.55 * x + 0.55 * y + 0.63 * z) - 0.63;
    // Few steps, so that neighbours share a style.
    ((lit * 0.6).clamp(-0.3, 0.25) * 20.0).round() / 20.0
}

/// The look of polygons in this picture.
struct Look<'a> {
    palette: &'a Palette,
    unit: f32,
    /// Typical side of a polygon in pixels.
    side: f32,
    /// Opacity of a floor over another.
    roof: f32,
}

impl<'a> Look<'a> {
    fn new(pieces: &Pieces, palette: &'a Palette, unit: f32) -> Self {
        let mut sides: Vec<f32> = pieces.iter().map(|(_, _, outline)| page_area(outline).sqrt()).collect();
        let middle = sides.len() / 2;
        let side = match sides.get(middle) {
            Some(_) => *sides.select_nth_unstable_by(middle, f32::total_cmp).1,
            None => 0.0,
        };
        // If much is covered, roofs have to be more transparent.
        let covered = pieces.stacks.iter().filter(|stack| stack.covered).count() as f32;
        let roof = if covered > 0.2 * pieces.all.len() as f32 { 0.66 } else { 0.86 };
        Self { palette, unit, side, roof }
    }

    fn style(&self, piece: &Piece, stack: &Stack, colour: Colour) -> Style {
        let mut colour = colour.lit(piece.shade);
        if stack.covered {
            colour = colour.mix(self.palette.map, 0.5);
        }
        if piece.radius.is_some() {
            // Discs overlap to form a floor, so they have no rims.
            return Style::fill(colour.fade(0.3));
        }
        let line = match self.side / self.unit {
            ..3.0 => 0.0,
            ..7.0 => 0.3,
            _ => 0.6,
        };
        let edge = if line > 0.0 { colour.lit(-0.35) } else { colour };
        let fill = if stack.roof { colour.fade(self.roof) } else { colour };
        Style { fill: Some(fill), stroke: Some((edge, (line * self.unit).max(0.4))), dash: None }
    }
}

impl Look<'_> {
    /// The entries of the key for the shades that this picture has.
    fn samples(&self, pieces: &Pieces) -> Vec<Sample> {
        let plain = self.palette.plain;
        let covered = plain.mix(self.palette.map, 0.5);
        let shadow = Style::stroke(plain.mix(self.palette.shadow, 0.4), 3.0 * self.unit);
        let disc = plain.mix(self.palette.map, 0.7);
        let entry = |name: &str, symbol, style, holds: fn(&Piece, &Stack) -> bool| Sample {
            style,
            symbol,
            name: name.to_owned(),
            count: pieces.iter().filter(|(piece, stack, _)| holds(piece, stack)).count(),
        };
        let floors = [
            entry("under another floor", Symbol::Patch, Style::fill(covered), |_, stack| stack.covered),
            entry("edge over a lower floor", Symbol::Line, shadow, |_, stack| !stack.rim.is_empty()),
            entry("slope, lit from top left", Symbol::Patch, Style::fill(plain.lit(-0.3)), |piece, _| {
                piece.shade.abs() > 0.0
            }),
            entry("free around a point", Symbol::Dot, Style::fill(disc), |piece, _| {
                piece.radius.is_some_and(|radius| radius > 0.0)
            }),
        ];
        floors.into_iter().filter(|sample| sample.count > 0).collect()
    }
}

fn page_area(points: &[[f32; 2]]) -> f32 {
    let Some(last) = points.last() else { return 0.0 };
    let mut twice = 0.0;
    let mut before = last;
    for point in points {
        twice += before[0] * point[1] - point[0] * before[1];
        before = point;
    }
    twice.abs() / 2.0
}

/// Draws the soft dark rim of a floor over another. The polygon itself is drawn over its inner half. Small polygons get a narrow
/// rim, since otherwise a distant mesh would show only rims.
fn shadow(scene: &mut Scene, stack: &Stack, outline: &[[f32; 2]], look: &Look<'_>) {
    let mut path = Path::default();
    path.pieces(&stack.rim);
    let across = page_area(outline).sqrt() / look.unit;
    // Few widths, so that many rims share a style.
    let narrow = (across / FULL_RIM * 4.0).ceil().clamp(1.0, 4.0) / 4.0;
    for (width, opacity) in [(6.5, 0.12), (2.6, 0.28)] {
        let stroke = Some((look.palette.shadow.fade(opacity), width * narrow * look.unit));
        scene.shape(path.clone(), Style { fill: None, stroke, dash: None });
    }
}

/// The tooltip of a node.
pub(super) fn tip(graph: &FlatGraph, index: u32, words: &mut String) {
    let Some(node) = graph.nodes().get(index as usize) else { return };
    let _ = write!(words, "{} {}", graph.node_word(), graph.ids().name(node.id));
    let place = node.place.and_then(|place| graph.place(place));
    let group = node.group.and_then(|group| graph.group(group));
    for name in [place, group].into_iter().flatten() {
        // A file may have a name of any length and give it to every node.
        let end = name.char_indices().nth(MOST_OF_A_NAME).map_or(name.len(), |(at, _)| at);
        let _ = write!(words, ", {}", &name[..end]);
    }
    for bit in (0..64).filter(|bit| node.flags >> bit & 1 == 1) {
        if let Some(name) = graph.flag(bit) {
            words.push_str(", ");
            words.extend(name.chars().flat_map(char::to_lowercase));
        }
    }
    if let Some(at) = graph.shape(node).center() {
        let _ = write!(words, ", height {}", graph.axes().height(at).round());
    }
}

/// Adjacent polygons in drawing order that look alike become one shape, unless each has a tooltip.
#[derive(Default)]
struct Run {
    shape: Option<Shape>,
}

impl Run {
    fn add(
        &mut self,
        scene: &mut Scene,
        (piece, outline): (&Piece, &[[f32; 2]]),
        style: Style,
        tip: Option<u32>,
    ) {
        let joins = tip.is_none() && self.shape.as_ref().is_some_and(|s| s.style == style && s.tip.is_none());
        if !joins {
            self.flush(scene);
        }
        let shape = self.shape.get_or_insert_with(|| Shape { path: Path::default(), style, tip });
        match (piece.radius, outline.first()) {
            (Some(radius), Some(&at)) => shape.path.circle(at, radius),
            _ => shape.path.polygon(outline.iter().copied()),
        };
    }

    fn flush(&mut self, scene: &mut Scene) {
        if let Some(mut shape) = self.shape.take() {
            shape.path.shrink();
            scene.items.push(Item::Shape(shape));
        }
    }
}
