//! A command as a family sees it. It hands out operands and options one by one, and refuses any left over.

use super::refusal::{Refusal, Spot};
use super::script::Word;
use super::select::number;
use crate::text::nearest;
use std::fmt::Display;
use std::str::FromStr;

/// A verb, for completion and `help`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verb {
    /// Its spelling. Case is ignored.
    pub name: &'static str,
    /// Its operands: `AREA AREA`, `[DEPTH] [SELECTOR]`.
    pub usage: &'static str,
    /// A one-line description.
    pub help: &'static str,
}

/// A verb for a row of [`Editor::VERBS`](super::Editor::VERBS).
pub const fn verb(name: &'static str, usage: &'static str, help: &'static str) -> Verb {
    Verb { name, usage, help }
}

/// A command to apply: the verb as it is spelt in the table of verbs, and the words after it.
///
/// Take the options (`--like #12`) first, since they may be anywhere, then the operands from the left. [`finish`](Self::finish)
/// refuses words that were not taken.
#[derive(Clone, Debug)]
pub struct Command<'s> {
    verb: &'static str,
    at: Spot,
    words: Vec<Option<Word<'s>>>,
    options: Vec<&'static str>,
}

impl<'s> Command<'s> {
    pub(super) fn new(verb: &'static str, at: Spot, words: &[Word<'s>]) -> Self {
        Self { verb, at, words: words.iter().copied().map(Some).collect(), options: Vec::new() }
    }

    /// The verb.
    pub fn verb(&self) -> &'static str {
        self.verb
    }

    /// Where it stands.
    pub fn at(&self) -> Spot {
        self.at
    }

    /// The number of words left, options included.
    pub fn words_left(&self) -> usize {
        self.words.iter().flatten().count()
    }

    /// Takes an option without a value, such as `--force`. Returns whether it was given.
    pub fn flag(&mut self, name: &'static str) -> bool {
        self.options.push(name);
        let at = self.words.iter().position(|word| is_option(word, name));
        at.and_then(|at| self.words.get_mut(at)?.take()).is_some()
    }

    /// Takes an option and returns the word after it: `12` for `--like 12`.
    ///
    /// # Errors
    /// If no word follows it.
    pub fn option(&mut self, name: &'static str) -> Result<Option<Word<'s>>, Refusal> {
        self.options.push(name);
        let Some(at) = self.words.iter().position(|word| is_option(word, name)) else { return Ok(None) };
        let spot = self.words.get_mut(at).and_then(Option::take).map_or(self.at, |word| word.at);
        match self.words.get_mut(at.saturating_add(1)).and_then(Option::take) {
            Some(word) => Ok(Some(word)),
            None => Err(Refusal::new(format!("{name} needs a value")).at(spot)),
        }
    }

    /// Takes an option and returns the number after it.
    ///
    /// # Errors
    /// If no word follows it, or the word is not a finite number.
    pub fn option_number(&mut self, name: &'static str) -> Result<Option<f32>, Refusal> {
        self.option(name)?.map(|word| as_number(&word, name)).transpose()
    }

    /// Takes the next operand, if there is one.
    pub fn take(&mut self) -> Option<Word<'s>> {
        self.words.iter_mut().find(|word| operand(word))?.take()
    }

    /// The next operand, without taking it.
    pub fn peek(&self) -> Option<&Word<'s>> {
        self.words.iter().find(|word| operand(word))?.as_ref()
    }

    /// The next operand.
    ///
    /// # Errors
    /// If there is none.
    pub fn need(&mut self, what: &str) -> Result<Word<'s>, Refusal> {
        self.take().ok_or_else(|| Refusal::new(format!("{what} is missing")).at(self.at))
    }

    /// The next operand as a finite number.
    ///
    /// # Errors
    /// If there is none, or it is not a number.
    pub fn number(&mut self, what: &str) -> Result<f32, Refusal> {
        as_number(&self.need(what)?, what)
    }

    /// The next operand as a finite number; `None` without one.
    ///
    /// # Errors
    /// If it is not a number.
    pub fn maybe_number(&mut self, what: &str) -> Result<Option<f32>, Refusal> {
        self.take().map(|word| as_number(&word, what)).transpose()
    }

    /// Takes the next operand as numbers separated by commas.
    ///
    /// # Errors
    /// If there is none, or it does not have this many numbers.
    pub fn numbers<const N: usize>(&mut self, what: &str) -> Result<[f32; N], Refusal> {
        let word = self.need(what)?;
        let numbers: Option<Vec<f32>> = word.text.split(',').map(|part| number(part.trim())).collect();
        let numbers = numbers.and_then(|numbers| <[f32; N]>::try_from(numbers).ok());
        numbers.ok_or_else(|| {
            Refusal::new(format!("{} where {what} was expected: {N} numbers with commas between", word.text))
                .at(word.at)
        })
    }

    /// Takes the next operand as whole numbers separated by commas.
    ///
    /// # Errors
    /// If there is none, or it does not have this many, or one is none of this type.
    pub fn whole_numbers<T: FromStr, const N: usize>(&mut self, what: &str) -> Result<[T; N], Refusal> {
        let word = self.need(what)?;
        let numbers: Option<Vec<T>> = word.text.split(',').map(|part| part.trim().parse().ok()).collect();
        let numbers = numbers.and_then(|numbers| <[T; N]>::try_from(numbers).ok());
        numbers.ok_or_else(|| {
            let why =
                format!("{} where {what} was expected: {N} whole numbers with commas between", word.text);
            Refusal::new(why).at(word.at)
        })
    }

    /// Refuses words that are left.
    ///
    /// # Errors
    /// If a word was not taken. The refusal names the first, and suggests the nearest name for a misspelt option.
    pub fn finish(&mut self) -> Result<(), Refusal> {
        let Some(left) = self.words.iter().flatten().next() else { return Ok(()) };
        let refusal = if left.text.starts_with("--") && !left.quoted {
            Refusal::unknown("option", left.text).or(nearest(left.text, self.options.iter().copied()))
        } else {
            let several = if left.text.starts_with('#') { "; a comma joins several: #1,#2" } else { "" };
            Refusal::new(format!("{} where the end was expected{several}", left.text))
        };
        Err(refusal.at(left.at))
    }
}

