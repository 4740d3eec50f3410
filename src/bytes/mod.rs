//! Where bytes come from and how they are taken.
//!
//! Parsers take `&[u8]`; only [`Backing`] and the command line know about paths.

mod cursor;
#[cfg(feature = "inflate")]
mod inflate;
mod scratch;

pub use cursor::Cursor;
#[cfg(feature = "inflate")]
pub use inflate::Inflater;
pub use scratch::Scratch;
