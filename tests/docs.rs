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

#[test]
fn links_between_the_pages_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = [
        "README.md",
        "rules.md",
        "limits.md",
        "findings.md",
        "trace.md",
        "tables.md",
        "c.md",
        "adding-a-family.md",
    ]
    .map(|page| format!("docs/{page}"));
    for page in ["README.md", "CONTRIBUTING.md"].map(str::to_owned).into_iter().chain(docs) {
        let text = fs::read_to_string(root.join(&page)).unwrap();
        let folder = root.join(&page).parent().unwrap().to_owned();
        for (at, _) in text.match_indices("](") {
            let target = text[at + 2..].split(')').next().unwrap();
            let file = target.split('#').next().unwrap();
            if !target.contains("://") && !file.is_empty() {
                assert!(folder.join(file).exists(), "{page} links to {target}");
            }
        }
    }
}

#[test]
fn the_readme_names_the_declared_rust() {
    let read = |file| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
    let manifest = read("Cargo.toml");
    let declared =
        manifest.split("rust-version = \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert!(read("README.md").contains(&format!("\nRust {declared} or later builds it.\n")), "{declared}");
}
