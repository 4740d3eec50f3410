//! Gives each node a colour, and makes the key of colours.

use super::heat::Scale;
use super::options::{Classes, ColourBy};
use super::scale::{STEPS, Span, ink};
use super::theme::{Palette, series};
use navmap_core::colour::Colour;
use navmap_core::graph::{Csr, FlatGraph, FlatNode, Islands, NavGraph};
use std::collections::HashMap;

const MOST_ENTRIES: usize = 18;

/// The colours of a picture.
#[derive(Debug)]
pub(super) struct Painting {
    /// The class of each node.
    pub(super) classes: Vec<u32>,
    /// The colour of each class.
    pub(super) inks: Vec<Colour>,
    pub(super) key: Key,
    /// The class of each entry of the key.
    pub(super) entries: Vec<u32>,
    /// Of an answer that must not hide under a floor: the class of the nodes that are not part of it.
    pub(super) apart: Option<u32>,
}

impl Painting {
    /// The colour of a node.
    pub(super) fn colour(&self, node: usize) -> Option<Colour> {
        self.classes.get(node).and_then(|class| self.inks.get(*class as usize)).copied()
    }

    /// One colour for all nodes, and nothing to explain.
    fn plain(nodes: usize, palette: &Palette) -> Self {
        Self {
            classes: vec![0; nodes],
            inks: vec![palette.plain],
            key: Key::None,
            entries: Vec::new(),
            apart: None,
        }
    }
}

/// The key to the colours.
#[derive(Debug, Clone)]
pub(super) enum Key {
    /// A ramp from low to high, in file units. Beyond its ends the colour is constant.
    Ramp { low: f32, high: f32, beyond: [bool; 2] },
    /// A ramp of values, evenly or by their ratios.
    Scale { title: String, span: Span },
    /// Colours with their names and the number of nodes of each, and the number of classes without an entry.
    Swatches { title: String, entries: Vec<(Colour, String, usize)>, more: usize },
    /// Nothing to explain.
    None,
}

impl Key {
    /// The title of a scale, its ends, and whether it goes by ratios.
    pub(super) fn ends(&self) -> Option<(&str, [f64; 2], bool)> {
        match self {
            Self::Scale { title, span } => Some((title, [span.low, span.high], span.log)),
            _ => None,
        }
    }

    /// The key to a ramp of values.
    pub(super) fn scale(title: &str, span: &Span) -> Self {
        Self::Scale { title: title.to_owned(), span: *span }
    }
}

/// Chooses colours for `graph`. `heights` are those of its nodes, `None` for nodes that are not shown.
pub(super) fn paint(
    graph: &FlatGraph,
    heights: &[Option<f32>],
    by: &ColourBy,
    palette: &Palette,
) -> Painting {
    match by {
        ColourBy::Height => along_ramp(heights, palette),
        ColourBy::Plain => Painting::plain(graph.nodes().len(), palette),
        ColourBy::Place => {
            let name = |place: u32| graph.place(place).map_or_else(|| format!("place {place}"), Into::into);
            by_class(graph, heights, palette, "place", |node| node.place, |place| name(*place), "no place")
        }
        ColourBy::Group => {
            let word = graph.group_word().unwrap_or("group");
            let name = |group: u32| graph.group(group).map_or_else(|| format!("{word} {group}"), Into::into);
            by_class(graph, heights, palette, word, |node| node.group, |group| name(*group), "none")
        }
        ColourBy::Flags => by_flags(graph, heights, palette),
        ColourBy::Chosen(bits) => by_chosen(graph, heights, bits, palette),
        ColourBy::Island => by_island(graph, heights, palette),
        ColourBy::Classes(classes) => by_given(heights, classes, palette),
        ColourBy::Value(number) => by_value(graph, heights, *number, palette),
    }
}

/// Colours by a value of each node, along a ramp. Nodes without a value are plain.
pub(super) fn along_ramp(heights: &[Option<f32>], palette: &Palette) -> Painting {
    let mut sorted: Vec<f32> = heights.iter().copied().flatten().filter(|h| h.is_finite()).collect();
    sorted.sort_unstable_by(f32::total_cmp);
    let (Some(&lowest), Some(&highest)) = (sorted.first(), sorted.last()) else {
        return Painting::plain(heights.len(), palette);
    };
    // A single node far below the map must not use up the colours of all others.
    let at = |share: f32| sorted[((sorted.len() - 1) as f32 * share).round() as usize];
    let (mut low, mut high) = (at(0.01), at(0.99));
    let air = (high - low) * 0.25;
    if lowest >= low - air {
        low = lowest;
    }
    if highest <= high + air {
        high = highest;
    }
    let step = |height: f32| {
        let share = if high > low { (height - low) / (high - low) } else { 0.5 };
        (share.clamp(0.0, 1.0) * STEPS).round() as u32
    };
    let plain = STEPS as u32 + 1;
    Painting {
        classes: heights.iter().map(|height| height.map_or(plain, step)).collect(),
        inks: (0..plain).map(ink).chain([palette.plain]).collect(),
        key: Key::Ramp { low, high, beyond: [lowest < low, highest > high] },
        entries: Vec::new(),
        apart: None,
    }
}

