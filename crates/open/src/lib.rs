//! Finds the meshes at a path, scans many of them, and holds one that a server may swap. Programs name
//! [navmap](https://docs.rs/navmap), which has all of this at the same paths.

#[doc(hidden)]
pub mod open;
#[cfg(feature = "archive")]
#[doc(hidden)]
pub mod scan;
#[doc(hidden)]
pub mod world;
