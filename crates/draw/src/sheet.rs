//! Contact sheets: many meshes per page, on as many pages as necessary.

use super::options::DrawOptions;
use super::paint::Key;
use super::scene::{Anchor, Item, Path, Scene, Shape, Style};
use super::theme::Palette;
use super::thumbnail::{LINES, Thumbnail, size_unit};
use super::{Caption, effort, font, png, svg, words};
use navmap_core::colour::{Colour, ramp};
use navmap_core::text::Grouped;
use navmap_core::threads::spread;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, Write};
use std::ops::Range;

/// Thumbnails in rows: one page.
#[derive(Debug, Clone)]
pub struct Sheet {
    title: String,
    columns: usize,
    palette: Palette,
    thumbnails: Vec<Thumbnail>,
    /// The name of each thumbnail on this sheet.
    names: Vec<String>,
}

/// The numbers of thumbnails side by side and below each other on a page. An unset number is derived from the number of maps, so
/// that the page is at most 6,000 pixels wide and high.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Grid {
    /// Thumbnails in a row.
    pub columns: Option<u16>,
    /// Rows of a page.
    pub rows: Option<u16>,
}

const GAP: f32 = 18.0;
/// Height above the first row, for the title and a line of the key.
const TITLE: f32 = 64.0;
const KEY_LINE: f32 = 22.0;
/// The largest page without a given size. Image viewers begin to fail far above it.
const MOST_PIXELS: f32 = 6_000.0;
/// The most parts of a path compared to distinguish two maps with the same title.
const MOST_PARTS: usize = 16;

impl Grid {
    /// Columns and rows for thumbnails of this size.
    fn size(self, maps: usize, thumbnail: f32) -> [usize; 2] {
        let unit = size_unit(thumbnail);
        let gap = (GAP * unit).ceil();
        let fitting =
            |side: f32| ((MOST_PIXELS - (TITLE + KEY_LINE) * unit) / (side + gap)).max(1.0) as usize;
        let wanted = (maps as f64 * 1.3).sqrt().ceil() as usize;
        let columns = self.columns.map_or_else(|| wanted.min(fitting(thumbnail)), usize::from);
        let rows = self.rows.map_or_else(|| fitting(thumbnail + (LINES * unit).ceil()), usize::from);
        [columns.clamp(1, maps.max(1)), rows.max(1)]
    }
}

impl Sheet {
    /// Makes one page of thumbnails of equal size, in this order, `columns` in a row.
    pub fn new(
        title: impl Into<String>,
        columns: usize,
        options: &DrawOptions,
        thumbnails: Vec<Thumbnail>,
    ) -> Self {
        let names = told_apart(thumbnails.iter().map(|thumbnail| &thumbnail.caption));
        Self {
            title: title.into(),
            columns: columns.clamp(1, thumbnails.len().max(1)),
            palette: options.theme.palette(),
            thumbnails,
            names,
        }
    }

    /// Puts thumbnails of equal size, in this order, on as many pages as the grid needs, at least one. With several pages, each
    /// title has the page number.
    pub fn pages(
        title: &str,
        grid: Grid,
        options: &DrawOptions,
        mut thumbnails: Vec<Thumbnail>,
    ) -> Vec<Self> {
        let size = thumbnails.first().map_or(280.0, |thumbnail| thumbnail.scene.width);
        let [columns, rows] = grid.size(thumbnails.len(), size);
        let mut names = told_apart(thumbnails.iter().map(|thumbnail| &thumbnail.caption));
        let on_a_page = columns.saturating_mul(rows);
        let pages = thumbnails.len().div_ceil(on_a_page).max(1);
        let page = |nth: usize| {
            let rest = on_a_page.min(thumbnails.len());
            let own: Vec<Thumbnail> = thumbnails.drain(..rest).collect();
            let title = match pages {
                1 => title.to_owned(),
                _ => format!("{title}, page {} of {pages}", nth + 1),
            };
            let names = names.drain(..rest).collect();
            Self { names, ..Self::new(title, columns, options, own) }
        };
        (0..pages).map(page).collect()
    }

