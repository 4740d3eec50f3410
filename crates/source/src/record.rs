//! On-disk records of fixed size: little-endian, alignment 1, the bytes as stored.

mod make;

pub use make::LadderSlot;

use super::flags::{Direction, HidingSpotFlags, Traverse, Visibility};
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

record! {
    /// The rectangle of an area: two corners and the heights of the other two. Hammer units. 32 bytes.
    pub Shape[32] { north_west: Vec3, south_east: Vec3, north_east_z: F32, south_west_z: F32 }
}

impl Shape {
    /// The corner of least x and y.
    #[inline]
    pub fn north_west(&self) -> [f32; 3] {
        self.north_west.to_array()
    }

    /// The corner of greatest x and y.
    #[inline]
    pub fn south_east(&self) -> [f32; 3] {
        self.south_east.to_array()
    }

    /// Height of the north-east corner.
    #[inline]
    pub fn north_east_z(&self) -> f32 {
        self.north_east_z.get()
    }

    /// Height of the south-west corner.
    #[inline]
    pub fn south_west_z(&self) -> f32 {
        self.south_west_z.get()
    }

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
    pub HidingSpot[17] { id: HidingSpotId, position: Vec3, flags: u8 }
}

impl HidingSpot {
    /// Its id, which encounter spots refer to.
    #[inline]
    pub fn id(&self) -> HidingSpotId {
        self.id
    }

    /// Where it is.
    #[inline]
    pub fn position(&self) -> [f32; 3] {
        self.position.to_array()
    }

    /// What it is good for.
    #[inline]
    pub fn flags(&self) -> HidingSpotFlags {
        HidingSpotFlags(self.flags)
    }
}

record! {
    /// One step on the way from an enemy spawn to an area: from `previous` over `here` to `next`. 14 bytes.
    ///
    /// Every area before version 15 has these, and in CS:GO they stand at the end of an area.
    pub Approach[14] {
        here: AreaId,
        previous: AreaId,
        previous_to_here: u8,
        next: AreaId,
        here_to_next: u8,
    }
}

impl Approach {
    /// The approach area itself. Rarely 0.
    #[inline]
    pub fn here(&self) -> AreaId {
        self.here
    }

    /// The area before it; 0 if there is none.
    #[inline]
    pub fn previous(&self) -> AreaId {
        self.previous
    }

    /// How one gets from `previous` to `here`.
    #[inline]
    pub fn previous_to_here(&self) -> Traverse {
        Traverse(self.previous_to_here)
    }

    /// The area after it. Rarely 0.
    #[inline]
    pub fn next(&self) -> AreaId {
        self.next
    }

    /// How one gets from `here` to `next`.
    #[inline]
    pub fn here_to_next(&self) -> Traverse {
        Traverse(self.here_to_next)
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
    pub EncounterSpot[5] { spot: HidingSpotId, t: u8 }
}

impl EncounterSpot {
    /// The **hiding spot** (other descriptions wrongly say area). It is 0 if the mesh was edited and not analyzed
    /// again.
    #[inline]
    pub fn spot(&self) -> HidingSpotId {
        self.spot
    }

    /// Distance along the path as stored: `trunc(255 t)`.
    #[inline]
    pub fn t_stored(&self) -> u8 {
        self.t
    }

    /// Distance along the path, 0 to 1.
    #[inline]
    pub fn t(&self) -> f32 {
        f32::from(self.t) / 255.0
    }
}

record! {
    /// A spot on an encounter path of version 1 or 2: a point instead of an id. 16 bytes.
    pub OldEncounterSpot[16] { position: Vec3, t: F32 }
}

impl OldEncounterSpot {
    /// Where the spot is.
    #[inline]
    pub fn position(&self) -> [f32; 3] {
        self.position.to_array()
    }

    /// Distance along the path, 0 to 1.
    #[inline]
    pub fn t(&self) -> f32 {
        self.t.get()
    }
}

record! {
    /// An entry of an area's visibility list. 5 bytes.
    pub VisibleArea[5] { target: U32, visibility: u8 }
}

impl VisibleArea {
    /// The area as stored: an **id**, but in Left 4 Dead (2) the **position** in the file, from 0.
    /// [`Area::visible_target`](super::Area::visible_target) tells them apart.
    #[inline]
    pub fn target(&self) -> u32 {
        self.target.get()
    }

    /// How much of it can be seen.
    #[inline]
    pub fn visibility(&self) -> Visibility {
        Visibility(self.visibility)
    }
}

/// Defines a ladder record: version 6 has one byte more between the direction and the areas.
macro_rules! ladder {
    ($(#[$doc:meta])* $name:ident[$size:literal] { $($extra:ident: $ty:ty),* }) => {
        record! {
            $(#[$doc])*
            pub $name[$size] {
                id: LadderId,
                width: F32,
                top: Vec3,
                bottom: Vec3,
                length: F32,
                direction: U32,
                $($extra: $ty,)*
                top_forward: AreaId,
                top_left: AreaId,
                top_right: AreaId,
                top_behind: AreaId,
                bottom_area: AreaId,
            }
        }

        impl $name {
            /// Its id.
            #[inline]
            pub fn id(&self) -> LadderId {
                self.id
            }

            /// Width, in units.
            #[inline]
            pub fn width(&self) -> f32 {
                self.width.get()
            }

            /// Upper end.
            #[inline]
            pub fn top(&self) -> [f32; 3] {
                self.top.to_array()
            }

            /// Lower end.
            #[inline]
            pub fn bottom(&self) -> [f32; 3] {
                self.bottom.to_array()
            }

            /// Length as stored. It need not be the distance of the ends: 1,573 of 3,925 differ by more than a unit.
            #[inline]
            pub fn length(&self) -> f32 {
                self.length.get()
            }

            /// The way the ladder faces, its outward normal. A climber looks the other way. `None` for a number above
            /// 3.
            #[inline]
            pub fn direction(&self) -> Option<Direction> {
                Direction::from_stored(self.direction_stored())
            }

            /// [`direction`](Self::direction) as stored.
            #[inline]
            pub fn direction_stored(&self) -> u32 {
                self.direction.get()
            }

            /// Area ahead at the top; 0 for none.
            #[inline]
            pub fn top_forward(&self) -> AreaId {
                self.top_forward
            }

            /// Area to the left at the top; 0 for none.
            #[inline]
            pub fn top_left(&self) -> AreaId {
                self.top_left
            }

            /// Area to the right at the top; 0 for none.
            #[inline]
            pub fn top_right(&self) -> AreaId {
                self.top_right
            }

            /// Area behind at the top; 0 for none. The engine does not climb up to it.
            #[inline]
            pub fn top_behind(&self) -> AreaId {
                self.top_behind
            }

            /// Area at the bottom; 0 for none.
            #[inline]
            pub fn bottom_area(&self) -> AreaId {
                self.bottom_area
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
    OldLadder[61] { dangling: u8 }
}

impl OldLadder {
    /// Whether its bottom hangs in the air, as stored.
    pub fn dangling(&self) -> u8 {
        self.dangling
    }
}
