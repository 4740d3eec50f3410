//! `navmap diff` as people and git meet it.

use super::{navmap, text};
use navmap_testkit::corpus::project;
use navmap_testkit::temp::Temp;
use std::fs;
use std::process::Command;

const TOWN: &str = "corpus/source/town.nav";

/// The town after these commands.
fn edited(temp: &Temp, name: &str, commands: &str) -> String {
    let output = temp.path().join(name).display().to_string();
    let done = navmap(&["edit", TOWN, "-c", commands, "-o", &output]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    output
}

#[test]
fn what_an_edit_did_is_told_and_the_status_is_that_of_diff() {
    let temp = Temp::new("diff");
    let same = navmap(&["diff", TOWN, TOWN]);
    assert_eq!((same.status.code(), text(&same.stdout).contains("the same file")), (Some(0), true));

    let after = edited(&temp, "after.nav", "nav_delete #5");
    let done = navmap(&["diff", TOWN, &after]);
    assert_eq!(done.status.code(), Some(1), "{}", text(&done.stderr));
    let told = text(&done.stdout);
    for line in
        ["  areas: 356 → 355 (-1)", "  1 area removed", "    #5 at -750 -462 2", "  6 links went with areas"]
    {
        assert!(told.contains(line), "{line}: {told}");
    }
    let stat = text(&navmap(&["diff", "--stat", TOWN, &after]).stdout);
    assert!(stat.ends_with(": -1 areas, +0 -6 ~0 links\n"), "{stat}");

    let rows = text(&navmap(&["diff", "--format", "jsonl", &after, TOWN]).stdout);
    let row: serde_json::Value = serde_json::from_str(&rows).unwrap();
    assert_eq!(row["same"], false);
    assert_eq!(row["parts"][0]["added"], serde_json::json!([5]));
    assert_eq!(row["parts"][0]["method"], "ids");
}

#[test]
fn rows_have_ids_as_people_type_them() {
    let temp = Temp::new("diff-typed-ids");
    let rows = |before: &str, after: &str| -> serde_json::Value {
        let done = navmap(&["diff", "--all", "--format", "jsonl", before, after]);
        serde_json::from_str(&text(&done.stdout)).unwrap()
    };
    let tile = "corpus/fox/standalone.nav2";
    let less = temp.path().join("less.nav2").display().to_string();
    let done = navmap(&["edit", tile, "-c", "delete F#4.9 --alone", "-o", &less]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let gone = rows(tile, &less)["parts"][0]["removed"].clone();
    assert!(gone.as_array().is_some_and(|gone| gone.contains(&"F#4.9".into())), "{gone}");
    // A plugin and an override of it: every id that is named is that of a triangle.
    let order = rows("corpus/skyrim/order/Base.esm", "corpus/skyrim/order/Patch.esp");
    let parts = order["parts"].as_array().unwrap();
    let named = parts.iter().flat_map(|part| {
        let changed = part["changed"].as_array().into_iter().flatten().map(|one| &one["before"]);
        ["removed", "added"]
            .into_iter()
            .flat_map(|list| part[list].as_array().into_iter().flatten())
            .chain(changed)
    });
    let named: Vec<_> = named.collect();
    assert!(
        !named.is_empty() && named.iter().all(|id| id.as_str().is_some_and(|id| id.contains('#'))),
        "{order}"
    );
    // A list of what changed about an area has its id under the same word as everything else.
    let after = edited(&temp, "listed.nav", "nav_analyze");
    let lists = rows(TOWN, &after)["parts"][0]["lists"].clone();
    let list = lists.as_array().into_iter().flatten();
    assert!(list.clone().all(|list| list["id"].is_u64() && list.get("area").is_none()), "{lists}");
}

#[test]
fn a_navjson_that_lost_what_it_says_of_its_map_differs() {
    let temp = Temp::new("diff-head");
    let before = project().join("corpus/quake/navjson-v3.navjson");
    let whole = fs::read_to_string(&before).unwrap();
    let (start, end) = (whole.find("\"Contributors\"").unwrap(), whole.find("\"Settings\"").unwrap());
    let after = temp.file("after.navjson", format!("{}{}", &whole[..start], &whole[end..]).as_bytes());
    let done = navmap(&["diff", &before.display().to_string(), &after.display().to_string()]);
    let told = text(&done.stdout);
    assert_eq!(done.status.code(), Some(1), "{told}{}", text(&done.stderr));
    assert!(told.contains("  contributors: ") && told.contains(" → none"), "{told}");
}

#[test]
fn other_ids_are_no_change() {
    let temp = Temp::new("diff-ids");
    let before = edited(&temp, "before.nav", "nav_delete #5");
    let output = temp.path().join("after.nav").display().to_string();
    let done = navmap(&["edit", &before, "-c", "nav_compress_id", "-o", &output]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let done = navmap(&["diff", &before, &output]);
    let told = text(&done.stdout);
    assert!(told.contains("the same mesh, renumbered"), "{told}");
    assert_eq!(done.status.code(), Some(0));
    // The same with noise, in an area without spots.
    let moved = temp.path().join("moved.nav").display().to_string();
    let done = navmap(&["edit", &before, "-c", "move 0 0 0.0004 #23; nav_compress_id", "-o", &moved]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let told = text(&navmap(&["diff", &before, &moved]).stdout);
    assert!(told.contains("the same mesh, renumbered (") && told.contains("), but for noise: "), "{told}");
}

#[test]
fn folders_are_paired_by_name_and_a_renamed_map_by_what_is_in_it() {
    let temp = Temp::new("diff-folders");
    let (old, new) = (temp.path().join("old"), temp.path().join("new"));
    fs::create_dir_all(&old).unwrap();
    fs::create_dir_all(&new).unwrap();
    let from = |name: &str| project().join("corpus").join(name);
    for (name, file) in
        [("town.nav", "source/town.nav"), ("gone.nav", "source/v5.nav"), ("q.nav", "quake/nav3-v6.nav")]
    {
        fs::copy(from(file), old.join(name)).unwrap();
    }
    for (name, file) in [("city.nav", "source/town.nav"), ("q.nav", "quake/nav3-v6.nav")] {
        fs::copy(from(file), new.join(name)).unwrap();
    }
    let done = navmap(&["diff", "--stat", &old.display().to_string(), &new.display().to_string()]);
    let told = text(&done.stdout);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(
        lines,
        ["town.nav → city.nav: the same file", "gone.nav: only before", "q.nav: the same file"],
        "{}",
        text(&done.stderr)
    );
    assert_eq!(done.status.code(), Some(1));
}

#[test]
fn families_are_not_compared_by_accident() {
    let done = navmap(&["diff", TOWN, "corpus/quake/nav3-v6.nav"]);
    assert_eq!(done.status.code(), Some(2));
    assert!(text(&done.stderr).contains("--neutral compares what they have in common"));
    let done = navmap(&["diff", "--neutral", TOWN, "corpus/quake/nav3-v6.nav"]);
    assert_eq!(done.status.code(), Some(1), "{}", text(&done.stderr));
}

#[test]
fn a_damaged_file_is_compared_as_far_as_it_goes() {
    let temp = Temp::new("diff-cut");
    let whole = fs::read(project().join(TOWN)).unwrap();
    let cut = temp.path().join("cut.nav");
    fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    let done = navmap(&["diff", TOWN, &cut.display().to_string()]);
    assert_eq!(done.status.code(), Some(1));
    assert!(text(&done.stderr).contains("cut.nav: "), "{}", text(&done.stderr));
    assert!(text(&done.stdout).contains("removed"));
}

#[test]
fn a_picture_has_both_meshes() {
    let temp = Temp::new("diff-picture");
    let after = edited(&temp, "after.nav", "nav_delete #5; nav_delete #7");
    let picture = temp.path().join("changes.svg").display().to_string();
    let done = navmap(&["diff", TOWN, &after, "--draw", &picture]);
    assert_eq!(done.status.code(), Some(1), "{}", text(&done.stderr));
    let svg = fs::read_to_string(&picture).unwrap();
    assert!(svg.contains(">removed<") && svg.contains(">unchanged<"), "the key names what changed");
    let done = navmap(&["diff", TOWN, &after, "--draw", &picture]);
    assert_eq!(done.status.code(), Some(2), "nothing is overwritten without --force");
}

#[test]
fn git_shows_it_as_an_external_diff() {
    let temp = Temp::new("diff-git");
    let git = |args: &[&str]| {
        let done = Command::new("git")
            .args(args)
            .current_dir(temp.path())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output();
        let done = done.expect("git is here, since the project is");
        assert!(done.status.success(), "{args:?}: {}", text(&done.stderr));
        text(&done.stdout)
    };
    git(&["init", "-q"]);
    fs::write(temp.path().join(".gitattributes"), "*.nav diff=navmap\n").unwrap();
    let command = format!("'{}' diff --git", env!("CARGO_BIN_EXE_navmap"));
    git(&["config", "diff.navmap.command", &command]);
    fs::copy(project().join(TOWN), temp.path().join("town.nav")).unwrap();
    git(&["add", "."]);
    git(&["-c", "user.name=n", "-c", "user.email=n@example.org", "commit", "-qm", "A town"]);
    fs::copy(edited(&temp, "after", "nav_delete #5"), temp.path().join("town.nav")).unwrap();
    let shown = git(&["diff"]);
    assert!(shown.starts_with("town.nav\n") && shown.contains("1 area removed"), "{shown}");
    fs::remove_file(temp.path().join("town.nav")).unwrap();
    assert_eq!(git(&["diff"]), "town.nav: only before\n");
}

#[test]
fn a_script_patches_the_mesh_it_was_made_from_and_others() {
    let temp = Temp::new("diff-patch");
    let after = edited(&temp, "after.nav", "nav_delete #5; nav_corner_raise 4 #9");
    let all = text(&navmap(&["diff", TOWN, &after, "--all"]).stdout);
    assert!(all.contains(" visible areas removed: #"), "{all}");
    assert!(!text(&navmap(&["diff", TOWN, &after]).stdout).contains("visible areas removed"));
    let done = navmap(&["diff", TOWN, &after, "--script"]);
    let script = temp.path().join("fix.txt");
    assert_eq!(done.status.code(), Some(1));
    let text_of = text(&done.stdout);
    let (head, body): (Vec<&str>, Vec<&str>) = text_of.lines().partition(|line| line.starts_with("// "));
    assert!(head.iter().any(|line| line.starts_with("// not in the script: visibility of ")), "{text_of}");
    assert!(body[0] == "nav_delete #5" && body[1].starts_with("area set #9 ne="), "{text_of}");
    assert!(text(&done.stderr).contains("not in the script: visibility of "), "{}", text(&done.stderr));
    fs::write(&script, &done.stdout).unwrap();
    let (script, patched) =
        (script.display().to_string(), temp.path().join("patched.nav").display().to_string());
    let done = navmap(&["patch", TOWN, &script, "-o", &patched]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    assert!(text(&navmap(&["diff", &after, &patched]).stdout).contains("the same"));
    // To a version where an area is gone.
    let other = edited(&temp, "other.nav", "nav_delete #9");
    let done = navmap(&["patch", &other, &script, "-o", &temp.path().join("no.nav").display().to_string()]);
    assert_eq!(done.status.code(), Some(1));
    let line = head.len() + 2;
    assert!(
        text(&done.stderr).contains(&format!("{line}:10: area: there is no #9")),
        "{}",
        text(&done.stderr)
    );
    assert!(!temp.path().join("no.nav").exists());
}

#[test]
fn git_merges_meshes() {
    let temp = Temp::new("diff-merge");
    let git = |args: &[&str]| {
        let name = ["-c", "user.name=n", "-c", "user.email=n@example.org"];
        let mut command = Command::new("git");
        command.args(name).args(args).current_dir(temp.path()).env("GIT_CONFIG_GLOBAL", "/dev/null");
        let done = command.output().expect("git is here, since the project is");
        (done.status.code(), text(&done.stdout) + &text(&done.stderr))
    };
    let commit = |commands: &str, from: &str| {
        let file = temp.path().join("town.nav");
        let output = temp.path().join("new");
        let done = navmap(&["edit", from, "-c", commands, "-o", &output.display().to_string(), "--force"]);
        assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
        fs::rename(output, file).unwrap();
        assert_eq!(git(&["commit", "-qam", commands]).0, Some(0));
    };
    git(&["init", "-q", "-b", "main"]);
    fs::write(temp.path().join(".gitattributes"), "*.nav merge=navmap\n").unwrap();
    let driver = format!("'{}' merge %O %A %B -o %A --force", env!("CARGO_BIN_EXE_navmap"));
    git(&["config", "merge.navmap.driver", &driver]);
    fs::copy(project().join(TOWN), temp.path().join("town.nav")).unwrap();
    git(&["add", "."]);
    assert_eq!(git(&["commit", "-qm", "A town"]).0, Some(0));
    git(&["checkout", "-qb", "other"]);
    commit("area set #9 ne=90", TOWN);
    git(&["checkout", "-q", "main"]);
    commit("nav_mark_attribute crouch #11", TOWN);
    let (status, told) = git(&["merge", "-q", "other"]);
    assert_eq!(status, Some(0), "{told}");
    assert!(told.contains("1 change of theirs in ours, 0 conflicts"), "{told}");
    let merged = text(&navmap(&["diff", TOWN, &temp.path().join("town.nav").display().to_string()]).stdout);
    assert!(merged.contains("1 area reshaped") && merged.contains("+CROUCH"), "{merged}");
    // The same corner, two ways.
    git(&["checkout", "-qb", "third", "HEAD~1"]);
    commit("area set #9 ne=70", TOWN);
    let (status, told) = git(&["merge", "-q", "main"]);
    assert_eq!(status, Some(1), "{told}");
    assert!(told.contains("conflict: #9 at ") && told.contains("ne: 70 in ours, 90 in theirs"), "{told}");
}

#[test]
fn quake_graphs_are_patched_and_merged() {
    let temp = Temp::new("diff-quake");
    let base = "corpus/quake/navjson-v2.navjson";
    let file = |name: &str| temp.path().join(name).display().to_string();
    for (name, commands) in
        [("ours.navjson", "set #1 Radius=77"), ("theirs.navjson", "set #1 Flags=16; delete #0")]
    {
        let done = navmap(&["edit", base, "-c", commands, "-o", &file(name)]);
        assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    }
    let script = navmap(&["diff", "--script", base, &file("theirs.navjson")]);
    assert_eq!(script.status.code(), Some(1));
    assert_eq!(text(&script.stdout), "delete Nodes[0]\nset Nodes[1] Flags=16\n");
    fs::write(temp.path().join("fix.txt"), &script.stdout).unwrap();
    let done = navmap(&["patch", base, &file("fix.txt"), "-o", &file("patched.navjson")]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let [patched, theirs] =
        ["patched.navjson", "theirs.navjson"].map(|name| fs::read(temp.path().join(name)).unwrap());
    assert!(patched == theirs);
    let done =
        navmap(&["merge", base, &file("ours.navjson"), &file("theirs.navjson"), "-o", &file("both.navjson")]);
    assert_eq!(
        (done.status.code(), text(&done.stderr)),
        (Some(0), "2 changes of theirs in ours, 0 conflicts\n".into())
    );
    let told = text(&navmap(&["diff", &file("ours.navjson"), &file("both.navjson"), "--script"]).stdout);
    assert_eq!(told, "delete Nodes[0]\nset Nodes[1] Flags=16\n");
    // A check that is mended.
    let done = navmap(&["edit", base, "-c", "add Nodes[1].Links[1]", "-o", &file("self.navjson")]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let done = navmap(&["check", "--fix", &file("self.navjson"), "-o", &file("mended.navjson")]);
    assert!(text(&done.stdout).contains("clean_links // self-link 1"), "{}", text(&done.stdout));
    assert!(fs::read(temp.path().join("mended.navjson")).unwrap() == fs::read(project().join(base)).unwrap());
}

#[test]
fn fox_tiles_and_plugins_are_patched_by_scripts() {
    let temp = Temp::new("diff-others");
    let file = |name: &str| temp.path().join(name).display().to_string();
    for (before, commands) in [
        ("corpus/fox/standalone.nav2", "move 0 2 0; delete F#4.9 --alone"),
        (
            "corpus/skyrim/se/village.esp",
            "set water 01000900#3; move 0 0 64 mesh(01000901); delete 01000902#14",
        ),
        ("corpus/skyrim/nvnm/v12.nvnm", "corner #3 1 7,8,9; cover 0005 #2"),
    ] {
        let end = before.rsplit('.').next().unwrap();
        let [after, script, made] = [&format!("after.{end}"), "script", &format!("made.{end}")]
            .map(|name| file(&format!("{end}-{name}")));
        let done = navmap(&["edit", before, "-c", commands, "-o", &after]);
        assert_eq!(done.status.code(), Some(0), "{before}: {}", text(&done.stderr));
        let told = navmap(&["diff", "--script", before, &after]);
        assert_eq!(told.status.code(), Some(1), "{before}: {}", text(&told.stderr));
        assert_eq!(text(&told.stderr), "", "{before}: nothing is left out");
        fs::write(&script, &told.stdout).unwrap();
        let done = navmap(&["patch", before, &script, "-o", &made]);
        assert_eq!(done.status.code(), Some(0), "{before}: {}", text(&done.stderr));
        assert!(fs::read(&made).unwrap() == fs::read(&after).unwrap(), "{before}: {}", text(&told.stdout));
        let done = navmap(&["merge", before, &after, &made]);
        assert_eq!(done.status.code(), Some(2));
        assert!(text(&done.stderr).contains("meshes cannot be merged"), "{}", text(&done.stderr));
    }
    // What no command can do is said at the head of the script too.
    let told = navmap(&["diff", "--script", "corpus/skyrim/nvnm/v12.nvnm", "corpus/skyrim/nvnm/v15.nvnm"]);
    let (script, said) = (text(&told.stdout), text(&told.stderr));
    assert!(script.starts_with("// not in the script: "), "{script}");
    for line in script.lines().take_while(|line| line.starts_with("// ")) {
        assert!(said.contains(&format!("navmap: {}", &line[3..])), "{said}");
    }
}

#[test]
fn every_family_is_compared_with_itself_and_another_in_its_own_words() {
    for (file, other, word) in [
        ("corpus/detour/tile.navtile", "corpus/detour/tile-v6.navtile", "polygon"),
        ("corpus/yapb/fork.graph", "corpus/yapb/v1-map.graph", "node"),
        ("corpus/aas/v5.aas", "corpus/aas/v8.aas", "area"),
        ("corpus/xray/v10.ai", "corpus/xray/v11.ai", "point"),
    ] {
        let same = navmap(&["diff", file, file]);
        assert_eq!(same.status.code(), Some(0), "{file}: {}", text(&same.stderr));
        let done = navmap(&["diff", file, other]);
        assert!(matches!(done.status.code(), Some(0 | 1)), "{file}: {}", text(&done.stderr));
        let rows = text(&navmap(&["diff", "--format", "jsonl", file, other]).stdout);
        let row: serde_json::Value = serde_json::from_str(&rows).unwrap();
        assert!(row["parts"][0]["nodes"].is_array(), "{word}: {rows}");
        // Against a mesh of another game: refused, then as what both have in common.
        let done = navmap(&["diff", file, TOWN]);
        assert_eq!(done.status.code(), Some(2), "{file}");
        assert!(text(&done.stderr).contains("--neutral compares"), "{}", text(&done.stderr));
        let done = navmap(&["diff", "--neutral", "--format", "jsonl", file, TOWN]);
        assert_eq!(done.status.code(), Some(1), "{file}: {}", text(&done.stderr));
        let row: serde_json::Value = serde_json::from_str(&text(&done.stdout)).unwrap();
        assert_eq!(row["parts"][0]["nodes"][1], 356, "{row}");
        assert_eq!(row["facts"], serde_json::json!([]), "heads of different families say different things");
        // Points of X-Ray have no scripts, the others have.
        let done = navmap(&["diff", "--script", file, other]);
        if word != "point" {
            assert!(matches!(done.status.code(), Some(0 | 1)), "{file}: {}", text(&done.stderr));
            continue;
        }
        assert_eq!(done.status.code(), Some(2));
        assert!(text(&done.stderr).contains("meshes have no scripts"), "{}", text(&done.stderr));
    }
}

#[test]
fn git_shows_old_versions_as_text() {
    let temp = Temp::new("diff-textconv");
    let git = |args: &[&str]| {
        let name = ["-c", "user.name=n", "-c", "user.email=n@example.org"];
        let mut command = Command::new("git");
        command.args(name).args(args).current_dir(temp.path()).env("GIT_CONFIG_GLOBAL", "/dev/null");
        let done = command.output().expect("git is here, since the project is");
        assert!(done.status.success(), "{args:?}: {}", text(&done.stderr));
        text(&done.stdout)
    };
    git(&["init", "-q"]);
    // As the page says, with the program that is tested.
    let page = fs::read_to_string(project().join("docs/diff.md")).unwrap();
    assert!(page.contains("`*.nav diff=navmap merge=navmap` in `.gitattributes`"));
    fs::write(temp.path().join(".gitattributes"), "*.nav diff=navmap merge=navmap\n").unwrap();
    let lines: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("git config ")).collect();
    assert_eq!(lines.len(), 3);
    for line in lines {
        let (key, rest) = line.split_once(" '").unwrap();
        let value = rest.split('\'').next().unwrap();
        let program = format!("'{}'", env!("CARGO_BIN_EXE_navmap"));
        git(&["config", key, &value.replacen("navmap", &program, 1)]);
    }
    let put = |commands: &str| {
        let at = temp.path().join("town.nav");
        let _ = fs::remove_file(&at);
        match commands {
            "" => _ = fs::copy(project().join(TOWN), &at).unwrap(),
            _ => _ = edited(&temp, "town.nav", commands),
        }
        git(&["add", "."]);
        git(&["commit", "-qm", "A town"]);
    };
    put("");
    put("nav_delete #5");
    let shown = git(&["log", "-p", "-1"]);
    assert!(shown.lines().any(|line| line.starts_with('-') && line.contains("356")), "{shown}");
    assert!(shown.lines().any(|line| line.starts_with('+') && line.contains("355")), "{shown}");
    // What differs is in the mesh, and not in the name of the file that git made.
    assert!(
        !shown.lines().any(|line| line.starts_with(['-', '+']) && line[1..].starts_with("file ")),
        "{shown}"
    );
    let shown = git(&["diff", "HEAD~1"]);
    assert!(shown.starts_with("town.nav\n") && shown.contains("1 area removed"), "{shown}");
    // A version that is no mesh is text as well.
    fs::write(temp.path().join("town.nav"), "no mesh\n").unwrap();
    git(&["commit", "-qam", "No mesh"]);
    let shown = git(&["log", "-p", "-1"]);
    assert!(shown.contains("+navmap: -: not a navigation mesh"), "{shown}");
}

#[test]
fn a_merge_is_drawn_with_its_conflicts() {
    let temp = Temp::new("diff-merge-draw");
    let ours = edited(&temp, "ours.nav", "area set #9 ne=70; nav_mark_attribute CROUCH #41");
    let theirs = edited(&temp, "theirs.nav", "area set #9 ne=90; nav_delete #11; ladder move L#1 5 0 0");
    let [picture, small] =
        ["merge.svg", "merge.png"].map(|name| temp.path().join(name).display().to_string());
    for picture in [&picture, &small] {
        let done = navmap(&["merge", TOWN, &ours, &theirs, "--draw", picture]);
        assert_eq!(done.status.code(), Some(1), "{}", text(&done.stderr));
        assert!(text(&done.stderr).contains("conflict: #9 at "), "{}", text(&done.stderr));
    }
    let svg = fs::read_to_string(&picture).unwrap();
    for word in ["changed in ours", "changed in theirs", "conflict", "unchanged", "1 conflict", "#9"] {
        assert!(svg.contains(word), "{word}");
    }
    assert!(fs::read(&small).unwrap().starts_with(b"\x89PNG"));
    // A ladder has a place too.
    let ours = edited(&temp, "ladder.nav", "ladder move L#1 -5 0 0");
    let done = navmap(&["merge", TOWN, &ours, &theirs]);
    assert!(text(&done.stderr).contains("conflict: L#1 at -5"), "{}", text(&done.stderr));
    let done = navmap(&["merge", TOWN, &ours, &theirs, "--draw", "a.txt"]);
    assert_eq!(done.status.code(), Some(2), "{}", text(&done.stderr));
}

#[test]
fn a_difference_is_coloured_on_a_terminal_and_nowhere_else() {
    let temp = Temp::new("diff-colour");
    let after = edited(&temp, "after.nav", "nav_delete #5");
    let run = |force: bool| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_navmap"));
        command.args(["diff", TOWN, &after]).current_dir(project());
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        if force {
            command.env("CLICOLOR_FORCE", "1");
        }
        text(&command.output().unwrap().stdout)
    };
    let (plain, coloured) = (run(false), run(true));
    assert!(!plain.contains('\u{1b}') && plain.contains("  1 area removed"), "{plain}");
    assert!(coloured.contains("\u{1b}[31m1 area removed\u{1b}[0m"), "{coloured:?}");
}

#[test]
fn a_mesh_that_only_lost_its_analysis_is_told_and_scripted() {
    const CSGO: &str = "corpus/source/v16-1-csgo.nav";
    let temp = Temp::new("diff-analysed");
    let after = temp.path().join("after.nav").display().to_string();
    let done = navmap(&["edit", CSGO, "-c", "nav_strip --keep-paths", "-o", &after]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let told = navmap(&["diff", CSGO, &after]);
    assert_eq!(told.status.code(), Some(1));
    assert!(text(&told.stdout).contains("analyzed: yes → no"), "{}", text(&told.stdout));
    let script = navmap(&["diff", CSGO, &after, "--script"]);
    assert_eq!((script.status.code(), text(&script.stdout)), (Some(1), "nav_strip --keep-paths\n".into()));
    let script = navmap(&["diff", &after, CSGO, "--script"]);
    assert_eq!(script.status.code(), Some(1));
    for stream in [text(&script.stdout), text(&script.stderr)] {
        assert!(stream.contains("not in the script: whether it counts as analysed"), "{stream}");
    }
}
