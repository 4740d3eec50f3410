//! Small meshes of very many links, and scripts that overwrite very much: little memory, or a limit with its name.

use super::memory::{ends_small, peak};
use super::{navmap, run};
use navmap_testkit::source::{Area, Mesh, write};
use navmap_testkit::temp::Temp;
use std::path::PathBuf;

/// Areas side by side, each with the connections that `to` gives it.
fn mesh(areas: u32, to: impl Fn(u32) -> Vec<u32>) -> Vec<u8> {
    let area = |i: u32| {
        let [x, y] = [i % 100, i / 100].map(|at| at as f32 * 60.0);
        let connections = [to(i), Vec::new(), Vec::new(), Vec::new()];
        Area { id: i + 1, nw: [x, y, 0.0], se: [x + 50.0, y + 50.0, 0.0], connections, ..Area::default() }
    };
    let bytes = write(&Mesh { version: 9, areas: (0..areas).map(area).collect(), ..Mesh::default() });
    assert!(bytes.len() < 1 << 20, "{}", bytes.len());
    bytes
}

/// Runs the program in a folder.
#[track_caller]
fn holds(temp: &Temp, words: &[&str], files: &[&PathBuf], status: i32, said: &str) {
    let command = || {
        let mut command = navmap();
        command.current_dir(temp.path()).args(words).args(files);
        command
    };
    ends_small(&words.join(" "), command, status, said);
}

#[test]
fn showing_areas_of_links_to_nowhere_takes_little() {
    let temp = Temp::new("shown");
    let apart = temp.file("apart.nav", &mesh(490, |i| (1_000 + 500 * i..1_500 + 500 * i).collect()));
    let few = temp.file("few.nav", &mesh(7_000, |i| (9_000 + 16 * i..9_016 + 16 * i).collect()));
    let one = temp.file("one.nav", &mesh(1, |_| (1_000..250_000).collect()));
    for path in [&apart, &few] {
        for selector in ["#1", "all"] {
            let mut command = navmap();
            let (kib, status) = peak(command.arg("show").arg(path).arg(selector));
            assert!(kib < 64 << 10 && status == Some(0), "{selector}: {kib} KiB, {status:?}");
        }
    }
    let mut command = navmap();
    let shown = run("show", command.arg("show").arg(&apart).arg("#1"));
    let text = String::from_utf8(shown.stdout).unwrap();
    assert!(text.contains("and 484 more [dangling-connection]"), "{text}");
    let limit = "links of a node that is shown: 249000 is over the limit of 32768";
    let mut command = navmap();
    let refused = run("show", command.arg("show").arg(&one).arg("#1"));
    assert!(String::from_utf8_lossy(&refused.stderr).contains(limit), "{refused:?}");
    let (kib, _) = peak(navmap().arg("show").arg(&one).arg("#1"));
    assert!(kib < 64 << 10, "{kib} KiB");
}

/// Whether a link leads back was looked for among all links of the other node, for each link.
#[test]
fn showing_areas_linked_many_times_comes_to_an_end() {
    let temp = Temp::new("linked-many");
    let path = temp.file("two.nav", &mesh(2, |_| vec![2; 16_000]));
    let shared = navmap_testkit::heavy::source::shape("areas that share one id")(10_000);
    let shared = temp.file("shared.nav", &shared);
    for (path, selector) in [(path, "#1"), (shared, "all")] {
        let mut command = navmap();
        let done = run("show", command.arg("show").arg(path).arg(selector));
        assert_eq!(done.status.code(), Some(0), "{selector}");
    }
}

#[test]
fn merging_very_many_links_takes_little_or_is_refused_by_name() {
    let temp = Temp::new("merged");
    let none = temp.file("none.nav", &mesh(490, |_| Vec::new()));
    let all = temp.file("all.nav", &mesh(490, |_| (1..490).collect()));
    let some = temp.file("some.nav", &mesh(200, |_| (1..200).collect()));
    let bare = temp.file("bare.nav", &mesh(200, |_| Vec::new()));
    let nowhere = temp.file("nowhere.nav", &mesh(490, |i| (1_000 + 500 * i..1_500 + 500 * i).collect()));
    let merge = ["merge", "--force", "-o", "out.nav"];
    let limit = "changes of a merge: ";
    for [base, ours, theirs] in
        [[&none, &none, &all], [&all, &all, &none], [&nowhere, &nowhere, &none], [&none, &all, &all]]
    {
        holds(&temp, &merge, &[base, ours, theirs], 2, limit);
    }
    for [base, ours, theirs] in [[&bare, &bare, &some], [&some, &some, &bare], [&bare, &some, &bare]] {
        holds(&temp, &merge, &[base, ours, theirs], 0, "");
    }
}

