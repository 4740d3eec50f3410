//! Editing of meshes, the same for all families.
//!
//! This module knows no format. It reads scripts ([`Script`]), resolves operands ([`Selector`]), keeps the selected set
//! ([`Selection`]), applies commands one at a time with undo and redo ([`Session`]), and writes what was
//! done as text that can be replayed. A family lists its verbs and implements [`Editor`] over its owned mesh, and
//! [`EditFormat`] over the view that opens it.
//! A command line, a script, a binding and a viewer use the same session.
//!
//! # Scripts
//!
//! ```text
//! nav_mark #12; nav_merge #13              // two statements: a semicolon or the end of a line ends one
//! nav_mark_attribute CROUCH place(Tunnels)-#40
//! begin
//! nav_split ~@100,200 x=96
//! nav_delete box(0,0,-64,512,512,64)&attr(JUMP)
//! end                                      // one step for undo
//! undo
//! ```
//!
//! # Promises
//!
//! A refused command has changed nothing. Undoing everything restores the opened mesh, byte for byte. The memory of a step is
//! proportional to its change, and the memory of all steps has a limit ([`MOST_KEPT`]). So has what one script looks at
//! ([`MOST_LOOKED_AT`]), so that every script comes to an end soon. No script can make a session panic.

mod any;
mod attempt;
mod changes;
mod command;
mod complete;
mod contract;
mod editor;
mod erased;
mod files;
pub mod items;
mod journal;
mod kept;
mod key;
mod ledger;
pub mod listed;
mod merge;
mod names;
mod outcome;
mod overwritten;
pub mod parallel;
pub mod points;
mod proof;
mod refusal;
mod remarks;
mod report;
mod scope;
mod script;
mod select;
mod selection;
mod session;
mod setting;
#[cfg(test)]
mod tests;
pub mod waypoints;
mod work;

pub use crate::text::nearest;
pub use any::AnySession;
pub use attempt::{Attempt, Entry};
pub use changes::{
    Changes, Deed, Name, Spelling, Step, Steps, Unreached, Value, Values, Way, names, spell_values,
};
#[doc(hidden)]
pub use changes::{MOST_NAMES, in_order, spell_commands};
pub use command::{Command, Verb, as_number, as_whole, verb};
#[doc(hidden)]
pub use contract::{AnyVersion, open};
pub use contract::{
    EditFormat, EditTask, Editing, ListChange, Matching, Merger, OpenMap, Opened, Opening, ReadVersion,
    Version,
};
pub use editor::{Apply, Editor};
pub use files::Files;
pub use kept::MOST_KEPT;
pub use key::AnyKey;
pub use ledger::COMMON;
pub use merge::{Conflict, Merge, Replaced, Side};
pub use names::Names;
pub use outcome::{Asked, Fix, Outcome, Request, Role, SessionOptions};
#[doc(hidden)]
pub use outcome::{Role as Place, SessionOptions as Options};
pub use overwritten::{Deltas, Overwritten, Weighed};
pub use proof::OTHERS;
pub use refusal::{Cause, Refusal, Spot};
pub use report::{Report, ReportRow};
pub use scope::Scope;
pub use script::{Script, Statement, Word};
pub use select::{Atom, Selector, number};
pub use selection::Selection;
pub use session::Session;
pub use work::MOST_LOOKED_AT;
