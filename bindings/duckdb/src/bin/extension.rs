//! Makes `navmap.duckdb_extension` from the library: DuckDB only loads a library that ends with a page of metadata.
//!
//! `cargo build --release -p navmap-duckdb && target/release/duckdb-extension` takes the library from this program's folder, and
//! writes the extension there. `duckdb-extension LIBRARY OUTPUT` names both.

use std::env;
use std::env::consts::{ARCH, DLL_PREFIX, DLL_SUFFIX, OS};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

/// The magic of the metadata, and the version of the C API that the library needs.
const MAGIC: &str = "4";
const C_API: &str = "v1.2.0";
/// The library takes DuckDB's functions from a struct, in the order of that C API.
const ABI: &str = "C_STRUCT";
/// Bytes of a field, fields of the metadata, and bytes of a signature, which stays empty.
const FIELD: usize = 32;
const FIELDS: usize = 8;
const SIGNATURE: usize = 256;

/// DuckDB's name of the system that this program, and so the library, is built for.
fn platform() -> String {
    let system = match OS {
        "macos" => "osx",
        other => other,
    };
    let processor = match ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        "x86" => "i686",
        other => other,
    };
    let library = if cfg!(target_env = "musl") { "_musl" } else { "" };
    format!("{system}_{processor}{library}")
}

/// The bytes after the library: a section in the form of WebAssembly, eight fields from the last to the first, and room for a
/// signature. DuckDB reads only the last 512 bytes.
fn footer(platform: &str) -> Vec<u8> {
    let name = "duckdb_signature";
    // A custom section: 0, its length (531) and that of its content (512) in seven bits per byte, its name between them.
    let mut bytes = vec![0, 0x93, 0x04, name.len() as u8];
    bytes.extend(name.bytes());
    bytes.extend([0x80, 0x04]);
    let fields = [MAGIC, platform, C_API, concat!("v", env!("CARGO_PKG_VERSION")), ABI];
    for at in (0..FIELDS).rev() {
        let mut field = [0; FIELD];
        let text = fields.get(at).map_or(&[][..], |text| text.as_bytes());
        field.iter_mut().zip(text).for_each(|(byte, letter)| *byte = *letter);
        bytes.extend(field);
    }
    bytes.resize(bytes.len() + SIGNATURE, 0);
    bytes
}

fn make() -> io::Result<PathBuf> {
    let mut arguments = env::args_os().skip(1).map(PathBuf::from);
    let beside = env::current_exe()?.with_file_name("");
    let library =
        arguments.next().unwrap_or_else(|| beside.join(format!("{DLL_PREFIX}navmap_duckdb{DLL_SUFFIX}")));
    let output = arguments.next().unwrap_or_else(|| beside.join("navmap.duckdb_extension"));
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", library.display()));
    let mut bytes = fs::read(&library).map_err(named)?;
    bytes.extend(footer(&platform()));
    // DuckDB may have the old file open: the new one replaces it as a whole.
    let mut whole = output.clone().into_os_string();
    whole.push(format!(".{}", std::process::id()));
    let written = fs::write(&whole, bytes).and_then(|()| fs::rename(&whole, &output));
    written.map_err(|error| {
        let _ = fs::remove_file(&whole);
        io::Error::new(error.kind(), format!("{}: {error}", output.display()))
    })?;
    Ok(output)
}

fn main() -> ExitCode {
    match make() {
        Ok(output) => {
            println!("{}", output.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("duckdb-extension: {error}");
            ExitCode::from(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_metadata_are_the_last_bytes_with_the_magic_nearest_to_the_signature() {
        let bytes = footer("linux_amd64");
        assert_eq!(bytes.len(), 3 + 1 + 16 + 2 + 512);
        let end = &bytes[bytes.len() - 512..];
        let field = |at: usize| String::from_utf8_lossy(&end[at * FIELD..(at + 1) * FIELD]).into_owned();
        assert_eq!(field(7).trim_end_matches('\0'), "4");
        assert_eq!(field(6).trim_end_matches('\0'), "linux_amd64");
        assert_eq!(field(5).trim_end_matches('\0'), "v1.2.0");
        assert_eq!(field(4).trim_end_matches('\0'), concat!("v", env!("CARGO_PKG_VERSION")));
        assert_eq!(field(3).trim_end_matches('\0'), "C_STRUCT");
        assert!((0..3).all(|at| field(at).trim_end_matches('\0').is_empty()));
        assert!(end[256..].iter().all(|byte| *byte == 0));
    }
}
