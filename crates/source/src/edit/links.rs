//! Makes connections over portals, removes them, and explains why there can be none. `docs/formats/source-edit.md`, section 2.6.

use super::editor::SourceEditor;
use super::geometry::{Axis, largest_portal, overlap};
use super::state::Item;
use super::world::{Slot, World};
use crate::buf::AreaBuf;
use crate::flags::Direction;
use crate::record::{AreaId, Ladder, LadderSlot, Shape};
use navmap_core::edit::{Command, Refusal, Scope};
use navmap_core::text::counted;

type Fared = Result<(), Refusal>;

/// The direction to the left of one that looks this way.
pub(super) fn left_of(direction: Direction) -> Direction {
    match direction {
        Direction::North => Direction::West,
        Direction::West => Direction::South,
        Direction::South => Direction::East,
        Direction::East => Direction::North,
    }
}

/// Height of the middle of a ladder.
pub(super) fn middle_z(ladder: &Ladder) -> f32 {
    let ([.., top], [.., bottom]) = (ladder.top(), ladder.bottom());
    0.5 * (top + bottom)
}

/// The slot of a ladder for an area with this centre.
pub(super) fn ladder_slot(ladder: &Ladder, center: [f32; 3]) -> LadderSlot {
    let [cx, cy, cz] = center;
    if cz <= middle_z(ladder) {
        return LadderSlot::Bottom;
    }
    let [tx, ty, _] = ladder.top();
    let (dx, dy) = (cx - tx, cy - ty);
    let towards = match (dx.abs() > dy.abs(), dx > 0.0, dy > 0.0) {
        (true, true, _) => Direction::East,
        (true, false, _) => Direction::West,
        (false, _, true) => Direction::South,
        (false, _, false) => Direction::North,
    };
    let facing = ladder.direction();
    match facing {
        Some(facing) if towards == facing => LadderSlot::TopBehind,
        Some(facing) if towards == facing.opposite() => LadderSlot::TopForward,
        Some(facing) if towards == left_of(facing) => LadderSlot::TopLeft,
        _ => LadderSlot::TopRight,
    }
}

/// The reason why there is no portal between two areas, and by how much they miss.
pub(super) fn no_portal(a: &Shape, b: &Shape) -> String {
    let misses = Axis::BOTH.map(|axis| (axis, overlap(a, b, axis)));
    if misses.iter().all(|(_, overlap)| *overlap > 0.0) {
        return "one lies above the other, with the same centre".to_owned();
    }
    let by = misses.iter().filter(|(_, overlap)| *overlap <= 0.0).map(|(axis, overlap)| match *overlap {
        0.0 => format!("only touch in {}", axis.name()),
        overlap => format!("miss by {} in {}", -overlap, axis.name()),
    });
    format!("no edge of one faces the other: they {}", by.collect::<Vec<_>>().join(" and "))
}

impl World {
    /// The side over which there is a link from one to the other, if any.
    pub(super) fn links_to(&self, from: Slot, to: AreaId) -> Option<Direction> {
        let mut all = self.area(from)?.all_connections();
        all.find(|(_, id)| *id == to).map(|(direction, _)| direction)
    }

    /// Adds a link, unless it exists already or leads to the area itself. Returns whether it is new.
    pub(super) fn link(&mut self, from: Slot, direction: Direction, to: AreaId) -> bool {
        let new =
            self.area(from).is_some_and(|area| area.id != to && !area.connections(direction).contains(&to));
        if new {
            self.push_link(from, direction, to);
        }
        new
    }

    /// Lists a ladder with an area: downwards if the area is above the ladder's middle, else upwards.
    pub(super) fn list_ladder(&mut self, area: Slot, ladder: Slot) -> Option<bool> {
        let each = self.ladder(ladder)?.ladder;
        let up = {
            let [.., z] = self.area(area)?.shape.center();
            z <= middle_z(&each)
        };
        self.unlist_ladder(area, each.id());
        let mut list = super::world::ladder_list(self.area(area)?, up).clone();
        list.push(each.id());
        self.set_ladders_of(area, up, list);
        Some(up)
    }