fn operand(word: &Option<Word<'_>>) -> bool {
    word.is_some_and(|word| word.quoted || !word.text.starts_with("--"))
}

fn is_option(word: &Option<Word<'_>>, name: &str) -> bool {
    word.is_some_and(|word| !word.quoted && word.text.eq_ignore_ascii_case(name))
}

/// A word as a finite number.
///
/// # Errors
/// If it is not a finite number.
pub fn as_number(word: &Word<'_>, what: &str) -> Result<f32, Refusal> {
    number(word.text)
        .ok_or_else(|| Refusal::new(format!("{} where {what} was expected: a number", word.text)).at(word.at))
}

/// A word as a whole number of a type, from `least` on.
///
/// # Errors
/// If it is none.
pub fn as_whole<T: FromStr + PartialOrd + Display>(
    word: &Word<'_>,
    what: &str,
    least: T,
) -> Result<T, Refusal> {
    word.text.parse().ok().filter(|number| *number >= least).ok_or_else(|| {
        let why = format!("{} where {what} was expected: a whole number from {least}", word.text);
        Refusal::new(why).at(word.at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::script::Script;

    fn command(text: &str) -> Command<'_> {
        let statement = Script::new(text).next().unwrap().unwrap();
        Command::new("verb", statement.words[0].at, &statement.words[1..])
    }

    #[test]
    fn options_are_taken_wherever_they_stand() {
        let mut c = command("verb 1 --like #3 -2.5 --force 1,2");
        assert_eq!(c.option("--like").unwrap().unwrap().text, "#3");
        assert!(c.flag("--force") && !c.flag("--keep"));
        assert_eq!((c.number("a").unwrap(), c.number("b").unwrap()), (1.0, -2.5));
        assert_eq!(c.numbers::<2>("point").unwrap(), [1.0, 2.0]);
        assert_eq!(c.finish(), Ok(()));
        assert_eq!(c.need("a depth").unwrap_err().to_string(), "1:1: a depth is missing");
    }

    #[test]
    fn what_nobody_asked_for_is_refused_with_its_column() {
        let mut c = command("verb 1 2");
        assert_eq!(c.take().unwrap().text, "1");
        assert_eq!(c.finish().unwrap_err().to_string(), "1:8: 2 where the end was expected");
        let several = command("verb #2").finish().unwrap_err().to_string();
        assert_eq!(several, "1:6: #2 where the end was expected; a comma joins several: #1,#2");
        let mut c = command("verb --lik 2");
        assert_eq!(c.option("--like"), Ok(None));
        assert_eq!(c.finish().unwrap_err().to_string(), "1:6: no such option: --lik; did you mean --like?");
        let wrong = command("verb x").number("a depth").unwrap_err();
        assert_eq!(wrong.to_string(), "1:6: x where a depth was expected: a number");
        assert!(command("verb nan").number("a depth").is_err());
        let wrong = command("verb --like").option("--like").unwrap_err();
        assert_eq!(wrong.to_string(), "1:6: --like needs a value");
    }
}
