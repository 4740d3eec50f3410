//! What a worker keeps from file to file.

/// Buffers that grow once and are reused: one per worker, lent to whatever has to own bytes for a moment.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Decoder state and output of compressed records.
    #[cfg(feature = "inflate")]
    pub inflater: super::Inflater,
    /// Whether one large file may be read on all cores. Off unless its owner says so: whoever reads many files has threads
    /// of their own.
    pub spread: bool,
}

impl Scratch {
    /// Empty; the first file warms it up.
    pub fn new() -> Self {
        Self::default()
    }
}
