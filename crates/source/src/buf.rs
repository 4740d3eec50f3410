//! An owned mesh that can be changed.

use super::area::Area;
use super::encounters::EncounterList;
use super::flags::{Attributes, Direction, Extension, SpawnAttributes, TfAttributes};
use super::layout::Layout;
use super::record::{Approach, AreaId, HidingSpot, Ladder, LadderId, Shape, VisibleArea};
use super::view::SourceNav;
use navmap_core::error::Result;
use zerocopy::byteorder::little_endian::F32;

/// A mesh of version 1 to 16 that owns its memory, to be changed or made anew. [`encode`](Self::encode) writes it.
///
/// Everything in a file is kept, including odd values: reading a file and writing it again gives the same bytes. A field that the
/// version does not store has its default value and is not written.
///
/// ```
/// use navmap::format::source::{Attributes, SourceBuf, SourceNav};
///
/// let bytes = include_bytes!("../../../corpus/source/v16-2-tf2.nav");
/// let mut mesh = SourceBuf::read(&SourceNav::parse(bytes)?)?;
/// assert_eq!(mesh.encode()?, bytes);
///
/// mesh.areas[0].attributes = Attributes::CROUCH;
/// let changed = mesh.encode()?;
/// let nav = SourceNav::parse(&changed)?;
/// assert_eq!(nav.areas().next().unwrap()?.attributes(), Attributes::CROUCH);
/// # Ok::<(), navmap::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SourceBuf {
    /// Everything except areas and ladders.
    pub head: HeadBuf,
    /// The areas in file order, the order in which they were made.
    pub areas: Vec<AreaBuf>,
    /// The ladders in file order. Stored from version 6.
    pub ladders: Vec<LadderBuf>,
    /// Bytes after the end, which GoldSrc left behind from a longer, older file. [`encode`](Self::encode) writes them;
    /// clear them for a clean file.
    pub tail: Vec<u8>,
}

/// What a mesh holds besides areas and ladders.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct HeadBuf {
    /// 1 to 16.
    pub version: u32,
    /// The game's own version. Stored from version 10.
    pub subversion: u32,
    /// Size in bytes of the map it was made from. Stored from version 4.
    pub bsp_size: u32,
    /// Whether visibility and spots were computed: 0 or 1. Stored from version 14.
    pub analyzed: u8,
    /// Names of places as stored, each with its closing NUL. Stored from version 5.
    pub places: Vec<Box<[u8]>>,
    /// Whether some area has no place. Stored from version 12.
    pub has_unnamed_areas: u8,
    /// Name of the default population of zombies, without its NUL. Left 4 Dead (2).
    pub population: Box<[u8]>,
    /// The number after it: 0 in 33 files. Left 4 Dead (2).
    pub unknown_after_population: u16,
    /// The last number of the file. Left 4 Dead (2).
    pub visibility_range: F32,
}

/// An area of a [`SourceBuf`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AreaBuf {
    /// Its id.
    pub id: AreaId,
    /// Attributes. Stored in 8 bits up to version 8, in 16 up to version 12, else in 32.
    pub attributes: Attributes,
    /// The rectangle.
    pub shape: Shape,
    /// Neighbours over each side: north, east, south, west.
    pub connections: [Vec<AreaId>; 4],
    /// Hiding spots. Version 1 stores their positions alone.
    pub hiding_spots: Vec<HidingSpot>,
    /// Approach areas. Stored before version 15, and in CS:GO.
    pub approaches: Vec<Approach>,
    /// Encounter paths.
    pub encounters: EncounterList,
    /// The place, as a position in the place directory from 1; 0 for none. Stored from version 5.
    pub place: u16,
    /// Ladders that one can climb from here. Stored from version 7.
    pub ladders_up: Vec<LadderId>,
    /// Ladders that one can climb down from here. Stored from version 7.
    pub ladders_down: Vec<LadderId>,
    /// Seconds after which either team can be here first. Stored from version 8.
    pub occupy_times: [F32; 2],
    /// Light at the corners: north-west, north-east, south-east, south-west. Stored from version 11.
    pub light: [F32; 4],
    /// What may spawn here. Left 4 Dead (2).
    pub spawn_attributes: SpawnAttributes,
    /// The number after them. Left 4 Dead (2).
    pub unknown_after_spawn_attributes: u16,
    /// The areas visible from here, as stored. Left 4 Dead (2) names areas by position in the file, every other game by id.
    /// Stored from version 16.
    pub visible_areas: Vec<VisibleArea>,
    /// The area whose visibility list this one extends; 0 for none. Stored from version 16.
    pub inherits: AreaId,
    /// The number that the game adds at the end: [`TfAttributes`], or the number of Insurgency.
    pub game_attributes: u32,
}

