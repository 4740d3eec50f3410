//! The commands.

use super::editor::SkyrimEditor;
use super::select::flag_named;
use super::slot::{Delta, Item};
use crate::buf::{DoorBuf, LinkBuf, NavMeshBuf};
use crate::flags::TriangleFlags;
use crate::form::FormId;
use crate::places::Places;
use crate::record::Edge;
use navmap_core::Limits;
use navmap_core::edit::{Apply, Command, Refusal, Scope, Verb, Word, verb};
use navmap_core::text::{counted, form_digits};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Every verb with what applies it.
#[rustfmt::skip]
pub(super) const VERBS: &[(Verb, Apply<SkyrimEditor>)] = &[
    (verb("move", "DX DY DZ [SELECTOR]", "move the vertices of triangles, and waypoints on them; everything when none is named"), shift),
    (verb("set", "FLAG[,FLAG] [SELECTOR]", "set flags: water, preferred, found, no_large_creatures, overlapping"), |e, c, s| flags(e, c, s, true)),
    (verb("clear", "FLAG[,FLAG] [SELECTOR]", "clear flags"), |e, c, s| flags(e, c, s, false)),
    (verb("delete", "[SELECTOR]", "delete triangles; the others get new numbers, which links and doors of the plugin follow"), delete),
    (verb("flip", "[SELECTOR]", "turn triangles over"), flip),
    (verb("corner", "TRIANGLE 0|1|2 X,Y,Z", "put the vertex at a corner of a triangle somewhere; all triangles that share it follow"), corner),
    (verb("link", "TRIANGLE EDGE TRIANGLE EDGE [--kind portal|ledge_up|ledge_down|enable_disable]", "link two edges, both ways"), link),
    (verb("unlink", "TRIANGLE EDGE", "make an edge that leads somewhere a border, and the edge that leads back too"), unlink),
    (verb("join", "TRIANGLE EDGE TRIANGLE EDGE", "make two triangles of one mesh neighbours over two borders"), join),
    (verb("door", "add TRIANGLE REFERENCE | remove REFERENCE", "put a door on a triangle, or take it off"), door),
    (verb("cover", "WORD [SELECTOR]", "set the cover word of triangles of Skyrim, in hexadecimal"), cover),
    (verb("settle", "[SELECTOR] [--geometric-grid]", "compute bounds, grid and cover list of meshes anew, whatever was stored"), settle),
];

type Scoped<'s> = &'s mut Scope<Item>;

/// Changing a triangle costs as much as looking at so many, and finding the cells of the grid that it lies in.
const TOUCHED: u64 = 32;
const SETTLED: u64 = 1024;

/// What grids that are computed anew may list: of any plugin, and of each triangle in it. Meshes of games list a triangle twice; one
/// that spans its mesh is in all 144 cells.
const IN_CELLS: u64 = 1 << 22;
const IN_CELLS_EACH: u64 = 16;

/// The triangles that a command works on: those that are named, else the selected set.
fn items(
    e: &SkyrimEditor,
    c: &mut Command<'_>,
    s: Scoped<'_>,
    or_all: bool,
) -> Result<BTreeMap<u32, Vec<u32>>, Refusal> {
    use navmap_core::edit::Editor;
    let items = match c.take() {
        Some(word) => s.select(e, &word)?,
        None if !s.selection.is_empty() => s.selection.items(),
        None if or_all => {
            let all = e.all();
            s.look(TOUCHED.saturating_mul(all.len() as u64), e)?;
            all
        }
        None => return Err(Refusal::new("no triangle is named or selected")),
    };
    c.finish()?;
    let mut by_mesh: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for item in items {
        by_mesh.entry(item.mesh).or_default().push(item.id);
    }
    Ok(by_mesh)
}

fn count(items: &BTreeMap<u32, Vec<u32>>) -> u64 {
    items.values().map(|ids| ids.len() as u64).fold(0, u64::saturating_add)
}

