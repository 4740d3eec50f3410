//! Everything about nodes of every bundled mesh, and how they are selected.

use navmap::edit::{Asked, Opening, Request, SessionOptions};
use navmap::format::{AnyNav, Family, Kind, ParseOptions};
use navmap::graph::NavGraph;
use navmap::open::{Files, Mesh, OpenOptions, Show, Told, edit, edit_with, shown};
use navmap_testkit::corpus::bundled;
use std::collections::BTreeSet;
use std::path::Path;

fn town() -> Mesh {
    Mesh::open(bundled().join("source/town.nav")).unwrap()
}

/// Every bundled mesh that can be opened, whatever is wrong with it.
fn each(visit: &mut dyn FnMut(&Path, &Mesh)) {
    for file in Files::new([bundled()]).map(Result::unwrap) {
        if let Ok(mesh) = Mesh::open(&file.path) {
            visit(&file.path, &mesh);
        }
    }
}

#[test]
fn every_node_of_every_bundled_mesh_has_a_record_inside_its_file() {
    let mut kinds: BTreeSet<Kind> = BTreeSet::new();
    let mut bytes_of = BTreeSet::new();
    each(&mut |path, mesh| {
        let show = Show::of(mesh.nav()).value;
        let count = show.graph().nodes().len() as u32;
        // The first, the last, and some between them.
        let nodes: Vec<u32> =
            (0..count).filter(|node| node % (count / 16 + 1) == 0 || node + 1 == count).collect();
        let mut told = Vec::new();
        let read = show.each(&nodes, &mut |one| told.push(one));
        assert_eq!(told.len(), nodes.len(), "{}", path.display());
        for (node, one) in nodes.iter().zip(&told) {
            // Graphs of these leave out records that are no nodes.
            let is_number = matches!(mesh.family(), Family::Aas | Family::Rcbot);
            let index = if is_number { one.id.number as u32 } else { *node };
            assert_eq!(one.index, index, "{}", path.display());
            assert_eq!(show.named(&one.id.to_string()).len(), 1, "{} {}", path.display(), one.id);
            serde_json::to_string(one).unwrap();
            if let (Some(byte), Some(bytes)) = (one.byte, one.bytes) {
                let end = byte + bytes;
                assert!(bytes > 0 && end <= mesh.bytes().len() as u64, "{} {byte} {bytes}", path.display());
                bytes_of.insert(mesh.kind());
            }
            if read.is_ok() {
                let fields = one.record.as_ref().and_then(|record| record.as_object());
                assert!(fields.is_some_and(|fields| !fields.is_empty()), "{} {}", path.display(), one.id);
                kinds.insert(mesh.kind());
            }
        }
    });
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), Kind::ALL, "kinds whose records are shown");
    let without: Vec<Kind> = Kind::ALL.iter().copied().filter(|kind| !bytes_of.contains(kind)).collect();
    assert_eq!(without, [Kind::Graph, Kind::AinText], "packed, or lines without a fixed place");
}

/// Ascending nodes are told as their records come, all others once all records are there.
#[test]
fn the_same_is_told_of_a_node_in_whatever_order_it_is_asked_for() {
    let (mut told, mut ladders) = (0, 0);
    each(&mut |path, mesh| {
        let show = Show::of(mesh.nav()).value;
        let first_ladder = show.graph().nodes().len() as u32;
        let all: Vec<u32> = (0..first_ladder + 2).collect();
        let texts = |nodes: &[u32]| {
            let mut texts = Vec::new();
            let read = show.each(nodes, &mut |one| texts.push(serde_json::to_string(&one).unwrap()));
            (texts, read.map_err(|error| error.to_string()))
        };
        let (ascending, read) = texts(&all);
        let backwards: Vec<u32> = all.iter().rev().copied().collect();
        let (mut descending, same) = texts(&backwards);
        descending.reverse();
        assert_eq!((ascending.len(), read), (descending.len(), same), "{}", path.display());
        for (one, other) in ascending.iter().zip(&descending) {
            assert_eq!(one, other, "{}", path.display());
        }
        let (first, _) = texts(&all[..1]);
        assert_eq!(texts(&[0, 0]).0, [&*first, &*first].concat(), "{}: twice the same", path.display());
        told += ascending.len();
        ladders += ascending.len().saturating_sub(first_ladder as usize);
    });
    assert!(told > 5_000 && ladders > 3, "{told} {ladders}");
}

