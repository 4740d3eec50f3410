//! The names of a graph behind one pointer.

use super::NavGraph;
use std::borrow::Cow;

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