fn shift(e: &mut SkyrimEditor, c: &mut Command<'_>, s: Scoped<'_>) -> Result<(), Refusal> {
    let by = [c.number("a distance in x")?, c.number("a distance in y")?, c.number("a distance in z")?];
    let items = items(e, c, s, true)?;
    let (mut vertices, mut waypoints) = (0_u64, 0_u64);
    for (mesh, ids) in items {
        let slot = e.touch(mesh)?;
        let triangles: BTreeSet<u16> = ids.iter().filter_map(|id| slot.place(*id)).collect();
        let before =
            slot.mesh.shift(by, &triangles).ok_or_else(|| Refusal::new("a vertex would lie nowhere"))?;
        vertices = vertices.saturating_add(before.vertices.len() as u64);
        waypoints = waypoints.saturating_add(before.waypoints.len() as u64);
        e.change.0.push(Delta::Places(mesh, before));
    }
    s.say(format!("{} moved", counted(vertices, "vertex", "vertices")));
    if waypoints > 0 {
        s.say(format!("{} moved with them", counted(waypoints, "waypoint", "waypoints")));
    }
    Ok(())
}

/// Changes triangles one by one; returns the number that differ.
fn each(
    e: &mut SkyrimEditor,
    items: BTreeMap<u32, Vec<u32>>,
    change: impl Fn(&mut crate::TriangleBuf),
) -> Result<u64, Refusal> {
    let mut changed = 0_u64;
    for (mesh, ids) in items {
        let slot = e.touch(mesh)?;
        let mut noted = Vec::new();
        for id in ids {
            let Some(place) = slot.place(id) else { continue };
            let Some(triangle) = slot.mesh.triangles.get_mut(usize::from(place)) else { continue };
            let before = *triangle;
            change(triangle);
            if !triangle.same(&before) {
                noted.push((place, before));
            }
        }
        changed = changed.saturating_add(noted.len() as u64);
        if !noted.is_empty() {
            e.change.0.push(Delta::Triangles(mesh, noted));
        }
    }
    Ok(changed)
}

fn flags(e: &mut SkyrimEditor, c: &mut Command<'_>, s: Scoped<'_>, on: bool) -> Result<(), Refusal> {
    let word = c.need("a flag")?;
    let mut wanted = 0_u16;
    for name in word.text.split(',') {
        let flag = flag_named(name.trim()).map_err(|refusal| refusal.at(word.at))?;
        let bound = TriangleFlags(crate::flags::BOUND);
        if flag.any(bound) {
            let why = format!("{name} follows from links and doors: link, unlink and door set it");
            return Err(Refusal::new(why).at(word.at));
        }
        wanted |= flag.0;
    }
    let items = items(e, c, s, false)?;
    let changed = each(e, items, |triangle| {
        triangle.flags.0 = if on { triangle.flags.0 | wanted } else { triangle.flags.0 & !wanted };
    })?;
    s.say(format!("{} changed", counted(changed, "triangle", "triangles")));
    Ok(())
}

fn cover(e: &mut SkyrimEditor, c: &mut Command<'_>, s: Scoped<'_>) -> Result<(), Refusal> {
    let word = c.need("a cover word")?;
    let text = word.text.strip_prefix("0x").unwrap_or(word.text);
    let value = u16::from_str_radix(text, 16).map_err(|_| {
        Refusal::new(format!("{} where four hexadecimal digits were expected", word.text)).at(word.at)
    })?;
    let items = items(e, c, s, false)?;
    let tall = items.keys().any(|mesh| e.slot(*mesh).is_some_and(|slot| slot.mesh.shape.tall));
    if tall {
        return Err(Refusal::new("cover of version 13 and later is kept in chains, which cannot be set yet"));
    }
    let changed = each(e, items, |triangle| triangle.cover = value)?;
    s.say(format!("{} changed", counted(changed, "triangle", "triangles")));
    Ok(())
}

