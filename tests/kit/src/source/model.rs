//! A mesh of version 1 to 16 as plain owned data.

/// Everything that a file of any version can hold; writing ignores what a version lacks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mesh {
    /// 1 to 16.
    pub version: u32,
    /// From version 10.
    pub subversion: Option<u32>,
    /// From version 4.
    pub bsp_size: u32,
    /// From version 14.
    pub analyzed: u8,
    /// From version 5; with their NUL.
    pub places: Vec<Vec<u8>>,
    /// From version 12.
    pub unnamed: u8,
    /// Left 4 Dead; without its NUL.
    pub population: Vec<u8>,
    /// Left 4 Dead.
    pub population_number: u16,
    /// The areas.
    pub areas: Vec<Area>,
    /// From version 6.
    pub ladders: Vec<Ladder>,
    /// Left 4 Dead.
    pub visibility_range: f32,
    /// What is left over.
    pub tail: Vec<u8>,
}

/// An area.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Area {
    /// Id.
    pub id: u32,
    /// Attributes.
    pub attributes: u32,
    /// North-west corner.
    pub nw: [f32; 3],
    /// South-east corner.
    pub se: [f32; 3],
    /// Height of the north-east corner.
    pub ne_z: f32,
    /// Height of the south-west corner.
    pub sw_z: f32,
    /// Ids, by side.
    pub connections: [Vec<u32>; 4],
    /// Hiding spots.
    pub spots: Vec<Spot>,
    /// Approach areas, wherever the version puts them.
    pub approaches: Vec<Approach>,
    /// Encounter paths.
    pub paths: Vec<Path>,
    /// From 1, 0 for none.
    pub place: u16,
    /// Ids.
    pub ladders_up: Vec<u32>,
    /// Ids.
    pub ladders_down: Vec<u32>,
    /// By team.
    pub occupy: [f32; 2],
    /// By corner.
    pub light: [f32; 4],
    /// Left 4 Dead.
    pub spawn: u32,
    /// Left 4 Dead.
    pub spawn_number: u16,
    /// Id (index in Left 4 Dead) and bits.
    pub visible: Vec<(u32, u8)>,
    /// Id, 0 for none.
    pub inherit: u32,
    /// Team Fortress 2, Insurgency.
    pub game: u32,
}

/// A hiding spot; version 1 stores its position only.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spot {
    /// Id.
    pub id: u32,
    /// Position.
    pub position: [f32; 3],
    /// Bits.
    pub flags: u8,
}

/// An approach area.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Approach {
    /// Id.
    pub here: u32,
    /// Id.
    pub previous: u32,
    /// How.
    pub previous_how: u8,
    /// Id.
    pub next: u32,
    /// How.
    pub next_how: u8,
}

/// An encounter path.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Path {
    /// Id.
    pub from: u32,
    /// Side; from version 3.
    pub from_side: u8,
    /// Id.
    pub to: u32,
    /// Side; from version 3.
    pub to_side: u8,
    /// Versions 1 and 2.
    pub ends: [[f32; 3]; 2],
    /// Hiding spot and distance; from version 3.
    pub spots: Vec<(u32, u8)>,
    /// Position and distance; versions 1 and 2.
    pub old_spots: Vec<([f32; 3], f32)>,
}

/// A ladder.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ladder {
    /// Id.
    pub id: u32,
    /// Width.
    pub width: f32,
    /// Upper end.
    pub top: [f32; 3],
    /// Lower end.
    pub bottom: [f32; 3],
    /// Length.
    pub length: f32,
    /// Side that it faces.
    pub direction: u32,
    /// Version 6 only.
    pub dangling: u8,
    /// Ahead, left, right, behind at the top; at the bottom.
    pub areas: [u32; 5],
}
