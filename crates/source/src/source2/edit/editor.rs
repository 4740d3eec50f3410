//! A mesh that is edited, and how it was when it was opened.

use super::super::buf::{Outline, PolygonAreaBuf, Source2Buf};
use super::super::record::{EdgeLink, WideLadder};
use super::super::view::Source2Nav;
use super::outlines::Outlines;
use crate::flags::Source2Attributes;
use crate::record::{AreaId, LadderId, Vec3};
use navmap_core::edit::{Overwritten, Weighed};
use navmap_core::error::{Error, Result};
use navmap_core::format::ids::Positions;
use navmap_core::keys;
use std::cell::Cell;

/// A part of the mesh that a command names. It keeps its name for as long as the session lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Item {
    /// An area, by its position when the file was opened.
    Area(u32),
    /// A corner, by its number.
    Corner(u32),
    /// A ladder, by its position when the file was opened.
    Ladder(u32),
}

keys!(Item { Area, 1 => Corner, 2 => Ladder });

/// What may change of an area.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ground {
    pub(super) attributes: Source2Attributes,
    pub(super) edges: Vec<Vec<EdgeLink>>,
    /// Those that lead up and those that lead down.
    pub(super) ladders: [Vec<LadderId>; 2],
    pub(super) used: bool,
}

impl From<&PolygonAreaBuf> for Ground {
    fn from(area: &PolygonAreaBuf) -> Self {
        Self {
            attributes: area.attributes,
            edges: area.edges.clone(),
            ladders: [area.ladders_above.clone(), area.ladders_below.clone()],
            used: true,
        }
    }
}

impl Ground {
    /// Its links, each with its edge.
    pub(super) fn links(&self) -> impl Iterator<Item = (usize, &EdgeLink)> + '_ {
        self.edges.iter().enumerate().flat_map(|(edge, list)| list.iter().map(move |link| (edge, link)))
    }
}

/// An area counts with its edges and links, of which a long list may be kept anew by each command.
impl Weighed for Ground {
    fn weight(&self) -> u64 {
        let links = self.links().count().saturating_add(self.edges.len().saturating_mul(2));
        let ladders: usize = self.ladders.iter().map(Vec::len).sum();
        12_u64.saturating_add(links.saturating_add(ladders) as u64)
    }
}

/// A ladder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Climb {
    pub(super) record: WideLadder,
    pub(super) used: bool,
}

/// A corner, with its place among others.
impl Weighed for Vec3 {
    fn weight(&self) -> u64 {
        4
    }
}

impl Weighed for Climb {
    fn weight(&self) -> u64 {
        24
    }
}

/// What a command overwrote.
#[derive(Debug, Default)]
pub struct Change {
    pub(super) grounds: Overwritten<Ground>,
    pub(super) corners: Overwritten<Vec3>,
    pub(super) climbs: Overwritten<Climb>,
}

/// A mesh that is edited. One that is as it was opened is written to the byte as it was.
#[derive(Debug)]
pub struct Source2Editor {
    pub(super) opened: Source2Buf,
    pub(super) outlines: Outlines,
    pub(super) grounds: Vec<Ground>,
    pub(super) corners: Vec<Vec3>,
    pub(super) climbs: Vec<Climb>,
    pub(super) noted: Change,
    /// Whether what the blocks of the game say may become wrong.
    pub(super) force_odd: bool,
    /// Positions by id: of areas and of ladders.
    ids: [Positions; 2],
    looked: Cell<u64>,
}

/// Positions by id.
///
/// # Errors
/// If two have the same, so that a link may lead to either.
pub(super) fn positions(what: &'static str, ids: impl Iterator<Item = u32> + Clone) -> Result<Positions> {
    let positions = Positions::new(ids.clone());
    match (0_u32..).zip(ids).find(|(at, id)| positions.get(*id) != Some(*at)) {
        None => Ok(positions),
        Some((at, id)) => {
            let why = format!("id {id} is there twice, so the mesh cannot be edited");
            Err(Error::invalid(what, why).in_record(what, at.into()))
        }
    }
}

/// Positions of the areas and of the ladders of a mesh by id.
///
/// # Errors
/// Those of [`positions`].
pub(super) fn by_id(buf: &Source2Buf) -> Result<[Positions; 2]> {
    let areas = buf.areas.iter().map(|area| area.id().get());
    let ladders = buf.ladders.iter().map(|ladder| ladder.ladder().id().get());
    Ok([positions("area", areas)?, positions("ladder", ladders)?])
}

/// All corners by their numbers.
pub(super) fn corners(buf: &Source2Buf) -> Vec<Vec3> {
    let own = |area: &PolygonAreaBuf| match &area.outline {
        Outline::Own(corners) => corners.clone(),
        Outline::Shared(_) => Vec::new(),
    };
    match buf.version {
        ..31 => buf.areas.iter().flat_map(own).collect(),
        31.. => buf.vertices.clone(),
    }
}

impl Source2Editor {
    /// Starts editing an opened mesh.
    ///
    /// # Errors
    /// If the mesh cannot be read to its end, or two areas or two ladders have one id.
    pub fn of_nav(nav: &Source2Nav<'_>) -> Result<Self> {
        Self::new(Source2Buf::read(nav)?)
    }

