//! The part of a row that `scan --graph` adds: the mesh as a graph.

use navmap::graph::{Aabb, LinkKind, Stats, Units, Up};
use navmap::text::Grouped;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt::Write;

/// A graph as scripts see it. The names are a contract. `components` and `largest_component` are among the counts of the row.
#[derive(Debug, Clone, Copy)]
pub(super) struct GraphRow<'s>(pub(super) &'s Stats);

/// The columns of a CSV file, after those of every scan. Names are as in JSON, and each bound has its own column.
pub(super) const COLUMNS: [&str; 18] = [
    "graph_nodes",
    "graph_links",
    "graph_outside",
    "graph_strong_components",
    "graph_one_way_links",
    "graph_isolated",
    "graph_unreachable",
    "graph_dead_ends",
    "graph_max_out_degree",
    "graph_area_m2",
    "graph_min_x",
    "graph_min_y",
    "graph_min_z",
    "graph_max_x",
    "graph_max_y",
    "graph_max_z",
    "graph_metres_per_unit",
    "graph_up",
];

/// Heads of a table's columns, and how wide each is.
const TABLE: [(&str, usize); 10] = [
    ("NODES", 9),
    ("LINKS", 10),
    ("ISLANDS", 9),
    ("LARGEST", 9),
    ("STRONG", 9),
    ("ONE-WAY", 9),
    ("UNREACHABLE", 13),
    ("DEAD ENDS", 11),
    ("DEGREE", 8),
    ("AREA M2", 12),
];
/// The column of areas, by name `AREA U2` in units of the game.
const AREA: usize = TABLE.len() - 1;
const EXTENT: usize = 24;
/// The extent, and then columns of [`TABLE`], in the order in which a narrow terminal drops them.
const SPARED: [usize; 9] = [TABLE.len(), 8, 4, 3, 7, 6, 5, 9, 1];

/// The columns of a table, the last of which is the extent, and the units of areas and extents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shown {
    columns: [bool; TABLE.len() + 1],
    units: Units,
}

impl Shown {
    pub(super) fn all(units: Units) -> Self {
        Self { columns: [true; TABLE.len() + 1], units }
    }

    /// As many as `room` letters hold.
    pub(super) fn fitting(room: usize, units: Units) -> Self {
        let mut shown = Self::all(units);
        for spared in SPARED {
            if shown.width() <= room {
                break;
            }
            shown.columns[spared] = false;
        }
        shown
    }

    pub(super) fn width(&self) -> usize {
        let widths = TABLE.iter().map(|(_, width)| *width).chain([EXTENT + 2]);
        widths.zip(self.columns).filter(|(_, shown)| *shown).map(|(width, _)| width).sum()
    }

    /// One line: words for the columns of [`TABLE`], and the extent.
    fn line(&self, words: [&str; TABLE.len()], extent: &str) -> String {
        let mut line = String::new();
        let columns = TABLE.iter().zip(words).zip(self.columns);
        for (((_, width), words), _) in columns.filter(|(_, shown)| *shown) {
            let _ = write!(line, "{words:>width$}");
        }
        if self.columns.last() == Some(&true) {
            let _ = write!(line, "  {extent:<EXTENT$}");
        }
        line
    }
}

/// Links by kind.
struct Kinds<'s>(&'s [(LinkKind, u64)]);

impl Serialize for Kinds<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(kind, count)| (kind.name(), count)))
    }
}

impl Serialize for GraphRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, count) in self.counts() {
            map.serialize_entry(name, &count)?;
        }
        map.serialize_entry("area_m2", &self.0.area_m2)?;
        map.serialize_entry("bounds", &self.bounds())?;
        map.serialize_entry("metres_per_unit", &self.0.axes.metres_per_unit)?;
        map.serialize_entry("up", self.up())?;
        map.serialize_entry("kinds", &Kinds(&self.0.kinds))?;
        map.end()
    }
}

impl GraphRow<'_> {
    fn counts(&self) -> [(&'static str, u64); 9] {
        let stats = self.0;
        [
            ("nodes", stats.nodes),
            ("links", stats.links),
            ("outside", stats.outside),
            ("strong_components", stats.strong_components),
            ("one_way_links", stats.one_way_links),
            ("isolated", stats.isolated),
            ("unreachable", stats.unreachable),
            ("dead_ends", stats.dead_ends),
            ("max_out_degree", stats.max_out_degree),
        ]
    }

    /// Lowest and highest coordinates, in the file's axes and units.
    fn bounds(&self) -> Option<[[f32; 3]; 2]> {
        self.0.bounds.map(|Aabb { min, max }| [min.to_array(), max.to_array()])
    }

    fn up(&self) -> &'static str {
        match self.0.axes.up {
            Up::Y => "y",
            Up::Z => "z",
        }
    }

    /// The fields of [`COLUMNS`]; empty if the graph has none.
    pub(super) fn fields(row: Option<Self>) -> [String; COLUMNS.len()] {
        let Some(row) = row else { return Default::default() };
        let counts = row.counts().map(|(_, count)| count.to_string());
        let area = row.0.area_m2.map_or_else(String::new, |area| area.to_string());
        let bounds = match row.bounds() {
            Some(bounds) => bounds.as_flattened().iter().map(f32::to_string).collect(),
            None => vec![String::new(); 6],
        };
        let axes = [row.0.axes.metres_per_unit.to_string(), row.up().to_owned()];
        let mut fields = counts.into_iter().chain([area]).chain(bounds).chain(axes);
        std::array::from_fn(|_| fields.next().unwrap_or_default())
    }

    pub(super) fn head(shown: &Shown) -> String {
        let mut names = TABLE.map(|(name, _)| name);
        let extent = match shown.units {
            Units::Metres => "EXTENT M",
            Units::Game => {
                names[AREA] = "AREA U2";
                "EXTENT U"
            }
        };
        shown.line(names, extent)
    }

    /// The columns under [`head`](Self::head). The height is always the last of the extents, regardless of the up axis.
    pub(super) fn columns(row: Option<Self>, shown: &Shown) -> String {
        let absent = || "-".to_owned();
        let (mut words, mut extent) = (TABLE.map(|_| absent()), None);
        if let Some(GraphRow(stats)) = row {
            let count = |count| Grouped(count).to_string();
            let (area, scale) = match shown.units {
                Units::Metres => (stats.area_m2, stats.axes.metres_per_unit),
                Units::Game => (stats.area_units(), 1.0),
            };
            words = [
                count(stats.nodes),
                count(stats.links),
                count(stats.components),
                count(stats.largest_component),
                count(stats.strong_components),
                count(stats.one_way_links),
                count(stats.unreachable),
                count(stats.dead_ends),
                count(stats.max_out_degree),
                area.map_or_else(absent, |area| count(area.round() as u64)),
            ];
            extent = stats.bounds.map(|Aabb { min, max }| {
                let [[u0, v0, h0], [u1, v1, h1]] = [min, max].map(|corner| stats.axes.plan(corner));
                let long = |from: f32, to: f32| (to - from).abs() * scale;
                format!("{:.1} x {:.1} x {:.1}", long(u0, u1), long(v0, v1), long(h0, h1))
            });
        }
        shown.line(words.each_ref().map(String::as_str), &extent.unwrap_or_else(absent))
    }
}
