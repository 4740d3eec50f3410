//! Where bytes come from and how they are taken.
//!
//! Parsers take `&[u8]`; only [`Backing`] and what opens it know about paths. A [`Backing`] is a snapshot (one read
//! into memory of its own: safe, and what a server uses), a map (zero-copy; somebody has to vouch for the file, so
//! making one is `unsafe`), or bytes that the caller already has.

mod backing;
mod cursor;
#[cfg(all(feature = "skyrim", feature = "write"))]
mod deflate;
#[cfg(feature = "inflate")]
mod inflate;
#[allow(unsafe_code)]
mod map;
mod page;
mod room;
#[cfg(feature = "write")]
mod save;
mod scratch;
#[cfg(any(test, all(feature = "cli", target_os = "linux")))]
mod slots;

pub use backing::{Backing, BackingPool, Mapping, Mode, Opener};
pub use cursor::Cursor;
#[cfg(all(feature = "skyrim", feature = "write"))]
pub use deflate::{ENCODER, deflate};
#[cfg(feature = "inflate")]
pub use inflate::Inflater;
#[cfg_attr(not(any(feature = "source", all(feature = "fox", feature = "write"))), allow(unused_imports))]
pub(crate) use map::prefetch;
#[cfg_attr(not(any(feature = "archive", feature = "cli")), allow(unused_imports))]
pub(crate) use room::room;
#[cfg(feature = "write")]
pub use save::{Saver, leftovers, remove_temporaries, save, save_new};
pub use scratch::Scratch;
