//! Work on a graph whose type is not known before the file is.

use crate::graph::NavGraph;

/// Work on a graph whose type is not known before the file is.
pub trait GraphTask {
    /// The result of the work.
    type Out;

    /// Does the work.
    fn run(self, graph: &impl NavGraph) -> Self::Out;
}

/// A file of any family, which has a graph of some type.
pub trait AnyGraph {
    /// Hands the file's graph to `task`; [`NavFormat::graph`](super::NavFormat::graph) says what that costs.
    fn with_graph<T: GraphTask>(&self, task: T) -> T::Out;

    /// The group whose nodes points are found in, if the file has every floor once for each of several groups: hull 0,
    /// the player's, in Source 2.
    fn ground_group(&self) -> Option<u32> {
        None
    }
}
