//! Finds the areas selected by a name, a point or a selecting command. `docs/formats/source-edit.md`, sections 1.4 and 2.9.

use super::editor::SourceEditor;
use super::geometry::{Axis, HALF_HUMAN, STEP, closest_point, edges, heights, length, minus};
use super::state::Item;
use super::world::Slot;
use crate::buf::AreaBuf;
use crate::record::{LadderSlot, Shape};
use navmap_core::edit::{Atom, Refusal, nearest, number};
use std::collections::{HashSet, VecDeque};

/// Selectors as they are typed, and what they select.
pub(super) const SELECTORS: &[(&str, &str)] = &[
    ("L#3, L@x,y,z", "a ladder by its id or at a point"),
    ("ball(x,y,z,r)", "areas nearer to a point than this"),
    ("box(x0,y0,z0,x1,y1,z1)", "areas that touch a box between two corners"),
    ("half(+x,100)", "areas that reach to this side of x = 100; also -x, +y, -y, +z, -z"),
    ("place(Name)", "areas of a place; place() those without one"),
    ("attr(CROUCH)", "areas with an attribute"),
    ("tfattr(NO_SPAWNING)", "areas with an attribute of Team Fortress 2"),
    (
        "flood(#12)",
        "what is connected to an area; flood(#12,out) what leads from it, flood(#12,in) what leads to it",
    ),
    ("orphans(#12)", "what is not connected to an area"),
    ("ladders", "every ladder"),
    ("stairs", "areas marked as stairs"),
    ("placeless", "areas without a place"),
    ("overlapping", "areas on top of another"),
    ("degenerate", "areas without width or depth"),
    ("invalid", "areas that the game refuses to make"),
    ("nonfinite", "areas with NaN or infinity in corners or spots"),
    ("larger(100)", "areas with both sides longer than this"),
    ("smaller(400)", "areas of fewer square units than this"),
    ("thinner(10)", "areas narrower than this"),
];

/// The selector names known here, besides the common ones.
pub(super) const NAMES: [&str; 21] = [
    "all",
    "ball",
    "box",
    "attr",
    "degenerate",
    "flood",
    "half",
    "ids",
    "invalid",
    "ladders",
    "larger",
    "nonfinite",
    "orphans",
    "overlapping",
    "place",
    "placeless",
    "sel",
    "smaller",
    "stairs",
    "tfattr",
    "thinner",
];

/// The most tests of a point against an area in a search for areas on top of each other: a base, and a number for each area of
/// the mesh.
const FEW_TESTS: u64 = 16 << 20;
const TESTS_OF_AREA: u64 = 512;

/// The most [`steps`] along a side of an area, and how far they reach.
const MOST_STEPS: u16 = 512;
const LONGEST: f32 = STEP * MOST_STEPS as f32;

/// Which links a flood follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    Both,
    In,
    Out,
}

impl Flow {
    pub(super) fn parse(text: &str) -> Option<Self> {
        match text.to_ascii_lowercase().as_str() {
            "" => Some(Self::Both),
            "in" => Some(Self::In),
            "out" => Some(Self::Out),
            _ => None,
        }
    }
}

/// A half of space: which axis, which side, where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Half {
    axis: usize,
    above: bool,
    at: f32,
}

impl Half {
    /// Reads `+x`, `-z` and so on. The game takes an unknown word for `+x`.
    pub(super) fn parse(side: &str, at: f32, exact: bool) -> Result<Self, Refusal> {
        let (axis, above) = match side.to_ascii_lowercase().as_str() {
            "+x" => (0, true),
            "-x" => (0, false),
            "+y" => (1, true),
            "-y" => (1, false),
            "+z" => (2, true),
            "-z" => (2, false),
            _ if exact => (0, true),
            _ => return Err(Refusal::new(format!("{side} where +x, -x, +y, -y, +z or -z was expected"))),
        };
        Ok(Self { axis, above, at })
    }

    pub(super) fn reached_by(self, shape: &Shape) -> bool {
        let corners = shape.corners();
        let mut values = corners.iter().filter_map(|corner| corner.get(self.axis).copied());
        if self.above { values.any(|value| value >= self.at) } else { values.any(|value| value <= self.at) }
    }
}

