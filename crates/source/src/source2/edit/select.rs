//! What the names and points of a selector select.

use super::editor::{Item, Source2Editor};
use super::values;
use navmap_core::edit::points::{Room, at_point};
use navmap_core::edit::{Atom, Refusal, nearest};
use navmap_core::graph::inside;

/// The names of selectors, each with what it selects.
pub(super) const SELECTORS: &[(&str, &str)] = &[
    (
        "@x,y,z",
        "the area under or over a point, of the first hull that has one there; V@x,y,z the corner within 4 units, L@x,y,z the ladder that begins there",
    ),
    ("corners(12)", "the corners of an area"),
    ("flag(CROUCH)", "areas with any of these attributes"),
    ("hull(0)", "areas of a hull; 0 is the player in Counter-Strike 2"),
    ("isolated", "areas without any link or ladder"),
    ("ladders", "all ladders"),
    ("box(x0,y0,z0,x1,y1,z1)", "areas whose middle lies in a box between two corners"),
    ("ball(x,y,z,r)", "the same within a radius"),
];

pub(super) const NAMES: &[&str] = &["corners", "flag", "hull", "isolated", "ladders", "box", "ball"];

/// How far from a corner or the foot of a ladder a point may lie that names it, in units.
const REACH: f32 = 4.0;

impl Source2Editor {
    pub(super) fn atom(&self, atom: &Atom<'_>) -> Result<Vec<Item>, Refusal> {
        match atom {
            Atom::Id { space, id } => Err(Refusal::new(format!("there is no {space}#{id}"))),
            Atom::Point { space: "", nearest, at } => self.under(*nearest, at),
            Atom::Point { space: "V" | "v", nearest, at } => {
                self.look(self.corners.len());
                let corners = (0..self.corners.len() as u32).filter(|corner| self.is_corner(*corner));
                let places = corners.filter_map(|corner| Some((corner, self.corner(corner)?, REACH)));
                Ok(at_point(places, *nearest, at)?.into_iter().map(Item::Corner).collect())
            }
            Atom::Point { space: "L" | "l", nearest, at } => {
                self.look(self.climbs.len());
                let places =
                    self.ladders().map(|(slot, climb)| (slot, climb.record.ladder().bottom(), REACH));
                Ok(at_point(places, *nearest, at)?.into_iter().map(Item::Ladder).collect())
            }
            Atom::Point { space, .. } => {
                Err(Refusal::new(format!("{space}@ where @, V@ or L@ was expected")))
            }
            Atom::Name { name, arguments } => self.named(name, arguments),
        }
    }

    /// The area of which a point lies within the outline, seen from above. Of several the nearest in height; of floors that are there
    /// once for each hull that of the first.
    fn under(&self, any: bool, at: &[f32]) -> Result<Vec<Item>, Refusal> {
        let (x, y, height) = match *at {
            [x, y] => (x, y, None),
            [x, y, z] => (x, y, Some(z)),
            _ => return Err(Refusal::new("a point has two or three numbers")),
        };
        self.look(self.grounds.len());
        let mut best: Option<((f32, u8), u32)> = None;
        for (slot, _) in self.areas() {
            let corners = self.outline(slot);
            let plan: Vec<[f32; 2]> = corners.iter().map(|[x, y, _]| [*x, *y]).collect();
            if !inside(&plan, [x, y]) {
                continue;
            }
            let [_, _, middle] = self.center(slot);
            let far = (height.map_or(0.0, |z| (middle - z).abs()), self.hull(slot));
            if best.is_none_or(|((least, hull), _)| far < (least, hull)) {
                best = Some((far, slot));
            }
        }
        if let Some((_, slot)) = best {
            return Ok(vec![Item::Area(slot)]);
        }
        if !any {
            return Err(Refusal::nothing("no area lies there (~@ takes the nearest)"));
        }
        let centers = self.areas().map(|(slot, _)| (slot, self.center(slot), 0.0));
        Ok(at_point(centers, true, at)?.into_iter().map(Item::Area).collect())
    }

    fn named(&self, name: &str, arguments: &[&str]) -> Result<Vec<Item>, Refusal> {
        self.look(self.grounds.len());
        let those = |keep: &dyn Fn(u32) -> bool| -> Vec<Item> {
            self.areas().map(|(slot, _)| slot).filter(|slot| keep(*slot)).map(Item::Area).collect()
        };
        if let Some(room) = Room::parse(name, arguments)? {
            return Ok(those(&|slot| room.holds(self.center(slot))));
        }
        let typed = arguments.join(",");
        match name.to_ascii_lowercase().as_str() {
            "ladders" => Ok(self.ladders().map(|(slot, _)| Item::Ladder(slot)).collect()),
            "corners" => {
                let id = typed.strip_prefix('#').unwrap_or(&typed).parse().ok();
                let slot = id.and_then(|id| self.area_of(id));
                let slot = slot.ok_or_else(|| Refusal::new(format!("there is no area {typed}")))?;
                let mut corners = self.outlines.of(slot).to_vec();
                corners.retain(|corner| self.is_corner(*corner));
                Ok(corners.into_iter().map(Item::Corner).collect())
            }
            "flag" => {
                let bits = values::bits(&typed)?;
                Ok(those(&|slot| self.ground(slot).is_some_and(|ground| ground.attributes.0 & bits != 0)))
            }
            "hull" => {
                let hull: u8 = typed
                    .parse()
                    .map_err(|_| Refusal::new(format!("{typed} where the number of a hull was expected")))?;
                Ok(those(&|slot| self.hull(slot) == hull))
            }
            "isolated" => {
                let mut linked = vec![false; self.grounds.len()];
                let mut mark = |slot: Option<u32>| {
                    let place = slot.and_then(|slot| linked.get_mut(slot as usize));
                    place.into_iter().for_each(|linked| *linked = true);
                };
                let mut links = 0;
                for (slot, ground) in self.areas() {
                    links = ground.links().count().saturating_add(links);
                    if ground.ladders.iter().any(|list| !list.is_empty()) {
                        mark(Some(slot));
                    }
                    for (_, link) in ground.links() {
                        mark(Some(slot));
                        mark(self.area_of(link.area().get()));
                    }
                }
                for (_, climb) in self.ladders() {
                    values::areas_of(&climb.record).iter().for_each(|area| mark(self.area_of(area.get())));
                }
                self.look(links);
                Ok(those(&|slot| !linked.get(slot as usize).copied().unwrap_or(false)))
            }
            _ => Err(Refusal::unknown("selector", name).or(nearest(name, NAMES.iter().copied()))),
        }
    }
}
