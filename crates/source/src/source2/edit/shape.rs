//! Corners that are moved: which go together, and what must not come of it.

use super::editor::{Item, Source2Editor};
use crate::check::values::beyond;
use crate::record::Vec3;
use navmap_core::edit::Refusal;
use std::collections::{BTreeMap, BTreeSet};

/// Where corners go together: the bits of a point, the hull and the movable mesh of an area.
type Spot = ([u32; 3], u8, Option<u32>);

/// Which way a convex outline turns, seen from above: whether to the left. `None` if it is not convex or has no surface.
fn turn(corners: &[[f32; 3]]) -> Option<bool> {
    let ahead = |by: usize| corners.iter().cycle().skip(by);
    let mut ways = BTreeSet::new();
    for (([x0, y0, _], [x1, y1, _]), [x2, y2, _]) in corners.iter().zip(ahead(1)).zip(ahead(2)) {
        let [x0, y0, x1, y1, x2, y2] = [x0, y0, x1, y1, x2, y2].map(|value| f64::from(*value));
        let cross = (x1 - x0) * (y2 - y1) - (y1 - y0) * (x2 - x1);
        if cross != 0.0 {
            ways.insert(cross > 0.0);
        }
    }
    match ways.len() {
        1 => ways.first().copied(),
        _ => None,
    }
}

impl Source2Editor {
    fn spots(&self, corner: u32) -> impl Iterator<Item = Spot> + '_ {
        let bits = self.corner(corner).map(|at| at.map(f32::to_bits));
        let areas = self.outlines.around(corner).iter().filter(|area| self.ground(**area).is_some());
        let of = move |area: &u32| {
            let mesh = self.stored(*area).and_then(|area| self.opened.movable_mesh(area));
            Some((bits?, self.hull(*area), mesh))
        };
        areas.filter_map(of)
    }

    /// Corners with all others at the same places: tiles of a mesh, and areas of version 30, have vertices of their own there.
    pub(super) fn together(&self, corners: impl IntoIterator<Item = u32>) -> BTreeSet<u32> {
        let mut all: BTreeSet<u32> = corners.into_iter().collect();
        let spots: BTreeSet<Spot> = all.iter().flat_map(|corner| self.spots(*corner)).collect();
        self.look(self.corners.len());
        let here = |corner: &u32| self.spots(*corner).any(|spot| spots.contains(&spot));
        all.extend((0..self.corners.len() as u32).filter(here));
        all
    }

    /// Puts corners elsewhere, and gives how many areas have other outlines and which of them were convex and are not any more.
    ///
    /// # Errors
    /// If a corner would leave the world, or is one of a mesh that moves.
    pub(super) fn put_all(&mut self, places: &BTreeMap<u32, [f32; 3]>) -> Result<(usize, Vec<u32>), Refusal> {
        for (corner, at) in places {
            let was = self.corner(*corner).unwrap_or_default();
            if let Some(value) = at.iter().zip(was).find_map(|(now, was)| {
                let strays = !now.is_finite() && was.is_finite();
                (strays || beyond(now) && !beyond(&was)).then_some(*now)
            }) {
                let why = format!("V#{corner} would lie at {value}, and the world ends at 16384");
                return Err(Refusal::new(why));
            }
            if let Some(mesh) = self.spots(*corner).find_map(|(_, _, mesh)| mesh) {
                let why = format!(
                    "V#{corner} is one of moving mesh {mesh}: it is not known from where its corners are measured"
                );
                return Err(Refusal::new(why));
            }
        }
        let around = places.keys().flat_map(|corner| self.outlines.around(*corner));
        let areas: BTreeSet<u32> = around.copied().filter(|area| self.ground(*area).is_some()).collect();
        let corners = areas.iter().map(|area| self.outlines.of(*area).len());
        self.look(corners.fold(0, usize::saturating_add));
        let turns: Vec<(u32, Option<bool>)> =
            areas.into_iter().map(|area| (area, turn(&self.outline(area)))).collect();
        let mut moved = BTreeSet::new();
        for (corner, at) in places {
            if self.put(*corner, Vec3::from(*at)) {
                moved.insert(*corner);
            }
        }
        let touched = turns
            .iter()
            .filter(|(area, _)| self.outlines.of(*area).iter().any(|corner| moved.contains(corner)));
        let torn = turns.iter().filter(|(area, was)| was.is_some() && *was != turn(&self.outline(*area)));
        Ok((touched.count(), torn.map(|(area, _)| *area).collect()))
    }

    /// The areas that are torn, in words.
    pub(super) fn torn(&self, areas: &[u32]) -> Option<String> {
        let names: Vec<String> = areas.iter().take(4).map(|area| format!("#{}", self.id(*area))).collect();
        let more = if areas.len() > 4 { " and others" } else { "" };
        let are = if areas.len() == 1 { "is" } else { "are" };
        (!names.is_empty())
            .then(|| format!("{}{more} {are} no longer convex seen from above", names.join(", ")))
    }

    /// The corners of items that have some.
    pub(super) fn corners_of(&self, items: &[Item]) -> BTreeSet<u32> {
        let mut corners = BTreeSet::new();
        for item in items {
            match item {
                Item::Area(slot) => {
                    let exist =
                        self.outlines.of(*slot).iter().filter(|corner| self.corner(**corner).is_some());
                    corners.extend(exist);
                }
                Item::Corner(corner) => _ = corners.insert(*corner),
                Item::Ladder(_) => {}
            }
        }
        corners
    }
}
