//! The JSON form: real files, both ways.

use super::real::rows;
use navmap::bytes::Scratch;
use navmap::format::quake::navjson::{self, Head, LineEnd, NavJson};
use navmap::format::quake::{QuakeBuf, QuakeNav};
use navmap::{Counts, NavFile, Severity};
use navmap_testkit::quake::{Graph, Link, Node, json_sample, sample};
use navmap_testkit::work::Work;

fn no_loss(finding: navmap::Finding) {
    panic!("{finding}");
}

fn written(nav: &NavJson) -> String {
    let mut out = Vec::new();
    nav.write(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn every_row_has_its_true_counts_and_no_finding() {
    for row in rows().iter().filter(|row| row.text("magic") == "navjson") {
        let bytes = row.read();
        let nav = NavJson::parse(&bytes).unwrap_or_else(|e| panic!("{}: {e}", row.name()));
        assert_eq!(row.number("version"), Some(nav.version().into()), "{}", row.name());
        let mut counts = Counts::default();
        nav.survey(&mut Scratch::new(), &mut counts, &mut no_loss).unwrap();
        for (name, count) in counts.iter() {
            assert_eq!(Some(count), row.number(name), "{}: {name}", row.name());
        }
        assert_eq!(nav.summary().counts, counts);
        nav.check(&mut Scratch::new(), &mut |f| {
            assert!(f.severity < Severity::Warning, "{}: {f}", row.name());
        })
        .unwrap();
        let page = &bytes[..bytes.len().min(4096)];
        assert!(navjson::recognise(page), "{}", row.name());
        assert_eq!(navjson::head(page).unwrap().version, Some(nav.version()), "{}", row.name());
    }
}

/// The text from `Nodes` on: heads are partly indented by hand.
fn graph(text: &str) -> &str {
    &text[text.find("\"Nodes\"").unwrap()..]
}

#[test]
fn every_graph_is_written_back_byte_for_byte_and_most_files_wholly() {
    let mut whole = 0;
    for row in rows().iter().filter(|row| row.text("magic") == "navjson") {
        let bytes = row.read();
        let text = std::str::from_utf8(&bytes).unwrap();
        let nav = NavJson::parse(&bytes).unwrap();
        let again = written(&nav);
        for (line, (ours, theirs)) in graph(&again).split('\n').zip(graph(text).split('\n')).enumerate() {
            assert_eq!(ours, theirs, "{}: line {line} of Nodes", row.name());
        }
        assert!(graph(&again) == graph(text), "{}", row.name());
        let spaceless = |text: &str| text.split_whitespace().collect::<String>();
        assert!(spaceless(&again) == spaceless(text), "{}: only white space may differ", row.name());
        whole += usize::from(again == text);
    }
    assert!(rows().is_empty() || whole == 7, "{whole} files were never indented by hand");
}

#[test]
fn the_json_of_a_corpus_graph_becomes_its_binary_file_byte_for_byte() {
    let rows = rows();
    let mut pairs = 0;
    for row in rows.iter().filter(|row| row.text("magic") == "navjson") {
        let name = row.name().replacen("navjson/", "nav2-from-navjson/", 1).replace(".navjson", ".nav");
        let binary = rows.iter().find(|row| row.name() == name).unwrap().read();
        let bytes = row.read();
        let nav = NavJson::parse(&bytes).unwrap();
        let mut losses = Vec::new();
        let graph = nav.to_graph(&mut |loss| losses.push((loss.severity, loss.code))).unwrap();
        assert_eq!(losses, [(Severity::Warning, "head-lost")], "{name}");
        assert!(graph.encode().unwrap() == binary, "{name}");
        // And back, under the same head.
        let back = NavJson::from_graph(&graph, nav.head().clone(), &mut no_loss).unwrap();
        assert!(written(&back.with_line_end(nav.line_end())) == written(&nav), "{name}");
        pairs += 1;
    }
    assert!(rows.is_empty() || pairs == 18);
}

#[test]
fn binary_to_json_and_back_loses_no_byte() {
    let mut seen = 0;
    for row in super::real::navs() {
        let bytes = row.read();
        let nav = QuakeNav::parse(&bytes).unwrap();
        let made = NavJson::from_graph(&QuakeBuf::from(&nav), Head::of_map("map"), &mut no_loss);
        let Ok(json) = made else {
            assert!(
                row.text("magic") == "NAV3"
                    || ![Some(14), Some(15), Some(17)].contains(&row.number("version"))
            );
            continue;
        };
        for line_end in [LineEnd::Lf, LineEnd::CrLf] {
            let text = written(&json.clone().with_line_end(line_end));
            let read = NavJson::parse(text.as_bytes()).unwrap();
            assert_eq!(read.line_end(), line_end);
            assert!(read.to_graph(&mut |_| ()).unwrap().encode().unwrap() == bytes, "{}", row.name());
        }
        seen += 1;
    }
    assert!(rows().is_empty() || seen == 72);
}

/// The sample of a version, with one thing replaced.
fn changed(version: u32, from: &str, to: &str) -> String {
    let good = json_sample(version).navjson(version, "\n");
    assert!(good.contains(from), "{from}");
    good.replacen(from, to, 1)
}

fn refusal(text: &str) -> String {
    NavJson::parse(text.as_bytes()).map(drop).expect_err("bad JSON").to_string()
}

#[test]
fn what_is_wrong_is_told_by_line_and_column() {
    let at_node = "line 20, column 7";
    for (version, from, to, message) in [
        (
            2,
            "\"Version\": 2",
            "\"Version\": 4",
            "line 2, column 14: navjson version 4 is unknown, 1, 2 and 3 are known",
        ),
        (2, "  \"Version\": 2,\n", "", "line 1, column 1: a file without Version"),
        (2, "\"Nodes\"", "\"nodes\"", "line 1, column 1: a file without Nodes"),
        (
            3,
            "  \"Settings\": {\n    \"Heuristic\": 0.8\n  },\n",
            "",
            "line 1, column 1: a file of version 3 without Settings and Heuristic",
        ),
        (2, "\"Flags\": 0", "\"Flags\": \"0\"", "node 0: line 22, column 16: expected flags, found a string"),
        (
            2,
            "\"Flags\": 0",
            "\"Flags\": 65536",
            "node 0: line 22, column 16: expected flags, found 65536, which does not fit 16 bits",
        ),
        (
            2,
            "\"Flags\": 0",
            "\"Flags\": -1",
            "node 0: line 22, column 16: expected flags, found -1, which does not fit 16 bits",
        ),
        (
            2,
            "\"Flags\": 0",
            "\"Flags\": 1.5",
            "node 0: line 22, column 16: expected flags, found 1.5, which is not whole",
        ),
        (2, "      \"Flags\": 0,\n", "", "node 0: line 16, column 5: a node without Flags"),
        (
            2,
            "\"Flags\": 0,",
            "\"Flags\": 0, \"Flags\": 0,",
            "node 0: line 22, column 19: Flags stands here for the second time",
        ),
        (
            2,
            "24.03125",
            "NaN",
            "node 0: line 20, column 9: expected a number, found a number that JSON does not have",
        ),
        (2, "24.03125", "1e39", "node 0: line 20, column 9: a number beyond the range of 32-bit floats"),
        (2, "24.03125", "null", "node 0: line 20, column 9: expected a number, found null"),
        (
            2,
            "        0,\n        24.03125",
            "        24.03125",
            "node 0: line 17, column 17: expected three numbers, found 2",
        ),
        (
            2,
            "24.03125\n      ]",
            "24.03125,\n 4\n ]",
            "node 0: line 17, column 17: expected three numbers, found 4",
        ),
        (2, "\"EntityId\": -33", "\"Targetname\": 0", "an Edict without both Targetname and Classname"),
        (2, ",\n            \"EntityId\": -33", "", "an Edict of version 2 without EntityId"),
        (
            1,
            "\"Targetname\": -12,\n            \"Classname\": -47",
            "\"EntityId\": -33",
            "an Edict of version 1 without Targetname and Classname",
        ),
    ] {
        let text = changed(version, from, to);
        let error = refusal(&text);
        assert!(error.ends_with(message), "{error}\nwanted: {message}");
        assert!(error.contains("line ") || error.contains(at_node));
    }
    let trailing = json_sample(2).navjson(2, "\n") + "\n]";
    assert!(refusal(&trailing).contains("expected the end of the file, found punctuation"));
}

#[test]
fn a_link_to_nowhere_is_an_error_of_check_and_refused_by_convert_at_its_line() {
    let text = changed(2, "128,\n            0,", "129,\n            0,");
    let nav = NavJson::parse(text.as_bytes()).unwrap();
    assert_eq!(nav.links()[0].target(), None);
    let mut survey = Vec::new();
    nav.survey(&mut Scratch::new(), &mut Counts::default(), &mut |f| survey.push(f)).unwrap();
    let said = "line 24, column 9: no node has the coordinates [129.0, 0.0, 24.03125]";
    assert_eq!((survey[0].code, survey[0].severity), ("unresolved-target", Severity::Error));
    assert_eq!(survey[0].message, said);
    assert_eq!(survey[0].at.record, Some(("link", 0)));
    assert_eq!(nav.to_graph(&mut |_| ()).unwrap_err().to_string(), said);
}

#[test]
fn nodes_of_equal_coordinates_are_told_and_the_last_is_bound() {
    let mut graph = json_sample(2);
    graph.nodes[11].origin = graph.nodes[0].origin;
    let text = graph.navjson(2, "\n");
    let nav = NavJson::parse(text.as_bytes()).unwrap();
    let to_first: Vec<_> =
        nav.links().iter().filter(|l| l.target_origin() == graph.nodes[0].origin).collect();
    assert!(!to_first.is_empty() && to_first.iter().all(|link| link.target() == Some(11)));
    let mut found = Vec::new();
    nav.check(&mut Scratch::new(), &mut |f| found.push(f)).unwrap();
    let twin = found.iter().find(|f| f.code == "shared-origin").unwrap();
    assert!(
        twin.message.contains("line ") && twin.message.contains("has the coordinates of node #0"),
        "{twin}"
    );
    assert_eq!(twin.at.record, Some(("node", 11)));
    let mut losses = Vec::new();
    nav.to_graph(&mut |loss| losses.push(loss.code)).unwrap();
    assert_eq!(losses, ["head-lost", "target-rebound"]);
}

#[test]
fn zero_and_minus_zero_are_one_place() {
    let text = changed(2, "128,\n            0,", "128,\n            -0,");
    let nav = NavJson::parse(text.as_bytes()).unwrap();
    assert_eq!(nav.links()[0].target(), Some(1));
    assert_eq!(written(&nav), text, "but the sign is kept");
}

#[test]
fn coordinates_are_rounded_to_the_nearest_float_once() {
    // Half way between two floats but for the last digit: rounding to 64 bits first would make it a tie.
    let text = changed(2, "24.03125", "16777217.000000001");
    let nav = NavJson::parse(text.as_bytes()).unwrap();
    assert_eq!(nav.nodes()[0].origin()[2], 16_777_218.0);
}

#[test]
fn order_space_nulls_marks_and_strange_members_do_not_matter() {
    let text = "\u{feff} {\"Nodes\":[{\"Radius\":1,\"Links\":[],\"Flags\":0,\"Origin\":[1,2,3],\"Extra\":{\"a\":[null]}}],\
        \"Comments\":null,\"Map\":null,\"Version\":2}\r\n";
    let nav = NavJson::parse(text.as_bytes()).unwrap();
    assert_eq!((nav.version(), nav.nodes().len()), (2, 1));
    assert!(navjson::recognise(text.as_bytes()));
    let mut codes = Vec::new();
    nav.check(&mut Scratch::new(), &mut |f| codes.push(f.code)).unwrap();
    assert_eq!(codes, ["byte-order-mark", "missing-member", "missing-member", "unknown-member", "no-links"]);
    let mut losses = Vec::new();
    nav.to_graph(&mut |loss| losses.push(loss.to_string())).unwrap();
    assert_eq!(losses, ["warning: what navjson does not have is lost (members: 1) [members-lost]"]);
}

#[test]
fn other_json_is_not_taken_for_navjson() {
    for other in [
        "{}",
        "[]",
        "{\"Version\": 2}",
        "{\"version\": 2, \"nodes\": []}",
        "{\"name\": \"x\", \"Map\": {\"Version\": 2, \"Nodes\": []}}",
        "{\"Nodes\": []}",
        "\"Version\" \"Map\"",
        "",
        "\u{feff}",
    ] {
        assert!(!navjson::recognise(other.as_bytes()), "{other}");
    }
    let text = json_sample(1).navjson(1, "\n");
    assert!(
        (1..text.len())
            .all(|end| navjson::recognise(&text.as_bytes()[..end]) == text[..end].contains("\"Map\":"))
    );
}

#[test]
fn what_json_cannot_say_is_named_before_it_is_lost() {
    let losses = |change: &dyn Fn(&mut QuakeBuf)| {
        let bytes = sample((2, 15)).encode((2, 15));
        let mut graph = QuakeBuf::from(&QuakeNav::parse(&bytes).unwrap());
        change(&mut graph);
        let mut losses = Vec::new();
        let made = NavJson::from_graph(&graph, Head::of_map("x"), &mut |loss| losses.push(loss.code));
        made.map(|_| losses).map_err(|error| error.to_string())
    };
    let with = |graph: &mut QuakeBuf, index: usize, traversal| {
        let link = graph.links[index];
        graph.links[index] =
            navmap::format::quake::Link::new(link.target(), link.kind(), link.flags(), traversal);
    };
    assert_eq!(losses(&|_| ()), Ok(vec![]));
    assert_eq!(losses(&|g| with(g, 5, None)), Ok(vec!["traversals-lost"]));
    assert_eq!(losses(&|g| with(g, 6, Some(0))), Ok(vec!["traversals-split", "traversals-lost"]));
    assert_eq!(
        losses(&|g| {
            with(g, 5, Some(1));
            with(g, 6, Some(0))
        }),
        Ok(vec!["traversals-moved"])
    );
    assert_eq!(losses(&|g| with(g, 5, Some(900))), Ok(vec!["traversals-lost", "traversal-missing"]));
    assert_eq!(losses(&|g| g.edicts[1].link = g.edicts[0].link), Ok(vec!["edicts-lost"]));
    assert_eq!(losses(&|g| g.edicts.reverse()), Ok(vec!["edicts-moved"]));
    assert_eq!(losses(&|g| g.links.push(g.links[0])), Ok(vec!["links-lost"]));
    assert_eq!(losses(&|g| g.origins[11] = g.origins[0]), Ok(vec!["target-rebound"]));
    assert_eq!(
        losses(&|g| g.nodes[1] = g.nodes[0]),
        Err("node 1: links: link 0 belongs to another node as well".into())
    );
    assert_eq!(losses(&|g| g.nodes.truncate(1)).unwrap_or_default()[0], "links-lost");
    let nan = losses(&|g| g.origins[3] = [0.0, f32::NAN, 0.0].into());
    assert_eq!(nan, Err("node 3: origin: holds NaN or infinity, which JSON cannot spell".into()));
    let astray = losses(&|g| g.links[2] = navmap::format::quake::Link::new(99, 0, 0, None));
    assert_eq!(astray, Err("link 2: target: 99 is outside 0..12".into()));
    let version = losses(&|g| g.version = navmap::format::quake::Version::nav2(18));
    assert_eq!(version, Err("navjson: NAV2 version 18 has no JSON form, NAV2 14, 15 and 17 have".into()));
}

#[test]
fn more_than_16_bits_can_hold_is_refused_at_its_line() {
    let link = |target| Link::new(target, 0);
    let lone = |n: usize| Node { origin: [n as f32, 0.0, 0.0], flags: 0, radius: 1, links: vec![] };
    let mut many: Vec<_> = (0..3).map(lone).collect();
    many[0].links = vec![link(1); 40_000];
    many[1].links = vec![link(0); 25_536];
    let refused = |graph: &Graph| {
        let text = graph.navjson(2, "\n");
        let nav = NavJson::parse(text.as_bytes()).unwrap();
        nav.check(&mut Scratch::new(), &mut |_| ()).unwrap();
        nav.to_graph(&mut |_| ()).unwrap_err().to_string()
    };
    let error = refused(&Graph { heuristic: 0.8, nodes: many.clone() });
    assert!(
        error.starts_with("line ")
            && error.ends_with("links: 65536 before this node, which may begin at 65535"),
        "{error}"
    );
    many.truncate(1);
    many[0].links = vec![link(0); 65_536];
    let error = refused(&Graph { heuristic: 0.8, nodes: many });
    assert!(error.ends_with("links: more than 65535 of one node"), "{error}");
    let error = refused(&Graph { heuristic: 0.8, nodes: (0..65_537).map(lone).collect() });
    assert!(error.ends_with("nodes: 65537 of them, the 16-bit fields of the format reach 65536"), "{error}");
}

#[test]
fn reading_allocates_for_the_lists_and_not_for_each_record() {
    let text = navmap_testkit::quake::grid(4_000, 4).navjson(2, "\n");
    let (nav, cost) = navmap_testkit::alloc::cost_of(|| NavJson::parse(text.as_bytes()).unwrap());
    assert_eq!(nav.links().len(), 16_000);
    assert!(cost.calls < 100, "{cost:?}");
    assert!(cost.peak_bytes < text.len() as u64, "{cost:?} for {} bytes of text", text.len());
    let mut scratch = Scratch::new();
    let ((), cost) = navmap_testkit::alloc::cost_of(|| {
        nav.survey(&mut scratch, &mut Counts::default(), &mut no_loss).unwrap();
    });
    assert_eq!(cost.calls, 0);
}

#[test]
fn a_file_of_one_line_is_checked_as_fast_as_one_of_many() {
    let node = r#"{"Origin":[0,0,0],"Flags":0,"Links":[],"Radius":0}"#;
    let cost = |between: &str| {
        let nodes = vec![node; 20_000].join(between);
        let text = format!(r#"{{"Version":3,"Settings":{{"Heuristic":1}},"Nodes":[{nodes}]}}"#);
        let nav = NavJson::parse(text.as_bytes()).unwrap();
        let (work, mut found) = (Work::start(), 0);
        nav.check(&mut Scratch::new(), &mut |_| found += 1).unwrap();
        assert!(found > 20_000, "{found}");
        work.time()
    };
    let (many, one) = (cost(",\n"), cost(","));
    assert!(one < many * 8, "{one:?} in one line, {many:?} in many");
}
