//! The map queries of a mesh's editor.

use super::contents::Contents;
use super::map::BspMap;
use navmap_source::edit::Site;
use navmap_source::generate::Within;

impl Site for BspMap {
    fn ladders(&self) -> Vec<Within> {
        Self::ladders(self)
    }

    fn is_clipped(&self, from: [f32; 3], to: [f32; 3]) -> bool {
        let trace = self.line(from, to, Contents::PLAYER_CLIP);
        trace.fraction < 1.0 || trace.start_solid
    }
}
