//! Completion in shells, and manual pages.

use super::{navmap, text};
use navmap_testkit::temp::Temp;
use std::fs;
use std::process::Command;

#[test]
fn completions_and_the_manual_come_from_the_arguments() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let done = navmap(&["completions", shell]);
        assert!(done.status.success() && text(&done.stdout).contains("unordered"), "{shell}");
    }
    let bash = text(&navmap(&["completions", "bash"]).stdout);
    for value in ["traversals", "island", "jsonl", "deviation"] {
        assert!(bash.contains(value), "a shell offers {value}");
    }
    let zsh = text(&navmap(&["completions", "zsh"]).stdout);
    assert!(
        zsh.starts_with("#compdef navmap\n") && zsh.contains("compdef _navmap navmap\n"),
        "loads either way"
    );
    for option in [
        ":LAYER:_values -s , LAYER links one-way traversals",
        ":WHAT:(height place island",
        ":FILE:_files",
        "(scan)",
    ] {
        assert!(zsh.contains(option), "zsh offers {option}");
    }
    for verb in ["scan", "draw", "check", "convert"] {
        assert!(zsh.contains(&format!("\n'{verb}:")), "zsh says what {verb} does");
    }
    let program = text(&navmap(&["man"]).stdout);
    assert!(program.contains(".TH navmap 1") && program.contains("navmap\\-scan(1)"));
    assert!(!program.contains("navmap\\-help(1)"), "a page that is not written");
    let scan = text(&navmap(&["man", "scan"]).stdout);
    assert!(
        scan.contains(".TH navmap-scan 1") && scan.contains("\nBytes of a file that is read rather"),
        "{scan}"
    );
    assert!(!scan.contains("\\-\\-version"), "a verb has no version");
    let sql = text(&navmap(&["man", "sql"]).stdout);
    assert!(sql.contains("\nBytes that a statement may hold at one time"), "{sql}");
    let temp = Temp::new("pages");
    let pages = temp.join("share/man1");
    assert!(navmap(&["man", "--all", pages.to_str().unwrap()]).status.success(), "the folder is made");
    let help = text(&navmap(&["--help"]).stdout);
    let verbs = help.split_once("Look:\n").unwrap().1.split_once("Options:\n").unwrap().0;
    let verbs =
        verbs.lines().filter_map(|line| line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')));
    let verbs = verbs.filter_map(|line| line.split_once(' '));
    for (verb, does) in verbs.filter(|(verb, _)| *verb != "help") {
        let help = text(&navmap(&[verb, "--help"]).stdout);
        assert!(help.contains(&format!("Examples:\n  navmap {verb}")), "{verb} has examples");
        // The list of verbs wraps what they do, so its first words are looked for.
        let does: Vec<&str> = does.split_whitespace().take(4).collect();
        assert!(help.starts_with(&does.join(" ")), "{verb} says what it does: {help}");
        let page = fs::read_to_string(pages.join(format!("navmap-{verb}.1"))).unwrap();
        assert!(page.contains("\n.SH EXAMPLES\n"), "{verb} has a page");
        assert!(page.contains("\n.SH EXIT STATUS\n0 all is well") && !page.contains("EXTRA"), "{verb}");
        // Every option says what it is.
        assert!(!page.contains("\\fR\n\n.TP\n"), "{verb}: {page}");
        assert!(page.contains(&format!("\n\\fBnavmap {verb}\\fR")), "{verb} is shown as it is typed");
    }
}

#[cfg(unix)]
#[test]
fn bash_offers_values_after_each_comma() {
    let offered = |typed: &str| {
        let script = "source <(\"$1\" completions bash); COMP_WORDS=(navmap draw --layer \"$2\"); COMP_CWORD=3; \
                      _navmap navmap \"$2\" --layer; echo \"${COMPREPLY[@]}\"";
        let done =
            Command::new("bash").args(["-c", script, "bash", env!("CARGO_BIN_EXE_navmap"), typed]).output();
        let done = done.expect("bash starts");
        assert!(done.status.success(), "{}", text(&done.stderr));
        text(&done.stdout).trim().to_owned()
    };
    assert_eq!(offered("tr"), "traversals");
    assert_eq!(offered("links,tr"), "links,traversals");
    assert_eq!(offered("links,one-way,lad"), "links,one-way,ladders");
    assert_eq!(offered("links,x"), "");
}