fn flip(e: &mut SkyrimEditor, c: &mut Command<'_>, s: Scoped<'_>) -> Result<(), Refusal> {
    let items = items(e, c, s, false)?;
    let mut lost = 0_u64;
    let flipped = count(&items);
    for (mesh, ids) in items {
        e.note_whole(mesh)?;
        let slot = e.touch(mesh)?;
        for place in ids.iter().filter_map(|id| slot.place(*id)).collect::<Vec<_>>() {
            lost = lost.saturating_add(slot.mesh.flip(place).into());
        }
    }
    s.say(format!("{} turned over", counted(flipped, "triangle", "triangles")));
    if lost > 0 {
        s.say(format!("{lost} had cover on an edge that can carry none now; it is gone"));
    }
    Ok(())
}

fn corner(e: &mut SkyrimEditor, c: &mut Command<'_>, s: Scoped<'_>) -> Result<(), Refusal> {
    let (mesh, triangle, corner) = numbered(e, c, s, "a corner")?;
    let at = c.numbers::<3>("a point")?;
    c.finish()?;
    let slot = e.touch(mesh)?;
    let vertex = slot.mesh.triangles.get(usize::from(triangle)).map(|t| t.vertices);
    let index = vertex.and_then(|vertices| vertices.get(usize::from(corner)).copied());
    let stored = index.and_then(|index| Some((index, slot.mesh.vertices.get_mut(usize::from(index))?)));
    let (index, stored) = stored.ok_or_else(|| Refusal::new("the corner is no vertex of the mesh"))?;
    if stored.map(f32::to_bits) != at.map(f32::to_bits) {
        let before = std::mem::replace(stored, at);
        e.change.0.push(Delta::Places(mesh, Places::vertex(index, before)));
    }
    Ok(())
}

fn delete(e: &mut SkyrimEditor, c: &mut Command<'_>, s: Scoped<'_>) -> Result<(), Refusal> {
    let items = items(e, c, s, false)?;
    let deleted = count(&items);
    let mut left = 0_u64;
    let owners = e.owners;
    // New numbers of the triangles of meshes that links can name.
    let mut maps = HashMap::new();
    for (mesh, ids) in &items {
        e.note_whole(*mesh)?;
        let slot = e.touch(*mesh)?;
        let form = slot.form;
        let dead: BTreeSet<u16> = ids.iter().filter_map(|id| slot.place(*id)).collect();
        let doors = slot.mesh.doors.len();
        let map = slot.mesh.delete_triangles(&dead).map_err(|error| match form.is_null() {
            true => error.into(),
            false => Refusal::new(format!("{form}: {error}")),
        })?;
        let doors = doors.saturating_sub(slot.mesh.doors.len());
        let mut place = 0_usize;
        slot.ids.retain(|_| {
            let lives = map.get(place).copied().flatten().is_some();
            place = place.saturating_add(1);
            lives
        });
        left = left.saturating_add(slot.mesh.triangles.len() as u64);
        if doors > 0 {
            s.say(format!("{} without a triangle now", counted(doors as u64, "door", "doors")));
        }
        if !form.is_null() && e.is_named(*mesh) {
            maps.insert(form, map);
        }
    }
    // Links of the plugin's meshes are updated; those to deleted triangles are removed.
    let to = |link: &LinkBuf| {
        let now = *maps.get(&owners.canonical(link.navmesh))?.get(usize::from(link.triangle))?;
        (now != Some(link.triangle)).then_some(now)
    };
    for other in 0..u32::try_from(e.slots.len()).unwrap_or(u32::MAX) {
        if !e.slot(other).is_some_and(|slot| slot.mesh.links.iter().any(|link| to(link).is_some())) {
            continue;
        }
        if !items.contains_key(&other) {
            e.note_whole(other)?;
        }
        e.touch(other)?.mesh.renumber_links(to);
    }
    s.selection.clear();
    s.say(format!("{} deleted, {left} left", counted(deleted, "triangle", "triangles")));
    Ok(())
}

