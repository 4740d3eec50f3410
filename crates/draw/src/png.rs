//! Renders a scene as pixels.

use super::effort::{self, BATCH, MOST_FILLED};
use super::font::{self, Stroke};
use super::scene::{Anchor, Figure, Item, Path, Scene, Style, Text};
use navmap_core::colour::Colour;
use std::io::{self, Write};
use std::ops::Range;
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, PathBuilder, Pixmap, PixmapPaint, PremultipliedColorU8,
    StrokeDash, Transform,
};

/// Draws a scene.
///
/// # Errors
/// [`io::ErrorKind::InvalidInput`] if the page has no pixels or too many for memory, or if too much of it lies over each other.
pub(super) fn pixels(scene: &Scene) -> io::Result<Pixmap> {
    effort::hold(scene)?;
    band(scene, &scene.items, 0..scene.height as u32)
}

/// Draws some items of a scene, onto these rows of its pixels.
///
/// # Errors
/// [`io::ErrorKind::InvalidInput`] if the rows have no pixels or too many for memory.
pub(super) fn band(scene: &Scene, items: &[Item], rows: Range<u32>) -> io::Result<Pixmap> {
    let high = rows.end.saturating_sub(rows.start);
    let mut page = Pixmap::new(scene.width as u32, high).ok_or_else(too_large)?;
    page.fill(color(scene.page));
    let top = rows.start as f32;
    let mut clipped: Option<(Pixmap, [f32; 2])> = None;
    for item in items {
        let (onto, [x, y]) = match &mut clipped {
            Some((pixmap, corner)) => (pixmap, *corner),
            None => (&mut page, [0.0, top]),
        };
        let shift = Transform::from_translate(-x, -y);
        match item {
            Item::Shape(shape) => draw(onto, &shape.path, &shape.style, shift),
            Item::Text(text) => letter(onto, text, shift),
            Item::Clip([left, top, width, height]) => {
                clipped = Pixmap::new(*width as u32, *height as u32).map(|pixmap| (pixmap, [*left, *top]));
            }
            Item::Unclip => {
                if let Some((inside, [left, above])) = clipped.take() {
                    paste(&mut page, &inside, [left, above - top]);
                }
            }
        }
    }
    Ok(page)
}

fn too_large() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "a page of this size has no pixels, or too many")
}

/// Copies a picture onto a page, at whole pixels.
pub(super) fn paste(page: &mut Pixmap, picture: &Pixmap, [x, y]: [f32; 2]) {
    let paint = PixmapPaint::default();
    page.draw_pixmap(x as i32, y as i32, picture.as_ref(), &paint, Transform::identity(), None);
}

/// Bytes of a chunk of compressed pixels.
const CHUNK: usize = 64 << 10;

/// Writes a page of this width and height from the top down, band after band, without alpha (a page is opaque), with fast compression.
///
/// # Errors
/// Those of the bands and of `out`, and if the bands are not as high together as the page.
pub(super) fn encode(
    size: [u32; 2],
    out: &mut dyn Write,
    bands: impl IntoIterator<Item = io::Result<Pixmap>>,
) -> io::Result<()> {
    let mut noting = Noting { out, error: None };
    let done = encode_to(&mut noting, size, bands);
    match noting.error {
        Some(error) if done.is_err() => Err(error),
        _ => done,
    }
}

/// An output whose first error is kept as it came: the encoder makes a text of it, and who closed a pipe is told from a full disk.
struct Noting<'o> {
    out: &'o mut dyn Write,
    error: Option<io::Error>,
}

impl Noting<'_> {
    fn noted<T>(&mut self, done: io::Result<T>) -> io::Result<T> {
        done.map_err(|error| {
            let kind = error.kind();
            if kind != io::ErrorKind::Interrupted {
                self.error.get_or_insert(error);
            }
            kind.into()
        })
    }
}

impl Write for Noting<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let done = self.out.write(bytes);
        self.noted(done)
    }

    fn flush(&mut self) -> io::Result<()> {
        let done = self.out.flush();
        self.noted(done)
    }
}

fn encode_to(
    out: &mut Noting<'_>,
    [width, height]: [u32; 2],
    bands: impl IntoIterator<Item = io::Result<Pixmap>>,
) -> io::Result<()> {
    let mut encoder = png::Encoder::new(out, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    let mut writer = encoder.write_header()?;
    let mut stream = writer.stream_writer_with_size(CHUNK)?;
    let mut line = Vec::new();
    for band in bands {
        for row in band?.pixels().chunks(width as usize) {
            line.clear();
            line.extend(row.iter().flat_map(|p: &PremultipliedColorU8| [p.red(), p.green(), p.blue()]));
            stream.write_all(&line)?;
        }
    }
    stream.finish()?;
    Ok(writer.finish()?)
}

/// Writes a picture in one piece.
///
/// # Errors
/// Those of [`pixels`] and of `out`.
pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    let page = pixels(scene)?;
    encode([page.width(), page.height()], out, [Ok(page)])
}

