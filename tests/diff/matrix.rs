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

#[test]
fn what_one_moved_away_and_the_other_deleted_is_a_conflict_both_ways_round() {
    let mut files = vec![
        ("source/v16.nav", "nav_shift", "nav_delete"),
        ("quake/nav3-v6.nav", "move", "delete"),
        ("yapb/v2.graph", "move", "delete"),
    ];
    if cfg!(feature = "rcbot") {
        files.push(("rcbot/v4.rcw", "move", "delete"));
    }
    for (path, shift, delete) in files {
        let mesh = Mesh::open(bundled().join(path)).unwrap();
        let base = version(path, std::fs::read(bundled().join(path)).unwrap());
        let ids: Vec<u64> = base.graph().nodes().iter().map(|node| node.id).collect();
        let side = |script: &str| version(path, after(&mesh, script).expect(script));
        // Each to another place: by their places, none of the nodes is left.
        let away = |(at, id): (usize, &u64)| format!("{shift} {} {} 0 #{id}\n", 3_000 + 307 * at, 211 * at);
        let moved = side(&ids.iter().enumerate().map(away).collect::<String>());
        for gone in [ids[1], ids[ids.len() - 1]] {
            let less = side(&format!("{delete} #{gone}"));
            for [ours, theirs] in [[&moved, &less], [&less, &moved]] {
                let merge = base.merge(ours, theirs).unwrap();
                let told = merge.conflicts.iter().any(|conflict| conflict.item.id == gone);
                assert!(told, "{path} #{gone}: {:?}\n{}", merge.conflicts, merge.changes);
                let count = ours.graph().nodes().len();
                let merged = ours.apply(merge).unwrap();
                let made = version(path, merged.encode().unwrap());
                assert_eq!(made.graph().nodes().len(), count, "{path}: ours stays");
            }
        }
        // Nothing else was done to what moved.
        let merge = base.merge(&base, &moved).unwrap();
        assert!(merge.conflicts.is_empty(), "{path}: {:?}", merge.conflicts);
        let made = version(path, base.apply(merge).unwrap().encode().unwrap());
        let left = made.script(&moved).unwrap();
        assert!(left.steps.is_empty(), "{path}: {left}");
    }
}

/// A value that only one of two gives is not taken over the other's, who meant the usual one.
#[test]
fn a_link_that_both_made_in_another_way_is_a_conflict() {
    let path = "yapb/v2.graph";
    let mesh = Mesh::open(bundled().join(path)).unwrap();
    let base = version(path, std::fs::read(bundled().join(path)).unwrap());
    let side = |script: &str| version(path, after(&mesh, script).expect(script));
    let (plain, jump) = (side("connect #1 #5"), side("connect #1 #5 --jump"));
    for [ours, theirs] in [[&plain, &jump], [&jump, &plain]] {
        let merge = base.merge(ours, theirs).unwrap();
        let told: Vec<&str> = merge.conflicts.iter().map(|conflict| conflict.what.as_str()).collect();
        assert!(told.iter().any(|what| what.starts_with("link to #5: Flags: ")), "{told:?}");
        assert!(merge.changes.steps.is_empty(), "{}", merge.changes);
    }
    assert!(base.merge(&jump, &jump).unwrap().conflicts.is_empty());
}

#[cfg(feature = "rcbot")]
#[test]
fn a_waypoint_that_theirs_made_under_a_free_number_keeps_it() {
    let path = "rcbot/v3.rcw";
    let mesh = Mesh::open(bundled().join(path)).unwrap();
    let base = version(path, std::fs::read(bundled().join(path)).unwrap());
    let theirs = after(&mesh, "add 900,900,10 --number 6").unwrap();
    let ours = version(path, after(&mesh, "flag crouch #1").unwrap());
    let merge = ours.apply(base.merge(&ours, &version(path, theirs.clone())).unwrap()).unwrap();
    assert!(
        merge.is_clean() && merge.merge.changes.to_string().contains("--number 6"),
        "{}",
        merge.merge.changes
    );
    let merge = base.apply(base.merge(&base, &version(path, theirs.clone())).unwrap()).unwrap();
    assert!(merge.encode().unwrap() == theirs);
}
