//! A tile with other polygons or connections, as Detour's builder would have made it.

use super::parts::{Ground, Jump, ground, polygon};
use super::sound::{fault, leaves};
use crate::buf::{ConnectionsBuf, LinksBuf, PolygonsBuf, TileBuf, TrianglesBuf};
use crate::record::{Across, BvNode, DetailMesh, Link, OffMesh, Poly, Vector, WideLink};
use crate::tree::{Leaf, tree};
use navmap_core::error::{Error, Result};
use zerocopy::byteorder::little_endian::U16;

/// The most vertices and polygons that 16 bits number.
pub(super) const MOST: usize = 65_535;

/// The tile with other areas and flags, which are those of all polygons in order; `None` if all are as they were.
pub(super) fn painted(tile: &TileBuf, all: impl Iterator<Item = (u8, u32)>) -> Option<TileBuf> {
    let mut new: Option<TileBuf> = None;
    for (index, (area, flags)) in all.enumerate() {
        let same = polygon(tile, index).is_none_or(|p| (p.area(), p.flags()) == (area, flags));
        if same {
            continue;
        }
        let low = u16::try_from(flags & 0xFFFF).unwrap_or(0);
        let paint = |poly: &mut Poly| {
            poly.set_area(area);
            poly.set_flags(low);
        };
        match &mut new.get_or_insert_with(|| tile.clone()).polygons {
            PolygonsBuf::Stock(list) => list.get_mut(index).into_iter().for_each(paint),
            PolygonsBuf::Respawn(list) => list.get_mut(index).into_iter().for_each(|p| paint(p.poly_mut())),
            PolygonsBuf::Unity(list) => list.get_mut(index).into_iter().for_each(|poly| {
                poly.set_area(area);
                poly.set_flags(flags);
            }),
        }
    }
    new
}

/// A connection of a tile: how it was opened there, with its place in the tile, and how it is.
pub(super) type Now<'j> = (Option<(&'j Jump, usize)>, &'j Jump);

