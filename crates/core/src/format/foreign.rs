//! Recognises files that are not meshes.

use crate::error::{Error, ErrorKind};
use std::path::Path;

/// Whether the name ends in one of these extensions, in any case.
pub fn has_extension(path: &Path, known: &[&str]) -> bool {
    path.extension().is_some_and(|found| known.iter().any(|known| found.eq_ignore_ascii_case(known)))
}

/// The error for bytes that are not a mesh. It names the kind of file if it is one often mistaken for a mesh.
#[cold]
pub fn not_mesh(bytes: &[u8]) -> Error {
    let what = match bytes {
        [] => "the file is empty",
        _ if bytes.starts_with(b"version https://git-lfs") => {
            "a Git LFS pointer, the file itself has to be fetched first"
        }
        _ if bytes.starts_with(b"LZMA") => "a console file in Valve's LZMA envelope, which is not read",
        _ if bytes.starts_with(b"PODEXP!") => "what bots of POD-Bot have learnt, not their waypoints",
        _ if bytes.starts_with(b"PODVIS!") => {
            "a table of POD-Bot of which waypoints see which, not the waypoints"
        }
        _ if bytes.starts_with(b"HPB_bot") => {
            "waypoints of HPB_bot or a relative, which are known and not read"
        }
        _ if bytes.starts_with(b"FAM_bot") => "waypoints of MarineBot, which are known and not read",
        _ if bytes.starts_with(b"DewmAAS") => "areas of the bots of Doom 3, which are known and not read",
        _ if bytes.starts_with(b"RCBot2") => "waypoints of RCBot2, which are known and not read",
        _ if bytes.iter().all(|&byte| byte == 0) => "nothing but zeros",
        _ => {
            let (mut found, mut len) = ([0; 4], 0);
            for (to, from) in found.iter_mut().zip(bytes) {
                (*to, len) = (*from, u8::saturating_add(len, 1));
            }
            return Error::new(ErrorKind::NotMesh { found, len });
        }
    };
    Error::new(ErrorKind::Instead { what })
}
