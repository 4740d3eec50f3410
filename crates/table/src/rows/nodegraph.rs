//! The tables of Valve's node graphs.

use crate::geometry::Geometry;
use crate::schema::rows;
use navmap_formats::Family;

rows! {
    /// One row a node graph.
    MeshRow<'a> = NODEGRAPH_MESHES "nodegraph_meshes" Some(Family::NodeGraph); {
        form: &'a str, "", "ain, ain-text or nod";
        version: i32, "", "of that form";
        map_version: Option<i32>, "", "the revision of the map that it was made for; binary .ain";
        checksum: Option<u32>, "", "of the map, in Apex Legends";
        hulls: u32, "", "sizes of creatures that links tell apart";
        nodes: u32, "", "";
        links: u32, "", "";
        clusters: Option<u32>, "", "of .ain 57";
        script_nodes: Option<u32>, "", "of .ain 57";
        hints: Option<u32>, "", "of .ain 57";
        route_bytes: Option<u64>, "B", "size of the route table; .nod";
        trailing_bytes: u64, "B", "bytes after the end";
    }

    /// One row a node.
    NodeRow<'a> = NODEGRAPH_NODES "nodegraph_nodes" Some(Family::NodeGraph); {
        node: u32, "", "position in the file";
        x: f32, "u", "as stored";
        y: f32, "u", "";
        z: f32, "u", "";
        yaw: f32, "degrees", "which way it looks";
        kind: Option<&'a str>, "", "ground, air, climb, water, deleted, any; .nod: land, air, water; null where the number has no name";
        info: u32, "", "bits of .ain: ladders, the mapper's wish of a hull; the stored kind of .nod";
        zone: Option<i16>, "", "the connected part that the game counts it to; .ain of Source";
        cluster: Option<i16>, "", "position in nodegraph_clusters; .ain 57";
        hammer_id: Option<i32>, "", "its id in the map's source, -1 for none; .ain";
        hint: Option<i16>, "", "what is worth doing here; .nod";
        activity: Option<i16>, "", "the animation that goes with it; .nod";
        links: Option<i32>, "", "links that leave it, as stored; .nod and text";
        geometry: Option<Geometry<'static>>, "u", "the point as seen from above, with its height";
    }

    /// One row a link as stored: both ways in .ain, one way in .nod.
    LinkRow<'a> = NODEGRAPH_LINKS "nodegraph_links" Some(Family::NodeGraph); {
        link: u32, "", "position in the file";
        src: i32, "", "the node it leaves, as stored";
        dst: i32, "", "the node it leads to, as stored";
        ground: Option<u32>, "", "the hulls that walk it, bit 0 for the first; .ain";
        jump: Option<u32>, "", "the hulls that jump";
        fly: Option<u32>, "", "the hulls that fly";
        climb: Option<u32>, "", "the hulls that climb";
        swim: Option<u32>, "", "the hulls that swim";
        crawl: Option<u32>, "", "the hulls that crawl";
        flags: Option<u32>, "", "the hulls that fit; .nod";
        weight: Option<f32>, "u", "what the game's search takes it for; .nod";
        model: Option<&'a str>, "", "what is in the way, such as a door: a model of the map; .nod";
    }

    /// One row a cluster of .ain 57: neighbouring nodes.
    ClusterRow = NODEGRAPH_CLUSTERS "nodegraph_clusters" Some(Family::NodeGraph); {
        cluster: u32, "", "position in the file";
        x: f32, "u", "the mean of its nodes";
        y: f32, "u", "";
        z: f32, "u", "";
        nodes: u32, "", "";
        links: u32, "", "links between clusters that touch it";
    }

    /// One row a script node of .ain 57.
    ScriptNodeRow = NODEGRAPH_SCRIPT_NODES "nodegraph_script_nodes" Some(Family::NodeGraph); {
        script_node: u32, "", "position in the file";
        x: f32, "u", "";
        y: f32, "u", "";
        z: f32, "u", "";
        bits: u64, "", "meaning unknown";
    }
}
