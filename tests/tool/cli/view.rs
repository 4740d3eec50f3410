//! Meshes in a browser, without a browser: the file, and what the server answers to the page.

use crate::{navmap, text};
use navmap_testkit::corpus::project;
use navmap_testkit::served::Served;
use navmap_testkit::temp::Temp;
use serde_json::Value;
use std::fs;
use std::time::{Duration, Instant};

fn served(args: &[&str]) -> Served {
    let mut command = navmap_testkit::signals::heeding(env!("CARGO_BIN_EXE_navmap"));
    Served::start(command.arg("view").args(args).current_dir(project()))
}

fn json(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap()
}

/// The whole list, once it is complete.
fn listed(server: &Served) -> Vec<Value> {
    let begun = Instant::now();
    loop {
        let (status, _, body) = server.get("list/0");
        assert_eq!(status, 200);
        let answer = json(&body);
        if answer["done"] == true {
            return answer["rows"].as_array().unwrap().clone();
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "the list never ends");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn one_file_has_the_page_and_the_mesh_in_it() {
    let temp = Temp::new("view-html");
    let out = temp.join("town.html");
    let out = out.to_str().unwrap();
    let done = navmap(&["view", "corpus/source/town.nav", "--html", out]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let html = fs::read_to_string(out).unwrap();
    for part in ["id=\"scene\"", "id=\"scene-picture\"", "class App", "<style>"] {
        assert!(html.contains(part), "{part}");
    }
    for outside in ["src=\"start.js\"", "href=\"style.css\"", "\nimport ", "https://", "http://"] {
        assert!(!html.contains(outside), "{outside}");
    }
    // An output that exists stays.
    assert_eq!(navmap(&["view", "corpus/source/town.nav", "--html", out]).status.code(), Some(2));
    assert_eq!(navmap(&["view", "corpus/source/town.nav", "--html", out, "--force"]).status.code(), Some(0));
    let many = navmap(&["view", "corpus/quake", "--html", "-"]);
    assert_eq!(many.status.code(), Some(2), "{}", text(&many.stderr));
}

#[test]
fn the_page_gets_every_part_of_a_mesh() {
    let server = served(&["corpus/source/town.nav"]);
    let rows = listed(&server);
    assert_eq!((rows.len(), &rows[0]["title"]), (1, &Value::from("town")));
    let (status, head, body) = server.get("");
    assert!(status == 200 && text(&body).contains("start.js"), "{head}");
    for rule in [
        "Content-Security-Policy: default-src 'self'",
        "nosniff",
        "no-referrer",
        "no-store",
        "frame-ancestors 'none'",
    ] {
        assert!(head.contains(rule), "{rule} is not in {head}");
    }
    assert!(!head.contains("Access-Control") && !head.contains("Set-Cookie"), "{head}");
    let (status, _, body) = server.get("m/0/head");
    let head = json(&body);
    assert!(status == 200 && head["nodes"].as_u64() > Some(50), "{head}");
    for part in ["geometry", "colours", "links", "marks"] {
        let (status, _, body) = server.get(&format!("m/0/{part}"));
        assert_eq!(
            (status, body.len() as u64),
            (200, head["parts"][part]["bytes"].as_u64().unwrap()),
            "{part}"
        );
    }
    assert!(
        server.get("m/0/picture.svg").2.starts_with(b"<?xml")
            || server.get("m/0/picture.svg").2.starts_with(b"<svg")
    );
    for missing in [
        "m/1/head",
        "m/0/other",
        "m/00/head",
        "m/-1/head",
        "list/",
        "list/x",
        "app.rs",
        "../Cargo.toml",
        "m/0/../../etc",
    ] {
        assert_eq!(server.get(missing).0, 404, "{missing}");
    }
}

#[test]
fn folders_archives_tiles_and_plugins_are_rows() {
    let server = served(&["corpus/fox/set", "corpus/skyrim/se", "corpus/quake"]);
    let rows = listed(&server);
    assert!(rows.len() > 10, "{rows:?}");
    let mut shown = 0;
    for (number, row) in rows.iter().enumerate() {
        let (status, _, body) = server.get(&format!("m/{number}/head"));
        if row["error"].is_null() {
            assert_eq!(status, 200, "{} {}", row, text(&body));
            shown += 1;
        } else {
            assert_eq!(status, 422, "{}", row);
        }
    }
    assert!(shown > 10, "{rows:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it() {
    let mut server = served(&["corpus/source/town.nav"]);
    let sent =
        std::process::Command::new("kill").args(["-INT", &server.child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!(server.child.wait().unwrap().code(), Some(130));
}
