//! The reason why a command was refused.

use std::fmt;

/// A place in a script: line and column, both from 1. A column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The reason why a command was refused, and by how much it missed if that can be measured. A refused command has changed
/// nothing.
///
/// It prints as `3:14: nav_splice: the areas miss by 50 in y`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    at: Option<Spot>,
    verb: Option<String>,
    why: String,
    nearest: Vec<String>,
}

impl Refusal {
    /// A refusal in words: lower case, no full stop, numbers with their unit or axis.
    #[cold]
    pub fn new(why: impl Into<String>) -> Self {
        Self { at: None, verb: None, why: why.into(), nearest: Vec::new() }
    }

    /// Adds the place. The first one set wins, so that the word is named rather than the statement.
    #[must_use]
    pub fn at(mut self, at: Spot) -> Self {
        self.at.get_or_insert(at);
        self
    }

    /// Adds the command that was refused. The first one set wins.
    #[must_use]
    pub fn in_command(mut self, verb: &str) -> Self {
        self.verb.get_or_insert_with(|| verb.to_owned());
        self
    }

    /// Adds the names nearest to a misspelt one.
    #[must_use]
    pub fn or(mut self, nearest: Vec<String>) -> Self {
        self.nearest = nearest;
        self
    }

    /// The place in the script.
    pub fn spot(&self) -> Option<Spot> {
        self.at
    }

    /// The command, if one was recognised.
    pub fn verb(&self) -> Option<&str> {
        self.verb.as_deref()
    }

    /// The reason alone.
    pub fn why(&self) -> &str {
        &self.why
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(at) = self.at {
            write!(f, "{at}: ")?;
        }
        if let Some(verb) = &self.verb {
            write!(f, "{verb}: ")?;
        }
        f.write_str(&self.why)?;
        match self.nearest.as_slice() {
            [] => Ok(()),
            names => write!(f, "; did you mean {}?", names.join(", ")),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<crate::Error> for Refusal {
    #[cold]
    fn from(error: crate::Error) -> Self {
        Self::new(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::nearest;

    #[test]
    fn a_refusal_says_where_what_and_why() {
        let refusal =
            Refusal::new("miss by 50 in y").at(Spot { line: 3, column: 14 }).in_command("nav_splice");
        assert_eq!(refusal.clone().in_command("x").at(Spot { line: 1, column: 1 }), refusal);
        assert_eq!(refusal.to_string(), "3:14: nav_splice: miss by 50 in y");
        let names = nearest("nav_splt", ["nav_split", "nav_splice", "nav_mark"]);
        assert_eq!(
            Refusal::new("no such command").or(names).to_string(),
            "no such command; did you mean nav_split?"
        );
    }
}
