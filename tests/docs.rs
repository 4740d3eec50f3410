//! What the code cites is written down.

use navmap_testkit::sources;
use std::fs;
use std::path::Path;

/// The text of a file as one line, without the marks of comments.
fn unwrapped(text: &str) -> String {
    let words = text.split_whitespace().filter(|word| !matches!(*word, "//" | "///" | "//!"));
    words.collect::<Vec<_>>().join(" ")
}

/// The numbers after `section` or `sections`: `1.2 and 1.4` is two of them.
fn sections(after: &str) -> Vec<String> {
    let Some(list) = after.strip_prefix("`, section ").or_else(|| after.strip_prefix("`, sections ")) else {
        return Vec::new();
    };
    let words = list.split(' ').map(|word| word.trim_matches(|c: char| !c.is_ascii_digit()));
    let mut numbers = Vec::new();
    for (word, raw) in words.zip(list.split(' ')) {
        match word.starts_with(|c: char| c.is_ascii_digit()) {
            true => numbers.push(word.to_owned()),
            false if raw == "and" => {}
            false => break,
        }
        if raw.ends_with(['.', ')', ':', ';', ']']) {
            break;
        }
    }
    numbers
}

/// Whether the line is the heading of this section: `## 4. Editing`, `### 4.1 Areas`.
fn is_heading(line: &str, number: &str) -> bool {
    let words = line.trim_start_matches('#').split_whitespace();
    line.starts_with('#') && words.map(|word| word.trim_end_matches(['.', ','])).any(|word| word == number)
}

#[test]
fn every_page_and_section_that_the_code_cites_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut cited, mut missing) = (0, Vec::new());
    for file in sources::library() {
        let text = unwrapped(&file.text);
        for (at, _) in text.match_indices("`docs/") {
            let rest = &text[at + 1..];
            let (page, after) = rest.split_at(rest.find('`').unwrap());
            let Ok(written) = fs::read_to_string(root.join(page)) else {
                missing.push(format!("{}: {page}", file.path));
                continue;
            };
            for number in sections(after) {
                cited += 1;
                if !written.lines().any(|line| is_heading(line, &number)) {
                    missing.push(format!("{}: {page}, section {number}", file.path));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(cited > 50, "{cited}");
}

/// Every page that is written by hand or made of the code, from the root of the project.
fn pages() -> Vec<String> {
    let mut pages =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(str::to_owned).to_vec();
    for folder in ["docs", "docs/formats"] {
        let names = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        pages.extend(names.filter(|name| name.ends_with(".md")).map(|name| format!("{folder}/{name}")));
    }
    pages
}

/// The anchor that a heading gets: `## How fast` is `#how-fast`.
fn anchor(heading: &str) -> String {
    let words = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
    words.chars().filter(|letter| letter.is_alphanumeric() || "-_".contains(*letter)).collect()
}

#[test]
fn links_between_the_pages_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut followed, mut lost) = (0, Vec::new());
    for page in pages().into_iter().chain(["src/query/guide.md".into()]) {
        let text = fs::read_to_string(root.join(&page)).unwrap();
        let folder = root.join(&page).parent().unwrap().to_owned();
        for (at, _) in text.match_indices("](") {
            let target = text[at + 2..].split(')').next().unwrap();
            let (file, wanted) = target.split_once('#').unwrap_or((target, ""));
            if target.contains("://") {
                continue;
            }
            followed += 1;
            let there = if file.is_empty() { root.join(&page) } else { folder.join(file) };
            let found = match fs::read_to_string(&there) {
                Ok(text) if !wanted.is_empty() => {
                    text.lines().any(|line| line.starts_with('#') && anchor(line) == wanted)
                }
                Ok(_) => true,
                Err(_) => there.exists(),
            };
            if !found {
                lost.push(format!("{page} links to {target}"));
            }
        }
    }
    assert!(lost.is_empty(), "{lost:#?}");
    assert!(followed > 70, "{followed}");
}

/// Whether what stands between two back quotes is a path of the project, as pages write it: `crates/yapb/src/check.rs`.
fn is_path(code: &str) -> bool {
    let first = code.split('/').next().unwrap();
    let roots =
        ["crates", "src", "tool", "bindings", "tests", "benches", "examples", "corpus", "docs", ".ci"];
    roots.contains(&first)
        && code.contains('/')
        && code.chars().all(|letter| letter.is_ascii_alphanumeric() || "/._-".contains(letter))
}

#[test]
fn every_path_that_a_page_names_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut named, mut lost) = (0, Vec::new());
    for page in pages() {
        // Sources of the games lie under `src/` too, and what changed stays told as it was.
        if page == "CHANGELOG.md" || page.starts_with("docs/formats/") {
            continue;
        }
        let text = fs::read_to_string(root.join(&page)).unwrap();
        // Code in blocks is what somebody types; what is there, or is made, is not told from it.
        let prose = text.split("```").step_by(2);
        for code in prose.flat_map(|prose| prose.split('`').skip(1).step_by(2)).filter(|code| is_path(code)) {
            named += 1;
            let made = code.contains("toy") || code.starts_with("tests/fuzz/artifacts");
            if !made && !root.join(code).exists() {
                lost.push(format!("{page}: {code}"));
            }
        }
    }
    assert!(lost.is_empty(), "{lost:#?}");
    assert!(named > 50, "{named}");
}

#[test]
fn every_page_is_in_the_table_of_contents() {
    let contents = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/README.md")).unwrap();
    for page in
        pages().iter().filter_map(|page| page.strip_prefix("docs/")).filter(|page| *page != "README.md")
    {
        assert!(contents.contains(&format!("| [{page}]({page}) |")), "{page}");
    }
}

