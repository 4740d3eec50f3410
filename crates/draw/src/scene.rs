//! The shapes and words of a page in drawing order. The two back ends render only this.

use navmap_core::colour::Colour;

/// A page.
#[derive(Debug, Clone)]
pub(super) struct Scene {
    pub(super) width: f32,
    pub(super) height: f32,
    pub(super) page: Colour,
    pub(super) items: Vec<Item>,
    /// Whether shapes refer to their node, for tooltips.
    pub(super) tips: bool,
}

/// One element of the page.
#[derive(Debug, Clone)]
pub(super) enum Item {
    Shape(Shape),
    Text(Text),
    /// Clips the following items to this rectangle (left, top, width, height; whole pixels).
    Clip([f32; 4]),
    /// Ends the clipping.
    Unclip,
}

/// A path with a style.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    pub(super) path: Path,
    pub(super) style: Style,
    /// The node of its tooltip (SVG).
    pub(super) tip: Option<u32>,
}

/// Fill and stroke.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Style {
    pub(super) fill: Option<Colour>,
    pub(super) stroke: Option<(Colour, f32)>,
    /// Length of dashes and gaps.
    pub(super) dash: Option<f32>,
}

impl Style {
    pub(super) fn fill(colour: Colour) -> Self {
        Self { fill: Some(colour), stroke: None, dash: None }
    }

    pub(super) fn stroke(colour: Colour, width: f32) -> Self {
        Self { fill: None, stroke: Some((colour, width)), dash: None }
    }
}

/// Figures, each a list of points.
#[derive(Debug, Clone, Default)]
pub(super) struct Path {
    points: Vec<[f32; 2]>,
    /// The only figure. A page may have a path for every node.
    only: Option<Drawn>,
    /// All of several.
    figures: Vec<Drawn>,
}

/// A figure and its number of points, in one number: a page may have one for each link of a mesh.
#[derive(Debug, Clone, Copy)]
struct Drawn(u32);

impl Drawn {
    fn new(figure: Figure, points: usize) -> Self {
        Self((points as u32) << 2 | figure as u32)
    }

    fn parts(self) -> (Figure, usize) {
        let figure = match self.0 & 3 {
            0 => Figure::Line,
            1 => Figure::Polygon,
            _ => Figure::Circle,
        };
        (figure, (self.0 >> 2) as usize)
    }
}

/// The way the points of a figure are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Figure {
    Line,
    Polygon,
    /// Two points: the center, and one to its right on the rim.
    Circle,
}

impl Path {
    fn add(&mut self, figure: Figure, points: impl IntoIterator<Item = [f32; 2]>) -> &mut Self {
        let before = self.points.len();
        self.points.extend(points);
        let drawn = Drawn::new(figure, self.points.len() - before);
        if self.is_empty() {
            self.only = Some(drawn);
        } else {
            self.figures.extend(self.only.take());
            self.figures.push(drawn);
        }
        self
    }

    pub(super) fn polygon(&mut self, points: impl IntoIterator<Item = [f32; 2]>) -> &mut Self {
        self.add(Figure::Polygon, points)
    }

    pub(super) fn line(&mut self, points: impl IntoIterator<Item = [f32; 2]>) -> &mut Self {
        self.add(Figure::Line, points)
    }

    /// Adds pieces as lines. A piece that begins at the end of the last one continues its line.
    pub(super) fn pieces(&mut self, pieces: &[[[f32; 2]; 2]]) {
        for run in pieces.chunk_by(|before, next| before[1] == next[0]) {
            self.line(run.first().map(|piece| piece[0]).into_iter().chain(run.iter().map(|piece| piece[1])));
        }
    }

    pub(super) fn circle(&mut self, [x, y]: [f32; 2], radius: f32) -> &mut Self {
        self.add(Figure::Circle, [[x, y], [x + radius, y]])
    }

    pub(super) fn rect(&mut self, [left, top, width, height]: [f32; 4]) -> &mut Self {
        let (right, bottom) = (left + width, top + height);
        self.polygon([[left, top], [right, top], [right, bottom], [left, bottom]])
    }

    /// The number of figures.
    pub(super) fn len(&self) -> usize {
        self.figures.len() + usize::from(self.only.is_some())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Gives back the room for more points: a page may have a path for every node.
    pub(super) fn shrink(&mut self) {
        self.points.shrink_to_fit();
        self.figures.shrink_to_fit();
    }

    /// Figures with their points.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Figure, &[[f32; 2]])> {
        let mut rest = self.points.as_slice();
        self.only.iter().chain(&self.figures).map(move |drawn| {
            let (figure, len) = drawn.parts();
            let (points, after) = rest.split_at(len);
            rest = after;
            (figure, points)
        })
    }
}

/// A line of words.
#[derive(Debug, Clone)]
pub(super) struct Text {
    /// On the base line.
    pub(super) at: [f32; 2],
    /// Font size, the height of the type.
    pub(super) size: f32,
    pub(super) bold: bool,
    pub(super) anchor: Anchor,
    pub(super) colour: Colour,
    /// The colour of a rim around the letters, which makes them readable over anything.
    pub(super) rim: Option<Colour>,
    pub(super) words: Box<str>,
    /// Whether something stands so close behind that the words must not be wider than reckoned, whatever the font.
    pub(super) tight: bool,
}

/// The part of the words that is placed at the point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Scene {
    pub(super) fn new(width: f32, height: f32, page: Colour) -> Self {
        Self { width, height, page, items: Vec::new(), tips: false }
    }

    pub(super) fn shape(&mut self, mut path: Path, style: Style) {
        if !path.is_empty() {
            path.shrink();
            self.items.push(Item::Shape(Shape { path, style, tip: None }));
        }
    }

    pub(super) fn text(
        &mut self,
        at: [f32; 2],
        size: f32,
        colour: Colour,
        anchor: Anchor,
        words: impl Into<Box<str>>,
    ) {
        let words = words.into();
        self.items.push(Item::Text(Text {
            at,
            size,
            bold: false,
            anchor,
            colour,
            rim: None,
            words,
            tight: false,
        }));
    }

    pub(super) fn bold(
        &mut self,
        at: [f32; 2],
        size: f32,
        colour: Colour,
        anchor: Anchor,
        words: impl Into<Box<str>>,
    ) {
        self.text(at, size, colour, anchor, words);
        if let Some(Item::Text(text)) = self.items.last_mut() {
            text.bold = true;
        }
    }
}
