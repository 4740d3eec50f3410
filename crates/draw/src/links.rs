//! Draws links and marks over the mesh.

use super::lines::{before_end, bow, distance, length};
use super::options::Layers;
use super::paint::Painting;
use super::scene::{Path, Scene, Style};
use super::theme::Palette;
use super::view::View;
use navmap_core::colour::Colour;
use navmap_core::graph::{FlatGraph, Link, LinkKind, MarkKind, MarkShape, NavGraph, Point};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A kind of link, and the format's word for it if there is one.
type Sort = (LinkKind, Option<&'static str>);

/// Strokes, arrow heads, and how many links they are of.
type Drawn = (Path, Path, usize);

/// The width of a line that leaves the ground.
const LEAP_WIDTH: f32 = 1.3;
/// Lines that leave the ground fade if they are more than this, and would cover more than this share of the map.
const MANY: usize = 200;
const COVERED: f32 = 0.08;
/// How long such a line is at most if it does not fade, and the opacity of those of one, two, four times that length and longer.
const NEAR: f32 = 24.0;
const FADES: [f32; 4] = [1.0, 0.55, 0.3, 0.16];

/// The shape of a sample in the key: that of what it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Symbol {
    Line,
    /// A line with a head in its colour.
    Arrow,
    Dot,
    Triangle,
    Diamond,
    Ladder,
    Box,
    /// A patch, the left half of which is of the colour of nodes without a class.
    Patch,
}

/// An entry of the key: a sample, its meaning, and a count.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    pub(super) style: Style,
    pub(super) symbol: Symbol,
    pub(super) name: String,
    pub(super) count: usize,
}

impl Sample {
    /// Draws the sample with its left end at a point of the page.
    pub(super) fn draw(&self, scene: &mut Scene, [x, y]: [f32; 2], palette: &Palette, unit: f32) {
        let mut path = Path::default();
        let middle = [x + 8.0 * unit, y];
        match self.symbol {
            Symbol::Line => {
                path.line([[x, y], [x + 16.0 * unit, y]]);
            }
            Symbol::Arrow => {
                let (tip, size) = (x + 16.0 * unit, 5.0 * unit);
                path.line([[x, y], [tip - size, y]]);
                let mut head = Path::default();
                let half = size * 0.42;
                head.polygon([[tip, y], [tip - size, y + half], [tip - size, y - half]]);
                if let Some((colour, _)) = self.style.stroke {
                    scene.shape(head, Style::fill(colour));
                }
            }
            Symbol::Dot => {
                path.circle(middle, 3.0 * unit);
            }
            Symbol::Triangle => triangle(&mut path, middle, unit),
            Symbol::Diamond => diamond(&mut path, middle, unit),
            Symbol::Ladder => ladder(&mut path, middle, unit),
            Symbol::Box => {
                path.rect([x + 1.0 * unit, y - 4.5 * unit, 14.0 * unit, 9.0 * unit]);
            }
            Symbol::Patch => {
                let mut plain = Path::default();
                plain.rect([x, y - 6.0 * unit, 8.0 * unit, 12.0 * unit]);
                scene.shape(plain, Style::fill(palette.plain));
                path.rect([x + 8.0 * unit, y - 6.0 * unit, 8.0 * unit, 12.0 * unit]);
            }
        }
        scene.shape(path, self.style);
    }
}

/// The colour of a kind of link. Without a way back, paths on foot have colours of their own.
pub(super) fn colour(kind: LinkKind, one_way: bool, palette: &Palette) -> Colour {
    let links = &palette.links;
    let [walk, border, crouch] = links.one_way;
    match kind {
        LinkKind::Walk if one_way => walk,
        LinkKind::Border if one_way => border,
        LinkKind::Crouch if one_way => crouch,
        LinkKind::Walk => links.walk,
        LinkKind::Border => links.border,
        LinkKind::Crouch => links.crouch,
        LinkKind::Jump => links.jump,
        LinkKind::RocketJump => links.rocket_jump,
        LinkKind::Drop => links.drop,
        LinkKind::Ladder => links.ladder,
        LinkKind::Elevator => links.elevator,
        LinkKind::Train => links.train,
        LinkKind::Push => links.push,
        LinkKind::Teleport => links.teleport,
        LinkKind::Door => links.door,
        _ => palette.ink,
    }
}

