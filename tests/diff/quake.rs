//! Quake graphs: scripts in paths of navjson, random edits, merges.

use navmap::diff::{Diff, pairs};
use navmap::edit::{Changes, Editor, Session, SessionOptions};
use navmap::format::quake::edit::{QuakeEditor, difference, merge};
use navmap::format::quake::{QuakeBuf, QuakeNav};
use navmap::format::{AnyNav, ParseOptions};
use navmap::graph::FlatGraph;
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::{bundled, manifest, real};
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::path::Path;

/// A graph as it can be edited, and as it is compared.
pub(crate) struct Version {
    bytes: Vec<u8>,
    pub(crate) mesh: QuakeBuf,
    pub(crate) graph: FlatGraph,
}

impl Version {
    fn parse(bytes: &[u8]) -> Option<Self> {
        let nav = AnyNav::parse(bytes, Some(Path::new("a.navjson")), &ParseOptions::new()).ok()?;
        let mesh = match &nav {
            AnyNav::Quake(nav) => QuakeBuf::from(nav),
            AnyNav::NavJson(nav) => nav.to_graph(&mut |_| {}).ok()?,
            _ => return None,
        };
        Some(Self { bytes: bytes.to_vec(), mesh, graph: nav.flat_graph().whole().ok()? })
    }

    fn session(&self) -> Session<QuakeEditor> {
        let nav = AnyNav::parse(&self.bytes, Some(Path::new("a.navjson")), &ParseOptions::new()).unwrap();
        let editor = match &nav {
            AnyNav::NavJson(nav) => QuakeEditor::of_json(nav, &self.bytes),
            AnyNav::Quake(nav) => QuakeEditor::of_nav(nav, &self.bytes),
            _ => unreachable!(),
        };
        Session::new(editor.unwrap(), SessionOptions::default())
    }

    /// This version after a script, and what was refused.
    pub(crate) fn after(&self, script: &str) -> (Self, Vec<String>) {
        let mut session = self.session();
        let mut refused = Vec::new();
        session.script(script, |fared| {
            refused.extend(fared.err().map(|refusal| refusal.to_string()));
            ControlFlow::Continue(())
        });
        (Self::parse(&session.editor().encode().unwrap()).unwrap(), refused)
    }

    fn script(&self, after: &Self) -> Changes {
        difference(&self.mesh, &after.mesh, &pairs(&self.graph, &after.graph)).unwrap()
    }
}

/// What a graph says, in an order that does not depend on that of its nodes.
pub(crate) fn content(mesh: &QuakeBuf) -> Vec<String> {
    let origin = |node: usize| format!("{:?}", mesh.origins[node].to_array());
    let mut edicts_of: HashMap<usize, Vec<String>> = HashMap::new();
    for edict in &mesh.edicts {
        edicts_of.entry(edict.link.into()).or_default().push(format!("{:?} {:?}", edict.bounds, edict.key));
    }
    let mut nodes: Vec<String> = (0..mesh.nodes.len())
        .map(|at| {
            let node = &mesh.nodes[at];
            let range = usize::from(node.first_link())..node.end_link() as usize;
            let mut links: Vec<String> = range
                .map(|link| {
                    let record = &mesh.links[link];
                    let traversal = record.traversal().map(|index| mesh.traversals[usize::from(index)]);
                    let edicts = edicts_of.get(&link);
                    let to = origin(record.target().into());
                    format!("{to} {} {} {traversal:?} {edicts:?}", record.kind(), record.flags())
                })
                .collect();
            links.sort();
            format!("{} {} {} {links:?}", origin(at), node.flags(), node.radius())
        })
        .collect();
    nodes.sort();
    nodes.push(mesh.heuristic.to_string());
    nodes
}

