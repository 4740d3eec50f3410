//! Finds the items selected by a name or a point.

use super::change::Slots;
use super::editor::{FoxEditor, Item, corners_of};
use crate::buf::GroupBuf;
use crate::record::{GroupId, TileId};
use navmap_core::edit::{Atom, Refusal, Role, nearest, number};
use navmap_core::graph::Ids;

/// Selectors as they are typed, and what they select.
pub(super) const SELECTORS: &[(&str, &str)] = &[
    ("#4.17 F#4.120 V#4.12 I#3", "a segment, a face or a vertex of group 4; an island"),
    ("box(x,y,z,x,y,z)", "segments inside a box in metres; box(x,z,x,z) whatever the height"),
    ("faces(x,y,z,x,y,z)", "faces inside a box"),
    ("vertices(x,y,z,x,y,z)", "vertices inside a box"),
    ("attr(0x0001)", "segments with an attribute"),
    ("group(4)", "segments of a group"),
    ("island(3)", "segments of an island"),
];

/// The selector names known here, besides the common ones.
const NAMES: [&str; 9] = ["all", "attr", "box", "faces", "group", "ids", "island", "sel", "vertices"];

/// The distance in metres within which a point selects a vertex.
const AT: f32 = 0.05;

type Found<T> = std::result::Result<T, Refusal>;

/// An attribute: `0x04E1`, `attr_04E1` or a number.
pub(super) fn attribute(text: &str) -> Found<u16> {
    let hex = ["0x", "0X", "attr_"].iter().find_map(|start| text.strip_prefix(start));
    let read = hex.map_or_else(|| text.parse().ok(), |hex| u16::from_str_radix(hex, 16).ok());
    read.ok_or_else(|| Refusal::new(format!("{text} where an attribute was expected: 0x0001 to 0xFFFF")))
}

/// The tile, if it is named, the group and the number of an id. One without a group is of the body.
fn parts(id: &str) -> Option<(Option<u16>, u16, u32)> {
    let body = || Some((None, GroupId::BODY.0, id.parse().ok()?));
    Ids::in_group(&id.replace(':', ".")).or_else(body)
}

/// A box in metres: two corners, or only x and z.
fn corners(arguments: &[&str]) -> Found<([f32; 3], [f32; 3])> {
    let numbers: Option<Vec<f32>> = arguments.iter().map(|part| number(part)).collect();
    let (a, b) = match numbers.as_deref() {
        Some([x0, y0, z0, x1, y1, z1]) => ([*x0, *y0, *z0], [*x1, *y1, *z1]),
        Some([x0, z0, x1, z1]) => ([*x0, f32::NEG_INFINITY, *z0], [*x1, f32::INFINITY, *z1]),
        _ => return Err(Refusal::new("a box has two corners: x,y,z,x,y,z, or x,z,x,z")),
    };
    let ([ax, ay, az], [bx, by, bz]) = (a, b);
    Ok(([ax.min(bx), ay.min(by), az.min(bz)], [ax.max(bx), ay.max(by), az.max(bz)]))
}

fn inside(at: [f32; 3], (low, high): ([f32; 3], [f32; 3])) -> bool {
    at.into_iter().zip(low.into_iter().zip(high)).all(|(v, (low, high))| (low..=high).contains(&v))
}

impl FoxEditor {
    pub(super) fn atom(&self, atom: &Atom<'_>) -> Found<Vec<Item>> {
        match atom {
            Atom::Id { space, id } => Err(self.unknown(space, id)),
            Atom::Point { space, nearest, at } => self.at_point(space, *nearest, at),
            Atom::Name { name, arguments } => self.named(name, arguments),
        }
    }

    /// The place of a group and the number in it, by `4.17` or, in tile 130, `130.4.17`. `None` if the group is not there, or of
    /// another tile.
    pub(super) fn numbered(&self, id: &str) -> Option<(usize, usize)> {
        let (tile, group, number) = parts(id)?;
        let at = self.world.group_at(GroupId(group))?;
        let own = self.world.tile.groups.get(at)?.id.tile();
        let is_own = tile.is_none_or(|tile| TileId(tile) == own);
        is_own.then_some((at, usize::try_from(number).ok()?))
    }

    /// Refuses an id that nothing has here.
    #[cold]
    fn unknown(&self, space: &str, id: &str) -> Refusal {
        let own = self.world.tile.head.tile();
        let tile = parts(id).and_then(|(tile, ..)| tile).map(TileId);
        Refusal::new(match tile.filter(|tile| *tile != own) {
            Some(tile) => format!("{space}#{id} is of tile {}, and this is tile {}", tile.0, own.0),
            None => format!("there is no {space}#{id}"),
        })
    }

