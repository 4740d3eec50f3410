//! Every finding of the format reference. (to come)

#![forbid(unsafe_code)]

use super::view::FoxNav;
use crate::error::Result;
use crate::finding::Finding;

pub(super) fn check(_nav: FoxNav<'_>, _found: &mut dyn FnMut(Finding)) -> Result<()> {
    Ok(())
}