#[test]
fn the_readme_is_short() {
    let readme = fs::metadata(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap().len();
    assert!(readme < 5_700, "{readme} bytes: the rest belongs into docs/");
}

/// The crates of ours that a manifest names under `[dependencies]`, without `navmap-`.
fn below(manifest: &str) -> Vec<&str> {
    let part = manifest.split("\n[dependencies]\n").nth(1).unwrap_or_default();
    let part = part.split("\n[").next().unwrap();
    let names = part.lines().filter_map(|line| line.strip_prefix("navmap-"));
    names.map(|line| line.split(['.', ' ']).next().unwrap()).collect()
}

#[test]
fn the_drawing_of_the_floors_is_that_of_the_manifests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let mut drawn = Vec::new();
    for row in page.lines().filter_map(|line| line.strip_prefix("| `crates/")) {
        let (name, rest) = row.split_once('`').unwrap();
        let stands_on = rest.split('|').nth(1).unwrap();
        let mut words: Vec<&str> = stands_on.split([',', ' ']).filter(|word| !word.is_empty()).collect();
        if let Some(at) = words.iter().position(|word| *word == "families") {
            words.splice(
                at..=at,
                ["aas", "detour", "fox", "nodegraph", "quake", "rcbot", "skyrim", "source", "xray", "yapb"],
            );
        }
        words.sort_unstable();
        let manifest = fs::read_to_string(root.join("crates").join(name).join("Cargo.toml")).unwrap();
        let mut below = below(&manifest);
        below.sort_unstable();
        assert_eq!(words, below, "crates/{name}");
        assert!(
            below.iter().all(|other| drawn.contains(&(*other).to_owned())),
            "crates/{name} comes before what it stands on"
        );
        drawn.push(name.to_owned());
    }
    let crates = fs::read_dir(root.join("crates")).unwrap().count();
    assert_eq!(drawn.len(), crates, "{drawn:?}");
}

#[test]
fn the_readme_names_the_declared_rust() {
    let read = |file| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
    let manifest = read("Cargo.toml");
    let declared =
        manifest.split("rust-version = \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert!(read("README.md").contains(&format!(" Rust {declared} or later builds it.\n")), "{declared}");
}

#[test]
fn every_test_that_the_architecture_names_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tests: String = sources::below("tests").into_iter().map(|file| file.text).collect();
    let page = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let is_name = |code: &&str| {
        code.matches('_').count() > 2
            && code.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    let named: Vec<&str> = page.split('`').filter(is_name).collect();
    let lost: Vec<_> = named.iter().filter(|name| !tests.contains(&format!("fn {name}()"))).collect();
    assert!(lost.is_empty(), "{lost:?}");
    assert!(named.len() > 10, "{named:?}");
}

/// What the links of a cell name between back quotes, each with the file that the link leads to.
fn linked(cell: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for (names, rest) in cell.split('[').filter_map(|link| link.split_once("](")) {
        let file = rest.split(')').next().unwrap();
        found.extend(names.split('`').skip(1).step_by(2).map(|name| (name, file)));
    }
    found
}

/// Whether a file defines the function or the type that a path of names ends with, in Rust or in C.
fn defines(text: &str, path: &str) -> bool {
    let name = path.rsplit("::").next().unwrap();
    let before = ["fn ", "struct ", "enum ", "void ", "navmap_status "];
    before
        .iter()
        .any(|kind| ["(", "<", " {"].iter().any(|after| text.contains(&format!("{kind}{name}{after}"))))
}

/// Whether a file calls this function, or names this type.
fn uses(text: &str, path: &str) -> bool {
    let name = path.rsplit("::").next().unwrap();
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let is_type = name.starts_with(char::is_uppercase) || name == "navmap_query_options";
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (text[..at].chars().next_back(), text[at + name.len()..].chars().next());
        let ends = if is_type { !after.is_some_and(is_word) } else { after == Some('(') };
        ends && !before.is_some_and(is_word)
    })
}

#[test]
fn every_call_that_a_bot_is_told_of_is_there_and_made_by_the_test_beside_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let page = fs::read_to_string(folder.join("embedding.md")).unwrap();
    let head = "| what | in Rust | held by | in C | held by |\n|---|---|---|---|---|\n";
    let (_, table) = page.split_once(head).unwrap();
    let (mut rows, mut calls, mut lost) = (0, 0, Vec::new());
    for row in table.lines().take_while(|line| line.starts_with('|')) {
        rows += 1;
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [what, rust, rust_tests, c, c_tests] = cells[..] else { panic!("{row}") };
        for (cell, tests) in [(rust, rust_tests), (c, c_tests)] {
            let read = |file: &str| fs::read_to_string(folder.join(file)).unwrap_or_default();
            let tests: Vec<(&str, String)> =
                linked(tests).into_iter().map(|(test, file)| (test, read(file))).collect();
            let absent = tests.iter().filter(|(test, text)| !defines(text, test));
            lost.extend(absent.map(|(test, _)| format!("{what}: no test {test}")));
            let made = linked(cell);
            if made.is_empty() || tests.is_empty() {
                lost.push(format!("{what}: {cell} is no call with a test"));
            }
            for (call, file) in made {
                calls += 1;
                if !defines(&read(file), call) {
                    lost.push(format!("{what}: {call} is not in {file}"));
                }
                if !tests.iter().any(|(_, text)| uses(text, call)) {
                    lost.push(format!("{what}: no test makes the call {call}"));
                }
            }
        }
    }
    assert!(lost.is_empty(), "{lost:#?}");
    assert!(rows > 15 && calls > 50, "{rows} rows, {calls} calls");
}
