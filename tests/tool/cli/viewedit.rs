//! Meshes that are changed in a browser, without a browser: what the server of `navmap view --edit` answers to the page.

use crate::{navmap, text};
use navmap_testkit::corpus::project;
use navmap_testkit::served::Served;
use navmap_testkit::temp::Temp;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A server that changes meshes, with a place of its own for journals.
fn served(temp: &Temp, args: &[&str]) -> Served {
    let mut command = navmap_testkit::signals::heeding(env!("CARGO_BIN_EXE_navmap"));
    command.env("XDG_STATE_HOME", temp.join("state"));
    Served::start(command.args(["view", "--edit"]).args(args).current_dir(project()))
}

fn copied(temp: &Temp, from: &str) -> PathBuf {
    let to = temp.join(Path::new(from).file_name().unwrap());
    fs::copy(project().join(from), &to).unwrap();
    to
}

fn ask(server: &Served, what: &str, body: &Value) -> (u16, Value) {
    let (status, _, answer) = server.post(&format!("m/0/{what}"), &body.to_string());
    (status, serde_json::from_slice(&answer).unwrap_or_else(|_| Value::from(text(&answer))))
}

fn about(server: &Served) -> Value {
    let (status, _, body) = server.get("m/0/edit");
    assert_eq!(status, 200, "{}", text(&body));
    serde_json::from_slice(&body).unwrap()
}

/// Runs scripts one after the other, each for the state after the one before.
fn run(server: &Served, scripts: &[&str]) -> Value {
    let mut state = about(server);
    for script in scripts {
        let (status, answer) = ask(server, "run", &json!({"base": state["revision"], "script": script}));
        assert_eq!(status, 200, "{script}: {answer}");
        state = answer;
    }
    state
}

/// The journal that is kept for the case that the server is killed.
fn journal(temp: &Temp) -> PathBuf {
    let all = fs::read_dir(temp.join("state/navmap/view")).unwrap();
    all.map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|end| end == "journal"))
        .unwrap()
}

#[test]
fn a_page_and_the_command_line_write_the_same_bytes() {
    let temp = Temp::new("view-edit-same");
    let cases: [(&str, &[&str]); 11] = [
        (
            "corpus/source/town.nav",
            &[
                "nav_delete #1",
                "nav_mark_attribute JUMP #3+#5",
                "undo",
                "nav_subdivide 1 #5",
                "nav_shift 8 0 0 #7",
                "undo 2",
                "redo",
                "nav_disconnect_outgoing_oneways all; nav_corner_raise 4 #7",
                "nav_place_set all --place Middle",
                "nav_delete #9",
            ],
        ),
        ("corpus/quake/nav3-v6.nav", &["move 16 0 0 #0", "delete #1", "undo", "delete #2"]),
        ("corpus/fox/standalone.nav2", &["raise 0.5 all", "undo", "redo"]),
        ("corpus/skyrim/se/village.esp", &["move 0 0 8 all", "flip all", "undo"]),
        ("corpus/rcbot/v4.rcw", &["move 16 0 0 #1", "delete #2"]),
        (
            "corpus/source/v34.nav",
            &["flag CROUCH #1", "move 0 0 8 #2", "delete #3", "undo", "disconnect #1 #2"],
        ),
        ("corpus/source/v35-1.nav", &["isolate #2", "set #1 Attributes=AVOID"]),
        ("corpus/aas/v5.aas", &["flag disabled #5", "disconnect #1 #7", "undo", "set_link #1 #2 Time=90"]),
        ("corpus/nodegraph/v37.ain", &["move 0 0 4 all", "delete #1", "undo"]),
        ("corpus/nodegraph/v16.nod", &["set #0 Yaw=45"]),
        (
            "corpus/detour/set.navmesh",
            &["set area(1) Area=4", "delete #1", "undo", "connect #0 #2 --both", "move 0.5 0 0 C#2"],
        ),
    ];
    let mut seen = 0;
    for (number, (path, scripts)) in cases.into_iter().enumerate() {
        let own = Temp::new(&format!("view-edit-same-{number}"));
        let mesh = copied(&own, path);
        let server = served(&own, &[mesh.to_str().unwrap()]);
        let state = run(&server, scripts);
        assert_eq!(state["unsaved"], true, "{path}: {state}");
        // What the page shows is what is saved.
        let (status, head, _) = server.get("m/0/head");
        assert!(status == 200 && head.contains(&format!("Navmap-Revision: {}", state["revision"])), "{head}");
        let kept = fs::read(journal(&own)).unwrap();
        let script = temp.join(format!("{number}.txt"));
        fs::write(&script, &kept).unwrap();
        let original = fs::read(&mesh).unwrap();
        let (status, saved) = ask(&server, "save", &json!({"base": state["revision"]}));
        assert_eq!((status, &saved["unsaved"]), (200, &json!(false)), "{path}: {saved}");
        let copy = mesh.with_file_name(saved["copy"].as_str().unwrap());
        assert_eq!(fs::read(&copy).unwrap(), original, "{path}");
        let end = mesh.extension().unwrap().to_str().unwrap();
        let [before, again] = ["before", "again"].map(|name| temp.join(format!("{name}-{number}.{end}")));
        fs::write(&before, &original).unwrap();
        let [before, script] = [&before, &script].map(|path| path.to_str().unwrap());
        let edited = navmap(&["edit", before, "-f", script, "-o", again.to_str().unwrap()]);
        assert_eq!(edited.status.code(), Some(0), "{path}: {}", text(&edited.stderr));
        assert_eq!(fs::read(&again).unwrap(), fs::read(&mesh).unwrap(), "{path}");
        seen += 1;
    }
    assert_eq!(seen, 11);
}

