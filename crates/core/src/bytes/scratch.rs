//! Buffers that a worker keeps from file to file.

/// Buffers that grow once and are reused: one per worker, lent to code that needs to own bytes for a moment.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Decoder state and output of compressed records.
    #[cfg(feature = "inflate")]
    pub inflater: super::Inflater,
    /// Whether one large file may be read on all cores. Off by default: programs that read many files have threads of their own.
    pub spread: bool,
}

impl Scratch {
    /// Empty. The first file allocates.
    pub fn new() -> Self {
        Self::default()
    }
}
