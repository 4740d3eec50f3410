//! What an index knows of tactics, as a caller sees it.

use super::hiding::Hidden;
use super::known::Known;
use crate::area::Area;
use crate::filter::Mask;
use crate::ground::Vec3;
use crate::index::NavIndex;
use crate::misuse::Misuse;
use crate::scratch::PathScratch;
use navmap_core::graph::{HidingKinds, Point, Sight};

/// What the file of an index knows of tactics: who sees whom, where to hide, what to watch on the way. An index has it if it was
/// built with [`BuildOptions::tactics`](crate::BuildOptions::tactics).
///
/// Visibility is between areas, as the game computed it from a map with all doors open. It is answered by the engine's rules: an
/// area's own list first, then the list of the area that it inherits from; and an area sees itself.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::graph::Sight;
/// use navmap::query::{Mask, BuildOptions, Hiding, PathScratch, Policy, World};
///
/// let policy = Policy::default().with_build(BuildOptions::default().with_tactics(true));
/// let world = World::open("corpus/source/town.nav", &policy)?;
/// let (index, mut scratch) = (world.index(), PathScratch::new(world.index()));
/// let tactics = index.tactics().expect("asked for above");
///
/// // Where to hide from somebody: near, by walking, and out of sight.
/// let enemy = index.in_place("BombsiteB").next().expect("a place of this name");
/// let mut watched = Mask::new(index);
/// tactics.add_seen([enemy], Sight::Partly, &mut watched)?;
/// let (mut found, here) = ([None; 4], index.center(enemy).unwrap());
/// let count = tactics.spots(&mut scratch, enemy, here, &Hiding::cover().with_unseen(&watched), &mut found)?;
/// assert!(found[..count].iter().flatten().all(|hideout| !watched.has(hideout.place.area)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Tactics<'i> {
    pub(super) index: &'i NavIndex,
    pub(super) known: &'i Known,
}

/// A spot in which one can hide.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct HidingPlace {
    /// The file's own name for it. `None` if the format has no such names.
    pub id: Option<u32>,
    /// The area that it is in.
    pub area: Area,
    /// Where it is, on the ground.
    pub at: Point,
    /// Its uses.
    pub kinds: HidingKinds,
}

/// A hiding spot that comes into view on a way.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Encounter {
    /// The area that the way leads through.
    pub area: Area,
    /// The share of the way through the area after which the spot comes into view, 0 to 1.
    pub along: f32,
    /// The point of the way there: between the middles of the two portals. On the ground.
    pub from: Point,
    /// The spot.
    pub place: HidingPlace,
}

impl NavIndex {
    /// What the file knows of tactics. `None` if the index was built without.
    pub fn tactics(&self) -> Option<Tactics<'_>> {
        self.known.as_ref().map(|known| Tactics { index: self, known })
    }
}

impl<'i> Tactics<'i> {
    /// Whether the file knows who sees whom: Source meshes of version 16 do if they were analysed. Without, an area sees only
    /// itself.
    pub fn knows_sight(&self) -> bool {
        self.known.lists.is_known()
    }

    /// How much of one area is seen from another. Nothing of areas that do not exist. Two binary searches.
    pub fn sight(&self, from: Area, to: Area) -> Sight {
        match (self.index.slot(from), self.index.slot(to)) {
            (Some(from), Some(to)) => self.known.lists.sight(from, to),
            _ => Sight::Hidden,
        }
    }

    /// Whether anything of one area may be seen from another: the engine's `IsPotentiallyVisible`.
    pub fn sees(&self, from: Area, to: Area) -> bool {
        self.sight(from, to) != Sight::Hidden
    }

    /// Whether all of one area is seen from all of another: the engine's `IsCompletelyVisible`.
    pub fn sees_wholly(&self, from: Area, to: Area) -> bool {
        self.sight(from, to) == Sight::Wholly
    }