    /// The side of a thumbnail, so that so many in a row fill a page of this width.
    pub(super) fn side(width: u32, columns: usize) -> u32 {
        let columns = columns.max(1) as f32;
        (width as f32 / (columns + (columns + 1.0) * GAP / 280.0)) as u32
    }

    /// The page without its thumbnails, and where they lie.
    fn layout(&self) -> Layout {
        let size = self.thumbnails.first().map_or(280.0, |thumbnail| thumbnail.scene.width);
        let unit = size_unit(size);
        let gap = (GAP * unit).ceil();
        let width = gap + self.columns as f32 * (size + gap);
        let samples = self.key();
        let key_lines = Self::place_key(&samples, [gap, width - gap], unit);
        let lines = key_lines.last().map_or(0.0, |[_, line]| line + 1.0);
        let head = ((TITLE + KEY_LINE * lines) * unit).ceil();
        let high = size + (LINES * unit).ceil();
        let place = |i: usize| {
            let (column, row) = ((i % self.columns) as f32, (i / self.columns) as f32);
            [gap + column * (size + gap), head + row * (high + gap)]
        };
        let rows = self.thumbnails.len().div_ceil(self.columns) as f32;
        let height = head + rows * (high + gap);
        let mut scene = Scene::new(width.max(64.0), height.max(64.0), self.palette.page);
        let letters = 24.0 * unit;
        let title = words::shortened(&self.title, letters, width - 2.0 * gap);
        scene.bold([gap, 42.0 * unit], letters, self.palette.ink, Anchor::Start, title);
        for (sample, [x, line]) in samples.iter().zip(key_lines) {
            sample.draw(&mut scene, [x, (66.0 + KEY_LINE * line) * unit], unit, &self.palette);
        }
        let places: Vec<[f32; 2]> = (0..self.thumbnails.len()).map(place).collect();
        let mut firsts = Vec::with_capacity(places.len() + 1);
        for ((thumbnail, name), [x, y]) in self.thumbnails.iter().zip(&self.names).zip(&places) {
            firsts.push(scene.items.len());
            thumbnail.lines(&mut scene, [*x, y + size], name, &self.palette);
        }
        firsts.push(scene.items.len());
        Layout { page: scene, places, firsts }
    }

    /// The key of colours with the same meaning on all maps. Classes that differ between maps are in no key.
    fn key(&self) -> Vec<Entry> {
        let mut entries = Vec::new();
        if let Some(words) = self.one_scale() {
            entries.push(Entry { colour: None, words });
        } else if self
            .thumbnails
            .iter()
            .any(|thumbnail| matches!(thumbnail.key, Key::Ramp { .. } | Key::Scale { .. }))
        {
            entries.push(Entry { colour: None, words: "low to high on each map".to_owned() });
        }
        let mut flags: BTreeMap<usize, (Colour, &str, usize)> = BTreeMap::new();
        for (order, (colour, name, count)) in self.thumbnails.iter().flat_map(|thumbnail| &thumbnail.flags) {
            flags.entry(*order).or_insert((*colour, name, 0)).2 += count;
        }
        entries.extend(flags.into_values().map(|(colour, name, count)| Entry {
            colour: Some(colour),
            words: format!("{name} {}", Grouped(count as u64)),
        }));
        entries
    }

    /// The scale of points that all maps of several share.
    fn one_scale(&self) -> Option<String> {
        let mut keys = self.thumbnails.iter().map(|thumbnail| &thumbnail.key).filter_map(Key::ends);
        let first = keys.next()?;
        (self.thumbnails.len() > 1 && keys.all(|other| other == first)).then(|| {
            let (title, [low, high], log) = first;
            let by_ratio = if log { ", by ratios" } else { "" };
            let [low, high] = [low, high].map(|end| words::quantity(end, high - low));
            format!("{title} {low} to {high}{by_ratio}")
        })
    }

