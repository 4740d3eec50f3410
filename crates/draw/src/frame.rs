//! Draws the surroundings of the map: title, key, scale bar, compass, coordinates.

use super::font;
use super::links::Sample;
use super::options::Caption;
use super::paint::Key;
use super::scene::{Anchor, Item, Path, Scene, Shape, Style, Text};
use super::theme::Palette;
use super::ticks::{decades, multiples, round_down, round_up};
use super::view::View;
use super::words::{
    height_number, number, quantity, short, shortened, shortened_within, told_apart, wrapped,
};
use navmap_core::colour::ramp;
use navmap_core::graph::{Axes, Axis, Up};
use navmap_core::text::Grouped;

/// The most lines of a name in the key, and the distance between them.
const MOST_LINES: usize = 4;
const LINE: f32 = 14.5;

/// The layout of a page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Page {
    pub(super) width: f32,
    /// The scale of texts and symbols: 1 on a page of 1,400 pixels.
    pub(super) unit: f32,
    pub(super) margin: f32,
    /// Width left of the map, for the margin and the numbers of the vertical axis.
    pub(super) left: f32,
    pub(super) head: f32,
    pub(super) column: f32,
    pub(super) foot: f32,
}

impl Page {
    pub(super) fn new(width: u32, has_error: bool) -> Self {
        let width = width as f32;
        // Texts and symbols shrink less than the page, to stay readable.
        let scale = width / 1400.0;
        let unit = scale.max(scale.sqrt().min(1.0)).clamp(0.62, 4.0);
        let head = if has_error { 112.0 } else { 88.0 };
        Self {
            width,
            unit,
            margin: 30.0 * unit,
            left: 56.0 * unit,
            head: head * unit,
            column: 214.0 * unit,
            foot: 40.0 * unit,
        }
    }

    /// Width of the map.
    pub(super) fn map_width(&self) -> f32 {
        (self.width - self.left - self.margin - self.column).floor().max(16.0)
    }

    /// Height of a page with a map of this height.
    pub(super) fn height(&self, map: f32) -> f32 {
        (self.head + map + self.foot).ceil()
    }

    /// The frame of the map on a page of this height.
    pub(super) fn frame(&self, height: f32) -> [f32; 4] {
        let map = (height - self.head - self.foot).floor().max(16.0);
        [self.left.floor(), self.head.floor(), self.map_width(), map]
    }
}

/// Writes the title, the subtitle, and the error if there is one.
pub(super) fn title(scene: &mut Scene, page: &Page, caption: &Caption, palette: &Palette) {
    let (x, unit) = (page.margin, page.unit);
    let room = page.width - 2.0 * page.margin;
    let words = shortened_within(&caption.title, 30.0 * unit, room);
    scene.bold([x, 46.0 * unit], 30.0 * unit, palette.ink, Anchor::Start, words);
    let words = shortened(&caption.subtitle, 15.0 * unit, room);
    scene.text([x, 71.0 * unit], 15.0 * unit, palette.faint, Anchor::Start, words);
    if let Some(error) = &caption.error {
        let words = shortened(&format!("Damaged, drawn as far as it goes: {error}"), 14.0 * unit, room);
        scene.bold([x, 96.0 * unit], 14.0 * unit, palette.alarm, Anchor::Start, words);
    }
}

/// Draws a grid of the file's own coordinates with their numbers, behind the mesh.
pub(super) fn grid(
    scene: &mut Scene,
    page: &Page,
    view: &View,
    axes: &Axes,
    palette: &Palette,
    numbers: bool,
) {
    let [left, bottom, right, top] = view.shown();
    let step = round_up(f64::from(90.0 * page.unit / view.scale));
    let [x, y, wide, high] = view.frame;
    let size = 11.0 * page.unit;
    let mut lines = Path::default();
    let along = |low: f32, high: f32| multiples(low.into(), high.into(), step).map(|at| at as f32);
    for u in along(left, right) {
        let at = view.plan_to_page([u, 0.0])[0];
        lines.line([[at, y], [at, y + high]]);
        if numbers {
            scene.text([at, y + high + 15.0 * page.unit], size, palette.faint, Anchor::Middle, number(u));
        }
    }
    for v in along(bottom, top) {
        let at = view.plan_to_page([0.0, v])[1];
        lines.line([[x, at], [x + wide, at]]);
    }
    scene.shape(lines, Style::stroke(palette.grid, 0.8 * page.unit));
    if numbers {
        for v in along(bottom, top) {
            let at = view.plan_to_page([0.0, v])[1];
            let value = if axes.up == Up::Y { -v } else { v };
            let place = [x - 5.0 * page.unit, at + 4.0 * page.unit];
            scene.text(place, size, palette.faint, Anchor::End, number(value));
        }
    }
}

