//! Compares meshes by their paths: what changed between two files, which files of two folders belong together, the script
//! that turns one mesh into another, two lines of change in one. Over [`navmap_diff`], which knows graphs alone.

mod choices;
mod compare;
mod forms;
mod moved;
#[cfg(feature = "archive")]
mod pairs;
mod version;

pub use compare::{CompareOptions, Compared, Fact, Part};
#[cfg(feature = "archive")]
pub use pairs::{Budget, Pair, Pairs};
pub use version::{Finder, Merged, Version};
