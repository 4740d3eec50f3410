//! Makes a tile from polygons. `docs/fox-write.md`.
//!
//! The steps, each in a file: [`input`] reads names and turns polygons into triangles, [`cut`] cuts them along sectors, [`facet`]
//! quantises the pieces and triangulates them again, [`sides`] finds faces that share a side, [`group`] numbers segments,
//! vertices, faces, nodes and edges, [`coarse`] makes the graph of segments, [`space`] the search space. Linear in the triangles,
//! apart from one sort of their sides.

mod coarse;
mod cut;
mod facet;
mod frame;
mod group;
mod input;
mod islands;
mod report;
mod sides;
mod space;
mod tiles;

pub use report::{BuildReport, Crowded};
pub use tiles::BuiltTile;
pub(super) use {
    coarse::{Ways, nearest},
    frame::frame_of_heights,
    group::weight,
    islands::add as new_islands,
    space::{again as new_space, heights_of_space},
};

use super::buf::{FoxBuf, HeadBuf};
use super::flags::TILE_SIDE;
use super::record::{GroupId, PackedId, TileId};
use super::view::FoxNav;
use navmap_core::Severity;
use navmap_core::bytes::Scratch;
use navmap_core::error::{Error, Result};
use navmap_core::format::NavFile;
use navmap_core::graph::Scene;
use std::collections::HashMap;

/// The default attribute of a polygon: that of 92 % of the games' segments.
pub const ATTRIBUTE: u16 = 0x04E1;

/// Options for building a tile. `with_…` changes the default.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BuildOptions<'o> {
    /// Side of a sector in metres. No segment crosses the border of a sector. The games use 16.
    pub sector: f64,
    /// Side of a search bucket in metres. The games use 10.
    pub bucket: u32,
    /// The tile's id, and the number of columns of its map. Origin and extent then follow from the id.
    pub tile: Option<(TileId, u16)>,
    /// The minimum corner in metres; by default that of the polygons.
    pub origin: Option<[f32; 3]>,
    /// The opaque id; by default computed from the mesh.
    pub opaque: Option<[u8; 16]>,
    /// Whether to make an island graph. The games' weights for links between islands are unknown, so no game has been seen to
    /// accept it.
    pub islands: bool,
    /// A tile to copy origin, divisors, tile id, opaque id, feature flags and search grid from. Faces without area in plan are
    /// kept then, since the games' tiles have some.
    pub like: Option<&'o FoxBuf>,
    /// The meaning of material names, besides `attr_04E1`.
    pub attributes: HashMap<String, u16>,
    /// Spawn points in metres, which must lie over the mesh.
    pub spawns: Vec<[f64; 3]>,
}

impl Default for BuildOptions<'_> {
    fn default() -> Self {
        Self {
            sector: 16.0,
            bucket: 10,
            tile: None,
            origin: None,
            opaque: None,
            islands: false,
            like: None,
            attributes: HashMap::new(),
            spawns: Vec::new(),
        }
    }
}

impl<'o> BuildOptions<'o> {
    navmap_core::with! {
        with_sector = sector: f64;
        with_bucket = bucket: u32;
        with_tile = tile: Option<(TileId, u16)>;
        with_origin = origin: Option<[f32; 3]>;
        with_opaque = opaque: Option<[u8; 16]>;
        with_islands = islands: bool;
        with_like = like: Option<&'o FoxBuf>;
        with_attributes = attributes: HashMap<String, u16>;
        with_spawns = spawns: Vec<[f64; 3]>;
    }
}

