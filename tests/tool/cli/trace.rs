//! `navmap trace`, as it is typed.

use crate::{navmap, text};
use navmap_testkit::bsp::{Brush, gold, source, source_boxes};
use navmap_testkit::temp::Temp;
use serde_json::Value;

const WORLD: &str = "{ \"classname\" \"worldspawn\" }\n";

/// What a trace prints, and its exit status.
fn trace(arguments: &[&str]) -> (String, String, i32) {
    let done = navmap(&[&["trace"], arguments].concat());
    (text(&done.stdout), text(&done.stderr), done.status.code().unwrap())
}

#[test]
fn a_trace_says_how_far_it_gets_and_what_stops_it() {
    let temp = Temp::new("trace");
    temp.file("a.bsp", &source_boxes(&[([-512.0, -512.0, -16.0], [512.0, 512.0, 0.0])]));
    let path = temp.join("a.bsp");
    let map = path.to_str().unwrap();
    let (said, _, status) = trace(&[map, "-100,100,64", "-100,100,-64"]);
    let hit = "hits SOLID at -100 100 0.03125, after 0.4998 of the way\nnormal 0 0 1\ncontents at the goal: EMPTY\n";
    assert_eq!((said.as_str(), status), (hit, 1));
    let (said, _, status) = trace(&[map, "100,100,64", "200,100,64"]);
    assert_eq!((said.as_str(), status), ("free, to 200 100 64\ncontents at the goal: EMPTY\n", 0));
    let (said, _, status) = trace(&[map, "100,100,-8", "110,100,-8"]);
    assert_eq!(
        (said.as_str(), status),
        ("in something solid, from end to end\ncontents at the goal: SOLID\n", 1)
    );
    let (said, _, status) = trace(&[map, "100,100,-8", "100,100,64"]);
    assert!(said.starts_with("begins in something solid; ends at 100 100 64\n") && status == 1, "{said}");
    let (said, _, status) = trace(&[map, "100,100,64", "100,100,-64", "--mask", "water"]);
    assert!(said.starts_with("free") && status == 0, "{said}");
    for (hull, height) in [("human", 0.03125), ("crouching", 0.03125), ("-4,-4,-10..4,4,10", 10.03125)] {
        let (said, _, status) =
            trace(&[map, "9,9,64", "9,9,-64", "--hull", hull, "--mask", "player", "--format", "jsonl"]);
        let row: Value = serde_json::from_str(&said).unwrap();
        assert_eq!((row["end"][2].as_f64(), status), (Some(height), 1), "{hull}: {said}");
        assert_eq!((&row["engine"], &row["entity"]), (&"source".into(), &Value::Null), "{said}");
    }
}

#[test]
fn a_trace_names_the_entity_that_it_meets() {
    let models = [
        vec![Brush::solid([-512.0, -512.0, -32.0], [512.0, 512.0, 0.0])],
        vec![Brush::solid([0.0; 3], [20.0; 3])],
    ];
    let entities =
        format!("{WORLD}{{ \"classname\" \"func_wall\" \"model\" \"*1\" \"origin\" \"100 0 0\" }}\n");
    let temp = Temp::new("trace-entity");
    for (name, bytes) in
        [("source.bsp", source(20, &models, &entities)), ("goldsrc.bsp", gold(&models, &entities))]
    {
        temp.file(name, &bytes);
        let path = temp.join(name);
        let map = path.to_str().unwrap();
        let (said, _, status) = trace(&[map, "0,10,10", "300,10,10"]);
        assert!(said.contains("\nentity 1 (func_wall)\n") && status == 1, "{name}: {said}");
        let (said, _, _) = trace(&[map, "0,10,10", "300,10,10", "--format", "jsonl"]);
        let row: Value = serde_json::from_str(&said).unwrap();
        assert_eq!(
            (&row["class"], &row["entity"], &row["free"]),
            (&"func_wall".into(), &1.into(), &false.into())
        );
        assert!((row["end"][0].as_f64().unwrap() - 100.0).abs() < 0.1, "{said}");
    }
}

#[test]
fn what_cannot_be_traced_is_refused_in_a_line() {
    let temp = Temp::new("trace-refused");
    temp.file("a.bsp", &gold(&[vec![Brush::solid([0.0; 3], [64.0; 3])]], WORLD));
    temp.file("cut.bsp", &source_boxes(&[([0.0; 3], [64.0; 3])])[..1100]);
    let [map, cut] = ["a.bsp", "cut.bsp"].map(|name| temp.join(name).to_str().unwrap().to_owned());
    let (_, said, status) = trace(&[&map, "0,0,90", "9,9,90", "--hull", "human"]);
    assert!(said.contains("GoldSrc") && said.contains("a.bsp") && status == 2, "{status}: {said}");
    let (_, said, status) = trace(&[&cut, "0,0,90", "9,9,90"]);
    assert!(said.contains("lump") && said.contains("cut.bsp") && status == 1, "{status}: {said}");
    for wrong in ["1,2", "1,2,nan", "1,2,3,4", "here"] {
        let (_, said, status) = trace(&[&map, "0,0,0", wrong]);
        assert!(said.contains("is no point") && status == 2, "{wrong}: {said}");
    }
    for wrong in ["giant", "1,1,1..0,0,0", "1..2"] {
        assert_eq!(trace(&[&map, "0,0,0", "1,1,1", "--hull", wrong]).2, 2, "{wrong}");
    }
}