/// Bundled and real graphs that can be edited and in which no two nodes lie in one place.
pub(crate) fn graphs() -> Vec<(String, Version)> {
    let mut rows = manifest(&bundled().join("quake"));
    if let Some(corpus) = real() {
        rows.extend(manifest(&corpus.join("quake")));
    }
    let mut graphs = Vec::new();
    for row in rows {
        let Some(version) = Version::parse(&row.read()) else { continue };
        let places: BTreeSet<[u32; 3]> =
            version.mesh.origins.iter().map(|o| o.to_array().map(f32::to_bits)).collect();
        if places.len() == version.mesh.nodes.len() && places.len() > 5 {
            graphs.push((row.name().to_owned(), version));
        }
    }
    assert!(graphs.len() > 4, "{}", graphs.len());
    graphs
}

/// Random commands about nodes. Some of them are refused.
fn random(rng: &mut Rng, nodes: std::ops::Range<u32>, commands: usize) -> String {
    let mut text = String::new();
    for number in 0..commands {
        let mut node = || nodes.start + rng.below((nodes.end - nodes.start).into()) as u32;
        let (a, b) = (node(), node());
        let amount = rng.below(64) as f32 * 0.25 + 0.25;
        text += &match rng.below(9) {
            0 => format!("delete #{a}\n"),
            1 => format!("flag UnderWater #{a}\n"),
            2 => format!("unflag Teleporter,UnderWater #{a}\n"),
            3 => format!("move {amount} 0 -1 #{a}\n"),
            4 => format!("connect #{a} #{b}\n"),
            5 => format!("disconnect #{a} #{b}\n"),
            6 => format!("set Nodes[{a}] Radius={}\n", 16 + rng.below(64)),
            7 => format!("add {},{},{amount} Radius=40\n", 90_000 + number, a),
            _ => format!("connect #{a} #{b} --both Type=LongJump \"Traversal=0,0,0 1,2,3 {amount},5,6\"\n"),
        };
    }
    text
}

#[test]
fn undoing_everything_gives_the_bytes_that_were_opened() {
    let mut rng = Rng(4);
    for (name, version) in graphs() {
        let mut session = version.session();
        assert!(session.editor().encode().unwrap() == version.bytes, "{name}");
        let script = random(&mut rng, 0..version.mesh.nodes.len() as u32, 60);
        session.script(&script, |_| ControlFlow::Continue(()));
        let edited = session.editor().encode().unwrap();
        assert!(edited != version.bytes, "{name}");
        let steps = session.undo(usize::MAX);
        assert!(session.editor().encode().unwrap() == version.bytes, "{name}");
        assert_eq!(session.redo(usize::MAX), steps);
        assert!(session.editor().encode().unwrap() == edited, "{name}");
        assert!(session.editor().report().to_string().contains("nodes: "), "{name}");
    }
}

#[test]
fn the_script_of_a_difference_makes_it_and_composes() {
    let mut rng = Rng(15);
    for (name, before) in graphs() {
        let nodes = 0..before.mesh.nodes.len() as u32;
        let (after, _) = before.after(&random(&mut rng, nodes, 40));
        let script = before.script(&after);
        let (made, refused) = before.after(&script.to_string());
        assert!(refused.is_empty(), "{name}: {refused:?}\n{script}");
        assert_eq!(content(&after.mesh), content(&made.mesh), "{name}\n{script}");
        assert_eq!(made.script(&after).to_string(), "", "{name}: {script}");
        // On from what was made: two scripts one after the other are as one of both.
        let nodes = 0..made.mesh.nodes.len() as u32;
        let (third, _) = made.after(&random(&mut rng, nodes, 20));
        let (end, refused) = made.after(&made.script(&third).to_string());
        assert!(refused.is_empty(), "{name}: {refused:?}");
        let (at_once, refused) = before.after(&before.script(&third).to_string());
        assert!(refused.is_empty(), "{name}: {refused:?}");
        assert_eq!(content(&end.mesh), content(&at_once.mesh), "{name}");
    }
}

