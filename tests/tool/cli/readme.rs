//! The pages show what a run prints, and the verbs that there are.

use super::navmap;
use navmap_testkit::corpus::project;
use navmap_testkit::temp::Temp;
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

fn page(name: &str) -> String {
    fs::read_to_string(project().join(name)).unwrap()
}

/// The verbs, by the pages of the manual that there are.
fn verbs(test: &str) -> BTreeSet<String> {
    let temp = Temp::new(test);
    let done = navmap(&["man", "--all", temp.path().to_str().unwrap()]);
    assert!(done.status.success());
    let names =
        fs::read_dir(temp.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut verbs: BTreeSet<String> =
        names.filter_map(|name| Some(name.strip_prefix("navmap-")?.strip_suffix(".1")?.to_owned())).collect();
    verbs.insert("help".to_owned());
    verbs
}

/// The verbs that the blocks of a page for a shell show.
fn shown(page: &str) -> BTreeSet<String> {
    let blocks = page.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap());
    let lines = blocks.flat_map(str::lines).filter_map(|line| line.strip_prefix("navmap "));
    lines.map(|line| line.split(' ').next().unwrap().to_owned()).collect()
}

#[test]
fn pages_show_what_the_scan_prints_to_the_byte() {
    for name in ["README.md", "docs/verbs.md"] {
        let mut shown = 0;
        for block in page(name).split("```console\n$ navmap ").skip(1) {
            let (command, printed) = block.split("```").next().unwrap().split_once('\n').unwrap();
            let mut run = Command::new(env!("CARGO_BIN_EXE_navmap"));
            let done = run.args(command.split(' ')).current_dir(project()).output().unwrap();
            assert_eq!(String::from_utf8(done.stdout).unwrap(), printed, "{name}: navmap {command}");
            shown += 1;
        }
        assert_eq!(shown, 1, "commands with their output in {name}");
    }
}

#[test]
fn the_groups_of_verbs_in_help_are_the_headings_of_their_page() {
    let help = String::from_utf8(navmap(&["--help"]).stdout).unwrap();
    let listed = help.split_once("\n\n").unwrap().1.split_once("Options:\n").unwrap().0;
    let groups =
        listed.lines().filter_map(|line| line.strip_suffix(':').filter(|name| !name.starts_with(' ')));
    let page = page("docs/verbs.md");
    let headings = page.lines().filter_map(|line| line.strip_prefix("## "));
    let headings: Vec<&str> = headings.take_while(|name| *name != "What every verb does").collect();
    assert_eq!(groups.collect::<Vec<_>>(), headings);
}

#[test]
fn the_page_of_verbs_shows_each_of_them_and_the_readme_eleven() {
    let (all, page, readme) = (verbs("verbs-of-pages"), page("docs/verbs.md"), page("README.md"));
    assert_eq!(shown(&page), all);
    assert!(page.contains(&format!("The program has {} verbs.", all.len())), "{}", all.len());
    assert!(readme.contains(&format!("[All {} verbs](docs/verbs.md)", all.len())), "{}", all.len());
    let eleven = shown(&readme);
    assert!(eleven.len() == 11 && eleven.is_subset(&all), "{eleven:?}");
}

#[test]
fn options_stand_under_headings_by_what_they_do() {
    let options = [
        ("-o, --output", "What is written"),
        ("--in-place", "What is written"),
        ("--dry-run", "What is written"),
        ("--report <FILE>", "What is written"),
        ("--format", "What is printed"),
        ("--mmap", "What is read"),
        ("--max-ratio", "Limits"),
    ];
    let mut found = BTreeSet::new();
    for verb in verbs("verbs-with-options").iter().filter(|verb| *verb != "help") {
        let help = String::from_utf8(navmap(&[verb, "--help"]).stdout).unwrap();
        let mut heading = "";
        for line in help.lines() {
            if let Some(name) = line.strip_suffix(':').filter(|name| !name.starts_with(' ')) {
                heading = name;
            }
            let own = options.iter().find(|(option, _)| line.trim_start().starts_with(option));
            let Some((option, wanted)) = own.filter(|_| line.starts_with("  ")) else { continue };
            assert_eq!(heading, *wanted, "{option} of {verb}");
            found.insert(*option);
        }
    }
    assert_eq!(found.len(), options.len(), "{found:?}");
}
