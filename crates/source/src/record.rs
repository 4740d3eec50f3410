//! On-disk records of fixed size: little-endian, alignment 1, the bytes as stored.

mod make;

pub use make::LadderSlot;

use super::flags::{Direction, HidingSpotFlags, Traverse, Visibility};
use navmap_core::format::Stored;
use navmap_core::graph::surface::bilinear;
use navmap_core::{id, record};
use zerocopy::byteorder::little_endian::{F32, U32};

id! {
    /// Id of an area, unique in its file. No duplicate and no 0 in 2,123 files.
    AreaId: U32 => u32;

    /// Id of a ladder, unique in its file.
    LadderId: U32 => u32;

    /// Id of a hiding spot, unique in its file. It is 0 in an encounter spot if the mesh was edited and not analyzed
    /// again.
    HidingSpotId: U32 => u32;
}

record! {
    /// A point: Hammer units, X east, Y south, Z up. 12 bytes.
    pub Vec3[12] { x: F32, y: F32, z: F32 }
}

impl Vec3 {
    /// `[x, y, z]`.
    #[inline]
    pub fn to_array(self) -> [f32; 3] {
        [self.x.get(), self.y.get(), self.z.get()]
    }
}

impl Stored<[f32; 3]> for &Vec3 {
    #[inline(always)]
    fn value(self) -> [f32; 3] {
        self.to_array()
    }
}

record! {
    /// The rectangle of an area: two corners and the heights of the other two. Hammer units. 32 bytes.
    pub Shape[32] {
        /// The corner of least x and y.
        north_west: Vec3 => [f32; 3],
        /// The corner of greatest x and y.
        south_east: Vec3 => [f32; 3],
        /// Height of the north-east corner.
        north_east_z: F32 => f32,
        /// Height of the south-west corner.
        south_west_z: F32 => f32,
    }
}

impl Shape {
    /// North-west, north-east, south-east, south-west: clockwise seen from above on a map with north up.
    #[inline]
    pub fn corners(&self) -> [[f32; 3]; 4] {
        let (nw, se) = (self.north_west(), self.south_east());
        [nw, [se[0], nw[1], self.north_east_z()], se, [nw[0], se[1], self.south_west_z()]]
    }

    /// Mean of the two stored corners in all three axes. Its z is not the height of the surface there.
    #[inline]
    pub fn center(&self) -> [f32; 3] {
        let (nw, se) = (self.north_west(), self.south_east());
        [0.5 * (nw[0] + se[0]), 0.5 * (nw[1] + se[1]), 0.5 * (nw[2] + se[2])]
    }

    /// Width along x and y. Zero or negative in a degenerate area (84 of 1.61 million).
    #[inline]
    pub fn extent(&self) -> [f32; 2] {
        let (nw, se) = (self.north_west(), self.south_east());
        [se[0] - nw[0], se[1] - nw[1]]
    }

    /// Size seen from above, in square units; 0 for a degenerate area.
    #[inline]
    pub fn square_units(&self) -> f32 {
        let [x, y] = self.extent();
        if x > 0.0 && y > 0.0 { x * y } else { 0.0 }
    }

    /// Whether the rectangle has no surface: its width along x or along y is zero, negative or NaN.
    #[inline]
    pub fn is_degenerate(&self) -> bool {
        let [x, y] = self.extent();
        !(x > 0.0 && y > 0.0)
    }

    /// Height of the surface at a point, bilinear between the four corners. Outside the rectangle it is the height at
    /// the nearest edge. For a degenerate area it is that of the north-east corner, as in the engine.
    /// `docs/formats/source.md`, section 4.1.
    #[inline]
    pub fn height_at(&self, x: f32, y: f32) -> f32 {
        let heights = [self.north_east_z(), self.south_west_z()];
        bilinear(self.north_west(), self.south_east(), heights, [x, y])
    }

    /// Whether the point is above, on or below the rectangle, edges included.
    #[inline]
    pub fn contains_xy(&self, x: f32, y: f32) -> bool {
        let (nw, se) = (self.north_west(), self.south_east());
        nw[0] <= x && x <= se[0] && nw[1] <= y && y <= se[1]
    }
}

record! {
    /// A hiding spot of version 2 and later. 17 bytes.
    pub HidingSpot[17]: Serialize {
        /// Its id, which encounter spots refer to.
        id: HidingSpotId => HidingSpotId,
        /// Where it is.
        position: Vec3 => [f32; 3],
        /// What it is good for.
        flags: u8 as HidingSpotFlags,
    }
}

