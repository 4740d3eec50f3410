//! Finds the nearest area that a set leaves free.

use crate::area::Area;
use crate::filter::Mask;
use crate::index::NavIndex;
use crate::misuse::Misuse;
use crate::scratch::PathScratch;
use crate::spread::Flood;
use std::ops::ControlFlow;

impl PathScratch {
    /// The nearest area by walking that is not in a set, such as [what the enemies see](crate::Tactics::add_seen), and what the
    /// walk to it costs; the area itself if it is not in the set. `None` if the flood reaches no such area, as from a
    /// [blocked](crate::Overlay::block) one. Ways out of sight are
    /// cheaper with an overlay that makes areas of the set dear.
    ///
    /// # Errors
    /// If the scratch, the overlay or the set belongs to another index, or the area does not exist.
    pub fn retreat(
        &mut self,
        index: &NavIndex,
        from: Area,
        watched: &Mask,
        flood: &Flood<'_>,
    ) -> Result<Option<(Area, f32)>, Misuse> {
        if !watched.fits(index) {
            return Err(Misuse::OtherIndex);
        }
        let mut found = None;
        self.flood(index, from, flood, |area, cost| {
            if watched.has(area) {
                return ControlFlow::Continue(());
            }
            found = Some((area, cost));
            ControlFlow::Break(())
        })?;
        Ok(found)
    }
}