#[test]
fn what_is_only_tried_changes_nothing_and_says_why_not() {
    let temp = Temp::new("view-edit-dry");
    let mesh = copied(&temp, "corpus/source/town.nav");
    let server = served(&temp, &[mesh.to_str().unwrap()]);
    let state = run(&server, &["nav_delete #1", "undo"]);
    let tried = |script: &str| ask(&server, "run", &json!({"base": 0, "script": script, "dry": true}));
    let (status, answer) = tried("nav_delete #3; select #5+#7");
    assert_eq!((status, &answer["selected"]), (200, &json!(["#5", "#7"])), "{answer}");
    for what in ["revision", "steps", "unsaved"] {
        assert_eq!(answer[what], state[what], "{what}");
    }
    let (status, answer) = tried("nav_splice #3 #5");
    assert_eq!(status, 200);
    assert!(answer["refused"]["text"].as_str().unwrap().starts_with("nav_splice: "), "{answer}");
    // A script is done as a whole or not at all.
    let (status, answer) = ask(
        &server,
        "run",
        &json!({"base": state["revision"], "script": "nav_delete #3; nav_delete #99999"}),
    );
    assert_eq!((status, &answer["refused"]["at"]), (422, &json!([1, 27])), "{answer}");
    assert_eq!(about(&server)["steps"], state["steps"]);
    // What was taken back can still be done again.
    let state = run(&server, &["redo"]);
    assert_eq!(state["steps"], json!([["nav_delete #1", true]]));
}

#[test]
fn nothing_is_overwritten_that_somebody_else_has_changed() {
    let temp = Temp::new("view-edit-others");
    let mesh = copied(&temp, "corpus/source/town.nav");
    let server = served(&temp, &[mesh.to_str().unwrap()]);
    let state = run(&server, &["nav_delete #1"]);
    // Another tab.
    let (status, answer) = ask(&server, "run", &json!({"base": 0, "script": "nav_delete #3"}));
    assert_eq!((status, &answer["missed"]), (409, &json!(["nav_delete #1"])), "{answer}");
    assert_eq!(answer["revision"], state["revision"]);
    assert_eq!(ask(&server, "save", &json!({"base": 0})).0, 409);
    // Another program.
    let theirs = {
        let out = temp.join("theirs.nav");
        let args = ["edit", mesh.to_str().unwrap(), "-c", "nav_delete #5", "-o", out.to_str().unwrap()];
        assert_eq!(navmap(&args).status.code(), Some(0));
        fs::read(out).unwrap()
    };
    fs::write(&mesh, &theirs).unwrap();
    let (status, answer) = ask(&server, "save", &json!({"base": state["revision"]}));
    assert_eq!((status, &answer["disk"]), (412, &json!("changed")), "{answer}");
    assert_eq!(fs::read(&mesh).unwrap(), theirs);
    // Under a name beside it, which is not there yet and leads nowhere else.
    for name in [
        "",
        "..",
        "../x.nav",
        "a/b.nav",
        "a\\b.nav",
        ".hidden",
        "c:x.nav",
        "town.nav",
        "theirs.nav",
        "x\n.nav",
    ] {
        let (status, answer) = ask(&server, "save", &json!({"base": state["revision"], "as": name}));
        assert_eq!(status, 422, "{name}: {answer}");
    }
    let (status, answer) = ask(&server, "save", &json!({"base": state["revision"], "as": "ours.nav"}));
    assert_eq!((status, &answer["saved"]), (200, &json!("ours.nav")), "{answer}");
    // On the new file the commands are run again.
    let (status, answer) = ask(&server, "reload", &json!({"base": state["revision"], "take": true}));
    assert_eq!((status, &answer["refused"]), (200, &json!([])), "{answer}");
    let (status, answer) = ask(&server, "save", &json!({"base": answer["revision"]}));
    assert_eq!(status, 200, "{answer}");
    let both = temp.join("both.nav");
    let args = [
        "edit",
        "corpus/source/town.nav",
        "-c",
        "nav_delete #5; nav_delete #1",
        "-o",
        both.to_str().unwrap(),
    ];
    assert_eq!(navmap(&args).status.code(), Some(0));
    assert_eq!(fs::read(&mesh).unwrap(), fs::read(both).unwrap());
}

