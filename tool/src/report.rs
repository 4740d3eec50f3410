//! Reports of repairs for a mod page: Markdown or HTML.

use super::save::vacant;
use navmap::error::{Error, Result};
use navmap::format::has_extension;
use navmap::format::skyrim::fix::{Deed, Repair};
use navmap::text::{counted, printable};
use std::path::Path;

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Markdown,
    Html,
}

impl Form {
    /// The form that the name of a file asks for.
    ///
    /// # Errors
    /// If it asks for none, or the file exists and is not to be replaced.
    pub(super) fn of(path: &Path, force: bool) -> Result<Self> {
        vacant(path, force)?;
        match () {
            () if has_extension(path, &["md"]) => Ok(Self::Markdown),
            () if has_extension(path, &["html", "htm"]) => Ok(Self::Html),
            () => Err(Error::invalid("--report", "has to end in .md or .html").in_file(path)),
        }
    }

    /// A section a plugin with a table of its records, and what the kinds of repairs mean.
    pub(super) fn write(self, deeds: &[Deed]) -> String {
        let mut page = String::new();
        let left = deeds.iter().filter(|deed| deed.left.is_some() && !deed.remark).count() as u64;
        let done = deeds.iter().filter(|deed| deed.left.is_none()).count() as u64;
        self.begin(&mut page);
        self.heading(&mut page, 1, "Navmeshes");
        let sum = [counted(done, "repair", "repairs"), counted(left, "problem", "problems")];
        self.line(&mut page, &format!("{}, {} left.", sum[0], sum[1]));
        for own in deeds.chunk_by(|a, b| a.plugin == b.plugin) {
            let Some(first) = own.first() else { continue };
            self.heading(&mut page, 2, &first.file);
            self.row(&mut page, ["Record", "Repair", "What is wrong", "Before", "After"], true);
            for deed in own {
                let place = deed.place.as_ref().map_or_else(String::new, |place| format!(" in {place}"));
                let record = format!("[NAVM:{}]{place}", deed.number);
                let after = match &deed.left {
                    Some(why) => format!("left: {why}"),
                    None => deed.after.clone(),
                };
                self.row(&mut page, [&record, deed.repair.name(), &deed.what, &deed.before, &after], false);
            }
            if self == Self::Html {
                page.push_str("</table>\n");
            }
        }
        let used = Repair::ALL.into_iter().filter(|repair| deeds.iter().any(|deed| deed.repair == *repair));
        for (nth, repair) in used.enumerate() {
            if nth == 0 {
                self.heading(&mut page, 2, "What the repairs mean");
            }
            let [wrong, instead] = repair.meaning();
            self.line(
                &mut page,
                &format!("{}: {wrong} {instead} Proven on: {}", repair.name(), repair.proven()),
            );
        }
        if self == Self::Html {
            page.push_str("</body>\n</html>\n");
        }
        page
    }

    fn begin(self, page: &mut String) {
        if self == Self::Html {
            page.push_str("<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>Navmeshes</title></head>\n<body>\n");
        }
    }

    fn heading(self, page: &mut String, level: usize, words: &str) {
        let words = self.escaped(words);
        match self {
            Self::Markdown if page.is_empty() => page.push_str(&format!("{} {words}\n\n", "#".repeat(level))),
            Self::Markdown => page.push_str(&format!("\n{} {words}\n\n", "#".repeat(level))),
            Self::Html => page.push_str(&format!("<h{level}>{words}</h{level}>\n")),
        }
    }

    fn line(self, page: &mut String, words: &str) {
        let words = self.escaped(words);
        match self {
            Self::Markdown => page.push_str(&format!("{words}\n\n")),
            Self::Html => page.push_str(&format!("<p>{words}</p>\n")),
        }
    }

    fn row(self, page: &mut String, cells: [&str; 5], head: bool) {
        let cells = cells.map(|cell| self.escaped(cell));
        match self {
            Self::Markdown => {
                page.push_str(&format!("| {} |\n", cells.join(" | ")));
                if head {
                    page.push_str("|---|---|---|---|---|\n");
                }
            }
            Self::Html => {
                let tag = if head { "th" } else { "td" };
                let cells = cells.map(|cell| format!("<{tag}>{cell}</{tag}>"));
                let table = if head { "<table>\n" } else { "" };
                page.push_str(&format!("{table}<tr>{}</tr>\n", cells.concat()));
            }
        }
    }

    /// Words from a file, as words of the page and nothing else.
    fn escaped(self, words: &str) -> String {
        let words = printable(words.as_bytes());
        let mut safe = String::with_capacity(words.len());
        for c in words.chars() {
            match (self, c) {
                (_, '&') => safe.push_str("&amp;"),
                (_, '<') => safe.push_str("&lt;"),
                (_, '>') => safe.push_str("&gt;"),
                (Self::Html, '"') => safe.push_str("&quot;"),
                (Self::Markdown, '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '#') => safe.extend(['\\', c]),
                (_, c) => safe.push(c),
            }
        }
        safe
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use navmap::format::skyrim::FormId;

    fn deed(file: &str, left: Option<&str>) -> Deed {
        Deed {
            plugin: 0,
            file: file.to_owned(),
            form: FormId::new(0x0100_0A00),
            number: FormId::new(0x0300_0A00),
            place: Some("[CELL:00009BF1] (Tamriel -4,12)".to_owned()),
            repair: Repair::Links,
            what: "no link leads back".to_owned(),
            before: "a | b".to_owned(),
            after: "linked".to_owned(),
            left: left.map(str::to_owned),
            remark: false,
        }
    }

    #[test]
    fn both_forms_name_each_record_and_what_is_left() {
        let deeds = [deed("<b>.esp", None), deed("<b>.esp", Some("no place"))];
        let page = Form::Html.write(&deeds);
        assert!(page.contains("<h2>&lt;b&gt;.esp</h2>") && !page.contains("<b>"), "{page}");
        assert!(page.contains("<td>[NAVM:03000A00] in [CELL:00009BF1] (Tamriel -4,12)</td>"), "{page}");
        assert!(page.contains("<td>left: no place</td>") && page.matches("<table>").count() == 1, "{page}");
        let page = Form::Markdown.write(&deeds);
        assert!(page.starts_with("# Navmeshes\n\n1 repair, 1 problem left.\n"), "{page}");
        assert!(page.contains("a \\| b") && page.contains("\\[NAVM:03000A00\\] in"), "{page}");
        let cells = |line: &str| line.replace("\\|", "").matches('|').count();
        assert!(page.lines().filter(|line| line.starts_with('|')).all(|line| cells(line) == 6), "{page}");
    }
}
