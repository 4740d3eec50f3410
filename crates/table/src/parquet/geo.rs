//! The metadata by which a Parquet file is one of GeoParquet 1.1: which column holds shapes, of which kinds, and where.

use crate::column::{Type, Values};
use crate::geometry::{self, Geometries};
use crate::schema::Table;
use serde_json::json;

/// Collects what the metadata says of the shapes of a table.
#[derive(Debug)]
pub(super) struct GeoMetadata {
    column: &'static str,
    /// Its position among the table's own columns.
    at: usize,
    points: bool,
    polygons: bool,
    min: [f64; 3],
    max: [f64; 3],
}

impl GeoMetadata {
    /// That of a table that has a column of shapes.
    pub(super) fn new(table: &Table) -> Option<Self> {
        let is_geometry = |kind: Type| kind == Type::Geometry;
        let at = table.columns.iter().position(|column| is_geometry(column.kind))?;
        let column = table.columns.get(at)?.name;
        let (min, max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        Some(Self { column, at, points: false, polygons: false, min, max })
    }

    /// The position of the column among the table's own.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Takes in the shapes of a batch.
    pub(super) fn add(&mut self, values: &Values) {
        if let Values::Geometry(geometries) = values {
            self.add_all(geometries);
        }
    }

    fn add_all(&mut self, geometries: &Geometries) {
        for (code, points) in geometries.iter().filter_map(geometry::parts) {
            self.points |= code == geometry::POINT;
            self.polygons |= code == geometry::POLYGON;
            for point in points {
                for ((min, max), axis) in self.min.iter_mut().zip(&mut self.max).zip(point) {
                    (*min, *max) = (f64::min(*min, axis), f64::max(*max, axis));
                }
            }
        }
    }

    /// The text under the key `geo`. The reference system is null, which means that it is not known: each map has its own, with
    /// a unit of its own, and a file holds many. Left out, it would mean degrees.
    pub(super) fn json(&self) -> String {
        let kinds = [(self.points, "Point Z"), (self.polygons, "Polygon Z")];
        let kinds: Vec<&str> = kinds.into_iter().filter(|(seen, _)| *seen).map(|(_, kind)| kind).collect();
        let mut column =
            json!({ "encoding": "WKB", "geometry_types": kinds, "crs": null, "edges": "planar" });
        if let (false, Some(column)) = (kinds.is_empty(), column.as_object_mut()) {
            let bounds = [self.min, self.max].concat();
            column.insert("bbox".to_owned(), json!(bounds));
        }
        let mut columns = serde_json::Map::new();
        columns.insert(self.column.to_owned(), column);
        json!({ "version": "1.1.0", "primary_column": self.column, "columns": columns }).to_string()
    }
}