    /// Left end and line of each entry of the key, with as many per line as fit.
    fn place_key(entries: &[Entry], [left, right]: [f32; 2], unit: f32) -> Vec<[f32; 2]> {
        let (mut x, mut line) = (left, 0.0);
        let place = |entry: &Entry| {
            let wide = entry.width(unit);
            if x > left && x + wide > right {
                (x, line) = (left, line + 1.0);
            }
            let at = [x, line];
            x += wide + 22.0 * unit;
            at
        };
        entries.iter().map(place).collect()
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.layout().size()
    }

    /// Writes the page as SVG.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_svg(&self, out: &mut dyn Write) -> io::Result<()> {
        let Layout { page, places, .. } = self.layout();
        let thumbnails = places.into_iter().zip(self.thumbnails.iter().map(|thumbnail| &thumbnail.scene));
        let scenes: Vec<_> = std::iter::once(([0.0, 0.0], &page)).chain(thumbnails).collect();
        svg::write(out, [page.width, page.height], page.page, &scenes, &self.title, None)
    }

    /// Writes the page as PNG, some rows of thumbnails at a time: a page of thousands takes no more memory than these.
    ///
    /// # Errors
    /// Those of `out`; [`io::ErrorKind::InvalidInput`] for a page that is too large, or a thumbnail on which too much lies over
    /// each other.
    pub fn write_png(&self, out: &mut dyn Write) -> io::Result<()> {
        let layout = self.layout();
        effort::hold(&layout.page)?;
        self.thumbnails.iter().try_for_each(|thumbnail| effort::hold(&thumbnail.scene))?;
        let at_once = AT_ONCE.div_ceil(self.columns).saturating_mul(self.columns);
        let bands = (0..self.thumbnails.len()).step_by(at_once).map(|first| {
            let last = first.saturating_add(at_once).min(self.thumbnails.len());
            let (mut band, top) = layout.band(first..last)?;
            let pictures = Self::each_pixels(&self.thumbnails[first..last]);
            for (picture, [x, y]) in pictures.into_iter().zip(&layout.places[first..last]) {
                png::paste(&mut band, &picture?, [*x, y - top]);
            }
            Ok(band)
        });
        png::encode(layout.size(), out, std::iter::once(layout.head()).chain(bands))
    }

    fn each_pixels(thumbnails: &[Thumbnail]) -> Vec<io::Result<tiny_skia::Pixmap>> {
        use rayon::prelude::*;
        spread(|| thumbnails.par_iter().map(|thumbnail| png::pixels(&thumbnail.scene)).collect())
    }
}

/// Thumbnails that are drawn at a time, in whole rows: enough for all cores.
const AT_ONCE: usize = 32;

/// A page without its thumbnails.
struct Layout {
    page: Scene,
    /// Where each thumbnail lies.
    places: Vec<[f32; 2]>,
    /// The first item of each thumbnail's lines, and the end of the last one's. What comes before is the head.
    firsts: Vec<usize>,
}

impl Layout {
    fn size(&self) -> [u32; 2] {
        [self.page.width as u32, self.page.height as u32]
    }

    /// The row of pixels at which a thumbnail begins; for what is behind the last one, the end of the page.
    fn top(&self, thumbnail: usize) -> u32 {
        self.places.get(thumbnail).map_or(self.page.height as u32, |[_, y]| *y as u32)
    }

    fn head(&self) -> io::Result<tiny_skia::Pixmap> {
        png::band(&self.page, &self.page.items[..self.firsts[0]], 0..self.top(0))
    }