    /// The segments that satisfy a condition.
    fn which(&self, keep: impl Fn(&GroupBuf, usize) -> bool) -> Vec<Item> {
        let groups = self.world.tile.groups.iter().zip(&self.world.slots);
        let mut found = Vec::new();
        for (group, slots) in groups {
            let own = slots.segments.iter().enumerate().filter(|(n, _)| keep(group, *n));
            found.extend(own.map(|(_, slot)| Item::Segment(*slot)));
        }
        found
    }

    fn named(&self, name: &str, arguments: &[&str]) -> Found<Vec<Item>> {
        let one = || match arguments {
            [one] => Ok(*one),
            _ => Err(Refusal::new(format!("{name}() has one argument"))),
        };
        match name.to_ascii_lowercase().as_str() {
            "island" => {
                let island: usize = one()?.parse().map_err(|_| {
                    Refusal::new(format!("{} where the number of an island was expected", arguments.concat()))
                })?;
                let islands = self.world.tile.islands.first().map_or(0, |graph| graph.islands.len());
                if islands > 0 && island >= islands {
                    return Err(Refusal::new(format!("there is no island {island}, there are {islands}")));
                }
                let segments = self.of_island(island);
                let slot =
                    |(group, n): &(usize, usize)| self.world.slots.get(*group)?.segments.get(*n).copied();
                Ok(segments.iter().filter_map(slot).map(Item::Segment).collect())
            }
            "attr" => {
                let wanted = attribute(one()?)?;
                Ok(self.which(|group, n| group.world.attributes.get(n).is_some_and(|a| a.get() == wanted)))
            }
            "group" => {
                let id = one()?.parse().map_err(|_| {
                    Refusal::new(format!("{} where the number of a group was expected", arguments.concat()))
                })?;
                if self.world.group_at(GroupId(id)).is_none() {
                    return Err(Refusal::new(format!("there is no group {id}")));
                }
                Ok(self.which(|group, _| group.id.group() == GroupId(id)))
            }
            "box" => {
                let wanted = corners(arguments)?;
                Ok(self.which(|group, n| {
                    let ends = group.bounds.get(n).map(|b| [self.metres(b.min()), self.metres(b.max())]);
                    ends.is_some_and(|ends| ends.into_iter().all(|end| inside(end, wanted)))
                }))
            }
            "faces" => {
                let wanted = corners(arguments)?;
                let mut found = Vec::new();
                for (group, slots) in self.world.tile.groups.iter().zip(&self.world.slots) {
                    let own = slots.faces.iter().enumerate().filter(|(face, _)| {
                        corners_of(group, *face)
                            .is_some_and(|all| all.iter().all(|at| inside(self.metres(at), wanted)))
                    });
                    found.extend(own.map(|(_, slot)| Item::Face(*slot)));
                }
                Ok(found)
            }
            "vertices" => {
                let wanted = corners(arguments)?;
                let groups = self.world.tile.groups.iter().zip(&self.world.slots);
                let inside = |(group, slots): (&GroupBuf, &Slots)| {
                    let own = slots.vertices.iter().zip(&group.mesh.vertices);
                    let own = own.filter(|(_, at)| inside(self.metres(at), wanted));
                    own.map(|(slot, _)| Item::Vertex(*slot)).collect::<Vec<_>>()
                };
                Ok(groups.flat_map(inside).collect())
            }
            _ => {
                let near = nearest(name, NAMES);
                Err(Refusal::new(format!(
                    "{name} names nothing: segments are #4.17, faces F#4.120, vertices V#4.12, islands I#3"
                ))
                .or(near))
            }
        }
    }

    /// The segment or face at a point: `@x,z`, `@x,y,z`, `F@x,y,z`; `~` takes the nearest.
    fn at_point(&self, space: &str, near: bool, at: &[f32]) -> Found<Vec<Item>> {
        let (x, y, z) = match *at {
            [x, z] => (x, None, z),
            [x, y, z] => (x, Some(y), z),
            _ => return Err(Refusal::new("a point has two or three numbers")),
        };
        if matches!(space, "V" | "v") {
            return self.vertex_at(near, x, y, z);
        }
        let mut best: Option<(f32, f32, Item)> = None;
        for (group, slots) in self.world.tile.groups.iter().zip(&self.world.slots) {
            for (face, (slot, record)) in slots.faces.iter().zip(group.mesh.faces.iter()).enumerate() {
                let Some(corners) = corners_of(group, face) else { continue };
                let corners: Vec<[f32; 3]> = corners.iter().map(|at| self.metres(at)).collect();
                let Some((aside, height)) = beside(&corners, x, z) else { continue };
                let high = y.map_or(-height, |y| (height - y).abs());
                let item = match space {
                    "F" | "f" => Item::Face(*slot),
                    "" => match slots.segments.get(record.segment.index()) {
                        Some(slot) => Item::Segment(*slot),
                        None => continue,
                    },
                    _ => return Err(Refusal::new(format!("{space}@ where @, F@ or V@ was expected"))),
                };
                if best.is_none_or(|(a, h, _)| (aside, high) < (a, h)) {
                    best = Some((aside, high, item));
                }
            }
        }
        match best {
            Some((aside, _, item)) if near || aside == 0.0 => Ok(vec![item]),
            Some((aside, ..)) => Err(Refusal::nothing(format!(
                "no mesh at {x},{z}: the nearest is {:.2} m away (~@ takes it)",
                aside.sqrt()
            ))),
            None => Err(Refusal::new("the tile has no faces")),
        }
    }