#[test]
fn a_node_that_is_read_alone_has_its_own_findings_and_the_others_none() {
    let mut found = 0;
    each(&mut |path, mesh| {
        let all = Show::of(mesh.nav()).value;
        let (count, text) =
            (all.graph().nodes().len() as u32, |told: &Told| serde_json::to_string(told).unwrap());
        for node in [0, count / 2, count.saturating_sub(1)].into_iter().filter(|node| *node < count) {
            let alone = Show::of_node(mesh.nav(), all.graph(), node).value;
            let of = |show: &Show<'_>, node: u32| {
                let mut told = Vec::new();
                let _ = show.each(&[node], &mut |one| told.push(one));
                told.pop().unwrap()
            };
            let one = of(&all, node);
            assert_eq!(text(&of(&alone, node)), text(&one), "{} {node}", path.display());
            found += one.findings.len();
            let other = of(&alone, (node + 1) % count);
            assert!(other.findings.is_empty() || count == 1, "{} {node}", path.display());
        }
    });
    assert!(found > 10, "{found}");
}

#[test]
fn what_is_told_of_an_area_is_what_the_dump_and_the_graph_say() {
    let mesh = town();
    let show = Show::of(mesh.nav()).whole().unwrap();
    // As text, as both are printed: as values, reals of 32 bits would have the digits of 64.
    let dump = serde_json::to_string(mesh.nav()).unwrap();
    let dump: serde_json::Value = serde_json::from_str(&dump).unwrap();
    let nodes = show.select("all").unwrap();
    let told = show.told(&nodes).unwrap();
    let areas = dump["areas"].as_array().unwrap();
    assert_eq!(told.len(), areas.len());
    let (mut links, mut arrivals, mut one_way, mut spots) = (0, 0, 0, 0);
    for (one, area) in told.iter().zip(areas) {
        assert_eq!(one.byte, area["offset"].as_u64());
        assert_eq!(one.id.number, area["id"].as_u64().unwrap());
        let record = one.record.as_ref().unwrap();
        for key in ["id", "offset", "hiding_spots", "encounter_paths", "visible_areas", "ladders_up"] {
            assert_eq!(record[key], area[key], "{key} of {}", one.id);
        }
        assert_eq!(one.toward, ["north-west", "north-east", "south-east", "south-west"]);
        for (side, at) in ["north", "east", "south", "west"].iter().zip(0_u8..) {
            let over = one.links.iter().filter(|link| link.side == Some(at) && link.kind != "ladder");
            let over: Vec<_> = over.collect();
            assert!(over.iter().all(|link| link.toward == Some(side)), "{} {side}", one.id);
            assert_eq!(over.len(), area["connections"][side].as_array().unwrap().len(), "{} {side}", one.id);
        }
        // Of areas that do not touch, the middles are compared.
        for link in one.links.iter().filter(|link| link.kind == "walk" && link.portal.is_some()) {
            assert!(link.rise.unwrap().abs() <= 18.0, "a walk is a step at most: {} {link:?}", one.id);
        }
        one_way += one.links.iter().filter(|link| !link.back).count();
        (links, arrivals) = (links + one.links.len(), arrivals + one.arrivals.len());
        spots += one.marks.iter().filter(|mark| mark.kind.ends_with("spot")).count();
    }
    assert_eq!((links, links > 1000), (arrivals, true));
    let stored: usize = areas.iter().map(|area| area["hiding_spots"].as_array().unwrap().len()).sum();
    assert_eq!((spots, one_way > 0), (stored, true));
}