/// A ladder of a [`SourceBuf`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct LadderBuf {
    /// Everything except the byte that only version 6 has.
    pub ladder: Ladder,
    /// Whether its bottom hangs in the air. Stored in version 6.
    pub dangling: u8,
}

impl From<Ladder> for LadderBuf {
    fn from(ladder: Ladder) -> Self {
        Self { ladder, dangling: 0 }
    }
}

impl HeadBuf {
    /// The head of an empty mesh.
    pub fn new(version: u32, subversion: u32) -> Self {
        Self {
            version,
            subversion,
            bsp_size: 0,
            analyzed: 0,
            places: Vec::new(),
            has_unnamed_areas: 0,
            population: Box::default(),
            unknown_after_population: 0,
            visibility_range: F32::ZERO,
        }
    }

    /// The sub-version, from version 10.
    pub fn subversion(&self) -> Option<u32> {
        (self.version >= 10).then_some(self.subversion)
    }

    /// The additions of the game to the stock mesh.
    pub fn extension(&self) -> Extension {
        self.layout().extension
    }

    pub(super) fn layout(&self) -> Layout {
        Layout::for_version(self.version, self.subversion()).0
    }

    /// The name of a place by its number from 1, without its NUL.
    pub fn place(&self, number: u16) -> Option<&[u8]> {
        let stored = self.places.get(usize::from(number).checked_sub(1)?)?;
        stored.split(|byte| *byte == 0).next()
    }
}

impl SourceBuf {
    /// An empty mesh. The game refuses a mesh without areas.
    pub fn new(version: u32, subversion: u32) -> Self {
        Self {
            head: HeadBuf::new(version, subversion),
            areas: Vec::new(),
            ladders: Vec::new(),
            tail: Vec::new(),
        }
    }

    /// Copies a mesh in one walk. Memory grows with the file: about 330 bytes per area, plus its lists.
    ///
    /// # Errors
    /// If the file is damaged: the first place at which reading cannot continue.
    pub fn read(nav: &SourceNav<'_>) -> Result<Self> {
        let mut mesh = Self::of_head(nav);
        let mut walk = nav.areas();
        mesh.areas.reserve_exact(walk.size_hint().1.unwrap_or(0));
        for area in walk.by_ref() {
            mesh.areas.push(AreaBuf::from(&area?));
        }
        let after = walk.finish()?;
        let old = after.old_ladders().iter().map(|old| {
            let (ladder, dangling) = old.split();
            LadderBuf { ladder, dangling }
        });
        mesh.ladders = after.ladders().iter().map(|ladder| LadderBuf::from(*ladder)).chain(old).collect();
        mesh.head.visibility_range = after.visibility_range_stored();
        mesh.tail = after.trailing().to_vec();
        Ok(mesh)
    }

    /// Reads as much as possible of a mesh that [`read`](Self::read) refuses: the areas before the first unreadable one, or all
    /// of them without the part after them. Also returns the number of areas lost.
    pub fn read_lenient(nav: &SourceNav<'_>) -> (Self, u32) {
        let mut mesh = Self::of_head(nav);
        mesh.areas.extend(nav.areas().map_while(Result::ok).map(|area| AreaBuf::from(&area)));
        let lost = nav.area_count().saturating_sub(u32::try_from(mesh.areas.len()).unwrap_or(u32::MAX));
        (mesh, lost)
    }

    fn of_head(nav: &SourceNav<'_>) -> Self {
        let mut mesh = Self::new(nav.version(), nav.subversion().unwrap_or_default());
        mesh.head.bsp_size = nav.bsp_size().unwrap_or_default();
        mesh.head.analyzed = nav.analyzed().unwrap_or_default();
        mesh.head.places = nav.places().map(|place| place.stored().into()).collect();
        mesh.head.has_unnamed_areas = nav.has_unnamed_areas().unwrap_or_default();
        mesh.head.population = nav.default_population().unwrap_or_default().into();
        mesh.head.unknown_after_population = nav.unknown_after_population().unwrap_or_default();
        mesh
    }

