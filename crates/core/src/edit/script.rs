//! The grammar of scripts: that of a game's console files.

use super::refusal::{Refusal, Spot};

/// One word of a statement, and its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Word<'s> {
    /// The word, without its quotes if it stood in quotes.
    pub text: &'s str,
    /// Whether it stood in quotes.
    pub quoted: bool,
    /// Where it begins.
    pub at: Spot,
}

impl<'s> Word<'s> {
    /// The key and the value of a word like `KEY=VALUE`. The whole word may stand in quotes, or the value alone: `KEY="1 2 3"`.
    pub fn setting(&self) -> Option<(&'s str, &'s str)> {
        let (key, value) = self.text.split_once('=')?;
        let bare = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
        let bare = bare.filter(|bare| !self.quoted && !bare.contains('"'));
        Some((key, bare.unwrap_or(value)))
    }
}

/// A command with its operands.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement<'s> {
    /// The words, at least one.
    pub words: Vec<Word<'s>>,
    /// The words as they are in the script, without comments.
    pub text: &'s str,
    /// The comments since the last statement that begin with `//@`, without that prefix.
    pub(super) remarks: Vec<&'s str>,
}

/// The statements of a script, in order.
///
/// A statement ends at a semicolon or at the end of its line. `//` begins a comment that runs to the end of the line.
/// Blanks separate words, but inside quotes and parentheses blanks, semicolons and slashes belong to the word. After an
/// error the walk goes on with the next line.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::edit::Script;
///
/// let script = "select place Middle; nav_mark_attribute JUMP // all of it";
/// let words = Script::new(script).map(|statement| statement.map(|statement| statement.words.len()));
/// assert_eq!(words.collect::<Result<Vec<_>, _>>()?, [3, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Script<'s> {
    text: &'s str,
    at: usize,
    spot: Spot,
}

impl<'s> Script<'s> {
    /// A script from its text. A byte order mark is skipped.
    pub fn new(text: &'s str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self { text, at: 0, spot: Spot { line: 1, column: 1 } }
    }

    fn rest(&self) -> &'s str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn bump(&mut self) -> Option<char> {
        let next = self.rest().chars().next()?;
        self.at += next.len_utf8();
        if next == '\n' {
            self.spot = Spot { line: self.spot.line.saturating_add(1), column: 1 };
        } else {
            self.spot.column = self.spot.column.saturating_add(1);
        }
        Some(next)
    }

    fn line_end(&mut self) -> &'s str {
        let rest = self.rest();
        let len = rest.find('\n').unwrap_or(rest.len());
        let line = rest.get(..len).unwrap_or_default();
        // The rest of this line is not examined, so the column does not matter.
        self.at += len;
        line
    }

    /// Takes the word that begins here.
    fn word(&mut self) -> Result<Word<'s>, Refusal> {
        let at = self.spot;
        let start = self.at;
        if self.rest().starts_with('"') {
            self.bump();
            self.quote(at)?;
            let text = self.text.get(start + 1..self.at - 1).unwrap_or_default();
            return Ok(Word { text, quoted: true, at });
        }
        let mut open: Vec<Spot> = Vec::new();
        while let Some(next) = self.rest().chars().next() {
            let here = self.spot;
            match next {
                '\n' => break,
                ';' | ' ' | '\t' | '\r' if open.is_empty() => break,
                '/' if open.is_empty() && self.rest().starts_with("//") => break,
                '"' => {
                    self.bump();
                    self.quote(here)?;
                    continue;
                }
                '(' => open.push(here),
                ')' if open.pop().is_none() => {
                    return Err(Refusal::new("nothing was opened that ) could close").at(here));
                }
                _ => {}
            }
            self.bump();
        }
        match open.last() {
            Some(spot) => Err(Refusal::new("this ( is not closed on its line").at(*spot)),
            None => Ok(Word { text: self.text.get(start..self.at).unwrap_or_default(), quoted: false, at }),
        }
    }

    /// Takes the rest of a quote that began at `at`, up to its end.
    fn quote(&mut self, at: Spot) -> Result<(), Refusal> {
        loop {
            match self.rest().chars().next() {
                None | Some('\n') => return Err(Refusal::new("this quote is not closed on its line").at(at)),
                Some('"') => {
                    self.bump();
                    return Ok(());
                }
                Some(_) => self.bump(),
            };
        }
    }
}

