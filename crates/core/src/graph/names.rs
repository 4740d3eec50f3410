//! The names of a graph behind one pointer.

use super::NavGraph;
use std::borrow::Cow;
use std::fmt;

/// How the ids of nodes are made up, and so what people type for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ids {
    /// A number: `#2023`.
    #[default]
    Numbers,
    /// The FormID of a record in the high half, a number inside that record in the low: `01000902#14`, or `#14` if the
    /// record has none.
    InForms,
}

impl Ids {
    /// An id as people type it.
    pub fn name(self, id: u64) -> impl fmt::Display {
        fmt::from_fn(move |f| match (self, id >> 32) {
            (Self::InForms, form) if form != 0 => write!(f, "{form:08X}#{}", id as u32),
            _ => write!(f, "#{id}"),
        })
    }
}

/// The names of a graph of any type, so that code which needs nothing else is compiled only once.
pub trait Names {
    /// [`NavGraph::place`].
    fn place_name(&self, place: u32) -> Option<Cow<'_, str>>;

    /// [`NavGraph::group`].
    fn group_name(&self, group: u32) -> Option<Cow<'_, str>>;

    /// [`NavGraph::flag`].
    fn flag_name(&self, bit: u32) -> Option<&'static str>;
}

impl<G: NavGraph> Names for G {
    fn place_name(&self, place: u32) -> Option<Cow<'_, str>> {
        self.place(place)
    }

    fn group_name(&self, group: u32) -> Option<Cow<'_, str>> {
        self.group(group)
    }

    fn flag_name(&self, bit: u32) -> Option<&'static str> {
        self.flag(bit)
    }
}