impl FoxBuf {
    /// Builds a tile from the polygons of a scene, in metres with y up. A material named `attr_04E1` is an attribute, an object
    /// named `group3` a group. The defaults are attribute 0x04E1 and group 4, the body.
    ///
    /// Before it is returned, the tile is encoded, read again and checked.
    ///
    /// ```
    /// use navmap::format::fox::{BuildOptions, FoxBuf};
    /// use navmap::graph::Scene;
    ///
    /// let mut scene = Scene::new();
    /// scene.positions = vec![[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 0.0, 4.0], [0.0, 0.0, 4.0]];
    /// scene.add_polygon(&[0, 3, 2, 1], 1, 0, 0);
    /// let (tile, report) = FoxBuf::build(&scene, &BuildOptions::default())?;
    /// assert_eq!((tile.groups[0].mesh.faces.len(), report.turned), (2, 0));
    /// # Ok::<(), navmap::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there is no face, a material is unknown, the extent is more than 65,535 m, or something exceeds the format. The error
    /// names the line of the scene's file, the number and the limit.
    pub fn build(scene: &Scene, options: &BuildOptions<'_>) -> Result<(Self, BuildReport)> {
        let mut report = BuildReport::default();
        let mut input = input::Input::read(scene, options, &mut report)?;
        let frame = frame::Plan::over(&input, options)?;
        if options.like.is_some() {
            facet::keep_whole(&mut input, &frame.frame);
        }
        let lines = cut::Lines::sectors(&frame, options.sector)?;
        let pieces = cut::Pieces::cut(&input, &lines, cut::OF_TILE)?;
        let facets = facet::facets(&input, &pieces, &frame.frame, options.like.is_some(), &mut report)?;
        let mut groups: Vec<(GroupId, Vec<facet::Facet>)> = Vec::new();
        for facet in facets {
            match groups.iter_mut().find(|(id, _)| id.0 == facet.group) {
                Some((_, list)) => list.push(facet),
                None => groups.push((GroupId(facet.group), vec![facet])),
            }
        }
        groups.sort_by_key(|(id, _)| *id);
        if groups.is_empty() {
            return Err(Error::invalid("mesh", "no faces"));
        }
        let mut head = frame.head(options);
        let mut tile = assemble(head, groups, &frame, &mut report)?;
        if options.islands {
            islands::add(&mut tile)?;
        }
        if options.opaque.is_none() && options.like.is_none() {
            head.opaque = frame::opaque(&tile);
            tile.head = head;
        }
        for spawn in &options.spawns {
            report.spawn(&tile, *spawn)?;
        }
        verify(&tile, &mut report)?;
        Ok((tile, report))
    }

    /// Encodes the tile, reads it again and reports the findings of [`check`](NavFile::check).
    ///
    /// # Errors
    /// If the tile does not fit its format.
    pub fn check(&self, found: &mut dyn FnMut(navmap_core::Finding)) -> Result<()> {
        let bytes = self.encode()?;
        FoxNav::parse(&bytes)?.check(&mut Scratch::new(), found)
    }
}

/// Numbers the groups of a tile, and joins them.
fn assemble(
    head: HeadBuf,
    groups: Vec<(GroupId, Vec<facet::Facet>)>,
    plan: &frame::Plan,
    report: &mut BuildReport,
) -> Result<FoxBuf> {
    let frame = head.frame();
    let mut drafts = Vec::with_capacity(groups.len());
    for (id, facets) in groups {
        let id = PackedId::new(id, head.tile());
        drafts.push(group::Draft::number(id, facets, &frame, report)?);
    }
    group::across_groups(&mut drafts);
    finish(head, &drafts, plan, report)
}

/// Numbers groups whose sides are already joined.
fn finish(
    head: HeadBuf,
    drafts: &[group::Draft],
    plan: &frame::Plan,
    report: &mut BuildReport,
) -> Result<FoxBuf> {
    let mut tile = FoxBuf::new(head);
    let frame = head.frame();
    for across in drafts.iter().flat_map(|draft| &draft.across) {
        report.alone =
            report.alone.saturating_add(u64::from(across.iter().all(|a| *a == sides::Across::Border)));
    }
    let numbered: Vec<group::Numbered> =
        drafts.iter().map(|draft| group::Numbered::new(draft, &frame)).collect::<Result<_>>()?;
    let links: Vec<Vec<coarse::CoarseLink>> =
        drafts.iter().zip(&numbered).map(|(draft, own)| coarse::links(draft, own, drafts)).collect();
    for (index, draft) in drafts.iter().enumerate() {
        tile.groups.push(coarse::finish(index, draft, &numbered, drafts, &links, &frame)?);
    }
    tile.search = Some(space::space(&tile, plan));
    Ok(tile)
}

/// Checks that the encoded tile can be read again, holds the same values, and does not contradict itself.
fn verify(tile: &FoxBuf, report: &mut BuildReport) -> Result<()> {
    let bytes = tile.encode_canonical()?;
    let nav = FoxNav::parse(&bytes)?;
    if !FoxBuf::read(&nav)?.same_values(tile) {
        return Err(Error::invalid("mesh", "what was built is not what is read again: please report this"));
    }
    let mut bad = None;
    nav.check(&mut Scratch::new(), &mut |finding| {
        if finding.severity >= Severity::Error {
            bad.get_or_insert(finding);
        } else if finding.severity >= Severity::Warning {
            report.findings.push(finding.to_string());
        }
    })?;
    match bad {
        None => Ok(()),
        Some(finding) => Err(Error::invalid("mesh", format!("what was built is odd: {finding}"))),
    }
}