/// The colour of a kind of mark. A ladder and a door have that of their links; others take those of links that no mesh with such
/// marks has beside them in the key.
pub(super) fn colour_of_mark(kind: MarkKind, palette: &Palette) -> Colour {
    let links = &palette.links;
    match kind {
        MarkKind::HidingSpot => links.elevator,
        MarkKind::SniperSpot => links.push,
        MarkKind::Ladder => links.ladder,
        MarkKind::Door => links.door,
        MarkKind::Cover => links.jump,
        MarkKind::Ledge => links.train,
        MarkKind::Waypoint => links.crouch,
        _ => links.border,
    }
}

/// Everything needed to draw over the mesh.
pub(super) struct Over<'a> {
    pub(super) graph: &'a FlatGraph,
    pub(super) view: &'a View,
    /// Heights of the shown nodes.
    pub(super) heights: &'a [Option<f32>],
    pub(super) palette: &'a Palette,
    pub(super) layers: Layers,
    pub(super) unit: f32,
}

impl Over<'_> {
    pub(super) fn shown(&self, node: u32) -> bool {
        self.heights.get(node as usize).is_some_and(Option::is_some)
    }

    pub(super) fn center(&self, node: u32) -> Option<[f32; 2]> {
        let node = self.graph.nodes().get(node as usize)?;
        self.graph.shape(node).center().filter(|at| at.is_finite()).map(|at| self.view.page(at))
    }

    /// The corners of a node on the page.
    pub(super) fn outline(&self, node: u32) -> Vec<[f32; 2]> {
        let corners = self.graph.nodes().get(node as usize).map(|node| self.graph.corners(node));
        corners.unwrap_or_default().iter().map(|corner| self.view.page(*corner)).collect()
    }

    /// Draws the links of the requested layers, those on foot first. Where lines that leave the ground would hide the map, the longer
    /// they are the fainter they become.
    pub(super) fn links(&self, scene: &mut Scene) -> Vec<Sample> {
        let pairs = self.pairs();
        let crowded = self.is_crowded(&pairs);
        let points = self.are_points();
        // Strokes and arrow heads, by kind, the format's word for it, one-way, and how faint: what is long lies below what is short.
        let mut drawn: BTreeMap<(bool, Sort, bool, Reverse<usize>), Drawn> = BTreeMap::new();
        self.each(
            &pairs,
            points,
            |_| true,
            |link, way, arrow| {
                let on_foot = link.kind.on_foot();
                let faint = if crowded && !on_foot { faintness(length(&way), self.unit) } else { 0 };
                let sort = (link.kind, self.graph.link_name(link));
                let (line, heads, count) = drawn.entry((!on_foot, sort, arrow, Reverse(faint))).or_default();
                if arrow {
                    self.head(heads, &way, points);
                }
                line.line(way);
                *count += 1;
            },
        );
        let mut counts: BTreeMap<Sort, usize> = BTreeMap::new();
        drawn.iter().for_each(|((_, sort, ..), (.., count))| *counts.entry(*sort).or_default() += count);
        let mut samples: Vec<Sample> = Vec::new();
        let mut latest = None;
        for ((_, sort, arrow, Reverse(faint)), (line, heads, count)) in drawn {
            let (kind, _) = sort;
            let one_way = arrow && kind.on_foot();
            let colour = colour(kind, one_way, self.palette);
            let width = if kind.on_foot() { 0.9 } else { LEAP_WIDTH } * self.unit;
            let dash = dash(sort, &counts).map(|dash| dash * self.unit);
            let style = Style { fill: None, stroke: Some((colour, width)), dash };
            let shade = if faint == 0 { colour } else { colour.fade(FADES[faint]) };
            scene.shape(line, Style { stroke: Some((shade, width)), ..style });
            scene.shape(heads, Style::fill(shade));
            // The fainter ones of the same sort came before.
            if latest == Some((sort, arrow))
                && let Some(sample) = samples.last_mut()
            {
                sample.count += count;
                continue;
            }
            latest = Some((sort, arrow));
            let mut name = named(sort, one_way);
            if faint > 0 {
                name.push_str(", faint if long");
            }
            let symbol = if arrow { Symbol::Arrow } else { Symbol::Line };
            samples.push(Sample { style, symbol, name, count });
        }
        samples
    }

    /// The links between nodes, sorted.
    fn pairs(&self) -> Vec<(u32, u32)> {
        let mut pairs: Vec<(u32, u32)> =
            self.graph.links().iter().filter_map(|link| Some((link.from, link.to?))).collect();
        // Links are ordered by source, unless the graph was built by hand.
        if pairs.is_sorted_by_key(|(from, _)| *from) {
            pairs.chunk_by_mut(|a, b| a.0 == b.0).for_each(<[_]>::sort_unstable);
        } else {
            pairs.sort_unstable();
        }
        pairs
    }

    /// Whether nodes are waypoints.
    fn are_points(&self) -> bool {
        self.graph.nodes().first().is_some_and(|node| self.graph.shape(node).area().is_none())
    }

    /// Whether lines that leave the ground are many and would cover much of the map.
    fn is_crowded(&self, pairs: &[(u32, u32)]) -> bool {
        let (mut count, mut long) = (0_usize, 0.0);
        let leaps = |kind: LinkKind| !kind.on_foot();
        self.each(pairs, self.are_points(), leaps, |_, way, _| {
            count += 1;
            long += length(&way);
        });
        let [_, _, wide, high] = self.view.frame;
        count > MANY && long * LEAP_WIDTH * self.unit > wide * high * COVERED
    }

    /// Hands out the links of the requested layers and of some kinds that are on the page: the line of each, and whether it has a head.
    fn each(
        &self,
        pairs: &[(u32, u32)],
        points: bool,
        of_kind: impl Fn(LinkKind) -> bool,
        mut each: impl FnMut(&Link, Vec<[f32; 2]>, bool),
    ) {
        for link in self.graph.links() {
            let Some(to) = link.to else { continue };
            if !of_kind(link.kind) || !self.shown(link.from) || !self.shown(to) {
                continue;
            }
            let back = pairs.binary_search(&(to, link.from)).is_ok();
            let on_foot = link.kind.on_foot();
            let wanted = self.layers.has(Layers::LINKS)
                || (!back && on_foot && self.layers.has(Layers::ONE_WAY))
                || (!on_foot && link.kind != LinkKind::Ladder && self.layers.has(Layers::TRAVERSALS));
            // A path there and back is one line.
            if !wanted || !self.layers.shows(link.kind) || (back && on_foot && to < link.from) {
                continue;
            }
            let Some(mut way) = self.way(&link, to, points) else { continue };
            if back && link.path.is_none() && !on_foot {
                aside(&mut way, 1.6 * self.unit);
            }
            if self.view.sees(&way) {
                each(&link, way, !(back && on_foot));
            }
        }
    }

    /// The line of a link on the page: through its portal, along its path, or in a bow if it leaves the ground.
    fn way(&self, link: &Link, to: u32, points: bool) -> Option<Vec<[f32; 2]>> {
        let (from, to) = (self.center(link.from)?, self.center(to)?);
        let page = |p: Point| self.view.page(p);
        let finite = |path: &[Point; 2]| path.iter().all(|p| p.is_finite());
        if let Some([start, end]) = link.path.filter(finite) {
            let (start, end) = (page(start), page(end));
            let mut way = if points { vec![from] } else { Vec::new() };
            way.extend(bow(start, end));
            if points {
                way.push(to);
            }
            return Some(way);
        }
        if let Some([a, b]) = link.portal.filter(finite) {
            return Some(vec![from, page(a.midway(b)), to]);
        }
        Some(if link.kind.on_foot() { vec![from, to] } else { bow(from, to) })
    }

    /// Adds an arrow head: at the end of a path that leaves the ground; a little before the middle of a path on foot, whose ends
    /// are crowded.
    fn head(&self, heads: &mut Path, way: &[[f32; 2]], near_end: bool) {
        let size = 5.0 * self.unit;
        let Some((&end, before)) = way.split_last() else { return };
        let Some(&start) = before.iter().rev().find(|p| distance(**p, end) > 0.5) else { return };
        // Between waypoints the head keeps a distance from the dot, which is drawn over it.
        let kept = if near_end && length(way) > 4.0 * size { size * 1.2 } else { 0.0 };
        let (tip, from) = match kept > 0.0 {
            true => (before_end(way, kept), before_end(way, kept + size)),
            false => (end, start),
        };
        let along = distance(from, tip).max(1e-6);
        let (dx, dy) = ((tip[0] - from[0]) / along, (tip[1] - from[1]) / along);
        let foot = [tip[0] - dx * size, tip[1] - dy * size];
        let (wx, wy) = (-dy * size * 0.42, dx * size * 0.42);
        heads.polygon([tip, [foot[0] + wx, foot[1] + wy], [foot[0] - wx, foot[1] - wy]]);
    }

    /// Draws the dots of waypoints, over their links.
    pub(super) fn dots(&self, scene: &mut Scene, painting: &Painting) {
        for (index, node) in self.graph.nodes().iter().enumerate() {
            let point = self.graph.shape(node).area().is_none();
            let Some(at) = self.center(index as u32).filter(|_| point && self.shown(index as u32)) else {
                continue;
            };
            if !self.view.sees(&[at]) {
                continue;
            }
            let mut path = Path::default();
            path.circle(at, 3.1 * self.unit);
            let colour = painting.colour(index).unwrap_or(self.palette.plain);
            let rim = Some((colour.lit(self.palette.rim), 0.9 * self.unit));
            scene.shape(path, Style { fill: Some(colour), stroke: rim, dash: None });
        }
    }

    /// Draws the marks of the requested layers.
    pub(super) fn marks(&self, scene: &mut Scene) -> Vec<Sample> {
        let mut samples = Vec::new();
        for kind in MarkKind::ALL {
            if !self.layers.has(Layers::of_mark(kind)) {
                continue;
            }
            let marks = self.graph.marks().iter().filter(|mark| mark.kind == kind);
            let mut path = Path::default();
            let mut count = 0;
            for mark in marks.filter(|mark| mark.node.is_none_or(|node| self.shown(node))) {
                count += usize::from(self.mark(&mut path, kind, mark.shape));
            }
            if count == 0 {
                continue;
            }
            let style = self.mark_style(kind);
            if matches!(kind, MarkKind::Ladder | MarkKind::Door) {
                // These are few and important, so they are set off from the shapes below.
                let (_, width) = style.stroke.unwrap_or((self.palette.map, 1.0));
                scene.shape(path.clone(), Style::stroke(self.palette.map, width + 2.2 * self.unit));
            }
            scene.shape(path, style);
            samples.push(Sample { style, symbol: symbol(kind), name: kind.name().to_owned(), count });
        }
        samples
    }

    fn mark_style(&self, kind: MarkKind) -> Style {
        let (unit, palette) = (self.unit, self.palette);
        let colour = colour_of_mark(kind, palette);
        let dot =
            |fill: Colour| Style { fill: Some(fill), stroke: Some((palette.map, 0.7 * unit)), dash: None };
        match kind {
            MarkKind::HidingSpot | MarkKind::SniperSpot | MarkKind::Waypoint => dot(colour),
            MarkKind::Ladder => Style::stroke(colour, 1.7 * unit),
            MarkKind::Door => Style { fill: Some(colour), ..Style::stroke(palette.map, 0.8 * unit) },
            MarkKind::Cover | MarkKind::Ledge => Style::stroke(colour, 1.6 * unit),
            _ => Style { dash: Some(3.0 * unit), ..Style::stroke(colour, 1.1 * unit) },
        }
    }

    /// Adds the symbol of a mark; `false` if it is outside the frame.
    fn mark(&self, path: &mut Path, kind: MarkKind, shape: MarkShape) -> bool {
        let unit = self.unit;
        let (a, b) = match shape {
            MarkShape::Point(a) => (a, a),
            MarkShape::Segment(a, b) | MarkShape::Box(a, b) => (a, b),
        };
        if !(a.is_finite() && b.is_finite()) {
            return false;
        }
        let (a, b) = (self.view.page(a), self.view.page(b));
        if !self.view.sees(&[a, b]) {
            return false;
        }
        let [x, y] = [f32::midpoint(a[0], b[0]), f32::midpoint(a[1], b[1])];
        match (kind, shape) {
            (MarkKind::Ladder, _) => ladder(path, [x, y], unit),
            (MarkKind::Door, MarkShape::Point(_)) => diamond(path, [x, y], unit),
            (MarkKind::SniperSpot, _) => triangle(path, [x, y], unit),
            (_, MarkShape::Box(..)) => {
                let (left, top) = (a[0].min(b[0]), a[1].min(b[1]));
                path.rect([left, top, (a[0] - b[0]).abs(), (a[1] - b[1]).abs()]);
            }
            (_, MarkShape::Segment(..)) => {
                path.line([a, b]);
            }
            _ => {
                path.circle([x, y], 2.2 * unit);
            }
        }
        true
    }
}