#[test]
fn a_script_names_things_by_their_paths_in_navjson() {
    let bytes = std::fs::read(bundled().join("quake/nav3-v6.nav")).unwrap();
    let before = Version::parse(&bytes).unwrap();
    let told = |script: &str| before.script(&before.after(script).0).to_string();
    assert_eq!(told("set #3 radius=49"), "set Nodes[3] Radius=49\n");
    assert_eq!(told("set Settings Heuristic=0.5"), "set Settings Heuristic=0.5\n");
    let mut session = before.session();
    session.line("set Settings Heuristic=0.5").unwrap();
    assert_eq!(session.editor().report().to_string(), "settings: 1 changed (1 before, 1 now)");
    assert_eq!(told("move 1 0 0 #2; move -1 0 0 #2"), "");
    let nav = QuakeNav::parse(&bytes).unwrap();
    let (from, to) = (0_usize, nav.links_of(0).unwrap()[0].target());
    assert_eq!(told(&format!("delete Nodes[{from}].Links[{to}]")), format!("delete Nodes[0].Links[{to}]\n"));
    assert_eq!(
        told(&format!("set Nodes[{from}].Links[{to}] Type=Teleport")),
        format!("set Nodes[0].Links[{to}] Type={}\n", nav.links_of(0).unwrap()[0].flags() as u32 * 256 + 2)
    );
    let refused = |line: &str| before.session().line(line).unwrap_err().to_string();
    assert_eq!(refused("set Nodes[3] Radios=4"), "1:14: set: a node has no Radios; did you mean Radius?");
    // As help spells it, and as differences do.
    let travel = "Traversal=\"0,0,0 1,2,3 4,5,6\"";
    let (typed, refused_words) = before.after(&format!("add Nodes[0].Links[9] Type=1 {travel}"));
    assert!(refused_words.is_empty(), "{refused_words:?}");
    let spelt = before.script(&typed).to_string();
    assert!(spelt.contains("\"Traversal=0,0,0 1,2,3 4,5,6\""), "{spelt}");
    assert_eq!(refused("delete Nodes[900]"), "1:8: delete: there is no #900");
    assert_eq!(refused("delete Nodes[0].Links[0]"), "1:8: delete: #0 has no link to #0");
    assert_eq!(refused("add Nodes[3] Origin=0,0,0"), "1:5: add: there is a #3 already");
    assert!(refused("flag Teleport #1").ends_with("did you mean Teleporter?"));
    assert!(refused("set Nodes[99999999999] Radius=1").contains("there is no #99999999999"));
    assert!(refused("add Nodes[4000000000] Origin=0,0,0").contains("no number of a node"));
}

#[test]
fn a_navjson_file_stays_navjson() {
    let text = std::fs::read(bundled().join("quake/navjson-v2.navjson")).unwrap();
    let before = Version::parse(&text).unwrap();
    let (after, refused) = before.after("set Nodes[1] Radius=77; delete #0");
    assert!(refused.is_empty(), "{refused:?}");
    let text = String::from_utf8(after.bytes.clone()).unwrap();
    assert!(text.contains("\"Name\": \"The Test Chamber\"") && text.contains("\"Radius\": 77"));
    assert_eq!(before.script(&after).to_string(), "delete Nodes[0]\nset Nodes[1] Radius=77\n");
}

