//! Makes and changes records, for an editor or a converter.

use super::{
    Approach, AreaId, EncounterSpot, HidingSpot, HidingSpotId, Ladder, LadderId, OldLadder, PathHead, Shape,
    Vec3, VisibleArea,
};
use crate::flags::{Direction, HidingSpotFlags, Traverse, Visibility};

impl From<[f32; 3]> for Vec3 {
    fn from([x, y, z]: [f32; 3]) -> Self {
        Self { x: x.into(), y: y.into(), z: z.into() }
    }
}

impl Shape {
    /// A rectangle from its two stored corners and the heights of the other two. Hammer units.
    pub fn new(north_west: [f32; 3], south_east: [f32; 3], north_east_z: f32, south_west_z: f32) -> Self {
        Self {
            north_west: north_west.into(),
            south_east: south_east.into(),
            north_east_z: north_east_z.into(),
            south_west_z: south_west_z.into(),
        }
    }

    /// A rectangle from its extent in x and y, and the heights of its corners: north-west, north-east, south-east,
    /// south-west.
    pub fn from_extent([x0, y0]: [f32; 2], [x1, y1]: [f32; 2], [nw, ne, se, sw]: [f32; 4]) -> Self {
        Self::new([x0, y0, nw], [x1, y1, se], ne, sw)
    }
}

impl HidingSpot {
    /// A hiding spot. Version 1 stores its position alone.
    pub fn new(id: HidingSpotId, position: [f32; 3], flags: HidingSpotFlags) -> Self {
        Self { id, position: position.into(), flags: flags.bits() }
    }

    /// The bare position that version 1 stores.
    pub(crate) fn stored_position(&self) -> &Vec3 {
        &self.position
    }

    /// A spot of version 1. The engine takes such a spot for cover and gives it an id when it loads the mesh.
    pub(crate) fn of_version_1(position: Vec3) -> Self {
        Self { id: HidingSpotId::default(), position, flags: HidingSpotFlags::IN_COVER.bits() }
    }
}

impl Approach {
    /// One step on the way: from `previous` over `here` to `next`.
    pub fn new(
        here: AreaId,
        (previous, previous_to_here): (AreaId, Traverse),
        (next, here_to_next): (AreaId, Traverse),
    ) -> Self {
        Self { here, previous, previous_to_here: previous_to_here.0, next, here_to_next: here_to_next.0 }
    }
}

impl EncounterSpot {
    /// A spot on a path, at a distance as stored: `trunc(255 t)`.
    pub fn new(spot: HidingSpotId, t_stored: u8) -> Self {
        Self { spot, t: t_stored }
    }
}

impl VisibleArea {
    /// An entry of a visibility list. `target` is an id; in Left 4 Dead (2) it is a position in the file.
    pub fn new(target: u32, visibility: Visibility) -> Self {
        Self { target: target.into(), visibility: visibility.bits() }
    }
}

impl PathHead {
    pub(crate) fn new(
        (from, from_direction): (AreaId, Direction),
        (to, to_direction): (AreaId, Direction),
        spot_count: u8,
    ) -> Self {
        let (from_direction, to_direction) = (from_direction.stored() as u8, to_direction.stored() as u8);
        Self { from, from_direction, to, to_direction, spot_count }
    }
}

/// The five areas that a ladder names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LadderSlot {
    /// Ahead at the top.
    TopForward,
    /// To the left at the top.
    TopLeft,
    /// To the right at the top.
    TopRight,
    /// Behind at the top. The engine does not climb up to it.
    TopBehind,
    /// At the bottom.
    Bottom,
}

impl LadderSlot {
    /// In file order.
    pub const ALL: [Self; 5] =
        [Self::TopForward, Self::TopLeft, Self::TopRight, Self::TopBehind, Self::Bottom];

    /// `top-forward`, `top-left`, `top-right`, `top-behind`, `bottom`.
    pub fn name(self) -> &'static str {
        match self {
            Self::TopForward => "top-forward",
            Self::TopLeft => "top-left",
            Self::TopRight => "top-right",
            Self::TopBehind => "top-behind",
            Self::Bottom => "bottom",
        }
    }
}

impl Ladder {
    /// A ladder between two points that leads nowhere yet. `length` is the distance of its ends.
    pub fn new(id: LadderId, top: [f32; 3], bottom: [f32; 3], width: f32, direction: Direction) -> Self {
        let ([x0, y0, z0], [x1, y1, z1]) = (top, bottom);
        let (x, y, z) = (x0 - x1, y0 - y1, z0 - z1);
        Self {
            id,
            width: width.into(),
            top: top.into(),
            bottom: bottom.into(),
            length: (x * x + y * y + z * z).sqrt().into(),
            direction: direction.stored().into(),
            top_forward: AreaId::default(),
            top_left: AreaId::default(),
            top_right: AreaId::default(),
            top_behind: AreaId::default(),
            bottom_area: AreaId::default(),
        }
    }

    /// Gives it another id.
    pub fn set_id(&mut self, id: LadderId) {
        self.id = id;
    }

    /// Moves its two ends. The stored length stays as it is.
    pub fn set_ends(&mut self, top: [f32; 3], bottom: [f32; 3]) {
        (self.top, self.bottom) = (top.into(), bottom.into());
    }

    /// Sets its width, in units.
    pub fn set_width(&mut self, width: f32) {
        self.width = width.into();
    }

    /// Sets its stored length, in units.
    pub fn set_length(&mut self, length: f32) {
        self.length = length.into();
    }

    /// Turns it to face this way.
    pub fn set_direction(&mut self, direction: Direction) {
        self.direction = direction.stored().into();
    }

    /// The area of a slot; 0 for none.
    pub fn area(&self, slot: LadderSlot) -> AreaId {
        match slot {
            LadderSlot::TopForward => self.top_forward,
            LadderSlot::TopLeft => self.top_left,
            LadderSlot::TopRight => self.top_right,
            LadderSlot::TopBehind => self.top_behind,
            LadderSlot::Bottom => self.bottom_area,
        }
    }

    /// Sets the area of a slot; 0 for none.
    pub fn set_area(&mut self, slot: LadderSlot, area: AreaId) {
        let at = match slot {
            LadderSlot::TopForward => &mut self.top_forward,
            LadderSlot::TopLeft => &mut self.top_left,
            LadderSlot::TopRight => &mut self.top_right,
            LadderSlot::TopBehind => &mut self.top_behind,
            LadderSlot::Bottom => &mut self.bottom_area,
        };
        *at = area;
    }
}

impl OldLadder {
    /// The record that later versions store, and the byte that only version 6 has.
    pub(crate) fn split(&self) -> (Ladder, u8) {
        let Self { id, width, top, bottom, length, direction, dangling, .. } = *self;
        let Self { top_forward, top_left, top_right, top_behind, bottom_area, .. } = *self;
        let ladder = Ladder {
            id,
            width,
            top,
            bottom,
            length,
            direction,
            top_forward,
            top_left,
            top_right,
            top_behind,
            bottom_area,
        };
        (ladder, dangling)
    }

    /// The record of version 6.
    pub(crate) fn join(ladder: &Ladder, dangling: u8) -> Self {
        let Ladder { id, width, top, bottom, length, direction, .. } = *ladder;
        let Ladder { top_forward, top_left, top_right, top_behind, bottom_area, .. } = *ladder;
        Self {
            id,
            width,
            top,
            bottom,
            length,
            direction,
            dangling,
            top_forward,
            top_left,
            top_right,
            top_behind,
            bottom_area,
        }
    }
}