impl<'s> Iterator for Script<'s> {
    type Item = Result<Statement<'s>, Refusal>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut words: Vec<Word<'s>> = Vec::new();
        let mut remarks = Vec::new();
        let (mut first, mut last) = (self.at, self.at);
        loop {
            match self.rest().chars().next() {
                Some(' ' | '\t' | '\r') => {
                    self.bump();
                }
                Some('/') if self.rest().starts_with("//") => {
                    let comment = self.line_end();
                    remarks.extend(comment.strip_prefix("//@").map(str::trim));
                }
                None | Some('\n' | ';') => {
                    let ended = self.bump().is_none();
                    if !words.is_empty() {
                        let text = self.text.get(first..last).unwrap_or_default();
                        return Some(Ok(Statement { words, text, remarks }));
                    }
                    if ended {
                        return None;
                    }
                }
                Some(_) => {
                    if words.is_empty() {
                        first = self.at;
                    }
                    match self.word() {
                        Ok(word) => words.push(word),
                        Err(refusal) => {
                            self.line_end();
                            return Some(Err(refusal));
                        }
                    }
                    last = self.at;
                }
            }
        }
    }
}

impl std::iter::FusedIterator for Script<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<Result<Vec<String>, String>> {
        let owned =
            |statement: Statement<'_>| statement.words.iter().map(|word| word.text.to_owned()).collect();
        Script::new(text).map(|each| each.map(owned).map_err(|refusal| refusal.to_string())).collect()
    }

    fn ok<const N: usize>(words: [&str; N]) -> Result<Vec<String>, String> {
        Ok(words.map(str::to_owned).into())
    }

    #[test]
    fn statements_end_at_semicolons_and_lines() {
        let text =
            "nav_mark 12; nav_merge #13 // a comment; not a command\r\n\n;;\nnav_use_place \"a; b // c\"";
        let expected = [ok(["nav_mark", "12"]), ok(["nav_merge", "#13"]), ok(["nav_use_place", "a; b // c"])];
        assert_eq!(words(text), expected);
        assert_eq!(words("\u{feff}undo"), [ok(["undo"])]);
        assert_eq!(words(" // nothing"), []);
    }

    #[test]
    fn parentheses_keep_blanks_together() {
        assert_eq!(
            words("sel box(0, 0, 9)+!place(\"a ) b\") -x"),
            [ok(["sel", "box(0, 0, 9)+!place(\"a ) b\")", "-x"])]
        );
    }

    #[test]
    fn a_value_may_stand_in_quotes_of_its_own() {
        let text = r#"set A=1 B="2 3; 4" "C=5 6" D="" E="f"g"h" i"#;
        let statement = Script::new(text).next().unwrap().unwrap();
        let settings: Vec<_> = statement.words.iter().map(Word::setting).collect();
        let wanted = [("A", "1"), ("B", "2 3; 4"), ("C", "5 6"), ("D", ""), ("E", r#""f"g"h""#)].map(Some);
        assert_eq!(settings, [&[None][..], &wanted, &[None]].concat());
    }

    #[test]
    fn an_error_names_its_place_and_ends_with_its_line() {
        assert_eq!(
            words("a (b\nc\"d e\" \"f\ng ) h\ni"),
            [
                Err("1:3: this ( is not closed on its line".into()),
                Err("2:8: this quote is not closed on its line".into()),
                Err("3:3: nothing was opened that ) could close".into()),
                ok(["i"]),
            ]
        );
    }

    #[test]
    fn columns_count_characters() {
        let statement = Script::new("x;  \u{e9}\u{e9} y").nth(1).unwrap().unwrap();
        let spots: Vec<_> = statement.words.iter().map(|word| (word.at.line, word.at.column)).collect();
        assert_eq!((spots, statement.text), (vec![(1, 5), (1, 8)], "\u{e9}\u{e9} y"));
    }
}