    /// One more than the highest id of an area. `None` if there is no higher id.
    pub fn next_area_id(&self) -> Option<AreaId> {
        next(self.areas.iter().map(|area| area.id.get())).map(AreaId::new)
    }

    /// One more than the highest id of a ladder. `None` if there is no higher id.
    pub fn next_ladder_id(&self) -> Option<LadderId> {
        next(self.ladders.iter().map(|each| each.ladder.id().get())).map(LadderId::new)
    }
}

/// 0xFFFFFFFF is never used: the engine's counter wraps to 0 after it.
fn next(ids: impl Iterator<Item = u32>) -> Option<u32> {
    ids.max().unwrap_or(0).checked_add(1).filter(|id| *id != u32::MAX)
}

impl AreaBuf {
    /// An area without attributes, neighbours or place. Light is 1 and occupy times are 0, as in a new area of the engine.
    pub fn new(id: AreaId, shape: Shape) -> Self {
        Self {
            id,
            attributes: Attributes(0),
            shape,
            connections: Default::default(),
            hiding_spots: Vec::new(),
            approaches: Vec::new(),
            encounters: EncounterList::default(),
            place: 0,
            ladders_up: Vec::new(),
            ladders_down: Vec::new(),
            occupy_times: [F32::ZERO; 2],
            light: [F32::new(1.0); 4],
            spawn_attributes: SpawnAttributes(0),
            unknown_after_spawn_attributes: 0,
            visible_areas: Vec::new(),
            inherits: AreaId::default(),
            game_attributes: 0,
        }
    }

    /// Neighbours over this side.
    pub fn connections(&self, direction: Direction) -> &[AreaId] {
        let [north, east, south, west] = &self.connections;
        match direction {
            Direction::North => north,
            Direction::East => east,
            Direction::South => south,
            Direction::West => west,
        }
    }

    /// Mutable neighbours over this side.
    pub fn connections_mut(&mut self, direction: Direction) -> &mut Vec<AreaId> {
        let [north, east, south, west] = &mut self.connections;
        match direction {
            Direction::North => north,
            Direction::East => east,
            Direction::South => south,
            Direction::West => west,
        }
    }

    /// All connections, side by side: north, east, south, west.
    pub fn all_connections(&self) -> impl Iterator<Item = (Direction, AreaId)> + Clone + '_ {
        Direction::ALL.into_iter().flat_map(|d| self.connections(d).iter().map(move |id| (d, *id)))
    }

    /// The number that the game adds, under the names of Team Fortress 2.
    pub fn tf_attributes(&self) -> TfAttributes {
        TfAttributes(self.game_attributes)
    }
}

impl From<&Area<'_>> for AreaBuf {
    fn from(area: &Area<'_>) -> Self {
        let version_1 = area.old_hiding_spots().iter().map(|position| HidingSpot::of_version_1(*position));
        let mut hiding_spots = area.hiding_spots().to_vec();
        hiding_spots.extend(version_1);
        Self {
            id: area.id(),
            attributes: area.attributes(),
            shape: *area.shape(),
            connections: Direction::ALL.map(|direction| area.connections(direction).to_vec()),
            hiding_spots,
            approaches: area.approaches().to_vec(),
            encounters: EncounterList::from(area),
            place: area.place().map_or(0, |place| place.get()),
            ladders_up: area.ladders_up().to_vec(),
            ladders_down: area.ladders_down().to_vec(),
            occupy_times: area.occupy_times_stored(),
            light: area.light_stored(),
            spawn_attributes: area.spawn_attributes().unwrap_or_default(),
            unknown_after_spawn_attributes: area.unknown_after_spawn_attributes().unwrap_or_default(),
            visible_areas: area.visible_areas().to_vec(),
            inherits: area.inherits_visibility_from().unwrap_or_default(),
            game_attributes: area
                .tf_attributes()
                .map(TfAttributes::bits)
                .or(area.insurgency_attributes())
                .unwrap_or_default(),
        }
    }
}