/// A triangle and one of its edges.
fn edge(e: &SkyrimEditor, c: &mut Command<'_>, s: Scoped<'_>) -> Result<(u32, u16, u8), Refusal> {
    numbered(e, c, s, "an edge")
}

/// A triangle, by its mesh and its place, and the number of one of its edges or corners.
fn numbered(
    e: &SkyrimEditor,
    c: &mut Command<'_>,
    s: Scoped<'_>,
    what: &str,
) -> Result<(u32, u16, u8), Refusal> {
    let word = c.need("a triangle")?;
    let item = s.one(e, &word)?;
    let number = c.need(what)?;
    let which = number.text.parse::<u8>().ok().filter(|which| *which < 3);
    let which = which
        .ok_or_else(|| Refusal::new(format!("{} where 0, 1 or 2 was expected", number.text)).at(number.at))?;
    let place = e.slot(item.mesh).and_then(|slot| slot.place(item.id));
    Ok((item.mesh, place.ok_or_else(|| Refusal::new("the triangle is gone"))?, which))
}

fn link(e: &mut SkyrimEditor, c: &mut Command<'_>, s: Scoped<'_>) -> Result<(), Refusal> {
    let kind = match c.option("--kind")? {
        None => 0,
        Some(word) => kind_named(&word)?,
    };
    let (from, to) = (edge(e, c, s)?, edge(e, c, s)?);
    c.finish()?;
    if (from.0, from.1, from.2) == (to.0, to.1, to.2) {
        return Err(Refusal::new("an edge cannot be linked to itself"));
    }
    let form = |mesh: u32| e.slot(mesh).map(|slot| slot.form).unwrap_or_default();
    let (here, there) = (form(from.0), form(to.0));
    if here.is_null() {
        return Err(Refusal::new("a field that stands alone has no FormID that a link could name"));
    }
    let back = match kind {
        1 => 2,
        2 => 1,
        other => other,
    };
    let most = 64.0 * e.slot(from.0).map_or(1.0, |slot| slot.mesh.scale());
    let ends = |(mesh, triangle, edge): (u32, u16, u8)| {
        e.slot(mesh).and_then(|slot| slot.mesh.edge_ends(triangle, edge))
    };
    if let (Some([a, b]), Some([c, d])) = (ends(from), ends(to)) {
        let gap = |[ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]| (ax - bx).hypot(ay - by).hypot(az - bz);
        let gap = gap(a, d).max(gap(b, c));
        if gap > most && kind == 0 {
            let digits = if most < 10.0 { 2 } else { 0 };
            s.say(format!(
                "the edges lie {gap:.digits$} units apart; the editor stitches up to {most:.digits$}"
            ));
        }
    }
    for ((mesh, triangle, edge), link) in [
        (from, LinkBuf { kind, navmesh: there, triangle: to.1, edge: to.2 }),
        (to, LinkBuf { kind: back, navmesh: here, triangle: from.1, edge: from.2 }),
    ] {
        part(e, mesh, triangle, edge)?;
        e.touch(mesh)?.mesh.set_link(triangle, edge, link)?;
        let fits = e.touch(mesh)?.mesh.fits();
        fits?;
    }
    Ok(())
}

fn unlink(e: &mut SkyrimEditor, c: &mut Command<'_>, s: Scoped<'_>) -> Result<(), Refusal> {
    let (mesh, triangle, edge) = edge(e, c, s)?;
    c.finish()?;
    let leads = e.slot(mesh).and_then(|slot| slot.mesh.edge(triangle, edge));
    if leads.is_none_or(|leads| leads == Edge::Border) {
        return Err(Refusal::new("the edge is a border already"));
    }
    let linked = e.slot(mesh).is_some_and(|slot| slot.mesh.link(triangle, edge).is_some());
    if !part(e, mesh, triangle, edge)? {
        s.say("the mesh that it leads to is not in this plugin: an edge there still leads back".to_owned());
    }
    if !linked && let Some(triangle) = e.touch(mesh)?.mesh.triangles.get_mut(usize::from(triangle)) {
        triangle.set_edge(usize::from(edge), Edge::Border);
    }
    Ok(())
}

