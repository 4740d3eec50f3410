//! Whether memory is left.

use crate::error::{Error, Result};

/// Memory left free for small allocations that nobody checks: error texts, lists, rows.
const MARGIN: usize = 1 << 20;

/// Fails unless memory has room for this many bytes plus a margin for small allocations. Reserves nothing.
///
/// Most decoders allocate their state and their window in ways that abort the process if there is no memory, so this is called
/// right before. Another thread may take the memory in between, but it leaves the margin too.
pub fn room(what: &'static str, bytes: usize) -> Result<()> {
    let wanted = bytes.saturating_add(MARGIN);
    match left() {
        Some(left) if left < wanted => Err(full(what, bytes)),
        Some(_) => Ok(()),
        None => {
            let mut probe: Vec<u8> = Vec::new();
            let asked = probe.try_reserve_exact(wanted);
            // Otherwise the compiler may remove the unused allocation and report success.
            std::hint::black_box(probe.as_mut_ptr());
            asked.map_err(|_| full(what, bytes))
        }
    }
}

/// The remaining address space in bytes, if the process has a limit for it (`ulimit -v`).
///
/// Asks the kernel. Probing by allocating would starve other threads, and one that then fails to allocate a few bytes aborts the
/// process.
#[cfg(target_os = "linux")]
fn left() -> Option<usize> {
    use std::sync::OnceLock;
    static LIMIT: OnceLock<Option<usize>> = OnceLock::new();
    let limit = (*LIMIT.get_or_init(|| entry("/proc/self/limits", "Max address space")))?;
    let taken = entry("/proc/self/status", "VmSize:")?;
    Some(limit.saturating_sub(taken.saturating_mul(1024)))
}

#[cfg(not(target_os = "linux"))]
fn left() -> Option<usize> {
    None
}

/// The first number after `name` in a file of the kernel; `None` for `unlimited` and if there is no such file.
#[cfg(target_os = "linux")]
fn entry(path: &str, name: &str) -> Option<usize> {
    use std::io::Read;
    // On the stack, because this runs when memory is short.
    let mut text = [0; 4096];
    let read = std::fs::File::open(path).and_then(|mut file| file.read(&mut text)).ok()?;
    let line =
        text.get(..read)?.split(|&byte| byte == b'\n').find_map(|line| line.strip_prefix(name.as_bytes()))?;
    std::str::from_utf8(line).ok()?.split_ascii_whitespace().next()?.parse().ok()
}

/// Allocation failed: memory cannot hold this many bytes.
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
