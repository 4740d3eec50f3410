//! What a session is given and what it gives, whatever its family.

use super::names::Names;

/// A finding and the command that repairs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The code of the finding.
    pub code: &'static str,
    /// The command.
    pub command: &'static str,
}

/// What a statement did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The command's answer, line by line.
    pub said: Vec<String>,
    /// Whether the mesh or the state of the script has changed.
    pub changed: bool,
    /// A request to the session's caller.
    pub request: Option<Request>,
}

/// A request to the caller, for something a session cannot do itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Write the mesh in its current state.
    Save {
        /// The file. `None`: the default target.
        to: Option<String>,
        /// The whole file.
        bytes: Vec<u8>,
    },
    /// Show everything about some items.
    Show(Asked),
    /// Write a part of the mesh as text, to a file that does not exist yet.
    Export {
        /// The first part of the file's name. `None`: the name of the map.
        stem: Option<String>,
        /// The file, if one is named.
        to: Option<String>,
        /// The text.
        text: Vec<u8>,
    },
}

/// What is to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The names of the items, as [`Editor::name`](super::Editor::name) spells them.
    pub items: Names,
    /// The names of all items, in mesh order: a file may number what is left anew.
    pub all: Names,
    /// The whole file in its current state.
    pub bytes: Vec<u8>,
}

/// How a session behaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SessionOptions {
    /// Whether to imitate the game exactly, bugs included, where something better is possible.
    pub game_exact: bool,
    /// Whether to remember the items that each command was given, so that [`Session::journal`](super::Session::journal) can be
    /// replayed on another version of the mesh. Costs a little memory per command.
    pub journal: bool,
    /// Whether to keep nothing to take back: for a script that nobody undoes. A refused command still changes nothing.
    pub forget: bool,
}

/// The role of a word in a command, for [`Editor::suggest`](super::Editor::suggest).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role<'l> {
    /// An operand of the verb.
    Operand,
    /// The word after an option: `--place`.
    Option(&'l str),
    /// An argument of a selector, by its name: `place(`.
    Selector(&'l str),
    /// The name of a selector.
    Name,
}
