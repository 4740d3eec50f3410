//! What takes more than a file of its own: folders, archives, maps of a file a tile, load orders.

mod archive;
mod atlas;
mod files;
pub(super) mod member;
mod place;
mod plugins;
mod tiles;
mod walk;

pub use archive::ArchiveFile;
pub use atlas::{Atlas, AtlasOptions};
pub(crate) use files::Step;
pub use files::{Candidate, Files};
#[doc(hidden)]
pub use member::on_disk;
pub use member::open_archive;
pub(crate) use member::{Directory, Lent, Wanted, counting_members, inside, lend};
pub use place::{Beside, Place, walk};
pub use plugins::{Plugins, spaces};
pub use tiles::Tiles;
#[doc(hidden)]
pub use walk::may_be_archive;
pub use walk::{Listing, Visit, walker};