    /// All areas that are seen from one, itself included, by position.
    pub fn seen(&self, from: Area) -> impl Iterator<Item = (Area, Sight)> + use<'i> {
        let known = self.known;
        self.index.slot(from).into_iter().flat_map(move |from| known.lists.seen(from))
    }

    /// Adds to a set what is seen from some areas, at least this much of it.
    ///
    /// # Errors
    /// If the set is for another index, or an area does not exist.
    pub fn add_seen(
        &self,
        from: impl IntoIterator<Item = Area>,
        least: Sight,
        into: &mut Mask,
    ) -> Result<(), Misuse> {
        if !into.fits(self.index) {
            return Err(Misuse::OtherIndex);
        }
        for from in from {
            let slot = self.index.slot(from).ok_or(Misuse::NoSuchArea(from))?;
            for (area, sight) in self.known.lists.seen(slot) {
                if sight >= least {
                    into.set(area, true);
                }
            }
        }
        Ok(())
    }

    /// Adds to a set what is seen from the areas under some points, such as where a team stands. Returns how many of the points
    /// stand on an area; the others see nothing.
    ///
    /// # Errors
    /// If the set is for another index.
    pub fn add_seen_from(&self, points: &[Point], least: Sight, into: &mut Mask) -> Result<usize, Misuse> {
        if !into.fits(self.index) {
            return Err(Misuse::OtherIndex);
        }
        let mut stand = 0;
        for &point in points {
            if let Some(area) = self.index.area_at(point, None) {
                self.add_seen([area], least, into)?;
                stand += 1;
            }
        }
        Ok(stand)
    }

    /// All hiding spots, those of one area together, in file order.
    pub fn hiding_places(&self) -> impl ExactSizeIterator<Item = HidingPlace> + Clone + use<'i> {
        let places = &self.known.places;
        // The range is that of the spots, so each of them exists.
        (0..places.len()).map(|spot| place(places.spot(spot)))
    }

    /// The hiding spots in an area, in file order.
    pub fn hiding_in(&self, area: Area) -> impl ExactSizeIterator<Item = HidingPlace> + Clone + use<'i> {
        let places = &self.known.places;
        places.within(area.slot()).map(|spot| place(places.spot(spot)))
    }

    /// The hiding spot with this id. If there are several, the first in the file. A binary search.
    pub fn hiding_place(&self, id: u32) -> Option<HidingPlace> {
        let spot = self.known.places.by_id(id)?;
        Some(place(self.known.places.spot(spot as usize)))
    }

    /// How far one sees from a hiding spot: the distance to the farthest center of an area that its own area sees, however little
    /// of it. 0 if the file does not know who sees whom.
    pub fn range(&self, place: &HidingPlace) -> f32 {
        let centers = self.seen(place.area).filter_map(|(area, _)| self.index.center(area));
        centers.map(|center| center.distance(place.at)).filter(|far| far.is_finite()).fold(0.0, f32::max)
            * f32::from(u8::from(self.knows_sight()))
    }

    /// The spots that come into view on the way through an area, from one of its neighbours to another, as they come. `None` if
    /// the file has no such way: most have none for ladders.
    pub fn encounters_through(
        &self,
        from: Area,
        area: Area,
        to: Area,
    ) -> Option<impl Iterator<Item = Encounter> + use<'i>> {
        let (index, places) = (self.index, &self.known.places);
        let watched = self.known.ways.watched(area.position(), from.position(), to.position())?;
        // The first portal is on the side of this area, or on that of the neighbour if no link leads back.
        let middle = |side: Area| {
            let portal = index.portal(area, side).or_else(|| index.portal(side, area));
            portal.map(|portal| portal.center()).or_else(|| index.center(area)).unwrap_or_default()
        };
        let [start, end] = [from, to].map(middle);
        Some(watched.iter().map(move |watched| Encounter {
            area,
            along: watched.along,
            from: index.unplan(between(index.plan(start), index.plan(end), watched.along)),
            place: place(places.spot(watched.spot as usize)),
        }))
    }

    /// Calls `each` with the spots that come into view on the latest path of a scratch, as they come: what a bot should look at
    /// on its way.
    ///
    /// # Errors
    /// If the path was found in another index.
    pub fn encounters(&self, scratch: &PathScratch, mut each: impl FnMut(Encounter)) -> Result<(), Misuse> {
        if !scratch.fits(self.index) {
            return Err(Misuse::OtherIndex);
        }
        let areas = scratch.areas();
        let through = areas.clone().zip(areas.clone().skip(1)).zip(areas.skip(2));
        for ((from, area), to) in through {
            self.encounters_through(from, area, to).into_iter().flatten().for_each(&mut each);
        }
        Ok(())
    }

    /// How many ways through areas the file has.
    pub fn way_count(&self) -> usize {
        self.known.ways.len()
    }
}

fn between(a: Vec3, b: Vec3, share: f32) -> Vec3 {
    [0, 1, 2].map(|axis| a[axis] + (b[axis] - a[axis]) * share)
}

pub(super) fn place(hidden: &Hidden) -> HidingPlace {
    HidingPlace { id: hidden.id, area: Area::new(hidden.area), at: hidden.at, kinds: hidden.kinds }
}
