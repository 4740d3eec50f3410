//! Work on a graph whose type is known only once the file is open.

use crate::graph::NavGraph;

/// Work on a graph whose type is known only once the file is open.
pub trait GraphTask {
    /// The result of the work.
    type Out;

    /// Does the work.
    fn run(self, graph: &impl NavGraph) -> Self::Out;
}

/// A file of any family, with a graph of some type.
pub trait AnyGraph {
    /// Hands the file's graph to `task`. For the cost see [`NavFormat::graph`](super::NavFormat::graph).
    fn with_graph<T: GraphTask>(&self, task: T) -> T::Out;

    /// The group in which points are located, if the file repeats every floor for several groups: hull 0, the player's, in Source
    /// 2.
    fn ground_group(&self) -> Option<u32> {
        None
    }
}