/// Each area that is gone is in conflict with what the other side did to it.
#[test]
fn a_merge_of_a_side_that_lost_nearly_all_tells_some_conflicts_of_each_kind() {
    let temp = Temp::new("lost");
    let side =
        |name: &str, areas: u32, step: u32| temp.file(name, &mesh(areas, |i| vec![(i + step) % areas + 1]));
    let [base, lost, linked] =
        [side("base.nav", 5_000, 1), side("lost.nav", 3, 1), side("linked.nav", 5_000, 2)];
    for [ours, theirs] in [[&lost, &linked], [&linked, &lost]] {
        let done = run("merge", navmap().arg("merge").args([&base, ours, theirs]));
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(1), "{said}");
        assert!(said.len() < 20_000 && said.contains("more conflicts\n"), "{} bytes: {said}", said.len());
        assert!(said.contains(" of theirs in ours, 4,99"), "{said}");
    }
}

#[test]
fn what_a_script_keeps_to_take_back_is_small() {
    let temp = Temp::new("kept");
    let bare = temp.file("bare.nav", &mesh(9_000, |_| Vec::new()));
    let limit = "values kept to take back: ";
    for (name, script, said) in [
        ("crouch.txt", "nav_crouch all\n".repeat(3_000), limit),
        ("select.txt", "select all\nselect #1\n".repeat(4_000), limit),
        ("mark.txt", "nav_mark #1\nnav_mark #2\n".repeat(25_000), ""),
        ("shape.txt", "nav_corner_raise 1 all\n".repeat(3_000), ""),
    ] {
        assert!(script.len() < 1 << 20);
        let script = temp.file(name, script.as_bytes());
        let words = [
            "edit",
            "--keep-going",
            "--force-odd",
            "--force",
            "-o",
            "out.nav",
            "-f",
            script.to_str().unwrap(),
        ];
        holds(&temp, &words, &[&bare], i32::from(name != "mark.txt"), said);
    }
}

/// Commands that cut areas make many of a few. Each is weighed while it makes them, and not once they are there.
#[test]
fn a_command_that_makes_very_many_areas_ends_before_it_has_made_them() {
    let temp = Temp::new("multiplied");
    let bare = temp.file("bare.nav", &mesh(13_100, |_| Vec::new()));
    let wide = |i: u32| {
        let [x, y] = [i % 100, i / 100].map(|at| at as f32 * 500.0);
        Area { id: i + 1, nw: [x, y, 0.0], se: [x + 400.0, y + 30.0, 0.0], ..Area::default() }
    };
    let wide = write(&Mesh { version: 4, areas: (0..17_000).map(wide).collect(), ..Mesh::default() });
    assert!(wide.len() < 1 << 20);
    let wide = temp.file("wide.nav", &wide);
    let limit = "values kept to take back: ";
    for (mesh, line) in [
        (&bare, "nav_subdivide all"),
        (&bare, "nav_chop_selected all"),
        (&bare, "nav_simplify_selected --mesh-only all"),
        (&wide, "nav_subdivide 10 all"),
        (&wide, "square_up all"),
    ] {
        let words = ["edit", "--force-odd", "--force", "-o", "out.nav", "-c", line];
        holds(&temp, &words, &[mesh], 1, limit);
        holds(&temp, &words, &[mesh], 1, "; choose fewer at once");
    }
}

/// A command that is refused for what it keeps has changed thousands of areas in vain, and counts for that: else a script could have them
/// changed in vain for hours.
#[test]
fn a_command_that_keeps_too_much_counts_among_those_that_look_at_much() {
    let temp = Temp::new("in-vain");
    let bare = temp.file("bare.nav", &mesh(9_000, |_| Vec::new()));
    let script = temp.file("a.txt", "nav_crouch all\n".repeat(1_000).as_bytes());
    let mut command = navmap();
    command.args(["edit", "-q", "--keep-going", "--dry-run"]).arg(&bare).arg("-f").arg(&script);
    let said = String::from_utf8(run("in vain", &mut command).stderr).unwrap();
    let [kept, looked] = ["values kept to take back: ", "items that a script looks at: "]
        .map(|limit| said.matches(limit).count());
    // Those that are done count 16 for each area, those in vain 48.
    assert!((100..400).contains(&kept) && kept + looked > 900, "{kept} and {looked}");
}