    /// The lines of thumbnails that fill whole rows of the page, and where these rows begin.
    fn band(&self, thumbnails: Range<usize>) -> io::Result<(tiny_skia::Pixmap, f32)> {
        let rows = self.top(thumbnails.start)..self.top(thumbnails.end);
        let top = rows.start as f32;
        let items = &self.page.items[self.firsts[thumbnails.start]..self.firsts[thumbnails.end]];
        Ok((png::band(&self.page, items, rows)?, top))
    }
}

/// An entry of the key: a colour or the ramp of heights, and its meaning.
struct Entry {
    colour: Option<Colour>,
    words: String,
}

impl Entry {
    const SIZE: f32 = 13.0;

    /// Width of the sample. A ramp needs more.
    fn sample(&self) -> f32 {
        if self.colour.is_some() { 16.0 } else { 110.0 }
    }

    fn width(&self, unit: f32) -> f32 {
        (self.sample() + 8.0) * unit + font::width(&self.words, Self::SIZE * unit)
    }

    fn draw(&self, scene: &mut Scene, [x, y]: [f32; 2], unit: f32, palette: &Palette) {
        let (top, high) = (y - 10.5 * unit, 12.0 * unit);
        let mut block = |left: f32, wide: f32, style: Style| {
            let mut path = Path::default();
            path.rect([left, top, wide, high]);
            scene.items.push(Item::Shape(Shape { path, style, tip: None }));
        };
        match self.colour {
            Some(colour) => {
                let stroke = Some((colour.lit(-0.35), 0.7 * unit));
                block(x, self.sample() * unit, Style { fill: Some(colour), stroke, dash: None });
            }
            None => {
                const STEPS: u8 = 44;
                let wide = self.sample() * unit / f32::from(STEPS);
                for step in (0..STEPS).map(f32::from) {
                    let colour = ramp((step + 0.5) / f32::from(STEPS));
                    block(x + step * wide, wide + 0.6, Style::fill(colour));
                }
            }
        }
        let place = [x + (self.sample() + 8.0) * unit, y];
        scene.text(place, Self::SIZE * unit, palette.ink, Anchor::Start, self.words.as_str());
    }
}

/// Names the maps by their titles. Equal titles get as much of the end of their paths as distinguishes them, or numbers if the
/// paths are equal too.
fn told_apart<'c>(captions: impl Iterator<Item = &'c Caption>) -> Vec<String> {
    let captions: Vec<&Caption> = captions.collect();
    let mut of_title: HashMap<&str, Vec<usize>> = HashMap::new();
    for (nth, caption) in captions.iter().enumerate() {
        of_title.entry(&caption.title).or_default().push(nth);
    }
    let mut names: Vec<String> = captions.iter().map(|caption| caption.title.clone()).collect();
    for same in of_title.into_values().filter(|same| same.len() > 1) {
        let origins = || same.iter().map(|nth| captions[*nth].origin.as_str());
        let tells =
            |parts: &usize| origins().map(|o| tail(o, *parts)).collect::<HashSet<_>>().len() == same.len();
        let parts = (1..=MOST_PARTS).find(tells);
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for (nth, origin) in same.iter().zip(origins()) {
            let name = &mut names[*nth];
            match parts {
                Some(parts) => *name = tail(origin, parts).to_owned(),
                None => {
                    let times = seen.entry(origin).or_default();
                    *times += 1;
                    if !origin.is_empty() {
                        origin.clone_into(name);
                    }
                    if *times > 1 {
                        name.push_str(&format!(" ({times})"));
                    }
                }
            }
        }
    }
    names
}