#[test]
fn changes_to_different_nodes_combine_and_to_one_conflict() {
    let mut rng = Rng(9);
    for (name, base) in graphs() {
        let count = base.mesh.nodes.len() as u32;
        let plain = |rng: &mut Rng, nodes: std::ops::Range<u32>| -> String {
            (0..10)
                .map(|_| {
                    let a = nodes.start + rng.below((nodes.end - nodes.start).into()) as u32;
                    match rng.below(3) {
                        0 => format!("flag Hazard,UnderWater #{a}\n"),
                        1 => format!("set Nodes[{a}] Radius={}\n", 10 + rng.below(90)),
                        _ => format!("move 0 0 {} #{a}\n", 1 + rng.below(4)),
                    }
                })
                .collect()
        };
        let (left, right) = (plain(&mut rng, 0..count / 2), plain(&mut rng, count / 2..count));
        let (ours, theirs) = (base.after(&left).0, base.after(&right).0);
        let both = ours.after(&right).0;
        let matched = [pairs(&base.graph, &ours.graph), pairs(&base.graph, &theirs.graph)];
        let merged = merge(&base.mesh, [&ours.mesh, &theirs.mesh], [&matched[0], &matched[1]]).unwrap();
        // A jump between both groups has one end moved by each.
        let both_ends = |conflict: &navmap::edit::Conflict| conflict.what.contains("Traversal");
        assert!(merged.conflicts.iter().all(both_ends), "{name}: {:?}", merged.conflicts);
        let (made, refused) = ours.after(&merged.changes.to_string());
        assert!(refused.is_empty(), "{name}: {refused:?}");
        if merged.conflicts.is_empty() {
            assert_eq!(content(&made.mesh), content(&both.mesh), "{name}");
        }
    }
    let bytes = std::fs::read(bundled().join("quake/nav3-v6.nav")).unwrap();
    let base = Version::parse(&bytes).unwrap();
    let told = |left: &str, right: &str| -> Vec<String> {
        let (ours, theirs) = (base.after(left).0, base.after(right).0);
        let matched = [pairs(&base.graph, &ours.graph), pairs(&base.graph, &theirs.graph)];
        let merged = merge(&base.mesh, [&ours.mesh, &theirs.mesh], [&matched[0], &matched[1]]).unwrap();
        merged.conflicts.iter().map(|c| format!("{}: {}", c.item, c.what)).collect()
    };
    assert_eq!(told("set #3 Radius=5", "set #3 Radius=6"), ["#3: Radius: 5 in ours, 6 in theirs"]);
    assert_eq!(told("delete #3", "set #3 Radius=6"), ["#3: ours deleted it, theirs changed it"]);
    assert_eq!(told("set #3 Radius=6", "delete #3"), ["#3: ours changed it, theirs deleted it"]);
    assert_eq!(told("delete #3", "delete #3"), [""; 0]);
}

#[test]
fn the_difference_tells_what_a_script_did() {
    for (name, before) in graphs() {
        let last = before.mesh.nodes.len() as u32 - 1;
        let (after, refused) = before.after(&format!("delete #{last}; set #0 Radius=301; move 0 0 7 #1"));
        assert!(refused.is_empty(), "{name}: {refused:?}");
        let diff = Diff::between(&before.graph, &after.graph);
        assert_eq!((&diff.removed[..], &diff.added[..]), (&[last][..], &[][..]), "{name}");
        let changed: Vec<u32> = diff.changed.iter().map(|change| change.before).collect();
        assert_eq!(changed, [0, 1], "{name}");
    }
}

/// A graph in other forms of the same: written again, as every version that it can be made, and moved as a whole. Every
/// bundled and every real graph.
#[test]
fn graphs_are_the_same_in_other_forms() {
    use navmap::format::quake::Version as Number;
    let versions = (12..=18).map(Number::nav2).chain((1..=6).map(Number::nav3));
    let versions: Vec<Number> = versions.collect();
    let (mut seen, mut converted) = (0, 0);
    for (name, before) in graphs() {
        seen += 1;
        let again = |mesh: &QuakeBuf| mesh.encode().ok().and_then(|bytes| Version::parse(&bytes));
        let Some(same) = again(&before.mesh) else { continue };
        assert!(Diff::between(&same.graph, &again(&same.mesh).unwrap().graph).is_identical(), "{name}");
        for version in &versions {
            let Ok(other) = same.mesh.convert(*version, &mut |_| {}) else { continue };
            let Some(other) = again(&other) else { continue };
            converted += 1;
            let diff = Diff::between(&same.graph, &other.graph);
            assert_eq!((diff.removed.len(), diff.added.len()), (0, 0), "{name} as {version:?}");
            let shaped = diff.changed.iter().find(|change| change.shape.is_some());
            assert!(shaped.is_none(), "{name} as {version:?}: {shaped:?}");
        }
        let mut moved = same.mesh.clone();
        for origin in &mut moved.origins {
            let [x, y, z] = origin.to_array();
            *origin = [x + 1024.0, y - 512.0, z + 64.0].into();
        }
        let diff = Diff::between(&same.graph, &again(&moved).unwrap().graph);
        assert_eq!((diff.removed.len(), diff.added.len()), (0, 0), "{name}, moved");
        let away = |change: &navmap::diff::NodeChange| {
            matches!(change.shape, Some(navmap::diff::Shaped::Moved([x, y, z]))
                if (x - 1024.0).abs() < 0.1 && (y + 512.0).abs() < 0.1 && (z - 64.0).abs() < 0.1)
        };
        let far = diff.changed.iter().filter(|change| away(change)).count();
        assert!(far * 10 >= moved.origins.len() * 9, "{name}: {far} of {}", moved.origins.len());
    }
    assert!(seen > 10 && converted > seen, "{converted} of {seen}");
}