/// Moves a line to its right, so that the two directions are two lines.
fn aside(way: &mut [[f32; 2]], by: f32) {
    let (Some(&a), Some(&b)) = (way.first(), way.last()) else { return };
    let length = distance(a, b).max(1e-3);
    let (dx, dy) = ((b[0] - a[0]) / length * by, (b[1] - a[1]) / length * by);
    way.iter_mut().for_each(|p| *p = [p[0] - dy, p[1] + dx]);
}

/// The shape of a mark in the key.
fn symbol(kind: MarkKind) -> Symbol {
    match kind {
        MarkKind::HidingSpot | MarkKind::Waypoint => Symbol::Dot,
        MarkKind::SniperSpot => Symbol::Triangle,
        MarkKind::Ladder => Symbol::Ladder,
        MarkKind::Door => Symbol::Diamond,
        MarkKind::Cover | MarkKind::Ledge => Symbol::Line,
        _ => Symbol::Box,
    }
}

fn triangle(path: &mut Path, [x, y]: [f32; 2], unit: f32) {
    let s = 3.4 * unit;
    path.polygon([[x, y - s], [x + s * 0.87, y + s * 0.5], [x - s * 0.87, y + s * 0.5]]);
}

fn diamond(path: &mut Path, [x, y]: [f32; 2], unit: f32) {
    let s = 4.0 * unit;
    path.polygon([[x, y - s], [x + s, y], [x, y + s], [x - s, y]]);
}

