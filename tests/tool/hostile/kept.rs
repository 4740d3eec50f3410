//! Small meshes of very many links, and scripts that overwrite very much: little memory, or a limit with its name.

use super::memory::peak;
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

/// Runs the program: its peak in KiB is below the bar, and it ends as expected and says so.
#[track_caller]
fn holds(temp: &Temp, words: &[&str], files: &[&PathBuf], status: i32, said: &str) {
    let command = || {
        let mut command = navmap();
        command.current_dir(temp.path()).args(words).args(files);
        command
    };
    let done = run(&words.join(" "), &mut command());
    let text = String::from_utf8_lossy(&done.stderr).into_owned();
    let last = text.lines().last().unwrap_or_default();
    assert!(
        done.status.code() == Some(status) && text.contains(said),
        "{words:?}: {:?}: {last}",
        done.status
    );
    let (kib, _) = peak(&mut command());
    assert!(kib < 64 << 10, "{words:?}: {kib} KiB");
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

#[test]
fn what_a_script_keeps_to_take_back_is_small() {
    let temp = Temp::new("kept");
    let bare = temp.file("bare.nav", &mesh(9_000, |_| Vec::new()));
    let limit = "values kept to take back: ";
    for (name, script, said) in [
        ("crouch.txt", "nav_crouch all\n".repeat(3_000), limit),
        ("select.txt", "select all\nselect #1\n".repeat(4_000), limit),
        ("mark.txt", "nav_mark #1\nnav_mark #2\n".repeat(36_000), ""),
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
