//! Finds anything that a game refuses, or crashes on, when it loads a mesh. Writers must keep these rules.
//! `docs/formats/source-edit.md`, section 3.5.

use super::buf::{AreaBuf, HeadBuf, LadderBuf, SourceBuf};
use super::check::values::Repeats;
use super::flags::{Direction, Extension};
use super::record::{AreaId, HidingSpotId, LadderId, Shape};
use Severity::{Error, Warning};
use navmap_core::format::ids::{IdSet, Positions};
use navmap_core::{Finding, Severity};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

/// Finds anything that a game would refuse, crash on or misread. A writer must not introduce an error; games cope with warnings.
/// Messages name areas and ladders by id, so that two versions of a mesh can be compared. Linear.
pub fn odd(mesh: &SourceBuf) -> Vec<Finding> {
    odd_of(mesh, |_, _| true)
}

/// The errors among them: what a game refuses or crashes on.
pub fn odd_errors(mesh: &SourceBuf) -> Vec<Finding> {
    odd_of(mesh, |severity, _| severity == Error)
}

/// The errors of a mesh, so that those of a later version of it can be told from them. A mesh of a megabyte may have 250,000, so their
/// messages are not kept.
#[derive(Debug, Default)]
pub struct KnownErrors {
    state: RandomState,
    messages: HashSet<u64>,
}

impl KnownErrors {
    /// Those of a mesh.
    pub fn of(mesh: &SourceBuf) -> Self {
        let mut known = Self::default();
        odd_each(mesh, &mut |found| {
            if found.severity == Error {
                known.messages.insert(known.state.hash_one(&found.message));
            }
        });
        known
    }

    /// The first error of a version of the mesh that is none of them.
    pub fn first_new(&self, mesh: &SourceBuf) -> Option<String> {
        let mut first = None;
        odd_each(mesh, &mut |found| {
            if first.is_none() && found.severity == Error && !self.has(&found.message) {
                first = Some(found.message);
            }
        });
        first
    }

    fn has(&self, message: &str) -> bool {
        self.messages.contains(&self.state.hash_one(message))
    }
}

/// The wanted ones.
fn odd_of(mesh: &SourceBuf, wanted: fn(Severity, &str) -> bool) -> Vec<Finding> {
    let mut all = Vec::new();
    odd_each(mesh, &mut |found| {
        if wanted(found.severity, found.code) {
            all.push(found);
        }
    });
    all
}

/// Hands each of them to `tell`.
pub(super) fn odd_each(mesh: &SourceBuf, tell: &mut dyn FnMut(Finding)) {
    odd_parts(&mesh.head, mesh.areas.iter(), mesh.ladders.iter(), |area| area.place, tell);
}

/// The same for a mesh in parts. `place` gives the number of an area's place in the directory of `head`.
pub(super) fn odd_parts<'b>(
    head: &HeadBuf,
    areas: impl Iterator<Item = &'b AreaBuf> + Clone,
    ladders: impl Iterator<Item = &'b LadderBuf> + Clone,
    place: impl Fn(&AreaBuf) -> u16,
    tell: &mut dyn FnMut(Finding),
) {
    let mut rules = Rules::gather(head, areas.clone(), ladders.clone(), tell);
    rules.directory();
    for (index, area) in areas.enumerate() {
        rules.area(index as u64, area, place(area));
    }
    for (index, each) in ladders.enumerate() {
        rules.ladder(index as u64, each);
    }
}

/// Hiding spots that lie off every area, each with the area that has it. Linear.
pub(super) fn loose_spots<'b>(
    areas: impl Iterator<Item = &'b AreaBuf> + Clone,
) -> HashSet<(HidingSpotId, AreaId)> {
    let floor = Floor::new(areas.clone().map(|area| &area.shape));
    let spots = areas.flat_map(|area| area.hiding_spots.iter().map(|spot| (spot, area.id)));
    let loose = spots.filter(|(spot, _)| floor.misses(spot.position()));
    loose.map(|(spot, area)| (spot.id(), area)).collect()
}

/// The areas seen from above, in cells that find the candidates for a point.
#[derive(Default)]
struct Floor {
    extents: Vec<[f32; 4]>,
    /// A cell, and an area that reaches into it. Sorted.
    cells: Vec<(i32, i32, u32)>,
    large: Vec<u32>,
}

impl Floor {
    const CELL: f32 = 300.0;
    /// The most cells of an area; larger ones are kept separately.
    const MOST: u64 = 64;