/// Two rails and three rungs.
fn ladder(path: &mut Path, [x, y]: [f32; 2], unit: f32) {
    let (w, h) = (3.2 * unit, 6.0 * unit);
    path.line([[x - w, y - h], [x - w, y + h]]);
    path.line([[x + w, y - h], [x + w, y + h]]);
    for rung in [-0.55, 0.0, 0.55] {
        path.line([[x - w, y + rung * h], [x + w, y + rung * h]]);
    }
}

/// What links of a sort are called in the key.
fn named((kind, word): Sort, one_way: bool) -> String {
    match (word, kind) {
        _ if one_way => format!("{}, one way", word.unwrap_or(kind.name())),
        (Some(word), _) => word.to_owned(),
        // The ladder itself is a mark.
        (None, LinkKind::Ladder) => "by ladder".to_owned(),
        (None, _) => kind.to_string(),
    }
}

/// The dashes of a sort of links. Sorts of one kind have its colour: of these the most frequent is drawn like the kind, and others
/// differ by their dashes.
fn dash((kind, word): Sort, counts: &BTreeMap<Sort, usize>) -> Option<f32> {
    let count_of = |sort: &Sort| counts.get(sort).copied().unwrap_or(0);
    let place = (Reverse(count_of(&(kind, word))), word);
    let alike = counts.iter().filter(|((other, _), _)| *other == kind);
    match alike.filter(|((_, other), count)| (Reverse(**count), *other) < place).count() {
        0 => matches!(kind, LinkKind::Teleport | LinkKind::Elevator | LinkKind::Train).then_some(4.0),
        1 => Some(6.5),
        2 => Some(2.2),
        _ => Some(1.2),
    }
}

/// How much a line fades where there are too many, as a position in the list of opacities.
fn faintness(length: f32, unit: f32) -> usize {
    let times = length / (NEAR * unit);
    [1.0, 2.0, 4.0].iter().filter(|most| times > **most).count()
}
