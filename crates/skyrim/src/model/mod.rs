//! The triangles of a model in a plugin: an OBJ or GLB that replaces navmeshes, or becomes new ones.
//!
//! An object of the model is named after what it is for: `NAVM 01000902`, `[NAVM:01000902]` or `navmesh 01000902 at 2, -1`, which is
//! what an export writes, replaces that navmesh; `CELL 01000900` becomes a new one in that cell. FormIDs are those of the plugin.
//!
//! A face whose corners are those of a triangle that is there is that triangle, with its number and all that belongs to it. So a
//! model that comes back as it went out changes no byte. Another face takes the number of a triangle that is gone and
//! shares a side with it, if there is one, so that what names triangles from outside stays right, and it takes over what lay there: flags,
//! clearance, edge links, doors, cover. What cannot be taken over is in the [`ModelBill`].

mod bill;
mod corners;
mod faces;
mod fresh;
mod heirs;
mod joins;
mod made;
mod names;
mod neighbours;
mod put;

pub use bill::{MeshBill, ModelBill};
