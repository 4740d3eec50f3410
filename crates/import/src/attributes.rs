//! What the names of materials mean.

use navmap_core::error::{Error, Result};
use std::collections::HashMap;

/// Reads what names of materials mean: a line each, `road = 0x0001`. `#` begins a comment.
///
/// ```
/// let known = navmap::import::attributes("road = 0x0001 # wide\n\nriver=16\n")?;
/// assert_eq!((known["road"], known["river"]), (1, 16));
/// let error = navmap::import::attributes("road\n").unwrap_err();
/// assert!(error.to_string().contains("line 1: road where name = 0x0001 was expected"));
/// # Ok::<(), navmap::Error>(())
/// ```
///
/// # Errors
/// For a line that is none of these, and a number over 16 bits. The error names the line.
pub fn attributes(text: &str) -> Result<HashMap<String, u16>> {
    let mut known = HashMap::new();
    for (number, line) in (1_u64..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let wrong = || {
            let why = format!("line {number}: {line} where name = 0x0001 was expected");
            Error::invalid("attributes", why)
        };
        let (name, value) = line.split_once('=').ok_or_else(wrong)?;
        let value = value.trim();
        let hex = value.strip_prefix("0x").or_else(|| value.strip_prefix("0X"));
        let value =
            hex.map_or_else(|| value.parse(), |hex| u16::from_str_radix(hex, 16)).map_err(|_| wrong())?;
        known.insert(name.trim().to_owned(), value);
    }
    Ok(known)
}