#[test]
fn what_a_killed_server_had_not_saved_is_offered_again() {
    let temp = Temp::new("view-edit-killed");
    let mesh = copied(&temp, "corpus/source/town.nav");
    let path = mesh.to_str().unwrap();
    let killed = |server: Served| drop(server);
    let server = served(&temp, &[path]);
    let state = run(&server, &["nav_delete #1", "nav_subdivide 1 #5", "undo", "nav_subdivide 1 #7"]);
    // Nobody else changes the mesh meanwhile.
    let other = served(&temp, &[path]);
    assert!(about(&other)["why"].as_str().unwrap().contains("another navmap view"), "{}", about(&other));
    killed(other);
    killed(server);
    let server = served(&temp, &[path]);
    assert_eq!(about(&server)["offered"], json!({"commands": 2, "same": true}));
    // It is answered first, so that nothing is lost by the way.
    let (status, answer) = ask(&server, "run", &json!({"base": 0, "script": "nav_delete #9"}));
    assert_eq!(status, 422, "{answer}");
    let (status, answer) = ask(&server, "resume", &json!({"base": 0, "take": true}));
    assert_eq!(
        (status, &answer["refused"], &answer["report"]),
        (200, &json!([]), &state["report"]),
        "{answer}"
    );
    // After a save, what follows is offered, and can be taken back to the very beginning.
    let saved = ask(&server, "save", &json!({"base": answer["revision"]}));
    assert_eq!(saved.0, 200, "{}", saved.1);
    let state = run(&server, &["nav_delete #9"]);
    killed(server);
    let server = served(&temp, &[path]);
    assert_eq!(about(&server)["offered"], json!({"commands": 3, "same": true}));
    let (status, answer) = ask(&server, "resume", &json!({"base": 0, "take": true}));
    assert_eq!(
        (status, &answer["report"], &answer["unsaved"]),
        (200, &state["report"], &json!(true)),
        "{answer}"
    );
    let state = run(&server, &["undo all"]);
    let saved = ask(&server, "save", &json!({"base": state["revision"]}));
    assert_eq!(saved.0, 200, "{}", saved.1);
    assert_eq!(fs::read(&mesh).unwrap(), fs::read(project().join("corpus/source/town.nav")).unwrap());
    // What is saved is not offered; what is set aside is not lost.
    killed(server);
    let server = served(&temp, &[path]);
    assert_eq!(about(&server)["offered"], Value::Null);
    run(&server, &["nav_delete #3"]);
    killed(server);
    let server = served(&temp, &[path]);
    let (status, answer) = ask(&server, "resume", &json!({"base": 0, "take": false}));
    assert_eq!((status, &answer["steps"], &answer["offered"]), (200, &json!([]), &Value::Null), "{answer}");
    let aside = journal(&temp).with_extension("journal.old");
    assert!(fs::read_to_string(aside).unwrap().contains("\nnav_delete #3\n"));
}

#[test]
fn a_pick_is_told_of_the_mesh_as_it_is_now() {
    let temp = Temp::new("view-edit-told");
    let mesh = copied(&temp, "corpus/source/town.nav");
    let server = served(&temp, &[mesh.to_str().unwrap()]);
    let told = || -> Vec<(u64, String)> {
        let head: Value = serde_json::from_slice(&server.get("m/0/head").2).unwrap();
        let each = |number: u64| {
            let (status, head, body) = server.get(&format!("m/0/told/{number}"));
            assert_eq!(status, 200, "{}", text(&body));
            let told: Value = serde_json::from_slice(&body).unwrap();
            let revision = head.lines().find_map(|line| line.strip_prefix("Navmap-Revision: ")).unwrap();
            (told["id"].as_u64().unwrap(), revision.to_owned())
        };
        (0..head["nodes"].as_u64().unwrap()).map(each).collect()
    };
    let before = told();
    let (_, head, _) = server.get("m/0/head");
    let first = head.lines().find_map(|line| line.strip_prefix("Navmap-Revision: ")).unwrap();
    assert!(before.contains(&(17, first.to_owned())) && first != "1", "{before:?}");
    run(&server, &["nav_delete #17"]);
    let after = told();
    assert_eq!(after.len(), before.len() - 1);
    assert!(after.iter().all(|(id, revision)| *id != 17 && revision == "1"), "{after:?}");
}