impl SourceEditor {
    /// The items of an atom.
    pub(super) fn atom(&self, atom: &Atom<'_>) -> Result<Vec<Item>, Refusal> {
        match atom {
            Atom::Id { space, id } => Err(Refusal::new(format!("there is no {space}#{id}"))),
            Atom::Point { space, nearest, at } => self.at_point(space, *nearest, at),
            Atom::Name { name, arguments } => self.named(name, arguments),
        }
    }

    fn at_point(&self, space: &str, nearest: bool, at: &[f32]) -> Result<Vec<Item>, Refusal> {
        let (x, y, z) = match *at {
            [x, y] => (x, y, None),
            [x, y, z] => (x, y, Some(z)),
            _ => return Err(Refusal::new("a point has two or three numbers")),
        };
        let point = [x, y, z.unwrap_or(0.0)];
        let found = match space {
            "" if nearest => self.nearest(point).map(Item::Area),
            "" => self.area_at([x, y], z).map(Item::Area),
            "L" | "l" => self.ladder_at(point, nearest).map(Item::Ladder),
            _ => return Err(Refusal::new(format!("{space}@ where @ or L@ was expected"))),
        };
        found.map(|item| vec![item]).ok_or_else(|| {
            let at = at.iter().map(f32::to_string).collect::<Vec<_>>().join(",");
            let near = self.nearest(point).filter(|_| space.is_empty());
            let near = near.and_then(|slot| Some((slot, self.world.area(slot)?)));
            match near {
                Some((slot, area)) => {
                    let far = length(minus(closest_point(&area.shape, point), point));
                    let name = self.item(Item::Area(slot));
                    Refusal::nothing(format!("no area at {at}: {name} is nearest, {far} away (~@ takes it)"))
                }
                None => Refusal::new(format!("nothing at {at}")),
            }
        })
    }

