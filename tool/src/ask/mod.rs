//! `navmap locate`, `navmap path` and `navmap reach`: asks a mesh where, how and whether.

mod avoid;
mod locate;
mod mesh;
mod path;
mod picture;
mod points;
mod reach;
mod rows;
mod table;

pub(super) use locate::run as locate;
pub(super) use path::run as path;
pub(super) use reach::run as reach;

use navmap::error::Error;
use navmap::query::Misuse;
use std::ffi::OsString;

/// Lets points with a minus in front pass for values: an option never begins with a minus and a digit. Only what is typed
/// for these verbs is looked at.
pub(super) fn points_are_values(typed: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut typed: Vec<OsString> = typed.collect();
    let asks = typed.get(1).is_some_and(|verb| ["locate", "path", "reach"].iter().any(|own| verb == own));
    for word in typed.iter_mut().skip(2).filter(|_| asks) {
        let number = |text: &str| {
            let first = text.strip_prefix('-').and_then(|rest| rest.chars().next());
            first.is_some_and(|c| c.is_ascii_digit() || c == '.')
        };
        if word.to_str().is_some_and(number) {
            let mut value = OsString::from(" ");
            value.push(&*word);
            *word = value;
        }
    }
    typed
}

/// No verb calls a query wrongly, but if it does, a person is to hear of it.
fn misused(why: Misuse) -> Error {
    Error::invalid("query", why.to_string())
}
