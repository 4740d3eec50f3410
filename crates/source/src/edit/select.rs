//! Finds the areas selected by a name, a point or a selecting command. `docs/formats/source-edit.md`, sections 1.4 and 2.9.

use super::editor::SourceEditor;
use super::geometry::{Axis, closest_point, edges, heights, length, minus};
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

/// Whether a selector takes an area.
type Test = Box<dyn Fn(&AreaBuf) -> bool>;

/// The test of a selector that takes areas by their shape, or by where they lie.
fn by_shape(name: &str, arguments: &[&str]) -> Result<Option<Test>, Refusal> {
    let least = |usage: &str| numbers(arguments, usage).map(|[least]: [f32; 1]| least);
    Ok(Some(match name {
        "box" => {
            let [x0, y0, z0, x1, y1, z1] = numbers(arguments, "box(x0,y0,z0,x1,y1,z1)")?;
            let volume = [[x0.min(x1), x0.max(x1)], [y0.min(y1), y0.max(y1)], [z0.min(z1), z0.max(z1)]];
            Box::new(move |area| in_box(&area.shape, volume))
        }
        "ball" => {
            let [x, y, z, r] = numbers(arguments, "ball(x,y,z,r)")?;
            let middle = [x, y, z];
            Box::new(move |area| length(minus(closest_point(&area.shape, middle), middle)) < r.abs())
        }
        "half" => {
            let [side, at] = arguments else { return Err(expected("half(+x,100)")) };
            let half = Half::parse(side, one_number(at)?, false)?;
            Box::new(move |area| half.reached_by(&area.shape))
        }
        "larger" => {
            let side = least("larger(100)")?;
            Box::new(move |area| larger(&area.shape, side))
        }
        "smaller" => {
            let least = least("smaller(400)")?;
            Box::new(move |area| area.shape.square_units() < least)
        }
        "thinner" => {
            let least = least("thinner(10)")?;
            Box::new(move |area| super::bulk::thin(&area.shape, least))
        }
        "degenerate" => Box::new(|area| area.shape.is_degenerate()),
        "nonfinite" => Box::new(|area| {
            let spots = area.hiding_spots.iter().flat_map(|spot| spot.position());
            !area.shape.corners().into_iter().flatten().chain(spots).all(f32::is_finite)
        }),
        _ => return Ok(None),
    }))
}

/// The arguments of a selector that takes this many numbers.
fn numbers<const N: usize>(arguments: &[&str], usage: &str) -> Result<[f32; N], Refusal> {
    let read = arguments.iter().map(|text| one_number(text)).collect::<Result<Vec<_>, _>>()?;
    read.try_into().map_err(|_| expected(usage))
}

fn one_number(text: &str) -> Result<f32, Refusal> {
    number(text).ok_or_else(|| Refusal::new(format!("{text} where a number was expected")))
}

fn expected(usage: &str) -> Refusal {
    Refusal::new(format!("{usage} was expected"))
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
        let areas = |slots: Vec<Slot>| slots.into_iter().map(Item::Area).collect();
        match lower.as_str() {
            "flood" => Ok(areas(self.flooded(arguments, true)?)),
            "orphans" => Ok(areas(self.flooded(arguments, false)?)),
            "placeless" => Ok(areas(self.placeless())),
            "overlapping" => Ok(areas(self.overlapping()?)),
            "invalid" => Ok(areas(self.invalid()?)),
            "ladders" => Ok(self.world.ladders().map(|(slot, _)| Item::Ladder(slot)).collect()),
            _ => {
                let test = match self.of_marks(&lower, arguments)? {
                    Some(test) => test,
                    None => by_shape(&lower, arguments)?
                        .ok_or_else(|| Refusal::unknown("selector", name).or(nearest(name, NAMES)))?,
                };
                self.world.look_at(self.world.slot_count() as usize);
                let found = self.world.areas().filter(|(_, area)| test(area));
                Ok(found.map(|(slot, _)| Item::Area(slot)).collect())
            }
        }
    }

    /// The test of a selector that takes areas by their place or attributes.
    fn of_marks(&self, name: &str, arguments: &[&str]) -> Result<Option<Test>, Refusal> {
        Ok(Some(match name {
            "place" => {
                let place = match arguments {
                    [] => 0,
                    [name] => self.place(name)?,
                    _ => return Err(expected("place(Name) or place()")),
                };
                Box::new(move |area| area.place == place)
            }
            "attr" => {
                let mut bits = 0;
                for name in arguments {
                    bits |= self.attribute(name)?.bits();
                }
                Box::new(move |area| area.attributes.bits() & bits != 0)
            }
            "tfattr" => {
                let mut bits = 0;
                for name in arguments {
                    bits |= self.tf_attribute(name)?.bits();
                }
                Box::new(move |area| area.game_attributes & bits != 0)
            }
            "stairs" => Box::new(|area| area.attributes.bits() & 0x1000 != 0),
            _ => return Ok(None),
        }))
    }

    /// The areas that a flood reaches, or those that it does not.
    fn flooded(&self, arguments: &[&str], reached: bool) -> Result<Vec<Slot>, Refusal> {
        let (start, flow) = match arguments {
            [start] => (*start, Flow::Both),
            [start, flow] if reached => {
                let wrong = || Refusal::new(format!("{flow} where in or out was expected"));
                (*start, Flow::parse(flow).ok_or_else(wrong)?)
            }
            _ => return Err(expected("flood(#id), flood(#id,in), flood(#id,out) or orphans(#id)")),
        };
        let id = start.strip_prefix('#').and_then(|id| navmap_core::edit::Editor::find(self, "", id));
        let Some(Item::Area(start)) = id else {
            return Err(Refusal::new(format!("there is no area {start}")));
        };
        let flood: HashSet<Slot> = self.flood(start, flow, |_| false).into_iter().collect();
        Ok(self.world.slots().into_iter().filter(|slot| flood.contains(slot) == reached).collect())
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

    /// The areas that a flood from an area reaches without passing those at which it stops.
    pub(super) fn flood(&self, start: Slot, flow: Flow, stops: impl Fn(Slot) -> bool) -> Vec<Slot> {
        let mut seen = HashSet::from([start]);
        let mut queue = VecDeque::from([start]);
        let mut found = Vec::new();
        while let Some(slot) = queue.pop_front() {
            self.world.look_at(16);
            let Some(area) = self.world.area(slot).filter(|_| !stops(slot)) else { continue };
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
}

/// Whether both sides are longer than `side`.
pub(super) fn larger(shape: &Shape, side: f32) -> bool {
    let [x, y] = shape.extent();
    x > side && y > side
}

fn in_box(shape: &Shape, [x, y, z]: [[f32; 2]; 3]) -> bool {
    let strict = |[a0, a1]: [f32; 2], [b0, b1]: [f32; 2]| a0 < b1 && a1 > b0;
    let all = heights(shape);
    let low = all.iter().copied().fold(f32::INFINITY, f32::min);
    let high = all.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let [z0, z1] = z;
    strict(edges(shape, Axis::X), x) && strict(edges(shape, Axis::Y), y) && low <= z1 && high >= z0
}
