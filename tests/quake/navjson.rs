//! The JSON form: real files, both ways.

use super::real::rows;
use navmap::bytes::Scratch;
use navmap::format::quake::navjson::{self, Head, LineEnd, NavJson};
use navmap::format::quake::{QuakeBuf, QuakeNav};
use navmap::{Counts, Form, NavFile, Severity};

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
        let summary = nav.summary();
        assert_eq!((summary.form, summary.counts), (Form::NavJson, counts));
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
        assert_eq!(losses, [(Severity::Info, "head-lost")], "{name}");
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