/// A graph with so many more links from its first node to the last, each of another type.
fn parallel(more: usize) -> (Version, usize) {
    let bytes = std::fs::read(bundled().join("quake/nav3-v6.nav")).unwrap();
    let before = Version::parse(&bytes).unwrap();
    let last = before.mesh.nodes.len() - 1;
    let script: String =
        (0..more).map(|n| format!("add Nodes[0].Links[{last}] Type={}\n", 128 * n + 1)).collect();
    let (graph, refused) = before.after(&script);
    assert!(refused.is_empty(), "{refused:?}");
    (graph, last)
}

#[test]
fn links_between_two_nodes_are_told_apart_when_one_of_them_goes() {
    let (base, last) = parallel(3);
    let merged = |ours: &str, theirs: &str| {
        let [ours, theirs] =
            [ours, theirs].map(|script| script.replace("LINKS", &format!("Nodes[0].Links[{last}")));
        let sides = [&ours, &theirs].map(|script| base.after(script).0);
        let [to_ours, to_theirs] = [0, 1].map(|side| pairs(&base.graph, &sides[side].graph));
        let merged = merge(&base.mesh, [&sides[0].mesh, &sides[1].mesh], [&to_ours, &to_theirs]).unwrap();
        assert!(merged.conflicts.is_empty(), "{ours} | {theirs}: {:?}", merged.conflicts);
        let (made, refused) = sides[0].after(&merged.changes.to_string());
        assert!(refused.is_empty(), "{ours} | {theirs}: {refused:?}");
        made.mesh
    };
    let wanted =
        |script: &str| base.after(&script.replace("LINKS", &format!("Nodes[0].Links[{last}"))).0.mesh;
    assert!(merged("delete LINKS:0]", "delete LINKS:2]") == wanted("delete LINKS:2]; delete LINKS:0]"));
    assert!(merged("delete LINKS:2]", "delete LINKS:0]") == wanted("delete LINKS:2]; delete LINKS:0]"));
    assert!(merged("delete LINKS:1]", "delete LINKS:1]") == wanted("delete LINKS:1]"));
    let both = "set LINKS:2] Type=77; delete LINKS:0]";
    assert!(merged("delete LINKS:0]", "set LINKS:2] Type=77") == wanted(both));
    assert_eq!(
        base.script(&base.after(&both.replace("LINKS", &format!("Nodes[0].Links[{last}"))).0).steps.len(),
        2
    );
}

