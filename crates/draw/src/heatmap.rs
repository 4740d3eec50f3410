//! Draws points over a mesh, as dots, by area, by cell, as density, or as ways through time.

use super::heat::{Heat, HeatBy, is_within};
use super::links::{Sample, Symbol};
use super::paint::{self, Key, Painting};
use super::scale::{STEPS, Span, ink};
use super::scene::{Path, Scene, Style};
use super::theme::Palette;
use super::view::{View, extent};
use navmap_core::colour::Colour;
use navmap_core::graph::{Axes, FlatGraph, NavGraph, Point};
use std::collections::BTreeMap;

/// The most cells of a density along a side of the page.
pub(super) const MOST_CELLS: f32 = 320.0;
/// The share of the highest density below which nothing is drawn.
const FAINT: f32 = 0.02;
/// How much of what is below a cell covers.
pub(super) const COVER: f32 = 0.8;

/// Points, and the step on the ramp of each.
type Steps = Vec<(Point, u32)>;

impl Heat {
    /// Points that count, with their values and positions among all.
    pub(super) fn each(&self) -> impl Iterator<Item = (usize, Point, f64)> + '_ {
        let value = |at: usize| self.values.as_ref().map_or(Some(1.0), |values| values.get(at).copied());
        let known = self.points.iter().enumerate().filter(|(_, point)| point.is_finite());
        known.filter_map(move |(at, point)| Some((at, *point, value(at).filter(|v| v.is_finite())?)))
    }

    /// How many points there are, and how many of them a picture of the whole mesh lacks: by area those in none, else those beyond
    /// its margin.
    pub fn unseen(&self, graph: &FlatGraph) -> [u64; 2] {
        let [left, bottom, right, top] = extent(graph, None);
        let axes = graph.axes();
        let is_lost = |at: usize, point: Point| match &self.by {
            HeatBy::Area(of) => of.get(at).is_none_or(Option::is_none),
            _ => {
                let [x, y, _] = axes.plan(point);
                !((left..=right).contains(&x) && (bottom..=top).contains(&y))
            }
        };
        let mut counts = [0, 0];
        for (at, point, _) in self.each() {
            counts[0] += 1;
            counts[1] += u64::from(is_lost(at, point));
        }
        counts
    }

    /// Colours of nodes by the points in them.
    pub(super) fn paint(&self, nodes: usize, palette: &Palette) -> Option<Painting> {
        let HeatBy::Area(of) = &self.by else { return None };
        let (mut sums, mut seen) = (vec![0f64; nodes], vec![false; nodes]);
        for (at, _, value) in self.each() {
            let node = of.get(at).copied().flatten().map(|node| node as usize);
            if let Some((sum, seen)) = node.and_then(|node| Some((sums.get_mut(node)?, seen.get_mut(node)?)))
            {
                *sum += value;
                *seen = true;
            }
        }
        let counted: Vec<Option<f64>> =
            sums.iter().zip(&seen).map(|(sum, seen)| seen.then_some(*sum)).collect();
        Some(paint::by_values(&counted, self.scale, &self.title, palette))
    }

    /// Draws what lies over the mesh, and returns the key to it, and its marks. Of tracks only lines that touch the floor are drawn.
    pub(super) fn draw(
        &self,
        scene: &mut Scene,
        view: &View,
        (axes, floor): (&Axes, Option<[f32; 2]>),
        palette: &Palette,
        unit: f32,
    ) -> (Key, Option<Sample>) {
        match &self.by {
            HeatBy::Area(_) => (Key::None, None),
            HeatBy::Point => self.dots(scene, view, palette, unit),
            HeatBy::Cell(side) => (self.cells(scene, view, axes, *side), None),
            HeatBy::Density(spread) => (self.density(scene, view, *spread), None),
            HeatBy::Track(of) => {
                let here = |point| floor.is_none_or(|floor| is_within(axes, floor, point));
                self.tracks((of, &here), scene, view, palette, unit)
            }
        }
    }

    /// Points that are dots with their steps on the ramp, and its ends if they have values. `None` if points are not shown as dots.
    pub(super) fn steps(&self) -> Option<(Steps, Option<Span>)> {
        if self.by != HeatBy::Point {
            return None;
        }
        let span = self.values.as_ref().and_then(|_| self.scale.over(self.each().map(|(_, _, value)| value)));
        let step = |value| span.map_or(Some(0), |span| span.step(value));
        Some((self.each().filter_map(|(_, point, value)| Some((point, step(value)?))).collect(), span))
    }

    fn dots(&self, scene: &mut Scene, view: &View, palette: &Palette, unit: f32) -> (Key, Option<Sample>) {
        let Some((points, ramp)) = self.steps() else { return (Key::None, None) };
        let mut dots: BTreeMap<u32, Path> = BTreeMap::new();
        let mut count = 0;
        for (point, step) in points {
            let at = view.page(point);
            if view.sees(&[at]) {
                dots.entry(step).or_default().circle(at, 3.0 * unit);
                count += 1;
            }
        }
        let look = |colour: Colour| {
            let stroke = Some((palette.page.fade(0.8), 0.8 * unit));
            Style { fill: Some(colour.fade(0.85)), stroke, dash: None }
        };
        // The highest on top.
        for (step, path) in dots {
            scene.shape(path, look(if ramp.is_some() { ink(step) } else { palette.links.way }));
        }
        match ramp {
            Some(ramp) => (Key::scale(&self.title, &ramp), None),
            None if count == 0 => (Key::None, None),
            None => {
                let (style, name) = (look(palette.links.way), self.title.clone());
                (Key::None, Some(Sample { style, symbol: Symbol::Dot, name, count }))
            }
        }
    }

    /// Lines from each point of a track to the next one in time, over a rim that tells them from the map.
    fn tracks(
        &self,
        (of, here): (&[u32], &dyn Fn(Point) -> bool),
        scene: &mut Scene,
        view: &View,
        palette: &Palette,
        unit: f32,
    ) -> (Key, Option<Sample>) {
        let mut tracks: BTreeMap<u32, Vec<(f64, Point)>> = BTreeMap::new();
        for (at, point, value) in self.each() {
            let Some(track) = of.get(at) else { continue };
            let track = tracks.entry(*track).or_default();
            let time = if self.values.is_some() { value } else { track.len() as f64 };
            track.push((time, point));
        }
        let times = tracks.values().flatten().map(|(time, _)| *time);
        let Some(ramp) = self.scale.between(times) else { return (Key::None, None) };
        let mut begun = 0;
        let (mut rims, mut lines, mut starts) =
            (Path::default(), BTreeMap::<u32, Path>::new(), Path::default());
        for track in tracks.values_mut() {
            // Those of the same time stay in their order.
            track.sort_by(|a, b| a.0.total_cmp(&b.0));
            for pair in track.windows(2) {
                let [(_, from), (time, to)] = pair else { continue };
                if !here(*from) && !here(*to) {
                    continue;
                }
                let ends = [view.page(*from), view.page(*to)];
                if let Some(step) = ramp.step(*time).filter(|_| view.sees(&ends)) {
                    rims.line(ends);
                    lines.entry(step).or_default().line(ends);
                }
            }
            let first = track.first().map(|(_, point)| *point).filter(|point| here(*point));
            if let Some(start) = first.map(|point| view.page(point)).filter(|at| view.sees(&[*at])) {
                starts.circle(start, 3.0 * unit);
                begun += 1;
            }
        }
        scene.shape(rims, Style::stroke(palette.page.fade(0.8), 3.6 * unit));
        // The latest on top.
        lines.into_iter().for_each(|(step, path)| scene.shape(path, Style::stroke(ink(step), 2.0 * unit)));
        let style = Style { fill: Some(palette.page), stroke: Some((palette.ink, 1.2 * unit)), dash: None };
        scene.shape(starts, style);
        let start = Sample { style, symbol: Symbol::Dot, name: "start".to_owned(), count: begun };
        (Key::scale(&self.title, &ramp), Some(start).filter(|start| start.count > 0))
    }

    /// The sum of the values in each square of the ground that has points, by column and row.
    pub(super) fn sums(&self, axes: &Axes, side: f32) -> BTreeMap<[i64; 2], f64> {
        let mut sums = BTreeMap::new();
        for (_, point, value) in self.each() {
            let [u, v, _] = axes.plan(point);
            *sums.entry([u, v].map(|at| (at / side).floor() as i64)).or_default() += value;
        }
        sums
    }

    fn cells(&self, scene: &mut Scene, view: &View, axes: &Axes, side: f32) -> Key {
        if !(side.is_finite() && side > 0.0) {
            return Key::None;
        }
        let sums = self.sums(axes, side);
        let Some(ramp) = self.scale.over(sums.values().copied()) else { return Key::None };
        let mut squares: BTreeMap<u32, Path> = BTreeMap::new();
        for ([column, row], sum) in sums {
            let corner = |right: f32, up: f32| {
                view.plan_to_page([(column as f32 + right) * side, (row as f32 + up) * side])
            };
            let square = [corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0)];
            if let Some(step) = ramp.step(sum).filter(|_| view.sees(&square)) {
                squares.entry(step).or_default().polygon(square);
            }
        }
        squares.into_iter().for_each(|(step, path)| scene.shape(path, Style::fill(ink(step).fade(COVER))));
        Key::scale(&self.title, &ramp)
    }

    fn density(&self, scene: &mut Scene, view: &View, sigma: f32) -> Key {
        let [left, top, wide, high] = view.frame;
        let sigma = sigma * view.scale;
        if !(sigma.is_finite() && sigma > 0.0) {
            return Key::None;
        }
        // Three cells a deviation are smooth, and no more than a page can show.
        // Whole pixels, so that no seam shows between two of them.
        let cell = (sigma / 3.0).max(wide.max(high) / MOST_CELLS).max(2.0).ceil();
        // What lies outside the page reaches into it.
        let margin = (3.0 * sigma / cell).ceil().min(MOST_CELLS);
        let size = [wide, high].map(|side| (side / cell).ceil() as usize + 2 * margin as usize);
        let points = self.each().map(|(_, point, value)| {
            let [x, y] = view.page(point);
            ([(x - left) / cell + margin, (y - top) / cell + margin], value as f32)
        });
        let mut sums = spread(points, size, sigma / cell);
        // From a sum in a cell to one in a square unit.
        let units = (cell / view.scale) * (cell / view.scale);
        sums.iter_mut().for_each(|sum| *sum /= units);
        let least = least(&sums);
        let shown = sums.iter().copied().filter(|sum| *sum > least).map(f64::from);
        let Some(ramp) = self.scale.over(shown) else {
            return Key::None;
        };
        let mut squares: BTreeMap<u32, Path> = BTreeMap::new();
        for (at, sum) in sums.iter().enumerate().filter(|(_, sum)| **sum > least) {
            let place = [at % size[0], at / size[0]].map(|at| at as f32 - margin);
            let corner = [left + place[0] * cell, top + place[1] * cell];
            let square = [corner[0], corner[1], cell, cell];
            if place[0] >= 0.0
                && place[1] >= 0.0
                && let Some(step) = ramp.step(f64::from(*sum))
            {
                squares.entry(step).or_default().rect(square);
            }
        }
        for (step, path) in squares {
            scene.shape(path, Style::fill(ink(step).fade(cover(step))));
        }
        Key::scale(&self.title, &ramp)
    }
}

