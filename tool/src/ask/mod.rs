//! `navmap locate`, `navmap path` and `navmap reach`: queries about where, how and whether.

mod avoid;
mod events;
mod game;
mod locate;
mod mesh;
mod path;
mod picture;
mod points;
mod reach;
mod rows;
mod step;
mod strict;
mod table;

pub(super) use events::{Events, Wanted};
pub(super) use locate::run as locate;
pub(super) use path::run as path;
pub(super) use reach::run as reach;

use navmap::error::Error;
use navmap::query::Misuse;
use std::ffi::OsString;

/// Lets points that begin with a minus pass as values: an option never begins with a minus and a digit. Only applies to these
/// verbs.
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

/// No verb should misuse a query, but if one does, the user is told.
fn misused(why: Misuse) -> Error {
    Error::invalid("query", why.to_string())
}
