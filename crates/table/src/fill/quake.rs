//! Quake: NAV2, NAV3 and navjson.

use crate::batch::{Out, Sheet};
use crate::geometry::Geometry;
use crate::rows::quake::*;
use navmap_core::graph::{Point, Up};
use navmap_quake::{EdictKey, NavJson, QuakeNav, Traversal};

const TABLES: [&crate::Table; 5] =
    [&QUAKE_MESHES, &QUAKE_NODES, &QUAKE_LINKS, &QUAKE_TRAVERSALS, &QUAKE_EDICTS];

/// Fills the tables of one graph. A graph that could be opened was read to its end.
pub(super) fn fill(nav: &QuakeNav<'_>, out: &mut Out<'_>) {
    out.with(TABLES, |[meshes, nodes, links, traversals, edicts]| {
        meshes.push(MeshRow {
            magic: nav.version().magic.name(),
            version: nav.version().number,
            nodes: nav.nodes().len() as u32,
            links: nav.links().len() as u32,
            traversals: nav.traversals().len() as u32,
            edicts: nav.edicts().len() as u32,
            heuristic: nav.heuristic(),
        });
        if nodes.is_wanted() {
            for ((node, stored), origin) in (0..).zip(nav.nodes()).zip(nav.origins()) {
                let [x, y, z] = origin.to_array();
                let (flags, radius) = (stored.flags(), stored.radius());
                let (first_link, count) = (stored.first_link().into(), stored.link_count().into());
                let geometry = Some(Geometry::point([x, y, z], Up::Z));
                nodes.push(NodeRow { node, flags, x, y, z, radius, first_link, links: count, geometry });
            }
        }
        if links.is_wanted() {
            let origin = |node: usize| nav.origins().get(node).map(|origin| origin.to_array());
            let wants_edict = links.wants("edict");
            let of_links = first_of(nav.edicts().iter().map(|edict| edict.link().into()), wants_edict);
            for ((at, link), src) in nav.links().iter().enumerate().zip(nav.sources()) {
                links.push(LinkRow {
                    link: at as u32,
                    src: src.map(|node| node as u32),
                    dst: Some(link.target().into()),
                    link_type: link.kind().into(),
                    flags_raw: Some(link.flags()),
                    flags: nav.link_flags(link).map(|flags| flags.bits()),
                    traversal: link.traversal().map(u32::from),
                    length: length(src.and_then(origin), origin(link.target().into())),
                    edict: of_links.get(at).copied().flatten(),
                });
            }
        }
        if traversals.is_wanted() {
            let wants_link = traversals.wants("link");
            let named = nav.links().iter().map(|link| link.traversal().map_or(usize::MAX, usize::from));
            let of_traversals = first_of(named, wants_link);
            for (at, traversal) in nav.traversals().iter().enumerate() {
                let link = of_traversals.get(at).copied().flatten();
                push_traversal(at, traversal, link, nav.traversals().plane(at), traversals);
            }
        }
        if edicts.is_wanted() {
            for (edict, stored) in (0..).zip(nav.edicts().iter()) {
                let (min, max) = (stored.bounds().mins(), stored.bounds().maxs());
                push_edict(edict, Some(stored.link().into()), (min, max), stored.key(), edicts);
            }
        }
    });
}