/// Colours by a value that the file tells of nodes.
fn by_value(graph: &FlatGraph, heights: &[Option<f32>], number: u32, palette: &Palette) -> Painting {
    let of = |(node, height): (u32, &Option<f32>)| {
        height.and_then(|_| graph.value_of(number, node)).map(f64::from)
    };
    let values: Vec<Option<f64>> = (0..).zip(heights).map(of).collect();
    by_values(&values, Scale::default(), graph.value_name(number).unwrap_or("value"), palette)
}

/// Colours by a value of each node. One without a value is plain.
pub(super) fn by_values(values: &[Option<f64>], scale: Scale, title: &str, palette: &Palette) -> Painting {
    let span = scale.over(values.iter().copied().flatten());
    let plain = STEPS as u32 + 1;
    let step = |value: &Option<f64>| span.and_then(|span| span.step((*value)?)).unwrap_or(plain);
    Painting {
        classes: values.iter().map(step).collect(),
        inks: (0..plain).map(ink).chain([palette.plain]).collect(),
        key: span.map_or(Key::None, |span| Key::scale(title, &span)),
        entries: Vec::new(),
        apart: None,
    }
}

/// Colours by sets of flags. A flag that nearly every node has is uninformative and left out. The rarest flag of a set is named
/// first, so that it stays if the name is cut.
fn by_flags(graph: &FlatGraph, heights: &[Option<f32>], palette: &Palette) -> Painting {
    let nodes = graph.nodes();
    let mut counts = [0usize; 64];
    for node in nodes {
        let mut left = node.flags;
        while left != 0 {
            counts[left.trailing_zeros() as usize] += 1;
            left &= left - 1;
        }
    }
    let bits = || 0..64usize;
    let usual = |bit: &usize| counts[*bit] * 10 >= nodes.len() * 9 && counts[*bit] > 0;
    let told: u64 = bits().filter(|bit| !usual(bit)).map(|bit| 1 << bit).sum();
    let word = |bit: usize| graph.flag(bit as u32).map(str::to_lowercase);
    let named = bits().any(|bit| counts[bit] > 0 && word(bit).is_some());
    let name = |flags: &u64| -> String {
        if !named {
            return format!("{flags:#06x}");
        }
        let mut set: Vec<usize> = bits().filter(|bit| flags >> bit & 1 == 1).collect();
        set.sort_by_key(|bit| counts[*bit]);
        let names: Vec<String> =
            set.into_iter().map(|bit| word(bit).unwrap_or_else(|| format!("bit {bit}"))).collect();
        names.join(" + ")
    };
    // Flags without names are shown as whole numbers, since people look them up as stored.
    let mask = if named { told } else { u64::MAX };
    let common: Vec<String> = bits().filter(usual).filter(|_| named).filter_map(word).collect();
    let title =
        if common.is_empty() { "flags".to_owned() } else { format!("flags besides {}", common.join(", ")) };
    by_class(
        graph,
        heights,
        palette,
        &title,
        |node| Some(node.flags & mask).filter(|&f| f != 0),
        name,
        "none",
    )
}

/// One colour for each chosen flag, in the order chosen, even if no node has the flag or the mesh lacks it. So a flag has the
/// same colour on all maps of a sheet.
fn by_chosen(
    graph: &FlatGraph,
    heights: &[Option<f32>],
    bits: &[Option<u32>],
    palette: &Palette,
) -> Painting {
    let has = |node: &FlatNode, bit: &Option<u32>| bit.is_some_and(|bit| node.flags >> bit & 1 == 1);
    let of = |node: &FlatNode| bits.iter().position(|bit| has(node, bit));
    let classes = graph.nodes().iter().map(|node| of(node).unwrap_or(bits.len()) as u32).collect();
    let inks = (0..bits.len()).map(series).chain([palette.plain]).collect();
    let mut counts = vec![0; bits.len()];
    let (mut without, mut several) = (0, false);
    for (node, _) in graph.nodes().iter().zip(heights).filter(|(_, height)| height.is_some()) {
        several |= bits.iter().filter(|bit| has(node, bit)).count() > 1;
        match of(node) {
            Some(first) => counts[first] += 1,
            None => without += 1,
        }
    }
    let name = |bit: u32| graph.flag(bit).map_or_else(|| format!("bit {bit}"), str::to_lowercase);
    let flags = bits.iter().zip(counts).enumerate();
    let (mut of_entries, mut entries): (Vec<u32>, Vec<_>) =
        flags.filter_map(|(n, (bit, count))| Some((n as u32, (series(n), name((*bit)?), count)))).unzip();
    if without > 0 {
        of_entries.push(bits.len() as u32);
        entries.push((palette.plain, "without".to_owned(), without));
    }
    let title = if several { "flag, the first named" } else { "flag" };
    let key = Key::Swatches { title: title.to_owned(), entries, more: 0 };
    Painting { classes, inks, key, entries: of_entries, apart: None }
}

