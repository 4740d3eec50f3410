//! Draws what stands beside the map: compass, key, facts, scale bar.

use super::font;
use super::frame::Page;
use super::links::Sample;
use super::paint::Key;
use super::scene::{Anchor, Item, Path, Scene, Style, Text};
use super::theme::Palette;
use super::ticks::round_down;
use super::view::View;
use super::words::{quantity, short};
use navmap_core::graph::{Axes, Axis, Up};

/// What stands above the key, and below it: the compass; the scale bar with air.
const ABOVE: f32 = 112.0;
const BELOW: f32 = 70.0;
/// The height of an entry of a list.
pub(super) const ROW: f32 = 19.0;
/// The distance between the lines of an entry.
pub(super) const LINE: f32 = 14.5;
/// The length of the ramp of a key, and the least that it has on a low page.
pub(super) const RAMP: f32 = 132.0;
const LOW_RAMP: f32 = 40.0;

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
