//! Streams everything in a plugin's grids to a serialiser, with one grid in memory at a time.

use super::iter::GridRecord;
use super::view::{GridPlugin, GridPoint, PathGrid};
use crate::flags::RecordFlags;
use crate::form::FormId;
use crate::text::decode_text;
use navmap_core::bytes::Scratch;
use navmap_core::error::Error;
use navmap_core::format::NodeRecords;
use navmap_core::stream::List;
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};

impl Serialize for GridPlugin<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut out = to.serialize_struct("GridPlugin", 9)?;
        out.serialize_field("game", self.game().name())?;
        out.serialize_field("version", &None::<u32>)?;
        out.serialize_field("subversion", &None::<u32>)?;
        out.serialize_field("header_version", &self.version())?;
        out.serialize_field("flags", &self.flags())?;
        out.serialize_field("author", &self.author().map(decode_text))?;
        out.serialize_field("masters", &List(|| self.masters().map(decode_text)))?;
        let (scratch, damage) = (RefCell::new(Scratch::new()), Cell::new(None));
        let (scratch, damage) = (&scratch, &damage);
        let note = move |error: Error| damage.set(damage.take().or(Some(error)));
        let grids = List(|| {
            let records = self.grids().filter_map(move |record| record.map_err(note).ok());
            records.map(move |record| Row(record, scratch))
        });
        out.serialize_field("grids", &grids)?;
        out.serialize_field("error", &damage.take().map(|error| error.to_string()))?;
        out.end()
    }
}

/// A record, whose grid is read while it is written.
struct Row<'r, 'a>(GridRecord<'a>, &'r RefCell<Scratch>);

#[derive(Serialize)]
struct PointRow {
    position: [f32; 3],
    generated: bool,
    links: u8,
}

impl From<GridPoint> for PointRow {
    fn from(point: GridPoint) -> Self {
        Self { position: point.position, generated: point.generated, links: point.links }
    }
}

#[derive(Serialize)]
struct ForeignRow {
    point: u16,
    position: [f32; 3],
}

#[derive(Serialize)]
struct Head<'a> {
    cell: [i32; 2],
    name: Cow<'a, str>,
    granularity: Option<u16>,
}

impl Serialize for Row<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut scratch = self.1.borrow_mut();
        let record = &self.0;
        let (grid, error) = match record.grid(&mut scratch) {
            Ok(grid) => (grid, None),
            Err(error) => (None, Some(error.to_string())),
        };
        let grid = grid.as_ref();
        let mut out = to.serialize_struct("PathGrid", 12)?;
        out.serialize_field("form_id", &Some(record.form_id()).filter(|form: &FormId| !form.is_null()))?;
        out.serialize_field("flags", &RecordFlags(record.flags().0))?;
        out.serialize_field("world", &record.world())?;
        out.serialize_field("cell_id", &record.cell())?;
        out.serialize_field("exterior", &grid.map(|grid| record.is_exterior(grid)))?;
        let head = grid.filter(|grid| grid.granularity().is_some()).map(|grid| Head {
            cell: grid.cell(),
            name: decode_text(grid.name()),
            granularity: grid.granularity(),
        });
        out.serialize_field("cell", &head)?;
        out.serialize_field("claimed_points", &grid.map(PathGrid::claimed_points))?;
        let points = List(|| grid.into_iter().flat_map(|grid| grid.points()).map(PointRow::from));
        out.serialize_field("points", &points)?;
        let links = List(|| grid.into_iter().flat_map(|grid| grid.links()).map(|link| [link.from, link.to]));
        out.serialize_field("links", &links)?;
        let foreign = List(|| {
            let links = grid.into_iter().flat_map(|grid| grid.foreign());
            links.map(|link| ForeignRow { point: link.point(), position: link.position() })
        });
        out.serialize_field("foreign_links", &foreign)?;
        out.serialize_field("blocking_objects", &grid.map(PathGrid::blocking_objects))?;
        out.serialize_field("error", &error)?;
        out.end()
    }
}

/// A point, and the links that leave it.
#[derive(Serialize)]
struct PointRecord<'a> {
    form_id: FormId,
    index: usize,
    #[serde(flatten)]
    point: &'a PointRow,
    targets: Vec<i64>,
}

impl GridPlugin<'_> {
    /// The records of points.
    pub(super) fn node_records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<(), Error> {
        let mut scratch = Scratch::new();
        let (mut first, mut wanted) = (0_usize, nodes);
        for record in self.grids() {
            if wanted.is_empty() {
                break;
            }
            let record = record?;
            let Some(grid) = record.grid(&mut scratch)? else { continue };
            let points: Vec<PointRow> = grid.points().map(PointRow::from).collect();
            let end = first.saturating_add(points.len());
            let (here, after) = wanted.split_at(wanted.partition_point(|node| (*node as usize) < end));
            for node in here {
                let index = (*node as usize).saturating_sub(first);
                let Some(point) = points.get(index) else { continue };
                let leaves = |from: i64| usize::try_from(from).is_ok_and(|from| from == index);
                let targets = grid.links().filter(|link| leaves(link.from)).map(|link| link.to);
                let row = PointRecord { form_id: record.form_id(), index, point, targets: targets.collect() };
                let bytes = (!record.is_compressed())
                    .then(|| grid.point_at(index)..grid.point_at(index.saturating_add(1)));
                each.record(*node, bytes, &row);
            }
            (first, wanted) = (end, after);
        }
        Ok(())
    }
}