/// The tile with the ground polygons that are used, and with these connections. Linear, but for sorting the tree.
///
/// # Errors
/// If the tile cannot be made anew, or has more vertices or polygons than can be numbered.
pub(super) fn rebuilt(tile: &TileBuf, grounds: &[Ground], jumps: &[Now<'_>]) -> Result<TileBuf> {
    if let Some(why) = fault(tile) {
        return Err(Error::invalid("edit", why));
    }
    if grounds.len() > MOST {
        return Err(too_many("polygons"));
    }
    let mut new = tile.clone();
    let mut next = 0_u16;
    let numbers: Vec<Option<u16>> = grounds
        .iter()
        .map(|ground| {
            let number = ground.used.then_some(next);
            next = next.saturating_add(ground.used.into());
            number
        })
        .collect();
    let ends = |jump: &Jump| [jump.record.start(), jump.record.end()].map(Vector::from);
    let (vertices, places) = vertices(tile, &numbers);
    let mut polygons = Vec::with_capacity(usize::from(next).saturating_add(jumps.len()));
    for (at, ground) in grounds.iter().enumerate().filter(|(_, ground)| ground.used) {
        let Some(old) = polygon(tile, at) else { continue };
        let count = old.corners().len();
        let corner = |stored: U16| places.get(usize::from(stored.get())).copied().flatten().unwrap_or(0);
        let neighbour = |stored: U16| match Across::decode(stored.get()) {
            Across::Wall => Poly::WALL,
            Across::Portal(_) => stored.get(),
            Across::Inner(to) => {
                numbers.get(usize::from(to)).copied().flatten().map_or(Poly::WALL, |to| to.saturating_add(1))
            }
        };
        let (corners, neighbours) = old.slots();
        let slots = |stored: &[U16; 6], make: &dyn Fn(U16) -> u16| {
            let mut made = [0_u16; 6];
            made.iter_mut().zip(stored).take(count).for_each(|(to, from)| *to = make(*from));
            made
        };
        let flags = u16::try_from(ground.flags & 0xFFFF).unwrap_or(0);
        let (corners, neighbours) = (slots(corners, &corner), slots(neighbours, &neighbour));
        polygons.push(Poly::new(corners, neighbours, old.corner_count(), flags, ground.area, 0));
    }
    new.vertices = vertices;
    let mut off_mesh = Vec::with_capacity(jumps.len());
    for (was, jump) in jumps {
        let number = u16::try_from(polygons.len()).map_err(|_| too_many("polygons"))?;
        let first = u16::try_from(new.vertices.len()).map_err(|_| too_many("vertices"))?;
        let same = was.filter(|(was, _)| ends(was) == ends(jump));
        // The engine has put the stored ones onto the ground.
        let stored = same.and_then(|(_, at)| polygon(tile, ground(tile).saturating_add(at)));
        let stored: Vec<Vector> = stored.map_or_else(Vec::new, |stands| {
            stands.corners().iter().filter_map(|c| tile.vertices.get(usize::from(c.get()))).copied().collect()
        });
        new.vertices.extend(<[Vector; 2]>::try_from(stored).unwrap_or_else(|_| ends(jump)));
        let flags = u16::try_from(jump.flags & 0xFFFF).unwrap_or(0);
        let corners = [first, first.saturating_add(1), 0, 0, 0, 0];
        polygons.push(Poly::new(corners, [0; 6], 2, flags, jump.area, 1));
        off_mesh.push(jump.record.of_polygon(number));
    }
    if new.vertices.len() > MOST || polygons.len() > MOST {
        return Err(too_many("vertices or polygons"));
    }
    details(&mut new, tile, grounds);
    if grounds.iter().any(|ground| !ground.used) {
        new.tree = fresh_tree(tile, &numbers);
    }
    let spare = tile.links.len().saturating_sub(links(tile));
    new.head.off_mesh_base = next.into();
    new.polygons = PolygonsBuf::Stock(polygons);
    new.off_mesh = ConnectionsBuf::Stock(off_mesh);
    let room = links(&new).saturating_add(spare).max(1);
    new.links = match &tile.links {
        LinksBuf::Wide(_) => LinksBuf::Wide(vec![WideLink::default(); room]),
        _ => LinksBuf::Narrow(vec![Link::default(); room]),
    };
    Ok(new)
}

fn too_many(what: &str) -> Error {
    Error::invalid("edit", format!("more {what} than 16 bits number"))
}

/// The vertices without those that only deleted polygons and connections have, and the new numbers of the old ones.
fn vertices(tile: &TileBuf, numbers: &[Option<u16>]) -> (Vec<Vector>, Vec<Option<u16>>) {
    let (mut had, mut has) = (vec![false; tile.vertices.len()], vec![false; tile.vertices.len()]);
    for index in 0..tile.polygons.len() {
        let Some(old) = polygon(tile, index) else { continue };
        let stays = numbers.get(index).copied().flatten().is_some();
        for corner in old.corners().iter().map(|corner| usize::from(corner.get())) {
            had.get_mut(corner).into_iter().for_each(|had| *had = true);
            has.get_mut(corner).into_iter().for_each(|has| *has |= stays);
        }
    }
    let mut kept = Vec::with_capacity(tile.vertices.len());
    let mut places = Vec::with_capacity(tile.vertices.len());
    for ((vertex, had), has) in tile.vertices.iter().zip(had).zip(has) {
        let place = u16::try_from(kept.len()).ok().filter(|_| has || !had);
        places.push(place);
        if place.is_some() {
            kept.push(*vertex);
        }
    }
    (kept, places)
}

/// The detail meshes of the polygons that stay, one after the other.
fn details(new: &mut TileBuf, tile: &TileBuf, grounds: &[Ground]) {
    let TrianglesBuf::Stock(old) = &tile.triangles else { return };
    let (mut details, mut vertices, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for (detail, _) in tile.details.iter().zip(grounds).filter(|(_, ground)| ground.used) {
        let [own_vertices, own_triangles] = detail.counts(false);
        let first = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
        let byte = |count: u16| u8::try_from(count).unwrap_or(u8::MAX);
        details.push(DetailMesh::new(
            first(vertices.len()),
            first(triangles.len()),
            byte(own_vertices),
            byte(own_triangles),
        ));
        let range = |first: u32, own: u16| first as usize..(first as usize).saturating_add(own.into());
        let span = range(detail.first_vertex(), own_vertices);
        vertices.extend_from_slice(tile.detail_vertices.get(span).unwrap_or_default());
        triangles
            .extend_from_slice(old.get(range(detail.first_triangle(), own_triangles)).unwrap_or_default());
    }
    (new.details, new.detail_vertices, new.triangles) = (details, vertices, TrianglesBuf::Stock(triangles));
}

/// The tree over the polygons that stay. Their boxes are those that they had: only the builder saw the heights that they are of.
fn fresh_tree(tile: &TileBuf, numbers: &[Option<u16>]) -> Vec<BvNode> {
    let old = leaves(tile, numbers.len()).unwrap_or_default();
    let leaf = |(node, number): (&BvNode, &Option<u16>)| {
        number.map(|number| Leaf { low: node.min(), high: node.max(), index: number.into() })
    };
    let mut kept: Vec<Leaf> = old.into_iter().zip(numbers).filter_map(leaf).collect();
    let mut nodes = tree(&mut kept);
    if tile.tree.len() % 2 == 1 {
        nodes.pop();
    }
    nodes
}

/// How many links the engine needs room for, by the rule of Detour's builder: one an edge, two more a portal, two for each end of a
/// connection inside the tile.
fn links(tile: &TileBuf) -> usize {
    let mut count = 0_usize;
    for polygon in (0..ground(tile)).filter_map(|index| polygon(tile, index)) {
        let portal = |stored: &&U16| matches!(Across::decode(stored.get()), Across::Portal(_));
        let portals = polygon.neighbours().iter().filter(portal).count();
        count = count.saturating_add(polygon.corners().len()).saturating_add(portals.saturating_mul(2));
    }
    let ConnectionsBuf::Stock(off_mesh) = &tile.off_mesh else { return count };
    let ends = |row: &OffMesh| if row.side().is_none() { 4_usize } else { 2 };
    off_mesh.iter().map(ends).fold(count, usize::saturating_add)
}