#[test]
fn selectors_without_an_editor_are_joined_and_say_what_is_wrong() {
    let mesh = town();
    let show = Show::of(mesh.nav()).value;
    let ids = |selector: &str| -> Vec<u64> {
        let nodes = show.select(selector).unwrap_or_else(|refusal| panic!("{selector}: {refusal}"));
        nodes.iter().map(|node| show.graph().nodes()[*node as usize].id).collect()
    };
    // The town has no even number below 44.
    assert_eq!(ids("#3,#1, #5"), [3, 1, 5]);
    assert_eq!(ids("ids(5-9,3)-#7"), [5, 9, 3]);
    assert_eq!(ids("(#1+#5)&#5"), [5]);
    let all = ids("all").len();
    let place = show.graph().places().values().next().unwrap().clone();
    let inside = ids(&format!("place(\"{place}\")")).len();
    assert!(inside > 0 && inside < all);
    assert_eq!(ids(&format!("!place(\"{place}\")")).len(), all - inside);
    let center = show.told(&show.select("#11").unwrap()).unwrap()[0].center.unwrap();
    let [x, y, z] = center;
    assert_eq!(ids(&format!("@{x},{y},{z}")), [11]);
    assert_eq!(ids(&format!("@{x},{y},{z},#3")), [11, 3]);
    assert_eq!((ids("~@5000,60,0"), ids(&format!("@{x},{y}"))), (vec![320], vec![11]));
    assert!(ids(&format!("ball({x},{y},{z},1)")).is_empty(), "corners are farther away");
    assert!(
        ids(&format!(
            "box({},{},{},{},{},{})",
            x - 200.0,
            y - 200.0,
            z - 99.0,
            x + 200.0,
            y + 200.0,
            z + 99.0
        ))
        .contains(&11)
    );
    assert!(!ids("flag(CROUCH)").is_empty());
    for (selector, why) in [
        ("#999999", "there is no #999999"),
        ("plac(x)", "no such selector: plac; did you mean place?"),
        ("flag(CROUHC)", "did you mean CROUCH?"),
        ("box(1,2)", "box(x0,y0,z0,x1,y1,z1) was expected"),
        ("#1 #2", "where +, -, & or the end was expected"),
        ("@5000,60,0", "no area at 5000,60,0: #320 is nearest (~@ takes it)"),
    ] {
        let refusal = show.select(selector).unwrap_err().to_string();
        assert!(refusal.contains(why), "{selector}: {refusal}");
    }
}

#[test]
fn what_an_editor_selects_is_named_and_every_name_of_a_selector_is_explained() {
    let mut families = BTreeSet::new();
    each(&mut |path, mesh| {
        let Ok(mut session) = edit(mesh, SessionOptions::default()) else { return };
        let (outcomes, refusal) = session.run("help selectors");
        assert!(refusal.is_none(), "{}", path.display());
        let said: Vec<&str> =
            outcomes[0].said.iter().map(|line| line.split([':', '(']).next().unwrap()).collect();
        for name in session.complete("select !", &[]).1 {
            let name = name.split('(').next().unwrap();
            // Names of flags and the like stand among them where a family completes these.
            let refused =
                session.run(&format!("select {name}()")).1.map(|why| why.to_string()).unwrap_or_default();
            let known =
                !["no such selector", "names nothing", " where "].iter().any(|why| refused.contains(why));
            assert!(
                !known || said.iter().any(|own| own.split(' ').any(|own| own == name)),
                "{}: {name} is not explained: {said:?}",
                path.display()
            );
        }
        let show = Show::of(mesh.nav()).value;
        if let (Ok(items), Some(node)) = (session.items("all"), show.graph().nodes().first()) {
            // A plugin of Fallout 3 is written as it is.
            if items.is_empty() {
                assert!(path.ends_with("fo3/vault.esp"), "{}", path.display());
                return;
            }
            let first = show.graph().ids().name(node.id).to_string();
            assert!(
                items.iter().any(|item| show.named(item).contains(&0)),
                "{}: {first} is not among {items:?}",
                path.display()
            );
            families.insert(mesh.family());
        }
    });
    assert!(families.len() >= 6, "{families:?}");
}

#[test]
fn real_meshes_are_shown_to_the_last_node() {
    let Some(root) = navmap_testkit::corpus::real() else { return };
    let mut shown = 0;
    for folder in ["source", "quake", "fox", "detour", "aas", "yapb", "valve-nodes", "rcw", "xray-ai"] {
        let files = Files::new([root.join(folder)]).filter_map(Result::ok);
        for file in files.filter(|file| Kind::names(&file.path)).take(3) {
            let Ok(mesh) = Mesh::open(&file.path) else { continue };
            let show = Show::of(mesh.nav());
            let count = show.value.graph().nodes().len() as u32;
            let last: Vec<u32> = (count.saturating_sub(2)..count).collect();
            let mut told = 0;
            let read = show.value.each(&last, &mut |one| told += u64::from(one.record.is_some()));
            assert!(read.is_err() || told == last.len() as u64, "{}", file.path.display());
            shown += 1;
        }
    }
    assert!(shown > 5, "{shown}");
}

