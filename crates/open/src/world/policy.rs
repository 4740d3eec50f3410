//! How a world is loaded.

use crate::open::OpenOptions;
use navmap_core::Severity;
use navmap_query::BuildOptions;

/// How a [`World`](super::World) is loaded, and which meshes it refuses. `with_…` changes the default.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Policy {
    /// How files are opened, whose ways links are ([`OpenOptions::hull`]), and the limits on their cost. They are always read and never mapped, since truncating a mapped file
    /// would end the process.
    pub options: OpenOptions,
    /// The lowest severity of a finding for which a mesh is refused. The default is errors, with which the game or a tool would
    /// act on wrong data.
    pub refuse: Option<Severity>,
    /// Options of the index.
    pub build: BuildOptions,
    /// Whether to compute landmarks for the index.
    pub landmarks: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            options: OpenOptions::new(),
            refuse: Some(Severity::Error),
            build: BuildOptions::default(),
            landmarks: false,
        }
    }
}

impl Policy {
    navmap_core::with! {
        with_options = options: OpenOptions;
        with_refuse = refuse: Option<Severity>;
        with_build = build: BuildOptions;
        with_landmarks = landmarks: bool;
    }
}
