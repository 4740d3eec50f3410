//! The table of codes: it holds every code that the sources report, its page in `docs/` is made of it, and `check` shows,
//! hides and explains by it.

mod rows;

use navmap::edit::Fix;
use navmap::{Family, Kind, Severity, codes};
use navmap_testkit::corpus::project;
use navmap_testkit::sources::{self, Source};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::process::{Command, Output};

fn navmap(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_navmap")).args(args).current_dir(project()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn rows(args: &[&str]) -> Vec<serde_json::Value> {
    let args = [&["check", "-q", "--format", "jsonl"][..], args].concat();
    text(&navmap(&args).stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_page_of_findings_is_made_of_the_table() {
    let mut page = String::from(
        "# Findings\n\nWhat `navmap check` reports: `navmap check --explain CODE` prints one of these. Warnings and errors count \
         for the exit\nstatus; information and deviations (readable, but not as the game's own tools write it) do not.\n",
    );
    let mut of = None;
    for (family, code) in codes() {
        if of != Some(family) {
            of = Some(family);
            let title = family.map_or("of every family", Family::name);
            write!(
                page,
                "\n## {title}\n\n| code | severity | what it means | what to do |\n|---|---|---|---|\n"
            )
            .unwrap();
        }
        let hidden = if code.hidden { " (shown with `--all`)" } else { "" };
        writeln!(
            page,
            "| `{}` | {}{hidden} | {} | {} |",
            code.code, code.severity, code.meaning, code.remedy
        )
        .unwrap();
    }
    page.push_str(
        "\n## What `check --fix` mends\n\n`navmap check --fix MESH` prints these commands for what was found, as a script for \
         `navmap edit -f`; with `-o`\nor `--in-place` it runs them. In plugins `navmap fix` mends more \
         ([fix.md](fix.md)). Every other finding needs a person, the map or\nthe game.\n\n\
         | kind | code | command |\n|---|---|---|\n",
    );
    let mut told: Vec<(Family, Vec<&str>, &[Fix])> = Vec::new();
    for kind in Kind::ALL.iter().filter(|kind| !kind.fixes().is_empty()) {
        match told.iter_mut().find(|(family, _, fixes)| *family == kind.family() && *fixes == kind.fixes()) {
            Some((_, names, _)) => names.push(kind.name()),
            None => told.push((kind.family(), vec![kind.name()], kind.fixes())),
        }
    }
    for (_, names, fixes) in told {
        for fix in fixes {
            writeln!(page, "| {} | `{}` | `{}` |", names.join(", "), fix.code, fix.command).unwrap();
        }
    }
    let path = project().join("docs/findings.md");
    if std::env::var_os("NAVMAP_GOLDEN").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &page).unwrap();
    }
    assert!(
        fs::read_to_string(&path).unwrap() == page,
        "NAVMAP_GOLDEN=write cargo test --test findings makes it anew"
    );
}

#[test]
fn a_code_has_one_row_in_a_family_and_whole_sentences() {
    let mut seen = BTreeSet::new();
    for (family, code) in codes() {
        assert!(seen.insert((family.map(Family::name), code.code)), "{family:?} {} twice", code.code);
        assert!(codes().all(|(other, row)| family.is_none() || other.is_some() || row.code != code.code));
        for sentence in [code.meaning, code.remedy] {
            assert!(
                sentence.starts_with(char::is_uppercase) && sentence.ends_with(['.', ')']),
                "{}",
                code.code
            );
        }
        assert!(
            !code.hidden || code.severity == Severity::Info,
            "{}: what counts is never hidden",
            code.code
        );
    }
}

/// What stands between quotes and has the form of a code.
fn quoted(source: &str) -> impl Iterator<Item = &str> {
    let code = |text: &&str| {
        text.contains('-')
            && text.split('-').all(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase()))
    };
    source.split('"').filter(code)
}

#[test]
fn every_code_in_the_sources_is_in_the_table() {
    let known: BTreeSet<&str> = codes().map(|(_, code)| code.code).collect();
    let families: Vec<String> = Family::ALL.iter().map(|family| format!("crates/{family}/src/")).collect();
    let mut looked_at = 0;
    for Source { path, text } in sources::library() {
        let table = ["codes.rs", "convert.rs"].iter().any(|name| path.ends_with(name));
        let family = families.iter().any(|folder| path.starts_with(folder));
        if family && path.contains("check") && !table {
            looked_at += 1;
            for code in quoted(text.split("#[cfg(test)]").next().unwrap()) {
                assert!(known.contains(code), "{path}: {code} is in no table");
            }
        }
    }
    assert!(looked_at > 20, "{looked_at}");
}

#[test]
fn what_is_reported_has_a_row_and_is_no_worse_than_it_says() {
    let mut folders = vec!["corpus".to_owned()];
    folders.extend(navmap_testkit::corpus::real().map(|folder| folder.to_str().unwrap().to_owned()));
    for folder in folders {
        let found = rows(&["--all", &folder]);
        assert!(!found.is_empty());
        for row in found {
            let (name, severity) = (row["code"].as_str().unwrap(), row["severity"].as_str().unwrap());
            let fits = codes().any(|(_, code)| {
                let least = [Severity::Info, Severity::Deviation, Severity::Warning, Severity::Error];
                code.code == name && least.iter().any(|s| s.name() == severity && *s <= code.severity)
            });
            assert!(fits, "{row}");
            // A place and a space are only there for findings that have one.
            let keys = row.as_object().unwrap().keys().map(String::as_str);
            let keys: Vec<_> = keys.filter(|key| !["at", "space"].contains(key)).collect();
            let contract = ["byte", "code", "id", "index", "member", "message", "path", "record", "severity"];
            assert_eq!(keys.into_iter().collect::<BTreeSet<_>>(), contract.into());
        }
    }
}

