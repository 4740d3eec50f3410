//! Valve's node graphs.

use crate::batch::{Out, Sheet};
use crate::geometry::Geometry;
use crate::rows::nodegraph::*;
use navmap_core::error::Result;
use navmap_core::graph::Up;
use navmap_nodegraph::{AinLinks, AinNav, AinNodes, HammerId, Moves, NodNav, RespawnNav, TextNav};

fn len(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

const EMPTY: MeshRow<'_> = MeshRow {
    form: "ain",
    version: 0,
    map_version: None,
    checksum: None,
    hulls: 0,
    nodes: 0,
    links: 0,
    clusters: None,
    script_nodes: None,
    hints: None,
    route_bytes: None,
    trailing_bytes: 0,
};

/// Fills the tables of one `.ain` of Source. A graph that opened was read to its end.
pub(super) fn fill(nav: &AinNav<'_>, out: &mut Out<'_>) {
    let row = MeshRow {
        version: nav.version(),
        map_version: Some(nav.map_version()),
        hulls: len(nav.hulls()),
        nodes: len(nav.nodes().len()),
        links: len(nav.links().len()),
        trailing_bytes: nav.trailing().len() as u64,
        ..EMPTY
    };
    fill_source(row, nav.nodes(), nav.links(), nav.hammer_ids(), &[], out);
}

/// Fills the tables of one `.ain` that is text.
pub(super) fn fill_text(nav: &TextNav<'_>, out: &mut Out<'_>) {
    let row = MeshRow {
        form: "ain-text",
        version: nav.version(),
        hulls: len(nav.hulls()),
        nodes: len(nav.nodes().len()),
        links: len(nav.links().len()),
        trailing_bytes: nav.trailing() as u64,
        ..EMPTY
    };
    fill_source(row, nav.nodes(), nav.links(), nav.hammer_ids(), nav.counted_links(), out);
}

fn fill_source(
    row: MeshRow<'_>,
    all: AinNodes<'_>,
    links_of: AinLinks<'_>,
    ids: &[HammerId],
    counted: &[i32],
    out: &mut Out<'_>,
) {
    out.with([&NODEGRAPH_MESHES, &NODEGRAPH_NODES, &NODEGRAPH_LINKS], |[meshes, nodes, links]| {
        meshes.push(row);
        for (node, at) in all.iter().zip(0_usize..) {
            let [x, y, z] = node.origin();
            nodes.push(NodeRow {
                node: len(at),
                x,
                y,
                z,
                yaw: node.yaw(),
                kind: node.kind().name(),
                info: node.info(),
                zone: Some(node.zone()),
                cluster: None,
                hammer_id: ids.get(at).map(|id| id.get()),
                hint: None,
                activity: None,
                links: counted.get(at).copied(),
                geometry: Some(Geometry::point([x, y, z], Up::Z)),
            });
        }
        for (link, at) in links_of.iter().zip(0..) {
            push_link(at, [link.source(), link.target()], link.moves_of_hulls(), links);
        }
    });
}

/// A link that works both ways. Hulls beyond the 32nd do not exist.
fn push_link(link: u32, [src, dst]: [i16; 2], moves: &[u8], links: &mut Sheet<'_>) {
    let hulls = |kind: Moves| {
        let open = moves.iter().zip(0..32).filter(|(moves, _)| Moves(**moves).contains(kind));
        Some(open.fold(0_u32, |hulls, (_, hull)| hulls | 1 << hull))
    };
    links.push(LinkRow {
        link,
        src: src.into(),
        dst: dst.into(),
        ground: hulls(Moves::GROUND),
        jump: hulls(Moves::JUMP),
        fly: hulls(Moves::FLY),
        climb: hulls(Moves::CLIMB),
        swim: hulls(Moves::SWIM),
        crawl: hulls(Moves::CRAWL),
        flags: None,
        weight: None,
        model: None,
    });
}