    /// Starts editing a mesh in memory.
    ///
    /// # Errors
    /// If two areas or two ladders have one id.
    pub fn new(opened: Source2Buf) -> Result<Self> {
        let climb = |ladder: &WideLadder| Climb { record: *ladder, used: true };
        Ok(Self {
            ids: by_id(&opened)?,
            outlines: Outlines::new(&opened),
            grounds: opened.areas.iter().map(Ground::from).collect(),
            corners: corners(&opened),
            climbs: opened.ladders.iter().map(climb).collect(),
            noted: Change::default(),
            force_odd: false,
            looked: Cell::new(0),
            opened,
        })
    }

    /// Allows what makes the game's own data wrong: see [`Opening::force_odd`](navmap_core::edit::Opening::force_odd).
    pub fn force_odd(&mut self, yes: bool) {
        self.force_odd = yes;
    }

    /// Counts items that were looked at.
    pub(super) fn look(&self, items: usize) {
        self.looked.set(self.looked.get().saturating_add(items as u64));
    }

    pub(super) fn looked(&self) -> u64 {
        self.looked.get()
    }

    /// An area that was not deleted.
    pub(super) fn ground(&self, slot: u32) -> Option<&Ground> {
        self.grounds.get(slot as usize).filter(|ground| ground.used)
    }

    /// A ladder that was not deleted.
    pub(super) fn climb(&self, slot: u32) -> Option<&Climb> {
        self.climbs.get(slot as usize).filter(|climb| climb.used)
    }

    /// Whether a corner is that of an area.
    pub(super) fn is_corner(&self, corner: u32) -> bool {
        self.outlines.around(corner).iter().any(|area| self.ground(*area).is_some())
    }

    /// The areas that were not deleted.
    pub(super) fn areas(&self) -> impl Iterator<Item = (u32, &Ground)> + '_ {
        (0_u32..).zip(&self.grounds).filter(|(_, ground)| ground.used)
    }

    /// The ladders that were not deleted.
    pub(super) fn ladders(&self) -> impl Iterator<Item = (u32, &Climb)> + '_ {
        (0_u32..).zip(&self.climbs).filter(|(_, climb)| climb.used)
    }

    /// The area with an id.
    pub(super) fn area_of(&self, id: u32) -> Option<u32> {
        let [areas, _] = &self.ids;
        areas.get(id).filter(|slot| self.ground(*slot).is_some())
    }

    /// The ladder with an id.
    pub(super) fn ladder_of(&self, id: u32) -> Option<u32> {
        let [_, ladders] = &self.ids;
        ladders.get(id).filter(|slot| self.climb(*slot).is_some())
    }

    /// What the file says of an area that no command changes.
    pub(super) fn stored(&self, slot: u32) -> Option<&PolygonAreaBuf> {
        self.opened.areas.get(slot as usize)
    }

    pub(super) fn id(&self, slot: u32) -> AreaId {
        self.stored(slot).map_or(AreaId::default(), PolygonAreaBuf::id)
    }

    pub(super) fn hull(&self, slot: u32) -> u8 {
        self.stored(slot).map_or(0, PolygonAreaBuf::hull)
    }

    /// Where a corner is.
    pub(super) fn corner(&self, corner: u32) -> Option<[f32; 3]> {
        self.corners.get(corner as usize).map(|at| at.to_array())
    }

    /// Where the corners of an area are. One that does not exist is left out.
    pub(super) fn outline(&self, slot: u32) -> Vec<[f32; 3]> {
        self.outlines.of(slot).iter().filter_map(|corner| self.corner(*corner)).collect()
    }

    /// The mean of the corners of an area.
    pub(super) fn center(&self, slot: u32) -> [f32; 3] {
        let corners = self.outlines.of(slot).iter().filter_map(|corner| self.corner(*corner));
        let (mut sum, mut count) = ([0.0; 3], 0.0_f32);
        for corner in corners {
            sum.iter_mut().zip(corner).for_each(|(sum, value)| *sum += value);
            count += 1.0;
        }
        sum.map(|sum| sum / count.max(1.0))
    }

    /// Changes an area. Returns whether that made a difference.
    pub(super) fn change(&mut self, slot: u32, change: impl FnOnce(&mut Ground)) -> bool {
        self.noted.grounds.change(&mut self.grounds, slot, |was, is| was != is, change)
    }

    /// Changes a ladder. Returns whether that made a difference.
    pub(super) fn change_climb(&mut self, slot: u32, change: impl FnOnce(&mut Climb)) -> bool {
        self.noted.climbs.change(&mut self.climbs, slot, |was, is| was != is, change)
    }

    /// Puts a corner somewhere else. Returns whether that made a difference.
    pub(super) fn put(&mut self, corner: u32, at: Vec3) -> bool {
        self.noted.corners.change(&mut self.corners, corner, |was, is| was != is, |now| *now = at)
    }

    /// Bytes of the game's own data that is carried.
    pub(super) fn game_bytes(&self) -> usize {
        self.opened.game_bytes()
    }
}
