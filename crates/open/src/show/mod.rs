//! Everything about chosen nodes of a mesh: shape, place, neighbours by side with heights, marks, findings, the record in the file.
//!
//! ```
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
//! use navmap::open::{Mesh, Show};
//!
//! let mesh = Mesh::open("corpus/source/town.nav")?;
//! let show = Show::of(mesh.nav()).whole()?;
//! let nodes = show.select("#11,#13").unwrap();
//! let told = show.told(&nodes)?;
//! assert_eq!((told[0].id.to_string().as_str(), told[0].word), ("#11", "area"));
//! assert!(told[0].links.iter().any(|link| link.toward == Some("east") && link.rise.is_some()));
//! # Ok::<(), navmap::Error>(())
//! ```

mod compass;
mod found;
mod ladders;
mod read;
mod renamed;
mod select;
mod text;
mod told;
mod whole;

pub use read::Show;
pub use renamed::Renamed;
pub use text::Part;
pub use told::{FindingTold, IdTold, LinkTold, MarkTold, Told};