    /// Whether one can get back to an area: by a link of any direction or by a ladder.
    fn leads_to(&self, from: &AreaBuf, to: AreaId) -> bool {
        if from.all_connections().any(|(_, id)| id == to) {
            return true;
        }
        let ladder = |id| self.ladder_by_id(id).and_then(|slot| self.ladder(slot));
        let up = from.ladders_up.iter().filter_map(|id| ladder(*id)).any(|each| {
            LadderSlot::ALL.iter().any(|slot| *slot != LadderSlot::Bottom && each.ladder.area(*slot) == to)
        });
        up || from
            .ladders_down
            .iter()
            .filter_map(|id| ladder(*id))
            .any(|each| each.ladder.bottom_area() == to)
    }

    pub(super) fn leads_back(&self, from: Slot, to: AreaId) -> bool {
        self.area(from).is_some_and(|area| self.leads_to(area, to))
    }

    /// Removes all links between two areas; returns how many there were.
    pub(super) fn disconnect(&mut self, a: Slot, b: Slot) -> usize {
        let ids = [a, b].map(|slot| self.area(slot).map(|area| area.id));
        let [Some(a_id), Some(b_id)] = ids else { return 0 };
        let each = |(from, to)| Direction::ALL.map(|direction| (from, direction, to));
        let all = [(a, b_id), (b, a_id)].into_iter().flat_map(each);
        all.filter(|(from, direction, to)| self.unlink(*from, *direction, *to)).count()
    }
}

impl SourceEditor {
    /// The direction from one area to another by the largest portal.
    pub(super) fn portal(&self, from: Slot, to: Slot) -> Result<Direction, Refusal> {
        let (Some(a), Some(b)) = (self.world.area(from), self.world.area(to)) else {
            return Err(Refusal::new("an area is gone"));
        };
        if a.id == b.id {
            return Err(Refusal::new(format!("#{} cannot be connected to itself", a.id)));
        }
        let found = largest_portal(&a.shape, &b.shape).map(|(direction, _)| direction);
        found.ok_or_else(|| {
            Refusal::new(format!("#{} and #{}: {}", a.id, b.id, no_portal(&a.shape, &b.shape)))
        })
    }

    /// The side of an area on which the cursor is, by which GoldSrc chooses. Without a named point, the cursor is the centre of
    /// the other area.
    fn side_of_cursor(&self, from: Slot, to: Slot) -> Direction {
        let shape = |slot| self.world.area(slot).map(|area| area.shape);
        let (Some(from), Some(to)) = (shape(from), shape(to)) else { return Direction::North };
        let [cx, cy, _] = from.center();
        let [tx, ty, _] = to.center();
        let [x, y] = self.cursor.unwrap_or([tx, ty]);
        let ([x0, y0, _], [x1, y1, _]) = (from.north_west(), from.south_east());
        if x0 <= x && x <= x1 {
            if y < y0 {
                return Direction::North;
            }
            if y > y1 {
                return Direction::South;
            }
        } else if y0 <= y && y <= y1 {
            return if x < x0 { Direction::West } else { Direction::East };
        }
        let (dx, dy) = (x - cx, y - cy);
        match (dx.abs() > dy.abs(), dx > 0.0, dy > 0.0) {
            (true, true, _) => Direction::East,
            (true, false, _) => Direction::West,
            (false, _, true) => Direction::South,
            (false, _, false) => Direction::North,
        }
    }