    fn named(&self, name: &str, arguments: &[&str]) -> Result<Vec<Item>, Refusal> {
        let lower = name.to_ascii_lowercase();
        let numbers = || -> Result<Vec<f32>, Refusal> {
            let each = |text: &&str| {
                number(text).ok_or_else(|| Refusal::new(format!("{text} where a number was expected")))
            };
            arguments.iter().map(each).collect()
        };
        let wrong = |usage: &str| Refusal::new(format!("{usage} was expected"));
        let by = |keep: &dyn Fn(&AreaBuf) -> bool| {
            self.world.look_at(self.world.slot_count() as usize);
            Ok(self.world.areas().filter(|(_, area)| keep(area)).map(|(slot, _)| Item::Area(slot)).collect())
        };
        match lower.as_str() {
            "box" => {
                let Ok([x0, y0, z0, x1, y1, z1]) = <[f32; 6]>::try_from(numbers()?) else {
                    return Err(wrong("box(x0,y0,z0,x1,y1,z1)"));
                };
                let volume = [[x0.min(x1), x0.max(x1)], [y0.min(y1), y0.max(y1)], [z0.min(z1), z0.max(z1)]];
                by(&|area| in_box(&area.shape, volume))
            }
            "ball" => {
                let Ok([x, y, z, r]) = <[f32; 4]>::try_from(numbers()?) else {
                    return Err(wrong("ball(x,y,z,r)"));
                };
                by(&|area| length(minus(closest_point(&area.shape, [x, y, z]), [x, y, z])) < r.abs())
            }
            "half" => {
                let [side, at] = arguments else { return Err(wrong("half(+x,100)")) };
                let at =
                    number(at).ok_or_else(|| Refusal::new(format!("{at} where a number was expected")))?;
                let half = Half::parse(side, at, false)?;
                by(&|area| half.reached_by(&area.shape))
            }
            "place" => {
                let place = match arguments {
                    [] => 0,
                    [name] => self.place(name)?,
                    _ => return Err(wrong("place(Name) or place()")),
                };
                by(&|area| area.place == place)
            }
            "attr" => {
                let mut bits = 0;
                for name in arguments {
                    bits |= self.attribute(name)?.bits();
                }
                by(&|area| area.attributes.bits() & bits != 0)
            }
            "tfattr" => {
                let mut bits = 0;
                for name in arguments {
                    bits |= self.tf_attribute(name)?.bits();
                }
                by(&|area| area.game_attributes & bits != 0)
            }
            "flood" | "orphans" => {
                let (start, flow) = match arguments {
                    [start] => (*start, Flow::Both),
                    [start, flow] if lower == "flood" => {
                        let found = Flow::parse(flow);
                        (
                            *start,
                            found.ok_or_else(|| {
                                Refusal::new(format!("{flow} where in or out was expected"))
                            })?,
                        )
                    }
                    _ => return Err(wrong("flood(#id), flood(#id,in), flood(#id,out) or orphans(#id)")),
                };
                let id = start.strip_prefix('#').and_then(|id| navmap_core::edit::Editor::find(self, "", id));
                let Some(Item::Area(start)) = id else {
                    return Err(Refusal::new(format!("there is no area {start}")));
                };
                let flood: HashSet<Slot> = self.flood(start, flow, &HashSet::new()).into_iter().collect();
                let inside = lower == "flood";
                let all = self.world.slots().into_iter();
                Ok(all.filter(|slot| flood.contains(slot) == inside).map(Item::Area).collect())
            }
            "larger" => {
                let Ok([side]) = <[f32; 1]>::try_from(numbers()?) else { return Err(wrong("larger(100)")) };
                by(&|area| larger(&area.shape, side))
            }
            "smaller" => {
                let Ok([least]) = <[f32; 1]>::try_from(numbers()?) else { return Err(wrong("smaller(400)")) };
                by(&|area| area.shape.square_units() < least)
            }
            "thinner" => {
                let Ok([least]) = <[f32; 1]>::try_from(numbers()?) else { return Err(wrong("thinner(10)")) };
                by(&|area| super::bulk::thin(&area.shape, least))
            }
            "degenerate" => by(&|area| area.shape.is_degenerate()),
            "nonfinite" => by(&|area| {
                let spots = area.hiding_spots.iter().flat_map(|spot| spot.position());
                !area.shape.corners().into_iter().flatten().chain(spots).all(f32::is_finite)
            }),
            "placeless" => Ok(self.placeless().into_iter().map(Item::Area).collect()),
            "overlapping" => Ok(self.overlapping()?.into_iter().map(Item::Area).collect()),
            "invalid" => by(&|area| invalid(&area.shape)),
            "stairs" => by(&|area| area.attributes.bits() & 0x1000 != 0),
            "ladders" => Ok(self.world.ladders().map(|(slot, _)| Item::Ladder(slot)).collect()),
            _ => Err(Refusal::unknown("selector", name).or(nearest(name, NAMES))),
        }
    }

    /// The areas reachable from here: over links, up ladders except behind them, down ladders.
    pub(super) fn ways_out(&self, slot: Slot) -> Vec<Slot> {
        let Some(area) = self.world.area(slot) else { return Vec::new() };
        let links = area.all_connections().filter_map(|(_, id)| self.world.by_id(id));
        let mut ways: Vec<Slot> = links.collect();
        ways.extend(self.by_ladder(area));
        ways
    }

    fn by_ladder(&self, area: &AreaBuf) -> Vec<Slot> {
        const UP: [LadderSlot; 3] = [LadderSlot::TopForward, LadderSlot::TopLeft, LadderSlot::TopRight];
        let ladder = |id| self.world.ladder_by_id(id).and_then(|slot| self.world.ladder(slot));
        let up = area
            .ladders_up
            .iter()
            .filter_map(|id| ladder(*id))
            .flat_map(|each| UP.map(|slot| each.ladder.area(slot)));
        let down =
            area.ladders_down.iter().filter_map(|id| ladder(*id)).map(|each| each.ladder.bottom_area());
        up.chain(down).filter_map(|id| self.world.by_id(id)).collect()
    }

