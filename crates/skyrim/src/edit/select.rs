//! Selectors: triangles by mesh, box, flag, size and point.

use super::editor::SkyrimEditor;
use super::slot::{Item, Slot};
use crate::buf::TriangleBuf;
use crate::change::doubled_area;
use crate::flags::{CoverFlags, TriangleFlags};
use crate::form::FormId;
use crate::record::Edge;
use navmap_core::edit::{Atom, Refusal, nearest, number};

/// Selectors as they are typed, and what they select.
pub(super) const SELECTORS: &[(&str, &str)] = &[
    ("01000902#14", "a triangle of a navmesh; #14 if there is one navmesh"),
    ("mesh(01000902)", "triangles of a navmesh; 01000902 and [NAVM:01000902] are the same"),
    ("box(x0,y0,z0,x1,y1,z1)", "triangles whose middle lies in a box between two corners"),
    ("flag(preferred)", "triangles with a flag"),
    ("doors", "triangles under a door"),
    ("links", "triangles with an edge link"),
    ("cover", "triangles with cover"),
    ("larger(400)", "triangles of more square units than this"),
    ("smaller(400)", "triangles of fewer square units than this"),
];

/// The names that a selector may use.
const NAMES: [&str; 8] = ["mesh", "box", "flag", "doors", "links", "cover", "larger", "smaller"];

impl SkyrimEditor {
    /// The index of a mesh by its FormID; an empty name means a field that stands alone.
    pub(super) fn mesh_named(&self, name: &str) -> Option<u32> {
        if name.is_empty() {
            return (self.slots.len() == 1).then_some(0);
        }
        self.named_by(FormId::read(name)?)
    }

    /// The triangles of a mesh.
    fn triangles_of(&self, mesh: u32) -> Vec<Item> {
        let ids = self.slot(mesh).map_or(&[][..], |slot| &slot.ids);
        ids.iter().map(|id| Item { mesh, id: *id }).collect()
    }

    /// The triangles of a mesh whose FormID stands alone.
    fn of_form(&self, text: &str) -> Option<Vec<Item>> {
        let mesh = self.mesh_named(text).filter(|_| is_form(text))?;
        Some(self.triangles_of(mesh))
    }

    /// The refusal of a FormID that no mesh has. It suggests those that have it in another file.
    fn no_mesh(&self, name: &str) -> Refusal {
        let object = FormId::read(name).map(FormId::object_id);
        let alike = self.slots.iter().map(|slot| slot.form).filter(|form| Some(form.object_id()) == object);
        let alike = alike.take(3).map(|form| format!("mesh({form})")).collect();
        Refusal::new(format!("there is no navmesh {name}")).or(alike)
    }

    pub(super) fn select_atom(&self, atom: &Atom<'_>) -> Result<Vec<Item>, Refusal> {
        match atom {
            Atom::Id { space, id } => {
                let whole = if space.is_empty() { self.of_form(id) } else { None };
                whole.ok_or_else(|| Refusal::new(format!("there is no {space}#{id}")))
            }
            Atom::Point { space, nearest, at } => self.at(space, *nearest, at),
            Atom::Name { name, arguments } if arguments.is_empty() && is_form(name) => {
                self.of_form(name).ok_or_else(|| self.no_mesh(name))
            }
            Atom::Name { name, arguments } => self.named(name, arguments),
        }
    }

    fn filter(&self, keep: impl Fn(&Slot, &TriangleBuf) -> bool) -> Vec<Item> {
        let mut items = Vec::new();
        for (mesh, slot) in (0_u32..).zip(&self.slots) {
            let triangles = slot.ids.iter().zip(&slot.mesh.triangles);
            let kept = triangles.filter(|(_, triangle)| keep(slot, triangle));
            items.extend(kept.map(|(id, _)| Item { mesh, id: *id }));
        }
        items
    }