    fn connect_areas(&mut self, from: Slot, to: Slot, scope: &mut Scope<Item>) -> Fared {
        let direction = match self.is_gold(scope) {
            true => self.side_of_cursor(from, to),
            false => self.portal(from, to)?,
        };
        let Some(id) = self.world.area(to).map(|area| area.id) else { return Ok(()) };
        if let Some(other) = self.world.links_to(from, id).filter(|other| *other != direction)
            && !scope.game_exact()
        {
            scope.say(format!("{} is linked to #{id} {other} as well", self.item(Item::Area(from))));
        }
        // The editor of GoldSrc links an area with itself, too.
        let own = from == to && self.world.links_to(from, id) != Some(direction);
        if own {
            self.world.push_link(from, direction, id);
        }
        if own || self.world.link(from, direction, id) {
            self.stale(scope);
            scope.say(format!("{} {direction} to #{id}", self.item(Item::Area(from))));
        } else {
            scope.say(format!("{} is linked {direction} to #{id} already", self.item(Item::Area(from))));
        }
        Ok(())
    }

    pub(super) fn nav_connect(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let done = match self.two(c, s)? {
            Two::Set(set) => self.connect_set(&set, s),
            Two::Pair(Item::Area(a), Item::Area(b)) => self.connect_areas(a, b, s),
            Two::Pair(Item::Area(area), Item::Ladder(ladder)) => {
                let down = self.world.list_ladder(area, ladder) == Some(false);
                let way = if down { "down" } else { "up" };
                s.say(format!(
                    "{} lists {} {way}",
                    self.item(Item::Area(area)),
                    self.item(Item::Ladder(ladder))
                ));
                self.stale(s);
                Ok(())
            }
            Two::Pair(Item::Ladder(ladder), Item::Area(area)) => {
                let Some((mut each, near)) = self.world.ladder(ladder).copied().zip(self.world.area(area))
                else {
                    return Ok(());
                };
                let slot = ladder_slot(&each.ladder, near.shape.center());
                let before = each.ladder.area(slot);
                each.ladder.set_area(slot, near.id);
                s.say(format!("{} leads to #{} ({})", self.item(Item::Ladder(ladder)), near.id, slot.name()));
                if before.get() != 0 && before != near.id {
                    s.say(format!("it led to #{before} there"));
                }
                self.world.set_ladder(ladder, each);
                self.stale(s);
                Ok(())
            }
            Two::Pair(Item::Ladder(_), Item::Ladder(_)) => {
                Err(Refusal::new("two ladders cannot be connected"))
            }
        };
        done?;
        self.let_go(s);
        Ok(())
    }

    /// Links the first area of a set with each of the others, both ways. If one link cannot be made, none is.
    fn connect_set(&mut self, set: &[Slot], s: &mut Scope<Item>) -> Fared {
        let Some((first, rest)) = set.split_first() else { return Ok(()) };
        let mut sides = Vec::with_capacity(rest.len());
        for other in rest {
            sides.push((*other, self.portal(*first, *other)?, self.portal(*other, *first)?));
        }
        let Some(first_id) = self.world.area(*first).map(|area| area.id) else { return Ok(()) };
        let mut made = 0_usize;
        for (other, out, back) in sides {
            let Some(id) = self.world.area(other).map(|area| area.id) else { continue };
            made = made.saturating_add(self.world.link(other, back, first_id).into());
            made = made.saturating_add(self.world.link(*first, out, id).into());
        }
        if made > 0 {
            self.stale(s);
        }
        s.say(format!("{} made", counted(made as u64, "link", "links")));
        Ok(())
    }