    /// The areas that a flood from an area reaches without passing those in `stop`.
    pub(super) fn flood(&self, start: Slot, flow: Flow, stop: &HashSet<Slot>) -> Vec<Slot> {
        let mut seen = HashSet::from([start]);
        let mut queue = VecDeque::from([start]);
        let mut found = Vec::new();
        while let Some(slot) = queue.pop_front() {
            self.world.look_at(16);
            let Some(area) = self.world.area(slot).filter(|_| !stop.contains(&slot)) else { continue };
            found.push(slot);
            let mut next = Vec::new();
            for (_, to) in area.all_connections() {
                let Some(to) = self.world.by_id(to) else { continue };
                if flow != Flow::In || self.world.leads_back(to, area.id) {
                    next.push(to);
                }
            }
            if flow != Flow::Out {
                let incoming =
                    self.world.incoming(area.id).into_iter().map(|(from, way)| (way.opposite(), from));
                let mut incoming: Vec<_> = incoming
                    .filter(|(side, from)| {
                        self.world
                            .area(*from)
                            .is_some_and(|other| !area.connections(*side).contains(&other.id))
                    })
                    .collect();
                incoming.sort_unstable();
                next.extend(incoming.into_iter().map(|(_, from)| from));
            }
            next.extend(self.by_ladder(area));
            for to in next {
                if seen.insert(to) {
                    queue.push_back(to);
                }
            }
        }
        found
    }

    /// Areas on top of each other: a point 12.5 inside each cell of 25 is compared with the two triangles of others.
    ///
    /// # Errors
    /// If thousands lie over each other.
    pub(super) fn overlapping(&self) -> Result<Vec<Slot>, Refusal> {
        let mut found = HashSet::new();
        for (a, b) in self.overlaps(self.world.slots(), |_| true)? {
            found.extend([a, b]);
        }
        Ok(self.world.slots().into_iter().filter(|slot| found.contains(slot)).collect())
    }

    /// Pairs of areas on top of each other: one of the given areas, and one accepted by `among`.
    ///
    /// # Errors
    /// If thousands lie over each other.
    pub(super) fn overlaps(
        &self,
        slots: impl IntoIterator<Item = Slot>,
        among: impl Fn(Slot) -> bool,
    ) -> Result<Vec<(Slot, Slot)>, Refusal> {
        let mut found = Vec::new();
        let most = FEW_TESTS.saturating_add(TESTS_OF_AREA.saturating_mul(self.world.slot_count().into()));
        let mut tests = 0_u64;
        let mut charge = |more: usize| {
            self.world.look_at(more);
            tests = tests.saturating_add(more as u64);
            let why = || format!("tests for areas on top of each other: {tests} is over the limit of {most}");
            if tests > most { Err(Refusal::new(why())) } else { Ok(()) }
        };
        let mut column: Vec<(Slot, Shape)> = Vec::new();
        for slot in slots {
            let Some(area) = self.world.area(slot) else { continue };
            let ([x0, x1], [y0, y1]) = (edges(&area.shape, Axis::X), edges(&area.shape, Axis::Y));
            let first = [x0 + 0.5 * STEP, y0 + 0.5 * STEP];
            let (along, across) = (steps(first[0], x1), steps(first[1], y1));
            if along.clone().next().is_none() || across.clone().next().is_none() {
                continue;
            }
            // What none of the points can lie in, such as an area beside it, is left out for all of them.
            let near = self.world.grid().within(first, [x1.min(x0 + LONGEST), y1.min(y0 + LONGEST)]);
            charge(near.len())?;
            let near = near.into_iter().filter(|other| *other != slot && among(*other));
            let near = near.filter_map(|other| Some((other, self.world.area(other)?.shape)));
            let near: Vec<(Slot, Shape)> =
                near.filter(|(_, other)| may_hold(other, first, [x1, y1])).collect();
            if near.is_empty() {
                continue;
            }
            for x in along {
                charge(near.len())?;
                column.clear();
                column.extend(near.iter().filter(|(_, other)| {
                    let [low, high] = edges(other, Axis::X);
                    low <= x && x <= high
                }));
                if column.is_empty() {
                    continue;
                }
                for y in across.clone() {
                    charge(column.len())?;
                    if let Some(other) = on_top(&column, [x, y, area.shape.height_at(x, y)])
                        && found.last() != Some(&(slot, other))
                    {
                        found.push((slot, other));
                    }
                }
            }
        }
        Ok(found)
    }
}

