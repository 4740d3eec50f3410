//! Joins two areas, and inserts a new one between two. `docs/formats/source-edit.md`, sections 2.4 and 2.5.

use super::editor::SourceEditor;
use super::geometry::{Axis, edges, heights, overlap};
use super::state::Item;
use super::world::{Slot, ladder_list};
use crate::buf::AreaBuf;
use crate::flags::{Attributes, Direction, SpawnAttributes};
use crate::record::{LadderSlot, Shape};
use navmap_core::edit::{Command, Refusal, Scope};

type Fared = Result<(), Refusal>;

impl SourceEditor {
    pub(super) fn nav_merge(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let [gone, keep] = self.mark_and_highlight(c, s)?;
        let merged = self.merge(keep, gone, s);
        match merged {
            // The game strips even though it refuses.
            Err(refusal) if s.game_exact() => s.say(refusal.to_string()),
            Err(refusal) => return Err(refusal),
            Ok(()) => {}
        }
        self.world.strip();
        Ok(())
    }

    pub(super) fn merge(&mut self, keep: Slot, gone: Slot, s: &mut Scope<Item>) -> Fared {
        let Some((a, b)) = self.world.area(keep).cloned().zip(self.world.area(gone).cloned()) else {
            return Err(Refusal::new("an area is gone"));
        };
        if keep == gone {
            return Err(Refusal::new(format!("#{} cannot be merged with itself", a.id)));
        }
        let misfit = Axis::BOTH.map(|axis| {
            let ([a0, a1], [b0, b1]) = (edges(&a.shape, axis), edges(&b.shape, axis));
            (a0 - b0).abs().max((a1 - b1).abs())
        });
        let fits = misfit.map(|misfit| misfit < 1.0);
        if fits == [false, false] {
            let [x, y] = misfit;
            return Err(Refusal::new(format!(
                "#{} and #{} have no side in common: their edges differ by {x} in x and {y} in y, less than 1 is needed",
                a.id, b.id
            )));
        }
        let exact = s.game_exact();
        for (axis, misfit) in Axis::BOTH.into_iter().zip(misfit).filter(|_| !exact) {
            let gap = -overlap(&a.shape, &b.shape, axis);
            if gap > 1.0 {
                s.say(format!("a gap of {gap} units in {} is bridged", axis.name()));
            }
            if misfit > 0.0 && misfit < 1.0 {
                s.say(format!("edges in {} differ by {misfit}", axis.name()));
            }
        }
        let shape = if exact { merged_as_the_game(&a.shape, &b.shape) } else { merged(&a.shape, &b.shape) };
        self.world.set_shape(keep, shape);
        if !self.is_gold(s) {
            self.world.set_attributes(keep, Attributes(a.attributes.bits() | b.attributes.bits()));
        }
        if !exact {
            self.world.set_game(keep, a.game_attributes | b.game_attributes);
        }
        if a.place == 0 && !self.is_gold(s) {
            self.world.set_place(keep, b.place);
        }
        self.merge_links(keep, &a, gone, &b);
        self.world.note_heirs(gone, &[keep]);
        self.world.kill_area(gone, s);
        self.world.with_state(|state| (state.mark, state.corner) = (None, None));
        s.say(format!("merged #{} into #{}", b.id, a.id));
        Ok(())
    }

    fn merge_links(&mut self, keep: Slot, a: &AreaBuf, gone: Slot, b: &AreaBuf) {
        for (direction, to) in b.all_connections().filter(|(_, to)| *to != a.id && *to != b.id) {
            self.world.link(keep, direction, to);
        }
        let mut naming = self.world.incoming(b.id);
        naming.retain(|(from, _)| *from != keep && *from != gone);
        // They come in mesh order. Of each, only the first direction that names it counts.
        naming.dedup_by_key(|(from, _)| *from);
        for (from, direction) in naming {
            for each in Direction::ALL {
                self.world.unlink(from, each, b.id);
                self.world.unlink(from, each, a.id);
            }
            self.world.link(from, direction, a.id);
        }
        for id in ladder_list(b, true).iter().chain(ladder_list(b, false)) {
            if let Some(slot) = self.world.ladder_by_id(*id) {
                self.world.list_ladder(keep, slot);
            }
        }
        self.world.change_ladders(|each| {
            for slot in LadderSlot::ALL {
                if each.ladder.area(slot) == b.id {
                    each.ladder.set_area(slot, a.id);
                }
            }
        });
    }