/// The length of the ramp of a key, and the least that it has on a low page.
const RAMP: f32 = 132.0;
const LOW_RAMP: f32 = 40.0;
/// What stands above the key, and below it: the compass; the scale bar with air.
const ABOVE: f32 = 112.0;
const BELOW: f32 = 70.0;
/// The height of a line of a list.
const ROW: f32 = 19.0;

/// The column on the right: compass, key, scale bar.
pub(super) struct Column<'a> {
    pub(super) page: &'a Page,
    pub(super) palette: &'a Palette,
    pub(super) view: &'a View,
    pub(super) axes: Axes,
    pub(super) facts: Vec<(String, String)>,
}

impl Column<'_> {
    pub(super) fn draw(&self, scene: &mut Scene, keys: &[&Key], samples: &[Sample]) {
        let (unit, frame) = (self.page.unit, self.view.frame);
        let x = frame[0] + frame[2] + 26.0 * unit;
        // Lower than the map on a page that the key has made higher.
        let end = (frame[1] + frame[3]).max((scene.height - self.page.foot - 1.0).floor());
        self.compass(scene, [x + 22.0 * unit, frame[1] + 40.0 * unit]);
        self.scale_bar(scene, [x, end - 12.0 * unit]);
        let mut y = frame[1] + ABOVE * unit;
        let mut last = end - BELOW * unit;
        let (room, wanted) = (last - y, self.wanted(keys, samples));
        if room < LOW_RAMP * unit {
            return;
        }
        // Without room for all, the facts go first, which are said elsewhere; then ramps are shorter; then entries are counted.
        let facts = ROW * unit * self.facts.len() as f32;
        if wanted + facts <= room {
            last -= facts;
            self.facts(scene, [x, last + (14.0 + ROW) * unit]);
        }
        let ramp = (RAMP - (wanted - room).max(0.0) / unit).max(LOW_RAMP);
        for key in keys {
            y = self.key(scene, [x, y], last, (key, ramp));
        }
        self.samples(scene, [x, y + 8.0 * unit], last, samples);
    }

    /// The height of a page that has room for all of this.
    pub(super) fn height(&self, keys: &[&Key], samples: &[Sample]) -> f32 {
        let around = ABOVE + BELOW + ROW * self.facts.len() as f32;
        let key = self.wanted(keys, samples);
        (self.view.frame[1] + around * self.page.unit + key + self.page.foot).ceil() + 2.0
    }

    /// The height of the whole key.
    fn wanted(&self, keys: &[&Key], samples: &[Sample]) -> f32 {
        let unit = self.page.unit;
        let entry = |lines: usize| (ROW + LINE * lines.saturating_sub(1) as f32) * unit;
        let of_key = |key: &&Key| match key {
            Key::None => 0.0,
            Key::Ramp { beyond, .. } => {
                let notes = [(beyond[1], 34.0, 14.0), (beyond[0], 38.0, 26.0)];
                notes
                    .map(|(is_there, with, without)| if is_there { with } else { without })
                    .iter()
                    .sum::<f32>()
                    * unit
                    + RAMP * unit
            }
            Key::Scale { .. } => (14.0 + RAMP + 26.0) * unit,
            Key::Swatches { entries, more, .. } => {
                let lines: f32 =
                    entries.iter().map(|(_, name, count)| entry(self.lines(name, *count).len())).sum();
                lines + (30.0 + if *more > 0 { ROW } else { 0.0 }) * unit
            }
        };
        let samples: f32 =
            samples.iter().map(|sample| entry(self.lines(&sample.name, sample.count).len())).sum();
        keys.iter().map(of_key).sum::<f32>() + samples + 8.0 * unit
    }

    fn heading(&self, scene: &mut Scene, [x, y]: [f32; 2], words: String) {
        let words = shortened(&words, 14.0 * self.page.unit, 182.0 * self.page.unit);
        scene.bold([x, y], 14.0 * self.page.unit, self.palette.ink, Anchor::Start, words);
    }

    /// The lines of a name in a list, beside its count.
    fn lines(&self, name: &str, count: usize) -> Vec<String> {
        let (unit, size) = (self.page.unit, 12.5 * self.page.unit);
        let count = font::width(&Grouped(count as u64).to_string(), size);
        wrapped(name, size, 146.0 * unit - count, MOST_LINES)
    }

    /// Writes a list entry: the lines of its name, and the count on the right.
    fn entry(&self, scene: &mut Scene, [x, y]: [f32; 2], lines: Vec<String>, count: usize) {
        let (unit, size) = (self.page.unit, 12.5 * self.page.unit);
        let at = |nth: usize| [x + 24.0 * unit, y + LINE * unit * nth as f32];
        let count = Grouped(count as u64).to_string();
        let near = 0.8 * (146.0 * unit - font::width(&count, size));
        for (nth, line) in lines.into_iter().enumerate() {
            let (colour, tight) = (self.palette.ink, font::width(&line, size) > near);
            let (anchor, words) = (Anchor::Start, line.into());
            let text = Text { at: at(nth), size, bold: false, anchor, colour, rim: None, words, tight };
            scene.items.push(Item::Text(text));
        }
        scene.text([x + 182.0 * unit, y], size, self.palette.faint, Anchor::End, count);
    }

    /// Writes the list entry that counts the entries without room.
    fn more(&self, scene: &mut Scene, [x, y]: [f32; 2], hidden: usize) {
        let (unit, words) = (self.page.unit, format!("and {} more", Grouped(hidden as u64)));
        scene.text([x + 24.0 * unit, y], 12.5 * unit, self.palette.faint, Anchor::Start, words);
    }

    fn key(&self, scene: &mut Scene, [x, y]: [f32; 2], last: f32, (key, ramp): (&Key, f32)) -> f32 {
        let unit = self.page.unit;
        match key {
            Key::None => y,
            Key::Ramp { low, high, beyond } => {
                self.heading(scene, [x, y], "height".to_owned());
                // Heights beyond the ramp are named above it, clear of a number at its end.
                let gap = if beyond[1] { 34.0 } else { 14.0 };
                let (top, high_px) = (y + gap * unit, ramp * unit);
                self.ramp(scene, [x, top], high_px);
                let metres = self.axes.metres_per_unit;
                let range = high - low;
                let mut tick = |value: f32, words: String| {
                    let share = if range > 0.0 { (high - value) / range } else { 0.5 };
                    let at = top + high_px * share;
                    let mut path = Path::default();
                    path.line([[x + 16.0 * unit, at], [x + 20.0 * unit, at]]);
                    scene.shape(path, Style::stroke(self.palette.faint, 1.0 * unit));
                    let place = [x + 25.0 * unit, at + 4.0 * unit];
                    scene.text(place, 12.0 * unit, self.palette.ink, Anchor::Start, words);
                    if (metres - 1.0).abs() > 1e-6 {
                        let words = format!("{} m", height_number(value * metres, range * metres));
                        let place = [x + 182.0 * unit, at + 4.0 * unit];
                        scene.text(place, 12.0 * unit, self.palette.faint, Anchor::End, words);
                    }
                };
                if range > 0.0 {
                    let step = round_up(f64::from(range / (9.0 * ramp / RAMP)));
                    multiples(f64::from(*low), f64::from(*high), step)
                        .map(|value| value as f32)
                        .for_each(|value| tick(value, height_number(value, range)));
                } else {
                    tick(*low, height_number(*low, range));
                }
                let mut note = |sign: char, value: f32, at: f32| {
                    let words = format!("{sign} {}", height_number(value, range));
                    let place = [x + 25.0 * unit, at];
                    scene.text(place, 11.0 * unit, self.palette.faint, Anchor::Start, words);
                };
                if beyond[1] {
                    note('\u{2265}', *high, top - 13.0 * unit);
                }
                if beyond[0] {
                    note('\u{2264}', *low, top + high_px + 20.0 * unit);
                }
                top + high_px + if beyond[0] { 38.0 } else { 26.0 } * unit
            }
            Key::Scale { title, low, high, log, beyond } => {
                self.heading(scene, [x, y], title.clone());
                let (top, high_px) = (y + 14.0 * unit, ramp * unit);
                self.ramp(scene, [x, top], high_px);
                // Half, so that the difference of any two is finite.
                let of = |value: f64| if *log { value.ln() } else { value / 2.0 };
                let range = of(*high) - of(*low);
                let steps = round_up((high - low) / 6.0);
                let between: Vec<f64> = match log {
                    true => decades(*low, *high),
                    false if range > 0.0 => multiples(*low, *high, steps).collect(),
                    false => Vec::new(),
                };
                let room = 13.0 * unit;
                let mut taken: Vec<f32> = Vec::new();
                for value in [*high, *low].into_iter().chain(between) {
                    let share = if range > 0.0 { (of(*high) - of(value)) / range } else { 0.0 };
                    let at = top + high_px * share as f32;
                    if taken.iter().any(|other| (other - at).abs() < room) {
                        continue;
                    }
                    taken.push(at);
                    let mut path = Path::default();
                    path.line([[x + 16.0 * unit, at], [x + 20.0 * unit, at]]);
                    scene.shape(path, Style::stroke(self.palette.faint, 1.0 * unit));
                    let sign = match (value == *low && beyond[0], value == *high && beyond[1]) {
                        (_, true) => "\u{2265} ",
                        (true, _) => "\u{2264} ",
                        _ => "",
                    };
                    let place = [x + 25.0 * unit, at + 4.0 * unit];
                    let words = format!("{sign}{}", quantity(value, high - low));
                    scene.text(place, 12.0 * unit, self.palette.ink, Anchor::Start, words);
                }
                top + high_px + 26.0 * unit
            }
            Key::Swatches { title, entries, more } => {
                self.heading(scene, [x, y], title.clone());
                let mut at = y + 22.0 * unit;
                let mut hidden = *more;
                let texts = told_apart(entries.iter().map(|(_, name, count)| self.lines(name, *count)));
                for (i, ((colour, _, count), lines)) in entries.iter().zip(texts).enumerate() {
                    let more = LINE * unit * lines.len().saturating_sub(1) as f32;
                    // The last line is reserved for the number of entries without room.
                    if at + more > last - ROW * unit {
                        hidden += entries.len() - i;
                        break;
                    }
                    let mut path = Path::default();
                    path.rect([x, at - 10.0 * unit, 16.0 * unit, 12.0 * unit]);
                    let stroke = Some((colour.lit(-0.35), 0.7 * unit));
                    scene.shape(path, Style { fill: Some(*colour), stroke, dash: None });
                    self.entry(scene, [x, at], lines, *count);
                    at += ROW * unit + more;
                }
                if hidden > 0 {
                    self.more(scene, [x, at], hidden);
                    at += ROW * unit;
                }
                at + 8.0 * unit
            }
        }
    }

    /// Draws the colours of the ramp, the highest on top.
    fn ramp(&self, scene: &mut Scene, [x, top]: [f32; 2], high: f32) {
        const STEPS: u8 = 44;
        let unit = self.page.unit;
        let share = high / f32::from(STEPS);
        for step in (0..STEPS).map(f32::from) {
            let mut path = Path::default();
            path.rect([x, top + share * step, 16.0 * unit, share + 0.6]);
            let colour = ramp(1.0 - (step + 0.5) / f32::from(STEPS));
            scene.items.push(Item::Shape(Shape { path, style: Style::fill(colour), tip: None }));
        }
    }

    fn samples(&self, scene: &mut Scene, [x, y]: [f32; 2], last: f32, samples: &[Sample]) {
        let unit = self.page.unit;
        let mut at = y;
        for (i, sample) in samples.iter().enumerate() {
            let left = samples.len() - i;
            // The last line is reserved for the number of entries without room.
            if at > last || (left > 1 && at > last - ROW * unit) {
                self.more(scene, [x, at], left);
                break;
            }
            sample.draw(scene, [x, at - 4.0 * unit], self.palette, unit);
            let lines = self.lines(&sample.name, sample.count);
            let more = LINE * unit * lines.len().saturating_sub(1) as f32;
            self.entry(scene, [x, at], lines, sample.count);
            at += ROW * unit + more;
        }
    }

    fn facts(&self, scene: &mut Scene, [x, y]: [f32; 2]) {
        let unit = self.page.unit;
        for (i, (name, value)) in self.facts.iter().enumerate() {
            let at = y + ROW * unit * i as f32;
            scene.text([x, at], 12.5 * unit, self.palette.faint, Anchor::Start, name.as_str());
            scene.text([x + 182.0 * unit, at], 12.5 * unit, self.palette.ink, Anchor::End, value.as_str());
        }
    }

    /// Draws a scale bar for a round number of metres, with the same length in file units.
    fn scale_bar(&self, scene: &mut Scene, [x, y]: [f32; 2]) {
        let unit = self.page.unit;
        let per_metre = self.view.scale / self.axes.metres_per_unit;
        let metres = round_down(f64::from(176.0 * unit / per_metre));
        let long = metres as f32 * per_metre;
        if !(long.is_finite() && long > 0.0) {
            return;
        }
        let mut path = Path::default();
        path.line([[x, y - 5.0 * unit], [x, y], [x + long, y], [x + long, y - 5.0 * unit]]);
        path.line([[x + long / 2.0, y - 3.0 * unit], [x + long / 2.0, y]]);
        scene.shape(path, Style::stroke(self.palette.ink, 1.4 * unit));
        let above = y - 10.0 * unit;
        scene.bold([x, above], 13.0 * unit, self.palette.ink, Anchor::Start, format!("{} m", short(metres)));
        if (self.axes.metres_per_unit - 1.0).abs() > 1e-6 {
            let units = metres / f64::from(self.axes.metres_per_unit);
            let units = if units < 10.0 { quantity(units, units) } else { short(units) };
            let place = [x + 182.0 * unit, above];
            scene.text(place, 12.0 * unit, self.palette.faint, Anchor::End, format!("{units} units"));
        }
    }

    /// Draws the compass. If the format defines north, the needle points there and is marked N. Otherwise it points up the page
    /// and is marked with the axis in that direction.
    fn compass(&self, scene: &mut Scene, [x, y]: [f32; 2]) {
        let unit = self.page.unit;
        let arm = 24.0 * unit;
        let mut ring = Path::default();
        ring.circle([x, y], arm);
        scene.shape(
            ring,
            Style { fill: Some(self.palette.map), ..Style::stroke(self.palette.frame, 1.0 * unit) },
        );
        let [dx, dy] = self.axes.north_on_page().unwrap_or([0.0, 1.0]);
        let at = |along: f32, aside: f32| {
            [x + (dx * along + dy * aside) * arm, y - (dy * along - dx * aside) * arm]
        };
        let mut half = Path::default();
        half.polygon([at(0.86, 0.0), at(-0.5, 0.4), at(-0.28, 0.0)]);
        scene.shape(half, Style::fill(self.palette.ink));
        let mut half = Path::default();
        half.polygon([at(0.86, 0.0), at(-0.5, -0.4), at(-0.28, 0.0)]);
        scene.shape(
            half,
            Style { fill: Some(self.palette.page), ..Style::stroke(self.palette.ink, 0.9 * unit) },
        );
        let (side, size) = (x + arm + 16.0 * unit, 12.5 * unit);
        let up = if self.axes.up == Up::Y { "\u{2212}z" } else { "+y" };
        let letter = [x, if dy < 0.0 { y + arm + 17.0 * unit } else { y - arm - 6.0 * unit }];
        let name = if self.axes.north.is_some() { "N" } else { up };
        scene.bold(letter, 14.0 * unit, self.palette.ink, Anchor::Middle, name);
        let words = format!("up is {up}, right is +x");
        let north = self.axes.north.map(|axis| format!("north of the engine is {}", signed(axis)));
        let middle = if north.is_some() { y - 4.0 * unit } else { y + 4.0 * unit };
        scene.text([side, middle], size, self.palette.faint, Anchor::Start, words);
        if let Some(words) = north {
            // As long as it is, it is written smaller rather than in two lines.
            let size = size.min(size * 126.0 * unit / font::width(&words, size));
            let (at, anchor, colour) = ([side, middle + LINE * unit], Anchor::Start, self.palette.faint);
            let (words, tight) = (words.into(), true);
            scene.items.push(Item::Text(Text {
                at,
                size,
                bold: false,
                anchor,
                colour,
                rim: None,
                words,
                tight,
            }));
        }
    }
}

/// An axis as people write it.
fn signed(axis: Axis) -> &'static str {
    match axis {
        Axis::PlusX => "+x",
        Axis::MinusX => "\u{2212}x",
        Axis::PlusY => "+y",
        Axis::MinusY => "\u{2212}y",
        Axis::PlusZ => "+z",
        Axis::MinusZ => "\u{2212}z",
    }
}