/// `from`, `from + 25` and so on, below `to`, but at most as many as the largest real area has. More would add nothing for an
/// area that spans the world.
fn steps(from: f32, to: f32) -> impl Iterator<Item = f32> + Clone {
    (0..MOST_STEPS).map(move |n| from + STEP * f32::from(n)).take_while(move |at| *at < to)
}

/// The area that lies over a point, or within a step under it: the lowest of several.
fn on_top(areas: &[(Slot, Shape)], [x, y, z]: [f32; 3]) -> Option<Slot> {
    let mut best: Option<(f32, Slot)> = None;
    for (other, shape) in areas {
        let hit = on_triangles(shape, [x, y])
            .into_iter()
            .flatten()
            .filter(|height| z - 18.0 <= *height && *height <= z + HALF_HUMAN)
            .map(|height| height - (z - 18.0));
        let nearest = hit.fold(f32::INFINITY, f32::min);
        if nearest.is_finite() && best.is_none_or(|(distance, _)| nearest < distance) {
            best = Some((nearest, *other));
        }
    }
    best.map(|(_, other)| other)
}

/// Whether a point may lie in an area that is not before `first` and before `end`.
fn may_hold(shape: &Shape, first: [f32; 2], end: [f32; 2]) -> bool {
    [Axis::X, Axis::Y].into_iter().zip(first.into_iter().zip(end)).all(|(axis, (first, end))| {
        let [low, high] = edges(shape, axis);
        first <= high && low < end
    })
}

/// Whether both sides are longer than `side`.
pub(super) fn larger(shape: &Shape, side: f32) -> bool {
    let [x, y] = shape.extent();
    x > side && y > side
}

/// Whether one corner of a cell of 25 is more than 18 off the other three, which agree within 9.
pub(super) fn invalid(shape: &Shape) -> bool {
    let ([x0, x1], [y0, y1]) = (edges(shape, Axis::X), edges(shape, Axis::Y));
    steps(x0, x1 - STEP + 1.0 / 1024.0).any(|x| {
        steps(y0, y1 - STEP + 1.0 / 1024.0).any(|y| {
            let z = [(x, y), (x + STEP, y), (x + STEP, y + STEP), (x, y + STEP)]
                .map(|(x, y)| shape.height_at(x, y));
            (0..4).any(|bad| {
                let others = || z.iter().enumerate().filter(|(corner, _)| *corner != bad).map(|(_, z)| *z);
                let (low, high) =
                    others().fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), z| (l.min(z), h.max(z)));
                let own = z.get(bad).copied().unwrap_or(0.0);
                high - low <= 9.0 && others().any(|other| (own - other).abs() > 18.0)
            })
        })
    })
}

fn in_box(shape: &Shape, [x, y, z]: [[f32; 2]; 3]) -> bool {
    let strict = |[a0, a1]: [f32; 2], [b0, b1]: [f32; 2]| a0 < b1 && a1 > b0;
    let all = heights(shape);
    let low = all.iter().copied().fold(f32::INFINITY, f32::min);
    let high = all.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let [z0, z1] = z;
    strict(edges(shape, Axis::X), x) && strict(edges(shape, Axis::Y), y) && low <= z1 && high >= z0
}

/// Heights of the two triangles of an area, NW NE SE and SE SW NW, at a point if it is on them.
fn on_triangles(shape: &Shape, [x, y]: [f32; 2]) -> [Option<f32>; 2] {
    if shape.is_degenerate() || !shape.contains_xy(x, y) {
        return [None, None];
    }
    let ([x0, x1], [y0, y1]) = (edges(shape, Axis::X), edges(shape, Axis::Y));
    let (u, v) = ((x - x0) / (x1 - x0), (y - y0) / (y1 - y0));
    let [nw, ne, se, sw] = heights(shape);
    [
        (u >= v).then_some(nw + u * (ne - nw) + v * (se - ne)),
        (u <= v).then_some(nw + v * (sw - nw) + u * (se - sw)),
    ]
}
