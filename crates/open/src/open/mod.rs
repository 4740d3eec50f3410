//! Finds the meshes at a path: a file, `archive!member`, a folder, an archive, a tiled map, a load order.
//!
//! | type | what it is for |
//! |---|---|
//! | [`Mesh`] | one mesh that owns its bytes: what a server keeps and swaps |
//! | `Place` | finds out what lies at a path |
//! | `walk` | visits every mesh that lies there, whatever it lies in |
//! | `Files` | paths → files in path order, nothing opened |
//! | `Tiles` | a map of a file a tile, loose or packed |
//! | `Plugins` | Bethesda plugins as a game loads them |
//! | `Atlas` | what questions are asked of: any of these as one index |
//!
//! One set of [`Options`] says how files are opened, what they are taken for, and the limits on their cost. Errors name the path,
//! as `archive!member` for a member.
//!
//! [`Mesh`] and [`Options`] are always available. The others need the feature `archive`; without it, a file is either a mesh or
//! an error.
//!
//! # A server
//!
//! ```
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
//! use navmap::open::Mesh;
//! use navmap::{NavFile, bytes::Scratch};
//!
//! /// What queries run on. They clone the handle, so they keep the mesh they began with.
//! struct Server { mesh: Mesh }
//!
//! impl Server {
//!     /// Takes a new mesh if all of it can be read, else keeps the one it has and says why.
//!     fn reload(&mut self, path: &str) -> navmap::Result<()> {
//!         let mesh = Mesh::open(path)?;
//!         mesh.nav().survey(&mut Scratch::new(), &mut Default::default(), &mut |_| {})?;
//!         self.mesh = mesh;
//!         Ok(())
//!     }
//! }
//!
//! let mut server = Server { mesh: Mesh::open("corpus/quake/nav3-v6.nav")? };
//! let asked_before = server.mesh.clone();
//! assert!(server.reload("corpus/hostile").is_err());
//! assert_eq!(server.mesh.summary(), asked_before.summary());
//! # Ok::<(), navmap::Error>(())
//! ```

mod against;
#[cfg(feature = "archive")]
mod archive;
#[cfg(feature = "archive")]
mod atlas;
mod bytes;
mod editing;
#[cfg(feature = "archive")]
mod files;
mod item;
#[cfg(feature = "archive")]
mod member;
mod mesh;
mod named;
mod options;
#[cfg(feature = "skyrim")]
mod order;
#[cfg(feature = "archive")]
mod place;
#[cfg(feature = "archive")]
mod plugins;
#[cfg(feature = "archive")]
mod tiles;
#[cfg(feature = "archive")]
mod walk;

pub use against::OnMesh;
#[cfg(feature = "archive")]
pub use archive::ArchiveFile;
#[cfg(feature = "archive")]
pub use atlas::{Atlas, AtlasOptions};
pub use bytes::Bytes;
#[doc(hidden)]
pub use bytes::location;
pub use editing::{Edited, Editing, edit, edit_with, with_editor};
#[cfg(feature = "archive")]
pub(crate) use files::Step;
#[cfg(feature = "archive")]
pub use files::{Candidate, Files};
pub(crate) use item::index_of;
pub use item::{Item, View, choose};
#[cfg(feature = "archive")]
pub(crate) use member::counting_members;
#[cfg(feature = "archive")]
#[doc(hidden)]
pub use member::on_disk;
pub use mesh::Mesh;
pub use navmap_core::{Space, names};
pub use options::Options;
#[cfg(feature = "skyrim")]
pub use order::load_order;
#[cfg(feature = "archive")]
pub use place::{Beside, Place, walk};
#[cfg(feature = "archive")]
pub use plugins::{Plugins, spaces};
#[cfg(feature = "archive")]
pub use tiles::Tiles;
#[cfg(feature = "archive")]
#[doc(hidden)]
pub use walk::may_be_archive;
#[cfg(feature = "archive")]
pub use walk::{Listing, Visit, walker};

/// Whether a path means standard input.
fn is_stdin(path: &std::path::Path) -> bool {
    path.as_os_str() == "-"
}