/// Fills the tables of one `.ain` of Respawn.
pub(super) fn fill_respawn(nav: &RespawnNav<'_>, out: &mut Out<'_>) -> Result<()> {
    let row = MeshRow {
        version: nav.version(),
        map_version: Some(nav.map_version()),
        checksum: Some(nav.header().checksum()),
        hulls: len(nav.zones().len()),
        nodes: len(nav.nodes().len()),
        links: len(nav.links().len()),
        clusters: Some(len(nav.cluster_count())),
        script_nodes: Some(len(nav.script_nodes().len())),
        hints: Some(len(nav.hints().len())),
        trailing_bytes: nav.trailing().len() as u64,
        ..EMPTY
    };
    out.with([&NODEGRAPH_MESHES, &NODEGRAPH_NODES, &NODEGRAPH_LINKS], |[meshes, nodes, links]| {
        meshes.push(row);
        for (node, at) in nav.nodes().iter().zip(0_usize..) {
            let [x, y, z] = node.origin();
            nodes.push(NodeRow {
                node: len(at),
                x,
                y,
                z,
                yaw: node.yaw(),
                kind: node.kind().name(),
                info: node.info(),
                zone: None,
                cluster: Some(node.cluster()).filter(|cluster| *cluster >= 0),
                hammer_id: nav.hammer_ids().get(at).map(|id| id.get()),
                hint: None,
                activity: None,
                links: None,
                geometry: Some(Geometry::point([x, y, z], Up::Z)),
            });
        }
        for (link, at) in nav.links().iter().zip(0..) {
            push_link(at, [link.source(), link.target()], link.moves(), links);
        }
    });
    out.with([&NODEGRAPH_SCRIPT_NODES], |[sheet]| {
        for (node, script_node) in nav.script_nodes().iter().zip(0..) {
            let ([x, y, z], [low, high]) = (node.origin(), node.bits());
            sheet.push(ScriptNodeRow { script_node, x, y, z, bits: u64::from(high) << 32 | u64::from(low) });
        }
    });
    let mut walked = Ok(());
    out.with([&NODEGRAPH_CLUSTERS], |[sheet]| {
        for (cluster, number) in nav.clusters().zip(0..) {
            match cluster {
                Ok(cluster) => {
                    let [x, y, z] = cluster.centre.to_array();
                    let (nodes, links) = (len(cluster.nodes.len()), len(cluster.links.len()));
                    sheet.push(ClusterRow { cluster: number, x, y, z, nodes, links });
                }
                Err(error) => walked = Err(error),
            }
        }
    });
    walked
}

/// Fills the tables of one `.nod`.
pub(super) fn fill_nod(nav: &NodNav<'_>, out: &mut Out<'_>) {
    let row = MeshRow {
        form: "nod",
        version: nav.version(),
        hulls: 4,
        nodes: len(nav.nodes().len()),
        links: len(nav.links().len()),
        route_bytes: Some(nav.route_bytes().len() as u64),
        trailing_bytes: nav.trailing().len() as u64,
        ..EMPTY
    };
    out.with([&NODEGRAPH_MESHES, &NODEGRAPH_NODES, &NODEGRAPH_LINKS], |[meshes, nodes, links]| {
        meshes.push(row);
        for (node, number) in nav.nodes().iter().zip(0..) {
            let [x, y, z] = node.origin();
            nodes.push(NodeRow {
                node: number,
                x,
                y,
                z,
                yaw: node.yaw(),
                kind: node.kind().name(),
                info: node.kind().0,
                zone: None,
                cluster: None,
                hammer_id: None,
                hint: Some(node.hint().0),
                activity: Some(node.activity()),
                links: Some(node.link_count()),
                geometry: Some(Geometry::point([x, y, z], Up::Z)),
            });
        }
        for (at, number) in nav.links().iter().zip(0..) {
            let model = String::from_utf8_lossy(at.model());
            links.push(LinkRow {
                link: number,
                src: at.source(),
                dst: at.target(),
                ground: None,
                jump: None,
                fly: None,
                climb: None,
                swim: None,
                crawl: None,
                flags: Some(at.flags().bits()),
                weight: Some(at.weight()),
                model: Some(&*model).filter(|model| !model.is_empty()),
            });
        }
    });
}
