//! What the mesh was generated with.

use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, Result};

/// The settings of the mesh generator. Lengths in units, angles in degrees.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct GenerationParameters<'a> {
    /// Version of the generator: 6, 7 and 12 seen.
    pub version: i32,
    /// Not 0 if the project's defaults were used.
    pub use_project_defaults: u32,
    /// Side of a tile.
    pub tile_size: f32,
    /// Side of a cell.
    pub cell_size: f32,
    /// Height of a cell.
    pub cell_height: f32,
    /// Least region, in cells.
    pub min_region_size: i32,
    /// Regions up to this size are merged, in cells.
    pub merged_region_size: i32,
    /// Distance of samples.
    pub mesh_sample_distance: f32,
    /// Greatest error of a sample.
    pub max_sample_error: f32,
    /// Greatest length of an edge.
    pub max_edge_length: i32,
    /// Greatest error of an edge.
    pub max_edge_error: f32,
    /// Greatest number of corners.
    pub verts_per_polygon: i32,
    /// Areas smaller than this are dropped; from generator 7.
    pub small_area_threshold: Option<f32>,
    /// Name of the hull preset; from generator 12.
    pub hull_preset: Option<&'a [u8]>,
    /// File that defines the hulls; from generator 12.
    pub hull_definitions: Option<&'a [u8]>,
    /// The stated number of hulls in use. Generators up to 11 store three hulls in any case.
    pub hull_count: i32,
    /// The byte at the end; from generator 12.
    pub unknown_last: Option<u8>,
    hulls: Cursor<'a>,
    stored_hulls: u32,
}

/// A size of body that the mesh was generated for.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Hull {
    /// From generator 9.
    pub enabled: Option<u8>,
    /// Radius.
    pub radius: f32,
    /// Height.
    pub height: f32,
    /// Whether there is a second, lower height, and that height; from generator 9.
    pub short_height: Option<(u8, f32)>,
    /// Whether there is a height to crawl at, and that height; from generator 13.
    pub crawl_height: Option<(u8, f32)>,
    /// Highest step.
    pub max_climb: f32,
    /// Steepest slope.
    pub max_slope: i32,
    /// Deepest jump down.
    pub max_jump_down: f32,
    /// Farthest jump at level height.
    pub max_jump_horizontal: f32,
    /// Highest jump up.
    pub max_jump_up: f32,
    /// Cells taken off at borders; from generator 11.
    pub border_erosion: Option<i32>,
}

/// Least bytes of a hull.
const LEAST_HULL: u64 = 28;

impl<'a> GenerationParameters<'a> {
    pub(super) fn read(cursor: &mut Cursor<'a>) -> Result<Self> {
        let version = cursor.u32("generator version")? as i32;
        let mut this = Self {
            version,
            use_project_defaults: cursor.u32("project defaults")?,
            tile_size: cursor.f32("tile size")?,
            cell_size: cursor.f32("cell size")?,
            cell_height: cursor.f32("cell height")?,
            min_region_size: cursor.u32("region size")? as i32,
            merged_region_size: cursor.u32("merged region size")? as i32,
            mesh_sample_distance: cursor.f32("sample distance")?,
            max_sample_error: cursor.f32("sample error")?,
            max_edge_length: cursor.u32("edge length")? as i32,
            max_edge_error: cursor.f32("edge error")?,
            verts_per_polygon: cursor.u32("vertices of a polygon")? as i32,
            small_area_threshold: None,
            hull_preset: None,
            hull_definitions: None,
            hull_count: 0,
            unknown_last: None,
            hulls: *cursor,
            stored_hulls: 3,
        };
        if version >= 7 {
            this.small_area_threshold = Some(cursor.f32("small area threshold")?);
        }
        if version >= 12 {
            this.hull_preset = Some(cursor.text(usize::from(u16::MAX), "hull preset")?);
            this.hull_definitions = Some(cursor.text(usize::from(u16::MAX), "hull definitions")?);
        }
        this.hull_count = cursor.u32("hull count")? as i32;
        if version >= 12 {
            this.stored_hulls = u32::try_from(this.hull_count)
                .map_err(|_| Error::invalid("hull count", "below zero").at(cursor.offset()))?;
        }
        if u64::from(this.stored_hulls).saturating_mul(LEAST_HULL) > cursor.left() as u64 {
            return Err(cursor.overclaim("hulls", u64::from(this.stored_hulls)));
        }
        this.hulls = *cursor;
        for index in 0..this.stored_hulls {
            Hull::read(cursor, version).map_err(|error| error.in_record("hull", u64::from(index)))?;
        }
        if version >= 12 {
            this.unknown_last = Some(cursor.u8("number after the hulls")?);
        }
        Ok(this)
    }

    /// The hulls as stored, those that are not in use included.
    pub fn hulls(&self) -> impl Iterator<Item = Hull> + use<'a> {
        let (mut cursor, version) = (self.hulls, self.version);
        (0..self.stored_hulls).map_while(move |_| Hull::read(&mut cursor, version).ok())
    }
}

impl Hull {
    fn read(cursor: &mut Cursor<'_>, version: i32) -> Result<Self> {
        let enabled = if version >= 9 { Some(cursor.u8("hull enabled")?) } else { None };
        let (radius, height) = (cursor.f32("hull radius")?, cursor.f32("hull height")?);
        let short_height = if version >= 9 { Some(flagged(cursor, "short height")?) } else { None };
        let crawl_height = if version >= 13 { Some(flagged(cursor, "crawl height")?) } else { None };
        Ok(Self {
            enabled,
            radius,
            height,
            short_height,
            crawl_height,
            max_climb: cursor.f32("climb")?,
            max_slope: cursor.u32("slope")? as i32,
            max_jump_down: cursor.f32("jump down")?,
            max_jump_horizontal: cursor.f32("jump across")?,
            max_jump_up: cursor.f32("jump up")?,
            border_erosion: if version >= 11 { Some(cursor.u32("border erosion")? as i32) } else { None },
        })
    }
}

fn flagged(cursor: &mut Cursor<'_>, what: &'static str) -> Result<(u8, f32)> {
    Ok((cursor.u8(what)?, cursor.f32(what)?))
}
