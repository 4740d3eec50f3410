//! What `scan --graph` adds to a row: the mesh as a graph.

#![forbid(unsafe_code)]

use crate::graph::{Aabb, LinkKind, Stats, Up};
use crate::text::Grouped;
use serde::{Serialize, Serializer};
use std::fmt::Write;

/// A graph as scripts see it. The names are a contract; `components` and `largest_component` stand among the counts.
#[derive(Debug, Serialize)]
pub(super) struct GraphRow {
    nodes: u64,
    links: u64,
    outside: u64,
    strong_components: u64,
    one_way_links: u64,
    isolated: u64,
    unreachable: u64,
    dead_ends: u64,
    max_out_degree: u64,
    area_m2: Option<f64>,
    /// Lowest and highest coordinates, in the file's axes and units.
    bounds: Option<[[f32; 3]; 2]>,
    metres_per_unit: f32,
    up: &'static str,
    #[serde(serialize_with = "kinds")]
    kinds: Vec<(LinkKind, u64)>,
    #[serde(skip)]
    islands: [u64; 2],
}

fn kinds<S: Serializer>(kinds: &[(LinkKind, u64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(kinds.iter().map(|(kind, count)| (kind.name(), count)))
}

/// The columns of a CSV file, behind those that every scan has.
pub(super) const COLUMNS: [&str; 18] = [
    "graph_nodes",
    "graph_links",
    "links_outside",
    "strong_components",
    "one_way_links",
    "isolated",
    "unreachable",
    "dead_ends",
    "max_out_degree",
    "area_m2",
    "min_x",
    "min_y",
    "min_z",
    "max_x",
    "max_y",
    "max_z",
    "metres_per_unit",
    "up",
];

/// Heads of a table's columns, and how wide each is.
const TABLE: [(&str, usize); 10] = [
    ("NODES", 9),
    ("LINKS", 10),
    ("ISLANDS", 9),
    ("LARGEST", 9),
    ("STRONG", 9),
    ("ONE-WAY", 9),
    ("UNREACHED", 11),
    ("DEAD ENDS", 11),
    ("DEGREE", 8),
    ("AREA M2", 12),
];
const EXTENT: usize = 24;

impl GraphRow {
    pub(super) fn of(stats: &Stats) -> Self {
        Self {
            nodes: stats.nodes,
            links: stats.links,
            outside: stats.outside,
            strong_components: stats.strong_components,
            one_way_links: stats.one_way_links,
            isolated: stats.isolated,
            unreachable: stats.unreachable,
            dead_ends: stats.dead_ends,
            max_out_degree: stats.max_out_degree,
            area_m2: stats.area_m2,
            bounds: stats.bounds.map(|Aabb { min, max }| [min.to_array(), max.to_array()]),
            metres_per_unit: stats.axes.metres_per_unit,
            up: match stats.axes.up {
                Up::Y => "y",
                Up::Z => "z",
            },
            kinds: stats.kinds.clone(),
            islands: [stats.components, stats.largest_component],
        }
    }

    /// The fields of [`COLUMNS`]; empty where there is no such thing.
    pub(super) fn fields(row: Option<&Self>) -> [String; COLUMNS.len()] {
        let Some(row) = row else { return Default::default() };
        let counts = [
            row.nodes,
            row.links,
            row.outside,
            row.strong_components,
            row.one_way_links,
            row.isolated,
            row.unreachable,
            row.dead_ends,
            row.max_out_degree,
        ];
        let area = row.area_m2.map(|area| area.to_string());
        let bounds = row.bounds.map(|bounds| bounds.as_flattened().iter().map(f32::to_string).collect());
        let bounds: Vec<String> = bounds.unwrap_or_else(|| vec![String::new(); 6]);
        let axes = [row.metres_per_unit.to_string(), row.up.to_owned()];
        let mut fields =
            counts.iter().map(u64::to_string).chain([area.unwrap_or_default()]).chain(bounds).chain(axes);
        std::array::from_fn(|_| fields.next().unwrap_or_default())
    }

    pub(super) fn head() -> String {
        let mut line = String::new();
        for (name, width) in TABLE {
            let _ = write!(line, "{name:>width$}");
        }
        let _ = write!(line, "  {:<EXTENT$}", "EXTENT M");
        line
    }

    /// The columns under [`head`](Self::head); the height is the last of the extents, whichever coordinate it is.
    pub(super) fn columns(row: Option<&Self>) -> String {
        let mut line = String::new();
        let Some(row) = row else {
            for (_, width) in TABLE {
                let _ = write!(line, "{:>width$}", "-");
            }
            let _ = write!(line, "  {:<EXTENT$}", "-");
            return line;
        };
        let [components, largest] = row.islands;
        let counts = [row.nodes, row.links, components, largest, row.strong_components, row.one_way_links];
        let counts = counts.into_iter().chain([row.unreachable, row.dead_ends, row.max_out_degree]);
        let area =
            row.area_m2.map_or_else(|| "-".to_owned(), |area| Grouped(area.round() as u64).to_string());
        let words = counts.map(|count| Grouped(count).to_string()).chain([area]);
        for ((_, width), words) in TABLE.iter().zip(words) {
            let _ = write!(line, "{words:>width$}");
        }
        let metres = row.bounds.map(|[min, max]| {
            let [x, y, z] = [0, 1, 2].map(|axis| (max[axis] - min[axis]) * row.metres_per_unit);
            let [across, height] = if row.up == "y" { [z, y] } else { [y, z] };
            format!("{x:.1} x {across:.1} x {height:.1}")
        });
        let _ = write!(line, "  {:<EXTENT$}", metres.unwrap_or_else(|| "-".to_owned()));
        line
    }
}