/// Colours by the caller's classes, in their order.
fn by_given(heights: &[Option<f32>], classes: &Classes, palette: &Palette) -> Painting {
    let names = classes.names.len() as u32;
    let class = |node: usize| classes.of.get(node).copied().flatten().filter(|class| *class < names);
    let of = (0..heights.len()).map(|node| class(node).unwrap_or(names)).collect();
    let inks = (0..classes.names.len()).map(series).chain([palette.plain]).collect();
    let mut counts = vec![0usize; classes.names.len()];
    let mut without = 0;
    for node in (0..heights.len()).filter(|node| heights[*node].is_some()) {
        match class(node).and_then(|class| counts.get_mut(class as usize)) {
            Some(count) => *count += 1,
            None => without += 1,
        }
    }
    let named = (0u32..).zip(&classes.names).zip(counts).take(MOST_ENTRIES);
    let (mut of_entries, mut entries): (Vec<u32>, Vec<_>) =
        named.map(|((class, name), count)| (class, (series(class as usize), name.clone(), count))).unzip();
    if without > 0 {
        of_entries.insert(0, names);
        entries.insert(0, (palette.plain, classes.without.clone(), without));
    }
    let more = classes.names.len().saturating_sub(MOST_ENTRIES);
    let key = Key::Swatches { title: classes.title.clone(), entries, more };
    Painting { classes: of, inks, key, entries: of_entries, apart: Some(names) }
}

/// Gives classes colours of the series in order of size. A node without a class is plain.
fn by_class<C: std::hash::Hash + Eq + Ord + Copy>(
    graph: &FlatGraph,
    heights: &[Option<f32>],
    palette: &Palette,
    title: &str,
    class: impl Fn(&FlatNode) -> Option<C>,
    name: impl Fn(&C) -> String,
    without: &str,
) -> Painting {
    let shown =
        || graph.nodes().iter().zip(heights).filter(|(_, height)| height.is_some()).map(|(node, _)| node);
    let mut sizes: HashMap<C, usize> = HashMap::new();
    let mut plain = 0;
    for node in shown() {
        match class(node) {
            Some(class) => *sizes.entry(class).or_default() += 1,
            None => plain += 1,
        }
    }
    let mut classes: Vec<(C, usize)> = sizes.into_iter().collect();
    classes.sort_unstable_by_key(|&(class, size)| (std::cmp::Reverse(size), class));
    let rank: HashMap<C, u32> = (0..).zip(&classes).map(|(rank, (class, _))| (*class, rank)).collect();
    let without_class = classes.len() as u32;
    let of = graph
        .nodes()
        .iter()
        .map(|node| class(node).and_then(|class| rank.get(&class).copied()).unwrap_or(without_class))
        .collect();
    let inks = (0..classes.len()).map(series).chain([palette.plain]).collect();
    let mut entries: Vec<_> = classes
        .iter()
        .take(MOST_ENTRIES)
        .enumerate()
        .map(|(rank, (class, size))| (series(rank), name(class), *size))
        .collect();
    let mut of_entries: Vec<u32> = (0..entries.len() as u32).collect();
    if plain > 0 {
        of_entries.push(without_class);
        entries.push((palette.plain, without.to_owned(), plain));
    }
    let more = classes.len().saturating_sub(MOST_ENTRIES);
    let key = Key::Swatches { title: title.to_owned(), entries, more };
    Painting { classes: of, inks, key, entries: of_entries, apart: None }
}

/// Colours by island. The largest island is plain, so that parts cut off from it stand out.
fn by_island(graph: &FlatGraph, heights: &[Option<f32>], palette: &Palette) -> Painting {
    let islands = Islands::weak(&Csr::of(graph).value);
    let mut shown = vec![0usize; islands.len()];
    for (node, _) in heights.iter().enumerate().filter(|(_, height)| height.is_some()) {
        if let Some(island) = islands.of(node as u32) {
            shown[island as usize] += 1;
        }
    }
    let colour = |island: u32| if island == 0 { palette.plain } else { series(island as usize - 1) };
    let outside = islands.len() as u32;
    let classes = (0..heights.len() as u32).map(|node| islands.of(node).unwrap_or(outside)).collect();
    let inks = (0..outside).map(colour).chain([palette.plain]).collect();
    let entries: Vec<_> = shown
        .iter()
        .enumerate()
        .take(MOST_ENTRIES)
        .map(|(island, &nodes)| (colour(island as u32), format!("island {}", island + 1), nodes))
        .collect();
    let more = islands.len().saturating_sub(MOST_ENTRIES);
    let title = format!("{} island{}", islands.len(), if islands.len() == 1 { "" } else { "s" });
    let of_entries = (0..entries.len() as u32).collect();
    let key = Key::Swatches { title, entries, more };
    Painting { classes, inks, key, entries: of_entries, apart: None }
}
