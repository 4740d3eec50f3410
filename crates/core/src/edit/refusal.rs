//! The reason why a command was refused.

use crate::text::nearest;
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

/// What kind of reason it is, for callers who go on in another way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// A name that is not known here: of a selector, a place, a key.
    UnknownName,
    /// A selector that only those know who check the mesh.
    NeedsCheck,
    /// A selector that makes sense, and selects nothing.
    Nothing,
    /// Any other.
    Other,
}

/// The reason why a command was refused, and by how much it missed if that can be measured. A refused command has changed
/// nothing.
///
/// It prints as `3:14: nav_splice: the areas miss by 50 in y`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    cause: Cause,
    at: Option<Spot>,
    verb: Option<String>,
    why: String,
    nearest: Vec<String>,
}

impl Refusal {
    /// A refusal in words: lower case, no full stop, numbers with their unit or axis.
    #[cold]
    pub fn new(why: impl Into<String>) -> Self {
        Self { cause: Cause::Other, at: None, verb: None, why: short(why.into()), nearest: Vec::new() }
    }

    /// There is no `what` of this name: `no such place: Tunels`.
    #[cold]
    pub fn unknown(what: &str, name: impl fmt::Display) -> Self {
        Self::new(format!("no such {what}: {name}")).because(Cause::UnknownName)
    }

    /// The command has overwritten more than the session may keep. The session says how much that is.
    #[cold]
    pub fn full() -> Self {
        Self::new("values kept to take back")
    }

    /// The selector makes sense, and nothing is there.
    #[cold]
    pub fn nothing(why: impl Into<String>) -> Self {
        Self::new(why).because(Cause::Nothing)
    }

    /// Sets the kind of the reason.
    #[must_use]
    pub fn because(mut self, cause: Cause) -> Self {
        self.cause = cause;
        self
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

    /// Adds the names nearest to a misspelt one, or all of them if none is near and they are few.
    #[must_use]
    pub fn among<'n>(mut self, name: &str, names: impl IntoIterator<Item = &'n str>) -> Self {
        const FEW: usize = 40;
        let names: Vec<&str> = names.into_iter().collect();
        self.nearest = nearest(name, names.iter().copied());
        if self.nearest.is_empty() && (1..=FEW).contains(&names.len()) {
            self.why = short(format!("{}; there are {}", self.why, names.join(", ")));
        }
        self
    }

    /// The kind of the reason.
    pub fn cause(&self) -> Cause {
        self.cause
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

/// A reason of which the middle is left out if it is very long, as a word of a script may be.
fn short(why: String) -> String {
    const LONGEST: usize = 1_000;
    if why.len() <= LONGEST {
        return why;
    }
    let head = why.get(..why.floor_char_boundary(LONGEST / 2)).unwrap_or_default();
    let tail = why.get(why.ceil_char_boundary(why.len() - LONGEST / 2)..).unwrap_or_default();
    format!("{head} … {tail}")
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

    #[test]
    fn a_refusal_says_where_what_and_why() {
        let refusal =
            Refusal::new("miss by 50 in y").at(Spot { line: 3, column: 14 }).in_command("nav_splice");
        assert_eq!(refusal.clone().in_command("x").at(Spot { line: 1, column: 1 }), refusal);
        assert_eq!(refusal.to_string(), "3:14: nav_splice: miss by 50 in y");
        let long = Refusal::new(format!("no such place: {} (~@)", "ä".repeat(900_000)));
        assert!(long.why().starts_with("no such place: ää") && long.why().ends_with("ä (~@)"), "{long}");
        assert!(long.why().len() < 1_100 && long.cause() == Cause::Other, "{long}");
        let names = nearest("nav_splt", ["nav_split", "nav_splice", "nav_mark"]);
        assert_eq!(
            Refusal::new("no such command").or(names).to_string(),
            "no such command; did you mean nav_split?"
        );
        let unknown = Refusal::unknown("command", "nav_splt").in_command("help");
        assert_eq!((unknown.cause(), unknown.why()), (Cause::UnknownName, "no such command: nav_splt"));
        let flag = |name| Refusal::unknown("flag", name).among(name, ["jump", "crouch"]);
        assert_eq!(flag("jmup").to_string(), "no such flag: jmup; did you mean jump?");
        assert_eq!(flag("x").to_string(), "no such flag: x; there are jump, crouch");
    }
}