    /// The vertex nearest to a point, seen from above; among several, the nearest in height, or the highest.
    fn vertex_at(&self, near: bool, x: f32, y: Option<f32>, z: f32) -> Found<Vec<Item>> {
        let mut best: Option<(f32, f32, Item)> = None;
        for (group, slots) in self.world.tile.groups.iter().zip(&self.world.slots) {
            for (slot, at) in slots.vertices.iter().zip(&group.mesh.vertices) {
                let [vx, vy, vz] = self.metres(at);
                let aside = (vx - x).hypot(vz - z);
                let high = y.map_or(-vy, |y| (vy - y).abs());
                if best.is_none_or(|(a, h, _)| (aside, high) < (a, h)) {
                    best = Some((aside, high, Item::Vertex(*slot)));
                }
            }
        }
        match best {
            Some((aside, _, item)) if near || aside <= AT => Ok(vec![item]),
            Some((aside, ..)) => Err(Refusal::nothing(format!(
                "no vertex at {x},{z}: the nearest is {aside:.2} m away (~V@ takes it)"
            ))),
            None => Err(Refusal::new("the tile has no vertices")),
        }
    }

    pub(super) fn suggested(&self, verb: &str, place: Role<'_>) -> Vec<String> {
        let attributes = || {
            let all = self.world.tile.groups.iter().flat_map(|group| &group.world.attributes);
            let mut all: Vec<u16> = all.map(|attribute| attribute.get()).collect();
            all.sort_unstable();
            all.dedup();
            all.into_iter().map(|attribute| format!("0x{attribute:04X}")).collect()
        };
        match place {
            Role::Name => {
                let each = |name: &str| {
                    if matches!(name, "all" | "sel") { name.to_owned() } else { format!("{name}(") }
                };
                NAMES.into_iter().map(each).collect()
            }
            Role::Selector("attr") => attributes(),
            Role::Selector("group") => {
                self.world.tile.groups.iter().map(|group| group.id.index().to_string()).collect()
            }
            Role::Operand if verb == "attribute" => attributes(),
            _ => Vec::new(),
        }
    }
}

/// The squared distance of a point from a face, seen from above, and the height of the face there.
fn beside(corners: &[[f32; 3]], x: f32, z: f32) -> Option<(f32, f32)> {
    let next = corners.iter().cycle().skip(1);
    let (mut left, mut right) = (false, false);
    let (mut far, mut at) = (f32::INFINITY, 0.0);
    for ([ax, ay, az], [bx, by, bz]) in corners.iter().zip(next) {
        let side = (bz - az) * (x - ax) - (bx - ax) * (z - az);
        left |= side > 0.0;
        right |= side < 0.0;
        let (dx, dz) = (bx - ax, bz - az);
        let long = dx * dx + dz * dz;
        let t = if long > 0.0 { (((x - ax) * dx + (z - az) * dz) / long).clamp(0.0, 1.0) } else { 0.0 };
        let (px, pz) = (ax + dx * t - x, az + dz * t - z);
        let away = px * px + pz * pz;
        if away < far {
            (far, at) = (away, ay + (by - ay) * t);
        }
    }
    let [[ax, ay, az], [bx, by, bz], [cx, cy, cz], ..] = corners else { return None };
    let area = (bz - az) * (cx - ax) - (bx - ax) * (cz - az);
    if left && right || area == 0.0 {
        return Some((far.max(f32::MIN_POSITIVE), at));
    }
    let b = ((cx - ax) * (z - az) - (cz - az) * (x - ax)) / area;
    let c = ((bz - az) * (x - ax) - (bx - ax) * (z - az)) / area;
    Some((0.0, ay - b * (by - ay) + c * (cy - ay)))
}
