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
    assert!(text_of.starts_with("nav_delete #5\narea set #9 ne="), "{text_of}");
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
    assert!(text(&done.stderr).contains("2:10: area: there is no #9"), "{}", text(&done.stderr));
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