/// The last parts of a path.
fn tail(path: &str, parts: usize) -> &str {
    let cut = path.rmatch_indices(['/', '!']).nth(parts.saturating_sub(1));
    cut.map_or(path, |(at, _)| path.get(at + 1..).unwrap_or(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(maps: &[(&str, &str)]) -> Vec<String> {
        let caption = |(title, origin): &(&str, &str)| Caption {
            title: (*title).to_owned(),
            origin: (*origin).to_owned(),
            ..Caption::default()
        };
        told_apart(maps.iter().map(caption).collect::<Vec<_>>().iter())
    }

    #[test]
    fn maps_of_one_name_are_told_apart_by_where_they_lie() {
        let maps = [("dust", "old/dust.nav"), ("aztec", "old/aztec.nav"), ("dust", "new/dust.nav")];
        assert_eq!(named(&maps), ["old/dust.nav", "aztec", "new/dust.nav"]);
        assert_eq!(named(&[("dm1", "a/dm1.nav"), ("dm1", "a/dm1.navjson")]), ["dm1.nav", "dm1.navjson"]);
        let packed = [("dust", "a.vpk!maps/dust.nav"), ("dust", "b.vpk!maps/dust.nav")];
        assert_eq!(named(&packed), ["a.vpk!maps/dust.nav", "b.vpk!maps/dust.nav"]);
        assert_eq!(named(&[("cell", ""), ("cell", ""), ("cell", "")]), ["cell", "cell (2)", "cell (3)"]);
        let twice = [("x", "p/x.nav"), ("x", "p/x.nav"), ("x", "q/x.nav")];
        assert_eq!(named(&twice), ["p/x.nav", "p/x.nav (2)", "q/x.nav"]);
    }

    #[test]
    fn a_page_drawn_in_bands_is_the_page_drawn_in_one_piece() {
        let options = DrawOptions::default();
        for (maps, columns) in [(0, 1), (1, 1), (70, 3), (40, 40), (64, 32)] {
            let failed = |nth: usize| {
                let caption = Caption { title: format!("map {nth}"), ..Caption::default() };
                Thumbnail::failed(&Caption { error: Some("cut short".to_owned()), ..caption }, 48, &options)
            };
            let sheet = Sheet::new("Maps", columns, &options, (0..maps).map(failed).collect());
            let mut bytes = Vec::new();
            sheet.write_png(&mut bytes).unwrap();
            let mut reader = ::png::Decoder::new(io::Cursor::new(bytes)).read_info().unwrap();
            let mut banded = vec![0; reader.output_buffer_size().unwrap()];
            let info = reader.next_frame(&mut banded).unwrap();
            let layout = sheet.layout();
            let mut whole = png::pixels(&layout.page).unwrap();
            for (thumbnail, place) in sheet.thumbnails.iter().zip(layout.places) {
                png::paste(&mut whole, &png::pixels(&thumbnail.scene).unwrap(), place);
            }
            assert_eq!([info.width, info.height], [whole.width(), whole.height()]);
            let whole: Vec<u8> = whole.pixels().iter().flat_map(|p| [p.red(), p.green(), p.blue()]).collect();
            // A line between two pixels may be rounded to the other.
            let apart: Vec<u8> = whole.iter().zip(&banded).map(|(a, b)| a.abs_diff(*b)).collect();
            let (most, other) = (apart.iter().max(), apart.iter().filter(|apart| **apart > 0).count());
            let same = whole.len() == banded.len() && *most.unwrap() <= 64 && other * 500 <= whole.len();
            assert!(same, "{maps} maps in {columns} columns: {other} bytes by {most:?} at most");
        }
    }

    #[test]
    fn a_page_stays_small_unless_it_is_told_how_large() {
        let [columns, rows] = Grid::default().size(10_000, 320.0);
        let high = rows as f32 * (320.0 + (LINES + GAP) * 320.0 / 280.0) + (TITLE + KEY_LINE) * 320.0 / 280.0;
        assert!(
            columns as f32 * 341.0 < 6_000.0 && high < 6_000.0 && columns * rows > 150,
            "{columns} {rows}"
        );
        assert_eq!(Grid { columns: Some(3), rows: Some(2) }.size(100, 320.0), [3, 2]);
        assert_eq!(Grid::default().size(4, 4_096.0), [1, 1]);
        assert_eq!(Grid { columns: Some(0), rows: Some(0) }.size(0, 32.0), [1, 1]);
    }
}