/// What is told of each node of the scene, by the id under which a script knows it.
fn all_told(server: &Served) -> BTreeMap<String, Value> {
    let read = |what: String| {
        let (status, _, body) = server.get(&what);
        (status == 200).then(|| serde_json::from_slice::<Value>(&body).unwrap())
    };
    let head = read("m/0/head".to_owned()).unwrap();
    let told = (0..head["nodes"].as_u64().unwrap()).filter_map(|node| read(format!("m/0/told/{node}")));
    told.map(|told| (told["id"].to_string(), told)).collect()
}

/// A script that names a node means that node for as long as it exists, whatever number it has in the file that is written.
#[test]
fn a_node_keeps_its_name_when_another_is_deleted() {
    let paths = [
        "corpus/yapb/v2.graph",
        "corpus/quake/nav3-v6.nav",
        "corpus/nodegraph/v37.ain",
        "corpus/detour/tile.navtile",
        "corpus/detour/set.navmesh",
        "corpus/rcbot/v4.rcw",
        "corpus/skyrim/se/stored.esp",
        "corpus/source/v16-2-tf2.nav",
    ];
    for path in paths {
        let temp = Temp::new("view-edit-names");
        let mesh = copied(&temp, path);
        let server = served(&temp, &[mesh.to_str().unwrap()]);
        let state = about(&server);
        let verb = |name: &str| state["verbs"].as_array().unwrap().iter().any(|verb| verb[0] == name);
        let verb = if verb("nav_delete") { "nav_delete" } else { "delete" };
        let before = all_told(&server);
        assert!(before.len() > 3, "{path}: {}", before.len());
        let mut ids: Vec<&String> = before.keys().collect();
        ids.sort_by_key(|id| before[*id]["index"].as_u64());
        let name = |id: &str| match id.strip_prefix('"') {
            Some(text) => text.trim_end_matches('"').to_owned(),
            None => format!("#{id}"),
        };
        for (gone, deleted) in [ids[1], ids[3]].into_iter().enumerate() {
            run(&server, &[&format!("{verb} {}", name(deleted))]);
            let now = all_told(&server);
            assert_eq!(now.len(), before.len() - gone - 1, "{path}");
            assert!(!now.contains_key(deleted), "{path}: {deleted} was to go");
            for (id, told) in &now {
                let was = &before[id];
                assert_eq!(
                    (&told["corners"], &told["flags"]),
                    (&was["corners"], &was["flags"]),
                    "{path}: {id}"
                );
                for link in told["links"].as_array().unwrap() {
                    let known =
                        |links: &Value| links.as_array().unwrap().iter().any(|was| was["id"] == link["id"]);
                    assert!(known(&was["links"]), "{path}: {id} leads to {}", link["id"]);
                }
            }
        }
        // Taken back, all are there again.
        run(&server, &["undo 2"]);
        assert_eq!(all_told(&server), before, "{path}");
    }
}

/// A game or another tool that writes the file is seen at the next look, and is not changed by who has seen the file before.
#[test]
fn a_file_that_another_program_has_written_is_read_again() {
    let nodes = |server: &Served| {
        let (_, head, body) = server.get("m/0/head");
        let revision = head.lines().find(|line| line.starts_with("Navmap-Revision")).unwrap().to_owned();
        (serde_json::from_slice::<Value>(&body).unwrap()["nodes"].clone(), revision)
    };
    for edit in [false, true] {
        let temp = Temp::new("view-edit-again");
        let mesh = copied(&temp, "corpus/source/town.nav");
        let path = mesh.to_str().unwrap();
        let server = if edit {
            served(&temp, &[path])
        } else {
            let mut command = navmap_testkit::signals::heeding(env!("CARGO_BIN_EXE_navmap"));
            Served::start(command.args(["view", path]).current_dir(project()))
        };
        let before = nodes(&server);
        if edit {
            assert_eq!(about(&server)["revision"], 0);
        }
        let other = temp.join("other.nav");
        fs::copy(project().join("corpus/source/v16-2-tf2.nav"), &other).unwrap();
        fs::rename(&other, &mesh).unwrap();
        let now = nodes(&server);
        assert!(now.0 != before.0 && now.1 != before.1, "{before:?} {now:?}");
        // And once more, which nobody has changed here either.
        fs::copy(project().join("corpus/source/town.nav"), &other).unwrap();
        fs::rename(&other, &mesh).unwrap();
        let now = (now, nodes(&server));
        assert!(now.0.0 != now.1.0 && now.0.1 != now.1.1, "{now:?}");
        let now = now.1;
        if edit {
            // The page that asks for a change has seen the file as it was.
            let (status, answer) =
                ask(&server, "run", &json!({"base": 0, "script": "nav_mark_attribute CROUCH all"}));
            assert_eq!((status, &answer["revision"]), (409, &json!(2)), "{answer}");
            assert_eq!(nodes(&server).0, now.0);
            assert_eq!(run(&server, &["nav_mark_attribute CROUCH all"])["unsaved"], true);
        }
    }
}