#[test]
fn a_node_of_a_part_is_found_in_the_whole() {
    each(&mut |path, mesh| {
        let show = Show::of(mesh.nav());
        if show.error.is_some() {
            return;
        }
        for item in mesh.items() {
            let Some(graph) = item.flat_graph().map(|graph| graph.value) else { continue };
            for (at, node) in (0u32..).zip(graph.nodes()).step_by(graph.nodes().len() / 8 + 1) {
                let own = show.value.same(&graph, at);
                let found = own.and_then(|own| show.value.graph().nodes().get(own as usize));
                assert_eq!(found.map(|found| found.id), Some(node.id), "{} {at}", path.display());
            }
            assert_eq!(show.value.same(&graph, graph.nodes().len() as u32), None, "{}", path.display());
        }
    });
}

#[test]
fn a_graph_alone_is_told_without_records() {
    let mesh = town();
    let (whole, alone) = (Show::of(mesh.nav()).value, Show::of_graph(mesh.nav().flat_graph().value));
    let [whole, alone] = [&whole, &alone].map(|show| show.told(&[5]).unwrap().remove(0));
    assert_eq!((alone.id, &alone.corners, alone.links.len()), (whole.id, &whole.corners, whole.links.len()));
    assert!(alone.byte.is_none() && alone.record.is_none() && alone.findings.is_empty());
    assert!(whole.byte.is_some() && whole.record.is_some());
}

/// What an editor is asked to show is answered in the state that the mesh has then, in every door alike.
#[test]
fn an_editor_shows_the_mesh_as_it_is_now() {
    let mesh = town();
    let mut edited =
        edit_with(&mesh, SessionOptions::default(), &Opening::default(), &OpenOptions::new()).unwrap();
    let (outcomes, refused) = edited.session.run("move 0 0 64 #1; show #1,#3");
    assert!(refused.is_none());
    let Some(Request::Show(asked)) = &outcomes[1].request else { panic!("{outcomes:?}") };
    assert_eq!(asked.items, ["#1", "#3"].iter().collect());
    let text = edited.shown(asked);
    assert_eq!(text.lines().filter(|line| line.starts_with("area #")).count(), 2, "{text}");
    let before = Show::of(mesh.nav()).value;
    let [x, y, z] = before.told(&before.named("#1")).unwrap()[0].center.unwrap();
    assert!(text.contains(&format!("{x} {y} {}", z + 64.0)), "{text}");
    // An item that is no node is told, not refused: the commands have run.
    let text = shown(edited.kind(), &Asked { items: ["#99999"].iter().collect(), ..asked.clone() });
    assert_eq!(text, "show: #99999 is no area; `navmap dump` has everything\n");
}

/// A file without ids numbers its nodes from 0, an editor does not: what it shows has the names that its commands take.
#[test]
fn an_item_is_shown_under_its_name_after_another_is_deleted() {
    let mesh = Mesh::open(bundled().join("yapb/v2.graph")).unwrap();
    let before = Show::of(mesh.nav()).value;
    let was = before.told(&before.named("#8")).unwrap().remove(0);
    let mut edited =
        edit_with(&mesh, SessionOptions::default(), &Opening::default(), &OpenOptions::new()).unwrap();
    let (outcomes, refused) = edited.session.run("delete #5; show #8; show #5");
    assert!(refused.unwrap().why().contains("#5"));
    let Some(Request::Show(asked)) = &outcomes[1].request else { panic!("{outcomes:?}") };
    let text = edited.shown(asked);
    let [x, y, z] = was.center.unwrap();
    assert!(text.starts_with("node #8 ") && text.contains(&format!("{x} {y} {z}\n")), "{text}");
    let ids = was.links.iter().filter_map(|link| link.id);
    assert!(was.links.len() == 2 && ids.clone().all(|id| text.contains(&format!(" {id} "))), "{text}");
}

