//! Where texts come from that a command names.

use super::refusal::Refusal;
use std::fmt;

/// What a session reads files through. Without one, commands that read a file are refused: a session by itself touches
/// no file.
pub trait Files: fmt::Debug + Send + Sync {
    /// Reads a file by the name that a command gives it. `ending` is that of such files, without a dot; a bare name may
    /// lack it. Returns what messages call the file, and its bytes.
    ///
    /// # Errors
    /// If the file cannot be read. The refusal names it.
    fn read(&self, name: &str, ending: &str) -> Result<(String, Vec<u8>), Refusal>;
}
