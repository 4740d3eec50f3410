//! What both sides of a merge do to one node, or to one beside it, through the door that every family shares: each pair of commands
//! is both, or a conflict.

use navmap::diff::Version;
use navmap::edit::SessionOptions;
use navmap::graph::FlatGraph;
use navmap::open::{Mesh, edit};
use navmap_testkit::corpus::bundled;
use std::collections::BTreeSet;

fn version(name: &str, bytes: Vec<u8>) -> Version {
    Version::from_mesh(&Mesh::from_vec(name, bytes).unwrap()).unwrap()
}

/// A file after commands; `None` if one of them is refused.
fn after(mesh: &Mesh, script: &str) -> Option<Vec<u8>> {
    let mut session = edit(mesh, SessionOptions::default()).unwrap();
    session.run(script).1.is_none().then(|| session.encode().unwrap())
}

/// Two nodes with a link to each other, or one way, and a third that neither is linked with.
fn neighbours(graph: &FlatGraph) -> [u32; 3] {
    let links: BTreeSet<(u32, u32)> =
        graph.links().iter().filter_map(|link| Some((link.from, link.to?))).collect();
    let joined = |a: u32, b: u32| links.contains(&(a, b)) || links.contains(&(b, a));
    let pair = links.iter().find_map(|&(a, b)| {
        let far = (0..graph.nodes().len() as u32)
            .find(|far| *far != a && *far != b && !joined(a, *far) && !joined(b, *far));
        far.filter(|_| a != b).map(|far| [a, b, far])
    });
    pair.expect("nodes apart from each other")
}

/// Everything that is done to a node, with whether it removes the node.
fn deeds(flag: &str, [a, b, far]: [u32; 3]) -> Vec<(String, u32, bool)> {
    let of = |node: u32| {
        [
            (format!("delete #{node}"), node, true),
            (format!("set #{node} Radius=77"), node, false),
            (format!("set #{node} Radius=78"), node, false),
            (format!("set #{node} Origin=901,902,{}", 100 + node), node, false),
            (format!("move 4 0 0 #{node}"), node, false),
            (format!("flag {flag} #{node}"), node, false),
            (format!("connect #{node} #{far}"), node, false),
            (format!("connect #{far} #{node}"), node, false),
        ]
    };
    let mut all: Vec<_> = of(a).into_iter().chain(of(b)).collect();
    all.push((format!("disconnect #{a} #{b}"), a, false));
    all
}

#[test]
fn what_both_do_to_one_node_or_its_neighbour_is_both_or_a_conflict() {
    let mut files = vec![
        ("quake/nav2-v15.nav", "UnderWater"),
        ("quake/nav3-v6.nav", "UnderWater"),
        ("quake/navjson-v3.navjson", "UnderWater"),
        ("yapb/v2.graph", "crouch"),
        ("yapb/v7.pwf", "crouch"),
    ];
    if cfg!(feature = "rcbot") {
        files.push(("rcbot/v4.rcw", "crouch"));
    }
    for (path, flag) in files {
        let mesh = Mesh::open(bundled().join(path)).unwrap();
        let base = version(path, std::fs::read(bundled().join(path)).unwrap());
        let deeds = deeds(flag, neighbours(base.graph()));
        let done: Vec<_> =
            deeds.iter().map(|(deed, ..)| after(&mesh, deed).map(|bytes| version(path, bytes))).collect();
        // What is refused, or changes nothing, is nothing to merge.
        let changed = |side: &Version| !base.script(side).unwrap().is_empty();
        let (mut both, mut conflicts) = (0, 0);
        for ((left, of, gone), ours) in deeds.iter().zip(&done) {
            for ((right, of_theirs, gone_theirs), theirs) in deeds.iter().zip(&done) {
                let (Some(ours), Some(theirs)) = (ours, theirs) else { continue };
                if !changed(ours) || !changed(theirs) {
                    continue;
                }
                let names = format!("{path}: {left} | {right}");
                let merged = ours.apply(base.merge(ours, theirs).unwrap()).unwrap();
                assert!(merged.refused.is_empty(), "{names}: {:?}", merged.refused);
                let clash = !merged.merge.conflicts.is_empty();
                let back = !base.merge(theirs, ours).unwrap().conflicts.is_empty();
                assert_eq!(clash, back, "{names}: a conflict is one both ways round");
                if left == right {
                    assert!(!clash, "{names}: {:?}", merged.merge.conflicts);
                }
                if of == of_theirs
                    && gone != gone_theirs
                    && !left.contains("disconnect")
                    && !right.contains("disconnect")
                {
                    assert!(clash, "{names}: what was done to a node that is gone is lost");
                }
                if clash {
                    conflicts += 1;
                    continue;
                }
                both += 1;
                let made = version(path, merged.encode().unwrap());
                let orders = if left == right {
                    vec![left.clone()]
                } else {
                    vec![format!("{left}\n{right}"), format!("{right}\n{left}")]
                };
                let wanted: Vec<_> = orders
                    .iter()
                    .filter_map(|order| after(&mesh, order))
                    .map(|bytes| version(path, bytes))
                    .collect();
                let told: Vec<String> =
                    wanted.iter().map(|wanted| made.script(wanted).unwrap().to_string()).collect();
                assert!(
                    told.iter().any(String::is_empty),
                    "{names}: {}\nleaves\n{told:?}",
                    merged.merge.changes
                );
            }
        }
        assert!(both > 60 && conflicts > 20, "{path}: {both} {conflicts}");
    }
}