/// What an earlier run left is offered until it was taken up or set aside.
#[test]
fn what_was_left_stays_offered_if_it_cannot_be_set_aside() {
    let temp = Temp::new("view-edit-aside");
    let mesh = copied(&temp, "corpus/source/town.nav");
    let path = mesh.to_str().unwrap();
    let server = served(&temp, &[path]);
    run(&server, &["nav_delete #1", "nav_delete #3"]);
    drop(server);
    let aside = journal(&temp).with_extension("journal.old");
    fs::create_dir(&aside).unwrap();
    let server = served(&temp, &[path]);
    let offered = about(&server)["offered"].clone();
    assert_eq!(offered["commands"], 2);
    let (status, answer) = ask(&server, "resume", &json!({"base": 0, "take": false}));
    assert_eq!(status, 422, "{answer}");
    assert_eq!(about(&server)["offered"], offered);
    assert_eq!(ask(&server, "run", &json!({"base": 0, "script": "nav_delete #9"})).0, 422);
    fs::remove_dir(&aside).unwrap();
    assert_eq!(ask(&server, "resume", &json!({"base": 0, "take": true})).0, 200);
    assert_eq!(about(&server)["steps"].as_array().unwrap().len(), 2);
}

#[test]
fn no_command_of_a_page_reaches_the_disk() {
    let temp = Temp::new("view-edit-disk");
    let mesh = copied(&temp, "corpus/source/town.nav");
    let before = fs::read(&mesh).unwrap();
    let server = served(&temp, &[mesh.to_str().unwrap()]);
    let there = || fs::read_dir(temp.path()).unwrap().count();
    let files = there();
    let elsewhere = temp.join("elsewhere");
    for script in [
        "nav_save".to_owned(),
        format!("nav_save {}", elsewhere.display()),
        format!("nav_save_selected all --to {}", elsewhere.display()),
        "nav_save_selected all".to_owned(),
    ] {
        let (status, answer) =
            ask(&server, "run", &json!({"base": about(&server)["revision"], "script": script}));
        assert!(status == 422 || answer["said"].to_string().contains("not written"), "{script}: {answer}");
    }
    let (status, answer) =
        ask(&server, "run", &json!({"base": about(&server)["revision"], "script": "nav_merge_mesh town"}));
    assert_eq!(status, 422, "{answer}");
    assert!(!elsewhere.exists() && there() <= files + 1, "only the folder of journals is new");
    assert_eq!(fs::read(&mesh).unwrap(), before);
}

#[test]
fn meshes_without_an_editor_say_so_and_the_others_of_a_file_follow() {
    let temp = Temp::new("view-edit-none");
    let mesh = copied(&temp, "corpus/xray/v10.ai");
    let server = served(&temp, &[mesh.to_str().unwrap()]);
    assert!(about(&server)["why"].as_str().is_some_and(|why| !why.is_empty()));
    assert_eq!(server.post("m/0/run", r#"{"base":0,"script":"delete all"}"#).0, 422);
    for (body, wanted) in [
        ("", 400),
        ("{}", 400),
        ("[1]", 400),
        (r#"{"base":0,"script":1}"#, 400),
        (r#"{"base":-1,"script":"x"}"#, 400),
    ] {
        let temp = Temp::new("view-edit-bodies");
        let server = served(&temp, &["corpus/source/town.nav"]);
        assert_eq!(server.post("m/0/run", body).0, wanted, "{body}");
        assert_eq!(server.post("m/0/other", "{}").0, 404);
        assert_eq!(server.post("m/9/run", "{}").0, 404);
        assert_eq!(server.post("", "{}").0, 405);
    }
}
