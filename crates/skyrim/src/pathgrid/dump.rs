//! Streams everything in a plugin's grids to a serialiser, with one grid in memory at a time.

use super::iter::GridRecord;
use super::view::{GridPlugin, PathGrid};
use crate::flags::RecordFlags;
use crate::form::FormId;
use crate::text::decode_text;
use navmap_core::bytes::Scratch;
use navmap_core::error::Error;
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
        let points = List(|| {
            grid.into_iter().flat_map(|grid| grid.points()).map(|point| PointRow {
                position: point.position,
                generated: point.generated,
                links: point.links,
            })
        });
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
