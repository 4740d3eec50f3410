//! Which corners areas have, and which areas are around a corner. No command changes either.

use super::super::buf::{Outline, Source2Buf};

/// Corners by their numbers: of the shared vertices or, in version 30, of the corners of all areas one after the other.
#[derive(Debug)]
pub(super) struct Outlines {
    /// Where the corners of each area begin, and where those of the last end.
    starts: Vec<u32>,
    corners: Vec<u32>,
    /// The same for the areas around each corner.
    around_starts: Vec<u32>,
    around: Vec<u32>,
}

fn piece<'l>(starts: &[u32], list: &'l [u32], of: u32) -> &'l [u32] {
    let at = of as usize;
    let bounds = (starts.get(at), starts.get(at.saturating_add(1)));
    let (Some(start), Some(end)) = bounds else { return &[] };
    list.get(*start as usize..*end as usize).unwrap_or_default()
}

impl Outlines {
    /// One walk over the areas. A corner takes as many bytes in a file as here, or its link list does.
    pub(super) fn new(buf: &Source2Buf) -> Self {
        let (mut starts, mut corners) = (vec![0], Vec::new());
        let mut own = 0_u32;
        for area in &buf.areas {
            match &area.outline {
                Outline::Own(list) => {
                    let next = own.saturating_add(list.len() as u32);
                    corners.extend(own..next);
                    own = next;
                }
                Outline::Shared(number) => {
                    let polygon = buf.polygons.get(*number as usize);
                    corners.extend(polygon.iter().flat_map(|polygon| &polygon.vertices).map(|at| at.get()));
                }
            }
            starts.push(corners.len() as u32);
        }
        let count = if buf.version >= 31 { buf.vertices.len() } else { own as usize };
        let mut around_starts = vec![0_u32; count.saturating_add(1)];
        for corner in &corners {
            if let Some(start) = around_starts.get_mut((*corner as usize).saturating_add(1)) {
                *start = start.saturating_add(1);
            }
        }
        let mut sum = 0_u32;
        for start in &mut around_starts {
            sum = sum.saturating_add(*start);
            *start = sum;
        }
        let mut next = around_starts.clone();
        let mut around = vec![0; sum as usize];
        for area in 0..buf.areas.len() as u32 {
            for corner in piece(&starts, &corners, area) {
                let Some(place) = next.get_mut(*corner as usize) else { continue };
                if let Some(slot) = around.get_mut(*place as usize) {
                    *slot = area;
                    *place = place.saturating_add(1);
                }
            }
        }
        Self { starts, corners, around_starts, around }
    }

    /// The corners of an area, in order around it.
    pub(super) fn of(&self, area: u32) -> &[u32] {
        piece(&self.starts, &self.corners, area)
    }

    /// The areas around a corner.
    pub(super) fn around(&self, corner: u32) -> &[u32] {
        piece(&self.around_starts, &self.around, corner)
    }
}
