//! Valve navigation meshes (`.nav`): GoldSrc, Source and Source 2.

#![forbid(unsafe_code)]

mod area;
mod check;
#[cfg(feature = "serde")]
mod dump;
mod flags;
mod graph;
mod index;
mod info;
mod iter;
mod layout;
mod record;
pub mod source2;
mod survey;
mod view;

pub use area::{Area, VisibleTarget};
pub use flags::{
    Attributes, Direction, Extension, HidingSpotFlags, L4dAttributes, Source2Attributes, SpawnAttributes,
    TfAttributes, Traverse, Visibility,
};
pub use graph::Graph;
pub use index::AreaIndex;
pub use iter::{Areas, EncounterPath, EncounterPaths};
pub use record::{
    Approach, AreaId, EncounterSpot, HidingSpot, HidingSpotId, Ladder, Ladder6, LadderId, OldEncounterSpot,
    Shape, Vec3, VisibleArea,
};
pub use source2::{PolygonArea, PolygonAreaIndex, Source2Nav};
pub use view::{AfterAreas, Place, Places, SourceNav, head, is_source_2, recognise};