#[test]
fn links_that_no_number_names_are_said_to_be_left() {
    let (many, last) = parallel(300);
    assert!(many.script(&many).is_empty());
    let (less, _) = many.after(&format!("delete Nodes[0].Links[{last}:3]"));
    let script = many.script(&less);
    assert_eq!(
        (script.to_string(), script.unreached.len()),
        (format!("delete Nodes[0].Links[{last}:3]\n"), 0)
    );
    let (less, _) =
        many.after(&format!("delete Nodes[0].Links[{last}:280]; set Nodes[0].Links[{last}:255] Type=77"));
    let script = many.script(&less);
    assert_eq!(script.to_string(), format!("set Nodes[0].Links[{last}:255] Type=77\n"));
    assert_eq!(script.unreached, ["links after 256 others to the same node of 1 node"]);
}

#[test]
fn a_node_that_was_nowhere_stays_there_while_others_move() {
    let (plain, _) = parallel(0);
    let mut mesh = plain.mesh.clone();
    let [x, _, z] = mesh.origins[1].to_array();
    mesh.origins[1] = [x, f32::NAN, z].into();
    let before = Version::parse(&mesh.encode().unwrap()).unwrap();
    let (after, refused) = before.after("move 1 2 3");
    assert!(refused.is_empty(), "{refused:?}");
    let [a, b, c] = after.mesh.origins[1].to_array();
    assert!(a == x + 1.0 && b.is_nan() && c == z + 3.0);
    assert_eq!(before.after("move 3e38 0 0; move 3e38 0 0").1.len(), 1);
}

#[test]
fn links_to_nowhere_stay_until_they_are_cleaned() {
    use navmap_testkit::quake::{Link, sample};
    let mut map = sample((3, 6));
    let nodes = map.nodes.len() as u16;
    map.nodes[4].links.extend([nodes, 900].map(|target| Link::new(target, 0)));
    let before = Version::parse(&map.encode((3, 6))).unwrap();
    let astray = |version: &Version| -> Vec<u16> {
        let nodes = version.mesh.nodes.len();
        let targets = version.mesh.links.iter().map(|link| link.target());
        targets.filter(|target| usize::from(*target) >= nodes).collect()
    };
    assert_eq!(astray(&before), [nodes, 900]);
    let (same, _) = before.after("status");
    assert!(same.bytes == before.bytes);
    // A node under that number does not make a link of it.
    let (more, refused) = before.after(&format!("add Nodes[{nodes}] Origin=1,2,3"));
    assert_eq!((refused.len(), astray(&more)), (0, vec![u16::MAX, 900]), "{refused:?}");
    let (clean, refused) = before.after("clean_links");
    assert_eq!((refused.len(), astray(&clean).len()), (0, 0), "{refused:?}");
    assert_eq!(clean.mesh.links.len(), before.mesh.links.len() - 2);
    let graphs = pairs(&before.graph, &clean.graph);
    assert!(difference(&before.mesh, &clean.mesh, &graphs).is_err(), "no script names such a link");
}

/// What was dropped when a graph was opened is not in what is written, whether or not anything else is changed.
#[test]
fn a_graph_that_was_opened_in_part_is_not_written_as_it_was() {
    let mut map = navmap_testkit::quake::sample((3, 6));
    map.heuristic = 0.75;
    let mut bytes = map.encode((3, 6));
    let at = QuakeNav::parse(&bytes).unwrap().offsets();
    let traversal = at.links as usize
        + 6 * QuakeNav::parse(&bytes)
            .unwrap()
            .links()
            .iter()
            .position(|link| link.traversal().is_some())
            .unwrap()
        + 4;
    bytes[traversal..traversal + 2].copy_from_slice(&300_u16.to_le_bytes());
    let nav = QuakeNav::parse(&bytes).unwrap();
    assert!(QuakeEditor::of_nav(&nav, &bytes).is_err());
    let (editor, dropped) = QuakeEditor::of_nav_lenient(&nav, &bytes).unwrap();
    let written = editor.encode().unwrap();
    let traversals = |bytes: &[u8]| {
        let nav = QuakeNav::parse(bytes).unwrap();
        nav.links().iter().filter(|link| link.traversal().is_some()).count()
    };
    assert_eq!((dropped, traversals(&written)), (1, traversals(&bytes) - 1));
}
