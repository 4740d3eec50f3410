//! Text for C and from C.

use crate::door::Out;
use crate::error::Failure;
use crate::give::Room;
use crate::status::Status;
use navmap::threads::locked;
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char};
use std::path::PathBuf;
use std::sync::Mutex;

/// Text that ends with a NUL. One inside becomes `?`.
pub(crate) fn c_string(text: &str) -> CString {
    let bytes: Vec<u8> = text.bytes().map(|byte| if byte == 0 { b'?' } else { byte }).collect();
    CString::new(bytes).unwrap_or_default()
}

/// A text of the library that ends with a NUL and is never freed. There is one of each.
pub(crate) fn lasting(text: &'static str) -> *const c_char {
    static TEXTS: Mutex<BTreeMap<&'static str, CString>> = Mutex::new(BTreeMap::new());
    let mut texts = locked(&TEXTS);
    texts.entry(text).or_insert_with(|| c_string(text)).as_ptr()
}

/// A path. On Unix it is bytes, elsewhere UTF-8.
pub(crate) fn path(text: &CStr, name: &'static str) -> Result<PathBuf, Failure> {
    if text.is_empty() {
        return Err(Failure::Bare(Status::Invalid, name));
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        Ok(PathBuf::from(std::ffi::OsStr::from_bytes(text.to_bytes())))
    }
    #[cfg(not(unix))]
    text.to_str().map(PathBuf::from).map_err(|_| Failure::Bare(Status::Invalid, name))
}

/// Text that must be UTF-8.
pub(crate) fn utf8<'t>(text: &'t CStr, name: &'static str) -> Result<&'t str, Failure> {
    text.to_str().map_err(|_| Failure::Bare(Status::Invalid, name))
}

/// Writes text into a buffer, with a NUL at its end, which is counted. Cut text still ends; a NUL inside becomes `?`.
pub(crate) fn put(mut room: Room<'_, c_char>, text: &str, count: Out<'_, u32>) -> Result<Status, Failure> {
    let last = room.left().saturating_sub(1);
    let bytes = text.bytes().map(|byte| if byte == 0 { b'?' } else { byte });
    bytes.take(last).for_each(|byte| room.push(byte as c_char));
    room.push(0);
    room.count(text.len() + 1).end(count)
}

entries! {
    /// The version of the library: `0.1.0`. Compare it with `NAVMAP_VERSION`, that of the header.
    fn navmap_version() -> *const c_char {
        Ok(lasting(env!("CARGO_PKG_VERSION")))
    }

    /// The name of a status in small letters: `no-such-area`. Empty for a number that is none. Never freed.
    fn navmap_status_name(status: i32) -> *const c_char {
        let known = Status::ALL.into_iter().find(|known| *known as i32 == status);
        Ok(lasting(known.map_or("", Status::name)))
    }
}
