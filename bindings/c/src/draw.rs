//! Pictures of a mesh, in a library that was built with them.

use crate::door::Text;
use crate::options::OpenOptions;
use crate::status::Status;
use crate::text::utf8;
use std::ffi::c_char;

#[cfg(feature = "draw")]
mod picture;

/// What a library may have been built with, by the names of its features.
const BUILT_WITH: &[&str] = if cfg!(feature = "draw") { &["draw"] } else { &[] };

/// `navmap_draw_options.flags`: PNG. Else SVG.
pub const NAVMAP_PNG: u32 = 1;
/// `navmap_draw_options.flags`: light on slate. Else ink on paper.
pub const NAVMAP_DARK: u32 = 2;
/// `navmap_draw_options.flags`: if the page has a height, what is without mesh is cut off.
pub const NAVMAP_FIT: u32 = 4;

/// What a picture shows. Zeros are the defaults; `size` must be set, as `NAVMAP_INIT` does.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DrawOptions {
    /// `sizeof(navmap_draw_options)`.
    pub size: u32,
    /// `NAVMAP_PNG` and so on.
    pub flags: u32,
    /// Width of the page in pixels, 64 to 16,384. 0: 1,600.
    pub width: u32,
    /// Its height. 0: as high as the mesh needs.
    pub height: u32,
    /// What colours mean: `height`, `place`, `island`, `flags`, `group`, `plain`, or names of flags with commas between them. NULL:
    /// height.
    pub colour: Text,
    /// What is shown besides the mesh, with commas between: `links`, `one-way`, `traversals`, `ladders`, `spots`, `doors`, `cover`, `entities`,
    /// `names`, `ids`, `grid`, `ceilings`, or `all`, or `none`. NULL: what suits the mesh.
    pub layers: Text,
    /// The heading. NULL: the name of the file.
    pub title: Text,
    /// Lowest height that is shown, in units. The rest of the mesh is a faint outline. With `high`; both 0: all.
    pub low: f32,
    /// Highest.
    pub high: f32,
    /// The part of the world that is shown, as two corners in the horizontal coordinates of the file. All 0: the whole.
    pub part: [f32; 4],
}
sized32!(DrawOptions: size_of::<DrawOptions>());

#[cfg(not(feature = "draw"))]
impl DrawOptions {
    fn picture(&self, _: &navmap::open::Mesh) -> Result<Option<Vec<u8>>, crate::error::Failure> {
        Err(crate::error::Failure::text(
            Status::Invalid,
            "this library was built without pictures: make FEATURES=draw",
        ))
    }
}

entries! {
    /// `NAVMAP_OK` if the library was built with a feature: `draw`. Else `NAVMAP_NOTHING`.
    fn navmap_has(feature: *const c_char) {
        let feature = utf8(feature.text()?, "feature")?;
        Ok(if BUILT_WITH.contains(&feature) { Status::Ok } else { Status::Nothing })
    }

    /// Draws a mesh from above, as SVG or PNG: a file, or `archive!member`; of a plugin or a folder its first mesh. `options` and `how` may be
    /// NULL. Every call draws it, also one that asks only for the size. Linear in areas and links, and 4 bytes a
    /// pixel. `NAVMAP_INVALID` if the library was built without `draw`.
    fn navmap_draw(
        path: *const c_char, options: *const OpenOptions, how: *const DrawOptions, picture[capacity]: *mut u8,
        count: *mut u32; error
    ) {
        let (path, options, how) = (path.path()?, options.options()?.open()?, how.options()?);
        let mut room = picture?;
        let mesh = navmap::open::Mesh::open_with(path, &options)?;
        let Some(bytes) = how.picture(&mesh)? else { return Ok(Status::Nothing) };
        room.fill(&bytes);
        room.end(count)
    }
}
