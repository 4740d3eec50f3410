//! What the table of families makes of the toy.

use navmap_core::bytes::{Backing, Scratch};
use navmap_core::edit::{AnySession, Editing, Editor, Matching, Opening, SessionOptions, Session};
use navmap_core::format::{GraphTask, NavFile};
use navmap_core::graph::{FlatGraph, NavGraph};
use navmap_core::{Counts, Finding};
use navmap_formats::{Ability, AnyNav, Family, Kind, SetKind, codes, not_edited};
use navmap_toy::{ToyNav, ToySet};
use std::path::Path;

fn bytes() -> Vec<u8> {
    let points = [[0.0_f32, 0.0, 0.0], [3.0, 4.0, 0.0], [3.0, 4.0, 12.0]];
    let mut bytes = b"TOY1\x03\0\0\0".to_vec();
    points.iter().flatten().for_each(|value| bytes.extend(value.to_le_bytes()));
    bytes
}

#[test]
fn a_toy_is_a_family_like_any_other() {
    let (kind, mut bytes) = (Kind::Toy, bytes());
    assert_eq!((kind.family(), kind.name(), kind.form()), (Family::Toy, "toy", "nav"));
    assert_eq!(Kind::named("toy"), Some(kind));
    assert!(Kind::names(Path::new("a/b.TOY")) && Kind::all_counts().contains(&"knots"));
    assert_eq!(Kind::sniff(&bytes, None), Some(kind));
    assert_eq!(kind.head(&bytes[..8], 44).unwrap().counts.get("knots"), Some(3));

    let known: Vec<_> = codes().filter(|(family, _)| *family == Some(Family::Toy)).map(|(_, c)| c.code).collect();
    assert_eq!(known, ["trailing-bytes", "same-place"]);

    bytes.push(0);
    let nav = AnyNav::parse(&bytes, None, &Default::default()).unwrap();
    let (mut counts, mut found) = (Counts::default(), Vec::new());
    nav.survey(&mut Scratch::new(), &mut counts, &mut |f| found.push(f)).unwrap();
    assert_eq!(counts.get("knots"), Some(3));
    assert_eq!(found, [Finding::trailing(1, 44)]);
    nav.check(&mut Scratch::new(), &mut |f| found.push(f)).unwrap();
    assert!(found.iter().all(|finding| known.contains(&finding.code)), "{found:?}");
    assert_eq!(nav.csr().whole().unwrap().targets(1), [2]);
    assert!(AnyNav::parse(&bytes[..40], None, &Default::default()).is_err());
    assert_eq!(nav.as_view::<ToyNav<'_>>().unwrap().knots().len(), 3);
    a_string_of_files_is_a_set();
}

/// What the row says of sets is enough to find, to open and to walk them.
fn a_string_of_files_is_a_set() {
    let set = SetKind::ALL.iter().find(|set| set.kind() == Kind::Toy).unwrap();
    assert!(set.is_tile(Path::new("a.1.string")) && !set.is_tile(Path::new("a.toy")));
    assert!(set.is_package(Path::new("a.BOX")) && set.checked(vec!["a.toy".into()]).is_empty());
    let file = |name: &str, bytes: Vec<u8>| Ok((name.into(), Backing::owned(bytes)));
    let files = vec![file("a.2.string", bytes()), file("a.1.string", bytes()), file("a.3.string", vec![0])];
    let mut opened = set.of_files(files);
    assert_eq!((opened.kind(), opened.set().len(), opened.set().is_map()), (Kind::Toy, 2, true));
    assert_eq!(opened.set_mut().failures_mut().len(), 1);
    let maps = opened.maps();
    assert_eq!((maps[0].map().title(), maps[0].map().tiles()), ("string".to_owned(), 2));
    struct Links;
    impl GraphTask for Links {
        type Out = usize;
        fn run(self, graph: &impl NavGraph) -> usize {
            FlatGraph::of(graph).whole().unwrap().links().len()
        }
    }
    assert_eq!(maps[0].with_graph(Links), 5, "joined over the border");
    assert!(opened.as_set::<ToySet<'static>>().is_some());
}

/// A session, whatever edits it.
struct Begin;

impl Editing for Begin {
    type Done = Box<dyn AnySession>;

    fn edit<E: Editor + Send>(self, editor: E) -> Box<dyn AnySession> {
        Box::new(Session::new(editor, SessionOptions::default()))
    }
}

/// Nodes with one position are one node.
struct ByPlace;

impl Matching for ByPlace {
    fn pairs(&self, before: &FlatGraph, after: &FlatGraph) -> Vec<(u32, u32)> {
        let place = |graph: &FlatGraph, at: u32| {
            graph.nodes().get(at as usize).and_then(|node| graph.shape(node).center()).map(|point| point.to_array())
        };
        let [old, new] = [before, after].map(|graph| graph.nodes().len() as u32);
        let there = |at: u32| (0..new).find(|other| place(after, *other) == place(before, at));
        (0..old).filter_map(|at| Some((at, there(at)?))).collect()
    }

    fn cuts(&self, _: &FlatGraph, _: &FlatGraph) -> [Vec<(u32, Vec<u32>)>; 2] {
        Default::default()
    }
}

#[test]
fn a_toy_is_edited_like_any_other_and_its_scripts_are_made() {
    let mut bytes = bytes();
    bytes.push(7);
    let nav = AnyNav::parse(&bytes, None, &Default::default()).unwrap();
    let opened = nav.edit(&bytes, &Opening::default(), Begin).unwrap();
    assert!(opened.said.is_empty() && !opened.joined);
    let mut session = opened.editor;
    assert!(session.verbs().iter().any(|verb| verb.name == "move"));
    let (done, refused) = session.run("move 0 0 1 #2; delete #0");
    assert!(done.len() == 2 && refused.is_none(), "{refused:?}");
    assert!(session.report().contains("knots"), "{}", session.report());
    let edited = session.encode().unwrap();
    assert_eq!(edited[4], 2);
    // A command that is refused has changed nothing, and everything can be taken back to the byte.
    assert!(session.run("move 1 1 1 #0").1.is_some() && session.encode().unwrap() == edited);
    assert!(session.undo(9) == 2 && session.encode().unwrap() == bytes);

    let mut session = nav.edit(&bytes, &Opening::default(), Begin).unwrap().editor;
    session.run("delete #1");
    let after = session.encode().unwrap();
    let after = AnyNav::parse(&after, None, &Default::default()).unwrap();
    let [was, is] = [&nav, &after].map(|nav| (nav.version().unwrap(), nav.flat_graph().value));
    let script = was.0.difference(&*is.0, [&was.1, &is.1], &ByPlace).unwrap().unwrap();
    assert_eq!(script.to_string(), "delete #1\n");

    // It says itself what it can, and the errors of others name it.
    assert!([Ability::Edit, Ability::Script].iter().all(|ability| Kind::Toy.can(*ability)));
    assert!([Ability::Merge, Ability::Map].iter().all(|ability| !Kind::Toy.can(*ability)));
    let error = not_edited(Family::Toy, Ability::Script).to_string();
    assert!(error.contains("toys have"), "{error}");
    let error = not_edited(Family::Toy, Ability::Merge).to_string();
    assert!(error.contains("toy meshes cannot be merged; no others can"), "{error}");
}
