//! What the names and points of a selector select.

use super::editor::{DetourEditor, Item};
use super::parts::Jump;
use super::values::Holds;
use crate::ground::{inside, plan};
use crate::layout::Layout;
use navmap_core::edit::points::{Room, at_point};
use navmap_core::edit::{Atom, Refusal, nearest};

/// The names of selectors, each with what it selects.
pub(super) const SELECTORS: &[(&str, &str)] = &[
    (
        "@x,y,z",
        "the polygon under or over a point, the nearest if several lie there; C@x,y,z the connection that starts there",
    ),
    ("area(N)", "polygons and connections of an area"),
    ("flag(BITS)", "polygons and connections with any of these flags"),
    ("tile(X,Y)", "polygons and connections of the tiles at a column and row"),
    ("polygons", "all polygons"),
    ("connections", "all off-mesh connections"),
    (
        "box(x0,y0,z0,x1,y1,z1)",
        "polygons whose middle lies in a box between two corners, connections that start there",
    ),
    ("ball(x,y,z,r)", "the same within a radius"),
];

pub(super) const NAMES: &[&str] = &["area", "flag", "tile", "polygons", "connections", "box", "ball"];

/// Reading the corners of a polygon costs as much as looking at so many.
const OUTLINE: usize = 16;

impl DetourEditor {
    pub(super) fn atom(&self, atom: &Atom<'_>) -> Result<Vec<Item>, Refusal> {
        self.look(self.grounds.len().saturating_add(self.jumps.len()));
        match atom {
            Atom::Id { space, id } => Err(Refusal::new(format!("there is no {space}#{id}"))),
            Atom::Point { space: "", nearest, at } => self.under(*nearest, at),
            Atom::Point { space: "C", nearest, at } => {
                let jumps = (0_u32..).zip(&self.jumps).filter(|(_, jump)| jump.used);
                let place = |(slot, jump): (u32, &Jump)| (slot, jump.record.start(), jump.record.radius());
                let found = at_point(jumps.map(place), *nearest, at)?;
                Ok(found.into_iter().map(Item::Connection).collect())
            }
            Atom::Point { space, .. } => Err(Refusal::new(format!("{space}@ where @ or C@ was expected"))),
            Atom::Name { name, arguments } => self.named(name, arguments),
        }
    }

    /// The polygon of which a point lies within the outline, seen from above.
    fn under(&self, any: bool, at: &[f32]) -> Result<Vec<Item>, Refusal> {
        let z_up = self.opened.tiles.first().is_some_and(|tile| tile.layout.z_up());
        let (point, tall) = match *at {
            [x, y] => ([x, y, 0.0], false),
            [x, y, z] => (plan([x, y, z], z_up), true),
            _ => return Err(Refusal::new("a point has two or three numbers")),
        };
        self.look(OUTLINE.saturating_mul(self.grounds.len()));
        let mut best: Option<(f32, u32)> = None;
        for slot in (0_u32..).zip(&self.grounds).filter(|(_, ground)| ground.used).map(|(slot, _)| slot) {
            let corners: Vec<_> = self.corners(slot).into_iter().map(|corner| plan(corner, z_up)).collect();
            if corners.len() < 3 || !inside(&corners, point) {
                continue;
            }
            let height = corners.iter().map(|[_, _, height]| height).sum::<f32>() / corners.len() as f32;
            let [_, _, wanted] = point;
            let far = if tall { (height - wanted).abs() } else { 0.0 };
            if best.is_none_or(|(least, _)| far < least) {
                best = Some((far, slot));
            }
        }
        if let Some((_, slot)) = best {
            return Ok(vec![Item::Polygon(slot)]);
        }
        if !any {
            return Err(Refusal::nothing("no polygon lies there (~@ takes the nearest)"));
        }
        self.look(OUTLINE.saturating_mul(self.grounds.len()));
        let used = (0_u32..).zip(&self.grounds).filter(|(_, ground)| ground.used);
        // On the plan, the other axis than the one that points up is the second.
        let place = |[x, y, h]: [f32; 3]| if tall { [x, y, h] } else { [x, y, 0.0] };
        let centers = used.map(|(slot, _)| (slot, place(plan(self.center(slot), z_up)), 0.0));
        Ok(at_point(centers, true, &point)?.into_iter().map(Item::Polygon).collect())
    }

    fn named(&self, name: &str, arguments: &[&str]) -> Result<Vec<Item>, Refusal> {
        if let Some(room) = Room::parse(name, arguments)? {
            self.look(OUTLINE.saturating_mul(self.grounds.len()));
            let at = |item: &Item| match *item {
                Item::Polygon(slot) => Some(self.center(slot)),
                Item::Connection(slot) => self.jump(slot).map(|jump| jump.record.start()),
            };
            return Ok(self.items().filter(|item| at(item).is_some_and(|at| room.holds(at))).collect());
        }
        let numbers = || -> Result<Vec<i64>, Refusal> {
            let number = |text: &&str| {
                text.trim().parse().map_err(|_| Refusal::new(format!("{text} where a number was expected")))
            };
            arguments.iter().map(number).collect()
        };
        let values = |item: &Item| match *item {
            Item::Polygon(slot) => self.ground(slot).map(|ground| (ground.area, ground.flags)),
            Item::Connection(slot) => self.jump(slot).map(|jump| (jump.area, jump.flags)),
        };
        let which = |keep: &dyn Fn((u8, u32)) -> bool| -> Vec<Item> {
            self.items().filter(|item| values(item).is_some_and(keep)).collect()
        };
        match name.to_ascii_lowercase().as_str() {
            "polygons" => Ok(self.items().filter(|item| matches!(item, Item::Polygon(_))).collect()),
            "connections" => Ok(self.items().filter(|item| matches!(item, Item::Connection(_))).collect()),
            "area" => match numbers()?.as_slice() {
                [wanted] => Ok(which(&|(area, _)| i64::from(area) == *wanted)),
                _ => Err(Refusal::new("area(N) was expected")),
            },
            "flag" => match arguments {
                [bits] => {
                    let bits = Holds::of(Layout::V16).flags(bits.trim())?;
                    Ok(which(&|(_, flags)| flags & bits != 0))
                }
                _ => Err(Refusal::new("flag(BITS) was expected")),
            },
            "tile" => match numbers()?.as_slice() {
                [x, y] => {
                    let there = |tile: u32| {
                        let tile = self.opened.tiles.get(tile as usize);
                        tile.is_some_and(|tile| tile.head.at.map(i64::from) == [*x, *y])
                    };
                    let tile = |item: &Item| match *item {
                        Item::Polygon(slot) => self.place_of(slot).0,
                        Item::Connection(slot) => self.jump(slot).map_or(u32::MAX, |jump| jump.tile),
                    };
                    Ok(self.items().filter(|item| there(tile(item))).collect())
                }
                _ => Err(Refusal::new("tile(X,Y) was expected: column and row")),
            },
            _ => Err(Refusal::unknown("selector", name).or(nearest(name, NAMES.iter().copied()))),
        }
    }
}