fn color(c: Colour) -> Color {
    Color::from_rgba8(c.r, c.g, c.b, c.a)
}

fn paint(c: Colour) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(color(c));
    paint
}

fn pen(width: f32) -> tiny_skia::Stroke {
    tiny_skia::Stroke {
        width,
        line_cap: LineCap::Round,
        line_join: LineJoin::Round,
        ..tiny_skia::Stroke::default()
    }
}

/// Points of a path filled at a time. As many as possible, because the page shines through between two adjacent pieces.
const FILL_BATCH: usize = 8192;

/// The use of a path's points.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Fill,
    Stroke,
}

fn draw(onto: &mut Pixmap, path: &Path, style: &Style, shift: Transform) {
    if let Some(fill) = style.fill {
        outlines(path, Use::Fill, &mut |outline| {
            onto.fill_path(outline, &paint(fill), FillRule::Winding, shift, None);
        });
    }
    if let Some((stroke, width)) = style.stroke {
        let mut pen = pen(width);
        pen.dash = style.dash.and_then(|dash| StrokeDash::new(vec![dash, dash], 0.0));
        let lines = |onto: &mut Pixmap, stroke: Colour| {
            outlines(path, Use::Stroke, &mut |outline| {
                onto.stroke_path(outline, &paint(stroke), &pen, shift, None);
            });
        };
        let is_one = || {
            let mut pieces = 0_usize;
            outlines(path, Use::Stroke, &mut |_| pieces = pieces.saturating_add(1));
            pieces <= 1
        };
        if stroke.a == u8::MAX || is_one() {
            lines(onto, stroke);
        } else if let Some(mut layer) = Pixmap::new(onto.width(), onto.height()) {
            // The colour must not add up where pieces cross, so they are drawn opaque on their own layer, which is then laid over
            // the page.
            lines(&mut layer, Colour { a: u8::MAX, ..stroke });
            let faint = PixmapPaint { opacity: f32::from(stroke.a) / 255.0, ..PixmapPaint::default() };
            onto.draw_pixmap(0, 0, layer.as_ref(), &faint, Transform::identity(), None);
        }
    }
}

/// The figures of a path as outlines of bounded size, one at a time: a circle has many points. A single figure over that size is split
/// into pieces of its rim.
fn outlines(path: &Path, used: Use, each: &mut dyn FnMut(&tiny_skia::Path)) {
    let (most, longest) = if used == Use::Fill { (FILL_BATCH, MOST_FILLED) } else { (BATCH, BATCH) };
    let mut points_in = 0usize;
    let mut builder = PathBuilder::new();
    let mut end = |builder: PathBuilder| {
        if let Some(outline) = builder.finish() {
            each(&outline);
        }
    };
    for (figure, points) in path.iter() {
        // Points far off the page are invisible, and the rasteriser cannot handle arbitrary numbers.
        let near = |p: [f32; 2]| p.map(|v| v.clamp(-30_000.0, 30_000.0));
        let Some((&first, rest)) = points.split_first() else { continue };
        if points.len() > longest && figure != Figure::Circle {
            if used == Use::Stroke {
                let last = points.last().copied().filter(|_| figure == Figure::Polygon);
                let closing = last.map(|last| [last, first]);
                let lines = points.chunks(most).enumerate().map(|(i, chunk)| {
                    // Starts at the end of the previous chunk.
                    let before = i.checked_mul(most).and_then(|at| points.get(at.checked_sub(1)?));
                    (before.copied(), chunk)
                });
                for (before, line) in lines.chain(closing.as_ref().map(|line| (None, &line[..]))) {
                    let mut builder = PathBuilder::new();
                    for (i, point) in before.into_iter().chain(line.iter().copied()).enumerate() {
                        let [x, y] = near(point);
                        if i == 0 { builder.move_to(x, y) } else { builder.line_to(x, y) }
                    }
                    end(builder);
                }
            }
            continue;
        }
        if points_in >= most {
            end(std::mem::take(&mut builder));
            points_in = 0;
        }
        points_in = points_in.saturating_add(points.len());
        let [x, y] = near(first);
        if figure == Figure::Circle {
            let radius = rest.first().map_or(0.0, |rim| rim[0] - first[0]);
            builder.push_circle(x, y, radius.clamp(0.01, 30_000.0));
            continue;
        }
        builder.move_to(x, y);
        for &point in rest {
            let [x, y] = near(point);
            builder.line_to(x, y);
        }
        if figure == Figure::Polygon {
            builder.close();
        }
    }
    end(builder);
}