/// How much of what is below a density covers. Little is faint, so that the map below is seen.
pub(super) fn cover(step: u32) -> f32 {
    0.35 + 0.5 * step as f32 / STEPS
}

/// The density below which nothing is drawn.
pub(super) fn least(sums: &[f32]) -> f32 {
    sums.iter().copied().fold(0.0, f32::max) * FAINT
}

/// The values of points spread over a raster of so many columns and rows. Places and `sigma` are in cells; what lies outside is left out.
pub(super) fn spread(
    points: impl Iterator<Item = ([f32; 2], f32)>,
    size: [usize; 2],
    sigma: f32,
) -> Vec<f32> {
    let mut sums = vec![0f32; size[0] * size[1]];
    for (place, value) in points {
        let at = place.map(f32::floor);
        if (0.0..size[0] as f32).contains(&at[0]) && (0.0..size[1] as f32).contains(&at[1]) {
            sums[at[1] as usize * size[0] + at[0] as usize] += value;
        }
    }
    blur(&mut sums, size, &weights(sigma));
    sums
}

/// A normal distribution over cells, from the middle outwards; with its mirror image the sum is 1.
fn weights(sigma: f32) -> Vec<f32> {
    let reach = (3.0 * sigma).ceil() as i32;
    let at = |cell: i32| (-0.5 * (cell as f32 / sigma).powi(2)).exp();
    let whole: f32 = (-reach..=reach).map(at).sum();
    (0..=reach).map(|cell| at(cell) / whole).collect()
}

/// Spreads the values of a raster, along rows and then along columns.
fn blur(values: &mut Vec<f32>, [columns, rows]: [usize; 2], weights: &[f32]) {
    for (step, len) in [(1, columns), (columns, rows)] {
        let mut spread = vec![0f32; values.len()];
        for (from, value) in values.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            let place = from / step % len;
            for (away, weight) in weights.iter().enumerate() {
                if away <= place {
                    spread[from - away * step] += value * weight;
                }
                if away > 0 && place + away < len {
                    spread[from + away * step] += value * weight;
                }
            }
        }
        *values = spread;
    }
}