#[test]
fn an_item_without_nodes_hides_no_other() {
    let mesh = Mesh::open(bundled().join("fox/standalone.nav2")).unwrap();
    let show = Show::of(mesh.nav()).value;
    let first = show.graph().ids().name(show.graph().nodes()[0].id).to_string();
    // A segment without a face.
    let empty = "#4.60000".to_owned();
    assert_eq!(show.items(&[empty.clone(), first]).unwrap(), [0]);
    assert_eq!(show.items([""; 0]).unwrap(), [0_u32; 0]);
    let refused = show.items(&[empty]).unwrap_err().to_string();
    assert!(refused.starts_with("#4.60000 is no face"), "{refused}");
}

/// Graphs leave out what is no waypoint, and no area of AAS: findings and what is shown have the numbers of the file.
#[test]
fn what_is_found_is_shown_under_its_own_number() {
    for (name, code, id) in [
        ("odd/rcbot/values.rcw", "shared-origin", 8),
        ("odd/rcbot/values.rcw", "isolated", 10),
        ("odd/aas/values.aas", "unreachable", 5),
        ("odd/xray/values.ai", "outside-box", 32),
        ("odd/detour/winding.navtile", "winding", 3),
    ] {
        let mesh = Mesh::open(bundled().join(name)).unwrap();
        let show = Show::of(mesh.nav()).value;
        let told = show.told(&show.named(&format!("#{id}"))).unwrap().remove(0);
        assert!(
            told.findings.iter().any(|finding| finding.code == code),
            "{name} {code}: {:?}",
            told.findings
        );
        assert_eq!((told.id.number, told.index), (id, id as u32), "{name}");
    }
}

/// As many links of an area to another, which has as many to a third, as are shown.
#[test]
fn whether_one_of_many_links_leads_back_is_told() {
    use navmap_testkit::source::{Area, Mesh as Made, write};
    const MANY: usize = 16_384;
    let area = |id: u32, to: &[u32]| Area {
        id,
        connections: [to.repeat(MANY), vec![], vec![], vec![]],
        ..Area::default()
    };
    let shown = |areas: Vec<Area>| {
        let bytes = write(&Made { version: 16, subversion: Some(0), areas, ..Made::default() });
        let nav = AnyNav::parse(&bytes, None, &ParseOptions::new()).unwrap();
        let told = Show::of(&nav).value.told(&[0, 1]).unwrap();
        let back =
            |told: &Told| told.links.iter().chain(&told.arrivals).map(|link| link.back).collect::<Vec<_>>();
        told.iter().map(back).collect::<Vec<_>>()
    };
    let told = shown(vec![area(1, &[2]), area(2, &[3]), area(3, &[])]);
    assert_eq!(told, [vec![false; MANY], vec![false; 2 * MANY]]);
    let mut back = area(2, &[]);
    back.connections[1] = vec![1];
    assert_eq!(shown(vec![area(1, &[2]), back]), [vec![true; MANY + 1], vec![true; MANY + 1]]);
}

/// A graph of the whole mesh is not made again, and one of a part of it numbers its nodes in its own way.
#[test]
fn a_node_of_a_part_of_a_mesh_is_shown_as_that_of_the_whole() {
    let mut parts = 0;
    each(&mut |path, mesh| {
        let all = Show::of(mesh.nav()).value;
        let items = mesh.items();
        for item in &items {
            let Some(part) = item.flat_graph().map(|flat| flat.value) else { continue };
            let count = part.nodes().len() as u32;
            for position in [0, count / 2, count.saturating_sub(1)].into_iter().filter(|at| *at < count) {
                let alone = Show::of_node(mesh.nav(), &part, position).value;
                let numbers = [&all, &alone].map(|show| show.same(&part, position).unwrap());
                assert_eq!(numbers[0], numbers[1], "{} {position}", path.display());
                let [whole, one] = [&all, &alone].map(|show| {
                    let mut told = None;
                    let _ = show.each(&[numbers[0]], &mut |one| told = Some(one));
                    serde_json::to_string(&told.unwrap()).unwrap()
                });
                assert_eq!(one, whole, "{} {position}", path.display());
            }
            parts += usize::from(items.len() > 1);
        }
    });
    assert!(parts > 5, "{parts}");
}