    fn named(&self, name: &str, arguments: &[&str]) -> Result<Vec<Item>, Refusal> {
        let numbers = |count: usize| -> Result<Vec<f32>, Refusal> {
            let numbers: Option<Vec<f32>> = arguments.iter().map(|text| number(text)).collect();
            numbers
                .filter(|numbers| numbers.len() == count)
                .ok_or_else(|| Refusal::new(format!("{name} takes {count} numbers")))
        };
        let area =
            |slot: &Slot, triangle: &TriangleBuf| doubled_area(slot.mesh.corners(triangle)).abs() / 2.0;
        match name.to_ascii_lowercase().as_str() {
            "mesh" => {
                let [form] = arguments else { return Err(Refusal::new("mesh takes a FormID")) };
                let mesh = self.mesh_named(form);
                Ok(self.triangles_of(mesh.ok_or_else(|| self.no_mesh(form))?))
            }
            "box" => {
                let numbers = numbers(6)?;
                let [ax, ay, az, bx, by, bz] = numbers.as_slice() else { return Ok(Vec::new()) };
                let ranges =
                    [(ax.min(*bx), ax.max(*bx)), (ay.min(*by), ay.max(*by)), (az.min(*bz), az.max(*bz))];
                // The middle decides, so that a border belongs to one side.
                Ok(self.filter(|slot, triangle| {
                    let middle = middle(slot.mesh.corners(triangle));
                    ranges.iter().zip(middle).all(|((low, high), at)| *low <= at && at <= *high)
                }))
            }
            "flag" => {
                let [name] = arguments else { return Err(Refusal::new("flag takes the name of one")) };
                let flag = flag_named(name)?;
                Ok(self.filter(|_, triangle| triangle.flags.contains(flag)))
            }
            "doors" => Ok(self.filter(|_, triangle| triangle.flags.contains(TriangleFlags::DOOR))),
            "links" => {
                Ok(self
                    .filter(|_, triangle| triangle.edges().iter().any(|edge| matches!(edge, Edge::Link(_)))))
            }
            "cover" => Ok(self.filter(|slot, triangle| match slot.mesh.shape.tall {
                true => triangle.cover & 7 != 0,
                false => CoverFlags(triangle.cover).any(),
            })),
            "larger" | "smaller" => {
                let limit = f64::from(numbers(1)?.first().copied().unwrap_or_default());
                let larger = name.eq_ignore_ascii_case("larger");
                Ok(self.filter(|slot, triangle| (area(slot, triangle) > limit) == larger))
            }
            _ => Err(Refusal::unknown("selector", name).or(nearest(name, NAMES))),
        }
    }

    /// The triangle above or below a point whose height there is nearest; or the one with the nearest middle.
    fn at(&self, space: &str, nearest: bool, at: &[f32]) -> Result<Vec<Item>, Refusal> {
        let (Some(x), Some(y)) = (at.first(), at.get(1)) else { return Ok(Vec::new()) };
        let z = at.get(2);
        let only = match space {
            "" => None,
            name => Some(self.mesh_named(name).ok_or_else(|| self.no_mesh(name))?),
        };
        let mut best: Option<(f32, Item)> = None;
        for (mesh, slot) in
            (0_u32..).zip(&self.slots).filter(|(mesh, _)| only.is_none_or(|only| only == *mesh))
        {
            for (id, triangle) in slot.ids.iter().zip(&slot.mesh.triangles) {
                let corners = slot.mesh.corners(triangle);
                let [mx, my, mz] = middle(corners);
                let far = if nearest {
                    (mx - x).hypot(my - y).hypot(z.map_or(0.0, |z| mz - z))
                } else {
                    let Some(height) = height(corners, *x, *y) else { continue };
                    // Without a height, the highest.
                    z.map_or(-height, |z| (height - z).abs())
                };
                if best.is_none_or(|(least, _)| far < least) {
                    best = Some((far, Item { mesh, id: *id }));
                }
            }
        }
        let (_, item) =
            best.ok_or_else(|| Refusal::nothing("no triangle lies there (~@ takes the nearest)"))?;
        Ok(vec![item])
    }
}

fn after_0x(text: &str) -> Option<&str> {
    text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))
}

/// Whether this is a whole FormID: eight hexadecimal digits, or some after `0x`.
fn is_form(text: &str) -> bool {
    let digits = after_0x(text);
    let hex = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    digits.map_or(text.len() == 8 && hex(text), hex)
}

fn middle([a, b, c]: [[f32; 3]; 3]) -> [f32; 3] {
    let ([ax, ay, az], [bx, by, bz], [cx, cy, cz]) = (a, b, c);
    [(ax + bx + cx) / 3.0, (ay + by + cy) / 3.0, (az + bz + cz) / 3.0]
}

/// The height of a triangle at a point; `None` beside it.
fn height([a, b, c]: [[f32; 3]; 3], x: f32, y: f32) -> Option<f32> {
    let whole = doubled_area([a, b, c]);
    let point = [x, y, 0.0];
    let shares = [doubled_area([point, b, c]), doubled_area([a, point, c]), doubled_area([a, b, point])];
    let [u, v, w] = shares.map(|share| share / whole);
    let ([_, _, az], [_, _, bz], [_, _, cz]) = (a, b, c);
    let inside = u >= 0.0 && v >= 0.0 && w >= 0.0;
    inside.then(|| (u * f64::from(az) + v * f64::from(bz) + w * f64::from(cz)) as f32)
}

/// A flag by its name. Bits without a name are a number: `0x0100`.
pub(super) fn flag_named(name: &str) -> Result<TriangleFlags, Refusal> {
    if let Some(bits) = after_0x(name).and_then(|digits| u16::from_str_radix(digits, 16).ok()) {
        return Ok(TriangleFlags(bits));
    }
    let mut known = TriangleFlags::NAMED.iter();
    let found = known.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, flag)| *flag);
    let names = TriangleFlags::NAMED.iter().map(|(name, _)| *name);
    found.ok_or_else(|| Refusal::unknown("flag", name).among(name, names))
}
