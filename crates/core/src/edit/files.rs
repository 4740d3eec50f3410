//! The source of texts that a command names.

use super::refusal::Refusal;
use std::fmt;

/// A session's access to files. Without it, commands that read a file are refused: a session by itself touches no file.
pub trait Files: fmt::Debug + Send + Sync {
    /// Reads a file by the name in a command. `ending` is the usual extension, without a dot, which a bare name may omit. Returns
    /// a name for messages, and the bytes.
    ///
    /// # Errors
    /// If the file cannot be read. The refusal names it.
    fn read(&self, name: &str, ending: &str) -> Result<(String, Vec<u8>), Refusal>;
}