    pub(super) fn nav_splice(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let [other, this] = self.mark_and_highlight(c, s)?;
        let Some((this_area, other_area)) = self.world.area(this).zip(self.world.area(other)) else {
            return Err(Refusal::new("an area is gone"));
        };
        let (a, b) = (this_area.clone(), other_area.clone());
        let Some((direction, shape)) = between(&a.shape, &b.shape) else {
            let [x, y] = Axis::BOTH.map(|axis| overlap(&a.shape, &b.shape, axis));
            return Err(Refusal::new(format!(
                "there is no gap between #{} and #{}: they overlap by {x} in x and {y} in y",
                a.id, b.id
            )));
        };
        let across = Axis::along(direction);
        let width = overlap(&a.shape, &b.shape, across);
        if width.is_nan() || (width <= 0.0 && !s.game_exact()) {
            let name = across.name();
            return Err(Refusal::new(format!("#{} and #{} miss by {} in {name}", a.id, b.id, 0.0 - width)));
        }
        let id = self.new_id(s)?;
        let mut area = AreaBuf::new(id, shape);
        area.attributes = Attributes(a.attributes.bits() | b.attributes.bits());
        area.place = if a.place != 0 { a.place } else { b.place };
        if !s.game_exact() {
            area.game_attributes = a.game_attributes | b.game_attributes;
            area.spawn_attributes = SpawnAttributes(a.spawn_attributes.bits() | b.spawn_attributes.bits());
        }
        let new = self.make(area, s);
        self.world.link(this, direction, id);
        self.world.link(new, direction.opposite(), a.id);
        self.world.link(other, direction.opposite(), id);
        self.world.link(new, direction, b.id);
        self.stale(s);
        s.say(format!("made #{id} between #{} and #{}", a.id, b.id));
        self.let_go(s);
        Ok(())
    }
}

/// One rectangle around two. A corner takes the height of the first area, or of the second if that extends a unit or more beyond
/// the first at one of the corner's edges.
fn merged(a: &Shape, b: &Shape) -> Shape {
    let ([ax0, ay0, _], [ax1, ay1, _]) = (a.north_west(), a.south_east());
    let ([bx0, by0, _], [bx1, by1, _]) = (b.north_west(), b.south_east());
    let (west, east) = (ax0 - bx0 >= 1.0, bx1 - ax1 >= 1.0);
    let (north, south) = (ay0 - by0 >= 1.0, by1 - ay1 >= 1.0);
    let ([anw, ane, ase, asw], [bnw, bne, bse, bsw]) = (heights(a), heights(b));
    let pick = |second, a, b| if second { b } else { a };
    Shape::from_extent(
        [ax0.min(bx0), ay0.min(by0)],
        [ax1.max(bx1), ay1.max(by1)],
        [
            pick(north || west, anw, bnw),
            pick(north || east, ane, bne),
            pick(south || east, ase, bse),
            pick(south || west, asw, bsw),
        ],
    )
}

/// The rectangle that the engine makes. If the edges do not match exactly, it can lose half of the first area.
fn merged_as_the_game(a: &Shape, b: &Shape) -> Shape {
    let ([anx, any, _], [asx, asy, _]) = (a.north_west(), a.south_east());
    let ([bnx, bny, _], [bsx, bsy, _]) = (b.north_west(), b.south_east());
    let nw = if anx > bnx || any > bny { b.north_west() } else { a.north_west() };
    let se = if asx < bsx || asy < bsy { b.south_east() } else { a.south_east() };
    let ([x0, y0, _], [x1, y1, _]) = (nw, se);
    let north_east = if x1 > asx || y0 < any { b.height_at(x1, y0) } else { a.north_east_z() };
    let south_west = if x0 < anx || y1 > asy { b.height_at(x0, y1) } else { a.south_west_z() };
    Shape::new(nw, se, north_east, south_west)
}

/// The rectangle in the gap between two, and the side of the first on which it lies. x is tested before y.
fn between(this: &Shape, other: &Shape) -> Option<(Direction, Shape)> {
    let ([tx0, ty0, _], [tx1, ty1, _]) = (this.north_west(), this.south_east());
    let ([ox0, oy0, _], [ox1, oy1, _]) = (other.north_west(), other.south_east());
    let (west, east, north, south) = (tx0.max(ox0), tx1.min(ox1), ty0.max(oy0), ty1.min(oy1));
    let t = |x, y| this.height_at(x, y);
    let o = |x, y| other.height_at(x, y);
    let span = |low: [f32; 2], high: [f32; 2], heights| Shape::from_extent(low, high, heights);
    if tx0 > ox1 {
        let z = [o(ox1, north), t(tx0, north), t(tx0, south), o(ox1, south)];
        return Some((Direction::West, span([ox1, north], [tx0, south], z)));
    }
    if tx1 < ox0 {
        let z = [t(tx1, north), o(ox0, north), o(ox0, south), t(tx1, south)];
        return Some((Direction::East, span([tx1, north], [ox0, south], z)));
    }
    if ty0 > oy1 {
        let z = [o(west, oy1), o(east, oy1), t(east, ty0), t(west, ty0)];
        return Some((Direction::North, span([west, oy1], [east, ty0], z)));
    }
    if ty1 < oy0 {
        let z = [t(west, ty1), t(east, ty1), o(east, oy0), o(west, oy0)];
        return Some((Direction::South, span([west, ty1], [east, oy0], z)));
    }
    None
}
