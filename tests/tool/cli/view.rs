//! Meshes in a browser, without a browser: the file, and what the server answers to the page.

use crate::{navmap, text};
use navmap_testkit::corpus::project;
use navmap_testkit::served::Served;
use navmap_testkit::temp::Temp;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

pub(super) fn served(args: &[&str]) -> Served {
    let mut command = navmap_testkit::signals::heeding(env!("CARGO_BIN_EXE_navmap"));
    Served::start(command.arg("view").args(args).current_dir(project()))
}

pub(super) fn json(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap()
}

/// The whole list, once it is complete.
pub(super) fn listed(server: &Served) -> Vec<Value> {
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
    for part in ["index", "nodes", "geometry", "links", "marks"] {
        let (status, _, body) = server.get(&format!("m/0/{part}"));
        assert_eq!(
            (status, body.len() as u64),
            (200, head["parts"][part]["bytes"].as_u64().unwrap()),
            "{part}"
        );
        // Of a part that is larger than a page wants, nothing: it asks for chunks then.
        let whole = server.get(&format!("m/0/{part}/up-to/{}", body.len())).2;
        let less = body.len().checked_sub(1).map(|less| server.get(&format!("m/0/{part}/up-to/{less}")));
        assert!(
            whole == body && less.is_none_or(|(status, _, less)| status == 200 && less.is_empty()),
            "{part}"
        );
    }
    assert_eq!(server.get("m/0/centers").2.len() as u64, 12 * head["nodes"].as_u64().unwrap());
    // What follows a question mark is for the page.
    assert_eq!(server.get("?budget=3").2, server.get("").2);
    assert!(
        server.get("m/0/picture.svg").2.starts_with(b"<?xml")
            || server.get("m/0/picture.svg").2.starts_with(b"<svg")
    );
    for missing in [
        "m/1/head",
        "m/0/other",
        "m/0/c/1",
        "m/0/c/0?budget=3",
        "m/1/centers",
        "m/0/links/up-to/",
        "m/0/links/up-to/07",
        "m/0/other/up-to/7",
        "m/0/c/4294967296",
        "m/0/c/00",
        "m/00/head",
        "m/-1/head",
        "m/1/told/0",
        "m/0/told/",
        "m/0/told/00",
        "m/0/told/4294967296",
        "m/0/told/x",
        "m/0-0/told/0",
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
fn a_pick_is_told_what_show_prints() {
    let meshes = [
        "corpus/source/town.nav",
        "corpus/quake/nav3-v6.nav",
        "corpus/fox/set/plain_102_102_nav.nav2",
        "corpus/skyrim/se/village.esp",
        "corpus/detour/set.navmesh",
        "corpus/aas/v5-full.aas",
        "corpus/yapb/v2.graph",
        "corpus/nodegraph/v37.ain",
        "corpus/rcbot/v4.rcw",
        "corpus/xray/v10.ai",
    ];
    for mesh in meshes {
        let server = served(&[mesh]);
        listed(&server);
        let (_, whole, body) = server.get("m/0/head");
        let nodes = json(&body)["nodes"].as_u64().unwrap();
        for number in [0, nodes / 2, nodes - 1] {
            let (status, head, body) = server.get(&format!("m/0/told/{number}"));
            assert_eq!(status, 200, "{mesh} {number}: {}", text(&body));
            let revision = |head: &str| {
                head.lines().find(|line| line.starts_with("Navmap-Revision: ")).map(str::to_owned)
            };
            assert!(revision(&head).is_some() && revision(&head) == revision(&whole), "{head}");
            let told = json(&body);
            let id = told["id"].as_str().map_or_else(|| format!("#{}", told["id"]), str::to_owned);
            let shown = navmap(&["show", mesh, &id, "--format", "jsonl"]);
            let mut row = json(text(&shown.stdout).lines().next().unwrap().as_bytes());
            for own in ["path", "member"] {
                assert!(row.as_object_mut().unwrap().remove(own).is_some(), "{mesh} {id}: {own}");
            }
            assert_eq!(told, row, "{mesh} {id}");
            assert!(told["record"].is_object(), "{mesh} {id}");
        }
        assert_eq!(server.get(&format!("m/0/told/{nodes}")).0, 404, "{mesh}");
    }
    // A map of tiles is many files: what its graph says.
    let server = served(&["corpus/fox/set"]);
    listed(&server);
    let told = json(&server.get("m/0/told/0").2);
    assert!(told["byte"].is_null() && told["record"].is_null(), "{told}");
    assert!(!told["links"].as_array().unwrap().is_empty(), "{told}");
}

/// The head of a block of columns, and the column at the beginning, which has a byte for each node.
fn block(bytes: &[u8], nodes: usize) -> (Value, &[u8]) {
    let long = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
    (json(&bytes[4..4 + long]), &bytes[4 + long..][..nodes])
}

#[test]
fn colours_are_counted_from_the_picked_area() {
    use ::navmap::query::{BuildOptions, PathScratch, Policy, Query, World};
    let server = served(&["corpus/source/town.nav"]);
    listed(&server);
    let policy = Policy::default().with_build(BuildOptions::default().tactics(true));
    let world = World::open(project().join("corpus/source/town.nav"), &policy).unwrap();
    let index = world.index();
    for number in [0, 9, 40] {
        let told = json(&server.get(&format!("m/0/told/{number}")).2);
        let from = index.by_id(told["id"].as_u64().unwrap()).unwrap();

        let (status, _, body) = server.get(&format!("m/0/tint/cost/{number}"));
        let (head, classes) = block(&body, index.len());
        let mut costs = vec![0.0; index.len()];
        let reached =
            PathScratch::new(index).distance_map(index, from, &Query::default(), &mut costs).unwrap();
        let meaning = &head["meaning"];
        assert_eq!(
            (status, &meaning["name"], &meaning["ramp"][0]),
            (200, &"path cost".into(), &Value::from(0.0))
        );
        assert_eq!(meaning["title"], format!("cost of the way from #{}", told["id"]));
        let no_way = meaning["entries"][0]["nodes"].as_u64().unwrap_or(0);
        assert_eq!(no_way as usize, index.len() - reached, "{meaning}");
        assert_eq!(classes[number], 0, "from the area itself it costs nothing");

        let (status, _, body) = server.get(&format!("m/0/tint/sight/{number}"));
        let (head, classes) = block(&body, index.len());
        let tactics = index.tactics().unwrap();
        let seen = tactics.seen(from).filter(|(_, sight)| *sight != ::navmap::graph::Sight::Hidden).count();
        assert_eq!((status, &head["meaning"]["name"]), (200, &"visibility".into()));
        // Two classes are seen, the third is not.
        assert_eq!(classes.iter().filter(|class| **class < 2).count(), seen, "{}", head["meaning"]);
        assert!(classes[number] < 2, "an area sees itself");
    }
    for missing in
        ["tint/cost/99999", "tint/cost/", "tint/other/0", "tint/cost/-1", "tint/cost/0/1", "tint/0"]
    {
        assert_eq!(server.get(&format!("m/0/{missing}")).0, 404, "{missing}");
    }
    // Of a mesh that does not know it there is the reason.
    let server = served(&["corpus/quake/nav3-v6.nav"]);
    listed(&server);
    let (status, _, body) = server.get("m/0/tint/sight/0");
    assert_eq!(status, 200);
    assert!(json(&body)["why"].as_str().unwrap().contains("who sees whom"), "{}", text(&body));
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
        // Of one that cannot be read there is a frame.
        for theme in ["light", "dark"] {
            let (status, head, png) = server.get(&format!("m/{number}/thumbnail/{theme}"));
            assert!(status == 200 && head.contains("image/png"), "{row} {head}");
            assert!(png.starts_with(b"\x89PNG") && png.len() < 32 << 10, "{row} {}", png.len());
            let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
            assert_eq!([side(16), side(20)], [96, 96], "{row}");
        }
    }
    assert!(shown > 10, "{rows:?}");
    // A row of a whole file has what a scan counts.
    let counted =
        rows.iter().filter(|row| row["error"].is_null() && row["where"].as_str().unwrap().contains("quake"));
    for row in counted {
        let path = row["where"].as_str().unwrap();
        let scanned = navmap(&["scan", "--format", "jsonl", path]);
        let scanned = json(&scanned.stdout);
        for count in row["counts"].as_array().unwrap() {
            assert_eq!(count[1], scanned["counts"][count[0].as_str().unwrap()], "{row} {scanned}");
        }
        assert!(!row["counts"].as_array().unwrap().is_empty(), "{row}");
    }
    let (first, again) = (server.get("m/0/thumbnail/light").2, server.get("m/0/thumbnail/light").2);
    assert!(first == again && first != server.get("m/0/thumbnail/dark").2);
    for missing in ["m/9999/thumbnail/light", "m/0/thumbnail/blue", "m/0/thumbnail/", "m/0/thumbnail"] {
        assert_eq!(server.get(missing).0, 404, "{missing}");
    }
}

/// What is only worth knowing does not count against a mesh.
#[test]
fn a_row_counts_the_findings_that_a_scan_counts() {
    let folders = ["corpus/aas", "corpus/odd/aas", "corpus/source"];
    let scanned = text(&navmap(&[&["scan", "-q", "--format", "jsonl"][..], &folders[..]].concat()).stdout);
    let rows = scanned.lines().map(|line| json(line.as_bytes()));
    let wanted: BTreeMap<String, Value> =
        rows.map(|row| (row["path"].as_str().unwrap().to_owned(), row["findings"].clone())).collect();
    let (mut counted, mut clean) = (0, 0);
    for row in listed(&served(&folders)) {
        let wanted = &wanted[row["where"].as_str().unwrap()];
        assert_eq!(row["findings"], *wanted, "{row}");
        counted += usize::from(*wanted != 0);
        clean += usize::from(*wanted == 0);
    }
    assert!(counted > 1 && clean > 20, "{counted} {clean}");
}

#[cfg(unix)]
#[cfg(unix)]
#[test]
fn a_pipe_is_not_waited_for() {
    let temp = Temp::new("view-pipe");
    let pipe = |path: &std::path::Path| {
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    let mesh = temp.file("a.nav", &fs::read(project().join("corpus/source/town.nav")).unwrap());
    let server = served(&[mesh.to_str().unwrap()]);
    assert_eq!((listed(&server).len(), server.get("m/0/head").0), (1, 200));
    // What lies in the place of the mesh now never ends.
    fs::remove_file(&mesh).unwrap();
    pipe(&mesh);
    let (status, _, body) = server.get("m/0/head");
    assert!(status == 422 && text(&body).contains("is a pipe or a device"), "{status}: {}", text(&body));
    assert_eq!(server.get("m/0/thumbnail/light").0, 200);
    for typed in [mesh.to_str().unwrap(), "-"] {
        let refused = navmap(&["view", typed]);
        let said = text(&refused.stderr);
        assert!(refused.status.code() == Some(2) && said.contains("view --html makes one page"), "{said}");
    }
}

#[test]
fn an_interrupt_ends_it() {
    let mut server = served(&["corpus/source/town.nav"]);
    let sent =
        std::process::Command::new("kill").args(["-INT", &server.child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!(server.child.wait().unwrap().code(), Some(130));
}