fn letter(onto: &mut Pixmap, text: &Text, shift: Transform) {
    let scale = text.size / font::UNITS;
    let width = font::width(&text.words, text.size);
    let left = text.at[0]
        - match text.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width / 2.0,
            Anchor::End => width,
        };
    let mut builder = PathBuilder::new();
    for (at, glyph) in font::set(&text.words) {
        let place = |p: [f32; 2]| [left + (at + p[0]) * scale, text.at[1] - p[1] * scale];
        glyph.strokes.iter().for_each(|stroke| trace(&mut builder, stroke, place));
    }
    let Some(outline) = builder.finish() else { return };
    let weight = text.size * if text.bold { 0.108 } else { 0.078 };
    if let Some(rim) = text.rim {
        onto.stroke_path(&outline, &paint(rim), &pen(weight + text.size * 0.22), shift, None);
    }
    onto.stroke_path(&outline, &paint(text.colour), &pen(weight), shift, None);
}

/// A stroke of a letter as a path: through the middle of each pair of points, bent towards the points themselves.
fn trace(builder: &mut PathBuilder, stroke: &Stroke, place: impl Fn([f32; 2]) -> [f32; 2]) {
    let middle = |a: [f32; 2], b: [f32; 2]| [f32::midpoint(a[0], b[0]), f32::midpoint(a[1], b[1])];
    let bend = |control: [f32; 2], end: [f32; 2]| {
        let ([cx, cy], [x, y]) = (place(control), place(end));
        (cx, cy, x, y)
    };
    match stroke {
        Stroke::Lines(points) => {
            for (i, &point) in points.iter().enumerate() {
                let [x, y] = place(point);
                if i == 0 { builder.move_to(x, y) } else { builder.line_to(x, y) }
            }
        }
        Stroke::Curve(points) => {
            let Some(&first) = points.first() else { return };
            let [x, y] = place(first);
            builder.move_to(x, y);
            for (i, triple) in points.windows(3).enumerate() {
                let end = if i + 3 == points.len() { triple[2] } else { middle(triple[1], triple[2]) };
                let (cx, cy, x, y) = bend(triple[1], end);
                builder.quad_to(cx, cy, x, y);
            }
        }
        Stroke::Closed(points) => {
            let (Some(&first), Some(&last)) = (points.first(), points.last()) else { return };
            let [x, y] = place(middle(last, first));
            builder.move_to(x, y);
            for (i, &point) in points.iter().enumerate() {
                let next = points.get(i + 1).copied().unwrap_or(first);
                let (cx, cy, x, y) = bend(point, middle(point, next));
                builder.quad_to(cx, cy, x, y);
            }
            builder.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(corners: usize) -> Vec<[f32; 2]> {
        let corner = |i| {
            let (y, x) = (i as f32).sin_cos();
            [x * 90.0, y * 90.0]
        };
        (0..corners).map(corner).collect()
    }

    fn all(path: &Path, used: Use) -> Vec<tiny_skia::Path> {
        let mut all = Vec::new();
        outlines(path, used, &mut |outline| all.push(outline.clone()));
        all
    }

    #[test]
    fn no_outline_has_more_points_than_a_batch_and_one_figure() {
        let mut path = Path::default();
        path.polygon(ring(100)).polygon(ring(50_000)).line(ring(3000));
        for _ in 0..3000 {
            path.rect([0.0, 0.0, 10.0, 10.0]);
        }
        for (used, most) in [(Use::Fill, FILL_BATCH), (Use::Stroke, BATCH)] {
            let outlines = all(&path, used);
            assert!(
                outlines.len() > 1 && outlines.iter().all(|outline| outline.points().len() <= most + 200)
            );
        }
    }

    #[test]
    fn the_rim_of_a_figure_that_is_taken_apart_has_no_gap() {
        let corners = ring(1300);
        let mut path = Path::default();
        path.polygon(corners.iter().copied());
        let outlines = all(&path, Use::Stroke);
        let ends: Vec<_> = outlines.iter().map(|o| (o.points()[0], *o.points().last().unwrap())).collect();
        assert_eq!(outlines.iter().map(|outline| outline.points().len() - 1).sum::<usize>(), corners.len());
        assert!(ends.windows(2).all(|pair| pair[0].1 == pair[1].0));
        assert_eq!(ends.first().unwrap().0, ends.last().unwrap().1);
    }
}