record! {
    /// One step on the way from an enemy spawn to an area: from `previous` over `here` to `next`. 14 bytes.
    ///
    /// Every area before version 15 has these, and in CS:GO they stand at the end of an area.
    pub Approach[14]: Serialize {
        /// The approach area itself. Rarely 0.
        here: AreaId => AreaId,
        /// The area before it; 0 if there is none.
        previous: AreaId => AreaId,
        /// How one gets from `previous` to `here`.
        previous_to_here: u8 as Traverse,
        /// The area after it. Rarely 0.
        next: AreaId => AreaId,
        /// How one gets from `here` to `next`.
        here_to_next: u8 as Traverse,
    }
}

record! {
    /// Head of an encounter path of version 3 and later; its spots follow. 11 bytes.
    pub(super) PathHead[11] {
        pub(super) from: AreaId,
        pub(super) from_direction: u8,
        pub(super) to: AreaId,
        pub(super) to_direction: u8,
        pub(super) spot_count: u8,
    }
}

record! {
    /// Head of an encounter path of version 1 or 2; its spots follow. 33 bytes.
    pub(super) OldPathHead[33] {
        pub(super) from: AreaId,
        pub(super) to: AreaId,
        pub(super) from_position: Vec3,
        pub(super) to_position: Vec3,
        pub(super) spot_count: u8,
    }
}

record! {
    /// A hiding spot that is passed on an encounter path, and where along the path. 5 bytes.
    pub EncounterSpot[5] {
        /// The **hiding spot** (other descriptions wrongly say area). It is 0 if the mesh was edited and not analyzed
        /// again.
        spot: HidingSpotId => HidingSpotId,
        /// Distance along the path as stored: `trunc(255 t)`.
        t as t_stored: u8 => u8,
    }
}

impl EncounterSpot {
    /// Distance along the path, 0 to 1.
    #[inline]
    pub fn t(&self) -> f32 {
        f32::from(self.t) / 255.0
    }
}

record! {
    /// A spot on an encounter path of version 1 or 2: a point instead of an id. 16 bytes.
    pub OldEncounterSpot[16]: Serialize {
        /// Where the spot is.
        position: Vec3 => [f32; 3],
        /// Distance along the path, 0 to 1.
        t: F32 => f32,
    }
}

record! {
    /// An entry of an area's visibility list. 5 bytes.
    pub VisibleArea[5] {
        /// The area as stored: an **id**, but in Left 4 Dead (2) the **position** in the file, from 0.
        /// [`Area::visible_target`](super::Area::visible_target) tells them apart.
        target: U32 => u32,
        /// How much of it can be seen.
        visibility: u8 as Visibility,
    }
}

/// Defines a ladder record: version 6 has one byte more between the direction and the areas.
macro_rules! ladder {
    ($(#[$doc:meta])* $name:ident[$size:literal] { $($extra:tt)* }) => {
        record! {
            $(#[$doc])*
            pub $name[$size] {
                /// Its id.
                id: LadderId => LadderId,
                /// Width, in units.
                width: F32 => f32,
                /// Upper end.
                top: Vec3 => [f32; 3],
                /// Lower end.
                bottom: Vec3 => [f32; 3],
                /// Length as stored. It need not be the distance of the ends: 1,573 of 3,925 differ by more than a unit.
                length: F32 => f32,
                /// [`direction`](Self::direction) as stored.
                direction as direction_stored: U32 => u32,
                $($extra)*
                /// Area ahead at the top; 0 for none.
                top_forward: AreaId => AreaId,
                /// Area to the left at the top; 0 for none.
                top_left: AreaId => AreaId,
                /// Area to the right at the top; 0 for none.
                top_right: AreaId => AreaId,
                /// Area behind at the top; 0 for none. The engine does not climb up to it.
                top_behind: AreaId => AreaId,
                /// Area at the bottom; 0 for none.
                bottom_area: AreaId => AreaId,
            }
        }

        impl $name {
            /// The way the ladder faces, its outward normal. A climber looks the other way. `None` for a number above
            /// 3.
            #[inline]
            pub fn direction(&self) -> Option<Direction> {
                Direction::from_stored(self.direction_stored())
            }

            /// The five areas in file order, with their names.
            pub fn areas(&self) -> [(&'static str, AreaId); 5] {
                [
                    ("top forward", self.top_forward),
                    ("top left", self.top_left),
                    ("top right", self.top_right),
                    ("top behind", self.top_behind),
                    ("bottom", self.bottom_area),
                ]
            }
        }
    };
}

ladder! {
    /// A ladder of version 7 and later. 60 bytes. `docs/formats/source.md`, section 5.
    Ladder[60] {}
}

ladder! {
    /// A ladder of version 6. 61 bytes. `docs/formats/source.md`, section 5; no real file seen.
    OldLadder[61] {
        /// Whether its bottom hangs in the air, as stored.
        dangling: u8 => u8,
    }
}