    fn new<'m>(shapes: impl Iterator<Item = &'m Shape>) -> Self {
        let mut floor = Self::default();
        shapes.for_each(|shape| floor.add(shape));
        floor.cells.sort_unstable();
        floor
    }

    fn cell(x: f32, y: f32) -> (i32, i32) {
        ((x / Self::CELL).floor() as i32, (y / Self::CELL).floor() as i32)
    }

    fn add(&mut self, shape: &Shape) {
        let ([x0, y0, _], [x1, y1, _]) = (shape.north_west(), shape.south_east());
        let number = u32::try_from(self.extents.len()).unwrap_or(u32::MAX);
        // A point up to a unit beside an area counts as inside.
        self.extents.push([x0 - 1.0, y0 - 1.0, x1 + 1.0, y1 + 1.0]);
        let (low, high) = (Self::cell(x0 - 1.0, y0 - 1.0), Self::cell(x1 + 1.0, y1 + 1.0));
        let wide = i64::from(high.0).abs_diff(low.0.into()).saturating_add(1);
        let deep = i64::from(high.1).abs_diff(low.1.into()).saturating_add(1);
        if wide.saturating_mul(deep) > Self::MOST {
            self.large.push(number);
            return;
        }
        for x in low.0..=high.0 {
            self.cells.extend((low.1..=high.1).map(|y| (x, y, number)));
        }
    }

    /// Whether a point that is somewhere lies off every area.
    fn misses(&self, point: [f32; 3]) -> bool {
        point.iter().all(|value| value.is_finite()) && !self.lies_under(point)
    }

    fn lies_under(&self, [x, y, _]: [f32; 3]) -> bool {
        let within = |[x0, y0, x1, y1]: &[f32; 4]| *x0 <= x && x <= *x1 && *y0 <= y && y <= *y1;
        let cell = Self::cell(x, y);
        let first = self.cells.partition_point(|(x, y, _)| (*x, *y) < cell);
        let here = self.cells.iter().skip(first).take_while(|(x, y, _)| (*x, *y) == cell);
        let extents = here
            .map(|(.., number)| number)
            .chain(&self.large)
            .filter_map(|number| self.extents.get(usize::try_from(*number).ok()?));
        // Where there are very many, only the first are looked at, and nobody is warned.
        const MANY: usize = 256;
        extents.enumerate().any(|(number, extent)| number >= MANY || within(extent))
    }
}

/// An area: its position and its id.
type Of = (u64, AreaId);

struct Rules<'b> {
    head: &'b HeadBuf,
    /// The first area with an id.
    areas: Positions,
    /// Whether an area inherits visibility, by position.
    inherits: Vec<bool>,
    /// Ids that more than one area has.
    twins: HashSet<AreaId>,
    ladders: HashMap<LadderId, u32>,
    spots: IdSet,
    floor: Floor,
    repeats: Repeats<AreaId>,
    tell: &'b mut dyn FnMut(Finding),
}

