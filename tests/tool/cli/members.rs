//! Members of archives on the command line: `archive!member` wherever a path is taken.

use navmap_testkit::archive as make;
use navmap_testkit::corpus::bundled;
use navmap_testkit::temp::Temp;
use std::process::Command;

fn tree(name: &str) -> Temp {
    let temp = Temp::new(name);
    let mesh = std::fs::read(bundled().join("source/town.nav")).unwrap();
    let inner = make::stored_zip(&[(b"deep.nav", &mesh)]);
    let members: [(&[u8], &[u8]); 3] =
        [(b"maps/town.nav", &mesh), (b"maps/a\xff\x1b[31m.nav", &mesh), (b"in.zip", &inner)];
    temp.file("a.zip", &make::deflated_zip(&members));
    temp
}

/// Exit status, what is printed, and what is said.
fn navmap(temp: &Temp, args: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_navmap"));
    let done = command.args(args).current_dir(temp.path()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (done.status.code(), text(done.stdout), text(done.stderr))
}

#[test]
fn scan_and_check_take_members_and_print_them_as_they_are_typed() {
    let temp = tree("members");
    let spelled = ["maps/town.nav", "maps/a\\xff\\u{1b}[31m.nav", "in.zip!deep.nav"];
    let (_, listed, _) = navmap(&temp, &["list", "--meshes", "a.zip"]);
    let (_, whole, _) = navmap(&temp, &["scan", "-q", "a.zip"]);
    let (_, checked, _) = navmap(&temp, &["check", "-q", "a.zip"]);
    for member in spelled {
        let path = format!("a.zip!{member}");
        assert!(listed.contains(member), "{listed}");
        let (status, row, said) = navmap(&temp, &["scan", "-q", &path]);
        assert_eq!(status, Some(0), "{row}{said}");
        let row = row.lines().last().unwrap().to_owned();
        assert!(row.ends_with(&path) && whole.contains(&row), "{row} {whole}");
        let (status, found, _) = navmap(&temp, &["check", "-q", &path]);
        let of_it: Vec<_> = checked.lines().filter(|line| line.starts_with(&format!("{path}: "))).collect();
        assert_eq!((status, found.lines().collect::<Vec<_>>()), (Some(0), of_it));
        assert_eq!(navmap(&temp, &["info", &path]).0, Some(0), "{path}");
    }
    let (status, rows, _) = navmap(&temp, &["scan", "-q", "--format", "jsonl", "a.zip!in.zip"]);
    assert!(status == Some(0) && rows.contains(r#""path":"a.zip","member":"in.zip!deep.nav""#), "{rows}");
    let (status, rows, _) = navmap(&temp, &["list", "a.zip!in.zip"]);
    assert!(status == Some(0) && rows.lines().last().unwrap().ends_with("  deep.nav"), "{rows}");
}

#[test]
fn a_member_that_is_not_there_fails_the_run_and_the_nearest_is_named() {
    let temp = tree("members-absent");
    let absent = "a.zip!maps/twon.nav";
    let verbs: [&[&str]; 10] = [
        &["scan"],
        &["scan", "--headers"],
        &["check"],
        &["info"],
        &["dump"],
        &["draw", "-o", "a.svg"],
        &["export", "-o", "a.obj"],
        &["tables", "-o", "made"],
        &["list"],
        &["extract", "-o", "made"],
    ];
    for verb in verbs {
        let (status, printed, said) = navmap(&temp, &[verb, &[absent]].concat());
        let told =
            "a.zip!maps/twon.nav: the archive holds no member of this name; did you mean maps/town.nav";
        let told = format!("{printed}{said}").replace("error: ", "").contains(told);
        assert!(told && status == Some(2), "{verb:?}: {status:?} {printed}{said}");
    }
    let (status, printed, _) = navmap(&temp, &["scan", "-q", absent, "a.zip!maps/town.nav"]);
    assert_eq!((status, printed.lines().count()), (Some(2), 3), "the rest is scanned: {printed}");
}

#[cfg(unix)]
#[test]
fn a_diff_of_folders_says_which_archives_and_folders_it_could_not_read() {
    let temp = Temp::new("members-diff");
    let mesh = std::fs::read(bundled().join("source/town.nav")).unwrap();
    let zip = make::deflated_zip(&[(b"maps/town.nav", &mesh)]);
    for folder in ["old", "new"] {
        temp.file(format!("{folder}/good.zip"), &zip);
        temp.file(format!("{folder}/notes.pak"), b"called like an archive, and none");
    }
    let (status, told, said) = navmap(&temp, &["diff", "old", "new"]);
    assert_eq!((status, &*said), (Some(0), ""), "{told}");
    let cut = &zip[..zip.len() / 2];
    let around = make::stored_zip(&[(b"in/cut.zip", cut), (b"maps/inner.nav", &mesh)]);
    for folder in ["old", "new"] {
        temp.file(format!("{folder}/cut.zip"), cut);
        temp.file(format!("{folder}/around.zip"), &around);
    }
    std::os::unix::fs::symlink("nowhere", temp.join("new/lost")).unwrap();
    let (status, told, said) = navmap(&temp, &["diff", "old", "new"]);
    assert_eq!(status, Some(1), "{told}{said}");
    for name in ["good.zip!maps/town.nav", "around.zip!maps/inner.nav"] {
        assert!(told.contains(&format!("{name}: the same file")), "{told}");
    }
    let cut = ["old/cut.zip", "new/cut.zip", "old/around.zip!in/cut.zip", "new/around.zip!in/cut.zip"];
    for name in cut {
        let line = said.lines().find(|line| line.starts_with(&format!("navmap: {name}: ")));
        assert!(line.is_some_and(|line| line.contains("ZIP directory")), "{name}: {said}");
    }
    assert!(said.contains("navmap: new/lost: ") && said.lines().count() == cut.len() + 1, "{said}");
}

/// The disk is asked about the first of them only: asked about all, the text would be looked at as often as it is long.
#[test]
fn a_name_with_very_many_marks_takes_no_longer_than_another() {
    let temp = tree("members-marks");
    let marks = "!".repeat(400_000);
    temp.file("list", marks.as_bytes());
    let begun = std::time::Instant::now();
    let (status, _, _) = navmap(&temp, &["scan", "-q", "--files-from", "list"]);
    assert_eq!(status, Some(2));
    assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
    // No member has a name as long as this one, so none is near.
    let (_, _, said) = navmap(&temp, &["info", &format!("a.zip!{}town.nav", "x/".repeat(3_000))]);
    assert!(said.contains("no member of this name") && !said.contains("did you mean"), "{said}");
}

#[test]
fn a_member_is_not_changed_in_place_and_the_work_is_not_begun() {
    let temp = tree("members-in-place");
    let before = std::fs::read(temp.join("a.zip")).unwrap();
    let member = "a.zip!maps/town.nav";
    let verbs: [&[&str]; 5] = [
        &["edit", member, "-c", "nav_crouch #1"],
        &["patch", member, "nowhere.txt"],
        &["analyze", member],
        &["slim", member],
        &["check", "--fix", member],
    ];
    for verb in verbs {
        let (status, printed, said) = navmap(&temp, &[verb, &["--in-place"]].concat());
        let told = format!("{member}: --in-place: the mesh is a member of an archive: -o FILE says where to");
        assert!(said.contains(&told), "{verb:?}: {said}");
        assert_eq!((status, &*printed, said.lines().count()), (Some(2), "", 1), "{verb:?}: {said}");
    }
    assert!(std::fs::read(temp.join("a.zip")).unwrap() == before);
}

/// The mesh of a member may be changed; the archive around it is no new version of it.
#[test]
fn an_archive_is_not_written_over_with_a_member_of_it() {
    let temp = tree("members-over");
    temp.file("jump.txt", b"nav_mark_attribute JUMP all\n");
    let before = std::fs::read(temp.join("a.zip")).unwrap();
    std::fs::hard_link(temp.join("a.zip"), temp.join("hard.nav")).unwrap();
    for member in ["a.zip!maps/town.nav", "a.zip!in.zip!deep.nav"] {
        let verbs: [&[&str]; 6] = [
            &["edit", member, "-f", "jump.txt"],
            &["edit", member, "-c", "nav_mark_attribute JUMP all; nav_save a.zip"],
            &["patch", member, "jump.txt"],
            &["analyze", member],
            &["slim", member],
            &["merge", member, member, member],
        ];
        for verb in verbs {
            for output in ["a.zip", "./a.zip", "hard.nav"] {
                let (status, _, said) = navmap(&temp, &[verb, &["-o", output, "--force"]].concat());
                assert!(status == Some(2) && said.contains("is read by this run"), "{verb:?}: {said}");
                assert!(std::fs::read(temp.join("a.zip")).unwrap() == before, "{verb:?}");
            }
        }
    }
}