#[test]
fn findings_say_where_they_are() {
    let file = "corpus/hostile/source/twins.nav";
    let found = rows(&["--code", "duplicate-area-id", file]);
    let [row] = &found[..] else { panic!("{found:?}") };
    let at: Vec<f64> = row["at"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
    let line = text(&navmap(&["check", "-q", "--code", "duplicate-area-id", file]).stdout);
    assert!(line.ends_with(&format!("[duplicate-area-id] setpos {} {} {}\n", at[0], at[1], at[2])), "{line}");
    let line = text(
        &navmap(&["check", "-q", "--code", "dangling-target", "corpus/hostile/quake/target-500.nav"]).stdout,
    );
    assert!(line.contains("[dangling-target] at "), "{line}");
    for (code, folder) in [("face-corner", "corpus/hostile/fox"), ("quad", "corpus/fox")] {
        assert!(!rows(&["--code", code, folder]).is_empty(), "{code}");
    }
    assert!(rows(&["--code", "quad", "corpus/fox"]).iter().all(|row| row["at"].is_array()));
}

#[test]
fn codes_choose_what_is_printed_and_what_counts() {
    let odd = "corpus/hostile/source/twins.nav";
    let status = |args: &[&str]| navmap(&[&["check", "-q"][..], args, &[odd]].concat()).status.code();
    assert_eq!(status(&[]), Some(1));
    assert_eq!(status(&["--code", "self-connection"]), Some(1));
    assert_eq!(status(&["--code", "isolated,zero-areas"]), Some(0));
    let rest = "duplicate-area-id,shared-rectangle,zero-map-size";
    assert_eq!(status(&["--ignore", "self-connection", "--ignore", rest]), Some(0));
    let found: BTreeSet<String> = rows(&["--ignore", "self-connection", odd])
        .iter()
        .map(|row| row["code"].as_str().unwrap().to_owned())
        .collect();
    assert!(found.contains("duplicate-area-id") && !found.contains("self-connection"), "{found:?}");
    let typo = navmap(&["check", "--code", "self-conection", odd]);
    assert_eq!(typo.status.code(), Some(2));
    assert!(
        text(&typo.stderr).contains("self-connection"),
        "a similar code is named: {}",
        text(&typo.stderr)
    );
}

#[test]
fn a_run_ends_with_a_line_for_each_code() {
    let said = text(&navmap(&["check", "corpus/hostile/source/twins.nav"]).stderr);
    assert!(said.contains("        1  error      duplicate-area-id in 1 mesh\n"), "{said}");
    assert!(said.contains("        2  warning    self-connection in 1 mesh\n"), "{said}");
    assert!(said.lines().next().unwrap().contains("/s), ") && said.contains(" warnings, 1 error"), "{said}");
    // What is legal is no finding that counts, and is told apart.
    let said = text(&navmap(&["check", "corpus/source/town.nav"]).stderr);
    assert!(said.contains("/s), 0 warnings, 0 errors; 27 remarks\n"), "{said}");
    assert!(said.contains("--explain CODE"), "{said}");
    let said = text(&navmap(&["check", "--load-order", "corpus/skyrim/order/Base.esm"]).stderr);
    assert_eq!(said, "1 plugin: 0 warnings, 0 errors\n");
}

#[test]
fn a_code_is_explained_without_a_file() {
    let done = navmap(&["check", "--explain", "dangling-connection"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let said = text(&done.stdout);
    assert!(said.starts_with("dangling-connection (error; source)\n  An area is connected"), "{said}");
    assert!(
        said.contains("`navmap check --fix` mends it: clean (source2), clean_links --dangling (source)"),
        "{said}"
    );
    for (code, family, command) in [
        ("stale-distance", "yapb", "measure"),
        ("self-link", "rcbot", "clean_links"),
        ("wrong-zone", "nodegraph", "number_zones (ain)"),
    ] {
        let said = text(&navmap(&["check", "--explain", code]).stdout);
        let of = said.split("\n\n").find(|part| part.contains(&format!("; {family})"))).expect(&said);
        let line = format!("  `navmap check --fix` mends it: {command}");
        assert!(of.lines().any(|own| own == line), "{line}\n{said}");
    }
    // In two families the word means two things.
    let both = text(&navmap(&["check", "--explain", "experimental-layout"]).stdout);
    assert_eq!(both.lines().filter(|line| line.starts_with("experimental-layout (")).count(), 8, "{both}");
    let all = text(&navmap(&["check", "--explain", "all"]).stdout);
    assert!(all.lines().filter(|line| line.contains(" (")).count() >= codes().count());
    assert_eq!(navmap(&["check", "--explain", "no-such-code"]).status.code(), Some(2));
}
