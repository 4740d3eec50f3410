//! Sources of bytes, and checked reads of them.
//!
//! Parsers take `&[u8]`; only [`Backing`] and the code that opens it know about paths. A [`Backing`] is a snapshot (one read into
//! memory of its own: safe, and the choice for a server), a map (zero-copy; somebody has to vouch for the file, so making one is
//! `unsafe`), or bytes that the caller already has.

mod backing;
mod cursor;
#[cfg(feature = "inflate")]
mod inflate;
#[allow(unsafe_code)]
mod map;
mod page;
mod pinned;
mod room;
mod save;
mod scratch;
mod seen;
#[cfg(any(test, target_os = "linux"))]
mod slots;

pub use backing::{Backing, BackingPool, Mapping, Mode, Opener};
pub use cursor::Cursor;
#[cfg(feature = "inflate")]
pub use inflate::{ENCODER, Inflater, deflate, deflate_into};
#[cfg(unix)]
#[doc(hidden)]
pub use map::is_signal_ignored;
#[doc(hidden)]
pub use map::{keep_little, prefetch};
#[doc(hidden)]
pub use room::room;
pub use save::{Saver, leftovers, remove_temporaries, save, save_new, save_new_like};
pub use scratch::Scratch;
pub use seen::{FileId, Held, Originals, Seen, Stamp};
