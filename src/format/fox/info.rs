//! The file for a person.

#![forbid(unsafe_code)]

use super::view::FoxNav;
use crate::error::Result;
use crate::text::fact;
use std::io::Write;

pub(super) fn info(nav: FoxNav<'_>, out: &mut dyn Write) -> Result<()> {
    fact(out, "tile", nav.tile())?;
    Ok(())
}
