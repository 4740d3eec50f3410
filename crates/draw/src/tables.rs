//! What a picture's colours, classes and ceilings are, for renderers other than those of this crate.
//!
//! There is one table of them. The pictures are drawn from it too, so a renderer that takes its colours from here shows what a
//! picture of the same mesh shows.

use super::ceiling::{self, Ceilings};
use super::heat::Heat;
use super::options::{ColourBy, Layers};
use super::paint::{self, Key};
use super::scale::ink;
use super::theme::Theme;
use super::{heights, links};
use navmap_core::colour::Colour;
use navmap_core::graph::{FlatGraph, LinkKind, MarkKind, Point};

/// The class and colour of each node, and the key to them.
#[derive(Debug, Clone, PartialEq)]
pub struct Colouring {
    /// For each node, the number of its class.
    pub classes: Vec<u32>,
    /// For each class, its colour: red, green, blue.
    pub inks: Vec<[u8; 3]>,
    /// The title of the key; empty if the key is a ramp of heights or there is nothing to explain.
    pub title: String,
    /// The ramp of heights or of values, if that is what colours mean.
    pub ramp: Option<Ramp>,
    /// The classes that the key names.
    pub entries: Vec<Entry>,
    /// How many further classes there are.
    pub more: usize,
}

/// A ramp of heights or of values. Its steps are the classes in order, without the last one, which is for nodes without one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ramp {
    /// The height or value at its lower end; heights are in file units.
    pub low: f64,
    /// That at its upper end.
    pub high: f64,
}

/// A class in the key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its number.
    pub class: u32,
    /// Its name.
    pub name: String,
    /// The number of shown nodes in it.
    pub nodes: usize,
}

impl Colouring {
    /// The colours of a whole mesh. Nodes of lifted ceilings have colours but are not counted, as on a picture.
    ///
    /// Linear in nodes, and in links for islands.
    pub fn of(graph: &FlatGraph, by: &ColourBy, theme: Theme, lifted: &Lifted) -> Self {
        let mut heights = heights(graph, None);
        for node in lifted.ceilings.iter().flat_map(|(_, nodes)| nodes) {
            if let Some(height) = heights.get_mut(*node as usize) {
                *height = None;
            }
        }
        Self::of_painting(paint::paint(graph, &heights, by, &theme.palette()))
    }

    /// The colours of a value for each node, along the ramp of heights. A node without a finite value is plain, and the key names such
    /// nodes if there are any.
    ///
    /// A few values far from all others do not use up the colours of the rest. Sorts the values.
    pub fn of_values(values: &[Option<f32>], title: &str, without: &str, theme: Theme) -> Self {
        let finite: Vec<Option<f32>> =
            values.iter().map(|value| value.filter(|value| value.is_finite())).collect();
        let mut colouring = Self::of_painting(paint::along_ramp(&finite, &theme.palette()));
        title.clone_into(&mut colouring.title);
        let nodes = finite.iter().filter(|value| value.is_none()).count();
        if nodes > 0 {
            let class = colouring.inks.len().saturating_sub(1) as u32;
            colouring.entries.push(Entry { class, name: without.to_owned(), nodes });
        }
        colouring
    }

    /// The colours of nodes by the points in them, as on a picture; `None` if the points are not shown by node. Linear in nodes and points.
    pub fn of_heat(heat: &Heat, nodes: usize, theme: Theme) -> Option<Self> {
        heat.paint(nodes, &theme.palette()).map(Self::of_painting)
    }

    fn of_painting(painting: paint::Painting) -> Self {
        let (mut title, mut ramp, mut more, mut named) = (String::new(), None, 0, Vec::new());
        match painting.key {
            Key::None => {}
            Key::Ramp { low, high, .. } => ramp = Some(Ramp { low: low.into(), high: high.into() }),
            Key::Scale { title: words, span } => {
                (title, ramp) = (words, Some(Ramp { low: span.low, high: span.high }));
            }
            Key::Swatches { title: words, entries, more: others } => {
                (title, more) = (words, others);
                let classes = painting.entries.into_iter().zip(entries);
                named = classes.map(|(class, (_, name, nodes))| Entry { class, name, nodes }).collect();
            }
        }
        let inks = painting.inks.into_iter().map(rgb).collect();
        Self { classes: painting.classes, inks, title, ramp, entries: named, more }
    }
}

/// Points over a mesh as dots.
#[derive(Debug, Clone, PartialEq)]
pub struct Dots {
    /// Where they are, in file units, with their colours; without, they have the colour of ways.
    pub dots: Vec<(Point, Option<[u8; 3]>)>,
    /// The ramp of their values, if they have any.
    pub ramp: Option<Ramp>,
}

impl Dots {
    /// The points as a picture shows them, if it shows them as dots: those that are finite and have a colour. Linear in the points.
    pub fn of(heat: &Heat) -> Option<Self> {
        let (dots, span) = heat.steps()?;
        let dots = dots.into_iter().map(|(at, step)| (at, span.map(|_| rgb(ink(step))))).collect();
        Some(Self { dots, ramp: span.map(|span| Ramp { low: span.low, high: span.high }) })
    }
}

/// The ceilings that a picture lifts off a mesh: islands that would hide most of it.
#[derive(Debug, Clone, Default)]
pub struct Lifted {
    /// What the key calls each ceiling, and its nodes in order.
    pub ceilings: Vec<(String, Vec<u32>)>,
    /// The number of nodes of islands that hide the rest but are most of the mesh, and so stay.
    pub kept: usize,
}

impl Lifted {
    /// The ceilings of a whole mesh. Linear in nodes and links.
    pub fn of(graph: &FlatGraph) -> Self {
        let found = Ceilings::lift(graph, &mut heights(graph, None), Layers::NONE);
        let ceilings = found.found.into_iter().map(|(ceiling, nodes)| (ceiling::name(&ceiling), nodes));
        Self { ceilings: ceilings.collect(), kept: found.kept }
    }
}

/// The colours of a theme besides those of classes: red, green, blue.
#[derive(Debug, Clone, Copy)]
pub struct Inks(Theme);

impl Inks {
    /// Those of a theme.
    pub fn of(theme: Theme) -> Self {
        Self(theme)
    }

    /// Paper and ink by name: `page`, `map`, `grid`, `frame`, `ink`, `faint`, `alarm`; of floor plans `ground`, `water`; and of windows
    /// `picked`, `chosen`, `accent`; and of ways `way`.
    pub fn named(self) -> [(&'static str, [u8; 3]); 13] {
        let palette = self.0.palette();
        [
            ("page", palette.page),
            ("map", palette.map),
            ("grid", palette.grid),
            ("frame", palette.frame),
            ("ink", palette.ink),
            ("faint", palette.faint),
            ("alarm", palette.alarm),
            ("ground", palette.ground),
            ("water", palette.water),
            ("picked", palette.picked),
            ("chosen", palette.chosen),
            ("accent", palette.accent),
            ("way", palette.links.way),
        ]
        .map(|(name, colour)| (name, rgb(colour)))
    }

    /// The colour of a kind of link that leads there and back, and of one without a way back.
    pub fn link(self, kind: LinkKind) -> [[u8; 3]; 2] {
        let palette = self.0.palette();
        [false, true].map(|one_way| rgb(links::colour(kind, one_way, &palette)))
    }

    /// The colour of a kind of mark.
    pub fn mark(self, kind: MarkKind) -> [u8; 3] {
        rgb(links::colour_of_mark(kind, &self.0.palette()))
    }
}

fn rgb(colour: Colour) -> [u8; 3] {
    [colour.r, colour.g, colour.b]
}