/// Fills the tables of one graph in JSON.
pub(super) fn fill_json(nav: &NavJson<'_>, out: &mut Out<'_>) {
    out.with(TABLES, |[meshes, nodes, links, traversals, edicts]| {
        meshes.push(MeshRow {
            magic: "navjson",
            version: nav.version(),
            nodes: nav.nodes().len() as u32,
            links: nav.links().len() as u32,
            traversals: nav.traversals().len() as u32,
            edicts: nav.edicts().len() as u32,
            heuristic: nav.heuristic(),
        });
        for (node, stored) in (0..).zip(nav.nodes()) {
            let [x, y, z] = stored.origin();
            nodes.push(NodeRow {
                node,
                flags: stored.flags(),
                x,
                y,
                z,
                radius: stored.radius(),
                first_link: stored.first_link() as u32,
                links: stored.link_count() as u32,
                geometry: Some(Geometry::point([x, y, z], Up::Z)),
            });
        }
        if links.is_wanted() {
            let origin = |node: usize| nav.nodes().get(node).map(|node| node.origin());
            let counts = nav.nodes().iter().map(|node| node.link_count());
            let sources = counts.enumerate().flat_map(|(node, count)| std::iter::repeat_n(node, count));
            for ((link, stored), src) in (0..).zip(nav.links()).zip(sources) {
                links.push(LinkRow {
                    link,
                    src: Some(src as u32),
                    dst: stored.target().map(|target| target as u32),
                    link_type: stored.kind(),
                    flags_raw: None,
                    flags: None,
                    traversal: stored.traversal().map(|at| at as u32),
                    length: length(origin(src), stored.target().and_then(origin)),
                    edict: stored.edict().map(|at| at as u32),
                });
            }
        }
        let named = |of: fn(&navmap_quake::navjson::JsonLink) -> Option<usize>| {
            nav.links().iter().map(move |link| of(link).unwrap_or(usize::MAX))
        };
        let of_traversals = first_of(named(|link| link.traversal()), traversals.wants("link"));
        for (at, traversal) in nav.traversals().iter().enumerate() {
            let link = of_traversals.get(at).copied().flatten();
            push_traversal(at, traversal, link, None, traversals);
        }
        let of_edicts = first_of(named(|link| link.edict()), edicts.wants("link"));
        for (at, stored) in nav.edicts().iter().enumerate() {
            let link = of_edicts.get(at).copied().flatten();
            let (min, max) = (stored.bounds().mins(), stored.bounds().maxs());
            push_edict(at as u32, link, (min, max), stored.key(), edicts);
        }
    });
}

/// For each number, the first position that names it: the links of edicts, the traversals of links.
fn first_of(named: impl Iterator<Item = usize>, wanted: bool) -> Vec<Option<u32>> {
    let mut first = Vec::new();
    for (at, name) in named.enumerate().filter(|_| wanted) {
        // The numbers have 16 bits, or are positions in a list that was read.
        if name == usize::MAX {
            continue;
        }
        if first.len() <= name {
            first.resize(name.saturating_add(1), None);
        }
        if let Some(slot) = first.get_mut(name) {
            *slot = slot.or(Some(at as u32));
        }
    }
    first
}

fn length(from: Option<[f32; 3]>, to: Option<[f32; 3]>) -> Option<f32> {
    Some(Point::from(from?).distance(Point::from(to?)))
}

fn push_traversal(
    at: usize,
    traversal: &Traversal,
    link: Option<u32>,
    plane: Option<[f32; 3]>,
    out: &mut Sheet<'_>,
) {
    let funnel = traversal.funnel();
    let axis = |of: Option<[f32; 3]>, axis: usize| of.map(|of| of[axis]);
    let unset = if traversal.stored_funnel() == [0.0; 3] { "zero" } else { "1e30" };
    let ([start_x, start_y, start_z], [end_x, end_y, end_z]) = (traversal.start(), traversal.end());
    out.push(TraversalRow {
        traversal: at as u32,
        link,
        funnel_x: axis(funnel, 0),
        funnel_y: axis(funnel, 1),
        funnel_z: axis(funnel, 2),
        start_x,
        start_y,
        start_z,
        end_x,
        end_y,
        end_z,
        ladder_x: axis(plane, 0),
        ladder_y: axis(plane, 1),
        ladder_z: axis(plane, 2),
        funnel_unset: funnel.is_none().then_some(unset),
    });
}

fn push_edict(
    edict: u32,
    link: Option<u32>,
    ([min_x, min_y, min_z], [max_x, max_y, max_z]): ([f32; 3], [f32; 3]),
    key: EdictKey,
    out: &mut Sheet<'_>,
) {
    let mut row = EdictRow {
        edict,
        link,
        min_x,
        min_y,
        min_z,
        max_x,
        max_y,
        max_z,
        targetname: None,
        classname: None,
        entity_id: None,
        model: None,
    };
    match key {
        EdictKey::None => {}
        EdictKey::Handles { targetname, classname } => {
            (row.targetname, row.classname) = (Some(targetname.get()), Some(classname.get()));
        }
        EdictKey::Entity(id) => row.entity_id = Some(id.get()),
        EdictKey::Model(model) => row.model = Some(model.get()),
    }
    out.push(row);
}