fn join(e: &mut SkyrimEditor, c: &mut Command<'_>, s: Scoped<'_>) -> Result<(), Refusal> {
    let (from, to) = (edge(e, c, s)?, edge(e, c, s)?);
    c.finish()?;
    if from.0 != to.0 || from.1 == to.1 {
        return Err(Refusal::new("neighbours are two triangles of one mesh; link joins meshes"));
    }
    for (mesh, triangle, edge) in [from, to] {
        let leads = e.slot(mesh).and_then(|slot| slot.mesh.edge(triangle, edge));
        if leads != Some(Edge::Border) {
            return Err(Refusal::new("only borders can be joined: unlink comes first"));
        }
    }
    e.note_whole(from.0)?;
    let slot = e.touch(from.0)?;
    for ((_, triangle, edge), (_, other, _)) in [(from, to), (to, from)] {
        if let Some(triangle) = slot.mesh.triangles.get_mut(usize::from(triangle)) {
            triangle.set_edge(usize::from(edge), Edge::Neighbour(other));
        }
    }
    Ok(())
}

/// Removes the link of an edge on both sides, and its neighbour. Returns whether both sides are in this file.
fn part(e: &mut SkyrimEditor, mesh: u32, triangle: u16, edge: u8) -> Result<bool, Refusal> {
    e.note_whole(mesh)?;
    let owners = e.owners;
    let slot = e.touch(mesh)?;
    let own = slot.form;
    if let Some(Edge::Neighbour(neighbour)) = slot.mesh.edge(triangle, edge) {
        let back = |slot: &NavMeshBuf| {
            let edges = slot.triangles.get(usize::from(neighbour))?.edges();
            edges.iter().position(|to| *to == Edge::Neighbour(triangle))
        };
        if let (Some(at), Some(other)) =
            (back(&slot.mesh), slot.mesh.triangles.get_mut(usize::from(neighbour)))
        {
            other.set_edge(at, Edge::Border);
        }
    }
    let Some(link) = slot.mesh.link(triangle, edge) else { return Ok(true) };
    slot.mesh.unlink(triangle, edge);
    let Some(other) = e.named_by(link.navmesh) else { return Ok(false) };
    let leads_back = |(at, _, back): &(u16, u8, LinkBuf)| {
        *at == link.triangle && owners.same(back.navmesh, own) && back.triangle == triangle
    };
    let back = e.slot(other).and_then(|slot| slot.mesh.linked_edges().find(leads_back));
    if let Some((triangle, edge, _)) = back {
        if other != mesh {
            e.note_whole(other)?;
        }
        e.touch(other)?.mesh.unlink(triangle, edge);
    }
    Ok(true)
}

fn kind_named(word: &Word<'_>) -> Result<u32, Refusal> {
    let kinds = crate::flags::LINK_KINDS;
    let found = (0_u32..).zip(kinds).find(|(_, kind)| kind.eq_ignore_ascii_case(word.text));
    found.map(|(kind, _)| kind).ok_or_else(|| {
        Refusal::new(format!("{} where a kind of link was expected", word.text))
            .or(navmap_core::edit::nearest(word.text, kinds))
            .at(word.at)
    })
}

fn reference(word: &Word<'_>) -> Result<FormId, Refusal> {
    let whole = form_digits(word.text).is_some_and(|digits| digits.len() == 8);
    FormId::read(word.text).filter(|_| whole).ok_or_else(|| {
        Refusal::new(format!("{} where a FormID was expected: 0100ABCD", word.text)).at(word.at)
    })
}