    pub(super) fn nav_disconnect(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let mut gone = 0_usize;
        match self.two(c, s)? {
            Two::Set(set) => {
                let Some((first, rest)) = set.split_first() else { return Ok(()) };
                let Some(first_id) = self.world.area(*first).map(|area| area.id) else { return Ok(()) };
                for other in rest {
                    let Some(id) = self.world.area(*other).map(|area| area.id) else { continue };
                    if !self.world.leads_back(*first, id) && !self.world.leads_back(*other, first_id) {
                        let why =
                            format!("#{first_id} and #{id} are not connected, and nothing was disconnected");
                        return Err(Refusal::new(why));
                    }
                }
                for other in rest {
                    gone = gone.saturating_add(self.world.disconnect(*first, *other));
                }
            }
            Two::Pair(Item::Area(a), Item::Area(b)) => gone = self.world.disconnect(a, b),
            Two::Pair(Item::Area(area), Item::Ladder(ladder))
            | Two::Pair(Item::Ladder(ladder), Item::Area(area)) => {
                let Some((mut each, near)) = self.world.ladder(ladder).copied().zip(self.world.area(area))
                else {
                    return Ok(());
                };
                for slot in LadderSlot::ALL {
                    if each.ladder.area(slot) == near.id {
                        each.ladder.set_area(slot, AreaId::default());
                        gone = gone.saturating_add(1);
                        if s.game_exact() {
                            break;
                        }
                    }
                }
                gone = gone.saturating_add(self.world.unlist_ladder(area, each.ladder.id()).into());
                self.world.set_ladder(ladder, each);
            }
            Two::Pair(Item::Ladder(_), Item::Ladder(_)) => {
                return Err(Refusal::new("two ladders cannot be connected"));
            }
        }
        if gone > 0 {
            self.stale(s);
        }
        s.say(format!("{} removed", counted(gone as u64, "link", "links")));
        self.let_go(s);
        Ok(())
    }

    pub(super) fn nav_disconnect_outgoing_oneways(
        &mut self,
        c: &mut Command<'_>,
        s: &mut Scope<Item>,
    ) -> Fared {
        let areas = self.areas(c, s)?;
        c.finish()?;
        let mut gone = 0_usize;
        for slot in areas {
            let Some(area) = self.world.area(slot) else { continue };
            let (id, links): (_, Vec<_>) = (area.id, area.all_connections().collect());
            for (direction, to) in links {
                let back = self.world.by_id(to).is_some_and(|to| self.world.leads_back(to, id));
                if !back && self.world.unlink(slot, direction, to) {
                    gone = gone.saturating_add(1);
                }
            }
        }
        if gone > 0 {
            self.stale(s);
        }
        s.say(format!("{} removed", counted(gone as u64, "link", "links")));
        Ok(())
    }

    /// The two operands of a command on two areas: both named, or the mark and a named one, or the set.
    fn two(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Result<Two, Refusal> {
        let first = c.take();
        let second = c.take();
        c.finish()?;
        self.cursor = second.or(first).and_then(|word| pointed_at(word.text));
        if let (Some(first), Some(second)) = (first, second) {
            return Ok(Two::Pair(s.one(self, &first)?, s.one(self, &second)?));
        }
        let Some(word) = first else {
            let set = self.selected(s);
            return match set.as_slice() {
                [] | [_] => Err(Refusal::new(format!(
                    "two operands are needed, or a mark and one, or a set of two or more; {} selected",
                    set.len()
                ))),
                _ => Ok(Two::Set(set)),
            };
        };
        let mut items = s.select(self, &word)?;
        if let [one] = items.as_slice() {
            let marked = self.marked(s).ok_or_else(|| {
                Refusal::new("nothing is marked that this could be connected with").at(word.at)
            })?;
            return Ok(Two::Pair(marked, *one));
        }
        items.retain(|item| matches!(item, Item::Area(_)));
        let set: Vec<Slot> = items.iter().filter_map(|item| item.area()).collect();
        if set.len() < 2 {
            return Err(Refusal::new(format!("two or more areas expected, {} given", set.len())).at(word.at));
        }
        Ok(Two::Set(set))
    }
}

/// The point in an operand that names an area by it: `@100,20`.
fn pointed_at(text: &str) -> Option<[f32; 2]> {
    let (_, at) = text.split_once('@')?;
    let mut numbers = at.split(',').map(navmap_core::edit::number);
    Some([numbers.next()??, numbers.next()??])
}

/// The operands of a command on two areas.
enum Two {
    Pair(Item, Item),
    Set(Vec<Slot>),
}
