//! Whether memory is left.

#![forbid(unsafe_code)]

use crate::error::{Error, Result};

/// What is left free for things that are too small to ask for: texts of errors, lists, rows.
const MARGIN: usize = 1 << 20;

/// Refuses if memory has no room for so many more bytes, and for small things besides. Nothing stays reserved.
///
/// Most decoders allocate their state and their window by means that end the process if there is no memory. So room is
/// asked for right before. Another thread may take it in between; it leaves the margin too.
pub(crate) fn room(what: &'static str, bytes: usize) -> Result<()> {
    let mut probe: Vec<u8> = Vec::new();
    let asked = probe.try_reserve_exact(bytes.saturating_add(MARGIN));
    // Otherwise the compiler may leave out a piece of memory that nobody uses, and say that there is room.
    std::hint::black_box(probe.as_mut_ptr());
    asked.map_err(|_| full(what, bytes))
}

/// The error of something that needs so many bytes, which there are not.
#[cold]
pub(crate) fn full(what: &'static str, bytes: usize) -> Error {
    Error::invalid(what, format!("{bytes} bytes do not fit into memory"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_for_a_byte_and_none_for_more_than_the_address_space() {
        room("member", 1).unwrap();
        for bytes in [usize::MAX, isize::MAX as usize] {
            let error = room("member", bytes).unwrap_err().to_string();
            assert_eq!(error, format!("member: {bytes} bytes do not fit into memory"));
        }
    }
}
