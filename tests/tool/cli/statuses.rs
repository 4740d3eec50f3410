//! The exit statuses of `docs/rules.md`, the same for every verb.

use crate::{navmap, text};
use navmap_testkit::temp::Temp;
use std::fs;
use std::path::Path;

#[test]
fn missing_empty_and_foreign_files_mean_the_same_to_every_verb() {
    let temp = Temp::new("statuses");
    for (name, bytes) in [("empty.nav", &b""[..]), ("foreign.nav", b"hello"), ("readme.txt", b"hello")] {
        fs::write(temp.join(name), bytes).unwrap();
    }
    let (svg, obj, made) = (temp.join("a.svg"), temp.join("a.obj"), temp.join("made"));
    let [svg, obj, made] = [&svg, &obj, &made].map(|path| path.to_str().unwrap());
    let verbs: [(&str, &[&str]); 16] = [
        ("scan", &[]),
        ("scan", &["--headers"]),
        ("scan", &["--graph"]),
        ("check", &[]),
        ("info", &[]),
        ("dump", &[]),
        ("draw", &["-o", svg]),
        ("export", &["-o", obj]),
        ("convert", &["--to", "nav3-6", "-o", made]),
        ("edit", &["-c", "undo", "-o", made]),
        ("slim", &["-o", made]),
        ("analyze", &["-o", made]),
        ("trace", &["0,0,0", "1,0,0"]),
        ("generate", &["--game", "cz", "-o", made]),
        ("list", &[]),
        ("extract", &["-o", made]),
    ];
    for (verb, options) in verbs {
        for (file, status) in [("missing.nav", 2), ("empty.nav", 1), ("foreign.nav", 1), ("readme.txt", 1)] {
            let path = temp.join(file);
            let done = navmap(&[&[verb, path.to_str().unwrap()], options].concat());
            let said = text(&done.stderr);
            assert_eq!(done.status.code(), Some(status), "{verb} {options:?} {file}: {said}");
            let told = text(&done.stdout).contains(file) || said.contains(file);
            assert!(told, "{verb} {options:?} {file}: {said}");
            assert!(!Path::new(svg).exists() && !Path::new(obj).exists() && !Path::new(made).exists());
        }
    }
}
