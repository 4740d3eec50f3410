//! Patterns of paths as DuckDB has them: `maps/*.nav`, `mods/**`, `[ab]?.nav`.

use std::path::PathBuf;

/// A pattern of paths.
///
/// `*` stands for any letters of one name, `?` for one letter, `[a-z]` and `[!a-z]` for one of a set. `**`, which must be a whole
/// name, stands for any number of folders, and at the end of the pattern for everything below.
#[derive(Debug)]
pub(crate) struct Pattern {
    text: String,
    base: PathBuf,
    parts: Vec<Part>,
}

#[derive(Debug)]
enum Part {
    /// This letter.
    Letter(char),
    /// One letter of a name.
    One,
    /// Any letters of a name.
    Any,
    /// One letter of a name that is in these ranges, or not in them.
    Set { ranges: Vec<(char, char)>, holds: bool },
    /// Any number of folders, each with its trailing slash.
    Folders,
    /// Everything.
    All,
}

/// Characters that make a text a pattern.
const WILD: [char; 3] = ['*', '?', '['];

impl Pattern {
    /// The pattern in a text; `None` if the text is a plain path.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let first = text.find(WILD)?;
        let (given, text) = (text, slashes(text));
        let base = match text.get(..first).and_then(|before| before.rfind('/')) {
            Some(0) => "/",
            Some(end) => text.get(..end).unwrap_or("."),
            None => ".",
        };
        let mut parts = Vec::new();
        let mut names = without_dot(&text).split('/').peekable();
        while let Some(name) = names.next() {
            let last = names.peek().is_none();
            match (name, last) {
                ("**", true) => parts.push(Part::All),
                ("**", false) => parts.push(Part::Folders),
                (name, last) => {
                    name_parts(name, &mut parts);
                    if !last {
                        parts.push(Part::Letter('/'));
                    }
                }
            }
        }
        Some(Self { text: given.to_owned(), base: PathBuf::from(base), parts })
    }

    /// The pattern as it was given.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The folder that contains everything that can match.
    pub(crate) fn base(&self) -> &PathBuf {
        &self.base
    }

    /// The same pattern of members: the walk begins at the archive, the path before the first exclamation mark.
    pub(crate) fn of_members(self) -> Self {
        let archive = self.base.to_string_lossy().split('!').next().map(PathBuf::from);
        Self { base: archive.unwrap_or_default(), ..self }
    }

    /// Whether a path matches. Time is at most the product of both lengths.
    pub(crate) fn fits(&self, path: &str) -> bool {
        let path = slashes(path);
        let text: Vec<char> = without_dot(&path).chars().collect();
        // Whether the parts so far can end before each letter.
        let mut ends = vec![false; text.len() + 1];
        ends[0] = true;
        for part in &self.parts {
            let mut next = vec![false; ends.len()];
            let mut open = false;
            for at in 0..ends.len() {
                let before = at.checked_sub(1).map(|before| (ends[before], text[before]));
                next[at] = match part {
                    Part::Letter(letter) => before == Some((true, *letter)),
                    Part::One => before.is_some_and(|(end, letter)| end && letter != '/'),
                    Part::Set { ranges, holds } => before.is_some_and(|(end, letter)| {
                        let held = ranges.iter().any(|(from, to)| (*from..=*to).contains(&letter));
                        end && letter != '/' && held == *holds
                    }),
                    Part::Any => {
                        open = ends[at] || (open && before.is_some_and(|(_, letter)| letter != '/'));
                        open
                    }
                    Part::Folders => {
                        let here = ends[at] || (open && before.is_some_and(|(_, letter)| letter == '/'));
                        open |= ends[at];
                        here
                    }
                    Part::All => {
                        open |= ends[at];
                        open
                    }
                };
            }
            ends = next;
        }
        ends.last().copied().unwrap_or(false)
    }
}

fn slashes(text: &str) -> String {
    if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() }
}

fn without_dot(text: &str) -> &str {
    text.strip_prefix("./").unwrap_or(text)
}

