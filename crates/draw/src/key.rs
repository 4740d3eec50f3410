//! The key: what the colours and the symbols of the map mean.

use super::column::{Column, LINE, RAMP, ROW};
use super::font;
use super::links::Sample;
use super::paint::Key;
use super::scale::Span;
use super::scene::{Anchor, Item, Path, Scene, Shape, Style, Text};
use super::ticks::{decades, multiples, round_up};
use super::words::{height_number, quantity, shortened, told_apart, wrapped};
use navmap_core::colour::{Colour, ramp};
use navmap_core::text::Grouped;

/// The most lines of a name in the key.
const MOST_LINES: usize = 4;

impl Column<'_> {
    /// The height of the whole key.
    pub(super) fn wanted(&self, keys: &[&Key], samples: &[Sample]) -> f32 {
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

    /// Draws a key from `at` down, with `ramp` for the height of a ramp. Returns where the next one begins.
    pub(super) fn key(&self, scene: &mut Scene, at: [f32; 2], last: f32, (key, ramp): (&Key, f32)) -> f32 {
        match key {
            Key::None => at[1],
            Key::Ramp { low, high, beyond } => self.heights(scene, at, ramp, ([*low, *high], *beyond)),
            Key::Scale { title, span } => {
                self.heading(scene, at, title.clone());
                self.values(scene, at, ramp, span)
            }
            Key::Swatches { title, entries, more } => {
                self.heading(scene, at, title.clone());
                self.swatches(scene, at, last, (entries, *more))
            }
        }
    }

    /// The ramp of heights, in file units on the left and in metres on the right.
    fn heights(
        &self,
        scene: &mut Scene,
        [x, y]: [f32; 2],
        ramp: f32,
        ([low, high], beyond): ([f32; 2], [bool; 2]),
    ) -> f32 {
        let unit = self.page.unit;
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
            self.tick(scene, [x, at], words);
            if (metres - 1.0).abs() > 1e-6 {
                let words = format!("{} m", height_number(value * metres, range * metres));
                let place = [x + 182.0 * unit, at + 4.0 * unit];
                scene.text(place, 12.0 * unit, self.palette.faint, Anchor::End, words);
            }
        };
        if range > 0.0 {
            let step = round_up(f64::from(range / (9.0 * ramp / RAMP)));
            multiples(f64::from(low), f64::from(high), step)
                .map(|value| value as f32)
                .for_each(|value| tick(value, height_number(value, range)));
        } else {
            tick(low, height_number(low, range));
        }
        let mut note = |sign: char, value: f32, at: f32| {
            let words = format!("{sign} {}", height_number(value, range));
            let place = [x + 25.0 * unit, at];
            scene.text(place, 11.0 * unit, self.palette.faint, Anchor::Start, words);
        };
        if beyond[1] {
            note('\u{2265}', high, top - 13.0 * unit);
        }
        if beyond[0] {
            note('\u{2264}', low, top + high_px + 20.0 * unit);
        }
        top + high_px + if beyond[0] { 38.0 } else { 26.0 } * unit
    }

    /// A ramp of values. Its ends are always marked, and the numbers between where there is room.
    fn values(&self, scene: &mut Scene, [x, y]: [f32; 2], ramp: f32, span: &Span) -> f32 {
        let unit = self.page.unit;
        let (top, high_px) = (y + 14.0 * unit, ramp * unit);
        self.ramp(scene, [x, top], high_px);
        let Span { low, high, beyond, .. } = *span;
        let room = 13.0 * unit;
        let mut taken: Vec<f32> = Vec::new();
        for value in [high, low].into_iter().chain(round_between(span)) {
            let at = top + high_px * span.below_top(value);
            if taken.iter().any(|other| (other - at).abs() < room) {
                continue;
            }
            taken.push(at);
            let sign = match (value == low && beyond[0], value == high && beyond[1]) {
                (_, true) => "\u{2265} ",
                (true, _) => "\u{2264} ",
                _ => "",
            };
            self.tick(scene, [x, at], format!("{sign}{}", quantity(value, high - low)));
        }
        top + high_px + 26.0 * unit
    }

    /// The number at a place beside a ramp, and the line to it.
    fn tick(&self, scene: &mut Scene, [x, at]: [f32; 2], words: String) {
        let unit = self.page.unit;
        let mut path = Path::default();
        path.line([[x + 16.0 * unit, at], [x + 20.0 * unit, at]]);
        scene.shape(path, Style::stroke(self.palette.faint, 1.0 * unit));
        let place = [x + 25.0 * unit, at + 4.0 * unit];
        scene.text(place, 12.0 * unit, self.palette.ink, Anchor::Start, words);
    }

    /// Classes with their colours, and how many have no room or no entry.
    fn swatches(
        &self,
        scene: &mut Scene,
        [x, y]: [f32; 2],
        last: f32,
        (entries, more): (&[(Colour, String, usize)], usize),
    ) -> f32 {
        let unit = self.page.unit;
        let mut at = y + 22.0 * unit;
        let mut hidden = more;
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

    pub(super) fn samples(&self, scene: &mut Scene, [x, y]: [f32; 2], last: f32, samples: &[Sample]) {
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
}

/// Round values between the ends of a scale.
fn round_between(span: &Span) -> Vec<f64> {
    let Span { low, high, log, .. } = *span;
    match log {
        true => decades(low, high),
        false if span.is_wide() => multiples(low, high, round_up((high - low) / 6.0)).collect(),
        false => Vec::new(),
    }
}