impl<'b> Rules<'b> {
    fn gather<'m>(
        head: &'b HeadBuf,
        areas: impl Iterator<Item = &'m AreaBuf> + Clone,
        ladders: impl Iterator<Item = &'m LadderBuf> + Clone,
        tell: &'b mut dyn FnMut(Finding),
    ) -> Self {
        let ids = areas.clone().map(|area| area.id.get());
        let spots = areas.clone().flat_map(|area| area.hiding_spots.iter().map(|spot| spot.id().get()));
        let mut rules = Self {
            head,
            areas: Positions::new(ids.clone()),
            inherits: areas.clone().map(|area| area.inherits.get() != 0).collect(),
            twins: HashSet::new(),
            ladders: HashMap::new(),
            spots: IdSet::new(spots),
            // It is for hiding spots alone.
            floor: match areas.clone().any(|area| !area.hiding_spots.is_empty()) {
                true => Floor::new(areas.clone().map(|area| &area.shape)),
                false => Floor::default(),
            },
            repeats: Repeats::default(),
            tell,
        };
        if IdSet::new(ids).has_twins() {
            let first =
                |(position, area): &(u32, &AreaBuf)| rules.areas.get(area.id.get()) == Some(*position);
            let others = (0..).zip(areas.clone()).filter(|area| !first(area));
            rules.twins = others.map(|(_, area)| area.id).collect();
        }
        for each in ladders {
            let count = rules.ladders.entry(each.ladder.id()).or_insert(0);
            *count = count.saturating_add(1);
        }
        rules
    }

    fn has_area(&self, id: AreaId) -> bool {
        self.areas.get(id.get()).is_some()
    }

    #[cold]
    fn say(&mut self, severity: Severity, code: &'static str, message: String) {
        (self.tell)(Finding::new(severity, code, message));
    }

    #[cold]
    fn of_area(&mut self, severity: Severity, code: &'static str, (index, id): Of, message: String) {
        (self.tell)(Finding::new(severity, code, message).in_record("area", index).with_id(id.get()));
    }

    fn directory(&mut self) {
        if self.inherits.is_empty() {
            self.say(Error, "zero-areas", "no areas: the game refuses the file".to_owned());
        }
        let mut seen = HashMap::new();
        for stored in &self.head.places {
            let name = stored.split(|byte| *byte == 0).next().unwrap_or_default();
            let text = String::from_utf8_lossy(name).into_owned();
            if stored.len() > 256 {
                let what = format!("place {text} has {} bytes, the game reads 256", stored.len());
                self.say(Error, "place-too-long", what);
            }
            if stored.last() != Some(&0) {
                self.say(Error, "place-without-end", format!("place {text} does not end in a NUL"));
            }
            if let Some(first) = seen.insert(text.to_lowercase(), text.clone()) {
                let what = format!("places {first} and {text} are one to the game, and shift all after them");
                self.say(Error, "places-equal", what);
            }
        }
    }

    fn area(&mut self, index: u64, area: &AreaBuf, place: u16) {
        let id = area.id;
        let of = (index, id);
        if matches!(id.get(), 0 | u32::MAX) {
            self.of_area(Error, "reserved-area-id", of, format!("area #{id} is none that a game can use"));
        }
        if self.twins.contains(&id) {
            self.of_area(Error, "duplicate-area-id", of, format!("area #{id} is given more than once"));
        }
        if usize::from(place) > self.head.places.len() && self.head.layout().has_place() {
            let what = format!("area #{id} has place {place} of {}", self.head.places.len());
            self.of_area(Error, "place-out-of-range", of, what);
        }
        self.shape(of, &area.shape);
        self.connections(of, area);
        self.ladders_of(of, area);
        self.analysis(of, area);
    }

    fn shape(&mut self, of: Of, shape: &Shape) {
        let id = of.1;
        let corners = shape.corners();
        let values = || corners.iter().flatten();
        if !values().all(|value| value.is_finite()) {
            self.of_area(
                Error,
                "non-finite-coordinate",
                of,
                format!("area #{id} has a corner that is no number"),
            );
        } else if values().any(|value| value.abs() > 65_536.0) {
            self.of_area(Error, "far-coordinate", of, format!("area #{id} reaches beyond 65536"));
        } else if values().any(|value| value.abs() > 16_384.0) {
            self.of_area(Warning, "outside-world", of, format!("area #{id} reaches beyond 16384"));
        }
        if shape.is_degenerate() {
            let [x, y] = shape.extent();
            self.of_area(Error, "degenerate-area", of, format!("area #{id} is {x} by {y}: no surface"));
        }
    }

    fn connections(&mut self, of: Of, area: &AreaBuf) {
        let id = area.id;
        for (direction, to) in area.all_connections() {
            if to == id {
                self.of_area(Warning, "self-connection", of, format!("area #{id} is connected to itself"));
            } else if !self.has_area(to) || to.get() == 0 {
                let what = format!(
                    "area #{id} is connected {direction} to #{to}, which does not exist: the game crashes"
                );
                self.of_area(Error, "dangling-connection", of, what);
            }
        }
        let mut repeats = std::mem::take(&mut self.repeats);
        for direction in Direction::ALL {
            // What is there ten times is told once.
            let mut told = None;
            repeats.visit(area.connections(direction).iter().copied(), |to, _| {
                if told.replace(to) != Some(to) {
                    let what = format!("area #{id} is connected {direction} to #{to} more than once");
                    self.of_area(Warning, "duplicate-connection", of, what);
                }
            });
        }
        self.repeats = repeats;
    }

    fn ladders_of(&mut self, of: Of, area: &AreaBuf) {
        let id = area.id;
        for ladder in area.ladders_up.iter().chain(&area.ladders_down) {
            if !self.ladders.contains_key(ladder) || ladder.get() == 0 {
                let what =
                    format!("area #{id} lists ladder L#{ladder}, which does not exist: the game crashes");
                self.of_area(Error, "dangling-ladder", of, what);
            }
        }
    }

    fn analysis(&mut self, of: Of, area: &AreaBuf) {
        let id = area.id;
        if area.hiding_spots.len() > 255 {
            let what =
                format!("area #{id} has {} hiding spots, the file can count 255", area.hiding_spots.len());
            self.of_area(Error, "too-many-hiding-spots", of, what);
        }
        if self.head.version <= 5 && area.approaches.len() > 16 {
            let what = format!("area #{id} has {} approach areas, GoldSrc keeps 16", area.approaches.len());
            self.of_area(Error, "too-many-approaches", of, what);
        }
        let spots =
            area.hiding_spots.iter().filter(|spot| !spot.position().iter().all(|value| value.is_finite()));
        if spots.count() > 0 {
            self.of_area(
                Error,
                "non-finite-coordinate",
                of,
                format!("area #{id} has a hiding spot that is nowhere"),
            );
        }
        for spot in &area.hiding_spots {
            if self.floor.misses(spot.position()) {
                let what = format!("hiding spot {} of area #{id} lies off every area", spot.id());
                self.of_area(Warning, "hiding-spot-outside", of, what);
            }
        }
        for path in area.encounters.iter() {
            let unknown = [path.from(), path.to()].into_iter().find(|end| !self.has_area(*end));
            if let Some(end) = unknown {
                let what = format!("area #{id} has an encounter path by {end}, which does not exist");
                self.of_area(Warning, "dangling-encounter", of, what);
            }
            let lost = path
                .spots()
                .iter()
                .filter(|spot| spot.spot().get() != 0 && !self.spots.contains(spot.spot().get()));
            let lost = lost.count();
            if lost > 0 {
                let what = format!("area #{id} has {lost} encounter spots that do not exist");
                self.of_area(Warning, "dangling-encounter-spot", of, what);
            }
        }
        if self.head.extension() != Extension::LeftForDead {
            let dangling =
                area.visible_areas.iter().filter(|entry| !self.has_area(AreaId::new(entry.target())));
            let count = dangling.count();
            if count > 0 {
                let what = format!("area #{id} sees {count} areas that do not exist");
                self.of_area(Warning, "dangling-visible-area", of, what);
            }
        }
        if area.inherits.get() == 0 {
            return;
        }
        let donor = self.areas.get(area.inherits.get());
        match donor.and_then(|position| self.inherits.get(position as usize)) {
            None => {
                let what =
                    format!("area #{id} inherits visibility from #{}, which does not exist", area.inherits);
                self.of_area(Warning, "dangling-inherit", of, what);
            }
            Some(true) => {
                let what =
                    format!("area #{id} inherits visibility from #{}, which inherits too", area.inherits);
                self.of_area(Error, "inherits-twice", of, what);
            }
            Some(false) => {}
        }
    }

    fn ladder(&mut self, index: u64, each: &LadderBuf) {
        let (ladder, id) = (&each.ladder, each.ladder.id());
        let mut say = |severity, code, what: String| {
            (self.tell)(Finding::new(severity, code, what).in_record("ladder", index).with_id(id.get()));
        };
        if matches!(id.get(), 0 | u32::MAX) {
            say(Error, "reserved-ladder-id", format!("ladder L#{id} is none that a game can use"));
        }
        if self.ladders.get(&id).is_some_and(|count| *count > 1) {
            say(Error, "duplicate-ladder-id", format!("ladder L#{id} is given more than once"));
        }
        let finite = [ladder.top(), ladder.bottom(), [ladder.width(), ladder.length(), 0.0]];
        if !finite.iter().flatten().all(|value| value.is_finite()) {
            say(Error, "non-finite-coordinate", format!("ladder L#{id} has an end that is no number"));
        }
        for (name, area) in ladder.areas() {
            if area.get() != 0 && self.areas.get(area.get()).is_none() {
                say(
                    Warning,
                    "dangling-ladder-area",
                    format!("ladder L#{id} leads to #{area} ({name}), which does not exist"),
                );
            }
        }
        let top = [ladder.top_forward(), ladder.top_left(), ladder.top_right()];
        if ladder.bottom_area().get() == 0 || top.iter().all(|area| area.get() == 0) {
            say(Warning, "loose-ladder", format!("ladder L#{id} leads nowhere at one end"));
        }
    }
}