fn name_parts(name: &str, parts: &mut Vec<Part>) {
    let letters: Vec<char> = name.chars().collect();
    let mut at = 0;
    while let Some(letter) = letters.get(at) {
        at += 1;
        match letter {
            '*' if matches!(parts.last(), Some(Part::Any)) => {}
            '*' => parts.push(Part::Any),
            '?' => parts.push(Part::One),
            '[' => match set(letters.get(at..).unwrap_or_default()) {
                Some((len, part)) => {
                    at += len;
                    parts.push(part);
                }
                // An unmatched bracket is a letter.
                None => parts.push(Part::Letter('[')),
            },
            letter => parts.push(Part::Letter(*letter)),
        }
    }
}

/// The set after an opening bracket, and its number of letters including the closing one.
fn set(letters: &[char]) -> Option<(usize, Part)> {
    let holds = !matches!(letters.first(), Some('!' | '^'));
    let from = usize::from(!holds);
    // A closing bracket in first position belongs to the set.
    let end = letters.iter().skip(from + 1).position(|letter| *letter == ']')? + from + 1;
    let mut inside = letters.get(from..end)?;
    let mut ranges = Vec::new();
    while let Some((first, rest)) = inside.split_first() {
        match rest {
            ['-', last, rest @ ..] => {
                ranges.push((*first, *last));
                inside = rest;
            }
            rest => {
                ranges.push((*first, *first));
                inside = rest;
            }
        }
    }
    Some((end + 1, Part::Set { ranges, holds }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_as_those_of_duckdb() {
        for (pattern, path, yes) in [
            ("maps/*.nav", "maps/a.nav", true),
            ("maps/*.nav", "maps/old/a.nav", false),
            ("maps/**", "maps/old/a.nav", true),
            ("maps/**", "maps/a.nav", true),
            ("maps/**", "other/a.nav", false),
            ("maps/**/*.nav", "maps/a.nav", true),
            ("maps/**/*.nav", "maps/old/er/a.nav", true),
            ("maps/**/*.nav", "maps/old/a.esp", false),
            ("**/old/*", "x/y/old/a", true),
            ("**/old/*", "x/bold/a", false),
            ("maps/[ab]?.nav", "maps/b1.nav", true),
            ("maps/[!a-c]*.nav", "maps/d.nav", true),
            ("maps/[!a-c]*.nav", "maps/b.nav", false),
            ("maps/[]x].nav", "maps/].nav", true),
            ("maps/[.nav*", "maps/[.nav", true),
            ("*.nav", "./a.nav", true),
            ("./*.nav", "./a.nav", true),
            ("a*", "a/b", false),
            ("a?b", "a/b", false),
            ("a[!x]b", "a/b", false),
            ("ü*", "über", true),
        ] {
            assert_eq!(Pattern::parse(pattern).unwrap().fits(path), yes, "{pattern} {path}");
        }
        assert!(Pattern::parse("maps/a.nav").is_none());
    }

    #[test]
    fn a_walk_begins_at_the_last_folder_that_is_named() {
        for (pattern, base) in
            [("maps/**", "maps"), ("/a/b*/c", "/a"), ("/x*", "/"), ("*.nav", "."), ("ü/é?/*", "ü")]
        {
            assert_eq!(Pattern::parse(pattern).unwrap().base(), &PathBuf::from(base), "{pattern}");
        }
        let members = Pattern::parse("mods/a.zip!maps/*.nav").unwrap();
        assert_eq!(members.base(), &PathBuf::from("mods/a.zip!maps"));
        let members = members.of_members();
        assert_eq!(members.base(), &PathBuf::from("mods/a.zip"));
        assert!(members.fits("mods/a.zip!maps/x.nav") && !members.fits("mods/a.zip"));
    }

    #[test]
    fn a_pattern_of_many_stars_takes_no_longer_than_its_length_says() {
        let pattern = Pattern::parse(&"*a".repeat(500)).unwrap();
        assert!(!pattern.fits(&"a".repeat(499)));
        let pattern = Pattern::parse(&"**/a/".repeat(300)).unwrap();
        assert!(!pattern.fits(&"a/".repeat(299)));
    }
}
