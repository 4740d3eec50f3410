//! Reads the files of modelling programs, OBJ and GLB, into a [`Scene`]: polygons and lines with the names of their materials and
//! objects. A family's builder makes a mesh of it.
//!
//! ```
//! use navmap::import::{Format, read};
//!
//! let text = b"v 0 0 0\nv 4 0 0\nv 4 0 4\nusemtl attr_0001\nf 1 3 2\n";
//! let scene = read(text, Format::Obj)?;
//! assert_eq!((scene.polygons.len(), scene.material(scene.polygons[0].material)), (1, "attr_0001"));
//!
//! let error = read(b"v 0 0 0\nf 1 2 3\n", Format::Obj).unwrap_err();
//! assert_eq!(error.to_string(), "line 2, column 5: vertex 2 does not exist (1 so far)");
//! # Ok::<(), navmap::Error>(())
//! ```

mod attributes;
mod axes;
mod extras;
mod glb;
mod obj;

pub use attributes::attributes;
pub use axes::ModelAxes;

use navmap_core::error::Result;
use navmap_core::graph::Scene;

/// A format to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Wavefront OBJ.
    Obj,
    /// glTF 2.0, binary.
    Glb,
}

impl Format {
    /// The format for a file extension, in any case.
    pub fn of_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "obj" => Some(Self::Obj),
            "glb" => Some(Self::Glb),
            _ => None,
        }
    }
}

/// Reads a file. Linear time; memory in proportion to the file.
///
/// # Errors
/// If something in it cannot be read. The error names the line of an OBJ, and the primitive or the byte of a GLB if it knows them.
pub fn read(bytes: &[u8], format: Format) -> Result<Scene> {
    match format {
        Format::Obj => obj::read(bytes),
        Format::Glb => glb::read(bytes),
    }
}
