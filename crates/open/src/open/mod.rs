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
//! One set of [`OpenOptions`] says how files are opened, what they are taken for, and the limits on their cost. Errors name the path,
//! as `archive!member` for a member.
//!
//! [`Mesh`] and [`OpenOptions`] are always available. The others need the feature `archive`; without it, a file is either a mesh or
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
mod bytes;
mod editing;
pub(crate) mod hull;
mod item;
#[cfg(feature = "archive")]
mod many;
mod mesh;
mod named;
mod options;
#[cfg(feature = "skyrim")]
mod order;

pub use crate::show::{FindingTold, IdTold, LinkTold, MarkTold, Part, Renamed, Show, Told};
pub use against::OnMesh;
pub use bytes::Bytes;
#[doc(hidden)]
pub use bytes::location;
pub use editing::{Edited, Editing, edit, edit_with, show_of, shown, with_editor};
pub(crate) use hull::hull_group;
#[doc(hidden)]
pub use hull::{check_hull, no_hulls};
pub(crate) use item::index_of;
pub use item::{Item, View, choose};
#[cfg(feature = "archive")]
pub use many::*;
pub use mesh::Mesh;
pub use navmap_core::{Space, names};
pub use options::OpenOptions;
#[doc(hidden)]
pub use options::OpenOptions as Options;
#[cfg(feature = "skyrim")]
pub use order::{ListedPlugins, comes_with_game, load_order};

/// Whether a path means standard input.
pub(crate) fn is_stdin(path: &std::path::Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether what lies at a path can be read once, and may be endless: standard input, a pipe or a device.
#[doc(hidden)]
pub fn is_stream(path: &std::path::Path) -> bool {
    is_stdin(path) || path.metadata().is_ok_and(|data| !data.is_file() && !data.is_dir())
}