fn door(e: &mut SkyrimEditor, c: &mut Command<'_>, s: Scoped<'_>) -> Result<(), Refusal> {
    let owners = e.owners;
    let what = c.need("add or remove")?;
    match what.text {
        "add" => {
            let word = c.need("a triangle")?;
            let item = s.one(e, &word)?;
            let reference = reference(&c.need("the reference of the door")?)?;
            c.finish()?;
            e.note_whole(item.mesh)?;
            let slot = e.touch(item.mesh)?;
            let place = slot.place(item.id).ok_or_else(|| Refusal::new("the triangle is gone"))?;
            let stands = |door: &DoorBuf| door.triangle == place && owners.same(door.reference, reference);
            if slot.mesh.doors.iter().any(stands) {
                return Err(Refusal::new("the door stands there already"));
            }
            slot.mesh.doors.push(DoorBuf::new(place, reference));
            if let Some(triangle) = slot.mesh.triangles.get_mut(usize::from(place)) {
                triangle.flags = triangle.flags | TriangleFlags::DOOR;
            }
        }
        "remove" => {
            let reference = reference(&c.need("the reference of the door")?)?;
            c.finish()?;
            let is_it = |door: &DoorBuf| owners.same(door.reference, reference);
            let has = |slot: &super::slot::Slot| slot.mesh.doors.iter().any(is_it);
            let meshes: Vec<u32> =
                (0_u32..).zip(&e.slots).filter(|(_, slot)| has(slot)).map(|(mesh, _)| mesh).collect();
            if meshes.is_empty() {
                return Err(Refusal::new(format!("no navmesh has door {reference}")));
            }
            for mesh in meshes {
                e.note_whole(mesh)?;
                let slot = e.touch(mesh)?;
                let (gone, left): (Vec<_>, Vec<_>) = slot.mesh.doors.iter().copied().partition(is_it);
                slot.mesh.doors = left;
                let still: BTreeSet<u16> = slot.mesh.doors.iter().map(|door| door.triangle).collect();
                let had = gone.iter().map(|door| door.triangle);
                for place in had.filter(|place| !still.contains(place)) {
                    if let Some(triangle) = slot.mesh.triangles.get_mut(usize::from(place)) {
                        triangle.flags.0 &= !TriangleFlags::DOOR.0;
                    }
                }
            }
        }
        other => return Err(Refusal::new(format!("{other} where add or remove was expected")).at(what.at)),
    }
    s.say("the door's own record (XNDP) follows if it is in this plugin and named a triangle".to_owned());
    Ok(())
}

fn settle(e: &mut SkyrimEditor, c: &mut Command<'_>, s: Scoped<'_>) -> Result<(), Refusal> {
    let geometric = c.flag("--geometric-grid");
    let items = items(e, c, s, true)?;
    let triangles = items.keys().filter_map(|mesh| e.slot(*mesh)).map(|slot| slot.ids.len() as u64);
    s.look(SETTLED.saturating_mul(triangles.fold(0, u64::saturating_add)), e)?;
    let all = e.slots.iter().fold(0_u64, |sum, slot| sum.saturating_add(slot.ids.len() as u64));
    let most = IN_CELLS.saturating_add(IN_CELLS_EACH.saturating_mul(all));
    let (mut changed, mut in_cells) = (0_u64, 0_u64);
    for mesh in items.into_keys() {
        let mut settled = e.touch(mesh)?.mesh.clone();
        settled.settle_all_as(geometric);
        in_cells =
            settled.grid.lists.iter().fold(in_cells, |sum, list| sum.saturating_add(list.len() as u64));
        Limits::charge("triangles in cells of grids", in_cells, most)?;
        if !e.touch(mesh)?.mesh.same(&settled) {
            e.note_whole(mesh)?;
            e.touch(mesh)?.mesh = settled;
            changed = changed.saturating_add(1);
        }
    }
    s.say(format!("{} changed", counted(changed, "navmesh", "navmeshes")));
    Ok(())
}
